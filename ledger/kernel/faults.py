"""What the decoder finds wrong with the shape of data, taken apart and told in French."""

from __future__ import annotations

import re

_PLACE = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<path>[^`]*)`)?$", re.DOTALL)

_FRENCH = (
    (re.compile(r"^Object missing required field `(.*)`$"), r"il manque le champ `\1`"),
    (re.compile(r"^Object contains unknown field `(.*)`$"), r"le champ `\1` est de trop"),
    (re.compile(r"^Expected `([^`]*)`, got `([^`]*)`$"), r"`\1` attendu, `\2` reçu"),
    (re.compile(r"^Expected `([^`]*)` ([<>]=?) (\S+)$"), r"`\1` \2 \3 attendu"),
    (re.compile(r"^Expected `([^`]*)` of length ([<>]=?) (\S+)$"), r"`\1` de longueur \2 \3 attendu"),
    (re.compile(r"^Expected `([^`]*)` matching regex (.*)$"), r"`\1` de la forme \2 attendu"),
    (re.compile(r"^Invalid enum value (.*)$"), r"\1 n'est pas une des valeurs possibles"),
    (re.compile(r"^Number out of range$"), "nombre hors limites"),
)


def parted(fault: str) -> tuple[str, str]:
    """A validation fault as what is wrong and where: ".decks.chance[0].id", "" for the whole."""
    match = _PLACE.match(fault)
    return (fault, "") if match is None else (match["what"], match["path"] or "")


def french(what: str) -> str:
    """What is wrong, in French; as it is when there are no words for it."""
    for pattern, sentence in _FRENCH:
        if pattern.match(what):
            return pattern.sub(sentence, what)
    return what
