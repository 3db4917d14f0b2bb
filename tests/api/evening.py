"""An evening at a table of Negopoly, whose requests and answers are the examples of the API's description.

`make examples` (python -m tests.api.evening) plays it, and writes `api/rest/description/examples.json`. What reads
needs no line here: after the play every reading is asked for once. What writes is done in `evening`.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import jsonschema_rs
import msgspec
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api.rest.application import Config, create_app
from api.rest.description.examples import FILE, Example
from ledger.kernel.dice.chains import Chain
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.database.connection import connect
from ledger.store.database.migration import migrate
from ledger.store.postgres.embedded import EmbeddedPostgres
from ledger.store.store import Store
from ledger.trust.keys import Keys
from ledger.trust.notes import WITNESS, Note, Signer
from tests.tables.ledgers import Clock
from tests.tables.negopoly import asked_for, starting

Document = dict[str, Any]

BASE = "/api/v1"
JSON = "application/json"
LONGEST = 2
"""How many objects an example has of a list."""
KNOWN = {
    "rulebook": "negopoly",
    "kind": "transfer_money",
    "rule": "I.B.6",
    "action": "8",
    "account": "player:ana",
    "collection": "loans",
}
"""What stands for the names in addresses, besides those that the evening brings."""
QUERIES = {
    "readWhy": {"account": "player:ana", "commodity": "NGD"},
    "exportGame": {"format": "csv", "table": "about"},
}


def operations(document: Document) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Each operation with its method and its path."""
    for path, item in document["paths"].items():
        for method in ("get", "post", "put", "patch", "delete"):
            if method in item:
                yield method, path, item[method]


def checker(document: Document, schema: dict[str, Any]) -> jsonschema_rs.Validator:
    """What checks values against a schema of the description."""
    return jsonschema_rs.validator_for({**schema, "components": document["components"]})


class Recorder:
    """Sends requests, and keeps the first good one of each operation with its answer."""

    def __init__(self, client: FlaskClient) -> None:
        self._client = client
        self.document: Document = client.get("/openapi.json").json
        self._places = [
            (method, re.compile(re.sub(r"{\w+}", "[^/]+", path) + "$"), described)
            for method, path, described in sorted(operations(self.document), key=lambda one: one[1].count("{"))
        ]
        self.kept: dict[str, tuple[Any, dict[str, Any]]] = {}
        self.names = dict(KNOWN)

    def send(self, method: str, path: str, token: str | None, body: Any = None, **query: str) -> Any:
        """Send a request, which must be accepted, and give the answer."""
        address = f"{BASE}/games/{self.names.get('game')}/{path}" if not path.startswith("/") else path
        answer = self._client.open(
            address,
            method=method,
            json=body,
            query_string=query,
            headers={} if token is None else {"Authorization": f"Bearer {token}"},
        )
        assert answer.status_code < 300, f"{method} {address}: {answer.text}"
        self._keep(method, address, body, answer)
        return answer.json if answer.is_json else None

    def _keep(self, method: str, address: str, body: Any, answer: TestResponse) -> None:
        described = next(
            one for verb, place, one in self._places if verb == method.lower() and place.match(address)
        )
        if not answer.is_json and body is None:
            return
        _, answers = self.kept.setdefault(described["operationId"], (body, {}))
        if not answer.is_json:
            return
        if str(answer.status_code) not in answers:
            schema = described["responses"][str(answer.status_code)]["content"][JSON]["schema"]
            short = shortened(answer.json)
            fits = checker(self.document, schema).is_valid(short)
            answers[str(answer.status_code)] = short if fits else answer.json

    def read_the_rest(self, token: str) -> None:
        """Ask for every reading that has no example yet."""
        for method, path, described in operations(self.document):
            contents = described["responses"].get("200", {}).get("content", {})
            if method == "get" and JSON in contents and described["operationId"] not in self.kept:
                address = path.format(**self.names)
                secured = token if described["security"] else None
                self.send(method, address, secured, **QUERIES.get(described["operationId"], {}))

    def examples(self) -> dict[str, Example]:
        """The examples by operation, in the order of the description."""
        return {
            described["operationId"]: Example(answers, msgspec.UNSET if request is None else request)
            for _, _, described in operations(self.document)
            if described["operationId"] in self.kept
            for request, answers in (self.kept[described["operationId"]],)
        }


