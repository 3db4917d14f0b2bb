"""`mabligop edition`: writing a board of one's own, checking it, printing it as JSON."""

import json
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from api.command.edition.lines import lines_of
from api.command.edition.starting import start
from api.command.main import main
from ledger.rulebooks import rulebooks_by_id
from ledger.rulebooks.monopoly.own_edition import check, options
from ledger.rulebooks.monopoly.own_edition.card_checks import OPERATIONS
from ledger.rulebooks.virtual_revolution.rulebook import RULEBOOK as VIRTUAL


def edition(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["edition", *map(str, arguments)])


@pytest.fixture
def board(tmp_path: Path) -> Path:
    """A new edition, as `edition new` writes it."""
    folder = tmp_path / "my-board"
    start(folder)
    return folder


def change(file: Path, before: str, after: str) -> int:
    """Change the first place with this text, and return its line."""
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, after, 1), encoding="utf-8")
    return text[: text.index(before)].count("\n") + 1


def test_a_new_edition_is_fit_to_play(tmp_path: Path) -> None:
    folder = tmp_path / "boards" / "mine"
    written = edition("new", folder)
    assert written.exit_code == 0, written.output
    assert sorted(one.name for one in folder.iterdir()) == ["edition.toml", "pieces.toml"]
    found = edition("check", folder)
    assert found.exit_code == 0
    assert found.stdout == f"{folder}: 24 squares, 6 groups, 3 decks, 22 cards: fit to play\n"
    assert (
        "24 cases, 6 groupes, 3 pioches, 22 cartes\u00a0: jouable"
        in edition("check", folder, "--language", "fr").stdout
    )


def test_nothing_is_overwritten(board: Path, tmp_path: Path) -> None:
    before = (board / "pieces.toml").read_bytes()
    for target in (board, board / "pieces.toml"):
        refused = edition("new", target)
        assert refused.exit_code == 2
        assert "is there already: name another folder" in refused.stderr
    assert (board / "pieces.toml").read_bytes() == before
    (tmp_path / "empty").mkdir()
    assert edition("new", tmp_path / "empty").exit_code == 0


def test_every_option_is_written_with_its_usual_value(board: Path) -> None:
    text = (board / "edition.toml").read_text(encoding="utf-8")
    shown = [line.removeprefix("# ") for line in text.splitlines() if line.startswith("# ") and " = " in line]
    assert [line.partition(" = ")[0] for line in shown] == list(options.FIELDS)
    usual = "\n".join(line for line in shown if not line.endswith("…"))
    (board / "edition.toml").write_text(f'title = "All options"\n[options]\n{usual}\n', encoding="utf-8")
    assert edition("check", board).exit_code == 0
    assert tomllib.loads(usual)["houses_per_hotel"] == 4


def test_what_is_wrong_is_told_with_file_line_and_reason(board: Path) -> None:
    pieces = board / "pieces.toml"
    price = change(pieces, "price = 60", "price = -60")
    effect = change(pieces, 'op = "prison" }]', 'op = "exile" }]')
    option = change(board / "edition.toml", "# jail_turns = 3", "jail_turns = 33")
    found = edition("check", board)
    assert found.exit_code == 1
    assert [line.partition("; ")[0] for line in found.stdout.splitlines()] == [
        f"{board}/edition.toml:{option}: options/jail_turns: at most 10 (got 33)",
        f"{pieces}:{price}: squares/1/price: at least 0 (got -60)",
        f'{pieces}:{effect}: cards/9/effects/0/op: "exile" is none of: {", ".join(OPERATIONS)}',
    ]
    assert found.stderr == "3 faults\n"
    french = edition("check", board, "--language", "fr")
    assert "au moins 0 (reçu\u00a0: -60)" in french.stdout
    assert french.stderr == "3 défauts\n"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("title = \n", ":1: it is not TOML: Invalid value"),
        ('title = "a"\ntitle = "b"\n', ":2: it is not TOML: Cannot overwrite a value"),
        ('title = "a"\n[options]\n[options]\n', ":3: it is not TOML: Cannot declare"),
        ('title = "a', ":1: it is not TOML"),
        ('title = "\x1b[2J"\n', ":1: it is not TOML: Illegal character"),
        ('title = "\\u001b[2J"\n', ":1: title: U+001B is refused"),
        ('title = "a\\u202eb"\n', ":1: title: U+202E is refused"),
        ('title = "a"\npasses = 1\n', ": passes: it is in"),
        ('title = "a"\n[options]\nquick = 1979-05-27\n', ":3: options/quick: an edition holds no date"),
        ('title = "a"\n[options]\njail_fine = nan\n', ":3: options/jail_fine: a whole number is needed, not NaN"),
        (f'title = "a"\n[options]\njail_fine = {"9" * 5000}\n', ": it is not TOML: Exceeds the limit"),
        (f'title = "a"\nx = {"[" * 5000}{"]" * 5000}\n', ": it is nested too deeply"),
        (f'title = "a"\nx = {"[" * 50}{"]" * 50}\n', ":2: x/0/0/0"),
        ("#" * 1_000_001, ": a file of an edition has at most 1000000 bytes"),
    ],
)
def test_files_that_are_no_edition(board: Path, content: str, said: str) -> None:
    (board / "edition.toml").write_text(content, encoding="utf-8")
    found = edition("check", board)
    assert found.exit_code == 1, found.output
    assert said in found.stdout
    assert "\x1b" not in found.output


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("deals = 20\nquick = true", "are more than the"),
        ('names = { moon = "Moon" }', "there is no square or group 'moon'"),
    ],
)
def test_options_with_which_no_game_begins(board: Path, option: str, said: str) -> None:
    (board / "edition.toml").write_text(f'title = "a"\n[options]\n{option}\n', encoding="utf-8")
    found = edition("check", board)
    assert found.exit_code == 1
    assert f"{board}/edition.toml:3: options/{option.partition(' ')[0]}" in found.stdout
    assert said in found.stdout


