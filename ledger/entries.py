"""A journal entry as one viewer sees it, in one language: what the API, the audit and the replay show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from ledger.kernel.audience import Viewer
from ledger.kernel.events import Event, kind_of
from ledger.kernel.journal import Entry
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.seeing import seen, seen_account, sees_whole
from ledger.kernel.sentences import Speaker, speak
from ledger.kernel.state import State

PRIVATE = "private"
"""The kind shown for an action of which the viewer may see nothing but that it happened."""


class PostingView(msgspec.Struct, frozen=True, rename={"source": "from", "target": "to"}):
    """A posting: amount (whole) of a commodity, from one account to another."""

    commodity: str
    amount: int
    source: str
    target: str


class EventView(msgspec.Struct, frozen=True):
    """An event: its sequence number, kind, rule, own data, postings, and a sentence."""

    seq: int
    kind: str
    rule: str
    data: dict[str, Any]
    postings: tuple[PostingView, ...]
    text: str


class WarningView(msgspec.Struct, frozen=True):
    """A waived rule and what would have refused the action."""

    rule: str
    text: str


class Receipt(msgspec.Struct, frozen=True):
    """The number and the leaf hash (hex) given for an accepted action."""

    number: int
    leaf: str


class EntryView(msgspec.Struct, frozen=True):
    """A journal entry. `version` is the state's version after it."""

    number: int
    kind: str
    seat: str | None
    by: str | None
    params: dict[str, Any]
    draws: dict[str, list[int | str]]
    recorded_at: datetime
    status: str
    events: tuple[EventView, ...]
    balances: dict[str, Mapping[str, int]]
    warnings: tuple[WarningView, ...]
    override: str | None
    receipt: Receipt
    version: int


def view_event(
    event: Event, seq: int, language: str, speakers: Mapping[str, Speaker], *, hidden: bool = False
) -> EventView:
    """An event that the viewer may see, with its sentence."""
    data = {name: getattr(event, name) for name in event.__struct_fields__ if name not in {"rule", "postings"}}
    return EventView(
        seq=seq,
        kind=kind_of(event),
        rule=event.rule,
        data=data,
        postings=()
        if hidden
        else tuple(
            PostingView(posting.commodity, posting.amount, posting.source, posting.target)
            for posting in event.postings
        ),
        text=speak(getattr(event, language), event, language, speakers),
    )


def view_entry(
    rulebook: Rulebook[Any],
    entry: Entry,
    events: Sequence[Event],
    leaf: bytes,
    after: State,
    now: State,
    viewer: Viewer,
    language: str,
) -> EntryView:
    """An entry as the viewer sees it.

    Takes the entry with its events, the state right `after` it (for balances), and the state `now` (which says
    whether the game is over and everything is revealed).
    """
    shown: list[EventView] = []
    speakers = rulebook.speakers(now)
    for offset, event in enumerate(events):
        visible = seen(now, event, viewer)
        if visible is not None:
            shown.append(
                view_event(visible, entry.first_seq + offset, language, speakers, hidden=visible is not event)
            )
    whole = sees_whole(now, events, viewer)
    hidden = not shown and not whole
    return EntryView(
        number=entry.number,
        kind=PRIVATE if hidden else entry.kind,
        seat=None if hidden else entry.seat,
        by=None if hidden else entry.by,
        params=msgspec.json.decode(entry.params) if whole else {},
        draws=entry.draws if whole else {},
        recorded_at=entry.recorded_at,
        status="effective",
        events=tuple(shown),
        balances=_balances(rulebook, shown, after, viewer),
        warnings=tuple(
            WarningView(warned.rule, warned.fr if language == "fr" else warned.en) for warned in entry.warnings
        )
        if whole
        else (),
        override=entry.override if whole else None,
        receipt=Receipt(entry.number, leaf.hex()),
        version=entry.number,
    )


def _balances(
    rulebook: Rulebook[Any], shown: Iterable[EventView], after: State, viewer: Viewer
) -> dict[str, Mapping[str, int]]:
    """What the accounts and commodities moved by the visible postings came to, as far as the viewer may see it."""
    balances: dict[str, dict[str, int]] = {}
    for event in shown:
        for posting in event.postings:
            for account in (posting.source, posting.target):
                if account not in balances:
                    balances[account] = dict(seen_account(rulebook, after, account, viewer))
    return {account: held for account, held in balances.items() if held}
