"""Effects of cards on decks and hands, and the players' answers: Corruption to discard, to take, to give."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.decks import corruption, decking
from ledger.rulebooks.virtual_revolution.table import effects
from ledger.rulebooks.virtual_revolution.table.effects import Doing
from ledger.rulebooks.virtual_revolution.table.operations import DiscardCorruption as DiscardCorruptionEffect
from ledger.rulebooks.virtual_revolution.table.operations import (
    DrawCorruption,
    GiveCorruption,
    PeekNecro,
    ReplaceVerses,
    TakeVerse,
)
from ledger.rulebooks.virtual_revolution.table.operations import ExchangeCorruption as ExchangeCorruptionEffect
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution, hand_size, others
from ledger.rulebooks.virtual_revolution.table.terms import CardId, Cards, Demand, hand

chapter = Chapter("Corruption in hand")

DEMANDS = "vr:secrecy.4"
"""The rule by which only the demanded seat answers."""


# ----------------------------------------------------------------------------------------------
# Effects
# ----------------------------------------------------------------------------------------------


@effects.carries_out(DrawCorruption)
def _draw(draft: Draft, effect: DrawCorruption, doing: Doing) -> None:
    """Draw cards."""
    corruption.draw_corruption(draft, doing.seat, effect.amount, rule=doing.rule)


@effects.carries_out(DiscardCorruptionEffect)
def _discard(draft: Draft, effect: DiscardCorruptionEffect, doing: Doing) -> None:
    """Discard at random at once, or ask the player for the choice: the player may just have drawn some of the
    cards.
    """
    if effect.mode == "choice":
        corruption.discard_of_choice(draft, doing.seat, effect.amount, rule=doing.rule)
        return
    for _ in range(effect.amount):
        corruption.discard_at_random(draft, doing.seat, rule=doing.rule)


@effects.carries_out(GiveCorruption, asks=True)
def _give(draft: Draft, effect: GiveCorruption, doing: Doing) -> None:
    """Give cards of the player's choice; nothing with an empty hand."""
    pick = doing.pick()
    amount = min(effect.amount, hand_size(draft.state, doing.seat))
    if not amount or effects.is_left_out(doing, pick):
        return
    to = effects.chosen(doing, others(draft.state, doing.seat), None if pick is None else pick.to, must=True)
    cards = () if pick is None else pick.cards
    if to is None or len(cards) != amount:
        raise Impossible(
            doing.rule,
            "name the player who receives Corruption, and the cards: {amount}",
            "indiquez le joueur qui reçoit de la Corruption, et les cartes : {amount}",
            amount=amount,
        )
    for card in cards:
        corruption.give(draft, doing.seat, to, card, rule=doing.rule)


@effects.carries_out(ExchangeCorruptionEffect, asks=True)
def _exchange(draft: Draft, effect: ExchangeCorruptionEffect, doing: Doing) -> None:
    """Look at the hand of an opponent with cards; nothing without such an opponent."""
    pick = doing.pick()
    opponents = [opponent for opponent in others(draft.state, doing.seat) if hand_size(draft.state, opponent)]
    if effects.is_left_out(doing, pick):
        return
    of = effects.chosen(doing, opponents, None if pick is None else pick.to, must=True)
    if of is not None:
        corruption.exchange(draft, doing.seat, of, rule=doing.rule)


@effects.carries_out(PeekNecro)
def _peek(draft: Draft, effect: PeekNecro, doing: Doing) -> None:
    """Look at the next Necro card."""
    decking.peek_necro(draft, doing.seat, rule=doing.rule)


def displayed_verses(state: VirtualRevolution) -> list[str]:
    """Return the Verses on display, from the left."""
    return [verse for verse in state.display if verse]


@effects.carries_out(TakeVerse, asks=True)
def _take(draft: Draft, effect: TakeVerse, doing: Doing) -> None:
    """Take a Verse on display (vr:agents.17)."""
    pick = doing.pick()
    if effects.is_left_out(doing, pick):
        return
    named = None if pick is None or pick.verse is None else pick.verse.removeprefix("card:")
    verse = effects.chosen(doing, displayed_verses(draft.state), named, must=True)
    if verse is not None:
        decking.take_verse(draft, doing.seat, verse, rule=doing.rule)


def is_optional(effect: ReplaceVerses) -> bool:
    """Return True if the player decides on the replacement, or on the Verses replaced."""
    return effect.optional or effect.mode != "all"


