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
    parts = ("tour", "board", "quarrel", "after")
    output = _said(service, f"echo\necho {_RULE}\n".join(map(_section, parts)), taken)
    return dict(zip(parts, output.split(f"{_RULE}\n"), strict=True))


def test_the_tour_does_what_it_says(story: dict[str, str]) -> None:
    """Every line of the tour is run in a shell; the last answers are those that the README describes."""
    said = f"{story['tour']}{story['board']}".splitlines()
    rolled, refused, bought, statement, created = _objects("\n".join(one for one in said if one.startswith("{")))
    assert rolled["sentence"] == "Ana rolls 1, 2. Ana moves to Black Arretxea."
    assert rolled["path"] == [{"seat": "ana", "places": ["square:1", "square:2", "square:3"]}]
    assert (refused["status"], refused["rule"]) == (409, "II.D.4")
    assert refused["rule_text"]
    assert bought["balances"]["player:ana"] == {"NGD": 1590, "title:black_arretxea": 1}
    assert [line["balance"] for line in statement["lines"] if line["commodity"] == "NGD"] == [1500, 1650, 1590]
    assert "my-board: 24 squares, 6 groups, 3 decks, 22 cards: fit to play" in said
    assert created["tokens"]["players"].keys() == {"ana", "bob"}


def test_the_quarrel_is_settled_as_it_says(story: dict[str, str], taken: Path) -> None:
    """The quarrel continues the tour.

    Ana: 1590 - 5 x 50 + 450 = 1790; with the 30 of the mortgage, without houses and rent, 1620. Bob: 1650 - 450.
    """
    disputed, refused, looked, ruled, audit, believed, why = _objects(story["quarrel"])
    assert (disputed["number"], disputed["kind"]) == (17, "open_dispute")
    assert (refused["status"], refused["type"]) == (409, "/problems/would-spread")
    assert refused["preview"] == looked["correction"]
    assert [one["number"] for one in looked["correction"]["voided"]] == [9, 10, 11, 12, 13]
    assert {one["why"]["rule"] for one in looked["correction"]["voided"]} == {"V.B.2"}
    assert [one["number"] for one in looked["correction"]["restated"]] == [16]
    holdings = looked["correction"]["holdings"]
    assert holdings["player:ana"]["NGD"] == {"before": 1790, "after": 1620}
    assert holdings["player:bob"]["NGD"] == {"before": 1200, "after": 1650}
    assert (ruled["number"], ruled["kind"], len(ruled["receipt"]["leaf"])) == (18, "rule", 64)
    (rent,) = audit["lines"]
    assert (rent["action"], rent["status"]) == (16, "restated")
    assert rent["status_text"] == "restated by ruling 18: a forgotten mortgage"
    assert believed["holdings"]["NGD"] == 1200
    assert (why["amount"], why["corrections"][0]["change"]) == (1650, 450)
    _assert_taken_away(story["after"], taken)


def _assert_taken_away(said: str, folder: Path) -> None:
    """The commands after the game: replay, fork, export, import, statistics."""
    lines = said.splitlines()
    assert re.search(r"^16 +- .*Bob.*450.* \[restated by 18\]\n +\+ .*", said, re.MULTILINE), said
    assert any(line.startswith("18.1    + ") for line in lines)
    correction = "The banker corrects the history: a forgotten mortgage."
    assert f"18        {correction} The banker rules on dispute 17: It was mortgaged" in lines
    (game,) = (file.name.removesuffix(".jsonl") for file in folder.glob("*.jsonl"))
    assert f"It goes on from action 15 of {game}." in lines
    forms = ("jsonl", "parquet.zip", "beancount")
    assert {file.name for file in folder.glob(f"{game}.*")} == {f"{game}.{form}" for form in forms}
    assert "Imported Negopoly: 18 actions, 27 events." in lines
    assert "negopoly: 1 game, 0 ended" in lines
    statistics = json.loads(lines[-1])
    assert (statistics["game"], [seat["received"] - seat["paid"] for seat in statistics["seats"]]) == (
        game,
        [1620, 1650],
    )


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
