"""Everything that the pages of a game request, are told, show and keep, to compare two games by it.

    onlookers = Onlookers(table, dan="play", spectator="wall")
    table.act("ana", "offer_for_sale", {"card": "good:1", "face": "down"})
    onlookers.hear("a card for sale")
    onlookers.visit("journal", "accounts", but="bob")

Two games with the same steps can then be compared, page by page, with `assert_alike` and `differing`.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Request, Response

from tests.browser.settled import Settling
from tests.browser.table import Table, wait_until
from tests.harness.comparable import anonymous

_CLOCK = re.compile(r"\b\d\d?:\d\d(:\d\d)?\b(\s[AP]M)?")
_TIME = re.compile(r"- time: .*")
"""What the page calls a time, in its tree."""
_OWN = re.compile(
    r'(?P<name>"(?:receipt|leaf|root|proof)": ?)"[^"]*"'
    r'|(?P<length>"lasted": ?)\d+'
    r"|(?<=mabligop-outbox:<game>:)[0-9a-f]+"
    r"|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
    r"|(?<=[\"#])c\d+(?=-\d)"
)
"""What is of one game or one request: receipts (hashes of everything that happened), what the name of a
device's outbox has of its token, the ids of requests, how long the people took, and the ids of patterns. Those
count the parts that the page has begun, in the order of the answers."""
_LOG = re.compile(r"/(?:checkpoint|proofs/\w+|me)$")
_OF_THE_REQUEST = frozenset({"content-length", "date", "idempotency-key", "ratelimit", "x-request-id"})
"""The headers that are of one request. The body shows its length; ids in it compress differently."""
_STILL = """() => {
  if (document.adoptedStyleSheets.length > 0) return;
  const still = new CSSStyleSheet();
  still.replaceSync(`time, [aria-live] { display: none !important }
    * { caret-color: transparent !important; border-radius: 0 !important }`);
  document.adoptedStyleSheets = [still];
}"""
"""Times (as wide as they are), the caret and the edges of round corners differ from one picture to the next. What
screen readers are told, sentences of the stream, stands in the page for a moment only. A style element would break
the page's policy."""
_DOCUMENT = """() => {
  const copy = document.documentElement.cloneNode(true);
  for (const one of copy.querySelectorAll('link[rel=modulepreload], link[rel=stylesheet]')) one.remove();
  for (const one of copy.querySelectorAll('[aria-live], time')) one.textContent = '';
  for (const one of copy.querySelectorAll('time')) one.dateTime = '';
  return copy.outerHTML;
}"""
_HEARD = """
  window.heard = [];
  window.reached = 0;
  const asked = window.fetch;
  window.fetch = async (...given) => {
    const answer = await asked(...given);
    if (!answer.url.includes('/stream') || answer.body === null) return answer;
    const [own, noted] = answer.body.tee();
    void (async () => {
      const reader = noted.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      for (;;) {
        const { done, value } = await reader.read().catch(() => ({ done: true }));
        if (done) return;
        const messages = (rest + value).split('\\n\\n');
        rest = messages.pop();
        window.heard.push(...messages);
        for (const one of messages)
          if (/^event: ?state$/m.test(one))
            window.reached = Math.max(window.reached, /^id: ?(\\d+)$/m.exec(one)[1]);
      }
    })();
    return new Response(own, { status: answer.status, headers: answer.headers });
  };
"""
"""What the stream tells the page is noted as well: an answer that never ends cannot be read from outside."""
_KEPT = """async () => {
  const kept = [localStorage, sessionStorage].map((one) =>
    Object.entries(one).filter(([name]) => !name.startsWith('mabligop-log:')).sort());
  kept.push(document.cookie, history.state, location.pathname + location.search + location.hash);
  for (const { name } of await indexedDB.databases()) {
    const open = await new Promise((done) => {
      indexedDB.open(name).onsuccess = (event) => done(event.target.result);
    });
    for (const store of open.objectStoreNames) {
      const read = open.transaction(store).objectStore(store).getAll();
      kept.push([name, store, await new Promise((done) => (read.onsuccess = () => done(read.result)))]);
    }
    open.close();
  }
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys())
      if (url.includes('/api/')) kept.push(url);
  return JSON.stringify(kept);
}"""
"""All that a page can keep on a device. The built files that the worker keeps are the same for every game."""

