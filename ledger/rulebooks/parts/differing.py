"""The differences of two views of one table, in sentences: the effect of a correction or an action.

A game has a telling for each member of the view with an explained difference. The remaining members are only
named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ledger.kernel.language.phrase import Phrase, is_singular
from ledger.kernel.language.sentences import Speaker, spoken

View = Mapping[str, Any]

_NOBODY = Phrase("nobody", "personne")
_NOWHERE = Phrase("nowhere", "nulle part")


class Says:
    """The names of things in both languages, by a game's speakers."""

    def __init__(self, speakers: Mapping[str, Speaker]) -> None:
        self._speakers = speakers

    def __call__(self, manner: str, value: Any) -> Phrase:
        """Name a value in a manner ("seat", "square", "money"…): "nobody" for None, or "nowhere" for no square."""
        if value is None:
            return _NOWHERE if manner == "square" else _NOBODY
        return spoken(self._speakers[manner], value)

    def all(self, manner: str, values: Sequence[Any]) -> Phrase:
        """Name several values; "nobody" for none."""
        names = [self(manner, value) for value in values] or [_NOBODY]
        return Phrase(", ".join(name.en for name in names), ", ".join(name.fr for name in names))


Telling = Callable[[Any, Any, Says], Iterator[Phrase]]
"""A function of the value of a member before and after: sentences for the difference."""


def differences(
    earlier: View,
    later: View,
    speakers: Mapping[str, Speaker],
    language: str,
    *,
    tellings: Mapping[str, Telling],
    unexplained: Mapping[str, Phrase],
) -> Iterator[str]:
    """Describe the differences of two views in a language ("en" or "fr"), in the order of the tellings.

    `unexplained` are the members only named when different.
    """
    says = Says(speakers)
    for name, telling in tellings.items():
        if earlier.get(name) != later.get(name):
            yield from (
                sentence.in_language(language) for sentence in telling(earlier.get(name), later.get(name), says)
            )
    others = [
        words.in_language(language) for name, words in unexplained.items() if earlier.get(name) != later.get(name)
    ]
    if others:
        also = Phrase("Also different: ", "Changent aussi : " if others[1:] else "Change aussi : ")
        yield also.in_language(language) + ", ".join(others) + "."


def winners(earlier: Sequence[str] | None, later: Sequence[str] | None, says: Says) -> Iterator[Phrase]:
    """Describe other winners."""
    winner, former = (says.all("seat", seats or ()) for seats in (later, earlier))
    yield Phrase(f"The winner is {winner.en}, not {former.en}.", f"Vainqueur : {winner.fr}, et non {former.fr}.")


def order(earlier: Sequence[str] | None, later: Sequence[str] | None, says: Says) -> Iterator[Phrase]:
    """Describe another order of play."""
    seats, former = (says.all("seat", seats or ()) for seats in (later, earlier))
    yield Phrase(
        f"The order of play is {seats.en}, not {former.en}.", f"L'ordre du jeu est {seats.fr}, et non {former.fr}."
    )


def positions(earlier: Mapping[str, int], later: Mapping[str, int], says: Says) -> Iterator[Phrase]:
    """Describe other squares of tokens; two squares of one name with their numbers."""
    for seat in changed(earlier, later):
        who, places = says("seat", seat), (later.get(seat), earlier.get(seat))
        square, origin = (says("square", place) for place in places)
        if square == origin:
            square, origin = (Phrase(f"{square.en} ({place})", f"{square.fr} ({place})") for place in places)
        spot, former = (
            Phrase(f"on {name.en}", f"sur {name.fr}") if name != _NOWHERE else name for name in (square, origin)
        )
        verb = "n'est" if spot == _NOWHERE else "est"
        yield Phrase(
            f"{who.en} stands {spot.en}, not {former.en}.", f"{who.fr} {verb} {spot.fr}, et non {former.fr}."
        )


def counted(count: int, en: tuple[str, str], fr: tuple[str, str]) -> Phrase:
    """Return a count with its noun in the singular or plural, such as "1 coin" or "2 coins"."""
    return Phrase(*(f"{count} {words[not is_singular(count, to)]}" for to, words in (("en", en), ("fr", fr))))


def changed(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> list[str]:
    """Return the keys with different values, the keys of the earlier mapping first."""
    names = [*earlier, *(name for name in later if name not in earlier)]
    return [name for name in names if earlier.get(name) != later.get(name)]
