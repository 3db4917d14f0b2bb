"""V.B.1 to V.B.7: a mortgaged title is inert, is unmortgaged when passing, and other players may take it."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.draft import Draft, Request
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.estate.mortgages import (
    DelegationRevoked,
    MortgageProperty,
    TitleBoughtBack,
    TitleMortgaged,
    TitleUnmortgaged,
    UnmortgageDelegated,
    mortgage,
)
from ledger.rulebooks.negopoly.table.pieces import TITLES
from ledger.rulebooks.negopoly.table.terms import attached
from tests.tables.negopoly import NOON, STREET, Table


@pytest.mark.rule("V.B.1")
def test_a_mortgaged_title_yields_nothing_until_it_is_freed() -> None:
    """Ana mortgages her street with two houses: Bob stops there for nothing; freed, it earns 90 ₦ again."""
    table = Table("ana", "bob")
    table.own("ana", STREET, houses=2)
    table.play("ana", "mortgage_property", title=STREET)
    table.refused("ana", "build_house", "V.B.2", title=STREET)
    table.turn("ana", 3, 5)
    table.turn("bob", 3, 3)
    assert table.holds("bob") == 1650
    table.place("ana", 1)
    table.turn("ana", 2, 3, then=(("unmortgage_property", {"title": STREET}),))
    table.place("bob", 0)
    table.turn("bob", 3, 3)
    assert table.holds("bob") == 1650 - 90


@pytest.mark.rule("V.B.2", "V.C.5")
def test_houses_stay_on_a_mortgaged_title_and_can_still_be_destroyed() -> None:
    """Ana cannot build on her mortgaged street; its two houses stand, and she may take one down."""
    table = Table("ana", "bob")
    table.own("ana", STREET, houses=2, mortgaged=True)
    table.refused("ana", "build_house", "V.B.2", title=STREET)
    assert table.holds(attached(STREET), "house") == 2
    table.play("ana", "destroy_house", title=STREET)
    assert table.holds(attached(STREET), "house") == 1
    assert table.holds(attached(STREET), "mortgage") == 1


@pytest.mark.rule("V.B.3", "V.D.2")
def test_the_event_records_where_a_mortgage_comes_from_and_only_a_choice_is_paid() -> None:
    """Ana's own mortgage says "owner" and pays 50 ₦; one imposed by a storm says so and pays nobody."""
    table = Table("ana", "bob")
    table.own("ana", STREET, "nuketown")
    (chosen,) = table.play("ana", "mortgage_property", title=STREET)
    assert isinstance(chosen, TitleMortgaged)
    assert (chosen.cause, chosen.paid, chosen.owner) == ("owner", 50, "ana")
    assert table.holds("ana") == 1650 + 50
    assert table.seen_by(None) == [chosen]

    request = Request(action=MortgageProperty(title="nuketown"), seat="ana", by="system", at=NOON)
    storm = Draft(RULEBOOK, table.state, request, None)
    mortgage(storm, TITLES["nuketown"], cause="storm", rule="V.B.3")
    (imposed,) = storm.events
    assert isinstance(imposed, TitleMortgaged)
    assert (imposed.cause, imposed.paid) == ("storm", 0)
    assert storm.state.holdings.of("player:ana", "NGD") == 1650 + 50
    with pytest.raises(Impossible):
        mortgage(storm, TITLES["nuketown"], cause="storm", rule="V.B.3")
    with pytest.raises(Impossible):
        mortgage(storm, TITLES["bassland"], cause="storm", rule="V.B.3")


@pytest.mark.rule("V.B.4")
@pytest.mark.parametrize(("dice", "how"), [([3, 3], "stopping"), ([4, 4], "crossing")])
def test_an_owner_unmortgages_in_passing_for_the_mortgage_value(dice: list[int], how: str) -> None:
    """Stopping on her street or crossing it, Ana unmortgages it for 50 ₦ paid to the bank."""
    table = Table("ana", "bob")
    table.own("ana", STREET, mortgaged=True)
    bank = table.holds("bank")
    table.play("ana", "roll_dice", dice=dice)
    (freed,) = table.play("ana", "unmortgage_property", title=STREET)
    assert isinstance(freed, TitleUnmortgaged), how
    assert (freed.rule, freed.cost, freed.payer) == ("V.B.4", 50, "ana")
    assert table.holds("ana") == 1650 - 50
    assert table.holds("bank") == bank + 50
    assert table.holds(attached(STREET), "mortgage") == 0
    assert table.owner(STREET) == "ana"
    table.refused("ana", "unmortgage_property", "V.B.4", title=STREET)


@pytest.mark.rule("V.B.4", "II.B.3", "II.B.6")
def test_nobody_unmortgages_before_moving_or_in_another_turn_or_without_passing() -> None:
    """Ana stands on her street before the roll; then it is Bob's turn; then she has crossed and resolved."""
    table = Table("ana", "bob")
    table.own("ana", STREET, mortgaged=True)
    table.place("ana", 6)
    table.refused("ana", "unmortgage_property", "II.B.3", title=STREET)
    table.turn("ana", 1, 1)
    table.refused("ana", "unmortgage_property", "V.B.4", title=STREET)
    table.turn("bob", 1, 2)
    table.place("ana", 0)
    table.play("ana", "roll_dice", dice=[4, 4])
    table.play("ana", "resolve_square")
    table.refused("ana", "unmortgage_property", "V.D.1", title=STREET)


