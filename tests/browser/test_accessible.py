"""Everybody can use every page: axe finds nothing, in both themes and languages, and nothing is too wide."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page

from ledger.kernel.rules.bots import BANKER as BANKERS_WAYS
from ledger.rulebooks import rulebooks_by_id
from replays.simulation import Series, game_of
from tests.browser.settled import Settling
from tests.browser.stored import stored_table
from tests.browser.table import DESK, PHONE, Table
from tests.command.service import Service
from tests.properties.commands import SOAK
from tests.tables.negopoly import NO_DECKS, starting

pytestmark = pytest.mark.xdist_group("console")

Lay = Callable[..., Table]
LANGUAGES: tuple[Literal["en", "fr"], ...] = ("en", "fr")
THEMES = ("light", "dark")
NARROW = 320
"""The width of the narrowest phone, and of a page that is enlarged four times."""
SMALL = 360
"""The width of a small phone, on which text may be twice as large."""

_FOUND = """async () => (await axe.run({ resultTypes: ["violations"] })).violations.flatMap((one) =>
  one.nodes.map((node) => `${one.id}: ${node.target.join(" ")}: ${node.html.slice(0, 160)}: `
    + (node.any[0]?.message ?? node.failureSummary)))"""
_TOO_WIDE = """() => document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll("main, main *")]
    .filter((one) => Math.round(one.getBoundingClientRect().right) >= document.documentElement.scrollWidth)
    .slice(0, 8).map((one) => `${one.tagName}.${one.className}: ${one.textContent.trim().slice(0, 60)}`)
    .concat(`${document.documentElement.scrollWidth} px wide`)"""
_TARGETS = "a[href], button, input, select, textarea, summary"
_TOO_SMALL = f"""() => [...document.querySelectorAll("{_TARGETS}")]
  .filter((one) => one.checkVisibility({{ visibilityProperty: true }}) && !one.matches(".skip"))
  // A link within a sentence has the height of its line.
  .filter((one) => !one.matches("a") || getComputedStyle(one).display !== "inline")
  .map((one) => [one, one.matches("[type=radio], [type=checkbox]") && one.labels[0] || one])
  .map(([one, target]) => [one, target.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.height < 47.5 || box.width < 47.5))
  .map(([one, box]) => `${{box.width}} x ${{box.height}}: ${{one.outerHTML.slice(0, 100)}}`)"""
_DOUBLE_TEXT = """() => [...document.querySelectorAll("body, body *:not(svg *)")]
  .map((one) => [one, getComputedStyle(one)])
  .map(([one, style]) => [one, parseFloat(style.fontSize), style.lineHeight])
  .forEach(([one, size, line]) => {
    one.style.setProperty("font-size", `${2 * size}px`, "important");
    if (line !== "normal") one.style.setProperty("line-height", `${2 * parseFloat(line)}px`, "important");
  })"""
_SINGLE_TEXT = """() => document.querySelectorAll("[style]").forEach(({ style }) => {
  style.removeProperty("font-size");
  style.removeProperty("line-height");
})"""


@dataclass
class Look:
    """A page in one language, which goes through addresses and is looked at in both themes and widths."""

    page: Page
    language: str
    settling: Settling
    found: list[str]
    touched: bool = False
    asked: int = 0
    looked: int = 0

    def at(self, path: str, before: Callable[[Page], None] | None = None) -> None:
        """Note what is wrong with the page at this address, after `before` was done there.

        A short run looks at every second page in either language.
        """
        self.asked += 1
        if not SOAK and self.asked % 2 == (self.language == "fr"):
            return
        self.settling.go(path)
        if before is not None:
            before(self.page)
            self.settling.wait()
        self.here(path)

    def here(self, path: str) -> None:
        """Note what is wrong with the page that is open."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE_SCRIPT)
        if "#" in path and self.page.get_by_role("dialog").count() != 1:
            self.found.append(f"{path} {self.language}: no line is open")
        elif "#" not in path and self.page.get_by_role("heading", level=1).count() != 1:
            self.found.append(f"{path} {self.language}: not one heading of the first level")
        # Either language has each theme and each width, and together they have all four looks. Of those a long run
        # takes both of each language, a short one one: the next page in the language has the other one.
        looks = [*zip((PHONE, DESK), THEMES if self.language == "en" else reversed(THEMES), strict=True)]
        if not SOAK:
            self.looked += 1
            looks = [looks[self.looked % 2]]
        for (width, height), theme in looks:
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.evaluate("(theme) => { document.documentElement.dataset.theme = theme }", theme)
            self.settling.redraw()
            self._note(f"{path} {self.language} {width} {theme}", _FOUND)
        self.page.set_viewport_size({"width": NARROW, "height": PHONE[1]})
        self.settling.redraw()
        self._note(f"{path} {self.language} {NARROW}", _TOO_WIDE)
        if self.touched:
            self._note(f"{path} {self.language} by touch", _TOO_SMALL)
        self.page.set_viewport_size({"width": SMALL, "height": PHONE[1]})
        self.page.evaluate(_DOUBLE_TEXT)
        self.settling.redraw()
        self._note(f"{path} {self.language} text of 200 %", _TOO_WIDE)
        self.page.evaluate(_SINGLE_TEXT)

    def _note(self, where: str, asked: str) -> None:
        self.found += [f"{where}: {one}" for one in self.page.evaluate(asked)]


