"""A plugin of pytest with which a test fails that passes without an assertion.

An assertion is an `assert` in a module of the tests, an exception that `pytest.raises` waits for, or what
Playwright expects of a page. The test itself has to come to it, not what is prepared for it: a loop over nothing,
or a branch that is never taken, checks nothing. `make asserting` runs the tests with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

import pytest
from playwright.sync_api import Expect

pytest.register_assert_rewrite("tests")

evaluated = 0
"""The number of assertions that held so far in this process."""


def pytest_assertion_pass() -> None:
    """Count an `assert`. Pytest calls this where its option `enable_assertion_pass_hook` is set."""
    global evaluated
    evaluated += 1


def _counted(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, each call of which counts."""

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        pytest_assertion_pass()
        return function(*arguments, **named)

    return call


pytest.RaisesExc.__exit__ = _counted(pytest.RaisesExc.__exit__)  # type: ignore[method-assign]
Expect.__call__ = _counted(Expect.__call__)  # type: ignore[method-assign]


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Iterator[None]:
    """Fail a test that came to no assertion."""
    before = evaluated
    called = yield
    if evaluated == before:
        pytest.fail(f"{pyfuncitem.nodeid} passes without an assertion", pytrace=False)
    return called
