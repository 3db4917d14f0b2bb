"""Visibility: the register's table of visibility row by row, and the journal afterwards."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.journal.sight import redact_for_dry_run, view_event
from ledger.rulebooks.negoces2 import RULEBOOK
from ledger.rulebooks.negoces2.ends import ClaimsCompared
from tests.tables.negoces2 import SEATS, SERIES, Table

ROWS: list[dict[str, Any]] = tomllib.loads(
    (files("ledger.rulebooks.negoces2") / "rules.toml").read_text(encoding="utf-8")
)["visibility"]
PUBLIC = ["banker", "players", "spectators"]
EVERYBODY: tuple[str | None, ...] = (None, *SEATS)

Shown = dict[str | None, Any]
"""The view of each seat (None: spectators)."""


def account(table: Table, name: str) -> Shown:
    return {seat: table.account(name, seat) for seat in EVERYBODY}


def fields(table: Table, kind: str, *names: str) -> Shown:
    """The fields that each seat sees of the one event of this kind in the last action."""
    assert table.last is not None
    (event,) = [event for event in table.last.events if type(event).__name__ == kind]
    shown = {seat: view_event(table.state, event, table.viewer(seat)) for seat in EVERYBODY}
    return {seat: tuple(getattr(one, name) for name in names) for seat, one in shown.items()}


def split(who: set[str], they: Any, others: Any) -> Shown:
    """One value for those who know, another for the others."""
    return {seat: they if seat in who else others for seat in EVERYBODY}


def dealt() -> Table:
    table = Table("laid")
    table.banker("deal_goods", series=SERIES)
    return table


def sold(face: str, other_face: str) -> Table:
    """Ana has sold Bob a Wine for a Tea; Cid's offer of a face-down Coffee went back."""
    table = Table()
    table.sells("ana", "good:1", face)
    table.offering("cid", "good:5", "down")
    table.offering("bob", "good:3", other_face)
    table.accepts("ana", "bob")
    return table


def forced(face: str) -> Table:
    """Ana forces a sale and takes one of Dan's Jades."""
    table = Table()
    table.sells("ana", "good:1", face)
    table.play("ana", "force_sale", card="good:2")
    table.play("ana", "announce_good", good=8)
    return table


# One scenario for each row: seen and expected -------------------------------------------------------


def starting_cards() -> tuple[Shown, Shown]:
    return account(dealt(), "hand:dan"), split(set(), None, {"good:7": 4, "good:8": 4})


def hands() -> tuple[Shown, Shown]:
    return account(Table(), "hand:dan"), split({"dan"}, {"good:7": 4, "good:8": 4}, {"card": 8})


def visible_coins() -> tuple[Shown, Shown]:
    return account(Table(), "coins_visible:ana"), split(set(), None, {"coin": 14})


def hidden_coins() -> tuple[Shown, Shown]:
    table = Table()
    table.play("bob", "hide_coins", coins=6)
    return account(table, "coins_hidden:bob"), split({"bob"}, {"coin": 6}, {})


def bids() -> tuple[Shown, Shown]:
    table = Table("auction")
    table.play("ana", "bid", amount=1)
    return fields(table, "BidMade", "seat", "amount"), split(set(), None, ("ana", 1))


def contraband_on_the_market() -> tuple[Shown, Shown]:
    return account(Table("auction"), "market:sale_card"), split(set(), None, {"contraband": 1})


def card_face_up() -> tuple[Shown, Shown]:
    table = Table()
    table.sells("ana", "good:1", "up")
    return account(table, "market:sale_card"), split(set(), None, {"good:1": 1})


def card_face_down() -> tuple[Shown, Shown]:
    table = Table()
    table.sells("ana", "good:1", "down")
    return account(table, "market:sale_card"), split({"ana"}, {"good:1": 1}, {"card": 1})


def sellers_coins() -> tuple[Shown, Shown]:
    table = Table()
    table.sells("ana", "good:1", "down")
    table.play("ana", "add_coins_to_sale", coins=3)
    return account(table, "market:sale_coins"), split(set(), None, {"coin": 3})


def offer_face_up() -> tuple[Shown, Shown]:
    table = Table()
    table.sells("ana", "good:1", "down")
    table.offering("bob", "good:3", "up")
    return account(table, "offer_card:bob"), split(set(), None, {"good:3": 1})


def offer_face_down() -> tuple[Shown, Shown]:
    table = Table()
    table.sells("ana", "good:1", "up")
    table.offering("bob", "good:3", "down")
    return account(table, "offer_card:bob"), split({"bob"}, {"good:3": 1}, {"card": 1})


