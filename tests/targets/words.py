"""Counts of words that make a code base hard to read. The counts may only fall.

`python -m tests.targets.words` prints the counts, and writes those that fell to `words.toml`.

Three things are counted. *Pronouns* are a share of the words of docstrings, text in backticks left out: a pronoun
sends its reader back for a noun. *Riddles* are docstrings of functions that begin with what, who, whether or how:
a verb says more. *Vague names* are names such as `found` or `told`, where they are read far from their birth. A
comprehension or a loop of two lines is near enough.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.targets.makefile import CHECKOUT

CEILINGS = Path(__file__).with_name("words.toml")
ROOMS = ("ledger", "api", "replays", "migrations")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PRONOUNS = _words(
    """it its that this these those what which who whom whose one ones them they their he she others other such
    same there where"""
)
_RIDDLES = _words("what who whether how where which when why")
_VAGUE = _words(
    """one found other place held told left here what kept given taken made said asked wanted now before after
    known more most own all_ shown seen then rest"""
)
_NEAR = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.For)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DECLARED = re.compile(r"\b(?:const|let|var|function|class)\s+([A-Za-z_]\w*)")


def count_python(source: str) -> Counter[str]:
    """Count the words, pronouns, riddles and vague names of a file."""
    counts: Counter[str] = Counter()
    tree = ast.parse(source)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.Module)):
            words = re.findall(r"[a-z']+", re.sub(r"`+[^`]*`+", "", ast.get_docstring(node) or "").lower())
            counts["words"] += len(words)
            counts["pronouns"] += sum(word in _PRONOUNS for word in words)
            counts["riddles"] += isinstance(node, _FUNCTIONS) and bool(words) and words[0] in _RIDDLES
        counts["vague"] += any(name.strip("_") in _VAGUE for name in _born(node)) and not _is_near(node, parents)
    return counts


def _born(node: ast.AST) -> Iterator[str]:
    """Yield the name that a node gives, if any."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.arg(arg=name):
            yield name
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
            yield name


def _is_near(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Return True for a name of a comprehension or loop of at most two lines."""
    while node in parents and not isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.stmt)):
        node = parents[node]
        if isinstance(node, _NEAR):
            return (node.end_lineno or 0) - node.lineno <= 1
    return False


def count_script(source: str) -> Counter[str]:
    """Count the vague names that a file in TypeScript or Svelte declares."""
    return Counter(vague=sum(name in _VAGUE for name in _DECLARED.findall(re.sub(r"//.*", "", source))))


def counts_of(checkout: Path) -> dict[str, int]:
    """Count the checkout: pronouns in 1,000 words, riddles, and vague names by language."""
    python: Counter[str] = Counter()
    for room in ROOMS:
        for path in (checkout / room).rglob("*.py"):
            if "node_modules" not in path.parts and "versions" not in path.parts:
                python += count_python(path.read_text(encoding="utf-8"))
    scripts: Counter[str] = Counter()
    for path in (checkout / "api" / "console" / "src").rglob("*"):
        if path.suffix in {".ts", ".svelte"} and not path.name.endswith((".test.ts", ".d.ts")):
            scripts += count_script(path.read_text(encoding="utf-8"))
    return {
        "pronouns_in_1000_words": -(-1000 * python["pronouns"] // python["words"]),
        "riddles": python["riddles"],
        "vague_names_in_python": python["vague"],
        "vague_names_in_the_console": scripts["vague"],
    }


def ceilings() -> dict[str, int]:
    """Return the highest counts allowed."""
    return tomllib.loads(CEILINGS.read_text(encoding="utf-8"))


def main() -> int:
    """Print the counts, and keep those that fell. Returns the exit code."""
    allowed, counts = ceilings(), counts_of(CHECKOUT)
    for name, count in counts.items():
        sys.stdout.write(f"{name}: {count} (at most {allowed[name]})\n")
    lines = (f"{name} = {min(count, allowed[name])}\n" for name, count in counts.items())
    CEILINGS.write_text("".join(lines), encoding="utf-8")
    return int(any(count > allowed[name] for name, count in counts.items()))


if __name__ == "__main__":
    sys.exit(main())
