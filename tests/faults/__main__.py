"""`make faults`: eight players, a service of their own, and one fault after another.

Each table is followed through all of it, by a stream that must bring every entry once.

A real `mabligop serve` with its own Postgres is played on while its processes are killed, its tables locked, its
disk filled and its connections taken. After every fault these must be true:

- the service is ready again by itself, at most 15 seconds after the fault has ended;
- what was acknowledged is stored, as it was acknowledged; nothing is stored twice, and no number is missing;
- every worker shows the same game, and `mabligop verify --decide` finds nothing in it (in the end: in any game);
- no answer was a 5xx other than 503, and /healthz answered all the time (unless the service itself was killed);
- players go on playing while other clients misbehave.

With --plant something is lost, doubled or changed on purpose after the last fault: the checks must find it.

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
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from random import Random, SystemRandom

import psycopg

from tests.faults.checking import findings, stored
from tests.faults.followers import Follower, missed
from tests.faults.host import Host
from tests.faults.kinds import FAULTS, Fault, Planned
from tests.faults.kinds import plan as plan_of
from tests.faults.planted import PLANTS
from tests.faults.players import API, PATIENCE_SECONDS, Player, Table
from tests.trust.tampering import Owner

_BEFORE_SECONDS = 1.0
_AFTER_SECONDS = 1.0
_LOOK_SECONDS = 0.05
_SHOWN = 12
_HEALTH_SECONDS = 5.0
_NOT_MADE = "clock jumps: they need a clock of the service's own"


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
    names = [fault.name for fault in FAULTS]
    parser.add_argument("--only", action="append", choices=names, help="only this fault (can be repeated)")
    parser.add_argument(
        "--plant", choices=PLANTS, help="after the last round, plant this: the checks must find it"
    )
    asked = parser.parse_args(arguments)
    seed = asked.seed or str(SystemRandom().randrange(1_000_000))
    # Also in the background, where a shell lets SIGINT be ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with closing(Host(asked.workers)) as host:
        _say(f"seed {seed}, {asked.seconds:.0f} s, {asked.workers} workers, 8 players")
        _say(f"not made: {_NOT_MADE}")
        if not host.disk.can_be_full:
            _say('not made: "a full disk", because only root can make a small file system')
        possible = {fault.name for fault in FAULTS if host.disk.can_be_full or not fault.needs_full_disk}
        wanted = possible & set(asked.only or possible)
        if not wanted:
            parser.error("none of these faults can be made here")
        host.first_start()
        if host.slowness > 1:
            _say(f"this machine is slow or busy: the service has {host.patience:.0f} s to be ready after a fault")
        rounds = _Rounds(host, seed)
        try:
            rounds.play(wanted, time.monotonic() + asked.seconds)
            if asked.plant is not None:
                rounds.plant(asked.plant)
        finally:
            rounds.leave()
        failed = rounds.report()
        if failed and asked.plant is None:
            kept = Path(tempfile.gettempdir()) / f"mabligop-faults-{seed}.log"
            shutil.copy(host.log, kept)
            _say(f"\n{failed} rounds failed. Again: make faults FAULTS_SEED={seed}. The service's log: {kept}")
        return int(failed > 0)


class _Rounds:
    """The players and the rounds that they have played."""

    def __init__(self, host: Host, seed: str) -> None:
        self._host = host
        self._seed = seed
        self._tables = [
            Table(seed, "negopoly", ("ana", "bob")),
            Table(seed, "negoces2", ("cleo", "dan", "eve", "fay")),
        ]
        self._players = [
            Player(host.url, table, seat, seed, host.slowness)
            for table in self._tables
            for seat in (*table.seats, "banker")
        ]
        self._followers = [Follower(host.url, table) for table in self._tables]
        self._rounds: list[Round] = []

    def play(self, wanted: set[str], until: float) -> None:
        """Play rounds with the wanted faults until this time, and at least one."""
        for player in self._players:
            player.start()
        for follower in self._followers:
            follower.start()
        rounds = (planned for planned in plan_of(self._seed) if planned.fault.name in wanted)
        self._play_round(next(rounds))
        while time.monotonic() < until:
            self._play_round(next(rounds))

    def plant(self, plant: str) -> None:
        """Change the journal of the first game behind the service's back, and check the last round again."""
        url, game = self._host.database(), self._tables[0].game
        with closing(Owner(url)) as owner:
            PLANTS[plant](owner, stored(url, game))
        _say(f"planted: {plant}")
        findings = [*self._check()]
        self._rounds[-1].findings += findings
        _say_all(findings)

    def leave(self) -> None:
        """End the players."""
        for player in self._players:
            player.leave()
        for follower in self._followers:
            follower.leave()

    def report(self) -> int:
        """Print the table of all faults. Returns the number of rounds that failed."""
        try:
            last = self._host.verify([])
        except OSError as failure:
            last = [f"Postgres does not run: {failure}"]
        for found in last:
            _say(f"in the end: {found}")
        self._rounds[-1].findings += last
        _say(f"\n{'fault':<34} rounds  acknowledged  during     503  no answer  ready after (most)  failed")
        for fault in FAULTS:
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
        acknowledged = sum(one.acknowledged for one in self._rounds)
        failed = sum(bool(one.findings) for one in self._rounds)
        games = sum(len(table.games) for table in self._tables)
        _say(f"{len(self._rounds)} rounds, {games} games, {acknowledged} acknowledged actions, {failed} failed")
        return failed

    def _play_round(self, planned: Planned) -> None:
        """Let everybody play, make the fault and end it, wait for the service, and check."""
        one = Round(planned)
        self._rounds.append(one)
        fault = planned.fault
        before = self._counts()
        for player in self._players:
            player.play()
        time.sleep(_BEFORE_SECONDS)
        self._wait_for_play(before["acknowledged"])
        health: list[str] = []
        begun = self._counts()["acknowledged"]
        try:
            with _watching(self._host, fault, health), fault.doing(self._host, Random(planned.seed)):
                time.sleep(planned.seconds)
                one.during = self._counts()["acknowledged"] - begun
        except (OSError, RuntimeError, psycopg.Error) as failure:
            one.findings.append(f"the fault could not be made: {failure}")
        one.ready = self._host.ready(self._host.patience)
        if one.ready is None:
            one.findings.append(f"the service was not ready {self._host.patience:.0f} s after the fault")
            self._host.ready(self._patience)
        one.findings += health[:3]
        if fault.goes_on and not one.during:
            one.findings.append("no player was served during the fault")
        ended = self._counts()["acknowledged"]
        time.sleep(_AFTER_SECONDS)
        self._wait_for_play(ended)
        for player in self._players:
            player.rest()
        if not all(player.rests(self._patience) for player in self._players):
            one.findings.append("a player still waits for an answer")
        after = self._counts()
        one.acknowledged = after["acknowledged"] - before["acknowledged"]
        one.unavailable = after["503"] - before["503"]
        one.unanswered = after["no answer"] - before["no answer"]
        late = after["408"] - before["408"]
        if late and not fault.freezes:
            one.findings.append(f"{late} requests were answered with 408, and their clients were not slow")
        if not one.acknowledged:
            one.findings.append("nobody could play")
        for player in self._players:
            one.findings += player.complaints[:5]
            player.complaints.clear()
        one.findings += self._check()
        self._tell(one)

    @property
    def _patience(self) -> float:
        """How long an answer may take that comes at last, in seconds."""
        return self._host.slowness * PATIENCE_SECONDS

    def _wait_for_play(self, acknowledged: int) -> None:
        """Wait until more actions than these are acknowledged, or nobody can play."""
        deadline = time.monotonic() + self._patience
        while self._counts()["acknowledged"] <= acknowledged and time.monotonic() < deadline:
            time.sleep(_LOOK_SECONDS)

    def _counts(self) -> Counter[str]:
        return sum((player.counts for player in self._players), Counter[str]())

    def _check(self) -> Iterator[str]:
        """Compare the journals with the answers, and the workers with one another. Look for secrets in the log."""
        try:
            url = self._host.database()
            for table, follower in zip(self._tables, self._followers, strict=True):
                for game in table.games:
                    rows = stored(url, game)
                    for found in findings(rows, table.acknowledged[game]):
                        yield f"{game}: {found}"
                    if game == table.game and not follower.catches_up(game, len(rows), self._patience):
                        yield f"{game}: the stream did not bring everything"
                    for found in missed(rows, follower.brought.get(game, ())):
                        yield f"{game}: {found}"
                yield from self._compare_workers(table)
            yield from self._host.verify([table.game for table in self._tables if table.games])
            log = self._host.log.read_text(errors="replace")
            tokens = [token for table in self._tables for own in table.tokens.values() for token in own.values()]
            if any(token in log for token in tokens):
                yield "the log holds a token"
        except Exception as failure:
            # A check that cannot be made is a finding.
            yield f"the check could not be made: {type(failure).__name__}: {failure}"

    def _compare_workers(self, table: Table) -> Iterator[str]:
        """The game as the banker sees it must be the same on all workers."""
        if not table.games:
            return
        headers = {"Authorization": f"Bearer {table.tokens[table.game]['banker']}"}
        for part in ("state", "accounts"):
            answers = self._host.answers_of_all(f"{API}/games/{table.game}/{part}", headers)
            if len(answers) < self._host.workers_wanted:
                yield f"{len(answers)} of {self._host.workers_wanted} workers answer"
            for worker, answer in answers.items():
                if answer.status != HTTPStatus.OK:
                    yield f"{table.game}: worker {worker} answers {part} with {answer.status}"
            if len({answer.body for answer in answers.values()}) > 1:
                yield f"{table.game}: the workers show different {part}"

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


@contextmanager
def _watching(host: Host, fault: Fault, findings: list[str]) -> Iterator[None]:
    """Ask for /healthz on a new connection again and again, and collect the failures."""
    if not fault.health:
        yield
        return
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.2):
            begun = time.monotonic()
            try:
                status = host.get("/healthz", timeout=host.slowness * _HEALTH_SECONDS).status
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
