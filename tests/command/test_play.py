"""`mabligop play`: recorded games played on a service that runs."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from api import demo
from api.command import welcome
from tests.command.service import SHORT, Service, run

pytestmark = pytest.mark.xdist_group("command")


@pytest.fixture(scope="module")
def service(database_url: str) -> Iterator[Service]:
    running = Service("--no-demo", DATABASE_URL=database_url)
    yield running
    assert running.stop() == 0


def altered(path: Path, find: str, **fields: Any) -> int:
    """Write the short game with other fields in the first line that contains a text; gives that line's number."""
    lines = SHORT.read_text(encoding="utf-8").splitlines()
    number = next(number for number, text in enumerate(lines, start=1) if find in text)
    lines[number - 1] = json.dumps(json.loads(lines[number - 1]) | fields)
    path.write_text("\n".join(lines), encoding="utf-8")
    return number


def test_a_game_that_comes_out_as_recorded(service: Service) -> None:
    played = run("play", SHORT, "--url", service.url, "--key", "an evening")
    assert (played.returncode, played.stderr) == (0, "")
    assert played.stdout.endswith("Played as recorded: 16 actions, 3 refusals.\n")
    shown = dict(line.split() for line in played.stdout.splitlines()[:5])
    assert list(shown) == ["game", "banker", "ana", "bob", "spectator"]
    with service.client(shown["spectator"]) as client:
        summary = client.get(f"/api/v1/games/{shown['game']}").raise_for_status().json()
        assert (summary["status"], summary["winners"]) == ("ended", ["bob"])
    assert f"{service.url}/api/v1/games/{shown['game']}/state" in played.stdout

    again = run("play", SHORT, "--url", service.url, "--key", "an evening")
    assert again.returncode == 0
    assert again.stdout.splitlines()[:5] == played.stdout.splitlines()[:5]


def test_a_wrong_expectation(service: Service, tmp_path: Path) -> None:
    number = altered(tmp_path / "wrong.jsonl", '"owners"', check={"positions": {"ana": 4}})
    different = run("play", tmp_path / "wrong.jsonl", "--url", service.url)
    assert different.returncode == 7
    assert f"line {number}: expected position of ana = 4; came position of ana = 3" in different.stderr


def test_a_refusal_that_does_not_come(service: Service, tmp_path: Path) -> None:
    number = altered(tmp_path / "wrong.jsonl", '"resolve_square"', refused={"status": 409})
    different = run("play", tmp_path / "wrong.jsonl", "--url", service.url)
    assert different.returncode == 7
    assert f"line {number}: expected a refusal with 409" in different.stderr


def test_a_file_that_makes_no_sense(service: Service, tmp_path: Path) -> None:
    altered(tmp_path / "wrong.jsonl", '"resolve_square"', by="cleo")
    refused = run("play", tmp_path / "wrong.jsonl", "--url", service.url)
    assert refused.returncode == 2
    assert "wrong.jsonl, line 18: by is a seat of this game or banker, not 'cleo'" in refused.stderr
    (tmp_path / "wrong.jsonl").write_bytes(b"\xff")
    assert run("play", tmp_path / "wrong.jsonl", "--url", service.url).returncode == 2
    assert run("play", tmp_path / "absent.jsonl", "--url", service.url).returncode == 2


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "http://no.such.host.invalid", "nonsense"])
def test_nobody_there(url: str) -> None:
    refused = run("play", SHORT, "--url", url)
    assert refused.returncode == 6
    assert url in refused.stderr
    assert "Traceback" not in refused.stderr


def test_the_demo_is_played_once(service: Service) -> None:
    with service.client() as client:
        first = demo.play_once(SHORT, client)
        again = demo.play_once(SHORT, client)
    assert (again.game, again.tokens) == (first.game, first.tokens)
    assert (first.replayed, again.replayed, again.ended) == (False, True, True)


def test_the_demo_is_shown_with_a_line_to_paste(service: Service, capfd: pytest.CaptureFixture[str]) -> None:
    welcome(service.url, SHORT)
    shown = capfd.readouterr().out
    assert f"Mabligop serves at {service.url}" in shown
    pasted = shlex.split(shown.splitlines()[-1])
    assert pasted[:2] == ["curl", "-H"]
    name, _, value = pasted[2].partition(": ")
    state = httpx.get(pasted[3], headers={name: value}, trust_env=False).raise_for_status().json()
    assert (state["status"], state["table"]["winners"]) == ("ended", ["bob"])
    welcome(service.url, SHORT)
    assert capfd.readouterr().out == shown


def test_a_demo_that_fails_is_said_and_no_more(
    service: Service, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    number = altered(tmp_path / "demo.jsonl", '"round"', check={"round": 9})
    welcome(service.url, tmp_path / "demo.jsonl")
    assert f"The demo game was not played: line {number}: expected round = 9" in capfd.readouterr().err


def test_a_demo_broken_off_for_too_long_gives_way_to_another(service: Service, tmp_path: Path) -> None:
    """Somebody acted in the game meanwhile, as a clock that ran out would have: the rest does not fit any more."""
    edition = tmp_path / "demo.jsonl"
    altered(edition, '"comment"', comment="Another edition is another game.")

    def interrupt(done: int, total: int) -> None:
        if done == 6:
            raise InterruptedError

    with service.client() as client:
        with pytest.raises(InterruptedError):
            demo.play_once(edition, client, interrupt)
        broken = demo.play_once(edition, _Meddling(client))  # type: ignore[arg-type]
        whole = demo.play_once(edition, client)
        assert whole.game == broken.game
        summary = client.get(
            f"/api/v1/games/{whole.game}", headers={"Authorization": f"Bearer {whole.tokens['banker']}"}
        )
        assert summary.json()["status"] == "ended"


class _Meddling:
    """A client that ends ana's turn in the first game it opens, before the playing goes on."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self._met: str | None = None

    def post(self, path: str, **request: Any) -> httpx.Response:
        answer = self._client.post(path, **request)
        if path.endswith("/games") and self._met is None:
            created = answer.raise_for_status().json()
            self._met = created["game"]
            self._client.post(
                f"{path}/{self._met}/actions",
                json={"kind": "end_turn", "params": {}, "seat": "ana", "override": {"reason": "Too late."}},
                headers={"Authorization": f"Bearer {created['tokens']['banker']}"},
            ).raise_for_status()
        return answer

    def get(self, path: str, **request: Any) -> httpx.Response:
        return self._client.get(path, **request)
