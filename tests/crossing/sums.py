"""What adds up: statements, books, and the statistics counted again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.crossing import counting
from tests.crossing.holding import differing
from tests.crossing.scenes import FEW, Scene
from tests.crossing.tables import BANKER

_BEANCHECK = Path(sys.executable).with_name("bean-check")
VEIL = "card"
"""What a card is to those who may not see which one it is."""


class Sums:
    """The invariants (c) and (g) at the end of an evening."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._table = scene.table
        self._house = scene.house

    def statements(self) -> None:
        """Statements end at the holdings, and `why` explains them."""
        table = self._table
        for viewer in self.scene.some_viewers():
            accounts = table.get(viewer, "accounts")["accounts"]
            for account in self.scene.chance.sample(accounts, min(FEW, len(accounts))):
                lines = self._statement(viewer, account["account"])
                last: dict[str, int] = {}
                for line in lines:
                    last[line["commodity"]] = line["balance"]
                # How many cards lie face down is seen, but not every fact that moved one. A statement keeps the
                # cards that were shown before they went into a hand.
                told = {name: amount for name, amount in account["holdings"].items() if name != VEIL}
                held = {
                    name: amount
                    for name, amount in last.items()
                    if amount and name != VEIL and (name in told or VEIL not in account["holdings"])
                }
                table.holds(
                    "c",
                    "a statement ends elsewhere",
                    true=held == told,
                    text=f"{viewer}, {account['account']}: {differing(held, told)[:4]}",
                )
                for commodity, amount in [*told.items()][:FEW]:
                    why = table.ask(
                        viewer, "GET", "why", query={"account": account["account"], "commodity": commodity}
                    )
                    reason = why.json.get("amount", why.json.get("balance")) if why.good else why.text[:200]
                    table.holds(
                        "c",
                        "why tells another amount",
                        true=reason == amount,
                        text=f"{viewer}, {account['account']} {commodity}: {reason}, not {amount}",
                    )

    def _statement(self, viewer: str, account: str) -> list[Any]:
        lines: list[Any] = []
        cursor = None
        while True:
            page = self._table.get(viewer, f"accounts/{account}/statement", limit=200, cursor=cursor)
            lines += page["lines"]
            cursor = page["next"]
            if cursor is None:
                return lines

    def books(self) -> None:
        """Others' checkers find nothing in the exported books."""
        checkers: dict[str, list[str | Path]] = {"beancount": [_BEANCHECK], "hledger": ["hledger", "check", "-f"]}
        for form, command in checkers.items():
            for viewer in (BANKER, self.scene.chance.choice(self._table.seats)):
                answer = self._table.ask(viewer, "GET", "export", query={"format": form})
                book = self.scene.folder / f"{viewer}.{form}"
                book.write_text(answer.text)
                ran = subprocess.run([*command, book], capture_output=True, text=True, check=False)
                self._table.holds(
                    "c",
                    f"a book for {form}",
                    true=answer.good and ran.returncode == 0,
                    text=f"{viewer}: {answer.status} {ran.stdout[:300]} {ran.stderr[:300]}",
                )

    def statistics(self) -> None:
        """Throws, payments and rents are those of the exported tables."""
        if not self._table.whole:
            return
        table = self._table
        told = table.get(BANKER, "statistics")
        tables = {
            name: table.ask(BANKER, "GET", "export", query={"format": "csv", "table": name}).text
            for name in ("events", "postings")
        }
        owners = table.get(BANKER, "names")["owners"]
        for dice in told["dice"]:
            if dice["id"] in counting.counted_dice():
                counted = counting.throws(tables["events"], dice["id"])
                shown = {
                    seat["seat"]: {face: times for face, times in enumerate(seat["faces"], start=1) if times}
                    for seat in dice["seats"]
                    if seat["dice"]
                }
                plain = {seat: dict(faces) for seat, faces in counted.items()}
                table.holds(
                    "g", "throws", true=shown == plain, text=f"{dice['id']}: {differing(shown, plain)[:4]}"
                )
        currency = told["currency"]["id"]
        sums = counting.balances(tables["postings"], currency, owners)
        flows = {seat["seat"]: seat["received"] - seat["paid"] for seat in told["seats"]}
        table.holds(
            "g",
            "payments",
            true=all(sums[seat] == change for seat, change in flows.items()),
            text=f"{flows} / {dict(sums)}",
        )
        rents = counting.rents(tables["postings"], currency, owners)
        paid = {
            (flow["from"], flow["to"]): flow["amount"]
            for flow in told["flows"]["money"]
            if flow["purpose"] == "rent" and {flow["from"], flow["to"]} <= set(table.seats) and flow["amount"]
        }
        table.holds("g", "rents", true=paid == dict(rents), text=f"{paid} / {dict(rents)}")
