"""A scenario that names a rule must meet it: the marker is checked against what the scenario really touched."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.rules import forget, met


@pytest.fixture(autouse=True)
def rules_are_met(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test marked with a rule that no event, refusal, waiver or action in it carried."""
    forget()
    yield
    named = {rule for marker in request.node.iter_markers("rule") for rule in marker.args}
    if request.node.path.name == "test_register.py":
        return  # the register is data: nothing is played there
    missed = sorted(named - met())
    if missed:
        pytest.fail(f"the scenario names {', '.join(missed)} and never met them", pytrace=False)
