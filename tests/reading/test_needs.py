"""What a correction lacks can be supplied: each need has an edit that takes it, until nothing is missing."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from ledger.kernel.deciding.plan import Plan
from ledger.kernel.deciding.steps import decide_request, request_of
from ledger.kernel.facts.audience import BANKER
from ledger.kernel.facts.refusals import Refusal
from ledger.reading.moves.needs import NeedView, need_view
from ledger.rulebooks import rulebooks_by_id
from tests.properties.commands import SOAK
from tests.quarrels.mistakes import mistakes
from tests.quarrels.tables import Table, table_of

GAMES = (3000, 3002) if SOAK else (3002,)
"""Seeds of games whose corrected rolls stop on Chance and pass by Spawn."""


def planned(table: Table, edits: list[dict[str, Any]]) -> Plan:
    """The plan of a correction with these edits."""
    rulebook = table.game.rulebook
    params = {"edits": edits, "cascade": "restate", "reason": "a mistyped roll"}
    action = rulebook.codec.action("correct", msgspec.json.encode(params))
    at = table.game.state.last_at
    request = request_of(rulebook, table.past, action, seat=None, by="banker", at=at)
    _, found = decide_request(rulebook, table.game.state, request, table.past, None)
    assert found is not None
    return found


def filled(need: NeedView, values: list[Any]) -> dict[str, Any]:
    """The edit of a need, with these values in their place."""
    edit = msgspec.json.decode(msgspec.json.encode(need.edit))
    *way, last = need.values_at.strip("/").split("/")
    inside: Any = edit
    for step in way:
        inside = inside[int(step)] if isinstance(inside, list) else inside[step]
    inside[int(last) : int(last) + need.count] = values
    return edit


def supplied(table: Table, edits: list[dict[str, Any]], plan: Plan, chance: Random) -> list[dict[str, Any]]:
    """The edits with the first need met by a card that is left in its deck."""
    need = need_view(plan.needs[0], BANKER, table.game.rulebook.language.speakers(plan.new_state), "en")
    assert (need.kind, need.draw) == ("draw", "cards")
    cards = [one.removeprefix("card:") for one in plan.new_state.holdings.account(f"deck:{need.deck}")]
    for card in chance.sample(sorted(cards), len(cards)):
        edit = filled(need, [card])
        same = {"op": "replace", "action": edit.get("action")} if edit["op"] == "replace" else None
        kept = [one for one in edits if same is None or (one["op"], one.get("action")) != tuple(same.values())]
        try:
            planned(table, [*kept, edit])
        except Refusal:
            continue  # the card is drawn elsewhere in the corrected history
        return [*kept, edit]
    raise AssertionError(f"no card is taken for {need}")


def test_every_need_of_a_correction_can_be_met_in_the_same_correction() -> None:
    met = 0
    for seed in GAMES:
        table = table_of(rulebooks_by_id()["negopoly"], seed)
        for mistake in mistakes(table, 6, Random(f"negopoly:{seed}")):
            edits = [msgspec.to_builtins(mistake.edit)]
            plan = planned(table, edits)
            for _ in range(12):
                if not plan.needs:
                    break
                edits = supplied(table, edits, plan, Random(seed))
                plan = planned(table, edits)
                met += 1
            assert not plan.needs, mistake.text
    assert met > 3
