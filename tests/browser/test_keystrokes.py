"""The keys that a banker presses for the commonest acts, counted: without the Enter that writes what is shown.

Where one key is the limit of what the game waits for, that Enter is the key. All the keys of a dispute and of its
ruling count.
"""

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
    ("buy", 0, "", "Ana buys Black Arretxea for ₦60.", True),
    ("mortgage", 3, "mo", "Black Arretxea of Ana is mortgaged", False),
    ("build", 2, "bu", "Ana builds a house on Black Arretxea", False),
    ("loan", 6, "lo 200", "Ana borrows ₦200.", True),
    ("payment", 5, "b120", "Ana gives ₦120 to Bob.", True),
    ("correct the last throw", 4, "=54", "Ana rolls 5, 4.", False),
    ("trade of a title for money", 8, "bl>100↓", "Ana gives Black Arretxea; Bob gives ₦100.", True),
    ("answer", 1, "↓", "Bob agrees to deal", True),
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
    effect = page.locator(".effect")
    expect(line).to_be_focused()
    for act, limit, keys, sentence, writes in ACTS:
        assert len(keys) <= limit, act
        if keys == "↓":
            expect(page.get_by_role("option").first).to_contain_text("Agree")
        for key in keys:
            page.keyboard.press("ArrowDown" if key == "↓" else key)
        expect(effect.locator(".sentence").first).to_contain_text(sentence)
        if writes:
            enter_line(line)
            # The line may have been empty before: the journal tells when the entry is written.
            journal = page.get_by_role("region", name="Journal")
            expect(journal.get_by_role("listitem").last).to_contain_text(sentence)
            assert sentence in table.sentences()[-1]
        else:
            page.keyboard.press("Escape")
            expect(line).to_have_value("")

    # Contest the newest line, and rule with a fine. Each Enter takes what is shown.
    contest, ruling = ["F7", "Enter", "Enter"], ["F6", "r", "f", "Enter", "b", "3", "0", "Enter"]
    dialog, main = page.get_by_role("dialog"), page.get_by_role("main")
    for key in contest[:-1]:
        page.keyboard.press(key)
        expect(dialog.locator(":focus")).to_have_count(1)
    expect(dialog.locator(".would")).to_contain_text("This did not happen.")
    page.keyboard.press(contest[-1])
    expect(dialog.get_by_role("link")).to_be_focused()
    for key in ruling[:-1]:
        page.keyboard.press(key)
        if key == "F6":
            expect(main.get_by_role("group", name="What should happen?")).to_be_visible()
    expect(main.get_by_role("region", name="It would")).to_contain_text("Bob is fined ₦30")
    page.keyboard.press(ruling[-1])
    expect(main.get_by_role("heading", name="ruled")).to_be_visible()

    # The clock needs one key, and no Enter.
    paused = page.get_by_role("complementary", name="Seats").get_by_text("paused")
    page.keyboard.press("F9")
    expect(paused).to_be_visible()
    page.keyboard.press("F9")
    expect(paused).to_have_count(0)
