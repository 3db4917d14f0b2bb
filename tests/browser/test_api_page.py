"""The page of the API in a browser: every operation unfolds, and what is sent is seen whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from ledger.rulebooks import rulebooks_by_id
from tests.command.service import Service
from tests.properties.commands import SOAK

pytestmark = pytest.mark.xdist_group("console")


@pytest.fixture
def page(chromium: Browser, service: Service) -> Iterator[Page]:
    """A page that may only ask this service. What it says of errors fails the test."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
    page = context.new_page()
    faults: list[str] = []
    own = urlsplit(service.url).netloc
    page.on("request", lambda asked: None if urlsplit(asked.url).netloc == own else faults.append(asked.url))
    page.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    context.close()
    assert faults == []


def open_operation(page: Page, tag: str, name: str) -> None:
    """Unfold an operation from the menu."""
    page.evaluate(f"location.hash = '/{tag}/{name.lower()}'")


def test_operations_unfold(page: Page, service: Service) -> None:
    """Each one shows its command: all of them on a long run, every ninth one on a short one."""
    with service.client() as client:
        document = client.get("/openapi.json?rulebook=negopoly").json()
    page.goto(f"{service.url}/docs")
    expect(page.get_by_role("heading", name="Mabligop")).to_be_visible()
    every = [one for path in document["paths"].values() for one in path.values() if "operationId" in one]
    assert len(every) > 50
    for operation in every[:: 1 if SOAK else 9]:
        open_operation(page, operation["tags"][0], operation["operationId"])
        command = operation["x-codeSamples"][0]["source"].partition(" \\")[0]
        expect(page.get_by_role("heading", name=operation["summary"]).first).to_be_visible()
        expect(page.get_by_text(command).first).to_be_visible()


def test_an_action_is_seen_whole(page: Page, service: Service) -> None:
    """A kind is chosen: its rule, its parameters, and all else that an action may have are there."""
    page.goto(f"{service.url}/docs?rulebook=negopoly#/actions/performaction")
    for member in ("seat", "dry_run", "settle", "proof", "override"):
        expect(page.get_by_text(member, exact=True).first).to_be_visible()
    expect(page.get_by_text('curl -X POST "$URL/api/v1/games/$GAME/actions"').first).to_be_visible()
    page.get_by_role("button", name="correct", exact=True).click()
    page.get_by_text("buy_prescription", exact=True).last.click()
    expect(page.get_by_text(re.compile(r"Buy a forged prescription \(.*VI\.C\.3\)"))).to_be_visible()


def test_each_rulebook_has_its_page(page: Page, service: Service) -> None:
    """The page of one rulebook leads to those of the others, which a long run all follows."""
    page.goto(f"{service.url}/docs")
    expect(page.get_by_text("are those of Negopoly")).to_be_visible()
    others = [one for one in rulebooks_by_id().values() if one.title != "Negopoly"]
    for one in others:
        link = page.get_by_role("link", name=one.title, exact=True).first
        expect(link).to_have_attribute("href", re.compile(rf"docs\?rulebook={one.id}$"))
    for one in others if SOAK else others[:1]:
        page.get_by_role("link", name=one.title, exact=True).first.click()
        expect(page.get_by_text(f"are those of {one.title}")).to_be_visible()
        page.go_back()
