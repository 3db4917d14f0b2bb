"""One correction of a game, made for good and taken back, with everything that must hold on the way."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any

import msgspec

from ledger import rulebooks
from ledger.acting.correcting import correction_kind
from ledger.kernel.deciding.decision import Decision
from ledger.kernel.deciding.plan import Plan
from ledger.kernel.deciding.steps import decide_request, request_of
from ledger.kernel.facts.edits import Drop, Edit
from ledger.kernel.facts.labels import Label
from ledger.kernel.facts.refusals import NeedsDraw, Refusal
from ledger.kernel.facts.state import State
from ledger.kernel.journal.entry import body
from ledger.kernel.journal.timeline import Timeline, TimelineEntry
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.bots import BANKER
from replays.simulation import unbalanced
from tests.quarrels.mistakes import Mistake, mistakes
from tests.quarrels.tables import ACTIONS, SHORT, Table, table_of

AGREE, SUMS, REDO, BROKE = "agree", "sums", "redo", "broke"
CHECKS = {
    AGREE: "dry run and real answer differ",
    SUMS: "something is made or lost",
    REDO: "a redo does not restore the state",
    BROKE: "an error that is no refusal",
}
"""What can fail, with what it means."""
END_TURN = "end_turn"
REASON = "a mistake"
"""The reason of every correction that is tried; bots that correct while they play give another."""


class Lost(msgspec.Struct, frozen=True):
    """A later action that no longer counts: its name, its kind, its seat, and why."""

    name: str
    kind: str
    seat: str | None
    rule: str
    why: str


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one correction."""

    kind: str
    text: str
    refused: str | None = None
    """Why the correction as a whole was refused."""
    needs: bool = False
    """Whether a die or a card is missing that somebody has to give."""
    later: int = 0
    """How many later actions counted before the correction."""
    lost: tuple[Lost, ...] = ()
    """Those of them that no longer count."""
    emptied: int = 0
    """How many of them still count, but do nothing any more."""
    steps: int = 0
    """How many default steps of the game the correction inserts."""
    order_kept: bool = True
    """Whether the turns come in the same order as before; looked at only where an end of a turn is voided."""
    failures: tuple[tuple[str, str], ...] = ()
    """The checks that failed, each with what was found."""

    @property
    def share(self) -> float:
        """The share of the later actions that no longer count."""
        return len(self.lost) / self.later if self.later else 0.0


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """All corrections of one game."""

    rulebook: str
    seed: int
    actions: int
    digest: str
    """The SHA-256 of what was asked for in the game, and of the corrections. Two versions of the code can be
    compared by their figures when they give the same."""
    trials: tuple[Trial, ...]


def tried(rulebook: str, seed: int, corrections: int, actions: int = ACTIONS, short: int = SHORT) -> Tried:
    """Play the game of this seed, and make so many random corrections, each on the game as it was played."""
    table = table_of(rulebooks.rulebooks_by_id()[rulebook], seed, actions=actions, short=short)
    made = mistakes(table, corrections, Random(f"{rulebook}:{seed}"))
    return Tried(
        rulebook=rulebook,
        seed=seed,
        actions=len(table.past.played),
        digest=_digest(table, made),
        trials=tuple(trial(table, one) for one in made),
    )


def _digest(table: Table, made: Sequence[Mistake]) -> str:
    asked = [
        (one.kind, one.seat, one.by, one.params, one.draws)
        for one in table.past.played
        if one.by != "system"  # how a game is laid out may have new settings
    ]
    return hashlib.sha256(msgspec.json.encode((asked, made))).hexdigest()


def trial(table: Table, mistake: Mistake) -> Trial:
    """Ask for a correction, make it, take it back, and leave the game as it was."""
    before = table.game.state
    try:
        return _trial(table, mistake, before)
    except Exception as error:  # whatever it is, it is a finding
        return Trial(kind=mistake.kind, text=mistake.text, failures=((BROKE, repr(error)),))
    finally:
        table.restore(before)


def _trial(table: Table, mistake: Mistake, before: State) -> Trial:
    game, past = table.game, table.past
    correction = correction_of(table, mistake.edit)
    at = (before.last_at or game.journal[0].recorded_at) + timedelta(minutes=1)
    request = request_of(game.rulebook, past, correction, seat=None, by=BANKER, at=at)
    try:
        dry, plan = decide_request(game.rulebook, before, request, past, None)
    except Refusal as refusal:
        return Trial(
            kind=mistake.kind,
            text=mistake.text,
            refused=refusal.en,
            needs=isinstance(refusal, NeedsDraw),
            failures=tuple(_also_refused(table, correction, at, refusal)),
        )
    if plan is None:
        raise AssertionError("a correction has a plan")
    was = past.timeline()
    real = game.perform(correction, None, BANKER, at)
    now = past.timeline()
    failures = [*_differences(table, dry, plan, real, now), *_made_or_lost(game.state)]
    later = [one for one in was.effective() if one.position > (mistake.number, 0, 0)]
    lost = [one for one in later if not _counts(now, one.label)]
    now_later = [one for old in later if (one := now.entry(*old.label)) is not None and one.counts]
    steps = [one for one in now.entries() if _is_new(one, real.state.version) and one.entry.by == "system"]
    order_kept = not any(one.entry.kind == END_TURN for one in lost) or _order_kept(table, mistake, before)
    failures += _not_restored(table, before, was, at)
    return Trial(
        kind=mistake.kind,
        text=mistake.text,
        needs=bool(plan.needs),
        later=len(later),
        lost=tuple(_lost(now, one) for one in lost),
        emptied=sum(not one.events for one in now_later),
        steps=len(steps),
        order_kept=order_kept,
        failures=tuple(failures),
    )


