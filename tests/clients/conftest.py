"""The service that generated clients talk to, and its description as a file."""

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import httpx
import pytest
from werkzeug.serving import make_server

from api.console.describe import description
from api.rest.application import Config, create_app
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.store import Store
from tests.clients.fewer import with_fewer_kinds
from tests.properties.commands import SOAK
from tests.tables.ledgers import chance_of_a_test

USED = frozenset(
    {
        "join_game",
        "choose_starter_perk",
        "start_game",
        "transfer_money",
        "money_transferred",
        "roll_dice",
        "buy_property",
        "title_bought",
        "rule",
        "fine",
    }
)
"""The kinds of actions, events and remedies that both tables name."""


@pytest.fixture(scope="module")
def address(store: Store) -> Iterator[str]:
    """The address of a service that knows every rulebook."""
    app = create_app(Ledger(store, rulebooks_by_id(), chance=chance_of_a_test()), Config())
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def document(address: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The service's description of itself: in a soak as it is served, else with some kinds of Negopoly."""
    path = tmp_path_factory.mktemp("document") / "openapi.json"
    if SOAK:
        path.write_bytes(httpx.get(f"{address}/openapi.json", timeout=300).raise_for_status().content)
    else:
        described = json.loads(description({"negopoly": rulebooks_by_id()["negopoly"]}))
        path.write_text(json.dumps(with_fewer_kinds(described, USED)))
    return path
