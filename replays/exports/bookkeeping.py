"""Books of accounts: a game as a double-entry journal for verification by a bookkeeping program.

Every action is a transaction, with the effective postings, and with number, kind, rules and status as metadata.
Events that do not count (undone, voided, or replaced by a restatement) are marked as comments and move nothing.
The book ends with assertions of all holdings of the ledger. The bank and the box, which issue everything, have
negative holdings. Before the assertions, comments say who owes whom.

A view has no assertions: without the hidden postings the holdings do not agree.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator
from datetime import date, timedelta

from ledger.kernel.facts.texts import legible
from ledger.moving.exporting import ISSUERS, Export, ShownAction
from ledger.reading.entries.views import EventView

LAST_LINE = "; The end"
"""The beginning of the last line of a whole book."""

_AT_ONCE = 64 * 1024


class Book(ABC):
    """Writes a book in the syntax of a bookkeeping program."""

    def __init__(self, export: Export) -> None:
        self.export = export
        self.opened_on: date = export.began_at.date()
        self._accounts: dict[str, str] = {}
        self._commodities: dict[str, str] = {}
        self._used_names: set[str] = set()

    # The syntax of a program ------------------------------------------------------------------

    @abstractmethod
    def title(self) -> Iterator[str]:
        """Yield the first lines of the file, after the heading comments."""

    @abstractmethod
    def account_name(self, account: str) -> str:
        """Return a valid name for an account, not necessarily unique."""

    @abstractmethod
    def commodity_name(self, commodity: str) -> str:
        """Return a valid name for a commodity, not necessarily unique."""

    @abstractmethod
    def numbered(self, name: str, again: int) -> str:
        """Number a name, for the second, third… account or commodity with this name."""

    @abstractmethod
    def declared_account(self, account: str, name: str) -> Iterator[str]:
        """Yield the lines that declare an account."""

    @abstractmethod
    def declared_commodity(self, commodity: str, name: str) -> Iterator[str]:
        """Yield the lines that declare a commodity."""

    @abstractmethod
    def transaction(self, on: date, action: ShownAction) -> Iterator[str]:
        """Yield the lines of an action's transaction."""

    @abstractmethod
    def holdings(self, on: date, balances: Iterable[tuple[str, str, int]]) -> Iterator[str]:
        """Yield the lines that assert `balances` (account, commodity, amount) at the beginning of a day."""

    # Common parts -----------------------------------------------------------------------------

    def account(self, account: str) -> str:
        """Return the unique name of an account."""
        return self._name(self._accounts, account, self.account_name)

    def commodity(self, commodity: str) -> str:
        """Return the unique name of a commodity."""
        return self._name(self._commodities, commodity, self.commodity_name)

    def _name(self, names: dict[str, str], ours: str, choose: Callable[[str], str]) -> str:
        name = names.get(ours)
        if name is None:
            name = wished = choose(ours)
            again = 1
            # Names may not differ in case alone either.
            while name.casefold() in self._used_names:
                again += 1
                name = self.numbered(wished, again)
            self._used_names.add(name.casefold())
            names[ours] = name
        return name

    def write(self, progress: Callable[[int, int], None]) -> Generator[bytes, None, None]:
        """Write the whole book, piece by piece."""
        waiting: list[str] = [*self._heading(), "", *self.title()]
        size = 0
        moved: dict[tuple[str, str], None] = {}
        on = self.opened_on
        for action in self.export.actions():
            # Dates of transactions never go back.
            on = max(on, action.view.recorded_at.date())
            for line in (*self._declarations(action, moved), "", *self.transaction(on, action)):
                waiting.append(line)
                size += len(line)
            if size > _AT_ONCE:
                yield _text(waiting)
                waiting, size = [], 0
                progress(action.moment, self.export.version)
        waiting += self._end(on + timedelta(days=1), moved)
        yield _text(waiting)
        progress(self.export.version, self.export.version)

    def _heading(self) -> Iterator[str]:
        record = self.export.record
        yield f"; {one_line(record.title)}"
        yield f"; The game {record.game_id} of {record.rulebook}, up to action {self.export.version}"
        yield "; Dates are in UTC: an evening elsewhere may go over two of them"
        if (origin := self.export.origin) is not None:
            yield f"; It goes on from action {origin.action} of the game {one_line(origin.game)}"
        if not self.export.whole:
            seen_by = self.export.viewer.seat or self.export.viewer.role
            yield f"; A view: it holds what {seen_by} saw and no more, so its accounts need not agree."

    def _declarations(self, action: ShownAction, moved: dict[tuple[str, str], None]) -> Iterator[str]:
        """Declare the new accounts and commodities of an action, and record its movements in `moved`."""
        for event in (*action.view.events, *action.view.restated):
            for posting in event.postings:
                if posting.commodity not in self._commodities:
                    yield from ("", *self.declared_commodity(posting.commodity, self.commodity(posting.commodity)))
                for account in (posting.source, posting.target):
                    if account not in self._accounts:
                        yield from ("", *self.declared_account(account, self.account(account)))
        for event in action.counting:
            for posting in event.postings:
                moved[posting.source, posting.commodity] = moved[posting.target, posting.commodity] = None

    def _end(self, on: date, moved: Iterable[tuple[str, str]]) -> Iterator[str]:
        yield ""
        owed = [one_line(f"; {owed.text} ({owed.rule}: {owed.follows})") for owed in self.export.obligations()]
        if owed:
            yield from ("; Who owes whom:", *owed, "")
        if self.export.whole:
            holdings = self.export.state.holdings
            pairs = {(account, commodity) for account, of in holdings.items() for commodity in of}
            asserted = sorted(pairs.union(moved))
            yield from self.holdings(on, ((owner, unit, holdings.of(owner, unit)) for owner, unit in asserted))
            yield ""
        yield f"{LAST_LINE}: {self.export.version} actions."


def is_issuer(account: str) -> bool:
    """Return True if this account issues commodities."""
    return account in ISSUERS


def rules_of(action: ShownAction) -> str:
    """Join the rules of an action's effective events with spaces, or of all events if none counts."""
    return " ".join(dict.fromkeys(event.rule for event in action.counting or action.view.events))


def sentences_of(action: ShownAction) -> str:
    """Return the sentences of an action, on one line."""
    events = action.counting or action.view.events
    return one_line(" ".join(event.text for event in events if event.text)) or action.view.kind


def idle_events(action: ShownAction) -> tuple[EventView, ...]:
    """Return the recorded events that do not count."""
    return () if action.view.status == "effective" else action.view.events


def one_line(text: str) -> str:
    """Replace white space in a text by single spaces, and forbidden characters by U+FFFD."""
    return legible(" ".join(text.split()))


def _text(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()
