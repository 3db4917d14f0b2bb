"""The report in Chromium: accessible, on a telephone, in light and dark mode, offline."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.state import Seat
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Command, Ledger
from ledger.store.store import Store
from tests.properties.commands import SOAK
from tests.replays import shelf
from tests.tables.ledgers import ANA, BOB, start

pytestmark = pytest.mark.xdist_group("browser")

Look = tuple[int, Literal["light", "dark"], str]
"""How wide the screen is, its theme, and the language."""

LANGUAGES = ("en", "fr")
LOOKS: tuple[Look, ...] = ((360, "light", "en"), (1100, "dark", "fr"))
BOARD_LOOKS: tuple[Look, ...] = (*LOOKS, (1100, "light", "en"))
"""The names on a board show where there is room for them, so they are looked at in both themes."""
WIDTHS = (320, 390, 768, 1280)
GAMES = ("played", "ruled", "view", "negopoly", "negoces2", "names")
LONG_NAMES = {
    "ana": "Anastasia-Wilhelmina von Hohenstein-Querfurt",
    "bob": "Bébert « le Banquier » Dupont de l'Étang",
    "cid": "Donaudampfschifffahrtsgesellschaftskapitän",
}


def ruled(ledger: Ledger) -> str:
    """The corrected game, in which Bob has also opened a dispute and was fined."""
    game = shelf.mended(ledger)
    claim = {"claim": "I never had them", "actions": [7], "rules": ["I.B.5"]}
    dispute = ledger.perform(game, BOB, Command(kind="open_dispute", params=claim)).entry.number
    ruling = {
        "dispute": str(dispute),
        "finding": "He had them",
        "rules": ["I.B.5"],
        "remedies": [{"op": "fine", "seat": "bob", "amount": 30}],
    }
    ledger.perform(game, BANKER, Command(kind="rule", params=ruling))
    return game


def of_long_names(ledger: Ledger) -> str:
    """A game with a title and players whose names are too long for a line of a telephone."""
    players = [Seat(seat, name) for seat, name in LONG_NAMES.items()]
    game = ledger.create("negopoly", title=f"{'Wein' * 12} et dettes", players=players, settings={}, dice="table")
    start(ledger, game.game, *LONG_NAMES)
    for seat, to, amount in (("ana", "bob", 1200), ("bob", "cid", 900), ("cid", "ana", 1)):
        gift = Command(kind="transfer_money", params={"to": to, "amount": amount})
        ledger.perform(game.game, Viewer("player", seat), gift)
    return game.game


@pytest.fixture(scope="module")
def reports(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the reports of games of every kind, in both languages."""
    folder = tmp_path_factory.mktemp("reports")
    ledger = Ledger(store, rulebooks_by_id())
    running = ruled(ledger)
    games: dict[str, tuple[str, Viewer]] = {
        "played": (shelf.play(ledger, shelf.RECORDED[-1]), BANKER),
        "ruled": (running, BANKER),
        "view": (running, ANA),
        "negopoly": (shelf.simulate(ledger, "negopoly", seed=21, actions=160), BANKER),
        "negoces2": (shelf.simulate(ledger, "negoces2", seed=5, actions=120), BANKER),
        "names": (of_long_names(ledger), BANKER),
    }
    assert tuple(games) == GAMES
    for name, (game, viewer) in games.items():
        for language in LANGUAGES:
            (folder / f"{name}-{language}.html").write_bytes(
                shelf.exported(ledger, game, "html", viewer, language=language)
            )
    return folder


@pytest.fixture(scope="module")
def browser(chromium: Browser) -> Browser:
    return chromium


class Asked:
    """The requests and the errors of a page."""

    def __init__(self, page: Page) -> None:
        self.addresses: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.addresses.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda fault: self.complaints.append(str(fault)))


