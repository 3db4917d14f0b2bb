"""A journal entry as one viewer sees it, in one language: what the API, the audit and the replay show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import msgspec

from ledger.kernel.audience import Viewer
from ledger.kernel.events import Event, kind_of
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.seeing import seen, seen_account, sees_whole
from ledger.kernel.sentences import Speaker, speak
from ledger.kernel.state import State
from ledger.kernel.timeline import Standing

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
    """A journal entry; `events` are as recorded, whatever became of it, `version` is the state's after it."""

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
    corrected_by: int | None = None
    """The correction that made the status what it is."""
    restated: tuple[EventView, ...] = ()
    """The events that count instead of `events`, when the action is restated."""
    reason: WarningView | None = None
    """Why the action is voided, with the rule that refuses it now."""


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
    standing: Standing,
    leaf: bytes,
    after: State,
    now: State,
    viewer: Viewer,
    language: str,
) -> EntryView:
    """An entry as the viewer sees it.

    Takes how the entry stands, the hash of its stored bytes, the state right `after` it (for balances), and the
    state `now` (which says whether the game is over and everything is revealed).
    """
    entry = standing.entry
    speakers = rulebook.speakers(now)
    shown = _views(standing.recorded, entry.first_seq, now, viewer, language, speakers)
    restated = (
        _views(standing.events, entry.first_seq, now, viewer, language, speakers)
        if standing.status == "restated"
        else []
    )
    whole = sees_whole(now, standing.recorded, viewer)
    hidden = not shown and not restated and not whole
    why = standing.why if whole else None
    return EntryView(
        number=entry.number,
        kind=PRIVATE if hidden else entry.kind,
        seat=None if hidden else entry.seat,
        by=None if hidden else entry.by,
        params=msgspec.json.decode(entry.params) if whole else {},
        draws=entry.draws if whole else {},
        recorded_at=entry.recorded_at,
        status=standing.status,
        events=tuple(shown),
        balances=_balances(rulebook, restated or shown, after, viewer),
        warnings=tuple(
            WarningView(warned.rule, warned.fr if language == "fr" else warned.en) for warned in entry.warnings
        )
        if whole
        else (),
        override=entry.override if whole else None,
        receipt=Receipt(entry.number, leaf.hex()),
        version=entry.number,
        corrected_by=standing.by,
        restated=tuple(restated),
        reason=None if why is None else WarningView(why.rule, why.fr if language == "fr" else why.en),
    )


def _views(
    events: Iterable[Event],
    first_seq: int,
    now: State,
    viewer: Viewer,
    language: str,
    speakers: Mapping[str, Speaker],
) -> list[EventView]:
    """The events that the viewer may see, each as far as that."""
    shown: list[EventView] = []
    for offset, event in enumerate(events):
        visible = seen(now, event, viewer)
        if visible is not None:
            shown.append(view_event(visible, first_seq + offset, language, speakers, hidden=visible is not event))
    return shown


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
