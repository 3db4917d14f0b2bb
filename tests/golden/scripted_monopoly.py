"""Scripted games of the Monopolys, with what neither bots nor recorded games come to."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random
from typing import Any

import msgspec

from ledger.kernel.deciding.in_memory import GameInMemory
from ledger.kernel.facts.state import Seat
from ledger.kernel.journal.entry import canonical
from ledger.kernel.rules.bots import BANKER
from ledger.kernel.rules.opening import Continuation, Opening, SeatOrigin
from ledger.rulebooks import rulebooks_by_id
from ledger.rulebooks.monopoly import RULEBOOKS
from ledger.rulebooks.monopoly.own_edition import settings_of
from replays import simulation
from tests.monopoly.boards import all_effects
from tests.monopoly.table import Table

_PAIR = ("ana", "bob")
_NOON = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)


def _street(name: str) -> dict[str, Any]:
    return {
        "id": f"{name.lower()}_quay",
        "name": f"{name} Quay",
        "kind": "street",
        "group": "quay",
        "price": 60,
        "rents": [5, 20, 60, 160, 280, 400],
        "building_price": 40,
        "mortgage": 30,
    }


_KEY = {"en": "A key. Keep it: it opens the lock-up.", "fr": "Une clé. Gardez-la : elle ouvre la prison."}
_COIN = {"en": "A coin: receive 5.", "fr": "Une pièce : recevez 5."}
_QUAY: dict[str, Any] = {
    "named": {
        "symbol": "Sh",
        "money": {"en": "shells", "fr": "coquillages"},
        "house": {"en": "hut", "fr": "cabane"},
        "houses": {"en": "huts", "fr": "cabanes"},
        "hotel": {"en": "inn", "fr": "auberge"},
        "hotels": {"en": "inns", "fr": "auberges"},
        "jail_pass": {"en": "pardon", "fr": "grâce"},
        "pot": {"en": "chest", "fr": "coffre"},
    },
    "groups": [{"id": "quay", "name": "The Quay"}],
    "decks": [{"id": "notes", "name": "Notes"}],
    "cards": [
        {"id": "note_key", "deck": "notes", "title": _KEY, "effects": [{"op": "keep"}]},
        {"id": "note_coin", "deck": "notes", "title": _COIN, "effects": [{"op": "receive", "amount": 5}]},
    ],
    "squares": [
        {"id": "gate", "name": "Gate", "kind": "start", "amount": 50},
        _street("East"),
        {"id": "note_box", "name": "Note Box", "kind": "card", "deck": "notes"},
        {"id": "lock_up", "name": "Lock-up", "kind": "jail"},
        _street("West"),
        {"id": "toll", "name": "Toll", "kind": "tax", "amount": 20},
        {"id": "constable", "name": "Constable", "kind": "go_to_jail"},
        {"id": "bench", "name": "Bench", "kind": "rest"},
    ],
}


def quay_of_their_own() -> list[bytes]:
    """A board of the table's own: nobody bids, and then the game ends in the middle of an auction."""
    table = Table("monopoly", seats=_PAIR, settings={"board": _QUAY, "auctions": True})
    for seat, card in (("ana", "note_key"), ("bob", "note_coin")):
        table.roll(seat, 4, 6)
        table.play(seat, "draw_card", card=card)
        table.play(seat, "end_turn")
    table.roll("ana", 3, 4)
    table.play("ana", "decline_property")
    for seat in _PAIR:
        table.play(seat, "pass_bid")
    table.banker("close_auction")
    table.play("ana", "end_turn")
    table.roll("bob", 3, 4)
    table.play("bob", "decline_property")
    table.play("ana", "bid", amount=5)
    owed = {"op": "award_debt", "seat": "bob", "to": "bank", "amount": 100_000}
    table.banker("rule", finding="The window that Bob broke.", remedies=[owed])
    table.play("bob", "declare_bankruptcy")
    return [canonical(entry) for entry in table.journal]


