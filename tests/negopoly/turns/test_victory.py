"""II.E and I.B.5: who leaves the game, who wins it, and what everybody is worth at the end."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.kernel.accounts import Posting
from ledger.kernel.audience import BANKER, Viewer
from ledger.kernel.moves import moves
from ledger.kernel.refusals import GameOver
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.estate.real_estate import TitleReset
from ledger.rulebooks.negopoly.goods.deliveries import DeliveryReturned
from ledger.rulebooks.negopoly.table.terms import (
    Asset,
    Bounty,
    Contract,
    Deal,
    Delivery,
    Leg,
    Loan,
    attached,
    player,
)
from ledger.rulebooks.negopoly.turns.victory import (
    EstateClosed,
    EstateSettled,
    GameDeclaredTooLong,
    GameEnded,
    PlayerEliminated,
    net_worth,
)
from tests.tables.negopoly import Table

STREET = "17_rue_des_patates"
"""On square 6: price 100, a house 50, mortgage value 50."""


def ruin(table: Table, seat: str, debt: int = 10) -> None:
    """Leave the seat with this debt and nothing else."""
    table.take(seat, "NGD", table.holds(seat) + debt)


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
    table.play("bob", "break_deal", deal=deal, account="she built")
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
    assert RULEBOOK.view(table.state, BANKER)["statements"] == []
    table.turn("bob", 1, 2)
    ended = end(table)
    ana, bob = ended.statements
    assert (ana.total, bob.total) == (1650 + 100, 1650)
    assert ana.assets == (Asset("balance", "NGD", 1, 1650), Asset("title", STREET, 1, 100))
    assert table.holds("escrow:bounty:900") == 0
    assert table.state.statements == ended.statements
    shown = RULEBOOK.view(table.state, Viewer("spectator"))["statements"]
    assert shown == [msgspec.to_builtins(one) for one in ended.statements]
    assert ended in table.seen_by(None)


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
    ):
        assert isinstance(table.malformed(seat, kind, **params), GameOver)
    left = moves(RULEBOOK, table.state, "ana", player("ana"), Viewer("player", "ana"), table.now)
    assert [move.kind for move in left] == ["open_dispute"]  # what happened may still be contested (P.2)
    assert RULEBOOK.due(table.state, table.now) is None
    assert RULEBOOK.view(table.state, BANKER)["phase"] == "ended"
    assert RULEBOOK.view(table.state, BANKER)["winners"] == ["ana"]


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


@pytest.mark.rule("II.E.3")
@pytest.mark.parametrize(("balance", "bankrupt"), [(1, False), (0, False), (-1, True)])
def test_without_debt_there_is_no_bankruptcy(balance: int, bankrupt: bool) -> None:
    """With 1 ₦ or 0 ₦ and nothing else Bob stays; with a debt of 1 ₦ he may go."""
    table = Table("ana", "bob", "zoe")
    table.take("bob", "NGD", 1650 - balance)
    if bankrupt:
        table.play("bob", "declare_bankruptcy")
    else:
        table.refused("bob", "declare_bankruptcy", "II.E.3")
    assert ("bob" in table.state.eliminated) is bankrupt


@pytest.mark.rule("II.E.3")
@pytest.mark.parametrize("left", ["a title", "a mortgaged title", "dose", "rpg7", "trottinette", "ordonnance"])
def test_while_anything_is_left_to_sell_or_mortgage_there_is_no_bankruptcy(left: str) -> None:
    """In debt, Bob still has a title or an object that the bank, the police or a corner buys: he must stay."""
    table = Table("ana", "bob", "zoe")
    ruin(table, "bob", 5000)
    if "title" in left:
        table.own("bob", STREET, mortgaged=left == "a mortgaged title")
        assert STREET in table.refused("bob", "declare_bankruptcy", "II.E.3").en
        table.turn("ana", 1, 2)
        table.play("bob", "sell_property", title=STREET)
    else:
        table.give("bob", left)
        assert left in table.refused("bob", "declare_bankruptcy", "II.E.3").en
        table.take("bob", left, 1)
    table.play("bob", "declare_bankruptcy")
    assert "bob" in table.state.eliminated


@pytest.mark.rule("II.E.3")
def test_goods_on_their_way_are_something_left_but_what_nobody_buys_is_not() -> None:
    """A dose sent to Bob keeps him in the game; a licence and a kidnapping that nobody buys do not."""
    table = Table("ana", "bob", "zoe")
    ruin(table, "bob")
    table.give("ana", "dose")
    table.give("bob", "licence")
    table.give("bob", "kidnapping")
    table.play("ana", "send_delivery", to="bob", commodity="dose", amount=1)
    table.refused("bob", "declare_bankruptcy", "II.E.3")
    other = Table("ana", "bob", "zoe")
    ruin(other, "bob")
    other.give("bob", "licence")
    other.give("bob", "kidnapping")
    other.play("bob", "declare_bankruptcy")
    assert other.holds("used", "kidnapping") == 1


@pytest.mark.rule("II.E.3")
def test_the_banker_declares_it_at_a_creditors_request_under_the_same_conditions() -> None:
    """Ana asks the banker to declare Bob bankrupt: refused while he holds a dose, then recorded."""
    table = Table("ana", "bob", "zoe")
    ruin(table, "bob")
    table.give("bob", "dose")
    with pytest.raises(Exception, match="1 dose"):
        table.banker("declare_bankruptcy", seat="bob", reason="Ana wants her rent")
    table.take("bob", "dose", 1)
    events = table.banker("declare_bankruptcy", seat="bob", reason="Ana wants her rent")
    eliminated = next(event for event in events if isinstance(event, PlayerEliminated))
    assert (eliminated.seat, eliminated.reason, eliminated.rule) == ("bob", "Ana wants her rent", "II.E.3")


@pytest.mark.rule("II.E.3")
def test_a_waived_bankruptcy_tells_nobody_what_was_left() -> None:
    """The banker lets Bob go with a dose in his pocket: the warning, which all read, does not name it."""
    table = Table("ana", "bob", "zoe")
    ruin(table, "bob", 77)
    table.give("bob", "dose", 3)
    table.play("bob", "declare_bankruptcy", override="he must catch a train")
    assert table.last is not None
    (warning,) = table.last.warnings
    assert warning.rule == "II.E.3"
    assert "dose" not in warning.en + warning.fr
    assert "77" not in warning.en + warning.fr


@pytest.mark.rule("II.B.7", "II.E.3")
def test_a_bankrupt_pays_the_rent_of_the_square_first() -> None:
    """Bob, ruined, stops on Ana's street: Ana's 30 ₦ are posted before he may declare bankruptcy."""
    table = Table("bob", "ana", "zoe")
    table.own("ana", STREET, houses=1)
    ruin(table, "bob")
    table.play("bob", "roll_dice", dice=[3, 3])
    table.refused("bob", "declare_bankruptcy", "II.B.7")
    table.play("bob", "resolve_square")
    table.play("bob", "declare_bankruptcy")
    assert table.holds("ana") == 1650 + 30
    assert table.holds("bob") == 0


# ----------------------------------------------------------------------------------------------
# Leaving the game
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("I.B.5", "I.B.3")
def test_debt_and_misfortune_alone_exclude_nobody() -> None:
    """Bob owes 1 million, owns nothing and sits in Prison: he still has his turn and his roll."""
    table = Table("ana", "bob", "zoe")
    table.own("ana", STREET)
    ruin(table, "bob", 1_000_000)
    table.turn("ana", 1, 2)
    table.turn("bob", 3, 3)
    assert table.holds("bob") == -1_000_006
    assert table.state.eliminated == {}
    table.turn("zoe", 1, 2)
    table.turn("ana", 1, 1)
    assert table.state.turn is not None
    assert table.state.turn.seat == "bob"
    table.play("bob", "declare_bankruptcy")
    assert table.state.eliminated == {"bob": "bankruptcy"}


@pytest.mark.rule("I.B.5")
def test_an_eliminated_player_acts_no_more_and_nobody_deals_with_them() -> None:
    """Bob is out: whatever he asks is refused, and nobody can pay him or sell him a title."""
    table = Table("ana", "bob", "zoe")
    table.own("ana", STREET)
    ruin(table, "bob")
    table.play("bob", "declare_bankruptcy")
    asked: tuple[tuple[str, dict[str, Any]], ...] = (
        ("roll_dice", {"dice": [1, 2]}),
        ("transfer_money", {"to": "ana", "amount": 1}),
        ("declare_bankruptcy", {}),
        ("buy_property", {}),
    )
    for kind, params in asked:
        assert "bankruptcy" in table.refused("bob", kind, "I.B.5", **params).en
    table.refused("ana", "transfer_money", "I.B.5", to="bob", amount=1)
    table.refused("ana", "sell_property", "I.B.5", title=STREET, to="bob", price=1)


@pytest.mark.rule("I.B.5", "II.1", "II.2")
def test_the_turn_of_a_player_who_leaves_passes_on() -> None:
    """Bob leaves in his own turn: it is Zoe's. She is the last of the round; leaving too would end it for Ana."""
    table = Table("ana", "bob", "zoe", "tom")
    ruin(table, "bob")
    ruin(table, "tom")
    table.turn("ana", 1, 2)
    table.play("bob", "declare_bankruptcy")
    assert table.state.turn is not None
    assert table.state.turn.seat == "zoe"
    table.turn("zoe", 1, 2)
    table.play("tom", "declare_bankruptcy")
    assert table.state.turn is not None
    assert (table.state.turn.seat, table.state.round) == ("ana", 2)
    table.turn("ana", 1, 2)
    assert table.state.turn.seat == "zoe"


