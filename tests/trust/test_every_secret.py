"""What every seat receives of whole games, corrected where something was drawn or hidden.

Entries of the journal, their explanations, statements, the parts of the log and the state are compared with what
the journal alone says that the seat may know (`tests/harness/knowing.py`).
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from importlib.resources.abc import Traversable
from itertools import islice, product

import httpx
import pytest

from api.rest.application import Config, create_app
from ledger.games.moments import Moment
from ledger.kernel.facts.audience import BANKER, SPECTATOR, Viewer
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.journal.entry import Entry, read
from ledger.kernel.journal.sealing import is_public
from ledger.kernel.journal.stored import read_attested
from ledger.reading.entries.attested import attested_lines
from ledger.reading.entries.journal import page_of_journal
from ledger.reading.history.audit import audit
from ledger.reading.money.statements import statement
from ledger.reading.moves.moves import shown_moves
from ledger.reading.table.states import shown_state
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Command, Ledger
from ledger.store.records import Selection
from ledger.store.store import Store
from replays import recorded, recordings
from tests.harness.knowing import Knowledge, plain
from tests.replays import shelf
from tests.tables.ledgers import NOON, chance_of_a_test

ACTIONS, CORRECTIONS, WAIVERS = 90, 6, 3
UNENDED = 3 / 5
"""How much of a recorded game is played: its end would reveal everything."""


def entries_of(ledger: Ledger, game: str) -> list[Entry]:
    return [read(stored) for _, stored in ledger.store.journal.entries(game, Selection(limit=10_000))]


def recording(ledger: Ledger, found: Traversable) -> str:
    """Play a recorded game, not up to its end."""
    lines = recordings.read(found.read_text(encoding="utf-8").splitlines())
    app = create_app(ledger, Config())
    with httpx.Client(transport=httpx.WSGITransport(app=app), base_url="http://table.example") as client:
        opened = recorded.open_game(lines, client)
        return recorded.play_on(lines, opened, client, upto=int(len(lines.lines) * UNENDED)).game


def disturb(ledger: Ledger, game: str, chance: random.Random) -> int:
    """Take back actions that drew or hid something, one of them not after all; waive rules to do some again.

    Returns how many corrections there were.
    """
    rulebook = ledger.moment(game).rulebook
    secret = [
        entry
        for entry in entries_of(ledger, game)
        if entry.draws or not is_public(entry, [rulebook.codec.event(event) for event in entry.events])
    ]
    chance.shuffle(secret)
    corrected = waived = 0
    for entry in secret:
        if corrected < CORRECTIONS:
            corrected += correct(ledger, game, entry.number, chance.choice(["restate", "keep"]))
        if corrected == CORRECTIONS // 2:
            corrected += correct(ledger, game, ledger.moment(game).version, "restate")
        if waived < WAIVERS and entry.seat is not None:
            waived += waive(ledger, game, entry)
    return corrected


def waive(ledger: Ledger, game: str, entry: Entry) -> bool:
    """Let the banker do again what a seat did, whatever the rules say."""
    again = Command(
        kind=entry.kind, params=json.loads(bytes(entry.params)), seat=entry.seat, override="the table agreed"
    )
    with suppress(Refusal):
        return bool(ledger.perform(game, BANKER, again).entry.warnings)
    return False


def correct(ledger: Ledger, game: str, number: int, cascade: str) -> bool:
    asked = {"edits": [{"op": "drop", "action": number}], "cascade": cascade, "reason": "it was misheard"}
    with suppress(Refusal):
        ledger.perform(game, BANKER, Command(kind="correct", params=asked))
        return True
    return False


GAMES = {
    **{f"bots of {rulebook}": rulebook for rulebook in sorted(rulebooks_by_id())},
    **{one.name: one for one in shelf.RECORDED},
}


@pytest.fixture(scope="module", params=GAMES.values(), ids=GAMES)
def game(request: pytest.FixtureRequest, store: Store) -> tuple[Ledger, str]:
    """A running game, in which the banker takes actions back."""
    ledger = Ledger(store, rulebooks_by_id(), clock=lambda: NOON, chance=chance_of_a_test())
    if isinstance(request.param, str):
        found = shelf.simulate(ledger, request.param, seed=40, actions=ACTIONS)
    else:
        found = recording(ledger, request.param)
    assert disturb(ledger, found, random.Random(40))
    return ledger, found


def seats_of(ledger: Ledger, game: str) -> list[Viewer]:
    return [SPECTATOR, *(Viewer("player", seat) for seat in ledger.moment(game).newest.seats)]


def excess(moment: Moment, knows: Knowledge) -> Iterator[str]:
    """What the viewer of a moment receives beyond what they may know."""
    entries, _ = page_of_journal(moment, limit=10_000)
    for view in entries:
        yield from knows.excess_of_entry(view)
    lines, _ = audit(moment, register_at="", limit=10_000)
    for line in lines:
        yield from knows.excess_of_audit(line)
    for account in dict(knows.now.holdings.items()):
        for line in statement(moment, account, limit=10_000)[0]:
            yield from knows.excess_of_line(account, line)
    for number, line in enumerate(islice(attested_lines(moment), moment.known_at), start=1):
        attested = read_attested(line)
        if attested.part is not None:
            yield from knows.excess_of_part(number, json.loads(attested.part))
    for shown in (shown_state(moment, NOON, "en"), shown_moves(moment, moment.viewer.seat, NOON, "en")):
        yield from knows.excess_of_state(plain(shown))


def test_nobody_receives_more_than_they_may_know(game: tuple[Ledger, str]) -> None:
    """Now, and as it was when the first correction came."""
    ledger, name = game
    entries = entries_of(ledger, name)
    first = next(entry.number for entry in entries if entry.kind == "correct")
    for viewer, known_at in product(seats_of(ledger, name), (first, len(entries))):
        moment = ledger.moment(name, viewer, known_at=known_at)
        assert list(excess(moment, Knowledge(moment.rulebook, entries[:known_at], viewer))) == []


def test_what_is_told_too_much_is_found(store: Store) -> None:
    """What the banker receives is too much for Ana, and what Ana receives for Bob."""
    ledger = Ledger(store, rulebooks_by_id(), clock=lambda: NOON, chance=chance_of_a_test())
    name = shelf.simulate(ledger, "virtual_revolution", seed=43, actions=ACTIONS)
    assert disturb(ledger, name, random.Random(40))
    entries = entries_of(ledger, name)
    ana, bob = Viewer("player", "ana"), Viewer("player", "bob")
    for reader, other in ((BANKER, ana), (ana, bob)):
        moment = ledger.moment(name, reader)
        found = "\n".join(excess(moment, Knowledge(moment.rulebook, entries, other)))
        for planted in (
            "the event",
            "draws, a waiver",
            "the card card:",
            "how many events" if reader is BANKER else "of hand:ana",
        ):
            assert planted in found, planted
