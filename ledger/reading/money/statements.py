"""Statements: every posting of an account with the running balance, as from a bank."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec

from ledger.games.history import Walk
from ledger.games.moments import Moment
from ledger.kernel.facts.events import kind_of
from ledger.kernel.facts.labels import Name, name_of
from ledger.kernel.language.sentences import speak
from ledger.reading.money.movements import Movement, movements, searchable_commodity
from ledger.reading.money.spreadsheets import csv_of
from ledger.reading.words.naming import Names
from ledger.store.records import Selection

_MOST_ROWS = 1000
"""The largest number of entries read at a time. More are read at a time while few of them are visible."""


_STREAMED = 200
"""The number of lines that are read at a time for a whole statement."""


class StatementLine(msgspec.Struct, frozen=True):
    """A line of a statement: a posting of the account, with a signed amount and the running balance."""

    action: Name
    """The name of the action: 57, an integer, or "60.1" for the first action that correction 60 inserted."""
    number: int
    seq: int | None
    """The sequence number of the event; null for a viewer who may not see all events."""
    recorded_at: datetime
    kind: str
    rule: str
    text: str
    counterparty: str
    commodity: str
    amount: int
    balance: int | None
    """Null when the viewer may see the posting but not the holding."""


def statement(
    moment: Moment,
    account: str,
    *,
    language: str = "en",
    commodity: str | None = None,
    after: int | None = None,
    limit: int = 50,
) -> tuple[list[StatementLine], int | None]:
    """A page of an account's statement, oldest first, and the action number to go on `after`; None at the end.

    It has the postings that count up to the moment's action `at`, by the known corrections. A page has all lines
    of its last action, so it may have a few more lines than `limit`.
    """
    page: list[Movement] = []
    more: int | None = None
    for movement in _movements(moment, account, commodity=commodity, after=after, limit=limit):
        # Only visible movements decide whether there is another page, and where it begins.
        if len(page) >= limit and movement.standing.place[0] != page[-1].standing.place[0]:
            more = page[-1].standing.place[0]
            break
        page.append(movement)
    walk = moment.walk()
    speakers = moment.rulebook.speakers(moment.now)
    return [
        StatementLine(
            action=name_of(one.standing.label),
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


COLUMNS = (
    "account",
    "account_name",
    "action",
    "number",
    "recorded_at",
    "kind",
    "rule",
    "text",
    "counterparty",
    "counterparty_name",
    "commodity",
    "commodity_name",
    "amount",
    "balance",
)
"""The columns of a statement as CSV. New columns are only ever added at the end.

The balance is empty when the viewer may see the posting but not the holding.
"""


def statement_csv(
    moment: Moment, account: str, *, language: str = "en", commodity: str | None = None
) -> Iterator[str]:
    """A whole account's statement as CSV, in pieces: the header row and a row for each posting."""
    names = Names(moment.rulebook, moment.now, language, register_at="")

    def row(line: StatementLine) -> dict[str, Any]:
        return {
            **msgspec.structs.asdict(line),
            "account": account,
            "account_name": names.account(account),
            "recorded_at": line.recorded_at.isoformat().replace("+00:00", "Z"),
            "counterparty_name": names.account(line.counterparty),
            "commodity_name": names.commodity(line.commodity),
        }

    def pages() -> Iterator[Iterator[dict[str, Any]]]:
        after: int | None = 0
        while after is not None:
            lines, after = statement(
                moment, account, language=language, commodity=commodity, after=after, limit=_STREAMED
            )
            yield map(row, lines)

    return csv_of(COLUMNS, pages())


def file_stem(account: str) -> str:
    """The name of the file of an account's statement, without its suffix: "statement-player-ana"."""
    return "statement-" + re.sub(r"[^A-Za-z0-9_.]+", "-", account).strip("-")


def has_visible_movements(moment: Moment, account: str) -> bool:
    """Whether the account's statement has a line that the viewer may see, by the known journal."""
    whole = moment.seen_at(None, moment.known_at)
    return next(_movements(whole, account, limit=1), None) is not None


def balance_after(moment: Moment, movement: Movement, account: str, walk: Walk) -> int | None:
    """The balance after a movement; None when the viewer could not see it at that moment."""
    lasts = moment.viewer.sees_all or moment.rulebook.audience_lasts(account)
    state = moment.now if lasts else walk.after(movement.standing.place[0])
    return movement.balance(moment.rulebook, state, account, moment.viewer)


def _movements(
    moment: Moment, account: str, *, limit: int, commodity: str | None = None, after: int | None = None
) -> Iterator[Movement]:
    """The visible movements of an account after an action number, oldest first."""
    start, end = after or 0, moment.at
    running = dict(moment.state_after(start).holdings.account(account)) if start < end else {}
    sought = searchable_commodity(moment.rulebook, commodity, moment.viewer)
    wanted = limit + 1
    while start < end:
        # Add a row for each corrected action, so that one query still fills a page.
        changed = moment.game.history.changed_between(start, end, moment.corrections, account)
        rows = wanted + min(limit, len(changed))
        found = moment.store.entries(
            moment.game.id,
            Selection(after=start, before=end + 1, account=account, commodity=sought, limit=rows),
        )
        last = found[-1][0] if len(found) == rows else end
        entries = [moment.read(number, stored) for number, stored in found]
        for standing in moment.game.history.effective_between(entries, start, last, moment.corrections, account):
            if standing.place > moment.through:
                return
            for movement in movements(standing, account, running, moment.now, moment.viewer):
                if commodity in {None, movement.posting.commodity}:
                    yield movement
        start = last
        wanted = min(2 * wanted, _MOST_ROWS)  # Little of it was visible.
