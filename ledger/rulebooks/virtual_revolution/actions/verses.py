"""Create a Verse: optional renewals of the display, then payment for a Verse (vr:verse.1 to vr:verse.7,
vr:verse.12).

The Action may begin without a Verse. Then the display may be renewed, bonuses applied, and a Verse completes
the Action.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.decks import corruption, decking
from ledger.rulebooks.virtual_revolution.map import gaining
from ledger.rulebooks.virtual_revolution.table.state import (
    Draft,
    VirtualRevolution,
    amounts,
    cash,
    is_turn_of,
    on_turn,
)
from ledger.rulebooks.virtual_revolution.table.terms import (
    EUROCREDIT,
    REVENUE,
    Bonuses,
    Create,
    Creating,
    Drawn,
    Turn,
    VerseId,
)
from ledger.rulebooks.virtual_revolution.turn import bonuses, performing, turns
from ledger.rulebooks.virtual_revolution.turn.performing import Performing

chapter = Chapter("Creating Verses")


@chapter.event
class CreationCompleted(Event, frozen=True, kw_only=True):
    """The Verse of a creation that had begun has been taken (vr:verse.5)."""

    en: ClassVar[str] = "{seat:seat} has created a Verse."
    fr: ClassVar[str] = "{seat:seat} a créé un Verse."

    rule: str = "vr:verse.5"
    seat: str

    def apply(self, state: VirtualRevolution) -> None:
        """Close the creation."""
        if state.turn is not None:
            state.turn = replace(state.turn, creating=None)


def price(state: VirtualRevolution, seat: str) -> int:
    """Return the price of a Verse for a seat in this round (vr:verse.2)."""
    return performing.figure(state, seat, "create_verse", "price", amounts(state).verse_price)


def displayed_verses(state: VirtualRevolution) -> list[str]:
    """Return the Verses on display, from the left."""
    return [verse for verse in state.display if verse]


@performing.performs(Create)
def _create(draft: Draft, create: Create, under_way: Performing) -> None:
    """Take the Verse; without a Verse, check only the funds for the price (vr:action.7)."""
    if create.verse is not None:
        _take(draft, under_way.seat, create.verse)
        return
    if not displayed_verses(draft.state):
        raise Impossible("vr:verse.5", "no Verse is on display", "aucun Verse n'est disponible")
    _require_left(draft, under_way.seat, 0, "vr:verse.2")


def _take(draft: Draft, seat: str, verse: str) -> None:
    """Pay, raise the Revenue, draw a Corruption card, take the Verse, in this order (vr:verse.5)."""
    many = amounts(draft.state)
    if verse.removeprefix("card:") not in displayed_verses(draft.state):
        raise Impossible(
            "vr:verse.5",
            "{verse:card} is not on display; on display are: {display:each|card}",
            "{verse:card} n'est pas disponible ; le sont : {display:each|card}",
            verse=verse,
            display=displayed_verses(draft.state),
        )
    cost = performing.tell_figure(draft, seat, "create_verse", "price", many.verse_price)
    gaining.pay(draft, seat, cost, "vr:verse.2")
    gaining.gain(draft, seat, REVENUE, many.verse_revenue, rule="vr:verse.3")
    corruption.draw_corruption(draft, seat, 1, rule="vr:verse.4")
    decking.take_verse(draft, seat, verse, rule="vr:verse.5")


def _require_left(draft: Draft, seat: str, spent: int, rule: str) -> None:
    """Raise Impossible if the price of the Verse is not covered at the beginning, or after a renewal
    (vr:verse.1).
    """
    needed = spent + price(draft.state, seat)
    draft.require_funds(player(seat), EUROCREDIT, needed, rule, beside=("vr:action.7",))


@chapter.action(
    summary=("create a Verse", "créer un Verse"),
    when=("as the Action of one's own turn", "comme Action de son tour"),
)
class CreateVerse(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Pay and take a Verse on display; without a Verse, begin (vr:verse.2 to vr:verse.7)."""

    verse: VerseId | None = None
    bonuses: Bonuses = None
    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Perform the Action, or complete an open creation with the Verse named."""
        turn = on_turn(draft, placed="vr:turn.3")
        if turn.creating is None:
            performing.act(draft, Create(verse=self.verse, bonuses=self.bonuses), self.drawn)
            return
        draft.draws.offer(self.drawn)
        if self.verse is None:
            raise Impossible(
                "vr:verse.5",
                "{seat:seat} has begun to create a Verse: which one is taken?",
                "{seat:seat} a commencé à créer un Verse : lequel prendre ?",
                seat=turn.seat,
            )
        self._complete(draft, turn, turn.creating, self.verse)

    def _complete(self, draft: Draft, turn: Turn, creating: Creating, verse: str) -> None:
        """Take the Verse, with further bonuses, then apply the bonuses declared for after the Action."""
        open_ = bonuses.still_open(draft.state, turn.seat, creating.number)
        waiting = {item.source for item in creating.after}
        available = [item for item in open_ if item not in waiting]
        declared = (
            []
            if self.bonuses is None
            else bonuses.declared(draft, turn.seat, "create_verse", self.bonuses, available)
        )
        for bonus in declared:
            bonuses.apply(draft, creating.number, bonus, "before")
        _take(draft, turn.seat, verse)
        draft.record(CreationCompleted(seat=turn.seat))
        number = creating.number
        waited = [item for item in creating.after if bonuses.is_left(draft.state, turn.seat, number, item)]
        for bonus in (*waited, *(item for item in declared if item.when == "after")):
            bonuses.apply(draft, number, bonus, "after")
        if not turn.performed[creating.number].is_bonus:
            turns.to_phase(draft, 4)

    def redacted(self) -> Mapping[str, Any]:
        """Hide the card drawn."""
        verse = {} if self.verse is None else {"verse": self.verse}
        return {**verse, **bonuses.redact_bonuses(self.bonuses)}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer each Verse on display."""
        if not may_create(state, seat) or surplus(state, seat) < 0:
            return
        cost = price(state, seat)
        for verse in displayed_verses(state):
            yield Choice({"verse": verse}, free=("bonuses",), alike="create", cost=cost)


