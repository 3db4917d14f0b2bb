"""The decks, the Agents set aside, the first Verses and Agents, and the start of round 1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal

from msgspec.structs import replace

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import BANKER_ONLY, Audience, Viewer, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.decks import decking, piles
from ledger.rulebooks.virtual_revolution.start import dealing
from ledger.rulebooks.virtual_revolution.start.dealing import dealt, is_due, require_due
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution, agent_named, amounts
from ledger.rulebooks.virtual_revolution.table.terms import (
    AGENTS_1,
    AGENTS_2,
    ASIDE,
    LOCATIONS,
    NECRO,
    NECRO_END,
    UNUSED,
    Cards,
    Drawn,
)
from ledger.rulebooks.virtual_revolution.table.veils import veiled
from ledger.rulebooks.virtual_revolution.turn import turns

chapter = Chapter("Preparing the decks")

Prepared = Literal["location_deck", "corruption", "verses"]

_DECKS: Mapping[str, Phrase] = {
    "location_deck": Phrase("the Location deck", "la pioche Localisation"),
    "corruption": Phrase("the Corruption deck", "la pioche Corruption"),
    "verses": Phrase("the Verse deck", "la pioche Verse"),
}
PARTS = ("objectives", "locations", "location_deck", "agents", "corruption", "verses", "necro")
"""The parts of the set-up, apart from the colours."""


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class DeckPrepared(Event, frozen=True, kw_only=True):
    """A deck is shuffled and placed face down; which card comes next is decided when it is drawn."""

    en: ClassVar[str] = "Shuffled: {deck_name.en}."
    fr: ClassVar[str] = "Mélange : {deck_name.fr}."

    deck: Prepared

    @property
    def deck_name(self) -> Phrase:
        """The deck, for the sentence."""
        return _DECKS[self.deck]

    def apply(self, state: VirtualRevolution) -> None:
        """Mark the deck as prepared; the Verse deck also opens empty slots on the board."""
        state.done |= {self.deck}
        if self.deck == "verses":
            state.display = ("",) * amounts(state).verse_slots


@chapter.event
class NecroDeckPrepared(Event, frozen=True, kw_only=True):
    """Some Necro cards lie on one for the end of the game; the others are not used (vr:setup.25)."""

    en: ClassVar[str] = "The Necro deck has {count} cards, which nobody has seen."
    fr: ClassVar[str] = "La pioche Nécro a {count} cartes, que personne n'a vues."

    rule: str = "vr:setup.25"
    count: int

    def apply(self, state: VirtualRevolution) -> None:
        """Mark the deck as prepared. The order of the cards is decided at each draw or look."""
        state.done |= {"necro"}
        for deck in (NECRO, NECRO_END):
            state.on_top.pop(deck, None)

    def audience(self) -> Audience:
        """Return the banker alone."""
        return BANKER_ONLY

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the unused cards; the number is public."""
        return replace(self, postings=veiled(self.postings))


