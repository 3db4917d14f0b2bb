"""Print the causes of a correction of a stored game, by one process: `python -m tests.golden.causes`."""

from __future__ import annotations

import sys

from ledger.kernel.deciding.in_memory import JournalInMemory
from ledger.kernel.deciding.replanning import plan
from ledger.kernel.facts.edits import Drop
from ledger.kernel.rules.actions import Correct
from tests.golden import entries_of, rulebook_of

GAME, DROPPED = "virtual_revolution_v3", 11


def main() -> None:
    """Plan to drop an early action, and print each later one with its cause."""
    rulebook = rulebook_of(GAME)
    journal = JournalInMemory(rulebook)
    for entry in entries_of(GAME):
        journal.append(entry)
    head = journal.state_after(len(journal.entries))
    request = Correct(edits=(Drop(DROPPED),), cascade="restate", reason="a slip")
    found = plan(rulebook, journal.timeline(), head, lambda number: journal.state_after(number - 1), request)
    sys.stdout.writelines(f"{label} {link.edit} {link.because}\n" for label, link in found.links.items())


if __name__ == "__main__":
    main()