def correction_of(table: Table, edit: Edit) -> Action:
    """The banker's correction of a game by one edit."""
    rulebook = table.game.rulebook
    params = {"edits": [msgspec.to_builtins(edit)], "cascade": "restate", "reason": REASON}
    return rulebook.codec.action(correction_kind(rulebook), msgspec.json.encode(params))


# ----------------------------------------------------------------------------------------------
# Checks
# ----------------------------------------------------------------------------------------------


def _also_refused(table: Table, correction: Action, at: datetime, refusal: Refusal) -> Iterator[tuple[str, str]]:
    """The dry run was refused: so must the action be, with the same words."""
    try:
        table.game.perform(correction, None, BANKER, at)
    except Refusal as again:
        if (type(again), again.en, again.fr) != (type(refusal), refusal.en, refusal.fr):
            yield AGREE, f"the dry run says {refusal.en!r}, the answer {again.en!r}"
    else:
        yield AGREE, f"the dry run is refused, the action is not: {refusal.en}"


def _differences(
    table: Table, dry: Decision, plan: Plan, real: Decision, now: Timeline
) -> Iterator[tuple[str, str]]:
    """The dry run, the answer, and what the journal says afterwards: events, statuses and state are the same."""
    rulebook, head = table.game.rulebook, table.past.entries[-1]
    if [body(event) for event in dry.events] != [bytes(raw) for raw in head.events]:
        yield AGREE, "the events of the dry run are not those of the journal"
    if rulebook.codec.to_snapshot(dry.state) != rulebook.codec.to_snapshot(real.state):
        yield AGREE, "the state of the dry run is not that of the answer"
    if rulebook.codec.to_snapshot(plan.new_state) != rulebook.codec.to_snapshot(
        table.past.state_after(head.number)
    ):
        yield AGREE, "the state of the preview is not that of the journal"
    announced = {
        "undone": plan.undone,
        "effective": plan.restored,
        "restated": [one.timeline_entry for one in plan.restated],
        "voided": [one.timeline_entry for one in plan.voided],
    }
    for status, standings in announced.items():
        for one in standings:
            if (found := now.entry(*one.label)) is None or (found.status, found.by) != (status, head.number):
                yield AGREE, f"{one.name} is {status} in the preview, {found and found.status} in the journal"
    changed = {one.label for one in now.entries() if one.by == head.number and not _is_new(one, head.number)}
    if silent := changed - {one.label for standings in announced.values() for one in standings}:
        yield AGREE, f"the preview does not say that these change: {sorted(silent)}"


def _is_new(standing: TimelineEntry, correction: int) -> bool:
    return bool(standing.insert) and standing.entry.number == correction


def _made_or_lost(state: State) -> Iterator[tuple[str, str]]:
    """For each commodity, the holdings of all accounts sum to zero."""
    if sums := unbalanced(state):
        yield SUMS, f"{sums}"


def _not_restored(table: Table, before: State, was: Timeline, at: datetime) -> Iterator[tuple[str, str]]:
    """Dropping the correction gives back the state and every status from before it."""
    game = table.game
    try:
        game.perform(correction_of(table, Drop(game.state.version)), None, BANKER, at + timedelta(minutes=1))
    except Refusal as refusal:
        yield REDO, f"refused: {refusal.en}"
        return
    yield from _made_or_lost(game.state)
    to_snapshot = game.rulebook.codec.to_snapshot
    if to_snapshot(_bare(game.state)) != to_snapshot(_bare(before)):
        yield REDO, "the state is another"
    now = table.past.timeline()
    other = [one.name for one in was.entries() if not _stands_alike(one, now.entry(*one.label))]
    if other:
        yield REDO, f"these do not count as they did: {', '.join(other)}"


def _stands_alike(one: TimelineEntry, other: TimelineEntry | None) -> bool:
    return other is not None and (one.status, one.events) == (other.status, other.events)


def _bare(state: State) -> State:
    """The state without what every action of the journal changes."""
    bare = state.copy()
    bare.version = bare.seq = 0
    bare.last_at = None
    bare.corrections = ()
    return bare


# ----------------------------------------------------------------------------------------------
# What became of later actions
# ----------------------------------------------------------------------------------------------


def _counts(timeline: Timeline, label: Label) -> bool:
    found = timeline.entry(*label)
    return found is not None and found.counts


def _lost(now: Timeline, standing: TimelineEntry) -> Lost:
    found = now.entry(*standing.label)
    why = None if found is None else found.why
    return Lost(
        standing.name,
        standing.entry.kind,
        standing.entry.seat,
        "" if why is None else why.rule,
        "" if why is None else why.en,
    )


def _order_kept(table: Table, mistake: Mistake, before: State) -> bool:
    """Whether the turns after a correction are those before it, as far as both go.

    A corrected game that stops sooner, with its turns in the same order, has kept the order. One that has ended
    sooner has not.
    """
    after = table.game.state
    corrected = _turns(table, mistake.number)
    entries = table.past.entries
    table.past.forget()
    played = _turns(table, mistake.number)
    table.past.entries = entries
    if after.ended and (not before.ended or len(corrected) < len(played)):
        return False
    return all(one == other for one, other in zip(corrected, played, strict=False))


def _turns(table: Table, number: int) -> list[tuple[Any, Any]]:
    """Whose turn it is from right before an action on, with the round, as the game's summary says."""
    past = table.past
    state = past.state_after(number - 1)
    turns: list[tuple[Any, Any]] = []
    for standing in past.timeline().effective():
        if standing.position >= (number, 0, 0):
            state.fold(standing.events)
            summary = table.game.rulebook.screen.summary(state)
            turn = summary.get("round"), summary.get("turn")
            if turn[1] is not None and turns[-1:] != [turn]:
                turns.append(turn)
    return turns
