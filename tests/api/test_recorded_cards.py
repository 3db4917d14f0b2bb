"""The attacker at a table with its own decks: two games that differ in what Bob cannot know of Ana.

Bob tries every action with every card, as a dry run and for good. The banker takes back what was accepted, so that
he can go on. Both games must give him the same answers (I.C.6).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.harness.attempts import GAME
from tests.harness.comparable import comparable
from tests.harness.offered import actions_of
from tests.harness.secrecy import Asked, Chair, assert_alike
from tests.properties.commands import SOAK
from tests.tables.over_http import BASE, HttpTable

CHANCE = [
    {"id": f"own_{number}", "title": f"Card {number}", "keep": True, "timing": "own_turn"} for number in range(4)
]
KAMTAR = [f"kamtar_{number:02}" for number in range(1, 13)]
SETTINGS = {"movement_dice": 7, "decks": {"chance": CHANCE, "meteo": []}}
ONTO_CHANCE, ONTO_KAMTAR, OVER_KAMTAR = [1] * 7, [5] * 7, [5, 5, 5, 5, 5, 6, 6]


@dataclass(frozen=True)
class Drawing:
    """Ana's roll and the action by which she draws; Bob's roll and his; the card that Ana draws in each game."""

    rolled: list[int]
    drawn_by: str
    onto: list[int]
    kind: str
    cards: tuple[str, str]


DRAWINGS = {
    "chance": Drawing(ONTO_CHANCE, "resolve_square", ONTO_CHANCE, "resolve_square", ("own_0", "own_1")),
    "kamtar": Drawing(ONTO_KAMTAR, "buy_kamtar_card", ONTO_KAMTAR, "buy_kamtar_card", ("kamtar_03", "kamtar_10")),
    "passing": Drawing(ONTO_KAMTAR, "buy_kamtar_card", OVER_KAMTAR, "answer", ("kamtar_03", "kamtar_10")),
}


@pytest.fixture
def client(unlimited: FlaskClient) -> FlaskClient:
    """A client that may ask as often as it wants."""
    return unlimited


@pytest.fixture(params=DRAWINGS)
def drawing(request: pytest.FixtureRequest) -> Drawing:
    """A way of drawing a card."""
    return DRAWINGS[request.param]


@pytest.fixture
def twins(client: FlaskClient, drawing: Drawing) -> list[HttpTable]:
    """Two tables at which Ana has another perk and has drawn another card, and Bob is about to draw one."""
    tables = [
        HttpTable.created(client, "ana", "bob", settings=SETTINGS).start(ana=perk) for perk in ("money", "doses")
    ]
    for table, card in zip(tables, drawing.cards, strict=True):
        table.ana.play("roll_dice", dice=drawing.rolled)
        table.ana.play(drawing.drawn_by, draws=[card])
        table.ana.play("end_turn")
        table.bob.play("roll_dice", dice=drawing.onto)
    return tables


def attempts(table: HttpTable) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every action, as Bob's moves have it or else bare, and with every card where a card can be named."""
    cards = [*(card["id"] for card in CHANCE), *KAMTAR, "joker"]
    moves: dict[str, list[dict[str, Any]]] = {}
    for move in actions_of(table.bob.get("moves").json["moves"]):
        moves.setdefault(move["kind"], []).append(move["params"])
    for action in table.client.get(f"{BASE}/rulebooks/negopoly/actions").json["actions"]:
        named = {"draws", "card"} & action["parameters"]["properties"].keys()
        for params in moves.get(action["kind"], [{}]):
            yield action["kind"], params
            for name in named:
                for card in cards:
                    yield action["kind"], {**params, name: [card] if name == "draws" else card}


def told(tables: list[HttpTable], answers: list[Any]) -> list[str]:
    """What each answer tells, whatever the table's own id and hashes are."""
    ignored = frozenset({"date", "content-length"})
    return [
        comparable(answer, [(table.game, "{game}")], ignored)
        for table, answer in zip(tables, answers, strict=True)
    ]


def test_no_attempt_tells_what_ana_has_drawn(twins: list[HttpTable], drawing: Drawing) -> None:
    accepted: set[str] = set()
    for kind, params in list(attempts(twins[0])):
        for dry_run in (True, False):
            answers = [table.bob.act(kind, params=params, dry_run=dry_run) for table in twins]
            one, other = told(twins, answers)
            assert one == other, f"{kind} {params}"
            if answers[0].status_code >= 400 and not SOAK:
                break  # In a soak, what the dry run refuses is tried for good as well.
            if answers[0].status_code == 201:
                accepted |= {*params.get("draws", ())}
                for table in twins:
                    back = {"action": answers[0].json["number"], "reason": "again"}
                    assert table.banker.post("undo", back).status_code == 201
    assert len(accepted) in {len(CHANCE), len(KAMTAR)}, "every card was drawn once"
    one, other = (
        Chair(table.client, table.game, table.tokens["players"]["bob"], table.tokens["banker"]) for table in twins
    )
    assert_alike(one, other, each=5 if SOAK else 1, chance=Random(str(drawing)))


def test_nothing_tells_it_once_bob_has_drawn_the_card(twins: list[HttpTable], drawing: Drawing) -> None:
    """He draws a card that Ana has in one of the games. There the banker reads why that cannot be."""
    params = next(
        params
        for kind, params in attempts(twins[0])
        if kind == drawing.kind and params.get("draws") == [drawing.cards[0]] and params.get("answer") != "no"
    )
    entries = [table.bob.play(drawing.kind, **params) for table in twins]
    warnings = [table.banker.get(f"actions/{entries[0]['number']}").json["warnings"] for table in twins]
    assert ["(Ana)" in warning["text"] for warning in warnings[0]] == [True]
    assert warnings[1] == []
    assert [entry["warnings"] for entry in entries] == [[], []]
    one, other = (
        Chair(table.client, table.game, table.tokens["players"]["bob"], table.tokens["banker"]) for table in twins
    )
    asked = (("account", "player:bob"), ("commodity", f"card:{drawing.cards[0]}"))
    why = Asked("GET", f"/api/v1/games/{GAME}/why", asked)
    assert_alike(one, other, each=8 if SOAK else 1, chance=Random(f"drawn {drawing}"), more=[why])
