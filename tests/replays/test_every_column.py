"""Each column of each export, compared with its own source, in games in which they all differ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from ledger.kernel.facts.events import Event, kind_of
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.moving.exporting import Export
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.store import Store
from replays.exports.standing import rows_of
from tests.replays import shelf
from tests.tables.ledgers import ANA, Clock, a_ledger, chance_of_a_test, do

Row = dict[str, Any]


def standing_rows(ledger: Ledger, game: str) -> dict[str, list[Row]]:
    return {name: list(rows) for name, rows in rows_of(Export(ledger.moment(game))).items()}


# How things stand -----------------------------------------------------------------------------------


@pytest.fixture(params=sorted(rulebooks_by_id()))
def long_game(request: pytest.FixtureRequest, store: Store) -> tuple[Ledger, str]:
    """A game of bots, in which the seats own things."""
    ledger = Ledger(store, rulebooks_by_id(), chance=chance_of_a_test())
    return ledger, shelf.simulate(ledger, request.param, seed=33, actions=400)


def test_what_each_seat_has(long_game: tuple[Ledger, str]) -> None:
    ledger, game = long_game
    moment = ledger.moment(game)
    rulebook, state = moment.rulebook, moment.newest
    seats = standing_rows(ledger, game)["seats"]
    assert [(row["number"], row["seat"], row["name"]) for row in seats] == [
        (number, seat.seat, seat.name) for number, seat in enumerate(state.seats.values(), start=1)
    ]
    simulated = moment.game.setup.simulated
    assert simulated is not None
    for row in seats:
        seat = row["seat"]
        money = sum(
            state.holdings.of(account, rulebook.accounts.currency)
            for account in rulebook.accounts.accounts_of(seat)
        )
        worth = [asset.value for asset in rulebook.score.wealth(state, seat)]
        assert (row["money"], row["worth"]) == (money, sum(worth) if worth else money)
        assert row["strategy"] == simulated.strategies[seat]
        assert row["won"] == (seat in rulebook.score.winners(state))
    in_play = rulebook.screen.summary(state).get("in_play")
    assert [row["playing"] for row in seats] == [
        None if in_play is None else row["seat"] in in_play for row in seats
    ]
    if rulebook.id != "negoces2":  # There all that one has is money.
        assert any(row["money"] != row["worth"] for row in seats)


def test_when_a_game_began_and_what_it_goes_on_from(store: Store) -> None:
    """The times of a game that was played are those of its first and last action; a fork names where it left."""
    ledger = a_ledger(store, Clock(step=1))
    game = shelf.mended(ledger)
    last = ledger.moment(game).game.history.entry(16)
    (row,) = standing_rows(ledger, game)["games"]
    assert (row["created_at"], row["last_at"]) == (ledger.moment(game).game.record.created_at, last.recorded_at)
    assert row["created_at"] < row["last_at"]
    assert (row["origin"], row["origin_action"]) == (None, None)
    fork = ledger.forking.fork(game, 7).game
    do(ledger, fork, ANA, "transfer_money", to="bob", amount=3)
    (row,) = standing_rows(ledger, fork)["games"]
    assert (row["origin"], row["origin_action"], row["actions"]) == (game, 7, ledger.moment(fork).version)
    assert row["actions"] > 7


# Books ----------------------------------------------------------------------------------------------


def of_standing(standing: TimelineEntry) -> Row:
    """What a book has to say of an action: by whom, what it is, what counts, and what does not."""
    entry = standing.entry
    return {
        "who": entry.seat or entry.by,
        "number": str(entry.number),
        "kind": entry.kind,
        "status": standing.status,
        "by": entry.by,
        "corrected_by": None if standing.by is None else str(standing.by),
        "reason": None if standing.why is None else standing.why.en,
        "override": entry.override,
        "recorded_at": entry.recorded_at.isoformat(),
        "idle": [] if standing.status == "effective" else list(_ways(standing.recorded)),
        "moved": [
            (account, amount, posting.commodity, event.rule, kind_of(event))
            for event in (standing.events if standing.counts else ())
            for posting in event.postings
            for account, amount in ((posting.source, -posting.amount), (posting.target, posting.amount))
        ],
    }


def _ways(events: tuple[Event, ...]) -> Iterator[tuple[int, str, str, str]]:
    for event in events:
        for posting in event.postings:
            yield posting.amount, posting.commodity, posting.source, posting.target


def hledger_rows(book: str) -> Iterator[Row]:
    """The transactions of a journal of hledger, line by line."""
    for part in re.split(r"\n\n(?=\d{4}-\d\d-\d\d [*!] \()", book)[1:]:
        first, *lines = part.splitlines()
        head = re.fullmatch(r"(\S+) ([*!]) \((\S+)\) (\S+) \| (.+)", first)
        assert head is not None
        comments = [line.strip().removeprefix("; ") for line in lines if line.startswith("    ; ")]
        tags = dict(tag.split(":", 1) for tag in comments[0].split(", "))
        more = dict(comment.split(": ", 1) for comment in comments[1:])
        moved: list[tuple[str, int, str, str, str]] = []
        for line in lines:
            posted = re.fullmatch(r"    (\S+)  (-?\d+) (\S+?)(?:  ; event:(\S+), rule:(\S+))?", line)
            if posted:
                account, amount, commodity, event, rule = posted.groups()
                moved.append(
                    (
                        _ours(account),
                        int(amount),
                        commodity.strip('"'),
                        rule or moved[-1][3],
                        event or moved[-1][4],
                    )
                )
        idle = [re.fullmatch(r"(\d+) (\S+) from (\S+) to (\S+)", one) for one in _idle(comments)]
        yield {
            "who": head[4],
            "number": tags["number"],
            "kind": tags["kind"],
            "status": tags["status"],
            "by": tags["by"],
            "corrected_by": tags.get("corrected_by"),
            "reason": more.get("reason"),
            "override": more.get("override"),
            "recorded_at": tags["recorded_at"],
            "idle": [(int(one[1]), one[2].strip('"'), _ours(one[3]), _ours(one[4])) for one in idle if one],
            "moved": moved,
        }


def beancount_rows(book: str) -> Iterator[Row]:
    """The transactions of a book of Beancount, line by line, with the game's own names of accounts."""
    accounts = dict(re.findall(r'^\S+ open (\S+)\n  account: "(.+)"$', book, re.MULTILINE))
    commodities = dict(re.findall(r'^\S+ commodity (\S+)\n  commodity: "(.+)"$', book, re.MULTILINE))
    for part in re.split(r'\n\n(?=\d{4}-\d\d-\d\d [*!] ")', book)[1:]:
        first, *lines = part.split("\n\n")[0].splitlines()
        head = re.fullmatch(r'(\S+) ([*!]) "([^"]*)" "(.+?)"(?: #(\w+))?', first)
        assert head is not None
        meta = dict(re.findall(r'^  (\w+): "?(.*?)"?$', "\n".join(lines), re.MULTILINE))
        moved: list[tuple[str, int, str, str, str]] = []
        event = rule = ""
        for line in lines:
            if told := re.fullmatch(r'    (event|rule): "(.+)"', line):
                event, rule = (told[2], rule) if told[1] == "event" else (event, told[2])
                moved[-1] = (*moved[-1][:3], rule, event)
            elif posted := re.fullmatch(r"  (\S+)  (-?\d+) (\S+)", line):
                moved.append((accounts[posted[1]], int(posted[2]), commodities[posted[3]], rule, event))
        idle = [
            re.fullmatch(r"(\d+) (\S+) (\S+) -> (\S+)", line.partition("does not count: ")[2])
            for line in lines
            if "; does not count: " in line
        ]
        yield {
            "who": head[3],
            "number": meta["number"],
            "kind": meta["kind"],
            "status": meta["status"],
            "by": meta["by"],
            "corrected_by": meta.get("corrected_by"),
            "reason": meta.get("reason"),
            "override": meta.get("override"),
            "recorded_at": meta["recorded_at"],
            "idle": [
                (int(one[1]), commodities[one[2]], accounts[one[3]], accounts[one[4]]) for one in idle if one
            ],
            "moved": moved,
        }


