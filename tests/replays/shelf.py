"""Games of every kind to export, and short ways to read the files."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import duckdb
import httpx
import msgspec
from beancount import loader
from beancount.core.data import Commodity, Open, Transaction

from api.rest.application import Config, create_app
from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.facts.state import State
from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.stored import leaf
from ledger.kernel.journal.timeline import Timeline
from ledger.kernel.rules.bots import BANKER as BANKERS_WAYS
from ledger.moving.exporting import Export
from ledger.moving.importing import Imported
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Command, Ledger
from ledger.store.database.connection import connect
from ledger.store.store import Store
from replays import exports
from replays.journal_file import Closing, Header, JournalFile, first_line
from replays.keeping import keep
from replays.simulation import Series, game_of
from tests.harness import recorded
from tests.tables.ledgers import ANA, BOB, started

RECORDED: tuple[Traversable, ...] = (
    *sorted((files("replays") / "games").iterdir(), key=str),
    Path(__file__).parent / "short.jsonl",
)

Holdings = dict[tuple[str, str], int]


# Games ----------------------------------------------------------------------------------------------


def play(ledger: Ledger, recording: Traversable) -> str:
    """Play a recorded game through the API. Returns its id."""
    app = create_app(ledger, Config())
    with httpx.Client(transport=httpx.WSGITransport(app=app), base_url="http://table.example") as client:
        return recorded.play(recording.read_text(encoding="utf-8").splitlines(), client).game


def simulate(ledger: Ledger, rulebook: str, *, seed: int, actions: int) -> str:
    """Let up to four bots play. Returns the game's id."""
    book = rulebooks_by_id()[rulebook]
    strategies = tuple(name for name in book.simulation.strategies if name != BANKERS_WAYS)
    series = Series(
        rulebook=rulebook,
        games=1,
        players=min(4, book.players[1]),
        seed=seed,
        strategies=strategies,
        tables="varied",
        actions=actions,
    )
    played = game_of(series, 0)
    keep(ledger, played)
    return str(played.game.name)


def corrected_at_random(ledger: Ledger, seed: int) -> str:
    """Let bots play some hundred actions, and undo some of them. Returns the game's id."""
    chance = random.Random(seed)
    game = simulate(ledger, "negopoly", seed=100 + seed, actions=200)
    corrected = 0
    while corrected < 6:
        first = chance.randint(12, 200)
        edit = {"op": "rewind", "to": first} if corrected == 3 else {"op": "drop", "action": first}
        if corrected == 5:
            # The last correction is undone: a redo.
            edit = {"op": "drop", "action": ledger.moment(game).version}
        cascade = "restate" if corrected in {3, 5} else chance.choice(["restate", "keep"])
        asked = {"edits": [edit], "cascade": cascade, "reason": "at random"}
        with suppress(Refusal):
            ledger.perform(game, BANKER, Command(kind="correct", params=asked))
            corrected += 1
    return game


def mended(ledger: Ledger) -> str:
    """A running game of Ana and Bob with every kind of correction.

    7  Ana gives Bob ₦100                               effective
    8  Ana gives Bob ₦40                                undone by 11
    9  Ana gives Bob ₦30                                restated by 11: it was 35
    10 Bob gives Ana ₦1800: 1650 + 100 + 40 + 30 = 1820 voided by 11: he has 1785
    11 corrects 8 and 9
    12 inserts 12.1 after 7: Bob gives Ana ₦5           12.1 effective
    13 Ana gives Bob ₦7                                 undone by 14, effective again by 15
    14 drops 13                                         undone by 15
    15 drops 14
    16 Ana throws, for once by the banker's hand        effective, with a waiver
    """
    game = started(ledger, "ana", "bob", title="Mended", settings={})

    def act(
        viewer: Viewer, kind: str, *, override: str | None = None, seat: str | None = None, **params: Any
    ) -> None:
        ledger.perform(game, viewer, Command(kind=kind, params=params, seat=seat, override=override))

    def correct(*edits: dict[str, Any]) -> None:
        act(BANKER, "correct", edits=list(edits), cascade="restate", reason="it was misheard")

    act(ANA, "transfer_money", to="bob", amount=100)
    act(ANA, "transfer_money", to="bob", amount=40)
    act(ANA, "transfer_money", to="bob", amount=30)
    act(BOB, "transfer_money", to="ana", amount=1800)
    misheard = {"op": "replace", "action": 9, "params": {"to": "bob", "amount": 35}}
    correct({"op": "drop", "action": 8}, misheard)
    inserted = {"kind": "transfer_money", "seat": "bob", "params": {"to": "ana", "amount": 5}}
    correct({"op": "insert", "after": 7, "action": inserted})
    act(ANA, "transfer_money", to="bob", amount=7)
    correct({"op": "drop", "action": 13})
    correct({"op": "drop", "action": 14})
    act(BANKER, "roll_dice", seat="ana", dice=[1, 2], override="=the dice fell off the table")
    return game


MENDED = {
    **{str(number): "effective" for number in (1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 15, 16)},
    "12.1": "effective",
    "8": "undone",
    "9": "restated",
    "10": "voided",
    "14": "undone",
}
"""The status of each touched action of the corrected game."""


# Files ----------------------------------------------------------------------------------------------


@contextmanager
def ledger_on(url: str) -> Iterator[Ledger]:
    """A ledger on a database."""
    engine = connect(url)
    try:
        yield Ledger(Store(engine), rulebooks_by_id())
    finally:
        engine.dispose()


def put_in(ledger: Ledger, file: Path, *, as_recorded: bool = False) -> Imported:
    """Import a journal file."""
    journal = JournalFile(file)
    return ledger.importing.import_game(journal.header.exported_game, journal.entries, as_recorded=as_recorded)


