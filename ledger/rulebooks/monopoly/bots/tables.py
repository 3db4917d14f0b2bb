"""The tables of simulated games (tables.toml)."""

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
    """Return the settings of each table playable by an edition's rules."""
    return [table.settings for table in _TABLES if table.needs is None or table.needs in rules.roles]
