"""Five moments as a screen reader hears them: a roll, a payment, a refusal, a correction, a deal.

`trees/` has the words in their order, part by part. After a wanted change of a page, `MABLIGOP_TREES=1` before the
command of these tests writes the trees anew: read the difference line by line before it is kept.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.table import Table, touch
from tests.tables.negopoly import NO_DECKS

pytestmark = pytest.mark.xdist_group("console")

TREES = Path(__file__).parent / "trees"
SILENT = re.compile(r"^ *- /url: .*\n", re.MULTILINE)
"""An address, which nobody hears."""
TIME = re.compile(r"\b\d+:\d\d\b")


def hear(moment: str, **parts: Locator) -> None:
    """Compare the trees of these parts of pages with the stored ones."""
    trees = [f"# {name.replace('_', ' ')}\n{part.aria_snapshot()}\n" for name, part in parts.items()]
    text = TIME.sub("0:00", SILENT.sub("", "\n".join(trees)))
    path = TREES / f"{moment}.yaml"
    if os.environ.get("MABLIGOP_TREES"):
        path.write_text(text)
    assert text == path.read_text(), f"the page reads otherwise: {moment}"


@pytest.fixture
def table(tables: Callable[..., Table]) -> Table:
    """Ana, Bob and Cleo have begun, and Ana is to roll."""
    table = tables("negopoly", "ana", "bob", "cleo", settings={"decks": NO_DECKS})
    for seat in ("ana", "bob", "cleo"):
        table.act(seat, "join_game", {"persona": "Don"})
        table.act(seat, "choose_starter_perk", {"perk": "money"})
    table.act("banker", "set_turn_order", {"order": ["ana", "bob", "cleo"]})
    table.act("banker", "start_game")
    return table


def type_line(desk: Page, keys: str, sentence: str) -> Locator:
    """Type a line, and give the form of the entry line once it shows this sentence."""
    entry = desk.get_by_role("form", name="Entry")
    expect(entry.get_by_role("combobox", name="Entry line")).to_be_focused()
    desk.keyboard.type(keys)
    expect(entry.get_by_text(sentence).first).to_be_visible()
    return entry


def test_a_roll_a_payment_and_a_refusal(table: Table) -> None:
    """Ana rolls on her telephone while the desk has the throw typed; then she pays Bob, once too much."""
    ana, desk = table.page("ana", "play"), table.page("banker", "desk")
    would = ana.get_by_role("group", name="What it would do")
    for face in "12":
        ana.get_by_role("button", name=face, exact=True).tap()
    expect(would.get_by_text("Ana rolls 1, 2.")).to_be_visible()
    entry = type_line(desk, "12", "Ana rolls 1, 2.")
    expect(entry.get_by_text("Rolling the movement dice")).to_be_visible()
    faces = ana.get_by_role("group", name="Roll the dice")
    hear("roll", the_phone_chooses_faces=faces, the_phone_shows=would, the_desk_types_12=entry)
    desk.keyboard.press("Escape")
    touch(ana.get_by_role("button", name="Roll the dice"))
    row = desk.get_by_role("region", name="Journal").get_by_role("listitem").last
    expect(row).to_contain_text("Ana rolls")
    asks = ana.get_by_role("region", name="Your turn")
    expect(asks.get_by_role("button")).to_have_count(3)
    expect(asks.get_by_role("button", disabled=True)).to_have_count(0)
    waits = desk.get_by_role("region", name="Waiting for")
    expect(waits).to_contain_text("Black Arretxea")
    hear(
        "roll-after",
        the_phone_asks=asks,
        the_desk_waits=waits,
        its_journal=row,
    )

    # For ten seconds her page would offer to undo the throw.
    ana.reload()
    ana.get_by_role("link", name="Pay", exact=True).tap()
    ana.get_by_role("button", name="Bob", exact=True).tap()
    for digit in "50":
        ana.get_by_role("button", name=digit, exact=True).tap()
    expect(would.get_by_text("Ana gives ₦50 to Bob.")).to_be_visible()
    expect(ana.get_by_role("button", name="Pay Bob ₦50")).to_be_enabled()
    hear(
        "payment",
        the_phone=ana.get_by_role("main"),
        the_desk_types_b50=type_line(desk, "b50", "Ana gives ₦50 to Bob."),
    )
    desk.keyboard.press("Escape")

    ana.get_by_role("button", name="000", exact=True).tap()
    expect(would.get_by_text("cannot spend")).to_be_visible()
    hear("refusal", the_phone=would, the_desk_types_b99999=type_line(desk, "b99999", "cannot spend"))


def test_a_correction(table: Table) -> None:
    """Ana's 1 and 2 were 3 and 5: read on the workbench, then on the journal and on her telephone."""
    table.act("ana", "roll_dice", {"dice": [1, 2]})
    table.act("ana", "buy_property")
    ana, desk = table.page("ana", "play"), table.page("banker", "desk")
    expect(ana.get_by_role("button", name="End the turn", exact=True)).to_be_visible()
    hear("correction", the_desk_types_35=type_line(desk, "=35", "Ana rolls 3, 5."))
    desk.keyboard.press("Escape")
    desk.get_by_role("listitem").filter(has_text="Ana rolls 1, 2.").click()
    desk.keyboard.press("e")
    edits, change, after = (
        desk.get_by_role("region", name=name) for name in ("Edits", "What would change", "Before and after")
    )
    for number, die in (("1", "3"), ("2", "5")):
        edits.get_by_role("group", name=f"Dice, {number}").get_by_role("button", name=die, exact=True).click()
    expect(change).to_contain_text("Ana rolls 3, 5.")
    desk.get_by_label("Reason").fill("It was 3 and 5")
    apply = desk.get_by_role("button", name="Apply", exact=True)
    expect(apply).to_be_enabled()
    hear("correction-draft", the_edits=edits.get_by_role("listitem").first, the_change=change, the_sums=after)

    apply.click()
    desk.get_by_role("link", name="Table", exact=True).click()
    rows = desk.get_by_role("region", name="Journal").get_by_role("listitem").filter(has_text="corrects")
    expect(rows.last).to_be_visible()
    notice = ana.get_by_role("region", name="What you have was put right")
    expect(notice).to_be_visible()
    row = desk.get_by_role("listitem").filter(has_text="Ana rolls 3, 5.").last
    hear("correction-after", the_journal=row, of_the_correction=rows.last, the_phone=notice)


def test_a_deal(table: Table) -> None:
    """Ana asks Bob ₦100 for a title; he hears her offer and what each answer does."""
    table.act("ana", "roll_dice", {"dice": [1, 2]})
    table.act("ana", "buy_property")
    ana, bob = table.page("ana", "play/deal"), table.page("bob", "play")
    ana.get_by_role("button", name="Bob", exact=True).tap()
    ana.get_by_role("button", name="You give: Black Arretxea").tap()
    ana.get_by_role("button", name="You get: NegoDollars").tap()
    for digits in ("1", "00"):
        ana.get_by_role("button", name=digits, exact=True).tap()
    propose = ana.get_by_role("button", name="Propose", exact=True)
    expect(propose).to_be_enabled()
    hear("deal", the_proposal=ana.get_by_role("main"))
    touch(propose)
    answer = bob.get_by_role("region", name="Answer now")
    expect(answer).to_contain_text("at list price")
    agree = "Agree to deal 12 (Ana, Bob)"
    expect(answer.get_by_role("button", name=agree)).to_be_enabled()
    hear("deal-answer", the_offer=answer)
