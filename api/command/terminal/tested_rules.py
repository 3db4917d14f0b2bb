"""The numbered rules named by the tests of a checkout. The test files are read, not imported or run."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from api.command.terminal.checkout import PROJECT, checkout_around

_MARKER = re.compile(rb"\bmark\s*\.\s*rule\b")
"""A pattern found in every file that names rules. Parsing all files would take seconds."""


class TestsUnreadable(Exception):  # noqa: N818 - it names a condition
    """There are no tests, or a file with rules is not Python. The message names the folder."""


def tests_folder() -> Path:
    """Return the folder `tests` of the project's checkout, around this package or around the current folder.

    Raises TestsUnreadable outside a checkout: an installed package has no tests.
    """
    module, current = Path(__file__).absolute(), Path.cwd()
    for folder in (checkout_around(module.parent), checkout_around(current)):
        if folder is not None and (folder / "tests").is_dir():
            return folder / "tests"
    raise TestsUnreadable(
        f"no checkout of {PROJECT} around {module.parent} or {current}, so there are no tests to read: "
        "name their folder with --tests"
    )


def named_rules(tests: Path, rulebook: str, rulebooks: Collection[str]) -> set[str]:
    """Return the rules of a rulebook named by `@pytest.mark.rule("…")` anywhere in the folder `tests`.

    Folders with the name of another rulebook are skipped, because two games may use equal rule numbers; so is the
    folder `example`, of rulebooks that only the tests have. Raises TestsUnreadable.
    """
    others = {*rulebooks, "example"} - {rulebook}
    files = [
        path for path in sorted(tests.rglob("*.py")) if not others.intersection(path.relative_to(tests).parts)
    ]
    if not files:
        raise TestsUnreadable(f"{tests} holds no tests to read")
    return {rule for path in files for rule in _named_in(path)}


def _named_in(path: Path) -> Iterator[str]:
    text = path.read_bytes()
    if _MARKER.search(text) is None:
        return
    try:
        tree = ast.parse(text, str(path))
    except SyntaxError as fault:
        raise TestsUnreadable(f"{path} is no Python: {fault.msg} (line {fault.lineno})") from fault
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _is_marker(node.func):
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value


def _is_marker(function: ast.expr) -> bool:
    match function:
        case ast.Attribute(attr="rule", value=ast.Attribute(attr="mark") | ast.Name(id="mark")):
            return True
        case _:
            return False
