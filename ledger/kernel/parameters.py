"""What the parameters of actions are, for forms: types that say the kind of a value, and the words for parameters.

The JSON Schema of a parameter says its kind in `x-kind`, so that a form picks the right field:

| x-kind | the value |
|---|---|
| seat, title, commodity, card, account | a seat, a title, a thing, a card, an account, by its id |
| | (titles and cards also by their commodity: "title:mall") |
| place, die | a place by its number on the board; what a die shows |
| amount, quantity | whole units of the game's money; how many of something |
| text, flag, enum | what people write; yes or no; one of several values, whose labels are in `x-labels` |
| action, rule, dispute, question | an action by its name, the others by their ids |
| agreement | an agreement by its id; `x-collection` is its collection |
| draw | a die or a card, whichever is asked for |
| list, map | several values, by `items`; values by a key, by `propertyNames` and `additionalProperties` |
| legs, edits, remedies, postings | lists of objects with members that are described in the same way |
| good | Négoces 2: a good by its number or its name |
| pick, picks, bonus, bonuses | Virtual Revolution: choices for effects; bonuses of an Action |
| performed, groups | Virtual Revolution: a bonus Action; groups of recovered tokens |
| answer, disruption | an answer that a question is open to; a ban of meetings |
| kind, params, new_action | another action: its kind, its parameters, or the whole of it |
| players, settings | what a game is created with |

A type says its kind by `of_kind`. The kinds "enum", "flag", "list" and "map" follow from the type itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
import rtoml
from msgspec import Meta, inspect
from msgspec.structs import replace

from ledger.kernel.refusals import INT64_MAX
from ledger.kernel.wording import Phrase


def of_kind(kind: str, **more: str) -> Meta:
    """What the schema of a value says of it: its `x-kind`, and each of `more` ("collection" as `x-collection`)."""
    return Meta(extra_json_schema={"x-kind": kind, **{f"x-{name}": said for name, said in more.items()}})


SeatId = Annotated[str, Meta(min_length=1, max_length=40), of_kind("seat")]
TitleId = Annotated[str, Meta(min_length=1, max_length=60), of_kind("title")]
CommodityId = Annotated[str, Meta(min_length=1, max_length=60), of_kind("commodity")]
AccountId = Annotated[str, Meta(min_length=1, max_length=80), of_kind("account")]
PlaceNumber = Annotated[int, Meta(ge=0, le=1000), of_kind("place")]
RuleId = Annotated[
    str, Meta(min_length=1, max_length=40, description="id of a rule of the register"), of_kind("rule")
]
DisputeId = Annotated[str, Meta(min_length=1, max_length=40, description="id of the dispute"), of_kind("dispute")]
QuestionId = Annotated[str, Meta(min_length=1, max_length=100), of_kind("question")]
Text = Annotated[str, Meta(min_length=1, max_length=2000), of_kind("text")]
LongText = Annotated[str, Meta(min_length=1, max_length=4000), of_kind("text")]
Money = Annotated[int, Meta(ge=1, le=INT64_MAX, description="whole units of the game's money"), of_kind("amount")]
Quantity = Annotated[int, Meta(ge=1, le=INT64_MAX), of_kind("quantity")]


_WRITTEN_OUT = {"title": "title:", "card": "card:", "draw": "card:"}
"""What may stand before an id of each kind, as it does in commodities: "title:mall" is the title "mall"."""
WRITTEN_OUT = frozenset(f'"{prefix}'.encode() for prefix in _WRITTEN_OUT.values())
"""How an id that is written out begins in JSON."""


def in_short(shape: inspect.Type, value: Any) -> Any:
    """Plain data of this shape with the ids of titles and cards in their short form: "title:mall" becomes "mall".

    Whether an id is written out makes no difference to people: boards and names call a title by its commodity.
    """
    match shape:
        case inspect.Metadata(type=inner, extra_json_schema=said):
            prefix = _WRITTEN_OUT.get((said or {}).get("x-kind", ""))
            found = in_short(inner, value)
            return found.removeprefix(prefix) if prefix is not None and isinstance(found, str) else found
        case inspect.UnionType(types=types):
            for one in types:
                value = in_short(one, value)
            return value
        case inspect.StructType(fields=fields, tag_field=tag_field, tag=tag) if isinstance(value, dict):
            if tag_field is not None and value.get(tag_field) != tag:
                return value
            mended = {
                one.encode_name: in_short(one.type, value[one.encode_name])
                for one in fields
                if one.encode_name in value
            }
            return {**value, **mended}
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item) if isinstance(value, list):
            return [in_short(item, one) for one in value]
        case inspect.DictType(key_type=key, value_type=inner) if isinstance(value, dict):
            return {in_short(key, name): in_short(inner, one) for name, one in value.items()}
        case _:
            return value


class ParameterWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What people call a parameter in each language: title and description; and its values, if labelled."""

    en: tuple[str, str]
    fr: tuple[str, str]
    values: Mapping[str, Phrase] = {}

    def said(self, language: str) -> tuple[str, str]:
        """Title and description in "en" or "fr"."""
        return self.fr if language == "fr" else self.en


class ParameterWording:
    """The words for the parameters of a game, by name; and by kind of action where a kind calls them otherwise."""

    def __init__(
        self, names: Mapping[str, ParameterWords], kinds: Mapping[str, Mapping[str, ParameterWords]]
    ) -> None:
        self._names = dict(names)
        self._kinds = {kind: dict(words) for kind, words in kinds.items()}

    @classmethod
    def read(cls, *texts: str) -> ParameterWording:
        """The words in TOML texts. A later text takes the place of an earlier one name by name; labels add up.

            [to]
            en = ["To", "The seat that receives."]
            fr = ["À", "Le siège qui reçoit."]

            [measure]
            en = ["Measure", "What the police may do."]
            fr = ["Mesure", "Ce que peut faire la police."]
            values = { check = { en = "a check", fr = "un contrôle" } }

            [kinds.yield_turn.to]       # `to` of yield_turn alone

        Raises rtoml.TomlParsingError, and msgspec.ValidationError for words of another shape.
        """
        found = cls({}, {})
        for text in texts:
            rows: dict[str, Any] = rtoml.loads(text)
            kinds = msgspec.convert(rows.pop("kinds", {}), dict[str, dict[str, ParameterWords]])
            for name, words in msgspec.convert(rows, dict[str, ParameterWords]).items():
                known = found._names.get(name, words)
                found._names[name] = replace(words, values={**known.values, **words.values})
            for kind, own in kinds.items():
                found._kinds.setdefault(kind, {}).update(own)
        return found

    def of(self, kind: str, name: str) -> ParameterWords | None:
        """The words for a parameter of a kind of action, or for a member of an object inside of one."""
        return self._kinds.get(kind, {}).get(name) or self._names.get(name)


UNNAMED = ParameterWording({}, {})
"""No words: forms show the names of parameters themselves."""
