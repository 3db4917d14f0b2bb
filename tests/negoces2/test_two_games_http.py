"""The attacker's test over HTTP: every endpoint tells two games that differ only in what is hidden the same.

The pairs are those of `coupled`, played again through the API on a real Postgres; `tests.harness.secrecy` asks.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from api.rest.application import Config, create_app
from ledger.kernel.facts.audience import EVERYONE
from ledger.kernel.facts.obligations import Obligation
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks.negoces2 import RULEBOOK, sales
from ledger.rulebooks.negoces2.obligations import Negoces2Agreements
from ledger.rulebooks.negoces2.table import Negoces2, cards_in
from ledger.rulebooks.negoces2.terms import hand
from ledger.service import Ledger
from ledger.store.store import Store
from tests.harness.leaking import leaking, widened
from tests.harness.overhearing import OverhearingClient
from tests.harness.secrecy import Asked, Chair, assert_alike, differing
from tests.negoces2.coupled import Done, Twins
from tests.tables.ledgers import Clock, chance_of_a_test
from tests.tables.negoces2 import SEATS
from tests.tables.over_http import Caller, HttpTable

SOAK = bool(os.environ.get("MABLIGOP_SOAK"))
EACH = None if SOAK else 1
"""How many requests are made of every operation, each chosen by the name of its game."""
ACTIONS = 45
RICH: list[tuple[str | None, int]] = [(None, 10), ("ana", 4), ("cid", 1)]
"""Viewers with the seeds of games in which much happens."""
GAMES = [(viewer, seed) for viewer in (None, "ana", "cid") for seed in range(40)] if SOAK else RICH

Serve = Callable[[Rulebook[Negoces2]], FlaskClient]


def played(viewer: str | None, seed: int, *, reveal_at_end: bool = False) -> Twins:
    """Two games that differ."""
    twins = Twins(viewer, seed, reveal_at_end=reveal_at_end)
    twins.play(ACTIONS)
    assert SOAK or twins.differ()
    return twins


@pytest.fixture(scope="module")
def serving(store: Store) -> Serve:
    """A function that serves a rulebook on this module's database, with a clock that stands still.

    It builds one application for each rulebook: to build and describe it takes half a second.
    """

    @cache
    def serve(rulebook: Rulebook[Negoces2]) -> FlaskClient:
        ledger = Ledger(store, {rulebook.id: rulebook}, clock=Clock(), chance=chance_of_a_test())
        app = create_app(ledger, Config(requests_per_minute=None))
        app.test_client_class = OverhearingClient
        return app.test_client()

    return serve


def chairs(client: FlaskClient, twins: Twins) -> tuple[Chair, Chair]:
    """The viewer at both games, played again through the API as they were played in memory."""
    assert isinstance(client, OverhearingClient)
    client.only = twins.viewer or "spectator"
    one, other = (_chair(client, twins, place) for place in (0, 1))
    return one, other


def _chair(client: FlaskClient, twins: Twins, place: int) -> Chair:
    table = HttpTable.created(client, *SEATS, rulebook="negoces2", settings=twins.settings)
    for done in twins.script:
        token = table.tokens["players"].get(done.by, table.tokens["banker"])
        answer = Caller(client, table.game, token).act(done.kind, params=done.params[place])
        assert answer.status_code == 201, answer.text
    assert table.version == twins.worlds[place].state.version
    token = table.tokens["players"].get(twins.viewer, table.tokens["spectator"])
    return Chair(client, table.game, token, table.tokens["banker"])


@pytest.mark.parametrize(("viewer", "seed"), GAMES)
def test_every_endpoint_tells_them_the_same(
    serving: Serve, viewer: str | None, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Hidden sales, disputes that cite them, rulings and corrections of what lay face down are in these games.

    Nothing of it goes into the log either.
    """
    caplog.set_level("INFO")
    assert_alike(*chairs(serving(RULEBOOK), played(viewer, seed)), each=EACH, chance=Random(f"{viewer} {seed}"))
    assert not [record for record in caplog.records if record.name != "mabligop.requests"]


def test_asking_what_the_last_answer_would_bring_reveals_nothing(serving: Serve) -> None:
    """Cid alone has yet to answer Ana's claim: his answer ends the game, and only then the winner is known."""
    answer = {"kind": "decline_victory", "params": {}, "dry_run": True}
    asked = Asked("POST", "/api/v1/games/{game}/actions", content=answer)
    assert_alike(*chairs(serving(RULEBOOK), claimed("cid")), each=EACH, more=[asked])


