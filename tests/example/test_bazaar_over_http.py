"""The Bazaar in a service: corrected, forked and imported; and the attacker looks for what is hidden."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.rest.application import Config, create_app
from ledger.kernel.facts.audience import EVERYONE
from ledger.service import Ledger
from ledger.store.database.connection import connect
from ledger.store.store import Store
from replays.journal_file import JournalFile
from tests.example.bazaar import RULEBOOK, auction, pile, secrecy, trades
from tests.harness.leaking import leaking, widened
from tests.harness.overhearing import OverhearingClient
from tests.harness.secrecy import Chair, assert_alike, differing
from tests.tables.ledgers import Clock, chance_of_a_test
from tests.tables.over_http import BASE, Caller, HttpTable, problem

SEATS = ("ana", "bob", "cid")
HANDS = {
    "ana": ("silk_8", "silk_7", "amber_3", "salt_2", "pepper_4"),
    "bob": ("amber_8", "amber_1", "pepper_5", "wool_4", "salt_6"),
    "cid": ("pepper_8", "pepper_7", "pepper_1", "wool_8", "salt_8"),
}
EACH = None if os.environ.get("MABLIGOP_SOAK") else 1
"""How many requests are made of every operation; all of them take minutes."""

Serve = Callable[..., FlaskClient]


@pytest.fixture(scope="module")
def serving(store: Store) -> Serve:
    """A function that serves a rulebook on this module's database, with a clock that stands still."""

    @cache
    def serve(rulebook: Any = RULEBOOK) -> FlaskClient:
        ledger = Ledger(store, {rulebook.id: rulebook}, clock=Clock(), chance=chance_of_a_test())
        app = create_app(ledger, Config(requests_per_minute=None))
        app.test_client_class = OverhearingClient
        return app.test_client()

    return serve


class Table(HttpTable):
    """A table with the hands above. `other` names the cards in the second of two games, as far as they differ."""

    other: Mapping[str, str] = {}

    def card(self, name: str) -> str:
        """The card of this game for a card of the first game."""
        return self.other.get(name, name)

    def begins(self) -> Table:
        """All draw their hands, and the lot is turned up."""
        for seat in SEATS:
            self.players[seat].play("draw_hand", drawn=[self.card(card) for card in HANDS[seat]])
        self.banker.play("turn_up_lot", drawn=["silk_2", "wool_1"])
        return self

    def bids(self, *amounts: int) -> Table:
        for seat, amount in zip(SEATS, amounts, strict=False):
            self.players[seat].play("seal_bid", amount=amount)
        return self

    def corrects(self, *edits: dict[str, Any]) -> None:
        content = {"edits": list(edits), "cascade": "restate", "reason": "misheard"}
        answer = self.banker.post("corrections", content)
        assert answer.status_code == 201, answer.text


def a_table(client: FlaskClient, **changes: Any) -> Table:
    table = Table.created(client, *SEATS, rulebook="bazaar", **{"settings": {}, **changes})
    assert isinstance(table, Table)
    return table


# A game ---------------------------------------------------------------------------------------------


def test_a_game_is_played_taken_back_and_corrected(serving: Serve) -> None:
    table = a_table(serving()).begins().bids(4, 7, 0)
    offered = table.ana.play("offer_trade", to="bob", card="silk_7", price=3)
    assert table.ana.post("undo", {"reason": "too cheap"}).status_code == 201
    trade = table.ana.play("offer_trade", to="bob", card="silk_7", price=5)
    assert offered["number"] < trade["number"]
    (open_trade,) = table.bob.get("agreements").json["agreements"]
    assert (open_trade["amount"], table.cid.get("agreements").json["agreements"]) == (5, [])
    table.bob.play("accept_trade", trade=str(trade["number"]))
    refused = problem(table.bob.post("undo", {"reason": "no good"}), 409, "rule-broken")
    assert refused["rule"] == "bazaar:trade.6"
    drawn = table.ana.play("draw_card", drawn=["wool_2"])
    shown = problem(table.ana.post("undo", {"reason": "no luck"}), 403, "not-yours")
    assert "drew a card" in shown["detail"]
    table.corrects({"op": "replace", "action": drawn["number"], "params": {"drawn": ["wool_3"]}})
    table.corrects({"op": "replace", "action": 7, "params": {"amount": 1}})
    state = table.banker.get("state").json
    assert state["accounts"]["player:ana"] == {"coin": 20 - 4 + 5}
    assert "card:wool_3" in state["accounts"]["hand:ana"]
    moves = table.ana.get("moves").json["moves"]
    assert {"Terminer le tour", "Proposer à Bob une carte"} <= {one["label"]["fr"] for one in moves}