_EFFECTS: dict[str, dict[str, Any]] = {
    "east_quay": {"passing": [{"op": "receive", "share": [1, 100]}]},
    "lock_up": {"effects": [{"op": "pay", "amount": 20, "to": "pot"}]},
    "toll": {"kind": "tax", "amount": 0, "share": [1, 10], "of": "worth"},
    "bench": {
        "effects": [
            {"op": "receive", "amount": 10, "source": "pot"},
            {"op": "miss_turns", "who": "next", "when": {"of": "cash", "above": 10}},
            {"op": "throw_again"},
            {"op": "move", "thrown": True},
        ]
    },
}


def quay_with_effects() -> list[bytes]:
    """A board of the table's own, on which squares pay, cost, lead on, and have turns missed."""
    squares = [{**square, **_EFFECTS.get(square["id"], {})} for square in _QUAY["squares"]]
    table = Table("monopoly", seats=_PAIR, settings={"board": {**_QUAY, "squares": squares}})
    table.roll("ana", 1, 2)
    table.play("ana", "end_turn")
    table.roll("bob", 3, 4)
    table.play("bob", "roll_to_go", dice=[1, 1])
    table.play("bob", "buy_property")
    table.roll("bob", 1, 3)
    table.play("bob", "pay_tax")
    table.play("bob", "end_turn")
    assert table.state.turn == "bob"
    return [canonical(entry) for entry in table.journal]


def hour_in_the_town() -> list[bytes]:
    """The small town with an income, for one round and an hour at most: the richest wins."""
    table = Table("monopoly", seats=_PAIR, settings={"turn_income": 10, "rounds": 1, "play_minutes": 60})
    for seat in _PAIR:
        table.roll(seat, 1, 3)
        table.play(seat, "pay_tax")
        table.play(seat, "end_turn")
    return [canonical(entry) for entry in table.journal]


def season_of_equals() -> list[bytes]:
    """Monopolys: all are equal when a season is closed, so a throw ranks them; then the next is opened."""
    table = Table("monopolys", seats=_PAIR, settings={"early_close": [0, 1]})
    for seat in _PAIR:
        table.roll(seat, 3, 4)
        table.play(seat, "roll_chance_die", dice=[4])
        table.play(seat, "end_turn")
    for seat, consents in (("ana", True), ("ana", False), ("ana", True), ("bob", True)):
        table.play(seat, "vote_close_season", consent=consents)
    table.banker("close_season", dice=[1, 2, 3, 4])
    table.banker("open_season")
    return [canonical(entry) for entry in table.journal]


def throw_misread() -> list[bytes]:
    """Naruto: a corrected throw leads to a card that nobody has drawn, and the game goes on without."""
    table = Table("monopoly_naruto", seats=_PAIR)
    table.roll("ana", 1, 3)
    thrown = table.number
    table.play("ana", "pay_tax")
    table.play("ana", "end_turn")
    table.roll("bob", 1, 3)
    edit = {"op": "replace", "action": thrown, "params": {"dice": [3, 4]}}
    table.banker("correct", edits=[edit], cascade="restate", reason="the dice were misread")
    return [canonical(entry) for entry in table.journal]


def up_to_the_spices() -> list[bytes]:
    """Monopolys: Ana's profit of a season is taxed, and she asks to move up."""
    table = Table("monopolys", seats=_PAIR, settings={"early_close": [0, 1], "division": "opium"})
    table.roll("ana", 3, 4)
    table.play("ana", "roll_chance_die", dice=[5])
    table.play("ana", "end_turn")
    for seat in _PAIR:
        table.play(seat, "vote_close_season", consent=True)
    table.banker("close_season")
    table.play("ana", "swap_division")
    return [canonical(entry) for entry in table.journal]


def from_two_seasons() -> list[bytes]:
    """Monopolys: a game goes on from two others, one merchant of which has come up."""
    rulebook = next(one for one in RULEBOOKS if one.id == "monopolys")
    origins = (
        SeatOrigin(seat="ana", game="opium-1", action=12, was="ana", kept=9_000),
        SeatOrigin(seat="bob", game="epyces-1", action=40, was="bob", kept=70_000),
    )
    opening = Opening(
        players=tuple(Seat(seat, seat.capitalize()) for seat in _PAIR),
        settings=rulebook.settings(),
        dice="service",
        continues=Continuation(season=2, arrived="ana", seats=origins),
    )
    game = GameInMemory(rulebook, opening, name="epyces-2", at=_NOON, chance=Random(1))
    for seat in _PAIR:
        game.perform(rulebook.actions["roll_for_order"](), seat, seat, _NOON)
    game.perform(rulebook.actions["start_game"](), None, "banker", _NOON)
    return [canonical(entry) for entry in game.journal]


