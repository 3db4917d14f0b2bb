"""The keys that a banker presses for the commonest acts, counted: without the Enter that writes what is shown."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.table import Table, enter_line
from tests.tables.negopoly import NO_DECKS

pytestmark = pytest.mark.xdist_group("console")

# In the order of the evening: the act, the most keys, the keys, the sentence that the line shows, and whether
# Enter writes the sentence here.
ACTS = (
    ("roll", 2, "12", "Ana rolls 1, 2.", True),
    ("buy", 2, "bu", "Ana buys Black Arretxea for ₦60.", True),
    ("mortgage", 3, "mo", "Black Arretxea of Ana is mortgaged", False),
    ("build", 2, "bu", "Ana builds a house on Black Arretxea", False),
    ("loan", 6, "lo 200", "Ana borrows ₦200.", True),
    ("payment", 5, "b120", "Ana gives ₦120 to Bob.", True),
    ("correct the last throw", 4, "=54", "Ana rolls 5, 4.", False),
    ("trade of a title for money", 8, "bl>100↓", "Ana gives Black Arretxea; Bob gives ₦100.", True),
    ("answer", 2, "ag", "Bob agrees to deal", True),
)


def test_few_keys_are_enough(tables: Callable[..., Table]) -> None:
    """An evening of the commonest acts, each within its limit."""
    table = tables("negopoly", "ana", "bob", settings={"decks": NO_DECKS})
    for seat in ("ana", "bob"):
        table.act(seat, "join_game", {"persona": "Don"})
        table.act(seat, "choose_starter_perk", {"perk": "money"})
    table.act("banker", "set_turn_order", {"order": ["ana", "bob"]})
    table.act("banker", "start_game")
    page = table.page("banker", "desk")
    line = page.get_by_role("combobox", name="Entry line")
    effect = page.locator("#entry .effect")
    expect(line).to_be_focused()
    for act, limit, keys, sentence, writes in ACTS:
        assert len(keys) <= limit, act
        for key in keys:
            page.keyboard.press("ArrowDown" if key == "↓" else key)
        expect(effect.locator(".sentence").first).to_contain_text(sentence)
        if writes:
            enter_line(line)
            assert sentence in table.sentences()[-1]
        else:
            page.keyboard.press("Escape")
            expect(line).to_have_value("")

    # The clock needs one key, and no Enter.
    paused = page.get_by_role("banner").get_by_text("paused")
    page.keyboard.press("F9")
    expect(paused).to_be_visible()
    page.keyboard.press("F9")
    expect(paused).to_have_count(0)
