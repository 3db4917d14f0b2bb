"""What an evening finds: the broken invariant, and the sentence that says how."""

from __future__ import annotations

from typing import NamedTuple

INVARIANTS = {
    "a": "the stream, patched, is the state; it names every line that changed; journal and audit agree",
    "b": "what is offered is accepted, as its dry run says; nobody is awaited who is offered nothing",
    "c": "sums are zero; statements, accounts, why and the exported books agree",
    "d": "an honest game verifies, is imported elsewhere and reads the same there; receipts prove",
    "e": "forks, frames and earlier knowledge are the states of their moments",
    "f": "a restored backup and a second service read and sign the same",
    "g": "throws, payments and rents of the statistics are those of the journal",
    "h": "no answer is a failure; no sentence has an id or a hole; nothing hidden is told",
    "i": "who owes whom is the same in all readings, previews and redos; what settles an obligation does",
}


class Finding(NamedTuple):
    """A broken invariant: its letter, what is broken in a few words, and how."""

    invariant: str
    kind: str
    text: str

    def __str__(self) -> str:
        """Say it in a line."""
        return f"({self.invariant}) {self.kind}: {self.text}"


class EveningBroken(Exception):  # noqa: N818 - it ends an evening, and is no failure of the program
    """An evening that cannot go on after a finding."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(str(finding))
        self.finding = finding
