"""A real Prometheus reads the metrics of a real service: `python -m tests.operations.prometheus`.

Needs the programs `prometheus` and `promtool` (Debian's package prometheus). The rules and the scenarios of the
alerts are checked. A service of two workers plays a game, and Prometheus reads the metrics every second. Every
expression of the rules and of the dashboard then has to answer without an error, every rule has to be healthy, and
the alert of a stopped service has to fire, with the times in the rules shortened.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from api import supervisor
from tests.command.service import Service, create_game
from tests.operations.test_watching import PANELS, ROOM, RULES, expressions

_KEY = "the-key-of-the-metrics"
_HANGS_SECONDS = 120
_PROVOKED = "MabligopNotScraped"
_CONFIGURATION = """
global: {{scrape_interval: 1s, evaluation_interval: 1s}}
rule_files: [alerts.yaml]
scrape_configs:
  - job_name: mabligop
    authorization: {{credentials: {key}}}
    static_configs: [{{targets: ["{target}"]}}]
"""


def main() -> int:
    """Run the trial, and print each result. Returns the exit code."""
    missing = [tool for tool in ("prometheus", "promtool") if shutil.which(tool) is None]
    if missing:
        sys.stdout.write(f"not installed: {', '.join(missing)} (apt-get install prometheus)\n")
        return 2
    sys.stdout.write(_run("prometheus", "--version").splitlines()[0] + "\n")
    sys.stdout.write(_run("promtool", "check", "rules", ROOM / "deploy" / "alerts.yaml"))
    sys.stdout.write(_run("promtool", "test", "rules", ROOM / "deploy" / "alerts_test.yaml"))
    with tempfile.TemporaryDirectory() as folder:
        return _watched(Path(folder))


def _watched(folder: Path) -> int:
    service = Service("--home", folder / "home", "--no-demo", "--workers", "2", MABLIGOP_CREATION_KEY=_KEY)
    watching = None
    try:
        with service.client(_KEY) as client:
            create_game(client)
        target = service.url.partition("//")[2]
        (folder / "prometheus.yml").write_text(_CONFIGURATION.format(key=_KEY, target=target))
        rules = (ROOM / "deploy" / "alerts.yaml").read_text()
        (folder / "alerts.yaml").write_text(re.sub(r"for: \d+m", "for: 2s", rules))
        _run("promtool", "check", "config", folder / "prometheus.yml")
        address, port = supervisor.free_address("127.0.0.1", 0)
        options = (f"--storage.tsdb.path={folder / 'series'}", f"--web.listen-address={address}:{port}")
        watching = subprocess.Popen(
            ["prometheus", f"--config.file={folder / 'prometheus.yml'}", *options], stderr=subprocess.DEVNULL
        )
        with httpx.Client(base_url=f"http://{address}:{port}/api/v1", trust_env=False) as prometheus:
            return _faults(prometheus, service)
    finally:
        if watching is not None:
            watching.terminate()
            watching.wait()
        service.stop()


def _faults(prometheus: httpx.Client, service: Service) -> int:
    faults = []
    _until(lambda: _values(prometheus, "up") == ["1"] and _values(prometheus, "mabligop_workers") == ["2"])
    asked = expressions(RULES, PANELS)
    for expression in asked:
        answer = prometheus.get("/query", params={"query": expression}).json()
        if answer["status"] != "success":
            faults.append(f"{expression}: {answer['error']}")
    sys.stdout.write(f"{len(asked)} expressions asked, {len(faults)} with an error\n")
    _until(lambda: all(rule["health"] != "unknown" for rule in _rules(prometheus)))
    health = {rule["name"]: (rule["health"], rule["state"]) for rule in _rules(prometheus)}
    faults += [f"{name}: {states}" for name, states in health.items() if states != ("ok", "inactive")]
    sys.stdout.write(f"{len(health)} rules of a healthy service: {sorted(set(health.values()))}\n")
    service.stop()
    _until(lambda: "firing" in {rule["state"] for rule in _rules(prometheus) if rule["name"] == _PROVOKED})
    sys.stdout.write(f"the service stops: {_PROVOKED} fires\n")
    sys.stdout.writelines(f"{fault}\n" for fault in faults)
    return 1 if faults else 0


def _values(prometheus: httpx.Client, expression: str) -> list[str]:
    answer = prometheus.get("/query", params={"query": expression}).json()
    return [row["value"][1] for row in answer["data"]["result"]]


def _rules(prometheus: httpx.Client) -> list[dict[str, str]]:
    groups: list[dict[str, list[dict[str, str]]]] = prometheus.get("/rules").json()["data"]["groups"]
    return [rule for group in groups for rule in group["rules"]]


def _until(condition: Callable[[], bool]) -> None:
    """Wait for a condition; only a hang takes longer than the bound."""
    deadline = time.monotonic() + _HANGS_SECONDS
    while True:
        try:
            if condition():
                return
        except httpx.TransportError:
            pass  # Prometheus has not begun to listen.
        if time.monotonic() > deadline:
            raise TimeoutError("Prometheus has not come to the expected state")
        time.sleep(0.2)


def _run(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return done.stdout or done.stderr


if __name__ == "__main__":
    sys.exit(main())
