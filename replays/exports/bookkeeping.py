"""Books of accounts: a game as a double-entry journal that a bookkeeping program can verify by itself.

Every action is a transaction, with its number, kind, rules and status as metadata, and the postings that count.
Events that do not count (undone, voided, or replaced by a restatement) are comments: they are marked and move
nothing. The book ends with assertions of all holdings, as the ledger has them. The bank and the box, which issue
everything, have negative holdings.

A view has no such assertions: without the hidden postings the holdings do not agree.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator
from datetime import date, timedelta

from ledger.kernel.facts.texts import legible
from ledger.moving.exporting import ISSUERS, Export, ShownAction
from ledger.reading.entries.views import EventView

LAST_LINE = "; The end"
"""How the last line of a whole book begins."""

_AT_ONCE = 64 * 1024


class Book(ABC):
    """Writes a book in the syntax of a bookkeeping program."""

    def __init__(self, export: Export) -> None:
        self.export = export
        self.opened_on: date = export.began_at.date()
        self._accounts: dict[str, str] = {}
        self._commodities: dict[str, str] = {}
        self._used_names: set[str] = set()

    # The syntax of one program ------------------------------------------------------------------

    @abstractmethod
    def title(self) -> Iterator[str]:
        """The first lines of the file, after the heading comments."""

    @abstractmethod
    def account_name(self, account: str) -> str:
        """A valid name for an account, which need not be unique."""

    @abstractmethod
    def commodity_name(self, commodity: str) -> str:
        """A valid name for a commodity, which need not be unique."""

    @abstractmethod
    def numbered(self, name: str, again: int) -> str:
        """A numbered name for the second, third… thing with this name."""

    @abstractmethod
    def declared_account(self, account: str, name: str) -> Iterator[str]:
        """The lines that declare an account."""

    @abstractmethod
    def declared_commodity(self, commodity: str, name: str) -> Iterator[str]:
        """The lines that declare a commodity."""

    @abstractmethod
    def transaction(self, on: date, shown: ShownAction) -> Iterator[str]:
        """The lines of an action's transaction."""

    @abstractmethod
    def holdings(self, on: date, held: Iterable[tuple[str, str, int]]) -> Iterator[str]:
        """The lines that assert holdings (account, commodity, amount) at the beginning of a day."""

    # Common parts -------------------------------------------------------------------------------

    def account(self, account: str) -> str:
        """The unique name of an account."""
        return self._name(self._accounts, account, self.account_name)

    def commodity(self, commodity: str) -> str:
        """The unique name of a commodity."""
        return self._name(self._commodities, commodity, self.commodity_name)

    def _name(self, names: dict[str, str], ours: str, choose: Callable[[str], str]) -> str:
        name = names.get(ours)
        if name is None:
            name = wished = choose(ours)
            again = 1
            # Names that differ only in upper and lower case are not allowed either.
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
        for shown in self.export.actions():
            # A transaction is never dated before an earlier one.
            on = max(on, shown.view.recorded_at.date())
            for line in (*self._declarations(shown, moved), "", *self.transaction(on, shown)):
                waiting.append(line)
                size += len(line)
            if size > _AT_ONCE:
                yield _text(waiting)
                waiting, size = [], 0
                progress(shown.moment, self.export.version)
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

    def _declarations(self, shown: ShownAction, moved: dict[tuple[str, str], None]) -> Iterator[str]:
        """The declarations of the accounts and commodities that appear for the first time."""
        for event in (*shown.view.events, *shown.view.restated):
            for posting in event.postings:
                if posting.commodity not in self._commodities:
                    yield from ("", *self.declared_commodity(posting.commodity, self.commodity(posting.commodity)))
                for account in (posting.source, posting.target):
                    if account not in self._accounts:
                        yield from ("", *self.declared_account(account, self.account(account)))
        for event in shown.counting:
            for posting in event.postings:
                moved[posting.source, posting.commodity] = moved[posting.target, posting.commodity] = None

    def _end(self, on: date, moved: Iterable[tuple[str, str]]) -> Iterator[str]:
        yield ""
        if self.export.whole:
            holdings = self.export.state.holdings
            held = {(account, commodity) for account, of in holdings.items() for commodity in of}
            wanted = sorted(held.union(moved))
            yield from self.holdings(on, ((one, other, holdings.of(one, other)) for one, other in wanted))
            yield ""
        yield f"{LAST_LINE}: {self.export.version} actions."


def is_issuer(account: str) -> bool:
    """Whether this account issues commodities."""
    return account in ISSUERS


def rules_of(shown: ShownAction) -> str:
    """The rules that an action's events apply, separated by spaces; those of the events that count, if any do."""
    return " ".join(dict.fromkeys(event.rule for event in shown.counting or shown.view.events))


def sentences_of(shown: ShownAction) -> str:
    """The sentences of an action, on one line."""
    events = shown.counting or shown.view.events
    return one_line(" ".join(event.text for event in events if event.text)) or shown.view.kind


def idle_events(shown: ShownAction) -> tuple[EventView, ...]:
    """The recorded events that do not count."""
    return () if shown.view.status == "effective" else shown.view.events


def one_line(text: str) -> str:
    """Replace all white space in a text by single spaces, and what no text may hold by U+FFFD."""
    return legible(" ".join(text.split()))


def _text(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()