def may_create(state: VirtualRevolution, seat: str) -> bool:
    """Return True if the turn allows a Verse to be taken: for choices."""
    begun = is_turn_of(state, seat) and state.turn is not None and state.turn.creating is not None
    return begun or performing.may_act(state, seat)


def surplus(state: VirtualRevolution, seat: str) -> int:
    """Return the eurocredits left after the price of a Verse, with the default gains of Boosts."""
    begun = state.turn is not None and state.turn.creating is not None
    money = 0 if begun else bonuses.expected(state, seat, "create_verse")[0]
    return cash(state, seat) + money - price(state, seat)


@chapter.action(
    summary=("renew the Verses on display", "renouveler les Verses disponibles"),
    when=(
        "as the first step of Create a Verse, as often as one likes",
        "comme première étape de Créer un Verse, autant de fois que voulu",
    ),
)
class RenewVerses(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Pay to put the Verses on display under the deck and draw as many; begins the Action (vr:verse.1)."""

    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Renew the display. The remaining money must cover the Verse."""
        turn = on_turn(draft, placed="vr:turn.3")
        if turn.creating is None:
            performing.act(draft, Create(), self.drawn)
        else:
            draft.draws.offer(self.drawn)
        cost = amounts(draft.state).verse_renewal
        _require_left(draft, turn.seat, cost, "vr:verse.1")
        gaining.pay(draft, turn.seat, cost, "vr:verse.1")
        decking.replace_verses(draft, turn.seat, displayed_verses(draft.state), rule="vr:verse.1")

    def redacted(self) -> Mapping[str, Any]:
        """Hide the cards drawn; the cards turned up are public."""
        return {}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer the renewal if the Verse stays affordable."""
        cost = amounts(state).verse_renewal
        if may_create(state, seat) and displayed_verses(state) and surplus(state, seat) >= cost:
            yield Choice({}, cost=cost)
