"""Kills between any two steps: at a chosen call of the system, made by strace without any help of the product.

A command is killed when it is about to make its n-th call of a kind (a write, an `fsync`, a rename, a statement to
the database), in any of its processes. Then everything must be as before or as after; the command must succeed
when it is run again. A worker is killed in the same way while it answers one request: the request is repeated with
its key, and must have its effect once. A command whose n-th write fails, because the disk is full, must say so,
and leave nothing half-written.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import httpx
import psycopg
import sqlalchemy
from psycopg import sql

from ledger.store.backups.archive import Backup
from ledger.store.database import schema
from ledger.store.database.applying import migrate_within
from ledger.store.postgres.binaries import find_binaries
from replays.journal_file import JournalFile
from tests.faults.fault import Wrong
from tests.faults.host import MABLIGOP, environment
from tests.faults.players import API

if TYPE_CHECKING:
    from tests.faults.site import Site

NAMES = "/^(rename|link|unlink)"
"""The calls that give a file a name, or take one."""
WRITES = "/^(write|pwrite)"
SYNCS = "/^f(data)?sync$"
STATEMENTS = "sendto"
"""What the driver sends to the database: a call for each statement."""
OPENS = "openat"
_KILL = "signal=KILL"
_FULL = "error=ENOSPC"
_THERE = 9
"""The exit code for a game, or games, that are in the database already."""
_MOST_CALLS = {NAMES: 4, WRITES: 12, SYNCS: 4, STATEMENTS: 40, OPENS: 400}
_TRIES = 4
_REVISIONS = ("0001", "0002", "0003", "0004", "0005")
_LOOK_SECONDS = 0.05


def missing() -> str | None:
    """Why nothing can be killed at a call here."""
    if shutil.which("strace") is None:
        return "it needs strace (on Debian and Ubuntu: apt-get install strace)"
    try:
        tried = subprocess.run(
            ["strace", "-qq", "-o", "/dev/null", "-e", "trace=none", "true"], capture_output=True, check=False
        )
    except OSError as failure:
        return f"strace does not run here ({failure})"
    return None if tried.returncode == 0 else "strace may not watch processes here"


def strace(call: str, effect: str, number: int) -> list[str]:
    """The beginning of a command line with which the n-th call of a kind has this effect."""
    of = ("-e", f"trace={call}", "-e", f"inject={call}:{effect}:when={number}")
    return ["strace", "-f", "-qq", "-o", "/dev/null", *of]


@dataclass
class Trial:
    """A command to be disturbed once, in a folder of its own. `disturbed` says whether it did not succeed."""

    site: Site
    folder: Path
    call: str
    number: int
    effect: str
    disturbed: bool = False

    def disturb(self, *command: str | Path, **variables: str) -> None:
        """Run a command, disturbed."""
        ran = _run([*strace(self.call, self.effect, self.number), *command], variables)
        self.disturbed = ran.returncode != 0

    def again(self, *command: str | Path, allowed: Sequence[int] = (0,), **variables: str) -> Iterator[str]:
        """Run a command in peace: it must succeed."""
        ran = _run(command, variables)
        if ran.returncode not in allowed:
            words = " ".join(str(word) for word in command[1:3])
            yield f"{words} ended with exit code {ran.returncode}: {(ran.stderr or ran.stdout).strip()[-300:]}"

    @contextmanager
    def database(self) -> Iterator[str]:
        """The URL of an empty database on the server of the service."""
        url, name = self.site.host.database(), f"trial_{self.folder.name.lower().replace('-', '_')}"
        name = "".join(letter for letter in name if letter.isalnum() or letter == "_")
        with psycopg.connect(url, autocommit=True) as server:
            server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name)))
            try:
                yield url.replace("/mabligop?", f"/{name}?")
            finally:
                server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def backup(self) -> Path:
        """A backup of the service's database."""
        file = self.folder / "all.zip"
        for wrong in self.again(MABLIGOP, "backup", file, DATABASE_URL=self.site.host.database()):
            raise Wrong(wrong)
        return file

    def journal(self) -> Path:
        """The journal of a game, exported."""
        file, table = self.folder / "game.jsonl", self.site.tables[0]
        command = (MABLIGOP, "export", table.games[0], "--output", file)
        for wrong in self.again(*command, DATABASE_URL=self.site.host.database()):
            raise Wrong(wrong)
        return file


