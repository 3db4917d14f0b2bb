"""The characters allowed in user-written texts: names, titles, claims, findings, reasons, parameters.

A text is kept for ever, and is read on screens, in exports and in logs. These characters are refused:

- control characters (Unicode category Cc: C0, delete, C1) other than newline and tab. NUL ends a text early and
  Postgres cannot store NUL; others steer terminals and files. A carriage return is refused too, not turned into a
  newline, because the stored and hashed text must equal the sent text;
- halves of surrogate pairs, which UTF-8 cannot write (RFC 3629, 3);
- the characters that embed, override or isolate a direction (U+202A to U+202E, U+2066 to U+2069), which change the
  reading order of the surrounding text (UAX #9, 2; CVE-2021-42574);
- the byte order mark (U+FEFF), which programs drop or add at the beginning of files.

The marks U+200E, U+200F and U+061C are allowed: a name in Arabic or Hebrew may need them beside punctuation,
and the marks change only the order of neutral neighbours. The joiners U+200C and U+200D are allowed too:
Persian, Indian scripts and emoji need them.

A text that is not empty shows something: titles, claims and names made of spaces and invisible characters are
refused, too (`require_visible`).

Older journals hold any characters, and still load. Files leaving the service are made `legible`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from ledger.kernel.facts.names import look
from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.language.phrase import Phrase

Ranges = tuple[tuple[int, int], ...]
"""Ranges of code points, first and last included."""


_CONTROLS: Ranges = ((0x00, 0x08), (0x0B, 0x1F), (0x7F, 0x9F))


_SURROGATES: Ranges = ((0xD800, 0xDFFF),)


_DIRECTIONS: Ranges = ((0x202A, 0x202E), (0x2066, 0x2069))


_MARK: Ranges = ((0xFEFF, 0xFEFF),)


IN_UNICODE: Ranges = (*_CONTROLS, *_DIRECTIONS, *_MARK)
"""The refused characters without the surrogates, which occur only in Python strings."""


def _one_of(ranges: Ranges) -> re.Pattern[str]:
    return re.compile("[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges) + "]")


_refused = _one_of((*IN_UNICODE, *_SURROGATES))


_suspect = re.compile(
    rb"\\[urbf]"  # an escape, for any character
    rb"|\x7f|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]|\xef\xbb\xbf"  # the rest, in UTF-8
)


_RULES = (
    (
        _one_of(_CONTROLS),
        Phrase(
            "a text holds no control characters other than newline and tab",
            "un texte ne contient pas de caractères de commande, sauf le saut de ligne et la tabulation",
        ),
    ),
    (
        _one_of(_SURROGATES),
        Phrase(
            "a text holds no half of a surrogate pair",
            "un texte ne contient pas de moitié d'une paire de substitution",
        ),
    ),
    (
        _one_of(_DIRECTIONS),
        Phrase(
            "a text holds no characters that change the order in which others are read",
            "un texte ne contient pas de caractères qui changent l'ordre de lecture des autres",
        ),
    ),
    (
        _one_of(_MARK),
        Phrase("a text holds no byte order mark", "un texte ne contient pas d'indicateur d'ordre des octets"),
    ),
)


class Unfit(msgspec.Struct, frozen=True):
    """A refused character, such as "U+202E", the JSON Pointer of the text, and the rule in English and French.

    For a character in the name of a member, the pointer is the pointer of the object.
    """

    pointer: str
    character: str
    en: str
    fr: str


def unfit(value: Any, pointer: str = "") -> Unfit | None:
    """Return the first refused character in the texts of plain data (as of JSON), names of members included.

    `pointer` is the JSON Pointer of the value (RFC 6901). None if all texts are allowed.
    """
    waiting = [(value, pointer)]
    while waiting:
        item, path = waiting.pop()
        if isinstance(item, str):
            matched = _refused.search(item)
            if matched is not None:
                return _unfit(matched[0], path)
        elif isinstance(item, Mapping):
            for name in item:
                if isinstance(name, str) and (matched := _refused.search(name)) is not None:
                    return _unfit(matched[0], path)
            waiting += [(item[name], f"{path}/{_escaped(str(name))}") for name in reversed(item)]
        elif isinstance(item, list | tuple):
            waiting += [(item[index], f"{path}/{index}") for index in reversed(range(len(item)))]
    return None


def _unfit(character: str, pointer: str) -> Unfit:
    rule = next(rule for pattern, rule in _RULES if pattern.match(character))
    return Unfit(pointer, f"U+{ord(character):04X}", rule.en, rule.fr)


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def is_suspect(encoded: bytes) -> bool:
    """Return True if a JSON text may hold a refused character. False is certain, and much faster than `unfit`."""
    return _suspect.search(encoded) is not None


def encoded(value: Any) -> bytes:
    """Return the value as JSON after checking the texts. Raises Malformed, with the `place` of the text."""
    try:
        written = msgspec.json.encode(value)
    except UnicodeEncodeError:
        written = b""
    if not written or is_suspect(written):
        fault = unfit(msgspec.to_builtins(value))
        if fault is not None:
            raise Malformed(
                f"{{place}}: {{character}} is refused: {fault.en}",
                f"{{place}} : {{character}} est refusé : {fault.fr}",
                place=fault.pointer,
                character=fault.character,
            )
    return written


def require_visible(value: Any, pointer: str = "") -> None:
    """Refuse texts of spaces and invisible characters in plain data. Raises Malformed."""
    if isinstance(value, str):
        if value and not look(value):
            raise Malformed(
                "{pointer}: nothing of this text can be read",
                "{pointer} : on ne peut rien lire de ce texte",
                pointer=pointer,
            )
    elif isinstance(value, Mapping):
        for name in value:
            require_visible(value[name], f"{pointer}/{_escaped(str(name))}")
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            require_visible(item, f"{pointer}/{index}")


def legible(text: str) -> str:
    """Return the text with U+FFFD in place of every refused character."""
    return _refused.sub("\N{REPLACEMENT CHARACTER}", text)
