"""Revisions of rules: the mended rules of a rulebook or of the kernel, as rows of a revisions.toml.

An entry names the revision of the rules that decided the action. The facts of an entry count for ever; a row names
the kinds of action that the mended rules may decide otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

import msgspec
import rtoml


class Revision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A revision of rules: the number, the change in a sentence, and the kinds of action with decisions that may
    differ from the revision before.
    """

    number: int
    changed: str
    kinds: tuple[str, ...]


def read(text: str) -> tuple[Revision, ...]:
    """Read the rows of a revisions.toml. Raises ValueError if the numbers do not count from 1."""
    rows = msgspec.convert(rtoml.loads(text)["revision"], tuple[Revision, ...])
    if [row.number for row in rows] != [*range(1, len(rows) + 1)]:
        raise ValueError("the revisions are not numbered 1, 2, 3 …")
    return rows


KERNEL: Sequence[Revision] = read((files("ledger.kernel") / "revisions.toml").read_text(encoding="utf-8"))
"""The revisions of the rules common to all games: corrections, disputes, rulings."""
