"""Actions over HTTP: `POST …/actions` next to a bare view, with eight games and eight clients."""

from __future__ import annotations

import statistics
from typing import Any

import httpx

from tests.benchmarks.bare import new_game
from tests.benchmarks.bench import Bench, say
from tests.benchmarks.load import Script, requests_per_second
from tests.benchmarks.serving import serving

ACTIONS = 400
GAMES = 8
ROUNDS = 5


def measured(bench: Bench) -> None:
    """Call `POST …/actions` and the bare view in turn."""
    count, games = bench.size(ACTIONS, 2), bench.size(GAMES, 2)
    bare: list[float] = []
    ours: list[float] = []
    with (
        serving("tests.benchmarks.bare:create", bench.url) as floor,
        serving("api.server:front", bench.url) as worker,
    ):
        address = worker.address
        for turn in range(bench.rounds(ROUNDS)):
            names = [new_game(bench.store, f"view{turn}-{index}") for index in range(games)]
            scripts: list[Script] = [[("/act", {}, {"game": name})] * count for name in names]
            bare.append(requests_per_second(floor.address, scripts))
            ours.append(requests_per_second(address, [transfers(address, count) for _ in range(games)]))
    ratio = statistics.median(rate / least for rate, least in zip(ours, bare, strict=True))
    say(
        f"POST …/actions, {games} games, {games} clients, one worker",
        f"{statistics.median(ours):,.0f}/s = {ratio:.2f}",
        f"bare view {statistics.median(bare):,.0f}/s",
        ">= 0.40",
    )


def transfers(address: tuple[str, int], count: int) -> Script:
    """Start a game of two. Returns a script of so many transfers in it, in both directions."""
    base = f"http://{address[0]}:{address[1]}/api/v1"
    players = [{"seat": "ana", "name": "Ana"}, {"seat": "bob", "name": "Bob"}]
    with httpx.Client() as client:
        body = {"rulebook": "negopoly", "players": players, "dice": "table"}
        created = client.post(f"{base}/games", json=body).raise_for_status().json()
        path = f"/api/v1/games/{created['game']}/actions"
        tokens = created["tokens"]["players"] | {"banker": created["tokens"]["banker"]}

        def act(who: str, kind: str, **params: Any) -> None:
            client.post(
                f"{base[:-7]}{path}",
                json={"kind": kind, "params": params},
                headers={"Authorization": f"Bearer {tokens[who]}"},
            ).raise_for_status()

        for seat in ("ana", "bob"):
            act(seat, "join_game", persona=seat)
            act(seat, "choose_starter_perk", perk="money")
        act("banker", "start_game")
    sides = ("ana", "bob"), ("bob", "ana")
    return [
        (
            path,
            {"Authorization": f"Bearer {tokens[payer]}"},
            {"kind": "transfer_money", "params": {"to": payee, "amount": 1}},
        )
        for payer, payee in (sides[turn % 2] for turn in range(count))
    ]
