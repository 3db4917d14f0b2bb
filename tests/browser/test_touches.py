"""The touches on a phone for the commonest acts, counted, and what is in view without scrolling.

All touches count, from the page of one's turn on: the one that writes what is shown, and the keys of the screen's
keyboard too. A button that is held counts once.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.table import PHONE, Hand, Table, press_enter
from tests.tables.negopoly import NO_DECKS

pytestmark = pytest.mark.xdist_group("console")

SMALL_PHONE = (360, 640)

LIMITS = {
    "roll": 2,
    "buy": 1,
    "mortgage": 3,
    "build": 2,
    "loan": 6,
    "payment of 120": 5,
    "ask to undo": 1,
    "trade of a title for money": 8,
    "answer": 1,
    "contest": 3,
    "ruling with a fine": 8,
    "correct the last throw": 4,
    "pause": 1,
}


@pytest.fixture
def table(tables: Callable[..., Table]) -> Table:
    """Three players; it is Ana's turn, before her throw."""
    table = tables("negopoly", "ana", "bob", "cleo", settings={"decks": NO_DECKS}, title="Friday evening")
    for seat in ("ana", "bob", "cleo"):
        table.act(seat, "join_game", {"persona": "Don"})
        table.act(seat, "choose_starter_perk", {"perk": "money"})
    table.act("banker", "set_turn_order", {"order": ["ana", "bob", "cleo"]})
    table.act("banker", "start_game")
    return table


