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

from typing import Annotated

from msgspec import Meta

LARGEST = 2**53 - 1
"""The largest number of the service, in size: of an amount, of a holding, of a sum. Every client reads it exactly,
in JavaScript, too (RFC 8259, section 6)."""


INT64_MAX = 2**63 - 1
"""The largest amount that a stored posting may carry: journals from before `LARGEST` hold such amounts."""


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
