"""The journal as a file: exported, and imported into another database."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable
from importlib.resources.abc import Traversable
from itertools import count
from pathlib import Path

import msgspec
import pytest

from api.command.verifying import verify_file
from ledger.kernel.arbitration import docket
from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.state import Seat
from ledger.kernel.journal.entry import canonical, read
from ledger.kernel.journal.stored import leaf
from ledger.reading.entries.journal import Filter, page_of_journal
from ledger.reading.entries.views import EntryView
from ledger.reading.history.disputes import dispute_views
from ledger.rulebooks.negopoly.table.terms import MONEY
from ledger.service import Command, Ledger
from ledger.store.records import Selection
from replays.journal_file import BadJournalFile, JournalFile
from tests.golden import DECIDED_OTHERWISE, entries_of
from tests.golden import FOLDER as GOLDEN
from tests.properties.commands import SOAK
from tests.replays import shelf
from tests.replays.shelf import put_in
from tests.store.journals import event_rows
from tests.tables.ledgers import ANA, BOB, SPECTATOR, do, started

pytestmark = pytest.mark.xdist_group("journal files")

_names = count()


def assert_same(here: Ledger, there: Ledger, game: str) -> None:
    """The same bytes, and the same state at every moment by every known journal."""
    everything = Selection(limit=10_000)
    assert there.store.journal.entries(game, everything) == here.store.journal.entries(game, everything)
    assert event_rows(there.store, game) == event_rows(here.store, game)
    rulebook = here.games.open(game).rulebook
    head = here.moment(game).version
    corrections = [number for number, _ in here.moment(game).newest.corrections]
    for at in range(1, head + 1):
        assert rulebook.codec.to_snapshot(there.moment(game, at=at).state) == rulebook.codec.to_snapshot(
            here.moment(game, at=at).state
        ), at
    for known_at in corrections:
        for at in (known_at - 1, known_at):
            states = (one.moment(game, at=at, known_at=known_at).state for one in (here, there))
            assert len({rulebook.codec.to_snapshot(state) for state in states}) == 1


# Export and import ----------------------------------------------------------------------------------


def test_a_game_with_inserted_and_amended_actions_is_the_same_elsewhere(
    ledger: Ledger, elsewhere: Ledger, file: Path
) -> None:
    """One action is inserted after an inserted one; a correction is amended; a dispute carries a correction."""
    game = started(ledger, "ana", "bob")

    def correct(*edits: object) -> int:
        wanted = {"edits": edits, "reason": "misheard", "cascade": "restate"}
        return do(ledger, game, BANKER, "correct", **wanted).entry.number

    def gift(amount: int) -> dict[str, object]:
        return {"kind": "transfer_money", "seat": "ana", "params": {"to": "bob", "amount": amount}}

    first = do(ledger, game, ANA, "transfer_money", to="bob", amount=40).entry.number
    do(ledger, game, ANA, "roll_dice", dice=[1, 2])
    inserting = correct(*({"op": "insert", "after": first, "action": gift(amount)} for amount in (1, 2)))
    nested = correct({"op": "insert", "after": f"{inserting}.1", "action": gift(3)})
    amended = correct({"op": "replace", "action": f"{nested}.1", "params": {"to": "bob", "amount": 4}})
    correct({"op": "amend", "action": amended}, {"op": "drop", "action": f"{inserting}.2"})
    asked = {"claim": "It was 30", "edits": [{"op": "drop", "action": f"{nested}.1"}]}
    do(ledger, game, BOB, "open_dispute", **asked)
    file.write_bytes(shelf.exported(ledger, game, "jsonl"))
    put_in(elsewhere, file)
    assert_same(ledger, elsewhere, game)
    for at in (f"{inserting}.1", f"{nested}.1"):
        here, there = (one.moment(game, at=at).state.holdings.as_dict() for one in (ledger, elsewhere))
        assert here == there
    assert elsewhere.moment(game).newest.holdings.of("player:bob", MONEY) == 1650 + 40 + 1 + 3


@pytest.mark.parametrize("recording", shelf.RECORDED if SOAK else shelf.RECORDED[2::3], ids=lambda one: one.name)
def test_a_recorded_game_is_the_same_elsewhere(
    ledger: Ledger, elsewhere: Ledger, recording: Traversable, file: Path
) -> None:
    game = shelf.play(ledger, recording)
    file.write_bytes(shelf.exported(ledger, game, "jsonl"))
    imported = put_in(elsewhere, file)
    assert (imported.game, imported.actions) == (game, ledger.moment(game).version)
    assert_same(ledger, elsewhere, game)
    for form in ("jsonl", "beancount"):
        assert shelf.exported(elsewhere, game, form) == shelf.exported(ledger, game, form)


def test_a_mended_game_is_the_same_elsewhere_and_goes_on(
    ledger: Ledger, elsewhere: Ledger, mended: str, file: Path
) -> None:
    """The imported game goes on, and can be corrected again."""
    file.write_bytes(shelf.exported(ledger, mended, "jsonl"))
    imported = put_in(elsewhere, file)
    assert_same(ledger, elsewhere, mended)
    entry = elsewhere.perform(mended, ANA, Command(kind="resolve_square")).entry
    assert entry.number == imported.actions + 1
    redo = {"edits": [{"op": "drop", "action": 11}], "cascade": "restate", "reason": "it was right after all"}
    elsewhere.perform(mended, BANKER, Command(kind="correct", params=redo))
    assert elsewhere.moment(mended).newest.holdings.of("player:bob", "NGD") == 1650 + 100 + 40 + 30 - 1800 - 5 + 7


@pytest.mark.parametrize("seed", [21, 22] if SOAK else [21])
def test_a_game_corrected_at_random_is_the_same_elsewhere(
    ledger: Ledger, elsewhere: Ledger, seed: int, file: Path
) -> None:
    game = shelf.corrected_at_random(ledger, seed)
    file.write_bytes(shelf.exported(ledger, game, "jsonl"))
    put_in(elsewhere, file)
    rulebook = ledger.games.open(game).rulebook
    assert rulebook.codec.to_snapshot(elsewhere.moment(game).newest) == rulebook.codec.to_snapshot(
        ledger.moment(game).newest
    )
    assert shelf.exported(elsewhere, game, "csv") == shelf.exported(ledger, game, "csv")


@pytest.mark.parametrize("name", [path.stem for path in sorted(GOLDEN.glob("*.jsonl"))])
def test_a_journal_of_earlier_days_can_be_imported(
    new_database: Callable[..., str], name: str, file: Path
) -> None:
    """A golden journal may have events of older shapes: their bytes and their tags do not change.

    A few of its actions come out otherwise today, and are imported as they were recorded.
    """
    entries = entries_of(name)
    first = json.loads(bytes(entries[0].params))
    setup = {"players": first["players"], "settings": first["settings"], "dice": first["dice"]}
    header = msgspec.structs.replace(shelf.header_of(entries, setup), rulebook=name.rpartition("_v")[0])
    shelf.write_file(file, header, [canonical(entry) for entry in entries])
    with shelf.ledger_on(new_database()) as ledger:
        imported = put_in(ledger, file, as_recorded=True)
        game, differing = imported.game, {one.number: one.what for one in imported.differences}
        known = DECIDED_OTHERWISE.get(name, {})
        assert differing.keys() <= known.keys()
        assert all(known[number] in what for number, what in differing.items())
        stored = ledger.store.journal.entries(game, Selection(limit=10_000))
        assert [one for _, one in stored] == [canonical(entry) for entry in entries]
        tags = {json.loads(bytes(raw))["kind"] for entry in entries for raw in entry.events}
        found = {(row.kind, row.version) for row in event_rows(ledger.store, game)}
        assert {kind if version == 1 else f"{kind}@{version}" for kind, version in found} == tags
        assert shelf.unsigned(shelf.exported(ledger, game, "jsonl")) == shelf.unsigned(file.read_bytes())


def test_older_parameters_are_shown_under_the_names_of_today_and_corrected_under_either(
    new_database: Callable[..., str], file: Path
) -> None:
    """Bob's dose was a die of 3, then of 4 by a ruling; Cleo's gift was for Bob first, by a correction."""
    entries = entries_of("negopoly_v14")
    first = json.loads(bytes(entries[0].params))
    setup = {"players": first["players"], "settings": first["settings"], "dice": first["dice"]}
    shelf.write_file(file, shelf.header_of(entries, setup), [canonical(entry) for entry in entries])
    with shelf.ledger_on(new_database()) as ledger:
        game = put_in(ledger, file).game

        def shown(kind: str) -> list[EntryView]:
            return page_of_journal(ledger.moment(game), only=Filter(kind=kind))[0]

        assert [one.params for one in shown("buy_for_player")] == [
            {"to": "bob", "commodity": "exosquelette", "amount": 1}
        ]
        (correction,) = shown("correct")
        gift, insertion = correction.params["edits"]
        assert gift["params"] == {"to": "cleo", "commodity": "exosquelette", "amount": 1}
        assert insertion["action"]["params"] == {"commodity": "exosquelette"}
        assert list(msgspec.to_builtins(correction.events[0].data["edits"])) == correction.params["edits"]
        assert [one.params for one in shown("consume_dose")] == [{"dice": [3]}]
        (ruling,) = shown("rule")
        (dose, told) = ruling.params["remedies"][0]["edits"]
        assert (dose["params"], told["params"]["statement"]) == ({"dice": [4]}, "I gave him two")
        moment = ledger.moment(game)
        (dispute,) = dispute_views(moment, docket.disputes(moment.newest, BANKER), "en")
        assert dispute.edits[0]["params"] == {"dice": [4]}
        for params in ({"die": 2}, {"dice": [2]}):
            edits = [{"op": "replace", "action": dose["action"], "params": params}]
            do(ledger, game, BANKER, "correct", edits=edits, cascade="restate", reason="it was a two")
            replaced = [one.restated for one in shown("consume_dose")]
            assert [event.data["die"] for (event,) in replaced] == [2]


def test_the_tokens_are_new(ledger: Ledger, elsewhere: Ledger, file: Path) -> None:
    """Everybody gets a new token; the tokens of the exported game are not in force here."""
    players = [Seat("ana", "Ana"), Seat("bob", "Bob")]
    created = ledger.create("negopoly", title="Tokens", players=players, settings={}, dice="table")
    file.write_bytes(shelf.exported(ledger, created.game, "jsonl"))
    tokens = put_in(elsewhere, file).tokens
    assert elsewhere.tokens.authenticate(tokens.banker) == (created.game, Viewer("banker"))
    assert elsewhere.tokens.authenticate(tokens.spectator) == (created.game, Viewer("spectator"))
    for seat in ("ana", "bob"):
        assert elsewhere.tokens.authenticate(tokens.players[seat]) == (created.game, Viewer("player", seat))
        assert elsewhere.tokens.authenticate(created.tokens.players[seat]) is None
    assert elsewhere.tokens.authenticate(created.tokens.banker) is None
    assert len(elsewhere.tokens.issued(created.game)) == 4
    secrets = {tokens.banker, created.tokens.banker, created.tokens.players["ana"]}
    assert not any(secret.partition(".")[2].encode() in file.read_bytes() for secret in secrets)


# The content of a file ------------------------------------------------------------------------------


def test_a_file_tells_what_it_is(ledger: Ledger, mended: str, file: Path) -> None:
    """The header, the stored bytes of the entries with their hashes, and the hashes of the end."""
    content = shelf.exported(ledger, mended, "jsonl")
    first, *entries, last = content.splitlines()
    header = json.loads(first)["journal"]
    assert (header["version"], header["game"], header["rulebook"]) == (1, mended, "negopoly")
    assert (header["entries"], header["events"]) == (16, ledger.moment(mended).newest.seq)
    assert [player["seat"] for player in header["setup"]["players"]] == ["ana", "bob"]
    assert "JSON" in header["about"]
    stored = [one for _, one in ledger.store.journal.entries(mended, Selection(limit=100))]
    assert entries == [b'{"entry":%s,"leaf":"%s"}' % (one, leaf(one).hex().encode()) for one in stored]
    end = json.loads(last)["end"]
    assert end["entries"] == 16
    assert end["header"] == hashlib.sha256(first).hexdigest()
    file.write_bytes(content)
    assert list(JournalFile(file).entries()) == stored


@pytest.mark.parametrize(
    "saved",
    [
        lambda content: content.replace(b"\n", b"\r\n"),
        lambda content: b"\xef\xbb\xbf" + content,
        lambda content: b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n"),
        gzip.compress,
    ],
    ids=["lines of Windows", "a mark", "both", "gzip"],
)
def test_a_file_that_another_program_has_saved_is_the_same(
    ledger: Ledger, mended: str, file: Path, saved: Callable[[bytes], bytes]
) -> None:
    """A mail program or an editor has put its own ends of lines into it, or packed it: nothing is altered."""
    content = shelf.exported(ledger, mended, "jsonl")
    file.write_bytes(content)
    stored, verified = list(JournalFile(file).entries()), verify_file(file, [], [], decide=True)
    file.write_bytes(saved(content))
    assert list(JournalFile(file).entries()) == stored
    assert verify_file(file, [], [], decide=True) == verified


def test_a_packed_file_that_is_cut_is_said_to_be(ledger: Ledger, mended: str, file: Path) -> None:
    packed = gzip.compress(shelf.exported(ledger, mended, "jsonl"))
    file.write_bytes(packed[:-20])
    with pytest.raises(BadJournalFile, match="it is packed with gzip, and damaged"):
        list(JournalFile(file).entries())


@pytest.mark.parametrize("viewer", [ANA, SPECTATOR], ids=lambda viewer: viewer.seat or viewer.role)
def test_a_view_is_what_the_journal_shows_and_is_no_journal(
    ledger: Ledger, mended: str, file: Path, viewer: Viewer
) -> None:
    content = shelf.exported(ledger, mended, "jsonl", viewer)
    header, *entries, end = shelf.lines(content)
    assert (header["view"]["role"], header["view"]["seat"]) == (viewer.role, viewer.seat)
    assert end == {"end": {"actions": 16}}
    shown = {line["action"]: line["entry"] for line in entries}
    views = json.loads(msgspec.json.encode(page_of_journal(ledger.moment(mended, viewer), limit=100)[0]))
    # The journal tells what was held after action 7 and what was inserted behind it, which has its own line here.
    for view in (shown["7"], views[6]):
        del view["balances"]
    assert [shown[str(view["number"])] for view in views] == views
    # A spectator does not learn that Bob gave Ana something there.
    assert [line["after"] for line in entries if line["action"] == "12.1"] == ([7] if viewer == ANA else [])
    salts = [read(one).salt for _, one in ledger.store.journal.entries(mended, Selection(limit=100))]
    assert not any(salt.encode() in content for salt in salts)
    file.write_bytes(content)
    with pytest.raises(BadJournalFile, match="line 1: it is a view"):
        JournalFile(file)
