"""Sums of money in effects: an amount, an amount for each thing, or a share; and the accounts of both sides."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from msgspec import UNSET

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.events import Event
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.cards.concerned import opponents
from ledger.rulebooks.monopoly.debts import debts
from ledger.rulebooks.monopoly.houses.wealth import hotels_of, houses_of, share_of
from ledger.rulebooks.monopoly.table.effects import Each, Pay, Receive, Sum
from ledger.rulebooks.monopoly.table.pieces import Card, Square
from ledger.rulebooks.monopoly.table.roles import Role
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    cite,
    currency,
    has_role,
    pieces,
    titles_of,
)
from ledger.rulebooks.monopoly.table.terms import POT
from ledger.rulebooks.parts.seats import player as purse

chapter = Chapter("What cards do")
"""The chapter of cards; the room of effects adds further events."""
of_squares = Chapter("What squares pay")


class Origin(NamedTuple):
    """The player under effects, and the source: a card of a pile, of the face `thrown` of a die, or a square.

    `role` is the role of the rule.
    """

    drawer: str
    source: Card | Square
    thrown: int = 0
    role: Role = "card_effect"
    spared: tuple[str, ...] = ()
    """The seats out of reach of the effect, by saying no."""

    @property
    def card(self) -> Card | None:
        """The card, if any."""
        return self.source if isinstance(self.source, Card) else None

    @property
    def square(self) -> Square | None:
        """The square, if any."""
        return self.source if isinstance(self.source, Square) else None

    def rule(self, state: Monopoly) -> str:
        """Return the rule of the effects."""
        return cite(state, self.role, self.square)


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class CardPaidOut(Event, frozen=True, kw_only=True):
    """The bank pays a player what a card says."""

    en: ClassVar[str] = "{seat:seat} receives {amount:money} from the bank, as the card says."
    fr: ClassVar[str] = "{seat:seat} reçoit {amount:money} de la banque, comme le dit la carte."

    seat: str
    amount: int


@of_squares.event
class SquarePaidOut(Event, frozen=True, kw_only=True):
    """The bank pays a player what a square says."""

    en: ClassVar[str] = "{seat:seat} receives {amount:money} from the bank, as {title:title} says."
    fr: ClassVar[str] = "{seat:seat} reçoit {amount:money} de la banque, comme le dit {title:title}."

    seat: str
    title: str
    """The id of the square."""
    amount: int


@of_squares.event
class PotDrawn(Event, frozen=True, kw_only=True):
    """A player receives a part of the pot."""

    en: ClassVar[str] = "{seat:seat} receives {amount:money} out of the pot."
    fr: ClassVar[str] = "{seat:seat} reçoit {amount:money} de la cagnotte."

    seat: str
    amount: int


# ----------------------------------------------------------------------------------------------
# Amounts
# ----------------------------------------------------------------------------------------------


def amount_of(state: Monopoly, seat: str, effect: Pay | Receive, thrown: int) -> int:
    """Return the amount of an effect for a seat, within the bounds."""
    amount = _counted(state, seat, effect) * (thrown if effect.times == "thrown" else 1)
    if effect.at_least is not UNSET:
        amount = max(amount, effect.at_least)
    return amount if effect.at_most is UNSET else min(amount, effect.at_most)


def _counted(state: Monopoly, seat: str, effect: Sum) -> int:
    if effect.each is not UNSET:
        return _for_each(state, seat, effect.each)
    if effect.share is not UNSET:
        return share_of(state, seat, effect.share, effect.of)
    return 0 if effect.amount is UNSET else effect.amount


def _for_each(state: Monopoly, seat: str, each: Each) -> int:
    """Return the sum of the amounts for a player's things."""
    owned = titles_of(state, seat)
    kinds = [pieces(state).titles[title].kind for title in owned]
    counts = (
        (each.house, houses_of(state, seat)),
        (each.hotel, hotels_of(state, seat)),
        (each.title, len(owned)),
        (each.street, kinds.count("street")),
        (each.station, kinds.count("station")),
        (each.utility, kinds.count("utility")),
        (each.player, len(opponents(state, seat))),
    )
    return sum(amount * count for amount, count in counts if amount is not UNSET)


# ----------------------------------------------------------------------------------------------
# Both sides
# ----------------------------------------------------------------------------------------------


def pay(draft: Draft, seat: str, effect: Pay, origin: Origin) -> None:
    """Have a seat pay the sum of an effect."""
    amount = amount_of(draft.state, seat, effect, origin.thrown)
    match effect.to:
        case "each":
            for opponent in opponents(draft.state, seat):
                charge(draft, seat, purse(opponent), amount, origin)
        case "drawer":
            if seat != origin.drawer:
                charge(draft, seat, purse(origin.drawer), amount, origin)
        case "pot":
            charge(draft, seat, POT, amount, origin)
        case "bank":
            charge(draft, seat, BANK, amount, origin)


def receive(draft: Draft, seat: str, effect: Receive, origin: Origin) -> None:
    """Have a seat receive the sum of an effect."""
    state = draft.state
    amount = amount_of(state, seat, effect, origin.thrown)
    match effect.source:
        case "each":
            for opponent in [other for other in opponents(state, seat) if other not in origin.spared]:
                charge(draft, opponent, purse(seat), amount, origin)
        case "drawer":
            if seat != origin.drawer:
                charge(draft, origin.drawer, purse(seat), amount, origin)
        case "pot":
            amount = min(amount, state.holdings.of(POT, currency(state)))
            if amount > 0:
                moved = draft.move(currency(state), amount, POT, purse(seat))
                draft.record(PotDrawn(rule=cite(state, "pot"), seat=seat, amount=amount, postings=moved))
        case _:
            _pay_out(draft, seat, amount, origin)


def charge(draft: Draft, debtor: str, creditor: str, amount: int, origin: Origin) -> None:
    """Charge a player an amount for a card or a square. The pot takes money only if the edition feeds it."""
    state = draft.state
    rule = origin.rule(state)
    if creditor == POT:
        creditor, rule = (POT, cite(state, "pot_fed")) if has_role(state, "pot_fed") else (BANK, rule)
    square = origin.square
    if square is None:
        debts.charge(draft, debtor, creditor, amount, rule=rule, cause="card")
    else:
        debts.charge(draft, debtor, creditor, amount, rule=rule, cause="square", title=square.id)


def _pay_out(draft: Draft, seat: str, amount: int, origin: Origin) -> None:
    """Pay a player out of the bank; nothing to pay is no event."""
    state = draft.state
    if not amount:
        return
    rule, moved = origin.rule(state), draft.move(currency(state), amount, BANK, purse(seat))
    square = origin.square
    draft.record(
        CardPaidOut(rule=rule, seat=seat, amount=amount, postings=moved)
        if square is None
        else SquarePaidOut(rule=rule, seat=seat, title=square.id, amount=amount, postings=moved)
    )
