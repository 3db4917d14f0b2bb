"""The archive of agreements that have ended: groups of them are found without reading it again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from ledger.kernel.facts.agreements import Agreement, Archive


class Loan(Agreement, frozen=True, kw_only=True, tag="loan"):
    """A loan of a seat."""

    borrower: str


def borrowers(loan: Any) -> Iterable[str]:
    """The group of a loan: who borrowed."""
    return (loan.borrower,)


def loans(archive: Archive, borrower: str) -> list[tuple[str, str]]:
    return [(loan.id, loan.status) for loan in archive.group(borrowers, borrower)]


def test_the_loans_of_a_seat_are_given_in_the_order_of_their_opening() -> None:
    archive = Archive([Loan(id="10", borrower="ana"), Loan(id="9", borrower="ana"), Loan(id="4", borrower="bob")])
    assert loans(archive, "ana") == [("9", "open"), ("10", "open")]
    assert loans(archive, "cleo") == []


def test_a_loan_that_ends_or_changes_later_is_in_its_group() -> None:
    """Given Ana's loans are known, when 7 ends and 9 is forgiven, then a copy made before has neither."""
    archive = Archive([Loan(id="9", borrower="ana")])
    assert loans(archive, "ana") == [("9", "open")]
    before = archive.copy()
    archive.keep(Loan(id="7", borrower="ana", status="repaid"))
    archive.keep(Loan(id="9", borrower="ana", status="forgiven"))
    archive.keep(Loan(id="11", borrower="bob", status="repaid"))
    assert loans(archive, "ana") == [("7", "repaid"), ("9", "forgiven")]
    assert loans(archive, "bob") == [("11", "repaid")]
    assert loans(before, "ana") == [("9", "open")]
    assert loans(before, "bob") == []


def test_groups_are_right_however_much_has_ended_since_they_were_asked_for() -> None:
    archive = Archive([Loan(id="1", borrower="ana")])
    assert loans(archive, "ana") == [("1", "open")]
    for number in range(300, 100, -1):
        archive.keep(Loan(id=str(number), borrower="ana" if number % 2 else "bob"))
    expected = [("1", "open"), *((str(number), "open") for number in range(101, 301, 2))]
    assert loans(archive, "ana") == expected


def test_groups_of_an_archive_from_a_snapshot_are_those_of_the_archive() -> None:
    archive = Archive([Loan(id="3", borrower="ana"), Loan(id="2", borrower="bob")])
    read = msgspec.json.Decoder(list[Loan]).decode
    thawed = Archive.from_text(archive.text(), read)
    thawed.keep(Loan(id="5", borrower="ana"))
    assert loans(thawed, "ana") == [("3", "open"), ("5", "open")]
