"""The Verses on display and their deck, whose top card lies face up (vr:setup.24).

The top card is drawn one ahead. Verses put under the deck have an order that everybody has seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import EVERYONE, Audience, Viewer
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.decks import piles
from ledger.rulebooks.virtual_revolution.table.mission_terms import NoMission
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution, pieces
from ledger.rulebooks.virtual_revolution.table.terms import DISPLAY, VERSES, Pick, verses
from ledger.rulebooks.virtual_revolution.table.veils import veiled

chapter = Chapter("Verses on display")

Turning = Callable[..., None]
"""(draft, seat, verse, pick, *, rule): turn a Verse online and take its gain."""
_TURNING: list[Turning] = []


def turns_online(turning: Turning) -> Turning:
    """Register what turns a Verse online: those without a mission are turned when they are taken (vr:verse.12)."""
    _TURNING[:] = [turning]
    return turning


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


def _shift(state: VirtualRevolution, gone: Iterable[str]) -> None:
    """The Verses that are left on display move right."""
    left = [one for one in state.display if one and one not in gone]
    state.display = (*("" for _ in range(len(state.display) - len(left))), *left)


def _turn_top(state: VirtualRevolution) -> None:
    """The first Verse put under an empty deck is its top card."""
    if not state.verse_top and state.under and decks.left_in(state, VERSES) == len(state.under):
        state.verse_top, state.under = state.under[0], state.under[1:]


@chapter.event
class VersesPutUnder(Event, frozen=True, kw_only=True):
    """Verses on display go under their deck, in this order; the others move right."""

    en: ClassVar[str] = "Under the Verse deck: {verses:cards}."
    fr: ClassVar[str] = "Sous la pioche Verse : {verses:cards}."

    verses: tuple[str, ...]

    def apply(self, state: VirtualRevolution) -> None:
        """They come after all that are in the deck."""
        _shift(state, self.verses)
        state.under = (*state.under, *self.verses)
        _turn_top(state)


@chapter.event
class DisplayFilled(Event, frozen=True, kw_only=True):
    """The free slots are filled, and the next top card of the deck shows (vr:setup.24)."""

    en: ClassVar[str] = "New on display: {verses:cards}."
    fr: ClassVar[str] = "Nouveaux Verses disponibles : {verses:cards}."

    verses: tuple[str | None, ...]
    """Their ids, in the order of the slots; None in a dry run, which does not turn up cards."""
    top: str | None
    """The card that lies on top then; "" when the deck is empty."""

    def apply(self, state: VirtualRevolution) -> None:
        """The cards have left the deck, but for the top card."""
        new = [one or "" for one in self.verses]
        state.display = tuple(one or (new.pop(0) if new else "") for one in state.display)
        state.verse_top = self.top or ""
        state.under = tuple(one for one in state.under if one not in self.verses and one != self.top)
        piles.leave(state, VERSES, (*self.verses, self.top))

    def redacted(self, viewer: Viewer) -> Event:
        """How many are turned up is public."""
        return replace(self, verses=(None,) * len(self.verses), top=None, postings=veiled(self.postings))

    def reveals(self) -> Audience:
        """Everybody sees the cards turned up."""
        return EVERYONE


@chapter.event
class VerseTaken(Event, frozen=True, kw_only=True):
    """A player takes a Verse on display, with its Loading face up (vr:verse.5)."""

    en: ClassVar[str] = "{seat:seat} takes the Verse {verse:card}."
    fr: ClassVar[str] = "{seat:seat} prend le Verse {verse:card}."

    seat: str
    verse: str

    def apply(self, state: VirtualRevolution) -> None:
        """The Verses left of it move right (vr:verse.6)."""
        _shift(state, (self.verse,))


@chapter.event
class VerseDiscarded(Event, frozen=True, kw_only=True):
    """A player's Verse goes under the deck, with its Loading face up (vr:verse.15)."""

    en: ClassVar[str] = "The Verse {verse:card} of {seat:seat} goes under the deck."
    fr: ClassVar[str] = "Le Verse {verse:card} {seat:de|seat} va sous la pioche."

    seat: str
    verse: str

    def apply(self, state: VirtualRevolution) -> None:
        """A later owner starts anew."""
        state.online -= {self.verse}
        state.raided -= {self.verse}
        state.under = (*state.under, self.verse)
        _turn_top(state)


# ----------------------------------------------------------------------------------------------
# What others ask for
# ----------------------------------------------------------------------------------------------