@pytest.mark.rule("V.B.4")
def test_unmortgaging_needs_the_funds_and_carries_the_interest_of_the_table() -> None:
    """At 9 % the 50 ₦ become 54.5, so 55; with 54 ₦ Ana cannot pay, with 55 she can."""
    table = Table("ana", "bob", settings={"unmortgage_interest_percent": 9})
    table.own("ana", STREET, mortgaged=True)
    table.take("ana", "NGD", 1650 - 54)
    table.play("ana", "roll_dice", dice=[3, 3])
    table.refused("ana", "unmortgage_property", "V.B.4", title=STREET)
    table.give("ana", "NGD", 1)
    (freed,) = table.play("ana", "unmortgage_property", title=STREET)
    assert isinstance(freed, TitleUnmortgaged)
    assert freed.cost == 55
    assert table.holds("ana") == 0


@pytest.mark.rule("V.B.5")
def test_a_delegate_unmortgages_in_passing_at_their_own_expense_and_the_title_stays() -> None:
    """Bob, Ana's delegate, crosses her street and lifts its mortgage for 50 ₦ of his; it is still Ana's.

    The delegation has ended with it.
    """
    table = Table("ana", "bob", "zoe")
    table.own("ana", STREET, mortgaged=True)
    (given,) = table.play("ana", "delegate_unmortgage", title=STREET, to="bob")
    assert isinstance(given, UnmortgageDelegated)
    assert (given.to, given.payer) == ("bob", "bob")
    table.turn("ana", 1, 2)
    table.play("bob", "roll_dice", dice=[4, 4])
    (freed,) = table.play("bob", "unmortgage_property", title=STREET)
    assert isinstance(freed, TitleUnmortgaged)
    assert (freed.rule, freed.payer, freed.cost) == ("V.B.5", "bob", 50)
    assert table.owner(STREET) == "ana"
    assert (table.holds("ana"), table.holds("bob")) == (1650, 1600)
    assert table.state.delegations == set()


@pytest.mark.rule("V.B.5")
def test_an_owner_who_has_agreed_to_pay_is_charged() -> None:
    """Ana agrees to pay: Bob unmortgages her street and Ana's balance bears the 50 ₦, if she has them."""
    table = Table("ana", "bob")
    table.own("ana", STREET, mortgaged=True)
    table.play("ana", "delegate_unmortgage", title=STREET, to="bob", owner_pays=True)
    table.turn("ana", 1, 2)
    table.take("ana", "NGD", 1650)
    table.play("bob", "roll_dice", dice=[4, 4])
    refusal = table.refused("bob", "unmortgage_property", "V.B.4", title=STREET)
    assert " 0 " not in refusal.en, "Ana's balance is her secret"
    table.give("ana", "NGD", 70)
    table.play("bob", "unmortgage_property", title=STREET)
    assert (table.holds("ana"), table.holds("bob")) == (20, 1650)


@pytest.mark.rule("V.B.5")
def test_without_leave_or_once_it_is_revoked_nobody_unmortgages_for_another() -> None:
    """Zoe has no delegation; Ana revokes Bob's in his turn; only a delegation that exists can be revoked."""
    table = Table("ana", "bob", "zoe")
    table.own("ana", STREET, mortgaged=True)
    table.play("ana", "delegate_unmortgage", title=STREET, to="bob")
    table.refused("ana", "delegate_unmortgage", "V.B.5", title=STREET, to="bob")
    table.refused("ana", "revoke_delegation", "V.B.5", title=STREET, to="zoe")
    table.turn("ana", 1, 2)
    table.play("bob", "roll_dice", dice=[4, 4])
    (revoked,) = table.play("ana", "revoke_delegation", title=STREET, to="bob")
    assert isinstance(revoked, DelegationRevoked)
    table.refused("bob", "unmortgage_property", "V.B.5", title=STREET)
    table.play("bob", "end_turn")
    table.play("zoe", "roll_dice", dice=[4, 4])
    table.refused("zoe", "unmortgage_property", "V.B.5", title=STREET)


@pytest.mark.rule("V.B.5")
def test_only_the_owner_of_a_mortgaged_title_delegates_and_to_somebody_else() -> None:
    """Ana cannot delegate for a free title, for Bob's, to herself, or to a stranger."""
    table = Table("ana", "bob")
    table.own("ana", STREET)
    table.own("bob", "nuketown", mortgaged=True)
    table.refused("ana", "delegate_unmortgage", "V.B.5", title=STREET, to="bob")
    table.refused("ana", "delegate_unmortgage", "V.B.5", title="nuketown", to="bob")
    table.refused("bob", "delegate_unmortgage", "V.B.5", title="nuketown", to="bob")
    table.refused("bob", "delegate_unmortgage", "V.B.5", title="nuketown", to="nobody")


