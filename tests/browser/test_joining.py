"""The page of a join link in Chromium: from the banker's link to a token on the device, on a telephone."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect, sync_playwright
from werkzeug.serving import make_server

from api.rest.application import Config, create_app
from ledger.service import Ledger
from tests.browser.test_report import FLAGS
from tests.tables.over_http import Caller, HttpTable

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        yield started
        started.close()


def test_ana_opens_her_link(ledger: Ledger, browser: Browser) -> None:
    """The code is sent in the body alone, and leaves the address before that. A second device gets nothing."""
    app = create_app(ledger, Config())
    table = HttpTable.created(app.test_client())
    server = make_server("127.0.0.1", 0, app, threaded=True)
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    base = f"http://127.0.0.1:{server.port}"
    code = table.banker.post("invitations", {"seat": "ana"}).json["code"]
    try:
        phone = browser.new_context(viewport={"width": 360, "height": 640}, locale="fr-FR")
        page = phone.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: asked.append(f"{error}"))
        page.goto(f"{base}/join#{code}")
        expect(page.get_by_label("Code")).to_have_value(code)
        assert page.url == f"{base}/join"
        assert Axe().run(page).violations_count == 0
        page.get_by_role("button", name="Rejoindre").click()
        expect(page.get_by_role("status")).to_contain_text("Vous y êtes : Ana")
        kept = page.evaluate(f"JSON.parse(localStorage.getItem('mabligop:{table.game}'))")
        assert Caller(table.client, table.game, kept["token"]).get("/api/v1/me").json["seat"] == "ana"
        paths = ("/join", "/join/page.css", "/join/page.js", "/api/v1/join")
        assert sorted(asked) == sorted(f"{base}{path}" for path in paths)
        again = browser.new_page(locale="en-GB")
        again.goto(f"{base}/join#{code}")
        again.get_by_role("button", name="Join").click()
        expect(again.get_by_role("status")).to_contain_text("the code opens nothing")
    finally:
        server.shutdown()
        serving.join()
        server.server_close()
