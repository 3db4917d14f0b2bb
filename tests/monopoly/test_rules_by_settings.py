"""The rule that is cited says what holds: its text has the values of the game's settings."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.kernel.rules.register import Rule
from ledger.rulebooks.monopoly import RULEBOOKS
from ledger.rulebooks.monopoly.table.settings import Settings
from tests.monopoly.table import Table, naruto, town

_OWN = next(rulebook for rulebook in RULEBOOKS if rulebook.id == "monopoly")


def cited(table: Table, rule: str, language: str = "en") -> Rule:
    found = table.rulebook.rule(rule, language, table.state)
    assert found is not None
    return found


def test_a_table_reads_its_own_numbers_in_the_rules() -> None:
    table = town(
        mortgage_interest=[20, 100],
        full_group_factor=3,
        jail_turns=2,
        building_resale=[3, 4],
        houses_per_hotel=1,
        jail_fine=75,
    )
    assert "its value and 20% more" in cited(table, "own:mortgage.4").requires
    assert "sa valeur et 20\N{NO-BREAK SPACE}% de plus" in cited(table, "own:mortgage.4", "fr").requires
    assert "without houses is tripled" in cited(table, "own:rent.5").requires
    assert "in each of two turns" in cited(table, "own:jail.6").requires
    assert "at 75% of the printed price" in cited(table, "own:sell.1").requires
    assert cited(table, "own:build.5").requires == "A street has one house at most."
    assert cited(table, "own:build.5", "fr").requires == "Une rue a une maison au plus."
    assert "the fine of 75 Sh" in cited(table, "own:jail.4").requires


def test_a_table_reads_its_own_customs_in_the_rules() -> None:
    table = town(auctions=False, rents_in_jail=False, doubles_to_jail=0, rounds=12)
    assert cited(table, "own:buy.2").requires.endswith("it then stays with the bank.")
    assert cited(table, "own:rent.1").requires.endswith("An owner in prison draws none.")
    assert "never send to prison" in cited(table, "own:turn.6").requires
    assert cited(table, "own:end.2").requires.endswith("This table plays 12 rounds.")
    assert cited(town(), "own:turn.6").requires.startswith("The third double in a row")


def test_without_a_game_the_rules_say_the_defaults() -> None:
    """The register of the rulebook, for who reads before a game."""
    rule = _OWN.rule("own:mortgage.4", "en")
    assert rule is not None
    assert "10% more" in rule.requires
    assert _OWN.rule("own:nothing.1", "en") is None


def _values() -> list[dict[str, Any]]:
    """Settings far from the defaults, several at a time."""
    flags = {
        name: not value for name, value in msgspec.structs.asdict(Settings()).items() if isinstance(value, bool)
    }
    numbers: dict[str, Any] = {"doubles_to_jail": 10, "jail_turns": 10, "houses_per_hotel": 1, "salary_on_stop": 0}
    parts = {"building_resale": (1, 3), "mortgage_interest": (1, 3), "interest_rounding": "down"}
    return [
        flags,
        numbers,
        {**flags, **numbers, **parts},
        {"full_group_factor": 10, "rounds": 1, "play_minutes": 1},
    ]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("values", _values(), ids=["flags", "numbers", "all", "others"])
def test_every_rule_can_be_read_under_any_settings(values: dict[str, Any], language: str) -> None:
    table = town()
    table.state.settings = msgspec.structs.replace(table.state.settings, **values)
    for rule in _OWN.register.rules():
        read = cited(table, rule.id, language)
        assert "{" not in f"{read.title}{read.requires}{read.decision}", rule.id
        assert read.requires.endswith("."), rule.id


def test_every_case_names_settings_that_there_are() -> None:
    names = set(Settings.__struct_fields__)
    for language in ("en", "fr"):
        for rule in _OWN.register.rules(language):
            for case in rule.cases:
                assert {*case.when, *case.unless} <= names, rule.id
                assert case.title or case.requires or case.also or case.decision, rule.id


def test_the_rules_of_other_editions_are_as_they_are_printed() -> None:
    table = naruto(jail_fine=75)
    for rule in table.rulebook.register.rules():
        assert table.rulebook.rule(rule.id, "en", table.state) is rule
