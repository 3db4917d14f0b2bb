"""`mabligop export` and `mabligop import`: complete games, or nothing."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from pathlib import Path

import pytest

from replays import exports
from tests.command.service import MABLIGOP, Service, create_game, environment, here, holdings, sender
from tests.replays import shelf

pytestmark = pytest.mark.xdist_group("command")

Played = tuple[str, dict[str, str]]


@pytest.fixture(scope="module")
def database_url(served: str) -> str:
    """The database of the service."""
    return served


@pytest.fixture(scope="module")
def played(service: Service) -> Played:
    """A running game in which Ana gave Bob ₦40: its id and its tokens."""
    with service.client() as client:
        game, tokens = create_game(client)
        sender(client, game)(tokens["ana"], "transfer_money", {"to": "bob", "amount": 40})
    return game, tokens


@pytest.mark.parametrize("form", exports.FORMATS)
def test_from_the_database_and_from_the_service_it_is_the_same(
    service: Service, played: Played, database_url: str, tmp_path: Path, form: str
) -> None:
    """A user of the database sees what the banker sees."""
    game, tokens = played
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    first = here("export", game, "--format", form, "-o", ours, DATABASE_URL=database_url)
    assert (first.returncode, first.stdout) == (0, ""), first.stderr
    assert re.fullmatch(rf"Exported 7 actions, \d+ events to {ours}\n", first.stderr)
    again = here(
        "export", game, "--format", form, "-o", theirs, "--url", service.url, MABLIGOP_TOKEN=tokens["banker"]
    )
    assert again.returncode == 0, again.stderr
    assert again.stderr == f"Exported {theirs.stat().st_size} bytes to {theirs}\n"
    assert theirs.read_bytes() == ours.read_bytes()
    assert sorted(tmp_path.iterdir()) == [ours, theirs]


def test_there_and_back(
    service: Service, played: Played, lay_home: Callable[[Path], Path], tmp_path: Path
) -> None:
    """The game is imported into another home and served there like the first one, with new tokens; it goes on.

    While a service uses the home, commands that write are refused and say what to do; the others read beside it.
    """
    game, tokens = played
    home, file = lay_home(tmp_path / "home"), tmp_path / "game.jsonl"
    assert here("export", game, "-o", file, "--token", tokens["banker"], "--url", service.url).returncode == 0
    imported = here("import", file, "--home", home)
    assert imported.returncode == 0, imported.stderr
    title, *shown = imported.stdout.splitlines()
    header = json.loads(file.read_text(encoding="utf-8").splitlines()[0])["journal"]
    assert title == f"Imported Negopoly: 7 actions, {header['events']} events."
    given = dict(line.split() for line in shown)
    assert list(given) == ["game", "banker", "ana", "bob", "spectator"]
    assert given["game"] == game
    assert not set(given.values()) & set(tokens.values())
    with service.client() as client:
        before = holdings(client, game, tokens["banker"])
    other = Service("--no-demo", "--home", home)
    try:
        for command, how in (
            (("import", file), "End it first, or name a database of yours."),
            (
                ("simulate", "negoces2", "--games", "1", "--actions", "5", "--processes", "1", "--store"),
                "served by",
            ),
        ):
            busy = here(*command, "--home", home)
            assert (busy.returncode, busy.stdout) == (3, "")
            assert how in busy.stderr
        beside = here("export", game, "-o", "-", "--home", home)
        assert shelf.unsigned(beside.stdout.encode()) == shelf.unsigned(file.read_bytes())
        tables = here("export", "--all", "-o", tmp_path / "tables.zip", "--home", home)
        assert (tables.returncode, "Exported 1 game" in tables.stderr) == (0, True), tables.stderr
        assert here("statistics", "--all", "--home", home).stdout.startswith("negopoly: 1 game, 0 ended")
        assert here("replay", game, "--lines", "--home", home).returncode == 0
        asked = here("export", game, "-o", "-", "--url", other.url, "--token", given["banker"])
        assert shelf.unsigned(asked.stdout.encode()) == shelf.unsigned(file.read_bytes())
        with other.client() as client:
            assert holdings(client, game, given["banker"]) == before
            sender(client, game)(given["bob"], "transfer_money", {"to": "ana", "amount": 40})
            assert holdings(client, game, given["banker"])["player:ana"] == {"NGD": 1650}
    finally:
        assert other.stop() == 0


def test_a_name_for_the_file(
    service: Service, played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The default file name is the game's id; a view also has the viewer in its name."""
    game, tokens = played
    monkeypatch.chdir(tmp_path)
    asked = ("--url", service.url, "--token")
    assert here("export", game, "--format", "csv", *asked, tokens["banker"]).returncode == 0
    assert here("export", game, "--format", "beancount", *asked, tokens["ana"]).returncode == 0
    assert here("export", game, "--format", "csv", "--table", "actions", *asked, tokens["banker"]).returncode == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    tables = [f"{game}-actions.csv", f"{game}-actions.about.json"]
    assert names == sorted([f"{game}.csv.zip", f"{game}-view-ana.beancount", *tables])
    assert shelf.bean_check(tmp_path / f"{game}-view-ana.beancount") == ""


