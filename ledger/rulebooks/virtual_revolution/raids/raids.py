"""Raids: a player with too many Corruption cards reveals and undergoes them all (vr:raid.*, vr:endgame.2, 3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.readers import Revealing
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.raids import losses, protection
from ledger.rulebooks.virtual_revolution.table.mission_terms import SufferRaid
from ledger.rulebooks.virtual_revolution.table.pieces import Corruption
from ledger.rulebooks.virtual_revolution.table.state import (
    Draft,
    VirtualRevolution,
    amounts,
    hand_size,
    immunity,
    in_order,
    pieces,
    verses_of,
)
from ledger.rulebooks.virtual_revolution.table.terms import (
    CORRUPTION,
    IMMUNITY,
    CardId,
    Raid,
    ThingId,
    hand,
    raided,
)

chapter = Chapter("Raids")


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class RaidsDue(Event, frozen=True, kw_only=True):
    """Who is raided after this round, in order (vr:raid.1); after the last one everybody (vr:endgame.2)."""

    en: ClassVar[str] = "To be raided: {seats:raided}."
    fr: ClassVar[str] = "Perquisitions : {seats:raided}."

    seats: tuple[str, ...]
    held: dict[str, int] = {}
    """The number of cards of each seat as the final raid begins: some Verses count the cards
    (vr:verse_card.12).
    """

    def apply(self, state: VirtualRevolution) -> None:
        """Start the raids, and note the hands at the final raid."""
        state.stage, state.raids, state.waiting = "raid", self.seats, ()
        state.final_hands = dict(self.held)


@chapter.event
class RaidBegan(Revealing, frozen=True, kw_only=True):
    """A player reveals all Corruption cards of the hand to everybody (vr:raid.2)."""

    en: ClassVar[str] = (
        "{seat:seat} is raided and reveals {count} Corruption {count:plural|card|cards}: {cards:each|card}."
    )
    fr: ClassVar[str] = (
        "{seat:seat} subit une perquisition et révèle {count} {count:plural|carte|cartes} Corruption : "
        "{cards:each|card}."
    )

    seat: str
    count: int
    cards: tuple[str, ...]
    """Empty in a dry run."""

    def apply(self, state: VirtualRevolution) -> None:
        """Start the raid of the seat; the cards wait for resolution."""
        state.raid = Raid(seat=self.seat, cards=self.count)
        state.raids = tuple(seat for seat in state.raids if seat != self.seat)

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the cards; the number is known before the reveal."""
        moved = (Posting("card", self.count, hand(self.seat), raided(self.seat)),) if self.count else ()
        return replace(self, cards=(), postings=moved)


@chapter.event
class CorruptionUndergone(Event, frozen=True, kw_only=True):
    """A Corruption card of a raid takes effect, by the rule of its kind."""

    en: ClassVar[str] = "{seat:seat} undergoes the Corruption card {card:card}."
    fr: ClassVar[str] = "{seat:seat} subit la carte Corruption {card:card}."

    seat: str
    card: str


@chapter.event
class CorruptionWithoutEffect(Event, frozen=True, kw_only=True):
    """A Corruption card cannot affect its player (vr:raid.5)."""

    en: ClassVar[str] = "The Corruption card {card:card} has no effect on {seat:seat}."
    fr: ClassVar[str] = "La carte Corruption {card:card} est sans effet sur {seat:seat}."

    rule: str = "vr:raid.5"
    seat: str
    card: str


@chapter.event
class CorruptionAvoided(Event, frozen=True, kw_only=True):
    """A player spends Immunity to avoid a Corruption card (vr:raid.4)."""

    en: ClassVar[str] = "{seat:seat} spends an Immunity token to avoid {card:card}."
    fr: ClassVar[str] = "{seat:seat} dépense un jeton Immunité pour éviter {card:card}."

    seat: str
    card: str

    def apply(self, state: VirtualRevolution) -> None:
        """Note the Immunity spent in this raid."""
        if state.raid is not None:
            state.raid = replace(state.raid, spent=True)


@chapter.event
class RaidEnded(Event, frozen=True, kw_only=True):
    """A raid is over, and all its cards are discarded (vr:raid.8)."""

    en: ClassVar[str] = "The raid of {seat:seat} is over."
    fr: ClassVar[str] = "La perquisition {seat:de|seat} est terminée."

    rule: str = "vr:raid.8"
    seat: str
    fulfilled: tuple[str, ...] = ()
    """The seat's Verses with a mission fulfilled by the raid."""

    def apply(self, state: VirtualRevolution) -> None:
        """Close the raid, note the fulfilled missions, and let the owner turn Verses online if settings allow
        (vr:verse.11).
        """
        state.raid = None
        state.raided |= frozenset(self.fulfilled)
        if self.fulfilled and state.settings.missions_after_raids:
            state.waiting = (*state.waiting, self.seat)


