"""Precedents: the rulings of one game or of many, as far as the viewer may know of them."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

import msgspec

from ledger.games.games import Games
from ledger.games.moments import Moment
from ledger.kernel.arbitration.docket import dispute
from ledger.kernel.arbitration.rulings import RulingGiven
from ledger.kernel.facts.audience import SPECTATOR, Viewer
from ledger.kernel.facts.labels import Name
from ledger.kernel.journal.sight import view_event
from ledger.store.database.errors import StoreUnavailable
from ledger.store.records import RulingSelection

Scope = Literal["none", "published", "all"]
"""The selection of further games: none, those with rulings published by their banker, or all."""

Position = tuple[datetime, str, int]
"""The end of a page: the time of its last ruling, the ruling's game, and its action."""

log = logging.getLogger("mabligop")

_BATCH = 200


class RulingView(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling: its finding, the actions and rules that it cites, and its remedies (their `ops`, in order).

    `ruling` is its id, `number` its action. A ruling stands until a later correction overturns it
    (`overturned_by`). `claim` is the claim of the dispute.
    """

    game: str
    rulebook: str
    ruling: str
    number: int
    recorded_at: datetime
    dispute: str | None
    claim: str | None
    finding: str
    actions: tuple[Name, ...]
    rules: tuple[str, ...]
    waives: tuple[str, ...]
    remedies: tuple[str, ...]
    status: Literal["standing", "overturned"]
    overturned_by: int | None


def rulings(
    games: Games,
    viewers: Mapping[str, Viewer],
    others: Scope = "none",
    *,
    rulebook: str | None = None,
    rule: str | None = None,
    words: Sequence[str] = (),
    cursor: Position | None = None,
    limit: int = 50,
) -> tuple[list[RulingView], Position | None]:
    """Return a page of rulings, newest first, and the next page's `cursor`, or None at the end.

    `viewers` are the games of the caller, with the caller's viewer in each game. Rulings of other games are
    limited to the public part. `rule` is a rule applied or waived by the ruling. The finding must contain each
    of the `words`, in upper or lower case. An unreadable ruling is left out and logged: it must not hide the
    rulings of all other games. Raises StoreUnavailable.
    """
    page: list[RulingView] = []
    places: list[Position] = []
    moments: dict[str, Moment] = {}
    unreadable: set[str] = set()
    while True:
        records = games.store.rulings.selected(
            RulingSelection(
                games=tuple(viewers),
                others=others,
                rulebook=rulebook,
                rule=rule,
                words=tuple(words),
                cursor=cursor,
                limit=_BATCH,
            )
        )
        for record in records:
            if record.game_id in unreadable:
                continue
            try:
                if record.game_id not in moments:
                    moments[record.game_id] = games.moment(record.game_id, viewers.get(record.game_id, SPECTATOR))
                moment = moments[record.game_id]
                if record.game_id not in viewers and others == "published" and not moment.newest.rulings_published:
                    continue
                view = _ruling(moment, record.number)
            except StoreUnavailable:
                raise
            except Exception as fault:
                # A damaged game may raise any exception. The message may quote secrets of the game.
                log.error(
                    "the ruling of game %s at action %d cannot be read: %s",
                    record.game_id,
                    record.number,
                    type(fault).__name__,
                )
                if record.game_id not in moments:
                    unreadable.add(record.game_id)
                continue
            if view is None:
                continue
            if len(page) == limit:
                return page, places[-1]
            page.append(view)
            places.append((record.recorded_at, record.game_id, record.number))
        if len(records) < _BATCH:
            return page, None
        cursor = (records[-1].recorded_at, records[-1].game_id, records[-1].number)


def _ruling(moment: Moment, number: int) -> RulingView | None:
    """Return the ruling of an action, or None if hidden from the viewer."""
    state = moment.newest
    stored = moment.store.journal.entry(moment.game.id, number)
    if stored is None or number > state.version:
        return None
    timeline_entry = moment.timeline([moment.read(number, stored)]).entry(number)
    if timeline_entry is None:
        return None
    for event in timeline_entry.events if timeline_entry.counts else timeline_entry.recorded:
        if isinstance(event, RulingGiven) and view_event(state, event, moment.viewer) is event:
            about = None if event.dispute is None else dispute(state, event.dispute, moment.viewer)
            return RulingView(
                game=moment.game.id,
                rulebook=moment.rulebook.id,
                ruling=event.ruling,
                number=number,
                recorded_at=timeline_entry.entry.recorded_at,
                dispute=event.dispute,
                claim=None if about is None else about.claim,
                finding=event.finding,
                actions=event.actions,
                rules=event.rules,
                waives=event.waives,
                remedies=event.ops,
                status="standing" if timeline_entry.counts else "overturned",
                overturned_by=None if timeline_entry.counts else timeline_entry.by,
            )
    return None