def test_silence_is_a_bid_and_a_fork_has_the_full_time(store: Store) -> None:
    clock = Clock()
    ledger = Ledger(store, {RULEBOOK.id: RULEBOOK}, clock=clock, chance=chance_of_a_test())
    with create_app(ledger, Config()).test_client() as client:
        table = a_table(client, settings={"bid_seconds": 60}).begins().bids(1)
        clock.pass_by(50)
        origin = {"game": table.game, "action": table.version, "token": table.tokens["banker"]}
        answer = table.stranger.post(f"{BASE}/games", {"from": origin})
        assert answer.status_code == 201, answer.text
        clock.pass_by(11)
        table.ana.play("draw_card", drawn=["wool_2"])
        kinds = [one["kind"] for one in table.banker.get("actions?limit=200").json["actions"]]
        assert kinds[-3:] == ["seal_bid", "seal_bid", "draw_card"]
        fork = Table(client, answer.json["game"], answer.json["tokens"])
        fork.bob.play("seal_bid", amount=5)
        fork.cid.play("seal_bid", amount=0)
        assert fork.banker.get("state").json["accounts"]["player:bob"] == {"coin": 15}


def test_the_service_draws_and_the_journal_stands_by_itself(
    serving: Serve, tmp_path: Path, new_database: Any
) -> None:
    """An undone draw comes again; another service imports the journal, and the game goes on there."""
    table = a_table(serving(), dice="service")
    for seat in SEATS:
        table.players[seat].play("draw_hand")
    assert len(table.spectator.get("state").json["table"]["lot"]) == 2
    table.bids(0, 0, 0)
    drawn = table.ana.play("draw_card")["number"]
    cards = set(table.ana.get("state").json["table"]["you"]["cards"])
    table.corrects({"op": "drop", "action": drawn})
    table.ana.play("draw_card")
    assert set(table.ana.get("state").json["table"]["you"]["cards"]) == cards
    file = tmp_path / "bazaar.jsonl"
    file.write_bytes(table.banker.get("export?format=jsonl").data)
    journal = JournalFile(file)
    there = Ledger(Store(connect(new_database())), {RULEBOOK.id: RULEBOOK})
    tokens = there.importing.import_game(journal.header.exported_game, journal.entries).tokens
    with create_app(there, Config()).test_client() as client:
        banker = Caller(client, table.game, tokens.banker)
        banker.play("end_turn", seat="ana")
        assert banker.get("state").json["table"]["turn"] == "bob"


# The attacker ---------------------------------------------------------------------------------------


def sealed(table: Table) -> None:
    """Ana and Bob have bid, and the banker has corrected Ana's bid. Cid is still to bid."""
    table.begins().bids(*((3, 7) if table.other else (9, 2)))
    table.corrects({"op": "replace", "action": 6, "params": {"amount": 4 if table.other else 8}})


def an_open_offer(table: Table) -> None:
    """Ana has drawn a card, and offers another one to Bob; the banker corrects the draw."""
    table.begins().bids(2, 1, 0)
    drawn = table.ana.play("draw_card", drawn=[table.card("wool_2")])
    table.ana.play("offer_trade", to="bob", card=table.card("silk_8"), price=3)
    table.corrects({"op": "replace", "action": drawn["number"], "params": {"drawn": [table.card("wool_5")]}})


