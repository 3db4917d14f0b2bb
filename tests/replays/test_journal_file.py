"""The journal as a file: taken away whole, put in elsewhere, and refused when anything about it is not right."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from importlib.resources.abc import Traversable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from ledger.importing import GameExists, Imported, Taken, Unfit
from ledger.kernel.audience import BANKER, Viewer
from ledger.kernel.journal import canonical, leaf, read
from ledger.service import Command, GameSetup, Ledger
from ledger.states import UnknownRulebook
from ledger.store.records import Selection
from replays.journal_file import BadJournalFile, Closing, Header, JournalFile, first_line
from tests.golden import FOLDER as GOLDEN
from tests.golden import entries_of
from tests.replays import shelf
from tests.replays.shelf import ANA, SPECTATOR, put_in

pytestmark = pytest.mark.xdist_group("journal files")

_names = count()


@pytest.fixture(scope="module")
def elsewhere(new_database: Callable[..., str]) -> Iterator[Ledger]:
    """A ledger on another database."""
    with shelf.ledger_on(new_database()) as ledger:
        yield ledger


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the journal file is to be."""
    return tmp_path / "game.jsonl"


def assert_nothing_of(ledger: Ledger, game: str) -> None:
    """There is not a row of the game."""
    assert ledger.store.game(game) is None
    assert ledger.store.head(game) == 0
    assert ledger.store.credentials(game) == []
    assert list(ledger.store.facts(game)) == []


def assert_same(here: Ledger, there: Ledger, game: str) -> None:
    """The same bytes, and the same state at every moment and as known at every moment."""
    everything = Selection(limit=10_000)
    assert there.store.entries(game, everything) == here.store.entries(game, everything)
    assert list(there.store.facts(game)) == list(here.store.facts(game))
    rulebook = here.rulebook_of(game)
    head = here.version(game)
    corrections = [number for number, _ in here.state(game).corrections]
    for at in range(1, head + 1):
        assert rulebook.freeze(there.state(game, at=at)) == rulebook.freeze(here.state(game, at=at)), at
    for known_at in corrections:
        for at in (known_at - 1, known_at):
            states = (one.state(game, at=at, known_at=known_at) for one in (here, there))
            assert len({rulebook.freeze(state) for state in states}) == 1


# There and back -------------------------------------------------------------------------------------


@pytest.mark.parametrize("recording", shelf.RECORDED, ids=lambda one: one.name)
def test_a_recorded_game_is_the_same_elsewhere(
    ledger: Ledger, elsewhere: Ledger, recording: Traversable, file: Path
) -> None:
    game = shelf.play(ledger, recording)
    file.write_bytes(shelf.taken(ledger, game, "jsonl"))
    imported = put_in(elsewhere, file)
    assert (imported.game, imported.actions) == (game, ledger.version(game))
    assert_same(ledger, elsewhere, game)
    for form in ("jsonl", "beancount"):
        assert shelf.taken(elsewhere, game, form) == shelf.taken(ledger, game, form)


def test_a_mended_game_is_the_same_elsewhere_and_goes_on(
    ledger: Ledger, elsewhere: Ledger, mended: str, file: Path
) -> None:
    """Ana resolves her square there; what was corrected can be corrected again."""
    file.write_bytes(shelf.taken(ledger, mended, "jsonl"))
    imported = put_in(elsewhere, file)
    assert_same(ledger, elsewhere, mended)
    entry = elsewhere.perform(mended, ANA, Command(kind="resolve_square")).entry
    assert entry.number == imported.actions + 1
    redo = {"edits": [{"op": "drop", "action": 11}], "cascade": "restate", "reason": "it was right after all"}
    elsewhere.perform(mended, BANKER, Command(kind="correct", params=redo))
    assert elsewhere.state(mended).holdings.of("player:bob", "NGD") == 1650 + 100 + 40 + 30 - 1800 - 5 + 7


