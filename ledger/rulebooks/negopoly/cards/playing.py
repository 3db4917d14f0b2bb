"""II.B.7, II.B.11. Cards at work: what whoever uses one names for it, and how its effects happen.

What an operation does is registered with `carries_out`, the titles that may be named for it with `names` (see
`effects`, `card_moves`, `card_secrets`, `card_rulings`). A card that has just been drawn and needs something named
asks its drawer; the first candidate is what silence means. Playing a card from the hand is in `hand`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeVar

import msgspec

from ledger.kernel.chapter import Chapter
from ledger.kernel.events import Event
from ledger.kernel.refusals import Impossible
from ledger.rulebooks.negopoly.cards import decks
from ledger.rulebooks.negopoly.cards.vocabulary import Card, Effect, Whom
from ledger.rulebooks.negopoly.goods import tank
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, in_play, others_in_play
from ledger.rulebooks.negopoly.table.terms import Question

chapter = Chapter("II.B. Cards")

CHOICE = "card"
"""The kind of question by which whoever has drawn a card names what it is for."""


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """A card at work: whose it is, whether it was played from the hand, and what they have named for it."""

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
    """Register what an operation does."""

    def register(carry: C) -> C:
        _carried_out[operation] = carry
        return carry

    return register


def names(operation: type[Effect]) -> Callable[[N], N]:
    """Register the titles that whoever uses a card with this operation may name for it."""

    def register(naming: N) -> N:
        _named[operation] = naming
        return naming

    return register


# ----------------------------------------------------------------------------------------------
# What happens
# ----------------------------------------------------------------------------------------------


@chapter.event
class CardWithoutEffect(Event, frozen=True, kw_only=True):
    """A card finds nothing to act on (II.B.11)."""

    en: ClassVar[str] = "{card:card} has no effect for {seat:seat}."
    fr: ClassVar[str] = "{card:card} est sans effet pour {seat:seat}."

    rule: str = "II.B.11"
    seat: str
    card: str


# ----------------------------------------------------------------------------------------------
# Applying
# ----------------------------------------------------------------------------------------------


def apply(draft: Draft, seat: str, card: Card, *, player: str | None = None, title: str | None = None) -> None:
    """Let a card take effect for whoever has drawn it, or was given it; in a Tank they may refuse it (VIII.B.6).

    What has to be named and is not yet is asked of them, unless there is but one candidate; without any, the card
    does what it can.
    """
    if tank.protects(draft.state, seat):
        reactions.ask(draft, seat, tank.TANK, rule="VIII.B.6", by=seat, about={"card": card.id})
    else:
        _apply(draft, seat, card, player=player, title=title)


def _apply(draft: Draft, seat: str, card: Card, *, player: str | None = None, title: str | None = None) -> None:
    """Ask what has to be named for a card, then carry it out."""
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
    """Let the effects of a card happen; one that is played to no effect stays in the hand (II.B.11)."""
    recorded = len(draft.events)
    happen(draft, use)
    if len(draft.events) > recorded:
        return
    if use.played:
        raise Impossible(
            "II.B.11",
            "{card} would have no effect now: {seat} keeps it",
            "{carte} n'aurait aucun effet maintenant : {seat} la conserve",
            card=use.card.title.said("en"),
            carte=use.card.title.said("fr"),
            seat=use.seat,
        )
    draft.record(CardWithoutEffect(seat=use.seat, card=use.card.id))


def happen(draft: Draft, use: Use) -> None:
    """Let each effect of a card happen, in its order, whether or not anything comes of it."""
    for effect in use.card.effects:
        _carried_out[type(effect)](draft, use, effect)


def candidates(state: Negopoly, seat: str, card: Card, name: str) -> Sequence[str]:
    """What this seat may name for the card: players ("player"), or titles ("own_title", "other_title")."""
    if name == "player":
        return others_in_play(state, seat)
    effect = next(one for one in card.effects if name in one.choices())
    return _named[type(effect)](state, seat, effect)


def targets(state: Negopoly, use: Use, whom: Whom) -> Sequence[str]:
    """Whom an operation concerns, in the order of play; nobody when the player named is out by now."""
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
    """Whose action waits for the answer: the player's whose turn it is."""
    return seat if state.turn is None else state.turn.seat


def _open(state: Negopoly, question: Question) -> Sequence[str]:
    """What can still be named; what has become impossible meanwhile is named in vain."""
    card = decks.card_named(state, question.about["card"])
    found = candidates(state, question.seat, card, question.about["names"])
    return found or question.about["candidates"]


@reactions.answers(CHOICE, _open)
def _choose(draft: Draft, question: Question, answer: str) -> None:
    """What was named is known: the card goes on."""
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
    """The Tank keeps the card away, or it takes effect (VIII.B.6)."""
    card = decks.card_named(draft.state, question.about["card"])
    if question.seat in draft.state.eliminated:
        _drop(draft, question.seat, card)
    elif answer == "yes":
        tank.spares(draft, question.seat, "card")
    else:
        _apply(draft, question.seat, card)


def _drop(draft: Draft, seat: str, card: Card) -> None:
    """A card waits no longer for a player who is out of the game: nothing comes of it (I.B.5)."""
    draft.record(CardWithoutEffect(rule="I.B.5", seat=seat, card=card.id))


def draw_chance(draft: Draft, seat: str) -> None:
    """Draw the card of a stop on Chance, which is mandatory: applied at once, or kept (II.B.7)."""
    for card in decks.draw(draft, "chance"):
        take(draft, seat, card)


def take(draft: Draft, seat: str, card: Card, *, rule: str = "II.B.7") -> None:
    """Take a card that has just been drawn: into the hand, or read out and applied at once."""
    if card.keep:
        decks.keep(draft, seat, card, rule=rule)
    else:
        decks.read_out(draft, seat, card, rule=rule)
        apply(draft, seat, card)
