"""The chance die: a square demands a throw, and the face decides the effect."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar

from msgspec import Meta

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.cards import choices as card_choices
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cite, on_turn, pieces
from ledger.rulebooks.monopoly.turns import turns

chapter = Chapter("The chance die")

Face = Annotated[int, Meta(ge=1, le=100), of_kind("die")]
Shown = Annotated[tuple[Face, ...], Meta(min_length=1, max_length=10, description="the face thrown")] | None


@chapter.event
class ChanceDieThrown(Event, frozen=True, kw_only=True):
    """A player throws the chance die."""

    en: ClassVar[str] = "{seat:seat} throws {face} ({deck:deck}): {card:card}"
    fr: ClassVar[str] = "{seat:seat} lance {face} ({deck:deck}) : {card:card}"

    seat: str
    deck: str
    face: int
    card: str
    """The effect of the face, by its id among the cards."""

    def apply(self, state: Monopoly) -> None:
        """Close the landing."""
        state.landing = None


@chapter.action(
    summary=("throw the chance die", "lancer le dé « chance »"),
    when=("after stopping on its square", "après un arrêt sur sa case"),
)
class RollChanceDie(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The player on a square of the chance die throws it, and what it shows happens at once."""

    dice: Shown = None
    post: turns.Post = None

    def decide(self, draft: Draft) -> None:
        """Refuse elsewhere."""
        state, seat = draft.state, on_turn(draft)
        landing = state.landing
        if landing is None or landing.seat != seat or landing.todo != "die":
            raise Impossible(
                cite(state, "card"),
                "{seat:seat} has no chance die to throw",
                "{seat:seat} n'a pas de dé « chance » à lancer",
                seat=seat,
            )
        square = pieces(state).squares[landing.square]
        deck = pieces(state).deck[square.deck]
        face = sum(draft.draws.dice("die", self.dice, count=deck.thrown, sides=deck.faces))
        turns.cite_post(draft, seat, self.post)
        described = {card.face: card for card in pieces(state).cards_of(deck.id)}
        card = described.get(face) or described[0]
        rule = cite(state, "card", square)
        draft.record(ChanceDieThrown(rule=rule, seat=seat, deck=deck.id, face=face, card=card.id))
        card_choices.carry_out(draft, seat, card, thrown=face)

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the throw to the player on a chance die square."""
        landing = state.landing
        due = landing is not None and landing.seat == seat and landing.todo == "die"
        return (Choice({}),) if due else ()
