"""The origin of an amount: postings, corrections and handovers, for every viewer, at every moment."""

from __future__ import annotations

from collections import Counter

import pytest

from ledger.kernel.facts.audience import BANKER
from ledger.reading.entries.journal import page_of_journal
from ledger.reading.money.why import why as read_why
from ledger.service import Ledger
from ledger.store.store import Store
from tests.reading.purchase import CORRECTION, GIFT, MONEY, RULES, correct, why
from tests.tables.ledgers import ANA, SPECTATOR, a_ledger, do


def test_an_amount_is_the_sum_of_its_postings(ledger: Ledger, game: str) -> None:
    found = why(ledger, game, "player:ana", viewer=ANA)
    assert (found.amount, found.unseen, found.recorded, found.count) == (1554, 0, 1554, 5)
    assert {(one.kind, one.counterparty_name): (one.count, one.received, one.given) for one in found.totals} == {
        ("seat_joined", "the bank"): (1, 1500, 0),
        ("perk_chosen", "the bank"): (1, 150, 0),
        ("title_bought", "the bank"): (1, 0, 60),
        ("money_transferred", "Bob"): (1, 0, 40),
        ("rent_paid", "Bob"): (1, 4, 0),
    }
    assert [(one.action, one.amount, one.balance) for one in found.postings] == [
        (13, -40, 1554),
        (12, 4, 1594),
        (9, -60, 1590),
        (3, 150, 1650),
        (2, 1500, 1500),
    ]
    rent = found.postings[1]
    assert "Bob pays Ana ₦4 of rent" in rent.sentence
    assert (rent.rule.rule, rent.rule.href) == ("V.A.7", "/rules/V.A.7")
    assert found.piece is None


def test_what_is_kept_in_memory_goes_on_with_the_game(ledger: Ledger, store: Store, game: str) -> None:
    """The same amount is asked for again after an action, after a correction, and at moments before them."""
    moments = [(None, None), (9, None), (9, 9), (None, 12)]

    def assert_fresh() -> None:
        for at, known_at in moments:
            asked = {"at": at, "known_at": known_at}
            fresh = why(a_ledger(store), game, "player:ana", **asked)
            assert why(ledger, game, "player:ana", **asked) == fresh

    assert_fresh()
    do(ledger, game, ANA, "transfer_money", to="bob", amount=7)
    assert_fresh()
    number = correct(ledger, game, {"op": "drop", "action": 9}).entry.number
    moments.append((None, number - 1))
    assert_fresh()
    do(ledger, game, BANKER, "correct", edits=[{"op": "drop", "action": number}], cascade="restate", reason="no")
    assert_fresh()


def test_a_correction_says_by_how_much_it_changed_the_amount(ledger: Ledger, undone: str) -> None:
    found = why(ledger, undone, "player:ana")
    assert (found.amount, found.recorded) == (1610, 1554)
    (changed,) = found.corrections
    assert (changed.correction, changed.reason, changed.change) == (14, "wrong square", 56)
    assert [(one.action, one.status, one.change) for one in changed.actions] == [
        (9, "undone", 60),
        (12, "restated", -4),
    ]
    assert [one.action for one in found.postings] == [13, 3, 2]


@pytest.mark.parametrize(
    ("at", "known_at", "amount", "changed"),
    [(9, 13, 1590, []), (9, None, 1650, [60]), (12, 13, 1594, []), (12, None, 1650, [56]), (8, None, 1650, [])],
)
def test_an_amount_at_any_moment_as_known_at_any(
    ledger: Ledger, undone: str, at: int, known_at: int | None, amount: int, changed: list[int]
) -> None:
    found = why(ledger, undone, "player:ana", at=at, known_at=known_at)
    assert (found.amount, [one.change for one in found.corrections]) == (amount, changed)
    assert (found.at, found.known_at) == (at, known_at or 14)


def test_every_amount_is_explained_to_the_last_piece(ledger: Ledger, undone: str) -> None:
    """At every moment a holding is the sum of its postings, and of the recorded amounts plus corrections."""
    gift = {"kind": "transfer_money", "seat": "bob", "params": {"to": "ana", "amount": 7}}
    correct(ledger, undone, {"op": "insert", "after": 10, "action": gift}, reason="forgotten")
    correct(ledger, undone, {"op": "drop", "action": CORRECTION}, reason="right after all")
    correct(ledger, undone, {"op": "replace", "action": GIFT, "params": {"to": "bob", "amount": 2}}, reason="two")
    head = ledger.moment(undone).newest.version
    for known_at in range(6, head + 1):
        for at in {6, 9, 12, known_at}:
            state = ledger.moment(undone, at=at, known_at=known_at).state
            recorded: Counter[tuple[str, str]] = Counter()
            for entry in page_of_journal(ledger.moment(undone, known_at=known_at), limit=200)[0]:
                if entry.number <= at:
                    for event in entry.events:
                        for posting in event.postings:
                            recorded[posting.source, posting.commodity] -= posting.amount
                            recorded[posting.target, posting.commodity] += posting.amount
            for account in ("player:ana", "player:bob", "bank"):
                for commodity in (MONEY, "title:black_arretxea"):
                    found = why(ledger, undone, account, commodity, at=at, known_at=known_at)
                    assert found.amount == state.holdings.of(account, commodity)
                    assert found.amount == sum(one.received - one.given for one in found.totals)
                    assert found.amount == sum(one.amount for one in found.postings)
                    assert found.amount == found.recorded + sum(one.change for one in found.corrections)
                    assert found.recorded == recorded[account, commodity]


def test_a_title_tells_its_hands(ledger: Ledger, undone: str) -> None:
    before = why(ledger, undone, "player:ana", "title:black_arretxea", viewer=SPECTATOR, known_at=13)
    assert before.piece is not None
    assert before.piece.holder_name == "Ana"
    assert [(one.action, one.source_name, one.target_name) for one in before.piece.hands] == [
        (1, "the box", "the bank"),
        (9, "the bank", "Ana"),
    ]
    assert before.piece.brought_by == before.piece.hands[-1]
    now = why(ledger, undone, "player:ana", "title:black_arretxea", viewer=SPECTATOR)
    assert (now.amount, now.postings) == (0, ())
    assert now.piece is not None
    assert (now.piece.holder, now.piece.brought_by, len(now.piece.hands)) == ("bank", None, 1)
    assert [one.change for one in now.corrections] == [-1]


def test_others_are_told_what_they_may_see(ledger: Ledger, undone: str) -> None:
    found = why(ledger, undone, "player:ana", viewer=SPECTATOR)
    assert (found.amount, found.unseen) == (None, None)
    assert [(one.kind, one.amount, one.balance) for one in found.postings] == [("seat_joined", 1500, None)]
    assert found.count == 1
    assert read_why(ledger.moment(undone), "player:zoe", MONEY, register_at=RULES) is None
    empty = why(ledger, undone, "player:ana", "dose", viewer=ANA)
    assert (empty.amount, empty.postings, empty.totals) == (0, (), ())


def test_postings_come_a_page_at_a_time(ledger: Ledger, undone: str) -> None:
    for amount in range(1, 8):
        do(ledger, undone, ANA, "transfer_money", to="bob", amount=amount)
    walked: list[int] = []
    before = None
    while True:
        found = read_why(
            ledger.moment(undone, ANA), "player:ana", MONEY, register_at=RULES, cursor=before, limit=3
        )
        assert found is not None
        page, before = found
        assert page.count == 10
        walked += [one.amount for one in page.postings]
        if before is None:
            break
    assert walked == [-7, -6, -5, -4, -3, -2, -1, -40, 150, 1500]
