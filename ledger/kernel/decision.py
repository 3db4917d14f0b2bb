"""Deciding: from a state, an action, its draws and its time come events or a refusal. Nothing else is read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

import msgspec

from ledger.kernel.accounts import CONSERVATION
from ledger.kernel.actions import Action
from ledger.kernel.dice.deriving import Throws
from ledger.kernel.dice.shared import SharedThrows
from ledger.kernel.draft import Draft, Request
from ledger.kernel.draws import Chance
from ledger.kernel.events import Event
from ledger.kernel.history.corrections import HistoryCorrected
from ledger.kernel.refusals import GameOver, Impossible, Malformed, NeedsDraw, Refusal, Warned
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.state import State

S = TypeVar("S", bound=State)


@contextmanager
def named(rulebook: Rulebook[S], state: S) -> Iterator[None]:
    """Let every refusal that is raised within name seats and things as the rulebook does at this state."""
    try:
        yield
    except Refusal as refusal:
        refusal.named_by(partial(rulebook.naming, state))
        raise


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of an action: the events, the draws used, the rules waived, and the state after it.

    `missed` are the draws that nobody made and that the game went on without.
    """

    events: tuple[Any, ...]
    draws: dict[str, list[int | str]]
    warnings: tuple[Warned, ...]
    state: Any
    missed: tuple[NeedsDraw, ...] = ()


def decide(
    rulebook: Rulebook[S],
    state: S,
    request: Request,
    *,
    chance: Chance | None,
    correction: Event | None = None,
) -> Decision:
    """Decide an action on a state, which stays as it is.

    Gives the decision, whose state has the action folded in. `correction` is the action's first event when the
    action corrects the history: it has been planned already. Raises a Refusal; nothing is recorded then. A game
    that has ended takes only actions about the game: GameOver for any other.
    """
    require_open(rulebook, state, request.action)
    if isinstance(chance, Throws | SharedThrows):
        chance = chance.at(state.version + 1, request.by)
    return decided_on(Draft(rulebook, state, request, chance), rulebook, request, correction)


def require_open(rulebook: Rulebook[S], state: S, action: Action) -> None:
    """Refuse every action of a game that has ended except those about the game. Raises GameOver."""
    if state.ended and not action.docket:
        raise GameOver(rulebook.end_rule)


def decided_on(
    draft: Draft[S], rulebook: Rulebook[S], request: Request, correction: Event | None = None
) -> Decision:
    """The decision of an action on a draft that is used for nothing else. Raises a Refusal."""
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
        draws=draft.draws.kept,
        warnings=tuple(draft.warnings),
        state=draft.state,
        missed=tuple(draft.draws.missed),
    )


def _record(draft: Draft[S], rulebook: Rulebook[S], request: Request, correction: Event | None) -> None:
    """Record on the draft what the action leads to. Raises a Refusal."""
    action: Action = request.action
    if correction is not None:
        draft.record(correction)
    try:
        if isinstance(correction, HistoryCorrected) and correction.undrawn:
            rulebook.put_back(draft, correction.undrawn)
        action.decide(draft)
        rulebook.settle(draft)
    except NeedsDraw as needed:
        if needed.action is None:
            needed.for_action(action, request.seat)
        raise
    if draft.draws.unused and not request.draws:  # decided again, an action may need less than it did
        raise Malformed(
            "nothing asked for {values}: give what was thrown or drawn, and no more",
            "rien ne demandait {values} : indiquez ce qui a été tiré, et rien de plus",
            values=", ".join(str(value) for value in draft.draws.unused),
        )
    if not draft.events:
        raise Impossible(
            CONSERVATION, "{kind:action} changes nothing", "{kind:action} ne change rien", kind=action.kind
        )