# ----------------------------------------------------------------------------------------------
# The course of raids
# ----------------------------------------------------------------------------------------------


def is_final(state: VirtualRevolution) -> bool:
    """Return True in the last round (vr:endgame.1)."""
    return state.round >= amounts(state).rounds


def begin(draft: Draft) -> None:
    """Record the seats to be raided; the numbers of cards before the first raid count (vr:raid.1)."""
    state = draft.state
    hand_sizes = {seat: hand_size(state, seat) for seat in in_order(state)}
    if is_final(state):
        draft.record(RaidsDue(rule="vr:endgame.2", seats=tuple(hand_sizes), held=hand_sizes))
        return
    least = amounts(state).raid_threshold
    seats = tuple(seat for seat, cards in hand_sizes.items() if cards >= least)
    draft.record(RaidsDue(rule="vr:raid.1", seats=seats))


def go_on(draft: Draft) -> bool:
    """Take the next step without a choice. Return False if a player has to choose, or after all raids."""
    state = draft.state
    raid = state.raid
    if raid is None:
        if state.raids:
            _begin_one(draft, state.raids[0])
        return state.raid is not None
    card = _by_itself(state, raid.seat)
    if card is not None:
        _undergo(draft, raid.seat, card, None, None)
        return True
    if unresolved(state, raid.seat):
        return False
    draft.record(RaidEnded(seat=raid.seat, fulfilled=_fulfilled(state, raid)))
    return True


def _begin_one(draft: Draft, seat: str) -> None:
    """Raid a player."""
    state = draft.state
    cards = tuple(decks.held_in(state, hand(seat)))
    moved = tuple(Posting(decks.commodity(card), 1, hand(seat), raided(seat)) for card in cards)
    rule = "vr:endgame.2" if is_final(state) else "vr:raid.2"
    draft.record(RaidBegan(rule=rule, seat=seat, count=len(cards), cards=cards, postings=moved))


def unresolved(state: VirtualRevolution, seat: str) -> list[Corruption]:
    """Return the unresolved cards of the raid under way, cards with priority first (vr:raid.3)."""
    revealed = [pieces(state).corruptions[card] for card in decks.held_in(state, raided(seat))]
    return sorted(revealed, key=lambda corruption: not corruption.priority)


def _by_itself(state: VirtualRevolution, seat: str) -> Corruption | None:
    """Return a card that takes effect without a choice; None if the player has a choice."""
    cards = unresolved(state, seat)
    first = next(iter(cards), None)
    if first is None:
        return None
    if first.priority:
        return None if _choices_of(state, seat, first) else first
    idle = next((card for card in cards if not affects(state, seat, card)), None)
    if idle is not None or may_avoid(state, seat):
        return idle
    chosen = [card for card in cards if _choices_of(state, seat, card)]
    if not chosen:
        return first
    # Two cards may take a single thing, so the player chooses the order. Amounts do not depend on the order.
    return next((card for card in cards if not losses.takes_thing(card.effects)), None)


def _choices_of(state: VirtualRevolution, seat: str, card: Corruption) -> bool:
    """Return True if a card leaves the player a choice: of the loss, or of saving a thing."""
    return any(
        len(options) > 1 or protection.protectable(state, seat, options)
        for options in (losses.options(state, seat, effect) for effect in card.effects)
    )


def may_avoid(state: VirtualRevolution, seat: str) -> bool:
    """Return True if a seat has enough Immunity to avoid a card."""
    return immunity(state, seat) >= amounts(state).raid_avoid


def affects(state: VirtualRevolution, seat: str, card: Corruption) -> bool:
    """Return True if a card takes anything from a player (vr:raid.5)."""
    return any(losses.affects(state, seat, effect) for effect in card.effects)


def _fulfilled(state: VirtualRevolution, raid: Raid) -> tuple[str, ...]:
    """Return the raided player's Verses with a mission fulfilled by the raid (vr:verse_card.9,
    vr:verse_card.11).
    """
    verses = pieces(state).verses
    return tuple(
        verse
        for verse in verses_of(state, raid.seat)
        if verse not in state.online
        and isinstance(mission := verses[verse].mission, SufferRaid)
        and raid.cards >= mission.min_corruption
        and not (mission.no_immunity_spent and raid.spent)
    )


