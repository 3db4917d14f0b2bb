"""A shared throw for which a phone sends nothing: who is missing is told by name."""

from __future__ import annotations

from random import Random

from api.rest.application import Config, create_app
from ledger.kernel.dice.chains import Chain
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.store import Store
from tests.tables.ledgers import Clock
from tests.tables.negopoly import starting
from tests.tables.over_http import BASE, problem


def test_who_sends_no_value_is_named_as_people_know_them(store: Store, clock: Clock) -> None:
    """The seat is called s1, and whoever sits there Zoé."""
    ledger = Ledger(store, rulebooks_by_id(), clock=clock, sleep=lambda _: None)
    client = create_app(ledger, Config()).test_client()
    players = [{"seat": "s1", "name": "Zoé"}, {"seat": "s2", "name": "Yan"}]
    asked = {"rulebook": "negopoly", "players": players, "dice": "shared_or_table", "settings": {}}
    made = client.post(f"{BASE}/games", json=asked).json
    place = f"{BASE}/games/{made['game']}"

    def keys(seat: str | None) -> dict[str, str]:
        tokens = made["tokens"]
        return {"Authorization": f"Bearer {tokens['banker'] if seat is None else tokens['players'][seat]}"}

    for seat in ("s1", "s2"):
        end = Chain(Random(seat).randbytes(32), 10).end.hex()
        given = client.post(f"{place}/dice/commitments", json={"end": end, "length": 10}, headers=keys(seat))
        assert given.status_code == 201, given.text
    for seat, kind, params in starting("s1", "s2"):
        done = client.post(f"{place}/actions", json={"kind": kind, "params": params}, headers=keys(seat))
        assert done.status_code == 201, done.text
    roll = {"kind": "roll_dice", "params": {}}
    for language, detail in (
        ("en", "no value for throw 1 came from Zoé, Yan: the table throws"),
        ("fr", "aucune valeur pour le lancer 1 n'est venue de Zoé, Yan\u00a0: la table lance"),
    ):
        refused = client.post(f"{place}/actions", json=roll, headers=keys("s1") | {"Accept-Language": language})
        told = problem(refused, 409, "values-missing")
        assert (told["detail"], told["seats"]) == (detail, ["s1", "s2"])
