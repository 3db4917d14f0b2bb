"""Undo: the conditions for a player to take back an action without the banker, and the meaning of "the last
action".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import dropwhile
from typing import Any, TypeVar

from ledger.kernel.deciding.due import falls_due
from ledger.kernel.facts.accounts import BANK, BOX
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.edits import Amend, Drop, Rewind
from ledger.kernel.facts.labels import Name
from ledger.kernel.facts.refusals import NotYours, RuleBroken
from ledger.kernel.facts.state import State
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.timeline import Timeline, TimelineEntry, made_at_once
from ledger.kernel.rules.rulebook import Rulebook

S = TypeVar("S", bound=State)


def is_move(rulebook: Rulebook[Any], timeline_entry: TimelineEntry) -> bool:
    """Return True if an undo of "the last action" may mean this action: effective, not inserted, and not about
    the game itself."""
    return _is_play(rulebook, timeline_entry) and not timeline_entry.insert and timeline_entry.entry.number > 1


def _is_play(rulebook: Rulebook[Any], timeline_entry: TimelineEntry) -> bool:
    """Return True for an effective action that is not about the game itself."""
    action = rulebook.actions.get(timeline_entry.entry.kind)
    return timeline_entry.counts and (action is None or not action.docket)


def settled_steps(
    rulebook: Rulebook[S], timeline: Timeline, state_then: Callable[[int], S], number: int
) -> tuple[int, ...]:
    """Return the numbers of the default steps taken right before an action at the banker's request, in order.

    Without any steps if a later action of play, by a seat or the banker, rests on them. Steps due by themselves
    are left out. Takes the whole timeline, and a function that returns the state right after an action as known
    at the time.
    """
    action = timeline.entry(number)
    if action is None or action.entry.by != "banker":
        return ()
    later = (entry for entry in timeline.entries() if entry.position > action.position)
    if any(entry.entry.by != "system" and _is_play(rulebook, entry) for entry in later):
        return ()
    run: list[TimelineEntry] = []
    for earlier in range(number - 1, 0, -1):
        step = timeline.entry(earlier)
        if step is None or (step.entry.by, step.entry.recorded_at) != ("system", action.entry.recorded_at):
            break
        run.insert(0, step)

    def is_due_by_itself(step: TimelineEntry) -> bool:
        decoded = rulebook.codec.action(step.entry.kind, bytes(step.entry.params))
        return falls_due(rulebook, state_then(step.entry.number - 1), decoded, step.entry)

    return tuple(step.entry.number for step in dropwhile(is_due_by_itself, run) if step.counts)


def redos_among(corrections: Iterable[TimelineEntry]) -> frozenset[int]:
    """Return the numbers of the redos among the pure corrections, given in order.

    An undo only takes something out, and a redo only drops undos. To drop a redo, or a correction that replaces
    or inserts something, is an undo.
    """
    undos: set[int] = set()
    redos: set[int] = set()
    for correction in corrections:
        events = [event for event in correction.recorded if isinstance(event, HistoryCorrected)]
        edits = [edit for event in events for edit in event.edits]
        if all(isinstance(edit, Drop) and edit.action in undos for edit in edits):
            redos.add(correction.entry.number)
        elif all(isinstance(edit, Drop | Rewind | Amend) for edit in edits):
            undos.add(correction.entry.number)
    return frozenset(redos)


def require_may_undo(
    rulebook: Rulebook[S], timeline: Timeline, state_before: Callable[[int], S], seat: str, name: Name
) -> None:
    """Refuse unless a player may take back this action without the banker.

    The rulebook must let players undo. The action must be the last action of the player (or an undo by the
    player, for a redo), with nothing played after it. Disputes and undos by others are nothing played, except
    after an undo: its redo would come before them. The action must not bind the player towards others: by a
    rule, or by a transfer to another seat. The action must not have revealed anything: no die, no card, no
    hidden holding. Actions made due at once count as a part of the action. Takes the timeline from the action
    on, and a function that returns the state right before an action. Raises NotYours with the reason, or
    RuleBroken by the rule that binds the player.
    """
    timeline_entry = timeline.named(name)
    if not rulebook.governance.player_undo:
        raise NotYours("only the banker corrects the history", "seul le banquier corrige l'histoire")
    if timeline_entry is None or timeline_entry.entry.by != seat or not timeline_entry.counts:
        raise NotYours(
            "action {number} is not one that {seat:seat} can take back",
            "l'action {number} n'est pas de celles {seat:que|seat} peut reprendre",
            number=name,
            seat=seat,
        )
    numbers = made_at_once(timeline_entry.entry.number, _entries(timeline).get)
    with_it = [linked for number in numbers if (linked := timeline.entry(number)) is not None and linked.counts]
    is_undo = bool(timeline_entry.recorded) and all(
        isinstance(event, HistoryCorrected) for event in timeline_entry.recorded
    )
    for later in timeline.entries():
        by_players = later.entry.by == seat or not (is_undo or later.entry.by in {"banker", "system"})
        passes = later in with_it or (by_players and not is_move(rulebook, later))
        if later.entry.number > timeline_entry.entry.number and later.counts and not passes:
            raise NotYours(
                "action {number} cannot be taken back: action {later} came after it",
                "l'action {number} ne peut pas être reprise : l'action {later} l'a suivie",
                number=name,
                later=later.entry.number,
            )
    if is_undo:
        return
    action = rulebook.codec.action(timeline_entry.entry.kind, bytes(timeline_entry.entry.params))
    start = state_before(timeline_entry.entry.number)
    rule = action.binding(start, seat)
    if rule is not None:
        raise RuleBroken(
            rule,
            "action {number} ({kind:action}) is for good: its player cannot take it back, only the banker can",
            "l'action {number} ({kind:action}) est définitive : qui l'a faite ne peut pas la reprendre, seul le "
            "banquier le peut",
            number=name,
            kind=action.kind,
        )
    if not is_move(rulebook, timeline_entry) or any(
        linked.entry.draws or _reveals(rulebook, linked, state_before(linked.entry.number), seat)
        for linked in (timeline_entry, *with_it)
    ):
        raise NotYours(
            "action {number} cannot be taken back: it threw a die, drew a card or revealed something",
            "l'action {number} ne peut pas être reprise : elle a jeté un dé, tiré une carte ou révélé "
            "quelque chose",
            number=name,
        )
    others = _receivers(rulebook, start, (timeline_entry, *with_it), seat)
    if others:
        raise NotYours(
            "action {number} is not taken back without the others: {others:seats} received something by it",
            "l'action {number} ne se reprend pas sans les autres : elle a donné quelque chose à {others:seats}",
            number=name,
            others=others,
        )


def _entries(timeline: Timeline) -> dict[int, Entry]:
    """Return the journal entries of a timeline by number."""
    return {
        timeline_entry.entry.number: timeline_entry.entry
        for timeline_entry in timeline.entries()
        if not timeline_entry.insert
    }


def _receivers(
    rulebook: Rulebook[S], state: S, timeline_entries: Iterable[TimelineEntry], seat: str
) -> tuple[str, ...]:
    """Return the other seats whose purse received something from the actions."""
    targets = {
        posting.target
        for timeline_entry in timeline_entries
        for event in timeline_entry.events
        for posting in event.postings
    }
    return tuple(
        receiver for receiver in state.seats if receiver != seat and rulebook.accounts.purse(receiver) in targets
    )


def _reveals(rulebook: Rulebook[S], timeline_entry: TimelineEntry, state: S, seat: str) -> bool:
    """Return True if an action revealed anything to anybody, the player included."""
    others = [Viewer("spectator"), *(Viewer("player", opponent) for opponent in state.seats if opponent != seat)]
    player = Viewer("player", seat)
    for event in timeline_entry.events:
        revealed = event.reveals()
        if revealed.everyone or revealed.seats:
            return True
        audience = event.audience()
        if not audience.everyone and any(audience.admits(other) for other in others):
            return True
        readers = [reader for reader in (player, *others) if audience.admits(reader)]
        for posting in event.postings:
            # A price is said aloud; the bank and the box hold no secrets.
            if posting.commodity == rulebook.accounts.currency or posting.source in {BANK, BOX}:
                continue
            hidden = rulebook.secrets.holding_audience(state, posting.source, posting.commodity)
            if not all(hidden.admits(reader) for reader in readers):
                return True
    return False
