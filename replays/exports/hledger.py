"""`hledger`: a game as a journal for hledger.

hledger accepts nearly all names. The account `player:ana` becomes `assets:player:ana`, and the issuers are
`equity:bank` and `equity:box`. Commodities keep their names, in double quotes unless purely letters:
`"title:negotown"`. The last transaction moves nothing and asserts the holdings of all accounts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator
from datetime import date

from ledger.moving.exporting import Export, ShownAction
from replays.exports.bookkeeping import Book, idle_events, is_issuer, one_line, rules_of, sentences_of


def write(export: Export, table: str | None, progress: Callable[[int, int], None]) -> Generator[bytes, None, None]:
    """Write the journal."""
    return book(export).write(progress)


def book(export: Export) -> Book:
    """Build the book of a game, ready to write."""
    return _Hledger(export)


class _Hledger(Book):
    """hledger's syntax."""

    def title(self) -> Iterator[str]:
        return iter(())

    def account_name(self, account: str) -> str:
        plain = ":".join(re.sub(r"[^\w.'-]+", "_", part) or "_" for part in account.split(":"))
        return f"{'equity' if is_issuer(account) else 'assets'}:{plain}"

    def commodity_name(self, commodity: str) -> str:
        if re.fullmatch(r"[A-Za-z]+", commodity):
            return commodity
        return '"' + one_line(commodity).translate({ord('"'): "'", ord(";"): ","}) + '"'

    def numbered(self, name: str, again: int) -> str:
        if name.endswith('"'):
            return f'{name[:-1]} {again}"'
        return f"{name}_{again}" if ":" in name else f'"{name} {again}"'

    def declared_account(self, account: str, name: str) -> Iterator[str]:
        yield f"account {name}"

    def declared_commodity(self, commodity: str, name: str) -> Iterator[str]:
        yield f"commodity 1000. {name}"

    def transaction(self, on: date, action: ShownAction) -> Iterator[str]:
        view = action.view
        plain = view.status == "effective" and view.corrected_by is None
        who = _description(view.seat or view.by or "-")
        yield f"{on} {'*' if plain else '!'} ({action.name}) {who} | {_description(sentences_of(action))}"
        tags = {"number": view.number, "kind": view.kind, "rule": rules_of(action), "status": view.status}
        if action.after is not None:
            tags |= {"action": action.name, "after": action.after}
        if view.by is not None:
            tags["by"] = _description(view.by).replace(",", " ")
        if view.corrected_by is not None:
            tags["corrected_by"] = view.corrected_by
        tags |= {"recorded_at": view.recorded_at.isoformat(), "leaf": view.receipt.leaf}
        yield "    ; " + ", ".join(f"{name}:{value}" for name, value in tags.items())
        for name, text in (
            ("reason", None if view.reason is None else view.reason.text),
            ("override", view.override),
        ):
            if text is not None:
                yield f"    ; {name}: {_description(text).replace(',', ' ')}"
        for event in idle_events(action):
            for posting in event.postings:
                source, target = self.account(posting.source), self.account(posting.target)
                moved = f"{posting.amount} {self.commodity(posting.commodity)}"
                yield f"    ; does-not-count: {moved} from {source} to {target}"
        for event in action.counting:
            for posting in event.postings:
                commodity = self.commodity(posting.commodity)
                comment = f"; event:{event.kind}, rule:{event.rule}"
                yield f"    {self.account(posting.source)}  -{posting.amount} {commodity}  {comment}"
                yield f"    {self.account(posting.target)}  {posting.amount} {commodity}"

    def holdings(self, on: date, balances: Iterable[tuple[str, str, int]]) -> Iterator[str]:
        yield f"{on} * What every account holds"
        for account, commodity, amount in balances:
            name = self.commodity(commodity)
            yield f"    {self.account(account)}  0 {name} = {amount} {name}"


def _description(text: str) -> str:
    """Replace the characters that would end a description, or begin a note or a comment."""
    return one_line(text).translate({ord(";"): ",", ord("|"): "/"})
