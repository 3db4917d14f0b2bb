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


_LAST_ROUND = 400
"""The round after which the richest wins, where the rules have a limit: two rich players may go on for ever."""


def tables_for(rules: Rules) -> Sequence[Mapping[str, Any]]:
    """Return the settings of each table playable by an edition's rules."""
    limit = {"rounds": _LAST_ROUND} if "limit" in rules.roles else {}
    return [{**limit, **table.settings} for table in _TABLES if table.needs is None or table.needs in rules.roles]
