"""Verses of a player: put online when their mission is met, or exchanged for Immunity (vr:verse.8 to verse.15)."""

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
    CardId,
    Demand,
    Drawn,
    OnePick,
    Pick,
    ThingId,
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
        """The condition need not stay true."""
        state.online |= {self.verse}


# ----------------------------------------------------------------------------------------------
# Turning online
# ----------------------------------------------------------------------------------------------


def own_verse(draft: Draft, seat: str, verse: str, rule: str) -> Verse:
    """A Verse of the player. Raises Impossible by the rule for another one."""
    found = verse.removeprefix("card:")
    mine = verses_of(draft.state, seat)
    if found not in mine:
        raise Impossible(
            rule,
            "{seat:seat} has no Verse {verse:card}; their Verses are: {mine:each|card}",
            "{seat:seat} n'a pas de Verse {verse:card} ; ses Verses sont : {mine:each|card}",
            seat=seat,
            verse=found,
            mine=mine,
        )
    return pieces(draft.state).verses[found]


@verse_display.turns_online
def turn_online(draft: Draft, seat: str, verse: str, pick: Pick | None = None, *, rule: str) -> None:
    """Turn a Verse of a player online and take its gain, without regard to its mission.

    Raises Impossible by the rule when it is online already.
    """
    found = own_verse(draft, seat, verse, rule)
    if found.id in draft.state.online:
        raise Impossible(
            rule,
            "{verse:card} is online already",
            "{verse:card} est déjà Online",
            verse=found.id,
        )
    draft.record(VerseOnline(rule=rule, seat=seat, verse=found.id))
    gain(draft, seat, found, pick)


def gain(draft: Draft, seat: str, verse: Verse, pick: Pick | None) -> None:
    """Take the immediate gain of a Verse, by the rule of its mission."""
    doing = Doing(
        seat=seat, rule=verse.rules.mission, source=verse.id, here=_here(draft.state, seat), picks=[pick]
    )
    effects.carry_out(draft, verse.immediate, doing)
    if effects.asking(verse.immediate):
        doing.require_none_left()


def _here(state: VirtualRevolution, seat: str) -> int | None:
    """The arrondissement of the Director of the seat's own turn."""
    return state.turn.director if state.turn is not None and state.turn.seat == seat else None


@effects.carries_out(FlipVerseOnline, asks=True)
def _flip(draft: Draft, effect: FlipVerseOnline, doing: Doing) -> None:
    """Turn a Verse in Loading online without regard to its mission (vr:promotion.15)."""
    pick = doing.pick()
    loading = in_loading(draft.state, doing.seat)
    if effects.is_left_out(doing, pick):
        return
    verse = effects.chosen(doing, loading, _verse_of(pick), must=True)
    if verse is not None:
        turn_online(draft, doing.seat, verse, pick, rule=doing.rule)


@effects.carries_out(ReuseVerseGain, asks=True)
def _reuse(draft: Draft, effect: ReuseVerseGain, doing: Doing) -> None:
    """Receive again the gain of a Verse online (vr:agents.16)."""
    pick = doing.pick()
    found = with_gain(draft.state, doing.seat)
    if effects.is_left_out(doing, pick):
        return
    verse = effects.chosen(doing, found, _verse_of(pick), must=True)
    if verse is not None:
        gain(draft, doing.seat, pieces(draft.state).verses[verse], pick)


def _verse_of(pick: Pick | None) -> str | None:
    return None if pick is None or pick.verse is None else pick.verse.removeprefix("card:")


def in_loading(state: VirtualRevolution, seat: str) -> list[str]:
    """The Verses of a player that are not online."""
    return [one for one in verses_of(state, seat) if one not in state.online]


def with_gain(state: VirtualRevolution, seat: str) -> list[str]:
    """The Verses of a player that are online and have an immediate gain."""
    return [one for one in verses_of(state, seat) if one in state.online and pieces(state).verses[one].immediate]


@effects.carries_out(OpponentsDiscardOne)
def _opponents(draft: Draft, effect: OpponentsDiscardOne, doing: Doing) -> None:
    """Each opponent who has any of these things is asked, in turn order (vr:verse_card.7)."""
    for seat in others(draft.state, doing.seat):
        if losses.losable(draft.state, seat, effect.among):
            wanted = Demand(kind="loss", seat=seat, by=doing.seat, rule=doing.rule, among=effect.among)
            corruption.demand(draft, wanted)


# ----------------------------------------------------------------------------------------------
# Choices
# ----------------------------------------------------------------------------------------------


