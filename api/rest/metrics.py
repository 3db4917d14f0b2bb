"""Metrics for Prometheus.

No label ever names a game, a seat, a token or the kind of an action. Otherwise the counters would reveal hidden
actions while a game is played.
"""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest


class Metrics:
    """The metrics of one application, in a registry of their own.

    `cached_games` returns how many games are held in memory.
    """

    def __init__(self, cached_games: Callable[[], int]) -> None:
        self.registry = CollectorRegistry()
        self._actions = Counter(
            "mabligop_actions",
            "Requested actions, by their outcome.",
            ("rulebook", "outcome"),
            registry=self.registry,
        )
        self._seconds = Histogram(
            "mabligop_request_seconds",
            "Time from a request's arrival to its answer.",
            ("method", "route", "status"),
            buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5),
            registry=self.registry,
        )
        games = Gauge("mabligop_cached_games", "Games held in memory.", registry=self.registry)
        games.set_function(cached_games)

    def action(self, rulebook: str, outcome: str) -> None:
        """Count a requested action."""
        self._actions.labels(rulebook, outcome).inc()

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request by the pattern of its path."""
        self._seconds.labels(method, route, str(status)).observe(seconds)

    def exposition(self) -> bytes:
        """Write all metrics in Prometheus' text format."""
        return generate_latest(self.registry)
