"""Editions: several games played by one engine, each a folder of data.

An edition is a folder with

- `edition.toml`: the id, title and currency, the settings different from the engine's, and under `rules`
  a table from the engine's roles (`rent`, `mortgage`…) to the ids of the edition's rules;
- `rules.toml`: the register;
- `pieces.toml`: the board, titles, cards and prices;
- `face.toml`: the look on a screen, if not that of the house.

The engine declares the shape of an edition in two structs: `Pieces` is the shape of pieces.toml, `Rules` has a
field for each role, or a table of roles:

    Town = Edition[Pieces, Rules]
    QUIET = Town.read(files(__package__) / "quiet", Pieces, Rules)

A rulebook is bound to one edition, and passes it on to the states of its games (`Rulebook.shared`). An engine's
state has a field for the edition, and actions, choices and events read everything from the field:

    class State(kernel.State, kw_only=True):
        edition: Town

    draft.state.edition.rules.rent              the id of the edition's rule
    state.edition.pieces.squares                the board

A table may bring pieces of its own (`with_pieces`) if edition.toml says `takes_own = true`. The pieces are part
of the event that lays out the game, and of the game's states, so the journal is complete in itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import Any, Generic, Self, TypeVar

import msgspec

from ledger.kernel.facts.state import Shared
from ledger.kernel.rules.register import Register
from ledger.rulebooks.parts import reading
from ledger.rulebooks.parts.face.faces import Face, read

P = TypeVar("P", bound=msgspec.Struct)
R = TypeVar("R", bound=msgspec.Struct)


class _Declared(msgspec.Struct, forbid_unknown_fields=True):
    """The contents of an edition.toml."""

    id: str
    title: str
    currency: str
    rules: dict[str, Any]
    settings: dict[str, Any] = {}
    takes_own: bool = False


def _named_in(roles: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Iterate over the roles of a table and of the tables inside, each with a rule."""
    for role, rule in roles.items():
        if isinstance(rule, str):
            yield role, rule
        else:
            yield from _named_in(rule)


class Edition(Shared, Generic[P, R]):
    """An edition of an engine, with the pieces in play: the edition's or a table's own.

    Raises ValueError when a role names a rule that is not in the register.
    """

    __slots__ = (
        "currency",
        "face",
        "has_own_pieces",
        "id",
        "pieces",
        "register",
        "rules",
        "settings",
        "takes_own",
        "title",
    )

    def __init__(
        self,
        *,
        id: str,  # noqa: A002 - the word for it everywhere
        title: str,
        currency: str,
        register: Register,
        pieces: P,
        rules: R,
        settings: Mapping[str, Any],
        face: Face | None = None,
        has_own_pieces: bool = False,
        takes_own: bool = False,
    ) -> None:
        self.id = id
        self.title = title
        self.currency = currency
        """The commodity for money."""
        self.register = register
        self.pieces = pieces
        self.rules = rules
        self.settings = settings
        """The defaults different from the engine's defaults."""
        self.face = Face() if face is None else face
        """The look of the edition; a table's own pieces may have a look of their own."""
        self.has_own_pieces = has_own_pieces
        """True if the pieces are a table's own."""
        self.takes_own = takes_own
        """True if a table may bring its own pieces."""
        named = _named_in(msgspec.to_builtins(rules))
        if unknown := [f"{role} ({rule})" for role, rule in named if rule and rule not in register]:
            raise ValueError(f"edition {id}: its register has no rule for {', '.join(unknown)}")

    @classmethod
    def read(cls, folder: Traversable, pieces: type[P], rules: type[R]) -> Edition[P, R]:
        """Read the edition in a folder. Raises msgspec.ValidationError or ValueError for wrong data."""
        declared = msgspec.convert(reading.data(folder, "edition.toml"), _Declared)
        return cls(
            id=declared.id,
            title=declared.title,
            currency=declared.currency,
            register=reading.register(folder),
            pieces=msgspec.convert(reading.data(folder, "pieces.toml"), pieces),
            rules=msgspec.convert(declared.rules, rules),
            settings=declared.settings,
            face=read(folder),
            takes_own=declared.takes_own,
        )

    def with_pieces(self, pieces: P) -> Self:
        """Copy the edition with a table's own pieces."""
        return type(self)(
            id=self.id,
            title=self.title,
            currency=self.currency,
            register=self.register,
            pieces=pieces,
            rules=self.rules,
            settings=self.settings,
            face=self.face,
            has_own_pieces=True,
            takes_own=self.takes_own,
        )

    def name(self) -> Any:
        """Return the data for a snapshot: the edition's id, and a table's own pieces."""
        return {"id": self.id, "pieces": self.pieces if self.has_own_pieces else None}

    def named(self, stored: Any) -> Self:
        """Return the edition of a snapshot's data. Raises msgspec.ValidationError for another edition's data."""
        if stored["id"] != self.id:
            raise msgspec.ValidationError(f"the edition is {stored['id']}, and not {self.id}")
        if stored["pieces"] is None:
            return self
        return self.with_pieces(msgspec.convert(stored["pieces"], type(self.pieces)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Edition) and self.id == other.id and self.pieces == other.pieces

    __hash__ = None  # type: ignore[assignment]
