"""Checks of the database: the server, the tables, the service's login, the clock, a write and a notice."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import timedelta
from typing import Any

import psycopg

from api.command.doctor.findings import Finding, fault, note, warning, well
from api.command.doctor.installation import Installation, reason_of
from api.command.terminal.failures import NoDatabase
from ledger.games.clock import TOLD
from ledger.store.backups.archive import utc
from ledger.store.database import readiness
from ledger.store.database.errors import NotMigrated, StoreUnavailable, Unwritable
from ledger.store.database.examining import (
    excess_rights,
    keeps_sessions,
    missing_rights,
    newest_action_at,
    open_login,
    revisions,
    time_of,
)
from ledger.store.database.revisions import known_revisions, newest_revision
from ledger.store.database.service_role import OWNER_VARIABLE, has_own_login
from ledger.store.postgres.embedded import version_of_data, version_to_upgrade_to
from ledger.store.records import Saying

_OLDEST_SERVER = 15
_CLOCKS_APART = timedelta(seconds=5)
_NOTICE_SECONDS = 5.0
_UNWRITABLE = {
    "disk-full": "Make room on the disk of the database",
    "read-only": "The database is a standby or set read-only: name the primary server",
    "no-rights": "Run `mabligop migrate` as the owner",
}


def examine_database(installation: Installation) -> Iterator[Finding]:
    """Name the database, and look at the version of the server."""
    trouble, connection = installation.trouble, installation.connection
    if isinstance(trouble, NoDatabase):
        yield warning(
            reason_of(trouble).replace("\n", " "), "`mabligop serve` makes the database at its first start"
        )
        return
    if trouble is not None or connection is None:
        remedy = "Start the database, or name another"
        if isinstance(trouble, OSError):
            remedy = "Run the command as the user of the service"
        yield fault(reason_of(trouble or StoreUnavailable("no database")), remedy)
        return
    major = connection.info.server_version // 10_000
    if not installation.embedded:
        name = f"Postgres {major} at {_address(connection)}"
        if major < _OLDEST_SERVER:
            yield fault(name, f"Move the database to Postgres {_OLDEST_SERVER} or later")
        else:
            yield well(name)
        return
    state = "its service runs" if installation.served else "its service is stopped"
    name = f"Postgres {version_of_data(installation.home)} in {installation.home.absolute()}, {state}"
    newer = version_to_upgrade_to(installation.home)
    if newer is not None:
        yield warning(f"{name}; Postgres {newer} is installed", "Stop the service, and run `mabligop upgrade`")
    else:
        yield well(name)


def _address(connection: psycopg.Connection[Any]) -> str:
    """Return the user, the address and the name of a database, without the password."""
    info = connection.info
    return f"{info.user}@{info.host}:{info.port}/{info.dbname}"


def examine_encoding(installation: Installation) -> Iterator[Finding]:
    """Look at the encoding of the database."""
    assert installation.connection is not None  # noqa: S101 - see `needs`
    encoding = installation.connection.info.parameter_status("server_encoding")
    if encoding == "UTF8":
        yield well("the database stores texts in UTF8")
    else:
        yield fault(
            f"the database stores texts in {encoding}, which cannot hold every name",
            "Create a database with ENCODING 'UTF8' TEMPLATE template0, and restore a backup into it",
        )


def examine_migrations(installation: Installation) -> Iterator[Finding]:
    """Compare the tables with this version of the program."""
    assert installation.connection is not None  # noqa: S101 - see `needs`
    migrate = f"Run `mabligop migrate`{f' (the owner is in {OWNER_VARIABLE})' if has_own_login() else ''}"
    try:
        current = revisions(installation.connection)
    except NotMigrated as refusal:
        yield fault(str(refusal), migrate)
        return
    if not current:
        yield fault("the database has no tables yet, or the login may not see them", migrate)
    elif current - known_revisions():
        yield fault(
            f"a newer version of the program migrated the database ({', '.join(sorted(current))})",
            "Install that version again, or restore an earlier backup",
        )
    elif current != {newest_revision()}:
        yield fault(
            f"the database is at revision {max(current)}, and this version needs {newest_revision()}", migrate
        )
    else:
        yield well(f"the tables are those of this version (revision {newest_revision()})")


def examine_rights(installation: Installation) -> Iterator[Finding]:
    """Compare the rights of the service's login with those needed."""
    assert installation.connection is not None  # noqa: S101 - see `needs`
    with suppress(NotMigrated):  # A login that may not even read the revision lacks rights.
        if revisions(installation.connection) != {newest_revision()}:
            yield note("not tried: the tables are not those of this version")
            return
    try:
        with closing(open_login(installation.database_url)) as login:
            user, excess, missing = login.info.user, excess_rights(login), missing_rights(login)
    except NotMigrated as refusal:
        yield fault(str(refusal), "Let the service's login in, as the sentence says")
        return
    if excess:
        remedy = "Run `mabligop migrate` as the owner, which sets the rights anew"
        if has_own_login() or "on" not in excess[0].split():
            remedy = (
                "Name a login in DATABASE_URL that is no owner, has no such role, and has the service's rights"
            )
        yield fault(f"the service's login {user} has too many rights: {_first(excess)}", remedy)
    if missing:
        yield fault(
            f"the service's login {user} lacks rights: {_first(missing)}",
            f"Run `mabligop migrate` with the owner's URL in {OWNER_VARIABLE}, which grants them",
        )
    if not excess and not missing:
        yield well(f"the service's login {user} has the service's rights, and no more")


