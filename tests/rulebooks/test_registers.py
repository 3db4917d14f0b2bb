"""Every register names the actions of its game, and every action of a game carries a rule of its register."""

import re
from typing import Any

import pytest

from ledger.kernel.rules.register import Register
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks import rulebooks_by_id
from tests.example import RULEBOOKS as EXAMPLES

every_rulebook = pytest.mark.parametrize(
    "rulebook", [*rulebooks_by_id().values(), *EXAMPLES], ids=lambda one: one.id
)


@every_rulebook
def test_every_rule_is_carried_by_actions_of_its_game(rulebook: Rulebook[Any]) -> None:
    for rule in rulebook.register.rules():
        assert bool(rule.actions) != rule.retired, f"no action carries {rule.id}, or it is retired"
        strangers = set(rule.actions) - set(rulebook.actions)
        assert not strangers, f"{rule.id} names actions that do not exist: {strangers}"


@every_rulebook
def test_a_rule_names_its_actions_once_and_in_the_order_of_the_game(rulebook: Rulebook[Any]) -> None:
    for rule in rulebook.register.rules():
        assert rule.actions == tuple(kind for kind in rulebook.actions if kind in rule.actions), rule.id


@every_rulebook
def test_every_action_carries_a_rule(rulebook: Rulebook[Any]) -> None:
    for kind in rulebook.actions:
        assert rulebook.register.rules_of(kind), f"{kind} carries no rule"


@every_rulebook
def test_what_an_action_carries_is_read_in_the_order_of_the_document(rulebook: Rulebook[Any]) -> None:
    for kind in rulebook.actions:
        carrying = [rule.id for rule in rulebook.register.rules() if kind in rule.actions]
        assert rulebook.register.rules_of(kind) == tuple(carrying)
    assert rulebook.register.rules_of("no_such_action") == ()


@every_rulebook
def test_a_rule_is_written_for_people(rulebook: Rulebook[Any]) -> None:
    """Refusals show the text of a rule: no account in it is named by its id."""
    rules = [(language, rule) for language in ("en", "fr") for rule in rulebook.register.rules(language)]
    texts = [rulebook.worded(rule, language).requires for language, rule in rules]
    assert [text for text in texts if re.search(r"\b[a-z_]+:[a-z]", text)] == []


@every_rulebook
def test_a_rule_rests_on_few_others_of_its_register(rulebook: Rulebook[Any]) -> None:
    for rule in rulebook.register.rules():
        assert len(rule.rests_on) <= 4, rule.id
        assert len({rule.id, *rule.rests_on}) == 1 + len(rule.rests_on), rule.id
        assert all(other in rulebook.register for other in rule.rests_on), rule.id
        assert rulebook.register.grounds(rule.id) == (rule.id, *rule.rests_on)
    assert rulebook.register.grounds("no such rule") == ("no such rule",)


@every_rulebook
def test_the_rules_that_a_game_names_are_in_its_register(rulebook: Rulebook[Any]) -> None:
    named = {
        rulebook.governance.correction_rule,
        rulebook.governance.dispute_rule,
        rulebook.governance.ruling_rule,
        rulebook.governance.privacy_rule,
        rulebook.governance.end_rule,
        *(action.final for action in rulebook.actions.values() if action.final is not None),
    }
    assert not {rule for rule in named if rule not in rulebook.register}


def test_a_retired_rule_stays_in_the_register() -> None:
    words = (
        'id = "1.1"\ntitle = "…"\nrequires = "…"\ncategory = "toy"\nactions = []\ndecision = ""\nretired = true\n'
    )
    register = Register.read(f'[[rule]]\n{words}fr.title = "…"\nfr.requires = "…"\n')
    assert [(rule.id, rule.retired) for rule in register.rules()] == [("1.1", True)]


@pytest.mark.parametrize("rulebook", rulebooks_by_id().values(), ids=lambda one: one.id)
def test_the_rows_of_revisions_name_actions_of_the_game(rulebook: Rulebook[Any]) -> None:
    editions = [book for book in rulebooks_by_id().values() if book.engine == rulebook.engine]
    kinds = {kind for row in rulebook.revisions for kind in row.kinds}
    assert not kinds - {kind for edition in editions for kind in edition.actions}
    assert rulebook.revisions, f"{rulebook.id} reads no revisions.toml"
