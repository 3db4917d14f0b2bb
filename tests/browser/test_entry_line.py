"""The banker's entry line: a turn by keys, what must be chosen, a refusal, undo, a service that is away."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.table import Table, enter_line, press_enter

pytestmark = pytest.mark.xdist_group("console")


@pytest.fixture
def table(tables: Callable[..., Table]) -> Table:
    """Ana and Bob sit down, and Ana is to roll."""
    table = tables("negopoly", "ana", "bob")
    for seat in ("ana", "bob"):
        table.act(seat, "join_game", {"persona": f"{seat.capitalize()} of the bank"})
        table.act(seat, "choose_starter_perk", {"perk": "money"})
    table.act("banker", "set_turn_order", {"order": ["ana", "bob"]})
    table.act("banker", "start_game")
    return table


def desk(table: Table) -> tuple[Page, Locator]:
    """The banker's desk, whose entry line has the focus."""
    page = table.page("banker", "desk")
    line = page.get_by_role("combobox", name="Entry line")
    expect(line).to_be_focused()
    return page, line


def enter(page: Page, keys: str, shows: str) -> None:
    """Type a line, wait for what it would do, and press Enter."""
    expect(page.get_by_role("combobox", name="Entry line")).to_be_editable()
    page.keyboard.type(keys)
    expect(page.locator(".effect")).to_contain_text(shows)
    confirm(page)


def confirm(page: Page) -> None:
    """Press Enter, and see the line emptied."""
    enter_line(page.get_by_role("combobox", name="Entry line"))


