"""A game on a running service, and the pages that the people at the table have open."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

import httpx
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.command.service import trusted

PHONE = (390, 844)
DESK = (1280, 800)
WALL = (1920, 1080)

_REFUSED = re.compile(r"Failed to load resource: the server responded with a status of (409|412|422) ")
"""Chromium reports each of these answers as an error, although the page shows what it says."""
_TOKEN = re.compile(r"\b[a-z2-7]{16}\.[\w-]{32}")
"""A token, whosever it is."""
_WITHOUT_WORKER = "Service Worker registration blocked by Playwright"
_SHUT_OUT = re.compile(r"Failed to load resource: the server responded with a status of 401 ")
_AWAY = re.compile(r"Failed to load resource: net::ERR_|the server responded with a status of 50[234]|WebSocket")


def press_enter(line: Locator) -> None:
    """Press Enter in the entry line of the desk.

    For a quarter of a second after an entry the line takes an Enter for a slip. The caller has seen the line take
    that entry, so at the end of the wait the quarter is over, however slow the machine is.
    """
    line.page.wait_for_timeout(260)
    line.press("Enter")


def enter_line(line: Locator) -> None:
    """Press Enter in the entry line, and see the line emptied."""
    press_enter(line)
    expect(line).to_have_value("")


def touch(button: Locator) -> None:
    """Touch a button as soon as it is enabled, or hold it if it asks for that."""
    expect(button).to_be_enabled()
    if button.get_attribute("aria-expanded") is None:
        button.tap()
    else:
        button.click(delay=700)


def act_at_once(button: Locator) -> bool:
    """Touch a move on a phone. Returns whether that did it: an answer with its effect beside it opens no sheet."""
    expect(button).to_be_enabled()
    at_once = button.get_attribute("aria-describedby") is not None
    touch(button)
    return at_once


@dataclass
class Hand:
    """A hand on a touch screen, which counts its touches for each act. A button that is held counts once."""

    page: Page
    act: str = ""
    counts: dict[str, int] = field(default_factory=dict)

    def begin(self, act: str) -> None:
        """Count the next touches for this act."""
        self.act = act
        self.counts[act] = 0

    def touch(self, name: str | re.Pattern[str], *, hold: bool = False, within: Locator | None = None) -> None:
        """Touch a button or a link once it can be touched; hold it where a touch would only ask."""
        target = (within or self.page).get_by_role("button", name=name, exact=True)
        link = self.page.get_by_role("link", name=name, exact=True)
        target = (target if within else target.or_(link)).first
        expect(target).to_be_enabled()
        target.click(delay=700 if hold else 0)
        self.counts[self.act] += 1

    def hold(self, name: str, until: Locator) -> None:
        """Keep a button pressed until something is seen."""
        self.page.get_by_role("button", name=name, exact=True).hover()
        self.page.mouse.down()
        expect(until).to_be_visible()
        self.page.mouse.up()
        self.counts[self.act] += 1

    def type(self, box: Locator, typed: str) -> None:
        """Touch a box, whose content is selected by that, and the keys of the screen's keyboard."""
        box.tap()
        self.page.keyboard.type(typed)
        self.counts[self.act] += 1 + len(typed)


def paper(page: Page) -> list[tuple[int, int]]:
    """The sheets on which the page prints itself, each with its width and height in millimetres."""
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", page.pdf(prefer_css_page_size=True))
    return [(round(float(width) * 25.4 / 72), round(float(height) * 25.4 / 72)) for width, height in boxes]


def wait_until(page: Page, expression: str) -> None:
    """Wait until a JavaScript expression is true in the page.

    Playwright's own wait has the page evaluate a text again and again, which the policy of the pages refuses.
    """
    for _ in range(1200):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"it never holds: {expression}")


@dataclass
class Watched:
    """What a page did that no page may do."""

    faults: list[str] = field(default_factory=list)
    away: bool = False
    """Whether the service cannot be reached just now: requests may fail."""
    shut_out: set[Page] = field(default_factory=set)
    """The pages whose key was taken from them: what they still ask for may be refused."""


