"""The tour, the quarrel and the commands after the game, run as a reader of the READMEs would run them."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.command.service import MABLIGOP, Service, environment

_PROJECT = Path(__file__).parents[2]
_READMES = {
    "tour": _PROJECT / "README.md",
    "quarrel": _PROJECT / "README.md",
    "board": _PROJECT / "README.md",
    "after": _PROJECT / "replays" / "README.md",
}
"""Where the commands of each part of the story are written down."""

_RULE = "-" * 40

pytestmark = pytest.mark.xdist_group("command")


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the commands are run."""
    return tmp_path_factory.mktemp("readme")


@pytest.fixture(scope="module")
def story(service: Service, taken: Path) -> dict[str, str]:
    """The output of each part of the story. A reader runs them in a terminal, each after the one before."""
    with service.client() as client:
        evening = client.get("/api/v1/demo").json()["games"][0]["game"]
        assert client.post("/api/v1/demo", json={"again": evening}).is_success
    parts = ("tour", "board", "quarrel", "after")
    output = _said(service, f"echo\necho {_RULE}\n".join(map(_section, parts)), taken)
    return dict(zip(parts, output.split(f"{_RULE}\n"), strict=True))


def test_the_tour_does_what_it_says(story: dict[str, str]) -> None:
    """Every line of the tour is run in a shell; the last answers are those that the README describes."""
    said = f"{story['tour']}{story['board']}".splitlines()
    refused, rolled, paid, statement, created = _objects("\n".join(one for one in said if one.startswith("{")))
    assert (refused["status"], refused["rule"]) == (409, "II.D.4")
    assert refused["rule_text"]
    assert (rolled["number"], rolled["sentence"]) == (185, "Chloé rolls 5, 3. Chloé moves to l'Elysée.")
    assert paid["balances"]["player:chloe"] == {"NGD": 660}
    last = [line for line in statement["lines"] if line["commodity"] == "NGD"][-1]
    assert (last["rule"], last["amount"], last["balance"]) == ("I.B.6", -120, 660)
    assert "my-board: 24 squares, 6 groups, 3 decks, 22 cards: fit to play" in said
    assert created["tokens"]["players"].keys() == {"ana", "bob"}


def test_the_quarrel_is_settled_as_it_says(story: dict[str, str], taken: Path) -> None:
    """The quarrel continues the tour. Bruno: 240 + 120 = 360, and with the rent that Chloé owed him 540."""
    dispute, looked, ruled, audit, believed, why = _objects(story["quarrel"])
    assert (dispute["dispute"]["opener"], dispute["dispute"]["status"]) == ("bruno", "open")
    holdings = {"before": 360, "after": 540}
    assert dispute["prepared"]["preview"]["holdings"]["player:bruno"]["NGD"] == holdings
    assert looked["entry"]["kind"] == "rule"
    assert looked["correction"]["holdings"]["player:bruno"]["NGD"] == holdings
    assert (ruled["number"], ruled["kind"], len(ruled["receipt"]["leaf"])) == (187, "rule", 64)
    (rent,) = (line for line in audit["lines"] if line["action"] == 165)
    assert rent["status"] == "restated"
    assert rent["status_text"].startswith("played again by ruling 187: Chloé threw 3 and 1")
    assert believed["holdings"]["NGD"] == 360
    assert (why["amount"], why["corrections"][0]["change"]) == (540, 180)
    _assert_taken_away(story["after"], taken)


def _assert_taken_away(said: str, folder: Path) -> None:
    """The commands after the game: replay, fork, export, import, statistics."""
    lines = said.splitlines()
    assert re.search(
        r"^163 +- Chloé rolls 3, 5.*\[played again by 187\]\n +\+ Chloé rolls 3, 1", said, re.MULTILINE
    ), said
    (game,) = (file.name.removesuffix(".jsonl") for file in folder.glob("*.jsonl"))
    assert f"It goes on from action 162 of {game}." in lines
    forms = ("jsonl", "parquet.zip", "beancount")
    assert {file.name for file in folder.glob(f"{game}.*")} == {f"{game}.{form}" for form in forms}
    assert "Imported Tonight at Crédit Mabligop: 187 actions, 305 events." in lines
    assert "negopoly: 1 game, 0 ended" in lines
    statistics = json.loads(lines[-1])
    money = {seat["seat"]: seat["received"] - seat["paid"] for seat in statistics["seats"]}
    assert (statistics["game"], money) == (game, {"ana": 982, "bruno": 540, "chloe": 494, "driss": 934})


def _section(name: str) -> str:
    """The shell commands that a README marks with a name."""
    text = _READMES[name].read_text(encoding="utf-8")
    found = re.search(rf"<!-- {name} -->\n```sh\n(.*?)```", text, re.DOTALL)
    assert found is not None
    return found.group(1)


def _objects(said: str) -> list[dict[str, Any]]:
    """One JSON object a line."""
    return [json.loads(line) for line in said.splitlines() if line]


def _said(service: Service, commands: str, folder: Path) -> str:
    """The output of these commands in a shell next to the service."""
    ran = subprocess.run(
        ["bash", "-eu", "-c", commands.replace("http://127.0.0.1:8000", service.url)],
        cwd=folder,
        env=environment(MABLIGOP_URL=service.url, PATH=f"{MABLIGOP.parent}:{os.environ['PATH']}"),
        capture_output=True,
        text=True,
        timeout=900,
        check=True,
    )
    return ran.stdout
