"""II.B.7, II.B.11. The effect of a card: the choice of a player or title, then the operations.

`carries_out` registers an operation, `names` the candidate titles of an operation (see `effects`, `moves`,
`secrets`, `card_rulings`). A drawn card without a required name asks the drawer; without an answer the first
candidate counts. Playing a card from the hand is in `hand`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeVar

import msgspec

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.cards import decks
from ledger.rulebooks.negopoly.cards.vocabulary import Card, Effect, Whom
from ledger.rulebooks.negopoly.goods import tank
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, in_play, others_in_play
from ledger.rulebooks.negopoly.table.terms import Question

chapter = Chapter("II.B. Cards")

CHOICE = "card"
"""Kind of the question to the drawer of a card for a player or title."""


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """A card in use: the holder, if the card was played from the hand, and the named player or title."""

    card: Card
    seat: str
    played: bool = False
    player: str | None = None
    title: str | None = None


Carrying = Callable[[Draft, Use, Any], None]
Naming = Callable[[Negopoly, str, Any], Sequence[str]]

_carried_out: dict[type[Effect], Carrying] = {}
_named: dict[type[Effect], Naming] = {}

C = TypeVar("C", bound=Carrying)
N = TypeVar("N", bound=Naming)


def carries_out(operation: type[Effect]) -> Callable[[C], C]:
    """Register the decorated function to carry out an operation."""

    def register(carry: C) -> C:
        _carried_out[operation] = carry
        return carry

    return register


def names(operation: type[Effect]) -> Callable[[N], N]:
    """Register the decorated function to find the candidate titles of an operation."""

    def register(naming: N) -> N:
        _named[operation] = naming
        return naming

    return register


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class CardWithoutEffect(Event, frozen=True, kw_only=True):
    """A card has no effect because it has no target (II.B.11)."""

    en: ClassVar[str] = "{card:card} has no effect for {seat:seat}."
    fr: ClassVar[str] = "{card:card} est sans effet pour {seat:seat}."

    rule: str = "II.B.11"
    seat: str
    card: str


# ----------------------------------------------------------------------------------------------
# Taking effect
# ----------------------------------------------------------------------------------------------


def apply(draft: Draft, seat: str, card: Card, *, player: str | None = None, title: str | None = None) -> None:
    """Apply a card to the drawer or receiver. A player in a Tank may refuse the card (VIII.B.6).

    The player is asked for a missing name if there are several candidates. Without candidates the card applies
    its remaining effects.
    """
    if tank.protects(draft.state, seat):
        reactions.ask(draft, seat, tank.TANK, rule="VIII.B.6", by=seat, about={"card": card.id})
    else:
        _apply(draft, seat, card, player=player, title=title)


def _apply(draft: Draft, seat: str, card: Card, *, player: str | None = None, title: str | None = None) -> None:
    """Ask for the required names, then carry out the card."""
    required = card.choices()
    for name, value in (("player", player), ("own_title", title), ("other_title", title)):
        if name not in required or value is not None:
            continue
        options = candidates(draft.state, seat, card, name)
        if len(options) > 1:
            about = {"card": card.id, "names": name, "candidates": list(options), "player": player}
            reactions.ask(draft, seat, CHOICE, rule="II.B.7", by=waiting(draft.state, seat), about=about)
            return
        if options and name == "player":
            player = options[0]
        elif options:
            title = options[0]
    carry_out(draft, Use(card=card, seat=seat, player=player, title=title))


def carry_out(draft: Draft, use: Use) -> None:
    """Carry out a card's effects. A played card without effect is refused and stays in the hand (II.B.11)."""
    recorded = len(draft.events)
    happen(draft, use)
    if len(draft.events) > recorded:
        return
    if use.played:
        raise Impossible(
            "II.B.11",
            "{card} would have no effect now: {seat:seat} keeps it",
            "{carte} n'aurait aucun effet maintenant : {seat:seat} la conserve",
            card=use.card.title.in_language("en"),
            carte=use.card.title.in_language("fr"),
            seat=use.seat,
        )
    draft.record(CardWithoutEffect(seat=use.seat, card=use.card.id))


def happen(draft: Draft, use: Use) -> None:
    """Carry out each effect of a card in order, with or without a result."""
    for effect in use.card.effects:
        _carried_out[type(effect)](draft, use, effect)


def candidates(state: Negopoly, seat: str, card: Card, name: str) -> Sequence[str]:
    """Return the possible names for a card of the seat: players ("player") or titles ("own_title",
    "other_title").
    """
    if name == "player":
        return others_in_play(state, seat)
    effect = next(operation for operation in card.effects if name in operation.choices())
    return _named[type(effect)](state, seat, effect)


def targets(state: Negopoly, use: Use, whom: Whom) -> Sequence[str]:
    """Return the players concerned by an operation, in the order of play, without eliminated players."""
    match whom:
        case "drawer":
            concerned = [use.seat]
        case "chosen":
            concerned = [] if use.player is None else [use.player]
        case "each_other":
            concerned = others_in_play(state, use.seat)
        case "all":
            concerned = in_play(state)
    return [seat for seat in concerned if seat not in state.eliminated]


def waiting(state: Negopoly, seat: str) -> str:
    """Return the seat with the waiting action: the seat of the current turn, or before any turn the given seat."""
    return seat if state.turn is None else state.turn.seat


def _open(state: Negopoly, question: Question) -> Sequence[str]:
    """Return the candidates still possible, or the original candidates if none is left."""
    card = decks.card_named(state, question.about["card"])
    options = candidates(state, question.seat, card, question.about["names"])
    return options or question.about["candidates"]


@reactions.answers(CHOICE, _open)
def _choose(draft: Draft, question: Question, answer: str) -> None:
    """Continue the card with the name of the answer."""
    about = question.about
    card = decks.card_named(draft.state, about["card"])
    if question.seat in draft.state.eliminated:
        _drop(draft, question.seat, card)
    elif about["names"] == "player":
        _apply(draft, question.seat, card, player=answer)
    else:
        carry_out(draft, Use(card=card, seat=question.seat, player=about["player"], title=answer))


@reactions.answers(tank.TANK, lambda _state, _question: ("no", "yes"))
def _refuse(draft: Draft, question: Question, answer: str) -> None:
    """Apply the card, unless a Tank stops it (VIII.B.6)."""
    card = decks.card_named(draft.state, question.about["card"])
    if question.seat in draft.state.eliminated:
        _drop(draft, question.seat, card)
    elif answer == "yes":
        tank.spares(draft, question.seat, "card")
    else:
        _apply(draft, question.seat, card)


def _drop(draft: Draft, seat: str, card: Card) -> None:
    """Record a card without effect for an eliminated player (I.B.5)."""
    draft.record(CardWithoutEffect(rule="I.B.5", seat=seat, card=card.id))


def draw_chance(draft: Draft, seat: str) -> None:
    """Draw the mandatory card of a stop on Chance, to apply at once or to keep (II.B.7)."""
    for card in decks.draw(draft, "chance"):
        take(draft, seat, card)


def take(draft: Draft, seat: str, card: Card, *, rule: str = "II.B.7") -> None:
    """Take a drawn card: into the hand, or read out and applied at once."""
    if card.keep:
        decks.keep(draft, seat, card, rule=rule)
    else:
        decks.read_out(draft, seat, card, rule=rule)
        apply(draft, seat, card)