@pytest.mark.rule("I.B.5")
def test_leaving_in_anothers_turn_does_not_disturb_it() -> None:
    """Zoe leaves while Ana is rolling: it is still Ana's turn, and her roll is still due."""
    table = Table("ana", "bob", "zoe")
    ruin(table, "zoe")
    table.play("zoe", "declare_bankruptcy")
    assert table.state.turn is not None
    assert (table.state.turn.seat, table.state.turn.roll) == ("ana", "due")
    table.turn("ana", 1, 2)
    table.turn("bob", 1, 2)
    assert table.state.round == 2


@pytest.mark.rule("I.B.5", "P.5")
def test_the_estate_goes_to_the_bank_and_to_nobody_else() -> None:
    """Bob, let go with a title, two houses and goods, leaves all of it; his creditors and friends get nothing."""
    table = Table("ana", "bob", "zoe")
    ruin(table, "bob", 40)
    table.own("bob", STREET, houses=2, mortgaged=True)
    table.give("bob", "dose", 3)
    table.give("bob", "licence")
    with table.arranged() as state:
        state.wanted.add("bob")
        state.rackets.extend(["bob", "ana"])
        state.delegations.add(("nuketown", "bob", "bob"))
    bank = table.holds("bank")
    events = table.play("bob", "declare_bankruptcy", override="agreed by the table")
    assert [type(event) for event in events] == [PlayerEliminated, TitleReset, EstateClosed]
    assert dict(table.state.holdings.account(player("bob"))) == {}
    assert table.holds("bank") == bank - 40
    assert (table.holds("used", "dose"), table.holds("used", "licence")) == (3, 1)
    assert table.owner(STREET) is None
    assert dict(table.state.holdings.account(attached(STREET))) == {}
    assert (table.holds("ana"), table.holds("zoe")) == (1650, 1650)
    assert table.state.wanted == set()
    assert table.state.rackets == ["ana"]
    assert table.state.delegations == set()