@pytest.mark.rule("V.B.5", "V.D.3")
def test_a_delegation_ends_when_the_title_changes_hands() -> None:
    """Ana lets Bob unmortgage her street, then sells it to Zoe: Bob's leave was Ana's to give, and it is gone."""
    table = Table("ana", "bob", "zoe")
    table.own("ana", STREET, mortgaged=True)
    table.play("ana", "delegate_unmortgage", title=STREET, to="bob")
    table.play("ana", "sell_property", title=STREET, to="zoe", price=10)
    (deal,) = table.state.open
    table.play("zoe", "agree_deal", deal=deal)
    assert table.owner(STREET) == "zoe"
    table.turn("ana", 1, 2)
    table.play("bob", "roll_dice", dice=[4, 4])
    table.refused("bob", "unmortgage_property", "V.B.5", title=STREET)


@pytest.mark.rule("V.B.6", "V.B.7", "V.A.4")
def test_an_opponent_takes_a_mortgaged_title_for_twice_its_price() -> None:
    """Bob crosses Ana's mortgaged street and takes it for 200 ₦ to the bank; Ana gets nothing; it is free."""
    table = Table("bob", "ana")
    place = attached(STREET)
    table.own("ana", STREET, houses=2, mortgaged=True)
    with table.arranged() as state:
        state.holdings.post(Posting("squat", 1, "bank", place))
        state.holdings.post(Posting("defence", 1, "bank", place))
        state.holdings.post(Posting("c4", 1, "bank", place))
    bank = table.holds("bank")
    table.play("bob", "roll_dice", dice=[4, 4])
    (taken,) = table.play("bob", "force_buyback", title=STREET)
    assert isinstance(taken, TitleBoughtBack)
    assert (taken.owner, taken.price) == ("ana", 200)
    assert table.owner(STREET) == "bob"
    assert (table.holds("bob"), table.holds("ana"), table.holds("bank")) == (1450, 1650, bank + 200)
    assert dict(table.state.holdings.account(place)) == {"house": 2, "squat": 1, "defence": 1, "c4": 1}
    assert table.seen_by(None) == [taken]


@pytest.mark.rule("V.B.6")
def test_there_is_nothing_to_take_from_oneself_from_the_bank_or_from_a_title_that_is_free() -> None:
    """Ana's own mortgaged street, the bank's Black Arretxea and Bob's free 69 rue des patates are refused."""
    table = Table("ana", "bob")
    table.own("ana", STREET, mortgaged=True)
    table.own("bob", "69_rue_des_patates")
    table.play("ana", "roll_dice", dice=[5, 4])
    table.refused("ana", "force_buyback", "V.B.6", title=STREET)
    table.refused("ana", "force_buyback", "V.B.6", title="black_arretxea")
    table.refused("ana", "force_buyback", "V.B.6", title="69_rue_des_patates")


@pytest.mark.rule("V.B.6", "II.D.4")
def test_a_buy_back_needs_the_funds_and_the_own_turn() -> None:
    """With 199 ₦ Bob cannot take the street; with 200 he can; Zoe cannot in Bob's turn."""
    table = Table("bob", "zoe", "ana")
    table.own("ana", STREET, mortgaged=True)
    table.take("bob", "NGD", 1650 - 199)
    table.play("bob", "roll_dice", dice=[3, 3])
    table.refused("bob", "force_buyback", "V.B.6", title=STREET)
    table.refused("zoe", "force_buyback", "II.D.4", title=STREET)
    table.give("bob", "NGD", 1)
    table.play("bob", "force_buyback", title=STREET)
    assert table.owner(STREET) == "bob"
    assert table.holds("bob") == 0


@pytest.mark.rule("V.B.6", "V.B.5")
def test_a_delegate_may_either_unmortgage_or_take_the_title() -> None:
    """Ana's delegate Bob takes her street instead of freeing it; the delegation ends with her ownership."""
    table = Table("ana", "bob")
    table.own("ana", STREET, mortgaged=True)
    table.play("ana", "delegate_unmortgage", title=STREET, to="bob")
    table.turn("ana", 1, 2)
    table.play("bob", "roll_dice", dice=[3, 3])
    table.play("bob", "force_buyback", title=STREET)
    assert table.owner(STREET) == "bob"
    assert table.state.delegations == set()


@pytest.mark.rule("V.B.7")
def test_a_title_taken_by_force_earns_its_new_owner_rent_at_once() -> None:
    """Bob takes Ana's street with one house and pays nothing more for its mortgage; Ana's next stop costs 30 ₦."""
    table = Table("bob", "ana")
    table.own("ana", STREET, houses=1, mortgaged=True)
    table.turn("bob", 3, 3, then=(("force_buyback", {"title": STREET}),))
    table.turn("ana", 3, 3)
    assert table.holds("bob") == 1650 - 200 + 30
    assert table.holds("ana") == 1650 - 30