@chapter.event
class AgentsSetAside(Event, frozen=True, kw_only=True):
    """Agents of each level are set aside, where only players may look at them (vr:setup.16 to setup.18)."""

    en: ClassVar[str] = "Set aside, and out of this game: {cards:cards}."
    fr: ClassVar[str] = "Écartés, et hors de cette partie : {cards:cards}."

    rule: str = "vr:setup.16"
    cards: tuple[str | None, ...]
    seats: tuple[str, ...]

    def apply(self, state: VirtualRevolution) -> None:
        """Mark the deck as prepared, and remove the cards from the known tops of the decks."""
        state.done |= {"agents"}
        for deck in (AGENTS_1, AGENTS_2):
            piles.leave(state, deck, self.cards)

    def audience(self) -> Audience:
        """Return the players."""
        return only(*self.seats)

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the cards; the number is public."""
        return replace(self, cards=(None,) * len(self.cards), postings=veiled(self.postings))

    def reveals(self) -> Audience:
        """Return the players, who learn the cards."""
        return only(*self.seats)


# ----------------------------------------------------------------------------------------------
# Each deck
# ----------------------------------------------------------------------------------------------


def _prepare_locations(draft: Draft) -> None:
    """Take all Location cards back and shuffle them (vr:setup.14)."""
    state = draft.state
    if "locations" not in state.done:
        raise Impossible(
            "vr:setup.14",
            "the Location cards are dealt first",
            "les cartes Localisation se distribuent d'abord",
        )
    back = tuple(
        Posting(decks.commodity(card), 1, dealt(seat), decks.pile(LOCATIONS))
        for seat in state.seating
        for card in decks.held_in(state, dealt(seat))
    )
    draft.record(DeckPrepared(rule="vr:setup.14", deck="location_deck", postings=back))


def _prepare_agents(draft: Draft, aside: Iterable[str] | None = None) -> None:
    """Set Agents of each level aside, as named or at random."""
    many = amounts(draft.state)
    count = {1: many.aside_level_1, 2: many.aside_level_2}
    if aside is not None:
        named = [agent_named(draft, item, "vr:setup.16") for item in aside]
        by_level = {level: [item.id for item in named if item.level == level] for level in count}
        if any(len(by_level[level]) != count[level] for level in count):
            raise Impossible(
                "vr:setup.16",
                "set aside {first} Agents of level 1 and {second} of level 2",
                "mettez de côté {first} Agents de niveau 1 et {second} de niveau 2",
                first=count[1],
                second=count[2],
            ).citing("vr:setup.17")
        draft.draws.offer([*by_level[1], *by_level[2]])
    drawn = {AGENTS_1: piles.draw(draft, AGENTS_1, count[1]), AGENTS_2: piles.draw(draft, AGENTS_2, count[2])}
    moved = tuple(
        Posting(decks.commodity(item), 1, decks.pile(deck), ASIDE)
        for deck, cards in drawn.items()
        for item in cards
    )
    cards = (*drawn[AGENTS_1], *drawn[AGENTS_2])
    draft.record(AgentsSetAside(cards=cards, seats=draft.state.seating, postings=moved))


def _prepare_verses(draft: Draft) -> None:
    """Shuffle the Verses and turn up the first cards; the next Verse lies face up on the deck (vr:setup.24)."""
    draft.record(DeckPrepared(rule="vr:setup.24", deck="verses"))
    decking.refill(draft, rule="vr:setup.24")


def _prepare_necro(draft: Draft) -> None:
    """Put unused Necro cards aside unseen; at a drawing table nobody knows the unused cards (vr:setup.25)."""
    count = amounts(draft.state).necro_standard
    moved: list[Posting] = []
    if draft.state.dice == "service":
        for deck, used in ((NECRO, count), (NECRO_END, 1)):
            drawn = piles.draw(draft, deck, used)
            unused = [card for card in decks.held_in(draft.state, decks.pile(deck)) if card not in drawn]
            moved += [Posting(decks.commodity(card), 1, decks.pile(deck), decks.pile(UNUSED)) for card in unused]
    draft.record(NecroDeckPrepared(count=count + 1, postings=tuple(moved)))


def _reveal(draft: Draft) -> None:
    """Turn up the first Agents, and begin round 1."""
    decking.reveal_agents(draft, rule="vr:setup.19")
    turns.begin_round(draft, 1)


# ----------------------------------------------------------------------------------------------
# Actions
# ----------------------------------------------------------------------------------------------

DURING = ("during set-up, once", "pendant la mise en place, une fois")


class _Preparing(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the set-up without parameters."""

    part: ClassVar[str]

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer the action until the part is done."""
        return (Choice({}),) if is_due(state, cls.part) else ()


@chapter.action(
    by=("banker",),
    summary=("shuffle the Location deck", "mélanger la pioche Localisation"),
    when=("during set-up, after the first influence", "pendant la mise en place, après la première influence"),
)
class PrepareLocationDeck(_Preparing, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All Location cards form a deck, face down (vr:setup.14)."""

    part: ClassVar[str] = "location_deck"

    def decide(self, draft: Draft) -> None:
        """Prepare the deck. Raises Impossible before the first influence."""
        require_due(draft, self.part, "vr:setup.14")
        _prepare_locations(draft)

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer the action after the deal."""
        return (Choice({}),) if is_due(state, cls.part) and "locations" in state.done else ()


@chapter.action(by=("banker",), summary=("prepare the Agent deck", "préparer la pioche Agents"), when=DURING)
class PrepareAgentDeck(_Preparing, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Level 1 lies on level 2; some Agents of each are set aside (vr:setup.16 to vr:setup.18)."""

    part: ClassVar[str] = "agents"

    aside: Cards | None = None

    def decide(self, draft: Draft) -> None:
        """Set the Agents aside, as named or at random."""
        require_due(draft, self.part, "vr:setup.16")
        _prepare_agents(draft, self.aside)

    def redacted(self) -> Mapping[str, Any]:
        """Hide the Agents set aside, because spectators may not see them."""
        return {}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer the action until the part is done."""
        return (Choice({}, free=("aside",)),) if is_due(state, cls.part) else ()


@chapter.action(
    by=("banker",), summary=("shuffle the Corruption deck", "mélanger la pioche Corruption"), when=DURING
)
class PrepareCorruptionDeck(_Preparing, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The Corruption cards are shuffled and placed face down (vr:setup.23)."""

    part: ClassVar[str] = "corruption"

    def decide(self, draft: Draft) -> None:
        """Prepare the deck, once."""
        require_due(draft, self.part, "vr:setup.23")
        draft.record(DeckPrepared(rule="vr:setup.23", deck="corruption"))