@pytest.mark.rule("I.B.5")
def test_everybody_sees_the_elimination_and_only_its_parties_the_rest() -> None:
    """The account that is closed and the loan forgiven are Bob's secret; the fact itself and titles are public."""
    table = Table("ana", "bob", "zoe")
    ruin(table, "bob", 40)
    table.own("bob", STREET)
    with table.arranged() as state:
        state.open["900"] = Loan(id="900", borrower="bob", principal=300, outstanding=250)
    table.play("bob", "declare_bankruptcy", override="agreed")
    kinds = [type(event) for event in table.seen_by("ana")]
    assert kinds == [PlayerEliminated, TitleReset]
    assert len(table.seen_by("bob")) == 4


@pytest.mark.rule("I.B.5")
def test_agreements_of_a_player_who_leaves_are_settled() -> None:
    """Bob's loan is written off, his contract ends, a proposal falls, and under deals only others' goods stay due.

    His bounty stays in escrow until the banker resolves it; the loan and the contract of others go on.
    """
    table = Table("ana", "bob", "zoe")
    ruin(table, "bob", 40)
    bobs = Leg("bob", "ana", "dose", 2)
    others = Leg("zoe", "ana", "dose", 1)
    with table.arranged() as state:
        state.holdings.post(Posting("NGD", 60, "bank", "escrow:bounty:904"))
        for agreement in (
            Loan(id="900", borrower="bob", principal=300, outstanding=250),
            Contract(id="901", parties=("bob", "ana"), clauses=("peace",), rounds=3, payers={"bob": 90}),
            Contract(
                id="902", status="proposed", parties=("zoe", "bob"), clauses=("war",), rounds=1, payers={"zoe": 30}
            ),
            Deal(id="903", status="proposed", parties=("ana", "bob"), clauses=("a kiss",)),
            Bounty(id="904", poster="bob", amount=60, conditions="sink the tank"),
            Deal(id="905", status="concluded", parties=("ana", "bob", "zoe"), legs=(bobs, others), due=(0, 1)),
            Deal(id="906", status="concluded", parties=("ana", "bob"), legs=(bobs,), due=(0,)),
            Loan(id="907", borrower="zoe", principal=100, outstanding=100),
            Contract(id="908", parties=("zoe", "ana"), clauses=("love",), rounds=3, payers={"zoe": 90}),
        ):
            state.open[agreement.id] = agreement
    events = table.play("bob", "declare_bankruptcy")
    settled = [event for event in events if isinstance(event, EstateSettled)]
    assert [(one.agreement.id, one.agreement.status) for one in settled] == [
        ("900", "forgiven"),
        ("901", "ended"),
        ("902", "withdrawn"),
        ("903", "withdrawn"),
        ("905", "concluded"),
        ("906", "concluded"),
    ]
    assert settled[0].written_off == 250
    assert set(table.state.open) == {"904", "905", "907", "908"}
    assert table.state.open["905"] == Deal(
        id="905", status="concluded", parties=("ana", "bob", "zoe"), legs=(bobs, others), due=(1,)
    )
    assert table.holds("escrow:bounty:904") == 60