class Table:
    """One game: the tokens of its seats, and pages for them. `clear` fails when a page did what none may do."""

    def __init__(
        self, browser: Browser, url: str, game: str, tokens: dict[str, Any], rulebook: str, title: str
    ) -> None:
        self.browser = browser
        self.url = url
        self.game = game
        self.tokens = tokens
        self.rulebook = rulebook
        self.title = title
        self.watched = Watched()
        self._contexts: list[BrowserContext] = []

    @classmethod
    def laid(
        cls,
        browser: Browser,
        url: str,
        rulebook: str,
        seats: Sequence[str],
        *,
        title: str = "Friday evening",
        dice: Literal["table", "service"] = "table",
        settings: dict[str, Any] | None = None,
        **more: Any,
    ) -> Table:
        """Create a game on the service at `url`."""
        players = [{"seat": seat, "name": seat.capitalize()} for seat in seats]
        asked = {
            "rulebook": rulebook,
            "players": players,
            "dice": dice,
            "title": title,
            "settings": settings or {},
        }
        with httpx.Client(base_url=url, verify=trusted(), trust_env=False, timeout=300) as client:
            made = client.post("/api/v1/games", json=asked | more).raise_for_status().json()
        return cls(browser, url, made["game"], made["tokens"], rulebook, title)

    def token(self, who: str) -> str:
        """The token of "banker", "spectator" or a seat."""
        return self.tokens[who] if who in ("banker", "spectator") else self.tokens["players"][who]

    def credential(self, who: str) -> dict[str, str]:
        """What the console keeps of a token, as `POST /join` answers it."""
        role = who if who in ("banker", "spectator") else "player"
        seat = {"seat": who, "name": who.capitalize()} if role == "player" else {}
        known = {"game": self.game, "rulebook": self.rulebook, "title": self.title, "role": role}
        return known | seat | {"token": self.token(who)}

    # The API, for what a scenario begins with ----------------------------------------------------

    def ask(self, who: str, path: str, **query: Any) -> Any:
        """Read a resource of the game with somebody's token."""
        return self._client(who, "GET", path, params=query)

    def act(self, who: str, kind: str, params: dict[str, Any] | None = None, **more: Any) -> Any:
        """Perform an action with somebody's token; it must be accepted."""
        return self._client(who, "POST", "actions", json={"kind": kind, "params": params or {}, **more})

    def post(self, who: str, path: str, **body: Any) -> Any:
        """Write to a resource of the game; it must be accepted."""
        return self._client(who, "POST", path, json=body)

    def _client(self, who: str, method: str, path: str, **asked: Any) -> Any:
        headers = {"Authorization": f"Bearer {self.token(who)}"}
        with httpx.Client(
            base_url=self.url, headers=headers, verify=trusted(), trust_env=False, timeout=300
        ) as client:
            answer = client.request(method, f"/api/v1/games/{self.game}/{path}", **asked)
        assert answer.is_success, answer.text
        return answer.json()

    def journal(self, who: str = "banker") -> list[dict[str, Any]]:
        """The first lines of the journal, as somebody gets them."""
        found: list[dict[str, Any]] = self.ask(who, "actions", limit=200)["actions"]
        return found

    def sentences(self, who: str = "banker") -> list[str]:
        """The journal, newest last, as somebody reads it."""
        return [line["sentence"] for line in self.journal(who)]

    # Pages ---------------------------------------------------------------------------------------

    def page(
        self,
        who: str | None,
        path: str = "",
        *,
        size: tuple[int, int] | None = None,
        theme: Literal["light", "dark"] = "light",
        language: Literal["en", "fr"] = "en",
        **more: Any,
    ) -> Page:
        """Open a page of the game on a device of its own that has somebody's key; without `who`, none.

        The path is that of the page in the game ("journal?seat=ana"), or begins with a slash.

        The device keeps no files of the console, unless `service_workers="allow"`. To keep them takes more time
        than to show the page. `test_kept_files.py` and `test_evening.py` keep them.
        """
        role = "player" if who not in ("banker", "spectator", None) else who
        width, height = size or {"player": PHONE, "spectator": WALL}.get(role or "", DESK)
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=theme,
            locale={"en": "en-GB", "fr": "fr-FR"}[language],
            timezone_id="Europe/Paris",
            **{"has_touch": role == "player", "reduced_motion": "reduce", "service_workers": "block", **more},
        )
        self._contexts.append(context)
        if who is not None:
            kept = json.dumps(json.dumps([self.credential(who)]))
            # Only once: what the page does with its storage later stays.
            context.add_init_script(
                f"if (!sessionStorage.laid) {{ sessionStorage.laid = 1;"
                f" localStorage.setItem('mabligop:{self.game}', {kept});"
                # A slow story has minutes without a touch.
                " localStorage.setItem('mabligop-cover:player', 'off'); }"
            )
        page = context.new_page()
        self.watch(page)
        page.goto(self.url + (path if path.startswith("/") else f"/g/{self.game}" + (f"/{path}" if path else "")))
        return page

    def adopt(self, context: BrowserContext) -> None:
        """Close this context with the table."""
        self._contexts.append(context)

    def watch(self, page: Page) -> None:
        """Note what this page does that no page may do."""
        own = urlsplit(self.url).netloc

        def said(text: str) -> None:
            expected = text == _WITHOUT_WORKER or _REFUSED.search(text)
            expected = expected or (page in self.watched.shut_out and _SHUT_OUT.search(text))
            if not expected and not (self.watched.away and _AWAY.search(text)):
                self.watched.faults.append(text)

        page.on("console", lambda message: said(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.watched.faults.append(f"{error}"))
        page.on(
            "request",
            lambda request: (
                None
                if urlsplit(request.url).netloc == own or request.url.startswith("blob:")
                else self.watched.faults.append(f"a request to {request.url}")
            ),
        )
        page.on(
            "request",
            lambda request: (
                self.watched.faults.append(f"a token in the address {request.url}")
                if _TOKEN.search(request.url)
                else None
            ),
        )

    @contextmanager
    def away(self) -> Iterator[None]:
        """The service cannot be reached meanwhile: failed requests are no faults of the pages."""
        self.watched.away = True
        yield
        self.watched.away = False

    def shuts_out(self, page: Page) -> None:
        """Expect that this page loses its key: what it has just asked for is refused, which is no fault."""
        self.watched.shut_out.add(page)

    def clear(self) -> None:
        """Close all pages, and fail if one of them did what none may do."""
        for context in self._contexts:
            context.close()
        faults, self.watched.faults = self.watched.faults, []
        assert not faults, "\n".join(faults)
