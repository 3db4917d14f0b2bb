"""Corruption cards: drawn unseen, held in a hidden hand, discarded face down, given and exchanged.

Others see how many cards each hand has, and how many of them move (vr:secrecy.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import Audience, Viewer, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible, NeedsDraw
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.decks import piles
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution, hand_size, pieces
from ledger.rulebooks.virtual_revolution.table.terms import CORRUPTION, Demand, hand
from ledger.rulebooks.virtual_revolution.table.veils import VEIL, veiled

chapter = Chapter("Corruption cards")

SECRECY = "vr:secrecy.6"
"""Each player enters the cards that they have drawn from a physical deck."""


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


class _Moved(Event, frozen=True, kw_only=True):
    """Corruption cards of a seat move. Their faces are known to the seat alone."""

    seat: str
    cards: tuple[str | None, ...]
    """Their ids; None for each one to those who may not see them."""

    def audience(self) -> Audience:
        """The seat."""
        return only(self.seat)

    def redacted(self, viewer: Viewer) -> Event:
        """How many cards move is public."""
        return replace(self, cards=(None,) * len(self.cards), postings=veiled(self.postings))


@chapter.event
class CorruptionDrawn(_Moved, frozen=True, kw_only=True):
    """A player draws Corruption cards into the hand (vr:corruption.1)."""

    en: ClassVar[str] = "{seat:seat} draws Corruption: {cards:cards}."
    fr: ClassVar[str] = "{seat:seat} pioche de la Corruption : {cards:cards}."

    def apply(self, state: VirtualRevolution) -> None:
        """They no longer lie on the deck."""
        piles.leave(state, CORRUPTION, self.cards)

    def reveals(self) -> Audience:
        """Who draws sees the cards."""
        return only(self.seat)


@chapter.event
class CorruptionMissed(Event, frozen=True, kw_only=True):
    """Nobody has drawn Corruption cards that were due; the game goes on without them."""

    en: ClassVar[str] = "Nobody has drawn the Corruption cards due to {seat:seat}: {count}."
    fr: ClassVar[str] = "Personne n'a pioché les cartes Corruption qui revenaient à {seat:seat} : {count}."

    seat: str
    count: int


@chapter.event
class CorruptionReshuffled(Event, frozen=True, kw_only=True):
    """The discards are shuffled into a new deck (vr:corruption.3)."""

    en: ClassVar[str] = "The Corruption discards ({count}) are shuffled into a new deck."
    fr: ClassVar[str] = "La défausse de Corruption ({count}) est mélangée en une nouvelle pioche."

    rule: str = "vr:corruption.3"
    count: int

    def apply(self, state: VirtualRevolution) -> None:
        """Nobody knows any more what lies on top."""
        state.on_top.pop(CORRUPTION, None)

    def audience(self) -> Audience:
        """Nobody at the table: discards lie face down."""
        return only()

    def redacted(self, viewer: Viewer) -> Event:
        """The number of cards is public."""
        return replace(
            self, postings=(Posting(VEIL, self.count, decks.discards(CORRUPTION), decks.pile(CORRUPTION)),)
        )


@chapter.event
class CorruptionDiscarded(_Moved, frozen=True, kw_only=True):
    """A player discards Corruption cards of their choice, face down (vr:secrecy.4)."""

    en: ClassVar[str] = "{seat:seat} discards Corruption: {cards:cards}."
    fr: ClassVar[str] = "{seat:seat} défausse de la Corruption : {cards:cards}."

    answers: bool = False
    """Whether this is what the seat had to do before the turn goes on."""

    def apply(self, state: VirtualRevolution) -> None:
        """The seat has answered."""
        if self.answers:
            state.demands = state.demands[1:]


@chapter.event
class CorruptionLost(_Moved, frozen=True, kw_only=True):
    """A player discards a Corruption card at random, face down (vr:corruption.4)."""

    en: ClassVar[str] = "{seat:seat} discards Corruption at random: {cards:cards}."
    fr: ClassVar[str] = "{seat:seat} défausse de la Corruption au hasard : {cards:cards}."

    def reveals(self) -> Audience:
        """The player sees which one it is."""
        return only(self.seat)


@chapter.event
class CorruptionGiven(_Moved, frozen=True, kw_only=True):
    """A player gives Corruption cards to another one (vr:secrecy.4)."""

    en: ClassVar[str] = "{seat:seat} gives {to:seat} Corruption: {cards:cards}."
    fr: ClassVar[str] = "{seat:seat} donne à {to:seat} de la Corruption : {cards:cards}."

    to: str

    def audience(self) -> Audience:
        """The two players."""
        return only(self.seat, self.to)

    def reveals(self) -> Audience:
        """Who receives them sees them."""
        return only(self.to)


@chapter.event
class HandShown(Event, frozen=True, kw_only=True):
    """A player looks at all Corruption cards of another one (vr:promotion.27)."""

    en: ClassVar[str] = "{seat:seat} looks at the Corruption cards that {of:seat} holds: {cards:cards}."
    fr: ClassVar[str] = "{seat:seat} regarde les cartes Corruption {of:de|seat} : {cards:cards}."

    seat: str
    of: str
    cards: tuple[str | None, ...]

    def audience(self) -> Audience:
        """The two players."""
        return only(self.seat, self.of)

    def redacted(self, viewer: Viewer) -> Event:
        """How many cards a hand has is public."""
        return replace(self, cards=(None,) * len(self.cards))

    def reveals(self) -> Audience:
        """Who looks learns them."""
        return only(self.seat)


@chapter.event
class CorruptionExchanged(Event, frozen=True, kw_only=True):
    """A player takes a Corruption card of another one and gives one back (vr:promotion.27)."""

    en: ClassVar[str] = "{seat:seat} takes {taken:card} from {of:seat} and gives back {given:card}."
    fr: ClassVar[str] = "{seat:seat} prend {taken:card} {of:de|seat} et rend {given:card}."

    seat: str
    of: str
    taken: str | None
    given: str | None

    def apply(self, state: VirtualRevolution) -> None:
        """The seat has answered."""
        state.demands = state.demands[1:]

    def audience(self) -> Audience:
        """The two players."""
        return only(self.seat, self.of)

    def redacted(self, viewer: Viewer) -> Event:
        """That a card moves each way is public."""
        moved = (
            Posting(VEIL, 1, hand(self.of), hand(self.seat)),
            Posting(VEIL, 1, hand(self.seat), hand(self.of)),
        )
        return replace(self, taken=None, given=None, postings=moved)

    def reveals(self) -> Audience:
        """Who receives a card learns it."""
        return only(self.of)


@chapter.event
class AnswerDemanded(Event, frozen=True, kw_only=True):
    """A seat has to answer before the turn goes on."""

    en: ClassVar[str] = "{seat:seat} has to choose."
    fr: ClassVar[str] = "{seat:seat} doit choisir."

    demand: Demand

    @property
    def seat(self) -> str:
        """Who answers."""
        return self.demand.seat

    def apply(self, state: VirtualRevolution) -> None:
        """It waits behind what was asked before."""
        state.demands = (*state.demands, self.demand)


# ----------------------------------------------------------------------------------------------
# Drawing, discarding, giving
# ----------------------------------------------------------------------------------------------


def draw_corruption(draft: Draft, seat: str, count: int, *, rule: str) -> None:
    """Draw Corruption cards into a hand; as many as there are when both piles run out (vr:corruption.3).

    Raises NeedsDraw where the table draws and has named no card, unless the action goes on without.
    """
    missing = count
    while missing > 0 and (decks.left_in(draft.state, CORRUPTION) > 0 or _reshuffle(draft)):
        try:
            drawn = piles.draw(draft, CORRUPTION, missing, seat=seat, whole=_whole(draft.state))
        except NeedsDraw:
            # A corrected history goes on without a card that nobody has drawn, and says so.
            if not draft.undrawn:
                raise
            draft.record(CorruptionMissed(rule=rule, seat=seat, count=missing))
            return
        moved = tuple(Posting(decks.commodity(one), 1, decks.pile(CORRUPTION), hand(seat)) for one in drawn)
        draft.record(CorruptionDrawn(rule=rule, seat=seat, cards=tuple(drawn), postings=moved))
        missing -= len(drawn)


def _whole(state: VirtualRevolution) -> decks.Whole:
    """All Corruption cards: a player's word is taken for one that lies where the player may not look."""
    return decks.Whole(tuple(pieces(state).corruptions), rule=SECRECY)


