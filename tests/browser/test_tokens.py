"""Tokens stand beside names, never on them: one to eight on every square of every board, on small and large desks.

The page gets a state in which the tokens stand everywhere: no evening has so many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from playwright.sync_api import Page

from tests.browser.look import covering
from tests.browser.screens import SCREENS, Evenings
from tests.browser.settled import Settling
from tests.browser.table import Table, wait_until
from tests.tables.negopoly import NO_DECKS, starting

pytestmark = pytest.mark.xdist_group("console")

BOARDS = ("desk", "naruto", "monopolys", "own_board", "virtual_revolution")
SIZES = ((1024, 700), (1280, 800), (1920, 1080), (2560, 1440))
CROWDED = """(() => {
  const read = window.fetch;
  const crowded = (message) => {
    const data = /^data: (.*)$/m.exec(message)?.[1];
    if (!/^event: state$/m.test(message) || !sessionStorage.crowd) return message;
    const content = JSON.parse(data);
    const { state } = content;
    const seats = state.standings.map(({ seat }) => seat);
    const { squares, count } = JSON.parse(sessionStorage.crowd);
    state.display.tokens = squares.flatMap((place) =>
      Array.from({ length: count }, (_, at) => ({ seat: seats[at % seats.length], place })));
    return message.replace(data, () => JSON.stringify(content));
  };
  window.fetch = async (request, options) => {
    const answer = await read(request, options);
    if (!String(request.url ?? request).includes("/stream?") || !answer.ok) return answer;
    let rest = "";
    const messages = new TransformStream({
      transform(text, out) {
        const parts = (rest + text).split("\\n\\n");
        rest = parts.pop();
        for (const part of parts) out.enqueue(crowded(part) + "\\n\\n");
      },
    });
    const texts = answer.body.pipeThrough(new TextDecoderStream()).pipeThrough(messages);
    return new Response(texts.pipeThrough(new TextEncoderStream()), answer);
  };
})()"""
SQUARES = "[...document.querySelectorAll('[data-place]')].map((square) => square.dataset.place)"
# How many stops each walk of a token has.
WALKS = """(() => {
  const animate = Element.prototype.animate;
  window.walks = [];
  Element.prototype.animate = function (frames, ...more) {
    window.walks.push(frames.length);
    return animate.call(this, frames, ...more);
  };
})()"""
STANDING = "document.querySelectorAll('.stand, .pin').length"


def crowd(page: Page, count: int, squares: list[str]) -> None:
    """Give the page a state with this number of tokens on each of these squares."""
    page.evaluate(
        "(crowd) => sessionStorage.setItem('crowd', JSON.stringify(crowd))", {"squares": squares, "count": count}
    )
    page.reload()
    settling = Settling(page)
    wait_until(page, f"{STANDING} >= {min(count, 4) * len(squares)}")
    settling.wait()


def faults_on(page: Page, counts: Iterable[int], sizes: Iterable[tuple[int, int]]) -> list[str]:
    """List the covered names. A map has room for the tokens of an evening: two on each sixth district."""
    faults: list[str] = []
    page.add_init_script(CROWDED)
    every: list[str] = page.evaluate(SQUARES)
    assert len(every) >= 14
    ring = page.locator(".board.ring").count() > 0
    for count in counts if ring else (1, 2):
        for squares in [every] if ring else [every[first::6] for first in range(6)]:
            crowd(page, count, squares)
            for width, height in sizes:
                page.set_viewport_size({"width": width, "height": height})
                Settling(page).wait()
                faults += [f"{count} on {width} x {height}: {fault}" for fault in covering(page)]
    page.context.close()
    return faults


@pytest.mark.parametrize("name", ["naruto", "own_board"])
def test_tokens_stand_beside_names(evenings: Evenings, name: str) -> None:
    page = evenings.open(SCREENS[name])
    assert faults_on(page, (5,), SIZES[:1]) == []


def test_a_token_walks_along_the_lane(tables: Callable[..., Table]) -> None:
    """A throw leads Ana round the corner of the prison; who wants no motion sees Ana there at once."""
    table = tables("negopoly", "ana", "bob", dice="table", settings={"decks": NO_DECKS})
    for seat, kind, params in starting("ana", "bob"):
        table.act(seat or "banker", kind, params)
    pages = [table.page("banker", "desk", reduced_motion=motion) for motion in ("no-preference", "reduce")]
    for page in pages:
        page.add_init_script(WALKS)
        page.reload()
        page.locator(".stand").first.wait_for()
    table.act("ana", "roll_dice", {"dice": [6, 6]})
    for page in pages:
        page.locator('[data-place].here:not([data-place="0"])').wait_for()
        Settling(page).redraw()
    assert [page.evaluate("walks") for page in pages] == [[3], []]


@pytest.mark.soak
@pytest.mark.parametrize("name", BOARDS)
def test_tokens_stand_beside_names_on_every_desk(evenings: Evenings, name: str) -> None:
    page = evenings.open(SCREENS[name])
    assert faults_on(page, range(1, 9), SIZES) == []
