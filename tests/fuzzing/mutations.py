"""Mutations of valid examples: of bytes, and of the words of JSON, TOML, CSV and headers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from hypothesis import strategies as st

MOST_BYTES = 200_000
"""The largest input. A larger one is cut."""

_WORDS = re.compile(rb'"(?:[^"\\]|\\.)*"|[\w.+-]+|\s+|.', re.DOTALL)
_MEMBER = re.compile(rb'"(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)')

ODD = (
    b"",
    b"\x00",
    b"\xef\xbb\xbf",  # a byte order mark
    b"\xff\xfe",
    b"\xed\xa0\x80",  # a lone surrogate in UTF-8
    b'"\\ud800"',
    b"\\udc80",
    b"\\u0000",
    b"-1",
    b"0",
    b"9" * 25,
    b"9223372036854775808",
    b"18446744073709551616",
    b"9" * 5000,
    b"0x" + b"f" * 5000,
    b"1e999",
    b"NaN",
    b"2.5",
    b"null",
    b"true",
    b"{}",
    b"[]",
    b'""',
    b"'",
    b'"',
    b"=",
    b"\n\n",
    b"\r\n",
    b"\x7f",
    b"\x1b[2J",
    "\N{NEXT LINE}".encode(),
    "\N{LINE SEPARATOR}".encode(),
    "\N{ARABIC-INDIC DIGIT THREE}".encode(),
    "\N{SUPERSCRIPT TWO}".encode(),
    "\N{RIGHT-TO-LEFT OVERRIDE}".encode(),
    b"1979-05-27T07:32:00Z",
    b"1979-05-27",
    b"0001-01-01T00:00:00+23:59",
    b'"0001-01-01T00:00:00+23:59"',
    b'"9999-12-31T23:59:59-23:59"',
    b"x" * 3000,
)
"""Words at the limits of readers."""

Draw = Callable[[st.SearchStrategy[int]], int]
Mutation = Callable[[Draw, bytes, Sequence[bytes]], bytes]


def _below(draw: Draw, count: int) -> int:
    return draw(st.integers(0, max(0, count - 1)))


def _span(draw: Draw, data: bytes) -> tuple[int, int]:
    start = _below(draw, len(data) + 1)
    return start, start + draw(st.integers(0, min(200, len(data) - start)))


def _flip(draw: Draw, data: bytes, seeds: Sequence[bytes]) -> bytes:
    at = _below(draw, len(data))
    return data[:at] + bytes([draw(st.integers(0, 255))]) + data[at + 1 :]


def _cut(draw: Draw, data: bytes, seeds: Sequence[bytes]) -> bytes:
    start, end = _span(draw, data)
    return data[:start] + data[end:]


def _end(draw: Draw, data: bytes, seeds: Sequence[bytes]) -> bytes:
    return data[: _below(draw, len(data))]


def _splice(draw: Draw, data: bytes, seeds: Sequence[bytes]) -> bytes:
    start, end = _span(draw, data)
    splinter = seeds[_below(draw, len(seeds))]
    first, last = _span(draw, splinter)
    return data[:start] + splinter[first:last] + data[end:]


def _repeat(draw: Draw, data: bytes, seeds: Sequence[bytes]) -> bytes:
    start, end = _span(draw, data)
    return data[:end] + data[start:end] * draw(st.sampled_from((1, 2, 70, 300))) + data[end:]


def _insert(draw: Draw, data: bytes, seeds: Sequence[bytes]) -> bytes:
    at = _below(draw, len(data) + 1)
    return data[:at] + ODD[_below(draw, len(ODD))] + data[at:]


def _word(draw: Draw, data: bytes, seeds: Sequence[bytes]) -> bytes:
    words = _WORDS.findall(data) or [b""]
    at = _below(draw, len(words))
    words[at] = ODD[_below(draw, len(ODD))]
    return b"".join(words)


def _other_word(draw: Draw, data: bytes, seeds: Sequence[bytes]) -> bytes:
    words = _WORDS.findall(data) or [b""]
    words[_below(draw, len(words))] = words[_below(draw, len(words))]
    return b"".join(words)


def _text(draw: Draw, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Put an odd word into a text, inside of its marks."""
    words = _WORDS.findall(data)
    texts = [number for number, word in enumerate(words) if word[:1] == b'"' and len(word) > 1]
    if not texts:
        return data
    at = texts[_below(draw, len(texts))]
    words[at] = words[at][:-1] + ODD[_below(draw, len(ODD))] + b'"'
    return b"".join(words)


def _nest(draw: Draw, data: bytes, seeds: Sequence[bytes]) -> bytes:
    words = _WORDS.findall(data) or [b""]
    at, depth = _below(draw, len(words)), draw(st.sampled_from((1, 13, 101, 990, 20_000)))
    opening, closing = ((b"[", b"]"), (b'{"a":', b"}"))[draw(st.integers(0, 1))]
    words[at] = opening * depth + words[at] + closing * depth
    return b"".join(words)


def _twice(draw: Draw, data: bytes, seeds: Sequence[bytes]) -> bytes:
    members = [*_MEMBER.finditer(data)]
    if not members:
        return data
    member = members[_below(draw, len(members))]
    return data[: member.end()] + b"," + member[0] + data[member.end() :]


_MUTATIONS: tuple[Mutation, ...] = (
    _flip,
    _cut,
    _end,
    _splice,
    _repeat,
    _insert,
    _word,
    _other_word,
    _text,
    _nest,
    _twice,
)


@st.composite
def mutated(draw: Draw, seeds: Sequence[bytes]) -> bytes:
    """A valid example with up to four mutations."""
    data = seeds[_below(draw, len(seeds))]
    for _ in range(draw(st.integers(0, 4))):
        data = _MUTATIONS[_below(draw, len(_MUTATIONS))](draw, data, seeds)[:MOST_BYTES]
    return data