def shortened(content: Any) -> Any:
    """The content with the first objects only of every list.

    Linters follow a `$ref` in an example, too, to a place that is not there: JSON Schemas lose theirs.
    """
    if isinstance(content, dict):
        return {name: shortened(inner) for name, inner in content.items() if name not in {"$ref", "$defs"}}
    if isinstance(content, list):
        objects = bool(content) and isinstance(content[0], dict | list)
        return [shortened(one) for one in (content[:LONGEST] if objects else content)]
    return content


def evening(recorder: Recorder) -> None:
    """Play: a gift, a loan, a purchase, corrections, disputes, rulings, invitations."""
    send = recorder.send
    wanted = asked_for("ana", "bob", title="Friday evening", settings={})
    created = send("post", f"{BASE}/games", None, wanted)
    recorder.names["game"] = created["game"]
    banker, ana, bob = (created["tokens"]["banker"], *created["tokens"]["players"].values())
    tokens = {"ana": ana, "bob": bob, None: banker}

    def act(seat: str | None, kind: str, **params: Any) -> int:
        number: int = send("post", "actions", tokens[seat], {"kind": kind, "params": params})["number"]
        return number

    gift = {"kind": "transfer_money", "params": {"to": "bob", "amount": 5}, "seat": "ana"}
    for seat, kind, params in starting("ana", "bob"):
        act(seat, kind, **params)
    recorder.kept.pop("performAction")
    given = send("post", "actions", banker, gift)["number"]
    send("post", "actions", banker, gift | {"dry_run": True})
    act("ana", "take_loan", amount=100)
    act("ana", "roll_dice", dice=[1, 2])
    bought = act("ana", "buy_property")
    mended = {"edits": [{"op": "replace", "action": given, "params": {"to": "bob", "amount": 50}}]}
    mended |= {"cascade": "restate", "reason": "mistyped"}
    send("post", "corrections", banker, mended)
    send("post", "corrections", banker, mended | {"dry_run": True})
    send("post", "undo", banker, {"reason": "Bruno saw 50."})
    send("post", "redo", banker, {"reason": "He saw 5."})
    edits = [{"op": "drop", "action": bought}]
    for claim in ("I never said so.", "It was my turn.", "That was too soon.", "She threw again."):
        number = send("post", "disputes", bob, {"claim": claim, "actions": [bought], "edits": edits})["number"]
        place = f"disputes/{number}"
        recorder.names["dispute"] = str(number)
        if claim == "I never said so.":
            send("post", f"{place}/statements", ana, {"text": "You did."})
            send("post", f"{place}/withdrawal", bob, {})
        if claim == "It was my turn.":
            fine = {"op": "fine", "seat": "ana", "amount": 5, "reason": "a broken glass"}
            send("post", f"{place}/rulings", banker, {"finding": "Ana pays.", "remedies": [fine]})
        if claim == "That was too soon.":
            send("post", f"{place}/acceptance", banker, {"finding": "It was too soon.", "cascade": "restate"})
    send("post", "rulings", banker, {"finding": "A throw off the table is thrown again."})
    invited = send("post", "invitations", banker, {"seat": "ana"})
    send("post", f"{BASE}/join/table", None, {"code": invited["code"]})
    send("post", f"{BASE}/join", None, {"code": invited["code"], "game": recorder.names["game"]})
    send("post", "invitations", banker, {"role": "spectator"})
    held = send("get", "tokens", banker)["tokens"]
    other = next(one["id"] for one in held if one["role"] == "spectator")
    send("post", f"tokens/{other}/replacement", banker)
    head = Note.parse(send("get", "proofs/consistency", banker, **{"from": "1"})["checkpoint"])
    witness = Signer("witness.example/w1", bytes(32), WITNESS)
    signed = head.with_signature(witness.sign(head.text, datetime(2026, 11, 20, 22, 0, tzinfo=UTC)))
    send("post", "checkpoint/cosignatures", banker, {"key": str(witness.verifier), "note": str(signed)})
    recorder.read_the_rest(banker)
    play_again(recorder, banker, bob)


def play_again(recorder: Recorder, banker: str, bob: str) -> None:
    """End the game by Bob's bankruptcy, and take Bob's place in the next game of the table."""
    fine = {"op": "fine", "seat": "bob", "amount": 9000, "reason": "a burned board"}
    recorder.send("post", "rulings", banker, {"finding": "Bob burned the board.", "remedies": [fine]})
    recorder.send("post", "actions", bob, {"kind": "declare_bankruptcy", "params": {}})
    recorder.send("post", f"{BASE}/games", banker, {"again": recorder.names["game"]})
    recorder.send("post", "again", bob)


