"""Mending the past: corrections, and undo and redo, which are short for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec

from ledger.acting.performing import Acting, Command, Performed, StaleVersion, request_digest
from ledger.games.states import Game
from ledger.kernel.actions import Action, Cascade
from ledger.kernel.arbitration.docket import OpenDispute
from ledger.kernel.audience import Viewer
from ledger.kernel.history.corrections import Correct, Drop, Edit, is_move, is_redo
from ledger.kernel.refusals import Impossible, NotYours
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.seeing import looking, sight

_PAGE = 100


class TakeBack(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be undone or redone, and why.

    To undo: the action named, or the last one played (by a player: their own last one). To redo: the correction
    named, the one that undid the action named, or the latest one in force that did more than take others back.
    """

    way: Literal["undo", "redo"]
    action: int | None = None
    reason: str
    cascade: Cascade = "refuse"


class Correcting(Acting):
    """What changes the history of a game, by appending to its journal like everything else."""

    def correct(
        self,
        game_id: str,
        viewer: Viewer,
        edits: Sequence[Edit],
        *,
        reason: str,
        cascade: Cascade = "refuse",
        language: str = "en",
        expected: int | None = None,
        key: str | None = None,
    ) -> Performed:
        """Correct the history; the edits are one atomic whole.

        Raises as `perform` does; WouldSpread (carrying the plan) with cascade "refuse" when a later action would
        change, CannotKeep with "keep" when one could not stand.
        """
        command = self.correction(game_id, edits, reason, cascade)
        return self.perform(game_id, viewer, command, language=language, expected=expected, key=key)

    def preview_correction(
        self,
        game_id: str,
        viewer: Viewer,
        edits: Sequence[Edit],
        *,
        reason: str,
        cascade: Cascade = "refuse",
        language: str = "en",
        expected: int | None = None,
    ) -> Performed:
        """What `correct` would answer, with the preview of what it comes to. Raises as `correct` does."""
        command = self.correction(game_id, edits, reason, cascade)
        return self.preview(game_id, viewer, command, language=language, expected=expected)

    def correction(self, game_id: str, edits: Sequence[Edit], reason: str, cascade: Cascade) -> Command:
        """A correction as a command. Raises NotYours when the rulebook has none."""
        return Command(
            kind=correction_kind(self.rulebook_of(game_id)),
            params={
                "edits": [msgspec.to_builtins(edit) for edit in edits],
                "cascade": cascade,
                "reason": reason,
            },
        )

    def take_back(
        self,
        game_id: str,
        viewer: Viewer,
        asked: TakeBack,
        *,
        language: str = "en",
        expected: int | None = None,
        key: str | None = None,
        dry_run: bool = False,
    ) -> Performed:
        """Undo or redo: a correction with one edit. Nothing is written in a dry run, which gives the preview.

        Raises as `correct` does, NotYours for whom the rulebook does not let undo by themself, and Impossible
        when there is nothing to undo or to redo.
        """
        rulebook = self.rulebook_of(game_id)
        if viewer.role == "spectator" or (viewer.role == "player" and not rulebook.player_undo):
            raise NotYours("only the banker corrects the history", "seul le banquier corrige l'histoire")

        def command(meant: int) -> Command:
            return self.correction(game_id, (Drop(meant),), asked.reason, asked.cascade)

        return self._on_what_is_meant(game_id, viewer, asked, command, language, expected, key, dry_run)

    def ask_for_undo(
        self,
        game_id: str,
        viewer: Viewer,
        asked: TakeBack,
        *,
        language: str = "en",
        expected: int | None = None,
        key: str | None = None,
        dry_run: bool = False,
    ) -> Performed:
        """Ask the banker to undo an action, where only the banker may: a dispute that cites it.

        Raises as `perform` does, NotYours when the rulebook has no disputes, and Impossible when there is nothing
        to undo.
        """
        kind = kind_declared(self.rulebook_of(game_id), OpenDispute)
        if kind is None:
            raise NotYours("only the banker corrects the history", "seul le banquier corrige l'histoire")

        def command(meant: int) -> Command:
            return Command(kind=kind, params={"claim": asked.reason, "actions": [meant]})

        return self._on_what_is_meant(game_id, viewer, asked, command, language, expected, key, dry_run)

    def _on_what_is_meant(
        self,
        game_id: str,
        viewer: Viewer,
        asked: TakeBack,
        command: Callable[[int], Command],
        language: str,
        expected: int | None,
        key: str | None,
        dry_run: bool,
    ) -> Performed:
        """Perform the command about the action that is meant, which is looked up anew when the game moves on."""
        game = self.opened_game(game_id)
        while True:
            # What was meant the first time may not be what is meant now.
            if key is not None and not dry_run:
                earlier = self._earlier(game, key, request_digest(viewer, asked))
                if earlier is not None:
                    return self._replay(game, earlier, viewer, language)
            head = self.state(game_id).version
            if expected is not None and expected != head:
                raise StaleVersion(expected, head)
            now = command(self._meant(game, viewer, asked))
            try:
                if dry_run:
                    return self.preview(game_id, viewer, now, language=language, expected=head)
                return self.perform(game_id, viewer, now, language=language, expected=head, key=key, asked=asked)
            except StaleVersion:
                if expected is not None:
                    raise

    def _meant(self, game: Game, viewer: Viewer, asked: TakeBack) -> int:
        """The number of the action that is to be dropped. Raises Impossible when there is none."""
        if asked.way == "redo":
            return self._correction_meant(game, asked.action, viewer)
        return self._last_move(game, viewer) if asked.action is None else asked.action

    def _last_move(self, game: Game, viewer: Viewer) -> int:
        """The number of the last action played: for a player, the last one for their seat that they know of."""
        now = self.state(game.record.game_id)
        viewer = looking(now, viewer)
        last = now.version
        while last > 1:
            first = max(2, last - _PAGE + 1)
            timeline = self.timeline(game, first, last)
            for number in range(last, first - 1, -1):
                standing = timeline.standing(number)
                if standing is None or not is_move(game.rulebook, standing):
                    continue
                mine = standing.entry.seat == viewer.seat and sight(standing, viewer).anything
                if viewer.role == "banker" or standing.entry.by == viewer.seat or mine:
                    return number
            last = first - 1
        raise Impossible(game.rulebook.correction_rule, "there is nothing to undo", "il n'y a rien à annuler")

    def _correction_meant(self, game: Game, action: int | None, viewer: Viewer) -> int:
        """The number of the correction to take back. To a player there are none but their own."""
        state = self.state(game.record.game_id)
        numbers = frozenset(number for number, _ in state.corrections)
        wanted = numbers if action is None else {action}
        timeline = self.timeline_of(game, self.entries_between(game, action, action) if action else ())
        kind = correction_kind(game.rulebook)
        standings = [one for number in numbers if (one := timeline.standing(number)) is not None]
        # Taking back a ruling is an undo, although the ruling may have corrected something itself.
        pure = frozenset(one.entry.number for one in standings if one.entry.kind == kind)
        mine = frozenset(
            one.entry.number for one in standings if viewer.role == "banker" or one.entry.by == viewer.seat
        )
        for number in sorted(wanted, reverse=True):
            standing = timeline.standing(number)
            if standing is None:
                break
            if action is not None and standing.status == "undone" and standing.by in mine:
                return standing.by
            if not standing.counts or number not in mine:
                continue
            if action is not None or (standing.entry.kind == kind and not is_redo(standing, pure)):
                return number
        if action is None:
            raise Impossible(game.rulebook.correction_rule, "there is nothing to redo", "il n'y a rien à rétablir")
        raise Impossible(
            game.rulebook.correction_rule,
            "action {number} is neither undone nor a correction in force: there is nothing to redo",
            "l'action {number} n'est ni annulée ni une correction en vigueur : il n'y a rien à rétablir",
            number=action,
        )


def kind_declared(rulebook: Rulebook[Any], base: type[Action]) -> str | None:
    """The kind under which a rulebook declares an action of the kernel's; None when it has none."""
    return next((kind for kind, action in rulebook.actions.items() if issubclass(action, base)), None)


def correction_kind(rulebook: Rulebook[Any]) -> str:
    """The kind of a rulebook's corrections. Raises NotYours when it has none."""
    kind = kind_declared(rulebook, Correct)
    if kind is not None:
        return kind
    raise NotYours("{rulebook} has no corrections", "{rulebook} n'a pas de corrections", rulebook=rulebook.title)
