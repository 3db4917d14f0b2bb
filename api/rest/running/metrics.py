"""Metrics for Prometheus, summed over all workers.

No label ever names a game, a seat, a token or the kind of an action. Even so, counters could reveal the
requests of others: on a service with few games, a player can read the counters after each of their own requests
and learn that an action was refused, or that somebody looks at a dry run. So only the metrics in `PUBLIC` are
open to everybody; they reveal nothing beyond the version of a game. All others need the service's own key.

The workers of one service write their numbers into files of one folder (`shared_numbers.py`), and every worker
reads all files. Without a folder, the numbers are those of this process.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from api.rest.running.shared_numbers import FOLDER, lives
from ledger.store.database.tally import Tally, Work

PUBLIC = frozenset({"mabligop_workers", "mabligop_games_in_memory", "mabligop_actions_appended"})
"""The metrics open to everybody, without the suffix of their kind (`_total`)."""

_SAMPLE_SECONDS = 1.0
_REQUEST_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_OPENING_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_HELP: dict[Work, str] = {
    "actions_appended": "Actions written to the journals.",
    "races_lost": "Appends that wrote nothing, because another action came first; each is tried again.",
    "snapshots_found": "Snapshots looked for and found.",
    "snapshots_missed": "Snapshots looked for in vain.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """The current number of games in memory, and of database connections lent, idle and allowed."""

    games: int
    lent: int
    idle: int
    allowed: int


class Metrics(Tally):
    """The metrics of a worker. Pass an instance to the store as its tally."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        self._levels: Callable[[], Levels] | None = None
        self._requests = Counter(
            "mabligop_requests", "Requests answered.", ("method", "route", "status"), registry=registry
        )
        self._seconds = Histogram(
            "mabligop_request_seconds",
            "Time from a request's arrival to its answer.",
            ("method", "route"),
            buckets=_REQUEST_SECONDS,
            registry=registry,
        )
        self._unavailable = Counter(
            "mabligop_unavailable",
            "Requests answered with 503, by what was in the way.",
            ("cause",),
            registry=registry,
        )
        self._work = {work: Counter(f"mabligop_{work}", text, registry=registry) for work, text in _HELP.items()}
        self._opening = Histogram(
            "mabligop_opening_seconds",
            "Time to load a game into memory.",
            buckets=_OPENING_SECONDS,
            registry=registry,
        )
        self._workers = self._gauge("mabligop_workers", "Worker processes.")
        self._games = self._gauge("mabligop_games_in_memory", "Games held in memory, by all workers together.")
        self._lent = self._gauge("mabligop_database_connections_lent", "Database connections in use.")
        self._idle = self._gauge("mabligop_database_connections_idle", "Open database connections not in use.")
        self._allowed = self._gauge("mabligop_database_connections_allowed", "Database connections allowed.")
        self._streams = self._gauge("mabligop_streams", "Open streams, of all workers together.")
        self._streams_allowed = self._gauge("mabligop_streams_allowed", "Streams allowed.")
        self._ready = Gauge(
            "mabligop_ready",
            "1 if the database has the right tables and writes, otherwise 0; checked for every reader.",
            registry=registry,
            multiprocess_mode="livemostrecent",
        )
        self._workers.set(1)

    def _gauge(self, name: str, text: str) -> Gauge:
        # The sum over the living workers.
        return Gauge(name, text, registry=self._registry, multiprocess_mode="livesum")

    def count(self, work: Work, times: int = 1) -> None:
        """Count work of the core."""
        self._work[work].inc(times)

    def opened(self, seconds: float) -> None:
        """Count a game loaded into memory."""
        self._opening.observe(seconds)

    def request(self, method: str, route: str, status: int, seconds: float, cause: str | None = None) -> None:
        """Count a request by the pattern of its path. `cause` is the type of the exception behind a 503."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)
        if status == 503:
            self._unavailable.labels(cause or "unknown").inc()

    def streams(self, number: int) -> None:
        """Set the number of open streams of this worker."""
        self._streams.set(number)

    def allow_streams(self, number: int) -> None:
        """Set the largest number of streams of this worker."""
        self._streams_allowed.set(number)

    def ready(self, ready: bool) -> None:
        """Set the result of the latest check of the database."""
        self._ready.set(ready)

    def watch(self, levels: Callable[[], Levels]) -> None:
        """Read the levels before every answer. With several workers, also read every second, for answers of
        other workers.
        """
        self._levels = levels
        self._sample()
        if FOLDER in os.environ:
            threading.Thread(target=self._keep_sampling, name="levels", daemon=True).start()

    def _keep_sampling(self) -> None:
        waiting = threading.Event()
        while not waiting.wait(_SAMPLE_SECONDS):
            self._sample()

    def _sample(self) -> None:
        if self._levels is None:
            return
        levels = self._levels()
        self._games.set(levels.games)
        self._lent.set(levels.lent)
        self._idle.set(levels.idle)
        self._allowed.set(levels.allowed)

    def exposition(self, *, public: bool) -> bytes:
        """Write the metrics of all workers in Prometheus' text format. With `public`, write only the metrics in
        `PUBLIC`.
        """
        self._sample()
        registry = CollectorRegistry()
        registry.register(_Shown(self._collected(), public=public))
        return generate_latest(registry)

    def _collected(self) -> Iterable[Metric]:
        folder = os.environ.get(FOLDER)
        if folder is None:
            return self._registry.collect()
        _forget_dead_workers(Path(folder))
        collected: Iterable[Metric] = MultiProcessCollector(CollectorRegistry(), folder).collect()  # type: ignore[no-untyped-call]
        return collected


class _Shown(Collector):
    """A collector of the metrics to show, alone in its registry."""

    def __init__(self, collected: Iterable[Metric], *, public: bool) -> None:
        self._collected = collected
        self._public = public

    def describe(self) -> Iterable[Metric]:
        """Return nothing: the registry has no other metrics, so names cannot collide."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics, without the creation times of counters."""
        for metric in self._collected:
            if not self._public or metric.name in PUBLIC:
                metric.samples = [sample for sample in metric.samples if not sample.name.endswith("_created")]
                yield metric


def _forget_dead_workers(folder: Path) -> None:
    """Remove the levels of dead workers. Their counters stay."""
    for file in folder.glob("gauge_live*_*.db"):
        worker = file.stem.rpartition("_")[2]
        if worker.isdecimal() and not lives(int(worker)):
            mark_process_dead(int(worker), str(folder))  # type: ignore[no-untyped-call]
