"""Statements: every posting of an account with the running balance, as from a bank."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec
from msgspec import UNSET

from ledger.games.history import Walk
from ledger.games.moments import Moment
from ledger.kernel.facts.events import kind_of
from ledger.kernel.facts.labels import Name, name_of
from ledger.reading.money.movements import Movement, movements, searchable_commodity
from ledger.reading.money.obligations import ObligationView, of_account
from ledger.reading.money.spreadsheets import csv_of
from ledger.reading.words.naming import Names
from ledger.store.records import Selection

_MOST_ROWS = 1000
"""Maximum number of entries read at a time. The number grows while few entries are visible."""


_STREAMED = 200
"""Number of lines read at a time for a whole statement."""


class StatementLine(msgspec.Struct, frozen=True):
    """A line of a statement: a posting of the account, with a signed amount and the running balance."""

    action: Name
    """The name of the action: 57, an integer, or "60.1" for the first action inserted by correction 60."""
    number: int
    seq: int | None
    """The sequence number of the event; null if some events are hidden from the viewer."""
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
    cursor: int | None = None,
    limit: int = 50,
) -> tuple[list[StatementLine], int | None]:
    """Return a page of an account's statement, oldest first, and the action number for the next `cursor`.

    The number is None at the end. The page has the postings that count up to the moment's action `at`, by the
    known corrections. All lines of the last action are in the page, so a page may exceed `limit`.
    """
    page: list[Movement] = []
    next_cursor: int | None = None
    for movement in _movements(moment, account, commodity=commodity, last_number=cursor, limit=limit):
        # Visible movements alone decide the existence and the start of a next page.
        if len(page) >= limit and movement.timeline_entry.position[0] != page[-1].timeline_entry.position[0]:
            next_cursor = page[-1].timeline_entry.position[0]
            break
        page.append(movement)
    walk = moment.walk()
    speakers = moment.rulebook.language.speakers(moment.newest)
    return [
        StatementLine(
            action=name_of(movement_line.timeline_entry.label),
            number=movement_line.timeline_entry.entry.number,
            seq=movement_line.timeline_entry.entry.first_seq + movement_line.offset
            if moment.viewer.sees_all
            else None,
            recorded_at=movement_line.timeline_entry.entry.recorded_at,
            kind=kind_of(movement_line.event),
            rule=movement_line.event.rule,
            text=movement_line.event.sentence(language, speakers),
            counterparty=movement_line.counterparty,
            commodity=movement_line.posting.commodity,
            amount=movement_line.amount,
            balance=balance_after(moment, movement_line, account, walk),
        )
        for movement_line in page
    ], next_cursor


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
    "owed",
)
"""The columns of a statement as CSV. New columns are only ever added at the end.

The balance is empty when the viewer may see the posting but not the holding. Obligations at the end follow the
postings: each has an amount `owed` (below zero: by the account), and neither amount nor balance.
"""


def statement_csv(
    moment: Moment, account: str, *, language: str = "en", commodity: str | None = None
) -> Iterator[str]:
    """Yield a whole account's statement as CSV, in pieces: the header, a row for each posting and obligation."""
    names = Names(moment.rulebook, moment.newest, language, register_at="")

    def row(line: StatementLine) -> dict[str, Any]:
        return {
            **msgspec.structs.asdict(line),
            "account": account,
            "account_name": names.account(account),
            "recorded_at": line.recorded_at.isoformat().replace("+00:00", "Z"),
            "counterparty_name": names.account(line.counterparty),
            "commodity_name": names.commodity(line.commodity),
        }

    def row_of_obligation(obligation: ObligationView, sign: int) -> dict[str, Any]:
        debtor = obligation.debtor and moment.rulebook.accounts.purse(obligation.debtor)
        counterparty = (debtor if sign > 0 else obligation.creditor) or ""
        return {
            **{name: value for name, value in msgspec.structs.asdict(obligation).items() if value is not UNSET},
            "account": account,
            "account_name": names.account(account),
            "action": obligation.since or "",
            "number": obligation.since or "",
            "counterparty": counterparty,
            "counterparty_name": names.account(counterparty),
            "amount": "",
            "owed": sign * obligation.amount if obligation.amount else "",
        }

    def pages() -> Iterator[Iterator[dict[str, Any]]]:
        cursor: int | None = 0
        while cursor is not None:
            lines, cursor = statement(
                moment, account, language=language, commodity=commodity, cursor=cursor, limit=_STREAMED
            )
            yield map(row, lines)
        owes, owed = of_account(moment, language, account, commodity)
        yield (row_of_obligation(obligation, -1) for obligation in owes)
        yield (row_of_obligation(obligation, 1) for obligation in owed)

    return csv_of(COLUMNS, pages())


def file_stem(account: str) -> str:
    """Return the file name of an account's statement, without its suffix: "statement-player-ana"."""
    return "statement-" + re.sub(r"[^A-Za-z0-9_.]+", "-", account).strip("-")


def has_visible_movements(moment: Moment, account: str) -> bool:
    """Return True if the account's statement has a visible line, by the known journal."""
    whole = moment.seen_at(None, moment.known_at)
    return next(_movements(whole, account, limit=1), None) is not None


def balance_after(moment: Moment, movement: Movement, account: str, walk: Walk) -> int | None:
    """Return the balance after a movement, or None if hidden from the viewer at the moment of the movement."""
    lasts = moment.viewer.sees_all or moment.rulebook.secrets.has_fixed_audience(account)
    state = moment.newest if lasts else walk.state_after(movement.timeline_entry.position[0])
    return movement.balance(moment.rulebook, state, account, moment.viewer)


def _movements(
    moment: Moment, account: str, *, limit: int, commodity: str | None = None, last_number: int | None = None
) -> Iterator[Movement]:
    """Yield the visible movements of an account after an action number, oldest first."""
    start, end = last_number or 0, moment.at
    running = dict(moment.state_after(start).holdings.account(account)) if start < end else {}
    sought = searchable_commodity(moment.rulebook, commodity, moment.viewer)
    amount = limit + 1
    while start < end:
        # Add a row for each corrected action, so a single query fills a page.
        changed = moment.game.history.changed_between(start, end, moment.corrections, account)
        rows = amount + min(limit, len(changed))
        rows_read = moment.store.journal.entries(
            moment.game.id,
            Selection(above=start, below=end + 1, account=account, commodity=sought, limit=rows),
        )
        last = rows_read[-1][0] if len(rows_read) == rows else end
        entries = [moment.read(number, stored) for number, stored in rows_read]
        for timeline_entry in moment.game.history.effective_between(
            entries, start, last, moment.corrections, account
        ):
            if timeline_entry.position > moment.through:
                return
            for movement in movements(timeline_entry, account, running, moment.newest, moment.viewer):
                if commodity in {None, movement.posting.commodity}:
                    yield movement
        start = last
        amount = min(2 * amount, _MOST_ROWS)  # Few entries were visible.
