"""`make faults`: eight players, a service of their own, and one fault after another.

Each table is followed through all of it, by a stream that must bring every entry once.

A real `mabligop serve` with its own Postgres is played on while its processes are killed, its tables locked, its
disk filled, its clock set and its connections taken; and two services on a primary and a standby, while their
network is cut and the standby takes over. After every fault these must be true:

- the service is ready again by itself, at most 15 seconds after the fault has ended;
- what was acknowledged is stored, as it was acknowledged; nothing is stored twice, and no number is missing;
- every worker shows the same game, and `mabligop verify --decide` finds nothing in it (in the end: in any game);
- no answer was a 5xx other than 503, and /healthz answered all the time (unless the service itself was killed);
- players go on playing while other clients misbehave.

With --plant something is lost, doubled or changed on purpose after the last fault: the checks must find it.

In the end a table tells how soon the service was ready again after each kind of kill.

The seed is printed. The same seed gives the same faults in the same order and players who choose alike. When the
processes of the machine take their turns is not in its hands, so a failing round may need several runs.
The exit code is 1 when anything failed.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random, SystemRandom

from tests.faults.checking import stored
from tests.faults.fault import Fault, Planned, Wrong
from tests.faults.host import Host
from tests.faults.kinds import FAULTS, KILLS
from tests.faults.kinds import plan as plan_of
from tests.faults.planted import PLANTS
from tests.faults.servers import Servers
from tests.faults.site import READY_SECONDS, Site, readiness
from tests.trust.tampering import Owner

_BEFORE_SECONDS = 1.0
_AFTER_SECONDS = 1.0
_SHOWN = 12
_HEALTH_SECONDS = 5.0


@dataclass
class Round:
    """What one fault did."""

    planned: Planned
    acknowledged: int = 0
    during: int = 0
    unavailable: int = 0
    unanswered: int = 0
    ready: float | None = None
    findings: list[str] = field(default_factory=list)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the rounds and print a line for each and a table at the end. Returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.faults", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=600, help="how long (600)")
    parser.add_argument("--seed", default=None, help="of the plan and of the players (any)")
    parser.add_argument("--workers", type=int, default=2, help="processes that answer requests (2)")
    names = [fault.name for fault in (*FAULTS, KILLS)]
    parser.add_argument("--only", action="append", choices=names, help="only this fault (can be repeated)")
    parser.add_argument(
        "--plant", choices=PLANTS, help="after the last round, plant this: the checks must find it"
    )
    asked = parser.parse_args(arguments)
    seed = asked.seed or str(SystemRandom().randrange(1_000_000))
    # Also in the background, where a shell lets SIGINT be ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    _say(f"seed {seed}, {asked.seconds:.0f} s, {asked.workers} workers, 8 players")
    wanted = set(asked.only or names)
    for fault in FAULTS:
        reason = fault.missing()
        if reason is not None:
            _say(f'not made: "{fault.name}": {reason}')
            wanted.discard(fault.name)
    if not wanted:
        parser.error("none of these faults can be made here")
    with ExitStack() as running:
        rounds = _Rounds(running, seed, asked.workers)
        rounds.play(wanted, time.monotonic() + asked.seconds)
        if asked.plant is not None:
            rounds.plant(asked.plant)
        failed = rounds.report()
        if failed and asked.plant is None:
            kept = rounds.keep_logs(Path(tempfile.gettempdir()) / f"mabligop-faults-{seed}")
            _say(f"\n{failed} rounds failed. Again: make faults FAULTS_SEED={seed}. The services' logs: {kept}")
        return int(failed > 0)


class _Rounds:
    """The sites and the rounds that were played there. The sites end with `running`."""

    def __init__(self, running: ExitStack, seed: str, workers: int) -> None:
        self._running = running
        self._sites: dict[bool, Site] = {}
        self._seed = seed
        self._workers = workers
        self._rounds: list[Round] = []
        self._begun = time.monotonic()

    def play(self, wanted: set[str], until: float) -> None:
        """Play rounds with the wanted faults until this time, and at least one."""
        rounds = (planned for planned in plan_of(self._seed) if planned.fault.name in wanted)
        self._play_round(next(rounds))
        while time.monotonic() < until:
            self._play_round(next(rounds))

    def plant(self, plant: str) -> None:
        """Change the journal of the first game behind the service's back, and check the last round again."""
        site = self._site(self._rounds[-1].planned.fault)
        url, game = site.host.database(), site.tables[0].game
        with closing(Owner(url)) as owner:
            PLANTS[plant](owner, stored(url, game))
        _say(f"planted: {plant}")
        findings = [*site.check()]
        self._rounds[-1].findings += findings
        _say_all(findings)

    def keep_logs(self, folder: Path) -> Path:
        """Copy the logs of all services into a folder, which is returned."""
        folder.mkdir(exist_ok=True)
        for host in (host for site in self._sites.values() for host in site.hosts):
            shutil.copy(host.log, folder / f"{host.port}.log")
        return folder

    def report(self) -> int:
        """Print the tables of all faults and all kills. Returns the number of rounds that failed."""
        sites = list(self._sites.values())
        last = [found for site in sites for found in site.check_in_the_end()]
        for found in last:
            _say(f"in the end: {found}")
        self._rounds[-1].findings += last
        _say(f"\n{'fault':<34} rounds  acknowledged  during     503  no answer  ready after (most)  failed")
        for fault in (*FAULTS, KILLS):
            rounds = [one for one in self._rounds if one.planned.fault == fault]
            if not rounds:
                continue
            slowest = max((one.ready for one in rounds if one.ready is not None), default=None)
            _say(
                f"{fault.name:<34} {len(rounds):6}  {sum(one.acknowledged for one in rounds):12}"
                f"  {sum(one.during for one in rounds):6}  {sum(one.unavailable for one in rounds):6}"
                f"  {sum(one.unanswered for one in rounds):9}"
                f"  {'never' if slowest is None else f'{slowest:.1f} s':>18}"
                f"  {sum(bool(one.findings) for one in rounds):6}"
            )
        kills = [kill for site in sites for kill in site.kills]
        if kills:
            minutes = (time.monotonic() - self._begun) / 60
            _say("")
            for line in readiness(kills, READY_SECONDS * max(site.host.slowness for site in sites)):
                _say(line)
            _say(f"{len(kills)} kills in {minutes:.1f} minutes: {len(kills) / minutes:.1f} a minute")
        commands = sum((site.commands for site in sites), Counter[str]())
        if commands:
            _say("commands killed: " + ", ".join(f"{name} {times}" for name, times in commands.items()))
        acknowledged = sum(one.acknowledged for one in self._rounds)
        failed = sum(bool(one.findings) for one in self._rounds)
        games = sum(len(table.games) for site in sites for table in site.tables)
        _say(
            f"acknowledged actions that were lost, doubled or changed: "
            f"{sum(_is_loss(found) for one in self._rounds for found in one.findings)}"
        )
        _say(f"{len(self._rounds)} rounds, {games} games, {acknowledged} acknowledged actions, {failed} failed")
        return failed

    def _site(self, fault: Fault) -> Site:
        """Where a fault is made. A site is made at its first fault."""
        if fault.shared not in self._sites:
            site = _shared_site if fault.shared else _own_site
            made = self._sites[fault.shared] = site(self._running, self._seed, self._workers)
            if made.host.slowness > 1:
                _say(f"this machine is slow or busy: {made.host.patience:.0f} s for a service to be ready again")
        return self._sites[fault.shared]

    def _play_round(self, planned: Planned) -> None:
        """Let everybody play, make the fault and end it, wait for the service, and check."""
        one = Round(planned)
        self._rounds.append(one)
        fault = planned.fault
        site = self._site(fault)
        patience = site.host.patience
        before = site.counts()
        site.play()
        time.sleep(_BEFORE_SECONDS)
        site.wait_for_play(before["acknowledged"])
        health: list[str] = []
        begun = site.counts()["acknowledged"]
        at = time.monotonic()
        try:
            with _watching(site, fault, health), fault.doing(site, Random(planned.seed)):
                time.sleep(planned.seconds)
                one.during = site.counts()["acknowledged"] - begun
        except Wrong as wrong:
            one.findings += str(wrong).splitlines()
        except Exception as failure:
            # A fault that cannot be made is a finding, and the next fault is made all the same.
            one.findings.append(f"the fault could not be made: {type(failure).__name__}: {failure}")
        one.ready = site.ready(patience)
        if one.ready is None:
            one.findings.append(f"the service was not ready {patience:.0f} s after the fault")
            site.ready(site.patience)
        if fault.kills:
            one.findings += site.killed(fault.name, at)
        one.findings += health[:3]
        if fault.goes_on and not one.during:
            one.findings.append("no player was served during the fault")
        ended = site.counts()["acknowledged"]
        time.sleep(_AFTER_SECONDS)
        site.wait_for_play(ended)
        if not site.rest():
            one.findings.append("a player still waits for an answer")
        after = site.counts()
        one.acknowledged = after["acknowledged"] - before["acknowledged"]
        one.unavailable = after["503"] - before["503"]
        one.unanswered = after["no answer"] - before["no answer"]
        late = after["408"] - before["408"]
        if late and not fault.freezes:
            one.findings.append(f"{late} requests were answered with 408, and their clients were not slow")
        if not one.acknowledged:
            one.findings.append("nobody could play")
        one.findings += site.complaints()
        one.findings += site.check()
        self._tell(one)

    def _tell(self, one: Round) -> None:
        took = "never ready" if one.ready is None else f"ready after {one.ready:.1f} s"
        verdict = "FAILED" if one.findings else "ok"
        _say(
            f"round {len(self._rounds):3}  {one.planned.fault.name:<32} {one.planned.seconds:4.1f} s  "
            f"acknowledged {one.acknowledged:4} ({one.during} during)  503: {one.unavailable}  "
            f"no answer: {one.unanswered}  {took}  {verdict}"
        )
        _say_all(one.findings)
        if one.findings:
            _say(f"    seed {self._seed}, round {len(self._rounds)}")


