"""P.1 and I.3. Waivers: the banker may allow what a rule refuses, and the reason is recorded.

`Table.refused` tests this for every refusal of every scenario; these tests show it at a table.
"""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.refusals import Impossible
from ledger.rulebooks.negopoly.table.state import houses_on
from tests.negopoly.banker.test_disputes import deal
from tests.tables.negopoly import Table

REASON = "we all forgot to say so before the break"


def in_anas_turn() -> Table:
    """Ana has walked from Spawn to Black Arretxea with three doses; she owns Négotown, Bob Nuketown."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.own("ana", "negotown", houses=5)
    table.own("bob", "nuketown", houses=5)
    table.play("ana", "roll_dice", dice=[1, 2])
    return table


WAIVED: tuple[tuple[str, str, str, dict[str, Any], int], ...] = (
    ("I.B.6", "bob", "transfer_money", {"to": "ana", "amount": 1651}, -1),
    ("II.2", "bob", "buy_licence", {}, 1580),
    ("II.B.4", "ana", "roll_dice", {"dice": [1, 3]}, 1500),
    ("III.A.3", "ana", "consume_dose", {"dice": [6]}, 1500),
    ("IV.B.2", "bob", "start_meeting", {"participants": ["ana"], "minutes": 6}, 1530),
    ("V.C.2", "ana", "build_house", {"title": "negotown"}, 1450),
    ("V.D.1", "ana", "buy_property", {"title": "hijacked"}, 1360),
    ("VI.C.3", "ana", "buy_prescription", {}, 1360),
    ("VII.A.1", "ana", "buy_doses", {"amount": 1}, 1430),
    ("VIII.A.1", "ana", "buy_vehicle", {"commodity": "tank"}, 1050),
    ("IX.A.2", "ana", "take_service", {"service": "hack", "target": "bob"}, 1350),
    ("X.C.2", "bob", "take_loan", {"amount": 501}, 2151),
)
"""A refusal of each chapter: its rule, and the seat's balance in ₦ after the waived action."""


@pytest.mark.parametrize(
    ("rule", "seat", "kind", "params", "money"),
    [pytest.param(*case, id=case[0], marks=pytest.mark.rule(case[0])) for case in WAIVED],
)
def test_what_a_rule_refuses_happens_by_leave_of_the_bank(
    rule: str, seat: str, kind: str, params: dict[str, Any], money: int
) -> None:
    """With a waiver the action is accepted, and the journal has the waived rule and the reason."""
    table = in_anas_turn()
    refusal = table.refused(seat, kind, rule, **params)
    table.play(seat, kind, override=REASON, **params)
    assert table.holds(seat) == money
    entry = table.journal[-1]
    assert (entry.by, entry.seat, entry.override) == ("banker", seat, REASON)
    assert refusal.rule in {warning.rule for warning in entry.warnings}
    assert all(warning.en != warning.fr for warning in entry.warnings)


@pytest.mark.rule("V.C.2", "V.C.4")
def test_a_waiver_lifts_every_rule_in_the_way_and_names_them_all() -> None:
    """Bob builds a sixth house in Ana's turn: two rules are waived. The rent is still that of five, 750 ₦."""
    table = in_anas_turn()
    table.play("bob", "build_house", override=REASON, title="nuketown")
    assert [warning.rule for warning in table.journal[-1].warnings] == ["V.C.4", "V.C.2"]
    assert houses_on(table.state, "nuketown") == 6
    table.play("ana", "end_turn")
    table.turn("bob", 1, 1)
    table.turn("ana", 4, 4)
    assert table.holds("ana") == 1500 - 750


@pytest.mark.rule("I.B.5", "V.C.1")
def test_no_leave_of_the_bank_makes_what_is_not_there() -> None:
    """No waiver allows the impossible: another's title, a mortgage that does not exist, an eliminated player."""
    table = in_anas_turn()
    for seat, kind, rule, params in (
        ("ana", "build_house", "V.C.1", {"title": "nuketown"}),
        ("ana", "unmortgage_property", "V.B.4", {"title": "negotown"}),
        ("bob", "end_turn", "II.2", {}),
    ):
        refusal = table.refused(seat, kind, rule, **params)
        assert isinstance(refusal, Impossible)
        with pytest.raises(Impossible):
            table.play(seat, kind, override=REASON, **params)
    with table.arranged() as state:
        state.eliminated["bob"] = "bankruptcy"
    assert isinstance(table.refused("bob", "take_loan", "I.B.5", amount=1), Impossible)


@pytest.mark.rule("I.C.5", "I.3")
def test_a_ruling_may_set_aside_that_it_was_not_asked_for() -> None:
    """Nobody has disputed the deal of Ana and Bob: the banker rules anyway, and names the waived rule."""
    table = Table("ana", "bob", "cid")
    agreed = deal(table, "ana", "bob", 100)
    back = {"from": "player:bob", "to": "player:ana", "commodity": "NGD", "amount": 100}
    remedy = {"op": "adjust", "postings": [back], "reason": "it was too much"}
    asked = {"finding": "That was no fair price.", "actions": [agreed], "remedies": [remedy]}
    table.refused(None, "rule", "I.C.5", **asked)
    *_, ruling = table.banker("rule", waives=["I.C.5"], **asked)
    assert (table.holds("ana"), table.holds("bob")) == (1650, 1650)
    assert ruling.waives == ("I.C.5",)  # type: ignore[attr-defined]
    (warning,) = table.journal[-1].warnings
    assert (warning.rule, warning.told) == ("I.C.5", ("ana", "bob"))
    assert ruling in table.seen_by("bob")
    assert ruling not in table.seen_by("cid")