def table_ruled_on() -> list[bytes]:
    """Naruto: every remedy of its own, and a bankrupt's ninja that is to be auctioned."""
    table = Table("monopoly_naruto")
    table.roll("ana", 1, 2)
    table.play("ana", "buy_property")
    bought = {"commodity": "title:orange_1", "from": "bank", "to": "player:bob", "amount": 1}
    for remedy in (
        {"op": "adjust", "postings": [bought], "reason": "it was bought at the last table"},
        {"op": "fine", "seat": "cid", "amount": 30, "reason": "noise"},
        {"op": "award_debt", "seat": "cid", "to": "ana", "amount": 40, "title": "brun_2"},
        {"op": "award_debt", "seat": "cid", "to": "ana", "amount": 5},
        {"op": "award_debt", "seat": "cid", "to": "bank", "amount": 9_000},
        {"op": "forgive_debt", "seat": "cid"},
        {"op": "move_seat", "seat": "ana", "square": 20},
        {"op": "imprison", "seat": "cid"},
        {"op": "set_turn", "seat": "bob"},
    ):
        table.banker("rule", finding="So it is.", remedies=[remedy])
    table.roll("bob", 2, 4)
    table.play("bob", "decline_property")
    for seat in ("cid", "bob", "ana"):
        table.play(seat, "pass_bid")
    table.banker("close_auction")
    owed = {"op": "award_debt", "seat": "bob", "to": "bank", "amount": 9_000}
    table.banker("rule", finding="Bob owes it.", remedies=[owed])
    table.play("bob", "declare_bankruptcy")
    table.banker("open_auction")
    table.play("cid", "bid", amount=10)
    table.system("take_up_auction")
    return [canonical(entry) for entry in table.journal]


def customs_of_the_town() -> list[bytes]:
    """The town: ones are paid for, a card is declined, the pot is filled up, and a lap comes before a purchase."""
    customs = {"double_one": 100, "card_declined_for": 20, "pot_least": 50, "buy_after_lap": True}
    table = Table("monopoly", seats=_PAIR, settings=customs)
    table.roll("ana", 1, 1)
    table.play("ana", "decline_card")
    table.roll("ana", 4, 6)
    table.play("ana", "end_turn")
    table.roll("bob", 6, 6)
    table.roll("bob", 5, 5)
    table.roll("bob", 1, 4)
    table.play("bob", "buy_property")
    return [canonical(entry) for entry in table.journal]


def town_of_promises(seed: int = 23) -> list[bytes]:
    """Bots lend, stay for nothing and go bankrupt in the town."""
    return _played_by_bots({"promises": True, "starting_cash": 900}, seed, 700)


def town_of_all_effects() -> list[bytes]:
    """Bots play the town with every effect of cards, levels above the inn, and travel between the ferries."""
    board = all_effects()
    for square in board["squares"]:
        if square["id"] in ("tansy_row", "thimble_row"):
            square["rents"] = [*square["rents"], 900]
    chosen = {"starting_cash": 4000, "station_travel": True, "build_without_group": True}
    return _played_by_bots(settings_of(board, chosen), 7, 500)


def _played_by_bots(chosen: dict[str, Any], seed: int, actions: int) -> list[bytes]:
    """The entries of a game of four bold bots, with these settings."""
    rulebook = rulebooks_by_id()["monopoly"]
    settings = msgspec.convert(chosen, rulebook.settings)
    players = tuple(Seat(seat, seat.title()) for seat in ("ana", "bob", "cid", "dee"))
    bots = rulebook.simulation.strategies
    played = simulation.play(
        rulebook,
        Opening(players=players, settings=settings, dice="service"),
        seed=seed,
        bots=lambda by: bots[BANKER if by == BANKER else "bold"],
        actions=actions,
    )
    return [canonical(entry) for entry in played.game.journal]
