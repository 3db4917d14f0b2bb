"""Writing findings for people and for machines, without any secret."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from urllib.parse import unquote, urlsplit, urlunsplit

import msgspec

from api.command.doctor.findings import Finding
from api.command.running.addresses import PUBLIC_URL
from ledger.store.database.database_url import driver_parameters
from ledger.store.database.service_role import OWNER_VARIABLE

_MASK = "…"


class _Report(msgspec.Struct):
    """The findings of all checks, with the numbers of faults and warnings."""

    faults: int
    warnings: int
    findings: Sequence[Finding]


def as_line(finding: Finding, secrets: Sequence[str]) -> str:
    """Write a finding as a line, with the remedy on a second line."""
    safe = masked(finding, secrets)
    line = f"{safe.level:<8} {safe.check:<12} {' '.join(safe.text.split())}"
    return f"{line}\n{'':>21} -> {safe.remedy}" if safe.remedy else line


def as_object(findings: Sequence[Finding], secrets: Sequence[str]) -> str:
    """Write all findings as a JSON object."""
    faults, warnings = (count_of(findings, level) for level in ("fault", "warning"))
    report = _Report(faults, warnings, [masked(finding, secrets) for finding in findings])
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode()


def count_of(findings: Sequence[Finding], level: str) -> int:
    """Count the findings of a level."""
    return sum(finding.level == level for finding in findings)


def masked(finding: Finding, secrets: Sequence[str]) -> Finding:
    """Return the finding without the secrets: a refusal of a library may quote a setting."""
    text, remedy = finding.text, finding.remedy
    for secret in secrets:
        text, remedy = text.replace(secret, _MASK), remedy.replace(secret, _MASK)
    return msgspec.structs.replace(finding, text=text, remedy=remedy)


def secrets_of(url: str, token: str | None) -> list[str]:
    """Return the secrets in the options and the settings, longest first."""
    secrets = {token or "", *map(str.strip, os.environ.get("MABLIGOP_CREATION_KEY", "").split(","))}
    for address in (url, *map(os.environ.get, ("DATABASE_URL", OWNER_VARIABLE, PUBLIC_URL))):
        with suppress(ValueError):
            secrets.add(urlsplit(address or "").password or "")
        with suppress(ValueError):
            parameters = driver_parameters(address or "")
            secrets |= {str(parameters.get(name, "")) for name in ("password", "sslpassword")}
    return sorted(filter(None, secrets | set(map(unquote, secrets))), key=len, reverse=True)


def without_password(url: str) -> str:
    """Return a URL without a user and a password."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
