"""II.E.3. Bankruptcy: when it may be declared, and its effect on open matters."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.refusals import Refusal
from ledger.rulebooks.negopoly.table.pieces import ITEMS
from ledger.rulebooks.negopoly.table.terms import Bounty, Contract, Deal, Meeting
from ledger.rulebooks.negopoly.turns.victory import PlayerEliminated
from tests.tables.negopoly import BAR, STREET, Table, answer, asked, dropping, kinds, ruin, touched


def entangled() -> tuple[Table, dict[str, str]]:
    """It is Ana's turn; Bob, in debt and with nothing left, is a party in every kind of agreement.

    His bounty of 200 ₦ is open, and he was the first to claim Ana's of 300 ₦, before Cleo. His contract with Ana
    holds 100 ₦ of his and 50 ₦ of hers. He has proposed a deal to Cleo, disputes his fine, and is in a meeting
    with Dan.
    """
    table = Table("ana", "bob", "cleo", "dan")
    numbers = {}
    table.play("bob", "post_bounty", amount=200, conditions="land on Comico")
    numbers["his"] = str(table.number)
    table.play("ana", "post_bounty", amount=300, conditions="see Bob ruined")
    numbers["hers"] = str(table.number)
    for bounty in (numbers["his"], numbers["hers"]):
        table.banker("approve_bounty", bounty=bounty, accept=True)
    table.play("bob", "claim_bounty", bounty=numbers["hers"], statement="nobody is as ruined as I")
    table.play("cleo", "claim_bounty", bounty=numbers["hers"], statement="I did it")
    table.play(
        "ana", "register_contract", clauses=["peace"], rounds=2, parties=["bob"], escrow={"bob": 100, "ana": 50}
    )
    numbers["contract"] = str(table.number)
    table.play("bob", "agree_contract", contract=numbers["contract"])
    table.play("bob", "propose_deal", legs=[{"giver": "cleo", "taker": "bob", "commodity": "NGD", "amount": 5}])
    numbers["deal"] = str(table.number)
    table.play("bob", "start_meeting", participants=["dan"], minutes=1)
    numbers["meeting"] = str(table.number)
    table.play("dan", "join_meeting", meeting=numbers["meeting"])
    table.banker("rule", finding="a scandal", remedies=[{"op": "fine", "seat": "bob", "amount": 2000}])
    table.play("bob", "open_dispute", claim="no scandal", actions=[table.number], rules=["P.1"])
    numbers["dispute"] = str(table.number)
    assert table.holds("bob") == 1650 - 200 - 100 - 2000 - 20
    assert table.holds("ana") == 1650 - 300 - 60 - 50
    return table, numbers


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
        assert "17 rue des patates" in table.refused("bob", "declare_bankruptcy", "II.E.3").en
        table.turn("ana", 1, 2)
        table.play("bob", "sell_property", title=STREET)
    else:
        table.give("bob", left)
        assert ITEMS[left].name in table.refused("bob", "declare_bankruptcy", "II.E.3").en
        table.take("bob", left, 1)
    table.play("bob", "declare_bankruptcy")
    assert "bob" in table.state.eliminated


@pytest.mark.rule("II.E.3", "VIII.D.3")
def test_neither_goods_on_their_way_nor_what_nobody_buys_are_something_left() -> None:
    """A dose on its way to Bob goes back to Ana (VIII.D.3); his licence and his kidnapping nobody buys."""
    table = Table("ana", "bob", "zoe")
    ruin(table, "bob")
    table.give("ana", "dose")
    table.give("bob", "licence")
    table.give("bob", "kidnapping")
    table.play("ana", "send_delivery", to="bob", commodity="dose", amount=1)
    assert table.holds("ana", "dose") == 0
    table.play("bob", "declare_bankruptcy")
    assert (table.holds("ana", "dose"), table.holds("used", "kidnapping")) == (1, 1)


@pytest.mark.rule("II.E.3")
def test_the_banker_declares_it_at_a_creditors_request_under_the_same_conditions() -> None:
    """Ana asks the banker to declare Bob bankrupt: refused while he holds a dose, then recorded."""
    table = Table("ana", "bob", "zoe")
    ruin(table, "bob")
    table.give("bob", "dose")
    with pytest.raises(Refusal, match="1 × Dose"):
        table.banker("declare_bankruptcy", seat="bob", reason="Ana wants her rent")
    table.take("bob", "dose", 1)
    events = table.banker("declare_bankruptcy", seat="bob", reason="Ana wants her rent")
    eliminated = next(event for event in events if isinstance(event, PlayerEliminated))
    assert (eliminated.seat, eliminated.reason, eliminated.rule) == ("bob", "Ana wants her rent", "II.E.3")


@pytest.mark.rule("II.E.3")
def test_a_waived_bankruptcy_tells_nobody_what_was_left() -> None:
    """The banker lets Bob go with a dose in his inventory: the warning, which all read, does not name it."""
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


# With open agreements of every kind ---------------------------------------------------------------------


@pytest.mark.rule("II.E.3", "I.B.5", "X.B.5", "X.B.4", "X.A.6", "P.2", "IV.B.5", "P.5")
def test_a_bankruptcy_settles_all_that_is_open_in_favour_of_nobody() -> None:
    """Bob goes: Ana has her 50 ₦ back, the bank his 100 ₦ and his debt; the deal is off, and he leaves the room.

    Of Ana's bounty on his ruin Cleo is the first claimant still in play, and takes it; his own stays with the bank
    until Dan earns it. What he contests the banker may still decide, but neither fine him more nor sanction him.
    """
    table, numbers = entangled()
    bank = table.holds("bank")
    table.play("bob", "declare_bankruptcy")
    assert table.state.eliminated == {"bob": "bankruptcy"}
    assert (table.holds("ana"), table.holds("bob")) == (1650 - 300 - 60, 0)
    assert table.holds("bank") - bank == 100 + 1650 - 200 - 100 - 2000 - 20
    contract, deal = (table.state.past.get(numbers[one]) for one in ("contract", "deal"))
    assert contract is not None
    assert deal is not None
    assert (contract.status, deal.status) == ("ended", "withdrawn")
    meeting = table.state.open[numbers["meeting"]]
    assert isinstance(meeting, Meeting)
    assert meeting.present == ("dan",)
    table.banker("award_bounty", bounty=numbers["hers"], winner="cleo")
    assert table.holds("cleo") == 1650 + 300
    assert table.holds(f"escrow:bounty:{numbers['his']}") == 200
    table.banker("award_bounty", bounty=numbers["his"], winner="dan")
    assert table.holds("dan") == 1650 + 200
    table.play("ana", "report_breach", contract=numbers["contract"], statement="he promised peace")
    sanction = {
        "op": "enforce_contract",
        "contract": numbers["contract"],
        "party": "bob",
        "amount": 10,
        "to": "ana",
    }
    for remedy in (sanction, {"op": "fine", "seat": "bob", "amount": 1}):
        table.refused(None, "rule", "I.B.5", dispute=numbers["dispute"], finding="he broke it", remedies=[remedy])
    table.banker("rule", dispute=numbers["dispute"], finding="let him rest", remedies=[])


@pytest.mark.rule("I.B.5", "I.C.6", "II.E.3")
def test_who_looks_on_a_bankruptcy_sees_that_somebody_has_gone_and_no_more() -> None:
    """Dan sees Bob leave the game and the room; Ana the contract's end, Cleo the proposal's; Bob all of it."""
    table, _ = entangled()
    table.play("bob", "declare_bankruptcy")
    told = {seat: kinds(table.seen_by(seat)) for seat in ("ana", "bob", "cleo", "dan", None)}
    public = ["player_eliminated", "meeting_left"]
    assert told["dan"] == told[None] == public
    assert told["ana"] == told["cleo"] == ["player_eliminated", "estate_settled", "meeting_left"]
    assert told["bob"] == [
        "player_eliminated",
        "estate_settled",
        "estate_settled",
        "estate_closed",
        "meeting_left",
    ]
    settled = [table.seen_by(seat)[1].agreement for seat in ("ana", "cleo")]  # type: ignore[attr-defined]
    assert [type(one) for one in settled] == [Contract, Deal]


@pytest.mark.rule("P.4", "I.B.5", "X.B.4", "X.A.6", "X.B.1")
def test_a_bankruptcy_taken_back_brings_everything_back_but_what_only_the_ruined_left_to_others() -> None:
    """After Bob's bankruptcy Cleo gets the bounty on it, and Ana proposes Cleo a new contract.

    A dry run without it voids only the award, for Bob claimed before her. Contract, deposits, debt, claim,
    proposal and his place in the room are what they were.
    """
    table, numbers = entangled()
    before = table.rulebook.codec.to_snapshot(table.state)
    table.play("bob", "declare_bankruptcy")
    ruin = table.number
    table.banker("award_bounty", bounty=numbers["hers"], winner="cleo")
    award = str(table.number)
    table.play("ana", "register_contract", clauses=["war"], rounds=1, parties=["cleo"])
    proposed = str(table.number)
    plan = table.what_if(dropping(ruin))
    assert (touched(plan.voided), plan.restated) == ([award], ())
    table.banker("correct", edits=[dropping(ruin)], cascade="restate", reason="he had found a dose")
    then = table.rulebook.codec.from_snapshot(before)
    assert table.state.holdings == then.holdings
    assert {one: kept for one, kept in table.state.open.items() if one != proposed} == then.open
    bounty, contract = table.state.open[numbers["hers"]], table.state.open[numbers["contract"]]
    assert isinstance(bounty, Bounty)
    assert isinstance(contract, Contract)
    assert (bounty.claims, contract.escrow) == (("bob", "cleo"), {"bob": 100, "ana": 50})


@pytest.mark.rule("II.E.3", "IX.B.15", "IX.C.18", "I.B.3")
def test_nobody_goes_bankrupt_between_a_shot_and_its_effect() -> None:
    """Ana draws a Glock at Bob, who owes 10 ₦, owns nothing but a team, and is asked about it: he answers first.

    He keeps the team to himself, so he owes 310 ₦ and Ana has 300 ₦ more; then he may go, and she keeps them.
    """
    table = Table("ana", "bob", "cleo")
    table.give("ana", "glock26")
    table.serve("bob", "security_team")
    table.take("bob", "NGD", 1660)
    table.place("bob", BAR)
    table.play("ana", "roll_dice", dice=[2, 3])
    table.play("ana", "use_glock", target="bob", dice=[1])
    assert asked(table) == ["bob"]
    table.refused("bob", "declare_bankruptcy", "IX.B.15")
    answer(table, "bob", "no")
    assert (table.holds("ana"), table.holds("bob")) == (1950, -310)
    table.play("bob", "declare_bankruptcy")
    assert (table.holds("ana"), table.holds("bob"), table.state.order) == (1950, 0, ("ana", "bob", "cleo"))


@pytest.mark.rule("II.E.3", "I.B.5", "VIII.D.3", "I.B.3")
def test_of_two_ruined_players_the_one_who_goes_first_decides_whether_the_other_may() -> None:
    """Ana and Bob owe money and own nothing but two doses of hers in transit to him.

    If Bob goes first, they return to her, and Ana, with something to sell, cannot go. If she goes first, they
    reach him and keep him in the game.
    """
    table = Table("ana", "bob", "cleo")
    table.give("ana", "dose", 2)
    for seat in ("ana", "bob"):
        table.take(seat, "NGD", 1700)
    table.play("ana", "send_delivery", to="bob", commodity="dose", amount=2)
    sent = table.number
    table.play("bob", "declare_bankruptcy")
    assert table.holds("ana", "dose") == 2
    table.refused("ana", "declare_bankruptcy", "II.E.3")
    table.banker("correct", edits=[dropping(table.number)], cascade="refuse", reason="not yet")
    table.play("ana", "declare_bankruptcy")
    assert table.holds(f"transit:{sent}", "dose") == 2
    table.turn("bob", 1, 2)
    table.turn("cleo", 1, 2)
    assert table.holds("bob", "dose") == 2
    table.refused("bob", "declare_bankruptcy", "II.E.3")
    assert (table.holds("bob"), table.state.eliminated) == (-50, {"ana": "bankruptcy"})
