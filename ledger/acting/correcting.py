"""Corrections of the history, appended to the journal. Undo and redo are corrections with one edit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal

import msgspec

from ledger.acting.allowing import Command
from ledger.acting.appending import StoredPast
from ledger.acting.outcomes import Performed, StaleVersion, TooBusy
from ledger.acting.performing import Performing
from ledger.acting.requests import request_digest
from ledger.games.games import Games
from ledger.games.moments import Moment
from ledger.kernel.arbitration.docket import OpenDispute
from ledger.kernel.deciding.undo import is_move, redos_among, settled_steps
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.edits import Amend, Cascade, Drop, Edit
from ledger.kernel.facts.labels import Name, label_of
from ledger.kernel.facts.refusals import Impossible, Malformed, NotYours
from ledger.kernel.journal.sight import visible_entry
from ledger.kernel.journal.timeline import made_at_once
from ledger.kernel.rules.actions import Action, Correct
from ledger.kernel.rules.rulebook import Rulebook

TOUCH = timedelta(seconds=1)
"""The time after an undo in which a second undo without a named action counts as an accidental second touch."""
_PAGE = 100
_ATTEMPTS = 100


class Undo(msgspec.Struct, frozen=True, kw_only=True):
    """A request to undo or to redo, with the reason.

    Undo drops the named action, or by default the last action played (for a player: the last action of the
    player). The default steps taken for the action go with it, unless later actions of play rest on them. With
    `amends`, an undo must name the action, drops it alone, and replaces the given correction. Redo drops the
    named correction, the correction that undid the named action, or by default the latest correction in force
    that is no redo.
    """

    way: Literal["undo", "redo"]
    action: Name | None = None
    amends: int | msgspec.UnsetType = msgspec.UNSET
    reason: str
    cascade: Cascade = "refuse"


class Correcting:
    """Undo and redo, or a dispute that asks the banker for an undo. Takes the games and the performing part."""

    def __init__(self, games: Games, performing: Performing) -> None:
        self._games = games
        self._performing = performing

    def take_back(
        self,
        game_id: str,
        viewer: Viewer,
        request: Undo,
        *,
        language: str = "en",
        expected: int | None = None,
        key: str | None = None,
        dry_run: bool = False,
    ) -> Performed:
        """Undo or redo by a correction. A dry run writes nothing and returns the preview.

        Raises the exceptions of `perform`; NotYours if the rulebook does not let the viewer undo; Impossible
        without anything to undo or to redo; Malformed for an undo that amends without naming an action.
        """
        rulebook = self._games.open(game_id).rulebook
        if viewer.role == "spectator" or (viewer.role == "player" and not rulebook.governance.player_undo):
            raise NotYours("only the banker corrects the history", "seul le banquier corrige l'histoire")

        def command(moment: Moment, target: Name) -> Command:
            edits: list[Edit]
            if isinstance(request.amends, msgspec.UnsetType):
                edits = [Drop(name) for name in (*_steps_for(moment, target), target)]
            else:
                edits = [Amend(request.amends), Drop(target)]
            return correction(rulebook, edits, request.reason, request.cascade)

        return self._perform_on_target(game_id, viewer, request, command, language, expected, key, dry_run)

    def ask_for_undo(
        self,
        game_id: str,
        viewer: Viewer,
        request: Undo,
        *,
        language: str = "en",
        expected: int | None = None,
        key: str | None = None,
        dry_run: bool = False,
    ) -> Performed:
        """Ask the banker to undo an action, by a dispute that cites the action and carries the correction.

        Raises the exceptions of `perform`; NotYours if the rulebook has no disputes; Impossible without
        anything to undo.
        """
        kind = kind_declared(self._games.open(game_id).rulebook, OpenDispute)
        if kind is None or request.amends is not msgspec.UNSET:
            raise NotYours("only the banker corrects the history", "seul le banquier corrige l'histoire")

        def command(_moment: Moment, target: Name) -> Command:
            edits = [msgspec.to_builtins(Drop(target))]
            return Command(kind=kind, params={"claim": request.reason, "actions": [target], "edits": edits})

        return self._perform_on_target(game_id, viewer, request, command, language, expected, key, dry_run)

    def _perform_on_target(
        self,
        game_id: str,
        viewer: Viewer,
        request: Undo,
        command: Callable[[Moment, Name], Command],
        language: str,
        expected: int | None,
        key: str | None,
        dry_run: bool,
    ) -> Performed:
        """Perform the command on the target. The target is searched again whenever another action was appended.

        After a lost race, the search is repeated in turn, with hardly any action in between.
        """
        performing = self._performing

        def attempt() -> Performed | None:
            moment = self._games.moment(game_id, viewer)
            # A repeated request must get the first answer, although the target may have changed.
            if not dry_run:
                earlier = performing.earlier(moment.game, key, request_digest(viewer, request))
                if earlier is not None:
                    return performing.repeated(moment.game, earlier, viewer, language)
            head = moment.version
            if expected is not None and expected != head:
                raise StaleVersion(expected, head)
            if expected is None and not dry_run:
                _require_no_second_touch(moment, request, performing.time_after(moment.newest))
            target_command = command(moment, _target_of(moment, request))
            try:
                if dry_run:
                    return performing.preview(game_id, viewer, target_command, language=language, expected=head)
                return performing.perform(
                    game_id, viewer, target_command, language=language, expected=head, key=key, original=request
                )
            except StaleVersion:
                if expected is not None:
                    raise
                return None

        done = attempt()
        if done is None:
            done = performing.in_turn(
                self._games.open(game_id), lambda: next(filter(None, (attempt() for _ in range(_ATTEMPTS))), None)
            )
        if done is None:
            raise TooBusy(game_id)
        return done


def _target_of(moment: Moment, request: Undo) -> Name:
    """Return the name of the action to drop. Raises Impossible without such an action."""
    if request.way == "redo":
        return _correction_to_undo(moment, request.action)
    if request.action is None and request.amends is not msgspec.UNSET:
        raise Malformed(
            "an undo that takes the place of correction {number} names its action",
            "une annulation qui prend la place de la correction {number} indique son action",
            number=request.amends,
        )
    return _last_move(moment) if request.action is None else request.action


def _steps_for(moment: Moment, target: Name) -> tuple[int, ...]:
    """Return the numbers of the default steps that the banker's undo of an action drops (`settled_steps`)."""
    number, insert = label_of(target)
    if moment.viewer.role != "banker" or insert or not 2 < number <= moment.version:
        return ()
    previous, action = moment.game.history.entries_between(number - 1, number)
    if (previous.by, previous.recorded_at) != ("system", action.recorded_at):
        return ()  # Most actions are without steps, and need no whole history.
    past = StoredPast(moment.game, moment.newest)
    return settled_steps(moment.rulebook, past.timeline(), past.state_then, number)


