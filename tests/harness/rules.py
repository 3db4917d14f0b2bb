"""The rules that a scenario really cites. A test marked with a rule fails when nothing in it cites the rule."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

_met: set[str] = set()


def witness(*rules: str) -> None:
    """Note that these rules were cited by an event, a refusal, a waiver or the action performed."""
    _met.update(rules)


def forget() -> None:
    """Start a new scenario."""
    _met.clear()


def met() -> frozenset[str]:
    """The rules cited since the scenario started."""
    return frozenset(_met)


@pytest.fixture(autouse=True)
def rules_are_met(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test marked with a rule that no event, refusal, waiver or action in it carried.

    The tests of a game have it when their conftest imports it.
    """
    forget()
    yield
    named = {rule for marker in request.node.iter_markers("rule") for rule in marker.args}
    if request.node.path.name == "test_register.py":
        return  # Tests of the register read data: nothing is played.
    missed = sorted(named - met())
    if missed:
        pytest.fail(f"the scenario names {', '.join(missed)} and never met them", pytrace=False)
