"""The choices before scoring: types of Agents, and the scoring Objective (vr:endgame.1, vr:scoring.10).

Objectives are chosen in secret, in any order, and revealed together. The rejected Objective is never shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.readers import Private, Revealing
from ledger.rulebooks.virtual_revolution.decks import piles
from ledger.rulebooks.virtual_revolution.scores import scores
from ledger.rulebooks.virtual_revolution.table.operations import (
    AGENT_TYPES,
    VERSE_TYPES,
    AgentType,
    ChooseType,
    VerseType,
)
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution, agents_of, pieces
from ledger.rulebooks.virtual_revolution.table.terms import AgentId, CardId, Chosen, objectives

chapter = Chapter("The end of the game")

TYPE = "vr:promotion.34"
OBJECTIVE = "vr:scoring.10"


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class ChoicesOpened(Event, frozen=True, kw_only=True):
    """Before scoring, the players choose types of Agents, and their Objectives (vr:endgame.1)."""

    en: ClassVar[str] = "Before scoring, {seats:seats} choose."
    fr: ClassVar[str] = "Avant le décompte, choisissent : {seats:seats}."

    rule: str = "vr:endgame.1"
    seats: tuple[str, ...]

    def apply(self, state: VirtualRevolution) -> None:
        """Close the last attack, and wait for the seats."""
        state.stage, state.attack, state.waiting = "choices", None, self.seats


@chapter.event
class AgentTypeChosen(Event, frozen=True, kw_only=True):
    """A player chooses the type that an Agent counts as (vr:promotion.34)."""

    en: ClassVar[str] = "{seat:seat} chooses the type of {agent:card}: {type:type}."
    fr: ClassVar[str] = "{seat:seat} choisit le type {agent:de|card} : {type:type}."

    rule: str = TYPE
    seat: str
    agent: str
    type: AgentType

    def apply(self, state: VirtualRevolution) -> None:
        """Note the type of the Agent."""
        state.types[self.agent] = self.type
        _answered(state, self.seat)


@chapter.event
class ObjectiveChosen(Private, frozen=True, kw_only=True):
    """A player has chosen an Objective, which nobody else learns before all have chosen (vr:scoring.10)."""

    en: ClassVar[str] = "{seat:seat} has chosen an Objective."
    fr: ClassVar[str] = "{seat:seat} a choisi un Objectif."

    rule: str = OBJECTIVE
    choice: Chosen | None
    """The choice; None for viewers without sight of the choice."""

    def apply(self, state: VirtualRevolution) -> None:
        """Note the final choice of the seat."""
        if self.choice is not None:
            state.chosen[self.seat] = self.choice
        _answered(state, self.seat)

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the choice; the fact of choosing is public."""
        return replace(self, choice=None)