def _require_no_second_touch(moment: Moment, request: Undo, at: datetime) -> None:
    """Refuse an undo without a named action right after an undo by the caller: a double touch means one undo.

    Raises Impossible, with the number of the undone action.
    """
    if request.way == "redo" or request.action is not None or request.amends is not msgspec.UNSET:
        return
    (entry,) = moment.game.history.entries_between(moment.version, moment.version)
    by = moment.viewer.seat if moment.viewer.role == "player" else "banker"
    is_recent = entry.by == by and at - entry.recorded_at < TOUCH
    if not is_recent or entry.kind != kind_declared(moment.rulebook, Correct):
        return
    edits = msgspec.json.decode(entry.params)["edits"]
    if all(edit["op"] == "drop" for edit in edits):
        raise Impossible(
            moment.rulebook.governance.correction_rule,
            "action {number} was undone a moment ago, by action {undo}: to undo another one, name it",
            "l'action {number} vient d'être annulée, par l'action {undo} : pour en annuler une autre, nommez-la",
            number=edits[-1]["action"],
            undo=entry.number,
        )


def _last_move(moment: Moment) -> int:
    """Return the number of the last action played; for a player, of the last visible action of the player's
    seat.

    Actions made due at once belong to the causing action, and do not count as the last action.
    """
    viewer, last = moment.viewer, moment.version
    while last > 1:
        first = max(2, last - _PAGE + 1)
        timeline = moment.game.history.timeline_between(first, last, moment.corrections)
        entries = {item.entry.number: item.entry for item in timeline.entries() if not item.insert}
        by_itself = {item for number in entries for item in made_at_once(number, entries.get)}
        for number in range(last, first - 1, -1):
            timeline_entry = timeline.entry(number)
            if timeline_entry is None or number in by_itself or not is_move(moment.rulebook, timeline_entry):
                continue
            mine = timeline_entry.entry.seat == viewer.seat and visible_entry(timeline_entry, viewer).is_visible
            if viewer.role == "banker" or timeline_entry.entry.by == viewer.seat or mine:
                return number
        last = first - 1
    raise Impossible(
        moment.rulebook.governance.correction_rule, "there is nothing to undo", "il n'y a rien à annuler"
    )


