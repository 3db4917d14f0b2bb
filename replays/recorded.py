"""Recorded games: a whole game as a text file, for playing through the REST API and checking line by line.

A recorded game is a JSON Lines file (UTF-8, one JSON object per line; empty lines are ignored). The first object
is the game in the form of ``POST /games`` (`title`, `settings` and `dice` are optional)::
    {"game": {"rulebook": "negopoly", "title": "An evening", "dice": "table", "settings": {},
              "players": [{"seat": "ana", "name": "Ana"}, {"seat": "bob", "name": "Bob"}]}}

Every further line has one of the following forms.

*A comment*, anywhere, also before the game::

    {"comment": "Ana buys what Bob wanted."}

*An action*: the actor (``by``: a seat, or ``banker``), the kind and the parameters. ``seat`` is the seat for
which the banker acts, ``override`` the banker's reason for waiving rules::
    {"by": "ana", "kind": "roll_dice", "params": {"dice": [1, 2]}}
    {"by": "banker", "kind": "start_game"}
    {"by": "banker", "seat": "ana", "kind": "buy_property", "override": "agreed by the whole table"}

*An action with a name*, for later references to the agreement opened by the action. The id of an agreement is
the number of the action that opened it. So ``"$loan"`` as a value anywhere in later parameters stands for the
action's number as a string, and ``"$loan-2"`` for the second agreement opened by the action. ``"#loan"`` is
the number itself, as corrections and disputes name actions. A name has letters, digits and underscores, and
begins with a letter::
    {"by": "ana", "kind": "take_loan", "params": {"amount": 200}, "name": "loan"}
    {"by": "ana", "kind": "repay_loan", "params": {"loan": "$loan"}}
    {"by": "bob", "kind": "open_dispute", "params": {"claim": "She had enough.", "actions": ["#loan"]}}

*An action that must be refused*, with the status and, optionally, the rule of the answer. The refusal must not
change the game's version::

    {"by": "bob", "kind": "end_turn", "refused": {"status": 409, "rule": "II.B.1"}}

*A check* of the state seen by the banker. Only the named values are compared, and must be equal::
    {"check": {"holdings": {"player:ana": {"NGD": 1650, "dose": 0}}, "owners": {"negotown": "ana"},
               "positions": {"ana": 3}, "round": 2, "status": "ended", "winners": ["ana"]}}

The members of a check::
    `holdings`   account → commodity → amount; 0 means that the account holds none
    `exact`      true: the accounts in `holdings` hold nothing else
    `owners`     title → the seat that owns the title; null for a title without an owner
    `positions`  seat → index of the square of its token
    `round`      the number of the round; 0 before the first
    `status`     setup, play or ended
    `winners`    the winning seats, in the order of the game's table

Every action is sent with its own idempotency key, made of the game's id and the line number. So an interrupted
game can be played again with its key, which finds the game: the accepted actions are recognised, and the remaining
actions are played. Refusals and checks in the part already played are then skipped, because the game has left
their state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from random import Random
from typing import Any

import httpx
import msgspec

from ledger.kernel.deciding.in_memory import GameInMemory
from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from replays.recordings import Check, Recording, Refused, Step, resolved

API = "/api/v1"


Progress = Callable[[int, int], None]
"""A function called after each line with the number of finished lines, and the total."""


class UnexpectedResult(Exception):  # noqa: N818 - it names a condition
    """The game came out differently: the line (counted from 1), the expected result, and the actual result."""

    def __init__(self, line: int, expected: str, came: str) -> None:
        super().__init__(f"line {line}: expected {expected}; came {came}")
        self.line = line
        self.expected = expected
        self.came = came


class Opened(msgspec.Struct, frozen=True):
    """A game on the service: the id, the tokens, and the version reached earlier."""

    game: str
    tokens: dict[str, Any]
    version: int
    replayed: bool


class Played(msgspec.Struct, frozen=True):
    """A game that came out as recorded: the id and tokens, and the numbers of accepted actions and refusals."""

    game: str
    tokens: dict[str, Any]
    actions: int
    refusals: int


def play_in_memory(
    recording: Recording, rulebook: Rulebook[Any], *, name: str, at: datetime, pace: timedelta, chance: Random
) -> GameInMemory[Any]:
    """Play a recorded game with the table's own dice, without a service. Refusals and checks are left out.

    `name` is the game's name in the entries, `at` the time of the opening, `pace` the time between two actions,
    and `chance` the source of salts. Raises a Refusal if the file does not follow these rules.
    """
    setup = recording.setup
    opening = Opening(
        players=tuple(Seat(player.seat, player.name) for player in setup.players),
        settings=msgspec.convert(setup.settings or {}, rulebook.settings),
        dice=setup.dice,
    )
    game = GameInMemory(rulebook, opening, name=name, at=at, chance=chance, draws_given=True)
    numbers: dict[str, int] = {}
    for step in recording.accepted:
        at += pace
        action = msgspec.convert(resolved(step.params, numbers), rulebook.actions[step.kind])
        game.perform(action, step.seat if step.by == "banker" else step.by, step.by, at, step.override)
        if step.name is not None:
            numbers[step.name] = game.state.version
    return game


def open_game(recording: Recording, client: httpx.Client, *, key: str | None = None) -> Opened:
    """Create the game, or find the one created with this key. Raises UnexpectedResult, httpx.HTTPError."""
    answer = client.post(
        f"{API}/games",
        content=msgspec.json.encode(recording.setup),
        headers={"Content-Type": "application/json"} | ({} if key is None else {"Idempotency-Key": key}),
    )
    if not answer.is_success:
        raise UnexpectedResult(
            recording.line, f"a game of {recording.setup.rulebook} to be created", _problem(answer)
        )
    created = answer.json()
    summary = _get(client, f"{API}/games/{created['game']}", created["tokens"]["banker"])
    return Opened(
        game=created["game"],
        tokens=created["tokens"],
        version=summary["version"],
        replayed="Idempotent-Replayed" in answer.headers,
    )


def play_on(
    recording: Recording,
    opened: Opened,
    client: httpx.Client,
    *,
    progress: Progress | None = None,
    upto: int | None = None,
) -> Played:
    """Play the lines of a recorded game in an opened game through the API, and compare the results with the file.

    The base URL of `client` is the service's address. A line already played is not played again. With `upto`, stop
    once the game has `upto` actions. Raises UnexpectedResult at the first line with a different result, and
    httpx.HTTPError if the service does not answer.
    """
    table = _Table(client, opened)
    for done, (line, step) in enumerate(recording.lines, start=1):
        if isinstance(step, Check):
            table.check(line, step)
        elif step.refused is not None:
            table.refuse(line, step, step.refused)
        elif upto is not None and table.reached >= upto:
            break
        else:
            table.perform(line, step)
        if progress is not None:
            progress(done, len(recording.lines))
    return Played(opened.game, opened.tokens, table.actions, table.refusals)


class _Table:
    """A game in play: the numbers of its named actions, and the last action."""

    def __init__(self, client: httpx.Client, opened: Opened) -> None:
        self._client = client
        self._game = opened.game
        self._path = f"{API}/games/{opened.game}"
        self._banker: str = opened.tokens["banker"]
        self._tokens: dict[str, str] = opened.tokens["players"] | {"banker": self._banker}
        self._numbers: dict[str, int] = {}
        # Lines before the head were played and checked earlier.
        self._head = opened.version if opened.replayed else 0
        self.reached = 1  # The first action lays out the table.
        self.actions = 0
        self.refusals = 0

    def perform(self, line: int, step: Step) -> None:
        answer = self._send(step, {"Idempotency-Key": f"{self._game}:{line}"})
        if not answer.is_success:
            raise UnexpectedResult(line, f"{step} to be accepted", _problem(answer))
        self.reached = answer.json()["number"]
        if step.name is not None:
            self._numbers[step.name] = self.reached
        self.actions += 1

    def refuse(self, line: int, step: Step, refused: Refused) -> None:
        if self._behind:
            return
        version_before = self._version()
        answer = self._send(step, {})
        version_after = self._version()
        expected = f"{refused} of {step}"
        if answer.is_success:
            raise UnexpectedResult(line, expected, f"action {answer.json()['number']}, accepted")
        if answer.status_code != refused.status:
            raise UnexpectedResult(line, expected, _problem(answer))
        if refused.rule is not None and refused.rule not in _cited(answer.json()):
            raise UnexpectedResult(line, expected, _problem(answer))
        if version_after != version_before:
            raise UnexpectedResult(
                line, f"the game to stay at version {version_before}", f"version {version_after}"
            )
        self.refusals += 1

    def check(self, line: int, check: Check) -> None:
        if self._behind:
            return
        state = self._get("/state")
        compared = [*_compared_holdings(check, state["accounts"]), *_compared_table(check, state)]
        different = [(name, expected, came) for name, expected, came in compared if expected != came]
        if different:
            raise UnexpectedResult(
                line,
                ", ".join(f"{name} = {_value_text(expected)}" for name, expected, _ in different),
                ", ".join(f"{name} = {_value_text(came)}" for name, _, came in different),
            )

    @property
    def _behind(self) -> bool:
        return self.reached < self._head

    def _version(self) -> int:
        version: int = self._get("")["version"]
        return version

    def _get(self, path: str) -> dict[str, Any]:
        return _get(self._client, self._path + path, self._banker)

    def _send(self, step: Step, headers: dict[str, str]) -> httpx.Response:
        body: dict[str, Any] = {"kind": step.kind, "params": resolved(step.params, self._numbers)}
        if step.seat is not None:
            body["seat"] = step.seat
        if step.override is not None:
            body["override"] = {"reason": step.override}
        token = self._tokens[step.by]
        return self._client.post(
            f"{self._path}/actions", json=body, headers={"Authorization": f"Bearer {token}"} | headers
        )


def _compared_holdings(
    check: Check, accounts: Mapping[str, Mapping[str, int]]
) -> Iterator[tuple[str, object, object]]:
    """Yield the holdings of a check, as (name, expected value, actual value)."""
    for account, expected in check.holdings.items():
        balances = accounts.get(account, {})
        for commodity in {**expected, **balances} if check.exact else expected:
            yield f"{commodity} of {account}", expected.get(commodity, 0), balances.get(commodity, 0)


def _compared_table(check: Check, state: Mapping[str, Any]) -> Iterator[tuple[str, object, object]]:
    """Yield the checked values of the table, as (name, expected value, actual value)."""
    table = state["table"]
    for title, owner in check.owners.items():
        came = table["titles"][title].get("owner") if title in table["titles"] else "no such title"
        yield f"owner of {title}", owner, came
    for seat, square in check.positions.items():
        yield f"position of {seat}", square, table["positions"].get(seat)
    if check.round is not None:
        yield "round", check.round, table.get("round")
    if check.status is not None:
        yield "status", check.status, state["status"]
    if check.winners is not None:
        yield "winners", check.winners, table.get("winners")


def _get(client: httpx.Client, path: str, token: str) -> dict[str, Any]:
    answer = client.get(path, headers={"Authorization": f"Bearer {token}"})
    answer.raise_for_status()
    content: dict[str, Any] = answer.json()
    return content


def _cited(problem: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the rules cited by a problem: first the broken rule, then further rules."""
    return (problem.get("rule"), *problem.get("rules", ()))


def _problem(answer: httpx.Response) -> str:
    """Write an answer on one line: the status, the broken rule, and the problem's detail."""
    try:
        problem = answer.json()
    except ValueError:
        problem = {}
    if not isinstance(problem, dict):
        problem = {}
    rule = f" by rule {problem['rule']}" if problem.get("rule") else ""
    detail = problem.get("detail") or problem.get("title") or answer.reason_phrase
    return f"{answer.status_code}{rule}: {detail}"


def _value_text(value: Any) -> str:
    if value is None:
        return "nobody"
    return ", ".join(value) or "nobody" if isinstance(value, list) else str(value)
