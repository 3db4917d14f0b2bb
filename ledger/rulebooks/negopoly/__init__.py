"""Negopoly (Crédit Mabligop): a satirical Monopoly where everything is negotiable.

A file per chapter of the document, in its order; `table` holds the state, `goods` the pieces, `squares` where the
token meets the board. Rules are cited by their number in rules.toml.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar

import msgspec

from ledger.kernel.accounts import BANK, BOX
from ledger.kernel.actions import Action
from ledger.kernel.audience import BANKER_ONLY, EVERYONE, Audience, Viewer, only
from ledger.kernel.events import Event
from ledger.kernel.refusals import Malformed
from ledger.kernel.register import Register
from ledger.kernel.rulebook import Opening, Rulebook
from ledger.kernel.sentences import Speaker
from ledger.kernel.state import Agreement, State
from ledger.kernel.wealth import Asset
from ledger.rulebooks.negopoly import (
    bounties,
    checkpoints,
    comico,
    contract_facts,
    contracts,
    deals,
    deliveries,
    doses,
    hospital,
    houses,
    loans,
    mortgages,
    movement,
    principles,
    prison,
    real_estate,
    rulings,
    setup,
    spawn,
    titles,
    tokens,
    turns,
    victory,
)
from ledger.rulebooks.negopoly.goods import BOARD, ITEMS, TITLES, register_texts
from ledger.rulebooks.negopoly.table import (
    Negopoly,
    Settings,
    Table,
    houses_on,
    in_play,
    is_mortgaged,
    is_squatted,
    owner_of,
)
from ledger.rulebooks.negopoly.terms import MONEY, POLICE, USED, Bounty, Contract, Deal, Delivery, Loan

_NO_PLAYERS = {"banker": ("The banker", "Le banquier"), BANK: ("the bank", "la banque")}
_PUBLIC_ACCOUNTS = ("property:", "shop:", "escrow:bounty:", "police", "used", "box")


class NegopolyRules(Rulebook[Negopoly]):
    """The rulebook of Negopoly."""

    id: ClassVar[str] = "negopoly"
    title: ClassVar[str] = "Negopoly"
    currency: ClassVar[str] = MONEY
    correction_rule: ClassVar[str] = "P.4"
    dispute_rule: ClassVar[str] = "P.2"
    ruling_rule: ClassVar[str] = "P.1"
    privacy_rule: ClassVar[str] = "I.C.5"
    end_rule: ClassVar[str] = "II.E.1"
    players: ClassVar[tuple[int, int]] = (2, 8)
    settings: ClassVar[type[msgspec.Struct]] = Settings
    state: ClassVar[type[State]] = Negopoly
    agreement_types: ClassVar[Mapping[str, type[Agreement]]] = {
        "contracts": Contract,
        "loans": Loan,
        "bounties": Bounty,
        "deals": Deal,
        "deliveries": Delivery,
    }

    def opening_action(self, opening: Opening) -> Action:
        """Lay out the table for 2 to 8 players. Raises Malformed for another number."""
        fewest, most = self.players
        if not fewest <= len(opening.players) <= most:
            raise Malformed(
                "Negopoly is played by {fewest} to {most} players, not {count}",
                "Negopoly se joue de {fewest} à {most} joueurs, pas {count}",
                fewest=fewest,
                most=most,
                count=len(opening.players),
            )
        return setup.CreateGame(
            players=opening.players, settings=msgspec.to_builtins(opening.settings), dice=opening.dice
        )

    def may_owe(self, account: str, commodity: str) -> bool:
        """The bank issues all but the titles, which come from the box; a player may owe money (I.B.3)."""
        if account == BANK:
            return not commodity.startswith("title:")
        if account == BOX:
            return True
        return commodity == MONEY and account.startswith("player:")

    def holding_audience(self, state: Negopoly, account: str, commodity: str) -> Audience:
        """Titles and what is attached to them are public, balances and inventories private (I.C.6)."""
        if commodity.startswith("title:") or account.startswith(_PUBLIC_ACCOUNTS):
            return EVERYONE
        if account.startswith("player:"):
            return only(account.removeprefix("player:"))
        kind, _, agreement_id = account.rpartition(":")
        if kind in {"transit", "escrow:contract"}:
            found = state.open.get(agreement_id)
            if found is not None:
                return self.agreement_audience(found)
        return BANKER_ONLY

    def settle(self, draft: Table) -> None:
        """The last player left wins (II.E.3); the turn of a player who has just left the game is over (I.B.5)."""
        victory.by_elimination(draft)
        turn = draft.state.turn
        if turn is not None and turn.seat in draft.state.eliminated:
            turns.leave_turn(draft, turn.seat, "I.B.5")

    def due(self, state: Negopoly, at: datetime) -> tuple[Action, str | None] | None:
        """A turn whose five minutes are over is closed before anything else happens (II.B.13)."""
        if state.turn is not None and not state.ended and state.turn.is_over(at):
            return turns.ExpireTurn(), state.turn.seat
        return None

    def view(self, state: Negopoly, viewer: Viewer) -> dict[str, Any]:
        """The public table, and what the viewer's own seat may know besides (I.C.6)."""
        turn = state.turn
        shown: dict[str, Any] = {
            "phase": "ended" if state.ended else state.phase,
            "round": state.round,
            "order": list(state.order),
            "next_order": None if state.next_order is None else list(state.next_order),
            "personas": dict(state.personas),
            "positions": dict(state.positions),
            "turn": None
            if turn is None
            else {
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
            },
            "titles": {
                title: {
                    "owner": owner_of(state, title),
                    "houses": houses_on(state, title),
                    "mortgaged": is_mortgaged(state, title),
                    "squatted": is_squatted(state, title),
                }
                for title in TITLES
            },
            "wanted": sorted(state.wanted),
            "k9_rounds": sorted(state.k9_rounds),
            "rackets": list(state.rackets),
            "missed": dict(state.missed),
            "delegations": [
                {"title": title, "seat": seat, "payer": payer} for title, seat, payer in sorted(state.delegations)
            ],
            "eliminated": dict(state.eliminated),
            "last_round": state.last_round,
            "winners": list(state.winners),
            "statements": [msgspec.to_builtins(one) for one in state.statements],
            "settings": msgspec.to_builtins(state.settings),
        }
        if viewer.seat in state.seats:
            shown["you"] = {
                "perk": state.perks.get(viewer.seat),
                "effects": list(turns.private_effects(state, viewer.seat)),
            }
        return shown

    def summary(self, state: Negopoly) -> dict[str, Any]:
        """Round, whose turn, who is left, who won."""
        return {
            "round": state.round,
            "turn": None if state.turn is None else state.turn.seat,
            "in_play": in_play(state),
            "winners": list(state.winners),
        }

    def awaited(self, state: Negopoly) -> Sequence[str]:
        """Whose turn it is; during set-up, everybody."""
        return in_play(state) if state.turn is None else (state.turn.seat,)

    def winners(self, state: Negopoly) -> Sequence[str]:
        """Who has won (II.E.1)."""
        return state.winners

    def wealth(self, state: Negopoly, seat: str) -> Sequence[Asset]:
        """The net worth (II.E.5)."""
        return victory.net_worth(state, seat)

    def agreements(self, state: Negopoly, collection: str) -> list[Agreement]:
        """Every agreement of the collection, open or ended, in the order of opening."""
        kind = self.agreement_types[collection]
        found = [one for one in (*state.open.values(), *state.past) if isinstance(one, kind)]
        return sorted(found, key=lambda one: one.opened)

    def has_ended(self, state: Negopoly, agreement: Agreement) -> bool:
        """Proposals wait, and a concluded deal may still owe goods: what is open is kept apart."""
        return agreement.id not in state.open

    def in_setup(self, state: Negopoly) -> bool:
        """Until the banker starts the game (II.A)."""
        return state.phase == "setup"

    def private_matters(self, events: Sequence[Event]) -> Mapping[str, frozenset[str]]:
        """Deals, which are nobody's affair but their parties' (I.C.5); contracts are the bank's too (X.A.7)."""
        return deals.private_deals(events)

    def knows_account(self, state: Negopoly, account: str) -> bool:
        """The police, what is used up, and what is attached to a title are there while they hold nothing."""
        return (
            account in {POLICE, USED}
            or (account.startswith("property:") and account.removeprefix("property:") in TITLES)
            or super().knows_account(state, account)
        )

    def knows_commodity(self, state: Negopoly, commodity: str) -> bool:
        """Whatever is on the price list, although nobody has any yet."""
        return commodity in ITEMS or super().knows_commodity(state, commodity)

    def agreement_audience(self, agreement: Agreement) -> Audience:
        """Deals and contracts are their parties' affair, bounties everybody's."""
        match agreement:
            case Deal() | Contract():
                return only(*agreement.parties)
            case Delivery():
                return only(agreement.sender, agreement.recipient)
            case Loan():
                return only(agreement.borrower)
            case _:
                return EVERYONE

    def speakers(self, state: Negopoly) -> Mapping[str, Speaker]:
        """Seats by their player's name, money with its sign, titles, squares and goods by their names."""

        def seat(value: Any, language: str) -> str:
            if value in state.seats:
                return state.seats[value].name
            en, fr = _NO_PLAYERS.get(value, (str(value), str(value)))
            return fr if language == "fr" else en

        def money(value: Any, language: str) -> str:
            return f"{value} ₦" if language == "fr" else f"₦{value}"

        def account(value: Any, language: str) -> str:
            return seat(str(value).removeprefix("player:"), language)

        return {
            "seat": seat,
            "account": account,
            "money": money,
            "title": _title,
            "square": _square(state),
            "goods": _goods,
        }

    def components(self) -> dict[str, Any]:
        """Titles and items with their prices."""
        return {
            "titles": [msgspec.to_builtins(title) for title in TITLES.values()],
            "items": [msgspec.to_builtins(item) for item in ITEMS.values()],
        }

    def board(self) -> list[dict[str, Any]]:
        """The 40 squares of the default board."""
        return [msgspec.to_builtins(square) for square in BOARD]


def _title(value: Any, language: str) -> str:
    return TITLES[value].name if value in TITLES else str(value)


def _square(state: Negopoly) -> Callable[[Any, str], str]:
    def name(value: Any, language: str) -> str:
        return str(state.board[value].name)

    return name


def _goods(value: Any, language: str) -> str:
    if value == MONEY:
        return "₦"
    if str(value).startswith("title:"):
        return _title(str(value).removeprefix("title:"), language)
    return ITEMS[value].name if value in ITEMS else str(value)


RULEBOOK = NegopolyRules(
    Register.read(*register_texts()),
    (
        rulings.chapter,
        principles.chapter,
        deals.chapter,
        setup.chapter,
        turns.chapter,
        victory.chapter,
        tokens.chapter,
        movement.chapter,
        titles.chapter,
        real_estate.chapter,
        mortgages.chapter,
        houses.chapter,
        spawn.chapter,
        hospital.chapter,
        prison.chapter,
        comico.chapter,
        checkpoints.chapter,
        doses.chapter,
        deliveries.chapter,
        contract_facts.chapter,
        contracts.chapter,
        bounties.chapter,
        loans.chapter,
    ),
)
"""The rulebook, ready to play."""
