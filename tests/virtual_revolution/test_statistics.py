"""The statistics of the game: what is counted from its events, and what a score is made of."""

from __future__ import annotations

from ledger.rulebooks.virtual_revolution.map.gaining import Gained
from ledger.rulebooks.virtual_revolution.rulebook import RULEBOOK
from ledger.rulebooks.virtual_revolution.showing import views
from ledger.rulebooks.virtual_revolution.table.operations import Thing
from replays.statistics.tallying import Tallying
from tests.virtual_revolution.table import Table


def test_what_an_agent_brings_is_counted_by_its_name_and_thing() -> None:
    """Eurocredits and Revenue of one Agent are different counts; a gain without a card is none."""
    tallying = Tallying(RULEBOOK.tallies)
    gains: tuple[tuple[Thing, int, str], ...] = (
        ("eurocredit", 4, "leslie"),
        ("revenue", 1, "leslie"),
        ("eurocredit", 9, ""),
    )
    for what, amount, source in gains:
        tallying.take(Gained(rule="vr:work.1", seat="ana", what=what, amount=amount, source=source))
    money = tallying.counts["eurocredit_brought", "ana"]
    assert (money.quantity, dict(money.items)) == (4, {"leslie": 4})
    assert tallying.counts["revenue_brought", "ana"].quantity == 1


def test_hidden_cards_are_counted_and_never_named() -> None:
    """A Corruption card that is drawn counts by number, for everybody."""
    counted = RULEBOOK.tallies.counts["corruption"].of
    assert [one.by for one in counted] == [None]


def test_a_score_has_its_lines_as_parts_and_the_objective_is_not_public() -> None:
    """Each line of the score is a part with a name; that of the Objective is its player's secret."""
    table = Table()
    table.put("ana", influence={5: 2, 6: 1}, servers=[13])
    table.give("ana", revenue=3)
    parts = RULEBOOK.tallies.parts
    kinds = {kind for part in parts.values() for kind in part.kinds}
    lines = views.wealth(table.state, "ana", objectives=True)
    assert {one.kind for one in lines} <= kinds
    assert {one.kind: one.quantity for one in lines}["arrondissement"] == 3
    assert [name for name, part in parts.items() if not part.public] == ["objective"]