def test_a_turn_by_keys(table: Table) -> None:
    """Two keys roll, none apply the stop, four pay; what could be a throw is chosen first."""
    page, line = desk(table)
    page.keyboard.type("3")
    expect(page.locator(".ghost")).to_have_text("second die?")
    enter(page, "1", "Ana rolls 3, 1.")
    page.keyboard.press("Escape")
    expect(page.locator(".effect")).to_contain_text("The police check Ana")
    press_enter(line)
    expect(page.locator(".effect")).to_contain_text("Ana's turn ends.")
    assert "The police check Ana" in table.sentences()[-1]
    # In words, the reading says who pays whom, whatever their order; nobody pays the own seat.
    page.keyboard.type("ana pays ana 30")
    expect(page.get_by_text("Ana cannot deal with Ana")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.type("pay ana 30 from bob")
    expect(page.get_by_role("option").first).to_contain_text("Bob pays Ana ₦30")
    expect(page.locator(".effect")).to_contain_text("Bob gives ₦30 to Ana.")
    page.keyboard.press("Escape")
    enter(page, "b120", "Ana gives ₦120 to Bob.")
    assert "Ana gives ₦120 to Bob." in table.sentences()[-1]

    page.keyboard.type("b53")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Several readings").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".effect")).to_contain_text("Ana gives ₦53 to Bob.")
    confirm(page)
    assert [sentence for sentence in table.sentences() if "₦53" in sentence] == ["Ana gives ₦53 to Bob."]


def test_a_refusal_an_undo_and_an_amendment(table: Table) -> None:
    """A refused line stays with its rule; the newest action is undone and redone; a wrong throw is corrected."""
    page, line = desk(table)
    page.keyboard.type("b99999")
    expect(page.locator(".effect .refused")).to_contain_text("99,999")
    page.keyboard.press("Enter")
    expect(line).to_have_value("b99999")
    # The rule's whole text stands beside its number as long as that has the focus.
    page.keyboard.press("F1")
    expect(page.get_by_role("tooltip")).to_contain_text("money")
    page.keyboard.press("F2")
    page.keyboard.press("Escape")

    # Pointing at a line shows its moment on the board; the entry line stays open, and shows now again.
    row = page.get_by_role("region", name="Journal").get_by_role("listitem").nth(1)
    seats = page.get_by_role("region", name="Seats")
    now = seats.text_content() or ""
    row.hover(position={"x": 60, "y": 10})
    row.hover(position={"x": 80, "y": 10})
    expect(seats).not_to_have_text(now)
    page.keyboard.type("b120")
    expect(seats).to_have_text(now)
    page.keyboard.press("Escape")

    enter(page, "b120", "Ana gives ₦120 to Bob.")
    page.keyboard.press("Control+z")
    expect(page.locator(".effect s")).to_have_text("Ana gives ₦120 to Bob.")
    confirm(page)
    page.keyboard.press("Control+Shift+z")
    expect(page.locator(".effect .sentence").first).to_contain_text("Ana gives ₦120 to Bob.")
    confirm(page)

    enter(page, "53", "Ana rolls 5, 3.")
    enter(page, "=54", "Ana rolls 5, 4.")
    statuses = [(one["kind"], one["status"]) for one in table.ask("banker", "actions", limit=100)["actions"]]
    assert ("transfer_money", "effective") in statuses
    assert ("roll_dice", "restated") in statuses


def test_a_service_that_is_away(table: Table) -> None:
    """Lines are noted while nothing answers, and each is looked at again before it is written, once."""
    page, line = desk(table)
    with table.away():
        page.context.set_offline(True)
        for typed in ("b121", "b122"):
            page.keyboard.type(typed)
            expect(page.locator(".effect")).to_contain_text("No connection")
            page.keyboard.press("Enter")
            expect(line).to_have_value("")
        expect(page.get_by_text("2 lines noted")).to_be_visible()
        page.context.set_offline(False)
        for noted in ("b121", "b122"):
            page.get_by_role("button", name="Look at the next one").click()
            expect(line).to_have_value(noted)
            enter(page, "", f"Ana gives ₦{noted[1:]} to Bob.")
    told = [sentence for sentence in table.sentences() if "gives" in sentence]
    assert told == ["Ana gives ₦121 to Bob.", "Ana gives ₦122 to Bob."]


_WALKED = "() => { const at = document.activeElement; at.dataset.walked = Number(at.dataset.walked ?? 0) + 1; }"
_STOPS = """() => [...document.querySelectorAll("a[href], button, input, select, [tabindex='0']")]
  .filter((at) => at.tabIndex >= 0 && !at.disabled && at.checkVisibility())
  .map((at) => `${at.dataset.walked} ${at.getAttribute("aria-label") ?? at.textContent}`)"""


def test_help_while_typing_and_tab(table: Table) -> None:
    """The empty line shows lines that work; a slip gets the right line; Tab completes once, and holds nobody."""
    page, line = desk(table)
    effect = page.locator("#entry .effect")
    examples = page.get_by_role("list", name="For example, now")
    expect(examples.get_by_role("listitem")).to_have_count(3)
    for example in examples.get_by_role("button").all_text_contents():
        page.keyboard.type(example)
        expect(effect.locator(".sentence")).to_be_visible()
        page.keyboard.press("Escape")
        expect(line).to_have_value("")

    page.keyboard.type("bob pyas ana 30")
    expect(effect).to_contain_text("Do you mean bob pays ana 30")
    page.keyboard.press("Tab")
    expect(line).to_have_value("bob pays ana 30")
    expect(effect).to_contain_text("Bob gives ₦30 to Ana.")
    expect(line).to_have_attribute("aria-expanded", "true")
    option = page.locator(f"[id='{line.get_attribute('aria-activedescendant')}']")
    expect(option).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Escape")
    expect(line).to_have_attribute("aria-expanded", "false")

    # Of the whole desk, Tab visits everything once, and comes round.
    page.keyboard.type("ro")
    page.keyboard.press("Tab")
    expect(line).to_have_value("roll ")
    page.keyboard.press("Tab")
    expect(line).not_to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(line).not_to_be_focused()
    page.keyboard.press("F2")
    page.keyboard.press("Escape")
    for _ in range(60):
        page.keyboard.press("Tab")
        page.evaluate(_WALKED)
        if line.evaluate("(at) => at === document.activeElement"):
            break
    stops = page.evaluate(_STOPS)
    assert [stop for stop in stops if not stop.startswith("1 ")] == []
    assert len(stops) > 20
