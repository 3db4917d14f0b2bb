"""Reading an edition: a folder of TOML files, or a JSON file."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from api.command.edition.lines import lines_of
from api.command.edition.slips import parser_words, slip_in
from api.command.terminal.failures import BadInput
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.faces.editions import Editions, Fault, pointer_at
from ledger.rulebooks import rulebooks_by_id
from ledger.rulebooks.parts.reasons import excerpt
from ledger.rulebooks.parts.written.wanted import Written

EDITION = "edition.toml"
"""The file with the title, the options and the rulebook of an edition. The rulebook names all further files.
Each member may be in any of the files.
"""
USUAL = "monopoly"
"""The default rulebook of an edition."""
RULEBOOK = "rulebook"
"""The member with the rulebook's name, not a part of the edition."""

MOST_BYTES = 1_000_000
"""The size of the largest readable file. Comments count here, but not in the edition."""

_BOMS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
_LINE = re.compile(r" \(at line (?P<line>\d+), column \d+\)$")
_AT_END = " (at end of document)"


class Source(NamedTuple):
    """The position of a part: a file and, if any, the line."""

    file: str
    line: int | None

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"


class Finding(NamedTuple):
    """A fault in a file. In a JSON file, without lines, the position is a JSON Pointer."""

    source: Source
    fault: Fault

    def describe(self, language: str) -> str:
        """Describe the finding on one line: the file, the line, the position and the reason."""
        is_json = self.source.line is None and not self.source.file.endswith(".toml")
        position = self.fault.place if is_json else self.fault.place.lstrip("/")
        where = f"{self.source}: {excerpt(position)[1:-1]}" if position else str(self.source)
        return f"{where}: {self.fault.text.in_language(language)}"


def taker_of(rulebook: str) -> Editions:
    """Return the rulebook with this id. Raises BadInput for a rulebook without editions."""
    takes = {name: book.editions for name, book in rulebooks_by_id().items() if book.editions}
    if rulebook not in takes:
        raise BadInput(f"{excerpt(rulebook)} takes no edition of a table; these rulebooks do: {', '.join(takes)}")
    return takes[rulebook]


class Edition:
    """An edition as read: the document, the faults found while reading, and the positions of the parts."""

    def __init__(self) -> None:
        self.rulebook = USUAL
        self.document: dict[str, Any] = {}
        self.findings: list[Finding] = []
        self._sources: dict[str, Source] = {}
        self.homes: dict[str, str] = {}
        """The usual file of each member, by JSON Pointer: there a missing member is missed."""

    def report(self, source: Source, en: str, fr: str, position: str = "") -> None:
        """Record a fault found while reading."""
        self.findings.append(Finding(source, Fault(position, en, fr)))

    def take(self, path: Path, content: dict[str, Any], lines: dict[str, int]) -> None:
        """Take the members of one file."""
        for name, value in content.items():
            position = pointer_at("", name)
            if name == RULEBOOK:
                self.rulebook = str(value)
                continue
            if name in self.document:
                source = Source(str(path), lines.get(position))
                earlier = self._sources[position]
                self.report(source, f"it is in {earlier} already", f"il y en a déjà dans {earlier}", position)
            else:
                self.document[name] = value
        for position, line in lines.items():
            self._sources.setdefault(position, Source(str(path), line))
        self._sources.setdefault("", Source(str(path), None))

    def finding(self, fault: Fault) -> Finding:
        """Locate a fault of the document: in the line of the nearest part with a line."""
        position = fault.place
        while position and position not in self._sources:
            if position in self.homes:
                return Finding(Source(self.homes[position], None), fault)
            position = position.rpartition("/")[0]
        return Finding(self._sources.get(position, Source("", None)), fault)


