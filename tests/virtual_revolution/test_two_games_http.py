"""The attacker's test over HTTP: every endpoint tells two games that differ only in what is hidden the same.

The pairs are those of `coupled`, played again through the API on a real Postgres; `tests.harness.secrecy` asks.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from itertools import islice, product
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from ledger.acting import performing
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.rulebook import RULEBOOK
from ledger.rulebooks.virtual_revolution.table.terms import hand
from tests.harness.attempts import GAME
from tests.harness.overhearing import OverhearingClient
from tests.harness.secrecy import Asked, Chair, Difference, differences
from tests.harness.secrecy import differing as differing_answers
from tests.harness.twins import Serve, Teller, serving, told_draws
from tests.tables.over_http import Caller, HttpTable
from tests.virtual_revolution.coupled import SEATS, Twins, differing
from tests.virtual_revolution.leaks import LEAKS

__all__ = ["serving", "told_draws"]

SOAK = bool(os.environ.get("MABLIGOP_SOAK"))
EACH = 12 if SOAK else 1
"""How many requests are made of every operation."""
ACTIONS = (14, 45, 90, 150, 400) if SOAK else (26,)
"""The actions after which the games are compared. The last number is beyond the end."""
VIEWERS = ((None, False), ("ana", False), ("ana", True))
PAIRS = [(*one, seed) for one in VIEWERS for seed in range(6)] if SOAK else [("bob", False, 0)]
"""Who looks, whether it is the banker, who plays that seat, and the seeds."""


def chairs(served: tuple[FlaskClient, Teller], twins: Twins, *, covered: bool = False) -> tuple[Chair, Chair]:
    """The viewer at both games, played again through the API as they were played in memory."""
    client = served[0]
    assert isinstance(client, OverhearingClient)
    client.only = "banker" if covered else twins.viewer or "spectator"
    one, other = (_chair(*served, twins, place, covered=covered) for place in (0, 1))
    return one, other


def _chair(client: FlaskClient, chance: Teller, twins: Twins, place: int, *, covered: bool) -> Chair:
    table = HttpTable.created(
        client, *SEATS, rulebook="virtual_revolution", settings=twins.settings, dice="service"
    )
    banker = table.tokens["banker"]
    for done in twins.script:
        chance.told = deque(done.draws[place])
        token = table.tokens["players"].get(done.by, banker)
        seat = {"seat": done.seat} if done.by == "banker" and done.seat else {}
        answer = Caller(client, table.game, token).act(done.kind, params=done.params[place], **seat)
        assert answer.status_code == 201, answer.text
    chance.told.clear()
    world = twins.worlds[place]
    assert table.version == world.state.version
    if not covered:
        held = table.banker.get("state").json["accounts"]
        for seat in SEATS:  # the cards came as they were told
            assert held.get(hand(seat), {}) == dict(world.state.holdings.account(hand(seat)))
    if covered:  # whose corrections and rulings are asked for, too; the rest is looked up as another player
        return Chair(client, table.game, banker, table.tokens["players"]["bob"])
    token = table.tokens["players"].get(twins.viewer, table.tokens["spectator"])
    return Chair(client, table.game, token, banker)


def _corrections(twins: Twins) -> Iterator[Asked]:
    """Dry runs of corrections of the latest actions, also with what either game hides."""
    last = twins.state.version
    edits: list[dict[str, Any]] = [
        {"op": "drop", "action": number} for number in range(max(2, last - 12), last + 1)
    ]
    edits += [{"op": "rewind", "to": max(2, last - back)} for back in (1, 4)]
    for edit in edits:
        for cascade in ("restate", "keep", "refuse"):
            content = {"edits": [edit], "cascade": cascade, "reason": "?", "dry_run": True}
            yield Asked("POST", f"/api/v1/games/{GAME}/corrections", content=content)
    done_by_number = {entry.number: done for entry, done in zip(twins.requested(), twins.script, strict=True)}
    for number, done in list(done_by_number.items())[-40:]:
        for params in done.params:
            sent = {"kind": done.kind, "params": params, **({"seat": done.seat} if done.seat else {})}
            yield Asked("POST", f"/api/v1/games/{GAME}/actions", content={**sent, "dry_run": True})
            if done.seat in {None, twins.viewer}:
                continue
            for edit in (
                {"op": "replace", "action": number, "params": params},
                {"op": "insert", "after": number - 1, "action": sent},
            ):
                content = {"edits": [edit], "cascade": "keep", "reason": "?", "dry_run": True}
                yield Asked("POST", f"/api/v1/games/{GAME}/corrections", content=content)


def _real_attempts(twins: Twins) -> Iterator[Asked]:
    """Real rulings about cards of either game, and real actions for the other seats with either game's cards."""
    for state, seat in product(twins.states, SEATS[1:]):
        for card in decks.held_in(state, hand(seat)):
            move = {"commodity": decks.commodity(card), "amount": 1, "from": hand(seat), "to": hand(SEATS[0])}
            content = {"finding": "?", "remedies": [{"op": "adjust", "postings": [move], "reason": "?"}]}
            yield Asked("POST", f"/api/v1/games/{GAME}/rulings", content=content)
        for kind, action in RULEBOOK.actions.items():
            if not action.docket and "player" in action.by:
                for choice in islice(action.choices(state, seat), 4):
                    content = {"kind": kind, "seat": seat, "params": choice.params}
                    yield Asked("POST", f"/api/v1/games/{GAME}/actions", content=content)


