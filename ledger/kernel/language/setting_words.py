"""The words for the settings of a game: titles, groups and order, as data.

Each rulebook has a settings.toml beside the settings. The order of the tables is the order of the form.

For example:
    [groups.money]
    order = 2
    label = { en = "Money", fr = "Argent" }
    [starting_balance]
    group = "money"
    title = { en = "Opening balance", fr = "Solde de départ" }
    unit = "money"
    [cyan_free_dose_to]
    group = "places"
    title = { en = "Free dose", fr = "Dose gratuite" }
    advanced = true
    values = { lander = { en = "Who lands there", fr = "Qui y tombe" }, … }

`description` is only for a setting without a description in the type, in both languages.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

import msgspec
import rtoml

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.wording import Group


class SettingWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The words for a setting.

    `advanced` marks settings that most tables never change, `first` the commonest of all. `unit` is the unit of a
    number, `values` the labels of the values of an enumeration.
    """

    group: str
    title: Phrase
    description: Phrase | None = None
    advanced: bool = False
    first: bool = False
    unit: Literal["money", "percent", "seconds", "turns", "rounds"] | None = None
    values: Mapping[str, Phrase] = {}


class SettingsWording:
    """The words for the settings of a game, in the order of the form, and for their groups."""

    def __init__(self, groups: Mapping[str, Group], settings: Mapping[str, SettingWords]) -> None:
        self.groups = groups
        self.settings = settings

    @classmethod
    def read(cls, text: str) -> SettingsWording:
        """Read the text of a settings.toml.

        Raises msgspec.ValidationError for a wrong shape, and ValueError for an undeclared group.
        """
        data = rtoml.loads(text)
        groups = msgspec.convert(data.pop("groups", {}), dict[str, Group])
        settings = msgspec.convert(data, dict[str, SettingWords])
        if unknown := {setting.group for setting in settings.values()} - groups.keys():
            raise ValueError(f"groups of settings that are not declared: {', '.join(sorted(unknown))}")
        return cls(groups, settings)

    def within(self, names: Collection[str], front: SettingsWording | None = None) -> SettingsWording:
        """Return the words for some settings, with the settings and groups of `front` at the front."""
        groups, settings = ({}, {}) if front is None else (front.groups, front.settings)
        others = {name: words for name, words in self.settings.items() if name in names and name not in settings}
        return SettingsWording({**groups, **self.groups}, {**settings, **others})


UNSAID = SettingsWording({}, {})
"""No words: for rulebooks without words for settings."""
