"""What all acts share: the table, its catalogue of actions, and what is known of the game by now."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from tests.crossing.guesses import Guesser
from tests.crossing.tables import BANKER, Table

CASCADES = ("restate", "restate", "restate", "keep", "refuse")
DRY_SHARE = 0.4
"""How often a dry run comes before an act."""


class Hand:
    """The means of those who act. `actions` is the catalogue by kind, `cards` are those of each deck."""

    def __init__(
        self, table: Table, actions: Mapping[str, Mapping[str, Any]], cards: Mapping[str, list[str]]
    ) -> None:
        self.table = table
        self.actions = actions
        self.cards = cards

    def key(self, chance: Random) -> str:
        """Give a key that no other request has."""
        return f"{chance.getrandbits(128):032x}"

    def properties(self, kind: str) -> Mapping[str, Any]:
        """The schemas of the parameters of a kind of action."""
        properties: Mapping[str, Any] = self.actions[kind]["parameters"].get("properties", {})
        return properties

    def awaited(self, chance: Random) -> str:
        """Choose a seat, mostly one that the game waits for."""
        state = self.table.get(BANKER, "state")
        waiting = [one["seat"] for one in state["awaited"] if one["seat"] in self.table.tokens]
        return chance.choice(waiting) if waiting and chance.random() < 0.85 else chance.choice(self.table.seats)

    def clocked(self) -> bool:
        """Whether a clock runs that may act between two requests."""
        state = self.table.get(BANKER, "state")
        return (
            bool(state.get("due"))
            or any("until" in one for one in state["awaited"])
            or (state.get("clock", {}).get("running", False))
        )

    def guesser(self, chance: Random) -> Guesser:
        """Give somebody who guesses by what is known now."""
        return Guesser(chance, self._known(), self.actions)

    def _known(self) -> dict[str, list[Any]]:
        state = self.table.get(BANKER, "state")
        names = self.table.get(BANKER, "names")
        agreements = [
            key for kind in state["agreements"].values() for one in kind for key in [one.get("id")] if key
        ]
        commodities = sorted(names["commodities"])
        return {
            "seat": [*self.table.seats],
            "account": sorted(names["accounts"]),
            "commodity": commodities,
            "title": [one.removeprefix("title:") for one in commodities if one.startswith("title:")],
            "card": [one.removeprefix("card:") for one in commodities if one.startswith("card:")],
            "place": [0, 1, 5, 7, 10],
            "die": [1, 2, 3, 4, 5, 6],
            "agreement": agreements or ["1"],
            "action": [*range(1, state["version"] + 1)],
            "dispute": [one["id"] for one in self.table.get(BANKER, "disputes")["disputes"]] or ["1"],
            "question": [one["id"] for one in state["table"].get("questions", ()) if "id" in one] or ["1"],
        }