@chapter.action(by=("banker",), summary=("prepare the Verse deck", "préparer la pioche Verse"), when=DURING)
class PrepareVerseDeck(_Preparing, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first Verses lie on their slots, from left to right (vr:setup.24)."""

    part: ClassVar[str] = "verses"

    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Prepare the deck. A drawing table names the first Verses, and then the card on top of the deck."""
        require_due(draft, self.part, "vr:setup.24")
        draft.draws.offer(self.drawn)
        _prepare_verses(draft)


@chapter.action(by=("banker",), summary=("prepare the Necro deck", "préparer la pioche Nécro"), when=DURING)
class PrepareNecroDeck(_Preparing, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Four Necro cards lie on one for the end of the game; nobody has seen them (vr:setup.25)."""

    part: ClassVar[str] = "necro"

    def decide(self, draft: Draft) -> None:
        """Prepare the deck. The order is decided at each draw or look."""
        require_due(draft, self.part, "vr:setup.25")
        _prepare_necro(draft)


def missing(state: VirtualRevolution) -> list[str]:
    """Return the unfinished parts of the set-up before the first Agents."""
    colours = [] if len(state.colours) == len(state.seating) else ["colours"]
    return colours + [part for part in PARTS if part not in state.done]


@chapter.action(
    by=("banker",),
    summary=("turn up the first Agents", "révéler les premiers Agents"),
    when=("at the end of the set-up", "à la fin de la mise en place"),
)
class RevealAgents(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Five Agents with their Locations; then round 1 begins (vr:setup.19 to vr:setup.22)."""

    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Finish the set-up as its last action. A drawing table names Agents and Locations in turn."""
        if draft.state.stage != "setup" or missing(draft.state):
            raise Impossible(
                "vr:setup.19",
                "the first Agents are turned up at the end of the set-up; still to do: {missing:list}",
                "les premiers Agents sont révélés à la fin de la mise en place ; reste à faire : {missing:list}",
                missing=missing(draft.state),
            )
        draft.draws.offer(self.drawn)
        _reveal(draft)

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer the action after all parts of the set-up."""
        return (Choice({}),) if state.stage == "setup" and not missing(state) else ()


@chapter.action(
    by=("banker",),
    summary=("prepare the rest of the table", "préparer le reste de la table"),
    when=("during set-up, where the service draws", "pendant la mise en place, quand le service pioche"),
)
class PrepareTable(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that is left of the set-up at once; round 1 begins (vr:setup.32)."""

    def decide(self, draft: Draft) -> None:
        """Prepare every missing part. A player without a colour gets a free colour."""
        state = draft.state
        if state.stage != "setup" or state.dice != "service":
            raise Impossible(
                "vr:setup.32",
                "the service prepares a table where it draws, and before the game begins",
                "le service prépare une table quand c'est lui qui pioche, et avant le début de la partie",
            )
        dealing.choose_colours(draft)
        for part in PARTS:
            if part not in draft.state.done:
                _prepare(draft, part)
        _reveal(draft)

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer the action before the game, if the service draws."""
        return (Choice({}),) if state.stage == "setup" and state.dice == "service" else ()


def _prepare(draft: Draft, part: str) -> None:
    """Prepare one part of the set-up, at random."""
    match part:
        case "objectives":
            dealing.deal_objectives(draft)
        case "locations":
            dealing.deal_locations(draft)
        case "location_deck":
            _prepare_locations(draft)
        case "agents":
            _prepare_agents(draft)
        case "verses":
            _prepare_verses(draft)
        case "corruption":
            draft.record(DeckPrepared(rule="vr:setup.23", deck="corruption"))
        case _:
            _prepare_necro(draft)
