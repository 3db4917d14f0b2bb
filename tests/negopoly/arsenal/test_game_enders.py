"""IX.D and II.E.2. Game Enders: Satan2 and La Peste."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.events import kind_of
from ledger.kernel.facts.refusals import GameOver
from tests.tables.negopoly import Table


def armed(weapon: str, *seats: str, settings: dict[str, object] | None = None) -> Table:
    """Ana has rolled to Black Arretxea (3) with this Game Ender in hand."""
    table = Table(*(seats or ("ana", "bob", "cleo")), settings=settings)
    table.give("ana", weapon)
    table.play("ana", "roll_dice", dice=[1, 2])
    return table


@pytest.mark.rule("IX.D.2", "II.E.1", "II.E.2")
def test_satan2_destroys_the_city_and_its_user_wins_alone() -> None:
    """Ana uses Satan2: every title is the bank's again, she wins alone, and nothing is played any more."""
    table = armed("satan2")
    table.own("bob", "lbtrd_tower", houses=5)
    table.own("ana", "negotown")
    assert table.offers("ana", "use_game_ender") == [{"commodity": "satan2"}]
    events = table.play("ana", "use_game_ender", commodity="satan2")
    assert [kind_of(event) for event in events] == ["city_destroyed", "title_reset", "title_reset", "game_ended"]
    assert (table.state.ended, table.state.winners) == (True, ("ana",))
    assert (table.owner("lbtrd_tower"), table.owner("negotown")) == (None, None)
    assert {one.seat: one.total for one in table.state.statements} == {"ana": 1650, "bob": 1650, "cleo": 1650}
    assert isinstance(table.refused("ana", "end_turn", "II.E.1"), GameOver)


@pytest.mark.rule("IX.D.2")
def test_nothing_stops_satan2() -> None:
    """Bob's team is not asked for, nor is the defence on his title spent, not even where defences stop weapons."""
    table = armed("satan2", settings={"defence_scope": "all_attacks"})
    table.own("bob", "lbtrd_tower")
    table.serve("bob", "security_team", 2)
    table.attach("lbtrd_tower", "defence")
    events = table.play("ana", "use_game_ender", commodity="satan2")
    assert [kind_of(event) for event in events] == ["city_destroyed", "title_reset", "game_ended"]
    assert (table.state.winners, table.holds("bob", "security_team")) == (("ana",), 2)
    assert table.owner("lbtrd_tower") is None


@pytest.mark.rule("IX.D.3")
def test_nothing_stops_la_peste() -> None:
    """Bob's team is not asked for: he is out."""
    table = armed("la_peste")
    table.serve("bob", "security_team")
    table.play("ana", "use_game_ender", commodity="la_peste", survivors=["ana", "cleo"])
    assert (table.state.winners, table.state.eliminated) == (("ana", "cleo"), {"bob": "La Peste"})


@pytest.mark.rule("IX.D.3", "IX.D.4", "I.B.5", "II.E.2")
def test_la_peste_leaves_the_two_that_its_user_names_who_win_together() -> None:
    """Of four players Ana names Cleo and herself: Bob and Dan are out, their titles the bank's; two winners."""
    table = armed("la_peste", "ana", "bob", "cleo", "dan")
    table.own("bob", "lbtrd_tower", houses=1)
    table.own("cleo", "negotown")
    events = table.play("ana", "use_game_ender", commodity="la_peste", survivors=["cleo", "ana"])
    kinds = [kind_of(event) for event in events]
    assert kinds[0] == "plague_released"
    assert kinds.count("player_eliminated") == 2
    assert kinds[-1] == "game_ended"
    assert events[-1].rule == "IX.D.4"
    assert set(table.state.eliminated) == {"bob", "dan"}
    assert table.state.winners == ("ana", "cleo")
    assert (table.owner("lbtrd_tower"), table.owner("negotown")) == (None, "cleo")
    assert table.holds("used", "la_peste") == 1


@pytest.mark.rule("IX.D.3")
def test_its_user_may_sell_both_places() -> None:
    """Ana names Bob and Cleo: she is out herself in her own turn, and they win."""
    table = armed("la_peste")
    table.play("ana", "use_game_ender", commodity="la_peste", survivors=["bob", "cleo"])
    assert table.state.winners == ("bob", "cleo")
    assert table.state.eliminated == {"ana": "La Peste"}


@pytest.mark.rule("IX.D.3", "IX.D.4")
def test_with_two_players_left_both_win() -> None:
    """Nobody need be named, and nobody is eliminated."""
    table = armed("la_peste", "ana", "bob")
    table.play("ana", "use_game_ender", commodity="la_peste")
    assert table.state.winners == ("ana", "bob")
    assert table.state.eliminated == {}


