"""The Verses on display and the deck, with the top card face up (vr:setup.24).

The top card is drawn one ahead. Verses put under the deck have a public order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.readers import Revealing
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
    """Register the function that turns a Verse online, for Verses without a mission (vr:verse.12)."""
    _TURNING[:] = [turning]
    return turning


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


def _shift(state: VirtualRevolution, gone: Iterable[str]) -> None:
    """Move the remaining Verses on display to the right."""
    remaining = [verse for verse in state.display if verse and verse not in gone]
    state.display = (*("" for _ in range(len(state.display) - len(remaining))), *remaining)


def _turn_top(state: VirtualRevolution) -> None:
    """Turn up the first Verse put under an otherwise empty deck."""
    if not state.verse_top and state.under and decks.left_in(state, VERSES) == len(state.under):
        state.verse_top, state.under = state.under[0], state.under[1:]


@chapter.event
class VersesPutUnder(Event, frozen=True, kw_only=True):
    """Verses on display go under their deck, in this order; the others move right."""

    en: ClassVar[str] = "Under the Verse deck: {verses:cards}."
    fr: ClassVar[str] = "Sous la pioche Verse : {verses:cards}."

    verses: tuple[str, ...]

    def apply(self, state: VirtualRevolution) -> None:
        """Put the Verses under all cards of the deck."""
        _shift(state, self.verses)
        state.under = (*state.under, *self.verses)
        _turn_top(state)


@chapter.event
class DisplayFilled(Revealing, frozen=True, kw_only=True):
    """The free slots are filled, and the next top card of the deck shows (vr:setup.24)."""

    en: ClassVar[str] = "New on display: {verses:cards}."
    fr: ClassVar[str] = "Nouveaux Verses disponibles : {verses:cards}."

    verses: tuple[str | None, ...]
    """The ids, in the order of the slots; None for each hidden card in a dry run."""
    top: str | None
    """The new card on top; "" for an empty deck."""

    def apply(self, state: VirtualRevolution) -> None:
        """Fill the slots, and note the new top card."""
        new = [verse or "" for verse in self.verses]
        state.display = tuple(verse or (new.pop(0) if new else "") for verse in state.display)
        state.verse_top = self.top or ""
        state.under = tuple(verse for verse in state.under if verse not in self.verses and verse != self.top)
        piles.leave(state, VERSES, (*self.verses, self.top))

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the cards; the number is public."""
        return replace(self, verses=(None,) * len(self.verses), top=None, postings=veiled(self.postings))


@chapter.event
class VerseTaken(Event, frozen=True, kw_only=True):
    """A player takes a Verse on display, with its Loading face up (vr:verse.5)."""

    en: ClassVar[str] = "{seat:seat} takes the Verse {verse:card}."
    fr: ClassVar[str] = "{seat:seat} prend le Verse {verse:card}."

    seat: str
    verse: str

    def apply(self, state: VirtualRevolution) -> None:
        """Move the Verses to the left of the gap to the right (vr:verse.6)."""
        _shift(state, (self.verse,))


@chapter.event
class VerseDiscarded(Event, frozen=True, kw_only=True):
    """A player's Verse goes under the deck, with its Loading face up (vr:verse.15)."""

    en: ClassVar[str] = "The Verse {verse:card} of {seat:seat} goes under the deck."
    fr: ClassVar[str] = "Le Verse {verse:card} {seat:de|seat} va sous la pioche."

    seat: str
    verse: str

    def apply(self, state: VirtualRevolution) -> None:
        """Forget the progress of the Verse, so that a later owner starts anew."""
        state.online -= {self.verse}
        state.raided -= {self.verse}
        state.under = (*state.under, self.verse)
        _turn_top(state)


# ----------------------------------------------------------------------------------------------
# Changes of the display
# ----------------------------------------------------------------------------------------------


def refill(draft: Draft, *, rule: str) -> None:
    """Fill the free slots of the display as far as the deck goes, from left to right by default (vr:verse.6).

    The top card fills the first slot. A draw brings the rest and the new top card. Raises NeedsDraw at a
    drawing table without named cards; a corrected history goes on with the cards that were drawn.
    """
    state = draft.state
    free, remaining = state.display.count(""), decks.left_in(state, VERSES)
    if not free or not remaining:
        return
    cards = [state.verse_top] if state.verse_top else []
    cards += _draw(draft, min(free + 1, remaining) - len(cards))
    if not cards:
        return
    new, top = tuple(cards[:free]), (*cards[free:], "")[0]
    if not state.settings.slots_from_left:
        new = new[::-1]
    moved = tuple(Posting(decks.commodity(card), 1, decks.pile(VERSES), DISPLAY) for card in new)
    draft.record(DisplayFilled(rule=rule, verses=new, top=top, postings=moved))


