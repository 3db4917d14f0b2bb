"""Write the API description for generating the console's types: `python -m api.console.describe FILE`.

The console knows no rulebook, so the description has no rulebook: the parts that depend on the game are
arbitrary JSON.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import sqlalchemy

from api.rest.application import Config, create_app
from ledger.kernel.rules.rulebook import Rulebook
from ledger.service import Ledger
from ledger.store.store import Store


def description(rulebooks: Mapping[str, Rulebook[Any]], rulebook: str = "") -> bytes:
    """Build the OpenAPI document of a service with the rulebooks, with the kinds of all rulebooks or of one.

    No database is queried: the engine never connects.
    """
    store = Store(sqlalchemy.create_engine("postgresql+psycopg://nobody@localhost/none"))
    client = create_app(Ledger(store, rulebooks), Config()).test_client()
    return bytes(client.get("/openapi.json", query_string={"rulebook": rulebook} if rulebook else {}).data)


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(description({}))
