"""Recorded games: strict reading, playing through the API, and differences with their line."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.rest.application import Config, create_app
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.store import Store
from replays.recorded import UnexpectedResult, open_game, play_on
from replays.recordings import BadRecording, Step, read
from tests.harness.recorded import play
from tests.tables.keys import key_of

SHORT = (Path(__file__).parent / "short.jsonl").read_text(encoding="utf-8").splitlines()
SEATS = '[{"seat": "ana", "name": "Ana"}, {"seat": "bob", "name": "Bob"}]'
GAME = f'{{"game": {{"rulebook": "negopoly", "players": {SEATS}}}}}'
JOIN = '{"by": "ana", "kind": "join_game", "params": {"persona": "Ana"}, "name": "joined"}'


@pytest.fixture(scope="module")
def client(store: Store) -> Iterator[httpx.Client]:
    """A client of the application on this module's database."""
    app = create_app(Ledger(store, rulebooks_by_id()), Config())
    with httpx.Client(transport=httpx.WSGITransport(app=app), base_url="http://table.example") as client:
        yield client


def changed(find: str, **fields: Any) -> tuple[int, list[str]]:
    """The short game with changed fields in the first line with a text, and that line's number."""
    number = next(number for number, text in enumerate(SHORT, start=1) if find in text)
    line = json.loads(SHORT[number - 1]) | fields
    return number, [*SHORT[: number - 1], json.dumps(line), *SHORT[number:]]


def journal(client: httpx.Client, game: str, token: str) -> list[dict[str, Any]]:
    answer = client.get(
        f"/api/v1/games/{game}/actions?limit=100", headers={"Authorization": f"Bearer {token}"}
    ).raise_for_status()
    found: list[dict[str, Any]] = answer.json()["actions"]
    return found


# Reading


def test_a_game_is_read_with_the_numbers_of_its_lines() -> None:
    recording = read(['{"comment": "An evening."}', GAME, "", JOIN, '{"check": {"round": 0}}'])
    assert recording.line == 2
    assert [seat.name for seat in recording.setup.players] == ["Ana", "Bob"]
    assert [number for number, _ in recording.lines] == [4, 5]


@pytest.mark.parametrize(
    ("lines", "line", "reason"),
    [
        ([], 1, "the file ends before"),
        (['{"comment": "Nothing else."}'], 2, "the file ends before"),
        ([JOIN], 1, "begins with"),
        ([GAME, "{"], 2, "not JSON"),
        ([GAME, "[1]"], 2, "not a JSON object"),
        ([GAME, GAME], 2, "second game"),
        (['{"game": {"rulebook": "negopoly"}}'], 1, "players"),
        (['{"game": {"rulebook": "negopoly", "players": [], "dice": "loaded"}}'], 1, "loaded"),
        ([GAME, '{"comment": "x", "by": "ana"}'], 2, "stands alone"),
        ([GAME, '{"by": "ana"}'], 2, "kind"),
        ([GAME, '{"by": "ana", "kind": "join_game", "parameters": {}}'], 2, "parameters"),
        ([GAME, '{"by": "cleo", "kind": "join_game"}'], 2, "cleo"),
        ([GAME, JOIN, JOIN], 3, "given twice"),
        ([GAME, '{"by": "ana", "kind": "join_game", "name": "my loan"}'], 2, "is no name"),
        ([GAME, '{"by": "ana", "kind": "end_turn", "name": "x", "refused": {"status": 409}}'], 2, "refused"),
        ([GAME, '{"by": "ana", "kind": "repay_loan", "params": {"loan": "$loan"}}'], 2, "'loan'"),
        ([GAME, '{"by": "ana", "kind": "x", "params": {"legs": [{"of": "$loan-2"}]}}'], 2, "'loan'"),
        ([GAME, '{"by": "ana", "kind": "x", "params": {"actions": ["#loan"]}}'], 2, "'loan'"),
        ([GAME, '{"check": {}}'], 2, "names nothing"),
        ([GAME, '{"check": {"holding": {}}}'], 2, "holding"),
        ([GAME, '{"check": {"holdings": {"player:ana": {"NGD": 1.5}}}}'], 2, "int"),
        ([GAME, '{"check": {"positions": {"cleo": 3}}}'], 2, "cleo"),
        ([GAME, '{"check": {"owners": {"negotown": "cleo"}}}'], 2, "cleo"),
    ],
)
def test_a_bad_file_is_refused_with_the_line_that_is_wrong(lines: list[str], line: int, reason: str) -> None:
    with pytest.raises(BadRecording) as refused:
        read(lines)
    assert refused.value.line == line
    assert reason in refused.value.reason


# Playing


def test_a_game_is_played_to_its_end(client: httpx.Client) -> None:
    told: list[tuple[int, int]] = []
    played = play(SHORT, client, progress=lambda done, total: told.append((done, total)))
    assert (played.actions, played.refusals) == (16, 3)
    assert set(played.tokens["players"]) == {"ana", "bob"}
    actions = journal(client, played.game, played.tokens["banker"])
    assert [action["kind"] for action in actions[-2:]] == ["resolve_square", "end_turn"]
    closed = next(action for action in actions if action["kind"] == "close_bounty")
    posted = next(action for action in actions if action["kind"] == "post_bounty")
    assert closed["params"]["bounty"] == str(posted["number"])
    assert told[0] == (1, told[-1][1])
    assert told[-1][0] == told[-1][1]


def test_without_a_key_every_playing_is_a_game_of_its_own(client: httpx.Client) -> None:
    assert play(SHORT[:3], client).game != play(SHORT[:3], client).game


