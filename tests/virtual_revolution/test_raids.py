"""Raids: all cards are revealed and take effect, in the order of the raided player, unless Immunity is spent."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.accounts import Posting
from ledger.rulebooks.virtual_revolution.raids.losses import AgentDiscarded
from ledger.rulebooks.virtual_revolution.raids.raids import CorruptionUndergone, CorruptionWithoutEffect, RaidBegan
from ledger.rulebooks.virtual_revolution.table.state import servers_of, verses_of
from ledger.rulebooks.virtual_revolution.table.terms import Turn, director, raided
from tests.virtual_revolution.ending import LAST, end_round, events_of, stage
from tests.virtual_revolution.table import Table

IDLE = ("server_1", "server_2", "server_3", "server_4", "server_5")
"""Five cards that have no effect on a player without Servers."""


def left(table: Table, seat: str) -> int:
    """How many cards of a raid are not resolved."""
    return sum(table.state.holdings.account(raided(seat)).values())


@pytest.mark.rule("vr:raid.1")
def test_five_cards_are_a_raid_and_four_are_none() -> None:
    """The raids follow the turn order; who has fewer cards keeps them."""
    table = Table()
    table.give("ana", hand=IDLE[:4])
    table.give("cid", hand=(*IDLE[4:], "server_6", "server_7", "verse_1", "agent_1"))
    end_round(table)
    assert [event.seat for event in events_of(table, RaidBegan)] == ["cid"]
    assert table.hand("ana") == sorted(IDLE[:4])
    assert table.hand("cid") == []


@pytest.mark.rule("vr:raid.1")
def test_raids_come_one_after_the_other_in_turn_order() -> None:
    """The number of cards counts before the first raid."""
    table = Table()
    with table.arranged() as state:
        state.order = ("cid", "ana", "bob")
    table.give("ana", hand=IDLE)
    table.give("cid", hand=("verse_1", "verse_2", "verse_3", "verse_4", "agent_1"))
    end_round(table)
    assert [event.seat for event in events_of(table, RaidBegan)] == ["cid", "ana"]


@pytest.mark.rule("vr:raid.2")
def test_all_cards_are_revealed_and_take_effect_in_any_order() -> None:
    """Everybody sees the cards. With Immunity at hand the player says what comes next."""
    table = Table()
    table.give("ana", hand=("eurocredit_1", "eurocredit_2", "revenue_1", "revenue_2", "revenue_3"), immunity=1)
    end_round(table)
    (began,) = [event for event in table.seen_by("bob") if isinstance(event, RaidBegan)]
    assert began.cards == ("eurocredit_1", "eurocredit_2", "revenue_1", "revenue_2", "revenue_3")
    table.refused("bob", "resolve_corruption_card", "vr:raid.1", card="revenue_2")
    table.refused("ana", "resolve_corruption_card", "vr:raid.2", card="verse_1")
    for card in ("revenue_2", "eurocredit_1", "revenue_3", "revenue_1", "eurocredit_2"):
        table.play("ana", "resolve_corruption_card", card=card)
    assert (table.revenue("ana"), table.cash("ana"), table.immunity("ana")) == (2, 6, 1)


@pytest.mark.rule("vr:raid.3")
@pytest.mark.rule("vr:raid.9")
def test_the_card_with_priority_comes_first() -> None:
    """It takes an Immunity token before any may be spent, and cannot be avoided; without a token it is idle."""
    table = Table()
    table.give("ana", hand=("immunity_1", "immunity_2", "revenue_1", "revenue_2", "revenue_3"), immunity=3)
    table.give("bob", hand=("immunity_3", *IDLE), immunity=0)
    end_round(table)
    assert table.immunity("ana") == 1
    assert [event.card for event in events_of(table, CorruptionUndergone)] == ["immunity_1", "immunity_2"]
    for card in ("revenue_1", "revenue_2", "revenue_3"):
        table.play("ana", "resolve_corruption_card", card=card)
    assert "immunity_3" in [event.card for event in events_of(table, CorruptionWithoutEffect)]


@pytest.mark.rule("vr:raid.3")
def test_no_other_card_comes_before_one_with_priority() -> None:
    """Laid out by hand: a raid in which the priority card is still there."""
    table = Table()
    table.give("ana", hand=("revenue_1", "revenue_2", "revenue_3", "eurocredit_1", "eurocredit_2"), immunity=2)
    end_round(table)
    table.give("ana", raided=["immunity_1"])
    table.refused("ana", "resolve_corruption_card", "vr:raid.3", card="revenue_1")
    table.refused("ana", "avoid_corruption", "vr:raid.3", card="immunity_1")
    table.refused("ana", "avoid_corruption", "vr:raid.3", card="revenue_1")
    table.play("ana", "resolve_corruption_card", card="immunity_1")
    table.play("ana", "avoid_corruption", card="revenue_1")
    assert table.immunity("ana") == 0


@pytest.mark.rule("vr:raid.4")
def test_each_token_of_immunity_avoids_one_card() -> None:
    """As many times as there are tokens; then the rest takes effect."""
    table = Table()
    table.give("ana", hand=("revenue_1", "revenue_2", "revenue_3", "eurocredit_1", "eurocredit_2"), immunity=2)
    end_round(table)
    table.play("ana", "avoid_corruption", card="revenue_1")
    assert table.immunity("ana") == 1
    table.play("ana", "avoid_corruption", card="revenue_2")
    assert (table.immunity("ana"), table.revenue("ana"), table.cash("ana")) == (0, 4, 6)
    assert stage(table) == "attack"
    table.refused("ana", "avoid_corruption", "vr:raid.1", card="revenue_3")


@pytest.mark.rule("vr:raid.4")
def test_no_card_is_avoided_without_immunity() -> None:
    """Without a token the choice between two Boosts is left, and nothing can be avoided."""
    table = Table()
    table.give("ana", hand=("boost_1", *IDLE[:4]), immunity=0, boosts=["boost_work", "boost_recruit"])
    end_round(table)
    table.refused("ana", "avoid_corruption", "vr:raid.4", card="boost_1")
    assert not table.offers("ana", "avoid_corruption")


@pytest.mark.rule("vr:raid.5")
def test_a_card_that_cannot_affect_its_player_has_no_effect() -> None:
    """Nothing is asked, and nothing is lost."""
    table = Table()
    table.give("ana", hand=IDLE, immunity=2)
    end_round(table)
    assert [event.card for event in events_of(table, CorruptionWithoutEffect)] == sorted(IDLE)
    assert table.immunity("ana") == 2


@pytest.mark.rule("vr:raid.6")
def test_the_player_chooses_between_options_and_takes_the_only_one() -> None:
    """Servers in both districts are a choice; with one of them gone the other has to be taken."""
    table = Table()
    first, second = _places(table, "ND")[0], _places(table, "MA")[0]
    table.put("ana", servers=[first, second])
    table.give("ana", hand=("server_1", "server_2", "verse_1", "verse_2", "verse_3"), immunity=0)
    end_round(table)
    table.refused("ana", "resolve_corruption_card", "vr:raid.13", card="server_1")
    table.refused("ana", "resolve_corruption_card", "vr:raid.13", card="server_1", lose="server:99")
    offered = table.offers("ana", "resolve_corruption_card")
    assert {"card": "server_1", "lose": f"server:{first}"} in offered
    table.play("ana", "resolve_corruption_card", card="server_1", lose=f"server:{first}")
    assert servers_of(table.state, "ana") == []


@pytest.mark.rule("vr:raid.7")
@pytest.mark.rule("vr:raid.12")
def test_losses_stop_at_zero() -> None:
    """The last 3 eurocredits go to two cards of 2; the Revenue does not go below 0."""
    table = Table()
    hand = ("eurocredit_1", "eurocredit_2", "revenue_1", "revenue_2", "revenue_3")
    table.give("ana", hand=hand, immunity=0, eurocredit=3, revenue=2)
    end_round(table)
    assert (table.cash("ana"), table.revenue("ana")) == (0, 0)


@pytest.mark.rule("vr:raid.8")
def test_all_cards_are_discarded_after_the_raid() -> None:
    """With effect, without, or avoided."""
    table = Table()
    table.give("ana", hand=("revenue_1", "revenue_2", "server_1", "server_2", "server_3"), immunity=1)
    end_round(table)
    table.play("ana", "avoid_corruption", card="revenue_1")
    assert left(table, "ana") == 0
    assert table.hand("ana") == []
    assert sum(table.state.holdings.account("discard:corruption").values()) == 5


@pytest.mark.rule("vr:raid.10")
def test_a_card_takes_an_influence_token_of_its_districts() -> None:
    """The token goes to the recycling zone; those elsewhere are not meant."""
    table = Table()
    inside, outside = _places(table, "ND")[0], _places(table, "NA")[0]
    table.put("ana", influence={inside: 2, outside: 1})
    table.give("ana", hand=("influence_1", *IDLE[:4]), immunity=0)
    end_round(table)
    assert (table.tokens("ana", inside), table.tokens("ana", outside)) == (1, 1)
    assert table.state.holdings.of("recycling", "influence:ana") == 1


@pytest.mark.rule("vr:raid.11")
def test_a_card_takes_a_boost_under_one_of_its_actions() -> None:
    """A Boost card becomes available again; one under another Action stays."""
    table = Table()
    table.give("ana", hand=("boost_1", *IDLE[:4]), immunity=0, boosts=["boost_work", "boost_verse_money"])
    end_round(table)
    assert "boost_work" in table.available()
    assert "boost_verse_money" not in table.available()


@pytest.mark.rule("vr:raid.13")
@pytest.mark.rule("vr:server.12")
def test_a_card_takes_a_server_of_its_districts() -> None:
    """It goes back to the reserve; Revenue and tokens stay."""
    table = Table()
    place = _places(table, "ND")[0]
    table.put("ana", servers=[place])
    table.give("ana", hand=("server_1", "server_3", "server_4", "verse_1", "verse_2"), immunity=0)
    end_round(table)
    assert servers_of(table.state, "ana") == []
    assert table.state.holdings.of("player:ana", "server:ana") == 7
    assert table.revenue("ana") == 5


@pytest.mark.rule("vr:raid.14")
@pytest.mark.rule("vr:verse.15")
def test_a_card_takes_a_verse_of_its_types_online_or_not() -> None:
    """The Verse goes under the deck."""
    table = Table()
    table.give("ana", hand=("verse_1", *IDLE[:4]), immunity=0, online=["exoplanet"], verses=["westland"])
    end_round(table)
    assert verses_of(table.state, "ana") == ["westland"]
    assert table.state.under == ("exoplanet",)
    assert "exoplanet" not in table.state.online


@pytest.mark.rule("vr:raid.15")
def test_a_card_lowers_the_revenue() -> None:
    """By one."""
    table = Table()
    table.give("ana", hand=("revenue_1", *IDLE[:4]), immunity=0)
    end_round(table)
    assert table.revenue("ana") == 4


@pytest.mark.rule("vr:raid.16")
def test_a_card_takes_an_agent_in_service_of_its_type() -> None:
    """The Agent goes to the Agent discard; those of other types, in Boost or retired are safe."""
    table = Table()
    table.give(
        "ana",
        hand=("agent_1", *IDLE[:4]),
        immunity=0,
        service=["leslie", "pixel"],
        boosts=["camille"],
        retired=["jade"],
    )
    end_round(table)
    assert [event.agent for event in events_of(table, AgentDiscarded)] == ["leslie"]
    assert table.state.holdings.of("discard:agents", "card:leslie") == 1
    assert table.state.holdings.of("service:ana", "card:pixel") == 1


@pytest.mark.rule("vr:raid.6")
def test_a_wrong_answer_is_refused() -> None:
    """What a card does not take, and a choice where there is none to make."""
    table = Table()
    table.give("ana", hand=("revenue_1", "agent_1", *IDLE[:3]), immunity=1, service=["leslie", "camille"])
    end_round(table)
    table.refused("ana", "resolve_corruption_card", "vr:raid.15", card="revenue_1", lose="card:leslie")
    table.refused("ana", "resolve_corruption_card", "vr:raid.16", card="agent_1", lose="card:jade")
    table.play("ana", "resolve_corruption_card", card="agent_1", lose="leslie")
    assert [event.agent for event in events_of(table, AgentDiscarded)] == ["leslie"]
    assert table.state.holdings.of("service:ana", "card:camille") == 1


@pytest.mark.rule("vr:title.13")
def test_the_title_keeps_an_agent_or_a_boost() -> None:
    """The Title Quartier Latin is used when the discard is due, once per round; nothing is lost in its place."""
    table = Table()
    table.give(
        "ana", hand=("agent_1", "boost_1", *IDLE[:3]), immunity=0, service=["leslie"], boosts=["boost_work"]
    )
    table.give("ana", titles=["QL"])
    for place in _places(table, "QL"):
        table.put("ana", influence={place: 1})
    end_round(table)
    offered = table.offers("ana", "resolve_corruption_card")
    assert {"card": "agent_1", "protect": "card:leslie"} in offered
    table.refused("ana", "resolve_corruption_card", "vr:title.13", card="agent_1", protect="boost_work")
    table.refused(
        "ana", "resolve_corruption_card", "vr:title.13", card="agent_1", protect="leslie", lose="boost_work"
    )
    table.play("ana", "resolve_corruption_card", card="agent_1", protect="leslie")
    assert table.state.holdings.of("service:ana", "card:leslie") == 1
    assert "title:QL" in table.state.tilted
    assert "boost_work" in table.available()


@pytest.mark.rule("vr:title.13")
def test_a_used_title_keeps_nothing() -> None:
    """Tilted, it protects nobody before it is upright again; and Verses and Servers it does not keep at all."""
    table = Table()
    table.give("ana", hand=("agent_1", *IDLE[:4]), immunity=1, service=["leslie", "camille"], titles=["QL"])
    with table.arranged() as state:
        state.tilted |= {"title:QL"}
    end_round(table)
    table.refused("ana", "resolve_corruption_card", "vr:title.13", card="agent_1", protect="leslie")


@pytest.mark.rule("vr:endgame.2")
def test_everybody_undergoes_the_final_raid() -> None:
    """With fewer than five cards as well, and even without any."""
    table = Table()
    table.give("ana", hand=("revenue_1",), immunity=0)
    table.give("bob", hand=("revenue_2", "revenue_3"), immunity=1)
    end_round(table, number=LAST)
    began = events_of(table, RaidBegan)
    assert [(event.seat, event.count, event.rule) for event in began] == [
        ("ana", 1, "vr:endgame.2"),
        ("bob", 2, "vr:endgame.2"),
    ]
    assert table.revenue("ana") == 4
    table.play("bob", "resolve_corruption_card", card="revenue_3")
    table.play("bob", "resolve_corruption_card", card="revenue_2")
    assert [event.seat for event in events_of(table, RaidBegan)] == ["cid"]
    assert table.state.final_hands == {"ana": 1, "bob": 2, "cid": 0}


@pytest.mark.rule("vr:endgame.3")
def test_immunity_avoids_cards_in_the_final_raid_too() -> None:
    """One token for one card, as often as one likes."""
    table = Table()
    table.give("ana", hand=("revenue_1", "revenue_2"), immunity=2)
    end_round(table, number=LAST)
    table.play("ana", "avoid_corruption", card="revenue_1")
    table.play("ana", "avoid_corruption", card="revenue_2")
    assert (table.immunity("ana"), table.revenue("ana")) == (0, 5)


@pytest.mark.rule("vr:secrecy.4")
def test_a_dry_run_reveals_no_hand() -> None:
    """Who would end the round learns nothing of the cards that would be revealed."""
    table = Table()
    table.give("ana", hand=IDLE)
    end_round(table)
    (began,) = events_of(table, RaidBegan)
    shown = began.redacted(None)
    assert (shown.count, shown.cards, [one.commodity for one in shown.postings]) == (5, (), ["card"])
    assert began.reveals().everyone


def _places(table: Table, district: str) -> tuple[int, ...]:
    return table.state.edition.pieces.members[district]


@pytest.mark.rule("vr:banker.1")
@pytest.mark.rule("vr:raid.1")
def test_one_card_less_is_no_raid_and_the_rest_of_the_round_is_decided_again() -> None:
    """A correction takes back how cid came to the fifth card: cid keeps four, and the money."""
    table = Table()
    for seat in ("ana", "bob"):
        table.give(seat, immunity=0, revenue=4)
    table.give("cid", immunity=0, hand=("eurocredit_1", "eurocredit_2", "server_1", "server_2"))
    with table.arranged() as state:
        for seat in table.seats:
            state.holdings.post(Posting(director(seat), 3, f"player:{seat}", "arrondissement:1"))
    with table.arranged() as state:
        state.turn = Turn(seat="cid", cycle=3, director=1, phase=2)
    table.play("cid", "influence_add", drawn=["verse_1"])
    number = table.number
    table.play("cid", "end_turn")
    assert (table.hand("cid"), table.cash("cid")) == ([], 6)
    table.banker("necro_attack", drawn=["chantage"])
    assert [table.cash(seat) for seat in table.seats] == [10, 10, 0]
    table.banker(
        "correct", edits=[{"op": "drop", "action": number}], cascade="restate", reason="the token was not added"
    )
    assert len(table.hand("cid")) == 4
    assert [table.cash(seat) for seat in table.seats] == [10, 10, 0]
    assert stage(table) == "order"


@pytest.mark.rule("vr:raid.4")
def test_each_card_of_a_raid_has_its_own_price() -> None:
    """To avoid one of the last two cards lets the other one take effect: the moves say what each costs."""
    table = Table()
    hand = ("eurocredit_1", "revenue_1", "revenue_2", "revenue_3", "server_1")
    table.give("ana", hand=hand, immunity=1)
    end_round(table)
    for card in hand[2:4]:
        table.play("ana", "resolve_corruption_card", card=card)
    avoided = [move for move in table.moves("ana") if move.kind == "avoid_corruption"]
    assert {move.params["card"]: move.cost for move in avoided} == {"eurocredit_1": 0, "revenue_1": 2}
    assert {move.params["card"]: dict(move.goods) for move in avoided} == {
        "eurocredit_1": {"immunity": 1, "revenue": 1},
        "revenue_1": {"immunity": 1},
    }