def test_to_standard_output(played: Played, database_url: str) -> None:
    game, _ = played
    written = here("export", game, "--format", "csv", "--table", "balances", "-o", "-", DATABASE_URL=database_url)
    assert written.stdout.startswith("game,position,action,number,recorded_at,account,commodity,change,balance\n")
    assert re.fullmatch(r"Exported 7 actions, \d+ events\n", written.stderr)


def test_the_language(played: Played, database_url: str) -> None:
    game, _ = played
    asked = ("export", game, "--format", "hledger", "-o", "-", "--language", "fr")
    assert "Ana donne 40 ₦ à Bob." in here(*asked, DATABASE_URL=database_url).stdout


# Bad input ------------------------------------------------------------------------------------------


def test_what_cannot_be_asked_for(service: Service, played: Played, database_url: str, tmp_path: Path) -> None:
    """Each fault has its exit code and a sentence; nothing is written."""
    game, tokens = played
    known = {"DATABASE_URL": database_url}
    file = tmp_path / "file"
    for arguments, code, said in (
        ([game, "--format", "xlsx"], 2, "'jsonl', 'log', 'csv', 'parquet', 'statements', 'beancount'"),
        ([game, "--table", "actions"], 2, "jsonl has no tables to choose from"),
        ([game, "--format", "csv", "--table", "chairs"], 2, "'actions', 'events', 'postings', 'balances'"),
        (["nowhere"], 8, "There is no game nowhere"),
        (["nowhere", "--token", tokens["banker"], "--url", service.url], 8, "there is no game"),
        ([game, "--token", "no.such", "--url", service.url], 8, "the token is not in force"),
        (["../../healthz", "--token", "no.such", "--url", service.url], 2, "is no game's id"),
        ([game, "--token", "no.such", "--url", "http://127.0.0.1:1"], 6, "No good answer from http://127.0.0.1:1"),
    ):
        refused = here("export", *arguments, "-o", file, **known)
        assert (refused.returncode, refused.stdout) == (code, ""), refused.stderr
        assert said.casefold() in refused.stderr.casefold()
        assert "Traceback" not in refused.stderr
    assert not list(tmp_path.iterdir())


