"""Chromium, and the console in it, for the scenarios of this folder.

- `chromium`: one browser for the tests of this folder;
- `evenings`: the evenings of the demo and the recorded games;
- `tables`: a function that lays a table: a game on the running service, whose pages are opened with `page`.

Every page is watched: an error in its console, a request to another host or a breach of its policy fails the test.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.screens import Evenings
from tests.browser.table import Table
from tests.command.service import Service

CHROMIUM = "chromium-headless-shell"
"""Chromium without a window takes a third less time than the whole browser without showing one."""
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]

expect.set_options(timeout=60_000)  # Only a page that hangs takes so long, however busy the machine is.


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium. It ends before tests of other folders: as long as it runs, they can run no event loop."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=shutil.which(CHROMIUM), args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="package")
def evenings(chromium: Browser, service: Service, served: str) -> Iterator[Evenings]:
    """The demo's evenings and the recorded games on the service, each laid on first use."""
    shown = Evenings(chromium, service, served)
    yield shown
    shown.clear()


@pytest.fixture
def tables(chromium: Browser, service: Service) -> Iterator[Callable[..., Table]]:
    laid: list[Table] = []

    def lay(rulebook: str, *seats: str, **asked: object) -> Table:
        table = Table.laid(chromium, service.url, rulebook, seats, **asked)
        laid.append(table)
        return table

    yield lay
    for table in laid:
        table.clear()
