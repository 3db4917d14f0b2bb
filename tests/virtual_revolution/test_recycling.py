"""Recovering influence from the recycling zone, in groups of 1, 2 and 3 (vr:recycling.*)."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.refusals import NeedsDraw
from ledger.rulebooks.virtual_revolution.table.state import recycled
from tests.virtual_revolution.table import Table

DISCARD, PEEK = {"tokens": 2, "option": 0}, {"tokens": 2, "option": 1}
ONE, THREE = {"tokens": 1}, {"tokens": 3}


@pytest.fixture
def table() -> Table:
    """Ana's turn begins with four of her tokens in the recycling zone, and one of Bob's."""
    table = Table()
    table.put("ana", recycled=4)
    table.put("bob", recycled=1)
    return table


@pytest.mark.rule("vr:recycling.1", "vr:recycling.2", "vr:turn.4", "vr:turn.6")
def test_one_token_brings_a_eurocredit_at_any_moment_of_the_turn(table: Table) -> None:
    """Before the Director is placed, and again after it."""
    table.play("ana", "recover_influence", groups=[ONE])
    assert (table.cash("ana"), table.reserve("ana"), recycled(table.state, "ana")) == (11, 15, 3)
    table.play("ana", "place_director", place=5)
    table.play("ana", "recover_influence", groups=[ONE, ONE, ONE])
    assert (table.cash("ana"), table.reserve("ana")) == (14, 18)
    table.refused("bob", "recover_influence", "vr:turn.5", groups=[ONE])


@pytest.mark.rule("vr:recycling.1", "vr:recycling.5")
def test_nobody_recovers_more_than_their_own(table: Table) -> None:
    table.refused("ana", "recover_influence", "vr:recycling.1", groups=[THREE, PEEK])
    table.refused("ana", "recover_influence", "vr:recycling.5", groups=[{"tokens": 4}])
    assert recycled(table.state, "bob") == 1


@pytest.mark.rule("vr:recycling.3", "vr:corruption.4", "vr:secrecy.4")
def test_two_tokens_discard_a_corruption_card_at_random(table: Table) -> None:
    table.refused("ana", "recover_influence", "vr:corruption.4", groups=[DISCARD])
    table.give("ana", hand=["server_1", "verse_1"])
    with pytest.raises(NeedsDraw):
        table.play("ana", "recover_influence", groups=[DISCARD])
    table.play("ana", "recover_influence", groups=[DISCARD], drawn=["verse_1"])
    assert table.hand("ana") == ["server_1"]
    assert "verse_1" in str(table.seen_by("ana"))
    for other in ("bob", None):
        assert "verse_1" not in str(table.seen_by(other))


@pytest.mark.rule("vr:corruption.4")
def test_the_service_chooses_the_card_at_random() -> None:
    table = Table(dice="service", seed=7)
    table.put("ana", recycled=2)
    table.give("ana", hand=["server_1", "verse_1", "agent_1"])
    table.play("ana", "recover_influence", groups=[DISCARD])
    assert len(table.hand("ana")) == 2
    assert table.last is not None
    assert [len(cards) for cards in table.last.draws.values()] == [1]


@pytest.mark.rule("vr:recycling.3", "vr:secrecy.2")
def test_or_they_show_the_next_necro_card_to_the_player_alone(table: Table) -> None:
    table.play("ana", "recover_influence", groups=[PEEK], drawn=["revolte"])
    assert table.state.seen_necro == {"ana": "revolte"}
    assert "revolte" not in str(table.seen_by("bob"))
    assert "seat='ana'" in str(table.seen_by("bob"))


@pytest.mark.rule("vr:recycling.4")
def test_three_tokens_bring_an_immunity_token(table: Table) -> None:
    table.play("ana", "recover_influence", groups=[THREE])
    assert table.immunity("ana") == 2


@pytest.mark.rule("vr:recycling.5")
@pytest.mark.parametrize(
    ("groups", "cash", "immunity", "hand", "peeks"),
    [
        ([ONE, ONE, ONE, ONE], 14, 1, 2, 0),
        ([DISCARD, ONE, ONE], 12, 1, 1, 0),
        ([PEEK, ONE, ONE], 12, 1, 2, 1),
        ([DISCARD, PEEK], 10, 1, 1, 1),
        ([THREE, ONE], 11, 2, 2, 0),
    ],
)
def test_four_tokens_in_all_ways(
    groups: list[dict[str, int]], cash: int, immunity: int, hand: int, peeks: int
) -> None:
    table = Table(dice="service")
    table.put("ana", recycled=4)
    table.give("ana", hand=["server_1", "verse_1"])
    table.play("ana", "recover_influence", groups=groups)
    assert (table.cash("ana"), table.immunity("ana"), len(table.hand("ana"))) == (cash, immunity, hand)
    assert len(table.state.seen_necro) == peeks
    assert recycled(table.state, "ana") == 0


@pytest.mark.rule("vr:recycling.5", "vr:recycling.3")
def test_a_group_of_two_says_which_benefit_and_the_others_say_none(table: Table) -> None:
    for wrong in ({"tokens": 2}, {"tokens": 2, "option": 2}):
        table.refused("ana", "recover_influence", "vr:recycling.3", groups=[wrong])
    table.refused("ana", "recover_influence", "vr:recycling.4", groups=[{"tokens": 3, "option": 0}])


@pytest.mark.rule("vr:recycling.6")
def test_tokens_may_stay_in_recycling(table: Table) -> None:
    table.play("ana", "place_director", place=5)
    table.play("ana", "end_turn")
    assert recycled(table.state, "ana") == 4


@pytest.mark.rule("vr:setup.29")
def test_of_a_gain_only_what_the_supply_has_is_received() -> None:
    """The supply has no Immunity token left: the tokens come back all the same."""
    table = Table()
    table.put("ana", recycled=3)
    table.give("bob", immunity=18)
    table.play("ana", "recover_influence", groups=[THREE])
    assert (table.immunity("ana"), recycled(table.state, "ana")) == (1, 0)


@pytest.mark.rule("vr:recycling.5")
def test_moves_offer_the_groups_that_are_possible(table: Table) -> None:
    """Four tokens and one Corruption card: no second random discard, nothing of five tokens."""
    table.give("ana", hand=["server_1"])
    found = [tuple((one["tokens"], one.get("option")) for one in params["groups"]) for params in _offered(table)]
    assert ((1, None), (3, None)) in found
    assert ((2, 0), (2, 1)) in found
    assert ((2, 0), (2, 0)) not in found
    assert not [groups for groups in found if sum(tokens for tokens, _ in groups) > 4]


def _offered(table: Table) -> list[dict[str, list[dict[str, int]]]]:
    """What Ana's moves offer to recover."""
    return table.offers("ana", "recover_influence")
