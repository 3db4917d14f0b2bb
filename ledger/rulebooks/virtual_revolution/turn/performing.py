"""Performing one of the five Actions, as the Action of a turn or as a bonus Action: one engine for both.

Each Action has a function in a separate module (`performs`), with bonuses before and after. The figures come
from the pieces, unless a Necro card has changed the figures for the round (vr:necro.11). All or nothing: a
refusal changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, Literal

from msgspec.structs import replace

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.table import effects
from ledger.rulebooks.virtual_revolution.table.effects import Doing
from ledger.rulebooks.virtual_revolution.table.operations import (
    BonusAction,
    CopyPromotion,
    Deed,
    Effect,
    PayToDiscardCorruption,
    ReplaceVerses,
)
from ledger.rulebooks.virtual_revolution.table.state import (
    Draft,
    VirtualRevolution,
    changed,
    in_service,
    is_turn_of,
    on_turn,
    pieces,
)
from ledger.rulebooks.virtual_revolution.table.terms import (
    Bonus,
    Build,
    Create,
    Creating,
    Donate,
    Drawn,
    OneBonus,
    Performance,
    Performed,
    Recruit,
    Turn,
    Work,
    hand,
)
from ledger.rulebooks.virtual_revolution.turn import bonuses, modifiers, turns

chapter = Chapter("Actions")

Source = Literal["offer", "agent_discard"]
"""The source of recruited Agents."""
Figure = Literal["price", "gain", "price_1", "price_2", "price_immunity"]
_DEEDS: Mapping[type[Any], Deed] = {
    Work: "work",
    Recruit: "recruit_agent",
    Build: "build_server",
    Create: "create_verse",
    Donate: "make_donation",
}


@dataclass(frozen=True, slots=True)
class Performing:
    """The performance under way: the seat, the Director's arrondissement, and the number in the turn, from 0."""

    seat: str
    area: int
    number: int
    source: Source = "offer"
    since: int = 0
    """The number of events recorded by the action before the performance."""


Carrying = Callable[[Draft, Any, Performing], None]
_PERFORMS: dict[type[Any], Carrying] = {}


def performs(performed: type[Any]) -> Callable[[Carrying], Carrying]:
    """Register the function of an Action, without bonuses."""

    def register(carrying: Carrying) -> Carrying:
        _PERFORMS[performed] = carrying
        return carrying

    return register


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class ActionPerformed(Event, frozen=True, kw_only=True):
    """A player performs an Action: the one of the turn, or a bonus Action (vr:action.1, vr:action.2)."""

    label: ClassVar[Phrase] = Phrase("An Action", "Une Action")
    en: ClassVar[str] = "{seat:seat}: {action:deed}."
    fr: ClassVar[str] = "{seat:seat} : {action:deed}."

    seat: str
    action: Deed
    is_bonus: bool
    open: tuple[str, ...]
    """The Boosts and Titles open to the performance."""

    def apply(self, state: VirtualRevolution) -> None:
        """Add the performance to the turn, with the open bonuses."""
        if state.turn is not None:
            done = (*state.turn.performed, Performance(action=self.action, is_bonus=self.is_bonus, open=self.open))
            state.turn = replace(state.turn, performed=done)


@chapter.event
class FigureChanged(Event, frozen=True, kw_only=True):
    """A price or a gain of an Action is another one in this round (vr:necro.11)."""

    en: ClassVar[str] = "{action:deed}: {amount} in this round, instead of {usual}."
    fr: ClassVar[str] = "{action:deed} : {amount} pendant cette manche, au lieu de {usual}."

    seat: str
    action: Deed
    figure: Figure
    usual: int
    amount: int


@chapter.event
class CreationBegan(Event, frozen=True, kw_only=True):
    """Create a Verse begins; the display may be renewed before a Verse is taken (vr:verse.1)."""

    en: ClassVar[str] = "{seat:seat} begins to create a Verse."
    fr: ClassVar[str] = "{seat:seat} commence à créer un Verse."

    rule: str = "vr:verse.1"
    seat: str
    number: int
    after: tuple[Bonus, ...] = ()

    def apply(self, state: VirtualRevolution) -> None:
        """Note that the player has a Verse to take."""
        if state.turn is not None:
            creating = Creating(number=self.number, after=self.after)
            state.turn = replace(state.turn, creating=creating)