def offered_coins() -> tuple[Shown, Shown]:
    table = Table()
    table.sells("ana", "good:1", "up")
    table.offering("bob", "good:3", "down", 4)
    return account(table, "offer_coins:bob"), split(set(), None, {"coin": 4})


def card_sold() -> tuple[Shown, Shown]:
    table = sold("down", "up")
    return fields(table, "OfferAccepted", "card"), split({"ana", "bob"}, ("good:1",), (None,))


def card_received() -> tuple[Shown, Shown]:
    table = sold("up", "down")
    return fields(table, "OfferAccepted", "offer_card"), split({"ana", "bob"}, ("good:3",), (None,))


def offers_not_taken() -> tuple[Shown, Shown]:
    table = sold("up", "up")
    shown = fields(table, "OfferReturned", "seat", "card")
    return shown, split({"cid"}, ("cid", "good:5"), ("cid", None))


def second_card() -> tuple[Shown, Shown]:
    return account(forced("up"), "market:second_card"), split({"ana"}, {"good:2": 1}, {"card": 1})


def laid_out() -> tuple[Shown, Shown]:
    table = forced("down")
    return (
        {seat: (table.view(seat)["sale"]["good"], table.account("layout:dan", seat)) for seat in EVERYBODY},
        split(set(), None, (8, {"good:8": 4})),
    )


def market_cards() -> tuple[Shown, Shown]:
    table = forced("down")
    table.play("ana", "choose_card", owner="dan")
    shown = fields(table, "CardChosen", "card", "second")
    return shown, split({"ana", "dan"}, ("good:1", "good:2"), (None, None))


def proof() -> tuple[Shown, Shown]:
    table = Table()
    table.everybody_was_seller()
    table.purses(ana=10, bob=9, cid=31, dan=9)
    table.play("cid", "hide_coins", coins=31)
    table.play("cid", "declare_victory", way="coins")
    rest = {seat: set(held) for seat, held in account(table, "hand:cid").items()}
    assert rest == split({"cid"}, {"good:5", "good:6"}, {"card"})
    return fields(table, "VictoryClaimed", "coins"), split(set(), None, (31,))


SCENARIOS: dict[tuple[str, str], Callable[[], tuple[Shown, Shown]]] = {
    ("setup, deal", "starting cards of each player"): starting_cards,
    ("from the auction on", "hand of a player"): hands,
    ("any", "visible coins"): visible_coins,
    ("any", "hidden coins"): hidden_coins,
    ("auction", "bids and withdrawals"): bids,
    ("auction", "Contraband on the market"): contraband_on_the_market,
    ("sale", "card for sale, face up"): card_face_up,
    ("sale", "card for sale, face down"): card_face_down,
    ("sale", "seller's coins on the card"): sellers_coins,
    ("sale", "offered card, face up"): offer_face_up,
    ("sale", "offered card, face down"): offer_face_down,
    ("sale", "offered coins"): offered_coins,
    ("end of sale, accepted", "face-down card sold"): card_sold,
    ("end of sale, accepted", "face-down card received by the seller"): card_received,
    ("end of sale, accepted", "cards of offers not taken, face down"): offers_not_taken,
    ("forced sale", "second card"): second_card,
    ("forced sale", "announced good and laid-out cards"): laid_out,
    ("end of forced sale", "the two market cards"): market_cards,
    ("claim", "coins or eight cards shown as proof"): proof,
}


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['moment']}: {row['item']}" for row in ROWS])
def test_it_is_seen_by_those_of_the_register_and_nobody_else(row: dict[str, Any]) -> None:
    shown, expected = SCENARIOS[row["moment"], row["item"]]()
    assert shown == expected
    public = len({str(one) for one in expected.values()}) == 1
    assert public is (row["seen_by"] == PUBLIC)


def test_every_row_of_the_register_has_its_scenario() -> None:
    assert set(SCENARIOS) == {(row["moment"], row["item"]) for row in ROWS}


# The journal ----------------------------------------------------------------------------------------


@pytest.mark.rule("negoces2:secrecy.1")
def test_others_see_sizes_and_places_only() -> None:
    """The banker sees everything; a banker who also plays looks with a player's eyes."""
    table = Table()
    table.sells("ana", "good:1", "down")
    table.offering("bob", "good:3", "down")
    table.play("cid", "hide_coins", coins=5)
    banker = Viewer("banker")
    assert RULEBOOK.screen.view(table.state, banker)["sale"]["card"] == "good:1"
    assert RULEBOOK.screen.view(table.state, banker)["offers"][0]["card"] == "good:3"
    for seat in (None, "cid", "dan"):
        view = table.view(seat)
        assert "card" not in view["sale"]
        assert "card" not in view["offers"][0]
        assert (view["sale"]["seller"], view["offers"][0]["seat"]) == ("ana", "bob")
        assert {one: view["seats"][one]["cards"] for one in SEATS} == {"ana": 9, "bob": 8, "cid": 8, "dan": 8}
    assert "you" not in table.view(None)


