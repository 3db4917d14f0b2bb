"""Each board is fit to play, and a whole evening on it keeps every piece, ends its sentences, and folds again."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from api.command.edition.checking import checked
from ledger.kernel.facts.accounts import BANK, BOX
from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.bots import BANKER, RANDOM
from ledger.kernel.rules.opening import Opening
from ledger.rulebooks import rulebooks_by_id
from ledger.rulebooks.monopoly.own_edition import settings_of
from replays import simulation
from tests.boards import BOARDS, FOLDER, board
from tests.monopoly.test_simulated import SOAK, check_sentences

MONOPOLY = rulebooks_by_id()["monopoly"]
ACTIONS = 5000 if SOAK else 400
SEATS = tuple(Seat(name, name.capitalize()) for name in ("ana", "bob", "cleo"))


def evening(name: str, seed: int, strategies: tuple[str, ...]) -> simulation.Played:
    """Three players play on a board, for so many actions or to the end."""
    settings = msgspec.convert(settings_of(board(name), {}), MONOPOLY.settings)
    opening = Opening(players=SEATS, settings=settings, dice="service")
    MONOPOLY.play.opening_action(opening)
    named = {seat.seat: strategy for seat, strategy in zip(SEATS, strategies, strict=True)}
    bots = {**named, BANKER: BANKER}
    return simulation.play(
        MONOPOLY,
        opening,
        seed=seed,
        bots=lambda by: MONOPOLY.simulation.strategies[bots[by]],
        actions=ACTIONS,
        strategies=named,
    )


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_is_fit_to_play_without_a_warning(name: str) -> None:
    """What it says is said in full; what it cannot say stands at its head."""
    found = checked(FOLDER / name)
    assert [finding.describe("en") for finding in (*found.findings, *found.warnings)] == []
    head = (FOLDER / name / "edition.toml").read_text(encoding="utf-8").partition("\ntitle")[0]
    assert "Not said:" in head or "Said exactly:" in head


@pytest.mark.parametrize("strategies", [("bold", "careful", "random"), (RANDOM, RANDOM, RANDOM)])
@pytest.mark.parametrize("name", BOARDS)
def test_an_evening_on_a_board(name: str, strategies: tuple[str, ...]) -> None:
    """Nothing is lost, every line is a sentence in both languages, and the bytes give the same table again.

    Over many evenings every card is drawn.
    """
    waiting: set[str] | None = None
    for seed in range(40 if SOAK else 1):
        game = evening(name, 43 + seed, strategies).game
        drawn = {raw["card"] for raw in _events(game) if raw.get("deck") and raw.get("card")}
        waiting = ({card.id for card in game.state.edition.pieces.cards} if waiting is None else waiting) - drawn
        assert simulation.unbalanced(game.state) == {}
        assert all(amount >= 0 for amount in _least(game.state))
        again = game.past.state_after(game.state.version)
        assert game.rulebook.codec.to_snapshot(again) == game.rulebook.codec.to_snapshot(game.state)
        check_sentences(game)
    assert not SOAK or not waiting


def _least(state: Any) -> list[int]:
    """The least holding of each account that may owe nothing."""
    return [min(held.values()) for account, held in state.holdings.items() if account not in (BANK, BOX) and held]


def _events(game: Any) -> list[dict[str, Any]]:
    return [msgspec.json.decode(raw) for entry in game.journal for raw in entry.events]
