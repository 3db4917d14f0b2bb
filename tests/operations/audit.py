"""Known vulnerabilities of all locked packages: `make audit`.

pip-audit asks OSV (https://osv.dev) about the Python packages, and `npm audit` asks the npm registry about the
packages of the console and of the tests' clients. The exit code is 0 without findings, 1 with findings, and 3 if a
source did not answer: no answer never counts as "no finding". `audit.toml` has the findings without an effect in
this project, each with a reason.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from tests.targets.makefile import CHECKOUT

OSV = "https://api.osv.dev/v1/query"
FOUND, UNANSWERED = 1, 3
"""The exit codes for findings, and for a source without an answer."""

_IGNORED = Path(__file__).with_name("audit.toml")
_LOCKS = ("requirements-dev.lock", "api/console/package-lock.json", "tests/clients/package-lock.json")


class NoAnswer(Exception):  # noqa: N818 - it names a condition
    """A source did not answer, or not about every package. The message has the reason."""


@dataclass(frozen=True, order=True, slots=True)
class Finding:
    """A known vulnerability of a locked package. `ids` are the names of the advisory; `text` has the versions."""

    package: str
    ids: tuple[str, ...]
    text: str


def of_python(lock: Path, osv: str) -> set[Finding]:
    """Ask OSV about the packages of a lock file with hashes. Raises NoAnswer."""
    options = ("--disable-pip", "--require-hashes", "--progress-spinner=off", "--format=json", "--desc=off")
    service = ("--vulnerability-service=osv", f"--osv-url={osv}")
    report = _report([sys.executable, "-m", "pip_audit", *options, *service, f"--requirement={lock}"])
    packages = report.get("dependencies", [])
    skipped = [f"{package['name']}: {package['skip_reason']}" for package in packages if "skip_reason" in package]
    locked = set(re.findall(r"^([\w.-]+)==", lock.read_text(encoding="utf-8"), re.MULTILINE))
    if skipped or len(packages) < len(locked):
        raise NoAnswer("; ".join(skipped) or f"{len(packages)} of {len(locked)} packages were asked about")
    return {
        Finding(
            f"{package['name']} {package['version']}",
            (known["id"], *known.get("aliases", ())),
            f"mended in {', '.join(known['fix_versions']) or 'no version yet'}",
        )
        for package in packages
        for known in package["vulns"]
    }


def of_npm(lock: Path) -> set[Finding]:
    """Ask the npm registry about the packages of a lock file. Raises NoAnswer."""
    pages = CHECKOUT / "api" / "console" / "pages.py"
    report = _report(
        [sys.executable, str(pages), str(lock.parent), "npm", "audit", "--json", "--package-lock-only"]
    )
    if "auditReportVersion" not in report:
        raise NoAnswer(str(report.get("message") or report.get("error")))
    return {
        Finding(
            via["name"],
            (via["url"].rpartition("/")[2],),
            f"{via['severity']}: {via['title']} ({via['range']})",
        )
        for package in report["vulnerabilities"].values()
        for via in package["via"]
        if isinstance(via, dict)  # Otherwise the name of the package in which the vulnerability is.
    }


def _report(command: list[str]) -> dict[str, Any]:
    """Run a program that prints a report in JSON. Raises NoAnswer, with the last line of the errors."""
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    try:
        report: dict[str, Any] = json.loads(done.stdout)
    except json.JSONDecodeError:
        raise NoAnswer((done.stderr.strip().splitlines() or ["no report"])[-1]) from None
    return report


def _judged(
    findings: Iterable[Finding], ignored: dict[str, dict[str, str]]
) -> Iterator[tuple[Finding, str | None]]:
    """Yield each finding with the reason to ignore it, or None."""
    for finding in sorted(findings):
        entries = [ignored[name] for name in finding.ids if name in ignored]
        reasons = [entry["reason"] for entry in entries if finding.package.split()[0] == entry["package"]]
        yield finding, reasons[0] if reasons else None


@click.command()
@click.argument("locks", nargs=-1, type=click.Choice(_LOCKS))
@click.option("--osv", default=OSV, show_default=True, help="The address of the OSV API for queries.")
@click.option("--ignored", type=click.Path(path_type=Path), default=_IGNORED, help="The file of ignored findings.")
def main(locks: tuple[str, ...], osv: str, ignored: Path) -> None:
    """Ask for known vulnerabilities of the packages of LOCKS, by default of all lock files."""
    entries = tomllib.loads(ignored.read_text(encoding="utf-8"))
    sources: dict[str, Callable[[Path], set[Finding]]] = {
        lock: (lambda path: of_python(path, osv)) if lock.endswith(".lock") else of_npm for lock in locks or _LOCKS
    }
    with ThreadPoolExecutor(2) as threads:
        asked = {lock: threads.submit(ask, CHECKOUT / lock) for lock, ask in sources.items()}
    counted, unanswered, used = 0, 0, set[str]()
    for lock, answer in asked.items():
        fault = answer.exception()
        if isinstance(fault, NoAnswer):
            unanswered += 1
            click.echo(f"{lock}: NOT CHECKED, because the source did not answer: {fault}")
            continue
        judged = list(_judged(answer.result(), entries))
        used |= {name for finding, reason in judged if reason for name in finding.ids}
        open_findings = [finding for finding, reason in judged if reason is None]
        counted += len(open_findings)
        click.echo(f"{lock}: {len(open_findings)} findings, {len(judged) - len(open_findings)} ignored")
        for finding, reason in judged:
            click.echo(f"  {finding.package}: {' '.join(finding.ids)}: {finding.text}")
            if reason is not None:
                click.echo(f"    ignored: {reason}")
    for name in sorted(entries.keys() - used) if not unanswered else ():
        counted += 1
        click.echo(f"{ignored.name}: {name} is found no longer: remove the entry")
    if unanswered:
        click.echo(f"{unanswered} of {len(asked)} lock files were not checked")
    sys.exit(FOUND if counted else UNANSWERED if unanswered else 0)


if __name__ == "__main__":
    main()
