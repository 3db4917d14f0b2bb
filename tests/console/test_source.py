"""The console knows no game, and text stays text: searches in its source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from ledger.rulebooks import rulebooks_by_id

SOURCE = Path(__file__).parents[2] / "api" / "console" / "src"
MARKUP = (r"\{@html", r"innerHTML|outerHTML|insertAdjacentHTML", r"new Function|\beval\(", r"\sstyle=[\"{]")
"""Ways to make markup or code out of text; and inline styles, which the policy of the pages refuses."""

CLOCK = {"pause_clock", "resume_clock"}
"""Every game with a clock has these; the API's description of the state names them."""


def sources() -> Iterator[Path]:
    """The files of the pages: not their tests, nor what these play with."""
    for path in sorted(SOURCE.rglob("*")):
        is_source = path.suffix in (".ts", ".svelte") and not path.name.endswith((".test.ts", ".d.ts"))
        if is_source and "fixtures" not in path.parts:
            yield path


def quoted(text: str) -> set[str]:
    """The texts between quotation marks, and the keys of objects."""
    return set(re.findall(r"[\"'`]([^\"'`\n]+)[\"'`]", text)) | set(re.findall(r"^\s*(\w+):", text, re.MULTILINE))


@cache
def words_of_games() -> frozenset[str]:
    """What only games know: their ids and titles, and kinds of two words and more that not all of them have."""
    rulebooks = rulebooks_by_id().values()
    of_all = frozenset.intersection(*(frozenset(rulebook.actions) for rulebook in rulebooks))
    of_all |= CLOCK
    words: set[str] = set()
    for rulebook in rulebooks:
        words |= {rulebook.id, rulebook.title}
        words |= {kind for kind in rulebook.actions if kind not in of_all and "_" in kind}
        words |= {kind for kind in rulebook.events if "_" in kind}
    return frozenset(words)


def test_the_words_of_games_are_found() -> None:
    """What the next test searches for is there, or it would find nothing anywhere."""
    assert {"negopoly", "Négoces 2", "roll_dice", "transfer_money", "make_offer"} <= words_of_games()
    assert "pause_clock" not in words_of_games()


@pytest.mark.parametrize("path", list(sources()), ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_page_knows_no_game_and_makes_no_markup_of_text(path: Path) -> None:
    text = path.read_text()
    assert quoted(text) & words_of_games() == set()
    assert [way for way in MARKUP if re.search(way, text)] == []
