"""Traces for OpenTelemetry: a span for the request, and a span for each step of an action.

- `request`: from the arrival of the request to the answer;
- `moment`: opening the game at the head of the journal;
- `decide`: deciding the action and the actions due by time;
- `record`: making the journal's entry of a decision, with hashes;
- `append`: the transaction in the database;
- `answer`: making the caller's view of the entry.

The standard variables turn traces on (`enabled`). Without the variables nothing of OpenTelemetry is imported, and
no step is wrapped: traces then cost nothing. A span has the fields of the request's line in the log, and nothing
else: no token, no body, no parameter, no path as sent, no seat, and no message of an exception.
"""

from __future__ import annotations

import importlib.util
import os
import time
from collections.abc import Callable, Iterable
from contextvars import copy_context
from functools import wraps
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from flask import Flask
    from opentelemetry.sdk.trace import SpanProcessor
    from opentelemetry.trace import Tracer

    from api.rest.running.exchanges import Environ, Exchange, StartResponse
    from ledger.games.game import Game
    from ledger.service import Ledger

T = TypeVar("T")

PACKAGES = "pip install mabligop[traces]"
_ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
_PROTOCOL = "http/protobuf"
_FIELDS = {"game": "mabligop.game", "problem": "mabligop.problem", "incident": "mabligop.incident"}


def enabled() -> bool:
    """Return True if the standard variables turn traces on: OTEL_TRACES_EXPORTER=otlp, or an endpoint.

    OTEL_TRACES_EXPORTER=none and OTEL_SDK_DISABLED=true turn traces off. Raises ValueError for an unknown
    exporter or protocol, and for missing packages.
    """
    exporter = os.environ.get("OTEL_TRACES_EXPORTER", "").strip().lower()
    disabled = os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    if disabled or exporter == "none" or not (exporter or any(map(os.environ.get, _ENDPOINTS))):
        return False
    if exporter not in {"", "otlp"}:
        raise ValueError(f"OTEL_TRACES_EXPORTER is otlp or none, not {exporter!r}")
    for variable in _PROTOCOLS:
        if os.environ.get(variable, _PROTOCOL) not in {"", _PROTOCOL}:
            raise ValueError(f"{variable} is {_PROTOCOL}, not {os.environ[variable]!r}")
    if not _installed():
        raise ValueError(f"traces need further packages: {PACKAGES}, or OTEL_TRACES_EXPORTER=none")
    return True


def _installed() -> bool:
    try:
        return importlib.util.find_spec("opentelemetry.exporter.otlp.proto.http") is not None
    except ModuleNotFoundError:
        return False


def install(app: Flask, ledger: Ledger, processor: SpanProcessor | None = None) -> None:
    """Trace the requests of an application and the actions of the ledger of the application.

    The standard variables set the exporter, the sampler, the name of the service and the limits. A given
    `processor` takes the spans instead of the exporter. The last spans are sent at the end of the process.
    """
    from opentelemetry.sdk.resources import SERVICE_NAME, Resource
    from opentelemetry.sdk.trace import TracerProvider

    name = os.environ.get("OTEL_SERVICE_NAME") or "mabligop"
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: name}), shutdown_on_exit=False)
    provider.add_span_processor(processor or _exporting())
    # A worker is a process of `multiprocessing`, and ends without the functions of `atexit`.
    Finalize(None, provider.shutdown, exitpriority=0)
    tracer = provider.get_tracer("mabligop")
    _trace_requests(app, tracer)
    steps: tuple[tuple[str, object, str], ...] = (
        ("moment", ledger.games, "open"),
        ("moment", ledger.games, "catch_up"),
        ("decide", ledger.performing, "decide"),
        ("record", ledger.appending, "record"),
        ("append", ledger.store.journal, "append"),
        ("append", ledger.store.journal, "append_all"),
        ("answer", ledger.performing, "answer"),
    )
    for step, part, method in steps:
        setattr(part, method, _traced(tracer, step, getattr(part, method)))
    _keep_context(ledger)


def _exporting() -> SpanProcessor:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    return BatchSpanProcessor(OTLPSpanExporter())


def _traced(tracer: Tracer, step: str, work: Callable[..., T]) -> Callable[..., T]:
    """Wrap a step. Only the steps of a traced request have spans, not the work of background threads."""
    from opentelemetry.trace import get_current_span

    @wraps(work)
    def traced(*arguments: Any, **options: Any) -> T:
        if not get_current_span().is_recording():
            return work(*arguments, **options)
        with tracer.start_as_current_span(step, record_exception=False, set_status_on_exception=False):
            return work(*arguments, **options)

    return traced


def _keep_context(ledger: Ledger) -> None:
    """Let work in a turn keep the span of its request: the thread of another request may run the work."""
    in_turn = ledger.performing.in_turn

    def in_own_context(game: Game, work: Callable[[], T]) -> T:
        context = copy_context()
        return in_turn(game, lambda: context.run(work))

    ledger.performing.in_turn = in_own_context  # type: ignore[method-assign]


def _trace_requests(app: Flask, tracer: Tracer) -> None:
    from opentelemetry.trace import SpanKind, Status, StatusCode, get_current_span
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    from api.rest.running.context import EXTENSION, Service
    from api.rest.running.exchanges import ARRIVED, PROBES

    service: Service = app.extensions[EXTENSION]
    application, end = app.wsgi_app, service.exchanges.end
    caller = TraceContextTextMapPropagator()

    def ended(exchange: Exchange, status: int) -> None:
        end(exchange, status)
        span = get_current_span()
        span.set_attributes(_attributes(exchange, status))
        if status >= 500:
            span.set_status(Status(StatusCode.ERROR))

    def traced(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if environ["PATH_INFO"] in PROBES:
            return application(environ, start_response)
        waited = time.perf_counter() - environ.get(ARRIVED, time.perf_counter())
        # Not the header tracestate: a caller may send any text there.
        parent = caller.extract({"traceparent": environ.get("HTTP_TRACEPARENT", "")})
        with tracer.start_as_current_span(
            "request",
            context=parent,
            kind=SpanKind.SERVER,
            start_time=time.time_ns() - int(waited * 1e9),
            record_exception=False,
            set_status_on_exception=False,
        ):
            return application(environ, start_response)

    app.wsgi_app = traced  # type: ignore[method-assign]
    service.exchanges.end = ended  # type: ignore[method-assign]


def _attributes(exchange: Exchange, status: int) -> dict[str, str | int]:
    """Return the fields of the request's line in the log, by the names of OpenTelemetry where there are any."""
    attributes: dict[str, str | int] = {
        "http.request.method": exchange.method,
        "http.route": exchange.route,
        "http.response.status_code": status,
        "mabligop.request": exchange.id,
        "mabligop.role": exchange.role,
    }
    if exchange.cause is not None:
        attributes["error.type"] = exchange.cause
    for field, name in _FIELDS.items():
        value = getattr(exchange, field)
        if value is not None:
            attributes[name] = value
    return attributes