def trades_and_rulings(table: Table) -> None:
    """Bob accepts, and gets a Pepper for his Amber; the banker moves a card, and drops Ana's draw."""
    an_open_offer(table)
    drawn = table.version - 2
    table.bob.play("accept_trade", trade=str(drawn + 1))
    offered = table.bob.play("offer_trade", to="ana", card=table.card("amber_1"), price=0, wants="pepper")
    table.ana.play("accept_trade", trade=str(offered["number"]), gives=table.card("pepper_4"))
    table.bob.play("open_dispute", claim="no Amber", actions=[offered["number"]])
    move = {"commodity": f"card:{table.card('salt_2')}", "amount": 1, "from": "hand:ana", "to": "hand:bob"}
    remedies = [{"op": "adjust", "postings": [move], "reason": "as agreed"}]
    assert table.banker.post("rulings", {"finding": "so be it", "remedies": remedies}).status_code == 201
    table.corrects({"op": "drop", "action": drawn})


def swapped(*pairs: tuple[str, str]) -> dict[str, str]:
    """The cards of the other game."""
    return {name: other for pair in pairs for name, other in (pair, pair[::-1])}


DRAWN = (("wool_2", "wool_3"), ("wool_5", "wool_6"))
GOODS = (("silk_8", "amber_8"), ("silk_7", "amber_1"), ("salt_2", "salt_6"), ("pepper_4", "pepper_5"))
STRANGER = swapped(*DRAWN, *GOODS)
OTHERS = {
    "cid": STRANGER,
    "spectator": STRANGER,
    "bob": swapped(*DRAWN, ("silk_8", "pepper_8"), ("silk_7", "wool_8"), ("salt_2", "salt_8")),
}
"""What differs in the other game, by who looks."""
LOOKS = [("cid", sealed), ("spectator", sealed), ("bob", an_open_offer), ("cid", trades_and_rulings)]
LOOKS += [("spectator", trades_and_rulings)]


def chairs(client: FlaskClient, who: str, play: Callable[[Table], None]) -> tuple[Chair, Chair]:
    """A viewer at two games of a story that differ in what the viewer may not know."""
    assert isinstance(client, OverhearingClient)
    client.only = who
    found = []
    for other in ({}, OTHERS[who]):
        table = a_table(client)
        table.other = other
        play(table)
        token = table.tokens["players"].get(who) or table.tokens["spectator"]
        found.append(Chair(client, table.game, token, table.tokens["banker"]))
    return found[0], found[1]


@pytest.mark.parametrize(("who", "play"), LOOKS, ids=lambda value: getattr(value, "__name__", value))
def test_whoever_may_not_know_cannot_tell_the_games_apart(serving: Serve, who: str, play: Any) -> None:
    assert_alike(*chairs(serving(), who, play), each=EACH, chance=Random(f"{who} {play.__name__}"))


@pytest.mark.parametrize(
    ("leak", "play"),
    [
        ((auction.BidSealed,), sealed),
        ((pile.CardsDrawn,), an_open_offer),
        ((trades.TradeOffered,), an_open_offer),
        ((), an_open_offer),
    ],
    ids=["a bid", "a draw", "an offer", "a holding"],
)
def test_a_leak_is_found(serving: Serve, leak: Any, play: Any) -> None:
    class Open(secrecy.BazaarSecrets):
        def holding_audience(self, state: Any, account: str, commodity: str) -> Any:
            return EVERYONE

    faces = {} if leak else {"secrets": Open()}
    leaky = leaking(RULEBOOK, *map(widened, leak), **faces)
    assert next(differing(*chairs(serving(leaky), "spectator", play), each=20), None) is not None
