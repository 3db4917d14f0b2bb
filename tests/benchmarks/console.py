"""How fast the pages are: a desk, two telephones and a wall in Chromium, on a running service.

A simulated game of Negopoly with six seats goes on from action 300. Times are those that a person waits; that of
the slowest page counts. What a page loads at first is held by the tests, too (`tests/console/test_sizes.py`).
"""

from __future__ import annotations

import os
import shutil
import statistics
import time
from collections.abc import Callable, Sequence

from playwright.sync_api import Browser, Page, Request, sync_playwright

from ledger.service import Ledger
from replays.keeping import keep
from replays.simulation import Series, game_of
from tests.benchmarks.bench import Bench, progress, say
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.table import Table
from tests.command.service import Service

SEATS = ("ana", "bob", "cleo", "dan", "eve", "fay")
BEGUN = 300
PAYMENTS = 100
MORE = 500
LOADS = 5
LINES = 12
PAGES = (("banker", "desk"), ("ana", "play"), ("bob", "play"), ("spectator", "wall"))
SETTINGS = {
    "starting_balance": 1_000_000,
    "max_rounds": 100_000,
    "game_ender_stock": 0,
    "turn_seconds": 86_400,
    "decks": {"chance": [], "kamtar": [], "meteo": []},
    "dice": "table",
}

