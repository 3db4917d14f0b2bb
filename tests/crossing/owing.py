"""Who owes whom: every reading says the same, and what a move says that it settles is settled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from tests.crossing.tables import BANKER, SPECTATOR, Table

Row = Mapping[str, Any]
_MATTER = ("kind", "debtor", "creditor", "about", "part", "since")


class Owing:
    """The invariants of obligations (i)."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def readings(self, viewer: str) -> None:
        """The list and the state are alike; the statements of both accounts have the same rows."""
        table = self._table
        state = table.get(viewer, "state")
        rows = table.get(viewer, "obligations")["obligations"]
        if state["version"] != table.head:
            return
        table.holds(
            "i", "state and list owe otherwise", true=rows == state["obligations"], text=f"{viewer}: {rows}"
        )
        for row in rows[-2:]:
            for side, accounts in (("owed", [row.get("creditor")]), ("owes", self._accounts(row.get("debtor")))):
                # An account that is empty now has a statement, too.
                answers = [
                    table.ask(viewer, "GET", f"accounts/{account}/statement", query={"limit": 1})
                    for account in accounts
                    if account is not None
                ]
                told = [answer.json[side] for answer in answers if answer.good]
                known = not told or any(row in rows for rows in told)
                table.holds(
                    "i",
                    f"a statement leaves out what is {side}",
                    true=known or table.head != state["version"],
                    text=f"{viewer}: {row} is not in {told} of {accounts}",
                )

    def _accounts(self, seat: str | None) -> list[str]:
        owners = self._table.get(BANKER, "names")["owners"]
        return [account for account, owner in owners.items() if owner == seat]

    def spectator(self) -> None:
        """A spectator reads a part of what the banker reads; a veil hides which, and not how many."""
        table = self._table
        head = table.head
        whole, part = self.sums(BANKER), self.sums(SPECTATOR)
        over = {matter: (sums, whole[matter]) for matter, sums in part.items() if sums > whole[matter]}
        true = not over or table.head != head or not table.whole
        table.holds("i", "a spectator reads of more than the banker", true=true, text=f"{over}")

    def sums(self, viewer: str) -> Counter[tuple[Any, ...]]:
        """How much of each matter is owed; an act counts as 1."""
        sums: Counter[tuple[Any, ...]] = Counter()
        for row in self._table.get(viewer, "obligations")["obligations"]:
            sums[tuple(row.get(name) for name in _MATTER)] += row.get("amount", 1)
        return sums

    def settled(
        self, viewer: str, action: Mapping[str, Any], rows: Iterable[Row], before: Counter[tuple[Any, ...]]
    ) -> None:
        """An amount that a move said that it settles is owed no more after it, or less is owed.

        An act may be owed again at once: an attack of two parts asks for each.
        """
        sums = self.sums(viewer)
        for row in rows:
            matter = tuple(row.get(name) for name in _MATTER)
            self._table.holds(
                "i",
                f"{action['kind']} does not settle a {row['kind']}",
                true=sums[matter] < before[matter] or "amount" not in row,
                text=f"{viewer} {action}: {row['text']}",
            )

    def as_previewed(self, body: Any, before: list[Row], changes: Iterable[Mapping[str, Row]]) -> None:
        """What a preview said of obligations is what has become of them."""
        foreseen = Counter(row["text"] for row in before)
        for change in changes:
            for side, sign in (("before", -1), ("after", 1)):
                if side in change:
                    foreseen[change[side]["text"]] += sign
        after = Counter(row["text"] for row in self._table.get(BANKER, "obligations")["obligations"])
        self._table.holds(
            "i",
            "a preview foretells other obligations",
            true=+foreseen == after and not -foreseen,
            text=f"{body}: foretold {+foreseen}, not there {-foreseen}, after it {after}",
        )

    def back_and_forth(self, undo: Any, before: Any) -> None:
        """After an undo and its redo everything is as before."""
        after = self._table.get(BANKER, "state")
        for name in ("obligations", "accounts"):
            self._table.holds(
                "i",
                f"a redo brings back other {name}",
                true=after[name] == before[name],
                text=f"{undo}, redone at {after['version']}: {before[name]} / {after[name]}",
            )


def settles_of(move: Mapping[str, Any], action: Mapping[str, Any]) -> list[Row]:
    """The obligations that an offered action says that it settles."""
    choice = move.get("choice", {"parameter": "", "options": ()})
    params = action["params"]
    for option in choice["options"]:
        chosen = {choice["parameter"]: option["value"], **option.get("params", {})}
        if "settles" in option and all(params.get(name) == value for name, value in chosen.items()):
            return list(option["settles"])
    return list(move.get("settles", ()))