@pytest.mark.parametrize(("viewer", "covered", "seed"), PAIRS)
def test_every_endpoint_tells_them_the_same(
    serving: Serve, viewer: str | None, covered: bool, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    """State, views, journal, moves, dry runs, refusals, previews, streams, statistics, exports. Nothing of what
    is hidden goes into the log either.
    """
    caplog.set_level("INFO")
    twins = Twins(viewer, seed, covered=covered) if SOAK else differing(viewer, ACTIONS[0], covered=covered)
    for actions in ACTIONS:
        twins.play(actions - twins.state.version)
        one, other = chairs(serving(RULEBOOK), twins, covered=covered)
        more = list(_corrections(twins)) if SOAK or covered else ()
        found = differences(one, other, more=more, each=EACH, attempting=not covered)
        # Tokens of the banker's own have ids of their own.
        assert not [str(one) for one in found if not (covered and one.asked.path.endswith("/tokens"))]
    assert not [record for record in caplog.records if record.name != "mabligop.requests"]


def _covered(serving: Serve, seed: int) -> Iterator[Difference]:
    """The attempts of a banker who plays, as Ana, that the two games answer differently."""
    twins = Twins("ana", seed, covered=True)
    twins.play(60 + 10 * seed)
    assert SOAK or twins.differ()
    asked = [*_corrections(twins), *_real_attempts(twins)]
    chance = Random(seed)
    asked = asked if SOAK else [*chance.sample(asked[:-40], 15), *asked[-40:]]
    return differing_answers(*chairs(serving(RULEBOOK), twins, covered=True), each=0, more=asked, attempting=False)


@pytest.mark.parametrize("seed", range(12 if SOAK else 1))
def test_a_banker_who_plays_learns_nothing_by_deciding_for_others(serving: Serve, seed: int) -> None:
    """A yes and a no come alike, whatever the others hold: dry runs, corrections, rulings, real actions."""
    assert not [str(one) for one in _covered(serving, seed)]


if SOAK:  # otherwise they are found out in memory

    @pytest.mark.parametrize("leak", ["OpenObjectives", "widened CorruptionDrawn", "TalkativeScreen"])
    def test_a_leak_is_found_out(serving: Serve, leak: str) -> None:
        twins = differing(None, 30)
        assert differences(*chairs(serving(LEAKS[leak]()), twins), each=10)

    def test_a_yes_or_a_no_is_found_out(serving: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(performing, "require_foreseeable", lambda *_, **__: None)
        assert next(_covered(serving, 0), None) is not None
