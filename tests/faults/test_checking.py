"""The checks find what is lost, doubled or changed in a journal of Postgres, and find nothing where nothing is.

Ana and Bob pay each other. What they pay is between them, so the service seals these entries in parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from ledger.reading.entries.journal import page_of_journal
from ledger.reading.entries.views import EntryView
from ledger.service import Ledger
from ledger.store.store import Store
from ledger.trust.verifying import verify
from tests.faults.checking import Acknowledged, findings, stored
from tests.faults.followers import missed
from tests.faults.kinds import FAULTS, KILLS, plan
from tests.faults.planted import PLANTS
from tests.tables.ledgers import ANA, BOB, a_ledger, do, started
from tests.trust.tampering import Owner


def acknowledged(entry: EntryView) -> Acknowledged:
    """The answer to the request that became this entry, under a key of its own."""
    return Acknowledged(
        f"request {entry.number}", entry.number, entry.kind, entry.seat, entry.params, entry.receipt.leaf
    )


@pytest.fixture
def game(ledger: Ledger) -> str:
    """A started game with ten payments: action 7 to action 16."""
    game = started(ledger, "ana", "bob")
    for amount in range(1, 6):
        do(ledger, game, ANA, "transfer_money", to="bob", amount=amount)
        do(ledger, game, BOB, "transfer_money", to="ana", amount=amount)
    return game


@pytest.fixture
def answers(ledger: Ledger, game: str) -> list[Acknowledged]:
    """What the service answered, before anything was planted."""
    entries, _ = page_of_journal(ledger.moment(game))
    assert [entry.number for entry in entries] == list(range(1, 17))
    return [acknowledged(entry) for entry in entries if entry.by != "system"]


@pytest.fixture
def brought(database_url: str, game: str) -> list[tuple[int, str]]:
    """What a stream brought, before anything was planted."""
    return [(row.number, row.leaf.hex()) for row in stored(database_url, game)]


@pytest.fixture
def owner(database_url: str) -> Iterator[Owner]:
    """The owner of the database, who can change everything."""
    owner = Owner(database_url)
    yield owner
    owner.close()


def verified(store: Store, game: str) -> list[tuple[int, str]]:
    """What `mabligop verify --decide` finds, and whether the journal is the one that was signed."""
    ledger = a_ledger(store)
    unsigned = ledger.logs.fault(game)
    return [
        *((finding.number, finding.what) for finding in verify(ledger.games, game, decide=True)),
        *([] if unsigned is None else [(0, unsigned)]),
    ]


def test_nothing_is_found_in_a_sound_journal_with_sealed_entries(
    database_url: str, store: Store, game: str, answers: list[Acknowledged], brought: list[tuple[int, str]]
) -> None:
    rows = stored(database_url, game)

    assert sum(b'"withheld":' in row.canonical for row in rows) >= 10
    assert any(b'"withheld":' not in row.canonical for row in rows)
    assert findings(rows, [*answers, answers[-1]]) == []
    assert missed(rows, brought) == []
    assert verified(store, game) == []


EXPECTED = {
    "a lost action": (
        "action 9 (transfer_money, request 9) was acknowledged and is lost",
        (9, "it is missing before action 10"),
    ),
    "a lost end": (
        "action 16 (transfer_money, request 16) was acknowledged and is lost",
        (0, "a checkpoint over 16 actions was signed, and the journal has 15: action 16 is missing"),
    ),
    "a doubled action": (
        "action 17 (transfer_money) is stored, but no request was answered with it: it was doubled or refused",
        (17, "it is numbered 16"),
    ),
    "a changed entry": (
        "action 16 (transfer_money, request 16) was changed: its hash is ",
        (0, "one of the actions 1 to 16 is not the one over which a checkpoint was signed"),
    ),
    "a changed event": (
        "action 16 has not the hash that was sealed for what journal sees of it",
        (16, "its bytes do not have the hash that was stored with them"),
    ),
    "a changed part": (
        "action 16 has not the hash that was sealed for what player:ana sees of it",
        (16, "what some seats see of it does not have the hashes that were sealed for it"),
    ),
    "two swapped actions": (
        "action 15 (transfer_money, request 15) was changed: its hash is ",
        (15, "it is numbered 16"),
    ),
}
"""What the check and what `verify` say of each plant, among other things."""


@pytest.mark.parametrize("plant", PLANTS)
def test_whatever_is_planted_is_found_by_the_check_and_by_verify(
    database_url: str,
    store: Store,
    ledger: Ledger,
    game: str,
    answers: list[Acknowledged],
    owner: Owner,
    plant: str,
) -> None:
    ledger.logs.checkpoint(game, 16)
    PLANTS[plant](owner, stored(database_url, game))

    by_check, by_verify = EXPECTED[plant]
    found = findings(stored(database_url, game), answers)
    assert any(finding.startswith(by_check) for finding in found), found
    assert by_verify in verified(store, game)


def test_a_stream_must_bring_every_entry_once_and_as_it_is_stored(
    database_url: str, game: str, brought: list[tuple[int, str]]
) -> None:
    rows = stored(database_url, game)

    assert missed(rows, brought) == missed(rows, brought[:2]) == []
    assert missed(rows, [brought[0], brought[2]]) == ["the stream brought action 3 where action 2 was to come"]
    assert missed(rows, [*brought[:2], brought[1]]) == ["the stream brought action 2 where action 3 was to come"]


@pytest.mark.parametrize(
    ("plant", "finding"),
    [
        ("a lost action", "the stream brought another action 9 than the one that is stored"),
        ("a lost end", "the stream brought action 16, which is not stored"),
        ("a changed entry", "the stream brought another action 16 than the one that is stored"),
        ("two swapped actions", "the stream brought another action 15 than the one that is stored"),
    ],
)
def test_a_stream_brought_what_is_now_lost_or_changed(
    database_url: str, game: str, brought: list[tuple[int, str]], owner: Owner, plant: str, finding: str
) -> None:
    PLANTS[plant](owner, stored(database_url, game))

    assert missed(stored(database_url, game), brought) == [finding]


def test_a_payment_that_a_request_made_twice_is_doubled_though_the_journal_is_sound(
    database_url: str, store: Store, ledger: Ledger, game: str, answers: list[Acknowledged]
) -> None:
    """As when the service forgets the key of a request that is repeated."""
    again = do(ledger, game, BOB, "transfer_money", to="ana", amount=5)

    assert again.version == 17
    assert verified(store, game) == []
    assert findings(stored(database_url, game), answers) == [
        "action 17 (transfer_money) is stored, but no request was answered with it: it was doubled or refused"
    ]


def test_two_requests_that_were_answered_with_one_action_are_found(
    database_url: str, game: str, answers: list[Acknowledged]
) -> None:
    other = replace(answers[-1], key="another request")

    assert findings(stored(database_url, game), [*answers, other]) == [
        "action 16 was the answer to two requests: request 16 and another request"
    ]


def test_an_answer_that_told_another_amount_than_what_is_stored_is_found(
    database_url: str, game: str, answers: list[Acknowledged]
) -> None:
    lie = replace(answers[-1], params={"amount": 6, "to": "ana"})

    wanted = "{'amount': 5, 'to': 'ana'}, the answer said {'amount': 6, 'to': 'ana'}"
    assert findings(stored(database_url, game), [*answers[:-1], lie]) == [
        f"action 16 (transfer_money, request 16) was changed: its params is {wanted}"
    ]


def test_a_time_that_goes_backwards_is_found(
    database_url: str, game: str, answers: list[Acknowledged], owner: Owner
) -> None:
    """The clock was set back by a century, and the hash put right."""
    owner.rewrite_entry(game, 16, b'"recorded_at":"20', b'"recorded_at":"19', hashed=True)

    found = findings(stored(database_url, game), answers)
    assert any(finding.startswith("action 16 was recorded at 19") for finding in found)


def test_missing_events_are_found(database_url: str, game: str, answers: list[Acknowledged], owner: Owner) -> None:
    owner.run("DELETE FROM events WHERE game_id = %s AND number = 9", game)
    owner.run("UPDATE actions SET first_seq = first_seq + 5 WHERE game_id = %s AND number = 12", game)

    found = findings(stored(database_url, game), answers)
    assert found == ["action 9 has 0 events instead of 1", "action 12 begins with event 20 instead of 15"]


def test_the_same_seed_gives_the_same_faults_and_every_fault_comes_before_one_comes_again() -> None:
    once, again = (list(islice(plan("friday"), 3 * len(FAULTS))) for _ in range(2))

    assert once == again
    others = [planned.fault for planned in once if planned.fault != KILLS]
    assert set(others[: len(FAULTS)]) == set(FAULTS)
    assert [planned.fault == KILLS for planned in once[:4]] == [False, True, False, True]
    assert once != list(islice(plan("monday"), 3 * len(FAULTS)))
