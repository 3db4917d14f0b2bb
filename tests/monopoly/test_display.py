"""What screens show of a Monopoly: the board, what lies on it, what the game waits for, the view, statistics."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from ledger.kernel.deciding.decision import decide
from ledger.kernel.facts.audience import BANKER, SPECTATOR, Viewer
from ledger.kernel.rules.display import ClockView
from ledger.kernel.rules.draft import Request
from ledger.rulebooks.monopoly import RULEBOOKS
from ledger.rulebooks.monopoly.showing import drawing
from ledger.rulebooks.monopoly.table.settings import Settings
from tests.monopoly.table import Table, monopolys, naruto


def waits(table: Table) -> dict[str, tuple[str, ...]]:
    """The moves that the game waits for, by seat."""
    found: dict[str, tuple[str, ...]] = {}
    for one in table.rulebook.screen.waiting(table.state, SPECTATOR, "en"):
        found[one.seat] = (*found.get(one.seat, ()), *one.moves)
    return found


def phase(table: Table) -> str:
    return table.rulebook.screen.phase(table.state, "en").id


def notices(table: Table, language: str = "en") -> list[str]:
    """What everybody should know now."""
    shown = table.rulebook.screen.display(table.state, SPECTATOR, language)
    assert shown is not None
    return [one.text for one in shown.notices]


# ----------------------------------------------------------------------------------------------
# The board
# ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda one: one.id)
def test_the_board_is_a_ring_with_colours_and_marks_of_its_own(rulebook: Any) -> None:
    found = rulebook.screen.board_drawn(None, "fr")
    squares = rulebook.blank().edition.pieces.squares
    assert [one.name for one in found.places] == [one.name for one in squares]
    side = len(squares) // 4
    assert found.sides == (UNSET if len(squares) % 4 else (side,) * 4)
    marks = [group.mark for group in found.groups]
    assert len(set(marks)) == len(marks)
    assert all(len(mark) == 2 for mark in marks)
    assert {place.group for place in found.places if place.group is not UNSET} <= {g.id for g in found.groups}
    assert {place.commodity for place in found.places if place.commodity is not UNSET} == {
        f"title:{title}" for title in rulebook.blank().edition.pieces.titles
    }


def test_a_board_that_no_square_can_show_is_a_circle() -> None:
    pieces = naruto().rulebook.blank().edition.pieces
    odd = replace(pieces, squares=pieces.squares[:13])
    board = drawing.drawn(odd, Settings(), "en")
    assert (board.sides, board.form) == (UNSET, "ring")


def test_a_deed_has_every_rent_in_words() -> None:
    """Streets by their buildings, in the words of the edition; others by the titles of the group."""
    pieces = naruto().rulebook.blank().edition.pieces

    def deed(kind: str, **settings: int) -> list[str]:
        number = next(at for at, square in enumerate(pieces.squares) if square.kind == kind)
        prices = drawing.drawn(pieces, Settings(**settings), "en").places[number].prices
        assert prices is not UNSET
        assert prices.deed is not UNSET
        return [f"{line.label}: {line.amount or f'{line.per_pip} a pip'}" for line in prices.deed]

    assert deed("street") == [
        "without a building: 2",
        "whole group, without a building: 4",
        "1 onigiri: 10",
        "2 onigiris: 30",
        "3 onigiris: 90",
        "4 onigiris: 160",
        "1 bowl of ramen: 250",
    ]
    assert deed("street", houses_per_hotel=3, full_group_factor=1) == [
        "without a building: 2",
        "1 onigiri: 10",
        "2 onigiris: 30",
        "3 onigiris: 90",
        "1 bowl of ramen: 250",
    ]
    assert deed("station")[0] == "1 of the group: 25"
    assert deed("utility") == ["1 of the group: 4 a pip", "2 of the group: 10 a pip"]


def test_tokens_titles_buildings_and_mortgages_lie_on_the_board() -> None:
    table = naruto()
    table.give("ana", "orange")
    table.give("bob", "deidara")
    table.build(orange_1=4, orange_2=4, orange_3=5)
    table.mortgaged("deidara")
    table.jail("cid")
    shown = table.rulebook.screen.display(table.state, SPECTATOR, "en")
    assert shown is not None
    assert [(one.seat, one.place, one.mark) for one in shown.tokens] == [
        ("ana", "square:0", UNSET),
        ("bob", "square:0", UNSET),
        ("cid", "square:10", "in_prison"),
    ]
    hotel, houses, mortgaged = (shown.places[f"square:{number}"] for number in (19, 16, 5))
    assert [(one.commodity, one.amount) for one in hotel.pieces or ()] == [("hotel", 1)]
    assert [(one.commodity, one.amount) for one in houses.pieces or ()] == [("house", 4)]
    assert (mortgaged.owner, mortgaged.marks, mortgaged.pieces) == ("bob", ("mortgage",), UNSET)
    assert [(pile.id, pile.left) for pile in shown.piles] == [("mission", 16), ("entrainement", 16)]


# ----------------------------------------------------------------------------------------------
# Waiting
# ----------------------------------------------------------------------------------------------


def test_the_table_waits_for_each_step_of_the_set_up() -> None:
    table = Table("monopoly_naruto", until="setup")
    assert waits(table)["banker"] == ("elect_banker", "shuffle_deck")
    assert waits(table)["ana"] == ("join_table", "roll_for_order")
    assert phase(table) == "setup"


def test_a_stop_a_rent_and_a_debt() -> None:
    """Ana buys or declines; Bob may claim a rent; Ana raises money; nobody throws before she has paid."""
    table = naruto()
    assert (waits(table), phase(table)) == ({"ana": ("roll_and_move",)}, "before_throw")
    table.roll("ana", 1, 2)
    assert (waits(table), phase(table)) == ({"ana": ("buy_property", "decline_property")}, "landing")
    table.play("ana", "buy_property")
    assert (waits(table), phase(table)) == ({"ana": ("end_turn",)}, "after_throw")
    table.give("bob", "orange")
    table.build(orange_1=3, orange_2=3, orange_3=3)
    table.purse("ana", 520)
    table.arrive("ana", "orange_1")
    assert waits(table) == {"bob": ("claim_rent",), "ana": ("end_turn",)}
    assert notices(table)[0].startswith("Bob may claim the rent of")
    table.play("bob", "claim_rent")
    assert (waits(table), phase(table)) == ({"ana": ("mortgage",)}, "debt")
    assert "Ana doit 550 M à Bob" in notices(table, "fr")
    table.play("ana", "mortgage", title="brun_2")
    assert waits(table) == {"ana": ("pay_debt",)}


def test_a_hopeless_debtor_is_waited_for_to_be_bankrupt() -> None:
    table = naruto()
    table.purse("ana", 10)
    table.arrive("ana", "barbecue")
    assert waits(table) == {"ana": ("pay_tax",)}
    table.play("ana", "pay_tax")
    assert waits(table) == {"ana": ("declare_bankruptcy",)}


def test_an_auction_waits_for_who_may_still_bid_and_then_for_the_banker() -> None:
    table = naruto()
    table.roll("ana", 1, 2)
    table.play("ana", "decline_property")
    assert phase(table) == "auction"
    clock = table.rulebook.screen.clock(table.state)
    assert clock is not None
    assert clock.running
    table.play("bob", "bid", amount=70)
    assert waits(table) == {"ana": ("bid", "pass_bid"), "cid": ("bid", "pass_bid")}
    assert notices(table)[0].endswith("70 M (Bob)")
    table.purse("cid", 70)
    assert waits(table) == {"ana": ("bid", "pass_bid")}
    table.play("ana", "pass_bid")
    assert waits(table) == {"banker": ("close_auction",)}
    table.banker("close_auction")
    assert (waits(table), table.rulebook.screen.clock(table.state)) == ({"ana": ("end_turn",)}, None)


def test_an_auction_has_its_full_time_again_in_a_game_that_goes_on_from_this_one() -> None:
    table = naruto()
    assert table.rulebook.progress.resume_action(table.state) is None
    table.roll("ana", 1, 2)
    table.play("ana", "decline_property")
    closes_at = table.state.auction and table.state.auction.closes_at
    table.wait(40)
    found = table.rulebook.progress.resume_action(table.state)
    assert found is not None
    request = Request(action=found[0], seat=None, by="system", at=table.now)
    decided = decide(table.rulebook, table.state, request, chance=None)
    assert decided.state.auction is not None
    assert closes_at is not None
    assert decided.state.auction.closes_at == closes_at + timedelta(seconds=40)


def test_prison_has_its_ways_out() -> None:
    table = naruto()
    table.jail("ana")
    assert waits(table) == {"ana": ("roll_for_jail", "pay_jail_fine")}
    table.purse("ana", 10)
    assert waits(table) == {"ana": ("roll_for_jail",)}
    table = monopolys()
    table.jail("ana")
    table.give("ana", "pass")
    assert waits(table) == {"ana": ("roll_for_jail", "use_jail_card", "pay_jail_fine")}


# ----------------------------------------------------------------------------------------------
# The view, and what differs
# ----------------------------------------------------------------------------------------------


def test_everybody_sees_the_same_table_and_nothing_in_it_is_null() -> None:
    table = monopolys()
    table.give("ana", "ysmir")
    table.roll("ana", 1, 2)
    view = table.rulebook.screen.view(table.state, SPECTATOR)
    assert all(table.rulebook.screen.view(table.state, one) == view for one in (BANKER, Viewer("player", "bob")))
    assert view["turn"]["landing"].items() >= {"seat": "ana", "square": 3, "todo": "buy"}.items()
    assert view["titles"]["ysmir"] == {"owner": "ana", "houses": 0, "hotel": False, "mortgaged": False}
    assert "owner" not in view["titles"]["balnea"]
    assert view["stock"] == {"house": 32, "hotel": 12}
    assert list(nulls(view)) == []


def nulls(value: Any) -> Any:
    """Where there is nothing in plain data."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for one in inside:
        if one is None:
            yield value
        yield from nulls(one)