def _reshuffle(draft: Draft) -> bool:
    """Shuffle the discards into a new deck. Returns whether there were any."""
    back = decks.discards_back(draft.state, CORRUPTION)
    if back:
        draft.record(CorruptionReshuffled(count=sum(one.amount for one in back), postings=back))
    return bool(back)


def discard(draft: Draft, seat: str, cards: Sequence[str], *, rule: str, answers: bool = False) -> None:
    """Discard these Corruption cards of a hand, face down. Raises Impossible by the rule for cards not in it."""
    _discard(draft, seat, require_in_hand(draft, seat, cards, rule), rule, answers=answers)


def discard_all(draft: Draft, seat: str, *, rule: str) -> None:
    """Discard all Corruption cards of a hand, face down, whoever has brought that about."""
    _discard(draft, seat, decks.held_in(draft.state, hand(seat)), rule)


def _discard(draft: Draft, seat: str, cards: Sequence[str], rule: str, *, answers: bool = False) -> None:
    thrown = _thrown(seat, cards)
    draft.record(CorruptionDiscarded(rule=rule, seat=seat, cards=tuple(cards), answers=answers, postings=thrown))


def discard_at_random(draft: Draft, seat: str, *, rule: str) -> None:
    """Discard one card of a hand at random; nothing with an empty hand (vr:corruption.4).

    Raises NeedsDraw where the table draws and has named no card.
    """
    held = decks.held_in(draft.state, hand(seat))
    if held:
        drawn = draft.draws.cards("at_random", held)
        draft.record(CorruptionLost(rule=rule, seat=seat, cards=drawn, postings=_thrown(seat, drawn)))


