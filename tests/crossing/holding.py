"""What holds after every step, for every viewer."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from tests.crossing.owing import Owing
from tests.crossing.tables import BANKER, Table

SETTLE_SECONDS = 15.0
_COUNTS_STATUS = ("status", "status_text", "sentence")


class Holding:
    """The invariants that are looked at while an evening is played."""

    def __init__(self, table: Table, patience: float = SETTLE_SECONDS) -> None:
        self.table = table
        self._owing = Owing(table)
        self._patience = patience
        self._head = 0
        self._lines: dict[str, dict[str, Any]] = {}
        self._told: dict[str, int] = defaultdict(int)

    def look(self, *, thorough: bool) -> None:
        """Look at everything that holds after a step; with `thorough`, as every viewer and at whole journals."""
        head = self.table.head
        if head == self._head and not thorough:
            return
        self._head = head
        viewers = self.table.viewers if thorough else [BANKER, self.table.seats[head % len(self.table.seats)]]
        for viewer in viewers:
            self.stream(viewer, head)
            self.sums(viewer)
            self._owing.readings(viewer)
        self.awaited()
        if thorough:
            self._owing.spectator()
            for viewer in viewers:
                self.rewritten(viewer)
                self.filters(viewer)

    def stream(self, viewer: str, head: int) -> None:
        """(a) The state that the stream told is the state that is read."""
        table, follower = self.table, self.table.followers[viewer]
        if not follower.wait(head):
            told = f"at {follower.version}, its state at {follower.state_version}; {follower.last_fault}"
            table.broken("a", "a stream is silent", f"{viewer}: {told}; the journal is at {head}")
        deadline = time.monotonic() + self._patience
        while True:
            state = table.get(viewer, "state")
            told = follower.state
            unlike = differing(_timeless(told), _timeless(state))
            if not unlike or time.monotonic() > deadline:
                break
            time.sleep(0.05)
        table.holds(
            "a", "the stream tells another state", true=not unlike, text=f"{viewer} at {head}: {unlike[:5]}"
        )
        for fault in follower.faults:
            table.found("a", "a stream jumps", f"{viewer}: {fault}")

    def sums(self, viewer: str) -> None:
        """(c) What everybody holds together is nothing; the state and the list of accounts say the same."""
        table = self.table
        accounts = {one["account"]: one["holdings"] for one in table.get(viewer, "accounts")["accounts"]}
        state = table.get(viewer, "state")
        table.holds(
            "c",
            "accounts and state differ",
            true=accounts == state["accounts"] or state["version"] != table.head,
            text=f"{viewer}: {differing(accounts, state['accounts'])[:5]}",
        )
        if viewer != BANKER:
            return
        sums: dict[str, int] = defaultdict(int)
        for holdings in accounts.values():
            for commodity, amount in holdings.items():
                sums[commodity] += amount
        off = {commodity: amount for commodity, amount in sums.items() if amount}
        table.holds("c", "sums are not zero", true=not off or not table.whole, text=f"{off}")

    def filters(self, viewer: str) -> None:
        """(c) A filter of the journal finds what the audit finds; the totals of an account are what it holds."""
        table, head = self.table, self.table.head
        accounts = table.get(viewer, "accounts")["accounts"]
        if not accounts:
            return
        account, held = (accounts[head % len(accounts)][name] for name in ("account", "holdings"))
        found = [one["action"] for one in table_lines(table, viewer, account=account)]
        lines = [one["action"] for one in table_lines(table, viewer, "audit", "lines", account=account)]
        totals = table.get(viewer, "actions", account=account, limit=1, totals="true")["totals"]
        if table.head != head:
            return
        table.holds(
            "c", "a filter loses lines", true=found == lines, text=f"{viewer}, {account}: {found} / {lines}"
        )
        table.holds("c", "totals count others", true=totals["count"] == len(found), text=f"{viewer}: {totals}")
        sums = {one["commodity"]: one["received"] - one["given"] for one in totals["commodities"]}
        sums = {one: amount for one, amount in sums.items() if amount}
        if viewer == BANKER and table.whole:
            table.holds("c", "totals are not what is held", true=sums == held, text=f"{account}: {sums} / {held}")

    def awaited(self) -> None:
        """(b) Whoever is awaited is offered what is awaited from them; the evening can go on."""
        table = self.table
        state = table.get(BANKER, "state")
        if state["status"] == "ended":
            return
        offered: dict[str, set[str]] = {}
        for one in state["awaited"]:
            who = one["seat"]
            if who not in offered:
                viewer = who if who in table.tokens else BANKER
                offered[who] = {move["id"] for move in table.get(viewer, "moves")["moves"]}
            missing = [move for move in one["moves"] if move not in offered[who]]
            later = table.get(BANKER, "state")
            if later["version"] != state["version"] or later.get("due"):
                return
            table.holds(
                "b",
                f"awaited and not offered: {', '.join(sorted(missing))}",
                true=not missing,
                text=f"{who} is awaited for {one['label']!r} by {one['moves']}, offered {sorted(offered[who])}",
            )
            table.holds("b", "awaited by no move", true=bool(one["moves"]), text=f"{one}")
        # Where time alone has ended the game, the next request tells how.
        over = "due" in state and "then" not in state["due"]
        table.holds(
            "b",
            "nobody is awaited",
            true=bool(state["awaited"]) or over,
            text=f"at {state['version']}: {state['phase']}",
        )

    def rewritten(self, viewer: str) -> None:
        """(a) Each line that reads otherwise than before was named by `rewritten`, or lies after its beginning."""
        table, follower = self.table, self.table.followers[viewer]
        lines = {str(line["action"]): line for line in table_lines(table, viewer)}
        before = self._lines.get(viewer, {})
        named: set[str] = set()
        since: int | None = None
        for told in follower.rewritten[self._told[viewer] :]:
            named |= {str(number) for number in told["numbers"]}
            first = int(str(told["from"]).split(".")[0])
            since = first if since is None else min(since, first)
        self._told[viewer] = len(follower.rewritten)
        for action, line in before.items():
            now = lines.get(action)
            if now is None:
                table.holds("a", "a line is gone", true=False, text=f"{viewer}: {action}")
                continue
            changed = [name for name in line if line[name] != now.get(name)]
            weighty = [name for name in changed if name in _COUNTS_STATUS]
            light = [name for name in changed if name not in _COUNTS_STATUS]
            table.holds(
                "a",
                "a changed line is not named",
                true=not weighty or action in named or "." in action,
                text=f"{viewer}: {action}: {line['sentence']} / {now['sentence']}, named {sorted(named)}",
            )
            table.holds(
                "a",
                "a line before the corrected ones changes",
                true=not light or (since is not None and int(action.split(".")[0]) >= since) or action in named,
                text=f"{viewer}: {action} {light} since {since}",
            )
        self._lines[viewer] = lines
        audited = {str(line["action"]): line for line in table_lines(table, viewer, "audit", "lines")}
        for action, line in lines.items():
            other = audited.get(action)
            same = other is not None and (other["status"], other["status_text"]) == (
                line["status"],
                line["status_text"],
            )
            table.holds(
                "a",
                "journal and audit differ",
                true=same,
                text=f"{viewer}: {action} {line['status']} / {other and other['status']}",
            )
        recorded = {action for action in audited if "." not in action}
        table.holds(
            "a",
            "journal and audit list other lines",
            true=recorded == set(lines),
            text=f"{viewer}: {recorded ^ set(lines)}",
        )


def table_lines(
    table: Table, viewer: str, path: str = "actions", member: str = "actions", **query: str
) -> list[dict[str, Any]]:
    """All lines of the journal, or of the audit, that a viewer reads; with a query those that it finds."""
    lines: list[dict[str, Any]] = []
    cursor = None
    while True:
        page = table.get(viewer, path, limit=100, cursor=cursor, **query)
        lines += page[member]
        cursor = page["next"]
        if cursor is None:
            return lines


def differing(one: Any, other: Any, path: str = "") -> list[str]:
    """The places in which two JSON values differ, each with both values."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        names = [*one, *(name for name in other if name not in one)]
        return [line for name in names for line in differing(one.get(name), other.get(name), f"{path}/{name}")]
    if one == other:
        return []
    return [f"{path or '/'}: {_short(one)} / {_short(other)}"]


def _short(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)[:200]


def _timeless(state: Any) -> Any:
    return {name: value for name, value in (state or {}).items() if name != "due"}
