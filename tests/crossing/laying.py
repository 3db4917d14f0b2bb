"""Laying a table: a new game, a game on a board of the table's own, or a stored game of an earlier version."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

import msgspec

from ledger.kernel.journal.entry import canonical
from ledger.rulebooks.parts import reading
from tests.boards import board
from tests.crossing.findings import EveningBroken, Finding
from tests.crossing.house import API, House
from tests.crossing.plans import Plan
from tests.crossing.tables import BANKER, SPECTATOR, Table
from tests.golden import DECIDED_OTHERWISE, FOLDER, entries_of
from tests.replays import shelf

_TOKEN = re.compile(r"^  (\S+) +(\S+\.\S+)$", re.MULTILINE)


def lay(house: House, plan: Plan) -> Table:
    """Lay the table of a plan, and let its viewers follow the game."""
    stored = _stored_earlier(house, plan) if "older game" in plan.extras else None
    table = stored or _new(house, plan)
    table.learn(strangers=stored is not None)
    table.follow()
    if table.get(BANKER, "")["dice"].startswith("shared"):
        table.throw_together(table.seats[:2])
    return table


def tokens_in(output: str) -> dict[str, str]:
    """The tokens that a command printed, by viewer."""
    return dict(_TOKEN.findall(output))


def table_of(house: House, created: Any, languages: Any) -> Table:
    """The table of a game that was just created."""
    own = created["tokens"]
    tokens = {BANKER: own["banker"], **own["players"], SPECTATOR: own["spectator"]}
    table = Table(house, created["game"], tokens, languages)
    table.key = created["log"]["key"]
    return table


def _new(house: House, plan: Plan) -> Table:
    asked: dict[str, Any] = {
        "rulebook": plan.rulebook,
        "dice": plan.dice,
        "title": "An evening",
        "players": [{"seat": seat, "name": name} for seat, name in plan.players],
        "settings": dict(plan.settings),
    }
    if plan.board:
        asked["edition"] = board(plan.board)
    elif plan.board is not None:
        folder = files("ledger.rulebooks.monopoly") / "editions" / "own"
        asked["edition"] = {"title": "Our town", **reading.data(folder, "pieces.toml")}
    with house.client() as client:
        answer = client.post(f"{API}/games", json=asked)
        if answer.status_code in {409, 422}:
            # These settings do not fit together, and the answer says so.
            answer = client.post(f"{API}/games", json={**asked, "settings": {}})
    if answer.status_code != 201:
        raise EveningBroken(
            Finding("h", "no game is created", f"{asked}: {answer.status_code} {answer.text[:400]}")
        )
    return table_of(house, answer.json(), plan.languages)


def _stored_earlier(house: House, plan: Plan) -> Table | None:
    """Import a golden journal of the rulebook, to be played on; None where each is there already, or has ended."""
    names = sorted(path.stem for path in FOLDER.glob(f"{plan.rulebook}_v*.jsonl"))
    fit = [name for name in names if name not in DECIDED_OTHERWISE]
    plan.chance(-1).shuffle(fit)
    for name in fit:
        entries = entries_of(name)
        first = json.loads(bytes(entries[0].params))
        setup = {"players": first["players"], "settings": first["settings"], "dice": first["dice"]}
        header = msgspec.structs.replace(shelf.header_of(entries, setup), rulebook=plan.rulebook)
        file = house.folder / f"{name}.jsonl"
        shelf.write_file(file, header, [canonical(entry) for entry in entries])
        ran = house.command("import", file)
        if ran.returncode == 0:
            tokens = tokens_in(ran.stdout)
            languages = {viewer: plan.languages.get(viewer, "en") for viewer in tokens}
            table = Table(house, entries[0].game, tokens, languages)
            table.key = table.me(BANKER)["log"]["key"]
            return table
    return None