def header_of(entries: list[Entry], setup: dict[str, Any]) -> Header:
    """The header of a journal file of these entries."""
    return Header(
        game=entries[0].game,
        rulebook="negopoly",
        title="Made by hand",
        created_at=entries[0].recorded_at,
        setup=msgspec.Raw(msgspec.json.encode(setup)),
        entries=len(entries),
        events=sum(len(entry.events) for entry in entries),
    )


def write_file(file: Path, header: Header, stored: list[bytes]) -> None:
    """A journal file of these entries, with the right hashes."""
    first = first_line(header)
    closing = Closing(first)
    written = [first]
    for one in stored:
        closing.entry(leaf(one))
        written.append(b'{"entry":%s,"leaf":"%s"}' % (one, leaf(one).hex().encode()))
    file.write_bytes(b"\n".join([*written, closing.last_line(), b""]))


def exported(
    ledger: Ledger,
    game: str,
    form: str,
    viewer: Viewer = BANKER,
    *,
    table: str | None = None,
    language: str = "en",
) -> bytes:
    """The whole exported file."""
    export = Export(ledger.moment(game, viewer), language, logs=ledger.logs)
    return b"".join(exports.pieces(exports.FORMATS[form], export, table=table))


def unsigned(content: bytes) -> tuple[dict[str, Any], list[bytes], str]:
    """A journal file without what its service has signed: the header, the lines of the entries, and the root."""
    first, *entries, last = content.splitlines()
    header = json.loads(first)["journal"]
    header.pop("checkpoint", None)
    return header, entries, json.loads(last)["end"]["root"]


def timeline_of(ledger: Ledger, game: str) -> Timeline:
    """The effective history of a whole game."""
    moment = ledger.moment(game)
    return moment.game.history.timeline_between(1, moment.version, moment.corrections)


def lines(content: bytes) -> list[dict[str, Any]]:
    """The lines of a JSON Lines file."""
    return [json.loads(line) for line in content.splitlines()]


def unpacked(content: bytes) -> dict[str, bytes]:
    """The files of a ZIP file."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def rows(content: bytes, form: str, folder: Path) -> list[dict[str, Any]]:
    """The rows of a table, in order, as DuckDB reads them."""
    file = folder / f"table.{form}"
    file.write_bytes(content)
    # CSV keeps no types: everything in it is text, and empty where nothing is.
    reader = f"read_csv('{file}', all_varchar = true)" if form == "csv" else f"read_parquet('{file}')"
    with duckdb.connect() as duck:
        described = duck.execute(f"DESCRIBE FROM {reader}").fetchall()
        columns = [
            f"{name} AT TIME ZONE 'UTC'" if "TIME ZONE" in kind else f'"{name}"' for name, kind, *_ in described
        ]
        found = duck.execute(f"SELECT {', '.join(columns)} FROM {reader}")
        names = [name for name, *_ in described]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def tables(content: bytes, form: str, folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The rows of every table of a ZIP file."""
    found = unpacked(content)
    return {name.partition(".")[0]: rows(found[name], form, folder) for name in found if name != "about.json"}


def holdings_of(state: State) -> Holdings:
    """All holdings, by account and commodity."""
    return {(account, of): amount for account, held in state.holdings.items() for of, amount in held.items()}


# Books ----------------------------------------------------------------------------------------------


def bean_check(file: Path) -> str:
    """The errors of Beancount's checker for a file; empty when it accepts the file."""
    checked = subprocess.run(
        [Path(sys.executable).with_name("bean-check"), "--no-cache", file],
        capture_output=True,
        text=True,
        check=False,
    )
    return checked.stdout + checked.stderr + ("" if checked.returncode == 0 else f"exit {checked.returncode}")


def hledger(file: Path, *arguments: str) -> str:
    """The output of hledger. Raises AssertionError when hledger fails."""
    answered = subprocess.run(["hledger", "-f", file, *arguments], capture_output=True, text=True, check=False)
    assert answered.returncode == 0, answered.stderr
    return answered.stdout


def bean_transactions(file: Path) -> list[Transaction]:
    """The transactions of a Beancount file, in order."""
    return [entry for entry in _bean_entries(file) if isinstance(entry, Transaction)]


def bean_holdings(file: Path) -> Holdings:
    """The final holdings in a Beancount file, under the names of the game."""
    accounts: dict[str, str] = {}
    commodities: dict[str, str] = {}
    held: Holdings = {}
    for entry in _bean_entries(file):
        if isinstance(entry, Open):
            accounts[entry.account] = entry.meta["account"]
        elif isinstance(entry, Commodity):
            commodities[entry.currency] = entry.meta["commodity"]
    for entry in bean_transactions(file):
        for posting in entry.postings:
            key = accounts[posting.account], commodities[posting.units.currency]
            held[key] = held.get(key, 0) + int(posting.units.number)
    return {key: amount for key, amount in held.items() if amount}


def _bean_entries(file: Path) -> Iterator[Any]:
    entries, errors, _ = loader.load_file(str(file))
    assert not errors
    return iter(entries)


def hledger_holdings(file: Path) -> Holdings:
    """The final holdings in an hledger file, under the names of the game."""
    found, _ = json.loads(hledger(file, "balance", "--flat", "--no-elide", "-O", "json"))
    return {
        (account.partition(":")[2], amount["acommodity"]): amount["aquantity"]["decimalMantissa"]
        for account, _, _, amounts in found
        for amount in amounts
        if amount["aquantity"]["decimalMantissa"]
    }
