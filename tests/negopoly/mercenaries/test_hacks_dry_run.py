"""IX.B.10 and IX.B.11. A dry run reveals neither hacks nor what the police would find on other players."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.audience import Viewer
from ledger.reading.entries.dry_run import view_dry_run
from ledger.reading.entries.views import EventView
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from tests.tables.negopoly import CHECKPOINT, PRISON, STREET, Table, answer, stop_on


def told(table: Table, seat: str, kind: str, **params: Any) -> tuple[tuple[EventView, ...], Any]:
    """The seat performs the action; return the events that a dry run of it would have shown."""
    before = RULEBOOK.codec.from_snapshot(RULEBOOK.codec.to_snapshot(table.state))
    events = table.play(seat, kind, **params)
    viewer = Viewer("player", seat)
    view = view_dry_run(RULEBOOK, table.journal[-1], events, before, table.state, viewer, "en")
    return view.events, view.balances


@pytest.mark.rule("V.E.10", "IX.B.10")
def test_whom_a_card_would_have_arrested_is_not_told_to_who_only_asks() -> None:
    """Ana, who holds Rouge, dry-runs "Erreur judiciaire" on Bob: the same answer whether he has hacked her or not.

    Her moves do not show that it would cost her Dan's racket. Performed, it sends Bob to Prison, or Ana.
    """
    shown, arrested, costs = [], [], []
    for hacked in (False, True):
        table = Table("ana", "bob", "dan", decks=True)
        table.own("ana", *QUARTERS["rouge"])
        if hacked:
            table.hack("bob", "ana")
        with table.arranged() as state:
            state.rackets = ["dan"]
        stop_on(table, "ana", 7)
        table.play("ana", "resolve_square", draws=["chance_01", "chance_04", "chance_12"])
        (question,) = table.state.questions
        costs.append({one.params["answer"]: one.cost for one in table.moves("ana") if one.kind == "answer"})
        shown.append(told(table, "ana", "answer", question=question.id, answer="chance_12:bob"))
        arrested.append([seat for seat in ("ana", "bob") if table.state.positions[seat] == PRISON])
    assert shown[0] == shown[1]
    assert [one.kind for one in shown[0][0]] == ["question_answered", "cards_rejected", "card_chosen"]
    assert costs[0] == costs[1]
    assert (costs[0]["chance_04"], costs[0]["chance_12:bob"]) == (80, 0)
    assert arrested == [["bob"], ["ana"]]


@pytest.mark.rule("VI.F.3", "VI.F.4")
def test_what_a_raid_would_find_on_others_is_not_told_to_who_only_asks() -> None:
    """Ana dry-runs a draw of "Rafle générale": the same answer whatever goods and hack Bob has.

    Performed, it finds his two doses, and arrests Cleo for them. A dry run of a check of Ana shows what it would
    find.
    """
    shown = []
    for doses in (0, 2):
        table = Table("ana", "bob", "cleo", decks=True)
        if doses:
            table.give("bob", "dose", doses)
            table.hack("bob", "cleo")
        stop_on(table, "ana", 7)
        shown.append(told(table, "ana", "resolve_square", draws=["chance_07"]))
        assert table.holds("police", "dose") == doses
    assert shown[0] == shown[1]
    assert [one.kind for one in shown[0][0]] == ["card_drawn", "police_checked"]
    assert table.state.positions["cleo"] == PRISON

    table = Table("ana", "bob")
    table.give("ana", "dose")
    stop_on(table, "ana", CHECKPOINT)
    events, _ = told(table, "ana", "resolve_square")
    assert [one.kind for one in events][:3] == ["police_checked", "confiscated", "arrested"]


@pytest.mark.rule("IX.C.17", "IX.B.10")
def test_who_says_the_last_word_on_an_explosion_does_not_ask_whom_another_has_hacked() -> None:
    """Bob and Cleo stand beside Ana's explosion; Bob has let it happen, Cleo dry-runs her "no".

    The dry run does not show whether Bob has hacked Dan, or holds a kidnapping; the arrest itself does.
    """
    shown = []
    for hacked in (False, True):
        table = Table("ana", "bob", "cleo", "dan")
        table.own("dan", STREET, houses=1)
        table.attach(STREET, "charge:ana:1")
        for seat in ("bob", "cleo"):
            table.place(seat, 7)
        if hacked:
            table.hack("bob", "dan")
        else:
            table.give("bob", "kidnapping")
        with table.arranged() as state:
            state.round, state.services = 3, {"bob": 1, "cleo": 1}
        stop_on(table, "ana", 3)
        table.play("ana", "detonate_c4", title=STREET)
        answer(table, "bob", "no")
        (question,) = table.state.questions
        shown.append(told(table, "cleo", "answer", question=question.id, answer="no"))
        assert (table.state.positions["bob"] == PRISON, table.state.positions["dan"] == PRISON) == (
            not hacked,
            hacked,
        )
    assert shown[0] == shown[1]
