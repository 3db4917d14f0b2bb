"""The turn order of the next round, and the income (vr:order.*, vr:income.1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar

from msgspec import Meta

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution, reserve, revenue
from ledger.rulebooks.virtual_revolution.table.terms import EUROCREDIT

chapter = Chapter("Turn order and income")


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class OrderOpened(Event, frozen=True, kw_only=True):
    """The players choose their places in the turn order, one after the other (vr:order.1)."""

    en: ClassVar[str] = "The turn order is chosen by: {choosers:each|seat}."
    fr: ClassVar[str] = "L'ordre du tour se choisit ainsi : {choosers:each|seat}."

    rule: str = "vr:order.1"
    choosers: tuple[str, ...]

    def apply(self, state: VirtualRevolution) -> None:
        """Close the attack, and queue the choosers."""
        state.stage, state.attack = "order", None
        state.choosers, state.places = self.choosers, {}


@chapter.event
class PlaceChosen(Event, frozen=True, kw_only=True):
    """A player chooses a place that is still free (vr:order.1)."""

    en: ClassVar[str] = "{seat:seat} chooses place {place} in the turn order."
    fr: ClassVar[str] = "{seat:seat} choisit la place {place} dans l'ordre du tour."

    rule: str = "vr:order.1"
    seat: str
    place: int

    def apply(self, state: VirtualRevolution) -> None:
        """Note the position, and pass the choice on."""
        state.places[self.seat] = self.place
        state.choosers = tuple(seat for seat in state.choosers if seat != self.seat)


@chapter.event
class OrderFixed(Event, frozen=True, kw_only=True):
    """The markers move to the places chosen, for the whole next round (vr:order.4)."""

    en: ClassVar[str] = "The turn order is now: {order:each|seat}."
    fr: ClassVar[str] = "L'ordre du tour est maintenant : {order:each|seat}."

    rule: str = "vr:order.4"
    order: tuple[str, ...]

    def apply(self, state: VirtualRevolution) -> None:
        """Set the turn order, and clear the choices."""
        state.order, state.places = self.order, {}


@chapter.event
class IncomePaid(Event, frozen=True, kw_only=True):
    """A player receives as many eurocredits as the Revenue (vr:income.1)."""

    en: ClassVar[str] = "{seat:seat} receives an income of {amount:money}."
    fr: ClassVar[str] = "{seat:seat} reçoit ses Revenus : {amount:money}."

    rule: str = "vr:income.1"
    seat: str
    amount: int


# ----------------------------------------------------------------------------------------------
# Course of the turn order
# ----------------------------------------------------------------------------------------------


def begin(draft: Draft) -> None:
    """Record the order of choice: most influence on the board, lower Revenue, fewer eurocredits (vr:order.1 to
    3).
    """
    state = draft.state
    thing = state.settings.order_tie

    def rank(seat: str) -> tuple[int, int, int]:
        return -reserve(state, seat), revenue(state, seat), state.holdings.of(player(seat), thing)

    # Equal seats keep the present order, because sorting is stable.
    draft.record(OrderOpened(choosers=tuple(sorted(state.order, key=rank))))


def go_on(draft: Draft) -> bool:
    """Give the last player the last position, fix the order and pay the income. Return False if a player has to
    choose.
    """
    state = draft.state
    if len(state.choosers) == 1:
        draft.record(PlaceChosen(seat=state.choosers[0], place=free(state)[0]))
        return True
    if state.choosers:
        return False
    places = state.places
    if places:
        draft.record(OrderFixed(order=tuple(sorted(places, key=lambda seat: places[seat]))))
    for seat in state.order:
        amount = revenue(state, seat)
        if amount > 0:
            paid = (Posting(EUROCREDIT, amount, BANK, player(seat)),)
            draft.record(IncomePaid(seat=seat, amount=amount, postings=paid))
    return True


def free(state: VirtualRevolution) -> list[int]:
    """Return the free positions, from 1."""
    used = set(state.places.values())
    return [position for position in range(1, len(state.order) + 1) if position not in used]


# ----------------------------------------------------------------------------------------------
# Actions
# ----------------------------------------------------------------------------------------------


@chapter.action(
    summary=("choose a place in the turn order", "choisir sa place dans l'ordre du tour"),
    when=("after the Necro attack, when it is one's turn to choose", "après l'attaque, quand vient son choix"),
)
class ChooseTurnOrder(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Choose any place of the turn order that is still free (vr:order.1)."""

    place: Annotated[int, Meta(ge=1, le=20), of_kind("quantity")]

    def decide(self, draft: Draft) -> None:
        """Record the position. The players choose one after another."""
        state, seat = draft.state, draft.seat
        if state.stage != "order" or not state.choosers:
            raise Impossible("vr:order.1", "no turn order is being chosen", "aucun ordre du tour n'est à choisir")
        if state.choosers[0] != seat:
            raise Impossible(
                "vr:order.1",
                "{first:seat} chooses before {seat:seat}",
                "{first:seat} choisit avant {seat:seat}",
                first=state.choosers[0],
                seat=seat,
            )
        places = free(state)
        if self.place not in places:
            raise Impossible(
                "vr:order.1",
                "place {place} is not free; free are: {places:list}",
                "la place {place} n'est pas libre ; le sont : {places:list}",
                place=self.place,
                places=[str(position) for position in places],
            )
        draft.record(PlaceChosen(seat=seat, place=self.place))

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer each free position to the next player."""
        if state.stage == "order" and state.choosers[:1] == (seat,):
            for position in free(state):
                yield Choice({"place": position}, alike="place")
