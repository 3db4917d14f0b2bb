"""Names of actions: 30 for an action of the journal, "30.1" for the first action that correction 30 inserted."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Number = Annotated[int, Meta(ge=1, le=2**53, extra_json_schema={"x-kind": "action"})]
"""The number of an action of the journal."""


InsertedName = Annotated[
    str,
    Meta(
        pattern=r"^[1-9][0-9]{0,14}\.[1-9][0-9]{0,5}$",
        description='an inserted action: "30.1" is the first one that correction 30 inserted',
        extra_json_schema={"x-kind": "action"},
    ),
]


ActionName = Number | InsertedName
"""What a request, an edit or a dispute calls an action."""


Name = int | str
"""The same, where it has been checked."""


ActionStatus = Annotated[str, Meta(extra_json_schema={"enum": ["effective", "undone", "restated", "voided"]})]
"""How an action stands by the corrections of its game."""


DisputeStatus = Annotated[str, Meta(extra_json_schema={"enum": ["open", "withdrawn", "ruled"]})]
"""How a dispute stands."""


CascadeName = Annotated[str, Meta(extra_json_schema={"enum": ["restate", "keep", "refuse"]})]
"""What becomes of later actions, where it is read from a journal."""


EditName = Annotated[str, Meta(extra_json_schema={"enum": ["drop", "replace", "insert", "rewind", "amend"]})]
"""What an edit of a correction does."""


DiceMode = Annotated[str, Meta(extra_json_schema={"enum": ["table", "service", "shared", "shared_or_table"]})]
"""Who throws the dice and draws the cards: the players at the table, the service, or both together."""


Label = tuple[int, int]
"""An action of the effective history: (number, 0), or (correction, k) for the k-th one that it inserted."""


Place = tuple[int, ...]
"""Where an action stands in the effective history; places sort as the history does.

(number, 0, 0) for an entry of the journal. An inserted action has (after, correction, k); when it comes right
after another inserted action, the whole place of that one stands for `after`.
"""


BEYOND = 2**62
"""A number greater than any part of a place."""


def label_of(name: Name) -> Label:
    """The label of an action. Takes a name of the right form."""
    if isinstance(name, int):
        return name, 0
    number, _, insert = name.partition(".")
    return int(number), int(insert)


def preceding(place: Place) -> Name | None:
    """The action that an inserted action comes right after, by its place; None for an action of the journal."""
    if not place[1]:
        return None
    before = place[:-2]
    while len(before) > 1 and not before[-1]:  # right before the first action that a correction inserted
        before = before[:-2]
    return name_of((before[-2], before[-1])) if len(before) > 1 else before[0]


def name_in(text: str) -> Name:
    """The name that a text like "30" or "30.1" says."""
    return int(text) if text.isdecimal() else text


def name_of(label: Label) -> Name:
    """The name of an action: an integer for an entry of the journal."""
    return f"{label[0]}.{label[1]}" if label[1] else label[0]
