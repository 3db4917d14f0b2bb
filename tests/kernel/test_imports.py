"""The files of the kernel form layers, and its README names each of its rooms."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import ledger.kernel

KERNEL = Path(ledger.kernel.__file__).parent


def module_name(path: Path) -> str:
    """The dotted name of a module of the kernel; that of its folder for an `__init__.py`."""
    parts = ("ledger", "kernel", *path.relative_to(KERNEL).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(KERNEL.rglob("*.py"))}


def imports_of(path: Path) -> Iterator[str]:
    """The modules of the kernel that a file imports, those imported only to check types included."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            for name in node.names:
                module = f"{node.module}.{name.name}"
                yield module if module in MODULES else node.module


def test_no_module_of_the_kernel_imports_what_imports_it() -> None:
    imported = {name: set(imports_of(path)) for name, path in MODULES.items()}
    assert "ledger.kernel.rules.actions" in imported["ledger.kernel.deciding.decision"]
    order = list(TopologicalSorter(imported).static_order())  # Raises CycleError, which names the cycle.
    assert set(order) == set(MODULES)
    assert order.index("ledger.kernel.facts.state") < order.index("ledger.kernel.rules.rulebook")


def test_the_readme_names_every_room_in_the_order_of_imports() -> None:
    rows = [line for line in (KERNEL / "README.md").read_text().splitlines() if line.startswith("| `")]
    rooms = re.findall(r"^\| `([a-z_]+)/`", "\n".join(rows), re.MULTILINE)
    assert sorted(rooms) == sorted(path.parent.name for path in KERNEL.glob("*/__init__.py"))
    place = {room: index for index, room in enumerate(rooms)}
    for name, path in MODULES.items():
        for imported in imports_of(path):
            here, there = name.split(".")[2:3], imported.split(".")[2:3]
            assert not here or not there or place[there[0]] <= place[here[0]], (name, imported)
