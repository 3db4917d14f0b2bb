"""Corrections of every kind, and the docket."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from tests.crossing.hands import CASCADES, DRY_SHARE, Hand
from tests.crossing.owing import Owing
from tests.crossing.tables import BANKER, Answer


def _body(**members: Any) -> dict[str, Any]:
    return members


class Mending:
    """The acts that correct the past."""

    def __init__(self, hand: Hand) -> None:
        self._hand = hand
        self.table = hand.table
        self._owing = Owing(hand.table)

    def correct(self, chance: Random) -> None:
        """The banker corrects the history, after a preview."""
        edits = self._edits(chance)
        body = {"edits": edits, "cascade": chance.choice(CASCADES), "reason": "a slip of the pen"}
        self._mend(chance, "corrections", body)

    def _mend(self, chance: Random, path: str, body: dict[str, Any], viewer: str = BANKER) -> Answer:
        owed = self.table.get(BANKER, "obligations")["obligations"]
        preview = self.table.post(viewer, path, {**body, "dry_run": True})
        # As a desk does: what was previewed is written at the head of the preview, which its entity tag names.
        seen = {"If_Match": preview.headers["ETag"]} if preview.good and not self._hand.clocked() else {}
        answer = self.table.post(viewer, path, body, Idempotency_Key=self._hand.key(chance), **seen)
        if preview.good and answer.good and not self._hand.clocked() and "seats" in (preview.json or {}):
            self._as_previewed(viewer, body, preview.json)
            if viewer == BANKER and self.table.whole:
                self._owing.as_previewed(body, owed, preview.json["obligations"])
        if not self._hand.clocked() and answer.problem != "value-missing":
            refused = body.get("cascade", "refuse") == "refuse" and answer.problem == "would-change"
            self.table.holds(
                "b",
                f"a preview and {path} differ",
                true=preview.good == answer.good or refused,
                text=f"{body}: {preview.status} {preview.text[:300]} and then {answer.status} {answer.text[:300]}",
            )
        if answer.good:
            self.table.receipts[viewer, answer.json["number"]] = answer.json["receipt"]["leaf"]
        return answer

    def _as_previewed(self, viewer: str, body: Any, preview: Any) -> None:
        """What a preview says of each purse is what each holds afterwards."""
        standings = {one["seat"]: one.get("cash") for one in self.table.get(viewer, "state")["standings"]}
        told = {one["seat"]["seat"]: (one.get("money") or {}).get("after") for one in preview["seats"]}
        unlike = {
            seat: (after, standings.get(seat))
            for seat, after in told.items()
            if after is not None and after != standings.get(seat)
        }
        self.table.holds("b", "a preview tells other purses", true=not unlike, text=f"{body}: {unlike}")

    def _edits(self, chance: Random) -> list[dict[str, Any]]:
        numbers = self._names()
        edits: list[dict[str, Any]] = []
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            operation = chance.choices(("drop", "replace", "insert", "rewind"), (5, 5, 3, 1))[0]
            entry = chance.choice(numbers[-12:] if chance.random() < 0.7 else numbers)
            match operation:
                case "drop":
                    edits.append({"op": "drop", "action": entry["action"]})
                case "replace":
                    edits.append(
                        {"op": "replace", "action": entry["action"], "params": self._otherwise(chance, entry)}
                    )
                case "insert":
                    seat = chance.choice(self.table.seats)
                    kind = chance.choice(sorted({other["kind"] for other in numbers}))
                    known = [other for other in numbers if other["kind"] == kind]
                    params = self._otherwise(chance, chance.choice(known))
                    action = {"kind": kind, "params": params, "seat": seat}
                    edits.append({"op": "insert", "after": entry["action"], "action": action})
                case _:
                    edits.append({"op": "rewind", "to": entry["action"]})
        return edits

    def _otherwise(self, chance: Random, entry: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters of an entry with other dice or amounts."""
        params = dict(entry["params"])
        for name, value in params.items():
            if isinstance(value, int) and not isinstance(value, bool):
                params[name] = max(1, value + chance.choice((-1, 1, 10)))
            elif isinstance(value, list) and value and all(isinstance(die, int) for die in value):
                params[name] = [chance.randint(1, 6) for _ in value]
            elif value in self.table.seats:
                params[name] = chance.choice(self.table.seats)
        if "dice" in self._hand.properties(entry["kind"]) and chance.random() < 0.5 and entry["draws"]:
            dice = next(iter(entry["draws"].values()))
            if all(isinstance(die, int) for die in dice):
                listed = "array" in str(self._hand.properties(entry["kind"])["dice"])
                thrown = [chance.randint(1, 6) for _ in dice]
                params["dice"] = thrown if listed else thrown[0]
        return params

    def _names(self) -> list[dict[str, Any]]:
        """The newest lines of the journal, and with them those that corrections have inserted."""
        entries: list[dict[str, Any]] = self.table.get(BANKER, "actions", limit=100, order="newest")["actions"]
        audited = self.table.get(BANKER, "audit", limit=100, order="newest")["lines"]
        inserted = [line["action"] for line in audited if "." in str(line["action"])][:5]
        if inserted:
            entries += self.table.get(BANKER, "actions", numbers=",".join(inserted))["actions"]
        return sorted(entries, key=lambda entry: (entry["number"], str(entry["action"])))

    def undo(self, chance: Random) -> None:
        """Somebody takes something back."""
        viewer = chance.choice([BANKER, BANKER, *self.table.seats])
        body: dict[str, Any] = {"reason": "a slip of the pen", "cascade": chance.choice(CASCADES)}
        if chance.random() < 0.6:
            body["action"] = chance.choice(self._names()[-8:])["action"]
        self._mend(chance, "undo", body, viewer)

    def redo(self, chance: Random) -> None:
        """What was taken back counts again."""
        body: dict[str, Any] = {"reason": "it did happen", "cascade": chance.choice(CASCADES)}
        self._mend(chance, "redo", body, chance.choice([BANKER, BANKER, *self.table.seats]))

    def undo_and_redo(self, chance: Random) -> None:
        """The banker takes the last action back, and at once takes that back."""
        before = self.table.get(BANKER, "state")
        body = {"action": before["version"], "reason": "a slip of the pen", "cascade": "restate"}
        if self._hand.clocked() or not self._mend(chance, "undo", body).good:
            return
        # Where the last action was an undo, its undo is a redo, and a redo without a name goes to an earlier undo.
        again = {"action": before["version"], "reason": "it did happen", "cascade": "restate"}
        if self._mend(chance, "redo", again).good:
            self._owing.back_and_forth(body, before)

    def amend(self, chance: Random) -> None:
        """The banker corrects a correction."""
        corrections = [entry for entry in self._names() if entry["kind"] in {"correct", "rule"}]
        if not corrections:
            return
        edits = [{"op": "amend", "action": chance.choice(corrections)["number"]}, *self._edits(chance)]
        body = {"edits": edits, "cascade": chance.choice(CASCADES), "reason": "the correction was a mistake"}
        self._mend(chance, "corrections", body)

    def dispute(self, chance: Random) -> None:
        """A seat contests a line, perhaps with what should have been."""
        body: dict[str, Any] = {"claim": "it was not so"}
        entry = chance.choice(self._names())
        if chance.random() < 0.6:
            body["edits"] = self._edits(chance)[:1]
        body["actions"] = [entry["action"]]
        viewer = chance.choice([*self.table.seats, BANKER])
        if viewer == BANKER:
            body["seat"] = chance.choice(self.table.seats)
        if chance.random() < DRY_SHARE:
            self.table.post(viewer, "disputes", {**body, "dry_run": True})
        self.table.post(viewer, "disputes", body, Idempotency_Key=self._hand.key(chance))

    def argue(self, chance: Random) -> None:
        """Somebody speaks in a dispute, or withdraws it."""
        disputes = self.table.get(BANKER, "disputes")["disputes"]
        if disputes:
            dispute = chance.choice(disputes)
            viewer = chance.choice([*self.table.seats, BANKER])
            act, body = chance.choice((("statements", {"text": "I was there"}), ("withdrawal", {})))
            path = f"disputes/{dispute['id']}/{act}"
            self.table.post(viewer, path, body, Idempotency_Key=self._hand.key(chance))

    def decide_a_dispute(self, chance: Random) -> None:
        """The banker grants a dispute as it is, or rules on it."""
        disputes = [one for one in self.table.get(BANKER, "disputes")["disputes"] if one["status"] == "open"]
        if not disputes:
            return
        dispute = chance.choice(disputes)
        self.table.get(BANKER, f"disputes/{dispute['id']}")
        if chance.random() < 0.5:
            path, body = "acceptance", _body(cascade=chance.choice(CASCADES))
        else:
            path, body = "rulings", _body(finding="so be it", remedies=self._remedies(chance))
        path = f"disputes/{dispute['id']}/{path}"
        self.table.post(BANKER, path, {**body, "dry_run": True})
        self.table.post(BANKER, path, body, Idempotency_Key=self._hand.key(chance))

    def rule(self, chance: Random) -> None:
        """The banker rules on their own motion."""
        body = {"finding": "so be it", "remedies": self._remedies(chance)}
        dry = self.table.post(BANKER, "rulings", {**body, "dry_run": True})
        answer = self.table.post(BANKER, "rulings", body, Idempotency_Key=self._hand.key(chance))
        if not self._hand.clocked() and answer.problem != "value-missing":
            self.table.holds(
                "b",
                "a ruling and its dry run differ",
                true=dry.good == answer.good,
                text=f"{body}: {dry.text[:300]} / {answer.text[:300]}",
            )

    def _remedies(self, chance: Random) -> list[dict[str, Any]]:
        guesser = self._hand.guesser(chance)
        if chance.random() < 0.3:
            return [{"op": "correct", "edits": self._edits(chance)[:1], "cascade": chance.choice(CASCADES)}]
        if chance.random() < 0.3:
            return [guesser.remedy(among=("adjust", "fine"))]
        return [guesser.remedy() for _ in range(chance.choice((1, 1, 2)))]
