"""How two views of one table differ, in sentences: what a correction, or an action, makes of the table.

A game has a telling for each member of its view of which it says how it differs; of the others it says only that
they do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ledger.kernel.language.sentences import Speaker
from ledger.rulebooks.parts.speaking import Both, said

View = Mapping[str, Any]

_NOBODY: Both = ("nobody", "personne")
_NOWHERE: Both = ("nowhere", "nulle part")


class Says:
    """The names of things in both languages, by a game's speakers."""

    def __init__(self, speakers: Mapping[str, Speaker]) -> None:
        self._speakers = speakers

    def __call__(self, manner: str, value: Any) -> Both:
        """A value in this manner ("seat", "square", "money"…); "nobody" for None, or "nowhere" for no square."""
        if value is None:
            return _NOWHERE if manner == "square" else _NOBODY
        return self._speakers[manner](value, "en"), self._speakers[manner](value, "fr")

    def all(self, manner: str, values: Sequence[Any]) -> Both:
        """Several values; "nobody" for none."""
        names = [self(manner, one) for one in values] or [_NOBODY]
        return ", ".join(en for en, _ in names), ", ".join(fr for _, fr in names)


Telling = Callable[[Any, Any, Says], Iterator[Both]]
"""How a member of the view differs: its value before, its value after."""


def told(
    before: View,
    after: View,
    speakers: Mapping[str, Speaker],
    language: str,
    *,
    tellings: Mapping[str, Telling],
    rest: Mapping[str, Both],
) -> Iterator[str]:
    """The differences of two views, in the order of the tellings. Takes the language, "en" or "fr".

    `rest` names the members that are told to differ without saying how.
    """
    says = Says(speakers)
    for name, telling in tellings.items():
        if before.get(name) != after.get(name):
            yield from (said(one, language) for one in telling(before.get(name), after.get(name), says))
    others = [said(words, language) for name, words in rest.items() if before.get(name) != after.get(name)]
    if others:
        yield said(("Also different: ", "Changent aussi : "), language) + ", ".join(others) + "."


def changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """The keys with another value, those from before first."""
    names = [*before, *(name for name in after if name not in before)]
    return [name for name in names if before.get(name) != after.get(name)]
