"""II.B.9, II.D.2, III.A. The hand: play a kept card at a moment allowed by the card's text."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import SeatId, TitleId
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter, renamed
from ledger.rulebooks.negopoly.arsenal import disruption
from ledger.rulebooks.negopoly.cards import decks
from ledger.rulebooks.negopoly.cards.decks import CardPlayed
from ledger.rulebooks.negopoly.cards.playing import Use, candidates, carry_out
from ledger.rulebooks.negopoly.cards.vocabulary import REACTIONS, Card, CardId, Move, Teleport, Timing
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, nothing_awaited, own_turn, square_of, still_in
from ledger.rulebooks.negopoly.table.terms import ROLL_FR, Drawn, player

chapter = Chapter("II.B. Hands")

_RULES: dict[Timing, str] = {
    "any_time": "II.D.2",
    "own_turn": "II.B.9",
    "before_own_roll": "III.A.2",
    "before_target_roll": "III.A.2",
}
"""The rule to cite for a played card, by timing."""
_ASKS = {
    "target": Phrase(
        "{card:card} asks for a player, one of: {open_to:each|seat}; not {given:seat}",
        "{card:card} demande un joueur parmi : {open_to:each|seat} ; pas {given:seat}",
    ),
    "title": Phrase(
        "{card:card} asks for a title, one of: {open_to:each|title}; not {given:title}",
        "{card:card} demande une propriété parmi : {open_to:each|title} ; pas {given:title}",
    ),
}
"""Refusals of a missing or impossible target, by the name of the parameter."""


@chapter.action(
    summary=("play a card from one's hand", "jouer une carte de sa main"),
    when=(
        "when its text allows; one a turn, those playable at any time apart",
        "quand son texte le permet ; une par tour, hormis celles jouables à tout moment",
    ),
)
class PlayCard(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player plays a kept Chance or Kamtar card and names the player or the title that it asks for (II.B.9)."""

    card: CardId
    target: SeatId | None = None
    title: TitleId | None = None
    draws: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Check the card, the moment and the target; then reveal the card and carry out the effects."""
        draft.draws.offer(self.draws)
        seat = still_in(draft)
        card = _in_hand(draft, seat, self.card)
        if any(isinstance(effect, Move | Teleport) for effect in card.effects):
            nothing_awaited(draft, seat)  # no card may interrupt a movement waiting for an answer
        counts = _timely(draft, seat, card, self.target)
        self._check_named(draft, seat, card)
        draft.record(
            CardPlayed(
                rule=_RULES[card.timing],
                seat=seat,
                card=card.id,
                player=self.target,
                title=self.title,
                counts=counts,
                postings=(decks.to_discard(card, seat),),
            )
        )
        carry_out(draft, Use(card=card, seat=seat, played=True, player=self.target, title=self.title))

    def _check_named(self, draft: Draft, seat: str, card: Card) -> None:
        """Refuse a missing, unneeded or impossible target; a refusal does not use the card (II.B.11)."""
        required = card.choices()
        titled = "own_title" if "own_title" in required else "other_title"
        for name, value, role in (("target", self.target, "player"), ("title", self.title, titled)):
            open_to = candidates(draft.state, seat, card, role) if role in required else ()
            if value is None and role not in required:
                continue
            if value is None or value not in open_to:
                raise Impossible(
                    "II.B.11",
                    _ASKS[name].en,
                    _ASKS[name].fr,
                    card=card.id,
                    open_to=open_to,
                    given=value,
                )
        if self.target is not None:
            disruption.require_reach(draft, draft.state.positions[self.target])
        if self.title is not None and "other_title" in required:
            disruption.require_reach(draft, square_of(draft.state, self.title).index)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each card in hand with each possible player or title."""
        for card in decks.held_in(state, player(seat)):
            alike = "untimely" if _is_untimely(state, seat, card) else None
            required = card.choices()
            players = candidates(state, seat, card, "player") if "player" in required else (None,)
            titled = [name for name in ("own_title", "other_title") if name in required]
            titles = candidates(state, seat, card, titled[0]) if titled else (None,)
            for named_player in players:
                for title in titles:
                    named = {"target": named_player, "title": title}
                    params = {name: value for name, value in named.items() if value is not None}
                    yield Choice({"card": card.id, **params}, alike=alike)


