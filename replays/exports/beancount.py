"""`beancount`: a game as a book for Beancount.

Beancount has rules for the names of accounts and commodities. The account `player:ana` becomes
`Assets:Player:Ana`, `escrow:bounty:57` becomes `Assets:Escrow:Bounty-57`, `police` becomes `Assets:Table:Police`,
and the issuers are `Equity:Bank` and `Equity:Box`. No account is below another one, because the assertion of a
balance would include the accounts below. The commodity `title:negotown` becomes `TITLE.NEGOTOWN`, cut to 24
characters, the most that every version of Beancount accepts. The declarations have the game's own names as
metadata.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator
from datetime import date

from ledger.moving.exporting import Export, ShownAction
from replays.exports.bookkeeping import Book, idle_events, is_issuer, one_line, rules_of, sentences_of

_LONGEST = 24
_WORDS = ("TRUE", "FALSE", "NULL")
"""Words that Beancount reads as values."""


def write(export: Export, table: str | None, progress: Callable[[int, int], None]) -> Generator[bytes, None, None]:
    """Write the book."""
    return book(export).write(progress)


def book(export: Export) -> Book:
    """Build the book of a game, ready to write."""
    return _Beancount(export)


class _Beancount(Book):
    """Beancount's syntax (version 2 and later)."""

    def title(self) -> Iterator[str]:
        yield f'option "title" {_string(self.export.record.title)}'
        yield f'option "operating_currency" "{self.commodity_name(self.export.rulebook.accounts.currency)}"'

    def account_name(self, account: str) -> str:
        kind, _, suffix = account.partition(":")
        if is_issuer(account):
            return f"Equity:{_component(account)}"
        if not suffix:
            kind, suffix = "table", account
        return f"Assets:{_component(kind)}:{_component(suffix)}"

    def commodity_name(self, commodity: str) -> str:
        name = re.sub(r"[^A-Z0-9'._-]", "-", commodity.replace(":", ".").upper())
        if not name[:1].isalpha() or name in _WORDS:
            name = f"C.{name}"
        name = re.sub(r"[^A-Z0-9]+$", "", name[:_LONGEST])
        return name if len(name) > 1 else f"{name}X"

    def numbered(self, name: str, again: int) -> str:
        number = f"-{again}"
        return (name if ":" in name else name[: _LONGEST - len(number)]) + number

    def declared_account(self, account: str, name: str) -> Iterator[str]:
        yield f"{self.opened_on} open {name}"
        yield f"  account: {_string(account)}"

    def declared_commodity(self, commodity: str, name: str) -> Iterator[str]:
        yield f"{self.opened_on} commodity {name}"
        yield f"  commodity: {_string(commodity)}"

    def transaction(self, on: date, action: ShownAction) -> Iterator[str]:
        view = action.view
        plain = view.status == "effective" and view.corrected_by is None
        who = view.seat or view.by or ""
        heading = f"{on} {'*' if plain else '!'} {_string(who)} {_string(sentences_of(action))}"
        yield heading if plain else f"{heading} #{view.status}"
        yield f"  number: {view.number}"
        if action.after is not None:
            yield f'  action: "{action.name}"'
            yield f"  after: {action.after}" if isinstance(action.after, int) else f'  after: "{action.after}"'
        yield f'  kind: "{view.kind}"'
        yield f'  rule: "{rules_of(action)}"'
        yield f'  status: "{view.status}"'
        if view.by is not None:
            yield f"  by: {_string(view.by)}"
        if view.corrected_by is not None:
            yield f"  corrected_by: {view.corrected_by}"
        if view.reason is not None:
            yield f"  reason: {_string(view.reason.text)}"
        if view.override is not None:
            yield f"  override: {_string(view.override)}"
        yield f'  recorded_at: "{view.recorded_at.isoformat()}"'
        yield f'  leaf: "{view.receipt.leaf}"'
        for event in idle_events(action):
            for posting in event.postings:
                source, target = self.account(posting.source), self.account(posting.target)
                commodity = self.commodity(posting.commodity)
                yield f"  ; does not count: {posting.amount} {commodity} {source} -> {target}"
        for event in action.counting:
            for posting in event.postings:
                commodity = self.commodity(posting.commodity)
                yield f"  {self.account(posting.source)}  -{posting.amount} {commodity}"
                yield f'    event: "{event.kind}"'
                yield f'    rule: "{event.rule}"'
                yield f"  {self.account(posting.target)}  {posting.amount} {commodity}"

    def holdings(self, on: date, balances: Iterable[tuple[str, str, int]]) -> Iterator[str]:
        for account, commodity, amount in balances:
            yield f"{on} balance {self.account(account)}  {amount} {self.commodity(commodity)}"


def _component(name: str) -> str:
    """Return a part of an account's name: a capital letter or a digit, followed by letters, digits and hyphens."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-") or "X"
    return plain[0].upper() + plain[1:]


def _string(text: str) -> str:
    return '"' + one_line(text).replace("\\", "\\\\").replace('"', '\\"') + '"'