def _run(command: Sequence[str | Path], variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    own = environment() | {"PYTHONDONTWRITEBYTECODE": "1"} | variables
    return subprocess.run(command, env=own, capture_output=True, text=True, check=False)


# What is disturbed -----------------------------------------------------------------------------


def _keys(trial: Trial) -> Iterator[str]:
    """The file with the keys that sign the logs: made, then used."""
    file = trial.folder / "signing-keys"
    code = f"from pathlib import Path; from ledger.trust.keys import Keys; Keys.ensure(Path({str(file)!r}))"
    trial.disturb(sys.executable, "-c", code)
    yield from trial.again(sys.executable, "-c", code)


def _certificates(trial: Trial) -> Iterator[str]:
    """The authority, its key, the certificate and its key."""
    code = (
        "from pathlib import Path; from api.command.running.certificates import at_home, trusting;"
        f"trusting(at_home(Path({str(trial.folder / 'tls')!r}), ['localhost', '127.0.0.1']))"
    )
    trial.disturb(sys.executable, "-c", code)
    yield from trial.again(sys.executable, "-c", code)


def _backup(trial: Trial) -> Iterator[str]:
    """A backup: nothing under its name, or all of it."""
    file, url = trial.folder / "backup.zip", trial.site.host.database()
    trial.disturb(MABLIGOP, "backup", file, DATABASE_URL=url)
    if file.exists():
        with Backup(file) as backup:
            backup.check()
    yield from trial.again(MABLIGOP, "backup", "--force", file, DATABASE_URL=url)


def _export(trial: Trial) -> Iterator[str]:
    """The journal of a game in a file: nothing under its name, or all of it."""
    file, url = trial.folder / "journal.jsonl", trial.site.host.database()
    command = (MABLIGOP, "export", trial.site.tables[0].games[0], "--output", file)
    trial.disturb(*command, DATABASE_URL=url)
    if file.exists():
        list(JournalFile(file).entries())
    yield from trial.again(*command, "--force", DATABASE_URL=url)


def _restoration(trial: Trial) -> Iterator[str]:
    """A restoration into an empty database: empty again, or complete."""
    file = trial.backup()
    with trial.database() as url:
        trial.disturb(MABLIGOP, "restore", file, DATABASE_URL=url)
        yield from trial.again(MABLIGOP, "restore", file, allowed=(0, _THERE), DATABASE_URL=url)
        yield from trial.again(MABLIGOP, "verify", DATABASE_URL=url)


def _import(trial: Trial) -> Iterator[str]:
    """A game is imported: not at all, or complete."""
    file = trial.journal()
    with trial.database() as url:
        yield from trial.again(MABLIGOP, "migrate", DATABASE_URL=url)
        trial.disturb(MABLIGOP, "import", file, DATABASE_URL=url)
        yield from trial.again(MABLIGOP, "import", file, allowed=(0, _THERE), DATABASE_URL=url)
        yield from trial.again(MABLIGOP, "verify", "--decide", DATABASE_URL=url)


def _migration(trial: Trial) -> Iterator[str]:
    """The tables of an older revision are brought to this version's shape: not at all, or all of them."""
    with trial.database() as url:
        lay_older(trial.site, url, Random(trial.number).choice(_REVISIONS))
        trial.disturb(MABLIGOP, "migrate", DATABASE_URL=url)
        yield from trial.again(MABLIGOP, "migrate", DATABASE_URL=url)
        yield from trial.again(MABLIGOP, "verify", "--decide", DATABASE_URL=url)


def _upgrade(trial: Trial) -> Iterator[str]:
    """The data of a home moves to a later Postgres: the old data is in place, or the new."""
    home = trial.folder / "home"
    older = sorted(find_binaries().folder.parents[1].glob("pginstall*/bin"))[0]
    file = trial.backup()
    yield from trial.again(MABLIGOP, "restore", file, "--home", home, MABLIGOP_POSTGRES_BIN=str(older))
    trial.disturb(MABLIGOP, "upgrade", "--home", home)
    yield from trial.again(MABLIGOP, "upgrade", "--home", home)
    yield from trial.again(MABLIGOP, "verify", "--home", home)


Disturbed = Callable[[Trial], Iterator[str]]
_COMMANDS: dict[str, tuple[Disturbed, tuple[str, ...]]] = {
    "the keys are made": (_keys, (OPENS, WRITES, SYNCS, NAMES)),
    "certificates are made": (_certificates, (OPENS, WRITES, SYNCS, NAMES)),
    "a backup": (_backup, (WRITES, SYNCS, NAMES, STATEMENTS)),
    "an export": (_export, (WRITES, SYNCS, NAMES, STATEMENTS)),
    "a restoration": (_restoration, (STATEMENTS,)),
    "an import": (_import, (STATEMENTS,)),
    "a migration": (_migration, (STATEMENTS,)),
    "an upgrade": (_upgrade, (NAMES, SYNCS, STATEMENTS)),
}
_WRITERS = ("the keys are made", "certificates are made", "a backup", "an export")


def _trials(site: Site, chance: Random, names: Sequence[str], effect: str) -> list[str]:
    """Disturb each of these once. Returns what is wrong."""
    found: list[str] = []
    for name in names:
        disturbed, calls = _COMMANDS[name]
        call = WRITES if effect == _FULL else chance.choice(calls)
        number = chance.randint(1, _MOST_CALLS[call])
        with tempfile.TemporaryDirectory(prefix="trial-", dir=site.host.folder) as folder:
            trial = Trial(site, Path(folder), call, number, effect)
            at = f"{name}, {effect} at call {number} of {call}: "
            try:
                found += [at + wrong for wrong in disturbed(trial)]
            except Exception as failure:
                found.append(f"{at}{type(failure).__name__}: {failure}")
            if effect == _KILL and trial.disturbed:
                site.kill_of_a_command(name)
    return found


@contextmanager
def commands_killed(site: Site, chance: Random) -> Iterator[None]:
    """Commands are killed while the service goes on."""
    found = _trials(site, chance, chance.sample(list(_COMMANDS), _TRIES), _KILL)
    yield
    if found:
        raise Wrong("\n".join(found))


@contextmanager
def full_at_a_write(site: Site, chance: Random) -> Iterator[None]:
    """Commands find the disk full at one of their writes."""
    found = _trials(site, chance, _WRITERS, _FULL)
    yield
    if found:
        raise Wrong("\n".join(found))


# A backup during a migration -------------------------------------------------------------------


def lay_older(site: Site, url: str, revision: str) -> None:
    """Give a database the tables of an earlier revision, and the first game of the site."""
    game = site.tables[0].games[0]
    engine = sqlalchemy.create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=sqlalchemy.NullPool
    )
    with engine.begin() as connection:
        migrate_within(connection, revision)
    with psycopg.connect(site.host.database()) as source, psycopg.connect(url) as target:
        source.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        for table in schema.metadata.sorted_tables:
            there = target.execute("SELECT to_regclass(%s)", (table.name,)).fetchone()
            if "game_id" not in table.columns or there in (None, (None,)):
                continue
            rows = sql.SQL("COPY (SELECT * FROM {} WHERE game_id = {}) TO STDOUT")
            filled = sql.SQL("COPY {} FROM STDIN").format(sql.Identifier(table.name))
            with (
                source.cursor().copy(rows.format(sql.Identifier(table.name), sql.Literal(game))) as taken,
                target.cursor().copy(filled) as given,
            ):
                for piece in taken:
                    given.write(piece)