@pytest.mark.parametrize("name", GAMES)
def test_everybody_can_read_it(browser: Browser, reports: Path, name: str) -> None:
    """Axe finds no fault, and the page requests only its file."""
    # In a short run each game has one of the two looks: every second one the other.
    looks = LOOKS if SOAK else LOOKS[GAMES.index(name) % 2 :][:1]
    for width, theme, language in BOARD_LOOKS if SOAK and name == "negopoly" else looks:
        page = browser.new_page(viewport={"width": width, "height": 740}, color_scheme=theme, locale=language)
        asked = Asked(page)
        address = (reports / f"{name}-{language}.html").as_uri()
        page.goto(address)
        for summary in page.locator("summary").all():
            summary.click()
        found = Axe().run(page).response["violations"]
        assert [(one["id"], one["impact"], one["nodes"][0]["html"]) for one in found] == []
        assert asked.addresses == [address]
        assert asked.complaints == []
        page.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_has_to_be_scrolled_sideways(browser: Browser, reports: Path, language: str) -> None:
    """Nothing is cut off on a telephone, a tablet, a screen and paper."""
    page = browser.new_page(locale=language)
    for name in GAMES:
        page.goto((reports / f"{name}-{language}.html").as_uri())
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 740})
            assert page.evaluate("document.documentElement.scrollWidth") == width, name
    page.emulate_media(media="print")
    assert page.get_by_role("navigation").count() == 0
    page.close()


def test_the_theme_is_the_readers(browser: Browser, reports: Path) -> None:
    """The page follows the light or dark mode, and is white on paper."""
    page = browser.new_page()
    page.goto((reports / "negopoly-en.html").as_uri())

    def shade() -> int:
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(map(int, colour.removeprefix("rgb(").removesuffix(")").split(",")))

    page.emulate_media(color_scheme="light")
    assert 765 > shade() > 600
    page.emulate_media(color_scheme="dark")
    assert shade() < 200
    page.emulate_media(color_scheme="dark", media="print")
    assert shade() == 765
    page.close()


def test_a_moment_can_be_looked_at(browser: Browser, reports: Path) -> None:
    """The slider shows a moment, by keys or by touch: an early moment, then the last one.

    A screen reader reads the same amounts once, as the value of the slider.
    """
    page = browser.new_page(locale="en")
    page.goto((reports / "negopoly-en.html").as_uri())
    slider, told = page.get_by_role("slider", name="Look at a moment"), page.locator(".moment")
    standings = page.locator(".ranks .worth").all_inner_texts()

    def sums() -> list[str]:
        return told.locator(".sum").all_inner_texts()

    at_the_end = sums()
    assert sorted(at_the_end) == sorted(one.removeprefix("worth ").replace("₦", "") for one in standings)
    slider.focus()
    page.keyboard.press("Home")
    assert sums() != at_the_end
    heard = slider.get_attribute("aria-valuetext") or ""
    assert heard.startswith(told.locator("b").inner_text())
    assert all(one in heard for one in sums())
    page.keyboard.press("End")
    assert sums() == at_the_end
    page.locator("#wealth-chart .canvas").hover(position={"x": 9, "y": 50})
    assert sums() != at_the_end
    page.mouse.move(0, 0)
    assert sums() == at_the_end
    assert page.get_by_role("status").count() == 0
    assert page.locator("[aria-live], output").count() == 0
    page.close()


def test_a_players_card_opens_for_its_link_and_for_paper(browser: Browser, reports: Path) -> None:
    """The cards are closed at first. The link of a player opens one card, and a printed page has all of them."""
    page = browser.new_page(locale="en")
    page.goto((reports / "negopoly-en.html").as_uri())
    cards = page.locator(".player details")
    assert cards.count() >= 2
    assert page.locator(".player details[open]").count() == 0
    page.locator("nav.players a").first.click()
    expect(page.locator(".player details[open]")).to_have_count(1)
    assert cards.first.get_attribute("open") is not None
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".player details[open]").count() == cards.count()
    page.close()


def test_it_says_the_same_without_scripts(browser: Browser, reports: Path) -> None:
    """Without scripts the page is complete, except for the slider."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((reports / "negopoly-en.html").as_uri())
    assert page.get_by_role("slider").count() == 0
    assert page.get_by_role("heading", level=1).inner_text()
    assert page.locator(".ranks li").count() >= 2
    context.close()
