"""The rules for names and texts: a single line, not blank, not too long, distinct, and each token only once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from ledger.kernel.facts.names import look
from ledger.kernel.rules.faces.editions import Fault, pointer_at
from ledger.rulebooks.monopoly.own_edition.placed import IDENTIFIED, Read
from ledger.rulebooks.monopoly.table.pieces import TITLES
from ledger.rulebooks.parts.looks import Called, look_alikes, unfit_text
from ledger.rulebooks.parts.reasons import excerpt

LONGEST_NAME = 60
LONGEST_TEXT = 300


def faults(document: Mapping[str, Any], misshapen: Collection[str]) -> Iterator[Fault]:
    """Report the faults of all names, in the order of the document. Names at the pointers in `misshapen` are
    skipped.
    """
    for pointer, text, longest in _texts(document):
        if pointer not in misshapen and isinstance(text, str):
            yield from _text(pointer, text, longest)
    named = document.get("named")
    tokens = named.get("tokens") if isinstance(named, Mapping) else None
    if isinstance(tokens, list | tuple) and len(tokens) == 1:
        yield Fault(
            "/named/tokens",
            "there are at least two players: name no tokens, or two or more",
            "il y a au moins deux joueurs : ne nommez pas de pions, ou au moins deux",
        )
    used: set[str] = set()
    for number, token in enumerate(tokens if isinstance(tokens, list | tuple) else ()):
        if isinstance(token, str) and token in used:
            yield Fault(
                pointer_at("", "named", "tokens", number),
                f"the token {excerpt(token)} is there twice",
                f"le pion {excerpt(token)} y est deux fois",
            )
        used.add(str(token))


def of_settings(names: Mapping[str, str]) -> Iterator[Fault]:
    """Report the faults of a table's names for squares and groups."""
    for key, name in names.items():
        yield from _text(pointer_at("", "names", key), name, LONGEST_NAME)


def alike(document: Mapping[str, Any]) -> Iterator[Fault]:
    """Report names that look alike, each list and each language on its own.

    Games with a board older than the check go on with the old names, so only new boards are checked.
    """
    read = Read(document)
    named = document.get("named")
    words = named if isinstance(named, Mapping) else {}
    tokens = words.get("tokens")
    listed_tokens = enumerate(tokens if isinstance(tokens, list | tuple) else ())
    things = [(pointer_at("", "named", name), words.get(name), None) for name in _THINGS]
    cards = [
        (pointer_at("", "cards", number, "title"), row.get("title"), row.get("effects"))
        for number, row in read.numbered("cards")
    ]
    return look_alikes(
        *(_called(read, part) for part in ("squares", "groups", "decks", "divisions")),
        (
            # A repeated token is reported elsewhere.
            Called(pointer_at("", "named", "tokens", number), token, same="token")
            for number, token in listed_tokens
            if _is_fit(token)
        ),
        *(_in_language(rows, language) for language in ("en", "fr") for rows in (things, cards)),
    )


_THINGS = ("money", "house", "hotel", "tower", "jail_pass")
"""The names of a player's things."""


def _called(read: Read, part: str) -> Iterator[Called]:
    """List the rows of a part with a name; squares of a kind without titles may share a name."""
    for number, row in read.numbered(part):
        kind = row.get("kind")
        if _is_fit(row.get("name")):
            yield Called(pointer_at("", part, number, "name"), row["name"], None if kind in TITLES else kind)


def _in_language(rows: Iterable[tuple[str, Any, Any]], language: str) -> Iterator[Called]:
    """List the texts of rows, or the texts of phrases in a language."""
    for pointer, text, same in rows:
        is_phrase = isinstance(text, Mapping)
        name = text.get(language) if is_phrase else text
        if _is_fit(name):
            yield Called(pointer_at(pointer, language) if is_phrase else pointer, name, same)


def _is_fit(text: Any) -> bool:
    """Return True if a name is worth a look: any other value is refused elsewhere, and may be of any length."""
    return isinstance(text, str) and len(text) <= LONGEST_TEXT and bool(look(text))


def _texts(document: Mapping[str, Any]) -> Iterator[tuple[str, Any, int]]:
    """List each text for people: the pointer, the text, and the maximum length."""
    yield "/title", document.get("title"), 2 * LONGEST_NAME
    named = document.get("named")
    for name, value in named.items() if isinstance(named, Mapping) else ():
        yield from _texts_in(pointer_at("", "named", name), value, LONGEST_NAME)
    read = Read(document)
    for part in IDENTIFIED:
        for number, row in read.numbered(part):
            pointer = pointer_at("", part, number)
            yield pointer_at(pointer, "name"), row.get("name"), LONGEST_NAME
            yield from _texts_in(pointer_at(pointer, "title"), row.get("title"), LONGEST_TEXT)


def _texts_in(pointer: str, value: Any, longest: int) -> Iterator[tuple[str, Any, int]]:
    """List a text, the texts of a phrase, or the texts of a list."""
    if isinstance(value, Mapping):
        for language in ("en", "fr"):
            yield pointer_at(pointer, language), value.get(language), longest
    elif isinstance(value, list | tuple):
        for number, text in enumerate(value):
            yield pointer_at(pointer, number), text, longest
    else:
        yield pointer, value, longest


def _text(pointer: str, text: str, longest: int) -> Iterator[Fault]:
    return unfit_text(pointer, text, longest, blank=not look(text))
