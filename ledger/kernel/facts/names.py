"""The names of players: distinct to the eye and the ear.

Two people at a table may have one name: the second gets a number on entry ("Ana (2)"). Unreadable names, and
names of the bank, are refused.

Names are compared by look (`look`). Compatible forms are equal (NFKC, UAX #15). Invisible characters and
capitals make no difference. Greek and Cyrillic letters equal similar Latin letters (Unicode TS #39). A game
older than this rule, or an imported game, may have names with an equal look: the seat is shown beside such a
name.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import count

from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.facts.state import Seat

_ALIKE = str.maketrans(
    "аеорсухіјѕһԁԛԝквмнтьαεορχυνικτηι0ı",
    "aeopcyxijshdqwkbmhtbaeopxyviktnioi",
)
"""Small letters that look like Latin letters, Cyrillic and then Greek; the digit that looks like a letter."""


_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Blank letters of Hangul and of Braille."""


_TAKEN = ("bank", "banker", "banque", "banquier", "spectator", "spectateur", "system", "système")


_ARTICLES = ("the", "la", "le", "l'")


@lru_cache(maxsize=4096)
def look(name: str) -> str:
    """Return the look of a name; empty for an invisible name."""
    visible = (
        letter
        for letter in unicodedata.normalize("NFKC", name)
        if unicodedata.category(letter) != "Cf" and letter not in _BLANK and not 0xFE00 <= ord(letter) <= 0xFE0F
    )
    return " ".join("".join(visible).casefold().translate(_ALIKE).split())


def require_readable(name: str) -> str:
    """Refuse an invisible name and a name of several lines. Returns the look of the name. Raises Malformed."""
    looks = look(name)
    if not looks.strip(" .,;:!?'\"-_") or "\n" in name or "\t" in name:
        raise Malformed(
            "{name!r} is no name: a name is on one line, and something of it can be read",
            "{name!r} n'est pas un nom : un nom tient sur une ligne, et on peut en lire quelque chose",
            name=name,
        )
    return looks


def require_names(players: Iterable[Seat]) -> None:
    """Refuse invisible names, names of several lines, and names of the bank or its banker. Raises Malformed."""
    for player in players:
        if require_readable(player.name) in _reserved_looks():
            raise Malformed(
                "{name!r} would be taken for the bank or its banker: choose another name",
                "{name!r} passerait pour la banque ou son banquier : choisissez un autre nom",
                name=player.name,
            )


def numbered(players: Sequence[Seat]) -> tuple[Seat, ...]:
    """Return the players with distinct names: a name with the look of an earlier one gets a number, "Ana (2)"."""
    looks = {look(player.name) for player in players}
    used: set[str] = set()
    seats: list[Seat] = []
    for player in players:
        name = player.name.strip()
        for number in count(2):
            if look(name) not in used and (name == player.name.strip() or look(name) not in looks):
                break
            name = f"{player.name.strip()} ({number})"
        used.add(look(name))
        seats.append(Seat(player.seat, name))
    return tuple(seats)


@lru_cache(maxsize=1)
def _reserved_looks() -> frozenset[str]:
    articles = ("", *(prefix if prefix.endswith("'") else f"{prefix} " for prefix in _ARTICLES))
    return frozenset(look(f"{article}{word}") for word in _TAKEN for article in articles)


def told_apart(seats: Mapping[str, Seat]) -> Mapping[str, str]:
    """Return the names of players by seat; a name with the look of another, or of the bank, has the seat beside
    it.
    """
    return _told_apart(tuple((seat, player.name) for seat, player in seats.items()))


@lru_cache(maxsize=1024)
def _told_apart(named: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    looks = Counter(look(name) for _, name in named)
    return {
        seat: name
        if looks[look(name)] == 1 and look(name) and look(name) not in _reserved_looks()
        else f"{name} ({seat})"
        for seat, name in named
    }
