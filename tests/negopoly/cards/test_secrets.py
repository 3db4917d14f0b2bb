"""I.C.6: a viewer who may not know a hidden card cannot infer it from any answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from ledger.kernel.deciding.moves import moves
from ledger.kernel.facts.audience import SPECTATOR, Viewer
from ledger.kernel.facts.events import tag_of
from ledger.kernel.journal.sight import view_event, visible_holdings
from ledger.reading.money.standings import standings
from ledger.rulebooks.negopoly import RULEBOOK
from tests.tables.negopoly import Table

CLEO = Viewer("player", "cleo")


def shown(table: Table, viewer: Viewer) -> bytes:
    """Everything that the viewer sees after an action: its events, the state, the accounts, the viewer's moves."""
    state = table.state
    assert table.last is not None
    events = [one for event in table.last.events if (one := view_event(state, event, viewer)) is not None]
    own = [] if viewer.seat is None else moves(RULEBOOK, state, viewer.seat, "player:cleo", viewer, table.now)
    accounts = {
        name: visible_holdings(RULEBOOK.secrets, state, name, viewer) for name, _ in sorted(state.holdings.items())
    }
    return msgspec.json.encode(
        {
            "events": [(tag_of(event), event) for event in events],
            "state": RULEBOOK.screen.view(state, viewer),
            "drawn": [RULEBOOK.screen.display(state, viewer, "en"), RULEBOOK.screen.waiting(state, viewer, "en")],
            "standings": standings(RULEBOOK, state, viewer),
            "accounts": {name: held for name, held in accounts.items() if held},
            "moves": own,
        },
        order="deterministic",
    )


def buys(table: Table, card: str) -> None:
    """Ana buys the card when passing the Kamtar."""
    table.place("ana", 32)
    table.play("ana", "roll_dice", dice=[4, 4])
    table.play("ana", "answer", question=table.state.questions[0].id, answer="buy", draws=[card])


def draws_and_keeps(table: Table, card: str) -> None:
    """Ana draws the card on Chance; both of these are kept."""
    table.place("ana", 4)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "resolve_square", draws=[card])


def sends(table: Table, card: str) -> None:
    """Ana sends Bob her card."""
    table.hand("ana", card)
    table.play("ana", "send_delivery", to="bob", commodity=f"card:{card}")


def sends_express(table: Table, card: str) -> None:
    """Ana sends Bob her card express."""
    table.hand("ana", card)
    table.play("ana", "send_delivery", to="bob", commodity=f"card:{card}", express=True)


def chooses(table: Table, card: str) -> None:
    """Ana, who holds Rouge, has drawn three Chance cards."""
    table.own("ana", "pink_hoodie_studio", "mp7_studio", "pct_studio")
    table.place("ana", 4)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "resolve_square", draws=["chance_01", "chance_02", card])


def gives(table: Table, card: str) -> None:
    """Ana gives Bob the third one, which he keeps."""
    chooses(table, card)
    table.play("ana", "answer", question=table.state.questions[0].id, answer=f"{card}:bob")


def is_asked(table: Table, card: str) -> None:
    """Ana has the card in hand and is checked."""
    table.hand("ana", card)
    table.place("ana", 9)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "resolve_square")


@pytest.mark.parametrize(
    ("happens", "one", "other"),
    [
        (buys, "kamtar_02", "kamtar_03"),
        (draws_and_keeps, "own_1", "own_2"),
        (sends, "kamtar_02", "kamtar_03"),
        (sends_express, "kamtar_02", "kamtar_03"),
        (chooses, "chance_03", "chance_06"),
        (gives, "own_1", "own_2"),
        (is_asked, "kamtar_02", "kamtar_09"),
    ],
)
def test_two_games_that_differ_by_a_hidden_card_look_the_same(
    happens: Callable[[Table, str], None], one: str, other: str
) -> None:
    """Cleo and a spectator are shown the same bytes, whichever of the two cards it is."""
    kept = {"keep": True, "timing": "any_time", "effects": [{"op": "warrant", "target": "drawer", "on": False}]}
    chance: list[dict[str, Any]] = [
        {"id": "own_1", "title": "One", **kept},
        {"id": "own_2", "title": "Two", **kept},
        *({"id": f"chance_{number:02}", "title": f"{number}"} for number in range(1, 7)),
    ]
    tables = []
    for card in (one, other):
        table = Table("ana", "bob", "cleo", decks=True, settings={"decks": {"chance": chance}})
        happens(table, card)
        tables.append(table)
    for viewer in (CLEO, SPECTATOR):
        assert shown(tables[0], viewer) == shown(tables[1], viewer)
    assert shown(tables[0], Viewer("player", "ana")) != shown(tables[1], Viewer("player", "ana"))
