"""The desk and a telephone by the keyboard alone: the focus is always somewhere, and always visible."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.table import Table, enter_line
from tests.tables.negopoly import NO_DECKS

pytestmark = pytest.mark.xdist_group("console")

_UNSEEN = """() => {
  const at = document.activeElement;
  if (at === null || at === document.body) return "nothing has the focus";
  // The outline of a hidden radio button is that of its label.
  const seen = [at, at.closest("label")].filter(Boolean).map((one) => getComputedStyle(one));
  const outlined = ({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
  // Text has a caret, and the heading of a page needs no sign.
  const signed = at.matches("h1, input[type=text], textarea") || seen.some(outlined);
  return signed ? "" : `not visible: ${at.outerHTML.slice(0, 160)}`;
}"""
_IS_FOCUSED = "(at) => at === document.activeElement"


@dataclass
class Keyboard:
    """Somebody at a keyboard, who sees the focus after each key."""

    page: Page

    def press(self, *keys: str) -> None:
        """Press keys."""
        for key in keys:
            self.page.keyboard.press(key)
            self.look()

    def look(self) -> None:
        """See the focus."""
        assert self.page.evaluate(_UNSEEN) == ""

    def reach(self, target: Locator) -> None:
        """Reach something that can be used by Tab."""
        expect(target).to_be_enabled()
        for _ in range(120):
            if target.evaluate(_IS_FOCUSED):
                return
            self.page.keyboard.press("Tab")
            # After its last stop, a page gives the focus to the browser for one Tab.
            if not self.page.evaluate("document.activeElement === document.body"):
                self.look()
        raise AssertionError(f"no Tab reaches {target}")

    def use(self, target: Locator, key: str = "Enter") -> None:
        """Reach something by Tab, and press a key there."""
        self.reach(target)
        # Within 400 ms of a change of the page, nothing is done.
        self.page.wait_for_timeout(450)
        self.press(key)

    def button(self, name: str, within: Locator | None = None) -> None:
        """Reach a button by Tab, and press it."""
        self.use((within or self.page).get_by_role("button", name=name, exact=True))


@pytest.fixture
def table(tables: Callable[..., Table]) -> Table:
    """Ana and Bob have begun, and Ana is to roll."""
    table = tables("negopoly", "ana", "bob", settings={"decks": NO_DECKS})
    for seat in ("ana", "bob"):
        table.act(seat, "join_game", {"persona": "Don"})
        table.act(seat, "choose_starter_perk", {"perk": "money"})
    table.act("banker", "set_turn_order", {"order": ["ana", "bob"]})
    table.act("banker", "start_game")
    return table


def test_a_telephone(table: Table) -> None:
    """Ana rolls, buys, pays and ends her turn."""
    keyboard = Keyboard(table.page("ana", "play"))
    page = keyboard.page
    for face in "12":
        keyboard.button(face)
    keyboard.button("Roll the dice")
    due = page.get_by_role("region", name="Your turn")
    expect(due).to_be_visible()
    keyboard.look()
    buy = "Buy Black Arretxea for ₦60"
    expect(due.get_by_role("button", name=buy, exact=True)).to_be_enabled()
    keyboard.button(buy, due)
    expect(page.get_by_text("Ana buys Black Arretxea for ₦60.").first).to_be_visible()
    keyboard.look()

    keyboard.use(page.get_by_role("link", name="Pay", exact=True))
    expect(page.get_by_role("heading", name="Pay")).to_be_focused()
    keyboard.press("5", "0")
    keyboard.button("Pay Bob ₦50")
    expect(page.get_by_text("Ana gives ₦50 to Bob.").first).to_be_visible()
    keyboard.look()

    # To end the turn is final: a key asks first, and leaves with Escape.
    end = page.get_by_role("button", name="End the turn", exact=True)
    keyboard.use(end)
    refusal = page.get_by_role("button", name="Not yet")
    expect(refusal).to_be_focused()
    keyboard.press("Escape")
    expect(end).to_be_focused()
    keyboard.use(end)
    expect(refusal).to_be_focused()
    keyboard.button("Yes: End the turn")
    expect(page.get_by_text("Ana's turn ends.").first).to_be_visible()
    keyboard.look()


def test_a_desk_and_an_answer(table: Table) -> None:
    """The banker trades, is refused and corrects; Bob agrees to the trade, which is held: a key asks first."""
    table.act("ana", "roll_dice", {"dice": [1, 2]})
    table.act("ana", "buy_property")
    keyboard = Keyboard(table.page("bob", "play"))
    page, desk = keyboard.page, Keyboard(table.page("banker", "desk"))
    line = desk.page.get_by_role("combobox", name="Entry line")
    entry = desk.page.get_by_role("form", name="Entry")
    expect(line).to_be_focused()

    # Ana lays the trade of a title for money into the trays.
    ana = Keyboard(table.page("ana", "play/deal"))
    for side, thing in (
        ("You give", "Black Arretxea, list price ₦60"),
        ("You get", "NegoDollars, amount not shown to you"),
    ):
        ana.button(f"{side}: {thing}")
    ana.press(*"100")
    tray = ana.page.get_by_role("region", name="You get", exact=True)
    expect(tray).to_contain_text("₦100")
    ana.button("₦10 less", tray)
    ana.button("₦10 more", tray)
    ana.button("Propose")
    answer = page.get_by_role("region", name="Answer now")
    expect(answer.get_by_role("button", name="Agree to deal 10 (Ana, Bob)", exact=True)).to_be_enabled()
    keyboard.button("Agree to deal 10 (Ana, Bob)", answer)
    expect(page.get_by_role("button", name="Not yet")).to_be_focused()
    keyboard.button("Yes: Agree to deal 10 (Ana, Bob)")
    expect(page.get_by_text("Deal 10 between Ana and Bob is concluded.").first).to_be_visible()
    keyboard.look()

    # A refusal keeps the line, which is left and written anew; then a payment is written.
    desk.press(*"b99999")
    expect(entry.get_by_text("cannot spend")).to_be_visible()
    desk.press("Enter")
    expect(line).to_have_value("b99999")
    desk.press("Escape", *"b20")
    expect(entry.get_by_text("Ana gives ₦20 to Bob.")).to_be_visible()
    enter_line(line)
    desk.look()
    # The dice on the table lead to the workbench, where the last throw is corrected.
    desk.use(desk.page.get_by_role("group", name="The newest throw").get_by_role("button"))
    edits = desk.page.get_by_role("region", name="Edits")
    expect(edits).to_be_visible()
    desk.look()
    for number, die in ((1, "5"), (2, "4")):
        desk.button(die, edits.get_by_role("group", name=f"Dice, {number}"))
    expect(desk.page.get_by_role("region", name="What would change")).to_contain_text("Ana rolls 5, 4.")
    desk.button("Apply")
    expect(desk.page.get_by_role("status").filter(has_text="Made as line")).to_be_visible()
    desk.look()
    desk.use(desk.page.get_by_role("link", name="Accounts", exact=True))
    expect(desk.page.get_by_role("heading", level=1)).to_be_focused()
    desk.look()
