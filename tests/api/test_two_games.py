"""The attacker's test: two games that differ only in what is hidden from a viewer answer the same bytes.

Ana, Bob and Cid play with hidden hands (`tests/kernel/hands.py`). Ana and Bob have different cards in the two
games. A viewer must not be able to find out which game it is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.rest.application import Config, create_app
from ledger.kernel.facts.audience import BANKER_ONLY, EVERYONE, Audience, Viewer
from ledger.kernel.facts.events import Event
from ledger.rulebooks.negopoly import RULEBOOK as NEGOPOLY
from ledger.service import Ledger
from ledger.store.store import Store
from tests.harness.overhearing import OverhearingClient
from tests.harness.secrecy import Asked, Chair, assert_alike, differing
from tests.kernel import hands
from tests.tables.ledgers import Clock, chance_of_a_test
from tests.tables.over_http import HttpTable

ONE = ("ace", "king", "queen", "jack", "ten", "nine")
EACH = None if os.environ.get("MABLIGOP_SOAK") else 1
"""How many requests are made of every operation; all of them take minutes."""
LEAKED = 20
"""How many requests of every operation find a leak."""

Play = Callable[["Hands"], None]


class Hands(HttpTable):
    """A table of three with these cards. `names` says which card a name stands for at this table."""

    names: Mapping[str, str]

    def card(self, name: str) -> str:
        """The card of this game for a card of the first game."""
        return self.names[name]


def a_table(client: FlaskClient, cards: tuple[str, ...]) -> Hands:
    seats = [seat.seat for seat in hands.SEATS]
    table = Hands.created(client, *seats, rulebook="hands", settings={})
    assert isinstance(table, Hands)
    table.names = dict(zip(ONE, cards, strict=True))
    table.banker.play("deal", cards=list(cards))
    return table


def played(client: FlaskClient, play: Play, cards: tuple[str, ...]) -> Hands:
    """A table at which this story was played with these cards."""
    table = a_table(client, cards)
    play(table)
    return table


def twins(client: FlaskClient, play: Play, who: str) -> tuple[Hands, Hands]:
    """Two games of this story which differ in what the viewer does not know, overheard by that viewer."""
    assert isinstance(client, OverhearingClient)
    client.only = who
    return played(client, play, ONE), played(client, play, OTHERS[who])


def chair(table: HttpTable, who: str) -> Chair:
    token = table.tokens["players"].get(who) or table.tokens["spectator"]
    return Chair(table.client, table.game, token, table.tokens["banker"])


@pytest.fixture(scope="module")
def serving(store: Store) -> Callable[..., FlaskClient]:
    """A function that serves these rulebooks on this module's database, with a clock that stands still.

    It builds one application for each choice of rulebooks: to build and describe it takes half a second.
    """

    @cache
    def serve(*rulebooks: Any) -> FlaskClient:
        ledger = Ledger(store, {each.id: each for each in rulebooks}, clock=Clock(), chance=chance_of_a_test())
        app = create_app(ledger, Config(requests_per_minute=None))
        app.test_client_class = OverhearingClient
        return app.test_client()

    return serve


@pytest.fixture(scope="module")
def client(serving: Callable[..., FlaskClient]) -> FlaskClient:
    return serving(hands.RULES)


# The stories ------------------------------------------------------------------------------------------


def a_hidden_sale(table: Hands) -> None:
    """Ana lays a card face down, and Bob takes it for 4 coins; Cid asks who has the nine."""
    table.ana.play("lay", card=table.card("ace"))
    table.bob.play("take", price=4)
    table.cid.play("ask", card="nine")


def a_card_on_the_market(table: Hands) -> None:
    """Ana has bought beans and laid a card face down."""
    table.bob.play("buy_beans", amount=2)
    table.ana.play("lay", card=table.card("king"))


def an_own_card(table: Hands) -> None:
    """Cid lays a card that only he knows, and undoes it; then he lays another face up, which Bob takes."""
    table.cid.play("lay", card="ten")
    assert table.cid.post("undo", {"reason": "a slip"}).status_code == 201
    table.cid.play("lay", card="nine", face="up")
    table.bob.play("take", price=1)


def hidden_corrections(table: Hands) -> None:
    """The banker replaces the card that Ana laid, inserts a purchase of Bob's, and drops the first correction."""
    a_hidden_sale(table)
    table.bob.play("buy_beans", amount=3)
    table.ana.play("lay", card=table.card("king"))
    corrects(table, {"op": "replace", "action": 3, "params": {"card": table.card("king")}})
    forgotten = {"kind": "buy_beans", "seat": "bob", "params": {"amount": 1}}
    corrects(table, {"op": "insert", "after": 5, "action": forgotten})
    corrects(table, {"op": "drop", "action": 8})