def test_few_touches_are_enough(table: Table) -> None:
    """An evening of the commonest acts on four phones, each within its limit."""
    ana, bob, cleo = (Hand(table.page(seat, "play")) for seat in ("ana", "bob", "cleo"))
    banker = Hand(table.page("banker", "desk", size=PHONE, has_touch=True))

    def last(hand: Hand, sentence: str) -> Locator:
        return hand.page.get_by_role("region", name="Last lines").get_by_text(sentence).first

    def sees(hand: Hand, sentence: str) -> None:
        expect(last(hand, sentence)).to_be_visible()

    ana.begin("roll")
    ana.touch("1")
    ana.hold("2", until=last(ana, "Ana rolls 1, 2."))

    # Each answer says what it would do, and is given by one touch.
    ana.begin("buy")
    expect(ana.page.get_by_role("button", name="Buy Black Arretxea")).to_have_accessible_description(
        re.compile("₦1,650 → ₦1,590")
    )
    ana.touch("Buy Black Arretxea for ₦60")
    sees(ana, "Ana buys Black Arretxea for ₦60.")

    ana.begin("mortgage")
    # A hand at once at the place of the last touch would be a second touch: the page settles first.
    ana.page.wait_for_timeout(400)
    ana.touch("Mortgage Black Arretxea")
    sheet = ana.page.get_by_role("dialog")
    ana.touch("Mortgage Black Arretxea", within=sheet)
    sees(ana, "is mortgaged")
    table.act("ana", "unmortgage_property", {"title": "black_arretxea"})

    ana.begin("build")
    ana.touch(re.compile("^Build a house on Black Arretxea"))
    ana.touch(re.compile("^Build a house on Black Arretxea"), within=sheet)
    sees(ana, "Ana builds a house on Black Arretxea")

    ana.begin("loan")
    ana.touch("Borrow from the bank")
    ana.type(sheet.get_by_label("Amount", exact=True), "200")
    expect(sheet).to_contain_text("Ana owes the bank ₦200")
    ana.touch("Borrow from the bank", hold=True, within=sheet)
    sees(ana, "Ana borrows ₦200.")

    ana.begin("payment of 120")
    ana.touch("Pay")
    ana.touch("Bob")
    ana.touch("+₦100")
    ana.touch("+₦20")
    ana.touch("Pay Bob ₦120")
    # The receipt slides out on the phone of the receiver, to contest at once.
    slip = bob.page.get_by_role("article", name="Receipt")
    expect(slip).to_contain_text("₦120")
    expect(slip.get_by_role("button", name="Contest")).to_be_visible()
    sees(ana, "Ana gives ₦120 to Bob.")

    ana.begin("ask to undo")
    ana.touch("Ask the banker to undo: Ana gives ₦120 to Bob.")
    expect(ana.page.get_by_text("The banker is asked.")).to_be_visible()
    asked = table.ask("banker", "disputes")["disputes"][0]
    assert [(edit["op"], edit["action"]) for edit in asked["edits"]] == [("drop", asked["actions"][0])]
    table.post("ana", f"disputes/{asked['id']}/withdrawal")

    table.act("ana", "end_turn")
    table.act("bob", "roll_dice", {"dice": [2, 4]})
    table.act("bob", "buy_property")
    bob.begin("trade of a title for money")
    bob.touch("Propose a deal")
    bob.touch("Ana")
    bob.touch(re.compile("^You give: 17 rue des patates"))
    bob.touch(re.compile("^You get: NegoDollars"))
    for digits in ("1", "00"):
        bob.touch(digits)
    bob.touch("Propose")

    ana.begin("answer")
    expect(ana.page.locator(".answer")).to_contain_text("17 rue des patates")
    ana.touch(re.compile("^Agree to deal"), hold=True)
    sees(ana, "Ana agrees to deal")

    cleo.begin("contest")
    line = cleo.page.get_by_role("listitem").filter(has_text="Bob buys 17 rue des patates")
    cleo.touch(re.compile("^Contest line"), within=line)
    sheet = cleo.page.get_by_role("dialog")
    cleo.touch("This did not happen.", within=sheet)
    expect(sheet.locator(".would")).to_contain_text("This did not happen.")
    cleo.touch("Open the dispute", within=sheet)
    expect(sheet.get_by_role("status")).to_be_visible()

    banker.begin("ruling with a fine")
    banker.touch("Disputes")
    banker.touch("+ Fine a player")
    order = banker.page.get_by_role("listitem", name="Order 1")
    banker.touch("Bob", within=order)
    banker.type(order.get_by_label("Amount"), "50")
    would = banker.page.get_by_role("region", name="It would")
    expect(would).to_contain_text("Bob is fined ₦50.")
    banker.touch("Rule")
    expect(banker.page.get_by_role("heading", name=re.compile("ruled"))).to_be_visible()

    banker.page.get_by_role("link", name="Table", exact=True).click()
    table.act("bob", "end_turn")
    line = banker.page.get_by_role("combobox", name="Entry line")
    line.fill("43")
    expect(banker.page.get_by_text("Cleo rolls 4, 3.").first).to_be_visible()
    press_enter(line)
    banker.begin("correct the last throw")
    # The dice on the table lead to the correction, as long as they lie there.
    banker.touch(
        re.compile("^Correct: Cleo rolls 4, 3."), within=banker.page.get_by_role("group", name="The newest throw")
    )
    dice = [banker.page.get_by_role("group", name=f"Dice, {number}") for number in (1, 2)]
    banker.touch("5", within=dice[0])
    banker.touch("2", within=dice[1])
    change = banker.page.get_by_role("region", name="What would change")
    expect(change).to_contain_text("Cleo rolls 5, 2.")
    banker.touch("Apply")
    expect(banker.page.get_by_role("status").filter(has_text="Made as line")).to_be_visible()

    banker.page.get_by_role("link", name="Table", exact=True).click()
    banker.begin("pause")
    banker.touch(re.compile("Pause"))
    expect(banker.page.get_by_text("paused", exact=True).first).to_be_visible()

    counts = ana.counts | bob.counts | cleo.counts | banker.counts
    assert counts.keys() == LIMITS.keys()
    assert {act: count for act, count in counts.items() if count > LIMITS[act]} == {}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_is_due_is_in_view(table: Table, language: Literal["en", "fr"]) -> None:
    """A small phone shows the due button and the answers to an offer."""
    money = [{"giver": "bob", "taker": seat, "commodity": "NGD", "amount": 5} for seat in ("ana", "cleo")]
    table.act("bob", "propose_deal", {"legs": money, "clauses": ["no rent for a round"] * 9})
    roll, cover, light = {
        "en": ("Roll the dice", "Cover", "Dark colours"),
        "fr": ("Lancer les dés", "Couvrir", "Couleurs sombres"),
    }[language]
    ana, cleo = (table.page(seat, "play", size=SMALL_PHONE, language=language) for seat in ("ana", "cleo"))
    for page in (ana, cleo):
        expect(page.locator(".answer .terms")).to_contain_text("no rent for a round")
        expect(page.get_by_role("button", name=cover)).to_be_in_viewport(ratio=1)
    expect(ana.get_by_role("button", name=roll)).to_be_in_viewport(ratio=1)
    answers = cleo.locator(".answers .button")
    expect(answers).to_have_count(2)
    for answer in answers.all():
        expect(answer).to_be_in_viewport(ratio=1)
    cleo.get_by_role("link", name="Table", exact=True).click()
    cleo.get_by_role("button", name=light).click()
    cleo.get_by_role("button", name={"en": "Français", "fr": "English"}[language]).click()
    expect(cleo.get_by_role("link", name={"en": "Payer", "fr": "Pay"}[language], exact=True)).to_be_visible()