_WATCH = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    const inNewest = ({ node }) => (node?.closest ? node : node?.parentElement)?.closest('[data-newest]');
    for (const one of list.getEntries()) {
      if (!one.hadRecentInput && !one.sources.every(inNewest)) window.shifted += one.value;
    }
  }).observe({ type: 'layout-shift', buffered: false });
  window.seek = (words) => {
    window.shown = new Promise((done) => {
      const observer = new MutationObserver((changes) => {
        const found = changes.flatMap(({ type, target, addedNodes }) =>
          type === 'characterData' ? [target] : [...addedNodes]);
        if (!found.some((node) => node.textContent?.includes(words))) return;
        observer.disconnect();
        requestAnimationFrame(() => done(performance.timeOrigin + performance.now()));
      });
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    });
  };
}"""
_TYPING = """() => {
  window.readings = [];
  window.pressed = 0;
  const entry = document.querySelector('#entry');
  let began = null;
  entry.addEventListener('input', () => {
    began = performance.now();
    window.pressed = performance.timeOrigin + began;
  }, { capture: true });
  new MutationObserver((changes) => {
    const inside = ({ target }) => (target.closest ? target : target.parentElement)?.closest('.readings');
    if (began === null || !changes.some(inside)) return;
    window.readings.push(performance.now() - began);
    began = null;
  }).observe(entry, { subtree: true, childList: true, characterData: true });
}"""


class Over(list[str]):
    """The limits that were broken."""

    def row(self, what: str, reached: float, limit: float, unit: str) -> None:
        """Say a figure next to its limit, and note it when it is over."""
        say(what, f"{reached:,.1f} {unit}", f"load {os.getloadavg()[0]:.1f}", f"≤ {limit:g} {unit}")
        if reached > limit:
            self.append(what)


def measured(bench: Bench) -> None:
    """Measure all pages. Raises RuntimeError with the limits that are broken, where the figures mean something."""
    over = Over()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which(CHROMIUM), args=FLAGS)
        service = Service("--no-demo", DATABASE_URL=bench.url)
        try:
            table = laid(bench.ledger, chromium, service, bench.size(BEGUN, 60))
            _loading(table, over, bench.rounds(LOADS))
            _following(table, over, bench.size(PAYMENTS, 2), bench.size(MORE, 2))
            _typing(table, over, bench.size(LINES, 2))
            table.clear()
        finally:
            service.stop()
            chromium.close()
    if over and not bench.smallest:
        raise RuntimeError(f"over the limit: {'; '.join(over)}")


def laid(ledger: Ledger, browser: Browser, service: Service, actions: int) -> Table:
    """A stored game after so many actions, with tokens of everybody at the table."""
    series = Series(
        rulebook="negopoly",
        games=1,
        players=6,
        seed=actions,
        strategies=("plain",),
        settings=SETTINGS,
        actions=actions,
    )
    played = game_of(series, 0)
    banker = keep(ledger, played)
    table = Table(browser, service.url, played.game.name, {"banker": banker, "players": {}}, "negopoly", "Bench")
    for one in table.ask("banker", "tokens")["tokens"]:
        if one["role"] != "banker":
            token = table.post("banker", f"tokens/{one['id']}/replacement")["token"]
            if one["seat"]:
                table.tokens["players"][one["seat"]] = token
            else:
                table.tokens["spectator"] = token
    return table


def _ready(page: Page, path: str) -> None:
    """Wait until the page shows the game."""
    if path == "play":
        page.get_by_role("button", name="Touch: my money and goods").wait_for()
    else:
        page.get_by_role("group", name="Board", exact=True).first.wait_for()


def _loading(table: Table, over: Over, loads: int) -> None:
    """From an address to the game, on devices that have never been here; and the bytes that this takes."""
    limits = {"desk": 90, "play": 60, "wall": 57}
    for who, path in (PAGES[0], PAGES[1], PAGES[3]):
        progress(f"the first view: {path}")
        took: list[float] = []
        scripts = 0.0
        for _ in range(loads):
            blank = table.page(who, "/join", service_workers="block")
            page = blank.context.new_page()
            table.watch(page)
            blank.close()
            sizes: list[Request] = []
            page.on("requestfinished", _into(sizes))
            _without_cache(page)
            began = time.perf_counter()
            page.goto(f"{table.url}/g/{table.game}/{path}", wait_until="commit")
            _ready(page, path)
            took.append(time.perf_counter() - began)
            page.wait_for_timeout(1000)
            scripts = sum(one.sizes()["responseBodySize"] for one in sizes if one.url.endswith(".js")) / 1000
            page.context.close()
        # Only so does the browser tell the sizes of files; the page says that its worker is not let in.
        table.watched.faults[:] = [one for one in table.watched.faults if "Service Worker" not in one]
        over.row(f"first view of a running game: {path}", 1000 * statistics.median(took), 1000, "ms")
        over.row(f"JavaScript that it loads: {path}", scripts, limits[path], "KB")


def _into(requests: list[Request]) -> Callable[[Request], None]:
    """A listener that adds each request to the list."""

    def add(request: Request) -> None:
        requests.append(request)

    return add


def _without_cache(page: Page) -> None:
    page.context.new_cdp_session(page).send("Network.setCacheDisabled", {"cacheDisabled": True})


def _following(table: Table, over: Over, payments: int, more: int) -> None:
    """From the answer to a payment until four pages show it; and what hundreds of actions leave behind."""
    progress(f"{payments} payments on four pages")
    pages = [table.page(who, path) for who, path in PAGES]
    for page, (_, path) in zip(pages, PAGES, strict=True):
        _ready(page, path)
        page.evaluate(_WATCH)
    seats = [one["seat"] for one in table.ask("banker", "state")["seats"]]
    took: list[float] = []
    for number in range(payments):
        amount = 201 + number
        words = f"gives ₦{amount} to"
        for page, (_, path) in zip(pages, PAGES, strict=True):
            # Payments are private: the wall says that one happened.
            page.evaluate("(words) => seek(words)", "Something private" if path == "wall" else words)
        table.act("banker", "transfer_money", {"to": seats[1], "amount": amount}, seat=seats[0])
        answered = time.time() * 1000
        took.append(max(page.evaluate("() => shown") - answered for page in pages))
    took = [max(0.0, one) for one in took]
    over.row("a payment is shown on four pages, p95", _percentile(took, 95), 200, "ms")
    over.row("the same, median", statistics.median(took), 200, "ms")
    # A new line moves those below it; nothing else may move.
    shifts = max(page.evaluate("() => shifted") for page in pages)
    over.row("layout shift by a payment, of the worst page", 1000 * shifts / payments, 10, "‰")
    heaps = [_heap(page) for page in pages]
    progress(f"{more} payments more")
    for _ in range(more):
        table.act("banker", "transfer_money", {"to": seats[1], "amount": 1}, seat=seats[0])
    version = table.ask("banker", "state")["version"]
    for page in pages:
        page.wait_for_timeout(500)
    later = [_heap(page) for page in pages]
    for (_, path), before, now in zip(PAGES, heaps, later, strict=True):
        grown = (now - before) / 1e6
        over.row(f"memory after {more} actions more: {path}", grown, 8, "MB")
    assert version > more
    for page in pages[1:]:
        page.context.close()


def _heap(page: Page) -> float:
    """The bytes that are in use after a collection of garbage."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    return float(session.send("Runtime.getHeapUsage")["usedSize"])


def _typing(table: Table, over: Over, lines: int) -> None:
    """From a key to what the line may mean, and to what it would do."""
    progress("typing")
    page = table.page("banker", "desk")
    _ready(page, "desk")
    field = page.get_by_role("combobox", name="Entry line")
    field.focus()
    page.evaluate(_WATCH)
    page.evaluate(_TYPING)
    previews: list[float] = []
    for amount in range(401, 401 + lines):
        page.evaluate("(words) => seek(words)", f"gives ₦{amount} to")
        field.press_sequentially(f"ana paye {amount} bob", delay=40)
        previews.append(page.evaluate("async () => (await shown) - pressed"))
        field.fill("")
        page.wait_for_timeout(100)
    readings = page.evaluate("() => readings")
    over.row(f"key → readings, p95 of {len(readings)}", _percentile(readings, 95), 16, "ms")
    over.row("key → what it would do, median", statistics.median(previews), 150, "ms")


def _percentile(values: Sequence[float], percent: int) -> float:
    return statistics.quantiles(values, n=100)[percent - 1]
