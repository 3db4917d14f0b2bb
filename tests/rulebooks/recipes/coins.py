"""The game of the README, which a reader has added: played, refused, corrected, undone, simulated."""

from __future__ import annotations

from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.opening import Opening
from ledger.rulebooks import rulebooks_by_id
from replays.simulation import outcome_of, play
from tests.harness.playing import Playing, say

RULEBOOK = rulebooks_by_id()["coins"]


def played_refused_and_won() -> None:
    """Ana and Bob take coins in turn; Bob takes the last one, and wins."""
    table = Playing(RULEBOOK, ("ana", "bob"), settings={"pile": 5})
    (taken,) = table.play("ana", "take", amount=3)
    assert say(taken, "en", RULEBOOK.language.speakers(table.state)) == "Ana takes 3 coins."
    table.refused("ana", "take", "coins.1", amount=1)
    table.refused("bob", "take", "coins.1", amount=3)
    assert table.offers("bob", "take") == [{"amount": 1}, {"amount": 2}]
    table.play("bob", "take", amount=2)
    assert (table.state.ended, RULEBOOK.score.winners(table.state)) == (True, ("bob",))
    assert RULEBOOK.screen.summary(table.state) == {"winners": ("bob",)}


def corrected() -> None:
    """Ana had taken two coins: Bob's two are not the last, and the game goes on."""
    table = Playing(RULEBOOK, ("ana", "bob"), settings={"pile": 5})
    table.play("ana", "take", amount=3)
    first = table.number
    table.play("bob", "take", amount=2)
    edit = {"op": "replace", "action": first, "params": {"amount": 2}}
    table.banker("correct", edits=[edit], cascade="restate", reason="a coin miscounted")
    assert (table.state.ended, table.state.turn) == (False, "ana")


def simulated() -> None:
    """Four whims play to the end, and nothing is lost."""
    players = tuple(Seat(name, name.title()) for name in ("ana", "bob", "cid", "dan"))
    opening = Opening(players=players, settings=RULEBOOK.settings(pile=40), dice="service")
    strategies = {
        **RULEBOOK.simulation.strategies,
        **dict.fromkeys((seat.seat for seat in players), RULEBOOK.simulation.strategies["random"]),
    }
    outcome = outcome_of(play(RULEBOOK, opening, seed=1, bots=strategies.__getitem__))
    assert outcome.ended
    assert not outcome.unbalanced


if __name__ == "__main__":
    played_refused_and_won()
    corrected()
    simulated()
