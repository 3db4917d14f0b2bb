"""Choosing mutants: which module is changed, where, and by which operator of Cosmic Ray.

Cosmic Ray changes the text of one module at a time, and leaves the rest as its author wrote it. So a survivor is
read as the small change that a person might have made. (mutmut puts all mutants into the source at once, which
some of our tests read, and runs all tests in one process before the first one.)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from fnmatch import fnmatch
from pathlib import Path
from random import Random

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator

ROOMS = ("ledger", "api", "replays")

OPERATORS = tuple(
    f"core/{name}"
    for name in (
        "AddNot",
        "ExceptionReplacer",
        "NumberReplacer",
        "ReplaceAndWithOr",
        "ReplaceBinaryOperator_Add_Sub",
        "ReplaceBinaryOperator_BitAnd_BitOr",
        "ReplaceBinaryOperator_BitOr_BitAnd",
        "ReplaceBinaryOperator_FloorDiv_Mul",
        "ReplaceBinaryOperator_Mod_FloorDiv",
        "ReplaceBinaryOperator_Mul_Add",
        "ReplaceBinaryOperator_Sub_Add",
        "ReplaceBreakWithContinue",
        "ReplaceComparisonOperator_Eq_NotEq",
        "ReplaceComparisonOperator_GtE_Gt",
        "ReplaceComparisonOperator_Gt_GtE",
        "ReplaceComparisonOperator_IsNot_Is",
        "ReplaceComparisonOperator_Is_IsNot",
        "ReplaceComparisonOperator_LtE_Lt",
        "ReplaceComparisonOperator_Lt_LtE",
        "ReplaceComparisonOperator_NotEq_Eq",
        "ReplaceContinueWithBreak",
        "ReplaceFalseWithTrue",
        "ReplaceOrWithAnd",
        "ReplaceTrueWithFalse",
        "ReplaceUnaryOperator_Delete_Not",
        "ReplaceUnaryOperator_Delete_USub",
        "ZeroIterationForLoop",
    )
)
"""Those whose mutants run: `+` becomes `-`, and not `@`."""

Position = tuple[int, int]


@dataclass(frozen=True)
class Mutant:
    """One change of one module. `path` is the module's file in the checkout."""

    path: Path
    before: str
    after: str
    operator: str

    @property
    def room(self) -> str:
        """The room that the module is in."""
        return room_of(self.path)

    def __str__(self) -> str:
        changed = unified_diff(
            self.before.splitlines(), self.after.splitlines(), str(self.path), self.operator, lineterm="", n=1
        )
        return "\n".join(changed)


def room_of(path: Path) -> str:
    """The room of a module: "ledger/kernel", "ledger/rulebooks/negopoly"."""
    parts = path.parent.parts
    return "/".join(parts[: 3 if parts[:2] == ("ledger", "rulebooks") else 2])


def modules(checkout: Path, patterns: Sequence[str]) -> list[Path]:
    """The files of the modules whose dotted names fit one of the patterns, relative to the checkout."""
    found = [path.relative_to(checkout) for room in ROOMS for path in sorted((checkout / room).rglob("*.py"))]
    return [path for path in found if any(fnmatch(dotted(path), pattern) for pattern in patterns)]


def dotted(path: Path) -> str:
    """The name by which a module is imported."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def choose(checkout: Path, patterns: Sequence[str], number: int, seed: int) -> Iterator[Mutant]:
    """Choose mutants at random: of each room as many, and in a room of longer modules more.

    Raises ValueError when no module fits the patterns.
    """
    chance = Random(seed)
    by_room: dict[str, list[Path]] = {}
    for path in modules(checkout, patterns):
        if (checkout / path).stat().st_size:
            by_room.setdefault(room_of(path), []).append(path)
    if not by_room:
        raise ValueError(f"no module has a name like {' or '.join(patterns)}")
    rooms = sorted(by_room)
    chance.shuffle(rooms)
    chosen: set[tuple[Path, str]] = set()
    tries = 0
    while len(chosen) < number and tries < 20 * number:
        paths = by_room[rooms[tries % len(rooms)]]
        tries += 1
        [path] = chance.choices(paths, [(checkout / one).stat().st_size for one in paths])
        mutant = _mutate(checkout, path, chance)
        if mutant is not None and (path, mutant.after) not in chosen:
            chosen.add((path, mutant.after))
            yield mutant


def _mutate(checkout: Path, path: Path, chance: Random) -> Mutant | None:
    """A mutant of the module; None when it has nothing that the operators change."""
    before = (checkout / path).read_text(encoding="utf-8")
    nodes = list(ast_nodes(get_ast(before)))
    left = list(_left_alone(before))
    names = list(OPERATORS)
    chance.shuffle(names)
    for name in names:
        operator = get_operator(name)()
        positions = [start for node in nodes for start, _ in operator.mutation_positions(node)]
        places = [place for place, start in enumerate(positions) if not any(a <= start < b for a, b in left)]
        if places:
            after = mutate_code(before, operator, chance.choice(places))
            return Mutant(path, before, after, name) if after is not None and _compiles(after) else None
    return None


def _compiles(source: str) -> bool:
    """Whether it is Python still: `*` before arguments is no operator."""
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def _left_alone(source: str) -> Iterator[tuple[Position, Position]]:
    """Where types are, and how classes are built (`frozen=True`): what is run hardly depends on them."""
    for node in ast.walk(ast.parse(source)):
        found = [getattr(node, name, None) for name in ("annotation", "returns")]
        if isinstance(node, ast.ClassDef):
            found += [keyword.value for keyword in node.keywords]
        for one in found:
            if isinstance(one, ast.expr) and one.end_lineno is not None and one.end_col_offset is not None:
                yield (one.lineno, one.col_offset), (one.end_lineno, one.end_col_offset)
