"""Visibility in Negopoly (I.C.6): the audience of each holding and agreement, and a viewer's view of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from ledger.kernel.facts.agreements import Agreement
from ledger.kernel.facts.audience import BANKER_ONLY, EVERYONE, Audience, Viewer, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.plain import plain, plain_once
from ledger.kernel.rules.faces.secrets import Secrets
from ledger.rulebooks.negopoly.arsenal import charges
from ledger.rulebooks.negopoly.cards import decks, weather
from ledger.rulebooks.negopoly.cards.vocabulary import is_card
from ledger.rulebooks.negopoly.deals import deals
from ledger.rulebooks.negopoly.estate import police_orders, quarters
from ledger.rulebooks.negopoly.goods import shops
from ledger.rulebooks.negopoly.mercenaries import reactions, strikes
from ledger.rulebooks.negopoly.table.pieces import TITLES
from ledger.rulebooks.negopoly.table.state import Negopoly, owner_of
from ledger.rulebooks.negopoly.table.terms import USED, Contract, Deal, Delivery, Loan, Turn
from ledger.rulebooks.negopoly.turns import turns
from ledger.rulebooks.parts.titles import attached, owners_of

_PUBLIC_ACCOUNTS = ("shop:", "escrow:bounty:", "discard:", "weather", "police", "box")


_PASSING = ("property:", "transit:", "escrow:contract:")
"""Accounts with a changing audience: the owner of a title, or the parties of an open agreement."""


@lru_cache(maxsize=10_000)
def _lasting_audience(account: str, commodity: str) -> Audience:
    """Return the audience of a commodity in an account with a fixed audience. Cached, because requests repeat."""
    if commodity.startswith("title:") or account.startswith(_PUBLIC_ACCOUNTS):
        return EVERYONE
    if account.startswith(("player:", "drawn:")):
        return only(account.partition(":")[2])
    return BANKER_ONLY


def audience_of_agreement(agreement: Agreement) -> Audience:
    """Return the audience of an agreement: the parties if private, everybody for a bounty or a meeting."""
    match agreement:
        case Deal() | Contract():
            return only(*agreement.parties)
        case Delivery():
            return only(agreement.sender, agreement.recipient)
        case Loan():
            return only(agreement.borrower)
        case _:
            return EVERYONE


_NOTHING_ATTACHED: dict[str, Any] = {"houses": 0, "mortgaged": False, "squatted": False, "charges": []}


def _turn(turn: Turn) -> dict[str, Any]:
    """Return the fields of the turn under way, without empty fields."""
    fields: dict[str, Any] = {
        "seat": turn.seat,
        "started_at": turn.started_at,
        "ends_at": turn.ends_at,
        "paused_at": turn.paused_at,
        "dice": list(turn.dice),
        "roll": turn.roll,
        "drug_die": turn.drug_die,
        "passed": [passage.square for passage in turn.passages],
        "stop": turn.stop,
        "unresolved": turn.unresolved,
        "vehicles": list(turn.vehicles),
        "ahead": [stretch.steps for stretch in turn.ahead or turn.extension],
    }
    return {name: value for name, value in fields.items() if value is not None}


def _title(state: Negopoly, title: str, owner: str | None) -> dict[str, Any]:
    """Return the owner of a title, if any, and the attachments."""
    lying = _attached(state, title) or _NOTHING_ATTACHED
    return lying if owner is None else {"owner": owner, **lying}


def _attached(state: Negopoly, title: str) -> dict[str, Any] | None:
    """Return the attachments of a title. None for no attachments, the frequent and quick case."""
    lying = state.holdings.account(attached(title))
    if not lying:
        return None
    return {
        "houses": lying.get("house", 0),
        "mortgaged": "mortgage" in lying,
        "squatted": "squat" in lying,
        "charges": charges.public_view(state, title),
    }


def public_view(state: Negopoly) -> dict[str, Any]:
    """Return the public table."""
    turn = state.turn
    owners = owners_of(state)
    table: dict[str, Any] = {
        "phase": "ended" if state.ended else state.phase,
        "round": state.round,
        "order": list(state.order),
        "personas": dict(state.personas),
        "positions": dict(state.positions),
        "titles": {title: _title(state, title, owners.get(title)) for title in TITLES},
        "weather": weather.public_view(state),
        "decks": decks.public_view(state),
        "roll_changes": dict(state.roll_changes),
        "unread_cards": [plain(item) for item in state.unread],
        "quarters": quarters.holders(state, owners),
        "police_orders": police_orders.public_view(state),
        "disruptions": [plain(item) for item in state.disruptions],
        "blackouts": sorted(state.blackouts),
        "wanted": sorted(state.wanted),
        "k9_rounds": sorted(state.k9_rounds),
        "rackets": list(state.rackets),
        "missed": dict(state.missed),
        "delegations": [
            {"title": title, "seat": seat, "payer": payer} for title, seat, payer in sorted(state.delegations)
        ],
        "eliminated": dict(state.eliminated),
        "last_round": state.last_round,
        "settings": plain_once(state.settings),
    }
    if turn is not None:
        table["turn"] = _turn(turn)
    if state.next_order is not None:
        table["next_order"] = list(state.next_order)
    return table


def own_view(state: Negopoly, viewer: Viewer) -> dict[str, Any]:
    """Return the viewer's part of the view: prices, questions, the end, and the seat's private facts (I.C.6)."""
    facts: dict[str, Any] = {
        "shops": shops.view(state, viewer.seat),
        **reactions.view(state, viewer),
        "winners": list(state.winners) if viewer.knows_the_end else [],
        "statements": [msgspec.to_builtins(statement) for statement in state.statements]
        if viewer.knows_the_end
        else [],
    }
    if viewer.seat in state.seats:
        facts["you"] = {
            "effects": list(turns.private_effects(state, viewer.seat)),
            "hacks": [target for buyer, target in state.hacks if buyer == viewer.seat],
            "defences": strikes.defences_of(state, viewer.seat),
        }
        if viewer.seat in state.perks:
            facts["you"]["perk"] = state.perks[viewer.seat]
    return facts


class NegopolySecrets(Secrets[Negopoly]):
    """The audiences of holdings and agreements."""

    def holding_audience(self, state: Negopoly, account: str, commodity: str) -> Audience:
        """Return the audience of a commodity in an account (I.C.6)."""
        if not account.startswith(_PASSING):
            return _lasting_audience(account, commodity)
        kind, _, name = account.rpartition(":")
        if kind == "property":
            return only(owner_of(state, name)) if commodity == strikes.DEFENCE else EVERYONE
        if commodity.startswith("title:"):
            return EVERYONE
        agreement = state.open.get(name)
        return BANKER_ONLY if agreement is None else audience_of_agreement(agreement)

    def move_audience(self, state: Negopoly, account: str, commodity: str) -> Audience:
        """Return everybody for used goods: their amounts alone would tell a licence or an estate (I.C.6)."""
        if account == USED and not is_card(commodity):
            return EVERYONE
        return self.holding_audience(state, account, commodity)

    def has_fixed_audience(self, account: str) -> bool:
        """Return True if the audience of an account never changes in a game."""
        return not account.startswith(_PASSING)

    def private_matters(self, events: Sequence[Event]) -> Mapping[str, frozenset[str]]:
        """Return the private deals among the events (I.C.5).

        Contracts are not private: the bank knows contracts too (X.A.7).
        """
        return deals.private_deals(events)

    def agreement_audience(self, agreement: Agreement) -> Audience:
        """Return the audience of an agreement: the parties if private, everybody for a bounty or a meeting."""
        return audience_of_agreement(agreement)
