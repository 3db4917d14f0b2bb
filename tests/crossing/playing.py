"""Playing: what seats and the banker do with what they are offered, and what somebody tries in vain."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from tests.crossing.hands import DRY_SHARE, Hand
from tests.crossing.owing import Owing, settles_of
from tests.crossing.tables import BANKER, Answer

_CHANCE = frozenset({"draw-needed", "chance-ahead"})
"""Problems of a request that waits for dice or cards."""
_GOODS = 8
"""Where cards are numbers: the goods of Négoces 2."""
_SETTLED = 0.4
"""How often somebody settles an obligation where a move does so."""
_PLANNED = frozenset({"rule", "correct"})
"""Kinds whose offers hold a correction: only its plan shows whether it can be made."""


class Playing:
    """The acts of play."""

    def __init__(self, hand: Hand) -> None:
        self._hand = hand
        self.table = hand.table
        self._owing = Owing(hand.table)

    def move(self, chance: Random) -> None:
        """A seat does something that it is offered, what is due first."""
        seat = self._hand.awaited(chance)
        self._play(chance, seat, None)

    def act_for_a_seat(self, chance: Random) -> None:
        """The banker does something that a seat, or the bank itself, is offered."""
        state = self.table.get(BANKER, "state")
        waiting = [one["seat"] for one in state["awaited"]]
        seats = [seat for seat in waiting if seat in self.table.seats] or self.table.seats
        for_a_seat = self.table.whole and chance.random() < 0.7 and BANKER not in waiting
        seat = chance.choice(seats) if for_a_seat else None
        self._play(chance, BANKER, seat)

    def _play(self, chance: Random, viewer: str, seat: str | None) -> None:
        offered = self.table.moves(viewer, seat)
        if not offered:
            return
        due = [choice for choice in offered if choice[0]["rank"] == "due"]
        usual = [choice for choice in offered if choice[0]["rank"] != "rare"]
        pool = due if due and chance.random() < 0.8 else usual if usual and chance.random() < 0.95 else offered
        settling = [choice for choice in offered if settles_of(*choice)]
        pool = settling if settling and chance.random() < _SETTLED else pool
        ids = sorted({move["id"] for move, _ in pool})
        wanted = chance.choice(ids)
        move, action = chance.choice([choice for choice in pool if choice[0]["id"] == wanted])
        varied = self._varied(chance, move, action)
        body = {"kind": action["kind"], "params": varied or action["params"]} | ({"seat": seat} if seat else {})
        settles = [] if varied or self._hand.clocked() else settles_of(move, action)
        before = self._owing.sums(viewer) if settles else None
        drawn = self._draw(chance, move, body["params"])
        body["params"] = {**body["params"], **drawn}
        done = self._perform(chance, viewer, body, offered_as_it_is=not varied and not move.get("draws"))
        if done and before is not None:
            self._owing.settled(viewer, body, settles, before)

    def _perform(self, chance: Random, viewer: str, body: dict[str, Any], *, offered_as_it_is: bool) -> bool:
        """Perform an action, after a dry run perhaps. What was offered is accepted, as the dry run said.

        Returns whether it was.
        """
        table = self.table
        dry: Answer | None = None
        if chance.random() < DRY_SHARE:
            dry = table.post(viewer, "actions", {**body, "dry_run": True})
        answer = self._acted(chance, viewer, body)
        if answer.problem == "draw-needed":
            answer = self._with_cards(chance, viewer, body, answer)
        if answer.problem in {"value-missing", "version-conflict", "busy"}:
            return False
        if offered_as_it_is and not answer.good and body["kind"] not in _PLANNED and not self._hand.clocked():
            table.holds(
                "b",
                f"an offered {body['kind']} is refused",
                true=answer.problem in _CHANCE,
                text=f"{viewer} {body}: {answer.text[:500]}",
            )
        if dry is not None and answer.good and not dry.good and not self._hand.clocked():
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
        return answer.good

    def _as_foretold(self, viewer: str, body: Any, dry: Any, real: Any) -> None:
        """The events of a dry run are those that happen, as far as chance and time leave them alone."""
        if real["draws"] or real["number"] != dry.get("number", real["number"]) or self._hand.clocked():
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
        headers = {"Idempotency_Key": self._hand.key(chance)}
        return self.table.post(viewer, "actions", body, **headers)

    def _with_cards(self, chance: Random, viewer: str, body: dict[str, Any], answer: Answer) -> Answer:
        """Give cards and dice until there are enough: people read them off the table."""
        params = dict(body["params"])
        for _ in range(6):
            need = (answer.json.get("needs") or [{}])[0] if answer.json else {}
            name = need.get("parameter") or ("draws" if "draws" in self._hand.properties(body["kind"]) else "")
            if not name:
                return answer
            value = self._drawn(chance, need)
            shape = self._hand.properties(body["kind"])[name]
            listed = "array" in str(shape)
            params[name] = [*params.get(name, []), *value] if listed else value[0]
            answer = self._acted(chance, viewer, {**body, "params": params})
            if answer.problem != "draw-needed":
                return answer
        return answer

    def _draw(self, chance: Random, move: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
        """Throw the dice and draw the cards that a move wants from the table."""
        drawn: dict[str, Any] = {}
        for want in move.get("draws", ()):
            name = want.get("parameter")
            if name is None or name in given:
                continue
            values = self._drawn(chance, want)
            shape = str(self._hand.properties(move["kind"]).get(name, {}))
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
            pool: list[Any] = self._hand.cards.get(deck) or [
                card for cards in self._hand.cards.values() for card in cards
            ]
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
                properties = self._hand.properties(move["kind"])
                if name in properties:
                    guessed = self._hand.guesser(chance).params(move["kind"])
                    if name in guessed:
                        params[name] = guessed[name]
        return params

    def settle(self, chance: Random) -> None:
        """The banker lets the game take its own steps before an action."""
        kinds = [
            kind
            for kind in ("roll_dice", "roll_and_move", "end_turn", "pass", "begin_turn")
            if kind in self._hand.actions
        ]
        state = self.table.get(BANKER, "state")
        seats = [seat["seat"] for seat in state["seats"]]
        if not kinds or not seats:
            return
        kind, seat = chance.choice(kinds), chance.choice(seats)
        params = {"dice": [chance.randint(1, 6), chance.randint(1, 6)]} if kind.startswith("roll") else {}
        if state.get("dice") == "service" or "dice" not in self._hand.properties(kind):
            params = {}
        body = {"kind": kind, "seat": seat, "params": params, "settle": True}
        if chance.random() < DRY_SHARE:
            self.table.post(BANKER, "actions", {**body, "dry_run": True})
        self.table.post(BANKER, "actions", body, Idempotency_Key=self._hand.key(chance))

    def guess(self, chance: Random) -> None:
        """Somebody tries anything, mostly in vain."""
        viewer = chance.choice([*self.table.seats, BANKER, BANKER])
        kind = chance.choice([kind for kind in self._hand.actions if kind not in {"correct", "rule"}])
        body: dict[str, Any] = {"kind": kind, "params": self._hand.guesser(chance).params(kind)}
        if viewer == BANKER and chance.random() < 0.7:
            body["seat"] = chance.choice(self.table.seats)
        if viewer == BANKER and chance.random() < 0.15:
            body["override"] = {"reason": "the table agrees"}
        if chance.random() < 0.6:
            body["dry_run"] = True
        self.table.post(viewer, "actions", body, Idempotency_Key=self._hand.key(chance))
        if chance.random() < 0.3:
            self.table.ask(viewer, "GET", "moves", query={"explain": kind})