def test_a_game_of_others(service: Service, played: Played, tmp_path: Path) -> None:
    game, _ = played
    with service.client() as client:
        _, others = create_game(client)
    refused = here("export", game, "-o", tmp_path / "file", "--token", others["banker"], "--url", service.url)
    assert refused.returncode == 8
    assert "belongs to another game" in refused.stderr
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_written(played: Played, database_url: str, tmp_path: Path) -> None:
    game, _ = played
    (tmp_path / "taken").mkdir()
    for target in (tmp_path / "absent" / "file", tmp_path / "taken"):
        refused = here("export", game, "-o", target, DATABASE_URL=database_url)
        assert refused.returncode == 2, refused.stderr
        assert "Traceback" not in refused.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_a_file_that_is_there_is_replaced_only_by_force_and_by_a_whole_one(
    service: Service, played: Played, database_url: str, tmp_path: Path
) -> None:
    """Without --force the command says what is there, from the database and from the service."""
    game, tokens = played
    file = tmp_path / "game.jsonl"
    file.write_text("what was there", encoding="utf-8")
    asked = ("--url", service.url, "--token", tokens["banker"])
    for refused in (
        here("export", game, "-o", file, DATABASE_URL=database_url),
        here("export", game, "-o", file, *asked),
    ):
        assert refused.returncode == 2
        assert f"{file} is there already: name another file, or add --force" in refused.stderr
    assert here("export", "nowhere", "-o", file, "--force", DATABASE_URL=database_url).returncode == 8
    assert file.read_text(encoding="utf-8") == "what was there"
    assert here("export", game, "-o", file, "--force", DATABASE_URL=database_url).returncode == 0
    assert file.read_bytes().endswith(b"}\n")
    assert file.stat().st_mode & 0o777 == 0o666 & ~umask()


def umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_a_journal_that_is_not_right(
    played: Played, database_url: str, new_database: Callable[..., str], tmp_path: Path
) -> None:
    """Cut, altered, of another version, a view, no journal at all: the line is named, and nothing is imported.

    The complete file is imported once, into an empty database, which is migrated as `serve` does.
    """
    game, _ = played
    file, elsewhere = tmp_path / "game.jsonl", new_database(migrated=False)
    assert here("export", game, "-o", file, DATABASE_URL=database_url).returncode == 0
    whole = file.read_text(encoding="utf-8").splitlines(keepends=True)
    for lines, said in (
        (whole[:-1], "line 9: the file is cut"),
        (
            [*whole[:6], whole[6].replace('"start_game"', '"start-game"'), *whole[7:]],
            "line 7: the entry was altered",
        ),
        ([whole[0].replace('"version":1', '"version":2'), *whole[1:]], "line 1: the file is of version 2"),
        ([whole[0].replace('"title":"', '"title":"A '), *whole[1:]], "line 1: the first line was altered"),
        ([whole[0].replace('"negopoly"', '"chess"'), *whole[1:]], "there is no rulebook 'chess'"),
        (['{"view":{}}\n'], "line 1: it is a view"),
        (["Dear diary\n"], "line 1: it is no journal file"),
    ):
        file.write_text("".join(lines), encoding="utf-8")
        refused = here("import", file, DATABASE_URL=elsewhere)
        assert (refused.returncode, refused.stdout) == (2, ""), refused.stderr
        assert f"{file}" in refused.stderr
        assert said in refused.stderr
        assert refused.stderr.rstrip().endswith("nothing was imported")
    assert here("export", game, DATABASE_URL=elsewhere).returncode == 8
    assert here("import", tmp_path / "absent", DATABASE_URL=elsewhere).returncode == 2
    file.write_text("".join(whole), encoding="utf-8")
    assert here("import", file, DATABASE_URL=elsewhere).returncode == 0
    again = here("import", file, DATABASE_URL=elsewhere)
    assert again.returncode == 9
    assert f"There is a game {game} already; nothing was imported" in again.stderr


# Interruptions --------------------------------------------------------------------------------------


