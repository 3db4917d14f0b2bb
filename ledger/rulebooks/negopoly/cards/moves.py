"""II.B.5, III.A, III.C. Cards with an effect on tokens, rolls or the order of players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ledger.kernel.facts.events import Event
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.board import movement, tokens, walking
from ledger.rulebooks.negopoly.cards import playing
from ledger.rulebooks.negopoly.cards.playing import Use, carries_out, names
from ledger.rulebooks.negopoly.cards.vocabulary import Move, ReverseOrder, RollModifier, Teleport
from ledger.rulebooks.negopoly.table import setup
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, change_turn, square_of, titles_of
from ledger.rulebooks.negopoly.turns import turns

chapter = Chapter("III.A. Cards that move")


@chapter.event
class RollChanged(Event, frozen=True, kw_only=True):
    """A card changes a dice total: that of this turn, or the player's next one (II.B.5)."""

    en: ClassVar[str] = "{card:card}: {signed} to {seat:seat}'s {which.en} dice total."
    fr: ClassVar[str] = "{card:card} : {signed} au {which.fr} total des dés {seat:de|seat}."

    rule: str = "II.B.5"
    seat: str
    add: int
    card: str
    this_turn: bool

    @property
    def signed(self) -> str:
        """The change, with a sign."""
        return f"{self.add:+d}"

    @property
    def which(self) -> Phrase:
        """The dice total concerned, in English and French."""
        return Phrase("present", "présent") if self.this_turn else Phrase("next", "prochain")

    def apply(self, state: Negopoly) -> None:
        """Add the change to the changes of earlier cards."""
        if self.this_turn and state.turn is not None:
            change_turn(state, roll_change=state.turn.roll_change + self.add)
        else:
            state.roll_changes[self.seat] = state.roll_changes.get(self.seat, 0) + self.add


@carries_out(RollModifier)
def _modify_roll(draft: Draft, use: Use, effect: RollModifier) -> None:
    """Change the current roll for a card played before the player's own roll, otherwise the player's next roll."""
    turn = draft.state.turn
    for seat in playing.targets(draft.state, use, effect.target):
        this_turn = turn is not None and turn.seat == seat == use.seat and turn.roll == "due"
        draft.record(RollChanged(seat=seat, add=effect.add, card=use.card.id, this_turn=this_turn))


@carries_out(Move)
def _move(draft: Draft, use: Use, effect: Move) -> None:
    """Move square by square; out of turn the token is only placed, without any effect of the square (II.D.4)."""
    if not effect.steps:
        return
    if _leaves_its_square(draft, use):
        walking.advance(draft, use.seat, effect.steps, rule="II.B.6")
    else:
        square = (draft.state.positions[use.seat] + effect.steps) % len(draft.state.board)
        tokens.send(draft, use.seat, square, cause=use.card.commodity, rule="II.D.4")


@carries_out(Teleport)
def _teleport(draft: Draft, use: Use, effect: Teleport) -> None:
    """Teleport to the square; out of turn the token is only placed, without any effect of the square (II.D.4)."""
    square = _destination(draft.state, use, effect)
    if square is None:
        return
    mine = draft.state.turn is not None and draft.state.turn.seat == use.seat
    if mine and use.played:
        movement.teleport(draft, use.seat, square, rule="III.C.1")
    else:
        walking.land(draft, use.seat, square, rule="III.C.2" if mine else "II.D.4")


def _leaves_its_square(draft: Draft, use: Use) -> bool:
    """Return True if the player can move on in the current turn. For a played card, resolve the present stop
    first.
    """
    turn = draft.state.turn
    if turn is None or turn.seat != use.seat:
        return False
    if use.played and turn.unresolved:
        turns.resolve_stop(draft)
    turn = draft.state.turn
    return turn is not None and turn.seat == use.seat


def _destination(state: Negopoly, use: Use, effect: Teleport) -> int | None:
    """Return the destination: the named title, or the next square ahead of the kind. None without a
    destination.
    """
    if effect.to == "own_title":
        return None if use.title is None else square_of(state, use.title).index
    position, size = state.positions[use.seat], len(state.board)
    for step in range(1, size + 1):
        square = (position + step) % size
        if state.board[square].kind == effect.to:
            return square
    return None


@names(Teleport)
def _own_titles(state: Negopoly, seat: str, effect: Teleport) -> Sequence[str]:
    """Return the candidates: the player's own titles."""
    return titles_of(state, seat)


@carries_out(ReverseOrder)
def _reverse_order(draft: Draft, use: Use, effect: ReverseOrder) -> None:
    """Reverse the order from the next round on (II.3)."""
    order = draft.state.next_order or draft.state.order
    draft.record(setup.TurnOrderSet(order=tuple(reversed(order))))
