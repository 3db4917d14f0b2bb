"""The demo of a running service: what the terminal says of it, and that its evening is a game like any other."""

import shlex
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.command.running.welcoming import welcome
from replays import demo
from tests.command.service import Service, here
from tests.harness.recorded import play

pytestmark = pytest.mark.xdist_group("command")

MOST_LINES = 12


def take(client: httpx.Client, name: str, role: str, **seat: str) -> dict[str, Any]:
    """Take a seat of the demo."""
    taken = client.post("/api/v1/demo/seats", json={"name": name, "role": role, **seat})
    joined: dict[str, Any] = taken.raise_for_status().json()
    return joined


def test_the_terminal_says_what_one_needs(service: Service, capfd: pytest.CaptureFixture[str]) -> None:
    """Where to open it, how phones come in, how it ends, and no token; the demo is laid already."""
    with service.client() as client:
        laid = client.get("/api/v1/demo").json()
    welcome(service.url, demonstrated=True)
    said = capfd.readouterr().out
    assert len(said.splitlines()) <= MOST_LINES
    assert f"Open {service.url}/ in a browser to be the banker of an evening under way." in said
    assert "--host 0.0.0.0" in said
    assert "Ctrl-C ends it" in said
    assert "▀▀▀▀▀" not in said
    with service.client() as client:
        assert client.get("/api/v1/demo").json() == laid


def test_where_phones_reach_it_a_camera_reads_the_address(
    service: Service, capfd: pytest.CaptureFixture[str]
) -> None:
    welcome(service.url, demonstrated=True, public="http://192.0.2.7:8000")
    said = capfd.readouterr().out
    assert "Phones of this network open the same address:" in said
    assert said.count("▀▀▀▀▀") >= 1


def test_tokens_for_programs(service: Service) -> None:
    """With a line to paste. Tokens that were taken before stay in force."""
    said = [here("demo", "--tokens", "--url", service.url).stdout.splitlines() for _ in range(2)]
    for lines in said:
        shown = dict(line.split() for line in lines[3:9])
        assert list(shown) == ["game", "banker", "ana", "bruno", "chloe", "driss", "spectator"][:6]
        pasted = shlex.split(lines[-1])
        name, _, value = pasted[2].partition(": ")
        state = httpx.get(pasted[3], headers={name: value}, trust_env=False, timeout=300).raise_for_status().json()
        assert (state["status"], state["round"]) == ("play", 9)
    assert here("demo", "--url", service.url).stdout.splitlines() == said[0][:2]


def test_the_evening_comes_out_as_a_service_plays_it(service: Service) -> None:
    """Over the API, with every check of the file: the same accounts, in the same places."""
    with service.client() as client:
        played = play(demo.lines("evening"), client)
        evening = client.get("/api/v1/demo").json()["games"][0]["game"]
        assert client.post("/api/v1/demo", json={"again": evening}).is_success
        laid = take(client, "evening", "banker")
        states = [
            client.get(f"/api/v1/games/{game}/state", headers={"Authorization": f"Bearer {token}"}).json()
            for game, token in ((played.game, played.tokens["banker"]), (laid["game"], laid["token"]))
        ]
    for member in ("accounts", "positions", "round", "version", "status"):
        assert states[0].get(member) == states[1].get(member), member
    assert states[0]["version"] == 182


@pytest.mark.parametrize("name", demo.NAMES)
def test_a_game_of_the_demo_verifies_forks_and_is_imported_elsewhere(
    service: Service, tmp_path: Path, name: str, served: str
) -> None:
    """Nobody can tell its journal from one that was played."""
    with service.client() as client:
        taken = take(client, name, "banker")
        client.headers["Authorization"] = f"Bearer {taken['token']}"
        journal = client.get(f"/api/v1/games/{taken['game']}/export", params={"format": "jsonl"})
        (tmp_path / "journal.jsonl").write_bytes(journal.raise_for_status().content)
        forked = client.post(
            "/api/v1/games", json={"from": {"game": taken["game"], "action": 120, "token": taken["token"]}}
        )
        assert forked.status_code == 201
    verified = here("verify", "--decide", taken["game"], DATABASE_URL=served)
    assert (verified.returncode, verified.stderr) == (0, "")
    assert "1 game and" in verified.stdout
    there = here("import", tmp_path / "journal.jsonl", DATABASE_URL=served)
    assert there.returncode == 9
    assert f"There is a game {taken['game']} already" in there.stderr


def test_a_restart_finds_the_evening_as_it_was(service: Service, served: str) -> None:
    """Also what was played in it."""
    with service.client() as client:
        before = client.get("/api/v1/demo").json()
    again = Service(DATABASE_URL=served)
    try:
        again.wait_for(r"`(mabligop demo --tokens)`")
        with again.client() as client:
            assert client.get("/api/v1/demo").json() == before
    finally:
        assert again.stop() == 0
