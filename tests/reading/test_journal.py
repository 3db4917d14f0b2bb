"""Reading the journal: pages, balances, and private actions of others."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.edits import Drop
from ledger.kernel.facts.labels import Name
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.reading.entries import journal
from ledger.reading.entries.entries import EntryWriter
from ledger.reading.entries.journal import Filter, page_around, page_of_journal, read_entry, totals_of, words_of
from ledger.reading.money.accounts import accounts
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.service import Ledger
from ledger.store.records import Selection
from tests.tables.ledgers import ANA, BOB, SPECTATOR, do, started


def test_what_is_private_stays_between_its_parties(ledger: Ledger) -> None:
    """Ana gives Bob 40 ₦: Bob and the banker see the gift, a spectator only that something happened."""
    game = started(ledger, "ana", "bob")
    done = do(ledger, game, ANA, "transfer_money", to="bob", amount=40)
    number = done.entry.number
    for viewer in (ANA, BOB, BANKER):
        entry = read_entry(ledger.moment(game, viewer), number)
        assert entry is not None
        assert entry.params == {"to": "bob", "amount": 40}
    hidden = read_entry(ledger.moment(game, SPECTATOR), number)
    assert hidden is not None
    assert (hidden.kind, hidden.seat, hidden.by, hidden.params, hidden.events, hidden.balances) == (
        "private",
        None,
        None,
        {},
        (),
        {},
    )
    for only in (Filter(kind="transfer_money"), Filter(account="player:ana", seat="ana", commodity="NGD")):
        found, _ = page_of_journal(ledger.moment(game, SPECTATOR), only=only, limit=200)
        assert number not in [entry.number for entry in found]
    assert accounts(RULEBOOK, ledger.moment(game).newest, SPECTATOR).get("player:ana") is None
    assert "NGD" not in accounts(RULEBOOK, ledger.moment(game).newest, BOB).get("player:ana", {})


def test_a_search_finds_what_the_viewer_reads_and_nothing_else(ledger: Ledger) -> None:
    """Ana gives Bob 1234: capitals and accents do not matter. For a spectator the gift is nowhere."""
    game = started(ledger, "ana", "bob")
    given = do(ledger, game, ANA, "transfer_money", to="bob", amount=1234).entry.number

    def found(words: str, viewer: Viewer = BANKER, language: str = "en") -> list[int]:
        only = Filter(words=words_of(words))
        moment = ledger.moment(game, viewer)
        page, following = page_of_journal(moment, language=language, only=only, limit=200)
        assert following is None
        assert totals_of(moment, only, language).count == len(page)
        return [entry.number for entry in page]

    assert found("GIVES ₦1234") == found("donné 1234", BOB, "fr") == [given]
    assert found("bob gives") == [given]  # each word somewhere in the sentence
    assert found("1234", SPECTATOR) == []
    assert given in found("private", SPECTATOR)
    assert found("private") == []


def test_a_page_of_a_search_ends_after_so_many_actions(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found last is on a later page, though the first one has room; the pages together have it all."""
    monkeypatch.setattr(journal, "_LEAST_READ", 2)
    monkeypatch.setattr(journal, "_MOST_SEARCHED", 4)
    game = started(ledger, "ana", "bob")
    numbers = [do(ledger, game, ANA, "transfer_money", to="bob", amount=n).entry.number for n in range(1, 9)]
    for newest_first in (False, True):
        found: list[int] = []
        pages, after = 0, None
        while pages == 0 or after is not None:
            page, after = page_of_journal(
                ledger.moment(game),
                only=Filter(words=("gives",)),
                cursor=after,
                newest_first=newest_first,
                limit=1,
            )
            found += [entry.number for entry in page]
            pages += 1
        assert sorted(found) == numbers
        assert pages > len(numbers)


def test_the_journal_is_read_in_pages_both_ways(ledger: Ledger) -> None:
    game = started(ledger, "ana", "bob")
    whole, _ = page_of_journal(ledger.moment(game), limit=200)
    assert [entry.number for entry in whole] == list(range(1, ledger.moment(game).newest.version + 1))
    forward: list[int] = []
    after: int | None = None
    while True:
        page, after = page_of_journal(ledger.moment(game), cursor=after, limit=2)
        forward += [entry.number for entry in page]
        if after is None:
            break
    assert forward == [entry.number for entry in whole]
    newest, rest = page_of_journal(ledger.moment(game), newest_first=True, limit=2)
    assert [entry.number for entry in newest] == forward[:-3:-1]
    assert rest == newest[-1].number


