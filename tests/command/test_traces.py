"""Traces of a real service reach a collector; of a service with a wrong variable the start says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from gzip import decompress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.command.service import Service, create_game, run

pytestmark = pytest.mark.xdist_group("command")


class Collector(ThreadingHTTPServer):
    """A collector that takes spans by OTLP over HTTP, and counts the names for each service."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Receiver)
        self.spans = Counter[tuple[str, str]]()


class Receiver(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = decompress(body)
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            named = {one.key: one.value.string_value for one in resource.resource.attributes}
            for scope in resource.scope_spans:
                self.server.spans.update((named["service.name"], span.name) for span in scope.spans)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def collector() -> Iterator[Collector]:
    with Collector() as serving:
        Thread(target=serving.serve_forever, daemon=True).start()
        yield serving
        serving.shutdown()


def test_the_last_spans_are_sent_when_the_service_ends(collector: Collector, database_url: str) -> None:
    """Spans wait here until the end; a started game of two has six actions, the first of which is its creation."""
    service = Service(
        "--no-demo",
        DATABASE_URL=database_url,
        OTEL_EXPORTER_OTLP_ENDPOINT=f"http://127.0.0.1:{collector.server_address[1]}",
        OTEL_BSP_SCHEDULE_DELAY="3600000",
    )
    try:
        with service.client() as client:
            create_game(client, "ana", "bob")
    finally:
        assert service.stop() == 0
    assert {name for name, _ in collector.spans} == {"mabligop"}
    counts = {step: count for (_, step), count in collector.spans.items()}
    assert counts.keys() == {"request", "moment", "decide", "record", "append", "answer"}
    assert (counts["request"], counts["append"], counts["decide"], counts["answer"]) == (6, 6, 5, 5)


def test_a_wrong_variable_ends_the_start() -> None:
    ran = run("serve", OTEL_TRACES_EXPORTER="zipkin")
    assert ran.returncode == 2
    assert "OTEL_TRACES_EXPORTER is otlp or none, not 'zipkin'" in ran.stderr
