"""The file of a recorded game: its lines, read and checked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

import msgspec

from ledger.kernel.rules.opening import Dice

T = TypeVar("T")


_REFERENCE = re.compile(r"(?P<sign>\$|#(?=\w+$))(?P<name>[A-Za-z][A-Za-z0-9_]*)(?P<nth>-[1-9][0-9]*)?")


_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


class BadRecording(ValueError):  # noqa: N818 - it names a condition
    """The file is no recorded game: the wrong line (counted from 1), and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player: the id of the seat, and the name."""

    seat: str
    name: str


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The request that creates the game. The service has defaults for the title and the settings."""

    rulebook: str
    players: tuple[Player, ...]
    title: str | msgspec.UnsetType = msgspec.UNSET
    settings: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET
    dice: Dice = "table"


class Refused(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The expected refusal of an action: the status, and a cited rule (None for any)."""

    status: int
    rule: str | None = None

    def __str__(self) -> str:
        return f"a refusal with {self.status}" + (f" by rule {self.rule}" if self.rule else "")


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An action to be accepted or refused."""

    by: str
    kind: str
    params: dict[str, Any] = {}
    seat: str | None = None
    override: str | None = None
    name: str | None = None
    refused: Refused | None = None

    def __str__(self) -> str:
        return f"{self.kind} by {self.by}" + (f" for {self.seat}" if self.seat else "")


class Check(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The expected state. Amounts are whole numbers."""

    holdings: dict[str, dict[str, int]] = {}
    exact: bool = False
    owners: dict[str, str | None] = {}
    positions: dict[str, int] = {}
    round: int | None = None
    status: str | None = None
    winners: list[str] | None = None


class Recording(msgspec.Struct, frozen=True):
    """A recorded game: the setup, and the steps and checks, each with its line number."""

    line: int
    setup: Setup
    lines: tuple[tuple[int, Step | Check], ...]

    @property
    def accepted(self) -> list[Step]:
        """The accepted actions, in order."""
        return [step for _, step in self.lines if isinstance(step, Step) and step.refused is None]


class _Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: Setup


class _Checking(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    check: Check


def read(lines: Iterable[str]) -> Recording:
    """Read a recorded game from the lines of its file. Raises BadRecording at the first wrong line."""
    opening: tuple[int, Setup] | None = None
    steps: list[tuple[int, Step | Check]] = []
    names: set[str] = set()
    number = 0
    for number, text in enumerate(lines, start=1):
        plain = _object(number, text)
        if plain is None or "comment" in plain:
            continue
        if opening is None:
            if "game" not in plain:
                raise BadRecording(number, 'a recorded game begins with {"game": …}')
            opening = (number, _convert(number, plain, _Opening).game)
            continue
        if "game" in plain:
            raise BadRecording(number, "a second game: there is one to a file")
        if "check" in plain:
            steps.append((number, _check_of(number, plain, opening[1])))
            continue
        step = _convert(number, plain, Step)
        _require_sense(number, step, opening[1], names)
        if step.name is not None:
            names.add(step.name)
        steps.append((number, step))
    if opening is None:
        raise BadRecording(number + 1, 'the file ends before {"game": …}')
    return Recording(*opening, tuple(steps))


def _object(number: int, text: str) -> dict[str, Any] | None:
    if not text.strip():
        return None
    try:
        plain = msgspec.json.decode(text)
    except msgspec.DecodeError as fault:
        raise BadRecording(number, f"not JSON: {fault}") from fault
    if not isinstance(plain, dict):
        raise BadRecording(number, "not a JSON object")
    if "comment" in plain and (len(plain) > 1 or not isinstance(plain["comment"], str)):
        raise BadRecording(number, "a comment is a string and stands alone in its line")
    return plain


def _convert(number: int, plain: dict[str, Any], shape: type[T]) -> T:
    try:
        return msgspec.convert(plain, shape)
    except msgspec.ValidationError as fault:
        raise BadRecording(number, str(fault)) from fault


def _check_of(number: int, plain: dict[str, Any], setup: Setup) -> Check:
    check = _convert(number, plain, _Checking).check
    if check == Check():
        raise BadRecording(number, "a check that names nothing")
    seats = {player.seat for player in setup.players}
    named = {*check.positions, *(check.winners or ()), *(owner for owner in check.owners.values() if owner)}
    if strangers := sorted(named - seats):
        raise BadRecording(number, f"no seat of this game: {', '.join(strangers)}")
    return check


def _require_sense(number: int, step: Step, setup: Setup, names: set[str]) -> None:
    """Check a step beyond its type: seats exist, and names are unique and defined before their use."""
    seats = {player.seat for player in setup.players}
    if step.by != "banker" and step.by not in seats:
        raise BadRecording(number, f"by is a seat of this game or banker, not {step.by!r}")
    if step.name is not None:
        if step.refused is not None:
            raise BadRecording(number, "an action that is refused has no number for a name to stand for")
        if _NAME.fullmatch(step.name) is None:
            raise BadRecording(number, f"{step.name!r} is no name: letters, digits and _, beginning with a letter")
        if step.name in names:
            raise BadRecording(number, f"the name {step.name!r} is given twice")
    for reference in _references(step.params):
        if reference["name"] not in names:
            raise BadRecording(number, f"no earlier action is named {reference['name']!r}")


def _references(value: Any) -> Iterator[re.Match[str]]:
    match value:
        case str():
            if (matched := _REFERENCE.fullmatch(value)) is not None:
                yield matched
        case dict():
            for inner in value.values():
                yield from _references(inner)
        case list():
            for inner in value:
                yield from _references(inner)


def resolved(value: Any, numbers: Mapping[str, int]) -> Any:
    """Replace every reference in a value by its number."""
    match value:
        case str():
            matched = _REFERENCE.fullmatch(value)
            if matched is None:
                return value
            number = numbers[matched["name"]]
            return number if matched["sign"] == "#" else f"{number}{matched['nth'] or ''}"
        case dict():
            return {name: resolved(inner, numbers) for name, inner in value.items()}
        case list():
            return [resolved(inner, numbers) for inner in value]
        case _:
            return value
