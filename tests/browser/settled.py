"""When a page has got everything that it asked for, and how its address changes without loading it anew."""

from __future__ import annotations

from urllib.parse import urlsplit

from playwright.sync_api import Page, Request

_DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 10))))"
_GO = "(path) => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }"
_CALM = 3
"""How many looks in a row must find nothing under way: what one answer brings may ask for more."""
_LOOKS = 2000


class Settling:
    """Follows the requests of a page. Streams never end, so they do not count."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._under_way: set[Request] = set()
        page.on("request", self._begun)
        page.on("requestfinished", self._ended)
        page.on("requestfailed", self._ended)

    def _begun(self, request: Request) -> None:
        if not urlsplit(request.url).path.endswith("/stream"):
            self._under_way.add(request)

    def _ended(self, request: Request) -> None:
        self._under_way.discard(request)

    def wait(self) -> None:
        """Until the page has drawn what it asked for."""
        calm = 0
        for _ in range(_LOOKS):
            self.page.evaluate(_DRAWN)
            calm = 0 if self._under_way else calm + 1
            if calm == _CALM:
                return
        raise AssertionError(f"still under way: {[request.url for request in self._under_way]}")

    def redraw(self) -> None:
        """Until the page has drawn a change of its size or its colours, which seldom asks for anything."""
        self.page.evaluate(_DRAWN)
        if self._under_way:
            self.wait()

    def go(self, path: str) -> None:
        """Go to another page as its links do, and wait for it. The console must have begun."""
        self._require_heading()
        self.page.evaluate(_GO, path)
        self.wait()
        self._require_heading()
        # A page may add to its address what it shows.
        assert path in self.page.url, f"{path} leads to {self.page.url}"

    def _require_heading(self) -> None:
        """Wait for the heading of the page: one that is fetched and has not begun yet asks for nothing."""
        heading = self.page.get_by_role("heading", level=1).first
        if not heading.count():
            heading.wait_for(state="attached")
            self.wait()
