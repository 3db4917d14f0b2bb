"""The floor for the API: a Flask view that decodes the body, runs the append statement and answers."""

from __future__ import annotations

import hashlib
import os
import threading
from datetime import UTC, datetime
from typing import Any

import psycopg
from flask import Flask, request

from ledger.store.database.database_url import driver_parameters
from ledger.store.journal import APPEND, append_parameters
from ledger.store.records import ActionRecord, EventRecord, GameRecord
from ledger.store.store import Store


def three_events(first: int) -> tuple[EventRecord, ...]:
    """The record of an ordinary action."""
    return tuple(
        EventRecord(
            seq=first + offset,
            kind="money_transferred",
            version=1,
            rule="I.B.6",
            accounts=("player:ana", "player:bob"),
            commodities=("NGD",),
            body=b'{"amount":40,"kind":"money_transferred","payee":"bob","payer":"ana",'
            b'"postings":[["NGD",40,"player:ana","player:bob"]],"rule":"I.B.6"}',
        )
        for offset in range(3)
    )


def an_action(number: int) -> ActionRecord:
    """Action `number` of a game in which every action has three events."""
    stored = b'{"by":"ana","draws":{},"kind":"transfer_money","params":{"amount":40,"to":"bob"}}' * 5
    return ActionRecord(
        number=number,
        kind="transfer_money",
        seat="ana",
        by="player",
        recorded_at=datetime.now(UTC),
        canonical=stored,
        leaf=hashlib.sha256(stored).digest(),
        events=three_events(3 * number - 2),
    )


def new_game(store: Store, name: str) -> str:
    """Create an empty game to append to. Returns its id."""
    store.games.create(GameRecord(name, "negopoly", name, datetime.now(UTC), b"{}"), [])
    return name


def bare_cursor(url: str) -> psycopg.RawCursor[Any]:
    """The driver's cursor on a connection of its own, planning statements as the service's connections do."""
    connection = psycopg.connect(**driver_parameters(url), autocommit=True)
    connection.execute("SET enable_seqscan = off")
    connection.execute("SET jit = off")
    return psycopg.RawCursor(connection)


def create() -> Flask:
    """The application. The body names the game, and the numbers are counted here."""
    app = Flask(__name__)
    local = threading.local()
    numbers: dict[str, int] = {}

    @app.post("/act")
    def act() -> tuple[dict[str, int], int]:
        body = request.get_json()
        game = body["game"]
        if not hasattr(local, "cursor"):
            local.cursor = bare_cursor(os.environ["DATABASE_URL"])
        number = numbers[game] = numbers.get(game, 0) + 1
        local.cursor.execute(APPEND, append_parameters(game, an_action(number)))
        return {"number": number}, 201

    return app
