"""Traces: an operator sees the steps of an action and their times, and nothing of the game."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from api.rest.application import Config, create_app
from api.rest.running import traces
from ledger.store.store import Store
from tests.command.service import environment
from tests.tables.ledgers import a_ledger
from tests.tables.over_http import HttpTable, problem

STEPS = ["moment", "decide", "record", "append", "answer"]
ACTIONS = "/api/v1/games/<game>/actions"


@pytest.fixture
def spans() -> InMemorySpanExporter:
    """The ended spans."""
    return InMemorySpanExporter()


@pytest.fixture
def traced(store: Store, spans: InMemorySpanExporter) -> Iterator[Flask]:
    """A service whose requests are traced."""
    appending = dict(vars(store.journal))
    ledger = a_ledger(store)
    app = create_app(ledger, Config())
    traces.install(app, ledger, SimpleSpanProcessor(spans))
    yield app
    vars(store.journal).clear()
    vars(store.journal).update(appending)


@pytest.fixture
def table(traced: Flask, spans: InMemorySpanExporter) -> HttpTable:
    """A started game of Ana and Bob, before whose next request there are no spans."""
    table = HttpTable.created(traced.test_client()).start()
    spans.clear()
    return table


def written(spans: tuple[ReadableSpan, ...]) -> str:
    """All that the spans tell an exporter."""
    return "".join(span.to_json() for span in spans)


def test_an_action_has_a_span_for_each_step_within_its_request(
    table: HttpTable, spans: InMemorySpanExporter
) -> None:
    table.ana.play("transfer_money", to="bob", amount=1234)
    *steps, request = spans.get_finished_spans()
    assert request.name == "request"
    assert request.parent is None
    assert list(dict.fromkeys(span.name for span in steps if span.name != "moment")) == STEPS[1:]
    assert {span.name for span in steps} == set(STEPS)
    for span in steps:
        assert span.parent is not None
        assert span.parent.span_id == request.context.span_id
        assert request.start_time <= span.start_time <= span.end_time <= request.end_time
        assert not span.attributes
    assert dict(request.attributes or {}) == {
        "http.request.method": "POST",
        "http.route": ACTIONS,
        "http.response.status_code": 201,
        "mabligop.request": request.attributes["mabligop.request"],
        "mabligop.role": "player",
        "mabligop.game": table.game,
    }


def test_a_span_tells_no_more_than_a_line_of_the_log(table: HttpTable, spans: InMemorySpanExporter) -> None:
    """Neither of an accepted action, nor of a refused one, whose message tells sums; nor what a caller sends."""
    table.ana.play("transfer_money", to="bob", amount=1234)
    table.ana.act(
        "transfer_money",
        params={"to": "bob", "amount": 987_654_321},
        headers={
            "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "tracestate": f"vendor={table.ana.token.rpartition('.')[2]}",
        },
    )
    accepted, refused = (span for span in spans.get_finished_spans() if span.name == "request")
    assert accepted.attributes["http.response.status_code"] == 201
    assert refused.attributes["http.response.status_code"] == 409
    assert refused.attributes["mabligop.problem"] == "rule-broken"
    told = written(spans.get_finished_spans())
    assert table.game in told
    for secret in (table.ana.token.rpartition(".")[2], "987654321", "transfer_money", '"ana"', '"bob"', "message"):
        assert secret not in told


def test_the_trace_of_a_caller_goes_on(table: HttpTable, spans: InMemorySpanExporter) -> None:
    trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
    table.ana.get("accounts", traceparent=f"00-{trace}-{parent}-01")
    table.ana.get("accounts", traceparent="00-something-else-01")
    known, unknown = (span for span in spans.get_finished_spans() if span.name == "request")
    assert f"{known.context.trace_id:032x}" == trace
    assert f"{known.parent.span_id:016x}" == parent
    assert unknown.parent is None


def test_a_caller_may_ask_for_no_trace(table: HttpTable, spans: InMemorySpanExporter) -> None:
    table.ana.get("accounts", traceparent="00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00")
    assert spans.get_finished_spans() == ()


def test_a_failure_is_one_for_its_operator(
    table: HttpTable, spans: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("Ana has 150")

    monkeypatch.setattr("api.rest.actions.actions.read_entry", fail)
    problem(table.ana.get("actions/1"), 500, "internal-error")
    (request,) = (span for span in spans.get_finished_spans() if span.name == "request")
    assert request.status.status_code.name == "ERROR"
    assert request.attributes["error.type"] == "RuntimeError"
    assert "Ana has 150" not in written(spans.get_finished_spans())


def test_health_and_metrics_have_no_spans(table: HttpTable, spans: InMemorySpanExporter) -> None:
    for path in ("/healthz", "/readyz", "/metrics"):
        assert table.client.get(path).status_code == 200
    assert spans.get_finished_spans() == ()


def test_writers_in_turn_keep_their_own_spans(table: HttpTable, spans: InMemorySpanExporter) -> None:
    """In a crowded game one thread may perform the actions of several requests."""
    ledger = table.client.application.extensions["mabligop"].ledger
    ledger.games.open(table.game).crowded = 50

    def pay(_: int) -> int:
        with table.client.application.test_client() as client:
            asked = {"kind": "transfer_money", "params": {"to": "bob", "amount": 1}}
            sent = {"Authorization": f"Bearer {table.ana.token}"}
            return client.post(f"/api/v1/games/{table.game}/actions", json=asked, headers=sent).status_code

    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(pay, range(24))) == {201}
    ended = spans.get_finished_spans()
    requests = {span.context.span_id: 0 for span in ended if span.name == "request"}
    for span in ended:
        if span.name == "append":
            requests[span.parent.span_id] += 1
    assert list(requests.values()) == [1] * 24


# The variables ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variables", "on"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": ""}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:4318/v1/traces"}, True),
        ({"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"}, True),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, False),
        ({"OTEL_SDK_DISABLED": "true", "OTEL_TRACES_EXPORTER": "otlp"}, False),
    ],
)
def test_the_standard_variables_turn_traces_on(
    variables: dict[str, str], on: bool, otel: Callable[..., None]
) -> None:
    otel(**variables)
    assert traces.enabled() == on


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"OTEL_TRACES_EXPORTER": "zipkin"}, "OTEL_TRACES_EXPORTER is otlp or none, not 'zipkin'"),
        (
            {"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"},
            "OTEL_EXPORTER_OTLP_PROTOCOL is http/protobuf, not 'grpc'",
        ),
    ],
)
def test_a_wrong_variable_is_named(variables: dict[str, str], message: str, otel: Callable[..., None]) -> None:
    otel(**variables)
    with pytest.raises(ValueError, match=message):
        traces.enabled()


def test_missing_packages_are_named(otel: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    otel(OTEL_TRACES_EXPORTER="otlp")

    def missing(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr("importlib.util.find_spec", missing)
    with pytest.raises(ValueError, match=r"pip install mabligop\[traces\]"):
        traces.enabled()


@pytest.fixture
def otel(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A function that sets these variables of OpenTelemetry, and no others."""

    def set_variables(**variables: str) -> None:
        for name in ("TRACES_EXPORTER", "SDK_DISABLED", "EXPORTER_OTLP_ENDPOINT", "EXPORTER_OTLP_PROTOCOL"):
            monkeypatch.delenv(f"OTEL_{name}", raising=False)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)

    return set_variables


def test_a_worker_without_traces_imports_nothing_of_them(database_url: str) -> None:
    script = (
        "import sys, api.server; app = api.server.application();"
        " journal = app.extensions['mabligop'].ledger.store.journal;"
        " print([name for name in sys.modules if name.startswith('opentelemetry')], 'append' in vars(journal))"
    )
    own = dict.fromkeys(("OTEL_TRACES_EXPORTER", "OTEL_EXPORTER_OTLP_ENDPOINT"), "")
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env=environment(DATABASE_URL=database_url, **own),
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "[] False\n"