# ----------------------------------------------------------------------------------------------
# Figures
# ----------------------------------------------------------------------------------------------


def figure(state: VirtualRevolution, seat: str, deed: Deed, name: Figure, usual: int) -> int:
    """Return a price or a gain of an Action for a seat in this round."""
    amounts = [getattr(item, name) for item in changed(state, seat, deed)]
    return next((item for item in reversed(amounts) if item is not None), usual)


def tell_figure(draft: Draft, seat: str, deed: Deed, name: Figure, usual: int) -> int:
    """Return a price or a gain like `figure`, and record a change with the rule of the card."""
    for change in reversed(changed(draft.state, seat, deed)):
        amount = getattr(change, name)
        if amount is not None:
            draft.record(
                FigureChanged(rule=change.rule, seat=seat, action=deed, figure=name, usual=usual, amount=amount)
            )
            return int(amount)
    return usual


# ----------------------------------------------------------------------------------------------
# Performing
# ----------------------------------------------------------------------------------------------


def act(draft: Draft, performed: Performed, drawn: Drawn) -> None:
    """Perform the Action of the turn: at most one, after the Director is placed (vr:action.1)."""
    turn = on_turn(draft, placed="vr:turn.3")
    draft.draws.offer(drawn)
    if turn.phase > 3:
        raise Impossible(
            "vr:action.1",
            "{seat:seat} has had the Action of this turn",
            "{seat:seat} a déjà eu l'Action de ce tour",
            seat=turn.seat,
        ).citing("vr:turn.3")
    perform(draft, performed)
    begun = draft.state.turn is not None and draft.state.turn.creating is not None
    turns.to_phase(draft, 3 if begun else 4)


def perform(draft: Draft, performed: Performed, *, is_bonus: bool = False, source: Source = "offer") -> None:
    """Perform an Action with its bonuses. Raises the refusals of the Action and of each bonus."""
    turn = draft.state.turn
    if turn is None or turn.director is None:
        raise Impossible("vr:turn.6", "no Director is placed in this turn", "aucun Directeur posé dans ce tour")
    _require_no_creation(turn)
    seat, deed, number, since = turn.seat, _DEEDS[type(performed)], len(turn.performed), len(draft.events)
    sources = bonuses.sources(draft.state, seat, deed)
    declared = bonuses.declared(draft, seat, deed, performed.bonuses, sources)
    rule = "vr:action.2" if is_bonus else "vr:action.1"
    draft.record(ActionPerformed(rule=rule, seat=seat, action=deed, is_bonus=is_bonus, open=sources))
    for bonus in declared:
        bonuses.apply(draft, number, bonus, "before")
    later = tuple(candidate for candidate in declared if candidate.when == "after")
    if isinstance(performed, Create) and performed.verse is None:
        draft.record(CreationBegan(seat=seat, number=number, after=later))
        later = ()
    under_way = Performing(seat=seat, area=turn.director, number=number, source=source, since=since)
    _PERFORMS[type(performed)](draft, performed, under_way)
    for bonus in later:
        bonuses.apply(draft, number, bonus, "after")


def _require_no_creation(turn: Turn) -> None:
    """Raise Impossible for a new Action during an open Create a Verse (vr:verse.5)."""
    if turn.creating is not None:
        raise Impossible(
            "vr:verse.5",
            "{seat:seat} has begun to create a Verse, and takes one first",
            "{seat:seat} a commencé à créer un Verse, et doit d'abord en prendre un",
            seat=turn.seat,
        ).citing("vr:action.1")


@effects.carries_out(BonusAction, asks=True)
def _bonus_action(draft: Draft, effect: BonusAction, doing: Doing) -> None:
    """Perform the Action given by the card, as the pick says; the player may decline (vr:action.2)."""
    pick = doing.pick()
    action = None if pick is None else pick.action
    if action is None and (doing.may_skip or (pick is not None and pick.skip)):
        return
    if action is None:
        plain: dict[Deed, Performed] = {"work": Work(), "build_server": Build()}
        action = plain.get(effect.action)
    if action is None or _DEEDS[type(action)] != effect.action:
        raise Impossible(
            doing.rule,
            "say how the bonus Action is performed: {deed:deed}",
            "indiquez comment l'Action bonus est effectuée : {deed:deed}",
            deed=effect.action,
        ).citing("vr:action.2")
    catalogue = pieces(draft.state)
    if effect.if_director_in and (
        doing.area is None or catalogue.places[doing.area].district not in effect.if_director_in
    ):
        raise Impossible(
            doing.rule,
            "the bonus Action needs the Director of this turn in: {districts:each|district}",
            "l'Action bonus exige le Directeur de ce tour dans : {districts:each|district}",
            districts=list(effect.if_director_in),
        )
    perform(draft, action, is_bonus=True, source=effect.source)