def test_what_a_purchase_changes_is_told_in_both_languages() -> None:
    table = naruto()
    table.roll("ana", 2, 4)
    before = table.rulebook.screen.view(table.state, BANKER)
    table.play("ana", "buy_property")
    after = table.rulebook.screen.view(table.state, BANKER)
    name = table.rulebook.language.speakers(table.state)["title"]("bleu_clair_1", "en")
    assert list(table.rulebook.language.describe_changes(table.state, before, after, "en")) == [
        "The stop of Ana is settled.",
        "Ana has 1400 M, not 1500 M.",
        f"{name} belongs to Ana, not to the bank.",
    ]
    assert list(table.rulebook.language.describe_changes(table.state, before, after, "fr")) == [
        "L'arrêt d'Ana est réglé.",
        "Ana a 1400 M, et non 1500 M.",
        f"{name} appartient à Ana, et non à la banque.",
    ]


# ----------------------------------------------------------------------------------------------
# Names and statistics
# ----------------------------------------------------------------------------------------------


def test_pieces_have_the_names_of_their_edition() -> None:
    for table, house, several in ((naruto(), "onigiri", "onigiris"), (monopolys(), "atelier", "ateliers")):
        words = table.rulebook.accounts.commodities(table.state)["house"]
        assert words.name is not None
        assert words.plural is not None
        assert (words.name.fr, words.plural.fr) == (house, several)
        assert table.rulebook.language.speakers(table.state)["goods"]("house", "fr") == house
    assert (
        monopolys().rulebook.language.speakers(monopolys().state)["money"](20000, "en")
        == "20\N{NARROW NO-BREAK SPACE}000 Y$"
    )


