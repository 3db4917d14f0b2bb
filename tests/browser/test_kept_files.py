"""What a device keeps of the console: its built files, and nothing that the API answers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.table import Table, wait_until
from tests.command.service import Service

pytestmark = pytest.mark.xdist_group("browser")

KEPT = """async () => (await Promise.all((await caches.keys()).map(async name =>
    (await (await caches.open(name)).keys()).map(request => new URL(request.url).pathname)))).flat()"""


def test_a_page_opens_again_while_the_service_is_down(chromium: Browser, new_database: Callable[..., str]) -> None:
    """Bob has looked at the game; the banker's machine is switched off; he loads the page again."""
    service = Service("--no-demo", DATABASE_URL=new_database())
    stopped = False
    try:
        table = Table.laid(chromium, service.url, "negopoly", ("ana", "bob"))
        page = table.page("bob", "play", service_workers="allow")
        expect(page.get_by_role("heading", level=1)).to_be_attached()
        page.evaluate("async () => { await navigator.serviceWorker.ready }")
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_be_attached()
        wait_until(page, "navigator.serviceWorker.controller !== null")
        kept = page.evaluate(KEPT)
        assert "/new" in kept
        assert any(path.startswith("/assets/PhoneFrame-") for path in kept)
        assert [path for path in kept if path.startswith(("/api/", "/g/"))] == []
        with table.away():
            service.kill()
            stopped = True
            page.reload()
            expect(page.locator("#app")).not_to_be_empty()
            assert page.evaluate("fetch('/healthz').then(() => 'there', () => 'gone')") == "gone"
            assert page.evaluate(KEPT) == kept
        table.clear()
    finally:
        if not stopped:
            service.kill()