_APART = """async (pictures) => {
  const [one, other] = await Promise.all(pictures.map(async (encoded) => {
    const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${encoded}`)).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    canvas.drawImage(picture, 0, 0);
    return canvas.getImageData(0, 0, picture.width, picture.height);
  }));
  if (one.width !== other.width || one.height !== other.height) return 255;
  return one.data.reduce((most, value, at) => Math.max(most, Math.abs(value - other.data[at])), 0);
}"""
"""How far two pictures are apart: the largest difference of a colour in a pixel."""


@dataclass(frozen=True)
class Trace:
    """One thing that somebody who has the device can find out."""

    step: str
    what: str
    said: str
    picture: bytes = field(default=b"", compare=False, repr=False)


class Observed:
    """A page of one game, and everything that can be found out with it."""

    def __init__(self, table: Table, who: str, path: str) -> None:
        self.table = table
        self.traces: list[Trace] = []
        self._requests: list[Request] = []
        self._answers: list[Response] = []
        self._logged: list[str] = []
        self.page = table.page(who, "/join")
        self.page.context.add_init_script(_HEARD)
        self.page.on("request", lambda request: self._requests.append(request) if _of_api(request.url) else None)
        self.page.on("response", lambda answer: self._answers.append(answer) if _of_api(answer.url) else None)
        self.page.on("console", lambda message: self._logged.append(message.text))
        self._settling = Settling(self.page)
        self.page.goto(f"{table.url}/g/{table.game}/{path}")

    def go(self, path: str) -> None:
        """Go to another page of the game, and note it."""
        self._settling.go(f"/g/{self.table.game}/{path}")
        self.note(path)

    def heard(self, version: int) -> None:
        """Wait until the stream has told the page of this version of the game."""
        wait_until(self.page, f"reached >= {version}")

    def watches(self) -> None:
        """Wait until the page watches the journal, which it begins a while after it was opened."""
        wait_until(self.page, "performance.getEntriesByType('resource').some(({ name }) => /Alarm-/.test(name))")

    def note(self, step: str) -> None:
        """Note what has happened since the last time, and what the page shows now."""
        self._settling.wait()
        requests, self._requests[:] = list(self._requests), []
        answers, self._answers[:] = list(self._answers), []
        logged, self._logged[:] = list(self._logged), []
        # What is asked for at once may be sent and answered in any order.
        self._add(step, "requests", "\n".join(sorted(map(_asked, requests))))
        self._add(step, "answers", "\n".join(sorted(self._own(_answered(one)) for one in answers)))
        self._add(step, "stream", self._stream())
        self.page.evaluate(_STILL)
        self._add(step, "document", self.page.evaluate(_DOCUMENT))
        self._add(step, "tree", _TIME.sub("- time", self.page.locator("body").aria_snapshot()))
        self._add(step, "kept", self.page.evaluate(_KEPT))
        self._add(step, "log", "\n".join(logged))
        picture = self.page.screenshot(animations="allow", caret="initial")
        self.traces.append(Trace(step, "picture", sha256(picture).hexdigest(), picture))

    def _add(self, step: str, what: str, said: str) -> None:
        self.traces.append(Trace(step, what, self._own(said)))

    def _own(self, said: str) -> str:
        tokens = self.table.tokens
        every = [tokens["banker"], tokens["spectator"], *tokens["players"].values()]
        own = [*((token, "<token>") for token in every), (self.table.game, "<game>")]
        return _OWN.sub(
            lambda found: f"{found['name'] or found['length'] or ''}<own>",
            _CLOCK.sub("<time>", anonymous(said, own)),
        )

    def _stream(self) -> str:
        """The messages since the last time, without heartbeats and presence, which come when they come."""
        messages: list[str] = self.page.evaluate("() => heard.splice(0)")
        return "\n\n".join(one for one in messages if not re.search(r"(?m)^event: ?(heartbeat|presence)$", one))


