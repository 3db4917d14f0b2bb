"""Small parts by themselves: order of seats, rings of squares, titles and groups, pieces from TOML."""

import msgspec
import pytest

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.state import Seat
from ledger.rulebooks.parts import boards, reading, seats, speaking, titles
from tests.example.town import RULEBOOKS


def test_the_order_of_seats_goes_round_and_leaves_out_who_is_out() -> None:
    order = ("ana", "bob", "cid")
    assert seats.next_seat(order, "ana") == "bob"
    assert seats.next_seat(order, "cid") == "ana"
    assert seats.next_seat(order, "ana", out={"bob"}) == "cid"
    assert seats.next_seat(order, "ana", out={"bob", "cid"}) == "ana"
    assert seats.in_play(order, {"bob"}) == ["ana", "cid"]


def test_a_board_is_a_ring() -> None:
    assert boards.path(12, 10, 4) == [11, 0, 1, 2]
    assert boards.path(12, 1, -3) == [0, 11, 10]
    assert boards.path(12, 5, 0) == []
    assert boards.neighbours(12, 0) == {11, 1}


def test_a_group_has_one_holder_or_none() -> None:
    state = RULEBOOKS[0].blank()
    state.seats = {name: Seat(name, name) for name in ("ana", "bob")}
    group = ("mill", "well")
    for posting in titles.laid_out(group):
        state.holdings.post(posting)
    assert (titles.owner_of(state, "mill"), titles.holder_of(state, group)) == (None, None)
    state.holdings.post(titles.title_posting("mill", BANK, "player:ana"))
    assert (titles.owner_of(state, "mill"), titles.holder_of(state, group)) == ("ana", None)
    assert titles.missing_of(state, "ana", group) == "well"
    state.holdings.post(titles.title_posting("well", BANK, "player:ana"))
    assert (titles.holder_of(state, group), titles.titles_of(state, "ana", group)) == ("ana", ["mill", "well"])
    assert titles.holder_of(state, group, lambda title: title == "well") is None


def test_several_things_are_listed_as_people_say_them() -> None:
    assert speaking.listed(["a"], "en") == "a"
    assert speaking.listed(["a", "b"], "en") == "a and b"
    assert speaking.listed(["a", "b", "c"], "fr") == "a, b et c"


class _Piece(msgspec.Struct, frozen=True):
    id: str
    price: int


def test_pieces_are_read_by_their_ids() -> None:
    rows = [{"id": "b", "price": 2}, {"id": "a", "price": 1}]
    assert list(reading.pieces(rows, _Piece)) == ["b", "a"]
    with pytest.raises(ValueError, match="'a'"):
        reading.pieces([*rows, {"id": "a", "price": 3}], _Piece)
    with pytest.raises(msgspec.ValidationError):
        reading.pieces([{"id": "a"}], _Piece)
