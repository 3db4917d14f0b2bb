"""The parts of a preview, as answers show them."""

from __future__ import annotations

from typing import Any

import msgspec

from ledger.kernel.facts.labels import Name
from ledger.reading.entries.views import EventView, WarningView
from ledger.reading.money.obligations import ObligationView
from ledger.reading.moves.needs import NeedView
from ledger.reading.words.seating import SeatView


class ActionCounts(msgspec.Struct, frozen=True):
    """The numbers of actions by outcome, from the first touched action on."""

    unchanged: int
    undone: int
    restored: int
    """The number of actions that count again after being undone or voided."""
    restated: int
    voided: int
    inserted: int
    """The number of inserted actions, the default steps of the game included."""


class CauseView(msgspec.Struct, frozen=True):
    """What an edit changes at once, as a sentence, and the actions that come out differently because of it.

    `edit` is the edit's place in the request, from 0. `action` is the action where the histories part. `follows`
    are names of actions, in the order of the history.
    """

    cause: int
    edit: int
    action: Name
    text: str
    follows: tuple[Name, ...]


class PreviewedAction(msgspec.Struct, frozen=True):
    """An action whose outcome changes. `action` is its name: 57, an integer, or "60.1" for an inserted action.

    `sentence` tells it as it counted until now; one that counts again, as it counts then.
    """

    action: Name
    number: int
    kind: str
    seat: str | None
    sentence: str


class RestatedAction(msgspec.Struct, frozen=True):
    """An action that counts with other events: the events that count before the correction, and after it.

    `cause` is the cause that it comes from (see `Preview.causes`), and `because` the name of the action in between
    that brought it about, which comes out differently itself.
    `was` tells the action as it counted until now, `sentence` as it counts after the correction.
    """

    action: Name
    number: int
    kind: str
    seat: str | None
    was: str
    sentence: str
    cause: int
    because: Name | None
    before: tuple[EventView, ...]
    after: tuple[EventView, ...]


class VoidedAction(msgspec.Struct, frozen=True):
    """An action that is no longer possible, and why: the rule ("" for none) and the sentence.

    `sentence` tells the action as it counted until now.
    """

    action: Name
    number: int
    kind: str
    seat: str | None
    sentence: str
    cause: int
    because: Name | None
    why: WarningView


class AddedAction(msgspec.Struct, frozen=True):
    """An action that is inserted right after action `after`, with its events and warnings.

    `by` is "banker" for those of the edits. It is "system" for a default step, which the game takes because the
    action `before` needs it.
    """

    action: Name
    after: Name
    before: Name | None
    kind: str
    seat: str | None
    by: str
    sentence: str
    cause: int
    because: Name | None
    events: tuple[EventView, ...]
    warnings: tuple[WarningView, ...]


class BeforeAfter(msgspec.Struct, frozen=True):
    """An account's final holding of a commodity, before and after the correction, as whole numbers."""

    before: int
    after: int


class Piece(msgspec.Struct, frozen=True):
    """A unique piece, such as a title, and its name."""

    commodity: str
    name: str


class HeldDifference(msgspec.Struct, frozen=True):
    """How much of a commodity a seat has before and after the correction, in all its accounts together."""

    commodity: str
    name: str
    before: int
    after: int


class SeatDifference(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a correction changes for a seat.

    `money` and `worth` are there for a viewer who may see them, changed or not. `gained` and `lost` are unique
    pieces, such as titles; `holdings` are the other commodities of which the seat has another amount.
    """

    seat: SeatView
    money: BeforeAfter | msgspec.UnsetType = msgspec.UNSET
    worth: BeforeAfter | msgspec.UnsetType = msgspec.UNSET
    gained: tuple[Piece, ...]
    lost: tuple[Piece, ...]
    holdings: tuple[HeldDifference, ...]


class CascadeFigures(msgspec.Struct, frozen=True, kw_only=True, tag_field="outcome", tag="possible"):
    """What a correction comes to with one cascade.

    `restated`, `voided`, `inserted` and `unchanged` are numbers of actions; the default steps of the game are
    among the inserted ones. `moved` is how much money comes to the seats, or goes from them, whichever is more, as
    far as the viewer may see it. `needs` is the number of dice and cards that are missing. `warnings` are what the
    correction would leave inconsistent.
    """

    restated: int
    voided: int
    inserted: int
    unchanged: int
    moved: int
    needs: int
    warnings: tuple[WarningView, ...]


class RefusedCascade(msgspec.Struct, frozen=True, tag_field="outcome", tag="refused"):
    """Why a correction is refused with one cascade."""

    refused: str


class RefuseFigures(msgspec.Struct, frozen=True):
    """Whether the correction is refused with the cascade `refuse`, because something would change that no edit
    names."""

    would_refuse: bool


class Cascades(msgspec.Struct, frozen=True):
    """What the same edits come to with each of the three cascades."""

    restate: CascadeFigures | RefusedCascade
    keep: CascadeFigures | RefusedCascade
    refuse: RefuseFigures


class Difference(msgspec.Struct, frozen=True):
    """A changed value: its place (a JSON Pointer, RFC 6901), its value before and after; null for none."""

    path: str
    before: Any
    after: Any


class ObligationDifference(
    msgspec.Struct, frozen=True, kw_only=True, rename={"previous": "before", "corrected": "after"}
):
    """An obligation at the end of the game `before` the correction and `after` the correction.

    A side without the obligation is left out.
    """

    previous: ObligationView | msgspec.UnsetType = msgspec.UNSET
    corrected: ObligationView | msgspec.UnsetType = msgspec.UNSET


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """The consequences of a correction before it is written, as worked out at the game's version `version`.

    `stale` is whether the journal has gone on meanwhile. `cascades` are the figures of all three cascades.
    `seats` are the differences for each seat, in the order of turns.
    `turns` says first where the order of turns changes. `causes` are the first causes, each with what follows from
    it, and `changes` says in sentences how the table differs in the end. `needs` are the dice and cards that
    nobody threw or drew, each with the edit that takes them. `holdings` are the final holdings that change, by
    account and commodity. `table` are the other changes of the table (positions, titles, whose turn it is).
    `agreements` are the changes of agreements, by collection and id. `obligations` are the changes of who owes
    whom.
    """

    version: int
    stale: bool = False
    cascades: Cascades
    seats: tuple[SeatDifference, ...]
    turns: tuple[str, ...]
    causes: tuple[CauseView, ...]
    changes: tuple[str, ...]
    needs: tuple[NeedView, ...]
    counts: ActionCounts
    undone: tuple[PreviewedAction, ...]
    restored: tuple[PreviewedAction, ...]
    restated: tuple[RestatedAction, ...]
    voided: tuple[VoidedAction, ...]
    inserted: tuple[AddedAction, ...]
    holdings: dict[str, dict[str, BeforeAfter]]
    table: tuple[Difference, ...]
    agreements: tuple[Difference, ...]
    obligations: tuple[ObligationDifference, ...]
    warnings: tuple[WarningView, ...]
    """The inconsistencies left by the correction: the rule and the sentence."""