def test_an_edition_counts_what_it_has() -> None:
    """Every kind of event that the statistics name is one of the edition's; each path is a field of it."""
    for rulebook in RULEBOOKS:
        named = rulebook.tallies.events()
        assert named.keys() <= rulebook.events.keys()
        assert "rents_taken" in rulebook.tallies.counts
        assert len(rulebook.tallies.colours) == len(rulebook.blank().edition.pieces.groups)
        for kind, paths in named.items():
            for path in paths:
                assert hasattr(rulebook.events[kind], path.partition(".")[0]), (kind, path)


def test_places_show_owners_and_how_far_they_are_built() -> None:
    table = naruto()
    table.give("ana", "orange")
    table.build(orange_1=4, orange_2=4, orange_3=5)
    found = {one.asset: one for one in table.rulebook.board.places(table.state) if one.asset}
    assert (found["orange_1"].built, found["orange_3"].built, found["orange_3"].owner) == (4, 5, "ana")
    assert found["brun_1"].owner is None


@pytest.mark.rule("monopolys:turn.1")
def test_a_forum_table_is_reminded_after_two_days_and_the_banker_plays_for_who_is_away() -> None:
    """The hours count from the last action; an auction has a clock of its own."""
    table = monopolys()
    table.roll("ana", 4, 6)
    table.play("ana", "end_turn")
    until = table.now + timedelta(hours=48)
    assert table.rulebook.screen.clock(table.state) == ClockView(running=True, until=until)
    notices = table.rulebook.screen.display(table.state, Viewer("spectator"), "en").notices
    assert [(one.until, "Bob" in one.text) for one in notices] == [("2026-01-03 12:00 UTC", True)]
    table.wait(48 * 3600 + 1)
    table.banker("roll_and_move", seat="bob", dice=[1, 2])
    table.banker("decline_property", seat="bob")
    assert table.rulebook.screen.clock(table.state).until == table.state.auction.closes_at
    assert naruto().rulebook.screen.clock(naruto().state) is None