def looks(table: Table, who: str | None) -> Iterator[Look]:
    """Somebody's page in each language. In the end nothing may be wrong with either."""
    found: list[str] = []
    for language in LANGUAGES:
        touched = who in table.tokens["players"]
        page = table.page(who, "/join", size=DESK, language=language, has_touch=touched)
        yield Look(page, language, Settling(page), found, touched)
    assert not found, "\n".join(found)


def evening(tables: Lay) -> tuple[Table, dict[str, int]]:
    """A game of Negopoly in which much has happened, and the numbers of some lines."""
    table = tables("negopoly", "ana", "bob", title="Friday in the kitchen", settings={"decks": NO_DECKS})
    for seat, kind, params in starting("ana", "bob", perks={}):
        table.act(seat or "banker", kind, params)
    lines: dict[str, int] = {}
    lines["rolled"] = table.act("ana", "roll_dice", {"dice": [1, 2]})["action"]
    for amount in (100, 70, 30):
        lines["paid"] = table.act("ana", "transfer_money", {"to": "bob", "amount": amount})["action"]
    edit = {"op": "replace", "action": lines["paid"] - 1, "params": {"to": "bob", "amount": 10}}
    table.post("banker", "corrections", edits=[edit], reason="misheard", cascade="restate")
    for claim in ("She gave me a button", "It was not her turn"):
        lines["dispute"] = table.act("bob", "open_dispute", {"claim": claim, "actions": [lines["paid"]]})["action"]
    ruling: dict[str, Any] = {"finding": "She had paid", "remedies": [{"op": "dismiss"}]}
    table.act("banker", "rule", {"dispute": str(lines["dispute"] - 1), "rules": ["I.B.6"], **ruling})
    return table, lines


READ = (
    "journal",
    "journal?seat=ana",
    "journal#{paid}",
    "docket",
    "docket/{dispute}",
    "precedents",
    "accounts",
    "accounts/player:ana",
    "why?account=player:ana&commodity=NGD",
    "agreements",
    "statistics",
    "rules",
    "rules/I.B.6",
    "replay",
)
"""The pages that everybody may open."""
READ_OF_ALL = ("journal", "docket", "accounts", "agreements", "statistics", "rules", "replay")
"""Those of every game."""


@pytest.mark.parametrize("who", ["banker", "ana", "spectator"])
def test_of_a_running_game(tables: Lay, who: str) -> None:
    """Each page of a role."""
    table, lines = evening(tables)
    own = {
        "banker": ("desk", "desk#{paid}", "seats", "correct", *READ),
        "ana": ("play", "play/pay", "play/goods", "play/mine", "play/table", "play/deal"),
        "spectator": ("wall", "journal", "docket"),
    }
    for look in looks(table, who):
        for path in own[who]:
            look.at(f"/g/{table.game}/{path.format(**lines)}")


def test_before_a_game(tables: Lay) -> None:
    """On a device without keys, and with one."""
    table = tables("negopoly", "ana", "bob")
    replay = f"/g/{table.game}/replay"
    for who, paths in ((None, ("/join", "/", replay)), ("banker", ("/", "/new"))):
        for look in looks(table, who):
            for path in paths:
                look.at(path)


def test_a_colour_with_too_little_contrast_is_found(tables: Lay) -> None:
    """The check can fail: text gets the colour of lines, which has a contrast of 1.4 with the page."""
    table = tables("negopoly", "ana", "bob")
    page, found = table.page(None, "/join", size=DESK), list[str]()
    look = Look(page, "en", Settling(page), found)
    look.at("/join")
    assert found == []
    page.evaluate("document.documentElement.style.setProperty('--ink', 'var(--line)')")
    look.here("/join")
    assert any("color-contrast" in one for one in found)


@pytest.mark.soak
@pytest.mark.parametrize("rulebook", sorted(rulebooks_by_id()))
def test_of_a_played_game(chromium: Browser, service: Service, served: str, rulebook: str) -> None:
    """An evening of each game, and on a board of the table's own, that bots have played for a while."""
    strategies = tuple(name for name in rulebooks_by_id()[rulebook].simulation.strategies if name != BANKERS_WAYS)
    players = 4 if rulebook == "negoces2" else 3
    series = Series(rulebook=rulebook, games=1, players=players, seed=5, strategies=strategies, actions=90)
    table = stored_table(chromium, service, served, game_of(series, 0), "An evening")
    player = ("play", *(f"play/{page}" for page in ("pay", "goods", "mine", "table", "deal")))
    for who, paths in (
        ("banker", ("desk", "accounts", "seats")),
        ("ana", (*player, *READ_OF_ALL)),
        ("spectator", ("wall",)),
    ):
        for look in looks(table, who):
            for path in paths:
                look.at(f"/g/{table.game}/{path}")
    table.clear()
