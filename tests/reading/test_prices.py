"""Prices on the board are those that moves cost, and rents those that visitors pay."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import UNSET

from ledger.kernel.deciding.moves import moves
from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.rules.display import BoardPlace, Deed, DeedBuilding, PlaceView, RentLine, Toll
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks import rulebooks_by_id
from ledger.rulebooks.monopoly.table.state import pieces
from ledger.rulebooks.negopoly.estate import mortgages
from ledger.rulebooks.negopoly.table.pieces import TITLES
from ledger.rulebooks.negopoly.table.terms import attached
from ledger.rulebooks.parts.boards import drawn, place_id, shown_on
from tests.monopoly.table import Table as MonopolyTable
from tests.monopoly.table import naruto
from tests.properties.watching import watch
from tests.tables.negopoly import Table as NegopolyTable
from tests.virtual_revolution.table import Table

BOARDS = ("negopoly", "monopolys", "monopoly_naruto", "monopoly")
PRICED = {"buy_property": "price", "build_house": "building", "build": "building"}
"""The member of a place's prices that an action costs."""
LIFTED = {"unmortgage_property", "unmortgage"}


def titles_of(rulebook: Rulebook[Any], state: Any) -> Iterator[tuple[str, BoardPlace, PlaceView]]:
    """Each title of the board, with what is printed and what lies on its place."""
    board, lying = drawn(rulebook, state, "en"), shown_on(rulebook, state, BANKER, "en").places
    assert board is not None
    for place in board.places:
        if place.commodity is not UNSET:
            yield place.commodity.removeprefix("title:"), place, lying.get(place.id, PlaceView())


@pytest.mark.parametrize("rulebook", BOARDS)
def test_a_move_costs_what_the_board_says(rulebook: str) -> None:
    """Titles, houses and mortgages; the words of a title have the price, too."""
    rules = rulebooks_by_id()[rulebook]
    looked: set[str] = set()

    def look(state: Any) -> None:
        words = rules.accounts.commodities(state)
        shown = {title: (place, lying) for title, place, lying in titles_of(rules, state)}
        for seat in state.seats:
            legal = moves(rules, state, seat, rules.accounts.purse(seat), Viewer("player", seat), state.last_at)
            for move in legal:
                title = move.params.get("title")
                if title is None or move.cost is None or move.kind not in {*PRICED, *LIFTED}:
                    continue
                place, lying = shown[title.removeprefix("title:")]
                assert place.prices is not UNSET
                assert place.commodity is not UNSET
                assert words[place.commodity].price == place.prices.price
                price = lying.lift if move.kind in LIFTED else getattr(place.prices, PRICED[move.kind])
                assert move.cost == price, move
                looked.add(move.kind)

    watch(rules, look)
    assert looked


def rent_on(table: NegopolyTable | MonopolyTable, title: str) -> tuple[object, object]:
    """The rent on the board, and what a throw adds for each pip."""
    (view,) = (view for name, _, view in titles_of(table.rulebook, table.state) if name == title)
    return view.rent, view.rent_per_pip


@pytest.mark.rule("V.A.6", "V.A.8")
def test_a_visitor_pays_the_rent_on_the_board_of_negopoly() -> None:
    """With two houses 90; mortgaged nothing, and lifting the mortgage has its price."""
    table = NegopolyTable("bob", "ana")
    title = "17_rue_des_patates"
    table.own("ana", title, houses=2)
    assert rent_on(table, title) == (90, UNSET)
    table.play("bob", "roll_dice", dice=[3, 3])
    table.play("bob", "resolve_square")
    assert table.holds("bob") == 1650 - 90
    with table.arranged() as state:
        state.holdings.post(Posting("mortgage", 1, "bank", attached(title)))
    (view,) = (view for name, _, view in titles_of(table.rulebook, table.state) if name == title)
    assert (view.rent, view.lift) == (0, mortgages.unmortgage_cost(table.state, TITLES[title]))
    assert view.toll is UNSET


@pytest.mark.rule("naruto:rent.5")
def test_a_visitor_pays_the_rent_on_the_board_of_monopolys() -> None:
    """A street has a rent, a company one for each pip of the throw; who owns all of a colour earns more."""
    table = naruto()
    table.give("bob", "orange_1")
    assert rent_on(table, "orange_1") == (14, UNSET)
    table.arrive("ana", "orange_1")
    table.play("bob", "claim_rent")
    assert [debt.amount for debt in table.state.debts] == [14]
    table.give("bob", "orange_2", "orange_3")
    assert rent_on(table, "orange_1") == (28, UNSET)
    company = next(square.id for square in pieces(table.state).titles.values() if square.kind == "utility")
    table.give("cid", company)
    assert rent_on(table, company) == (0, 4)
    number = place_id(pieces(table.state).index[company])
    tolls = [
        shown_on(table.rulebook, table.state, BANKER, language).places[number].toll for language in ("en", "fr")
    ]
    assert tolls == [Toll(text="4 times the throw"), Toll(text="4 fois le jet")]


def test_a_deed_says_how_a_visitor_pays() -> None:
    """Claimed by the owner, thrown for, or taken at once; the map has the price of a Server alone."""
    rules = rulebooks_by_id()

    def deeds(rulebook: str, language: str) -> dict[str, Deed]:
        board = drawn(rules[rulebook], None, language)
        assert board is not None
        return {place.name: place.deed for place in board.places if place.deed is not UNSET}

    naruto_deeds = deeds("monopoly_naruto", "en")
    company = next(deed for deed in naruto_deeds.values() if deed.rents[0].per_pip is not UNSET)
    assert company == Deed(
        price=150,
        rents=(RentLine(label="1 of the group", per_pip=4), RentLine(label="2 of the group", per_pip=10)),
        mortgage=75,
        due_text="The owner claims the rent before the next throw. The visitor throws for it.",
    )
    street = deeds("monopoly", "fr")["Tansy Row"]
    assert street.building == DeedBuilding(commodity="house", price=40, maximum=4)
    assert street.due_text == "Le propriétaire réclame le loyer avant le jet suivant."
    assert {deed.due_text for deed in deeds("monopolys", "fr").values()} == {
        "Le visiteur paie aussitôt le propriétaire."
    }
    assert set(deeds("virtual_revolution", "en").values()) == {
        Deed(building=DeedBuilding(commodity="server", price=10, maximum=1))
    }


def test_cards_and_places_of_a_map_have_prices() -> None:
    """Agents, Verses, Servers and Immunity tokens have the prices of the pieces, and the map that of a Server."""
    table = Table()
    words = table.rulebook.accounts.commodities(table.state)
    priced = {thing: words[thing].price for thing in ("card:leslie", "card:westland", "server:ana", "immunity")}
    assert priced == {"card:leslie": 4, "card:westland": 7, "server:ana": 10, "immunity": 3}
    board = drawn(table.rulebook, table.state, "en")
    assert board is not None
    assert {place.prices.building for place in board.places if place.prices is not UNSET} == {10}
