"""II.E. The end of the game: winners and net worth."""

from __future__ import annotations

import msgspec
import pytest

from ledger.kernel.deciding.moves import moves
from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.refusals import GameOver
from ledger.kernel.journal.sight import current_viewer, visible_holdings
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.table.terms import (
    Asset,
    Bounty,
    Delivery,
    Loan,
    player,
)
from ledger.rulebooks.negopoly.turns.victory import (
    GameDeclaredTooLong,
    GameEnded,
    net_worth,
)
from tests.tables.negopoly import STREET, Table, ruin


def end(table: Table) -> GameEnded:
    """The end of the game, which the last action must have brought."""
    assert table.last is not None
    (ended,) = (event for event in table.last.events if isinstance(event, GameEnded))
    return ended


# ----------------------------------------------------------------------------------------------
# By wealth
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("II.E.4")
def test_a_game_declared_too_long_ends_with_the_round_and_the_richest_wins() -> None:
    """The banker calls time in Ana's turn: Bob still plays his, then Bob wins with 1700 ₦ to 1650 ₦."""
    table = Table("ana", "bob")
    table.give("bob", "NGD", 50)
    (declared,) = table.banker("end_game", reason="the cheese is melting")
    assert isinstance(declared, GameDeclaredTooLong)
    assert declared.round == 1
    assert not table.state.ended
    table.turn("ana", 1, 2)
    assert not table.state.ended
    table.turn("bob", 1, 2)
    ended = end(table)
    assert (ended.winners, ended.condition, ended.rule) == (("bob",), "wealth", "II.E.4")
    assert [(one.seat, one.total) for one in ended.statements] == [("ana", 1650), ("bob", 1700)]
    assert table.state.ended
    assert table.state.winners == ("bob",)
    assert table.state.turn is None


@pytest.mark.rule("II.E.4")
def test_equal_net_worths_share_the_victory() -> None:
    """Ana has turned 100 ₦ into a title of 100 ₦: she is worth what Bob is, and more than Zoe."""
    table = Table("ana", "bob", "zoe")
    table.take("zoe", "NGD", 1)
    table.banker("end_game", reason="late")
    table.turn("ana", 3, 3, then=(("buy_property", {}),))
    table.turn("bob", 1, 2)
    table.turn("zoe", 1, 2)
    assert end(table).winners == ("ana", "bob")
    assert table.state.winners == ("ana", "bob")


@pytest.mark.rule("II.E.4")
def test_only_the_banker_calls_time_once_and_not_before_the_start() -> None:
    """The call is no move of a player's, cannot come during set-up, and is not repeated."""
    assert RULEBOOK.actions["end_game"].by == ("banker",)
    Table("ana", "bob", started=False).refused(None, "end_game", "II.1", reason="early")
    table = Table("ana", "bob")
    table.banker("end_game", reason="late")
    table.refused(None, "end_game", "II.E.4", reason="later")


@pytest.mark.rule("II.E.4")
def test_a_table_may_agree_on_a_number_of_rounds() -> None:
    """With max_rounds 2 nothing ends after round 1, and the richest wins after round 2."""
    table = Table("ana", "bob", settings={"max_rounds": 2})
    table.give("ana", "NGD", 1)
    table.turn("ana", 1, 2)
    table.turn("bob", 1, 2)
    assert not table.state.ended
    table.turn("ana", 1, 2)
    table.turn("bob", 1, 2)
    assert end(table).winners == ("ana",)
    assert table.state.round == 2


@pytest.mark.rule("II.E.4", "II.B.13")
def test_a_last_turn_that_runs_out_ends_the_game_too() -> None:
    """Bob lets the clock of the last turn run out: the game ends without him moving."""
    table = Table("ana", "bob")
    table.take("bob", "NGD", 1)
    table.banker("end_game", reason="late")
    table.turn("ana", 1, 2)
    table.wait(301)
    table.banker("expire_turn", seat="bob")
    assert end(table).winners == ("ana",)


@pytest.mark.rule("II.E.4")
def test_a_player_who_is_out_does_not_win_by_wealth() -> None:
    """Zoe went bankrupt; Ana and Bob are in debt too, and Ana wins with the smaller one."""
    table = Table("ana", "bob", "zoe")
    ruin(table, "zoe", 1)
    ruin(table, "ana", 100)
    ruin(table, "bob", 200)
    table.play("zoe", "declare_bankruptcy")
    table.banker("end_game", reason="late")
    table.turn("ana", 1, 2)
    table.turn("bob", 1, 2)
    ended = end(table)
    assert ended.winners == ("ana",)
    assert [(one.seat, one.total) for one in ended.statements] == [("ana", -100), ("bob", -200)]