def test_every_entry_shows_the_balances_right_after_it(ledger: Ledger) -> None:
    game = started(ledger, "ana", "bob")
    for amount in (1, 2, 3):
        do(ledger, game, ANA, "transfer_money", to="bob", amount=amount)
    found, _ = page_of_journal(ledger.moment(game), only=Filter(kind="transfer_money"))
    assert [entry.balances["player:bob"]["NGD"] for entry in found] == [1651, 1653, 1656]


def test_the_entry_of_a_correction_shows_what_it_changed(ledger: Ledger) -> None:
    """Ana gave Bob 40 in private, and it was 30: each reads their own side, a spectator nothing."""
    game = started(ledger, "ana", "bob")
    gift = do(ledger, game, ANA, "transfer_money", to="bob", amount=40).entry.number
    edits = [{"op": "replace", "action": gift, "params": {"to": "bob", "amount": 30}}]
    answer = do(ledger, game, BANKER, "correct", edits=edits, reason="it was misheard").entry
    sides = {"player:ana": 10, "player:bob": -10}
    for viewer, accounts_seen in ((BANKER, sides), (ANA, sides), (BOB, sides), (SPECTATOR, {})):
        entry = read_entry(ledger.moment(game, viewer), gift + 1)
        assert entry is not None
        assert entry.changes == {account: {"NGD": change} for account, change in accounts_seen.items()}
    entry = read_entry(ledger.moment(game, BANKER), gift + 1)
    assert entry is not None
    assert {account: held["NGD"] for account, held in entry.balances.items()} == {
        "player:ana": 1620,
        "player:bob": 1680,
    }
    assert answer == entry
    of_bob = read_entry(ledger.moment(game, BOB), gift + 1)
    assert of_bob is not None
    assert of_bob.balances == {"player:bob": {"NGD": 1680}}


@pytest.mark.parametrize(
    ("by", "told"),
    [
        ("ana", "Ana takes back an action of their own: a slip"),
        ("banker", "The banker corrects the history: a slip"),
    ],
)
def test_an_undo_of_an_older_game_is_told_as_the_players(ledger: Ledger, by: str, told: str) -> None:
    """Whose undo it was is not in the event as it was stored then, but in its entry."""
    now = ledger.moment(started(ledger, "ana", "bob")).newest
    undo = HistoryCorrected(rule="P.4", edits=(Drop(5),), cascade="refuse", reason="a slip", earliest=5)
    entry = Entry(
        game="an older one",
        number=6,
        kind="correct",
        seat=None,
        by=by,
        params=msgspec.Raw(b"{}"),
        draws={},
        recorded_at=datetime(2026, 1, 1, tzinfo=UTC),
        override=None,
        warnings=(),
        events=(),
        first_seq=1,
        salt="",
    )
    standing = TimelineEntry(entry, "effective", (undo,), (undo,), position=(6, 0, 0))
    view = EntryWriter(RULEBOOK, now, SPECTATOR, "en").view(standing, b"", now, now)
    assert [event.text for event in view.events] == [told]