def read(path: Path) -> Edition:
    """Read the edition in a folder or a JSON file. Raises BadInput without an edition."""
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
    new = taker_of(edition.rulebook).new_edition()
    names = (EDITION, *new.files)
    if not any((folder / name).is_file() for name in names):
        raise BadInput(f"{folder} holds no edition: neither {' nor '.join(names)}")
    for stray in sorted(file.name for file in folder.glob("*.toml") if file.name not in names):
        listed = ", ".join(names)
        edition.report(
            Source(str(folder), None),
            f"{excerpt(stray)} would not be read; the files of an edition are {listed}",
            f"{excerpt(stray)} ne serait pas lu ; les fichiers d'une édition sont {listed}",
        )
    edition.homes = {
        pointer_at("", member): str(folder / name)
        for name, text in new.files.items()
        for member in tomllib.loads(text)
    }
    for name in new.files:
        if (folder / name).is_file():
            _read_toml(folder / name, edition)
    order = dict.fromkeys(["title", "options", *new.members, *edition.document])
    edition.document = {name: edition.document[name] for name in order if name in edition.document}


def _text(path: Path, edition: Edition) -> str | None:
    """Read the text of a file; None, with a fault, for a file too large or not UTF-8."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as fault:
        raise BadInput(f"{path} cannot be read: {fault.strerror}") from fault
    if len(content) > MOST_BYTES:
        edition.report(
            Source(str(path), None),
            f"a file of an edition has at most {MOST_BYTES} bytes",
            f"un fichier d'une édition a au plus {MOST_BYTES} octets",
        )
        return None
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as fault:
        named = _BOMS.get(content[:2])
        line = None if named else content.count(b"\n", 0, fault.start) + 1
        en, fr = (
            (f", but {named}: save it as UTF-8", f", mais {named} : enregistrez-le en UTF-8")
            if named
            else ("", "")
        )
        edition.report(Source(str(path), line), f"it is not UTF-8{en}", f"ce n'est pas de l'UTF-8{fr}")
        return None


def _read_toml(path: Path, edition: Edition) -> None:
    text = _text(path, edition)
    if text is None:
        return
    content = _parsed(
        path,
        edition,
        lambda: tomllib.loads(text, parse_float=Written.read),
        lambda message: _line_in(message, text),
        lambda line: slip_in(text.split("\n")[line - 1]),
    )
    if content is not None:
        edition.take(path, content, lines_of(text))


def _line_in(message: str, text: str) -> int:
    matched = _LINE.search(message)
    return int(matched["line"]) if matched else text.count("\n") + 1 if message.endswith(_AT_END) else 1


class _DuplicateMemberError(ValueError):
    """An object has a member twice."""


def _distinct(members: list[tuple[str, Any]]) -> dict[str, Any]:
    named = dict(members)
    if len(named) < len(members):
        names = [name for name, _ in members]
        twice = next(name for number, name in enumerate(names) if name in names[:number])
        raise _DuplicateMemberError(f"an object names the member {excerpt(twice)} twice")
    return named


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number of JSON")


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
        edition.report(Source(str(path), None), "an edition is an object", "une édition est un objet")


def _parsed(
    path: Path,
    edition: Edition,
    parse: Callable[[], Any],
    line: Callable[[str], int] | None = None,
    slip: Callable[[int], Phrase | None] = lambda _: None,
) -> Any:
    """Parse a file; return None, with a fault, for content unlike the file's name.

    `line` finds the line in the parser's message, and `slip` the probable slip of the pen in a line.
    """
    kind = "TOML" if path.suffix == ".toml" else "JSON"
    try:
        return parse()
    except RecursionError:
        edition.report(
            Source(str(path), None), "it is nested too deeply", "les niveaux imbriqués sont trop nombreux"
        )
    except ValueError as fault:
        message = str(fault)
        why = parser_words(_LINE.sub("", message).removesuffix(_AT_END))
        number = line and line(message)
        hint = slip(number) if number else None
        edition.report(
            Source(str(path), number),
            f"it is not {kind}: {why.en}{f'; {hint.en}' if hint else ''}",
            f"ce n'est pas du {kind} : {why.fr}{f' ; {hint.fr}' if hint else ''}",
        )
    return None