@pytest.mark.rule("IX.D.3", "I.B.5")
def test_survivors_are_two_players_still_in_play() -> None:
    """One, three, the same twice or somebody who is out: refused, and La Peste is kept. Satan2 takes no names."""
    table = armed("la_peste", "ana", "bob", "cleo", "dan")
    with table.arranged() as state:
        state.eliminated["dan"] = "bankruptcy"
    for survivors in (["ana"], ["ana", "bob", "cleo"], ["ana", "ana"]):
        assert "2" in table.malformed("ana", "use_game_ender", commodity="la_peste", survivors=survivors).en
    table.malformed("ana", "use_game_ender", commodity="la_peste")
    table.refused("ana", "use_game_ender", "I.B.5", commodity="la_peste", survivors=["ana", "dan"])
    table.refused("ana", "use_game_ender", "IX.D.3", commodity="la_peste", survivors=["ana", "zoe"])
    table.give("ana", "satan2")
    table.malformed("ana", "use_game_ender", commodity="satan2", survivors=["ana", "bob"])
    assert table.holds("ana", "la_peste") == 1


@pytest.mark.rule("IX.D.3")
def test_every_pair_of_survivors_is_offered_those_with_oneself_first() -> None:
    """Three players make three pairs, of which Ana takes the last one offered."""
    table = armed("la_peste")
    offered = table.offers("ana", "use_game_ender")
    assert [move["survivors"] for move in offered] == [["ana", "bob"], ["ana", "cleo"], ["bob", "cleo"]]
    table.play("ana", "use_game_ender", **offered[-1])
    assert table.state.winners == ("bob", "cleo")


@pytest.mark.rule("IX.D.3")
def test_a_table_may_make_the_user_survive() -> None:
    """With la_peste_survivors at user_and_another Ana must name herself."""
    table = armed("la_peste", settings={"la_peste_survivors": "user_and_another"})
    refusal = table.refused("ana", "use_game_ender", "IX.D.3", commodity="la_peste", survivors=["bob", "cleo"])
    assert "Ana" in refusal.en
    assert len(table.offers("ana", "use_game_ender")) == 2
    table.play("ana", "use_game_ender", commodity="la_peste", survivors=["ana", "bob"])
    assert table.state.winners == ("ana", "bob")


@pytest.mark.rule("IX.D.4", "X.B.5", "I.B.5", "X.C.1", "P.2")
def test_a_game_that_ends_at_once_settles_what_was_open() -> None:
    """Open: bounties of Bob and Cleo, a contract of theirs, a loan of Bob's, and a dispute of Cleo's.

    La Peste takes Bob: his loan is forgiven, the contract ends and gives Cleo back what it held, and deposits go
    back before the game ends: Cleo's to her, Bob's to the bank. The dispute stays for the banker to rule on.
    """
    table = armed("la_peste")
    rolled = table.number
    bounties = []
    for poster, amount in (("bob", 200), ("cleo", 100)):
        table.play(poster, "post_bounty", amount=amount, conditions="arrest the banker")
        bounties.append(str(table.number))
        table.banker("approve_bounty", bounty=bounties[-1], accept=True)
    table.play("bob", "register_contract", parties=["cleo"], clauses=["peace"], rounds=2, escrow={"cleo": 50})
    contract = str(table.number)
    table.play("cleo", "agree_contract", contract=contract)
    table.play("bob", "take_loan", amount=300)
    loan = str(table.number)
    table.play("cleo", "open_dispute", claim="unfair", actions=[rolled])
    dispute = str(table.number)
    table.play("ana", "use_game_ender", commodity="la_peste", survivors=["ana", "cleo"])
    assert table.state.past.get(loan).status == "forgiven"  # type: ignore[union-attr]
    assert table.state.past.get(contract).status == "ended"  # type: ignore[union-attr]
    assert [table.state.past.get(one).status for one in bounties] == ["refunded", "refunded"]  # type: ignore[union-attr]
    assert table.holds("cleo") == 1650
    assert dispute in table.state.disputes
    assert table.state.winners == ("ana", "cleo")


@pytest.mark.rule("IX.C.2", "II.B.10", "II.B.11")
def test_a_game_ender_is_used_under_the_rules_of_weapons() -> None:
    """Not before the roll, not in another's turn, not without one, and not beside another weapon."""
    table = Table("ana", "bob")
    table.give("ana", "satan2")
    table.own("bob", "lbtrd_tower", houses=1)
    table.refused("ana", "use_game_ender", "II.B.10", commodity="satan2")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "use_game_ender", "II.B.11", commodity="la_peste")
    table.give("ana", "artillerie")
    table.play("ana", "fire_artillery", title="lbtrd_tower")
    table.refused("ana", "use_game_ender", "IX.C.2", commodity="satan2")
    table.play("ana", "end_turn")
    table.refused("ana", "use_game_ender", "II.B.10", commodity="satan2")


@pytest.mark.rule("VI.F.3", "VI.F.4")
def test_an_unlicensed_game_ender_is_confiscated() -> None:
    """Ana stops on a checkpoint with Satan2 and no licence: the police have it, and she is in Prison."""
    table = Table("ana", "bob")
    table.give("ana", "satan2")
    table.turn("ana", 1, 3)
    assert (table.holds("ana", "satan2"), table.holds("police", "satan2")) == (0, 1)
    assert table.state.positions["ana"] == 10