@pytest.mark.rule("P.6", "II.E.4")
def test_a_broken_deal_and_a_lie_take_nothing_from_the_winner() -> None:
    """Ana promises Bob peace for 100 ₦, breaks her word and boasts of it: she is the richer, so she wins."""
    table = Table("ana", "bob")
    leg = {"giver": "bob", "taker": "ana", "commodity": "NGD", "amount": 100}
    table.play("bob", "propose_deal", legs=[leg], clauses=["Ana never builds"], parties=["ana"])
    (deal,) = table.state.open
    table.own("ana", STREET)
    table.play("ana", "agree_deal", deal=deal)
    table.play("ana", "build_house", title=STREET)
    table.play("bob", "break_deal", deal=deal, statement="she built")
    table.banker("end_game", reason="late")
    table.turn("ana", 1, 2)
    table.turn("bob", 1, 2)
    ended = end(table)
    assert ended.winners == ("ana",)
    assert [(one.seat, one.total) for one in ended.statements] == [("ana", 1850), ("bob", 1550)]


# ----------------------------------------------------------------------------------------------
# Net worth
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("II.E.5")
def test_the_statement_lists_everything_at_its_price() -> None:
    """Ana ends with titles, houses, goods, services, goods on their way, a bounty posted and a loan.

    1000 ₦, 17 rue des patates 100 with 2 houses 100, Nuketown 140 mortgaged for 70, its house 100; 3 doses 150, 2
    charges 80, an RPG-7 150, a licence 70, a card 0; a paid prisoner 100; 4 doses on their way 200; a bounty of
    60; a loan of 300 of which 250 are left: -250.
    """
    table = Table("ana", "bob")
    table.own("ana", STREET, houses=2)
    table.own("ana", "nuketown", houses=1, mortgaged=True)
    table.take("ana", "NGD", 650)
    for commodity, amount in (("dose", 3), ("c4", 2), ("rpg7", 1), ("licence", 1)):
        table.give("ana", commodity, amount)
    table.hand("ana", "kamtar_01")
    with table.arranged() as state:
        state.rackets.extend(["bob", "ana"])
        state.holdings.post(Posting("dose", 4, "bank", "transit:900"))
        state.open["900"] = Delivery(
            id="900", sender="bob", recipient="ana", commodity="dose", amount=4, sent_round=9
        )
        state.holdings.post(Posting("NGD", 60, "bank", "escrow:bounty:901"))
        state.open["901"] = Bounty(id="901", poster="ana", amount=60, conditions="sink the tank")
        state.open["902"] = Loan(id="902", borrower="ana", principal=300, outstanding=250)
    assert net_worth(table.state, "ana") == (
        Asset("balance", "NGD", 1, 1000),
        Asset("title", STREET, 1, 100),
        Asset("houses", STREET, 2, 100),
        Asset("title", "nuketown", 1, 70),
        Asset("houses", "nuketown", 1, 100),
        Asset("goods", "c4", 2, 80),
        Asset("goods", "card:kamtar_01", 1, 0),
        Asset("goods", "dose", 3, 150),
        Asset("goods", "licence", 1, 70),
        Asset("goods", "rpg7", 1, 150),
        Asset("racket", "prison_racket", 1, 100),
        Asset("transit", "dose", 4, 200),
        Asset("bounty", "901", 1, 60),
        Asset("loan", "902", 1, -250),
    )
    assert sum(asset.value for asset in net_worth(table.state, "ana")) == 1930
    assert net_worth(table.state, "bob") == (
        Asset("balance", "NGD", 1, 1650),
        Asset("racket", "prison_racket", 1, 100),
    )
    ruin(table, "bob")
    table.play("bob", "declare_bankruptcy")
    (ana,) = end(table).statements
    assert (ana.seat, ana.total) == ("ana", 1930)


@pytest.mark.rule("II.E.5")
def test_interest_still_owed_is_no_principal() -> None:
    """Of 110 ₦ left of a loan of 100 ₦ at 10 %, 100 are principal; once only 4 ₦ of interest are left, none is."""
    table = Table("ana", "bob")
    table.banker("end_game", reason="late")
    with table.arranged() as state:
        state.open["900"] = Loan(id="900", borrower="ana", principal=100, outstanding=110, interest=10)
        state.open["901"] = Loan(id="901", borrower="bob", principal=40, outstanding=4, interest=4)
    assert net_worth(table.state, "ana")[-1] == Asset("loan", "900", 1, -100)
    assert net_worth(table.state, "bob")[-1] == Asset("loan", "901", 1, 0)


