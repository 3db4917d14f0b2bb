"""The metrics: a dashboard for the operator, and nothing about a table for its players."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

import migrations
from api.rest.application import Config, create_app
from api.rest.running.metrics import PUBLIC, Metrics
from ledger.store.database.connection import connect
from ledger.store.store import Store
from tests.tables.ledgers import a_ledger
from tests.tables.over_http import BASE, HttpTable, problem

KEY = {"Authorization": "Bearer the-service-key"}
ACTIONS = f"{BASE}/games/<game>/actions"


def numbers(text: str) -> dict[str, float]:
    """The value of every sample, by its name and labels as they are written."""
    return {
        sample.name + "".join(f" {name}={value}" for name, value in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.fixture
def new_service(database_url: str) -> Iterator[Callable[[str | None], Flask]]:
    """A function that starts a service with this key, put together as `serve` does."""
    engines = []

    def start(key: str | None) -> Flask:
        metrics = Metrics()
        engines.append(connect(database_url))
        return create_app(a_ledger(Store(engines[-1], metrics)), Config(creation_key=key), metrics)

    yield start
    for engine in engines:
        engine.dispose()


def evening(client: FlaskClient, headers: dict[str, str]) -> HttpTable:
    """Ana and Bob begin a game: five actions, and one that is refused."""
    client.environ_base |= {f"HTTP_{name.upper()}": value for name, value in headers.items()}
    table = HttpTable.created(client)
    client.environ_base.pop("HTTP_AUTHORIZATION", None)
    table.start()
    table.ana.act("transfer_money", params={"to": "ana", "amount": 1})
    return table


def test_the_operator_reads_what_the_service_does(new_service: Callable[[str | None], Flask]) -> None:
    client = new_service("the-service-key").test_client()
    table = evening(client, KEY)
    read = client.get("/metrics", headers=KEY)
    assert read.content_type.startswith("text/plain")
    found = numbers(read.text)
    assert found["mabligop_actions_appended_total"] == 6
    assert found["mabligop_races_lost_total"] == 0
    assert found["mabligop_games_in_memory"] == 1
    assert found["mabligop_opening_seconds_count"] == 1
    assert found["mabligop_workers"] == 1
    assert found["mabligop_ready"] == 1
    assert found["mabligop_streams_allowed"] == Config().streams
    assert found[f"mabligop_requests_total method=POST route={ACTIONS} status=201"] == 5
    assert found[f"mabligop_requests_total method=POST route={ACTIONS} status=409"] == 1
    assert found[f"mabligop_request_seconds_count method=POST route={ACTIONS}"] == 6
    assert found["mabligop_database_connections_lent"] == 0
    assert 1 <= found["mabligop_database_connections_idle"] <= found["mabligop_database_connections_allowed"] == 20
    # No label names a game, a seat or the kind of an action: choosing a perk is private.
    for secret in (table.game, "ana", "choose_starter_perk", "negopoly"):
        assert secret not in read.text


def test_only_the_services_own_key_opens_them(new_service: Callable[[str | None], Flask]) -> None:
    client = new_service("the-service-key").test_client()
    table = evening(client, KEY)
    problem(client.get("/metrics"), 401, "token-missing")
    for token in ("something-else", str(table.ana.token), str(table.banker.token)):
        answer = client.get("/metrics", headers={"Authorization": f"Bearer {token}"})
        problem(answer, 401, "token-unknown")


def test_without_a_key_an_opponent_learns_nothing(new_service: Callable[[str | None], Flask]) -> None:
    """Bob reads the metrics before and after Ana tries things: they say nothing but what every version says."""
    client = new_service(None).test_client()
    table = evening(client, {})
    before = client.get("/metrics").text
    assert {name.removesuffix("_total") for name in numbers(before)} == set(PUBLIC)
    table.ana.act("transfer_money", params={"to": "bob", "amount": 10**9})
    table.ana.act("transfer_money", params={"to": "bob", "amount": 1}, dry_run=True)
    table.ana.act("fly_to_the_moon")
    client.get(f"{BASE}/games/{table.game}/accounts", headers={"Authorization": f"Bearer {table.ana.token}"})
    assert client.get("/metrics").text == before
    table.ana.play("transfer_money", to="bob", amount=1)
    after = numbers(client.get("/metrics").text)
    assert after["mabligop_actions_appended_total"] == numbers(before)["mabligop_actions_appended_total"] + 1


def test_what_is_in_the_way_is_counted() -> None:
    engine = connect("postgresql://nobody@127.0.0.1:1/none", patience=1)
    metrics = Metrics()
    config = Config(creation_key="the-service-key")
    client = create_app(a_ledger(Store(engine, metrics)), config, metrics).test_client()
    assert client.get(f"{BASE}/games", headers=KEY).status_code == 503
    assert client.get(f"{BASE}/games/some", headers={"Authorization": "Bearer some.token"}).status_code == 503
    found = numbers(client.get("/metrics", headers=KEY).text)
    assert found["mabligop_unavailable_total cause=StoreUnavailable"] == 2
    assert found["mabligop_ready"] == 0


def test_the_dashboard_asks_for_metrics_that_exist(new_service: Callable[[str | None], Flask]) -> None:
    """Every name in the documented dashboard is a metric of the service."""
    client = new_service("the-service-key").test_client()
    evening(client, KEY)
    client.get("/nowhere")
    found = {name.split()[0] for name in numbers(client.get("/metrics", headers=KEY).text)}
    documented = (Path(migrations.__file__).parent / "README.md").read_text()
    asked = set(re.findall(r"\bmabligop_\w+", documented.partition("## Metrics")[2].partition("\n## ")[0]))
    assert asked
    assert asked - {"mabligop_unavailable_total"} <= found
