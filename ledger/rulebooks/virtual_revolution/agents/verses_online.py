"""Verses of a player: put online after the mission, or exchanged for Immunity (vr:verse.8 to verse.15)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.agents import missions
from ledger.rulebooks.virtual_revolution.decks import corruption, verse_display
from ledger.rulebooks.virtual_revolution.map import gaining
from ledger.rulebooks.virtual_revolution.raids import after_raids, losses
from ledger.rulebooks.virtual_revolution.table import effects
from ledger.rulebooks.virtual_revolution.table.effects import Doing
from ledger.rulebooks.virtual_revolution.table.mission_terms import NoMission
from ledger.rulebooks.virtual_revolution.table.operations import (
    Effect,
    FlipVerseOnline,
    InfluenceAdd,
    OpponentsDiscardOne,
    ReuseVerseGain,
    TakeBoost,
)
from ledger.rulebooks.virtual_revolution.table.pieces import Verse
from ledger.rulebooks.virtual_revolution.table.state import (
    Draft,
    VirtualRevolution,
    amounts,
    controls,
    influencer,
    is_turn_of,
    on_turn,
    others,
    pieces,
    reserve,
    verses_of,
)
from ledger.rulebooks.virtual_revolution.table.terms import (
    BOOSTS,
    IMMUNITY,
    Demand,
    Drawn,
    OnePick,
    Pick,
    ThingId,
    VerseId,
)

chapter = Chapter("Verses online")


@chapter.event
class VerseOnline(Event, frozen=True, kw_only=True):
    """A player turns a Verse to its Online face (vr:verse.8)."""

    en: ClassVar[str] = "{seat:seat} puts the Verse {verse:card} online."
    fr: ClassVar[str] = "{seat:seat} met le Verse {verse:card} Online."

    seat: str
    verse: str

    def apply(self, state: VirtualRevolution) -> None:
        """Put the Verse online for good, even if the mission is later no longer met."""
        state.online |= {self.verse}


# ----------------------------------------------------------------------------------------------
# Turning online
# ----------------------------------------------------------------------------------------------


def own_verse(draft: Draft, seat: str, verse: str, rule: str) -> Verse:
    """Return a Verse of the player. Raises Impossible by the rule for a foreign or unknown Verse."""
    verse_id = verse.removeprefix("card:")
    mine = verses_of(draft.state, seat)
    if verse_id not in mine:
        raise Impossible(
            rule,
            "{seat:seat} has no Verse {verse:card}; their Verses are: {mine:each|card}",
            "{seat:seat} n'a pas de Verse {verse:card} ; ses Verses sont : {mine:each|card}",
            seat=seat,
            verse=verse_id,
            mine=mine,
        )
    return pieces(draft.state).verses[verse_id]


@verse_display.turns_online
def turn_online(draft: Draft, seat: str, verse: str, pick: Pick | None = None, *, rule: str) -> None:
    """Turn a Verse of a player online and take the gain, regardless of the mission.

    Raises Impossible by the rule for a Verse already online.
    """
    card = own_verse(draft, seat, verse, rule)
    if card.id in draft.state.online:
        raise Impossible(
            rule,
            "{verse:card} is online already",
            "{verse:card} est déjà Online",
            verse=card.id,
        )
    draft.record(VerseOnline(rule=rule, seat=seat, verse=card.id))
    gain(draft, seat, card, pick)


def gain(draft: Draft, seat: str, verse: Verse, pick: Pick | None) -> None:
    """Take the immediate gain of a Verse, by the rule of the mission."""
    doing = Doing(
        seat=seat, rule=verse.rules.mission, source=verse.id, area=_director_area(draft.state, seat), picks=[pick]
    )
    effects.carry_out(draft, verse.immediate, doing)
    if effects.asking(verse.immediate):
        doing.require_none_left()


def _director_area(state: VirtualRevolution, seat: str) -> int | None:
    """Return the arrondissement of the Director in the seat's turn; None outside the turn."""
    return state.turn.director if state.turn is not None and state.turn.seat == seat else None


@effects.carries_out(FlipVerseOnline, asks=True)
def _flip(draft: Draft, effect: FlipVerseOnline, doing: Doing) -> None:
    """Turn a Verse in Loading online, regardless of the mission (vr:promotion.15)."""
    pick = doing.pick()
    loading = in_loading(draft.state, doing.seat)
    if effects.is_left_out(doing, pick):
        return
    verse = effects.chosen(doing, loading, _verse_of(pick), must=True)
    if verse is not None:
        turn_online(draft, doing.seat, verse, pick, rule=doing.rule)


