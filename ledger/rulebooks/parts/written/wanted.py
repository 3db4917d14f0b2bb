"""The form of a value in an edition, in words and with an example, for TOML and JSON alike."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from fractions import Fraction
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
from msgspec import UnsetType

from ledger.kernel.language.faults import TYPES
from ledger.kernel.language.phrase import Phrase
from ledger.rulebooks.parts.reasons import excerpt

NAMES: Mapping[str, Phrase] = {
    **TYPES,
    "null": Phrase("nothing", "rien"),
    "array": Phrase("a row of values [ … ]", "une suite de valeurs [ … ]"),
    "object": Phrase("a block { … }", "un bloc { … }"),
}
"""The names of the decoder's types, in words that fit TOML and JSON."""

_THOUSANDS = re.compile(r"\d{1,3}(?:[.,'\N{NO-BREAK SPACE} ]\d{3})+")


class Written(float):
    """A number with a fraction, and the text in the file."""

    text: str

    @classmethod
    def read(cls, text: str) -> Written:
        """Read the text of a number."""
        number = cls(text.replace("_", ""))
        number.text = text
        return number


def form(value: Any, kind: Any) -> Phrase | None:
    """Return the form of a type, for a value of a different form; None if the decoder's words are enough."""
    bare = _bare(kind)
    if get_origin(bare) in {Union, UnionType}:
        choices = [choice for choice in get_args(bare) if choice not in (NoneType, UnsetType)]
        return form(value, choices[0]) if len(choices) == 1 else None
    inner = get_args(bare) if get_origin(bare) is tuple else ()
    if len(inner) == 2 and all(_bare(member) is int for member in inner):
        return Phrase(
            "a part is two whole numbers: [1, 10] is a tenth",
            "une part est deux nombres entiers : [1, 10] un dixième",
        )
    if isinstance(value, list | tuple) and inner:
        return None
    if inner and _bare(inner[0]) is int:
        return Phrase(
            "a row of whole numbers is needed, such as [2, 10, 30]",
            "il faut une suite de nombres entiers, comme [2, 10, 30]",
        )
    if bare is Phrase and not isinstance(value, Mapping):
        return Phrase(
            "a text is needed, or one for each language (en, fr)",
            "il faut un texte, ou un par langue (en, fr)",
        )
    if isinstance(bare, type) and issubclass(bare, msgspec.Struct) and not isinstance(value, Mapping):
        names = ", ".join(field.encode_name for field in msgspec.structs.fields(bare) if field.required)
        return (
            Phrase(f"a block {{ … }} is needed, with {names}", f"il faut un bloc {{ … }}, avec {names}")
            if names
            else None
        )
    return None


def whole_number(value: float) -> Phrase:
    """Ask for a whole number instead of a fraction, with the probable meaning."""
    text = getattr(value, "text", None) if math.isfinite(value) else None
    text = text or excerpt(value)
    if _THOUSANDS.fullmatch(text):
        plain = re.sub(r"\D", "", text)
        return _not_whole(text, f": write {plain}", f" : écrivez {plain}")
    if not math.isfinite(value) or not 0 < value < 1_000_000_000:
        return _not_whole(text, "", "")
    if value == int(value):
        return _not_whole(text, f": write {int(value)}", f" : écrivez {int(value)}")
    if value >= 2:
        return _not_whole(text, "", "")
    part = Fraction(value).limit_denominator(100)
    written = f"[{part.numerator}, {part.denominator}]"
    return _not_whole(
        text,
        f"; a part is two whole numbers, and {written} is {text}",
        f" ; une part est deux nombres entiers, et {written} est {text}",
    )


def _not_whole(text: str, en: str, fr: str) -> Phrase:
    return Phrase(f"a whole number is needed, not {text}{en}", f"il faut un nombre entier, pas {text}{fr}")


def _bare(kind: Any) -> Any:
    return _bare(get_args(kind)[0]) if get_origin(kind) is Annotated else kind
