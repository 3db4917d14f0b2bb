"""Names of actions: 30 for an action of the journal, "30.1" for the first action inserted by correction 30."""

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
"""The name of an action in a request, an edit or a dispute."""


Name = int | str
"""A checked name of an action."""


ActionStatus = Annotated[str, Meta(extra_json_schema={"enum": ["effective", "undone", "restated", "voided"]})]
"""The status of an action after the corrections of the game."""


DisputeStatus = Annotated[str, Meta(extra_json_schema={"enum": ["open", "withdrawn", "ruled"]})]
"""The status of a dispute."""


CascadeName = Annotated[str, Meta(extra_json_schema={"enum": ["restate", "keep", "refuse"]})]
"""The cascade of a correction, as read from a journal."""


EditName = Annotated[str, Meta(extra_json_schema={"enum": ["drop", "replace", "insert", "rewind", "amend"]})]
"""The operation of an edit of a correction."""


DiceMode = Annotated[str, Meta(extra_json_schema={"enum": ["table", "service", "shared", "shared_or_table"]})]
"""The source of dice and cards: the players at the table, the service, or both together."""


Label = tuple[int, int]
"""An action of the effective history: (number, 0), or (correction, k) for the k-th insertion of a correction."""


Place = tuple[int, ...]
"""The place of an action in the effective history; places sort like the history.

(number, 0, 0) for an entry of the journal. An inserted action has (after, correction, k). If the action before
it is itself inserted, the whole place of the action before stands for `after`.
"""


BEYOND = 2**62
"""A number greater than any part of a place."""


def label_of(name: Name) -> Label:
    """Return the label of an action. Takes a valid name."""
    if isinstance(name, int):
        return name, 0
    number, _, insert = name.partition(".")
    return int(number), int(insert)


def preceding(position: Place) -> Name | None:
    """Return the action right before an inserted action, from the place; None for an action of the journal."""
    if not position[1]:
        return None
    anchor = position[:-2]
    while len(anchor) > 1 and not anchor[-1]:  # before the first insertion of a correction
        anchor = anchor[:-2]
    return name_of((anchor[-2], anchor[-1])) if len(anchor) > 1 else anchor[0]


def name_in(text: str) -> Name:
    """Parse a name from a text like "30" or "30.1"."""
    return int(text) if text.isdecimal() else text


def name_of(label: Label) -> Name:
    """Return the name of an action: an integer for an entry of the journal."""
    return f"{label[0]}.{label[1]}" if label[1] else label[0]