@pytest.mark.rule("II.E.5", "II.E.4")
def test_the_statements_are_kept_with_the_end_and_shown_only_then() -> None:
    """Until the end nobody is shown a net worth; afterwards everybody is shown them all, the deposit included."""
    table = Table("ana", "bob")
    table.own("ana", STREET)
    with table.arranged() as state:
        state.holdings.post(Posting("NGD", 60, player("ana"), "escrow:bounty:900"))
        state.open["900"] = Bounty(id="900", poster="ana", amount=60, conditions="sink the tank")
    table.banker("end_game", reason="late")
    table.turn("ana", 1, 2)
    assert RULEBOOK.screen.view(table.state, BANKER)["statements"] == []
    table.turn("bob", 1, 2)
    ended = end(table)
    ana, bob = ended.statements
    assert (ana.total, bob.total) == (1650 + 100, 1650)
    assert ana.assets == (Asset("balance", "NGD", 1, 1650), Asset("title", STREET, 1, 100))
    assert table.holds("escrow:bounty:900") == 0
    assert table.state.statements == ended.statements
    spectator = current_viewer(table.state, Viewer("spectator"))
    shown = RULEBOOK.screen.view(table.state, spectator)["statements"]
    assert shown == [msgspec.to_builtins(one) for one in ended.statements]
    assert ended in table.seen_by(None)


@pytest.mark.rule("II.E.4")
def test_at_a_table_whose_end_stays_closed_only_totals_are_told() -> None:
    """Everybody is told who has won and what each is worth, and nobody what others hold."""
    table = Table("ana", "bob", settings={"reveal_at_end": False})
    table.own("ana", STREET)
    table.banker("end_game", reason="late")
    table.turn("ana", 1, 2)
    table.turn("bob", 1, 2)
    ended = end(table)
    assert [(one.seat, one.total, one.assets) for one in ended.statements] == [
        ("ana", 1750, ()),
        ("bob", 1650, ()),
    ]
    assert ended in table.seen_by("bob")
    bob = current_viewer(table.state, Viewer("player", "bob"))
    assert RULEBOOK.screen.view(table.state, bob)["winners"] == ["ana"]
    assert visible_holdings(RULEBOOK.secrets, table.state, player("ana"), bob) == {f"title:{STREET}": 1}
    assert visible_holdings(RULEBOOK.secrets, table.state, player("bob"), bob) == {"NGD": 1650}


# ----------------------------------------------------------------------------------------------
# The end
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("II.E.1")
def test_after_the_end_every_action_is_refused_and_no_move_is_left() -> None:
    """The game is over at the first condition met: neither a player nor the banker plays on."""
    table = Table("ana", "bob")
    ruin(table, "bob")
    table.play("bob", "declare_bankruptcy")
    assert end(table).winners == ("ana",)
    for seat, kind, params in (
        ("ana", "roll_dice", {"dice": [1, 2]}),
        ("ana", "transfer_money", {"to": "bob", "amount": 1}),
        ("bob", "roll_dice", {"dice": [1, 2]}),
        (None, "end_game", {"reason": "again"}),
        (None, "expire_turn", {}),
        ("bob", "open_dispute", {"claim": "It was not my turn"}),
    ):
        assert isinstance(table.refused(seat, kind, "II.E.1", **params), GameOver)
    left = moves(RULEBOOK, table.state, "ana", player("ana"), Viewer("player", "ana"), table.now)
    assert left == []
    assert RULEBOOK.progress.due(table.state, table.now) is None
    assert RULEBOOK.screen.view(table.state, BANKER)["phase"] == "ended"
    assert RULEBOOK.screen.view(table.state, BANKER)["winners"] == ["ana"]


@pytest.mark.rule("II.E.3", "II.E.1", "II.E.5")
def test_the_last_player_left_wins_at_once() -> None:
    """Bob, then Zoe declare bankruptcy: with the second one Ana has won, in debt as she is herself."""
    table = Table("ana", "bob", "zoe")
    for seat in ("ana", "bob", "zoe"):
        ruin(table, seat)
    table.play("bob", "declare_bankruptcy")
    assert not table.state.ended
    table.play("zoe", "declare_bankruptcy", reason="the tables have turned")
    ended = end(table)
    assert (ended.winners, ended.condition, ended.rule) == (("ana",), "elimination", "II.E.3")
    assert [(one.seat, one.total) for one in ended.statements] == [("ana", -10)]
    assert table.state.eliminated == {"bob": "bankruptcy", "zoe": "the tables have turned"}
