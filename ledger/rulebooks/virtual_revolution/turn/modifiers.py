"""Active bonuses: the events, and the effects known only to Actions (vr:action.3 to action.6)."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from msgspec.structs import replace

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.virtual_revolution.decks import corruption
from ledger.rulebooks.virtual_revolution.map import gaining
from ledger.rulebooks.virtual_revolution.table import effects
from ledger.rulebooks.virtual_revolution.table.effects import Doing
from ledger.rulebooks.virtual_revolution.table.operations import AddRange, Deed, PayToDiscardCorruption, Waive
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution
from ledger.rulebooks.virtual_revolution.table.terms import Performance

chapter = Chapter("Bonuses")

During = (AddRange, Waive)
"""The effects that act during an Action, and are of no use afterwards."""


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


def with_performance(state: VirtualRevolution, number: int, **changes: Any) -> None:
    """Change a performance of the turn under way."""
    if state.turn is not None and number < len(state.turn.performed):
        performed = [*state.turn.performed]
        performed[number] = replace(performed[number], **changes)
        state.turn = replace(state.turn, performed=tuple(performed))


def performance(state: VirtualRevolution, number: int) -> Performance:
    """Return a performance of the turn under way, from 0. Raises MissingPartError without one."""
    performed = () if state.turn is None else state.turn.performed
    state.require_part(number < len(performed))
    return performed[number]


@chapter.event
class BonusApplied(Event, frozen=True, kw_only=True):
    """A Boost or a Title improves an Action; the events that follow say what it brings (vr:action.3)."""

    en: ClassVar[str] = "{bonus:bonus} improves the Action: {action:deed}."
    fr: ClassVar[str] = "{bonus:bonus} améliore l'Action : {action:deed}."

    seat: str
    source: str
    action: Deed
    number: int
    """The number of the improved performance in the turn, from 0."""

    @property
    def bonus(self) -> dict[str, str]:
        """The bonus, for the sentence."""
        return {"source": self.source}

    def apply(self, state: VirtualRevolution) -> None:
        """Close the bonus for the performance: each bonus applies once (vr:action.5)."""
        remaining = tuple(source for source in performance(state, self.number).open if source != self.source)
        with_performance(state, self.number, open=remaining)


@chapter.event
class PromotionTied(Event, frozen=True, kw_only=True):
    """The promotion of an Agent is tied to a performance of an Action (vr:promotion.8)."""

    en: ClassVar[str] = "The promotion of {agent:card} goes with the Action: {action:deed}."
    fr: ClassVar[str] = "La promotion : {agent:card}, accompagne l'Action : {action:deed}."

    seat: str
    agent: str
    action: Deed
    number: int

    def apply(self, state: VirtualRevolution) -> None:
        """Tie the Agent to the performance."""
        with_performance(state, self.number, tied=(*performance(state, self.number).tied, self.agent))


@chapter.event
class RangeAdded(Event, frozen=True, kw_only=True):
    """Recruiting reaches further (vr:recruit.2)."""

    en: ClassVar[str] = "Range +{amount}."
    fr: ClassVar[str] = "Portée +{amount}."

    seat: str
    source: str
    amount: int


@chapter.event
class ConditionWaived(Event, frozen=True, kw_only=True):
    """A condition of building is not required (vr:server.5)."""

    en: ClassVar[str] = "No influence is needed for the Server."
    fr: ClassVar[str] = "Le Serveur n'a pas besoin d'influence."

    seat: str
    source: str
    what: Literal["influence_for_server"]


# ----------------------------------------------------------------------------------------------
# Effects
# ----------------------------------------------------------------------------------------------


def too_late(source: str) -> Impossible:
    """Return the refusal of range, or of a waived condition, after the Action."""
    return Impossible(
        "vr:action.4",
        "this acts during the Action, and is declared with it: {bonus:bonus}",
        "ceci agit pendant l'Action, et se déclare avec elle : {bonus:bonus}",
        bonus={"source": source},
    )


@effects.carries_out(AddRange)
def _range(draft: Draft, effect: AddRange, doing: Doing) -> None:
    """Reach further in the Action under way."""
    if doing.performing != "recruit_agent":
        raise too_late(doing.source).citing(doing.rule)
    draft.record(RangeAdded(rule=doing.rule, seat=doing.seat, source=doing.source, amount=effect.amount))


@effects.carries_out(Waive)
def _waive(draft: Draft, effect: Waive, doing: Doing) -> None:
    """Build without a condition in the Action under way."""
    if doing.performing != "build_server":
        raise too_late(doing.source).citing(doing.rule)
    draft.record(ConditionWaived(rule=doing.rule, seat=doing.seat, source=doing.source, what=effect.what))


@effects.carries_out(PayToDiscardCorruption, asks=True)
def _pay_to_discard(draft: Draft, effect: PayToDiscardCorruption, doing: Doing) -> None:
    """Pay to discard cards named by the player (vr:boost.5); without a pick nothing happens."""
    pick = doing.pick()
    if pick is None or pick.skip:
        return
    if len(pick.cards) != effect.amount:
        raise Impossible(
            doing.rule,
            "name the Corruption cards that are discarded: {amount}",
            "indiquez les cartes Corruption à défausser : {amount}",
            amount=effect.amount,
        )
    gaining.pay(draft, doing.seat, effect.price, doing.rule, source=doing.source)
    corruption.discard(draft, doing.seat, pick.cards, rule=doing.rule)
