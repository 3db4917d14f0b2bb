"""The audit as CSV (RFC 4180): a row for each posting, and one row for an action without postings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ledger.reading.history.audit_lines import AuditLine, AuditPosting
from ledger.reading.money.spreadsheets import csv_of

COLUMNS = (
    "action",
    "number",
    "recorded_at",
    "status",
    "status_text",
    "kind",
    "by",
    "seat",
    "sentence",
    "rules",
    "counts",
    "rule",
    "commodity",
    "commodity_name",
    "amount",
    "from",
    "from_name",
    "from_balance",
    "to",
    "to_name",
    "to_balance",
    "waived",
    "override",
    "corrections",
    "disputes",
    "rulings",
    "leaf",
)
"""The columns in order. New columns are only added at the end.

`counts` is yes or no: whether the posting is part of the holdings (a restated action has rows of both kinds).
`rule` is the rule of the posting, `rules` are all rules of the action. Both balances are as of the end of the
action; they are empty if hidden from the viewer, or if the posting does not count. Several values in a cell are
separated by spaces.
"""


def table(pages: Iterable[Iterable[AuditLine]]) -> Iterator[str]:
    """Yield the header row, then the rows of each page."""
    return csv_of(COLUMNS, ((row for line in lines for row in _rows(line)) for lines in pages))


def _rows(line: AuditLine) -> Iterator[dict[str, Any]]:
    action = {
        "action": line.action,
        "number": line.number,
        "recorded_at": line.recorded_at.isoformat().replace("+00:00", "Z"),
        "status": line.status,
        "status_text": line.status_text,
        "kind": line.kind,
        "by": line.by,
        "seat": line.seat,
        "sentence": line.sentence,
        "rules": " ".join(cited.rule for cited in line.rules),
        "waived": " ".join(waived.rule.rule for waived in line.waived),
        "override": line.override,
        "corrections": " ".join(str(touch.correction) for touch in line.touched_by.corrections),
        "disputes": " ".join(touch.dispute for touch in line.touched_by.disputes),
        "rulings": " ".join(touch.ruling for touch in line.touched_by.rulings),
        "leaf": line.receipt.leaf,
    }
    balances = {(balance.account, balance.commodity): balance.amount for balance in line.balances}
    postings = [*line.postings, *(line.recorded.postings if line.recorded is not None else ())]
    if not postings:
        yield action
    for posting in postings:
        yield action | _posting(posting, balances if posting.counts else {})


def _posting(posting: AuditPosting, balances: dict[tuple[str, str], int]) -> dict[str, Any]:
    return {
        "counts": "yes" if posting.counts else "no",
        "rule": posting.rule,
        "commodity": posting.commodity,
        "commodity_name": posting.commodity_name,
        "amount": posting.amount,
        "from": posting.source,
        "from_name": posting.source_name,
        "from_balance": balances.get((posting.source, posting.commodity)),
        "to": posting.target,
        "to_name": posting.target_name,
        "to_balance": balances.get((posting.target, posting.commodity)),
    }