@chapter.event
class ObjectivesRevealed(Revealing, frozen=True, kw_only=True):
    """All Objectives chosen are revealed together (vr:secrecy.1)."""

    at_end: ClassVar[bool] = True
    en: ClassVar[str] = "The Objectives chosen are revealed: {cards:each|card}."
    fr: ClassVar[str] = "Les Objectifs choisis sont révélés : {cards:each|card}."

    rule: str = "vr:secrecy.1"
    chosen: dict[str, Chosen]
    """The choice of each seat."""

    @property
    def cards(self) -> list[str]:
        """The Objectives, in the order of the seats' ids."""
        return [self.chosen[seat].objective for seat in sorted(self.chosen)]

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the Objectives before the reveal."""
        return replace(self, chosen={})


# ----------------------------------------------------------------------------------------------
# Course of the choices
# ----------------------------------------------------------------------------------------------


def _answered(state: VirtualRevolution, seat: str) -> None:
    """Remove a seat without further choices from the waiting seats."""
    if not has_choice(state, seat):
        state.waiting = tuple(waiting_seat for waiting_seat in state.waiting if waiting_seat != seat)


def has_choice(state: VirtualRevolution, seat: str) -> bool:
    """Return True if a seat has a choice to make before scoring."""
    return bool(open_types(state, seat)) or has_objective(state, seat)


def has_objective(state: VirtualRevolution, seat: str) -> bool:
    """Return True if a seat has yet to choose an Objective. The number of Objectives in a hand is public."""
    return seat not in state.chosen and sum(state.holdings.account(objectives(seat)).values()) > 0


def open_types(state: VirtualRevolution, seat: str) -> list[str]:
    """Return the Agents of a seat with a type still to be chosen."""
    return [agent for agent in agents_of(state, seat) if agent in state.promised and agent not in state.types]


def types_of(state: VirtualRevolution, agent: str) -> tuple[AgentType, ...]:
    """Return the types allowed by the promotion of an Agent."""
    choose_type = next(
        (effect for effect in pieces(state).agents[agent].promotion if isinstance(effect, ChooseType)), None
    )
    return AGENT_TYPES if choose_type is None else choose_type.among


def begin(draft: Draft) -> None:
    """Ask the players for their choices."""
    state = draft.state
    draft.record(ChoicesOpened(seats=tuple(seat for seat in state.order if has_choice(state, seat))))


def go_on(draft: Draft) -> bool:
    """Reveal the Objectives after all choices. Return False while a seat has to choose."""
    state = draft.state
    if state.waiting:
        return False
    if state.chosen:
        draft.record(ObjectivesRevealed(chosen=dict(sorted(state.chosen.items()))))
    return True


# ----------------------------------------------------------------------------------------------
# Actions
# ----------------------------------------------------------------------------------------------


def _require_asked(draft: Draft, rule: str) -> None:
    """Raise Impossible before the choices, and for a seat without a choice to make."""
    if draft.state.stage != "choices" or draft.seat not in draft.state.waiting:
        raise Impossible(
            rule,
            "{seat:seat} has nothing to choose for the scoring now",
            "{seat:seat} n'a rien à choisir pour le décompte maintenant",
            seat=draft.seat,
        )


@chapter.action(
    summary=("choose the type of an Agent", "choisir le type d'un Agent"),
    when=("before scoring", "avant le décompte"),
)
class ChooseAgentType(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Choose the type that an Agent counts as, whose promotion allows it (vr:promotion.34)."""

    agent: AgentId
    type: AgentType

    def decide(self, draft: Draft) -> None:
        """Record the choice. A choice is final."""
        _require_asked(draft, TYPE)
        open_agents = open_types(draft.state, draft.seat)
        agent = self.agent.removeprefix("card:")
        if agent not in open_agents or self.type not in types_of(draft.state, agent):
            raise Impossible(
                TYPE,
                "{seat:seat} chooses the type of: {found:each|card}",
                "{seat:seat} choisit le type de : {found:each|card}",
                seat=draft.seat,
                found=open_agents,
            )
        draft.record(AgentTypeChosen(seat=draft.seat, agent=agent, type=self.type))

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer each allowed type of each open Agent."""
        if state.stage == "choices" and seat in state.waiting:
            for agent in open_types(state, seat):
                for agent_type in types_of(state, agent):
                    yield Choice({"agent": agent, "type": agent_type}, alike=agent)


@chapter.action(
    summary=("choose an Objective", "choisir un Objectif"),
    when=("before scoring", "avant le décompte"),
)
class ChooseObjective(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Choose which of one's Objectives is scored; the other one is discarded unseen (vr:scoring.10).

    `verse_type` is the type that counts, for the Objective that counts Verses of one type (vr:objective.5).
    """

    final: ClassVar[str | None] = OBJECTIVE

    objective: CardId
    verse_type: VerseType | None = None

    def decide(self, draft: Draft) -> None:
        """Record the secret and final choice; all choices are revealed together."""
        state, seat = draft.state, draft.seat
        _require_asked(draft, OBJECTIVE)
        objective = self.objective.removeprefix("card:")
        if not has_objective(state, seat):
            raise Impossible(
                OBJECTIVE,
                "{seat:seat} has chosen an Objective already",
                "{seat:seat} a déjà choisi un Objectif",
                seat=seat,
            )
        piles.require_sight(draft, seat)
        if objective not in decks.held_in(state, objectives(seat)):
            raise Impossible(
                OBJECTIVE,
                "{seat:seat} chooses one of their own Objectives",
                "{seat:seat} choisit un de ses propres Objectifs",
                seat=seat,
            )
        if (self.verse_type is not None) != scores.counts_one_type(pieces(state).objectives[objective].score):
            raise Impossible(
                "vr:objective.5",
                "the type of Verse is named for the Objective that counts one type, and for no other",
                "le type de Verse s'indique pour l'Objectif qui en compte un seul, et pour aucun autre",
            )
        draft.record(ObjectiveChosen(seat=seat, choice=Chosen(objective=objective, verse_type=self.verse_type)))

    def redacted(self) -> Mapping[str, Any]:
        """Hide the choice."""
        return {}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer each of the seat's Objectives, with each type of Verse if the Objective needs a type."""
        if state.stage == "choices" and seat in state.waiting and has_objective(state, seat):
            for objective in decks.held_in(state, objectives(seat)):
                if scores.counts_one_type(pieces(state).objectives[objective].score):
                    for verse_type in VERSE_TYPES:
                        yield Choice({"objective": objective, "verse_type": verse_type}, alike="objective")
                else:
                    yield Choice({"objective": objective}, alike="objective")
