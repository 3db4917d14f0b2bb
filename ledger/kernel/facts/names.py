"""The names of players: told apart by eye and ear, or refused where they are given.

What is compared is how a name looks (`look`): compatible forms are one (NFKC, UAX #15), what is not seen is left
out, and so are capitals; letters of Greek and Cyrillic that look like Latin ones are these (Unicode TS #39).
A game from before this rule, and one that is imported, may have names that look the same: wherever they are said,
the seat stands beside them.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.facts.state import Seat

_ALIKE = str.maketrans(
    "аеорсухіјѕһԁԛԝквмнтьαεορχυνικτηι0ı",
    "aeopcyxijshdqwkbmhtbaeopxyviktnioi",
)
"""Small letters that look like Latin ones, Cyrillic and then Greek; the digit that looks like a letter."""


_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters of Hangul and of Braille that show nothing."""


_TAKEN = ("bank", "banker", "banque", "banquier", "spectator", "spectateur", "system", "système")


_ARTICLES = ("the", "la", "le", "l'")


@lru_cache(maxsize=4096)
def look(name: str) -> str:
    """How a name looks; empty for one of which nothing is seen."""
    seen = (
        one
        for one in unicodedata.normalize("NFKC", name)
        if unicodedata.category(one) != "Cf" and one not in _BLANK and not 0xFE00 <= ord(one) <= 0xFE0F
    )
    return " ".join("".join(seen).casefold().translate(_ALIKE).split())


def require_readable(name: str) -> str:
    """Refuse a name of which nothing is seen, and one of several lines. Returns how it looks. Raises Malformed."""
    looks = look(name)
    if not looks.strip(" .,;:!?'\"-_") or "\n" in name or "\t" in name:
        raise Malformed(
            "{name!r} is no name: a name is on one line, and something of it can be read",
            "{name!r} n'est pas un nom : un nom tient sur une ligne, et on peut en lire quelque chose",
            name=name,
        )
    return looks


def require_names(players: Iterable[Seat]) -> None:
    """Refuse names of which nothing is seen, of several lines, and those taken for another. Raises Malformed."""
    named: dict[str, str] = {}
    for player in players:
        looks = require_readable(player.name)
        if looks in _taken():
            raise Malformed(
                "{name!r} would be taken for the bank or its banker: choose another name",
                "{name!r} passerait pour la banque ou son banquier : choisissez un autre nom",
                name=player.name,
            )
        if looks in named:
            raise Malformed(
                "{name!r} cannot be told from {other!r}: give each player a name of their own",
                "{name!r} ne se distingue pas de {other!r} : donnez à chacun un nom à lui",
                name=player.name,
                other=named[looks],
            )
        named[looks] = player.name


@lru_cache(maxsize=1)
def _taken() -> frozenset[str]:
    articles = ("", *(one if one.endswith("'") else f"{one} " for one in _ARTICLES))
    return frozenset(look(f"{article}{word}") for word in _TAKEN for article in articles)


def told_apart(seats: Mapping[str, Seat]) -> Mapping[str, str]:
    """The names of players by their seats; one that is not told apart has the seat beside it."""
    return _told_apart(tuple((seat, one.name) for seat, one in seats.items()))


@lru_cache(maxsize=1024)
def _told_apart(named: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    looks = Counter(look(name) for _, name in named)
    return {
        seat: name if looks[look(name)] == 1 and look(name) and look(name) not in _taken() else f"{name} ({seat})"
        for seat, name in named
    }
