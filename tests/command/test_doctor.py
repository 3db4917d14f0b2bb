"""`mabligop doctor`: a healthy installation has no finding, and each fault that is planted is found."""

from __future__ import annotations

import json
import os
import secrets
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
import pytest

from api.command.doctor import answering, installation, machine, tables
from api.command.doctor.checks import CHECKS, examined
from api.command.doctor.installation import Installation
from api.console import pages
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.database.connection import connect
from ledger.store.notices import Notices
from ledger.store.postgres.embedded import EmbeddedPostgres
from ledger.store.store import Store
from ledger.trust.keys import Keys
from tests.command.service import Service, create_game, here
from tests.store.roles import logging_in
from tests.tables.ledgers import started

pytestmark = pytest.mark.xdist_group("command")

SESAME = "sesame-of-nobody"


@pytest.fixture(autouse=True)
def sound_machine(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A machine with pages, room and files enough, whatever machine the tests run on."""
    built = tmp_path_factory.mktemp("built")
    (built / "index.html").touch()
    monkeypatch.setattr(machine, "BUILT", built)
    monkeypatch.setattr(pages, "current", lambda: True)
    for name in ("_LITTLE", "_TOO_LITTLE", "_FEW_NAMES", "_FEW_CLIENTS"):
        monkeypatch.setattr(machine, name, 0)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with keys, for a database that is elsewhere."""
    folder = tmp_path_factory.mktemp("home")
    Keys.ensure(folder / "signing-keys")
    return folder


@pytest.fixture
def url(new_database: Callable[..., str]) -> str:
    """A migrated database, to be spoilt."""
    return new_database()


class Examined:
    """The output of the command: the findings by check."""

    def __init__(self, *arguments: str | Path, **variables: str) -> None:
        ran = here("doctor", "--json", *arguments, **variables)
        self.code = ran.returncode
        self.output = ran.stdout + ran.stderr
        self.findings: list[dict[str, str]] = json.loads(ran.stdout)["findings"]

    def of(self, check: str) -> list[tuple[str, str]]:
        return [(finding["level"], finding["text"]) for finding in self.findings if finding["check"] == check]

    @property
    def bad(self) -> set[tuple[str, str]]:
        """The checks with a warning or a fault, each with its level. All have a remedy."""
        bad = [finding for finding in self.findings if finding["level"] in {"warning", "fault"}]
        assert all(finding["remedy"] for finding in bad)
        return {(finding["check"], finding["level"]) for finding in bad}


def test_a_healthy_installation_has_no_finding(service: Service, served: str, tmp_path: Path) -> None:
    """The service runs, its database is backed up, and a player's token opens a stream."""
    assert here("backup", "--without-keys", tmp_path / "backup.zip", DATABASE_URL=served).returncode == 0
    with service.client() as client:
        _, tokens = create_game(client)
    options = ("--url", service.url, "--token", tokens["ana"], "--backups", tmp_path)
    all_well = Examined(*options, DATABASE_URL=served)
    assert (all_well.bad, all_well.code) == (set(), 0), all_well.output
    assert {finding["check"] for finding in all_well.findings} == {check.name for check in CHECKS}
    assert {finding["level"] for finding in all_well.findings} == {"well"}
    assert tokens["ana"] not in all_well.output
    lines = here("doctor", *options, DATABASE_URL=served)
    assert (lines.returncode, lines.stderr) == (0, "0 faults, 0 warnings\n")
    assert [line.split()[0] for line in lines.stdout.splitlines()] == ["well"] * len(all_well.findings)


def test_a_data_folder_is_examined_while_its_service_runs_and_after_its_end(
    lay_home: Callable[[Path], Path], service: Service, tmp_path: Path
) -> None:
    home = lay_home(tmp_path / "home")
    with EmbeddedPostgres(home):
        running = Examined("--home", home, "--url", service.url)
    stopped = Examined("--home", home, "--url", service.url)
    for look, state in ((running, "its service runs"), (stopped, "its service is stopped")):
        assert look.bad == set(), look.output
        assert look.of("database")[0][1].endswith(state)
    missing = Examined("--home", tmp_path / "mistyped", "--url", service.url)
    assert (missing.bad, missing.code) == ({("database", "warning")}, 11)
    assert not (tmp_path / "mistyped").exists()


@pytest.mark.parametrize(
    ("revision", "sentence"),
    [
        ("0005", "the database is at revision 0005, and this version needs "),
        ("9999", "a newer version of the program migrated the database (9999)"),
        (None, "the database has no tables yet, or the login may not see them"),
    ],
)
def test_tables_of_another_version(
    new_database: Callable[..., str], home: Path, service: Service, revision: str | None, sentence: str
) -> None:
    url = new_database(migrated=revision is not None)
    if revision is not None:
        with psycopg.connect(url) as owner:
            owner.execute("UPDATE alembic_version SET version_num = %s", (revision,))
    look = Examined("--url", service.url, MABLIGOP_HOME=str(home), DATABASE_URL=url)
    assert (look.bad, look.code) == ({("migrations", "fault")}, 12)
    assert look.of("migrations")[0][1].startswith(sentence)
    assert look.of("write") == [("note", "not tried: the tables are not those of this version")]


def test_a_service_that_may_too_much_or_too_little(url: str, home: Path, service: Service) -> None:
    """The administrator is named as the service's login; then a login without rights; then one right too many."""
    options = ("--url", service.url)
    too_much = Examined(*options, MABLIGOP_HOME=str(home), DATABASE_URL=url, MABLIGOP_OWNER_URL=url)
    assert ("rights", "fault") in too_much.bad
    assert too_much.of("rights")[0][1].endswith(" is a superuser")

    role = f"mabligop_test_{secrets.token_hex(6)}"
    with psycopg.connect(url, autocommit=True) as administrator:
        administrator.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{SESAME}'")
    stranger = logging_in(url, role, SESAME)
    too_little = Examined(*options, MABLIGOP_HOME=str(home), DATABASE_URL=stranger, MABLIGOP_OWNER_URL=url)
    assert too_little.bad == {("rights", "fault"), ("write", "fault")}
    assert too_little.of("rights")[0][1].startswith(
        f"the service's login {role} lacks rights: INSERT on games, SELECT on games, INSERT on actions, and "
    )
    alone = Examined(*options, MABLIGOP_HOME=str(home), DATABASE_URL=stranger)
    assert {("migrations", "fault"), ("rights", "fault")} <= alone.bad
    wrong = Examined(*options, MABLIGOP_HOME=str(home), DATABASE_URL=logging_in(url, role, f"{SESAME}-mistyped"))
    assert wrong.bad == {("database", "fault")}
    assert SESAME not in too_little.output + alone.output + wrong.output

    with psycopg.connect(url, autocommit=True) as administrator:
        administrator.execute("GRANT DELETE ON actions TO mabligop_service")
    one_more = Examined(*options, MABLIGOP_HOME=str(home), DATABASE_URL=url)
    assert one_more.bad == {("rights", "fault")}
    assert one_more.of("rights")[0][1].endswith(" has too many rights: DELETE on actions")
    assert here("migrate", DATABASE_URL=url).returncode == 0  # What the remedy says.
    assert Examined(*options, MABLIGOP_HOME=str(home), DATABASE_URL=url).bad == set()


def test_a_database_of_another_encoding(postgres: str, home: Path, service: Service) -> None:
    name = f"mabligop_test_{secrets.token_hex(6)}"
    with psycopg.connect(postgres, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
        url = logging_in(postgres, server.info.user, "")
        look = Examined("--url", service.url, MABLIGOP_HOME=str(home), DATABASE_URL=f"{url}&dbname={name}")
        assert ("encoding", "fault") in look.bad
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_a_database_that_writes_nothing(url: str, home: Path, service: Service) -> None:
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute(f"ALTER DATABASE {owner.info.dbname} SET default_transaction_read_only = on")
    look = Examined("--url", service.url, MABLIGOP_HOME=str(home), DATABASE_URL=url)
    assert look.of("write") == [("fault", "the database does not write (read-only)")]


@contextmanager
def environment(**variables: str) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        yield


def levels(checks: str, examination: Installation) -> list[tuple[str, str]]:
    """The levels and texts of some checks."""
    chosen = [check for check in CHECKS if check.name in checks.split(", ")]
    return [(finding.level, finding.text) for finding in examined(examination, chosen)]


def test_a_clock_that_was_set_back(service: Service, served: str, home: Path) -> None:
    def yesterday() -> datetime:
        return datetime.now(UTC) - timedelta(days=1)

    with environment(DATABASE_URL=served):
        newest, apart = levels("clock", Installation(home, service.url, clock=yesterday))
    assert newest[0] == "fault"
    assert newest[1].startswith("the newest action is of ")
    assert apart == ("warning", "the clock of the database is 86400 seconds fast beside the clock of this machine")


def test_a_pooler_that_shares_a_session(url: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two connections of the service get one session of the server, as from PgBouncer in the mode transaction."""
    session = psycopg.connect(url, autocommit=True)
    monkeypatch.setattr(tables, "open_login", lambda _: session)
    with environment(DATABASE_URL=url):
        ((level, text),) = levels("sessions", Installation(home, "http://127.0.0.1:1"))
    assert (level, text.split(":")[0]) == ("fault", "a pooler shares sessions between connections")


def test_notices_that_do_not_pass(url: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Notices, "say", lambda *_: None)
    monkeypatch.setattr(tables, "_NOTICE_SECONDS", 0.1)
    with environment(DATABASE_URL=url):
        ((level, text),) = levels("notices", Installation(home, "http://127.0.0.1:1"))
    assert (level, text.endswith("streams stay silent")) == ("fault", True)


@contextmanager
def without_root() -> Iterator[None]:
    """Give up the rights of root for files: a folder of root cannot be written then."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


def test_a_machine_without_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sick = Installation(tmp_path, "http://127.0.0.1:1")
    assert [level for level, _ in levels("disk", sick)] == ["well"]
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o555)
        with without_root():
            found = levels("disk", Installation(Path(folder), "http://127.0.0.1:1"))
    assert ("fault", f"the data folder {folder} cannot be written: Permission denied") in found
    for name, level in (("_FEW_NAMES", "warning"), ("_LITTLE", "warning"), ("_TOO_LITTLE", "fault")):
        monkeypatch.setattr(machine, name, 2**70)
        assert levels("disk", sick)[0][0] == level
    monkeypatch.setattr(machine, "_FEW_CLIENTS", 2**70)
    assert levels("open files", sick)[0][0] == "warning"
    monkeypatch.setattr(pages, "current", lambda: False)
    assert levels("program", sick)[0][0] == "warning"
    monkeypatch.setattr(machine, "BUILT", tmp_path)
    assert levels("program", sick)[0][0] == "fault"


def test_keys_that_others_may_read_or_that_are_not_those_of_the_games(url: str, tmp_path: Path) -> None:
    home, file = tmp_path, tmp_path / "signing-keys"
    Keys.ensure(tmp_path / "earlier")
    engine = connect(url)
    ledger = Ledger(Store(engine), rulebooks_by_id(), keys=lambda: Keys.read(tmp_path / "earlier"))
    game = started(ledger, "ana", "bob")
    ledger.logs.checkpoint(game, 6)
    engine.dispose()
    with environment(DATABASE_URL=url):

        def look() -> list[tuple[str, str]]:
            return levels("keys", Installation(home, "http://127.0.0.1:1"))

        ((level, text),) = look()
        assert (level, text.split(",")[0]) == ("warning", "there are games")
        Keys.ensure(file)
        ((level, text),) = look()
        assert (level, text.split(" but ")[1].split(" is ")[0]) == ("warning", "the newest signed log")
        file.write_bytes((tmp_path / "earlier").read_bytes())
        file.chmod(0o640)
        assert look() == [("fault", f"{file} can be read by other users (mode 640)")]
        file.chmod(0o600)
        assert [level for level, _ in look()] == ["well"]
        file.write_text("no key\n")
        assert look() == [("fault", f"Line 1 of {file} is no key".replace("Line", "line"))]


PROXY = {"MABLIGOP_TRUSTED_PROXIES": "10.0.0.1"}
PUBLIC = {"MABLIGOP_PUBLIC_URL": "https://table.example"}
LONG = {"MABLIGOP_CREATION_KEY": "k" * 32}


@pytest.mark.parametrize(
    ("variables", "bad"),
    [
        ({"MABLIGOP_STREAMS": "many"}, {("settings", "fault")}),
        ({"MABLIGOP_LOCK_TIMEOUT": "-1"}, {("settings", "fault")}),
        ({"MABLIGOP_HOSTS": "a b"}, {("settings", "fault")}),
        ({"MABLIGOP_TRUSTED_PROXIES": "nginx"}, {("settings", "fault")}),
        ({"MABLIGOP_PUBLIC_URL": f"https://me:{SESAME}@table.example"}, {("settings", "fault")}),
        (PUBLIC | LONG, {("proxies", "warning")}),
        (PROXY | LONG, {("proxies", "warning")}),
        (PUBLIC | LONG | {"MABLIGOP_TRUSTED_PROXIES": "0.0.0.0/0"}, {("proxies", "warning")}),
        (PUBLIC | PROXY, {("creation key", "warning")}),
        (PUBLIC | PROXY | {"MABLIGOP_CREATION_KEY": "short"}, {("creation key", "warning")}),
        (PUBLIC | PROXY | LONG, set()),
        (PROXY | LONG | {"MABLIGOP_HOSTS": "table.example"}, set()),
    ],
)
def test_settings(home: Path, variables: dict[str, str], bad: set[tuple[str, str]]) -> None:
    with environment(**variables):
        chosen = [check for check in CHECKS if check.name in {"settings", "proxies", "creation key"}]
        found = [*examined(Installation(home, "http://127.0.0.1:1"), chosen)]
    assert {(finding.check, finding.level) for finding in found if finding.level in {"warning", "fault"}} >= bad
    if bad != {("settings", "fault")}:
        assert len({finding.check for finding in found if finding.level != "well"}) == len(bad)


def test_no_secret_of_a_setting_is_printed(home: Path, service: Service, served: str) -> None:
    look = Examined(
        *("--home", home, "--url", service.url.replace("//", f"//me:{SESAME}@"), "--token", f"game.{SESAME}"),
        DATABASE_URL=served,
        MABLIGOP_PUBLIC_URL=f"https://me:{SESAME}@table.example",
        MABLIGOP_CREATION_KEY=SESAME,
    )
    assert ("settings", "fault") in look.bad
    assert SESAME not in look.output


def test_backups(service: Service, served: str, tmp_path: Path) -> None:
    def look(at: datetime | None = None) -> list[tuple[str, str]]:
        clock = datetime.now(UTC) if at is None else at
        return levels(
            "backups", Installation(tmp_path, "http://127.0.0.1:1", backups=tmp_path, clock=lambda: clock)
        )

    assert look() == [("fault", f"there is no backup in {tmp_path}")]
    file = tmp_path / "backup.zip"
    assert here("backup", "--without-keys", file, DATABASE_URL=served).returncode == 0
    assert [level for level, _ in look()] == ["well"]
    assert [level for level, _ in look(datetime.now(UTC) + timedelta(days=3))] == ["warning"]
    file.write_bytes(file.read_bytes()[:-30])
    assert look() == [("fault", f"{file} is no backup, or its end is missing")]
    file.rename(tmp_path / "backup.zip.age")
    assert [level for level, _ in look()] == ["well"]


@contextmanager
def program(answers: dict[str, tuple[int, Any]]) -> Iterator[str]:
    """A program that gives these answers; to all other requests 404. Yields its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, content = answers.get(self.path, (404, {}))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(content).encode())

        def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_addresses(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        free = f"http://127.0.0.1:{listening.getsockname()[1]}"
    assert levels("address", Installation(home, free)) == [("well", f"no service runs, and {free} is free")]
    assert levels("address", Installation(home, free, named=True)) == [("fault", f"nothing answers at {free}")]
    served = Installation(home, free)
    monkeypatch.setattr(installation, "url_of_running", lambda _: "postgresql://")
    assert levels("address", served)[0][0] == "warning"
    with program({"/": (200, {"hello": "world"})}) as url:
        assert levels("address", Installation(home, url)) == [("fault", f"another program answers at {url}")]
        address, key, ready = levels("address, creation key, ready", Installation(home, f"https{url[4:]}"))
    assert address[0] == "fault"
    assert address[1].startswith("No good answer from https://")
    assert (key[0], ready) == ("well", ("note", "not tried: no service answers"))
    assert levels("address", Installation(home, "http://127.0.0.1:nonsense", named=True))[0][0] == "fault"


def test_a_service_that_is_not_ready_or_whose_streams_are_silent(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "SHORT_WAIT", 1.0)
    sick: dict[str, tuple[int, Any]] = {
        "/": (200, {"service": "mabligop"}),
        "/readyz": (503, {"reason": "disk-full"}),
        "/api/v1/games/game": (200, {}),
    }
    with program(sick) as url:
        ready, *stream = levels("ready, stream", Installation(home, url, token="game.token"))
    assert ready == ("fault", "the running service is not ready (503: disk-full)")
    assert stream == [
        ("warning", "the running service is another version of the program"),
        ("fault", "a stream opens, but no message comes in 1 seconds"),
    ]
    sick["/readyz"] = (200, {"status": "ok", "warnings": ["the clock is slow"]})
    with program(sick) as url:
        assert levels("ready", Installation(home, url)) == [("warning", "the service warns: the clock is slow")]


def test_a_check_that_fails_hides_no_other(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing() -> None:
        raise RuntimeError(SESAME)

    monkeypatch.setattr(machine.settings, "configured", failing)
    found = levels("settings, open files", Installation(home, "http://127.0.0.1:1"))
    assert [level for level, _ in found] == ["fault", "well"]
    assert found[0][1] == "the check failed: RuntimeError"
