"""Books of accounts: Beancount and hledger accept every book, with the ledger's own balances."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources.abc import Traversable
from pathlib import Path

import pytest

from ledger.moving.exporting import Export
from ledger.reading.entries.journal import read_entry
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from replays.exports import beancount, hledger
from replays.exports.bookkeeping import Book
from tests.properties.commands import SOAK
from tests.replays import shelf
from tests.tables.ledgers import ANA, SPECTATOR

pytestmark = pytest.mark.xdist_group("books")


def assert_accepted(ledger: Ledger, game: str, folder: Path) -> None:
    """Both programs accept the game's book with its assertions, and have the ledger's own balances."""
    ours = shelf.holdings_of(ledger.moment(game).newest)
    bean, journal = folder / "book.beancount", folder / "book.journal"
    bean.write_bytes(shelf.exported(ledger, game, "beancount"))
    assert shelf.bean_check(bean) == ""
    assert shelf.bean_holdings(bean) == ours
    journal.write_bytes(shelf.exported(ledger, game, "hledger"))
    shelf.hledger(journal, "check")
    shelf.hledger(journal, "check", "--strict", "ordereddates")
    assert shelf.hledger_holdings(journal) == ours


@pytest.mark.parametrize("recording", shelf.RECORDED if SOAK else shelf.RECORDED[1::3], ids=lambda one: one.name)
def test_every_recorded_game_is_accepted(ledger: Ledger, recording: Traversable, tmp_path: Path) -> None:
    assert_accepted(ledger, shelf.play(ledger, recording), tmp_path)


@pytest.mark.parametrize("seed", [1, 2] if SOAK else [1])
@pytest.mark.parametrize("rulebook", sorted(rulebooks_by_id()) if SOAK else sorted(rulebooks_by_id())[1::2])
def test_every_simulated_game_is_accepted(ledger: Ledger, rulebook: str, seed: int, tmp_path: Path) -> None:
    game = shelf.simulate(ledger, rulebook, seed=seed, actions=1_000 if SOAK else 400)
    assert_accepted(ledger, game, tmp_path)


@pytest.mark.parametrize("seed", [1, 2, 3] if SOAK else [1])
def test_a_game_corrected_at_random_is_accepted(ledger: Ledger, seed: int, tmp_path: Path) -> None:
    assert_accepted(ledger, shelf.corrected_at_random(ledger, seed), tmp_path)


def test_a_mended_game_is_accepted(ledger: Ledger, mended: str, tmp_path: Path) -> None:
    assert_accepted(ledger, mended, tmp_path)


def test_every_action_is_a_transaction_with_what_is_known_of_it(
    ledger: Ledger, mended: str, tmp_path: Path
) -> None:
    """The transactions are in the effective order, the inserted one after 7; others move nothing."""
    file = tmp_path / "book.beancount"
    file.write_bytes(shelf.exported(ledger, mended, "beancount"))
    found = shelf.bean_transactions(file)
    names = [entry.meta.get("action", str(int(entry.meta["number"]))) for entry in found]
    assert names == [*map(str, range(1, 8)), "12.1", *map(str, range(8, 17))]
    by_name = dict(zip(names, found, strict=True))
    assert {name: entry.meta["status"] for name, entry in by_name.items()} == shelf.MENDED
    for name, entry in by_name.items():
        view = read_entry(ledger.moment(mended), int(entry.meta["number"]))
        assert view is not None
        assert entry.meta["leaf"] == view.receipt.leaf
        if "." not in name:
            assert entry.meta["kind"] == view.kind
            assert entry.meta["rule"].split() == list(dict.fromkeys(event.rule for event in view.events))
        touched = name in {"8", "9", "10", "12.1", "13", "14"}
        assert (entry.flag, bool(entry.tags)) == (("!", True) if touched else ("*", False)), name
        if shelf.MENDED[name] in {"undone", "voided"}:
            assert entry.postings == []
    moved = {name: [int(one.units.number) for one in by_name[name].postings] for name in ("7", "9", "12.1")}
    assert moved == {"7": [-100, 100], "9": [-35, 35], "12.1": [-5, 5]}
    assert by_name["10"].meta["corrected_by"] == 11
    assert "1800" in by_name["10"].meta["reason"]
    assert by_name["7"].payee == "ana"
    assert by_name["7"].narration == "Ana gives ₦100 to Bob."


def test_hledger_finds_actions_by_their_tags(ledger: Ledger, mended: str, tmp_path: Path) -> None:
    file = tmp_path / "book.journal"
    file.write_bytes(shelf.exported(ledger, mended, "hledger"))

    def codes(query: str) -> list[str]:
        return shelf.hledger(file, "codes", query).split()

    assert codes("tag:status=undone") == ["8", "14"]
    assert codes("tag:status=restated") == ["9"]
    assert codes("tag:status=voided") == ["10"]
    assert codes("tag:number=^12$") == ["12.1", "12"]
    assert codes("tag:kind=^transfer_money$") == ["7", "12.1", "8", "9", "10", "13"]
    assert codes("tag:rule=I.B.6") == ["7", "12.1", "8", "9", "10", "13"]
    assert codes("status:!") == ["12.1", "8", "9", "10", "13", "14"]


@pytest.mark.parametrize(
    ("form", "from_", "to"),
    [
        pytest.param("beancount", b"  -100 NGD\n", b"  -101 NGD\n", id="beancount, one side"),
        pytest.param("beancount", b"100 NGD\n", b"101 NGD\n", id="beancount, both sides"),
        pytest.param("hledger", b"  -100 NGD  ;", b"  -101 NGD  ;", id="hledger, one side"),
        pytest.param("hledger", b"100 NGD", b"101 NGD", id="hledger, both sides"),
    ],
)
def test_a_book_that_was_altered_is_not_accepted(
    ledger: Ledger, mended: str, tmp_path: Path, form: str, from_: bytes, to: bytes
) -> None:
    """When the amount of action 7 is changed, the balances at the end no longer agree."""
    content = shelf.exported(ledger, mended, form)
    file = tmp_path / "book"
    file.write_bytes(content)
    if form == "beancount":
        assert shelf.bean_check(file) == ""
    else:
        shelf.hledger(file, "check")
    assert from_ in content
    file.write_bytes(content.replace(from_, to))
    if form == "beancount":
        assert "exit 1" in shelf.bean_check(file)
    else:
        with pytest.raises(AssertionError, match=r"[Bb]alance"):
            shelf.hledger(file, "check")


@pytest.mark.parametrize("viewer", [ANA, SPECTATOR], ids=lambda viewer: viewer.seat or viewer.role)
@pytest.mark.parametrize("form", ["beancount", "hledger"])
def test_a_view_says_so_and_asserts_nothing(
    ledger: Ledger, mended: str, tmp_path: Path, form: str, viewer
) -> None:
    """A view is accepted, too, and a spectator's view has nothing of Ana's gift to Bob."""
    content = shelf.exported(ledger, mended, form, viewer)
    assert f"; A view: it holds what {viewer.seat or viewer.role} saw".encode() in content
    assert b"; The end: 16 actions.\n" in content
    assert b"balance Assets" not in content
    assert b"What every account holds" not in content
    file = tmp_path / "book"
    file.write_bytes(content)
    if form == "beancount":
        assert shelf.bean_check(file) == ""
        found = shelf.bean_transactions(file)
        # A spectator does not learn that Bob gave Ana something in 12.1.
        assert len(found) == (17 if viewer == ANA else 16)
        assert any(entry.postings for entry in found)
    else:
        shelf.hledger(file, "check", "--strict")


def test_the_language_is_the_readers(ledger: Ledger, mended: str) -> None:
    assert "Ana donne 100 ₦ à Bob." in shelf.exported(ledger, mended, "beancount", language="fr").decode()


@pytest.fixture
def export(ledger: Ledger, mended: str) -> Export:
    return Export(ledger.moment(mended))


@pytest.mark.parametrize(
    ("book", "accounts", "commodities"),
    [
        pytest.param(
            beancount.book,
            {
                "bank": "Equity:Bank",
                "box": "Equity:Box",
                "player:ana": "Assets:Player:Ana",
                "player:Ana": "Assets:Player:Ana-2",
                "player:an_a": "Assets:Player:An-a",
                "police": "Assets:Table:Police",
                "table:police": "Assets:Table:Police-2",
                "escrow:bounty:57-2": "Assets:Escrow:Bounty-57-2",
                "escrow:bounty": "Assets:Escrow:Bounty",
                "_": "Assets:Table:X",
                "2nd:é": "Assets:2nd:X",
            },
            {
                "NGD": "NGD",
                "ngd": "NGD-2",
                "dose": "DOSE",
                "title:rue_vendredi_des_noirs": "TITLE.RUE_VENDREDI_DES_N",
                "title:rue_vendredi_des_nuits": "TITLE.RUE_VENDREDI_DES-2",
                "card:chance:04": "CARD.CHANCE.04",
                "4x4": "C.4X4",
                "true": "C.TRUE",
                "d": "DX",
                "dé": "DX-2",
                "a_": "AX",
            },
            id="Beancount",
        ),
        pytest.param(
            hledger.book,
            {
                "bank": "equity:bank",
                "player:ana": "assets:player:ana",
                "player:Ana": "assets:player:Ana_2",
                "the  police; (all)": "assets:the_police_all_",
                "a::b": "assets:a:_:b",
            },
            {
                "NGD": "NGD",
                "ngd": '"ngd 2"',
                "title:negotown": '"title:negotown"',
                "rpg7": '"rpg7"',
                'a"b': '"a\'b"',
                "a'b": '"a\'b 2"',
            },
            id="hledger",
        ),
    ],
)
def test_names_are_legal_and_nobody_elses(
    export: Export,
    book: Callable[[Export], Book],
    accounts: dict[str, str],
    commodities: dict[str, str],
    tmp_path: Path,
) -> None:
    """The name of a thing is always the same, and the program accepts all names."""
    writing = book(export)
    assert {ours: writing.account(ours) for ours in accounts} == accounts
    assert {ours: writing.commodity(ours) for ours in commodities} == commodities
    assert {ours: writing.account(ours) for ours in accounts} == accounts
    declared = [
        *(line for ours, name in accounts.items() for line in writing.declared_account(ours, name)),
        *(line for ours, name in commodities.items() for line in writing.declared_commodity(ours, name)),
    ]
    held = [(account, commodity, 0) for account in accounts for commodity in commodities]
    file = tmp_path / "book"
    lines = [*declared, *writing.holdings(writing.opened_on, held)]
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    if book is beancount.book:
        assert shelf.bean_check(file) == ""
    else:
        shelf.hledger(file, "check", "--strict")
