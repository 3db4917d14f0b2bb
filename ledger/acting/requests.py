"""The request of a caller: its digest, and its decision."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime

from ledger.access.first_answers import KeyUsed
from ledger.acting.allowing import Command
from ledger.acting.appending import StoredPast
from ledger.games.game import Game
from ledger.kernel.deciding.decision import Decision
from ledger.kernel.deciding.steps import decide_after_steps, decide_request, request_of
from ledger.kernel.dice.chance import Chance
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.refusals import NotYours
from ledger.kernel.facts.state import State
from ledger.kernel.journal.entry import body
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.draft import Request
from ledger.store.records import KeyReused


@dataclass(frozen=True, slots=True)
class CallerRequest:
    """A caller's request: the viewer, the command, the expected version, and the idempotency key."""

    viewer: Viewer
    command: Command
    action: Action
    expected: int | None
    key: str | None
    digest: bytes | None
    settle: bool


def request_digest(viewer: Viewer, content: object) -> bytes:
    """Return a hash identifying the request among requests with an idempotency key."""
    return hashlib.sha256(body([{"role": viewer.role, "seat": viewer.seat}, content])).digest()


def decide_requested(
    game: Game, base: State, request: Request, past: StoredPast, call: CallerRequest, chance: Chance | None
) -> tuple[list[tuple[Request, Decision]], Decision]:
    """Decide the requested action, after the default steps if requested by the caller."""
    if call.settle:
        return decide_after_steps(game.rulebook, base, request, past, chance)
    return [], decide_request(game.rulebook, base, request, past, chance)[0]


def is_undo_by_player(viewer: Viewer, action: Action) -> bool:
    """Return True if a player takes an action back: players do not escape the effects of time.

    The banker's actions come before the effects of time, because they may change a deadline, for example by
    extending a clock.
    """
    return viewer.role == "player" and action.correction_request() is not None


def undo_too_late(timely: list[tuple[Request, Decision]]) -> NotYours:
    """Return the refusal of an undo that comes after effects of time."""
    return NotYours(
        "the time is over, and what follows from it comes first: {kind:action}",
        "le temps est écoulé, et ce qui en découle vient d'abord : {kind:action}",
        kind=timely[0][0].action.kind,
    )


def request_in_game(
    game: Game, past: StoredPast, viewer: Viewer, command: Command, action: Action, at: datetime
) -> Request:
    """Build the request of a viewer's command, with the citations of the journal."""
    is_player = viewer.role == "player"
    return request_of(
        game.rulebook,
        past,
        action,
        seat=viewer.seat if is_player else command.seat,
        by=viewer.seat if is_player and viewer.seat is not None else "banker",
        at=at,
        override=command.override,
    )


def key_used(outcome: KeyReused) -> KeyUsed:
    """Return the exception for an idempotency key used before for another request."""
    return KeyUsed(f"the idempotency key was used before for another request (action {outcome.number})")
