"""The console verifies the journal by itself: marks on lines, proofs, and an alarm when it was changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.table import Table, paper
from tests.command.service import Service
from tests.tables.negopoly import starting
from tests.trust.tampering import Owner

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture
def own(new_database: Callable[..., str]) -> Iterator[tuple[Service, str]]:
    """A service with a database of its own, which can be ended and started again."""
    database = new_database()
    service = Service("--no-demo", DATABASE_URL=database)
    yield service, database
    service.stop()


def test_the_console_verifies_what_it_shows(
    chromium: Browser, own: tuple[Service, str], new_database: Callable[..., str]
) -> None:
    """Ana keeps the receipt of her gift; Cid's lines are verified, too; then somebody makes 15 of 150."""
    service, database = own
    table = Table.laid(chromium, service.url, "negopoly", ("ana", "bob", "cid"))
    for seat, kind, params in starting("ana", "bob", "cid"):
        table.act(seat or "banker", kind, params)
    paid = table.act("ana", "transfer_money", {"to": "bob", "amount": 150})["number"]
    ana, cid = table.page("ana", f"journal#{paid}"), table.page("cid", "journal")

    proof = ana.get_by_role("dialog").locator("section[data-verified]")
    expect(proof).to_have_attribute("data-verified", "good")
    expect(proof.get_by_text("What you see of this line was signed")).to_be_visible()
    expect(proof.get_by_text(f"Line {paid} of {paid}")).to_be_visible()
    proof.get_by_role("button", name="Receipt").click()
    receipt = ana.get_by_role("dialog", name=f"Receipt {paid}")
    with ana.expect_download() as kept:
        receipt.get_by_role("button", name="Save as a file").click()
    assert kept.value.path().read_text().startswith("c2sp.org/tlog-proof@v1\n")
    receipt.get_by_role("button", name="Keep on this device").click()
    # On paper the slip stands alone, with its square.
    ana.emulate_media(media="print")
    expect(ana.get_by_role("img", name="Square to scan")).to_be_visible()
    expect(ana.get_by_role("heading", name="Journal")).to_be_hidden()
    assert paper(ana) == [(80, 180)]
    ana.emulate_media(media="screen")
    ana.evaluate("window.print = () => undefined")
    receipt.get_by_role("button", name="Print on A6").click()
    ana.emulate_media(media="print")
    assert paper(ana) == [(105, 148)]
    ana.emulate_media(media="screen")
    ana.goto(ana.url.partition("#")[0].replace("/journal", "/play/mine"))
    expect(ana.get_by_role("region", name="Receipts on this device")).to_contain_text(f"{paid} Ana gives ₦150")
    marks = cid.locator("a.mark")
    expect(marks.first).to_have_attribute("data-verified", "good")
    expect(cid.locator("a.mark[data-verified=wait]")).to_have_count(0)
    assert cid.locator("a.mark[data-verified=bad]").count() == 0

    with table.away():
        service.kill()
        owner = Owner(database)
        owner.rewrite_entry(table.game, paid, b"150", b"15", hashed=True)
        owner.rewrite_events(table.game, paid, "150", "15")
        owner.close()
        again = Service("--no-demo", "--port", service.url.rpartition(":")[2], DATABASE_URL=database)
        ana.goto(ana.url.replace("/play/mine", "/play"))
        expect(ana.get_by_role("alert")).to_contain_text("The journal was changed after this device saw it.")
        ana.close()
        cid.close()
        again.stop()
    table.clear()
