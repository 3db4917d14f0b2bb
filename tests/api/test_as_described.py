"""Others' code reads the description and checks what the service answers: openapi-core, as a proxy would.

Three recorded games are read with every token: each answer has a status, headers and a shape that are described,
and each request is one that the description allows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from flask.testing import FlaskClient
from jsonschema.exceptions import best_match
from openapi_core import Config, OpenAPI
from openapi_core.contrib.werkzeug import WerkzeugOpenAPIRequest, WerkzeugOpenAPIResponse
from openapi_core.validation.response.exceptions import InvalidData
from openapi_core.validation.schemas.exceptions import InvalidSchemaValue
from werkzeug.test import TestResponse

from api.rest import application
from ledger.kernel.journal.entry import canonical
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.store import Store
from tests.golden import entries_of
from tests.replays import shelf
from tests.tables.ledgers import chance_of_a_test
from tests.tables.over_http import BASE

GAMES = {"negopoly": "negopoly_v11", "monopoly": "monopoly_v1", "virtual_revolution": "virtual_revolution_v9"}
FEW = "limit=3"


def as_text(content: bytes, **parameters: str) -> str:
    """The text of a file."""
    return content.decode(parameters.get("charset", "utf-8"))


class Proxy:
    """Stands between a client and the service, and lets through only what is described."""

    def __init__(self, client: FlaskClient, document: dict[str, Any]) -> None:
        self._client = client
        # CSV is a text, which openapi-core is not told by itself.
        self._openapi = OpenAPI.from_dict(document, Config(extra_media_type_deserializers={"text/csv": as_text}))
        self.reads = 0

    def get(self, address: str, token: str, **headers: str) -> TestResponse:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = self._client.get(address, headers={"Authorization": f"Bearer {token}", **sent})
        asked = WerkzeugOpenAPIRequest(answer.request)
        self._openapi.validate_request(asked)
        try:
            self._openapi.validate_response(asked, WerkzeugOpenAPIResponse(answer))
        except InvalidData as wrong:
            raise AssertionError(f"{address}: {reasons(wrong)}") from None
        self.reads += 1
        return answer


def reasons(wrong: InvalidData) -> str:
    """What of an answer is not as described, without the whole answer."""
    cause = wrong.__cause__
    if not isinstance(cause, InvalidSchemaValue):
        return str(cause)
    found = best_match(cause.schema_errors)
    return f"{found.json_path}: {found.message[:500]}"


def stored(ledger: Ledger, name: str, folder: Path) -> tuple[str, dict[str, str]]:
    """Import a recorded game: its id, and the tokens of its banker, its first seat and its spectators."""
    entries = entries_of(name)
    first = json.loads(bytes(entries[0].params))
    setup = {key: first[key] for key in ("players", "settings", "dice")}
    header = msgspec.structs.replace(shelf.header_of(entries, setup), rulebook=name.rpartition("_v")[0])
    shelf.write_file(folder / f"{name}.jsonl", header, [canonical(entry) for entry in entries])
    tokens = shelf.put_in(ledger, folder / f"{name}.jsonl", as_recorded=True).tokens
    seat = first["players"][0]["seat"]
    return entries[0].game, {"banker": tokens.banker, seat: tokens.players[seat], "spectator": tokens.spectator}


def reads(game: str, seat: str, last: int, collections: list[str]) -> Iterator[str]:
    """What there is to read of a game, each reading at least once."""
    base = f"{BASE}/games/{game}"
    yield base
    for moment in ("", f"?at={last // 2}", f"?at={last // 2}&known_at={last}"):
        yield f"{base}/state{moment}"
        yield f"{base}/accounts/player:{seat}{moment}"
    yield from (f"{base}/actions/{number}" for number in (1, 2, last // 2, last))
    yield f"{base}/actions?{FEW}&order=newest&status=effective"
    yield f"{base}/actions?seat={seat}&{FEW}&totals=true"
    yield f"{base}/actions/{last}/touches"
    yield from (f"{base}/{place}" for place in ("accounts", "accounts?known=true", "board", "names", "disputes"))
    yield f"{base}/accounts/player:{seat}/statement?{FEW}"
    yield f"{base}/accounts/player:{seat}/statement?{FEW}&format=csv"
    yield f"{base}/audit?{FEW}&order=newest"
    yield f"{base}/agreements"
    yield from (
        f"{base}/obligations{chosen}" for chosen in ("", f"?at={last // 2}", f"?debtor={seat}", "?status=due")
    )
    yield from (f"{base}/{collection}" for collection in collections)
    yield from (f"{base}/{place}" for place in ("moves", "rulings", "checkpoint", f"proofs/{last}", "statistics"))
    yield f"{base}/proofs/consistency?from=2"
    yield f"{base}/replay?{FEW}"
    yield f"{base}/replay/index"
    yield f"{BASE}/me"


def test_three_recorded_games_answer_as_described(store: Store, tmp_path: Path) -> None:
    ledger = Ledger(store, rulebooks_by_id(), chance=chance_of_a_test())
    client = application.create_app(ledger, application.Config(requests_per_minute=None)).test_client()
    proxy = Proxy(client, client.get("/openapi.json").json)
    for rulebook, name in GAMES.items():
        game, tokens = stored(ledger, name, tmp_path)
        last = len(entries_of(name))
        collections = list(ledger.rulebooks[rulebook].agreements.agreement_types)[:2]
        for language, (who, token) in zip(("en", "fr-FR, fr;q=0.9, en;q=0.5", "de"), tokens.items(), strict=True):
            for address in reads(game, [*tokens][1], last, collections):
                answer = proxy.get(address, token, Accept_Language=language)
                assert answer.status_code in (200, 403, 404), (who, address, answer.text)
    assert proxy.reads >= 240
