"""Players who repeat a request with its key until it is answered, and remember what they were told."""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

import httpx

from tests.faults.checking import Acknowledged
from tests.harness.offered import actions_of
from tests.tables.keys import key_of

API = "/api/v1"
PATIENCE_SECONDS = 60.0
"""How long a player repeats a request on a quick machine: longer than a fault, and the service needs after it."""
_TIMEOUT_SECONDS = 20.0
_LONGEST_PAUSE_SECONDS = 0.05
_AGAIN_SECONDS = 0.2
_WORDY = {
    "open_dispute",
    "rule",
    "publish_rulings",
    "correct",
    "transfer_money",
    "propose_deal",
    "withdraw_deal",
    "break_deal",
    "register_contract",
    "withdraw_contract",
    "report_breach",
    "post_bounty",
    "start_meeting",
    "leave_meeting",
    "take_loan",
    "repay_loan",
    "end_game",
    "declare_bankruptcy",
    "use_game_ender",
}
"""Actions that bring no turn to its end, or the game too soon to its own. They are chosen less often."""
_WORDY_CHANCE = 0.15
_MOST_SENT = 500
_SENT_OF = 5
"""Of so many accepted requests one is kept, to be sent again."""


class Sent(NamedTuple):
    """A request for an action, as a phone keeps it until it is answered."""

    game: str
    seat: str
    key: str
    body: dict[str, Any]


class Table:
    """One game after another with the same seats. What is known of every game is kept for the checks."""

    def __init__(self, seed: str, rulebook: str, seats: tuple[str, ...]) -> None:
        self.rulebook = rulebook
        self.seats = seats
        self._seed = seed
        self._lock = threading.Lock()
        self.games: list[str] = []
        self.tokens: dict[str, dict[str, str]] = {}
        self.acknowledged: dict[str, list[Acknowledged]] = {}
        self.sent: deque[Sent] = deque(maxlen=_MOST_SENT)
        """Accepted requests, for whoever sends them again."""
        self._accepted = 0
        self._seen: Counter[str] = Counter()

    @property
    def game(self) -> str:
        """The game that is being played."""
        return self.games[-1]

    def open(self, client: httpx.Client, after: str | None) -> None:
        """Create the next game, unless another player has done so since the game `after` ended.

        Raises httpx.HTTPError, and then can be called again: the key of the request is the same.
        """
        with self._lock:
            if self.games and self.game != after:
                return
            players = [{"seat": seat, "name": seat.capitalize()} for seat in self.seats]
            answer = client.post(
                f"{API}/games",
                json={"rulebook": self.rulebook, "players": players, "dice": "service"},
                headers={"Idempotency-Key": key_of(f"{self._seed} {self.rulebook} {len(self.games)}")},
            )
            created = answer.raise_for_status().json()
            game: str = created["game"]
            self.tokens[game] = {**created["tokens"]["players"], "banker": created["tokens"]["banker"]}
            self.acknowledged[game] = []
            self.games.append(game)

    def keep(self, sent: Sent, one: Acknowledged) -> None:
        """Remember an acknowledged action, and the request."""
        with self._lock:
            self.acknowledged[sent.game].append(one)
            self._accepted += 1
            if self._accepted % _SENT_OF == 0:
                self.sent.append(sent)

    def unseen(self, game: str) -> list[Acknowledged]:
        """What was acknowledged in a game since the last call."""
        with self._lock:
            seen, self._seen[game] = self._seen[game], len(self.acknowledged[game])
            return self.acknowledged[game][seen:]