@pytest.mark.rule("negoces2:secrecy.2")
def test_a_card_cannot_be_followed_from_hand_to_hand() -> None:
    """Two swaps face down: Cid's view is the same whether the Wine came back to Ana or not."""
    views = []
    for given, back in (("good:3", "good:1"), ("good:3", "good:3")):
        table = Table()
        table.swaps("ana", "bob", "good:1", given, face="down", other_face="down")
        table.swaps("ana", "bob", "good:2", back, face="down", other_face="down")
        views.append(
            [
                [
                    view_event(table.state, RULEBOOK.codec.event(stored), table.viewer("cid"))
                    for stored in entry.events
                ]
                for entry in table.journal
            ]
            + [RULEBOOK.screen.view(table.state, table.viewer("cid"))]
            + [table.account(f"hand:{seat}", "cid") for seat in SEATS]
        )
        assert table.seen_by("bob")[0].card == "good:2"
        assert table.seen_by("ana")[0].offer_card == back
    assert views[0] == views[1]


@pytest.mark.rule("negoces2:secrecy.3")
def test_what_lay_open_stays_readable_and_what_lay_hidden_stays_hidden() -> None:
    """Long after, Dan reads the deal, the bids and the Wine sold face up, and not the Tea received face down."""
    table = sold("up", "down")
    table.passes("ana", "dan", "good:2")
    table.passes("dan", "bob", "good:7", face="down")
    told = {
        type(event).__name__: event
        for entry in table.journal
        for stored in entry.events
        if (event := view_event(table.state, RULEBOOK.codec.event(stored), table.viewer("dan"))) is not None
    }
    assert told["GoodsDealt"].series["ana"] == (1, 2)
    assert told["BidMade"].amount == 1
    (accepted,) = [
        view_event(table.state, event, table.viewer("dan"))
        for entry in table.journal
        for event in map(RULEBOOK.codec.event, entry.events)
        if type(event).__name__ == "OfferAccepted" and event.offer_card is not None
    ]
    assert (accepted.card, accepted.offer_card) == ("good:1", None)


@pytest.mark.rule("negoces2:coins.1", "negoces2:end.8")
def test_asking_what_the_last_answer_would_bring_does_not_count_hidden_coins() -> None:
    """Ana and Bob have claimed by cards and hide coins; Cid alone has yet to answer, and only that settles it."""
    told = []
    for hidden in ({"ana": 12, "bob": 2}, {"ana": 2, "bob": 12}, {"ana": 7, "bob": 7}):
        table = Table()
        table.everybody_was_seller()
        eight: list[int | str] = [1, 2, 3, 4, 5, 6, 7, 8]
        table.deal_hands({**dict.fromkeys(SEATS, eight), "ana": [*eight, "contraband"]})
        table.purses(cid=20, dan=15, **{seat: 5 + coins for seat, coins in hidden.items()})
        for seat, coins in hidden.items():
            table.play(seat, "hide_coins", coins=coins)
            table.play(seat, "declare_victory", way="cards")
        table.play("dan", "decline_victory")
        cid = table.viewer("cid")
        events = table.foretold("cid", "decline_victory")
        told.append([redact_for_dry_run(event, cid) for event in events])
    assert told[0] == told[1] == told[2]
    assert [event.coins for event in told[0] if isinstance(event, ClaimsCompared)] == [None]


@pytest.mark.rule("negoces2:secrecy.2", "negoces2:end.10")
@pytest.mark.parametrize("reveal_at_end", [True, False])
def test_after_the_end_everything_is_open_if_the_table_wants_so(reveal_at_end: bool) -> None:
    table = Table(settings={"reveal_at_end": reveal_at_end})
    table.swaps("ana", "bob", "good:1", "good:3", face="down", other_face="down")
    swapped = table.number
    table.everybody_was_seller()
    table.purses(ana=33, bob=9, cid=8, dan=9)
    table.play("ana", "declare_victory", way="coins")
    for seat in ("bob", "cid", "dan"):
        assert table.account("hand:bob", "cid") == {"card": 8}
        table.play(seat, "decline_victory")
    open_hand = {"good:1": 1, "good:3": 3, "good:4": 4}
    assert table.account("hand:bob", None) == (open_hand if reveal_at_end else {"card": 8})
    (accepted, _) = table.standing(swapped).events
    shown = view_event(table.state, accepted, Viewer("spectator"))
    assert (shown.card, shown.offer_card) == (("good:1", "good:3") if reveal_at_end else (None, None))
