"""II.B.7, II.B.11. How a card takes effect: naming its player or title, then its operations.

`carries_out` registers an operation, `names` the titles that may be named for it (see `effects`, `moves`,
`secrets`, `card_rulings`). A drawn card that needs a name asks its drawer; without an answer the first candidate
counts. Playing a card from the hand is in `hand`.
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
"""The kind of question that asks the drawer of a card for its player or title."""


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """A card in use: its holder, whether it was played from the hand, and the player or title named."""

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
    """Register the function that carries out an operation."""

    def register(carry: C) -> C:
        _carried_out[operation] = carry
        return carry

    return register


def names(operation: type[Effect]) -> Callable[[N], N]:
    """Register the function that finds the titles that may be named for an operation."""

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
    """Apply a card to the player who has drawn or received it; a player in a Tank may refuse it (VIII.B.6).

    The player is asked for a missing name if there are several candidates. Without candidates the card does what
    it can.
    """
    if tank.protects(draft.state, seat):
        reactions.ask(draft, seat, tank.TANK, rule="VIII.B.6", by=seat, about={"card": card.id})
    else:
        _apply(draft, seat, card, player=player, title=title)


def _apply(draft: Draft, seat: str, card: Card, *, player: str | None = None, title: str | None = None) -> None:
    """Ask for the names that the card needs, then carry it out."""
    wanted = card.choices()
    for name, given in (("player", player), ("own_title", title), ("other_title", title)):
        if name not in wanted or given is not None:
            continue
        found = candidates(draft.state, seat, card, name)
        if len(found) > 1:
            about = {"card": card.id, "names": name, "candidates": list(found), "player": player}
            reactions.ask(draft, seat, CHOICE, rule="II.B.7", by=waiting(draft.state, seat), about=about)
            return
        if found and name == "player":
            player = found[0]
        elif found:
            title = found[0]
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
            card=use.card.title.said("en"),
            carte=use.card.title.said("fr"),
            seat=use.seat,
        )
    draft.record(CardWithoutEffect(seat=use.seat, card=use.card.id))


def happen(draft: Draft, use: Use) -> None:
    """Carry out each effect of a card in its order, with or without a result."""
    for effect in use.card.effects:
        _carried_out[type(effect)](draft, use, effect)


def candidates(state: Negopoly, seat: str, card: Card, name: str) -> Sequence[str]:
    """The names that this seat may give for a card: players ("player") or titles ("own_title", "other_title")."""
    if name == "player":
        return others_in_play(state, seat)
    effect = next(one for one in card.effects if name in one.choices())
    return _named[type(effect)](state, seat, effect)


def targets(state: Negopoly, use: Use, whom: Whom) -> Sequence[str]:
    """The players that an operation concerns, in the order of play; eliminated players are left out."""
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
    """The seat whose action waits for the answer: the player whose turn it is."""
    return seat if state.turn is None else state.turn.seat


def _open(state: Negopoly, question: Question) -> Sequence[str]:
    """The candidates that are still possible; the original ones when none is left."""
    card = decks.card_named(state, question.about["card"])
    found = candidates(state, question.seat, card, question.about["names"])
    return found or question.about["candidates"]


@reactions.answers(CHOICE, _open)
def _choose(draft: Draft, question: Question, answer: str) -> None:
    """Continue the card with the name that was answered."""
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
    """Keep the card away by the Tank, or apply it (VIII.B.6)."""
    card = decks.card_named(draft.state, question.about["card"])
    if question.seat in draft.state.eliminated:
        _drop(draft, question.seat, card)
    elif answer == "yes":
        tank.spares(draft, question.seat, "card")
    else:
        _apply(draft, question.seat, card)


def _drop(draft: Draft, seat: str, card: Card) -> None:
    """Record that a card has no effect, because its player is out of the game (I.B.5)."""
    draft.record(CardWithoutEffect(rule="I.B.5", seat=seat, card=card.id))


def draw_chance(draft: Draft, seat: str) -> None:
    """Draw the card of a stop on Chance; it is mandatory, and applied at once or kept (II.B.7)."""
    for card in decks.draw(draft, "chance"):
        take(draft, seat, card)


def take(draft: Draft, seat: str, card: Card, *, rule: str = "II.B.7") -> None:
    """Take a drawn card: into the hand, or read out and applied at once."""
    if card.keep:
        decks.keep(draft, seat, card, rule=rule)
    else:
        decks.read_out(draft, seat, card, rule=rule)
        apply(draft, seat, card)
