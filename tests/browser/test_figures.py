"""Each amount on a page has its word and its field of the API, and is what the API answers, in games of bots."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qsl

import httpx
import pytest
from playwright.sync_api import Browser, Page, Response

from ledger.kernel.rules.bots import BANKER as BANKERS_WAYS
from ledger.rulebooks import rulebooks_by_id
from replays.simulation import Series, game_of
from tests.browser.settled import Settling
from tests.browser.stored import stored_table
from tests.browser.table import Table
from tests.command.service import Service, trusted
from tests.properties.commands import SOAK

pytestmark = pytest.mark.xdist_group("console")

BOOKS = ("negopoly", "monopoly_naruto", "negoces2", "monopolys", "virtual_revolution", "monopoly")
"""The last is a board of the table's own."""
ALL = ("banker", "ana", "spectator")
GAMES = (
    [(book, ALL) for book in BOOKS]
    if SOAK
    else [("monopoly_naruto", ("banker",)), ("negoces2", ("ana", "spectator"))]
)
"""The games, and whose pages are opened."""

_MARKED = """[...document.querySelectorAll('[data-figure]')]
  .map((part) => [part.dataset.figure, part.textContent, (%s)(part)])"""
_WORDS = """(part) => {
  const word = part.closest('.figure')?.querySelector('.word')?.textContent;
  if (word !== undefined) return word;
  const cell = part.closest('td');
  const heads = [...cell?.closest('table').querySelectorAll('thead th') ?? []].map((head) => head.textContent);
  const near = part.parentElement.closest('tr, li, dd, .line, .account, g, p, h1, h3, nav, section');
  const named = part.closest('dd')?.previousElementSibling?.textContent;
  return [heads[cell?.cellIndex], named, near?.textContent].join(' ');
}"""
"""The word of a figure, or the text around it: of its column, row or sentence."""
_BARE = """([amount, elsewhere]) => {
  const bare = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walk.nextNode(); text; text = walk.nextNode()) {
    const part = text.parentElement;
    if (!new RegExp(amount, 'iu').test(text.data) || part.closest(elsewhere)) continue;
    const words = text.data.replaceAll(new RegExp(amount, 'giu'), '');
    if (!/\\p{L}{2}/u.test(words)) bare.push(part.parentElement.outerHTML);
  }
  return bare;
}"""
"""The amounts without a field that stand alone. In a sentence an amount has its words."""
_ELSEWHERE = (
    "[data-figure], output, option, [role=option], .cost, script, title, [data-key], svg[role=img]:not(.board *),"
    " [role=slider] .note"
)
"""Where an amount needs no field: what somebody types or chooses, costs beside moves, and the scale of a chart."""
PREVIEWS = 6
"""So many previews may stand on a page at once: a question with several answers shows the effect of each."""
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+|\d+")
_WORD = re.compile(r"[^\W\d_]{2}")
_STANDING = re.compile(r"standings/\w+/(?:cash|worth|shown)$")
_NAMED = ("agreements", "places", "standings", "seats", "commodities")
"""The lists whose items are named by an id, not by their position."""


