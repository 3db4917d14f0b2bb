"""Books of accounts: a game as a double-entry journal that a bookkeeping program checks by its own lights.

Every action is a transaction, with its number, kind, rules and status as metadata, and the postings that count.
What was undone or voided, or recorded before it was restated, is told in comments: it is marked, and moves
nothing. At the end stands what every account holds of everything it ever held, as the ledger has it, for the
program to find the same. The bank and the box, where everything comes from, hold less than nothing.

A view has no such end: who does not see every posting cannot make the books agree.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator
from datetime import date, timedelta

from ledger.moving.exporting import ISSUERS, Export, ShownAction
from ledger.reading.entries import EventView

LAST_LINE = "; The end"
"""How the last line of a whole book begins."""

_AT_ONCE = 64 * 1024


class Book(ABC):
    """How a bookkeeping program wants things written."""

    def __init__(self, export: Export) -> None:
        self.export = export
        self.opened_on: date = export.began_at.date()
        self._accounts: dict[str, str] = {}
        self._commodities: dict[str, str] = {}
        self._taken: set[str] = set()

    # What a program says for itself -------------------------------------------------------------

    @abstractmethod
    def title(self) -> Iterator[str]:
        """The lines that the file begins with, after the comments on what it is."""

    @abstractmethod
    def account_name(self, account: str) -> str:
        """A name that the program takes for an account; another account may have got the same."""

    @abstractmethod
    def commodity_name(self, commodity: str) -> str:
        """A name that the program takes for a commodity; another one may have got the same."""

    @abstractmethod
    def numbered(self, name: str, again: int) -> str:
        """The name of the second, third… thing that would have this name."""

    @abstractmethod
    def declared_account(self, account: str, name: str) -> Iterator[str]:
        """The lines that declare an account."""

    @abstractmethod
    def declared_commodity(self, commodity: str, name: str) -> Iterator[str]:
        """The lines that declare a commodity."""

    @abstractmethod
    def transaction(self, on: date, shown: ShownAction) -> Iterator[str]:
        """The lines of an action."""

    @abstractmethod
    def holdings(self, on: date, held: Iterable[tuple[str, str, int]]) -> Iterator[str]:
        """The lines that assert what accounts hold (account, commodity, amount) when that day begins."""

    # What they have in common -------------------------------------------------------------------

    def account(self, account: str) -> str:
        """The name of an account, the same every time, and no other's."""
        return self._name(self._accounts, account, self.account_name)

    def commodity(self, commodity: str) -> str:
        """The name of a commodity, the same every time, and no other's."""
        return self._name(self._commodities, commodity, self.commodity_name)

    def _name(self, names: dict[str, str], ours: str, choose: Callable[[str], str]) -> str:
        name = names.get(ours)
        if name is None:
            name = wished = choose(ours)
            again = 1
            # Accounts and commodities may not be told apart by case alone either.
            while name.casefold() in self._taken:
                again += 1
                name = self.numbered(wished, again)
            self._taken.add(name.casefold())
            names[ours] = name
        return name

    def write(self, progress: Callable[[int, int], None]) -> Generator[bytes, None, None]:
        """The whole book, piece by piece."""
        waiting: list[str] = [*self._heading(), "", *self.title()]
        size = 0
        moved: dict[tuple[str, str], None] = {}
        on = self.opened_on
        for shown in self.export.actions():
            # A transaction is never dated before those it follows from.
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
        if (origin := self.export.origin) is not None:
            yield f"; It goes on from action {origin.action} of the game {origin.game}"
        if not self.export.whole:
            seen_by = self.export.viewer.seat or self.export.viewer.role
            yield f"; A view: it holds what {seen_by} saw and no more, so its accounts need not agree."

    def _declarations(self, shown: ShownAction, moved: dict[tuple[str, str], None]) -> Iterator[str]:
        """What is met for the first time."""
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
    """Whether everything comes from this account."""
    return account in ISSUERS


def rules_of(shown: ShownAction) -> str:
    """The rules that an action's events apply, those that count if any do, with a space between them."""
    return " ".join(dict.fromkeys(event.rule for event in shown.counting or shown.view.events))


def said_of(shown: ShownAction) -> str:
    """What happened, in a sentence or more."""
    events = shown.counting or shown.view.events
    return one_line(" ".join(event.text for event in events if event.text)) or shown.view.kind


def idle_events(shown: ShownAction) -> tuple[EventView, ...]:
    """The events that were recorded and do not count."""
    return () if shown.view.status == "effective" else shown.view.events


def one_line(text: str) -> str:
    """A text without line breaks, and without any white space but single blanks."""
    return " ".join(text.split())


def _text(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()