def test_a_file_that_is_no_text(board: Path) -> None:
    (board / "edition.toml").write_bytes(b'title = "a"\n# \xff\n')
    assert f"{board}/edition.toml:2: it is not UTF-8" in edition("check", board).stdout


def test_a_file_that_would_not_be_read_is_told(board: Path) -> None:
    (board / "cards\x1b.toml").write_text("", encoding="utf-8")
    found = edition("check", board)
    assert found.exit_code == 1
    assert "would not be read; the files of an edition are edition.toml, pieces.toml" in found.stdout
    assert "\x1b" not in found.output


def test_where_there_is_no_edition(tmp_path: Path) -> None:
    for command in ("check", "json"):
        missing = edition(command, tmp_path / "nowhere")
        assert (missing.exit_code, missing.stdout) == (2, "")
        assert "holds no edition" in edition(command, tmp_path).stderr


def test_json_is_the_edition_and_with_players_a_whole_request(board: Path, tmp_path: Path) -> None:
    alone = edition("json", board)
    assert alone.exit_code == 0
    document = json.loads(alone.stdout)
    assert check(document) == []
    asked = json.loads(edition("json", board, "--player", "ana", "--player", "bob=Bob B.").stdout)
    assert asked == {
        "rulebook": "monopoly",
        "players": [{"seat": "ana", "name": "Ana"}, {"seat": "bob", "name": "Bob B."}],
        "dice": "service",
        "edition": document,
    }
    assert edition("json", board, "--player", "A NA").exit_code == 2
    file = tmp_path / "board.json"
    file.write_text(alone.stdout, encoding="utf-8")
    assert f"{file}: 24 squares" in edition("check", file).stdout