def _correction_to_undo(moment: Moment, action: Name | None) -> int:
    """Return the number of the correction to undo. A player may undo only the player's own corrections."""
    viewer, rulebook, history = moment.viewer, moment.rulebook, moment.game.history
    numbers = frozenset(number for number, _ in moment.corrections)
    named = 0 if action is None else label_of(action)[0]
    exists = 0 < named <= moment.version
    timeline = moment.timeline(list(history.entries_between(named, named)) if exists else [])
    kind = correction_kind(rulebook)
    timeline_entries = [item for number in sorted(numbers) if (item := timeline.entry(number)) is not None]
    mine = frozenset(
        candidate.entry.number
        for candidate in timeline_entries
        if viewer.role == "banker" or candidate.entry.by == viewer.seat
    )
    if action is None:
        # Dropping a ruling counts as an undo, although the ruling may have corrected something itself.
        pure = [candidate for candidate in timeline_entries if candidate.entry.kind == kind]
        skipped = redos_among(pure)
        for candidate in reversed(pure):
            number = candidate.entry.number
            if number in mine and candidate.counts and number not in skipped:
                return number
        raise Impossible(
            rulebook.governance.correction_rule, "there is nothing to redo", "il n'y a rien à rétablir"
        )
    undone = timeline.named(action)
    if undone is not None and undone.status == "undone" and undone.by in mine:
        return undone.by
    if undone is not None and undone.counts and not undone.insert and named in mine:
        return named
    raise Impossible(
        rulebook.governance.correction_rule,
        "action {number} is neither undone nor a correction in force: there is nothing to redo",
        "l'action {number} n'est ni annulée ni une correction en vigueur : il n'y a rien à rétablir",
        number=action,
    )


def correction(rulebook: Rulebook[Any], edits: Sequence[Edit], reason: str, cascade: Cascade) -> Command:
    """Return the command of a correction. The edits take effect together.

    Raises NotYours if the rulebook has no corrections. Performing the command raises WouldSpread (with the
    plan) if a later action would change under the cascade "refuse", and CannotKeep if a later action cannot
    stay under the cascade "keep".
    """
    return Command(
        kind=correction_kind(rulebook),
        params={
            "edits": [msgspec.to_builtins(edit) for edit in edits],
            "cascade": cascade,
            "reason": reason,
        },
    )


def kind_declared(rulebook: Rulebook[Any], base: type[Action]) -> str | None:
    """Return the kind declared by a rulebook for an action of the kernel, or None."""
    return next((kind for kind, action in rulebook.actions.items() if issubclass(action, base)), None)


def correction_kind(rulebook: Rulebook[Any]) -> str:
    """Return the kind of action that corrects games of a rulebook. Raises NotYours for a rulebook without
    corrections.
    """
    kind = kind_declared(rulebook, Correct)
    if kind is not None:
        return kind
    raise NotYours("{rulebook} has no corrections", "{rulebook} n'a pas de corrections", rulebook=rulebook.title)