class Player(threading.Thread):
    """Somebody at a table who does anything that is legal. `seat` is a seat of the table, or "banker".

    The same seed asks for the same things as long as the service offers the same. Of several services at `urls`
    a player takes the next after a failure. `slowness` is that of the machine (see `Host`). `served_since` is the
    time (monotonic) of the last request that was accepted.
    """

    def __init__(self, urls: Sequence[str], table: Table, seat: str, seed: str, slowness: float) -> None:
        super().__init__(name=f"{table.rulebook} {seat}", daemon=True)
        self._urls = deque(urls)
        self._urls.rotate(len(table.seats) if seat == "banker" else table.seats.index(seat))
        self._client = httpx.Client(base_url=self._urls[0], timeout=slowness * _TIMEOUT_SECONDS, trust_env=False)
        self._patience = slowness * PATIENCE_SECONDS
        self._table = table
        self._seat = seat
        self._seed = seed
        self._chance = Random(f"{seed} {table.rulebook} {seat}")
        self._asked = 0
        self._may_play = threading.Event()
        self._resting = threading.Event()
        self._leaves = False
        self.served_since = 0.0
        self.counts: Counter[str] = Counter()
        self.complaints: list[str] = []

    def rest(self) -> None:
        """Let this player stop as soon as the last request has its answer."""
        self._may_play.clear()

    def rests(self, patience: float) -> bool:
        """Wait until this player has stopped. Returns whether it has."""
        return self._resting.wait(patience)

    def play(self) -> None:
        """Let this player go on."""
        self._resting.clear()
        self._may_play.set()

    def leave(self) -> None:
        """End this player."""
        self._leaves = True
        self._may_play.set()

    def run(self) -> None:
        """Play until `leave`."""
        while not self._leaves:
            if not self._may_play.is_set():
                self._resting.set()
                self._may_play.wait()
                continue
            try:
                self._act()
            except Exception as fault:
                # Whatever a player meets is a finding.
                self._complain(f"could not go on: {type(fault).__name__}: {fault}")
                time.sleep(_AGAIN_SECONDS)
            time.sleep(self._chance.random() * _LONGEST_PAUSE_SECONDS)
        self._client.close()

    def _act(self) -> None:
        """Choose a legal action and ask for it until there is an answer."""
        if not self._table.games:
            self._open_table(None)
            return
        game = self._table.game
        move = self._choose(game)
        if move is None:
            return
        self._asked += 1
        key = f"{self._seed} {self._seat} {self._asked}"
        seat, params = move.pop("for", None), move["params"]
        asked = {"kind": move["kind"], "params": params} | ({} if seat is None else {"seat": seat})
        deadline = time.monotonic() + self._patience
        while time.monotonic() < deadline:
            begun = time.monotonic()
            answer = self._send("POST", f"{API}/games/{game}/actions", game, key, asked)
            if answer is None:
                continue
            if answer.status_code in {200, 201}:
                self._table.keep(Sent(game, self._seat, key, asked), acknowledgement(key, answer.json()))
                self.served_since = begun
                self.counts["acknowledged"] += 1
            elif answer.status_code in {409, 422}:
                self.counts["refused"] += 1
            else:
                self._complain(f"{asked['kind']} was answered with {answer.status_code}: {answer.text[:300]}")
            return
        self._complain(f"{asked['kind']} had no answer in {self._patience:.0f} s")

    def _choose(self, game: str) -> dict[str, Any] | None:
        """A legal move; None when there is none or the service does not say now."""
        query, seat = "", None
        if self._seat == "banker":
            seat = self._chance.choice((*self._table.seats, None))
            query = "" if seat is None else f"?seat={seat}"
        answer = self._send("GET", f"{API}/games/{game}/moves{query}", game)
        if answer is None:
            return None
        if not answer.is_success:
            self._complain(f"moves were answered with {answer.status_code}: {answer.text[:300]}")
            return None
        moves = list(actions_of(answer.json()["moves"]))
        for move in moves:
            if seat is not None:
                move["for"] = seat
        serious = [move for move in moves if move["kind"] not in _WORDY]
        if serious and self._seat == "banker":
            # The banker sees what each player may do, and mostly leaves it to them.
            serious = [move for move in serious if self._chance.random() < _WORDY_CHANCE]
        if serious and self._chance.random() > _WORDY_CHANCE:
            return self._chance.choice(serious)
        if moves and self._chance.random() < _WORDY_CHANCE:
            return self._chance.choice(moves)
        if not serious and self._seat == "banker":
            self._look_whether_over(game)
        return None

    def _look_whether_over(self, game: str) -> None:
        """Open the next game when this one has ended."""
        answer = self._send("GET", f"{API}/games/{game}", game)
        if answer is not None and answer.is_success and answer.json()["status"] == "ended":
            self._open_table(game)

    def _open_table(self, after: str | None) -> None:
        try:
            self._table.open(self._client, after)
        except httpx.HTTPStatusError as fault:
            if fault.response.status_code != 503:
                self._complain(f"a new game was answered with {fault.response.status_code}")
            self._take_the_next()
            time.sleep(_AGAIN_SECONDS)
        except httpx.TransportError:
            self._take_the_next()
            time.sleep(_AGAIN_SECONDS)

    def _send(self, method: str, path: str, game: str, key: str = "", body: Any = None) -> httpx.Response | None:
        """The answer to a request; None when there was none, a 408 or a 503: the request may be sent again."""
        headers = {"Authorization": f"Bearer {self._table.tokens[game][self._seat]}"}
        if key:
            headers["Idempotency-Key"] = key
        try:
            answer = self._client.request(method, path, headers=headers, json=body)
        except httpx.TransportError:
            self.counts["no answer"] += 1
            self._take_the_next()
            time.sleep(_AGAIN_SECONDS)
            return None
        if answer.status_code == 408:
            # Nothing was done, and the request may be repeated (RFC 9110, 15.5.9).
            self.counts["408"] += 1
            return None
        if answer.status_code == 503:
            self.counts["503"] += 1
            if "Retry-After" not in answer.headers:
                self._complain(f"{method} was answered with 503 without Retry-After")
            self._take_the_next()
            self._wait_for(answer)
            return None
        return answer

    def _take_the_next(self) -> None:
        """Turn to the next service, if there are several."""
        self._urls.rotate()
        self._client.base_url = httpx.URL(self._urls[0])

    def _wait_for(self, answer: httpx.Response) -> None:
        seconds = _AGAIN_SECONDS
        with suppress(KeyError, ValueError):
            seconds = min(1.0, float(answer.headers["Retry-After"]))
        time.sleep(seconds)

    def _complain(self, what: str) -> None:
        self.complaints.append(f"{self.name}: {what}")


def acknowledgement(key: str, said: dict[str, Any]) -> Acknowledged:
    """What an answer to the request with this key acknowledges."""
    return Acknowledged(key, said["number"], said["kind"], said["seat"], said["params"], said["receipt"]["leaf"])
