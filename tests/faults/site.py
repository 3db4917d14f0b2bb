"""Where people play: one service, or two on the same database, with the players, the followers and the checks."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from statistics import median
from typing import NamedTuple

import psycopg

from tests.faults.checking import Row, findings, losses, stored
from tests.faults.followers import Follower, missed
from tests.faults.host import Host
from tests.faults.players import API, PATIENCE_SECONDS, Player, Table
from tests.faults.servers import Servers

READY_SECONDS = 5.0
"""How soon a service is to be ready again after a kill, on a machine that is quick enough."""
_LOOK_SECONDS = 0.05
_LEAD = re.compile(rb',"ahead":\d+|"ahead":\d+,')
_AT_HAND = 2
"""How many games of a table are compared after every round; earlier games are compared in the end."""


class Kill(NamedTuple):
    """A kill, and the seconds until the service was ready and accepted a request made after the kill, or None."""

    kind: str
    ready: float | None


class Site:
    """One service or two, and eight players. The first of the services is `host`.

    `servers` are the servers of Postgres, where the services have none of their own.
    """

    def __init__(self, hosts: Sequence[Host], seed: str, servers: Servers | None = None) -> None:
        self.hosts = hosts
        self.host = hosts[0]
        self.servers = servers
        self.seed = seed
        self.kills: list[Kill] = []
        self.commands: Counter[str] = Counter()
        """The kills of each command."""
        self.tables = [
            Table(seed, "negopoly", ("ana", "bob")),
            Table(seed, "negoces2", ("cleo", "dan", "eve", "fay")),
        ]
        urls = [host.url for host in hosts]
        self.players = [
            Player(urls, table, seat, seed, self.host.slowness)
            for table in self.tables
            for seat in (*table.seats, "banker")
        ]
        self.followers = [Follower(urls, table) for table in self.tables]
        for one in (*self.players, *self.followers):
            one.start()

    @property
    def patience(self) -> float:
        """How long an answer may take that comes at last, in seconds."""
        return self.host.slowness * PATIENCE_SECONDS

    def play(self) -> None:
        """Let everybody play."""
        for player in self.players:
            player.play()

    def rest(self) -> bool:
        """Let everybody stop after the answer to the last request. Returns whether everybody has."""
        for player in self.players:
            player.rest()
        deadline = time.monotonic() + self.patience
        return all(player.rests(max(0.0, deadline - time.monotonic())) for player in self.players)

    def counts(self) -> Counter[str]:
        """What all players have counted."""
        return sum((player.counts for player in self.players), Counter[str]())

    def complaints(self) -> list[str]:
        """The first complaints of each player since the last call."""
        found = [complaint for player in self.players for complaint in player.complaints[:5]]
        for player in self.players:
            player.complaints.clear()
        return found

    def wait_for_play(self, acknowledged: int) -> bool:
        """Wait until more actions than these are acknowledged. Returns whether they are."""
        deadline = time.monotonic() + self.patience
        while self.counts()["acknowledged"] <= acknowledged:
            if time.monotonic() > deadline:
                return False
            time.sleep(_LOOK_SECONDS)
        return True

    def ready(self, patience: float) -> float | None:
        """Wait until all services are ready. Returns the seconds that took, None without success."""
        begun = time.monotonic()
        for host in self.hosts:
            if host.ready(patience) is None:
                return None
        return time.monotonic() - begun

    def killed(self, kind: str, at: float, host: Host | None = None) -> list[str]:
        """Count a kill made at this time, and look at what is cheap to see. Returns the findings.

        The service (or this one of the two) must be ready again, and accept a request made after the kill. What
        was acknowledged since the last look must be stored.
        """
        patience = self.host.patience
        ready = self.ready(patience) if host is None else host.ready(patience)
        deadline = time.monotonic() + self.patience
        while not any(player.served_since > at for player in self.players):
            if ready is None or time.monotonic() > deadline:
                ready = None
                break
            time.sleep(_LOOK_SECONDS)
        self.kills.append(Kill(kind, None if ready is None else time.monotonic() - at))
        found = [] if ready is not None else [f"after a kill ({kind}) nobody was served in {patience:.0f} s"]
        for table in self.tables:
            for game in table.games[-_AT_HAND:]:
                answers = table.unseen(game)
                rows = self._stored(game, [answer.number for answer in answers], deadline)
                found += [f"{game}: {loss}" for loss in losses(rows, answers)]
        return found

    def _stored(self, game: str, numbers: Sequence[int], deadline: float) -> list[Row]:
        """These actions, as soon as the database answers. Raises the failures after this time."""
        while True:
            try:
                return stored(self.host.database(), game, numbers)
            except (OSError, psycopg.OperationalError):
                if time.monotonic() > deadline:
                    raise
                time.sleep(_LOOK_SECONDS)

    def kill_of_a_command(self, name: str) -> None:
        """Count the kill of a command. It was run again afterwards, and nobody waits for the service."""
        self.commands[name] += 1

    def check(self) -> Iterator[str]:
        """Compare the journals with the answers, and the workers with one another. Look for secrets in the log."""
        try:
            url = self.host.database()
            for table, follower in zip(self.tables, self.followers, strict=True):
                for game in table.games[-_AT_HAND:]:
                    rows = stored(url, game)
                    yield from self._compare(table, game)
                    if game == table.game and not follower.catches_up(game, len(rows), self.patience):
                        yield f"{game}: the stream did not bring everything"
                    for found in missed(rows, follower.brought.get(game, ())):
                        yield f"{game}: {found}"
                for host in self.hosts:
                    yield from self._compare_workers(host, table)
            yield from self.host.verify([table.game for table in self.tables if table.games])
            tokens = [token for table in self.tables for own in table.tokens.values() for token in own.values()]
            for host in self.hosts:
                log = host.log.read_text(errors="replace")
                if any(token in log for token in tokens):
                    yield "the log holds a token"
        except Exception as failure:
            # A check that cannot be made is a finding.
            yield f"the check could not be made: {type(failure).__name__}: {failure}"

    def check_in_the_end(self) -> list[str]:
        """Compare also the games that ended long ago, and verify all."""
        try:
            found = [one for table in self.tables for game in table.games for one in self._compare(table, game)]
            return [*found, *self.host.verify([])]
        except Exception as failure:
            return [f"the check could not be made: {type(failure).__name__}: {failure}"]

    def _compare(self, table: Table, game: str) -> Iterator[str]:
        for found in findings(stored(self.host.database(), game), table.acknowledged[game]):
            yield f"{game}: {found}"

    def _compare_workers(self, host: Host, table: Table) -> Iterator[str]:
        """The game as the banker sees it must be the same on all workers."""
        if not table.games:
            return
        headers = {"Authorization": f"Bearer {table.tokens[table.game]['banker']}"}
        for part in ("state", "accounts"):
            answers = host.answers_of_all(f"{API}/games/{table.game}/{part}", headers)
            if len(answers) < host.workers_wanted:
                yield f"{len(answers)} of {host.workers_wanted} workers answer"
            for worker, answer in answers.items():
                if answer.status != HTTPStatus.OK:
                    yield f"{table.game}: worker {worker} answers {part} with {answer.status}"
            if len({_without_lead(answer.body) for answer in answers.values()}) > 1:
                yield f"{table.game}: the workers show different {part}"

    def close(self) -> None:
        """End the players and the followers. The services go on."""
        for player in self.players:
            player.leave()
        for follower in self.followers:
            follower.leave()


def _without_lead(body: bytes) -> bytes:
    """An answer without the lead of the game's time over a clock that was set back: each worker has its own."""
    return _LEAD.sub(b"", body)


def readiness(kills: Sequence[Kill], limit: float) -> list[str]:
    """The kills of each kind in lines: how many, how soon the service was ready again, how often too late."""
    if not kills:
        return []
    lines = [f"{'kill':<34} kills  ready after (median)  (most)  later than {limit:.1f} s"]
    for kind in (*sorted({kill.kind for kill in kills}), None):
        ready = [kill.ready for kill in kills if kind in (kill.kind, None)]
        took = [seconds for seconds in ready if seconds is not None]
        late = sum(seconds is None or seconds > limit for seconds in ready)
        middle, most = (f"{median(took):.1f} s", f"{max(took):.1f} s") if took else ("never", "never")
        lines.append(f"{kind or 'all kills':<34} {len(ready):5}  {middle:>20}  {most:>6}  {late:6}")
    return lines
