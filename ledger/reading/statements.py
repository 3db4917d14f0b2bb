"""Statements: everything that moves in an account, with its running balance, like a bank's."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import msgspec

from ledger.games.history import Walk
from ledger.games.moments import Moment
from ledger.kernel.events import kind_of
from ledger.kernel.journal import read
from ledger.kernel.sentences import speak
from ledger.reading.movements import Movement, movements, searchable_commodity
from ledger.store.records import Selection

_MOST_ROWS = 1000
"""How many entries are read at a time, when those read before had not enough in them that is shown."""


class StatementLine(msgspec.Struct, frozen=True):
    """A line of a statement: a posting seen from its account, signed, with the running balance."""

    action: str
    """What names the action: its number, or "60.1" for the first one that correction 60 inserted."""
    number: int
    seq: int | None
    """The number of its event among all of the game; None for whoever may not see all of them."""
    recorded_at: datetime
    kind: str
    rule: str
    text: str
    counterparty: str
    commodity: str
    amount: int
    balance: int | None
    """None when the viewer may see the posting but not what the account holds."""


def statement(
    moment: Moment,
    account: str,
    *,
    language: str = "en",
    commodity: str | None = None,
    after: int | None = None,
    limit: int = 50,
) -> tuple[list[StatementLine], int | None]:
    """A page of an account's statement, oldest first, and the action number to go on `after`.

    It holds what counts up to action `at`, as it is known. A page holds whole actions, so it may have a few lines
    more than `limit`.
    """
    page: list[Movement] = []
    more: int | None = None
    for movement in _movements(moment, account, commodity=commodity, after=after, limit=limit):
        # Whole actions, and only what is shown says whether there is more, and behind what.
        if len(page) >= limit and movement.standing.place[0] != page[-1].standing.place[0]:
            more = page[-1].standing.place[0]
            break
        page.append(movement)
    walk = moment.walk()
    speakers = moment.rulebook.speakers(moment.now)
    return [
        StatementLine(
            action=one.standing.name,
            number=one.standing.entry.number,
            seq=one.standing.entry.first_seq + one.offset if moment.viewer.sees_all else None,
            recorded_at=one.standing.entry.recorded_at,
            kind=kind_of(one.event),
            rule=one.event.rule,
            text=speak(getattr(one.event, language), one.event, language, speakers),
            counterparty=one.counterparty,
            commodity=one.posting.commodity,
            amount=one.amount,
            balance=balance_after(moment, one, account, walk),
        )
        for one in page
    ], more


def has_visible_movements(moment: Moment, account: str) -> bool:
    """Whether the account's statement, as far as the journal is known, has a line that the viewer may see."""
    whole = moment.seen_at(None, moment.known_at)
    return next(_movements(whole, account, limit=1), None) is not None


def balance_after(moment: Moment, movement: Movement, account: str, walk: Walk) -> int | None:
    """What the account holds after a movement, as far as the viewer may see it: by who could see it then."""
    lasts = moment.viewer.sees_all or moment.rulebook.audience_lasts(account)
    state = moment.now if lasts else walk.after(movement.standing.place[0])
    return movement.balance(moment.rulebook, state, account, moment.viewer)


def _movements(
    moment: Moment, account: str, *, limit: int, commodity: str | None = None, after: int | None = None
) -> Iterator[Movement]:
    """What moves in an account behind an action number, as far as the viewer may see it, oldest first."""
    start, end = after or 0, moment.at
    running = dict(moment.state_after(start).holdings.account(account)) if start < end else {}
    sought = searchable_commodity(moment.rulebook, commodity, moment.viewer)
    wanted = limit + 1
    while start < end:
        # As many more rows as corrections have changed, so that one fetch still fills a page.
        changed = moment.game.history.changed_between(start, end, moment.corrections, account)
        rows = wanted + min(limit, len(changed))
        found = moment.store.entries(
            moment.game.id,
            Selection(after=start, before=end + 1, account=account, commodity=sought, limit=rows),
        )
        last = found[-1][0] if len(found) == rows else end
        entries = [read(stored) for _, stored in found]
        for standing in moment.game.history.effective_between(entries, start, last, moment.corrections, account):
            for movement in movements(standing, account, running, moment.now, moment.viewer):
                if commodity in {None, movement.posting.commodity}:
                    yield movement
        start = last
        wanted = min(2 * wanted, _MOST_ROWS)  # little of it is shown