def test_a_waived_rule_is_sent_with_its_reason(client: httpx.Client) -> None:
    bought = {"by": "banker", "seat": "ana", "kind": "buy_property", "params": {"title": "negotown"}}
    waived = bought | {"override": "agreed by the whole table"}
    refused = bought | {"refused": {"status": 409, "rule": "II.B.3"}}
    played = play([*SHORT[:8], json.dumps(refused), json.dumps(waived)], client)
    last = journal(client, played.game, played.tokens["banker"])[-1]
    assert (last["seat"], last["by"], last["override"]) == ("ana", "banker", "agreed by the whole table")


@pytest.mark.parametrize(
    ("find", "fields", "expected", "came"),
    [
        ('"transfer_money"', {"params": {"to": "bob", "amount": 200_000}}, "to be accepted", "409"),
        ('"resolve_square"', {"refused": {"status": 409}}, "a refusal with 409", "action 11, accepted"),
        ('"II.2"', {"refused": {"status": 422}}, "a refusal with 422", "409 by rule II.2"),
        ('"II.2"', {"refused": {"status": 409, "rule": "II.3"}}, "by rule II.3", "409 by rule II.2"),
        ('"round"', {"check": {"round": 2}}, "round = 2", "round = 1"),
        ('"owners"', {"check": {"owners": {"negotown": "ana"}}}, "negotown = ana", "negotown = nobody"),
        ('"owners"', {"check": {"owners": {"camelot": None}}}, "camelot", "no such title"),
        ('"owners"', {"check": {"positions": {"ana": 4}}}, "position of ana = 4", "position of ana = 3"),
        ('"winners"', {"check": {"winners": ["ana"]}}, "winners = ana", "winners = bob"),
        ('"winners"', {"check": {"status": "running"}}, "status = running", "status = ended"),
        (
            '"round"',
            {"check": {"holdings": {"player:ana": {"NGD": 1500, "dose": 0}, "player:bob": {"dose": 3}}}},
            "NGD of player:ana = 1500",
            "NGD of player:ana = 1650",
        ),
        (
            '"round"',
            {"check": {"holdings": {"player:bob": {"NGD": 1500, "dose": 0}}}},
            "dose of player:bob = 0",
            "dose of player:bob = 3",
        ),
        (
            '"round"',
            {"check": {"holdings": {"player:bob": {"NGD": 1500}}, "exact": True}},
            "dose of player:bob = 0",
            "dose of player:bob = 3",
        ),
    ],
)
def test_a_difference_names_the_line_what_was_expected_and_what_came(
    client: httpx.Client, find: str, fields: dict[str, Any], expected: str, came: str
) -> None:
    number, lines = changed(find, **fields)
    with pytest.raises(UnexpectedResult) as difference:
        play(lines, client)
    assert difference.value.line == number
    assert expected in difference.value.expected
    assert came in difference.value.came


def test_a_game_that_cannot_be_created_is_a_difference_of_its_first_line(client: httpx.Client) -> None:
    with pytest.raises(UnexpectedResult) as difference:
        play(['{"comment": ""}', GAME.replace("negopoly", "ludo")], client)
    assert difference.value.line == 2
    assert "ludo" in difference.value.came


# Playing once


class PlayInterrupted(Exception):  # noqa: N818 - it names a condition
    """The first play was interrupted."""


def interrupt_after(lines: int) -> Callable[[int, int], None]:
    def progress(done: int, _total: int) -> None:
        if done == lines:
            raise PlayInterrupted

    return progress


def test_the_same_key_finds_the_same_game_and_plays_nothing_twice(client: httpx.Client) -> None:
    first = play(SHORT, client, key=key_of("once"))
    again = play(SHORT, client, key=key_of("once"))
    assert (again.game, again.tokens, again.actions) == (first.game, first.tokens, first.actions)
    assert len(journal(client, first.game, first.tokens["banker"])) == first.actions + 1
    assert again.refusals == 0  # The game is over: no refusal is left.


@pytest.mark.parametrize("lines", [1, 2, 3, 8, 9, 20])
def test_a_playing_that_was_broken_off_is_continued(client: httpx.Client, lines: int) -> None:
    key = key_of(f"broken off after {lines}")
    with pytest.raises(PlayInterrupted):
        play(SHORT, client, key=key, progress=interrupt_after(lines))
    played = play(SHORT, client, key=key)
    actions = journal(client, played.game, played.tokens["banker"])
    assert len(actions) == played.actions + 1 == 17


@pytest.mark.parametrize("upto", [1, 2, 9, 16, 17, 18])
def test_a_playing_stops_after_an_action(client: httpx.Client, upto: int) -> None:
    """The whole game has 17 actions, and the first one lays out the table."""
    recording = read(SHORT)
    done: list[int] = []
    played = play_on(
        recording, open_game(recording, client), client, progress=lambda one, _: done.append(one), upto=upto
    )
    last = min(upto, 17)
    assert (len(journal(client, played.game, played.tokens["banker"])), played.actions) == (last, last - 1)
    stops = [
        place for place, (_, step) in enumerate(recording.lines) if isinstance(step, Step) and step.refused is None
    ][last - 1 : last]
    assert len(done) == (stops or [len(recording.lines)])[0], "what is checked or refused before the next action"


def test_the_key_of_another_game_is_refused(client: httpx.Client) -> None:
    play(SHORT[:3], client, key=key_of("taken"))
    with pytest.raises(UnexpectedResult, match="422"):
        play(changed('"game"', game=json.loads(GAME)["game"])[1], client, key=key_of("taken"))