class Answers:
    """What the API answers to somebody, by the names of fields in a page."""

    def __init__(self, table: Table, who: str, page: Page) -> None:
        headers = {"Authorization": f"Bearer {table.token(who)}"}
        url = f"{table.url}/api/v1/games/{table.game}/"
        self.client = httpx.Client(base_url=url, headers=headers, verify=trusted(), trust_env=False, timeout=300)
        self.read: dict[str, Any] = {}
        self.previews: list[Response] = []
        self.preview: Any = None
        self.names = self._ask("names")
        page.on("response", self._previewed)

    def _previewed(self, response: Response) -> None:
        # Nobody writes here: whatever is posted is a preview.
        if response.request.method == "POST" and response.ok and "/games/" in response.url:
            self.previews.insert(0, response)

    def forget(self) -> None:
        """Ask again: the game may have gone on."""
        self.read.clear()

    def word(self, field: str) -> str:
        """The word of a figure of a standing."""
        label: str = self.names.get("shown_label") or ""
        return label if field == "shown" else field

    def values(self, field: str) -> list[int]:
        """The numbers that a figure of this field may show: one, or those before and after an effect."""
        first, _, inside = field.partition("#")
        if inside:
            return _numbers(_inside(self._ask(first), inside.split("/")))
        first, *path = field.split("/")
        if first == "preview":
            return self._of_preview(path)
        state = self._ask("state")
        if first in state and first != "agreements":
            return _numbers(_inside(state[first], path, first))
        if first == "replay":
            frame = self._ask("replay", **{"from": path[0], "to": path[0]})["frames"][0]
            return _numbers(_inside(frame, path[1:]))
        if first == "actions":
            lines = {str(line["action"]): line for line in self._ask("actions", limit=200)["actions"]}
            return _numbers(_inside(lines[path[0]], path[1:]))
        answer = self._ask(first, **({"limit": 200, "status": "all"} if first == "agreements" else {}))
        return _numbers(_inside(answer.get(first, answer), path, first))

    def _of_preview(self, path: list[str]) -> list[int]:
        entry = self.preview.get("entry", self.preview)
        if path[0] == "seats":
            return _numbers(_inside(entry, path, by_position=True))
        account, commodity = path
        effects = [
            part for part in entry["effects"] if (part["account"], part["commodity"]) == (account, commodity)
        ]
        return [effects[0]["before"], effects[-1]["after"]]

    def _ask(self, path: str, **query: Any) -> Any:
        key = f"{path} {query}"
        if key not in self.read:
            path, _, text = path.partition("?")
            answer = self.client.get(path, params=dict(parse_qsl(text)) | query)
            self.read[key] = answer.raise_for_status().json()
        return self.read[key]


def _inside(value: Any, path: list[str], parent: str = "", *, by_position: bool = False) -> Any:
    """The value at a path; a list has its items by position, some lists by id."""
    for step in path:
        if isinstance(value, list) and parent in _NAMED and not by_position:
            value = {str(item.get("id", item.get("seat"))): item for item in value}
        if isinstance(value, dict) and step not in value and {"accounts", "balances"} & {*path}:
            return 0
        value = value[int(step)] if isinstance(value, list) else value[step]
        parent = step
    return value


def _numbers(value: Any) -> list[int]:
    return [value["before"], value["after"]] if isinstance(value, dict) else [int(value or 0)]


def agrees(answers: Answers, fields: str, text: str) -> bool:
    """Whether a text shows the sum of fields, or their values before and after one of the newest previews."""
    if not fields.startswith("preview/"):
        return _agrees(answers, fields, text)
    for response in answers.previews[:PREVIEWS]:
        answers.preview = json.loads(response.text())
        try:
            if _agrees(answers, fields, text):
                return True
        except LookupError:
            continue
    return False


def _agrees(answers: Answers, fields: str, text: str) -> bool:
    numbers = [int(number.replace(",", "")) for number in _NUMBER.findall(text)]
    values = [
        ([-value for value in answers.values(field[1:])] if field[0] == "-" else answers.values(field))
        for field in fields.split()
    ]
    if len(values[0]) == 2:
        first, last = values[0]
        return numbers in ([first, last], [abs(last - first)]) or (abs(last - first) == 1 and not numbers)
    total = abs(sum(value for (value,) in values))
    # A single thing is called by its name, in which there may be a number; nothing may be no text at all.
    return total in numbers or (total == 1 and re.search(r"\w", text) is not None) or (total == 0 and not numbers)


def amount_of(names: dict[str, Any]) -> str:
    """The pattern of an amount: with the sign of the money, or the word of the money or of the worth."""
    signs, words = [], []
    for commodity, facts in names["commodities"].items():
        if facts.get("class") == "money" or commodity == names["worth"]:
            signs += [facts["symbol"]] if facts.get("symbol") else []
            words += [facts["name"], facts["plural"]]
    number = r"\d[\d,]*"
    sign, word = (
        "|".join(re.sub(r"[$()*+.?\[\]^{|}\\/]", r"\\\g<0>", part) for part in parts) for parts in (signs, words)
    )
    bounded = f"(?<!\\p{{L}})(?:{sign})\\s?{number}|{number}\\s?(?:{sign})(?!\\p{{L}})|" if signs else ""
    return f"{bounded}{number} (?:{word})(?!\\p{{L}})"