def _undergo(draft: Draft, seat: str, card: Corruption, lose: str | None, protect: str | None) -> None:
    """Discard a card, and carry out the effect if the card has an effect on the seat (vr:raid.8)."""
    state = draft.state
    rule = pieces(state).kinds[card.kind].rule
    moved = _discarded(seat, card.id)
    if not affects(state, seat, card):
        losses.require_nothing_named(lose or protect, rule)
        draft.record(CorruptionWithoutEffect(seat=seat, card=card.id, postings=moved))
        return
    draft.record(CorruptionUndergone(rule=rule, seat=seat, card=card.id, postings=moved))
    protection.undergo(draft, seat, card.effects, card.id, lose, protect, rule=rule)


def _discarded(seat: str, card: str) -> tuple[Posting, ...]:
    return (Posting(decks.commodity(card), 1, raided(seat), decks.discards(CORRUPTION)),)


# ----------------------------------------------------------------------------------------------
# Actions
# ----------------------------------------------------------------------------------------------


def _named(draft: Draft, named: str) -> Corruption:
    """Return a card of the acting seat's raid. Raises Impossible for a card not in the raid, RuleBroken before
    priority cards.
    """
    state, seat = draft.state, draft.seat
    if state.stage != "raid" or state.raid is None or state.raid.seat != seat:
        raise Impossible(
            "vr:raid.1",
            "{seat:seat} is not being raided",
            "{seat:seat} ne subit pas de perquisition",
            seat=seat,
        )
    cards = unresolved(state, seat)
    chosen = next((card for card in cards if card.id == named.removeprefix("card:")), None)
    if chosen is None:
        raise Impossible(
            "vr:raid.2",
            "{card!r} is none of the cards left in this raid: {cards:each|card}",
            "{card!r} n'est pas une des cartes restantes de cette perquisition : {cards:each|card}",
            card=named,
            cards=[card.id for card in cards],
        )
    draft.require(
        chosen.priority or not cards[0].priority,
        "vr:raid.3",
        "{first:card} has to be resolved first",
        "{first:card} doit d'abord être résolue",
        first=cards[0].id,
    )
    return chosen


def _raided_cards(state: VirtualRevolution, seat: str) -> Sequence[Corruption]:
    """Return the cards that a seat may resolve; none outside the seat's raid."""
    if state.stage != "raid" or state.raid is None or state.raid.seat != seat:
        return ()
    cards = unresolved(state, seat)
    return [card for card in cards if card.priority or not cards[0].priority]


@chapter.action(
    summary=("undergo a Corruption card", "subir une carte Corruption"),
    when=("in one's own raid", "pendant sa perquisition"),
)
class ResolveCorruptionCard(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let one of the revealed cards take effect, in any order (vr:raid.2, vr:raid.6).

    `protect` is what should be discarded and is kept by a Title (vr:title.13).
    """

    card: CardId
    lose: ThingId | None = None
    protect: ThingId | None = None

    def decide(self, draft: Draft) -> None:
        """Undergo the card. Cards with priority come first (vr:raid.3)."""
        _undergo(draft, draft.seat, _named(draft, self.card), self.lose, self.protect)

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer each card, with each possible loss and each possible protection."""
        for card in _raided_cards(state, seat):
            for params in protection.answers(state, seat, card.effects):
                yield Choice({"card": card.id, **params}, alike=(card.id, *params))


@chapter.action(
    summary=("spend Immunity on a Corruption card", "dépenser un jeton Immunité contre une carte Corruption"),
    when=("in one's own raid, with an Immunity token", "pendant sa perquisition, avec un jeton Immunité"),
)
class AvoidCorruption(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Avoid the effect of one card for an Immunity token, as often as one has any (vr:raid.4, vr:endgame.3)."""

    card: CardId

    def decide(self, draft: Draft) -> None:
        """Avoid the card. Cards with priority cannot be avoided (vr:raid.3)."""
        state, seat = draft.state, draft.seat
        card, price = _named(draft, self.card), amounts(draft.state).raid_avoid
        draft.require(
            not card.priority,
            "vr:raid.3",
            "{card:card} cannot be avoided by Immunity",
            "{card:card} ne peut pas être évitée par l'Immunité",
            card=card.id,
        )
        rule = "vr:endgame.3" if is_final(state) else "vr:raid.4"
        balance = immunity(state, seat)
        if balance < price:
            raise Impossible(
                rule,
                "{seat:seat} has {held} Immunity tokens, and needs {price} to avoid a card",
                "{seat:seat} a {held} jetons Immunité, et il en faut {price} pour éviter une carte",
                seat=seat,
                held=balance,
                price=price,
            )
        paid = Posting(IMMUNITY, price, player(seat), BANK)
        moved = (paid, *_discarded(seat, card.id))
        draft.record(CorruptionAvoided(rule=rule, seat=seat, card=card.id, postings=moved))

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer each card without priority, while the seat has tokens."""
        if may_avoid(state, seat):
            for card in _raided_cards(state, seat):
                if not card.priority:
                    yield Choice({"card": card.id})
