"""What names and texts may be: on one line, not blank, not too long, each token only once, and told apart."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from typing import Any

from ledger.kernel.facts.names import look
from ledger.rulebooks.monopoly.own_edition.placed import IDENTIFIED, Read
from ledger.rulebooks.monopoly.table.pieces import TITLES
from ledger.rulebooks.parts.brought import Fault, at
from ledger.rulebooks.parts.looks import Called, look_alikes
from ledger.rulebooks.parts.reasons import shown

LONGEST_NAME = 60
LONGEST_TEXT = 300


def faults(document: Mapping[str, Any], misshapen: Collection[str]) -> Iterator[Fault]:
    """The faults of all names, in the order of the document. Those at the places `misshapen` are told already."""
    for place, text, longest in _texts(document):
        if place not in misshapen and isinstance(text, str):
            yield from _text(place, text, longest)
    named = document.get("named")
    tokens = named.get("tokens") if isinstance(named, Mapping) else None
    if isinstance(tokens, list | tuple) and len(tokens) == 1:
        yield Fault(
            "/named/tokens",
            "there are at least two players: name no tokens, or two or more",
            "il y a au moins deux joueurs : ne nommez pas de pions, ou au moins deux",
        )
    seen: set[str] = set()
    for number, token in enumerate(tokens if isinstance(tokens, list | tuple) else ()):
        if isinstance(token, str) and token in seen:
            yield Fault(
                at("", "named", "tokens", number),
                f"the token {shown(token)} is there twice",
                f"le pion {shown(token)} y est deux fois",
            )
        seen.add(str(token))


def of_settings(names: Mapping[str, str]) -> Iterator[Fault]:
    """The faults of the names that a table gives to squares and groups."""
    for one, name in names.items():
        yield from _text(at("", "names", one), name, LONGEST_NAME)


def alike(document: Mapping[str, Any]) -> Iterator[Fault]:
    """Find the names that cannot be told apart, each list and each language by itself.

    Games whose boards were taken before this check go on with their names, so it is for what a table brings.
    """
    read = Read(document)
    for part in ("squares", "groups", "decks", "divisions"):
        yield from look_alikes(_called(read, part))
    named = document.get("named")
    words = named if isinstance(named, Mapping) else {}
    tokens = words.get("tokens")
    yield from look_alikes(
        Called(at("", "named", "tokens", number), token, same="token")  # the very same one is told already
        for number, token in enumerate(tokens if isinstance(tokens, list | tuple) else ())
        if _is_fit(token)
    )
    seen = set()
    for language in ("en", "fr"):
        things = (_in_language(at("", "named", name), words.get(name), language) for name in _THINGS)
        cards = (
            _in_language(at("", "cards", number, "title"), row.get("title"), language, same=row.get("effects"))
            for number, row in read.numbered("cards")
        )
        for fault in chain(look_alikes(filter(None, things)), look_alikes(filter(None, cards))):
            if fault.place not in seen:
                seen.add(fault.place)
                yield fault


_THINGS = ("money", "house", "hotel", "jail_pass")
"""What the things of a player are called."""


def _called(read: Read, part: str) -> Iterator[Called]:
    """The rows of a part that have a name; squares of a kind that is no title may share theirs."""
    for number, row in read.numbered(part):
        kind = row.get("kind")
        if _is_fit(row.get("name")):
            yield Called(at("", part, number, "name"), row["name"], None if kind in TITLES else kind)


def _in_language(place: str, text: Any, language: str, same: Any = None) -> Called | None:
    """A text, or what a phrase says in a language."""
    if isinstance(text, Mapping):
        place, text = at(place, language), text.get(language)
    return Called(place, text, same) if _is_fit(text) else None


def _is_fit(text: Any) -> bool:
    """Whether a name is looked at: any other one is refused for its shape, and may be of any length."""
    return isinstance(text, str) and len(text) <= LONGEST_TEXT


def _texts(document: Mapping[str, Any]) -> Iterator[tuple[str, Any, int]]:
    """Each text that people read: its place, itself, and how long it may be."""
    yield "/title", document.get("title"), 2 * LONGEST_NAME
    named = document.get("named")
    for name, value in named.items() if isinstance(named, Mapping) else ():
        yield from _said(at("", "named", name), value, LONGEST_NAME)
    read = Read(document)
    for part in IDENTIFIED:
        for number, row in read.numbered(part):
            place = at("", part, number)
            yield at(place, "name"), row.get("name"), LONGEST_NAME
            yield from _said(at(place, "title"), row.get("title"), LONGEST_TEXT)


def _said(place: str, value: Any, longest: int) -> Iterator[tuple[str, Any, int]]:
    """A text, the texts of a phrase, or a list of texts."""
    if isinstance(value, Mapping):
        for language in ("en", "fr"):
            yield at(place, language), value.get(language), longest
    elif isinstance(value, list | tuple):
        for number, one in enumerate(value):
            yield at(place, number), one, longest
    else:
        yield place, value, longest


def _text(place: str, text: str, longest: int) -> Iterator[Fault]:
    if not look(text):
        yield Fault(place, "there is no text", "il n'y a pas de texte")
    elif len(text) > longest:
        yield Fault(
            place,
            f"at most {longest} characters, not {len(text)}",
            f"{longest} caractères au plus, pas {len(text)}",
        )
    elif any(one in text for one in "\n\t\u2028\u2029"):
        yield Fault(
            place,
            "a text of an edition stands on one line, without tabs",
            "un texte d'une édition tient sur une ligne, sans tabulation",
        )
