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

    The state of the game has an `order` of seats, and `settings` of the game's type. The settings of every game
    include `reveal_at_end` (`RevealAtEnd`), with the default of the game's rules. A game may have the setting
    `banker_plays` (`BankerPlays`).
    """

    en: ClassVar[str] = "A game is laid out for {names:list}."
    fr: ClassVar[str] = "Une partie est installée pour {names:list}."

    players: tuple[Seat, ...]
    settings: dict[str, Any]
    dice: str

    @property
    def names(self) -> list[str]:
        """The players' names, in the order of the seats."""
        return [player.name for player in self.players]

    def apply(self, state: Any) -> None:
        """Store the seats in the given order, the settings, and the source of dice.

        A game keeps the settings for ever, including settings no longer offered by a later version.
        """
        state.seats = {player.seat: player for player in self.players}
        state.order = tuple(state.seats)
        state.settings = stored_settings(type(state.settings), self.settings)
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
    def event_fields(self) -> dict[str, Any]:
        """The fields of the action for the opening event."""
        return {"players": self.players, "settings": self.settings, "dice": self.dice}

    @classmethod
    def choices(cls, state: Any, seat: str) -> Iterable[Choice]:
        """Offer nothing: no seat may lay out a game."""
        return ()


def lay_out(action: type[L], opening: Opening) -> L:
    """Build the first action of a game from the opening."""
    return action(players=opening.players, settings=msgspec.to_builtins(opening.settings), dice=opening.dice)


def require_players(
    title: str, players: Iterable[Seat], bounds: tuple[int, int], *, rule: str | None = None
) -> None:
    """Refuse a number of players outside the game's bounds. Raises Malformed."""
    minimum, maximum = bounds
    count = len(tuple(players))
    if minimum <= count <= maximum:
        return
    cited = "" if rule is None else f" ({rule})"
    if minimum == maximum:
        raise Malformed(
            "{title} is played by exactly {most} players, not {count}{cited}",
            "{title} se joue à {most} joueurs exactement, pas à {count}{cited}",
            title=title,
            most=maximum,
            count=count,
            cited=cited,
        )
    raise Malformed(
        "{title} is played by {fewest} to {most} players, not {count}{cited}",
        "{title} se joue de {fewest} à {most} joueurs, pas {count}{cited}",
        title=title,
        fewest=minimum,
        most=maximum,
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


def setting_meta(row: Mapping[str, Any]) -> Meta:
    """Build the description and bounds of a setting from a row with `en`, `fr`, and perhaps `minimum` and
    `maximum`.
    """
    return Meta(
        description=row["en"],
        ge=row.get("minimum"),
        le=row.get("maximum"),
        extra_json_schema={"description_fr": row["fr"]},
    )


RevealAtEnd = Annotated[
    bool,
    setting_meta(
        {
            "en": "Whether the end of the game reveals everything to everybody: hands, holdings, hidden actions. "
            "Otherwise everybody keeps seeing what they saw, and the winners.",
            "fr": "Si la fin de la partie révèle tout à tous : mains, biens, actions cachées. Sinon chacun "
            "continue de voir ce qu'il voyait, et les vainqueurs.",
        }
    ),
]
"""The setting for the secrets revealed by the end of a game. Each game has the setting, with a default by its
rules.
"""

BankerPlays = Annotated[
    str,
    setting_meta(
        {
            "en": "The seat that the banker plays. The banker then sees what that player sees, until the game "
            "reveals everything. Empty: the banker does not play.",
            "fr": "Le siège que joue le banquier. Il voit alors ce que voit ce joueur, jusqu'à ce que la partie "
            "révèle tout. Vide : le banquier ne joue pas.",
        }
    ),
]
"""The setting for the seat played by the banker; the default is ""."""


def require_banker_at_table(opened: Opening) -> None:
    """Check the setting `banker_plays`. Raises Malformed for an unknown seat."""
    plays = getattr(opened.settings, "banker_plays", "")
    seats = [player.seat for player in opened.players]
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
    "lots_open_at_once": False,
    "salary_each_pass": False,
}
"""Values for settings missing in older stored games: the rules of the time."""


def settings_type(rows: Mapping[str, Mapping[str, Any]], extra: Iterable[tuple[str, Any, Any]] = ()) -> Any:
    """Build the type of a game's settings: a field for each row, and the fields in `extra`: name, type and
    default.

    A row has a `default`, and the fields read by `setting_meta`. A setting with `choices` takes one of them;
    any other takes a value of the default's type.
    """

    def type_of(row: Mapping[str, Any]) -> Any:
        choices = tuple(row.get("choices", ()))
        return Literal[choices] if choices else type(row["default"])

    fields = [(name, Annotated[type_of(row), setting_meta(row)], row["default"]) for name, row in rows.items()]
    return msgspec.defstruct("Settings", [*fields, *extra], frozen=True, kw_only=True, forbid_unknown_fields=True)


def with_defaults(settings: type[T], defaults: Mapping[str, Any]) -> type[T]:
    """Build settings with different defaults. Raises msgspec.ValidationError for wrong defaults."""
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


def stored_settings(settings: type[T], stored: Mapping[str, Any]) -> T:
    """Return the settings of a stored game, without those that are no longer offered.

    A game stored before the introduction of a setting keeps to the rule of the time.
    """
    values = {**_PLAYED_BY, **stored}
    return msgspec.convert({name: values[name] for name in settings.__struct_fields__ if name in values}, settings)
