"""`mabligop dice`: two seats take part in shared throws from processes of their own; one of them leaves."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.command.service import MABLIGOP, Service, environment, here, trusted
from tests.tables.negopoly import asked_for, starting

pytestmark = pytest.mark.xdist_group("command")


class Game:
    """A game of Ana and Bob on a service, over HTTP."""

    def __init__(self, url: str) -> None:
        self.client = httpx.Client(base_url=f"{url}/api/v1", verify=trusted(), timeout=300)
        made = self.client.post("/games", json=asked_for("ana", "bob", dice="shared")).json()
        self.id, self.tokens, self.key = made["game"], made["tokens"], made["log"]["key"]

    def token(self, seat: str | None) -> str:
        found: str = self.tokens["banker"] if seat is None else self.tokens["players"][seat]
        return found

    def ask(self, method: str, path: str, seat: str | None = None, body: Any = None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token(seat)}"}
        return self.client.request(method, f"/games/{self.id}/{path}", json=body, headers=headers)

    def act(self, seat: str | None, kind: str, settle: bool = False, **params: Any) -> dict[str, Any]:
        body = {"kind": kind, "params": params} | ({"settle": True} if settle else {})
        if settle:
            body["seat"] = seat
        answer = self.ask("POST", "actions", None if settle else seat, body)
        assert answer.status_code == 201, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def turn(self, seat: str) -> dict[str, Any]:
        """A turn; the throw of its roll."""
        rolled = self.act(seat, "roll_dice")
        self.act(seat, "end_turn", settle=True)
        throw: dict[str, Any] = rolled["chance"]["throw"]
        return throw


@contextmanager
def taking_part(url: str, game: Game, seat: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """`mabligop dice` for a seat, from when it takes part."""
    chains = folder / f"{seat}.chains"
    process = subprocess.Popen(
        [MABLIGOP, "dice", game.id, "--chains", chains],
        env=environment(MABLIGOP_URL=url, MABLIGOP_TOKEN=game.token(seat), PYTHONUNBUFFERED="1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        while "Taking part" not in (said := process.stdout.readline()):
            assert said, "it has ended"
        yield process
    finally:
        process.kill()
        process.wait()


def test_two_seats_throw_together_and_one_leaves(new_database: Callable[..., str], tmp_path: Path) -> None:
    service, stopped = Service("--no-demo", DATABASE_URL=new_database()), False
    try:
        game = Game(service.url)
        with taking_part(service.url, game, "ana", tmp_path) as ana:
            with taking_part(service.url, game, "bob", tmp_path) as bob:
                for seat, kind, params in starting("ana", "bob"):
                    game.act(seat, kind, **params)
                first = game.turn("ana")
                assert first["values"].keys() == {"ana", "bob"}
                assert game.turn("bob")["values"].keys() == {"ana", "bob"}
                bob.send_signal(signal.SIGKILL)
                bob.wait()
            assert game.turn("ana")["missing"] == ["bob"]
            # Another device of Bob's commits to a chain of its own; the first one comes back.
            other = game.ask("POST", "dice/commitments", "bob", {"end": "0" * 64, "length": 5})
            assert other.status_code == 201
            assert game.turn("bob")["missing"] == ["bob"]
            with taking_part(service.url, game, "bob", tmp_path):
                together = [game.turn(seat).get("missing", []) for seat in ("ana", "bob", "ana")]
                assert together[-1] == []
            assert (tmp_path / "ana.chains").stat().st_mode & 0o777 == 0o600
            exported = game.ask("GET", "export?format=jsonl")
            (tmp_path / "game.jsonl").write_bytes(exported.content)
            verified = here("verify", tmp_path / "game.jsonl", "--key", game.key)
            assert verified.returncode == 0, verified.stdout + verified.stderr
            assert "bob left out" in verified.stdout
            assert service.stop() == 0
            stopped = True
            assert ana.stderr is not None
            # It waits for the service to come back. Were it to end, so would its output.
            assert "is tried again" in ana.stderr.readline()
    finally:
        if not stopped:
            service.kill()


def test_only_a_seat_takes_part(service: Service) -> None:
    game = Game(service.url)
    for token, said in ((game.token(None), "no seat"), ("nonsense", "not in force")):
        refused = here("dice", game.id, "--url", service.url, "--token", token)
        assert refused.returncode != 0
        assert said in refused.stderr
    assert game.ask("POST", "dice/commitments", None, {"end": "0" * 64, "length": 5}).status_code == 403
    assert game.ask("POST", "dice/commitments", "ana", {"end": "0" * 63, "length": 5}).status_code == 422
    assert game.ask("POST", "dice/commitments", "ana", {"end": "0" * 64, "length": 10_001}).status_code == 422
    assert (
        game.ask("POST", "dice/values", "ana", {"throw": 1, "value": "0" * 64})
        .json()["type"]
        .endswith("/throw-not-wanted")
    )
