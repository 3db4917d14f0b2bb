"""No amount, no holding and no sum is larger than 2^53 - 1, which every client reads exactly.

Games from before this rule hold more, and are still read whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from api.rest.application import Config, create_app
from ledger.kernel.deciding.in_memory import GameInMemory
from ledger.kernel.facts import accounts
from ledger.kernel.facts.values import INT64_MAX, LARGEST
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.store import Store
from replays.exports import FORMATS
from replays.keeping import keep
from replays.simulation import Played
from tests.tables.evenings import evening
from tests.tables.ledgers import Clock
from tests.tables.over_http import Caller, problem

READINGS = (
    *("", "state", "names", "accounts", "agreements", "moves?seat=all", "disputes", "rulings", "replay/index"),
    *("actions?limit=200", "actions?limit=200&totals=true", "audit?limit=50", "statistics", "board"),
    *("accounts/player:s1x", "accounts/player:s1x/statement", "accounts/bank/statement"),
    *(f"export?format={name}" for name in sorted(FORMATS)),
)

RULEBOOKS = pytest.mark.parametrize("rulebook", rulebooks_by_id().values(), ids=lambda rulebook: rulebook.id)
ISSUING = pytest.mark.parametrize(
    "rulebook",
    [rulebook for rulebook in rulebooks_by_id().values() if rulebook.id != "negoces2"],
    ids=lambda rulebook: rulebook.id,
)
"""The rulebooks whose bank issues money. In Négoces 2 the coins are counted."""


def gift(rulebook: Rulebook[Any], amount: int, *, seat: str = "s1x") -> dict[str, Any]:
    """A ruling that gives a seat so much money."""
    posting = {
        "commodity": rulebook.accounts.currency,
        "amount": amount,
        "from": "bank",
        "to": rulebook.accounts.purse(seat),
    }
    remedy = {"op": "adjust", "postings": [posting], "reason": "a feast"}
    return {"finding": "so it is", "rules": [rulebook.governance.ruling_rule], "remedies": [remedy]}


def table_of(rulebook: Rulebook[Any], store: Store, played: Played) -> Iterator[Caller]:
    """The banker of a stored evening, over HTTP."""
    ledger = Ledger(store, rulebooks_by_id(), clock=Clock(played.game.state.last_at))
    token = keep(ledger, played)
    with create_app(ledger, Config()).test_client() as client:
        yield Caller(client, played.game.name, token)


@RULEBOOKS
def test_an_amount_has_a_largest_value(rulebook: Rulebook[Any], store: Store) -> None:
    """Given an evening, when the banker orders too much at once, then the refusal names value and bound."""
    for banker in table_of(rulebook, store, evening(rulebook, seed=5, actions=30)):
        before = banker.get().json["version"]
        for amount in (9 * 10**18, LARGEST + 1, 2**70):
            refused = problem(banker.post("rulings", gift(rulebook, amount)), 422, "invalid-parameters")
            assert refused["pointer"] == "/remedies/0/postings/0/amount"
            assert str(amount) in refused["detail"]
            assert str(LARGEST) in refused["detail"]
        assert banker.get().json["version"] == before


@ISSUING
def test_a_holding_has_the_same_bound(rulebook: Rulebook[Any], store: Store) -> None:
    """Given an evening, when gifts add up to more than a player may hold or the bank owe, then one is refused."""
    for banker in table_of(rulebook, store, evening(rulebook, seed=6, actions=30)):
        answers = [
            banker.post("rulings", gift(rulebook, LARGEST // 4, seat=seat))
            for seat in ("s1x", "s4x", "s7x", "s9x")
        ]
        answers += [banker.post("rulings", gift(rulebook, LARGEST // 4)) for _ in range(4)]
        assert answers[0].status_code == 201, answers[0].text
        refused = problem(answers[-1], 409, "rule-broken")
        assert str(LARGEST) in refused["detail"]
        assert refused["rule"] == "conservation"
        held = [amount for one in banker.get("accounts").json["accounts"] for amount in one["holdings"].values()]
        assert max(map(abs, held)) <= LARGEST


@pytest.mark.parametrize("name", ["monopolys", "negopoly", "virtual_revolution"])
def test_a_game_that_is_beyond_the_bound_is_read_whole(
    name: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a game from before the bound, with more than 64 bits can hold, then every reading and export is there.

    The game goes on, too: who holds too much may pay, and may get nothing more. Each engine is asked once.
    """
    rulebook = rulebooks_by_id()[name]
    played = evening(rulebook, seed=7, actions=30)
    game: GameInMemory[Any] = played.game
    with monkeypatch.context() as before:
        before.setattr(accounts, "LARGEST", 2**80)
        for _ in range(3):
            params = msgspec.json.encode(gift(rulebook, INT64_MAX))
            game.perform(rulebook.codec.action("rule", params), None, "banker", game.state.last_at)
    assert game.state.holdings.of("bank", rulebook.accounts.currency) < -2 * INT64_MAX
    for banker in table_of(rulebook, store, played):
        answers = {path: banker.get(path) for path in READINGS}
        assert {path: one.status_code for path, one in answers.items() if one.status_code != 200} == {}
        more = banker.post("rulings", gift(rulebook, 1))
        assert (more.status_code, str(LARGEST) in more.json["detail"]) == (409, True)
        less = gift(rulebook, 1)
        (posting,) = less["remedies"][0]["postings"]
        posting["from"], posting["to"] = posting["to"], posting["from"]
        assert banker.post("rulings", less).status_code == 201
        assert banker.get("export?format=csv").status_code == 200
