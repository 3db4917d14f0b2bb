"""`mabligop simulate`: bots play, the command reports the outcomes, and stores the games if asked."""

import json
import re
from pathlib import Path

import pytest

from api.command.edition.starting import start
from ledger.kernel.journal.stored import leaf
from ledger.rulebooks import rulebooks_by_id
from ledger.rulebooks.negopoly import RULEBOOK
from replays.keeping import sealed_journal
from replays.simulation import Series, game_of, outcomes, report_of
from tests.boards import FOLDER
from tests.command.service import Service, here

pytestmark = pytest.mark.xdist_group("command")

SHORT = ("simulate", "negopoly", "--games", "2", "--players", "3", "--seed", "70", "--set", "max_rounds=3")
SERIES = Series(
    rulebook="negopoly",
    games=2,
    players=3,
    seed=70,
    strategies=tuple(name for name in RULEBOOK.simulation.strategies if name != "banker"),
    settings={"max_rounds": 3},
)


@pytest.fixture(scope="module")
def database_url(served: str) -> str:
    """The database of the service."""
    return served


def test_the_report_tells_lengths_winners_wealth_and_how_often_each_rule_applied() -> None:
    played = here(*SHORT, "--processes", "1")
    assert played.returncode == 0, played.stderr
    told = played.stdout
    assert told.startswith("2 games, 2 of them played to their end\nactions: ")
    assert re.search(r"^journals: [0-9a-f]{64}$", told, re.MULTILINE)
    assert re.search(r"won by:\n( +(plain|random) +[1-9]\n)+", told)
    assert re.search(r"plain +worth -?\d+ to -?\d+, median -?\d+", told)
    for table in ("rules applied", "actions", "events"):
        assert re.search(rf"^{table}:\n( +\S+ +\d+\n){{12}}  … and \d+ more \(--all\)$", told, re.MULTILINE)
    assert "never happened: " in told
    assert "MADE OR LOST" not in told
    assert here(*SHORT, "--processes", "2").stdout == told, "the same seed gives the same games"


def test_the_report_says_which_settings_were_played() -> None:
    """Shares of victory and wealth have intervals, by strategy and by place in the order of play."""
    told = here(*SHORT, "--processes", "1").stdout
    assert "\ntables: the default settings, with max_rounds=3\n" in told
    assert re.search(r"^max_rounds=3 +2 +2 +\d+ to \d+, median \d+ +\d+ to \d+$", told, re.MULTILINE)
    interval = r"\d+\.\d to \d+\.\d"
    for table, names in (("strategies", ("plain", "random")), ("places in the order of play", ("1", "2", "3"))):
        assert re.search(rf"^{table} +seats +won +% +95 % +worth at the end", told, re.MULTILINE)
        for name in names:
            assert re.search(rf"^{name} +\d+ +\d+ +\d+\.\d +{interval} +-?\d", told, re.MULTILINE), name
    varied = here(*SHORT, "--tables", "varied", "--json", "--processes", "1")
    report = json.loads(varied.stdout)
    assert report["tables"] == "varied"
    assert len(report["settings"]) == 2
    assert all(one["settings"]["max_rounds"] == 3 for one in report["settings"])


def test_the_report_as_json_and_one_strategy_alone() -> None:
    played = here(*SHORT, "--strategy", "random", "--json", "--processes", "1")
    report = json.loads(played.stdout)
    assert (report["games"], report["ended"], report["unbalanced"]) == (2, 2, [])
    assert set(report["wins"]) == set(report["wealth"]) == {"random"}
    assert report["action_kinds"]["create_game"] == 2
    assert set(report["rules"]) > {"II.A.1", "III.1"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("simulate", "chess"), f"there is no rulebook 'chess'; there are: {', '.join(rulebooks_by_id())}"),
        (
            ("simulate", "negopoly", "--strategy", "wise"),
            "negopoly has no strategy wise; there are: random, plain",
        ),
        (("simulate", "negopoly", "--players", "1"), "Negopoly is played by 2 to 8 players, not 1"),
        (
            ("simulate", "negopoly", "--set", "luck=7"),
            "These games cannot be played: Object contains unknown field",
        ),
        (("simulate", "negopoly", "--set", "luck"), "'luck' sets nothing: a setting is given as NAME=VALUE"),
    ],
)
def test_what_cannot_be_played_is_refused(arguments: tuple[str, ...], told: str) -> None:
    refused = here(*arguments)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert told in refused.stderr


