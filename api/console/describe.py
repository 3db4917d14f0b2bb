"""Write the description from which the console's types are generated: `python -m api.console.describe FILE`.

The console knows no rulebook, so the description has none: what differs between games is any JSON there.
"""

from __future__ import annotations

import sys
from pathlib import Path

import sqlalchemy

from api.rest.application import Config, create_app
from ledger.service import Ledger
from ledger.store.store import Store


def description() -> bytes:
    """The OpenAPI document of the service without rulebooks. No database is asked: the engine never connects."""
    store = Store(sqlalchemy.create_engine("postgresql+psycopg://nobody@localhost/none"))
    return bytes(create_app(Ledger(store, {}), Config()).test_client().get("/openapi.json").data)


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(description())
