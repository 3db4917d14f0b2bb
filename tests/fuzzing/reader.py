"""A reader of bytes from outside, and the demands on every reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from unicodedata import category

from api.command.terminal.failures import BadInput
from api.rest.problems.problems import Problem

LONGEST_TEXT = 20_000
"""The longest text of an error, in characters: many findings of one line each."""


class UnexpectedError(AssertionError):
    """A reader broke a demand. The message names the demand and the input."""


@dataclass(frozen=True)
class Reader:
    """A reader with valid examples.

    `read` returns a value, or raises one of `refusals`. `write` turns a value back into bytes, and reading these
    bytes again gives an equal value. No error text holds one of `secrets`.
    """

    name: str
    seeds: tuple[bytes, ...]
    read: Callable[[bytes], Any]
    refusals: tuple[type[Exception], ...] = ()
    write: Callable[[Any], bytes] | None = None
    secrets: tuple[str, ...] = ()
    inputs: int = 15
    """The number of inputs in `make test`; slow readers get fewer."""

    def demand(self, data: bytes) -> bool:
        """Read an input. Returns whether the reader accepts. Raises UnexpectedError for a broken demand."""
        try:
            value = self.read(data)
        except self.refusals as refusal:
            # An answer goes to the sender alone, and quotes a long name several times, in both languages here.
            longest = LONGEST_TEXT + (12 * len(data) if isinstance(refusal, Problem) else 0)
            self._demand_text(_text_of(refusal), data, longest)
            return False
        except (Exception, SystemExit) as fault:
            raise UnexpectedError(
                f"{self.name}: {type(fault).__name__}: {fault!s:.300} for {_excerpt(data)}"
            ) from fault
        if self.write is not None:
            try:
                again = self.read(self.write(value))
            except Exception as fault:
                raise UnexpectedError(
                    f"{self.name}: written again: {fault!r:.300} for {_excerpt(data)}"
                ) from fault
            if again != value:
                raise UnexpectedError(f"{self.name}: {value!r:.300} became {again!r:.300} for {_excerpt(data)}")
        return True

    def _demand_text(self, text: str, data: bytes, longest: int) -> None:
        if any(secret in text for secret in self.secrets):
            raise UnexpectedError(f"{self.name}: a secret in the error text for {_excerpt(data)}")
        if len(text) > longest:
            raise UnexpectedError(f"{self.name}: an error text of {len(text)} characters for {_excerpt(data)}")
        try:
            demand_shown(text)
        except AssertionError as fault:
            raise UnexpectedError(f"{self.name}: {fault} for {_excerpt(data)}") from None


def demand_shown(text: str) -> None:
    """Require that a terminal can show the text: no control characters, and no lone surrogates."""
    for character in text:
        if character not in "\n\t" and category(character) in {"Cc", "Cs"}:
            at = text.index(character)
            raise AssertionError(f"no terminal shows {text[max(0, at - 80) : at + 20]!a}")


def _text_of(refusal: Exception) -> str:
    """Everything that an answer or a command tells of a refusal."""
    if isinstance(refusal, Problem):
        return f"{refusal} {refusal.detail!r} {refusal.members}"
    return BadInput(str(refusal)).format_message()


def _excerpt(data: bytes) -> str:
    return repr(data if len(data) <= 600 else data[:600] + b"...")
