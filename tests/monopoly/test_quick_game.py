"""The end of a game: the last one standing; in the quick game, who is worth most at the first bankruptcy."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.refusals import GameOver, Malformed
from ledger.rulebooks.monopoly.end.closing import GameWon
from ledger.rulebooks.monopoly.end.worth import WorthCounted
from ledger.rulebooks.monopoly.table.terms import Debt
from tests.monopoly.table import Table, naruto


def bankrupt(table: Table, seat: str = "cid", owner: str = "ana") -> list[Any]:
    """A seat owes the owner of the dark blue titles the rent of a bowl, has nothing, and is bankrupt."""
    table.give(owner, "dark_blue")
    table.build(bleu_fonce_2=table.state.settings.houses_per_hotel + 1)
    table.purse(seat, 0)
    table.arrive(seat, "bleu_fonce_2")
    table.play(owner, "claim_rent")
    return table.play(seat, "declare_bankruptcy")


def quick(**settings: Any) -> Table:
    """A quick game in which nobody has been dealt titles."""
    return naruto(quick=True, deals=0, **settings)


def worths(events: list[Any]) -> dict[str, dict[str, int]]:
    """What each seat is counted to be worth, by rule."""
    found: dict[str, dict[str, int]] = {}
    for event in events:
        if isinstance(event, WorthCounted):
            found[event.seat] = {}
            for line in event.lines:
                found[event.seat][line.rule] = found[event.seat].get(line.rule, 0) + line.value
    return found


# ----------------------------------------------------------------------------------------------
# The last one standing
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("naruto:victory.1")
def test_the_last_player_who_is_not_bankrupt_wins_at_once() -> None:
    table = naruto(auction_seconds=0)
    bankrupt(table)
    assert not table.state.ended
    bankrupt(table, "bob")
    assert table.state.ended
    assert table.rulebook.score.winners(table.state) == ("ana",)
    with pytest.raises(GameOver):
        table.roll("ana", 1, 2)


@pytest.mark.rule("naruto:victory.1")
def test_what_is_open_lapses_at_the_end() -> None:
    table = naruto(seats=("ana", "bob"))
    table.give("bob", "brun_1", "rouge_1")
    table.play("ana", "propose_trade", to="bob", give=[{"commodity": "M", "amount": 5}], ask=[])
    bankrupt(table, "bob")
    assert table.state.ended
    assert table.state.open == {}
    assert table.state.rents == []
    assert table.state.debts == []
    assert table.state.auction is None
    assert table.state.lots == ()
    assert table.escrow() == 0


@pytest.mark.rule("naruto:victory.2")
def test_being_rich_does_not_end_the_standard_game() -> None:
    table = naruto()
    table.purse("ana", 1_000_000)
    for group in ("green", "dark_blue", "station", "utility", "yellow"):
        table.give("ana", group)
    table.roll("ana", 1, 3)
    bankrupt(table)
    assert not table.state.ended
    assert table.state.out == ("cid",)


# ----------------------------------------------------------------------------------------------
# The quick game
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("naruto:quick.1")
def test_the_quick_game_is_chosen_when_the_table_is_opened() -> None:
    table = quick()
    assert table.state.settings.houses_per_hotel == 3
    assert table.state.settings.jail_turns == 1
    assert not table.state.settings.bankruptcy_interest
    assert naruto().state.settings.houses_per_hotel == 4
    assert naruto().state.settings.bankruptcy_interest
    with pytest.raises(Malformed, match="has no quick game"):
        Table("monopolys", settings={"quick": True})
    with pytest.raises(Malformed, match="more than the 28"):
        Table("monopoly_naruto", settings={"quick": True, "deals": 10})


@pytest.mark.rule("naruto:quick.2")
def test_three_titles_are_dealt_to_each_player_for_free() -> None:
    table = Table("monopoly_naruto", until="setup", settings={"quick": True})
    table.elect("ana")
    for place, seat in enumerate(table.seats):
        table.play(seat, "join_table", token=f"Pion {place + 1}")
        table.play(seat, "roll_for_order", dice=[6 - place, 6])
    for deck in ("mission", "entrainement"):
        table.banker("shuffle_deck", deck=deck)
    table.refused(None, "start_game", "naruto:quick.2")
    dealt = {
        "ana": ["brun_1", "brun_2", "deidara"],
        "bob": ["obito", "kabuto", "pain"],
        "cid": ["title:rouge_1", "rouge_2", "rouge_3"],
    }
    table.refused(None, "deal_properties", "naruto:quick.2", titles={**dealt, "bob": ["obito"]})
    table.refused(None, "deal_properties", "naruto:quick.2", titles={**dealt, "bob": ["brun_1", "obito", "pain"]})
    table.banker("deal_properties", titles=dealt)
    table.refused(None, "deal_properties", "naruto:quick.2", titles=dealt)
    table.banker("start_game")
    assert [table.owner(title) for title in ("deidara", "kabuto", "rouge_1")] == ["ana", "bob", "cid"]
    assert {table.cash(seat) for seat in table.seats} == {1_500}


@pytest.mark.rule("naruto:quick.2")
def test_the_service_shuffles_the_titles() -> None:
    table = Table("monopoly_naruto", until="setup", dice="service", settings={"quick": True})
    table.banker("deal_properties")
    owned = [thing for seat in table.seats for thing in table.state.holdings.account(f"player:{seat}")]
    assert len(set(owned)) == 9
    standard = Table("monopoly_naruto", until="setup")
    standard.refused(None, "deal_properties", "naruto:quick.2")


@pytest.mark.rule("naruto:quick.5")
@pytest.mark.parametrize(("onigiris", "rent"), [(1, 70), (2, 200), (3, 550), (4, 950)])
def test_rents_are_those_of_the_standard_game(onigiris: int, rent: int) -> None:
    table = quick()
    table.give("ana", "orange")
    table.build(orange_1=onigiris, orange_2=3, orange_3=3)
    table.arrive("bob", "orange_1")
    table.play("ana", "claim_rent")
    table.play("bob", "pay_debt")
    assert table.cash("bob") == 1_500 - rent


@pytest.mark.rule("naruto:quick.12")
@pytest.mark.rule("naruto:quick.18")
def test_the_quick_game_ends_at_the_first_bankruptcy() -> None:
    table = quick()
    table.give("bob", "green", "yellow")
    events = bankrupt(table)
    assert table.state.ended
    assert set(worths(events)) == {"ana", "bob"}
    assert table.state.winners == ("bob",)
    assert isinstance(events[-1], GameWon)
    assert events[-1].rule == "naruto:quick.18"
    with pytest.raises(GameOver):
        table.roll("ana", 1, 2)


@pytest.mark.rule("naruto:quick.12")
def test_a_bankrupt_is_settled_first_without_interest_and_auctions() -> None:
    table = quick()
    table.give("cid", "rouge_1", "card:mission_09")
    table.mortgaged("rouge_1")
    events = bankrupt(table)
    assert table.owner("rouge_1") == "ana"
    assert not [one for one in events if type(one).__name__ in ("InterestPaid", "LotsQueued", "DebtIncurred")]


@pytest.mark.rule("naruto:quick.12")
def test_what_the_others_owe_each_other_is_paid_first_as_far_as_the_money_goes() -> None:
    table = quick()
    table.give("ana", "dark_blue")
    table.build(bleu_fonce_2=4)
    table.purse("bob", 700)
    table.arrive("bob", "bleu_fonce_2")
    table.play("ana", "claim_rent")
    table.purse("cid", 0)
    ruin(table, "cid")
    assert table.state.ended
    assert (table.cash("bob"), table.cash("ana")) == (0, 1_500 + 700)
    assert table.state.debts == []


@pytest.mark.rule("naruto:quick.13")
@pytest.mark.rule("naruto:quick.14")
@pytest.mark.rule("naruto:quick.15")
@pytest.mark.rule("naruto:quick.16")
@pytest.mark.rule("naruto:quick.17")
def test_worth_is_cash_titles_at_the_printed_price_and_buildings_at_cost() -> None:
    table = quick()
    table.give("bob", "orange", "obito", "deidara", "card:mission_09")
    table.mortgaged("deidara")
    table.build(orange_1=2, orange_2=3, orange_3=4)
    with table.arranged() as state:
        state.costs["orange_1"] = (100, 260)
    table.purse("bob", 321)
    events = bankrupt(table)
    assert worths(events)["bob"] == {
        "naruto:quick.13": 321,
        "naruto:quick.14": 180 + 180 + 200 + 150,
        "naruto:quick.15": 100,
        "naruto:quick.16": 100 + 260 + 300,
        "naruto:quick.17": 400,
    }
    assert worths(events)["ana"]["naruto:quick.17"] == 800


@pytest.mark.rule("naruto:quick.18")
def test_equal_worth_shares_the_win() -> None:
    table = quick()
    table.purse("bob", 1_500 + 350 + 400 + 800)
    bankrupt(table)
    assert table.state.winners == ("ana", "bob")


def test_a_seat_is_shown_with_what_it_is_worth() -> None:
    table = naruto()
    table.give("ana", "orange")
    table.build(orange_1=1, orange_2=1, orange_3=1)
    found = table.rulebook.score.wealth(table.state, "ana")
    assert sum(one.value for one in found) == 1_500 + 180 + 180 + 200 + 300
    assert [one.kind for one in found] == [
        "cash",
        "title",
        "buildings",
        "title",
        "buildings",
        "title",
        "buildings",
    ]


@pytest.mark.rule("own:quick.1")
@pytest.mark.rule("own:quick.2")
@pytest.mark.rule("own:worth.1")
@pytest.mark.rule("own:worth.2")
@pytest.mark.rule("own:worth.3")
def test_a_town_has_a_quick_game_too() -> None:
    table = Table("monopoly", settings={"quick": True, "deals": 2})
    dealt = {seat: list(table.state.holdings.account(f"player:{seat}")) for seat in table.seats}
    assert all(sum(thing.startswith("title:") for thing in held) == 2 for held in dealt.values())
    ruin(table, "cid")
    assert table.state.ended
    assert len(table.state.winners) == 1


@pytest.mark.rule("own:end.1")
def test_a_town_is_won_by_the_last_one_standing() -> None:
    table = Table("monopoly", seats=("ana", "bob"))
    ruin(table, "bob")
    assert table.state.winners == ("ana",)


def ruin(table: Table, seat: str) -> None:
    """A seat owes the bank more than there is."""
    with table.arranged() as state:
        rule = table.rulebook.governance.end_rule
        state.debts.append(Debt(id="9", debtor=seat, creditor="bank", amount=10**6, rule=rule, cause="tax"))
    table.play(seat, "declare_bankruptcy")