@effects.carries_out(ReplaceVerses, asks=is_optional)
def _replace(draft: Draft, effect: ReplaceVerses, doing: Doing) -> None:
    """Replace all Verses on display, or the Verses named by the player: an exact number, or a range
    (vr:boost.7, 8).
    """
    if not is_optional(effect):
        decking.replace_verses(draft, doing.seat, displayed_verses(draft.state), rule=doing.rule)
        return
    pick = doing.pick()
    if pick is None or pick.skip:
        return
    if effect.mode == "all":
        decking.replace_verses(draft, doing.seat, displayed_verses(draft.state), rule=doing.rule)
        return
    least = effect.amount if effect.mode == "exactly" else effect.minimum
    if not least <= len(pick.verses) <= effect.amount:
        raise Impossible(
            doing.rule,
            "name {least} to {most} Verses on display, not {given}",
            "indiquez de {least} à {most} Verses disponibles, et non {given}",
            least=least,
            most=effect.amount,
            given=len(pick.verses),
        )
    decking.replace_verses(draft, doing.seat, pick.verses, rule=doing.rule)


# ----------------------------------------------------------------------------------------------
# Answers
# ----------------------------------------------------------------------------------------------


def open_demand(state: VirtualRevolution, seat: str, kind: str) -> Demand | None:
    """Return the first demand, if of the kind given and on the seat, or None."""
    first = state.demands[0] if state.demands else None
    return first if first is not None and first.kind == kind and first.seat == seat else None


def require_asked(draft: Draft, kind: str) -> Demand:
    """Return the open demand on the acting seat. Raises Impossible without a demand of this kind."""
    demand = open_demand(draft.state, draft.seat, kind)
    if demand is None:
        raise Impossible(
            DEMANDS,
            "{seat:seat} has no such choice to make now",
            "{seat:seat} n'a pas ce choix à faire maintenant",
            seat=draft.seat,
        )
    return demand


@chapter.action(
    summary=("discard Corruption cards", "défausser des cartes Corruption"),
    when=("when a card asks for it", "quand une carte le demande"),
)
class DiscardCorruption(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player says which of their Corruption cards they discard (vr:title.10, vr:promotion.31)."""

    cards: Cards

    def decide(self, draft: Draft) -> None:
        """Discard exactly the demanded number of cards from the player's hand."""
        demand = require_asked(draft, "discard")
        amount = min(demand.amount, hand_size(draft.state, draft.seat))
        if len(self.cards) != amount:
            raise Impossible(
                demand.rule,
                "{seat:seat} discards {amount} Corruption cards, not {given}",
                "{seat:seat} défausse {amount} cartes Corruption, et non {given}",
                seat=draft.seat,
                amount=amount,
                given=len(self.cards),
            )
        corruption.discard(draft, draft.seat, self.cards, rule=demand.rule, answers=True)

    def redacted(self) -> Mapping[str, Any]:
        """Hide the discards, which lie face down."""
        return {}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer each set of the demanded number of cards."""
        demand = open_demand(state, seat, "discard")
        if demand is not None:
            hand_cards = decks.held_in(state, hand(seat))
            for cards in combinations(hand_cards, min(demand.amount, len(hand_cards))):
                yield Choice({"cards": list(cards)}, alike="discard")


@chapter.action(
    summary=("take a Corruption card and give one back", "prendre une carte Corruption et en rendre une"),
    when=("after looking at an opponent's Corruption cards", "après avoir regardé les cartes d'un adversaire"),
)
class ExchangeCorruption(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player takes a card of the hand looked at, then gives one of their own (vr:promotion.27)."""

    take: CardId
    give: CardId

    def decide(self, draft: Draft) -> None:
        """Exchange the cards. The card just taken goes back only from an otherwise empty hand."""
        demand = require_asked(draft, "exchange")
        seat, rule = draft.seat, demand.rule
        (card_taken,) = corruption.require_in_hand(draft, demand.of, (self.take,), rule, shown_to=seat)
        card_given = self.give.removeprefix("card:")
        if card_given not in givable(draft.state, seat, card_taken):
            raise Impossible(
                rule,
                "{seat:seat} gives back a card of their own hand, not {card:card}",
                "{seat:seat} rend une carte de sa propre main, pas {card:card}",
                seat=seat,
                card=card_given,
            )
        moved = (
            Posting(decks.commodity(card_taken), 1, hand(demand.of), hand(seat)),
            Posting(decks.commodity(card_given), 1, hand(seat), hand(demand.of)),
        )
        draft.record(
            corruption.CorruptionExchanged(
                rule=rule, seat=seat, of=demand.of, taken=card_taken, given=card_given, postings=moved
            )
        )

    def redacted(self) -> Mapping[str, Any]:
        """Hide the cards, known to the two players alone."""
        return {}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer each card of the opponent against each card of the player."""
        demand = open_demand(state, seat, "exchange")
        if demand is not None:
            for card_taken in decks.held_in(state, hand(demand.of)):
                for card_given in givable(state, seat, card_taken):
                    yield Choice({"take": card_taken, "give": card_given}, alike="exchange")


def givable(state: VirtualRevolution, seat: str, card_taken: str) -> list[str]:
    """Return the cards that a player may give back: the player's hand, or the card taken if the hand is empty."""
    return decks.held_in(state, hand(seat)) or [card_taken]