@effects.carries_out(ReuseVerseGain, asks=True)
def _reuse(draft: Draft, effect: ReuseVerseGain, doing: Doing) -> None:
    """Receive the gain of a Verse online again (vr:agents.16)."""
    pick = doing.pick()
    reusable = with_gain(draft.state, doing.seat)
    if effects.is_left_out(doing, pick):
        return
    verse = effects.chosen(doing, reusable, _verse_of(pick), must=True)
    if verse is not None:
        gain(draft, doing.seat, pieces(draft.state).verses[verse], pick)


def _verse_of(pick: Pick | None) -> str | None:
    return None if pick is None or pick.verse is None else pick.verse.removeprefix("card:")


def in_loading(state: VirtualRevolution, seat: str) -> list[str]:
    """Return the Verses of a player in Loading."""
    return [verse for verse in verses_of(state, seat) if verse not in state.online]


def with_gain(state: VirtualRevolution, seat: str) -> list[str]:
    """Return the Verses of a player online with an immediate gain."""
    return [
        verse
        for verse in verses_of(state, seat)
        if verse in state.online and pieces(state).verses[verse].immediate
    ]


@effects.carries_out(OpponentsDiscardOne)
def _opponents(draft: Draft, effect: OpponentsDiscardOne, doing: Doing) -> None:
    """Ask each opponent with a thing of the kinds, in turn order (vr:verse_card.7)."""
    for seat in others(draft.state, doing.seat):
        if losses.losable(draft.state, seat, effect.among):
            question = Demand(kind="loss", seat=seat, by=doing.seat, rule=doing.rule, among=effect.among)
            corruption.demand(draft, question)


# ----------------------------------------------------------------------------------------------
# Choices
# ----------------------------------------------------------------------------------------------


def picks_for(state: VirtualRevolution, seat: str, verse: str) -> list[dict[str, Any] | None]:
    """Return the promising choices for the gain of a Verse; only None for a gain without a choice."""
    asking = effects.asking(pieces(state).verses[verse].immediate)
    if not asking:
        return [None]
    return [*_tries(state, seat, asking[0])] or [None]


def _tries(state: VirtualRevolution, seat: str, effect: Effect) -> Iterable[dict[str, Any]]:
    match effect:
        case TakeBoost():
            yield from ({"boost": boost} for boost in decks.held_in(state, BOOSTS))
        case InfluenceAdd(where=where, districts=districts, amount=amount) if reserve(state, seat):
            areas = pieces(state).places
            for area in areas:
                if influencer(state, area) not in (None, seat):
                    continue
                if where == "districts" and areas[area].district not in districts:
                    continue
                if where == "own_controlled" and not controls(state, seat, area):
                    continue
                if amount > 1:
                    yield {"places": [area] * min(amount, reserve(state, seat))}
                else:
                    yield {"place": area}
        case _:
            pass


# ----------------------------------------------------------------------------------------------
# Actions
# ----------------------------------------------------------------------------------------------


