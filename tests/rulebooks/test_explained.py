"""What is no move is explained: every kind of action, in both games, also where there is nothing to choose."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.kernel.deciding.decision import decide
from ledger.kernel.deciding.moves import obstacles, open_to
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.rules.draft import Request
from tests.harness.playing import Playing
from tests.monopoly.table import town
from tests.tables import negoces2, negopoly


def _negopoly() -> Playing[Any]:
    """It is Bob's turn."""
    table = negopoly.Table("ana", "bob", "cleo")
    table.turn("ana", 1, 2)
    return table


def _negoces2() -> Playing[Any]:
    """Ana is the seller, and nothing is for sale yet."""
    return negoces2.Table()


@pytest.mark.parametrize("table", [_negopoly(), _negoces2()], ids=["negopoly", "negoces2"])
def test_whatever_is_no_move_says_what_a_dry_run_would_be_refused_by(table: Playing[Any]) -> None:
    rulebook = table.rulebook
    explained = 0
    for seat in table.state.seats:
        viewer = Viewer("player", seat)
        moves = {move.kind for move in table.moves(seat)}
        for kind in {kind for kind, one in rulebook.actions.items() if open_to(one, viewer)} - moves:
            found = obstacles(rulebook, table.state, seat, rulebook.accounts.purse(seat), viewer, table.now, kind)
            assert found, f"{kind} is no move of {seat}, and nothing says why"
            for one in found:
                action = rulebook.codec.action(kind, msgspec.json.encode(one.params))
                if action.correction_request() is not None:
                    continue
                with pytest.raises(Refusal) as refused:
                    decide(
                        rulebook,
                        table.state,
                        Request(action=action, seat=seat, by=seat, at=table.now),
                        chance=None,
                    )
                assert refused.value.en == one.refusal.en
                explained += 1
    assert explained > 20


def test_out_of_turn_the_turn_is_what_refuses_a_purchase() -> None:
    table = _negopoly()
    viewer = Viewer("player", "cleo")
    (found,) = obstacles(table.rulebook, table.state, "cleo", "player:cleo", viewer, table.now, "buy_property")
    assert (found.refusal.rule, found.refusal.en) == ("II.D.4", "it is Bob's turn, not Cleo's")


def test_without_a_choice_the_seats_own_things_are_what_is_explained() -> None:
    """Ana's one title is mortgaged; Bob has none, and the first title of others stands for all."""
    table = town()
    table.give("ana", "tansy_row")
    table.mortgaged("tansy_row")
    answers = []
    for seat in ("ana", "bob"):
        purse, viewer = f"player:{seat}", Viewer("player", seat)
        (obstacle,) = obstacles(table.rulebook, table.state, seat, purse, viewer, table.now, "mortgage")
        answers.append((obstacle.params, obstacle.refusal.en))
    assert answers == [
        ({"title": "tansy_row"}, "Tansy Row is mortgaged already"),
        ({"title": "candle_wharf"}, "Candle Wharf is not Bob's"),
    ]
