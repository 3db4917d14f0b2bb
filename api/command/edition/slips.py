"""Slips of the pen in a line unlike TOML: the probable meaning, and the parser's words in French."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ledger.kernel.language.phrase import Phrase

_PARSER: Mapping[str, str] = {
    "Invalid value": "valeur incorrecte",
    "Invalid statement": "instruction incorrecte",
    "Expected newline or end of document after a statement": "une seule valeur par ligne",
    "Expected '=' after a key in a key/value pair": "il faut = après un nom",
    "Cannot overwrite a value": "ce nom a déjà une valeur",
    "Unterminated string": "un texte n'est pas fermé par un guillemet",
    "Unclosed array": "il manque ]",
    "Unclosed inline table": "il manque }",
    "Expected ']' at the end of a table declaration": "il manque ] après un titre",
    "Expected ']]' at the end of an array declaration": "il manque ]] après un titre",
    "Unescaped '\\' in a string": "un \\ se double dans un texte",
}
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'')
_CURLY = re.compile("[“”„‟‘’‚«»]")
_SPACES = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
_SEPARATED = re.compile(rf"(?<![\w.])\d{{1,3}}(?:[,'’ {_SPACES}]\d{{3}})+(?!\w)")
_MONEY = re.compile(r"[$€£¥₹₽₺]\s*\d+|\d+\s*[$€£¥₹₽₺]|\d+\s*%")
_BARE = re.compile(r"=\s*(?P<word>[^\W\d][\w -]*?)\s*(?:[,}\]]|$)")
_COMMA = re.compile(r"=\s*\d+,\d{1,2}\s*$")


def slip_in(line: str) -> Phrase | None:
    """Return the probable slip in a line of TOML; None without a usual one."""
    written = _TEXT.sub('""', line).partition("#")[0]
    if curly := _CURLY.search(written):
        return Phrase(
            f'{curly[0]} is a curly quote: texts stand between straight ones, "…"',
            f'{curly[0]} est un guillemet courbe : un texte se met entre guillemets droits, "…"',
        )
    value = written.partition("=")[2]
    if "[" not in value and (number := _SEPARATED.search(value)):
        plain = re.sub(r"\D", "", number[0])
        return Phrase(
            f"a number has no mark between its digits: {plain}",
            f"un nombre n'a rien entre ses chiffres : {plain}",
        )
    if number := _MONEY.search(value):
        plain = re.sub(r"\D", "", number[0])
        if "%" in number[0]:
            return Phrase(
                f"a part is two whole numbers: [{plain}, 100]",
                f"une part est deux nombres entiers : [{plain}, 100]",
            )
        return Phrase(f"an amount has no sign: {plain}", f"un montant n'a pas de signe : {plain}")
    if _COMMA.search(written):
        return Phrase("a number is whole, without a comma", "un nombre est entier, sans virgule")
    if word := _BARE.search(written):
        text = word["word"]
        small = text.lower()
        if small in {"true", "false", "yes", "no", "vrai", "faux", "oui", "non"}:
            meant = "true" if small in {"true", "yes", "vrai", "oui"} else "false"
            return Phrase(f"it is written {meant}", f"cela s'écrit {meant}")
        return Phrase(f'a text stands between quotes: "{text}"', f'un texte se met entre guillemets : "{text}"')
    return None


def parser_words(why: str) -> Phrase:
    """Return the parser's message in both languages; a rare message in English alone."""
    return Phrase(why, _PARSER.get(why, why))