def picks_for(state: VirtualRevolution, seat: str, verse: str) -> list[dict[str, Any] | None]:
    """The choices that the gain of a Verse is worth trying with; one None where it asks nothing."""
    asked = effects.asking(pieces(state).verses[verse].immediate)
    if not asked:
        return [None]
    return [*_tries(state, seat, asked[0])] or [None]


def _tries(state: VirtualRevolution, seat: str, effect: Effect) -> Iterable[dict[str, Any]]:
    match effect:
        case TakeBoost():
            yield from ({"boost": one} for one in decks.held_in(state, BOOSTS))
        case InfluenceAdd(where=where, districts=districts, amount=amount) if reserve(state, seat):
            found = pieces(state).places
            for place in found:
                if influencer(state, place) not in (None, seat):
                    continue
                if where == "districts" and found[place].district not in districts:
                    continue
                if where == "own_controlled" and not controls(state, seat, place):
                    continue
                if amount > 1:
                    yield {"places": [place] * min(amount, reserve(state, seat))}
                else:
                    yield {"place": place}
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

    verse: CardId
    pick: OnePick = None
    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """The condition is judged at this moment."""
        state, seat = draft.state, draft.seat
        found = own_verse(draft, seat, self.verse, "vr:verse.8")
        if not may_after_raid(state, seat, found.id):
            _require_turn(draft, found)
        if not missions.is_met(state, seat, found.id):
            raise Impossible(
                found.rules.mission,
                "the mission of {verse:card} is not met",
                "la mission de {verse:card} n'est pas remplie",
                verse=found.id,
            ).citing("vr:verse.8")
        draft.draws.offer(self.drawn)
        turn_online(draft, seat, found.id, self.pick, rule=_rule(state, found))

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Each Verse in Loading whose mission is met, with what its gain may be."""
        own = is_turn_of(state, seat)
        if not own and seat not in state.waiting:
            return
        for verse in in_loading(state, seat):
            if (own or may_after_raid(state, seat, verse)) and missions.is_met(state, seat, verse):
                for pick in picks_for(state, seat, verse):
                    yield Choice({"verse": verse} if pick is None else {"verse": verse, "pick": pick})


def may_after_raid(state: VirtualRevolution, seat: str, verse: str) -> bool:
    """Whether a Verse may go online outside turns: the raid has just met its mission (vr:verse.11)."""
    return state.stage == "missions" and seat in state.waiting and verse in state.raided and not state.demands


def _require_turn(draft: Draft, verse: Verse) -> None:
    """Raise Impossible outside the seat's own turn."""
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
    """The rule by which a Verse goes online now."""
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
        """Refuse to whom the game does not wait for."""
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
        """Offer it to those whom the card waits for."""
        return (Choice({}),) if state.stage == "missions" and seat in state.waiting else ()


@chapter.action(
    summary=("exchange a Verse for Immunity", "échanger un Verse contre un jeton Immunité"),
    when=("at any moment of one's own turn", "à tout moment de son tour"),
)
class TradeVerse(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player discards a Verse, online or not, for an Immunity token (vr:verse.14)."""

    verse: CardId

    def decide(self, draft: Draft) -> None:
        """Refuse when the supply has no token."""
        on_turn(draft)
        state, seat = draft.state, draft.seat
        found = own_verse(draft, seat, self.verse, "vr:verse.14")
        if not state.holdings.of(BANK, IMMUNITY):
            raise Impossible(
                "vr:verse.14",
                "the supply has no Immunity token left",
                "la réserve générale n'a plus de jeton Immunité",
            ).citing("vr:setup.29")
        verse_display.discard_verse(draft, seat, found.id, rule="vr:verse.14")
        gaining.gain(
            draft, seat, "immunity", amounts(state).verse_for_immunity, rule="vr:verse.14", source=found.id
        )

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Each Verse of one's own."""
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
        """Opponents choose in turn order; a choice that cannot be fulfilled is refused."""
        state, seat = draft.state, draft.seat
        demand = state.demands[0] if state.demands else None
        if demand is None or demand.kind != "loss" or demand.seat != seat:
            raise Impossible(
                "vr:verse_card.7" if demand is None else demand.rule,
                "{seat:seat} has not been asked to discard anything now",
                "{seat:seat} n'a rien à défausser pour le moment",
                seat=seat,
            )
        found = losses.losable(state, seat, demand.among)
        wanted = OpponentsDiscardOne(among=demand.among)
        thing = losses.chosen(draft, seat, wanted, found, self.lose, demand.rule)
        draft.record(LossChosen(rule=demand.rule, seat=seat))
        losses.lose_thing(draft, seat, thing, rule=demand.rule)

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Everything that would do."""
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
        """The next one is asked."""
        state.demands = state.demands[1:]