class Onlookers:
    """Pages of several people at one table. `path` of each is where the page is opened."""

    def __init__(self, table: Table, **path: str) -> None:
        self.table = table
        self.seen = {who: Observed(table, who, where) for who, where in path.items()}
        for one in self.seen.values():
            one.watches()
        self.hear("opened")

    def hear(self, step: str) -> None:
        """Note every page as soon as it has been told of the last action."""
        version = self.table.ask("banker", "state")["version"]
        for one in self.seen.values():
            one.heard(version)
        for one in self.seen.values():
            one.note(step)

    def visit(self, *paths: str, but: str) -> None:
        """Go to these pages of the game, one after the other; who knows the secret, only to the first one."""
        for path in paths:
            for who, one in self.seen.items():
                if who != but or path == paths[0]:
                    one.go(path)


def _of_api(url: str) -> bool:
    """Whether it is an address of the API, and not of the log.

    Pages verify the log of a game from time to time. It is hashes of everything that happened: what its addresses
    tell is compared without pages.
    """
    path = urlsplit(url).path
    return path.startswith("/api/") and not _LOG.search(path)


def _asked(request: Request) -> str:
    return f"{request.method} {request.url} {_headers(request.headers)} {request.post_data or ''}"


def _answered(answer: Response) -> str:
    streams = urlsplit(answer.url).path.endswith("/stream")
    body = "" if streams or answer.status in (204, 304) else answer.text()
    return f"{answer.status} {answer.url} {_headers(answer.headers)} {body}"


def _headers(headers: dict[str, str]) -> str:
    return str(sorted((name, "" if name in _OF_THE_REQUEST else value) for name, value in headers.items()))


def differing(one: Observed, other: Observed) -> Iterator[tuple[Trace, Trace]]:
    """Where the two games can be told apart by their pages."""
    assert [(trace.step, trace.what) for trace in one.traces] == [
        (trace.step, trace.what) for trace in other.traces
    ]
    for mine, theirs in zip(one.traces, other.traces, strict=True):
        if mine != theirs and not (mine.picture and _look_alike(one.table.browser, mine.picture, theirs.picture)):
            yield mine, theirs


def _look_alike(browser: Browser, one: bytes, other: bytes) -> bool:
    """Whether no colour of a pixel differs by more than 2 of 255: not every round corner is drawn to the bit."""
    page = browser.new_page()
    try:
        encoded = [base64.b64encode(picture).decode() for picture in (one, other)]
        most: int = page.evaluate(_APART, encoded)
        return most <= 2
    finally:
        page.close()


def found_out(one: Observed, other: Observed) -> set[str]:
    """The kinds of traces that tell the two games apart."""
    return {mine.what for mine, _ in differing(one, other)}


def assert_alike(one: Observed, other: Observed) -> None:
    """Both pages tell the same. Pictures that differ are kept."""
    for mine, theirs in differing(one, other):
        at = next(
            (n for n, (a, b) in enumerate(zip(mine.said, theirs.said, strict=False)) if a != b),
            min(len(mine.said), len(theirs.said)),
        )
        cut = slice(max(0, at - 300), at + 200)
        said = [json.dumps(trace.said[cut], ensure_ascii=False) for trace in (mine, theirs)]
        if mine.picture:
            folder = Path(mkdtemp(prefix="coupled-"))
            for number, trace in enumerate((mine, theirs)):
                (folder / f"{number}.png").write_bytes(trace.picture)
            said = [str(folder)]
        raise AssertionError(f"{mine.what} at {mine.step!r}:\n" + "\n".join(said))
