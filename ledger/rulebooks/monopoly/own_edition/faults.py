"""A fault of an edition: where it is, and why, in English and French."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import msgspec

from ledger.kernel import texts

_SHOWN = 60
"""How many characters of a value a reason shows."""


class Fault(msgspec.Struct, frozen=True):
    """What is wrong at a place of an edition. The place is a JSON Pointer (RFC 6901) into its document."""

    place: str
    en: str
    fr: str

    def said(self, language: str) -> str:
        """The reason in "en" or "fr"."""
        return self.fr if language == "fr" else self.en


def at(place: str, *steps: str | int) -> str:
    """The JSON Pointer of a place inside another one."""
    return place + "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


_LISTED = 400


def listed(known: Iterable[str]) -> str:
    """What there is to choose from, cut short when there is much."""
    written = ", ".join(known) or "-"
    return written if len(written) <= _LISTED else f"{written[:_LISTED]}…"


def shown(value: Any) -> str:
    """A value of an edition as a reason shows it: as JSON on one line, cut short, with no refused character."""
    try:
        written = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        written = type(value).__name__
    cut = written if len(written) <= _SHOWN else f"{written[:_SHOWN]}…"
    return texts.legible(cut)
