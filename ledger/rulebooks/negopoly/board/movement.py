"""III. Movement: the roll, the effect of doses on the roll, and teleports."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar

from msgspec import Meta

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter, renamed
from ledger.rulebooks.negopoly.board import rolls, squares, walking
from ledger.rulebooks.negopoly.cards import answers
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.squares import hospital
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    change_turn,
    index_of,
    nothing_awaited,
    own_turn,
    still_in,
    throw,
)
from ledger.rulebooks.negopoly.table.terms import ROLL_FR, USED, Die, Drawn, OneDie, Question, Stretch, player
from ledger.rulebooks.negopoly.turns import turns

chapter = Chapter("III. Movement and mobility")


@chapter.event
class DiceThrown(Event, frozen=True, kw_only=True):
    """The player whose turn it is rolls the movement dice (II.B.4)."""

    en: ClassVar[str] = "{seat:seat} rolls {dice:list}."
    fr: ClassVar[str] = "{seat:seat} lance les dés : {dice:list}."

    rule: str = "II.B.4"
    seat: str
    dice: tuple[int, ...]

    def apply(self, state: Negopoly) -> None:
        """Store the dice as the roll of the turn."""
        change_turn(state, roll="thrown", dice=self.dice)


@chapter.event
class DoseConsumed(Event, frozen=True, kw_only=True):
    """The player takes a dose before the roll; the event holds the drug die (III.B)."""

    en: ClassVar[str] = "{seat:seat} consumes a dose; the drug die shows {die}."
    fr: ClassVar[str] = "{seat:seat} consomme une dose ; le dé Drogue donne {die}."

    rule: str = "III.B.2"
    seat: str
    die: int

    def apply(self, state: Negopoly) -> None:
        """Store the drug die for the turn."""
        change_turn(state, drug_die=self.die)


@chapter.event
class DrugResultCancelled(Event, frozen=True, kw_only=True):
    """A card cancels the result of the drug die; the dose is used up all the same (III.B.6)."""

    en: ClassVar[str] = "The drug die has no effect on {seat:seat}."
    fr: ClassVar[str] = "Le dé Drogue est sans effet sur {seat:seat}."

    rule: str = "III.B.6"
    seat: str

    def apply(self, state: Negopoly) -> None:
        """Mark the drug die as cancelled. The dose still counts as the only dose of the turn."""
        change_turn(state, drug_cancelled=True)


@chapter.event
class Overdosed(Event, frozen=True, kw_only=True):
    """The drug die shows 1: the player neither rolls nor moves this turn (III.B.3)."""

    en: ClassVar[str] = "{seat:seat} overdoses: the turn is cancelled."
    fr: ClassVar[str] = "{seat:seat} fait une overdose : son tour est annulé."

    rule: str = "III.B.3"
    seat: str

    def apply(self, state: Negopoly) -> None:
        """Cancel the roll."""
        change_turn(state, roll="gone")


@chapter.event
class PrescriptionUsed(Event, frozen=True, kw_only=True):
    """A player uses up a forged prescription to teleport to Hôpital (VI.C.4)."""

    en: ClassVar[str] = "{seat:seat} uses a forged prescription."
    fr: ClassVar[str] = "{seat:seat} utilise une ordonnance trafiquée."

    rule: str = "VI.C.4"
    seat: str


@chapter.action(
    summary=("consume a dose before the roll", "consommer une dose avant le lancer"),
    when=("in your own turn, before the roll, once", "pendant son tour, avant le lancer, une fois"),
)
class ConsumeDose(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The player whose turn it is takes one dose before the roll; the drug die changes the turn (III.B)."""

    dice: OneDie | None = None

    def decide(self, draft: Draft) -> None:
        """Refuse after the roll and after another dose (III.B.1 to III.B.3)."""
        turn = own_turn(draft, "III.B.1", waivable=False)
        seat = turn.seat
        draft.require(
            turn.roll == "due",
            "III.B.1",
            "{seat:seat} has already rolled: a dose is consumed before the roll only",
            "{seat:seat} a déjà lancé les dés : une dose ne se consomme qu'avant le lancer",
            beside=("III.A.3",),
            seat=seat,
        )
        draft.require(
            turn.drug_die is None,
            "III.B.1",
            "{seat:seat} has already consumed a dose this turn, and its result holds",
            "{seat:seat} a déjà consommé une dose ce tour-ci, et son résultat s'impose",
            seat=seat,
        )
        draft.require_funds(player(seat), "dose", 1, "III.B.1")
        (die,) = throw(draft, "drug die", self.dice)
        consumed = Posting("dose", 1, player(seat), USED)
        draft.record(DoseConsumed(seat=seat, die=die, postings=(consumed,)))
        if not answers.ask(draft, seat, "on_drug_die", rule="III.B.6", about={"die": die}):
            _take_effect(draft, seat, die)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer one dose. A dry run refuses a player without a dose."""
        return (Choice({}),)


chapter.upcast_action("consume_dose", renamed(die="dice", into_lists={"dice"}))


@chapter.action(
    summary=("roll the movement dice and move", "lancer les dés et se déplacer"),
    when=("in your own turn, once", "pendant son tour, une fois"),
)
class RollDice(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The player whose turn it is rolls the movement dice and moves square by square (II.B.4, III.1)."""

    dice: Annotated[tuple[Die, ...], Meta(min_length=1, max_length=10)] | None = None
    draws: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Throw the dice, then walk the stretches of dice, cards, weather, drugs and vehicle (II.B.5, III.1)."""
        draft.draws.offer(self.draws)
        turn = own_turn(draft, "II.D.4", waivable=False)
        seat = turn.seat
        draft.require(
            turn.roll == "due",
            "II.B.4",
            "{seat:seat} has no roll left this turn (it is {roll})",
            "{seat:seat} n'a plus de lancer ce tour-ci ({lancer})",
            seat=seat,
            roll=turn.roll,
            lancer=ROLL_FR[turn.roll],
        )
        dice = throw(draft, "movement dice", self.dice, draft.state.settings.movement_dice)
        draft.record(DiceThrown(seat=seat, dice=dice))
        walking.travel(draft, seat, course(draft.state, dice, rolls.total(draft, seat, dice)))


@chapter.action(
    summary=(
        "teleport to Hôpital with a forged prescription",
        "se téléporter à l'Hôpital avec une ordonnance trafiquée",
    ),
    when=("at any moment, in or out of turn", "à tout moment, pendant son tour ou non"),
)
class UsePrescription(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player uses up a prescription at any time and teleports to Hôpital (VI.C.4)."""

    draws: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Teleport: in the player's turn a stop instead of the roll (III.C.1), otherwise only a move (II.D.4)."""
        draft.draws.offer(self.draws)
        seat = still_in(draft)
        draft.require_funds(player(seat), hospital.PRESCRIPTION, 1, "VI.C.4")
        nothing_awaited(draft, seat)
        spent = Posting(hospital.PRESCRIPTION, 1, player(seat), USED)
        draft.record(PrescriptionUsed(seat=seat, postings=(spent,)))
        turn = draft.state.turn
        rule = "III.C.1" if turn is not None and turn.seat == seat else "II.D.4"
        teleport(draft, seat, index_of(draft.state, "hopital"), rule=rule)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the action to a player with a prescription."""
        return (Choice({}),) if state.holdings.of(player(seat), hospital.PRESCRIPTION) else ()


def _take_effect(draft: Draft, seat: str, die: int) -> None:
    """Apply the drug die's immediate effect: an overdose cancels the turn (III.B.3)."""
    if die == 1:
        draft.record(Overdosed(seat=seat))
        hospital.admit(draft, seat, cause="overdose", rule="VI.C.1")
        turns.finish(draft, "cancelled", rule="III.B.3")


