"""Names of seats, accounts, commodities and rules for people, in English or French."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import msgspec

from ledger.kernel.facts.accounts import BANK, BOX
from ledger.kernel.facts.names import told_apart
from ledger.kernel.facts.state import State
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import AccountName
from ledger.kernel.rules.commodities import Glossary
from ledger.kernel.rules.rulebook import Rulebook

_ASKERS = {"banker": Phrase("The banker", "Le banquier"), "system": Phrase("The service", "Le service")}
_DOERS = {"banker": Phrase("the banker", "le banquier"), "system": Phrase("the service", "le service")}

ACCOUNT_NAMES = {
    BANK: AccountName("the bank", "la banque"),
    BOX: AccountName("the box", "la boîte"),
    "hand": AccountName("{name} (hand)", "{name} (main)", of="seat"),
}
"""The names of accounts common to all games. A rulebook names its own accounts (`Accounts.account_names`)."""


POSTING_ENDS = {"source": "from", "source_name": "from_name", "target": "to", "target_name": "to_name"}
"""The names of a posting's two ends in answers."""


class Citation(msgspec.Struct, frozen=True):
    """A cited rule: its number, and, when the register has it, its title and the address of its text."""

    rule: str
    title: str | None
    href: str | None


class Names:
    """The names in one game.

    Takes the rulebook, a state, "en" or "fr", and, for citations, the address of the rules of the register.
    """

    def __init__(self, rulebook: Rulebook[Any], state: State, language: str, register_at: str = "") -> None:
        self.language = language
        self._rulebook = rulebook
        self._accounts = {**ACCOUNT_NAMES, **rulebook.accounts.account_names}
        self._register_at = register_at
        self.speakers = rulebook.language.speakers(state)
        self.seats = state.seats
        self._state = state
        self._words: Glossary | None = None
        self._account_names: dict[str, str] = {}
        self._cited: dict[str, Citation] = {}

    def asker(self, by: str | None) -> str | None:
        """Return the name of a requester: "The banker", "The service", or the player of a seat."""
        if by in _ASKERS:
            return _ASKERS[by].in_language(self.language)
        return self.seat(by)

    def doer(self, by: str) -> str | None:
        """Return the name of a requester after "by": "the banker", "the service", or a player."""
        return _DOERS[by].in_language(self.language) if by in _DOERS else self.seat(by)

    def seat(self, seat: str | None) -> str | None:
        """Return the name of a seat's player."""
        return seat if seat is None or seat not in self.seats else told_apart(self.seats)[seat]

    def account(self, account: str) -> str:
        """Return the name of an account, or its id without a name."""
        cached = self._account_names.get(account)
        if cached is None:
            cached = self._account_names[account] = self._account(account)
        return cached

    def _account(self, account: str) -> str:
        kind, _, name = account.rpartition(":")
        if account == self._rulebook.accounts.purse(name):
            return self.seat(name) or name
        named = self._accounts.get(account) or self._accounts.get(kind)
        if named is None:
            return account
        spoken = self.speakers.get(named.of or "")
        owner = name if spoken is None else spoken(name, self.language)
        return named.in_language(self.language).format(name=owner)

    def names_commodity(self, text: str) -> bool:
        """Return True if a text is the id of a commodity with words in the rulebook."""
        if self._words is None:
            self._words = self._rulebook.accounts.commodities(self._state)
        return text in self._words

    def commodity(self, commodity: str) -> str:
        """Return the rulebook's name of a commodity, or its id without a name."""
        goods = self.speakers.get("goods")
        return commodity if goods is None else goods(commodity, self.language)

    def rule(self, rule: str) -> Citation:
        """Return the citation of a rule."""
        cited = self._cited.get(rule)
        if cited is None:
            cited = self._cited[rule] = self._citation(rule)
        return cited

    def _citation(self, rule: str) -> Citation:
        entry = self._rulebook.rule(rule, self.language, self._state)
        if entry is None:
            return Citation(rule, None, None)
        return Citation(rule, entry.title, f"{self._register_at}/{quote(rule, safe='')}")
