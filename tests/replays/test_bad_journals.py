"""Wrong journal files and wrong journals: each is refused with its line, and nothing is imported."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from ledger.games.games import GameExists, UnknownRulebook
from ledger.games.setups import Setup
from ledger.kernel.facts.state import Seat
from ledger.moving.importing import BadJournal, DecidedOtherwise, ExportedGame, Imported
from ledger.service import Ledger
from replays.journal_file import BadJournalFile, Header, JournalFile
from tests.golden import entries_of
from tests.harness.storing import whole_of
from tests.replays import shelf
from tests.replays.shelf import put_in
from tests.store.journals import event_rows
from tests.tables.ledgers import ANA, do, started

pytestmark = pytest.mark.xdist_group("bad journals")

SETUP: dict[str, Any] = {
    "players": [{"seat": "ana", "name": "Ana"}, {"seat": "bob", "name": "Bob"}],
    "settings": {},
    "dice": "table",
}
_names = count()


def assert_nothing_of(ledger: Ledger, game: str) -> None:
    """The database has no row of the game."""
    assert ledger.store.games.get(game) is None
    assert ledger.store.journal.head(game) == 0
    assert ledger.store.games.credentials(game) == []
    assert event_rows(ledger.store, game) == []


# Wrong files ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def content(ledger: Ledger) -> bytes:
    """The file of a short game that was never imported."""
    return shelf.exported(ledger, shelf.mended(ledger), "jsonl")


def test_a_file_that_was_cut_is_refused_wherever_it_was(elsewhere: Ledger, content: bytes, file: Path) -> None:
    """The file is cut at the end of every line, and inside lines: nothing is imported."""
    game = json.loads(content.splitlines()[0])["journal"]["game"]
    ends = [place + 1 for place, byte in enumerate(content) if byte == ord("\n")][:-1]
    chance = Random(3)
    inside = sorted(chance.sample(range(len(content)), 20))
    for place in (0, *ends, *inside, len(content) - 1):
        file.write_bytes(content[:place])
        with pytest.raises(BadJournalFile, match=r"line \d+: .*(cut|no end)"):
            put_in(elsewhere, file)
    assert_nothing_of(elsewhere, game)


def test_a_file_of_which_a_byte_was_changed_is_refused(elsewhere: Ledger, content: bytes, file: Path) -> None:
    """Any byte of any line is changed, of the header and the end, too."""
    game = json.loads(content.splitlines()[0])["journal"]["game"]
    chance = Random(4)
    begin = 0
    for number, line in enumerate(content.splitlines(keepends=True), start=1):
        for place in chance.sample(range(begin, begin + len(line)), 12):
            changed = bytearray(content)
            changed[place] ^= 1 << chance.randrange(7)
            file.write_bytes(changed)
            with pytest.raises((BadJournalFile, BadJournal, UnknownRulebook)):
                put_in(elsewhere, file)
        begin += len(line)
        assert number
    assert_nothing_of(elsewhere, game)


def swapped(lines: list[bytes]) -> list[bytes]:
    return [*lines[:3], lines[4], lines[3], *lines[5:]]


def without(lines: list[bytes]) -> list[bytes]:
    return [*lines[:5], *lines[6:]]


def twice(lines: list[bytes]) -> list[bytes]:
    return [*lines[:5], *lines[4:]]


def gone_on(lines: list[bytes]) -> list[bytes]:
    return [*lines, lines[4]]


def blank(lines: list[bytes]) -> list[bytes]:
    return [*lines[:5], b"", *lines[5:]]


def endless(lines: list[bytes]) -> list[bytes]:
    return lines[:-1]


@pytest.mark.parametrize(
    ("tamper", "line", "why"),
    [
        pytest.param(swapped, 18, "not those that the file was closed with", id="two entries swapped"),
        pytest.param(without, 17, "there are 15 entries, not 16", id="an entry left out"),
        pytest.param(twice, 19, "there are 17 entries, not 16", id="an entry twice"),
        pytest.param(gone_on, 19, "goes on behind its end", id="more behind the end"),
        pytest.param(blank, 6, "no entry of a journal", id="an empty line"),
        pytest.param(endless, 18, "the file is cut", id="no end"),
    ],
)
def test_lines_in_another_order_are_told(
    content: bytes, file: Path, tamper: Callable[[list[bytes]], list[bytes]], line: int, why: str
) -> None:
    file.write_bytes(b"\n".join(tamper(content.splitlines())) + b"\n")
    with pytest.raises(BadJournalFile, match=f"line {line}: .*{why}"):
        list(JournalFile(file).entries())


@pytest.mark.parametrize(
    ("first", "why"),
    [
        pytest.param(
            b'{"journal": {"version": 2, "game": "g"}}', "of version 2; this service reads version 1", id="2"
        ),
        pytest.param(b'{"journal": {"version": "1"}}', "of version '1'", id="a version that is a text"),
        pytest.param(b'{"journal": {"version": 1}}', "no header of a journal", id="a header that tells nothing"),
        pytest.param(b'{"journal": {}}', "of version None", id="no version"),
        pytest.param(b'{"game": {"rulebook": "negopoly"}}', "does not begin with a header", id="a recorded game"),
        pytest.param(b'{"view": {"role": "spectator"}}', "it is a view", id="a view"),
        pytest.param(b"position,action,number", "no journal file", id="a table"),
        pytest.param(b"\xff\xfe", "no journal file", id="not UTF-8"),
        pytest.param(b"[]", "no journal file", id="another JSON"),
        pytest.param(b" " * 1_000_001, "the first line has no end", id="a very long line"),
    ],
)
def test_what_is_no_journal_is_told(file: Path, first: bytes, why: str) -> None:
    file.write_bytes(first + b"\n")
    with pytest.raises(BadJournalFile, match=f"line 1: .*{why}"):
        JournalFile(file)


def test_a_file_that_changes_while_it_is_read_is_refused(
    ledger: Ledger, elsewhere: Ledger, content: bytes, file: Path
) -> None:
    """The file changes between the verification and the writing: everything is undone."""
    file.write_bytes(content)
    journal = JournalFile(file)
    passes = count()

    def entries() -> Iterator[bytes]:
        if next(passes):
            file.write_bytes(content[: len(content) // 2])
        return journal.entries()

    with pytest.raises(BadJournalFile, match="cut"):
        elsewhere.importing.import_game(journal.header.exported_game, entries)
    assert next(passes) == 2
    assert_nothing_of(elsewhere, journal.header.game)


# Wrong journals in right files ----------------------------------------------------------------------


def unsealed(content: bytes) -> list[dict[str, Any]]:
    """The lines of a journal, whose entries had no parts when they were stored: they are hashed again."""
    lines = shelf.lines(content)
    for line in lines[1:-1]:
        line["entry"].pop("withheld", None)
    return lines


Alter = Callable[[dict[str, Any]], None]


def change(at: int, /, **members: Any) -> Alter:
    """Change members of the entry of this number, in a file whose hashes are then corrected."""

    def alter(entry: dict[str, Any]) -> None:
        if entry["number"] == at:
            entry.update(members)

    return alter


def change_event(at: int, /, **members: Any) -> Alter:
    """Change members of the first event of an entry."""

    def alter(entry: dict[str, Any]) -> None:
        if entry["number"] == at:
            entry["events"][0].update(members)

    return alter


def change_all(**members: Any) -> Alter:
    return lambda entry: entry.update(members)


@pytest.mark.parametrize(
    ("alter", "why"),
    [
        pytest.param(change(5, game="other"), "action 5: it belongs to game other", id="another game's entry"),
        pytest.param(change(5, number=6), "action 5: it is numbered 6", id="a number left out"),
        pytest.param(change(5, first_seq=50), "action 5: its events do not go on from", id="events left out"),
        pytest.param(change(5, events=[]), "action 5: its events do not go on from", id="no events"),
        pytest.param(change(5, kind="fly"), "action 5: negopoly has no action 'fly'", id="an unknown action"),
        pytest.param(change(5, salt=7), "action 5: it cannot be read", id="a member of another type"),
        pytest.param(change_event(5, kind="flown"), "action 5: it cannot be read", id="an unknown event"),
        pytest.param(change_event(5, rule="XX.9"), "action 5: it cites rule 'XX.9'", id="an unknown rule"),
        pytest.param(
            change(5, recorded_at="2020-01-01T00:00:00Z"), "action 5: it was recorded before", id="out of time"
        ),
        pytest.param(
            change_event(7, postings=[["NGD", 100, "player:ana", "player:ana"]]),
            "action 7: it cannot have happened: a posting of 100 × NGD from player:ana to player:ana",
            id="a posting that moves nothing",
        ),
        pytest.param(
            change_event(7, postings=[["dose", 100, "player:ana", "player:bob"]]),
            "action 7: it cannot have happened: player:ana does not hold 100 × dose",
            id="a posting of what is not there",
        ),
        pytest.param(
            change(5, events=[{"kind": "racket_lost", "planter": "ana", "rule": "VI.D.4"}]),
            "action 5: it cannot have happened: what it changes is not there",
            id="a racket lost that nobody planted",
        ),
        pytest.param(
            change(5, recorded_at="2030-01-01T00:00:00"), "action 5: it cannot be read", id="a time of no zone"
        ),
        pytest.param(change(5, more=1), "action 5: its bytes are not in the canonical form", id="one member more"),
        pytest.param(change_all(game="a.b"), "'a.b' cannot be the id of a game", id="an id that is none"),
    ],
)
def test_a_journal_that_cannot_be_is_refused_whole(
    elsewhere: Ledger, content: bytes, file: Path, alter: Alter, why: str
) -> None:
    """The journal is refused, although every hash in the file is right."""
    first, *entries, _ = unsealed(content)
    game = f"altered-{next(_names)}"
    stored = []
    for line in entries:
        entry = {**line["entry"], "game": game}
        alter(entry)
        stored.append(msgspec.json.encode(entry, order="sorted"))
    game = json.loads(stored[0])["game"]
    header = {
        **first["journal"],
        "game": game,
        "setup": msgspec.Raw(msgspec.json.encode(first["journal"]["setup"])),
    }
    events = sum(len(json.loads(one)["events"]) for one in stored)
    header["events"] = events
    shelf.write_file(file, msgspec.convert(header, Header), stored)
    with pytest.raises(BadJournal) as refused:
        put_in(elsewhere, file)
    assert str(refused.value).startswith(why)
    assert_nothing_of(elsewhere, game)


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        pytest.param(b'"salt":', b'"salt":"0","salt":', id="a member twice"),
        pytest.param(b'{"amount":', b'{"amount":999999,"amount":', id="an amount twice"),
        pytest.param(b'"rule":', b'"rule": ', id="a space"),
        pytest.param(b'"amount":', b'"\\u0061mount":', id="an escaped letter"),
    ],
)
def test_a_journal_that_others_could_read_otherwise_is_refused(
    elsewhere: Ledger, content: bytes, file: Path, written: bytes, instead: bytes
) -> None:
    """Of two amounts with one name, some programs read the first, and some the last: the hash would prove both."""
    first, *entries, _ = unsealed(content)
    game = f"ambiguous-{next(_names)}"
    stored = [msgspec.json.encode({**line["entry"], "game": game}, order="sorted") for line in entries]
    altered = [one.replace(written, instead) for one in stored]
    assert altered != stored
    header = {
        **first["journal"],
        "game": game,
        "setup": msgspec.Raw(msgspec.json.encode(first["journal"]["setup"])),
    }
    shelf.write_file(file, msgspec.convert(header, Header), altered)
    with pytest.raises(BadJournal, match="not in the canonical form"):
        put_in(elsewhere, file)
    assert_nothing_of(elsewhere, game)


@pytest.mark.parametrize(
    ("members", "error", "why"),
    [
        pytest.param(
            {"rulebook": "chess"}, UnknownRulebook, "there is no rulebook 'chess'", id="another rulebook"
        ),
        pytest.param(
            {"setup": {"dice": "table"}}, BadJournal, "the setup of the game cannot be read", id="no players"
        ),
        pytest.param(
            {"setup": SETUP | {"origin": {"game": 1, "action": 3}}},
            BadJournal,
            "the setup of the game cannot be read",
            id="an origin that is none",
        ),
        pytest.param(
            {"setup": SETUP | {"players": [{"seat": "ana", "name": "Ana"}] * 2}},
            BadJournal,
            "names other players than those who sit at its table: ana, bob",
            id="other players",
        ),
        pytest.param(
            {"title": "\0"}, BadJournal, r"/title: U\+0000 is refused", id="a title that cannot be stored"
        ),
        pytest.param({"title": "A\u202eB"}, BadJournal, r"/title: U\+202E", id="a title that reads backwards"),
        pytest.param(
            {"setup": SETUP | {"players": [{"seat": "ana", "name": "\x1b[2J"}, {"seat": "bob", "name": "Bob"}]}},
            BadJournal,
            r"/players/0: U\+001B",
            id="a name that clears a terminal",
        ),
        pytest.param({"events": 9}, BadJournal, "the journal has 16 actions and", id="another number of events"),
    ],
)
def test_a_game_that_cannot_be_is_refused(
    elsewhere: Ledger, content: bytes, file: Path, members: dict[str, Any], error: type[Exception], why: str
) -> None:
    first, *entries, _ = unsealed(content)
    changed = {**first["journal"], **members}
    header = {**changed, "setup": msgspec.Raw(msgspec.json.encode(changed["setup"]))}
    stored = [msgspec.json.encode(line["entry"], order="sorted") for line in entries]
    shelf.write_file(file, msgspec.convert(header, Header), stored)
    with pytest.raises(error, match=why):
        put_in(elsewhere, file)
    assert_nothing_of(elsewhere, changed["game"])


def test_a_game_that_is_there_is_not_imported(ledger: Ledger, mended: str, file: Path) -> None:
    """Not even the same game is imported again; its tokens and its journal do not change."""
    file.write_bytes(shelf.exported(ledger, mended, "jsonl"))
    tokens = ledger.tokens.issued(mended)
    with pytest.raises(GameExists, match=f"there is a game {mended} already"):
        put_in(ledger, file)
    assert ledger.tokens.issued(mended) == tokens
    assert shelf.exported(ledger, mended, "jsonl") == file.read_bytes()


def test_two_who_import_the_same_game_at_once(elsewhere: Ledger, content: bytes, file: Path) -> None:
    """The second import finds the game after its own verification, and writes nothing."""
    file.write_bytes(content)
    journal = JournalFile(file)
    tokens: list[Imported] = []
    passes = count()

    def overtaken() -> Iterator[bytes]:
        if next(passes) == 1:
            tokens.append(put_in(elsewhere, file))
        return journal.entries()

    with pytest.raises(GameExists):
        elsewhere.importing.import_game(journal.header.exported_game, overtaken)
    assert len(elsewhere.tokens.issued(journal.header.game)) == 4
    assert elsewhere.tokens.authenticate(tokens[0].tokens.banker) is not None


def test_a_journal_without_entries_is_refused(elsewhere: Ledger) -> None:
    setup = Setup(players=(Seat("ana", "Ana"),), settings={}, dice="table")
    exported = ExportedGame(
        game="empty",
        rulebook="negopoly",
        title="Empty",
        created_at=entries_of("negopoly_v1")[0].recorded_at,
        setup=msgspec.Raw(msgspec.json.encode(setup)),
        actions=0,
        events=0,
    )
    with pytest.raises(BadJournal, match="0 actions"):
        elsewhere.importing.import_game(exported, lambda: ())
    assert_nothing_of(elsewhere, "empty")


# Journals that the rules do not give ----------------------------------------------------------------


def forge(ledger: Ledger, game: str, file: Path, number: int, *changes: tuple[bytes, bytes]) -> None:
    """Export a game, and write one entry anew. Every hash in the file is right."""
    file.write_bytes(shelf.exported(ledger, game, "jsonl"))
    journal = JournalFile(file)
    stored = [whole_of(one) for one in journal.entries()]
    for old, new in changes:
        assert old in stored[number - 1]
        stored[number - 1] = stored[number - 1].replace(old, new)
    shelf.write_file(file, journal.header, stored)


def test_a_forged_payment_is_refused_whatever_was_hashed_again(
    ledger: Ledger, elsewhere: Ledger, file: Path
) -> None:
    """Ana asked to pay 150, and the file says that 160 moved."""
    game = started(ledger, "ana", "bob")
    do(ledger, game, ANA, "transfer_money", to="bob", amount=150)
    changes = (b'["NGD",150,', b'["NGD",160,'), (b'"amount":150,"kind"', b'"amount":160,"kind"')
    forge(ledger, game, file, 7, *changes)
    with pytest.raises(DecidedOtherwise, match="action 7: decided again, event 10 comes out otherwise") as refused:
        put_in(elsewhere, file)
    assert "160" in refused.value.reason
    assert "150" in refused.value.reason
    assert_nothing_of(elsewhere, game)
    imported = put_in(elsewhere, file, as_recorded=True)
    assert [(one.game, one.number) for one in imported.differences] == [(game, 7)]


def test_a_forged_payment_that_was_asked_for_as_well_is_refused_by_the_rule(
    ledger: Ledger, elsewhere: Ledger, file: Path
) -> None:
    """150 was made 999999 everywhere, in what Ana asked for as well."""
    game = started(ledger, "ana", "bob")
    do(ledger, game, ANA, "transfer_money", to="bob", amount=150)
    forge(ledger, game, file, 7, (b"150", b"999999"))
    with pytest.raises(DecidedOtherwise, match="action 7: decided again, it is refused: Ana has") as refused:
        put_in(elsewhere, file)
    assert "999,999" in refused.value.reason
    assert_nothing_of(elsewhere, game)