def _draw(draft: Draft, count: int) -> list[str]:
    """Return the next cards below the top card."""
    state = draft.state
    placed = {state.verse_top, *state.under}
    unknown = [verse for verse in decks.held_in(state, decks.pile(VERSES)) if verse not in placed]
    needed = min(count, len(unknown))
    if not needed:
        return list(state.under[:count])
    first = [verse for verse in state.on_top.get(VERSES, ()) if verse in unknown]
    drawn: list[str] = []
    for cards in (1,) * needed if draft.undrawn else (needed,):
        unseen, top = ([verse for verse in verses if verse not in drawn] for verses in (unknown, first))
        with piles.may_lack(draft):
            drawn += draft.draws.cards(VERSES, unseen, cards, named=VERSES, top=top)
    return [*drawn, *state.under[: count - needed]]


def put_under(draft: Draft, cards: Sequence[str], *, rule: str) -> None:
    """Put Verses on display under the deck, in the order of the slots, and move the remaining Verses right."""
    state = draft.state
    requested = {verse.removeprefix("card:") for verse in cards}
    displayed = [verse for verse in state.display if verse in requested]
    if len(displayed) != len(cards):
        raise Impossible(
            rule,
            "only Verses on display go under the deck, each once: {display:each|card}",
            "seuls des Verses disponibles vont sous la pioche, chacun une fois : {display:each|card}",
            display=[verse for verse in state.display if verse],
        )
    if not state.settings.under_from_left:
        displayed.reverse()
    moved = tuple(Posting(decks.commodity(verse), 1, DISPLAY, decks.pile(VERSES)) for verse in displayed)
    if displayed:
        draft.record(VersesPutUnder(rule=rule, verses=tuple(displayed), postings=moved))


def replace_verses(draft: Draft, seat: str | None, cards: Sequence[str], *, rule: str) -> None:
    """Put Verses on display under the deck, and draw replacements (vr:verse.1).

    `seat` is the acting player, None at the end of a round. Raises the errors of `refill`, and Impossible by
    the rule for a Verse not on display.
    """
    put_under(draft, cards, rule=rule)
    refill(draft, rule=rule)


def take_verse(draft: Draft, seat: str, verse: str, *, rule: str, pick: Pick | None = None) -> None:
    """Let a player take a Verse on display, and refill the slot; a Verse without a mission goes online at once.

    Raises Impossible by the rule for a Verse not on display, and the errors of `refill`.
    """
    verse_id = verse.removeprefix("card:")
    if not verse_id or verse_id not in draft.state.display:
        raise Impossible(
            rule,
            "{verse:card} is not on display; on display are: {display:each|card}",
            "{verse:card} n'est pas disponible ; le sont : {display:each|card}",
            verse=verse_id,
            display=[displayed for displayed in draft.state.display if displayed],
        )
    moved = (Posting(decks.commodity(verse_id), 1, DISPLAY, verses(seat)),)
    draft.record(VerseTaken(rule=rule, seat=seat, verse=verse_id, postings=moved))
    refill(draft, rule="vr:verse.6")
    if isinstance(pieces(draft.state).verses[verse_id].mission, NoMission):
        for turning in _TURNING:
            turning(draft, seat, verse_id, pick, rule="vr:verse.12")


def discard_verse(draft: Draft, seat: str, verse: str, *, rule: str) -> None:
    """Put a player's Verse under the deck. Raises Impossible by the rule without the Verse."""
    verse_id = verse.removeprefix("card:")
    if draft.state.holdings.of(verses(seat), decks.commodity(verse_id)) <= 0:
        raise Impossible(
            rule,
            "{seat:seat} has no Verse {verse:card}",
            "{seat:seat} n'a pas de Verse {verse:card}",
            seat=seat,
            verse=verse_id,
        )
    moved = (Posting(decks.commodity(verse_id), 1, verses(seat), decks.pile(VERSES)),)
    draft.record(VerseDiscarded(rule=rule, seat=seat, verse=verse_id, postings=moved))