chapter.upcast_action("play_card", renamed(player="target"))


def _in_hand(draft: Draft, seat: str, card_id: str) -> Card:
    """Return the card from the seat's hand. Hands are secret, so the refusal names only a hand visible to the
    viewer (I.C.6).
    """
    hand = decks.held_in(draft.state, player(seat))
    for card in hand:
        if card.id == card_id:
            return card
    is_visible = draft.viewer.role == "banker" or draft.viewer.seat == seat
    raise Impossible(
        "II.B.9",
        "{seat:seat} does not hold {card:card}; in hand: {hand:each|card}",
        "{seat:seat} n'a pas {card:card} en main ; en main : {hand:each|card}",
        seat=seat,
        card=card_id,
        hand=[held_card.id for held_card in hand] if is_visible else (),
    )


def _is_untimely(state: Negopoly, seat: str, card: Card) -> bool:
    """Return True if the moment alone forbids the card, whatever the target: a reaction, or a card for the
    seat's own turn.
    """
    mine = state.turn is not None and state.turn.seat == seat
    return card.timing in REACTIONS or (not mine and card.timing not in {"any_time", "before_target_roll"})


def _timely(draft: Draft, seat: str, card: Card, target: str | None) -> bool:
    """Refuse a card at the wrong moment (III.A.3, II.D.2). Return True if the card counts in the turn (II.B.9)."""
    turn = draft.state.turn
    mine = turn is not None and turn.seat == seat
    if card.timing in REACTIONS:
        raise Impossible(
            "II.D.2",
            "{card} answers what happens to its holder: it is played when that is asked",
            "{carte} répond à ce qui arrive à son porteur : elle se joue quand la question est posée",
            card=card.title.in_language("en"),
            carte=card.title.in_language("fr"),
        )
    if card.timing == "any_time":
        return False
    if card.timing == "before_target_roll":
        if mine:
            own_turn(draft, "III.A.1")
        rolled = turn is not None and turn.seat == target and turn.roll != "due"
        draft.require(
            not rolled,
            "III.A.1",
            "{target:seat} has rolled already: {card} is played before that",
            "{target:seat} a déjà lancé les dés : {carte} se joue avant",
            target=target,
            card=card.title.in_language("en"),
            carte=card.title.in_language("fr"),
        )
    else:
        turn = own_turn(draft, "II.D.2", waivable=False)
        before_roll = card.timing == "before_own_roll"
        draft.require(
            (turn.roll == "due") == before_roll,
            "III.A.3" if before_roll else "II.B.9",
            "{card} is played {when} the roll, and it is {roll}",
            "{carte} se joue {quand} le lancer ({lancer})",
            card=card.title.in_language("en"),
            carte=card.title.in_language("fr"),
            when="before" if before_roll else "after",
            quand="avant" if before_roll else "après",
            roll=turn.roll,
            lancer=ROLL_FR[turn.roll],
        )
        draft.require(
            not before_roll or turn.drug_die is None or turn.drug_cancelled or not _replaces_roll(card),
            "III.B.6",
            "{seat:seat} has consumed a dose this turn: its result cannot be avoided by {card}",
            "{seat:seat} a consommé une dose ce tour-ci : {carte} ne permet pas d'en éviter le résultat",
            seat=seat,
            card=card.title.in_language("en"),
            carte=card.title.in_language("fr"),
        )
    if mine:
        draft.require(
            turn is None or turn.cards_played < 1,
            "II.B.9",
            "{seat:seat} has already played a card this turn",
            "{seat:seat} a déjà joué une carte ce tour-ci",
            seat=seat,
        )
    return mine


def _replaces_roll(card: Card) -> bool:
    return any(getattr(effect, "replaces_roll", False) for effect in card.effects)
