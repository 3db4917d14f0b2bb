"""What people call the settings of a game: titles, groups and order, as data.

Each rulebook has a settings.toml beside its settings. The order of its tables is that of the form.

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

`description` is only for a setting whose type has none in both languages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec
import rtoml

from ledger.kernel.language.wording import Group, Phrase


class SettingWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What people call a setting.

    `advanced` is for settings that most tables never change. `unit` says what its number counts, `values` what its
    values are called when it takes one of several.
    """

    group: str
    title: Phrase
    description: Phrase | None = None
    advanced: bool = False
    unit: Literal["money", "percent", "seconds", "turns", "rounds"] | None = None
    values: Mapping[str, Phrase] = {}


class SettingsWording:
    """What people call the settings of one game, in the order of the form, and their groups."""

    def __init__(self, groups: Mapping[str, Group], settings: Mapping[str, SettingWords]) -> None:
        self.groups = groups
        self.settings = settings

    @classmethod
    def read(cls, text: str) -> SettingsWording:
        """From the text of a settings.toml.

        Raises msgspec.ValidationError for a wrong shape, and ValueError for a group that is not declared.
        """
        data = rtoml.loads(text)
        groups = msgspec.convert(data.pop("groups", {}), dict[str, Group])
        settings = msgspec.convert(data, dict[str, SettingWords])
        if unknown := {one.group for one in settings.values()} - groups.keys():
            raise ValueError(f"groups of settings that are not declared: {', '.join(sorted(unknown))}")
        return cls(groups, settings)


UNSAID = SettingsWording({}, {})
"""For rulebooks that say nothing of their settings."""