def test_what_is_not_fit_to_play_is_not_printed(board: Path) -> None:
    change(board / "pieces.toml", "price = 60", "price = -60")
    refused = edition("json", board)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "squares/1/price" in refused.stderr


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"title": "a", "title": "b"}', 'an object names the member "title" twice'),
        ('{"passes": NaN}', "it is not JSON: NaN is no number of JSON"),
        ('{"title": ', "it is not JSON"),
        ("[1]", "an edition is an object"),
        ('{"passes": 1e3}', "/passes: a whole number is needed, not 1000.0"),
        ('{"title": "\\ud800"}', "/title: U+D800 is refused"),
    ],
)
def test_json_files_that_are_no_edition(tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "board.json"
    file.write_text(content, encoding="utf-8")
    found = edition("check", file)
    assert found.exit_code == 1
    assert said in found.stdout


def test_every_way_to_write_toml_has_its_lines() -> None:
    text = """\
# a comment
title = "a"
a.b."c/d" = 1

[named]
x = { y = [
  1,
  2, # two
] }

[[cards]]
id = "one"
[[cards]]
id = "two"
[[cards.effects]]
op = "pay"
[cards.title]
en = '''
many
lines'''
fr = "x"
"""
    assert lines_of(text) == {
        "/title": 2,
        "/a": 3,
        "/a/b": 3,
        "/a/b/c~1d": 3,
        "/named": 5,
        "/named/x": 6,
        "/named/x/y": 6,
        "/named/x/y/0": 7,
        "/named/x/y/1": 8,
        "/cards": 11,
        "/cards/0": 11,
        "/cards/0/id": 12,
        "/cards/1": 13,
        "/cards/1/id": 14,
        "/cards/1/effects": 15,
        "/cards/1/effects/0": 15,
        "/cards/1/effects/0/op": 16,
        "/cards/1/title": 17,
        "/cards/1/title/en": 18,
        "/cards/1/title/fr": 21,
    }


def test_an_edition_says_for_which_rulebook_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files are those of the rulebook, and any of them may be left out."""
    found = {**rulebooks_by_id(), VIRTUAL.id: VIRTUAL}
    for module in ("files", "checking"):
        monkeypatch.setattr(f"api.command.edition.{module}.rulebooks_by_id", lambda: found)
    folder = tmp_path / "our-town"
    assert edition("new", folder, "--rulebook", VIRTUAL.id).exit_code == 0
    assert 'rulebook = "virtual_revolution"' in (folder / "edition.toml").read_text(encoding="utf-8")
    told = edition("check", folder)
    assert told.exit_code == 0, told.output
    counted = "7 districts, 23 arrondissements, 33 Agents, 24 Verses, 36 Corruption cards"
    assert told.stdout == f"{folder}: {counted}: fit to play\n"
    for file in ("amounts.toml", "agents.toml", "verses.toml", "necro.toml", "objectives.toml", "boosts.toml"):
        (folder / file).unlink()
    line = change(folder / "map.toml", "adjacent = [2, 3, 4, 6, 7, 8]", "adjacent = [2, 3, 4, 6, 7]")
    told = edition("check", folder)
    assert told.exit_code == 1
    assert told.stdout.endswith("/adjacent/0: 1 is not adjacent to 8: adjacency goes both ways\n")
    assert change(folder / "map.toml", "adjacent = [2, 3, 4, 6, 7]", "adjacent = [2, 3, 4, 6, 7, 8]") == line
    body = json.loads(edition("json", folder, "--player", "ana", "--player", "bob").stdout)
    assert body["rulebook"] == VIRTUAL.id
    assert sorted(body["edition"]) == [
        "arrondissement",
        "corruption",
        "corruption_kind",
        "district",
        "options",
        "title",
    ]
    unknown = edition("new", tmp_path / "other", "--rulebook", "negopoly")
    assert unknown.exit_code == 2
    assert "takes no edition of a table" in unknown.stderr


def test_a_face_of_two_lines_is_checked_with_file_line_and_number(board: Path) -> None:
    """The commented face of a new edition is that of the house; an unreadable one is refused where it stands."""
    head = board / "edition.toml"
    text = head.read_text(encoding="utf-8")
    head.write_text("".join(f"{line.removeprefix('#')}\n" for line in text.splitlines() if line[:2] != "# "))
    assert tomllib.loads(head.read_text())["face"]["cloth"] == "#3B4A58"
    assert edition("check", board).exit_code == 0
    head.write_text('title = "Ours"\n\n[face]\ncloth = "#7A3A1D"\ncounter = "#808080"\n')
    refused = edition("check", board)
    assert refused.exit_code == 1
    assert refused.stdout == (
        f"{head}:5: face/counter: no text is readable on #808080: the contrast is 3.60 in cream and 4.41 in ink, "
        "and 4.5 is needed\n"
    )
    head.write_text('title = "Ours"\n\n[face]\ncloth = "brown"\nmark = "<i>Ours</i>"\nfont = "Papyrus"\n')
    places = [line.split(": ")[:2] for line in edition("check", board).stdout.splitlines()]
    assert places == [
        [f"{head}:{line}", f"face/{name}"] for line, name in ((4, "cloth"), (5, "mark"), (6, "font"))
    ]


def test_an_unknown_weave_is_a_warning(board: Path) -> None:
    """The edition is fit to play, and the warning names the file and the line."""
    head = board / "edition.toml"
    head.write_text('title = "Ours"\n[face]\nweave = "paisley"\n')
    warned = edition("check", board)
    assert warned.exit_code == 0
    assert warned.stderr.startswith(f'warning: {head}:3: face/weave: "paisley" is not drawn, the house\'s is')
    assert "fit to play" in warned.stdout