# ----------------------------------------------------------------------------------------------
# Bonuses afterwards
# ----------------------------------------------------------------------------------------------


def may_act(state: VirtualRevolution, seat: str) -> bool:
    """Return True if the Action of the turn is still to come, with the Director placed: for choices."""
    turn = state.turn
    return is_turn_of(state, seat) and turn is not None and turn.phase in {2, 3} and turn.creating is None


@chapter.action(
    summary=("apply a bonus to an Action", "appliquer une bonification à une Action"),
    when=("in one's own turn, after an Action", "à son tour, après une Action"),
)
class ApplyBonus(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player applies a bonus that was left open to an Action performed in this turn (vr:action.4)."""

    bonus: OneBonus
    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Apply the bonus to the last performance that may still take it."""
        turn = on_turn(draft, placed="vr:turn.3")
        draft.draws.offer(self.drawn)
        state, source = draft.state, bonuses.bare(self.bonus.source)
        bonus = replace(self.bonus, source=source, when="after")
        number = _improvable(state, turn, source)
        deed = turn.performed[number].action
        bonuses.require_bonus(state, turn.seat, deed, bonus, turn.performed[number].open)
        events_before = len(draft.events)
        bonuses.apply(draft, number, bonus, "after")
        if len(draft.events) == events_before:
            raise modifiers.too_late(source)

    def redacted(self) -> Mapping[str, Any]:
        """Hide the Corruption card discarded with the bonus."""
        return {"bonus": bonuses.redact_bonuses((self.bonus,))["bonuses"][0]}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer each open bonus, with each possible card."""
        if state.turn is None or not is_turn_of(state, seat):
            return
        offered: set[str] = set()
        for number, performed in reversed(list(enumerate(state.turn.performed))):
            for source in bonuses.still_open(state, seat, number):
                if source not in offered:
                    offered.add(source)
                    yield from _ways(state, seat, source, bonuses.effects_of(state, source, performed.action))


def _ways(state: VirtualRevolution, seat: str, source: str, acting: tuple[Effect, ...]) -> Iterable[Choice]:
    """Offer the applications of a bonus after the Action."""
    acting = tuple(item for item in acting if not isinstance(item, modifiers.During))
    if any(isinstance(item, PayToDiscardCorruption) for item in acting):
        for card in decks.held_in(state, hand(seat)):
            yield Choice({"bonus": {"source": source, "card": card}}, alike=source)
    elif any(isinstance(item, ReplaceVerses) for item in acting):
        display = [item for item in state.display if item]
        for left, right in combinations(display, 2):
            yield Choice({"bonus": {"source": source, "verses": [left, right]}}, free=("bonus",), alike=source)
    elif acting:
        yield Choice({"bonus": {"source": source}})


def _improvable(state: VirtualRevolution, turn: Turn, source: str) -> int:
    """Return the last performance open to a bonus. Raises Impossible without a performance."""
    done = list(enumerate(turn.performed))
    for number, _ in reversed(done):
        if source in bonuses.still_open(state, turn.seat, number):
            return number
    agent = pieces(state).agents.get(source)
    if agent is not None and source in in_service(state, turn.seat):
        tied = [
            n
            for n, performed in done
            if source not in performed.brought and _serves(agent.promotion, performed.action)
        ]
        if tied:
            return tied[-1]
    raise Impossible(
        "vr:action.5",
        "this bonus improves no Action of this turn, or has been applied to it: {bonus:bonus}",
        "cette bonification n'améliore aucune Action de ce tour, ou a déjà été appliquée : {bonus:bonus}",
        bonus={"source": source},
    ).citing("vr:action.3", "vr:action.6", "vr:promotion.7")


def _serves(promotion: Iterable[Effect], deed: Deed) -> bool:
    """Return True if a promotion may go with an Action: by its effects, or by copying a promotion."""
    return any(
        isinstance(effect, CopyPromotion) or getattr(effect, "tied_to", None) == deed for effect in promotion
    )
