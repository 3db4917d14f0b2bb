"""`mabligop play`: recorded games on a running service."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command.service import SHORT, Service, here
from tests.tables.keys import key_of

pytestmark = pytest.mark.xdist_group("command")


def altered(path: Path, find: str, **fields: Any) -> int:
    """Write the short game with changed fields in the first line with a text. Returns the line's number."""
    lines = SHORT.read_text(encoding="utf-8").splitlines()
    number = next(number for number, text in enumerate(lines, start=1) if find in text)
    lines[number - 1] = json.dumps(json.loads(lines[number - 1]) | fields)
    path.write_text("\n".join(lines), encoding="utf-8")
    return number


def test_a_game_that_comes_out_as_recorded(service: Service) -> None:
    played = here("play", SHORT, "--url", service.url, "--key", key_of("an evening"))
    assert (played.returncode, played.stderr) == (0, "")
    assert played.stdout.endswith("Played as recorded: 16 actions, 3 refusals.\n")
    shown = dict(line.split() for line in played.stdout.splitlines()[:5])
    assert list(shown) == ["game", "banker", "ana", "bob", "spectator"]
    with service.client(shown["spectator"]) as client:
        summary = client.get(f"/api/v1/games/{shown['game']}").raise_for_status().json()
        assert (summary["status"], summary["winners"]) == ("ended", ["bob"])
    assert f"{service.url}/api/v1/games/{shown['game']}/state" in played.stdout

    again = here("play", SHORT, "--url", service.url, "--key", key_of("an evening"))
    assert again.returncode == 0
    assert again.stdout.splitlines()[:5] == played.stdout.splitlines()[:5]


def test_a_wrong_expectation(service: Service, tmp_path: Path) -> None:
    number = altered(tmp_path / "wrong.jsonl", '"owners"', check={"positions": {"ana": 4}})
    different = here("play", tmp_path / "wrong.jsonl", "--url", service.url)
    assert different.returncode == 7
    assert f"line {number}: expected position of ana = 4; came position of ana = 3" in different.stderr


def test_a_refusal_that_does_not_come(service: Service, tmp_path: Path) -> None:
    number = altered(tmp_path / "wrong.jsonl", '"resolve_square"', refused={"status": 409})
    different = here("play", tmp_path / "wrong.jsonl", "--url", service.url)
    assert different.returncode == 7
    assert f"line {number}: expected a refusal with 409" in different.stderr


def test_a_file_that_makes_no_sense(service: Service, tmp_path: Path) -> None:
    altered(tmp_path / "wrong.jsonl", '"resolve_square"', by="cleo")
    refused = here("play", tmp_path / "wrong.jsonl", "--url", service.url)
    assert refused.returncode == 2
    assert "wrong.jsonl, line 18: by is a seat of this game or banker, not 'cleo'" in refused.stderr
    (tmp_path / "wrong.jsonl").write_bytes(b"\xff")
    assert here("play", tmp_path / "wrong.jsonl", "--url", service.url).returncode == 2
    assert here("play", tmp_path / "absent.jsonl", "--url", service.url).returncode == 2


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "http://no.such.host.invalid", "nonsense"])
def test_nobody_there(url: str) -> None:
    refused = here("play", SHORT, "--url", url)
    assert refused.returncode == 6
    assert url in refused.stderr
    assert "Traceback" not in refused.stderr


# Up to an action, and forks -----------------------------------------------------------------------------


def shown(told: str) -> dict[str, str]:
    """The game and its tokens, as they are printed."""
    return dict(line.split() for line in told.splitlines()[:5])


def glance(service: Service, game: dict[str, str]) -> dict[str, Any]:
    """The game's summary, as its banker reads it."""
    with service.client(game["banker"]) as client:
        summary: dict[str, Any] = client.get(f"/api/v1/games/{game['game']}").raise_for_status().json()
        return summary


def test_a_recorded_game_up_to_an_action(service: Service) -> None:
    """The same key then plays the rest of the game."""
    begun = here("play", SHORT, "--url", service.url, "--key", key_of("half of it"), "--upto", "9")
    assert (begun.returncode, begun.stderr) == (0, "")
    game = shown(begun.stdout)
    assert (glance(service, game)["version"], glance(service, game)["status"]) == (9, "play")
    whole = here("play", SHORT, "--url", service.url, "--key", key_of("half of it"))
    assert whole.returncode == 0
    assert shown(whole.stdout) == game
    assert glance(service, game)["status"] == "ended"


def test_going_on_from_a_moment_of_another_game(service: Service) -> None:
    """After the end any token of the game is enough; the fork has tokens of its own, once for one key."""
    ended = shown(here("play", SHORT, "--url", service.url).stdout)
    asked = ("play", "--from", ended["game"], "--upto", "9", "--url", service.url, "--key", key_of("what if"))
    gone_on = here(*asked, "--token", ended["spectator"])
    assert (gone_on.returncode, gone_on.stderr) == (0, "")
    assert gone_on.stdout.endswith(f"\nIt goes on from action 9 of {ended['game']}.\n")
    game = shown(gone_on.stdout)
    assert not set(game.values()) & set(ended.values())
    summary = glance(service, game)
    assert (summary["status"], summary["origin"]) == ("play", {"game": ended["game"], "action": 9})
    again = here(*asked, MABLIGOP_TOKEN=ended["banker"])
    assert shown(again.stdout) == game
    all_of_it = here("play", "--from", ended["game"], "--url", service.url, "--token", ended["banker"])
    assert glance(service, shown(all_of_it.stdout))["status"] == "ended"


def test_what_cannot_be_gone_on_from(service: Service) -> None:
    """A running game needs its banker's token; and the game and the action must exist."""
    game = shown(here("play", SHORT, "--url", service.url, "--upto", "9").stdout)
    on = ("play", "--from", game["game"], "--url", service.url)
    for options, code, said in (
        (("--token", game["ana"]), 8, "only"),
        (("--token", "no.such"), 8, "not in force"),
        (("--token", game["banker"], "--upto", "10"), 2, "the last one is 9"),
        ((), 2, f"To go on from {game['game']}, name a --token of it"),
        ((str(SHORT),), 2, "Name either a FILE to play, or with --from the game to go on from"),
    ):
        refused = here(*on, *options)
        assert (refused.returncode, refused.stdout) == (code, ""), refused.stderr
        assert said in refused.stderr
    assert here("play", "--url", service.url).returncode == 2
    nobody = here("play", "--from", game["game"], "--token", game["banker"], "--url", "http://127.0.0.1:1")
    assert nobody.returncode == 6