def test_filters_and_totals_have_what_corrections_inserted(ledger: Ledger) -> None:
    """Given gifts of 7 and 8 that the banker adds afterwards, and one of 9 that is undone: in every filter."""
    game = started(ledger, "ana", "bob")
    first = do(ledger, game, ANA, "transfer_money", to="bob", amount=40).entry.number

    def gift(after: int | str, amount: int) -> dict[str, Any]:
        action = {"kind": "transfer_money", "seat": "ana", "params": {"to": "bob", "amount": amount}}
        return {"op": "insert", "after": after, "action": action}

    added = do(ledger, game, BANKER, "correct", edits=[gift(first, 7)], reason="forgotten").entry.number
    more = do(ledger, game, BANKER, "correct", edits=[gift(f"{added}.1", 8)], reason="forgotten").entry.number
    gone = do(ledger, game, BANKER, "correct", edits=[gift(first, 9)], reason="forgotten").entry.number
    do(ledger, game, BANKER, "correct", edits=[{"op": "drop", "action": f"{gone}.1"}], reason="it was not")
    last = do(ledger, game, BOB, "transfer_money", to="ana", amount=1).entry.number
    gifts = [first, f"{added}.1", f"{more}.1", f"{gone}.1", last]

    def found(only: Filter, viewer: Viewer = BANKER, **paged: Any) -> list[Name]:
        moment, names, after = ledger.moment(game, viewer), [], None
        while True:
            page, after = page_of_journal(moment, only=only, cursor=after, **paged)
            names += [entry.action for entry in page]
            if after is None:
                break
        assert totals_of(moment, only).count == len(names)
        return names

    for only in (
        Filter(kind="transfer_money"),
        Filter(account="player:bob", commodity="NGD", kind="transfer_money"),
        Filter(words=("gives",)),
    ):
        for limit in (1, 2, 3, 50):
            assert found(only, limit=limit) == gifts
            assert found(only, limit=limit, newest_first=True) == gifts[::-1]
        assert found(only, ANA) == found(only, BOB) == gifts
        assert found(only, SPECTATOR) == []
    assert found(Filter(kind="transfer_money", status="undone")) == [f"{gone}.1"]
    assert found(Filter(seat="ana", kind="transfer_money")) == gifts[:-1]
    around, older, newer = page_around(ledger.moment(game), first, only=Filter(kind="transfer_money"), limit=2)
    assert ([entry.action for entry in around], older, newer) == (gifts[:4], False, True)
    totals = totals_of(ledger.moment(game), Filter(account="player:bob", kind="transfer_money"))
    assert [(one.postings, one.received, one.given) for one in totals.commodities] == [(4, 40 + 7 + 8, 1)]
    whole, _ = page_of_journal(ledger.moment(game), limit=200)
    assert [entry.action for entry in whole] == list(range(1, last + 1))
    assert totals_of(ledger.moment(game), Filter()).count == last
    held = ledger.moment(game).newest.holdings.of("player:bob", "NGD")
    everything = totals_of(ledger.moment(game), Filter(account="player:bob")).commodities
    assert {one.commodity: one.received - one.given for one in everything}["NGD"] == held  # type: ignore[operator]


def test_a_filter_finds_what_it_admits_of_what_the_viewer_reads(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ana gives Bob 40, which was 30, and Bob forgot 5. The store selects for the banker until it is corrected."""
    game = started(ledger, "ana", "bob")
    gift = do(ledger, game, ANA, "transfer_money", to="bob", amount=40).entry.number
    filters = [
        Filter(kind="transfer_money"),
        Filter(kind="private"),
        Filter(seat="bob"),
        Filter(account="player:bob", commodity="NGD"),
        Filter(rule="P.2"),
        Filter(status="restated"),
    ]
    selected: list[tuple[str | None, int]] = []
    entries = ledger.store.journal.entries

    def select(game_id: str, asked: Selection) -> list[tuple[int, bytes]]:
        selected.append((asked.kind, asked.limit))
        return entries(game_id, asked)

    monkeypatch.setattr(ledger.store.journal, "entries", select)

    def compare(viewer: Viewer) -> tuple[str | None, int]:
        moment = ledger.moment(game, viewer)
        whole, _ = page_of_journal(moment, only=Filter(since=datetime(2000, 1, 1, tzinfo=UTC)), limit=200)
        for only in filters:
            found, _ = page_of_journal(moment, only=only, limit=200)
            assert found == [entry for entry in whole if only.admits(entry)], only
            assert totals_of(moment, only).count == len(found), only
        selected.clear()
        page_of_journal(moment, only=filters[0], limit=2)
        return selected[0]

    viewers = (BANKER, ANA, BOB, SPECTATOR)
    assert [compare(viewer) for viewer in viewers] == [("transfer_money", 3), *[(None, 200)] * 3]
    forgotten = {"kind": "transfer_money", "seat": "bob", "params": {"to": "ana", "amount": 5}}
    edits = [
        {"op": "replace", "action": gift, "params": {"to": "bob", "amount": 30}},
        {"op": "insert", "after": gift, "action": forgotten},
    ]
    do(ledger, game, BANKER, "correct", edits=edits, cascade="restate", reason="it was misheard")
    assert [compare(viewer) for viewer in viewers] == [(None, 200)] * 4
    selected.clear()
    page_of_journal(ledger.moment(game, ANA), limit=2)
    assert selected == [(None, 3)]