def compare(page: Page, answers: Answers) -> tuple[int, list[str]]:
    """Compare the figures of a page with the API. Returns how many there are, and what is wrong with them."""
    answers.forget()
    faults: list[str] = []
    marked = page.evaluate(_MARKED % _WORDS)
    for fields, text, words in marked:
        try:
            if not agrees(answers, fields, text):
                faults.append(f"{fields} is not {text}")
        except LookupError as fault:
            faults.append(f"{fields} does not exist: {fault}")
        if not _WORD.search(words.replace(text, "", 1)) and not _WORD.search(text):
            faults.append(f"{fields}: {text} has no word beside it")
        if _STANDING.search(fields) and words != answers.word(fields.split("/")[-1]):
            faults.append(f"{fields}: {text} is called {words}")
    faults += [f"no field: {part}" for part in page.evaluate(_BARE, [amount_of(answers.names), _ELSEWHERE])]
    return len(marked), [f"{page.url}: {fault}" for fault in faults]


def walk(page: Page) -> None:
    """Choose a value of each chart with the arrow keys, which say it below the drawing."""
    for drawing in page.get_by_role("slider").all():
        before = drawing.get_attribute("aria-valuetext")
        for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowDown"):
            drawing.press(key)
        assert drawing.get_attribute("aria-valuetext") != before


def list_values(page: Page) -> None:
    """Put the table of each chart into the place of its drawing."""
    for button in page.get_by_role("button", name=": as a table").all():
        button.click()
    assert not page.get_by_role("slider").count()


def laid(chromium: Browser, service: Service, served: str, rulebook: str) -> Table:
    """A table at which bots have played for a while, and which a correction has changed."""
    book = rulebooks_by_id()[rulebook]
    strategies = tuple(name for name in book.simulation.strategies if name != BANKERS_WAYS)
    series = Series(rulebook=rulebook, games=1, players=4, seed=5, strategies=strategies, actions=60)
    return stored_table(chromium, service, served, game_of(series, 0), "Sixty lines")


def visits(table: Table, who: str) -> list[str]:
    """The pages of somebody in which figures stand."""
    names = table.ask(who, "names")
    money = next(id_ for id_, facts in names["commodities"].items() if facts["class"] == "money")
    lines = [line["action"] for line in table.journal(who) if line["effects"]]
    mine = [account_id for account_id, owner in names["owners"].items() if owner == "ana"]
    account = next(
        account_id
        for account_id, part in table.ask("banker", "state")["accounts"].items()
        if account_id in mine and money in part
    )
    common = [
        f"accounts/{account}",
        f"why?account={account}&commodity={money}",
        f"replay?at={lines[len(lines) // 2]}&as=both",
        "statistics",
        f"journal#{lines[-1]}",
    ]
    if SOAK:
        common += [
            f"replay?at={lines[-1]}&as=corrected",
            f"accounts/{account}?commodity=*",
            "agreements",
            "docket",
        ]
    if not SOAK and who != "banker":
        common = []
    if who == "banker":
        return ["desk", "accounts", f"correct?line={lines[-1]}", *common]
    if who == "spectator":
        return ["wall", *common]
    return ["play", *(f"play/{page}" for page in ("pay", "goods", "mine", "table", "deal", "debts")), *common]


@pytest.mark.parametrize(("rulebook", "viewers"), GAMES)
def test_each_amount_is_a_field_of_the_api(
    chromium: Browser, service: Service, served: str, rulebook: str, viewers: Sequence[str]
) -> None:
    played = laid(chromium, service, served, rulebook)
    faults: list[str] = []
    for who in viewers:
        page = played.page(who, "/join")
        answers, settling = Answers(played, who, page), Settling(page)
        compared = 0
        for path in visits(played, who):
            settling.go(f"/g/{played.game}/{path}")
            covered = page.get_by_role("button", name="Touch: my money and goods")
            if covered.count():
                covered.tap()
            if who == "banker" and path.startswith("replay") and path.endswith("both"):
                page.locator("aside [data-figure^='state?at=']").first.wait_for()
            count, wrong = compare(page, answers)
            compared, faults = compared + count, faults + wrong
            for look in (walk, list_values) if path == "statistics" else ():
                look(page)
                count, wrong = compare(page, answers)
                compared, faults = compared + count, faults + wrong
        assert compared >= len(played.ask("banker", "state")["standings"]), who
    played.clear()
    assert not faults, "\n".join(faults)
