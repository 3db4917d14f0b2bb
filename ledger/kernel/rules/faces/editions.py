"""Editions: whole games brought by tables as a document, checked before a game exists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.face import BoardFace


class Fault(msgspec.Struct, frozen=True):
    """A fault in an edition, with a JSON Pointer (RFC 6901) into the document."""

    place: str
    en: str
    fr: str

    @property
    def text(self) -> Phrase:
        """The reason in both languages."""
        return Phrase(self.en, self.fr)


def pointer_at(base: str, *steps: str | int) -> str:
    """Append steps to a JSON Pointer."""
    return base + "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def refuse(faults: Iterable[Fault], base: str = "") -> None:
    """Refuse settings by the first fault; `base` is the JSON Pointer in the settings to the faulty value.

    Raises Malformed, with the `place` in the settings.
    """
    for fault in faults:
        raise Malformed("{place}: {en}", "{place} : {fr}", en=fault.en, fr=fault.fr, place=base + fault.place)


class NewEdition(NamedTuple):
    """The starting material for a table's own edition, as a folder of TOML files."""

    title: str
    options: Mapping[str, tuple[str, Any]]
    """The available options, each with an English explanation and the usual value (None for no value)."""
    files: Mapping[str, str]
    """The texts of the files with the pieces, by file name."""
    members: Sequence[str]
    """The members of an edition beside the title and the options, in order."""
    counted: Sequence[Counted]
    face: BoardFace
    """The look of a table without a face of its own."""
    """The members counted in the report on a playable edition."""


class Counted(NamedTuple):
    """A list in an edition, with the names of a single row and of several rows."""

    member: str
    single: Phrase
    several: Phrase


class TableFiles(NamedTuple):
    """The files of an edition from a table of pieces, by name, and the number of guesses in comments."""

    files: Mapping[str, str]
    guesses: int


class Editions(NamedTuple):
    """The editions that tables may bring to a rulebook."""

    edition_setting: str
    """The name of the setting for the pieces of an edition."""
    faults_of: Callable[[Any], Sequence[Fault]]
    """A function that returns the faults of an edition, given as plain data; none for a playable edition."""
    settings_of: Callable[[Mapping[str, Any], Mapping[str, Any]], dict[str, Any]]
    """A function that returns the settings of a game with a faultless edition, and with the settings beside it."""
    new_edition: Callable[[], NewEdition]
    """A function that returns the starting material for a table's own edition."""
    warnings_of: Callable[[Any], Sequence[Fault]]
    """A function that returns the parts of a faultless edition without effect, or forgotten."""
    normal: Callable[[Any], Any]
    """A function that returns an edition in the stored form, with every part in place."""

    from_table: Callable[[str, str], TableFiles] | None = None
    """A function that returns the files of an edition from the text of a table and a title; None for no such way.

    Raises ValueError with the reason, in English, for an unreadable table.
    """

    def title_of(self, document: Mapping[str, Any]) -> str:
        """Return the title of a faultless edition."""
        return str(document["title"])
