"""The rules for names and texts: a single line, not blank, not too long, distinct, and each token only once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from typing import Any

from ledger.kernel.facts.names import look
from ledger.kernel.rules.faces.editions import Fault, pointer_at
from ledger.rulebooks.monopoly.own_edition.placed import IDENTIFIED, Read
from ledger.rulebooks.monopoly.table.pieces import TITLES
from ledger.rulebooks.parts.looks import Called, look_alikes
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
    for part in ("squares", "groups", "decks", "divisions"):
        yield from look_alikes(_called(read, part))
    named = document.get("named")
    words = named if isinstance(named, Mapping) else {}
    tokens = words.get("tokens")
    yield from look_alikes(
        Called(
            pointer_at("", "named", "tokens", number), token, same="token"
        )  # a repeated token is reported elsewhere
        for number, token in enumerate(tokens if isinstance(tokens, list | tuple) else ())
        if _is_fit(token)
    )
    reported = set()
    for language in ("en", "fr"):
        things = (_in_language(pointer_at("", "named", name), words.get(name), language) for name in _THINGS)
        cards = (
            _in_language(
                pointer_at("", "cards", number, "title"), row.get("title"), language, same=row.get("effects")
            )
            for number, row in read.numbered("cards")
        )
        for fault in chain(look_alikes(filter(None, things)), look_alikes(filter(None, cards))):
            if fault.place not in reported:
                reported.add(fault.place)
                yield fault


_THINGS = ("money", "house", "hotel", "jail_pass")
"""The names of a player's things."""


def _called(read: Read, part: str) -> Iterator[Called]:
    """List the rows of a part with a name; squares of a kind without titles may share a name."""
    for number, row in read.numbered(part):
        kind = row.get("kind")
        if _is_fit(row.get("name")):
            yield Called(pointer_at("", part, number, "name"), row["name"], None if kind in TITLES else kind)


def _in_language(pointer: str, text: Any, language: str, same: Any = None) -> Called | None:
    """Return a text, or the text of a phrase in a language."""
    if isinstance(text, Mapping):
        pointer, text = pointer_at(pointer, language), text.get(language)
    return Called(pointer, text, same) if _is_fit(text) else None


def _is_fit(text: Any) -> bool:
    """Return True if a name is worth a look: any other value is refused for the shape, and may be of any
    length.
    """
    return isinstance(text, str) and len(text) <= LONGEST_TEXT


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
    if not look(text):
        yield Fault(pointer, "there is no text", "il n'y a pas de texte")
    elif len(text) > longest:
        yield Fault(
            pointer,
            f"at most {longest} characters, not {len(text)}",
            f"{longest} caractères au plus, pas {len(text)}",
        )
    elif any(character in text for character in "\n\t\u2028\u2029"):
        yield Fault(
            pointer,
            "a text of an edition stands on one line, without tabs",
            "un texte d'une édition tient sur une ligne, sans tabulation",
        )
