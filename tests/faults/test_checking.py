"""The checks after a fault find an acknowledged action that was lost, changed or doubled."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from itertools import islice

from tests.faults.checking import Acknowledged, Row, findings
from tests.faults.followers import missed
from tests.faults.kinds import FAULTS, plan


def a_row(number: int, *, amount: int = 10, by: str = "player") -> Row:
    """Ana's payment of an amount, stored as an action with one event."""
    entry = {"number": number, "kind": "transfer_money", "seat": "ana", "params": {"amount": amount, "to": "bob"}}
    canonical = json.dumps(entry).encode()
    leaf = sha256(b"\x00" + canonical).digest()
    return Row(number, "transfer_money", "ana", by, number, 1, canonical, leaf, 1)


def answer_to(row: Row, key: str) -> Acknowledged:
    """The answer that acknowledged a stored action."""
    params = json.loads(row.canonical)["params"]
    return Acknowledged(key, row.number, row.kind, row.seat, params, row.leaf.hex())


OPENING = a_row(1, by="system")
FIRST, SECOND, THIRD = a_row(2), a_row(3, amount=20), a_row(4, amount=30)
ROWS = [OPENING, FIRST, SECOND, THIRD]
ANSWERS = [answer_to(FIRST, "a"), answer_to(SECOND, "b"), answer_to(THIRD, "c")]


def test_a_sound_journal_has_no_findings_even_when_a_request_was_repeated() -> None:
    assert findings(ROWS, [*ANSWERS, ANSWERS[0]]) == []


def test_a_stream_brings_every_entry_once_and_as_it_is_stored() -> None:
    brought = [(row.number, row.leaf.hex()) for row in ROWS]

    assert missed(ROWS, brought) == missed(ROWS, brought[:2]) == []
    assert missed(ROWS, [brought[0], brought[2]]) == ["the stream brought action 3 where action 2 was to come"]
    assert missed(ROWS, [*brought[:2], brought[1]]) == ["the stream brought action 2 where action 3 was to come"]
    assert missed(ROWS[:3], brought) == ["the stream brought action 4, which is not stored"]
    other = [(1, "00")]
    assert missed(ROWS, other) == ["the stream brought another action 1 than the one that is stored"]


def test_an_acknowledged_action_that_is_missing_is_lost() -> None:
    assert findings(ROWS[:3], ANSWERS) == ["action 4 (transfer_money, c) was acknowledged and is lost"]


def test_an_action_that_is_missing_in_the_middle_leaves_a_gap() -> None:
    found = findings([OPENING, FIRST, THIRD], ANSWERS)

    assert found[0] == "action 4 stands at place 3: there is a gap"
    assert found[1] == "action 3 (transfer_money, b) was acknowledged and is lost"


def test_an_action_with_another_amount_than_acknowledged_is_changed_even_with_a_hash_of_its_own() -> None:
    found = findings([OPENING, FIRST, a_row(3, amount=999), THIRD], ANSWERS)

    assert len(found) == 1
    assert found[0].startswith("action 3 (transfer_money, b) was changed: its hash is ")


def test_an_answer_that_said_something_else_than_what_is_stored_is_a_change() -> None:
    said = replace(ANSWERS[1], params={"amount": 21, "to": "bob"})

    found = findings(ROWS, [ANSWERS[0], said, ANSWERS[2]])

    wanted = "{'amount': 20, 'to': 'bob'}, the answer said {'amount': 21, 'to': 'bob'}"
    assert found == [f"action 3 (transfer_money, b) was changed: its params is {wanted}"]


def test_an_action_stored_a_second_time_is_doubled() -> None:
    found = findings([*ROWS, a_row(5, amount=30)], ANSWERS)

    assert found == [
        "action 5 (transfer_money) is stored, but no request was answered with it: it was doubled or refused"
    ]


def test_two_requests_answered_with_one_action_are_a_finding() -> None:
    found = findings(ROWS, [*ANSWERS, replace(ANSWERS[2], key="d")])

    assert found == ["action 4 was the answer to two requests: c and d"]


def test_bytes_that_do_not_have_the_stored_hash_are_a_finding() -> None:
    forged = replace(a_row(3, amount=999), leaf=SECOND.leaf)

    found = findings([OPENING, FIRST, forged, THIRD], ANSWERS)

    assert found[0] == "action 3 has not the hash of its bytes"
    assert found[1].startswith("action 3 (transfer_money, b) was changed: its params is {'amount': 999")


def test_events_that_are_missing_or_begin_elsewhere_are_findings() -> None:
    rows = [OPENING, replace(FIRST, events=0), SECOND, replace(THIRD, first_seq=9)]

    assert findings(rows, ANSWERS) == [
        "action 2 has 0 events instead of 1",
        "action 4 begins with event 9 instead of 4",
    ]


def test_the_same_seed_gives_the_same_faults_and_every_fault_comes_before_one_comes_again() -> None:
    once, again = (list(islice(plan("friday"), 3 * len(FAULTS))) for _ in range(2))

    assert once == again
    assert {planned.fault for planned in once[: len(FAULTS)]} == set(FAULTS)
    assert once != list(islice(plan("monday"), 3 * len(FAULTS)))
