"""The checks of the doctor, in the order of mending."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from api.command.doctor import answering, machine, tables
from api.command.doctor.findings import Check, Finding, fault, note
from api.command.doctor.installation import Installation, opened, reason_of
from api.command.terminal.failures import Failure
from ledger.store.database.errors import StoreError

CHECKS: Sequence[Check] = (
    Check("settings", machine.examine_settings),
    Check("program", machine.examine_program),
    Check("open files", machine.examine_open_files),
    Check("database", tables.examine_database),
    Check("disk", machine.examine_disk),
    Check("encoding", tables.examine_encoding, "database"),
    Check("migrations", tables.examine_migrations, "database"),
    Check("rights", tables.examine_rights, "database"),
    Check("sessions", tables.examine_sessions, "tables"),
    Check("clock", tables.examine_clock, "database"),
    Check("write", tables.examine_write, "tables"),
    Check("notices", tables.examine_notices, "tables"),
    Check("keys", machine.examine_keys),
    Check("backups", machine.examine_backups),
    Check("address", answering.examine_address),
    Check("proxies", machine.examine_proxies),
    Check("creation key", machine.examine_creation_key),
    Check("ready", answering.examine_readiness, "service"),
    Check("stream", answering.examine_stream, "service"),
)


def examined(installation: Installation, checks: Sequence[Check] = CHECKS) -> Iterator[Finding]:
    """Yield the findings of all checks. A check that cannot be made hides no other check."""
    with opened(installation):
        for check in checks:
            lacking = installation.lacks(check.needs)
            for finding in [note(lacking)] if lacking is not None else _tried(check, installation):
                yield msgspec.structs.replace(finding, check=check.name)


def _tried(check: Check, installation: Installation) -> Iterator[Finding]:
    """Yield the findings of a check. A failure of the check is a finding."""
    try:
        yield from check.examine(installation)
    except (Failure, StoreError, OSError, ValueError) as failure:
        yield fault(reason_of(failure), "Mend this, and ask again")
    except (
        Exception
    ) as failure:  # An unknown failure must not hide the other checks; its message may quote secrets.
        yield fault(f"the check failed: {type(failure).__name__}", "Report the fault, with the log of the service")