@pytest.mark.parametrize("seed", [21, 22])
def test_a_game_corrected_at_random_is_the_same_elsewhere(
    ledger: Ledger, elsewhere: Ledger, seed: int, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when it is folded in small pages, with corrections of one page told in another."""
    monkeypatch.setattr("ledger.importing._PAGE", 17)
    game = shelf.corrected_at_random(ledger, seed)
    file.write_bytes(shelf.taken(ledger, game, "jsonl"))
    put_in(elsewhere, file)
    rulebook = ledger.rulebook_of(game)
    assert rulebook.freeze(elsewhere.state(game)) == rulebook.freeze(ledger.state(game))
    assert shelf.taken(elsewhere, game, "csv") == shelf.taken(ledger, game, "csv")


@pytest.mark.parametrize("name", [path.stem for path in sorted(GOLDEN.glob("*.jsonl"))])
def test_a_journal_of_earlier_days_can_be_imported(elsewhere: Ledger, name: str, file: Path) -> None:
    """A golden journal, whose events may have older shapes: their bytes and their tags stay as they are."""
    entries = entries_of(name)
    first = json.loads(bytes(entries[0].params))
    setup = {"players": first["players"], "settings": first["settings"], "dice": first["dice"]}
    header = msgspec.structs.replace(header_of(entries, setup), rulebook=name.rpartition("_v")[0])
    write_file(file, header, [canonical(entry) for entry in entries])
    imported = put_in(elsewhere, file)
    assert imported.actions == len(entries)
    stored = elsewhere.store.entries(imported.game, Selection(limit=10_000))
    assert [one for _, one in stored] == [canonical(entry) for entry in entries]
    tags = {json.loads(bytes(raw))["kind"] for entry in entries for raw in entry.events}
    found = {pair for batch in elsewhere.store.facts(imported.game) for pair in batch.kinds_versions}
    assert {kind if version == 1 else f"{kind}@{version}" for kind, version in found} == tags
    assert shelf.taken(elsewhere, imported.game, "jsonl") == file.read_bytes()


def test_the_tokens_are_new(ledger: Ledger, elsewhere: Ledger, file: Path) -> None:
    """Everybody gets one that is in force; those of the game that was taken away are not, here."""
    players = [shelf.Seat("ana", "Ana"), shelf.Seat("bob", "Bob")]
    created = ledger.create("negopoly", title="Tokens", players=players, settings={}, dice="table")
    file.write_bytes(shelf.taken(ledger, created.game, "jsonl"))
    tokens = put_in(elsewhere, file).tokens
    assert elsewhere.authenticate(tokens.banker) == (created.game, Viewer("banker"))
    assert elsewhere.authenticate(tokens.spectator) == (created.game, Viewer("spectator"))
    for seat in ("ana", "bob"):
        assert elsewhere.authenticate(tokens.players[seat]) == (created.game, Viewer("player", seat))
        assert elsewhere.authenticate(created.tokens.players[seat]) is None
    assert elsewhere.authenticate(created.tokens.banker) is None
    assert len(elsewhere.tokens(created.game)) == 4
    secrets = {tokens.banker, created.tokens.banker, created.tokens.players["ana"]}
    assert not any(secret.partition(".")[2].encode() in file.read_bytes() for secret in secrets)


# What a file holds ----------------------------------------------------------------------------------


def test_a_file_tells_what_it_is(ledger: Ledger, mended: str, file: Path) -> None:
    """Header, entries as their stored bytes with their hashes, and the hashes that hold them together."""
    content = shelf.taken(ledger, mended, "jsonl")
    first, *entries, last = content.splitlines()
    header = json.loads(first)["journal"]
    assert (header["version"], header["game"], header["rulebook"]) == (1, mended, "negopoly")
    assert (header["entries"], header["events"]) == (16, ledger.state(mended).seq)
    assert [player["seat"] for player in header["setup"]["players"]] == ["ana", "bob"]
    assert "JSON" in header["about"]
    stored = [one for _, one in ledger.store.entries(mended, Selection(limit=100))]
    assert entries == [b'{"entry":%s,"leaf":"%s"}' % (one, leaf(one).hex().encode()) for one in stored]
    end = json.loads(last)["end"]
    assert end["entries"] == 16
    assert end["header"] == hashlib.sha256(first).hexdigest()
    file.write_bytes(content)
    assert list(JournalFile(file).entries()) == stored


@pytest.mark.parametrize("viewer", [ANA, SPECTATOR], ids=lambda viewer: viewer.seat or viewer.role)
def test_a_view_is_what_the_journal_shows_and_is_no_journal(
    ledger: Ledger, mended: str, file: Path, viewer: Viewer
) -> None:
    content = shelf.taken(ledger, mended, "jsonl", viewer)
    header, *entries, end = shelf.lines(content)
    assert (header["view"]["role"], header["view"]["seat"]) == (viewer.role, viewer.seat)
    assert end == {"end": {"actions": 16}}
    shown = {line["action"]: line["entry"] for line in entries}
    views = json.loads(msgspec.json.encode(ledger.journal(mended, viewer, limit=100)[0]))
    # The journal tells what was held after action 7 and what was inserted behind it, which has its own line here.
    for view in (shown["7"], views[6]):
        del view["balances"]
    assert [shown[str(view["number"])] for view in views] == views
    # A spectator does not learn that Bob gave Ana something there.
    assert [line["after"] for line in entries if line["action"] == "12.1"] == ([7] if viewer == ANA else [])
    salts = [read(one).salt for _, one in ledger.store.entries(mended, Selection(limit=100))]
    assert not any(salt.encode() in content for salt in salts)
    file.write_bytes(content)
    with pytest.raises(BadJournalFile, match="line 1: it is a view"):
        JournalFile(file)


# Files that are not right ---------------------------------------------------------------------------


def header_of(entries: list[Any], setup: dict[str, Any]) -> Header:
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
    """A journal file of these entries, with hashes that are right."""
    first = first_line(header)
    closing = Closing(first)
    written = [first]
    for one in stored:
        closing.entry(leaf(one))
        written.append(b'{"entry":%s,"leaf":"%s"}' % (one, leaf(one).hex().encode()))
    file.write_bytes(b"\n".join([*written, closing.last_line(), b""]))


@pytest.fixture(scope="module")
def content(ledger: Ledger) -> bytes:
    """The file of a short game, of which nothing was ever imported."""
    return shelf.taken(ledger, shelf.mended(ledger), "jsonl")


def test_a_file_that_was_cut_is_refused_wherever_it_was(elsewhere: Ledger, content: bytes, file: Path) -> None:
    """At every line's end, and in the middle of lines: nothing of it is imported."""
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
    """Any byte of any line, the header's and the end's too."""
    game = json.loads(content.splitlines()[0])["journal"]["game"]
    chance = Random(4)
    begin = 0
    for number, line in enumerate(content.splitlines(keepends=True), start=1):
        for place in chance.sample(range(begin, begin + len(line)), 12):
            changed = bytearray(content)
            changed[place] ^= 1 << chance.randrange(7)
            file.write_bytes(changed)
            with pytest.raises((BadJournalFile, Unfit, UnknownRulebook)):
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
    """Between the verification and the writing: the whole is undone."""
    file.write_bytes(content)
    journal = JournalFile(file)
    passes = count()

    def entries() -> Iterator[bytes]:
        if next(passes):
            file.write_bytes(content[: len(content) // 2])
        return journal.entries()

    with pytest.raises(BadJournalFile, match="cut"):
        elsewhere.import_game(journal.header.taken, entries)
    assert next(passes) == 2
    assert_nothing_of(elsewhere, journal.header.game)


# Journals that are not right, in files that are -----------------------------------------------------


Alter = Callable[[dict[str, Any]], None]


def change(at: int, /, **members: Any) -> Alter:
    """Change members of the entry of this number, in a file whose hashes are then made right again."""

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
            "action 7: it cannot have happened: a posting of 100 NGD from player:ana to player:ana moves nothing",
            id="a posting that moves nothing",
        ),
        pytest.param(
            change_event(7, postings=[["dose", 100, "player:ana", "player:bob"]]),
            "action 7: it cannot have happened: player:ana does not hold 100 dose",
            id="a posting of what is not there",
        ),
        pytest.param(change_all(game="a.b"), "'a.b' cannot be the id of a game", id="an id that is none"),
    ],
)
def test_a_journal_that_cannot_be_is_refused_whole(
    elsewhere: Ledger, content: bytes, file: Path, alter: Alter, why: str
) -> None:
    """Although every hash in the file is right."""
    first, *entries, _ = shelf.lines(content)
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
    write_file(file, msgspec.convert(header, Header), stored)
    with pytest.raises(Unfit) as refused:
        put_in(elsewhere, file)
    assert str(refused.value).startswith(why)
    assert_nothing_of(elsewhere, game)


