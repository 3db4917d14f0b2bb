"""The parameters of actions, for forms: types with the kind of a value, and the words for parameters.

The JSON Schema of a parameter has a kind in `x-kind`, so that a form picks the right field:

| x-kind | the value |
|---|---|
| seat, title, commodity, card, account | a seat, a title, a thing, a card, an account, by id |
| | (titles and cards also by commodity: "title:mall") |
| place, die | a place by the number on the board; the value of a die |
| amount, quantity | whole units of the game's money; a number of things |
| text, flag, enum | a written text; yes or no; one of several values, with labels in `x-labels` |
| action, rule, dispute, question | an action by name, the rest by id |
| agreement | an agreement by id; `x-collection` is the collection |
| draw | a die or a card, depending on the draw |
| list, map | several values, by `items`; values by a key, by `propertyNames` and `additionalProperties` |
| legs, edits, remedies, postings | lists of objects, with members described in the same way |
| good | Négoces 2: a good by number or name |
| pick, picks, bonus, bonuses | Virtual Revolution: choices for effects; bonuses of an Action |
| performed, groups | Virtual Revolution: a bonus Action; groups of recovered tokens |
| answer, disruption | an answer open to a question; a ban of meetings |
| choice | one of the values offered by moves for the parameter: a debt, a colour, a loss |
| kind, params, new_action | another action: the kind, the parameters, or the whole action |
| players, settings | the data for the creation of a game |

A type gives the kind by `of_kind`. The kinds "enum", "flag", "list" and "map" follow from the type itself.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

LARGEST = 2**53 - 1
"""The largest number of the service, in size: of an amount, of a holding, of a sum. Every client reads it
exactly, in JavaScript too (RFC 8259, section 6).
"""


INT64_MAX = 2**63 - 1
"""The maximum amount of a stored posting: journals older than `LARGEST` hold such amounts."""


def of_kind(kind: str, **extra: str) -> Meta:
    """Return the schema data of a value: the `x-kind`, and each of `extra` ("collection" as `x-collection`)."""
    return Meta(extra_json_schema={"x-kind": kind, **{f"x-{name}": value for name, value in extra.items()}})


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
