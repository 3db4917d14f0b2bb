"""Throws, payments and rents, counted from exported tables. No code here is shared with the statistics."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

_THROWS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "movement dice": (("dice_thrown", "dice"),),
    "drug die": (("dose_consumed", "die"),),
    "vehicle die": (("vehicle_used", "die"),),
    "rpg die": (("rpg_fired", "die"),),
    "glock die": (("glock_drawn", "die"),),
    "dice": (("dice_thrown", "dice"), ("jail_thrown", "dice"), ("rent_thrown", "dice"), ("order_thrown", "dice")),
    "tie": (("tie_thrown", "dice"),),
    "die": (("chance_die_thrown", "face"),),
}
"""By dice of the statistics: which events show a throw, and in which field."""
RENTS = frozenset({"rent_paid"})


def rows_of(table: str) -> Iterator[dict[str, str]]:
    """The rows of an exported table that count."""
    for row in csv.DictReader(io.StringIO(table)):
        if row["counts"] in {"true", "True", "t", "1"}:
            yield row


def throws(events: str, dice: str) -> dict[str, Counter[int]]:
    """How often each seat threw each face of these dice."""
    faces: dict[str, Counter[int]] = defaultdict(Counter)
    fields = dict(_THROWS[dice])
    for row in rows_of(events):
        if row["kind"] in fields:
            data: Any = json.loads(row["data"])
            shown = data.get(fields[row["kind"]])
            for face in [shown] if isinstance(shown, int) else shown or []:
                faces[data["seat"]][face] += 1
    return dict(faces)


def counted_dice() -> frozenset[str]:
    """The dice that are counted here."""
    return frozenset(_THROWS)


def balances(postings: str, currency: str, owners: Mapping[str, str]) -> Counter[str]:
    """How much more money each seat has by all postings that count."""
    sums: Counter[str] = Counter()
    for row in rows_of(postings):
        if row["commodity"] == currency:
            source, target = owners.get(row["source"]), owners.get(row["target"])
            if source != target:
                if source is not None:
                    sums[source] -= int(row["amount"])
                if target is not None:
                    sums[target] += int(row["amount"])
    return sums


def rents(postings: str, currency: str, owners: Mapping[str, str]) -> Counter[tuple[str, str]]:
    """The rents from seat to seat."""
    sums: Counter[tuple[str, str]] = Counter()
    for row in rows_of(postings):
        if row["commodity"] == currency and row["kind"] in RENTS:
            source, target = owners.get(row["source"]), owners.get(row["target"])
            if source is not None and target is not None and source != target:
                sums[source, target] += int(row["amount"])
    return sums