def _thrown(seat: str, cards: Iterable[str]) -> tuple[Posting, ...]:
    """The postings of cards of a hand to the discards."""
    return tuple(Posting(decks.commodity(one), 1, hand(seat), decks.discards(CORRUPTION)) for one in cards)


def give(draft: Draft, seat: str, to: str, card: str, *, rule: str) -> None:
    """Give a Corruption card of one's hand to another player. Raises Impossible for a card not in it."""
    (found,) = require_in_hand(draft, seat, (card,), rule)
    moved = (Posting(decks.commodity(found), 1, hand(seat), hand(to)),)
    draft.record(CorruptionGiven(rule=rule, seat=seat, to=to, cards=(found,), postings=moved))


def require_in_hand(
    draft: Draft, seat: str, cards: Sequence[str], rule: str, *, shown_to: str | None = None
) -> tuple[str, ...]:
    """The ids of cards of a hand, each once. Raises Impossible by the rule for others.

    A banker who plays, and may not see this hand, names no card of it: the answer would tell whether it is there.
    `shown_to` is who else has been shown the hand.
    """
    if not only(seat, shown_to).admits(draft.viewer):
        raise Impossible(
            SECRECY,
            "only {seat:seat} may name cards of this hand",
            "seul le joueur de cette main ({seat:seat}) peut en nommer des cartes",
            seat=shown_to or seat,
        )
    found = tuple(one.removeprefix("card:") for one in cards)
    held = draft.state.holdings.account(hand(seat))
    for one in found:
        if held.get(decks.commodity(one), 0) <= 0 or found.count(one) > 1:
            raise Impossible(
                rule,
                "{card:card} ({id}) is not in {seat:seat}'s hand, or is named twice",
                "{card:card} ({id}) n'est pas dans la main {seat:de|seat}, ou est indiquée deux fois",
                card=one,
                id=one,
                seat=seat,
            )
    return found


def demand(draft: Draft, wanted: Demand) -> None:
    """Ask a seat for something before the turn goes on."""
    draft.record(AnswerDemanded(rule=wanted.rule, demand=wanted))


def discard_of_choice(draft: Draft, seat: str, amount: int, *, rule: str) -> None:
    """Let a player discard so many cards of their choice: all at once where the hand has no more than that."""
    held = hand_size(draft.state, seat)
    if held > amount:
        demand(draft, Demand(kind="discard", seat=seat, by=seat, rule=rule, amount=amount))
    elif held:
        discard_all(draft, seat, rule=rule)


def exchange(draft: Draft, seat: str, of: str, *, rule: str) -> None:
    """Show a player the hand of an opponent, of which one card is taken and for which one is given back."""
    held = tuple(decks.held_in(draft.state, hand(of)))
    draft.record(HandShown(rule=rule, seat=seat, of=of, cards=held))
    demand(draft, Demand(kind="exchange", seat=seat, by=seat, rule=rule, of=of))
