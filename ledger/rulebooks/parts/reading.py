"""Reading a game's data from TOML files: register of rules, pieces, statistics."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, TypeVar

import msgspec
import rtoml

from ledger.kernel.language.parameter_words import ParameterWording
from ledger.kernel.language.setting_words import SettingsWording
from ledger.kernel.language.wording import Wording
from ledger.kernel.rules.register import Register
from ledger.rulebooks.parts.tallies import Tallies

P = TypeVar("P", bound=msgspec.Struct)

_ACTIONS = "actions.toml"


def data(folder: Traversable, name: str) -> dict[str, Any]:
    """The contents of a TOML file in a folder."""
    return rtoml.loads(_text(folder, name))


def register(folder: Traversable) -> Register:
    """The register of rules in a folder: rules.toml, and its French translation rules.fr.toml."""
    return Register.read(_text(folder, "rules.toml"), _text(folder, "rules.fr.toml"))


def wording(folder: Traversable) -> Wording:
    """What people call the actions of a game: each actions.toml in its folder and in the rooms there.

    The actions of the docket, which every game has, are in the folder of this module.
    """
    rooms = sorted((one for one in folder.iterdir() if one.is_dir()), key=lambda one: one.name)
    found = [place for place in (files(__package__), folder, *rooms) if (place / _ACTIONS).is_file()]
    return Wording.read(*(_text(place, _ACTIONS) for place in found))


def parameter_wording(folder: Traversable) -> ParameterWording:
    """The words for a game's parameters: those that all games share, and parameters.toml in a folder, if any."""
    shared = _text(files("ledger.rulebooks.parts"), "parameters.toml")
    own = (_text(folder, "parameters.toml"),) if (folder / "parameters.toml").is_file() else ()
    return ParameterWording.read(shared, *own)


def settings_wording(folder: Traversable) -> SettingsWording:
    """What people call the settings of a game: settings.toml in a folder."""
    return SettingsWording.read(_text(folder, "settings.toml"))


def words(folder: Traversable) -> tuple[Wording, ParameterWording, SettingsWording]:
    """What people call the actions of a game, their parameters, and the settings."""
    return wording(folder), parameter_wording(folder), settings_wording(folder)


def tallies(folder: Traversable) -> Tallies:
    """The statistics of a game's events: statistics.toml in a folder."""
    return Tallies.read(_text(folder, "statistics.toml"))


def pieces(rows: Iterable[dict[str, Any]], kind: type[P], key: str = "id") -> dict[str, P]:
    """The rows of a table as pieces of this kind, by id or another field, in the order of the file.

    Raises msgspec.ValidationError for a row of a wrong shape, ValueError when two have the same id.
    """
    found: dict[str, P] = {}
    for row in rows:
        piece = msgspec.convert(row, kind)
        if found.setdefault(row[key], piece) is not piece:
            raise ValueError(f"two pieces are called {row[key]!r}")
    return found


def _text(folder: Traversable, name: str) -> str:
    return (folder / name).read_text(encoding="utf-8")
