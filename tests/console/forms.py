"""The forms of every kind of action, with the names of a game: what the console's unit tests open."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from ledger.games.game import Game
from ledger.games.moments import Moment
from ledger.games.setups import Setup
from ledger.kernel.deciding.in_memory import GameInMemory
from ledger.kernel.facts.audience import BANKER
from ledger.kernel.facts.labels import BEYOND
from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.words.forms import form_of
from ledger.reading.words.glossary import glossary
from ledger.rulebooks import rulebooks_by_id
from ledger.rulebooks.parts import reading
from ledger.store.records import GameRecord
from replays.simulation import EVENING

FORMS = Path(__file__).parents[2] / "api" / "console" / "src" / "forms" / "made.json"
_SEATS = tuple(Seat(name, name.capitalize()) for name in ("ana", "bob", "cleo", "dan"))


def make() -> None:
    """Write the file: for each game, in each language, the names and the forms by kind."""
    rulebooks = rulebooks_by_id()
    tables = {name: (rulebook, rulebook.settings()) for name, rulebook in rulebooks.items()}
    tables["own board"] = (rulebooks["monopoly"], _own_board(rulebooks["monopoly"]))
    tables.pop("monopoly")
    games = [
        {"game": name, "language": language, **_game(rulebook, settings, language)}
        for name, (rulebook, settings) in tables.items()
        for language in ("en", "fr")
    ]
    FORMS.write_text(json.dumps(games))


def _own_board(rulebook: Rulebook[Any]) -> Any:
    """Return the settings of a game on a board of the table."""
    assert rulebook.editions is not None
    town = reading.data(files("ledger.rulebooks.monopoly") / "editions" / "own", "pieces.toml")
    document = {**town, "title": "A town of our own", "options": {}}
    return msgspec.convert(rulebook.editions.settings_of(document, {}), type(rulebook.settings()))


def _game(rulebook: Rulebook[Any], settings: Any, language: str) -> dict[str, Any]:
    opening = Opening(players=_SEATS, settings=settings, dice="table")
    state = GameInMemory(rulebook, opening, name="g", at=EVENING, chance=Random(1)).state
    record = GameRecord("g", rulebook.id, "A game", EVENING, b"")
    game = Game(record, Setup(players=_SEATS, settings={}, dice="table"), rulebook, None, state)  # type: ignore[arg-type]  # the history is not read
    moment = Moment(None, game, state, BANKER, (state.version, BEYOND), state.version)  # type: ignore[arg-type]
    return {
        "names": msgspec.to_builtins(glossary(moment, language)),
        "forms": {kind: form_of(rulebook, kind, language) for kind in rulebook.actions},
    }


if __name__ == "__main__":
    make()