@contextmanager
def answering(pieces: Callable[[], Iterator[bytes]]) -> Iterator[str]:
    """The address of a server that gives this answer to every request."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for piece in chain(pieces(), (b"",)):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                self.wfile.flush()

        def log_message(self, *said: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    serving = threading.Thread(target=server.serve_forever, daemon=True)
    serving.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    ("form", "half"),
    [
        ("jsonl", b'{"journal":{}}\n{"entry":{},"leaf":""}\n'),
        ("jsonl", b'{"journal":{}}\n{"end":'),
        ("beancount", b"; An evening\n"),
        ("hledger", b"; An evening\n; The e"),
        ("jsonl", b""),
    ],
)
def test_an_answer_that_was_cut_leaves_no_file(tmp_path: Path, form: str, half: bytes) -> None:
    """The file is refused, although the connection ended normally."""
    with answering(lambda: iter([half] if half else [])) as url:
        cut = here("export", "game", "--format", form, "-o", tmp_path / "file", "--token", "any", "--url", url)
    assert cut.returncode == 6
    assert "was cut" in cut.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL], ids=lambda one: one.name
)
def test_an_export_that_is_interrupted_leaves_no_file(tmp_path: Path, number: signal.Signals) -> None:
    """Half of the file is written when the signal comes; even SIGKILL leaves nothing behind."""
    enough = threading.Event()

    def slowly() -> Iterator[bytes]:
        yield b'{"journal":{}}\n' * 100_000
        enough.wait(300)

    with answering(slowly) as url:
        process = subprocess.Popen(
            [MABLIGOP, "export", "game", "-o", tmp_path / "file", "--token", "any", "--url", url],
            env=environment(),
            stderr=subprocess.DEVNULL,
            # Whoever runs the tests may have told them to ignore it, and it is inherited.
            preexec_fn=lambda: (
                number == signal.SIGKILL
                or signal.signal(number, signal.default_int_handler if number == 2 else signal.SIG_DFL)
            ),
        )
        try:
            deadline = time.monotonic() + 300
            while not half_written(process.pid, tmp_path):
                assert time.monotonic() < deadline
                time.sleep(0.02)
            assert not (tmp_path / "file").exists()
            process.send_signal(number)
            assert process.wait(300) != 0
        finally:
            enough.set()
            process.kill()
            process.wait()
    assert not list(tmp_path.iterdir())


def half_written(process: int, folder: Path) -> bool:
    """Whether a process has written to a file of the folder, which may have no name."""
    for one in Path(f"/proc/{process}/fd").iterdir():
        with suppress(OSError):
            if str(one.readlink()).startswith(f"{folder}/") and one.stat().st_size:
                return True
    return False


def test_what_is_no_file_is_written_to_and_stays_what_it_is(
    played: Played, database_url: str, tmp_path: Path
) -> None:
    """A pipe gets the export, the target of a link is replaced, and a full device is an error."""
    game, _ = played
    whole = here("export", game, "-o", "-", DATABASE_URL=database_url).stdout
    pipe, link, file = tmp_path / "pipe", tmp_path / "link", tmp_path / "file"
    os.mkfifo(pipe)
    came: list[str] = []
    reader = threading.Thread(target=lambda: came.append(pipe.read_text(encoding="utf-8")), daemon=True)
    reader.start()
    assert here("export", game, "-o", pipe, DATABASE_URL=database_url).returncode == 0
    reader.join(60)
    assert came == [whole]
    assert pipe.is_fifo()

    file.write_text("what was there", encoding="utf-8")
    link.symlink_to(file.name)
    assert here("export", game, "-o", link, DATABASE_URL=database_url).returncode == 2
    assert here("export", game, "-o", link, "-f", DATABASE_URL=database_url).returncode == 0
    assert link.is_symlink()
    assert file.read_text(encoding="utf-8") == whole

    full = here("export", game, "-o", "/dev/full", DATABASE_URL=database_url)
    assert full.returncode == 2
    assert "/dev/full cannot be written: No space left on device" in full.stderr
    with Path("/dev/full").open("wb") as device:
        ran = subprocess.run(
            [MABLIGOP, "export", game, "-o", "-"],
            env=environment(DATABASE_URL=database_url),
            stdout=device,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ran.returncode == 2
    assert "standard output cannot be written: No space left on device" in ran.stderr


def test_the_help_names_every_form() -> None:
    said = " ".join(here("export", "--help").stdout.split())
    for form in exports.FORMATS.values():
        assert f"{form.name}, {form.about}" in said
    assert json.dumps("jsonl") not in said
