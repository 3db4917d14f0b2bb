"""Reading an edition: a folder of TOML files, or a JSON file."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from api.command.edition.lines import lines_of
from api.command.terminal.failures import BadInput
from ledger.rulebooks import known
from ledger.rulebooks.parts.brought import Fault, TakesEditions, at, taker
from ledger.rulebooks.parts.reasons import shown

EDITION = "edition.toml"
"""The file with the title, the options and the rulebook of an edition; the rulebook names the others. Each member
stands in one of them, in any."""
USUAL = "monopoly"
"""The rulebook of an edition that names none."""
RULEBOOK = "rulebook"
"""The member that names the rulebook; it is no part of the edition."""

MOST_BYTES = 1_000_000
"""The size of the largest file that is read. Comments count here, and not in the edition."""

_LINE = re.compile(r" \(at line (?P<line>\d+), column \d+\)$")
_AT_END = " (at end of document)"


class Source(NamedTuple):
    """Where something stands: a file and, where there are any, the line."""

    file: str
    line: int | None

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"


class Finding(NamedTuple):
    """A fault in a file. In a JSON file, which has no lines, its place is a JSON Pointer."""

    source: Source
    fault: Fault

    def said(self, language: str) -> str:
        """One line for people: the file, the line, the place and the reason."""
        place = self.fault.place if self.source.line is None else self.fault.place.lstrip("/")
        where = f"{self.source}: {shown(place)[1:-1]}" if place else str(self.source)
        return f"{where}: {self.fault.said(language)}"


def taker_of(rulebook: str) -> TakesEditions:
    """The rulebook of this id. Raises BadInput for one that takes no editions."""
    takes = {name: found for name, one in known().items() if (found := taker(one))}
    if rulebook not in takes:
        raise BadInput(f"{shown(rulebook)} takes no edition of a table; these rulebooks do: {', '.join(takes)}")
    return takes[rulebook]


class Edition:
    """An edition as it was read: its document, the faults found on the way, and where its parts stand."""

    def __init__(self) -> None:
        self.rulebook = USUAL
        self.document: dict[str, Any] = {}
        self.findings: list[Finding] = []
        self._sources: dict[str, Source] = {}

    def found(self, source: Source, en: str, fr: str, place: str = "") -> None:
        """Keep a fault that was found while reading."""
        self.findings.append(Finding(source, Fault(place, en, fr)))

    def take(self, path: Path, content: dict[str, Any], lines: dict[str, int]) -> None:
        """Take the members of one file."""
        for name, value in content.items():
            place = at("", name)
            if name == RULEBOOK:
                self.rulebook = str(value)
                continue
            if name in self.document:
                source = Source(str(path), lines.get(place))
                before = self._sources[place]
                self.found(source, f"it is in {before} already", f"il y en a déjà dans {before}", place)
            else:
                self.document[name] = value
        for place, line in lines.items():
            self._sources.setdefault(place, Source(str(path), line))
        self._sources.setdefault("", Source(str(path), None))

    def finding(self, fault: Fault) -> Finding:
        """A fault of the document, where it stands: in the line of the nearest part that has one."""
        place = fault.place
        while place and place not in self._sources:
            place = place.rpartition("/")[0]
        return Finding(self._sources.get(place, Source("", None)), fault)


def read(path: Path) -> Edition:
    """Read the edition in a folder or a JSON file. Raises BadInput when there is none."""
    edition = Edition()
    if path.is_dir():
        _read_folder(path, edition)
    elif path.is_file():
        _read_json(path, edition)
    else:
        raise BadInput(f"{path} is neither a folder nor a file")
    return edition


def _read_folder(folder: Path, edition: Edition) -> None:
    if (folder / EDITION).is_file():
        _read_toml(folder / EDITION, edition)
    new = taker_of(edition.rulebook).new_edition
    names = (EDITION, *new.files)
    if not any((folder / name).is_file() for name in names):
        raise BadInput(f"{folder} holds no edition: neither {' nor '.join(names)}")
    for stray in sorted(one.name for one in folder.glob("*.toml") if one.name not in names):
        listed = ", ".join(names)
        edition.found(
            Source(str(folder), None),
            f"{shown(stray)} would not be read; the files of an edition are {listed}",
            f"{shown(stray)} ne serait pas lu ; les fichiers d'une édition sont {listed}",
        )
    for name in new.files:
        if (folder / name).is_file():
            _read_toml(folder / name, edition)
    order = dict.fromkeys(["title", "options", *new.members, *edition.document])
    edition.document = {name: edition.document[name] for name in order if name in edition.document}


def _text(path: Path, edition: Edition) -> str | None:
    """The text of a file; None, with a fault, for one that is too large or is no text."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as fault:
        raise BadInput(f"{path} cannot be read: {fault.strerror}") from fault
    if len(content) > MOST_BYTES:
        edition.found(
            Source(str(path), None),
            f"a file of an edition has at most {MOST_BYTES} bytes",
            f"un fichier d'une édition a au plus {MOST_BYTES} octets",
        )
        return None
    try:
        return content.decode().replace("\r\n", "\n")
    except UnicodeDecodeError as fault:
        line = content.count(b"\n", 0, fault.start) + 1
        edition.found(Source(str(path), line), "it is not UTF-8", "ce n'est pas de l'UTF-8")
        return None


def _read_toml(path: Path, edition: Edition) -> None:
    text = _text(path, edition)
    if text is None:
        return
    content = _parsed(path, edition, lambda: tomllib.loads(text), lambda said: _line_in(said, text))
    if content is not None:
        edition.take(path, content, lines_of(text))


def _line_in(said: str, text: str) -> int:
    place = _LINE.search(said)
    return int(place["line"]) if place else text.count("\n") + 1 if said.endswith(_AT_END) else 1


class _Twice(ValueError):  # noqa: N818 - it names a condition
    """An object names a member twice."""


def _distinct(members: list[tuple[str, Any]]) -> dict[str, Any]:
    named = dict(members)
    if len(named) < len(members):
        names = [name for name, _ in members]
        twice = next(name for number, name in enumerate(names) if name in names[:number])
        raise _Twice(f"an object names the member {shown(twice)} twice")
    return named


def _no_number(said: str) -> Any:
    raise ValueError(f"{said} is no number of JSON")


def _read_json(path: Path, edition: Edition) -> None:
    text = _text(path, edition)
    if text is None:
        return

    def parse() -> Any:
        return json.loads(text, object_pairs_hook=_distinct, parse_constant=_no_number)

    content = _parsed(path, edition, parse)
    if isinstance(content, dict):
        edition.take(path, content, {})
    elif content is not None:
        edition.found(Source(str(path), None), "an edition is an object", "une édition est un objet")


def _parsed(
    path: Path, edition: Edition, parse: Callable[[], Any], line: Callable[[str], int] | None = None
) -> Any:
    """What a file holds; None, with a fault, for a file that is not what its name says."""
    kind = "TOML" if path.suffix == ".toml" else "JSON"
    try:
        return parse()
    except RecursionError:
        edition.found(
            Source(str(path), None), "it is nested too deeply", "les niveaux imbriqués sont trop nombreux"
        )
    except ValueError as fault:
        said = str(fault)
        why = _LINE.sub("", said).removesuffix(_AT_END)
        edition.found(
            Source(str(path), line and line(said)), f"it is not {kind}: {why}", f"ce n'est pas du {kind} : {why}"
        )
    return None
