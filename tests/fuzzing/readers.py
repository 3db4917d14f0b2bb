"""All readers of bytes from outside that need no database."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from flask import Flask

from api.command.edition.checking import checked
from api.command.edition.files import taker_of
from api.command.edition.importing import import_file
from api.command.edition.starting import start
from api.command.terminal.failures import BadInput
from api.command.verifying import UnverifiableFileError, Verified, trusted_keys, verify_file
from api.rest.actions.stream import _last_id
from api.rest.description import requests
from api.rest.exchange.bodies import body
from api.rest.exchange.conditions import NotModified, heads_expected, require_change, unguessable_key
from api.rest.exchange.paging import read_cursor, write_cursor
from api.rest.problems.problems import Problem
from api.rest.running.context import preferred
from ledger import rulebooks
from ledger.access.keys import is_guessable
from ledger.kernel.journal.stored import read_attested
from ledger.moving.importing import BadJournal, check
from ledger.store.backups import sealing
from ledger.store.backups.archive import Backup, BadBackup
from ledger.trust.checkpoints import Checkpoint
from ledger.trust.keys import BadKeys, Keys
from ledger.trust.notes import BadNote, Note, Verifier, signature_of
from ledger.trust.receipts import Receipt
from ledger.trust.successions import Succession
from replays.journal_file import BadJournalFile, JournalFile
from tests.boards import FOLDER as BOARDS
from tests.fuzzing import packing
from tests.fuzzing.reader import Reader, demand_shown
from tests.monopoly.test_tables import AMERICAN, FRENCH

_FILES = TemporaryDirectory(prefix="fuzzing-")
_APP = Flask(__name__)
FIRST_BODY = b'{"kind": "transfer_money", "seat": "ana", "params": {"to": "bob", "amount": 12}, "dry_run": true}'
GAME_BODY = b"""{"rulebook": "monopoly", "title": "Ours", "dice": "table", "settings": {"rounds": 12},
 "players": [{"seat": "ana", "name": "Ana"}, {"seat": "bob", "name": "Bob"}],
 "edition": {"title": "Town", "squares": [{"name": "Start", "kind": "start", "amount": 200}]}}"""


LONGEST_HEADER = 8000
"""About what the server takes of a header, in bytes."""


def text_of(data: bytes) -> str:
    """The text of an argument of a command, in which wrong bytes are lone surrogates (PEP 383)."""
    return data.decode(errors="surrogateescape")


@contextmanager
def _file(data: bytes, name: str = "file") -> Iterator[Path]:
    with TemporaryDirectory(dir=_FILES.name) as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        yield path


# Trust --------------------------------------------------------------------------------------------


def _keys(data: bytes) -> Any:
    with _file(data) as path:
        keys = Keys.read(path)
        return keys.signing, keys.public, keys.successions


def _on_terminal(verified: Verified) -> Verified:
    for sentence in (verified.subject, *verified.faults, *verified.remarks):
        demand_shown(sentence)
    return verified


def _verified(data: bytes) -> Any:
    with _file(data) as path:
        return _on_terminal(verify_file(path, packing.SERVICE.signing, (), decide=True))


def _older(data: bytes) -> Any:
    with _file(packing.checkpoint(1).encode()) as path, _file(data) as older:
        return _on_terminal(verify_file(path, packing.SERVICE.signing, (older,), decide=False))


def _log(rulebook: str) -> Callable[[bytes], Any]:
    return lambda data: _verified(packing.zipped(packing.log_files(data, rulebook)))


def _log_end(data: bytes) -> Any:
    return _verified(packing.zipped(packing.log_files(packing.ENTRIES["negoces2"], "negoces2", data)))


def _older_log(data: bytes) -> Any:
    files = packing.log_files(packing.ENTRIES["negoces2"], "negoces2")
    return _older(packing.zipped({**files, "checkpoint": data}))


_NOTE = packing.checkpoint(1).encode()
_SUCCESSION = packing.keys_file().splitlines()[2]
_TRUST = (
    Reader("a signed note", (_NOTE,), Note.parse, (BadNote,), lambda value: str(value).encode()),
    Reader(
        "a signed note as a text",
        (_NOTE,),
        lambda data: Note.parse(text_of(data)),
        (BadNote,),
        lambda value: str(value).encode(),
    ),
    Reader(
        "a checkpoint",
        (Note.parse(_NOTE).text.encode(),),
        lambda data: Checkpoint.parse(text_of(data)),
        (BadNote,),
        lambda value: value.text.encode(errors="surrogateescape"),
    ),
    Reader(
        "a verifier key",
        (str(packing.SERVICE.signing[0]).encode(),),
        lambda data: Verifier.parse(text_of(data)),
        (BadNote,),
        lambda value: str(value).encode(),
    ),
    Reader(
        "the keys of --key",
        (str(packing.SERVICE.signing[0]).encode(),),
        lambda data: trusted_keys([text_of(data)]),
        (BadNote,),
    ),
    Reader(
        "a line with a signature",
        (_NOTE.splitlines()[-1],),
        lambda data: signature_of(text_of(data)),
        (BadNote,),
        lambda value: value.line.removesuffix("\n").encode(errors="surrogateescape"),
    ),
    Reader(
        "a succession",
        (_SUCCESSION,),
        lambda data: Succession.parse(text_of(data)),
        (BadNote,),
        lambda value: str(value).encode(),
    ),
    Reader(
        "a succession, signed",
        (packing.succession_text(),),
        lambda data: Succession.parse(packing.succession_of(data)),
        (BadNote,),
    ),
    Reader(
        "a receipt", (packing.receipt().encode(),), Receipt.parse, (BadNote,), lambda value: str(value).encode()
    ),
    Reader(
        "the file of the keys",
        (packing.keys_file(),),
        _keys,
        (BadKeys,),
        secrets=tuple(line.decode().rpartition("+")[2] for line in packing.keys_file().splitlines()[:2]),
    ),
    Reader(
        "a line of a log",
        (*tuple(packing.lines_of(packing.ENTRIES["negoces2"])), b'{"hash":"%b"}' % (b"0a" * 32)),
        read_attested,
        (ValueError,),
    ),
    Reader(
        "a file for `verify`",
        (
            packing.receipt().encode(),
            _NOTE,
            packing.proof_of_growth(),
            *(packing.zipped(packing.log_files(packing.ENTRIES["negoces2"], "negoces2")),),
        ),
        _verified,
        (UnverifiableFileError, BadNote),
    ),
    Reader("an older checkpoint", (_NOTE, packing.receipt().encode()), _older, (UnverifiableFileError, BadNote)),
    Reader("the checkpoint of an older log", (_NOTE,), _older_log, (UnverifiableFileError, BadNote), inputs=8),
    Reader(
        "the entries of a log, signed",
        (packing.ENTRIES["negoces2"],),
        _log("negoces2"),
        (UnverifiableFileError, BadNote),
    ),
    Reader(
        "the end of a log",
        (b'{"end":{"balances":{"bank":{"coin":5}},"unshown":{"bank":["coin"]}}}',),
        _log_end,
        (UnverifiableFileError, BadNote),
        inputs=8,
    ),
)

# Games, and backups -------------------------------------------------------------------------------


def _journal(data: bytes) -> Any:
    with _file(data) as path:
        journal = JournalFile(path)
        return journal.header, list(journal.entries())


def _imported(rulebook: str) -> Callable[[bytes], Any]:
    def read(data: bytes) -> Any:
        with _file(packing.journal(data, rulebook)) as path:
            journal = JournalFile(path)
            book = rulebooks.rulebooks_by_id()[rulebook]
            return list(check(book, journal.header.exported_game, journal.entries(), decide=True))

    return read


def _backup(data: bytes) -> Any:
    with _file(data) as path, Backup(path) as backup:
        backup.check()
        return backup.manifest


_SEALED = sealing.seal({"keys": b"secret"}, packing.PASSPHRASE)
_GAMES = (
    Reader(
        "the file of a journal",
        (packing.journal(packing.ENTRIES["negoces2"], "negoces2"),),
        _journal,
        (BadJournalFile,),
    ),
    *(
        Reader(
            f"the entries of {rulebook}, with their hashes",
            (b"\n".join(packing.lines_of(entries)[:12]),),
            _imported(rulebook),
            (BadJournalFile, BadJournal),
            inputs=15,
        )
        for rulebook, entries in packing.ENTRIES.items()
    ),
    Reader("the file of a backup", (packing.backup(),), _backup, (BadBackup,)),
    Reader(
        "the manifest of a backup", (packing.manifest(),), lambda data: _backup(packing.backup(data)), (BadBackup,)
    ),
    Reader(
        "sealed keys",
        (_SEALED,),
        lambda data: sealing.unseal(data, packing.PASSPHRASE),
        (sealing.WrongPassphrase,),
        secrets=(packing.PASSPHRASE,),
        inputs=1,
    ),
)

# Editions -----------------------------------------------------------------------------------------


def _described(path: Path) -> Any:
    result = checked(path)
    for finding in (*result.findings, *result.warnings):
        for language in ("en", "fr"):
            demand_shown(finding.describe(language))
    if not result.findings:
        result.summary("en")
        msgspec.json.encode(result.document)
    return result.document


def _edition(rulebook: str) -> Callable[[bytes], Any]:
    """A reader of the pieces of an edition; the other files stay."""

    def read(data: bytes) -> Any:
        with TemporaryDirectory(dir=_FILES.name) as folder:
            path = Path(folder) / "board"
            start(path, rulebook)
            (path / _pieces_file(rulebook)).write_bytes(data)
            return _described(path)

    return read


def _pieces_file(rulebook: str) -> str:
    return next(iter(taker_of(rulebook).new_edition().files))


def _pieces(rulebook: str) -> bytes:
    return taker_of(rulebook).new_edition().files[_pieces_file(rulebook)].encode()


def _options(data: bytes) -> Any:
    with TemporaryDirectory(dir=_FILES.name) as folder:
        path = Path(folder) / "board"
        start(path, "monopoly")
        (path / "edition.toml").write_bytes(data)
        return _described(path)


def _json_edition(data: bytes) -> Any:
    with _file(data, "edition.json") as path:
        return _described(path)


def _whole() -> bytes:
    with TemporaryDirectory(dir=_FILES.name) as folder:
        start(Path(folder) / "board", "monopoly")
        return msgspec.json.encode(checked(Path(folder) / "board").document)


def _table(data: bytes) -> Any:
    with _file(data, "our-squares.csv") as path:
        board = path.parent / "board"
        import_file(path, board)
        files = [tomllib.loads(file.read_text(encoding="utf-8")) for file in sorted(board.iterdir())]
        _described(board)
        return files


_JUNIOR = (BOARDS / "junior" / "pieces.toml").read_bytes()
_EDITIONS = (
    Reader("the pieces of Monopoly", (_pieces("monopoly"), _JUNIOR), _edition("monopoly"), (BadInput,), inputs=8),
    Reader(
        "the pieces of Virtual Revolution",
        (_pieces("virtual_revolution"),),
        _edition("virtual_revolution"),
        (BadInput,),
        inputs=3,
    ),
    Reader(
        "the options of an edition",
        (b'title = "Ours"\nrulebook = "monopoly"\n[options]\nrounds = 12\nstarting_cash = 1_500\n[face]\n',),
        _options,
        (BadInput,),
        inputs=8,
    ),
    Reader("an edition in JSON", (_whole(),), _json_edition, (BadInput,), inputs=8),
    Reader("a table of squares", (AMERICAN.encode(), FRENCH.encode()), _table, (BadInput,), inputs=15),
)

# Requests -----------------------------------------------------------------------------------------


def _header(name: str, read: Callable[[], Any]) -> Callable[[bytes], Any]:
    """A reader of a header, which a server gives as Latin-1 (PEP 3333)."""

    def answer(data: bytes) -> Any:
        environ = {f"HTTP_{name}": data[:LONGEST_HEADER].decode("latin-1")}
        with _APP.test_request_context(environ_overrides=environ):
            return read()

    return answer


def _body(decoder: msgspec.json.Decoder[Any]) -> Callable[[bytes], Any]:
    def read(data: bytes) -> Any:
        with _APP.test_request_context(method="POST", data=data, content_type="application/json"):
            return body(decoder)

    return read


def _language(data: bytes) -> str:
    spoken = preferred(data.decode("latin-1"))
    assert spoken in {"en", "fr"}
    return spoken


class _Position(msgspec.Struct, frozen=True, array_like=True, tag="games"):
    number: int
    game: str
    place: tuple[int | str, ...]


_REQUESTS = (
    Reader("Accept-Language", (b"fr-CH, fr;q=0.9, en;q=0.8, *;q=0.5",), _language),
    Reader(
        "If-Match", (b'W/"57-9f86d081884c-60303ae2", "57"', b"*"), _header("IF_MATCH", heads_expected), (Problem,)
    ),
    Reader(
        "If-None-Match",
        (b'W/"57-9f86d081884c-60303ae2", "57"', b"*"),
        _header("IF_NONE_MATCH", lambda: require_change('W/"58"')),
        (NotModified,),
    ),
    Reader(
        "Idempotency-Key",
        (b"4f1c9d0be27a4ce0a7d3a1f5e8b6c402", b"7d444840-9dc0-41d1-b245-5ffdce74fad2"),
        _header("IDEMPOTENCY_KEY", unguessable_key),
        (Problem,),
    ),
    Reader(
        "an idempotency key",
        (b"4f1c9d0be27a4ce0a7d3a1f5e8b6c402",),
        lambda data: is_guessable(data.decode("latin-1")),
    ),
    Reader(
        "Last-Event-ID",
        (b"57", b"57-9f86d081884c-60303ae2"),
        _header("LAST_EVENT_ID", lambda: _last_id(None)),
        (Problem,),
    ),
    Reader(
        "a cursor",
        (write_cursor(_Position(3, "g", (1, "a"))).encode(),),
        lambda data: read_cursor(text_of(data[:500]), _Position),
        (Problem,),
        lambda value: write_cursor(value).encode(),
    ),
    Reader(
        "the contents of a cursor",
        (b'["games",3,"g",[1,"a"]]',),
        lambda data: read_cursor(write_cursor(msgspec.Raw(data[:375])), _Position),
        (Problem,),
        msgspec.json.encode,
    ),
    Reader(
        "the body of an action",
        (FIRST_BODY,),
        _body(msgspec.json.Decoder(requests.NewAction)),
        (Problem,),
        msgspec.json.encode,
    ),
    Reader(
        "the body of a game",
        (GAME_BODY,),
        _body(msgspec.json.Decoder(requests.NewGame)),
        (Problem,),
        msgspec.json.encode,
    ),
)

READERS: tuple[Reader, ...] = (*_TRUST, *_GAMES, *_EDITIONS, *_REQUESTS)
