"""`make audit` names what the sources know, and never takes silence for "nothing known"."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.operations.audit import FOUND, UNANSWERED, main
from tests.targets.makefile import commands

JINJA = {
    "id": "GHSA-aaaa-bbbb-cccc",
    "aliases": ["CVE-2026-1"],
    "affected": [
        {
            "package": {"name": "jinja2", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "99.1"}]}],
        }
    ],
}
SVELTE = {
    "id": 1,
    "url": "https://github.com/advisories/GHSA-dddd-eeee-ffff",
    "title": "a page may run the text of others",
    "severity": "high",
    "vulnerable_versions": "<99",
}
IGNORED = """
[CVE-2026-1]
package = "jinja2"
reason = "templates are ours alone"

[CVE-2025-9]
package = "jinja2"
reason = "no text of others is a template"
"""


class Sources(ThreadingHTTPServer):
    """OSV and the npm registry in one, with what they know of each package; or without an answer."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Source)
        self.known: dict[str, Any] = {}
        self.answers = True

    @property
    def url(self) -> str:
        """The address, without a slash at the end."""
        return f"http://127.0.0.1:{self.server_address[1]}"


class Source(BaseHTTPRequestHandler):
    server: Sources

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        asked = json.loads(gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body)
        if not self.server.answers:
            self.send_error(405)
            return
        if self.path == "/osv":
            known = self.server.known.get(asked["package"]["name"])
            self._answer({"vulns": [known]} if known else {})
        else:
            self._answer({name: [self.server.known[name]] for name in asked if name in self.server.known})

    def do_GET(self) -> None:
        self.send_error(404)

    def _answer(self, content: object) -> None:
        encoded = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(encoded)))
        self.end_headers()
        self.wfile.write(encoded)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def sources() -> Iterator[Sources]:
    """Sources that know of no vulnerability."""
    with Sources() as serving:
        Thread(target=serving.serve_forever, daemon=True).start()
        yield serving
        serving.shutdown()


@pytest.fixture
def audit(sources: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """A function that asks the sources about these lock files or all, with what is to be ignored."""
    monkeypatch.setenv("npm_config_registry", sources.url)
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))
    file = tmp_path / "ignored.toml"
    file.write_text(IGNORED)

    def run(*locks: str) -> Result:
        return CliRunner().invoke(main, ["--osv", f"{sources.url}/osv", "--ignored", str(file), *locks])

    return run


def test_the_target_runs_the_module() -> None:
    (command,) = commands("audit")
    assert command[1:] == ["-m", main.callback.__module__]


def test_what_is_known_is_named_and_what_is_ignored_has_its_reason(
    sources: Sources, audit: Callable[..., Result]
) -> None:
    """An entry without a finding is named as well, once all sources answer."""
    sources.known = {"jinja2": JINJA, "svelte": SVELTE}
    ran = audit()
    assert ran.exit_code == FOUND, ran.output
    python, jinja, reason, console, svelte, clients, entry = ran.output.splitlines()
    assert python == "requirements-dev.lock: 0 findings, 1 ignored"
    assert "CVE-2026-1 GHSA-aaaa-bbbb-cccc: mended in 99.1" in jinja
    assert reason == "    ignored: templates are ours alone"
    assert console == "api/console/package-lock.json: 1 findings, 0 ignored"
    assert svelte == "  svelte: GHSA-dddd-eeee-ffff: high: a page may run the text of others (<99)"
    assert clients == "tests/clients/package-lock.json: 0 findings, 0 ignored"
    assert entry == "ignored.toml: CVE-2025-9 is found no longer: remove the entry"


def test_silence_is_no_good_news(sources: Sources, audit: Callable[..., Result]) -> None:
    sources.answers = False
    ran = audit("requirements-dev.lock", "tests/clients/package-lock.json")
    assert ran.exit_code == UNANSWERED, ran.output
    *locks, count = ran.output.splitlines()
    assert [line.partition(":")[2].partition(":")[0] for line in locks] == [
        " NOT CHECKED, because the source did not answer"
    ] * 2
    assert count == "2 of 2 lock files were not checked"