@contextmanager
def backup_during_migration(site: Site, chance: Random) -> Iterator[None]:
    """An older database is migrated while a backup of it is made: one of them is held up in the middle.

    The backup is whole, or is refused in words. It can be restored, and verifies.
    """
    found: list[str] = []
    with tempfile.TemporaryDirectory(prefix="trial-", dir=site.host.folder) as folder:
        trial = Trial(site, Path(folder), "", 0, "")
        with trial.database() as url:
            lay_older(site, url, chance.choice(_REVISIONS))
            file = trial.folder / "backup.zip"
            commands: list[list[str | Path]] = [[MABLIGOP, "migrate"], [MABLIGOP, "backup", file]]
            own = environment() | {"DATABASE_URL": url}
            with ExitStack() as held:
                if chance.random() < 0.5:
                    # The migration waits for this lock, when it has made new tables or is about to.
                    lock = held.enter_context(psycopg.connect(url))
                    lock.execute("LOCK TABLE games IN ROW EXCLUSIVE MODE")
                first, second = (
                    subprocess.Popen(one, env=own, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                    for one in commands
                )
                if chance.random() < 0.5:
                    time.sleep(chance.uniform(0, 2) * site.host.slowness)
                    second.send_signal(signal.SIGSTOP)
                    time.sleep(chance.uniform(0.5, 1.5) * site.host.slowness)
                    second.send_signal(signal.SIGCONT)
                time.sleep(chance.uniform(0, 2))
            _, said_first = first.communicate()
            _, said_second = second.communicate()
            if first.returncode:
                found.append(f"the migration ended with exit code {first.returncode}: {said_first[-300:]}")
            if second.returncode not in (0, 5):
                found.append(f"the backup ended with exit code {second.returncode}: {said_second[-300:]}")
            if (second.returncode == 0) != file.exists():
                found.append(f"the backup ended with exit code {second.returncode}, file: {file.exists()}")
            found += trial.again(MABLIGOP, "verify", "--decide", DATABASE_URL=url)
        if file.exists():
            with trial.database() as other:
                found += trial.again(MABLIGOP, "restore", file, DATABASE_URL=other)
                found += trial.again(MABLIGOP, "verify", "--decide", DATABASE_URL=other)
    yield
    if found:
        raise Wrong("\n".join(found))


# A worker killed while it answers one request --------------------------------------------------


class _Caller:
    """Somebody who asks with a key until there is an answer, in a game of their own."""

    def __init__(self, site: Site, chance: Random) -> None:
        self.site, self.chance = site, chance
        self.client = httpx.Client(base_url=site.host.url, timeout=site.host.slowness * 10, trust_env=False)
        self.found: list[str] = []
        table = site.tables[0]
        origin = {"game": table.games[0], "action": 1, "token": table.tokens[table.games[0]]["banker"]}
        laid = self.ask("POST", "/games", {"from": origin}, "").json()
        self.game: str = laid["game"]
        self.banker: str = laid["tokens"]["banker"]

    def ask(self, method: str, path: str, body: Any, token: str) -> httpx.Response:
        """The answer to a request that is repeated with its key until it comes."""
        key = f"step {self.chance.randrange(2**48)}"
        headers = {"Idempotency-Key": key} | ({"Authorization": f"Bearer {token}"} if token else {})
        deadline = time.monotonic() + self.site.patience
        while time.monotonic() < deadline:
            with suppress(httpx.TransportError):
                answer = self.client.request(method, API + path, json=body, headers=headers)
                if answer.status_code not in {408, 503}:
                    return answer
            time.sleep(0.2)
        raise Wrong(f"{method} {path} had no answer")

    def read(self, path: str, token: str = "") -> Any:
        """What an answer says that is no change."""
        return self.ask("GET", path, None, token or self.banker).json()

    def expect(self, what: str, found: object, expected: object) -> None:
        """Remember what is not as expected."""
        if found != expected:
            self.found.append(f"{what}: {found!r} instead of {expected!r}")


def _creates(caller: _Caller) -> None:
    players = [{"seat": "ana", "name": "Ana"}, {"seat": "bob", "name": "Bob"}]
    title = f"Once {caller.chance.randrange(2**48)}"
    body = {"rulebook": "negopoly", "title": title, "players": players, "dice": "service"}
    caller.expect("a new game", caller.ask("POST", "/games", body, "").is_success, True)
    with psycopg.connect(caller.site.host.database()) as connection:
        made = connection.execute("SELECT count(*) FROM games WHERE title = %s", (title,)).fetchone()
    caller.expect("games made by one request", made, (1,))


def _forks(caller: _Caller) -> None:
    origin = {"game": caller.game, "action": 1, "token": caller.banker}
    title = f"Once more {caller.chance.randrange(2**48)}"
    caller.expect("a fork", caller.ask("POST", "/games", {"from": origin, "title": title}, "").is_success, True)
    with psycopg.connect(caller.site.host.database()) as connection:
        made = connection.execute("SELECT count(*) FROM games WHERE title = %s", (title,)).fetchone()
    caller.expect("forks made by one request", made, (1,))


def _invites(caller: _Caller) -> None:
    before = len(caller.read(f"/games/{caller.game}/invitations")["invitations"])
    answer = caller.ask("POST", f"/games/{caller.game}/invitations", {"role": "spectator"}, caller.banker)
    caller.expect("an invitation", answer.is_success, True)
    after = len(caller.read(f"/games/{caller.game}/invitations")["invitations"])
    caller.expect("open invitations", after, before + 1)


def _joins(caller: _Caller) -> None:
    path = f"/games/{caller.game}/invitations"
    code = caller.ask("POST", path, {"role": "spectator"}, caller.banker).json()["code"]
    joined = caller.ask("POST", "/join", {"code": code, "game": caller.game}, "")
    caller.expect("a code", joined.is_success, True)
    if joined.is_success:
        caller.expect("its token", caller.read("/me", joined.json()["token"])["role"], "spectator")
    caller.expect("the code again", caller.ask("POST", "/join", {"code": code}, "").status_code, 410)


def _pays(caller: _Caller) -> None:
    before = _version(caller)
    body = {"kind": "transfer_money", "params": {"to": "bob", "amount": 1}, "seat": "ana"}
    answer = caller.ask("POST", f"/games/{caller.game}/actions", body, caller.banker)
    caller.expect("the version after one action", _version(caller), before + int(answer.is_success))


def _undoes(caller: _Caller) -> None:
    body = {"kind": "transfer_money", "params": {"to": "bob", "amount": 1}, "seat": "ana"}
    caller.ask("POST", f"/games/{caller.game}/actions", body, caller.banker)
    before = _version(caller)
    answer = caller.ask("POST", f"/games/{caller.game}/undo", {"reason": "a slip"}, caller.banker)
    caller.expect("the version after one undo", _version(caller), before + int(answer.is_success))


def _signs(caller: _Caller) -> None:
    """Tiles are stored, a checkpoint is signed, then stored: the log must stay the one that was signed."""
    answer = caller.ask("GET", f"/games/{caller.game}/checkpoint", None, caller.banker)
    caller.expect("a checkpoint", answer.is_success, True)


def _plays_again(caller: _Caller) -> None:
    ended = caller.ask("POST", f"/games/{caller.game}/actions", {"kind": "end_game", "params": {}}, caller.banker)
    caller.expect("the end of a game", ended.is_success, True)
    answer = caller.ask("POST", "/games", {"again": caller.game}, caller.banker)
    caller.expect("the next game", answer.is_success, True)
    place = caller.ask("POST", f"/games/{caller.game}/again", None, caller.banker)
    caller.expect("the place in the next game", place.is_success, True)


def _version(caller: _Caller) -> int:
    version: int = caller.read(f"/games/{caller.game}")["version"]
    return version


_REQUESTS: dict[str, Callable[[_Caller], None]] = {
    "a game is created": _creates,
    "a game is forked": _forks,
    "an invitation": _invites,
    "a code is redeemed": _joins,
    "an action": _pays,
    "an undo": _undoes,
    "a checkpoint": _signs,
    "the table plays again": _plays_again,
}
_MOST_STATEMENTS = 10


@contextmanager
def requests_killed(site: Site, chance: Random) -> Iterator[None]:
    """Workers are killed at the n-th statement (counted for each thread) of one request, while players rest."""
    found: list[str] = []
    for name in chance.sample(list(_REQUESTS), 2):
        number = chance.randint(1, _MOST_STATEMENTS)
        site.rest()
        caller = _Caller(site, chance)
        with closing(caller.client):
            site.host.answers_of_all("/readyz", {})
            site.host.spare_workers()
            before = {worker.pid for worker in site.host.workers()}
            with _traced(sorted(before), number):
                _REQUESTS[name](caller)
            site.play()
            site.host.note_death()
            if not before <= {worker.pid for worker in site.host.workers()}:
                found += site.killed("a worker at a statement", time.monotonic())
            found += [f"{name}, a worker killed at statement {number}: {wrong}" for wrong in caller.found]
    yield
    if found:
        raise Wrong("\n".join(found))


@contextmanager
def _traced(processes: Sequence[int], number: int) -> Iterator[None]:
    """Kill each of these processes when a thread of it is about to send its n-th statement from now on."""
    with ExitStack() as tracing:
        for process in processes:
            traced = subprocess.Popen(
                [*strace(STATEMENTS, _KILL, number), "-p", str(process)], stderr=subprocess.DEVNULL
            )
            tracing.callback(_let_go, traced)
        while not all(_is_traced(process) for process in processes):
            time.sleep(_LOOK_SECONDS)
        yield


def _let_go(traced: subprocess.Popen[bytes]) -> None:
    traced.send_signal(signal.SIGTERM)
    traced.wait()


def _is_traced(process: int) -> bool:
    """Whether all threads of a process are watched; also when it is gone."""
    with suppress(OSError):
        for status in Path(f"/proc/{process}/task").glob("*/status"):
            if "TracerPid:\t0\n" in status.read_text():
                return False
    return True
