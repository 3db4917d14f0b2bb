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
from ledger.kernel.rules import revisions as mending
from ledger.kernel.rules.faces.tallies import Tallies
from ledger.kernel.rules.register import Register

P = TypeVar("P", bound=msgspec.Struct)

_ACTIONS = "actions.toml"


def data(folder: Traversable, name: str) -> dict[str, Any]:
    """Read a TOML file in a folder."""
    return rtoml.loads(_text(folder, name))


def register(folder: Traversable) -> Register:
    """Read the register of rules in a folder: rules.toml."""
    return Register.read(_text(folder, "rules.toml"))


def revisions(folder: Traversable) -> tuple[mending.Revision, ...]:
    """Read the revisions of a game's rules: revisions.toml in a folder."""
    return mending.read(_text(folder, "revisions.toml"))


def wording(folder: Traversable) -> Wording:
    """Read the names of a game's actions: actions.toml in the folder and in each room.

    The actions of the docket, shared by all games, are in the folder of this module.
    """
    rooms = sorted((room for room in folder.iterdir() if room.is_dir()), key=lambda room: room.name)
    folders = [source for source in (files(__package__), folder, *rooms) if (source / _ACTIONS).is_file()]
    return Wording.read(*(_text(source, _ACTIONS) for source in folders))


def parameter_wording(folder: Traversable) -> ParameterWording:
    """Read the words for a game's parameters: the words of all games, and the folder's parameters.toml, if any."""
    shared = _text(files("ledger.rulebooks.parts"), "parameters.toml")
    extra = (_text(folder, "parameters.toml"),) if (folder / "parameters.toml").is_file() else ()
    return ParameterWording.read(shared, *extra)


def settings_wording(folder: Traversable) -> SettingsWording:
    """Read the names of a game's settings: settings.toml in a folder."""
    return SettingsWording.read(_text(folder, "settings.toml"))


def words(folder: Traversable) -> tuple[Wording, ParameterWording, SettingsWording]:
    """Read the names of a game's actions, of the actions' parameters, and of the settings."""
    return wording(folder), parameter_wording(folder), settings_wording(folder)


def tallies(folder: Traversable) -> Tallies:
    """Read the statistics of a game's events: statistics.toml in a folder."""
    return Tallies.read(_text(folder, "statistics.toml"))


def pieces(rows: Iterable[dict[str, Any]], kind: type[P], key: str = "id") -> dict[str, P]:
    """Convert the rows of a table to pieces of a kind, by id or another field, in the order of the file.

    Raises msgspec.ValidationError for a row of a wrong shape, ValueError for a repeated id.
    """
    result: dict[str, P] = {}
    for row in rows:
        piece = msgspec.convert(row, kind)
        if result.setdefault(row[key], piece) is not piece:
            raise ValueError(f"two pieces are called {row[key]!r}")
    return result


def _text(folder: Traversable, name: str) -> str:
    return (folder / name).read_text(encoding="utf-8")