def _own_site(running: ExitStack, seed: str, workers: int) -> Site:
    """A service with a Postgres of its own."""
    host = running.enter_context(closing(Host(workers)))
    host.first_start()
    return running.enter_context(closing(Site([host], seed)))


def _shared_site(running: ExitStack, seed: str, workers: int) -> Site:
    """Two services that share a primary and its standby, and the keys that sign the logs."""
    first = running.enter_context(closing(Host(workers)))
    servers = running.enter_context(closing(Servers(first.disk.folder / "servers")))
    servers.start()
    first.variables |= {
        "DATABASE_URL": servers.url,
        "MABLIGOP_SIGNING_KEYS": str(first.folder / "signing-keys"),
    }
    second = running.enter_context(closing(Host(workers, first.variables)))
    for host in (first, second):
        host.first_start()
    return running.enter_context(closing(Site([first, second], seed, servers)))


def _is_loss(found: str) -> bool:
    """Whether a finding is about an action that was lost, doubled or changed."""
    return any(words in found for words in ("is lost", "was changed", "was doubled", "answer to two requests"))


@contextmanager
def _watching(site: Site, fault: Fault, findings: list[str]) -> Iterator[None]:
    """Ask for /healthz on a new connection again and again, and collect the failures."""
    if not fault.health:
        yield
        return
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.2):
            begun = time.monotonic()
            try:
                status = site.host.get("/healthz", timeout=site.host.slowness * _HEALTH_SECONDS).status
            except OSError as failure:
                waited = time.monotonic() - begun
                findings.append(f"/healthz did not answer: {type(failure).__name__} after {waited:.1f} s")
                continue
            if status != 200:
                findings.append(f"/healthz answered with {status}")

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    finally:
        done.set()
        watching.join()


def _say_all(findings: Sequence[str]) -> None:
    for finding in findings[:_SHOWN]:
        _say(f"    {finding}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