def refill(draft: Draft, *, rule: str) -> None:
    """Fill the free slots of the display as far as the deck goes, from left to right by default (vr:verse.6).

    The first one is the card on top. As many as fill slots are drawn, the last of which is the new top card.
    Raises NeedsDraw where the table draws and has not named them.
    """
    state = draft.state
    free, left = state.display.count(""), decks.left_in(state, VERSES)
    if not free or not left:
        return
    cards = [state.verse_top] if state.verse_top else []
    cards += _draw(draft, min(free + 1, left) - len(cards))
    new, top = tuple(cards[:free]), (*cards[free:], "")[0]
    if not state.settings.slots_from_left:
        new = new[::-1]
    moved = tuple(Posting(decks.commodity(one), 1, decks.pile(VERSES), DISPLAY) for one in new)
    draft.record(DisplayFilled(rule=rule, verses=new, top=top, postings=moved))


def _draw(draft: Draft, count: int) -> list[str]:
    """The next cards below the top card."""
    state = draft.state
    placed = {state.verse_top, *state.under}
    unknown = [one for one in decks.held_in(state, decks.pile(VERSES)) if one not in placed]
    wanted = min(count, len(unknown))
    if not wanted:
        return list(state.under[:count])
    first = [one for one in state.on_top.get(VERSES, ()) if one in unknown]
    drawn = draft.draws.cards(VERSES, unknown, wanted, named=VERSES, top=first)
    return [*drawn, *state.under[: count - wanted]]


def put_under(draft: Draft, cards: Sequence[str], *, rule: str) -> None:
    """Put Verses on display under the deck, in the order of their slots; the others move right."""
    state = draft.state
    wanted = {one.removeprefix("card:") for one in cards}
    found = [one for one in state.display if one in wanted]
    if len(found) != len(cards):
        raise Impossible(
            rule,
            "only Verses on display go under the deck, each once: {display:each|card}",
            "seuls des Verses disponibles vont sous la pioche, chacun une fois : {display:each|card}",
            display=[one for one in state.display if one],
        )
    if not state.settings.under_from_left:
        found.reverse()
    moved = tuple(Posting(decks.commodity(one), 1, DISPLAY, decks.pile(VERSES)) for one in found)
    if found:
        draft.record(VersesPutUnder(rule=rule, verses=tuple(found), postings=moved))


def replace_verses(draft: Draft, seat: str | None, cards: Sequence[str], *, rule: str) -> None:
    """Put Verses on display under the deck, move the others right, and draw as many (vr:verse.1).

    `seat` is who does it, None at the end of a round. Raises as `refill` does, and Impossible by the rule for a
    Verse that is not on display.
    """
    put_under(draft, cards, rule=rule)
    refill(draft, rule=rule)


def take_verse(draft: Draft, seat: str, verse: str, *, rule: str, pick: Pick | None = None) -> None:
    """Let a player take a Verse on display, and refill the slot; without a mission it goes online at once.

    Raises Impossible by the rule for a Verse that is not on display, and as `refill` does.
    """
    found = verse.removeprefix("card:")
    if not found or found not in draft.state.display:
        raise Impossible(
            rule,
            "{verse:card} is not on display; on display are: {display:each|card}",
            "{verse:card} n'est pas disponible ; le sont : {display:each|card}",
            verse=found,
            display=[one for one in draft.state.display if one],
        )
    moved = (Posting(decks.commodity(found), 1, DISPLAY, verses(seat)),)
    draft.record(VerseTaken(rule=rule, seat=seat, verse=found, postings=moved))
    refill(draft, rule="vr:verse.6")
    if isinstance(pieces(draft.state).verses[found].mission, NoMission):
        for turning in _TURNING:
            turning(draft, seat, found, pick, rule="vr:verse.12")


def discard_verse(draft: Draft, seat: str, verse: str, *, rule: str) -> None:
    """Put a player's Verse under the deck. Raises Impossible by the rule when they have no such Verse."""
    found = verse.removeprefix("card:")
    if draft.state.holdings.of(verses(seat), decks.commodity(found)) <= 0:
        raise Impossible(
            rule,
            "{seat:seat} has no Verse {verse:card}",
            "{seat:seat} n'a pas de Verse {verse:card}",
            seat=seat,
            verse=found,
        )
    moved = (Posting(decks.commodity(found), 1, verses(seat), decks.pile(VERSES)),)
    draft.record(VerseDiscarded(rule=rule, seat=seat, verse=found, postings=moved))
