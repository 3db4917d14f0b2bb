"""The plan of an evening: everything that a seed decides before the first action."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.boards import BOARDS, board

RULEBOOKS = ("negopoly", "negoces2", "monopoly_naruto", "monopolys", "monopoly", "virtual_revolution")
NAMES = ("Zoé", "Łukasz", "Ana Ruiz", "Bob", "Chloé", "Driss")
SEATS = ("q7", "k5x", "w2", "zz9", "x_3", "v8k")
"""Ids that are part of no word, so that an id in a sentence is seen."""
BROUGHT = (None, "", *BOARDS, *BOARDS)
"""The boards of evenings on a table's own: the rulebook's, the town as a document, and those of other tables."""
_SEATED = {"negoces2": (4, 4), "virtual_revolution": (2, 4)}
_CLOCKS = {"negopoly": ("turn_seconds", (2, 3, 600)), "virtual_revolution": ("answer_seconds", (2, 3, 0))}
"""The setting of each clock in seconds: short ones run out while people play."""
_AUCTION_SECONDS = (2, 5, 60)
_LEFT_ALONE = frozenset(
    {"pieces", "board", "decks", "names", "labels", "division", "starting_cash", "starting_balance"}
)
"""Settings that are pieces, or that must fit to other values."""


@dataclass(frozen=True)
class Plan:
    """An evening: its seed, its table and its steps. `kept` are the numbers of those that are taken; None: all."""

    seed: str
    rulebook: str
    dice: str
    players: tuple[tuple[str, str], ...]
    settings: Mapping[str, Any]
    board: str | None
    """The name of the board that the table brings (tests/boards); "" is the small town, None none."""
    languages: Mapping[str, str]
    workers: int
    steps: int
    kept: tuple[int, ...] | None = None
    extras: frozenset[str] = field(default_factory=frozenset)
    """What happens besides: "restart", "kill", "backup", "second service", "older schema", "older game"."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the steps that are taken."""
        return tuple(range(self.steps)) if self.kept is None else self.kept

    def chance(self, step: int) -> Random:
        """Give the chance of one step: the same whichever other steps are taken."""
        return Random(f"{self.seed} step {step}")

    def __str__(self) -> str:
        """Say what is played, in a line."""
        edition = "" if self.board is None else f" (own board {self.board or 'of the town'})"
        settings = ", ".join(f"{name}={value}" for name, value in sorted(self.settings.items()))
        extras = ", ".join(sorted(self.extras)) or "nothing besides"
        return (
            f"{self.rulebook}{edition}, {self.dice} dice, {len(self.players)} seats, {self.workers} worker(s), "
            f"{len(self.numbers)} steps; {settings or 'default settings'}; {extras}"
        )


def plan_of(
    seed: str, schemas: Mapping[str, Mapping[str, Any]], *, rulebook: str | None = None, steps: int
) -> Plan:
    """Plan an evening. `schemas` are the schemas of the settings by rulebook."""
    chance = Random(f"{seed} plan")
    drawn = chance.choice(RULEBOOKS)
    rulebook = rulebook or drawn
    fewest, most = _SEATED.get(rulebook, (2, 5))
    brought = chance.choice(BROUGHT) if rulebook == "monopoly" else None
    if brought:
        most = min(most, len(board(brought)["named"].get("tokens", ())) or most)
    count = chance.randint(fewest, most)
    players = tuple(zip(chance.sample(SEATS, count), chance.sample(NAMES, count), strict=True))
    viewers = ("banker", "spectator", *(seat for seat, _ in players))
    dice = chance.choices(("service", "table", "shared", "shared_or_table"), (5, 4, 2, 1))[0]
    settings = _settings(chance, schemas[rulebook], rulebook, [seat for seat, _ in players])
    extras = {name for name, share in _EXTRAS.items() if chance.random() < share}
    return Plan(
        seed=seed,
        rulebook=rulebook,
        dice=dice,
        players=players,
        settings=settings,
        board=brought,
        languages={viewer: chance.choice(("en", "fr")) for viewer in viewers},
        workers=chance.choice((1, 2)),
        steps=steps,
        extras=frozenset(extras),
    )


_EXTRAS = {
    "restart": 0.3,
    "kill": 0.2,
    "backup": 0.2,
    "second service": 0.2,
    "older schema": 0.1,
    "older game": 0.3,
}


def _settings(chance: Random, schema: Mapping[str, Any], rulebook: str, seats: list[str]) -> dict[str, Any]:
    """Choose values for some settings, within the schema. Most evenings leave most of them as they are."""
    share = chance.choice((0.0, 0.1, 0.3))
    chosen: dict[str, Any] = {}
    for name, shape in schema["properties"].items():
        if name not in _LEFT_ALONE and chance.random() < share:
            value = _value(chance, shape)
            if value is not None:
                chosen[name] = value
    if rulebook in _CLOCKS and chance.random() < 0.5:
        name, values = _CLOCKS[rulebook]
        chosen[name] = chance.choice(values)
    if "auction_seconds" in schema["properties"] and chance.random() < 0.5:
        chosen["auction_seconds"] = chance.choice(_AUCTION_SECONDS)
    if "banker_plays" in schema["properties"]:
        chosen["banker_plays"] = chance.choice(seats) if chance.random() < 0.3 else ""
    return chosen


def _value(chance: Random, shape: Mapping[str, Any]) -> Any:
    """Choose a value of a setting; None where its shape is not one of the simple ones."""
    if "anyOf" in shape:
        shape = chance.choice([option for option in shape["anyOf"] if option.get("type") != "null"] or [{}])
    if "enum" in shape:
        return chance.choice(shape["enum"])
    if shape.get("type") == "boolean":
        return chance.random() < 0.5
    if shape.get("type") == "integer":
        least, most = shape.get("minimum", 0), shape.get("maximum", 10)
        usual = shape.get("default") or least
        return chance.choice([least, min(most, usual + 1), min(most, 2 * usual), max(least, usual // 2)])
    return None