def claimed(viewer: str) -> Twins:
    """Everybody has been seller, some cards are hidden from the viewer, and Ana has claimed with 31 coins."""
    twins = Twins(viewer, 0, mending=False)
    opener = twins.state.turn
    assert opener is not None
    assert twins.both(opener, opener, "bid", {"amount": 1})
    while (turn := twins.state.turn) is not None:
        assert twins.both(turn, turn, "withdraw", {})
    order = twins.state.order
    place = order.index(opener)
    for seller, buyer in pairwise((*order[place:], *order[:place], opener)):
        hands = [sorted(cards_in(state, hand(seller))) for state in twins.states]
        known = min(set(hands[0]) & set(hands[1]))
        secret = viewer not in {seller, buyer}
        laid = (hands[0][0], hands[1][-1]) if secret else (known, known)
        one, other = ({"card": card, "face": "down"} for card in laid)
        assert twins.attempt(Done(seller, seller, "offer_for_sale", (one, other)))
        assert twins.both(buyer, buyer, "make_offer", {"coins": 1})
        revision = twins.state.offers[buyer].revision
        assert twins.both(seller, seller, "accept_offer", {"buyer": buyer, "revision": revision})
    assert twins.differ()
    given = [
        {"commodity": "coin", "amount": 9, "from": f"coins_visible:{seat}", "to": "coins_visible:ana"}
        for seat in ("bob", "dan")
    ]
    remedies = [{"op": "adjust", "postings": given, "reason": "a wager"}]
    assert twins.both("banker", None, "rule", {"finding": "they lost it", "remedies": remedies})
    assert twins.both("ana", "ana", "declare_victory", {"way": "coins"})
    for seat in ("bob", "dan"):
        assert twins.both(seat, seat, "decline_victory", {})
    return twins


def test_the_games_go_through_all_that_could_leak() -> None:
    """Together they have every kind of secret, and it is not the same in the two games of a pair."""
    kinds: Counter[str] = Counter()
    for viewer, seed in GAMES:
        script = played(viewer, seed).script
        kinds.update(done.kind for done in script)
        kinds.update(f"other {done.kind}" for done in script if done.params[0] != done.params[1])
    assert {"accept_offer", "choose_card", "correct", "rule", "open_dispute", "withdraw_offer"} <= set(kinds)
    assert {"other offer_for_sale", "other make_offer", "other change_offer", "other force_sale"} <= set(kinds)
    assert {"other correct", "other rule"} <= set(kinds)


def test_a_leak_is_found_out(serving: Serve) -> None:
    """A card for sale face down that its event tells to everybody."""
    open_sales = leaking(RULEBOOK, widened(sales.CardLaid))
    assert next(differing(*chairs(serving(open_sales), played(None, 9)), each=10), None) is not None


class Unveiled(Negoces2Agreements):
    """The obligations, with every card named to everybody."""

    def obligations(self, state: Negoces2) -> Iterator[Obligation]:
        return (replace(owed, audience=EVERYONE) for owed in super().obligations(state))


def test_what_is_owed_names_no_hidden_card_at_any_moment(serving: Serve) -> None:
    """A rulebook that names them is found out, in the list and in the state."""
    address, state = (f"/api/v1/games/{{game}}/{name}" for name in ("obligations", "state"))
    leaky = leaking(RULEBOOK, agreements=Unveiled())
    for rulebook, leaks in ((RULEBOOK, set()), (leaky, {address, state})):
        twins = played(None, 10)
        moments = [Asked("GET", address, (("at", number),)) for number in range(1, twins.state.version + 1)]
        found = differing(*chairs(serving(rulebook), twins), each=1, more=moments, attempting=False)
        paths = {one.asked.path for one in found}
        assert paths & {address, state} == leaks
        assert leaks or not paths


@pytest.mark.parametrize("viewer", ["cid", "dan"] if SOAK else ["cid"])
def test_after_the_end_the_rest_of_a_hand_stays_hidden(serving: Serve, viewer: str) -> None:
    """Ana wins with her coins: she has shown those and nothing else, and nobody can go on from the game."""
    twins = claimed(viewer)
    assert twins.both("cid", "cid", "decline_victory", {})
    assert twins.state.winners == ("ana",)
    assert_alike(*chairs(serving(RULEBOOK), twins), each=EACH, chance=Random(viewer))


def test_a_table_may_want_the_end_to_reveal_everything(serving: Serve) -> None:
    """The banker proclaims a winner, and all is revealed."""
    twins = played(None, 9, reveal_at_end=True)
    order = {"finding": "it is late", "remedies": [{"op": "declare_victory", "winners": ["ana"]}]}
    assert twins.both("banker", None, "rule", order)
    hidden = {"/api/v1/games/{game}/state", "/api/v1/games/{game}/accounts"}
    for found in differing(*chairs(serving(RULEBOOK), twins), each=10, attempting=False):
        hidden -= {found.asked.path}
        if not hidden:
            break
    assert not hidden, "both of them show what was hidden"
