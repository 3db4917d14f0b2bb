"""What cards do with decks and hands, and what players answer: which Corruption to discard, to take, to give."""

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
"""The rule by which only who was asked answers."""


# ----------------------------------------------------------------------------------------------
# Effects
# ----------------------------------------------------------------------------------------------


@effects.carries_out(DrawCorruption)
def _draw(draft: Draft, effect: DrawCorruption, doing: Doing) -> None:
    """Draw cards."""
    corruption.draw_corruption(draft, doing.seat, effect.amount, rule=doing.rule)


@effects.carries_out(DiscardCorruptionEffect)
def _discard(draft: Draft, effect: DiscardCorruptionEffect, doing: Doing) -> None:
    """Discard at random at once; of choice when the player says which, who may just have drawn some of them."""
    if effect.mode == "choice":
        corruption.discard_of_choice(draft, doing.seat, effect.amount, rule=doing.rule)
        return
    for _ in range(effect.amount):
        corruption.discard_at_random(draft, doing.seat, rule=doing.rule)


@effects.carries_out(GiveCorruption, asks=True)
def _give(draft: Draft, effect: GiveCorruption, doing: Doing) -> None:
    """Give cards of one's choice; with an empty hand there is nothing to give."""
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
    """Look at the hand of an opponent who has cards; without one nothing happens."""
    pick = doing.pick()
    found = [one for one in others(draft.state, doing.seat) if hand_size(draft.state, one)]
    if effects.is_left_out(doing, pick):
        return
    of = effects.chosen(doing, found, None if pick is None else pick.to, must=True)
    if of is not None:
        corruption.exchange(draft, doing.seat, of, rule=doing.rule)


@effects.carries_out(PeekNecro)
def _peek(draft: Draft, effect: PeekNecro, doing: Doing) -> None:
    """Look at the Necro card that comes next."""
    decking.peek_necro(draft, doing.seat, rule=doing.rule)


def shown(state: VirtualRevolution) -> list[str]:
    """The Verses on display, from the left."""
    return [one for one in state.display if one]


@effects.carries_out(TakeVerse, asks=True)
def _take(draft: Draft, effect: TakeVerse, doing: Doing) -> None:
    """Take a Verse on display (vr:agents.17)."""
    pick = doing.pick()
    if effects.is_left_out(doing, pick):
        return
    named = None if pick is None or pick.verse is None else pick.verse.removeprefix("card:")
    verse = effects.chosen(doing, shown(draft.state), named, must=True)
    if verse is not None:
        decking.take_verse(draft, doing.seat, verse, rule=doing.rule)


def is_optional(effect: ReplaceVerses) -> bool:
    """Whether the player says if Verses are replaced, or which."""
    return effect.optional or effect.mode != "all"


@effects.carries_out(ReplaceVerses, asks=is_optional)
def _replace(draft: Draft, effect: ReplaceVerses, doing: Doing) -> None:
    """Replace all Verses on display; or those that the player names: so many, or up to so many (vr:boost.7, 8)."""
    if not is_optional(effect):
        decking.replace_verses(draft, doing.seat, shown(draft.state), rule=doing.rule)
        return
    pick = doing.pick()
    if pick is None or pick.skip:
        return
    if effect.mode == "all":
        decking.replace_verses(draft, doing.seat, shown(draft.state), rule=doing.rule)
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


def asked(state: VirtualRevolution, seat: str, kind: str) -> Demand | None:
    """What a seat has to answer now; None when it is not asked for this."""
    first = state.demands[0] if state.demands else None
    return first if first is not None and first.kind == kind and first.seat == seat else None


def require_asked(draft: Draft, kind: str) -> Demand:
    """What the acting seat has to answer now. Raises Impossible when it is not asked for this."""
    found = asked(draft.state, draft.seat, kind)
    if found is None:
        raise Impossible(
            DEMANDS,
            "{seat:seat} has no such choice to make now",
            "{seat:seat} n'a pas ce choix à faire maintenant",
            seat=draft.seat,
        )
    return found


@chapter.action(
    summary=("discard Corruption cards", "défausser des cartes Corruption"),
    when=("when a card asks for it", "quand une carte le demande"),
)
class DiscardCorruption(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player says which of their Corruption cards they discard (vr:title.10, vr:promotion.31)."""

    cards: Cards

    def decide(self, draft: Draft) -> None:
        """Exactly as many as are asked for, of the own hand."""
        wanted = require_asked(draft, "discard")
        amount = min(wanted.amount, hand_size(draft.state, draft.seat))
        if len(self.cards) != amount:
            raise Impossible(
                wanted.rule,
                "{seat:seat} discards {amount} Corruption cards, not {given}",
                "{seat:seat} défausse {amount} cartes Corruption, et non {given}",
                seat=draft.seat,
                amount=amount,
                given=len(self.cards),
            )
        corruption.discard(draft, draft.seat, self.cards, rule=wanted.rule, answers=True)

    def redacted(self) -> Mapping[str, Any]:
        """Discarded cards lie face down."""
        return {}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Each set of so many cards of the hand."""
        wanted = asked(state, seat, "discard")
        if wanted is not None:
            held = decks.held_in(state, hand(seat))
            for cards in combinations(held, min(wanted.amount, len(held))):
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
        """The card just taken is given back only if there is no other."""
        wanted = require_asked(draft, "exchange")
        seat, rule = draft.seat, wanted.rule
        (taken,) = corruption.require_in_hand(draft, wanted.of, (self.take,), rule, shown_to=seat)
        given = self.give.removeprefix("card:")
        if given not in givable(draft.state, seat, taken):
            raise Impossible(
                rule,
                "{seat:seat} gives back a card of their own hand, not {card:card}",
                "{seat:seat} rend une carte de sa propre main, pas {card:card}",
                seat=seat,
                card=given,
            )
        moved = (
            Posting(decks.commodity(taken), 1, hand(wanted.of), hand(seat)),
            Posting(decks.commodity(given), 1, hand(seat), hand(wanted.of)),
        )
        draft.record(
            corruption.CorruptionExchanged(
                rule=rule, seat=seat, of=wanted.of, taken=taken, given=given, postings=moved
            )
        )

    def redacted(self) -> Mapping[str, Any]:
        """The cards are known to the two players alone."""
        return {}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Each card of the opponent for each of one's own."""
        wanted = asked(state, seat, "exchange")
        if wanted is not None:
            for taken in decks.held_in(state, hand(wanted.of)):
                for given in givable(state, seat, taken):
                    yield Choice({"take": taken, "give": given}, alike="exchange")


def givable(state: VirtualRevolution, seat: str, taken: str) -> list[str]:
    """The cards that a player may give back for the one taken: their own; without any, that one."""
    return decks.held_in(state, hand(seat)) or [taken]
