"""What people do in an evening: each act is one step, and is chosen by the chance of that step alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from random import Random
from typing import Any

from tests.crossing.guesses import Guesser
from tests.crossing.tables import BANKER, SPECTATOR, Answer, Table

_LONGEST_WAIT_SECONDS = 4.0
_CASCADES = ("restate", "restate", "restate", "keep", "refuse")
_DRY_SHARE = 0.4
_CHANCE = frozenset({"draw-needed", "chance-ahead"})
"""Problems of a request that waits for dice or cards."""
_GOODS = 8
"""Where cards are numbers: the goods of Négoces 2."""
_PLANNED = frozenset({"rule", "correct"})
"""Kinds whose offers hold a correction: only its plan shows whether it can be made."""


def _body(**members: Any) -> dict[str, Any]:
    return members


class Acts:
    """The acts of one table. `actions` is its catalogue of actions by kind, `cards` are those of each deck."""

    def __init__(
        self, table: Table, actions: Mapping[str, Mapping[str, Any]], cards: Mapping[str, list[str]]
    ) -> None:
        self.table = table
        self.actions = actions
        self._cards = cards
        self._keys = 0
        self.weights: dict[Callable[[Random], None], int] = {
            self.move: 60,
            self.act_for_a_seat: 10,
            self.settle: 4,
            self.guess: 6,
            self.correct: 7,
            self.undo: 4,
            self.redo: 2,
            self.amend: 1,
            self.dispute: 3,
            self.argue: 2,
            self.decide_a_dispute: 3,
            self.rule: 4,
            self.write_stale: 1,
            self.repeat_a_key: 2,
            self.replace_a_token: 1,
            self.invite: 1,
            self.cut_a_stream: 2,
            self.let_time_pass: 2,
            self.pause: 1,
        }

    def step(self, chance: Random) -> str:
        """Do one thing. Returns what it was."""
        act = chance.choices([*self.weights], [*self.weights.values()])[0]
        act(chance)
        return act.__name__

    # Playing ----------------------------------------------------------------------------------------

    def move(self, chance: Random) -> None:
        """A seat does something that it is offered, what is due first."""
        seat = self._whose(chance)
        self._play(chance, seat, None)

    def act_for_a_seat(self, chance: Random) -> None:
        """The banker does something that a seat, or the bank itself, is offered."""
        state = self.table.get(BANKER, "state")
        waiting = [one["seat"] for one in state["awaited"]]
        seats = [seat for seat in waiting if seat in self.table.seats] or self.table.seats
        for_a_seat = self.table.whole and chance.random() < 0.7 and BANKER not in waiting
        seat = chance.choice(seats) if for_a_seat else None
        self._play(chance, BANKER, seat)

    def _whose(self, chance: Random) -> str:
        state = self.table.get(BANKER, "state")
        waiting = [one["seat"] for one in state["awaited"] if one["seat"] in self.table.tokens]
        return chance.choice(waiting) if waiting and chance.random() < 0.85 else chance.choice(self.table.seats)

    def _play(self, chance: Random, viewer: str, seat: str | None) -> None:
        offered = self.table.moves(viewer, seat)
        if not offered:
            return
        due = [choice for choice in offered if choice[0]["rank"] == "due"]
        usual = [choice for choice in offered if choice[0]["rank"] != "rare"]
        pool = due if due and chance.random() < 0.8 else usual if usual and chance.random() < 0.95 else offered
        ids = sorted({move["id"] for move, _ in pool})
        wanted = chance.choice(ids)
        move, action = chance.choice([choice for choice in pool if choice[0]["id"] == wanted])
        varied = self._varied(chance, move, action)
        body = {"kind": action["kind"], "params": varied or action["params"]} | ({"seat": seat} if seat else {})
        drawn = self._draw(chance, move, body["params"])
        body["params"] = {**body["params"], **drawn}
        self._perform(chance, viewer, body, offered_as_it_is=not varied and not move.get("draws"))

    def _perform(self, chance: Random, viewer: str, body: dict[str, Any], *, offered_as_it_is: bool) -> None:
        """Perform an action, after a dry run perhaps. What was offered is accepted, as the dry run said."""
        table = self.table
        dry: Answer | None = None
        if chance.random() < _DRY_SHARE:
            dry = table.post(viewer, "actions", {**body, "dry_run": True})
        answer = self._acted(chance, viewer, body)
        if answer.problem == "draw-needed":
            answer = self._with_cards(chance, viewer, body, answer)
        if answer.problem in {"value-missing", "version-conflict", "busy"}:
            return
        if offered_as_it_is and not answer.good and body["kind"] not in _PLANNED and not self._clocked():
            table.holds(
                "b",
                f"an offered {body['kind']} is refused",
                true=answer.problem in _CHANCE,
                text=f"{viewer} {body}: {answer.text[:500]}",
            )
        if dry is not None and answer.good and not dry.good and not self._clocked():
            table.holds(
                "b",
                f"a dry run refuses {body['kind']}",
                true=dry.problem in _CHANCE,
                text=f"{body}: {dry.text[:400]}",
            )
        if dry is not None and dry.good and answer.good:
            self._as_foretold(viewer, body, dry.json, answer.json)
        if answer.good:
            table.receipts[viewer, answer.json["number"]] = answer.json["receipt"]["leaf"]

    def _as_foretold(self, viewer: str, body: Any, dry: Any, real: Any) -> None:
        """The events of a dry run are those that happen, as far as chance and time leave them alone."""
        if real["draws"] or real["number"] != dry.get("number", real["number"]) or self._clocked():
            return
        foretold = [event["kind"] for event in dry["events"]]
        happened = [event["kind"] for event in real["events"]]
        self.table.holds(
            "b",
            f"a dry run of {body['kind']} tells other events",
            true=foretold == happened or set(foretold) <= set(happened),
            text=f"{viewer} {body}: foretold {foretold}, happened {happened}",
        )

    def _acted(self, chance: Random, viewer: str, body: dict[str, Any]) -> Answer:
        headers = {"Idempotency_Key": self._key(chance)}
        return self.table.post(viewer, "actions", body, **headers)

    def _key(self, chance: Random) -> str:
        self._keys += 1
        return f"{self.table.game} {self._keys} {chance.random()}"

    def _with_cards(self, chance: Random, viewer: str, body: dict[str, Any], answer: Answer) -> Answer:
        """Give cards and dice until there are enough: people read them off the table."""
        params = dict(body["params"])
        for _ in range(6):
            need = (answer.json.get("needs") or [{}])[0] if answer.json else {}
            name = need.get("parameter") or ("draws" if "draws" in self._properties(body["kind"]) else "")
            if not name:
                return answer
            value = self._drawn(chance, need)
            shape = self._properties(body["kind"])[name]
            listed = "array" in str(shape)
            params[name] = [*params.get(name, []), *value] if listed else value[0]
            answer = self._acted(chance, viewer, {**body, "params": params})
            if answer.problem != "draw-needed":
                return answer
        return answer

    def _properties(self, kind: str) -> Mapping[str, Any]:
        properties: Mapping[str, Any] = self.actions[kind]["parameters"].get("properties", {})
        return properties

    def _draw(self, chance: Random, move: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
        """Throw the dice and draw the cards that a move wants from the table."""
        drawn: dict[str, Any] = {}
        for want in move.get("draws", ()):
            name = want.get("parameter")
            if name is None or name in given:
                continue
            values = self._drawn(chance, want)
            shape = str(self._properties(move["kind"]).get(name, {}))
            value: Any = values if "'array'" in shape else values[0] if values else None
            if "propertyNames" in shape:
                share = max(1, want.get("count", 1) // len(self.table.seats))
                value = {seat: [values.pop() for _ in range(min(share, len(values)))] for seat in self.table.seats}
            drawn[name] = [*drawn[name], *value] if name in drawn and isinstance(value, list) else value
        return drawn

    def _drawn(self, chance: Random, want: Mapping[str, Any]) -> list[Any]:
        count = want.get("count", 1)
        if want.get("draw", want.get("kind")) in {"card", "cards"}:
            deck = want.get("deck") or str(want.get("name", ""))
            pool: list[Any] = self._cards.get(deck) or [card for cards in self._cards.values() for card in cards]
            pool = pool or [*range(1, _GOODS + 1)]
            return chance.sample(pool, min(count, len(pool)))
        return [chance.randint(1, want.get("sides", 6)) for _ in range(count)]

    def _varied(self, chance: Random, move: Mapping[str, Any], action: Mapping[str, Any]) -> dict[str, Any] | None:
        """The parameters with other values in the free ones; None for those that were offered."""
        free = move.get("free", {})
        if not free or chance.random() < 0.5:
            return None
        params = dict(action["params"])
        for name, bounds in free.items():
            if "minimum" in bounds or "maximum" in bounds:
                least, most = bounds.get("minimum", 0), bounds.get("maximum", bounds.get("minimum", 0) + 100)
                params[name] = chance.randint(least, max(least, min(most, least + 200)))
            elif chance.random() < 0.3:
                properties = self._properties(move["kind"])
                if name in properties:
                    guessed = self._guesser(chance).params(move["kind"])
                    if name in guessed:
                        params[name] = guessed[name]
        return params

    def settle(self, chance: Random) -> None:
        """The banker lets the game take its own steps before an action."""
        kinds = [
            kind
            for kind in ("roll_dice", "roll_and_move", "end_turn", "pass", "begin_turn")
            if kind in self.actions
        ]
        state = self.table.get(BANKER, "state")
        seats = [seat["seat"] for seat in state["seats"]]
        if not kinds or not seats:
            return
        kind, seat = chance.choice(kinds), chance.choice(seats)
        params = {"dice": [chance.randint(1, 6), chance.randint(1, 6)]} if kind.startswith("roll") else {}
        if state.get("dice") == "service" or "dice" not in self._properties(kind):
            params = {}
        body = {"kind": kind, "seat": seat, "params": params, "settle": True}
        if chance.random() < _DRY_SHARE:
            self.table.post(BANKER, "actions", {**body, "dry_run": True})
        self.table.post(BANKER, "actions", body, Idempotency_Key=self._key(chance))

    def guess(self, chance: Random) -> None:
        """Somebody tries anything, mostly in vain."""
        viewer = chance.choice([*self.table.seats, BANKER, BANKER])
        kind = chance.choice([kind for kind in self.actions if kind not in {"correct", "rule"}])
        body: dict[str, Any] = {"kind": kind, "params": self._guesser(chance).params(kind)}
        if viewer == BANKER and chance.random() < 0.7:
            body["seat"] = chance.choice(self.table.seats)
        if viewer == BANKER and chance.random() < 0.15:
            body["override"] = {"reason": "the table agrees"}
        if chance.random() < 0.6:
            body["dry_run"] = True
        self.table.post(viewer, "actions", body, Idempotency_Key=self._key(chance))
        if chance.random() < 0.3:
            self.table.ask(viewer, "GET", "moves", query={"explain": kind})

    # Mending the past -------------------------------------------------------------------------------

    def correct(self, chance: Random) -> None:
        """The banker corrects the history, after a preview."""
        edits = self._edits(chance)
        body = {"edits": edits, "cascade": chance.choice(_CASCADES), "reason": "a slip of the pen"}
        self._mend(chance, "corrections", body)

    def _mend(self, chance: Random, path: str, body: dict[str, Any], viewer: str = BANKER) -> Answer:
        preview = self.table.post(viewer, path, {**body, "dry_run": True})
        answer = self.table.post(viewer, path, body, Idempotency_Key=self._key(chance))
        if preview.good and answer.good and not self._clocked() and "seats" in (preview.json or {}):
            self._as_previewed(viewer, body, preview.json)
        if not self._clocked() and answer.problem != "value-missing":
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
        if "dice" in self._properties(entry["kind"]) and chance.random() < 0.5 and entry["draws"]:
            dice = next(iter(entry["draws"].values()))
            if all(isinstance(die, int) for die in dice):
                listed = "array" in str(self._properties(entry["kind"])["dice"])
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
        body: dict[str, Any] = {"reason": "a slip of the pen", "cascade": chance.choice(_CASCADES)}
        if chance.random() < 0.6:
            body["action"] = chance.choice(self._names()[-8:])["action"]
        self._mend(chance, "undo", body, viewer)

    def redo(self, chance: Random) -> None:
        """What was taken back counts again."""
        body: dict[str, Any] = {"reason": "it did happen", "cascade": chance.choice(_CASCADES)}
        self._mend(chance, "redo", body, chance.choice([BANKER, BANKER, *self.table.seats]))

    def amend(self, chance: Random) -> None:
        """The banker mends a correction."""
        corrections = [entry for entry in self._names() if entry["kind"] in {"correct", "rule"}]
        if not corrections:
            return
        edits = [{"op": "amend", "action": chance.choice(corrections)["number"]}, *self._edits(chance)]
        body = {"edits": edits, "cascade": chance.choice(_CASCADES), "reason": "the correction was a mistake"}
        self._mend(chance, "corrections", body)

    # The docket -------------------------------------------------------------------------------------

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
        if chance.random() < _DRY_SHARE:
            self.table.post(viewer, "disputes", {**body, "dry_run": True})
        self.table.post(viewer, "disputes", body, Idempotency_Key=self._key(chance))

    def argue(self, chance: Random) -> None:
        """Somebody speaks in a dispute, or withdraws it."""
        disputes = self.table.get(BANKER, "disputes")["disputes"]
        if disputes:
            dispute = chance.choice(disputes)
            viewer = chance.choice([*self.table.seats, BANKER])
            act, body = chance.choice((("statements", {"text": "I was there"}), ("withdrawal", {})))
            path = f"disputes/{dispute['id']}/{act}"
            self.table.post(viewer, path, body, Idempotency_Key=self._key(chance))

    def decide_a_dispute(self, chance: Random) -> None:
        """The banker grants a dispute as it is, or rules on it."""
        disputes = [one for one in self.table.get(BANKER, "disputes")["disputes"] if one["status"] == "open"]
        if not disputes:
            return
        dispute = chance.choice(disputes)
        self.table.get(BANKER, f"disputes/{dispute['id']}")
        if chance.random() < 0.5:
            path, body = "acceptance", _body(cascade=chance.choice(_CASCADES))
        else:
            path, body = "rulings", _body(finding="so be it", remedies=self._remedies(chance))
        path = f"disputes/{dispute['id']}/{path}"
        self.table.post(BANKER, path, {**body, "dry_run": True})
        self.table.post(BANKER, path, body, Idempotency_Key=self._key(chance))

    def rule(self, chance: Random) -> None:
        """The banker rules on their own motion."""
        body = {"finding": "so be it", "remedies": self._remedies(chance)}
        dry = self.table.post(BANKER, "rulings", {**body, "dry_run": True})
        answer = self.table.post(BANKER, "rulings", body, Idempotency_Key=self._key(chance))
        if not self._clocked() and answer.problem != "value-missing":
            self.table.holds(
                "b",
                "a ruling and its dry run differ",
                true=dry.good == answer.good,
                text=f"{body}: {dry.text[:300]} / {answer.text[:300]}",
            )

    def _remedies(self, chance: Random) -> list[dict[str, Any]]:
        guesser = self._guesser(chance)
        if chance.random() < 0.3:
            return [{"op": "correct", "edits": self._edits(chance)[:1], "cascade": chance.choice(_CASCADES)}]
        if chance.random() < 0.3:
            return [guesser.remedy(among=("adjust", "fine"))]
        return [guesser.remedy() for _ in range(chance.choice((1, 1, 2)))]

    # Clients ----------------------------------------------------------------------------------------

    def write_stale(self, chance: Random) -> None:
        """A write on an older version is refused."""
        head = self.table.head
        kind = chance.choice([kind for kind in self.actions if kind != "correct"])
        body = {"kind": kind, "params": {}}
        answer = self.table.post(
            chance.choice(self.table.seats),
            "actions",
            body,
            If_Match=f'W/"{max(1, head - 1)}"',
            Idempotency_Key=self._key(chance),
        )
        self.table.holds(
            "b",
            "a stale write is accepted",
            true=not answer.good or head == 1,
            text=f"{body} at {head}: {answer.status}",
        )

    def repeat_a_key(self, chance: Random) -> None:
        """A request that is sent twice with its key is done once."""
        seat = self._whose(chance)
        offered = self.table.moves(seat)
        simple = [action for move, action in offered if move["rank"] != "rare" and not move.get("draws")]
        if not simple:
            return
        body, key = chance.choice(simple), self._key(chance)
        first = self.table.post(seat, "actions", body, Idempotency_Key=key)
        again = self.table.post(seat, "actions", body, Idempotency_Key=key)
        if first.good:
            same = again.status == 200 and again.json["receipt"]["leaf"] == first.json["receipt"]["leaf"]
            self.table.holds(
                "b", "a repeated request", true=same, text=f"{body}: {again.status} {again.text[:300]}"
            )
            other = self.table.post(
                seat, "actions", {**body, "dry_run": False, "proof": True}, Idempotency_Key=key
            )
            self.table.holds(
                "b", "a key for another request", true=other.status in {200, 422}, text=f"{body}: {other.status}"
            )

    def replace_a_token(self, chance: Random) -> None:
        """A phone is lost: the banker replaces the token, and the old one opens nothing."""
        viewer = chance.choice([*self.table.seats, SPECTATOR])
        tokens = self.table.get(BANKER, "tokens")["tokens"]
        role = SPECTATOR if viewer == SPECTATOR else "player"
        own = [
            token
            for token in tokens
            if token["role"] == role and token.get("seat") in {viewer, None} and not token["revoked_at"]
        ]
        own = [token for token in own if viewer == SPECTATOR or token["seat"] == viewer]
        if not own:
            return
        answer = self.table.post(
            BANKER, f"tokens/{own[-1]['id']}/replacement", None, Idempotency_Key=self._key(chance)
        )
        if answer.good:
            self.table.replace(viewer, answer.json["token"])

    def invite(self, chance: Random) -> None:
        """A phone comes in by a code, and takes the seat from the one before."""
        seat = chance.choice(self.table.seats)
        invited = self.table.post(BANKER, "invitations", {"seat": seat}, Idempotency_Key=self._key(chance))
        if invited.good:
            joined = self.table.join(invited.json["code"])
            self.table.holds("h", "a code opens nothing", true=joined.good, text=f"{seat}: {joined.text[:300]}")
            if joined.good:
                self.table.replace(seat, joined.json["token"])
            again = self.table.join(invited.json["code"])
            self.table.holds("h", "a code opens twice", true=not again.good, text=f"{seat}: {again.status}")

    def cut_a_stream(self, chance: Random) -> None:
        """A connection breaks off."""
        self.table.followers[chance.choice(self.table.viewers)].cut()

    # Time -------------------------------------------------------------------------------------------

    def let_time_pass(self, chance: Random) -> None:
        """Nobody does anything until the clock has run out, if it does soon."""
        state = self.table.get(BANKER, "state")
        times = [one["until"] for one in state["awaited"] if "until" in one]
        clock = state.get("clock", {})
        times += [clock["until"]] if clock.get("until") else []
        now = datetime.now(UTC)
        waits = [(datetime.fromisoformat(until) - now).total_seconds() for until in times]
        soon = [wait for wait in waits if 0 < wait <= _LONGEST_WAIT_SECONDS]
        if soon:
            time.sleep(min(soon) + 0.05)

    def pause(self, chance: Random) -> None:
        """The banker stops the clock, or lets it run again."""
        kinds = [kind for kind in ("pause_clock", "resume_clock") if kind in self.actions]
        if kinds:
            self.table.post(BANKER, "actions", {"kind": chance.choice(kinds)}, Idempotency_Key=self._key(chance))

    def _clocked(self) -> bool:
        """Whether a clock runs that may act between two requests."""
        state = self.table.get(BANKER, "state")
        return (
            bool(state.get("due"))
            or any("until" in one for one in state["awaited"])
            or (state.get("clock", {}).get("running", False))
        )

    def _guesser(self, chance: Random) -> Guesser:
        return Guesser(chance, self._known(), self.actions)

    def _known(self) -> dict[str, list[Any]]:
        state = self.table.get(BANKER, "state")
        names = self.table.get(BANKER, "names")
        agreements = [
            key for kind in state["agreements"].values() for one in kind for key in [one.get("id")] if key
        ]
        commodities = sorted(names["commodities"])
        return {
            "seat": [*self.table.seats],
            "account": sorted(names["accounts"]),
            "commodity": commodities,
            "title": [one.removeprefix("title:") for one in commodities if one.startswith("title:")],
            "card": [one.removeprefix("card:") for one in commodities if one.startswith("card:")],
            "place": [0, 1, 5, 7, 10],
            "die": [1, 2, 3, 4, 5, 6],
            "agreement": agreements or ["1"],
            "action": [*range(1, state["version"] + 1)],
            "dispute": [one["id"] for one in self.table.get(BANKER, "disputes")["disputes"]] or ["1"],
            "question": [one["id"] for one in state["table"].get("questions", ()) if "id" in one] or ["1"],
        }