def rulings(table: Hands) -> None:
    """Ana contests the sale; the banker moves a hidden card, waives a rule, corrects, and is overturned."""
    a_hidden_sale(table)
    table.ana.post("disputes", {"claim": "I was robbed", "actions": [4]})
    move = {"from": "hand:bob", "to": "hand:ana", "commodity": f"card:{table.card('ace')}", "amount": 1}
    remedies = [{"op": "adjust", "postings": [move], "reason": "hers"}, {"op": "fine", "seat": "bob", "amount": 2}]
    ruled = table.banker.post("disputes/6/rulings", {"finding": "So be it", "remedies": remedies})
    assert ruled.status_code == 201, ruled.text
    own_motion = {"from": "hand:bob", "to": "hand:ana", "commodity": f"card:{table.card('queen')}", "amount": 1}
    remedies = [{"op": "adjust", "postings": [own_motion], "reason": "also hers"}]
    assert table.banker.post("rulings", {"finding": "And so", "remedies": remedies}).status_code == 201
    table.banker.act("buy_beans", seat="bob", params={"amount": 4}, override={"reason": "a feast"})
    assert table.banker.post("undo", {"action": 8, "reason": "hasty", "cascade": "restate"}).status_code == 201


def an_end_undone(table: Hands) -> None:
    """The banker ends the game, which reveals everything, and undoes the end, which hides it again."""
    a_hidden_sale(table)
    table.banker.play("end")
    over = table.version
    assert table.banker.post("undo", {"action": over, "reason": "too early"}).status_code == 201
    assert isinstance(table.client, OverhearingClient)
    table.client.forget(table.game)
    table.ana.play("lay", card=table.card("king"))


def corrects(table: Hands, *edits: Any) -> None:
    answer = table.banker.post("corrections", {"edits": list(edits), "cascade": "restate", "reason": "misseen"})
    assert answer.status_code == 201, answer.text


def a_ruled_hand(table: Hands) -> None:
    """The banker moves one of Ana's cards to Cid; Bob buys beans, undoes the purchase, and redoes it."""
    move = {"from": "hand:ana", "to": "hand:cid", "commodity": f"card:{table.card('king')}", "amount": 1}
    remedies = [{"op": "adjust", "postings": [move], "reason": "his"}]
    assert table.banker.post("rulings", {"finding": "So be it", "remedies": remedies}).status_code == 201
    table.bob.play("buy_beans", amount=2)
    assert table.bob.post("undo", {"reason": "a slip"}).status_code == 201
    assert table.bob.post("redo", {"reason": "no slip"}).status_code == 201


OTHERS = {
    "cid": ("queen", "jack", "king", "ace", "ten", "nine"),
    "bob": ("nine", "ten", "queen", "jack", "ace", "king"),
    "spectator": ("jack", "ace", "king", "queen", "ten", "nine"),
}
"""The cards of the other game, by who looks: their own are the same, and so are those that are shown."""

LOOKS = [
    *((who, play) for who in ("cid", "spectator") for play in (a_hidden_sale, hidden_corrections, rulings)),
    *((who, a_card_on_the_market) for who in ("cid", "bob", "spectator")),
    *((who, a_ruled_hand) for who in ("bob", "spectator")),
    ("cid", an_own_card),
    ("cid", an_end_undone),
    ("spectator", an_end_undone),
]


# The test ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("who", "play"), LOOKS, ids=lambda value: getattr(value, "__name__", value))
def test_whoever_may_not_know_cannot_tell_the_games_apart(client: FlaskClient, who: str, play: Play) -> None:
    one, other = twins(client, play, who)
    assert_alike(chair(one, who), chair(other, who), each=EACH, chance=Random(f"{who} {play.__name__}"))