def _idle(comments: list[str]) -> Iterator[str]:
    for comment in comments:
        if comment.startswith("does-not-count: "):
            yield comment.removeprefix("does-not-count: ")


def _ours(account: str) -> str:
    """The game's own name of an account of hledger."""
    return account.removeprefix("assets:").removeprefix("equity:")


@pytest.mark.parametrize(("form", "read"), [("hledger", hledger_rows), ("beancount", beancount_rows)])
def test_every_transaction_of_a_book(store: Store, form: str, read: Any) -> None:
    """Who, what, why, what counts and from whom to whom; also of what does not count, and of what was inserted."""
    ledger = a_ledger(store, Clock(step=1))
    game = shelf.mended(ledger)
    wanted = [of_standing(one) for one in shelf.timeline_of(ledger, game).entries()]
    assert list(read(shelf.exported(ledger, game, form).decode())) == wanted
    told = [{name: str(value) for name, value in row.items()} for row in wanted]
    for one, other in combinations(wanted[0], 2):
        assert any(row[one] != row[other] for row in told), (one, other)
    assert {row["status"] for row in wanted} == {"effective", "undone", "restated", "voided"}
    assert any(row["who"] != row["by"] for row in wanted)


@pytest.mark.parametrize("form", ["hledger", "beancount", "jsonl"])
def test_an_export_is_the_same_however_much_is_read_at_a_time(
    store: Store, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    """Corrections of earlier actions come with every page of a journal, and change nothing there."""
    ledger = a_ledger(store, Clock(step=1))
    game = shelf.mended(ledger)
    whole = shelf.exported(ledger, game, form)
    monkeypatch.setattr("ledger.moving.exporting._PAGE", 3)
    assert shelf.exported(ledger, game, form) == whole
