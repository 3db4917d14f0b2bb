"""The parts of a journal entry, as answers show them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Annotated, Any

import msgspec

from ledger.kernel.facts.events import Event, TokenPath, kind_of
from ledger.kernel.facts.labels import ActionStatus, Name
from ledger.kernel.journal.entry import Chances
from ledger.kernel.language.sentences import Speaker
from ledger.reading.money.obligations import ObligationView

_NOT_DATA = frozenset({"rule", "postings"})
"""The fields of an event outside of its `data`."""


class PostingView(msgspec.Struct, frozen=True, rename={"source": "from", "target": "to"}):
    """A posting: a whole amount of a commodity, moved from one account to another."""

    commodity: str
    amount: int
    source: str
    target: str


class EventView(msgspec.Struct, frozen=True):
    """An event: its sequence number, its kind, its rule, its data, its postings, and a sentence.

    `seq` counts the events of the game. It is null for a viewer who may not see all events, because it would
    reveal how many hidden events there are.
    """

    seq: int | None
    kind: str
    rule: str
    data: dict[str, Any]
    postings: tuple[PostingView, ...]
    text: str


class WarningView(msgspec.Struct, frozen=True):
    """A rule and a sentence: why the action is voided, which rule was waived, what a correction leaves
    inconsistent, or which of two records of a card is to be looked at."""

    rule: str
    text: str


class Receipt(msgspec.Struct, frozen=True):
    """The receipt of an accepted action: its number, its leaf hash in hexadecimal, the size of the log with it.

    `proof` is a receipt that can be shown to others (C2SP tlog-proof), where the request asked for it.
    """

    number: int
    leaf: str
    size: int
    proof: str | msgspec.UnsetType = msgspec.UNSET


class EntryNames(msgspec.Struct, frozen=True):
    """The names for people, by id, of the seats, accounts and commodities that occur in an entry."""

    seats: dict[str, str]
    accounts: dict[str, str]
    commodities: dict[str, str]


class Effect(msgspec.Struct, frozen=True):
    """An account's holding of a commodity right before and right after an action."""

    account: str
    commodity: str
    before: int
    after: int


Revision = Annotated[tuple[int, ...], msgspec.Meta(min_length=2, max_length=2)]


class EntryView(msgspec.Struct, frozen=True):
    """An action. `events` are as recorded, whatever the status; `version` is the game's version after its entry.

    `action` is its name: 57, or "60.1" for the first action that correction 60 inserted. `number` is its number in
    the journal; an inserted action has its correction's, and stands right after the action `after`.

    `sentence` tells the action as it counts now, `status_text` how it stands and by which correction. `names` has
    the names of the ids that occur in the entry.

    `revision` numbers the rules that decided it, of the game and of the service; left out for the first of both.

    A dry run says more. `owed` are the obligations that the action would open or change, as they would stand, as
    far as the caller may foresee them. `seen_by` are the seats that would read all that the caller reads of the
    events; left out where the whole table would.
    """

    action: Name
    number: int
    kind: str
    seat: str | None
    by: str | None
    sentence: str
    by_text: str | None
    """The doer and the seat in words: "by Ana", "by the banker, for Ana". None where `by` is None."""
    params: dict[str, Any]
    draws: dict[str, list[int | str]]
    recorded_at: datetime
    status: ActionStatus
    status_text: str
    events: tuple[EventView, ...]
    effects: tuple[Effect, ...]
    """The changes of the visible holdings moved by the action. Empty if the action does not count."""
    path: tuple[TokenPath, ...]
    """The paths of the tokens moved by the action. Empty if the action does not count."""
    balances: dict[str, Mapping[str, int]]
    """The visible holdings after the action, among those moved or changed by the action, without zeros."""
    names: EntryNames
    warnings: tuple[WarningView, ...]
    override: str | None
    receipt: Receipt
    version: int
    corrected_by: int | None = None
    """The number of the correction that set the status."""
    restated: tuple[EventView, ...] = ()
    """The events that count instead of `events`, for a restated action."""
    reason: WarningView | None = None
    """The reason of a voided action: the rule of the refusal, and the sentence."""
    after: Name | None = None
    settled: tuple[EntryView, ...] | msgspec.UnsetType = msgspec.UNSET
    """The default steps taken by the game right before the action, if the request asked for them."""
    changes: Mapping[str, Mapping[str, int]] = {}
    """The changes of holdings by a correction, by account and commodity. Negative amounts are losses."""
    chance: Chances | msgspec.UnsetType = msgspec.UNSET
    """The entry's data on chance, in a game whose table does not throw the dice: the source of the dice, too."""
    revision: Revision | msgspec.UnsetType = msgspec.UNSET
    owed: tuple[ObligationView, ...] | msgspec.UnsetType = msgspec.UNSET
    seen_by: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET


@cache
def _data_of(kind: type[Event]) -> tuple[str, ...]:
    """Return the names of the `data` fields of a kind of event."""
    return tuple(name for name in kind.__struct_fields__ if name not in _NOT_DATA)


def view_event(event: Event, seq: int | None, language: str, speakers: Mapping[str, Speaker]) -> EventView:
    """Build the view of an event, with its sentence. The event must be redacted for the viewer already."""
    return EventView(
        seq=seq,
        kind=kind_of(event),
        rule=event.rule,
        data={
            name: value for name in _data_of(type(event)) if (value := getattr(event, name)) is not msgspec.UNSET
        },
        postings=tuple(
            PostingView(posting.commodity, posting.amount, posting.source, posting.target)
            for posting in event.postings
        ),
        text=event.sentence(language, speakers),
    )