@pytest.mark.parametrize(
    ("members", "error", "why"),
    [
        pytest.param(
            {"rulebook": "chess"}, UnknownRulebook, "there is no rulebook 'chess'", id="another rulebook"
        ),
        pytest.param({"setup": {"dice": "table"}}, Unfit, "the setup of the game cannot be read", id="no players"),
        pytest.param({"events": 9}, Unfit, "the journal has 16 actions and", id="another number of events"),
    ],
)
def test_a_game_that_cannot_be_is_refused(
    elsewhere: Ledger, content: bytes, file: Path, members: dict[str, Any], error: type[Exception], why: str
) -> None:
    first, *entries, _ = shelf.lines(content)
    changed = {**first["journal"], **members}
    header = {**changed, "setup": msgspec.Raw(msgspec.json.encode(changed["setup"]))}
    stored = [msgspec.json.encode(line["entry"], order="sorted") for line in entries]
    write_file(file, msgspec.convert(header, Header), stored)
    with pytest.raises(error, match=why):
        put_in(elsewhere, file)
    assert_nothing_of(elsewhere, changed["game"])


def test_a_game_that_is_there_is_not_imported(ledger: Ledger, mended: str, file: Path) -> None:
    """Not even the very same one; its tokens and its journal stay as they are."""
    file.write_bytes(shelf.taken(ledger, mended, "jsonl"))
    tokens = ledger.tokens(mended)
    with pytest.raises(GameExists, match=f"there is a game {mended} already; nothing was imported"):
        put_in(ledger, file)
    assert ledger.tokens(mended) == tokens
    assert shelf.taken(ledger, mended, "jsonl") == file.read_bytes()


