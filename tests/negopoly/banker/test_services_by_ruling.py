"""P.1 and IX.B. Services of the bar by ruling: with their targets, their effects and their secrecy."""

from __future__ import annotations

import pytest

from ledger.rulebooks.negopoly.table.terms import attached
from tests.tables.negopoly import STREET, Table, kinds, ruled, ruling_of, ruling_refused, say


def hack(op: str, seat: str = "ana", target: str | None = "bob") -> dict[str, str]:
    """The remedy that gives a hack, or takes it away."""
    return {"op": op, "seat": seat, "service": "hack", **({} if target is None else {"target": target})}


@pytest.mark.rule("IX.B.10", "P.1")
def test_a_hack_by_ruling_has_its_target_and_fires() -> None:
    """Ana had paid for a hack of Bob: at her next arrest he is the one who goes to Prison."""
    table = Table("ana", "bob", "cid")
    granted, _ = ruled(table, hack("grant_service"))
    assert granted.rule == "IX.B.10"
    assert (table.state.hacks, table.state.services, table.holds("ana", "hack")) == (
        [("ana", "bob")],
        {"ana": 1},
        1,
    )
    table.give("ana", "dose")
    table.place("ana", 1)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "resolve_square")
    assert (table.state.positions["bob"], table.state.hacks, table.state.services) == (10, [], {})


@pytest.mark.rule("I.C.6", "IX.B.10")
def test_whose_hack_it_is_and_of_whom_is_its_buyers_secret() -> None:
    """Cid reads that Ana has a service of the bar, and nothing else; the ruling calls its remedy private."""
    table = Table("ana", "bob", "cid")
    events = ruled(table, hack("grant_service"), {"op": "fine", "seat": "bob", "amount": 5})
    assert ruling_of(events).ops == ("private", "fine")
    seen = table.seen_by("cid")[0]
    assert (seen.rule, seen.postings) == ("IX.B.1", ())
    speakers = table.rulebook.language.speakers(table.state)
    assert say(seen, "en", speakers) == "By a ruling, Ana has a service of the bar."
    assert say(events[0], "fr", speakers) == "Par une décision, Ana dispose de\u00a0: Hack / vol d'identité, Bob."
    assert table.seen_by("ana") == events


@pytest.mark.rule("IX.B.10", "I.B.5")
def test_a_hack_by_ruling_needs_a_target_who_is_somebody_else() -> None:
    table = Table("ana", "bob")
    table.malformed(None, "rule", finding="So.", remedies=[hack("grant_service", target=None)])
    assert "Ana" in ruling_refused(table, "IX.B.10", hack("grant_service", target="ana"))
    ruling_refused(table, "IX.B.10", hack("grant_service", target="zoe"))
    ruling_refused(table, "IX.B.10", hack("withdraw_service"))
    ruled(table, hack("grant_service"))
    assert kinds(ruled(table, hack("withdraw_service"))) == ["service_withdrawn", "ruling_given"]
    assert (table.state.hacks, table.state.services, table.holds("ana", "hack")) == ([], {}, 0)


@pytest.mark.rule("IX.B.5", "IX.B.14")
def test_a_defence_lies_on_its_title_and_a_team_with_its_player() -> None:
    table = Table("ana", "bob")
    table.own("bob", STREET)
    defence = {"op": "grant_service", "seat": "ana", "service": "defence", "title": STREET}
    ruled(table, defence, {"op": "grant_service", "seat": "bob", "service": "security_team"})
    assert (table.holds(attached(STREET), "defence"), table.holds("bob", "security_team")) == (1, 1)
    assert table.state.services == {"ana": 1, "bob": 1}
    assert "Bassland" in ruling_refused(table, "IX.B.5", {**defence, "title": "bassland"})
    ruled(table, {**defence, "op": "withdraw_service"})
    assert (table.holds(attached(STREET), "defence"), table.state.services) == (0, {"bob": 1})
