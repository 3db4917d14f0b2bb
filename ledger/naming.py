"""How people are told of seats, accounts and commodities: by their names, in English or French."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import msgspec

from ledger.kernel.rulebook import Rulebook
from ledger.kernel.state import State

_ASKERS = {"banker": ("The banker", "Le banquier"), "system": ("The service", "Le service")}

_PLACES = {
    "bank": ("the bank", "la banque"),
    "box": ("the box", "la boîte"),
    "police": ("the police", "la police"),
    "used": ("used up", "épuisé"),
}

_KINDS = {
    "hand": ("{name} (hand)", "{name} (main)"),
    "property": ("{name} (what is on it)", "{name} (ce qui s'y trouve)"),
    "transit": ("delivery {name} (on its way)", "livraison {name} (en route)"),
    "shop": ("shop {name}", "boutique {name}"),
    "deck": ("deck {name}", "pioche {name}"),
    "square": ("square {name}", "case {name}"),
    "escrow:bounty": ("bounty {name} (escrow)", "prime {name} (séquestre)"),
    "escrow:contract": ("contract {name} (escrow)", "contrat {name} (séquestre)"),
    "escrow:deal": ("deal {name} (escrow)", "accord {name} (séquestre)"),
}
"""Accounts that are called by what they belong to: how, by the part of their id before the last colon."""

_SPOKEN = {"hand": "seat", "property": "title"}
"""Which of the rulebook's speakers says what such an account belongs to."""


ENDS = {"source": "from", "source_name": "from_name", "target": "to", "target_name": "to_name"}
"""What the ends of a posting are called outside."""


class Citation(msgspec.Struct, frozen=True):
    """A rule that is applied: its number, and, when it stands in the register, its title and where its text is."""

    rule: str
    title: str | None
    href: str | None


class Names:
    """The names of one game.

    Takes its rulebook, its state, "en" or "fr", and the address under which the rules of its register are read.
    """

    def __init__(self, rulebook: Rulebook[Any], state: State, language: str, register_at: str) -> None:
        self.language = language
        self._register = rulebook.register
        self._register_at = register_at
        self.speakers = rulebook.speakers(state)
        self._seats = state.seats
        self._french = 1 if language == "fr" else 0

    def asker(self, by: str | None) -> str | None:
        """Who asked: "The banker", "The service", or the player of a seat."""
        if by in _ASKERS:
            return _ASKERS[by][self._french]
        return self.seat(by)

    def seat(self, seat: str | None) -> str | None:
        """The player of a seat."""
        return seat if seat is None or seat not in self._seats else self._seats[seat].name

    def account(self, account: str) -> str:
        """An account, by whom or what it belongs to; its id when nobody has a word for it."""
        if account in _PLACES:
            return _PLACES[account][self._french]
        kind, _, name = account.rpartition(":")
        if kind == "player":
            return self.seat(name) or name
        if kind not in _KINDS:
            return account
        spoken = self.speakers.get(_SPOKEN.get(kind, ""))
        return _KINDS[kind][self._french].format(name=name if spoken is None else spoken(name, self.language))

    def commodity(self, commodity: str) -> str:
        """A commodity as the rulebook calls it; its id when it has no word for it."""
        goods = self.speakers.get("goods")
        return commodity if goods is None else goods(commodity, self.language)

    def rule(self, rule: str) -> Citation:
        """A rule as it is cited."""
        found = self._register.get(rule, self.language)
        if found is None:
            return Citation(rule, None, None)
        return Citation(rule, found.title, f"{self._register_at}/{quote(rule, safe='')}")