def try_the_demo(recorder: Recorder) -> list[dict[str, str]]:
    """Lay the demo, read it, and take a seat. Return its games."""
    recorder.send("post", f"{BASE}/demo", None, {})
    games: list[dict[str, str]] = recorder.send("get", f"{BASE}/demo", None)["games"]
    recorder.send("post", f"{BASE}/demo/seats", None, {"name": "evening", "role": "player", "seat": "ana"})
    return games


class SharedThrow:
    """A throw of Ana, Bob and the service: commitments, what is wanted, the values."""

    def __init__(self) -> None:
        self.recorder: Recorder
        self.tokens: dict[str, str] = {}

    def play(self, recorder: Recorder) -> None:
        """Play until Ana and Bob throw together."""
        self.recorder, send = recorder, recorder.send
        created = send("post", f"{BASE}/games", None, asked_for("ana", "bob", settings={}, dice="shared"))
        recorder.names["game"], self.tokens = created["game"], created["tokens"]["players"]
        for seat, token in self.tokens.items():
            send("post", "dice/commitments", token, {"end": self.chain(seat).end.hex(), "length": 1000})
        for seat, kind, params in starting("ana", "bob"):
            token = created["tokens"]["banker"] if seat is None else self.tokens[seat]
            send("post", "actions", token, {"kind": kind, "params": params})
        send("post", "actions", self.tokens["ana"], {"kind": "roll_dice", "params": {}})

    def chain(self, seat: str) -> Chain:
        """The chain of a seat."""
        return Chain(sha256(seat.encode()).digest(), 1000)

    def reveal(self, _: float) -> None:
        """What the seats do while the action waits."""
        for seat, token in self.tokens.items():
            wanted = self.recorder.send("get", "dice", token)["wanted"]
            value = self.chain(seat).value(wanted["seats"][seat]["place"])
            self.recorder.send("post", "dice/values", token, {"throw": wanted["throw"], "value": value.hex()})


MADE_UP = re.compile(
    r"(?<=fridayevening42x\.)[\w-]{32}"  # tokens
    r"|\b[0-9a-f]{64}\b"  # hashes
    r"|\b[0-9a-f]{12}\b"  # ids of tokens and of invitations
    r"|\b[0-9A-Z]{4}-[0-9A-Z]{4}\b"  # codes of invitations
)


def without_chance(text: str, game: str) -> str:
    """The text with the same ids, tokens and hashes every time."""
    text = text.replace(game, "fridayevening42x")
    for number, value in enumerate(dict.fromkeys(MADE_UP.findall(text))):
        digest = sha256(f"{number}".encode()).hexdigest()
        again = (
            f"{digest[:4]}-{digest[4:8]}".upper()
            if "-" in value[4:5] and len(value) == 9
            else digest[: len(value)]
        )
        text = text.replace(value, again)
    return text


def record(database: str) -> bytes:
    """Play the evening on an empty, migrated database, and give the content of the file of examples."""
    engine = connect(database)
    clock = Clock(datetime(2026, 11, 20, 20, 0, tzinfo=UTC), step=1)
    keys = Keys.of_secret(bytes(32))
    ledger = Ledger(Store(engine), rulebooks_by_id(), clock=clock, chance=Random(1), keys=lambda: keys)
    app = create_app(ledger, Config())
    recorder = Recorder(app.test_client())
    recorder.kept["readDice"] = (None, {})  # comes from a game with shared throws
    recorder.kept["readDemo"] = (None, {})  # comes from a service with a demo
    evening(recorder)
    shared = SharedThrow()
    together = Ledger(Store(engine), rulebooks_by_id(), clock=clock, keys=lambda: keys, sleep=shared.reveal)
    other = Recorder(create_app(together, Config()).test_client())
    shared.play(other)
    recorder.kept |= {name: other.kept[name] for name in ("readDice", "commitToDice", "revealValue")}
    trying = Recorder(create_app(ledger, Config(demo=True)).test_client())
    laid = try_the_demo(trying)
    recorder.kept |= trying.kept
    engine.dispose()
    text = msgspec.json.encode(recorder.examples()).decode()
    for game in laid:
        # The hash of a key depends on the game's id, which is of the installation.
        text = re.sub(rf"{game['game']}\+[0-9a-f]{{8}}", f"{game['name']:x<16}+01234567", text)
        text = text.replace(game["game"], f"{game['name']:x<16}")
    text = without_chance(text, recorder.names["game"])
    return msgspec.json.format(text.encode(), indent=1) + b"\n"


def main() -> None:
    """Write the file of examples, from an evening on a database of its own."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder) / "evening") as server:
        migrate(server.url)
        FILE.write_bytes(record(server.url))


if __name__ == "__main__":
    main()