@chapter.action(
    summary=("put a Verse online", "mettre un Verse Online"),
    when=(
        "in one's own turn, when its mission is met; right after the raid that has met it",
        "pendant son tour, quand sa mission est remplie ; juste après la perquisition qui l'a remplie",
    ),
)
class PutVerseOnline(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The owner of a Verse whose mission is met takes its gain and turns it (vr:verse.8 to verse.11)."""

    verse: VerseId
    pick: OnePick = None
    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Put the Verse online. The mission must be met at this moment."""
        state, seat = draft.state, draft.seat
        card = own_verse(draft, seat, self.verse, "vr:verse.8")
        if not may_after_raid(state, seat, card.id):
            _require_turn(draft, card)
        if not missions.is_met(state, seat, card.id):
            raise Impossible(
                card.rules.mission,
                "the mission of {verse:card} is not met: {mission.en}",
                "la mission de {verse:card} n'est pas remplie : {mission.fr}",
                verse=card.id,
                mission=card.mission_text,
            ).citing("vr:verse.8")
        draft.draws.offer(self.drawn)
        turn_online(draft, seat, card.id, self.pick, rule=_rule(state, card))

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer each Verse in Loading with a fulfilled mission, with all choices for the gain."""
        is_own_turn = is_turn_of(state, seat)
        if not is_own_turn and seat not in state.waiting:
            return
        for verse in in_loading(state, seat):
            if (is_own_turn or may_after_raid(state, seat, verse)) and missions.is_met(state, seat, verse):
                for pick in picks_for(state, seat, verse):
                    yield Choice({"verse": verse} if pick is None else {"verse": verse, "pick": pick})


def may_after_raid(state: VirtualRevolution, seat: str, verse: str) -> bool:
    """Return True if a Verse may go online outside turns, because a raid has just fulfilled the mission
    (vr:verse.11).
    """
    return state.stage == "missions" and seat in state.waiting and verse in state.raided and not state.demands


def _require_turn(draft: Draft, verse: Verse) -> None:
    """Raise Impossible outside the seat's turn."""
    if draft.state.stage == "turn":
        on_turn(draft)
        return
    raise Impossible(
        "vr:verse.11",
        "{seat:seat} puts {verse:card} online in their own turn",
        "{seat:seat} met {verse:card} Online pendant son propre tour",
        seat=draft.seat,
        verse=verse.id,
    )


def _rule(state: VirtualRevolution, verse: Verse) -> str:
    """Return the rule by which a Verse goes online."""
    if isinstance(verse.mission, NoMission):
        return "vr:verse.12"
    return "vr:verse.11" if state.stage == "missions" else "vr:verse.8"


@chapter.action(
    summary=("leave Verses in Loading after a raid", "laisser ses Verses en Loading après une perquisition"),
    when=("after a raid that has met the mission of a Verse", "après une perquisition qui remplit une mission"),
)
class LeaveLoading(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player puts no other Verse online now: the Necro card need not wait (vr:verse.10, vr:verse.11)."""

    def decide(self, draft: Draft) -> None:
        """Stop the wait for the seat. Raises Impossible if the game does not wait for the seat."""
        state, seat = draft.state, draft.seat
        if state.stage != "missions" or seat not in state.waiting:
            raise Impossible(
                "vr:verse.11",
                "the Necro card does not wait for a Verse of {seat:seat}",
                "la carte Nécro n'attend aucun Verse {seat:de|seat}",
                seat=seat,
            )
        after_raids.missions_answered(draft, seat)

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer the action to each waiting seat."""
        return (Choice({}),) if state.stage == "missions" and seat in state.waiting else ()


@chapter.action(
    summary=("exchange a Verse for Immunity", "échanger un Verse contre un jeton Immunité"),
    when=("at any moment of one's own turn", "à tout moment de son tour"),
)
class TradeVerse(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player discards a Verse, online or not, for an Immunity token (vr:verse.14)."""

    verse: VerseId

    def decide(self, draft: Draft) -> None:
        """Exchange the Verse. Raises Impossible if the supply has no token."""
        on_turn(draft)
        state, seat = draft.state, draft.seat
        card = own_verse(draft, seat, self.verse, "vr:verse.14")
        if not state.holdings.of(BANK, IMMUNITY):
            raise Impossible(
                "vr:verse.14",
                "the supply has no Immunity token left",
                "la réserve générale n'a plus de jeton Immunité",
            ).citing("vr:setup.29")
        verse_display.discard_verse(draft, seat, card.id, rule="vr:verse.14")
        gaining.gain(
            draft, seat, "immunity", amounts(state).verse_for_immunity, rule="vr:verse.14", source=card.id
        )

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer each Verse of the player."""
        if is_turn_of(state, seat):
            for verse in verses_of(state, seat):
                yield Choice({"verse": verse}, alike="any")


@chapter.action(
    summary=("choose what one discards", "choisir ce que l'on défausse"),
    when=("when a Verse of another player asks for it", "quand le Verse d'un autre joueur le demande"),
)
class ChooseLoss(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An opponent chooses to discard an Agent in service, a Boost or an Immunity token (vr:verse_card.7)."""

    lose: ThingId

    def decide(self, draft: Draft) -> None:
        """Lose the chosen thing. Opponents choose in turn order; an impossible choice is refused."""
        state, seat = draft.state, draft.seat
        demand = state.demands[0] if state.demands else None
        if demand is None or demand.kind != "loss" or demand.seat != seat:
            raise Impossible(
                "vr:verse_card.7" if demand is None else demand.rule,
                "{seat:seat} has not been asked to discard anything now",
                "{seat:seat} n'a rien à défausser pour le moment",
                seat=seat,
            )
        losable = losses.losable(state, seat, demand.among)
        effect = OpponentsDiscardOne(among=demand.among)
        thing = losses.chosen(draft, seat, effect, losable, self.lose, demand.rule)
        draft.record(LossChosen(rule=demand.rule, seat=seat))
        losses.lose_thing(draft, seat, thing, rule=demand.rule)

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer each possible loss."""
        demand = state.demands[0] if state.demands else None
        if demand is not None and demand.kind == "loss" and demand.seat == seat:
            for thing in losses.losable(state, seat, demand.among):
                yield Choice({"lose": thing})


@chapter.event
class LossChosen(Event, frozen=True, kw_only=True):
    """A player answers what they discard (vr:verse_card.7)."""

    en: ClassVar[str] = "{seat:seat} has chosen what to discard."
    fr: ClassVar[str] = "{seat:seat} a choisi ce qui est défaussé."

    seat: str

    def apply(self, state: VirtualRevolution) -> None:
        """Remove the answered demand."""
        state.demands = state.demands[1:]
