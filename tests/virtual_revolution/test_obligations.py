"""What players owe: answers to demands, payments in an attack, losses of a raid or an attack."""

from __future__ import annotations

from ledger.kernel.facts.audience import SPECTATOR, Viewer
from ledger.kernel.facts.obligations import Obligation
from ledger.reading.money.obligations import AllObligations, settled_by
from ledger.rulebooks.virtual_revolution.table.terms import Demand
from tests.virtual_revolution.ending import LAST, attack, end_round
from tests.virtual_revolution.table import Table
from tests.virtual_revolution.test_answers import IDLE, late, timed


def owed(table: Table) -> list[Obligation]:
    """The obligations of the table."""
    return [*table.rulebook.agreements.obligations(table.state)]


def test_each_demand_is_owed_to_its_asker_and_names_no_hidden_card() -> None:
    table = Table()
    table.give("ana", hand=("server_1", "server_2", "server_3"))
    assert owed(table) == []
    with table.arranged() as state:
        state.demands = (
            Demand(kind="discard", seat="ana", by="ana", rule="vr:title.10", amount=2),
            Demand(kind="exchange", seat="ana", by="ana", rule="vr:promotion.27", of="bob"),
            Demand(kind="loss", seat="cid", by="ana", rule="vr:verse_card.7", among=("immunity",)),
        )
    assert [(one.kind, one.debtor, one.creditor, one.commodity, one.amount, one.rule) for one in owed(table)] == [
        ("discard", "ana", None, "card", 2, "vr:title.10"),
        ("exchange", "ana", "player:bob", None, None, "vr:promotion.27"),
        ("loss", "cid", "player:ana", None, None, "vr:verse_card.7"),
    ]
    for cards in (["server_1"], ["server_1", "server_2", "server_3"]):
        table.refused("ana", "discard_corruption", "vr:title.10", cards=cards)
    written = AllObligations(table.rulebook, table.state, "en").seen_by(SPECTATOR)
    assert [one.text for one in written] == [
        "Ana owes 2 × card (discard Corruption cards).",
        "Ana still has this to do for Bob: exchange a Corruption card.",
        "Cid still has this to do for Ana: choose what to discard.",
    ]
    discard = {"cards": ["server_1", "server_2"]}
    for seat, kind, params, settled in (
        ("ana", "discard_corruption", discard, written[:1]),
        ("cid", "discard_corruption", discard, ()),
        ("cid", "choose_loss", {"lose": "immunity"}, written[2:]),
    ):
        assert settled_by(table.rulebook, written, seat, kind, params) == settled
    table.play("ana", "discard_corruption", cards=["server_1", "server_2"])
    assert [one.kind for one in owed(table)] == ["exchange", "loss"]
    over = table.state.copy()
    over.ended = True
    assert [*table.rulebook.agreements.obligations(over)] == []


def test_the_clock_of_a_raid_runs_for_the_first_card() -> None:
    """A preview names the cards of a raid, perhaps still in the hand, to their player alone."""
    table = timed()
    table.give("ana", hand=("revenue_1", "revenue_2", "revenue_3", "eurocredit_1", "eurocredit_2"), immunity=1)
    end_round(table)
    found = owed(table)
    assert [(one.kind, one.debtor) for one in found] == [("raid", "ana")] * 5
    assert [one.due for one in found] == [*table.rulebook.progress.deadlines(table.state), *[None] * 4]
    assert (found[0].follows.en, found[1].follows.en) == (
        "the usual answer is taken",
        "the game waits for the answer",
    )
    obligations = AllObligations(table.rulebook, table.state, "en")
    written = obligations.seen_by(SPECTATOR)
    assert obligations.seen_by(Viewer("player", "ana"), foreseen=True) == written
    for outsider in (SPECTATOR, Viewer("banker", "bob", covered=True)):
        assert obligations.seen_by(outsider, foreseen=True) == ()
    card = {"card": found[1].about}
    assert settled_by(table.rulebook, written, "ana", "avoid_corruption", card) == written[1:2]
    table.play("ana", "avoid_corruption", card=found[0].about)
    assert owed(table) == []


def test_an_attack_asks_for_payments_then_for_losses() -> None:
    """All payments have one clock."""
    table = timed()
    for seat in ("ana", "bob"):
        table.give(seat, immunity=2)
    attack(table, "chantage")
    (deadline,) = table.rulebook.progress.deadlines(table.state)
    assert [(one.kind, one.debtor, one.rule, one.due) for one in owed(table)] == [
        ("payment", "ana", "vr:necro.9", deadline),
        ("payment", "bob", "vr:necro.9", deadline),
    ]
    table.play("ana", "avoid_necro", tokens=0)
    assert [one.debtor for one in owed(table)] == ["bob"]
    other = timed()
    other.give("bob", verses=["exoplanet", "space_conquest"])
    attack(other, "ia_agressive")
    loss = owed(other)[0]
    assert (loss.kind, loss.debtor, loss.about, loss.amount) == ("attack", "bob", "ia_agressive", None)
    other.play("bob", "resolve_necro_effect", lose="card:exoplanet")
    assert [one.kind for one in owed(other)] == ["order"]


def test_each_choice_between_two_rounds_is_due_by_the_clock() -> None:
    """A Verse after a raid, a place in the turn order, an Objective before the scoring."""
    table = timed()
    table.give("ana", hand=(*IDLE, "server_6", "server_7"), verses=["mythologia"])
    end_round(table)
    (deadline,) = table.rulebook.progress.deadlines(table.state)
    assert [(one.kind, one.debtor, one.rule, one.due) for one in owed(table)] == [
        ("missions", "ana", "vr:verse.11", deadline)
    ]
    late(table)
    assert owed(table) == []
    ordered = timed()
    attack(ordered, "insurrections")
    assert [(one.kind, one.debtor, one.rule) for one in owed(ordered)] == [("order", "ana", "vr:order.1")]
    ordered.play("ana", "choose_turn_order", place=2)
    assert [(one.kind, one.debtor) for one in owed(ordered)] == [("order", "bob")]
    last = timed()
    last.give("ana", objectives=["servers", "revenue"])
    last.give("bob", objectives=["titles", "verses"])
    attack(last, "sabotage", number=LAST)
    due = owed(last)
    assert [(one.kind, one.debtor) for one in due] == [("choices", "ana"), ("choices", "bob")]
    assert {(one.follows.en, one.due is None) for one in due} == {("the usual answer is taken", False)}