def test_a_repeated_request_is_answered_alike(client: FlaskClient) -> None:
    """Cid's repeated request is performed once, and its answer is redacted for him again."""
    one, other = twins(client, a_card_on_the_market, "cid")
    vow = Asked(
        "POST", "/api/v1/games/{game}/actions", content={"kind": "vow"}, headers=(("Idempotency_Key", "vow"),)
    )
    before = one.version
    assert_alike(chair(one, "cid"), chair(other, "cid"), each=0, more=(vow, vow))
    assert one.version == other.version == before + 1


# At a table of Negopoly ---------------------------------------------------------------------------------


def business(client: FlaskClient, perk: str, amount: int) -> HttpTable:
    """Bob chooses a perk; Ana gives him money, sends doses, proposes a deal; the banker corrects the gift."""
    table = HttpTable.created(client, "ana", "bob", "cid").start(ana="doses", bob=perk)
    table.ana.play("transfer_money", to="bob", amount=amount)
    table.ana.play("send_delivery", to="bob", commodity="dose", amount=amount % 2 + 1)
    table.ana.play("propose_deal", parties=["bob"], clauses=[f"{amount} words"])
    table.cid.play("transfer_money", to="ana", amount=7)
    table.ana.post("disputes", {"claim": f"It was {amount}", "actions": [9]})
    mended = {"op": "replace", "action": 9, "params": {"to": "bob", "amount": amount + 1}}
    corrected = {"edits": [mended], "cascade": "restate", "reason": "misheard"}
    assert table.banker.post("corrections", corrected).status_code == 201
    waived = {"kind": "transfer_money", "seat": "ana", "params": {"to": "bob", "amount": 9000 + amount}}
    assert table.banker.post("actions", {**waived, "override": {"reason": "on credit"}}).status_code == 201
    return table


@pytest.mark.parametrize("who", ["cid", "spectator"])
def test_business_is_between_those_who_do_it(serving: Callable[..., FlaskClient], who: str) -> None:
    client = serving(NEGOPOLY)
    assert isinstance(client, OverhearingClient)
    client.only = who
    one, other = (business(client, *secrets) for secrets in (("money", 100), ("doses", 113)))
    assert_alike(chair(one, who), chair(other, who), each=EACH, chance=Random(who))


# The attacker finds real leaks --------------------------------------------------------------------------


def _whole(event: Event, viewer: Viewer) -> Event:
    return event


def _nobody(event: Event) -> Audience:
    return BANKER_ONLY


@pytest.mark.parametrize(
    ("where", "name", "leaking", "who"),
    [
        (hands.CardLaid, "redacted", _whole, "spectator"),
        (hands.CardTaken, "reveals", _nobody, "bob"),
        (hands.HandSecrets, "holding_audience", lambda *_: EVERYONE, "cid"),
        (hands.Lay, "redacted", lambda action: {"card": action.card}, "cid"),
    ],
    ids=["an event", "a dry run", "a holding", "parameters"],
)
def test_a_leak_is_found(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, where: Any, name: str, leaking: Any, who: str
) -> None:
    one, other = twins(client, a_card_on_the_market, who)
    monkeypatch.setattr(where, name, leaking)
    assert next(differing(chair(one, who), chair(other, who), each=LEAKED), None) is not None


@pytest.mark.parametrize(
    ("where", "name", "leaking", "who"),
    [
        (hands.CardLaid, "redacted", _whole, "spectator"),
        (hands.HandSecrets, "holding_audience", lambda *_: EVERYONE, "cid"),
    ],
    ids=["an event", "a holding"],
)
def test_a_leak_is_overheard(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, where: Any, name: str, leaking: Any, who: str
) -> None:
    """What is told while the game is played gives the difference away, before anything is asked."""
    monkeypatch.setattr(where, name, leaking)
    one, other = twins(client, a_card_on_the_market, who)
    found = next(differing(chair(one, who), chair(other, who), each=0), None)
    assert found is not None
    assert found.asked.path.endswith("/stream")