def test_a_stored_game_is_the_one_that_was_played_and_is_read_like_any_other(
    service: Service, database_url: str
) -> None:
    """Two games are stored once and refused a second time; the stored journals are the same, byte for byte."""
    kept = here(*SHORT, "--store", DATABASE_URL=database_url)
    assert kept.returncode == 0, kept.stderr
    tokens = dict(re.findall(r"^kept (\S+), banker's token (\S+)$", kept.stdout, re.MULTILINE))
    assert list(tokens) == [SERIES.name_of(70), SERIES.name_of(71)]
    assert f"\njournals: {report_of(SERIES, outcomes(SERIES)).journals}\n" in kept.stdout

    again = here(*SHORT, "--store", DATABASE_URL=database_url)
    assert again.returncode == 9
    assert f"Seed 70 has been played and kept already as {SERIES.name_of(70)}" in again.stderr

    other = here(*SHORT, "--set", "starting_balance=700", "--games", "1", "--store", DATABASE_URL=database_url)
    assert other.returncode == 0, "the same seed at another table is another game"

    for k, (game, token) in enumerate(tokens.items()):
        played = game_of(SERIES, k).game
        with service.client(token) as client:
            summary = client.get(f"/api/v1/games/{game}").raise_for_status().json()
            assert (summary["status"], summary["winners"]) == ("ended", list(played.state.winners))
            assert summary["version"] == played.state.version
            state = client.get(f"/api/v1/games/{game}/state").raise_for_status().json()
            assert state["table"]["positions"] == played.state.positions
            stored = [*sealed_journal(played.rulebook, played.journal)]
            for entry in played.journal[::10]:
                shown = client.get(f"/api/v1/games/{game}/actions/{entry.number}").raise_for_status().json()
                hashed = leaf(stored[entry.number - 1]).hex()
                assert shown["receipt"] == {"number": entry.number, "leaf": hashed, "size": entry.number}


def test_an_own_board_is_played_and_the_report_says_what_it_is_good_for(tmp_path: Path) -> None:
    """Rounds, titles that nobody wins with, and cards that nobody draws or that never change anything."""
    folder = tmp_path / "our-town"
    start(folder)
    with (folder / "pieces.toml").open("a", encoding="utf-8") as file:
        file.write('[[decks]]\nname = "Attic"\n[[cards]]\ndeck = "Attic"\ntitle = "Dust"\n')
        file.write('effects = [{ op = "receive", amount = 1 }]\n')
    many = ("--edition", str(folder), "--games", "2", "--players", "2", "--processes", "1", "--set", "rounds=30")
    played = here("simulate", *many)
    assert played.returncode == 0, played.stderr
    told = played.stdout
    assert told.startswith("2 games, 2 of them played to their end\nactions: ")
    assert re.search(r"^rounds: \d+", told, re.MULTILINE)
    assert re.search(r"^titles that nobody buys: .*", told, re.MULTILINE)
    assert re.search(r"^titles that nobody wins with: .*", told, re.MULTILINE)
    assert re.search(r"^cards that nobody draws: (.+, )?Dust", told, re.MULTILINE)
    assert re.search(r"^cards that never change anything: .+", told, re.MULTILINE)
    assert re.search(r"^titles by luck of the first owner +games +won +% +95 %$", told, re.MULTILINE)
    assert re.search(r"^cards +drawn +without an effect$", told, re.MULTILINE)
    report = json.loads(here("simulate", "monopoly", *many, "--json").stdout)
    assert 1 <= report["rounds"][0] <= report["rounds"][2] <= 30
    assert len(report["titles"]) == 14
    assert {"card": "dust", "drawn": 0, "idle": 0} in report["cards"]


def test_a_board_is_played_by_as_many_as_it_has_tokens() -> None:
    """The fun fair has four tokens; six players, the most of the rulebook, could not sit down."""
    played = here("simulate", "--edition", str(FOLDER / "junior"), "--games", "1", "--processes", "1", "--json")
    assert played.returncode == 0, played.stderr
    assert sum(strategy["seats"] for strategy in json.loads(played.stdout)["strategies"]) == 4


def test_a_board_that_is_not_fit_to_play_is_not_played(tmp_path: Path) -> None:
    folder = tmp_path / "our-town"
    start(folder)
    pieces = folder / "pieces.toml"
    pieces.write_text(pieces.read_text(encoding="utf-8").replace("price = 60", "price = -60", 1), encoding="utf-8")
    refused = here("simulate", "--edition", str(folder))
    assert refused.returncode == 2
    assert "squares/1/price: at least 0 (got -60) (1 fault: see mabligop edition check)" in refused.stderr
    other = here("simulate", "negopoly", "--edition", str(tmp_path / "our-town"))
    assert other.returncode == 2
    nothing = here("simulate")
    assert nothing.returncode == 2
    assert "Name a RULEBOOK, or a board with --edition." in nothing.stderr
