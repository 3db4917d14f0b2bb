"""What troubles a table: lost phones, broken connections, stale and repeated requests, and time."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from random import Random

from tests.crossing.hands import Hand
from tests.crossing.tables import BANKER, SPECTATOR

_LONGEST_WAIT_SECONDS = 4.0


class Troubling:
    """The acts of phones and networks, and of time."""

    def __init__(self, hand: Hand) -> None:
        self._hand = hand
        self.table = hand.table

    def write_stale(self, chance: Random) -> None:
        """A write on an older version is refused."""
        head = self.table.head
        kind = chance.choice([kind for kind in self._hand.actions if kind != "correct"])
        body = {"kind": kind, "params": {}}
        answer = self.table.post(
            chance.choice(self.table.seats),
            "actions",
            body,
            If_Match=f'W/"{max(1, head - 1)}"',
            Idempotency_Key=self._hand.key(chance),
        )
        self.table.holds(
            "b",
            "a stale write is accepted",
            true=not answer.good or head == 1,
            text=f"{body} at {head}: {answer.status}",
        )

    def repeat_a_key(self, chance: Random) -> None:
        """A request that is sent twice with its key is done once."""
        seat = self._hand.awaited(chance)
        offered = self.table.moves(seat)
        simple = [action for move, action in offered if move["rank"] != "rare" and not move.get("draws")]
        if not simple:
            return
        body, key = chance.choice(simple), self._hand.key(chance)
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
            BANKER, f"tokens/{own[-1]['id']}/replacement", None, Idempotency_Key=self._hand.key(chance)
        )
        if answer.good:
            self.table.replace(viewer, answer.json["token"])

    def invite(self, chance: Random) -> None:
        """A phone comes in by a code, and takes the seat from the one before."""
        seat = chance.choice(self.table.seats)
        invited = self.table.post(BANKER, "invitations", {"seat": seat}, Idempotency_Key=self._hand.key(chance))
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
        kinds = [kind for kind in ("pause_clock", "resume_clock") if kind in self._hand.actions]
        if kinds:
            self.table.post(
                BANKER, "actions", {"kind": chance.choice(kinds)}, Idempotency_Key=self._hand.key(chance)
            )
