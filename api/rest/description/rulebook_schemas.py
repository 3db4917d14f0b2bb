"""The types of answers about rulebooks, their actions and rules."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.wording import Verbs
from ledger.kernel.rules.actions import Actor
from ledger.kernel.rules.display import BoardView
from ledger.kernel.rules.face import BoardFace
from ledger.kernel.rules.register import Rule
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.moves.shown import GroupView


class PlayerCount(msgspec.Struct, frozen=True):
    """The smallest and the largest number of players."""

    fewest: int
    most: int


class RulebookSummary(msgspec.Struct, frozen=True):
    """A rulebook of the service. `face` is the look of the usual board, if the game has a board."""

    id: str
    title: str
    players: PlayerCount
    face: BoardFace | UnsetType = UNSET


class Rulebooks(msgspec.Struct, frozen=True):
    """The rulebooks of the service."""

    rulebooks: tuple[RulebookSummary, ...]


class EditionView(msgspec.Struct, frozen=True):
    """An edition of a game, with the board of a game with the default settings, if it has one."""

    id: str
    title: str
    board: BoardView | UnsetType = UNSET


class GameBoard(BoardView, frozen=True, kw_only=True):
    """The board of a game.

    `pieces` are there where a table may bring its own: what the game is played with, in the rulebook's own words
    (squares with their prices and rents, groups, decks, cards and their effects).
    """

    pieces: dict[str, Any] | UnsetType = UNSET


class RulebookView(msgspec.Struct, frozen=True, kw_only=True):
    """A rulebook, with everything that a frontend needs to create a game and to draw its table.

    `settings` is a JSON Schema with the defaults, in the order of the form: each setting has a title, a
    description, `x-group`, `x-order` and `x-advanced`; `x-groups` has the titles of the groups.
    """

    id: str
    title: str
    currency: str
    players: PlayerCount
    settings: dict[str, Any]
    agreements: tuple[str, ...]
    components: dict[str, Any]
    board: BoardView | UnsetType = UNSET
    """The board of a game with the default settings, for drawing."""
    squares: tuple[dict[str, Any], ...]
    """The squares of the default board in the rulebook's own words: prices, titles, kinds."""
    editions: tuple[EditionView, ...]
    """The editions of the rulebook."""
    takes_editions: bool
    """True if a new game may bring its own edition."""


class ActionView(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of action: who may ask for it and when, its rules, and its parameters as a JSON Schema.

    `label`, `verbs`, `group`, `bare` and `final` are those of its moves (see `ShownMove`), where these have none
    of their own.
    """

    kind: str
    label: Phrase
    verbs: Verbs
    group: GroupView
    bare: bool
    final: bool
    chapter: str
    by: tuple[Actor, ...]
    rules: tuple[str, ...]
    summary: str
    when: str
    parameters: dict[str, Any]


class Catalogue(msgspec.Struct, frozen=True):
    """All kinds of action of a rulebook."""

    actions: tuple[ActionView, ...]


class RuleView(msgspec.Struct, frozen=True, kw_only=True):
    """A numbered rule: its article, its requirement, and the decision taken where the document is silent.

    A rule with a `decision` is decided by the rulebook, because the document leaves the point open; `settings` are
    the settings of a game that decide otherwise.
    """

    id: str
    article: str
    title: str
    requires: str
    category: str
    actions: tuple[str, ...]
    decision: str
    settings: tuple[str, ...]

    @classmethod
    def of(cls, rule: Rule, rulebook: Rulebook[Any]) -> RuleView:
        """Build the view of a rule."""
        return cls(
            id=rule.id,
            article=rule.article,
            title=rule.title,
            requires=rule.requires,
            category=rule.category,
            actions=rule.actions,
            decision=rule.decision,
            settings=rulebook.settings_for(rule.id),
        )


class RulebookSettings(msgspec.Struct, frozen=True):
    """The settings of a rulebook's games: a JSON Schema with the defaults, in the order of the form.

    Each setting has a title, a `description` of one sentence, `x-group`, `x-order` and `x-advanced`; the commonest
    house rules have `x-first`, and come at the beginning. `x-groups` has the titles of the groups.
    """

    rulebook: str
    settings: dict[str, Any]


class Rules(msgspec.Struct, frozen=True):
    """Rules of a register, in the order of their document."""

    rules: tuple[RuleView, ...]
