"""Stored games of Negopoly under other rules: decided again, imported, corrected, and played on.

Run by `test_mended` on the project, and on copies with mended rules. A line of JSON is printed for each game:
`python -m tests.rulebooks.mended <url> <game>…`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ledger.kernel.deciding.in_memory import JournalInMemory
from ledger.kernel.deciding.moves import moves
from ledger.kernel.deciding.replanning import plan
from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.edits import Drop
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.journal.entry import canonical, read
from ledger.kernel.journal.stored import copied
from ledger.kernel.rules.actions import Correct
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.service import Command, Ledger
from ledger.trust.verifying import verify
from tests.golden import DECIDED_OTHERWISE, entries_of
from tests.replays import shelf


def corrected(name: str) -> Iterator[list[Any]]:
    """Some actions dropped from a game, each with what comes of the later actions.

    Without a rent among them: that is paid anew, by the rules of today.
    """
    journal = JournalInMemory(RULEBOOK)
    for entry in entries_of(name):
        journal.append(entry)
    last = len(journal.entries)
    head = journal.state_after(last)
    kept = [entry.number for entry in journal.entries if entry.kind != "resolve_square"]
    for number in kept[len(kept) // 7 :: -(-len(kept) // 7)]:
        request = Correct(edits=(Drop(number),), cascade="restate", reason="a slip")
        try:
            found = plan(RULEBOOK, journal.timeline(), head, lambda one: journal.state_after(one - 1), request)
            labels = [[one.timeline_entry.name for one in part] for part in (found.restated, found.voided)]
            yield [number, *labels, [step.next_action for step in found.steps]]
        except Refusal as refusal:
            yield [number, type(refusal).__name__]


def imported(ledger: Ledger, name: str) -> int:
    """Import a game up to where it can go on. Returns the number of actions decided under older rules."""
    entries = [read(copied(canonical(entry), name, entry.salt)) for entry in entries_of(name)]
    while _ended(entries):
        entries.pop()
    first = json.loads(bytes(entries[0].params))
    setup = {"players": first["players"], "settings": first["settings"], "dice": first["dice"]}
    with TemporaryDirectory() as folder:
        file = Path(folder) / "journal.jsonl"
        shelf.write_file(file, shelf.header_of(entries, setup), [canonical(entry) for entry in entries])
        return shelf.put_in(ledger, file, as_recorded=name in DECIDED_OTHERWISE).exempt


def _ended(entries: list[Any]) -> bool:
    journal = JournalInMemory(RULEBOOK)
    journal.entries = entries
    return journal.state_after(len(entries)).ended


def played_on(ledger: Ledger, name: str) -> tuple[int, int]:
    """A move of a seat, and a correction by the banker; the revision of the last entry."""
    state = ledger.moment(name, BANKER).state
    at = state.last_at or ledger.clock.current_time()
    ledger = Ledger(ledger.store, {RULEBOOK.id: RULEBOOK}, clock=lambda: at)
    plain = (
        (seat, move.kind, move.params)
        for seat in state.seats
        for move in moves(RULEBOOK, state, seat, RULEBOOK.accounts.purse(seat), Viewer("player", seat), at)
        if not move.free and move.drawing is None and move.kind != "undo"
    )
    dispute: dict[str, Any] = {"claim": "a slip", "actions": [state.version]}
    seat, kind, params = next(plain, (min(state.seats), "open_dispute", dispute))
    ledger.perform(name, Viewer("player", seat), Command(kind=kind, params=params))
    edits = [{"op": "drop", "action": state.version + 1}]
    slip = {"edits": edits, "cascade": "restate", "reason": "a slip"}
    ledger.perform(name, BANKER, Command(kind="correct", params=slip))
    stored = ledger.store.journal.entry(name, state.version + 2)
    assert stored is not None
    return read(stored).decided_under


def main(url: str, *names: str) -> None:
    """Print a line for each game."""
    with shelf.ledger_on(url) as ledger:
        for name in names:
            exempt = imported(ledger, name)
            revision = played_on(ledger, name)
            findings = [*verify(ledger.games, name, decide=True)]
            wrong = [str(one) for one in findings if not one.exempt]
            line = {"corrected": [*corrected(name)], "wrong": wrong, "revision": revision}
            print(json.dumps({"game": name, "exempt": exempt, "again": len(findings) - len(wrong), **line}))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
