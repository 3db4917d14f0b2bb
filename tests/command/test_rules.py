"""`mabligop rules`: the register, and the rules that no test names; and the help of every command."""

import re
from collections import Counter, defaultdict
from copy import copy
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import fields

from api.command.main import main
from api.command.terminal import tested_rules
from ledger.rulebooks import rulebooks_by_id
from tests.command.service import run
from tests.harness.recipes import PROJECT

READMES = {
    "negopoly": "negopoly",
    "negoces2": "negoces2",
    "virtual_revolution": "virtual_revolution",
    "monopoly_naruto": "monopoly/editions/naruto",
    "monopolys": "monopoly/editions/monopolys",
    "monopoly": "monopoly/editions/own",
}

TESTS = '''
import pytest
from pytest import mark

@pytest.mark.rule("V.A.1", "V.A.2")
def test_one(): ...

@mark.rule("I.B.1")
class TestMore:
    @pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.rule("I.B.2"))])
    def test_two(self, x): ...

"""A text that names @pytest.mark.rule("I.B.3") names nothing."""
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "negopoly").mkdir()
    (tmp_path / "negopoly" / "test_some.py").write_text(TESTS)
    return tmp_path


def rules(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["rules", *map(str, arguments)])


def ids(result: Result) -> list[str]:
    return [line.split()[0] for line in result.stdout.splitlines()]


def test_the_rulebooks_are_listed_with_their_number_of_rules() -> None:
    listed = rules()
    assert listed.exit_code == 0
    lines = [line.split() for line in listed.stdout.splitlines()]
    assert {line[0]: line[-2:] for line in lines} == {
        name: [str(len(rulebook.register)), "rules"] for name, rulebook in rulebooks_by_id().items()
    }


def test_the_rules_are_listed_in_the_order_of_the_document() -> None:
    listed = rules("negopoly")
    assert listed.exit_code == 0
    assert ids(listed) == [rule.id for rule in rulebooks_by_id()["negopoly"].register.rules()]
    title = next(line for line in listed.stdout.splitlines() if line.startswith("V.A.1 ")).split(maxsplit=1)[1]
    assert title == rulebooks_by_id()["negopoly"].register.get("V.A.1").title  # type: ignore[union-attr]


def test_the_titles_are_in_french_when_asked_for() -> None:
    english, french = rules("negopoly"), rules("negopoly", "--language", "fr")
    assert ids(english) == ids(french)
    assert french.stdout.splitlines()[0].endswith(next(rulebooks_by_id()["negopoly"].register.rules("fr")).title)
    assert english.stdout != french.stdout


def test_the_refusals_stand_at_the_rule_that_they_cite() -> None:
    english, french = rules("negoces2", "--refusals"), rules("negoces2", "--refusals", "--language", "fr")
    lines = english.stdout.splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("negoces2:auction.3  Clockwise"))
    assert "out of turn is refused" in lines[start]
    assert lines[start + 1].startswith("  - it is {seat:seat}'s turn to bid already (auction.py:")
    assert lines[start + 2].startswith("  - it is {turn:seat}'s turn to bid, not {seat:seat}'s (auction.py:")
    assert len(french.stdout.splitlines()) == len(lines)
    assert "  - c'est déjà à {seat:seat} d'annoncer" in french.stdout


@pytest.mark.parametrize(("rulebook", "folder"), READMES.items())
def test_the_readme_of_a_rulebook_has_its_decisions(rulebook: str, folder: str) -> None:
    """Write it anew with: mabligop rules RULEBOOK --decisions > ledger/rulebooks/FOLDER/README.md."""
    readme = PROJECT / "ledger" / "rulebooks" / folder / "README.md"
    assert rules(rulebook, "--decisions").stdout == readme.read_text(encoding="utf-8")


def test_every_setting_is_named_by_the_decision_that_it_changes() -> None:
    """The editions of one engine share the settings. A setting named by a decision exists."""
    named, settings = defaultdict(set), {}
    for rulebook in rulebooks_by_id().values():
        settings[rulebook.engine] = {field.name for field in fields(rulebook.settings)} - {"reveal_at_end"}
        for rule in rulebook.register.rules():
            named[rulebook.engine].update(rulebook.settings_for(rule.id))
            for text in re.findall(r"[Ss]ettings?\b[^.;:)]*", rule.decision):
                assert set(re.findall(r"\w+_\w+", text)) <= settings[rulebook.engine] | {"reveal_at_end"}, rule.id
    assert [names - named[engine] for engine, names in settings.items()] == [set()] * len(settings)


def test_uncovered_are_those_that_no_marker_names(folder: Path) -> None:
    listed = rules("negopoly", "--uncovered", "--tests", folder)
    assert listed.exit_code == 0
    named = {"V.A.1", "V.A.2", "I.B.1", "I.B.2"}
    assert ids(listed) == [
        rule.id for rule in rulebooks_by_id()["negopoly"].register.rules() if rule.id not in named
    ]
    total = len(rulebooks_by_id()["negopoly"].register)
    assert f"{total - 4} of {total} rules are named by no test" in listed.stderr


def test_uncited_are_those_without_an_event_or_a_refusal(folder: Path) -> None:
    """One game of bots: nothing cites that advice binds nobody; events or refusals cite the other two."""
    (folder / "test_other.py").write_text("")
    listed = rules("negoces2", "--uncovered", "--games", "1", "--tests", folder)
    assert listed.exit_code == 0
    twice = Counter(ids(listed))
    assert {rule: twice[rule] for rule in ("negoces2:banker.1", "negoces2:sale.15", "negoces2:sale.16")} == {
        "negoces2:banker.1": 2,
        "negoces2:sale.15": 1,
        "negoces2:sale.16": 1,
    }
    assert f"{sum(count == 2 for count in twice.values())} of 81 rules are cited by no event" in listed.stderr


def test_tests_of_another_rulebook_do_not_count(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    another = copy(rulebooks_by_id()["negopoly"])
    another.id = another.engine = "negoces2"
    both = rulebooks_by_id() | {"negoces2": another}
    monkeypatch.setattr("ledger.rulebooks.rulebooks_by_id", lambda: both)
    (folder / "negoces2").mkdir()
    (folder / "negoces2" / "test_other.py").write_text('import pytest\npytestmark = pytest.mark.rule("II.1")\n')
    assert "II.1" in ids(rules("negopoly", "--uncovered", "--tests", folder))
    other = ids(rules("negoces2", "--uncovered", "--tests", folder))
    assert "II.1" not in other
    assert "V.A.1" in other


def test_tests_of_another_edition_of_the_engine_count(folder: Path) -> None:
    (folder / "monopoly").mkdir()
    test = 'import pytest\npytestmark = pytest.mark.rule("monopolys:rent.1", "naruto:rent.1")\n'
    (folder / "monopoly" / "test_rents.py").write_text(test)
    assert "monopolys:rent.1" not in ids(rules("monopolys", "--uncovered", "--tests", folder))
    assert "naruto:rent.1" not in ids(rules("monopoly_naruto", "--uncovered", "--tests", folder))


def test_rulebooks_of_the_tests_do_not_count(folder: Path) -> None:
    (folder / "example").mkdir()
    (folder / "example" / "test_bazaar.py").write_text(
        'import pytest\npytestmark = pytest.mark.rule("bazaar:lot.1")\n'
    )
    assert "bazaar" not in rules("monopoly", "--uncovered", "--tests", folder).stderr


def test_a_marker_that_names_no_rule_is_told(folder: Path) -> None:
    (folder / "test_typo.py").write_text('import pytest\npytestmark = pytest.mark.rule("V.Z.9")\n')
    listed = rules("negopoly", "--uncovered", "--tests", folder)
    assert listed.exit_code == 0
    assert "V.Z.9" in listed.stderr
    assert "V.Z.9" not in listed.stdout


def test_the_checkout_is_found_around_the_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert tested_rules.tests_folder() == Path(__file__).absolute().parents[1]


def test_without_tests_to_read_that_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    empty = rules("negopoly", "--uncovered", "--tests", tmp_path)
    assert empty.exit_code == 2
    assert "holds no tests to read" in empty.stderr
    (tmp_path / "test_broken.py").write_text("@pytest.mark.rule(")
    broken = rules("negopoly", "--uncovered", "--tests", tmp_path)
    assert broken.exit_code == 2
    assert "test_broken.py" in broken.stderr
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "api.command.terminal.tested_rules.__file__", str(tmp_path / "site-packages" / "api" / "tested_rules.py")
    )
    installed = rules("negopoly", "--uncovered")
    assert installed.exit_code == 2
    assert "name their folder with --tests" in installed.stderr


def test_an_unknown_rulebook_is_refused_with_those_there_are() -> None:
    refused = rules("ludo")
    assert refused.exit_code == 2
    assert "negopoly" in refused.stderr


@pytest.mark.parametrize("command", ["serve", "migrate", "play", "rules"])
def test_every_command_explains_itself(command: str) -> None:
    shown = CliRunner().invoke(main, [command, "--help"])
    assert shown.exit_code == 0
    for words in (f"Usage: main {command}", "Exit codes:", "  2  wrong usage"):
        assert words in shown.stdout
    assert command in CliRunner().invoke(main, ["--help"]).stdout


def test_wrong_usage_is_two() -> None:
    assert run("serve", "--port", "eighty").returncode == 2
    assert run("dance").returncode == 2
    assert run("--version").stdout.startswith("mabligop ")