@reactions.answers("on_drug_die", answers.options)
def _after_the_die(draft: Draft, question: Question, answer: str) -> None:
    """Cancel the result if the player answered with a card, otherwise apply it (III.B.6)."""
    seat = question.seat
    if answers.play(draft, question, answer) is not None:
        draft.record(DrugResultCancelled(seat=seat))
    elif seat not in draft.state.eliminated:
        _take_effect(draft, seat, question.about["die"])


def course(state: Negopoly, dice: tuple[int, ...], total: int) -> tuple[Stretch, ...]:
    """Return the stretches of the move for the dice, in the order of walking (II.B.5).

    Cards and weather change `total` (module `rolls`). The drug die counts the original dice (III.B.4, III.B.5).
    The squares of a vehicle come last (VIII.C.3).
    """
    turn = state.turn
    drug = None if turn is None or turn.drug_cancelled else turn.drug_die
    if drug is None:
        stretches = [Stretch(total, "III.1")]
    elif drug >= 5:
        stretches = [Stretch(total + drug, "III.B.5")]
    else:
        stretches = [Stretch(total, "III.B.4"), Stretch(-sum(dice), "III.B.4")]
    return (*stretches, *(() if turn is None else turn.extension))


def teleport(draft: Draft, seat: str, square: int, *, rule: str) -> None:
    """Move a player's own token without crossing squares; an arrival on Spawn is a passage (III.C, VI.A.3).

    In the player's own turn, an unresolved stop is resolved first: a teleport does not avoid rent or a check that
    is due (II.B.6, II.B.7). Refuses by II.B.7 while that stop waits for an answer.
    """
    if _is_unresolved(draft.state, seat):
        turns.resolve_stop(draft)
        position = draft.state.positions[seat]
        draft.require(
            not squares.is_pending(draft.state, seat),
            "II.B.7",
            "the effect of {square} comes first, and is not over at once: resolve the square",
            "l'effet de {square} passe d'abord, et ne s'achève pas aussitôt : résolvez la case",
            square=draft.state.board[position].name,
        )
    walking.land(draft, seat, square, rule=rule)


def _is_unresolved(state: Negopoly, seat: str) -> bool:
    return state.turn is not None and state.turn.seat == seat and state.turn.unresolved
