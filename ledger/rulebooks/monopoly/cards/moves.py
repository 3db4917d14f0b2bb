"""Moves by cards and squares: some squares, to a square, to the nearest of a kind, or by a throw."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec import UNSET

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.table.dice import Thrown
from ledger.rulebooks.monopoly.table.effects import Move, RentDue
from ledger.rulebooks.monopoly.table.goals import steps_of
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cite, on_turn, pieces
from ledger.rulebooks.monopoly.table.terms import Landing
from ledger.rulebooks.monopoly.turns import landings, movement, turns
from ledger.rulebooks.monopoly.turns.rents import USUAL, Special
from ledger.rulebooks.parts import boards

chapter = Chapter("Moves by a throw of a card or a square")


@chapter.event
class MoveThrown(Event, frozen=True, kw_only=True):
    """A throw says how far a card or a square leads; doubles count for nothing."""

    en: ClassVar[str] = "{seat:seat} throws {dice:list} to go on."
    fr: ClassVar[str] = "{seat:seat} lance {dice:list} pour aller plus loin."

    seat: str
    dice: tuple[int, ...]

    def apply(self, state: Monopoly) -> None:
        """Drop the demand for the throw."""
        state.landing = None


def carry_out(draft: Draft, seat: str, move: Move) -> None:
    """Move a token; a move by a throw waits for the throw of the player on turn."""
    state = draft.state
    if move.thrown:
        if state.turn == seat:
            landing = Landing(seat=seat, square=state.positions[seat], todo="go", move=move)
            landings.open_landing(draft, landing)
        return
    steps = steps_of(move, state.positions[seat], pieces(state).squares)
    _go(draft, seat, move, steps, None)


def special_of(rent: RentDue, factor: int) -> Special:
    """Return the change to a rent at the end of a move."""
    match rent:
        case "double":
            return Special(factor=2)
        case "thrown":
            return Special(thrown=0)
        case "thrown_by_factor":
            return Special(thrown=factor)
        case _:
            return USUAL


def _go(draft: Draft, seat: str, move: Move, steps: int, dice: int | None) -> None:
    state = draft.state
    signed = steps if move.direction == "forward" else -steps
    movement.travel(
        draft,
        seat,
        boards.path(len(pieces(state).squares), state.positions[seat], signed),
        salary=move.pays,
        dice=dice,
        special=special_of(move.rent, move.factor),
        stops=move.stops,
    )


@chapter.action(
    summary=("throw the dice to go on", "lancer les dés pour aller plus loin"),
    when=("when a card or a square says so", "quand une carte ou une case le dit"),
)
class RollToGo(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The player led on by a card or a square throws two dice for the number of squares."""

    dice: Thrown = None
    post: turns.Post = None

    def decide(self, draft: Draft) -> None:
        """Refuse without such a throw."""
        state, seat = draft.state, on_turn(draft)
        landing = state.landing
        if landing is None or landing.seat != seat or landing.todo != "go" or landing.move is UNSET:
            raise Impossible(
                cite(state, "card_move"),
                "no card and no square leads {seat:seat} on by a throw",
                "aucune carte ni case ne mène {seat:seat} plus loin d'un jet",
                seat=seat,
            )
        dice = draft.draws.dice("dice", self.dice, count=2, sides=6)
        draft.record(MoveThrown(rule=cite(state, "card_move"), seat=seat, dice=dice))
        turns.cite_post(draft, seat, self.post)
        _go(draft, seat, landing.move, sum(dice), sum(dice))

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the throw to a player led on by a throw."""
        landing = state.landing
        due = landing is not None and landing.seat == seat and landing.todo == "go"
        return (Choice({}),) if due else ()
