"""Requests of the scenarios about corrections, and readings of balances."""

from __future__ import annotations

from typing import Any

from tests.tables.over_http import HttpTable

MISTAKE = "the amount was misheard"


def drop(*numbers: int) -> list[dict[str, Any]]:
    return [{"op": "drop", "action": number} for number in numbers]


def money(table: HttpTable, query: str = "") -> tuple[int, int]:
    """The balances of Ana and Bob, in ₦."""
    accounts = {row["account"]: row["holdings"] for row in table.banker.get(f"accounts{query}").json["accounts"]}
    ana, bob = (accounts.get(f"player:{seat}", {}).get("NGD", 0) for seat in ("ana", "bob"))
    return ana, bob


def statuses(table: HttpTable, query: str = "") -> dict[int, str]:
    entries = table.banker.get(f"actions{query}").json["actions"]
    return {entry["number"]: entry["status"] for entry in entries}