@pytest.mark.rule("I.B.5", "VIII.D.3")
def test_goods_on_their_way_to_a_player_who_leaves_go_back_to_who_sent_them() -> None:
    """Ana's dose for Bob returns to her at once; Zoe, who left before, gets nothing back; Bob's still arrives."""
    table = Table("ana", "bob", "zoe", "tom")
    ruin(table, "bob")
    ruin(table, "zoe")
    with table.arranged() as state:
        for number, sender, recipient in (("900", "ana", "bob"), ("901", "zoe", "bob"), ("902", "bob", "tom")):
            state.holdings.post(Posting("dose", 2, "bank", f"transit:{number}"))
            state.open[number] = Delivery(
                id=number, sender=sender, recipient=recipient, commodity="dose", amount=2, sent_round=1
            )
    table.play("zoe", "declare_bankruptcy")
    bank = table.holds("bank", "dose")
    events = table.play("bob", "declare_bankruptcy", override="the goods will not save him")
    returned = [event for event in events if isinstance(event, DeliveryReturned)]
    assert [one.delivery.status for one in returned] == ["returned", "returned"]
    assert table.holds("ana", "dose") == 2
    assert table.holds("bank", "dose") == bank + 2
    assert table.holds("transit:902", "dose") == 2
    table.turn("ana", 1, 2)
    assert table.holds("tom", "dose") == 2
    assert table.state.open == {}