def _first(rights: list[str]) -> str:
    return ", ".join(rights[:3]) + (f", and {len(rights) - 3} more" if len(rights) > 3 else "")


def examine_sessions(installation: Installation) -> Iterator[Finding]:
    """Look for a pooler that takes a connection's session away between two transactions."""
    url = installation.database_url
    with closing(open_login(url)) as first, closing(open_login(url)) as second:
        apart = keeps_sessions(first, second)
    if apart:
        yield well("each connection has a session of its own")
    else:
        yield fault(
            "a pooler shares sessions between connections: time limits and notices do not hold",
            "Set pool_mode = session (PgBouncer), or name the server itself in DATABASE_URL",
        )


def examine_clock(installation: Installation) -> Iterator[Finding]:
    """Compare the clock of this machine with the database's clock, and with the newest action of all games."""
    assert installation.connection is not None  # noqa: S101 - see `needs`
    began = installation.clock()
    of_database = time_of(installation.connection)
    apart = of_database - began - (installation.clock() - began) / 2
    remedy = "Set the clock of the machine (`timedatectl set-ntp true`)"
    newest = newest_action_at(installation.connection) if installation.is_migrated else None
    ahead = timedelta() if newest is None else newest - installation.clock()
    if newest is not None and ahead >= TOLD:
        yield fault(
            f"the newest action is of {utc(newest)}, but the clock says {utc(installation.clock())}: the clock is"
            " slow, or was fast during the game",
            f"{remedy}; games go on from the time of their last action",
        )
    if abs(apart) > _CLOCKS_APART:
        yield warning(
            f"the clock of the database is {abs(apart).total_seconds():.0f} seconds"
            f" {'fast' if apart > timedelta() else 'slow'} beside the clock of this machine",
            remedy,
        )
    elif ahead < TOLD:
        yield well("the clock agrees with the database and the games")


def examine_write(installation: Installation) -> Iterator[Finding]:
    """Write as `/readyz` does: a row that belongs to no game, and a temporary file."""
    try:
        readiness.write(installation.engine)
    except Unwritable as refusal:
        yield fault(f"the database does not write ({refusal.why})", _UNWRITABLE[refusal.why])
    else:
        yield well("the database writes")


def examine_notices(installation: Installation) -> Iterator[Finding]:
    """Send a notice for no game through the database, and hear the notice: streams live on notices."""
    words = json.dumps({"game": "", "doctor": secrets.token_hex(8)})
    notices = installation.store.notices
    with notices.listen() as listener:
        notices.say(words)
        deadline = time.monotonic() + _NOTICE_SECONDS
        while time.monotonic() < deadline:
            if Saying(words) in listener.wait(_NOTICE_SECONDS):
                yield well("notices pass through the database")
                return
    yield fault(
        f"a notice did not come back in {_NOTICE_SECONDS:.0f} seconds: streams stay silent",
        "Look for a pooler in front of the database; name the server itself in DATABASE_URL",
    )
