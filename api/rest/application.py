"""The WSGI application of the REST API: resources, errors, limits, headers and metrics put together."""

from __future__ import annotations

from flask import Flask
from werkzeug.routing import BaseConverter, IntegerConverter

from api.rest.actions import actions, agreements, dice, moves, states, stream
from api.rest.admission import admission, bounds, hosts, limits
from api.rest.admission.guard import Guard
from api.rest.description import documentation
from api.rest.disputes import disputes, rulings
from api.rest.exchange import queries
from api.rest.exchange.conditions import NotModified, unchanged
from api.rest.games import boards, demo, games, invitations, names, statistics, tokens
from api.rest.history import audit, corrections, replay
from api.rest.log import exports, proofs
from api.rest.problems import translations
from api.rest.rulebooks import game_rules, rulebooks
from api.rest.running.config import Config
from api.rest.running.context import EXTENSION, Service
from api.rest.running.exchanges import Exchanges, Exchanging, tell_routes
from api.rest.running.metrics import Levels, Metrics
from api.rest.service import console, health, me
from ledger.kernel.facts.labels import Name
from ledger.service import Ledger
from ledger.store.database.readiness import Readiness, write

__all__ = ["Config", "create_app"]

_RESOURCES = (
    rulebooks,
    games,
    actions,
    corrections,
    disputes,
    rulings,
    states,
    boards,
    game_rules,
    agreements,
    audit,
    moves,
    me,
    names,
    tokens,
    invitations,
    demo,
    exports,
    dice,
    proofs,
    statistics,
    replay,
    stream,
)


class ActionInPath(BaseConverter):
    """The name of an action in a path: a number (at most 19 digits, for 64 bits), or "30.1"."""

    regex = r"[1-9][0-9]{0,14}\.[1-9][0-9]{0,5}|[0-9]{1,19}"

    def to_python(self, value: str) -> Name:
        """Convert digits to a number."""
        return value if "." in value else int(value)


class NumberInPath(IntegerConverter):
    """A number in a path, in ASCII digits."""

    regex = "[0-9]+"


def create_app(ledger: Ledger, config: Config, metrics: Metrics | None = None) -> Flask:
    """Build the WSGI application that serves a ledger.

    `metrics` must also be the tally of the ledger's store.
    """
    app = Flask("mabligop", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = config.max_body_bytes
    metrics = metrics or Metrics()
    metrics.watch(lambda: _levels(ledger))
    metrics.allow_streams(config.streams)
    exchanges = Exchanges(metrics)
    readiness = Readiness(lambda: write(ledger.store.engine))
    app.extensions[EXTENSION] = Service(ledger, config, metrics, exchanges, readiness)
    app.url_map.converters |= {"action": ActionInPath, "int": NumberInPath}
    description = documentation.describe(app)
    description.register_converter(
        ActionInPath, lambda _: {"type": "string", "pattern": f"^({ActionInPath.regex})$"}
    )
    translations.register(app)
    app.register_error_handler(NotModified, unchanged)
    tell_routes(app)
    bound = bounds.bind(app, config, limits.limit(app, config))
    hosts.require(app, config.hosts)
    admission.register(app)
    queries.check(app)
    for resource in _RESOURCES:
        description.register_blueprint(resource.blueprint, url_prefix=config.base_path)
    description.register_blueprint(health.blueprint)
    documentation.serve(app, description, ledger.rulebooks.values)
    app.register_blueprint(console.pages)
    guard = Guard(app.wsgi_app, config.cors_origins, config.max_body_bytes)
    app.wsgi_app = Exchanging(bounds.Measuring(guard, bound), exchanges)  # type: ignore[method-assign]
    return app


def _levels(ledger: Ledger) -> Levels:
    lent, idle, allowed = ledger.store.connections()
    return Levels(games=ledger.games.in_memory, lent=lent, idle=idle, allowed=allowed)