def test_two_who_import_the_same_game_at_once(elsewhere: Ledger, content: bytes, file: Path) -> None:
    """The second one to come finds it there while still verifying, and writes nothing."""
    file.write_bytes(content)
    journal = JournalFile(file)
    tokens: list[Imported] = []
    passes = count()

    def overtaken() -> Iterator[bytes]:
        if next(passes) == 1:
            tokens.append(put_in(elsewhere, file))
        return journal.entries()

    with pytest.raises(GameExists):
        elsewhere.import_game(journal.header.taken, overtaken)
    assert len(elsewhere.tokens(journal.header.game)) == 4
    assert elsewhere.authenticate(tokens[0].tokens.banker) is not None


def test_a_journal_without_entries_is_refused(elsewhere: Ledger) -> None:
    setup = GameSetup(players=(shelf.Seat("ana", "Ana"),), settings={}, dice="table")
    taken = Taken(
        game="empty",
        rulebook="negopoly",
        title="Empty",
        created_at=entries_of("negopoly_v1")[0].recorded_at,
        setup=msgspec.Raw(msgspec.json.encode(setup)),
        actions=0,
        events=0,
    )
    with pytest.raises(Unfit, match="0 actions"):
        elsewhere.import_game(taken, lambda: ())
    assert_nothing_of(elsewhere, "empty")
