"""Moments of the past: states, frames, what was known, and forks."""

from __future__ import annotations

from typing import Any

from tests.crossing.holding import differing
from tests.crossing.house import API
from tests.crossing.laying import table_of
from tests.crossing.scenes import FEW, Scene
from tests.crossing.tables import BANKER, Table


class Moments:
    """The invariants (e) at the end of an evening."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._table = scene.table
        self._house = scene.house

    def moments(self) -> None:
        """What the journal says of a moment is the same whichever way it is asked for."""
        table = self._table
        for number in self.scene.some_numbers():
            for viewer in self.scene.some_viewers():
                state = table.get(viewer, "state", at=number)
                accounts = table.get(viewer, "accounts", at=number)["accounts"]
                listed = {one["account"]: one["holdings"] for one in accounts}
                owed = table.get(viewer, "obligations", at=number)["obligations"]
                table.holds(
                    "i",
                    "obligations at a moment",
                    true=owed == state["obligations"],
                    text=f"{viewer} at {number}: {owed} / {state['obligations']}",
                )
                table.holds(
                    "e",
                    "accounts at a moment",
                    true=listed == state["accounts"],
                    text=f"{viewer} at {number}: {differing(listed, state['accounts'])[:4]}",
                )

    def frames(self) -> None:
        """The frame of an action ends at the state right after it."""
        table = self._table
        for viewer in self.scene.some_viewers():
            frames = table.get(viewer, "replay", limit=100)["frames"]
            pairs = zip(frames, [*frames[1:], None], strict=True)
            settled = [
                one
                for one, after in pairs
                if "." not in str(one["action"]) and (after is None or "." not in str(after["action"]))
            ]
            for frame in self.scene.chance.sample(settled, min(FEW, len(settled))):
                state = table.get(viewer, "state", at=frame["action"])
                side = frame["corrected"]
                held = {} if side is None else side["balances"]
                unlike = {
                    account: (balances, state["accounts"].get(account, {}))
                    for account, balances in held.items()
                    if {name: amount for name, amount in balances.items() if amount}
                    != {
                        name: state["accounts"].get(account, {}).get(name)
                        for name, amount in balances.items()
                        if amount
                    }
                }
                table.holds(
                    "e", "a frame's balances", true=not unlike, text=f"{viewer} {frame['action']}: {unlike}"
                )
                if side is not None and "display" in side:
                    table.holds(
                        "e",
                        "a frame's board",
                        true=side["display"] == state["display"],
                        text=f"{viewer} {frame['action']}: {differing(side['display'], state['display'])[:3]}",
                    )
                worths = {one["seat"]: one.get("worth") for one in frame["standings"]}
                then = {one["seat"]: one.get("worth") for one in state["standings"]}
                ended = state["status"] == "ended"
                table.holds(
                    "e",
                    "a frame's standings",
                    true=ended
                    or all(then.get(seat) in {worth, None} or worth is None for seat, worth in worths.items()),
                    text=f"{viewer} {frame['action']}: {worths} / {then}",
                )

    def known_then(self) -> None:
        """What is said to have been known at a moment is what was shown live then, to each viewer."""
        table = self._table
        if table.get(BANKER, "state")["status"] == "ended":
            return
        for viewer, follower in table.followers.items():
            shown = [version for version in follower.shown if version <= self.scene.head]
            for version in self.scene.chance.sample(shown, min(FEW, len(shown))):
                then = table.get(viewer, "state", at=version, known_at=version)
                owed = table.get(viewer, "obligations", at=version, known_at=version)["obligations"]
                then = {**then, "obligations": owed}
                live = follower.shown[version]
                if live["status"] == "ended" and viewer != BANKER:
                    continue  # The end has been undone since, and what only an end tells is hidden again.
                if "due" in live:
                    # Who is awaited was told for the time after what had fallen due by the clock.
                    then = {**then, "awaited": live["awaited"]}
                unlike = differing(_moment_of(live), _moment_of(then))
                table.holds("e", "earlier knowledge", true=not unlike, text=f"{viewer} at {version}: {unlike[:4]}")

    def fork(self) -> None:
        """A fork is the state of its moment, as it was known then, and can be played on."""
        table = self._table
        number = self.scene.chance.randint(1, self.scene.head)
        with self._house.client() as client:
            origin = {"game": table.game, "action": number, "token": table.tokens[BANKER]}
            answer = client.post(f"{API}/games", json={"title": "Another evening", "from": origin})
        if answer.status_code == 403 and not self._table.whole:
            return
        table.holds(
            "e", "a fork is refused", true=answer.status_code == 201, text=f"at {number}: {answer.text[:300]}"
        )
        if answer.status_code != 201:
            return
        other = table_of(self._house, answer.json(), table.languages)
        for viewer in table.viewers:
            if self._table.whole or viewer != BANKER:
                here = table.get(viewer, "state", at=number, known_at=number)
                there = other.get(viewer, "state", at=number, known_at=number)
                ends = {here["status"], table.get(BANKER, "state")["status"]}
                if "ended" in ends and viewer != BANKER:
                    continue  # What only an end tells is shown as long as it has not been undone.
                unlike = differing(_moment_of(there), _moment_of(here))
                table.holds(
                    "e", "a fork is another state", true=not unlike, text=f"{viewer} at {number}: {unlike[:4]}"
                )
        self._play_on(other)
        table.findings += [found for found in other.findings if found not in table.findings]
        table.counts += other.counts
        other.leave()

    def _play_on(self, other: Table) -> None:
        """Whoever is awaited in a fork does what is due."""
        for _ in range(FEW):
            state = other.get(BANKER, "state")
            for one in state["awaited"][:1]:
                viewer = one["seat"] if one["seat"] in other.tokens else BANKER
                simple = [
                    action
                    for move, action in other.moves(viewer)
                    if move["rank"] == "due" and not move.get("draws")
                ]
                if simple:
                    other.post(
                        viewer,
                        "actions",
                        self.scene.chance.choice(simple),
                        Idempotency_Key=f"{other.game} {self.scene.chance.random()}",
                    )


def _moment_of(state: Any) -> Any:
    """A state without what belongs to the game as a file, and without the time of reading."""
    left_out = {"game", "head", "due", "origin"}
    return {name: value for name, value in state.items() if name not in left_out}
