"""Deciding: a state, an action, draws and a time give events or a refusal. No further input is read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

import msgspec

from ledger.kernel.dice.chance import Chance
from ledger.kernel.dice.deriving import Throws
from ledger.kernel.dice.shared import SharedThrows
from ledger.kernel.facts.accounts import CONSERVATION
from ledger.kernel.facts.refusals import GameOver, Impossible, Malformed, NeedsDraw, Refusal, RuleNote
from ledger.kernel.facts.state import State
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import FIRST_RULES
from ledger.kernel.rules.actions import Action, Correct
from ledger.kernel.rules.draft import Draft, Request
from ledger.kernel.rules.rulebook import Rulebook

S = TypeVar("S", bound=State)


@contextmanager
def named(rulebook: Rulebook[S], state: S) -> Iterator[None]:
    """Make refusals raised in the block name seats and things as the rulebook does in the state."""
    try:
        yield
    except Refusal as refusal:
        refusal.named_by(partial(rulebook.naming, state))
        raise


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of an action: the events, the draws used, the rules waived, the next state, and the revision of
    the rules.

    `missed` lists the draws that nobody made and without which the game went on.
    """

    events: tuple[Any, ...]
    draws: dict[str, list[int | str]]
    warnings: tuple[RuleNote, ...]
    state: Any
    missed: tuple[NeedsDraw, ...] = ()
    revision: tuple[int, int] = FIRST_RULES


def decide(
    rulebook: Rulebook[S],
    state: S,
    request: Request,
    *,
    chance: Chance | None,
    correction: HistoryCorrected | None = None,
) -> Decision:
    """Decide an action on a state. The state does not change.

    Returns the decision with the next state. `correction` is the planned correction of an action that corrects
    the history: the first event, before the other effects of the action, if any. Raises a Refusal, and records
    nothing then. A game that has ended takes only actions about the game, and raises GameOver for actions of
    play.
    """
    require_open(rulebook, state, request.action)
    if isinstance(chance, Throws | SharedThrows):
        chance = chance.at(state.version + 1, request.by)
    return decided_on(Draft(rulebook, state, request, chance), rulebook, request, correction)


def require_open(rulebook: Rulebook[S], state: S, action: Action) -> None:
    """Refuse every action of a game that has ended, except actions about the game. Raises GameOver."""
    if state.ended and not action.docket:
        raise GameOver(rulebook.governance.end_rule)


def decided_on(
    draft: Draft[S], rulebook: Rulebook[S], request: Request, correction: HistoryCorrected | None = None
) -> Decision:
    """Decide an action on a draft made for this action alone. Raises a Refusal."""
    try:
        _record(draft, rulebook, request, correction)
    except Refusal as refusal:
        refusal.named_by(partial(rulebook.naming, draft.state))
        raise
    for missed in draft.draws.missed:
        missed.named_by(rulebook.naming(draft.state))
    draft.state.version = draft.number
    draft.state.last_at = request.at
    return Decision(
        events=tuple(draft.events),
        draws=draft.draws.drawn,
        warnings=tuple(draft.warnings),
        state=draft.state,
        missed=tuple(draft.draws.missed),
        revision=rulebook.revision,
    )


def _record(draft: Draft[S], rulebook: Rulebook[S], request: Request, correction: HistoryCorrected | None) -> None:
    """Record the effects of the action on the draft. Raises a Refusal."""
    action: Action = request.action
    if correction is not None:
        draft.record(correction)
    try:
        if correction is not None and correction.undrawn:
            rulebook.play.restore_draws(draft, correction.undrawn)
        if not isinstance(action, Correct):
            action.decide(draft)
        rulebook.play.settle(draft)
    except NeedsDraw as needed:
        if needed.action is None:
            needed.for_action(action, request.seat)
        raise
    if draft.draws.unused and not request.draws:  # an action decided again may need fewer draws
        raise Malformed(
            "nothing asked for {values}: give what was thrown or drawn, and no more",
            "rien ne demandait {values} : indiquez ce qui a été tiré, et rien de plus",
            values=", ".join(str(value) for value in draft.draws.unused),
        )
    if not draft.events:
        raise Impossible(
            CONSERVATION, "{kind:action} changes nothing", "{kind:action} ne change rien", kind=action.kind
        )
