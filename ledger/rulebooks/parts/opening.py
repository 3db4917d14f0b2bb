"""The opening of a game: the number of players, the settings of the table, and the first event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeVar

import msgspec
from msgspec import Meta

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible, Malformed
from ledger.kernel.facts.state import Seat
from ledger.kernel.facts.values import of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.draft import Draft
from ledger.kernel.rules.opening import Dice, Opening

T = TypeVar("T", bound=msgspec.Struct)


L = TypeVar("L", bound="LayOut")


class LaidOut(Event, frozen=True, kw_only=True):
    """The first event of a game: the seats, the settings of the table, and the source of dice.

    A state that it lays out has an `order` of seats, and `settings` of the game's type. Among the settings of
    every game is `reveal_at_end` (`RevealAtEnd`), with the default of its rules. A game may have the setting
    `banker_plays` (`BankerPlays`).
    """

    en: ClassVar[str] = "A game is laid out for {names:list}."
    fr: ClassVar[str] = "Une partie est installée pour {names:list}."

    players: tuple[Seat, ...]
    settings: dict[str, Any]
    dice: str

    @property
    def names(self) -> list[str]:
        """The players' names, in the order of their seats."""
        return [player.name for player in self.players]

    def apply(self, state: Any) -> None:
        """Store the seats in the order given, the settings, and whether the end of the game reveals everything.

        A game keeps its settings for ever, also those that a later version no longer offers.
        """
        state.seats = {player.seat: player for player in self.players}
        state.order = tuple(state.seats)
        state.settings = kept(type(state.settings), self.settings)
        state.reveals_at_end = state.settings.reveal_at_end
        state.banker_plays = getattr(state.settings, "banker_plays", "") or None
        state.dice = "table" if self.dice == "table" else "service"
        state.shared = self.dice if self.dice.startswith("shared") else ""


class LayOut(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first action of a game, by the service."""

    players: Annotated[tuple[Seat, ...], of_kind("players")]
    settings: Annotated[dict[str, Any], of_kind("settings")]
    dice: Dice

    @property
    def told(self) -> dict[str, Any]:
        """The fields of the action, for the event that lays out the game."""
        return {"players": self.players, "settings": self.settings, "dice": self.dice}

    @classmethod
    def choices(cls, state: Any, seat: str) -> Iterable[Choice]:
        """Never a move of a seat."""
        return ()


def lay_out(action: type[L], opening: Opening) -> L:
    """Return the first action of a game, of this kind, for this opening."""
    return action(players=opening.players, settings=msgspec.to_builtins(opening.settings), dice=opening.dice)


def require_players(
    title: str, players: Iterable[Seat], bounds: tuple[int, int], *, rule: str | None = None
) -> None:
    """Refuse a number of players outside the game's bounds. Raises Malformed."""
    fewest, most = bounds
    count = len(tuple(players))
    if fewest <= count <= most:
        return
    cited = "" if rule is None else f" ({rule})"
    if fewest == most:
        raise Malformed(
            "{title} is played by exactly {most} players, not {count}{cited}",
            "{title} se joue à {most} joueurs exactement, pas à {count}{cited}",
            title=title,
            most=most,
            count=count,
            cited=cited,
        )
    raise Malformed(
        "{title} is played by {fewest} to {most} players, not {count}{cited}",
        "{title} se joue de {fewest} à {most} joueurs, pas {count}{cited}",
        title=title,
        fewest=fewest,
        most=most,
        count=count,
        cited=cited,
    )


def require_no_table(draft: Draft[Any], rule: str) -> None:
    """Refuse by the rule to lay out a table a second time. Raises Impossible."""
    if draft.state.version:
        raise Impossible(rule, "the table is laid out already", "la table est déjà installée")


# ----------------------------------------------------------------------------------------------
# Settings
# ----------------------------------------------------------------------------------------------


def said(row: Mapping[str, Any]) -> Meta:
    """The description and bounds of a setting: a row with `en`, `fr`, and perhaps `minimum` and `maximum`."""
    return Meta(
        description=row["en"],
        ge=row.get("minimum"),
        le=row.get("maximum"),
        extra_json_schema={"description_fr": row["fr"]},
    )


RevealAtEnd = Annotated[
    bool,
    said(
        {
            "en": "Whether the end of the game reveals everything to everybody: hands, holdings, hidden actions. "
            "Otherwise everybody keeps seeing what they saw, and the winners.",
            "fr": "Si la fin de la partie révèle tout à tous : mains, biens, actions cachées. Sinon chacun "
            "continue de voir ce qu'il voyait, et les vainqueurs.",
        }
    ),
]
"""The setting by which a table chooses what its end reveals. Each game has it, with the default of its rules."""

BankerPlays = Annotated[
    str,
    said(
        {
            "en": "The seat that the banker plays. The banker then sees what that player sees, until the game "
            "reveals everything. Empty: the banker does not play.",
            "fr": "Le siège que joue le banquier. Il voit alors ce que voit ce joueur, jusqu'à ce que la partie "
            "révèle tout. Vide : le banquier ne joue pas.",
        }
    ),
]
"""The setting by which a table says which seat its banker plays; its default is ""."""


def require_banker_at_table(opened: Opening) -> None:
    """Refuse a setting `banker_plays` that names none of the seats. Raises Malformed."""
    plays = getattr(opened.settings, "banker_plays", "")
    seats = [one.seat for one in opened.players]
    if plays and plays not in seats:
        raise Malformed(
            "banker_plays: there is no seat {seat!r}; the seats are: {seats:list}",
            "banker_plays : il n'y a pas de siège {seat!r} ; les sièges sont : {seats:list}",
            seat=plays,
            seats=seats,
            place="/banker_plays",
        )


_PLAYED_BY: Mapping[str, Any] = {
    "reveal_at_end": True,
    "debts_first": False,
    "titles_to": "unpaid",
    "stay_by_throw": False,
    "debts_before_fine": False,
}
"""What a game was played by whose stored settings are older than these."""


def settings_type(rows: Mapping[str, Mapping[str, Any]], more: Iterable[tuple[str, Any, Any]] = ()) -> Any:
    """The type of a game's settings: a field for each row, and the fields in `more`: name, type and default.

    A row has a `default`, and the fields that `said` reads. A setting with `choices` takes one of them; any other
    takes a value of the type of its default.
    """

    def type_of(row: Mapping[str, Any]) -> Any:
        choices = tuple(row.get("choices", ()))
        return Literal[choices] if choices else type(row["default"])

    fields = [(name, Annotated[type_of(row), said(row)], row["default"]) for name, row in rows.items()]
    return msgspec.defstruct("Settings", [*fields, *more], frozen=True, kw_only=True, forbid_unknown_fields=True)


def with_defaults(settings: type[T], defaults: Mapping[str, Any]) -> type[T]:
    """The settings with other defaults. Raises msgspec.ValidationError for wrong ones."""
    chosen = msgspec.convert(defaults, settings)
    fields = [
        (field.name, field.type, getattr(chosen, field.name))
        for field in msgspec.structs.fields(settings)
        if field.name in defaults
    ]
    return msgspec.defstruct(
        settings.__name__,
        fields,
        bases=(settings,),
        namespace={"__doc__": settings.__doc__},
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )  # type: ignore[return-value]


def kept(settings: type[T], stored: Mapping[str, Any]) -> T:
    """The settings of a stored game, without those that are no longer offered.

    A game that was stored before there was a setting keeps what it was played by.
    """
    said = {**_PLAYED_BY, **stored}
    return msgspec.convert({name: said[name] for name in settings.__struct_fields__ if name in said}, settings)
