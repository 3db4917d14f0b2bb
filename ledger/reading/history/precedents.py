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
from ledger.kernel.journal.sight import seen
from ledger.store.database.errors import StoreUnavailable
from ledger.store.records import RulingSelection

Scope = Literal["none", "published", "all"]
"""Which other games to read: none, those whose banker has published their rulings, or all."""

Position = tuple[datetime, str, int]
"""Where a page ended: the time of its last ruling, the ruling's game, and its action."""

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
    known: Mapping[str, Viewer],
    others: Scope = "none",
    *,
    rulebook: str | None = None,
    rule: str | None = None,
    words: Sequence[str] = (),
    after: Position | None = None,
    limit: int = 50,
) -> tuple[list[RulingView], Position | None]:
    """A page of rulings, newest first, and the position to go on `after`; None at the end.

    `known` are the games that the caller belongs to, with the viewer that the caller is in each. Of other games
    the answer has what everybody at their table may read. `rule` is a rule that the ruling applies or waives. The
    finding must have each of the `words`; upper and lower case are the same. A ruling that cannot be read is left
    out, and the log says which: it must not hide the rulings of all other games. Raises StoreUnavailable.
    """
    page: list[RulingView] = []
    places: list[Position] = []
    moments: dict[str, Moment] = {}
    unreadable: set[str] = set()
    while True:
        found = games.store.rulings(
            RulingSelection(
                games=tuple(known),
                others=others,
                rulebook=rulebook,
                rule=rule,
                words=tuple(words),
                after=after,
                limit=_BATCH,
            )
        )
        for record in found:
            if record.game_id in unreadable:
                continue
            try:
                if record.game_id not in moments:
                    moments[record.game_id] = games.moment(record.game_id, known.get(record.game_id, SPECTATOR))
                moment = moments[record.game_id]
                if record.game_id not in known and others == "published" and not moment.now.rulings_published:
                    continue
                view = _ruling(moment, record.number)
            except StoreUnavailable:
                raise
            except Exception as fault:
                # A damaged game may raise any exception. Its words may quote what is secret in the game.
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
        if len(found) < _BATCH:
            return page, None
        after = (found[-1].recorded_at, found[-1].game_id, found[-1].number)


def _ruling(moment: Moment, number: int) -> RulingView | None:
    """The ruling of an action; None when the viewer may not see it."""
    state = moment.now
    stored = moment.store.entry(moment.game.id, number)
    if stored is None or number > state.version:
        return None
    standing = moment.timeline([moment.read(number, stored)]).standing(number)
    if standing is None:
        return None
    for event in standing.events if standing.counts else standing.recorded:
        if isinstance(event, RulingGiven) and seen(state, event, moment.viewer) is event:
            about = None if event.dispute is None else dispute(state, event.dispute, moment.viewer)
            return RulingView(
                game=moment.game.id,
                rulebook=moment.rulebook.id,
                ruling=event.ruling,
                number=number,
                recorded_at=standing.entry.recorded_at,
                dispute=event.dispute,
                claim=None if about is None else about.claim,
                finding=event.finding,
                actions=event.actions,
                rules=event.rules,
                waives=event.waives,
                remedies=event.ops,
                status="standing" if standing.counts else "overturned",
                overturned_by=None if standing.counts else standing.by,
            )
    return None
