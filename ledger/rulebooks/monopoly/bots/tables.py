"""The tables at which simulated games are played (tables.toml)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import msgspec

from ledger.rulebooks.monopoly.table.roles import Role, Rules


class _Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    needs: Role | None = None
    settings: Mapping[str, Any] = {}


class _Tables(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    table: tuple[_Table, ...]


_TABLES = msgspec.toml.decode((files(__package__) / "tables.toml").read_bytes(), type=_Tables).table


def tables_for(rules: Rules) -> Sequence[Mapping[str, Any]]:
    """The settings of each table at which an edition with these rules can be played."""
    return [one.settings for one in _TABLES if one.needs is None or one.needs in rules.roles]
