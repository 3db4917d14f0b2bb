"""The preview of a correction: final changes, with what each viewer may see."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from ledger.kernel.deciding.plan import Plan
from ledger.kernel.deciding.replanning import plan
from ledger.kernel.facts.audience import BANKER, SPECTATOR, Viewer
from ledger.kernel.facts.edits import Amend, Drop, Edit, Insert, NewAction, Replace
from ledger.kernel.journal.timeline import Timeline
from ledger.kernel.rules.actions import Correct
from ledger.reading.history.preview_views import ActionCounts, BeforeAfter, Difference, Preview
from ledger.reading.history.previews import differences, preview_of
from ledger.reading.money.obligations import ObligationView, changed_between
from tests.kernel.toy import ANA, BOB, BuyBeans, Game, Hide, Throw
from tests.kernel.undoing import RULES
from tests.tables import negoces2


def planned(game: Game, *edits: Edit) -> Plan:
    timeline = Timeline(game.journal, RULES.codec.event)
    mending = Correct(edits=edits, cascade="restate", reason="a slip")
    return plan(RULES, timeline, game.state, lambda number: game.refolded(number - 1), mending)


def previewed(game: Game, viewer: Viewer, *edits: Edit, language: str = "en") -> Preview:
    return preview_of(RULES, planned(game, *edits), viewer, language)


@pytest.fixture
def game() -> Game:
    """Ana buys 2 beans (2), Bob throws a 3 (3), buys one of hers (4), and hides the ace (5)."""
    played = Game(rulebook=RULES)
    played.play("ana", BuyBeans(amount=2))
    played.play("bob", Throw(face=3))
    played.play("bob", BuyBeans(amount=1, of="ana"))
    played.play("bob", Hide(card="ace"))
    return played


def test_the_banker_sees_all_of_it(game: Game) -> None:
    """Without Ana's purchase Bob had nothing to buy from her."""
    seen = previewed(game, BANKER, Drop(2))
    assert seen.version == 5
    assert seen.counts == ActionCounts(unchanged=2, undone=1, restored=0, restated=0, voided=1, inserted=0)
    assert [one.action for one in seen.undone] == [2]
    (fallen,) = seen.voided
    assert (fallen.number, fallen.kind, fallen.seat, fallen.why.rule) == (4, "buy_beans", "bob", "2.1")
    assert fallen.why.text == "Ana does not have 1 × bean"
    assert previewed(game, BANKER, Drop(2), language="fr").voided[0].why.text == "Ana n'a pas 1 × bean"
    assert seen.holdings == {
        "bank": {"bean": BeforeAfter(-2, 0), "coin": BeforeAfter(-19, -23)},
        "player:ana": {"bean": BeforeAfter(1, 0), "coin": BeforeAfter(8, 10)},
        "player:bob": {"bean": BeforeAfter(1, 0), "coin": BeforeAfter(11, 13)},
    }
    assert seen.table == ()


def test_what_is_restated_is_shown_before_and_after(game: Game) -> None:
    seen = previewed(game, BANKER, Replace(3, {"face": 5}))
    (thrown,) = seen.restated
    assert thrown.action == 3
    assert thrown.before[0].data["faces"] == (3,)
    assert thrown.after[0].data["faces"] == (5,)
    assert thrown.before[0].seq == thrown.after[0].seq
    assert (thrown.was, thrown.sentence) == tuple(f"{one[0].text}" for one in (thrown.before, thrown.after))
    assert seen.table == (Difference("/thrown", [3], [5]),)


def test_what_is_inserted_is_named_after_its_correction(game: Game) -> None:
    new = NewAction(kind="buy_beans", params={"amount": 1}, seat="bob")
    (added,) = previewed(game, BANKER, Insert(2, new)).inserted
    assert (added.action, added.after, added.kind, added.seat) == ("6.1", 2, "buy_beans", "bob")
    assert [posting.amount for posting in added.events[0].postings] == [2, 1]
    assert added.sentence == added.events[0].text


def test_others_see_only_what_they_see_of_the_game(game: Game) -> None:
    """Ana sees the changes of her holdings but not of Bob's; a spectator sees neither, nor the card."""
    edits = (Drop(2), Replace(5, {"card": "king"}))
    of_ana, of_bob = previewed(game, ANA, *edits), previewed(game, BOB, *edits)
    assert set(of_ana.holdings) == {"bank", "player:ana"}
    assert {"hand:bob", "player:bob"} <= set(of_bob.holdings)
    assert "player:ana" not in of_bob.holdings
    outside = previewed(game, SPECTATOR, *edits)
    assert set(outside.holdings) == {"bank"}
    (hidden,) = outside.restated
    assert [event.data.get("card") for event in hidden.after] == ["a card"]
    assert hidden.after[0].postings == ()
    (own,) = of_bob.restated
    assert [event.data.get("card") for event in own.after] == [None, "king"]


def test_differences_of_plain_data() -> None:
    before = {"a": {"b": 1, "c/d": 2, "e~f": 3}, "list": [1, 2], "gone": {"x": 1}, "same": [1]}
    after = {"a": {"b": 1, "c/d": 5, "e~f": 4}, "list": [1, 2, 3], "same": [1], "new": 0}
    assert list(differences(before, after)) == [
        Difference("/a/c~1d", 2, 5),
        Difference("/a/e~0f", 3, 4),
        Difference("/list", [1, 2], [1, 2, 3]),
        Difference("/gone", {"x": 1}, None),
        Difference("/new", None, 0),
    ]
    assert list(differences(before, before)) == []


def test_a_changed_debt_is_one_row_and_equal_debts_are_counted() -> None:
    tax, smaller, rent = (
        ObligationView(
            kind="debt", label=label, text=label, status="due", about=label, amount=amount, rule="1", follows="…"
        )
        for label, amount in (("tax", 5), ("tax", 3), ("rent", 7))
    )
    assert changed_between((tax, rent), (rent, smaller)) == [(tax, smaller)]
    assert changed_between((tax, tax, smaller), (tax, smaller, rent)) == [(tax, UNSET), (UNSET, rent)]
    assert changed_between((tax, rent), (rent, tax)) == []


def test_a_cause_tells_its_own_edit_alone() -> None:
    """Bob's and Cid's hidden coins were a slip; then the correction of Bob's is amended by that of Cid's."""
    table = negoces2.Table()
    table.play("bob", "hide_coins", coins=4)
    table.play("cid", "hide_coins", coins=3)
    bobs, cids = Drop(table.number - 1), Drop(table.number)

    def causes(*edits: Edit) -> list[str]:
        mending = Correct(edits=edits, cascade="restate", reason="a slip")
        return [cause.text for cause in preview_of(negoces2.RULEBOOK, table.planned(mending), BANKER, "en").causes]

    assert causes(bobs, cids) == ["Bob shows 15 coins, not 11.", "Cid shows 15 coins, not 12."]
    edits = [{"op": "drop", "action": bobs.action}]
    table.banker("correct", edits=edits, cascade="restate", reason="a slip")
    amended = table.number
    assert causes(Amend(amended), bobs, cids) == [
        f"Correction {amended} is amended.",
        "Cid shows 15 coins, not 12.",
    ]
