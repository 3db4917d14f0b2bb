"""P.4. What a correction that keeps later actions leaves inconsistent: it is made, and it says so."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.consistency import appeared
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.reading.entries.entries import EntryWriter
from ledger.reading.entries.views import EntryView
from ledger.reading.history.previews import preview_of
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.table.state import houses_on
from ledger.rulebooks.negopoly.table.terms import attached
from tests.negopoly.agreements.test_bounties import opened
from tests.tables.negopoly import Table, dropping, ruled

STREET = "black_arretxea"


def built(*seats: str, houses: int = 2) -> tuple[Table, int]:
    """Ana has bought Black Arretxea and built on it; the number of the purchase."""
    table = Table(*(seats or ("ana", "bob")))
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "buy_property")
    bought = table.number
    for _ in range(houses):
        table.play("ana", "build_house", title=STREET)
    return table, bought


def kept(table: Table, *edits: dict[str, Any]) -> list[tuple[str, str]]:
    """The banker corrects and keeps what came later; the warnings, each with its rule."""
    (corrected,) = table.banker("correct", edits=list(edits), cascade="keep", reason="it was never paid")
    assert isinstance(corrected, HistoryCorrected)
    return [(one.rule, one.en) for one in corrected.warnings]


def entry(table: Table, viewer: Viewer, language: str = "en") -> EntryView:
    """The last action's entry as the viewer reads it."""
    written = EntryWriter(RULEBOOK, table.state, viewer, language)
    return written.view(table.standing(table.number), b"", table.state, table.state)


@pytest.mark.rule("P.4", "V.B.10")
def test_houses_on_a_title_that_is_back_at_the_bank_are_warned_of() -> None:
    """The purchase never happened, and the two houses are kept: they stand on a title of the bank."""
    table, bought = built()
    said = [("V.B.10", "Black Arretxea belongs to the bank, and 2 houses stand on it")]
    assert kept(table, dropping(bought)) == said
    assert (table.owner(STREET), houses_on(table.state, STREET)) == (None, 2)
    assert [(one.rule, one.text) for one in entry(table, BANKER).warnings] == said
    (french,) = entry(table, BANKER, "fr").warnings
    assert french.text == "Black Arretxea est à la banque, et porte 2 maisons"
    assert entry(table, Viewer("player", "bob")).warnings == ()


@pytest.mark.rule("P.4")
def test_the_preview_warns_before_the_correction_is_made() -> None:
    table, bought = built(houses=1)
    mending = RULEBOOK.codec.action(
        "correct",
        b'{"edits": [{"op": "drop", "action": %d}], "cascade": "keep", "reason": "never paid"}' % bought,
    ).correction_request()
    preview = preview_of(RULEBOOK, table.planned(mending), BANKER, "en")
    assert [one.text for one in preview.warnings] == [
        "Black Arretxea belongs to the bank, and 1 house stands on it"
    ]
    assert table.owner(STREET) == "ana"


@pytest.mark.rule("P.4")
def test_only_what_is_new_is_warned_of_and_a_cascade_that_restates_leaves_nothing() -> None:
    table, bought = built()
    assert len(kept(table, dropping(bought))) == 1
    assert kept(table, dropping(bought + 1)) == []
    assert houses_on(table.state, STREET) == 1
    table, bought = built()
    (corrected,) = table.banker("correct", edits=[dropping(bought)], cascade="restate", reason="never paid")
    assert (corrected.warnings, houses_on(table.state, STREET)) == ((), 0)


@pytest.mark.rule("P.4", "V.B.10")
def test_a_ruling_that_also_takes_the_houses_away_leaves_nothing_to_warn_of() -> None:
    table, bought = built()
    keeping = {"op": "correct", "edits": [dropping(bought)], "cascade": "keep"}
    razed = {"from": attached(STREET), "to": "bank", "commodity": "house", "amount": 1}
    corrected = ruled(table, keeping, {"op": "adjust", "postings": [razed], "reason": "hers never was"})[0]
    assert isinstance(corrected, HistoryCorrected)
    assert [one.rule for one in corrected.warnings] == ["V.B.10"]
    table, bought = built()
    both = {"op": "adjust", "postings": [{**razed, "amount": 2}], "reason": "hers never was"}
    corrected = ruled(table, keeping, both)[0]
    assert isinstance(corrected, HistoryCorrected)
    assert (corrected.warnings, houses_on(table.state, STREET)) == ((), 0)


@pytest.mark.rule("P.4", "V.C.2")
def test_a_sixth_house_is_warned_of() -> None:
    """A house was torn down, and one was built; without the demolition there are six."""
    table, _ = built(houses=5)
    table.play("ana", "destroy_house", title=STREET)
    torn = table.number
    table.play("ana", "build_house", title=STREET)
    assert kept(table, dropping(torn)) == [("V.C.2", "Black Arretxea has 6 houses, and takes 5 at most")]


@pytest.mark.rule("P.4", "V.B.1")
def test_a_title_that_would_be_mortgaged_twice_is_warned_of() -> None:
    """The mortgage was lifted and taken again; if it was never lifted, it lies on the title twice."""
    table, _ = built(houses=0)
    table.play("ana", "mortgage_property", title=STREET)
    table.play("ana", "unmortgage_property", title=STREET)
    lifted = table.number
    table.play("ana", "mortgage_property", title=STREET)
    assert kept(table, dropping(lifted)) == [
        ("V.B.1", "Black Arretxea is mortgaged 2 times, and once is all there is")
    ]


@pytest.mark.rule("P.4", "X.B.2")
def test_a_deposit_that_nobody_can_claim_is_warned_of() -> None:
    """Bob's bounty was opened by the bank; its deposit is put into escrow once more, by nobody's bounty."""
    table = Table("ana", "bob")
    bounty = opened(table, "bob", 100)
    assert list(RULEBOOK.play.inconsistencies(table.state)) == []
    table.post("NGD", 30, f"escrow:bounty:{bounty}", "bank")
    (found,) = RULEBOOK.play.inconsistencies(table.state)
    assert (found.rule, found.readers) == ("X.B.2", ())
    assert bounty in found.en
    assert appeared([found], RULEBOOK.play.inconsistencies(table.state)) == ()


def test_what_a_player_should_not_have_is_for_that_player_alone() -> None:
    """Two licences, a hack without a target, and money of a player who is out of the game."""
    table = Table("ana", "bob", "cid")
    table.give("ana", "licence", 2)
    table.give("bob", "hack")
    found = {one.rule: one for one in RULEBOOK.play.inconsistencies(table.state)}
    assert {rule: one.readers for rule, one in found.items()} == {"VI.A.4": ("ana",), "IX.B.10": ("bob",)}
    assert found["VI.A.4"].fr == "Ana a 2 licences, et n'en a qu'une à la fois"
    with table.arranged() as state:
        state.eliminated["cid"] = "has left"
    found = {one.rule: one for one in RULEBOOK.play.inconsistencies(table.state)}
    assert found["I.B.5"].en == "Cid is out of the game, and the account is not closed"
