"""The banker of a simulated game: prepares the table, and draws the cards due if the banker draws.

Sometimes the banker also rules or corrects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from ledger.kernel.rules.actions import Choice
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.table.state import VirtualRevolution, in_service, pieces
from ledger.rulebooks.virtual_revolution.table.terms import EUROCREDIT

_SET_UP = (
    "deal_objectives",
    "deal_locations",
    "prepare_location_deck",
    "prepare_agent_deck",
    "prepare_corruption_deck",
    "prepare_verse_deck",
    "prepare_necro_deck",
    "reveal_agents",
)
_AT_ONCE = 0.3
"""The probability of finishing the set-up in a single action."""
_DUTIES: Mapping[str, float] = {
    "rule": 0.3,
    "correct": 0.1,
    "add_statement": 0.2,
    "open_dispute": 0.1,
    "withdraw_dispute": 0.1,
    "publish_rulings": 0.02,
}
"""The probability of each optional action of the banker, every time the table allows disputes."""


class House:
    """The banker's bot, for the duties closed to the players."""

    def kinds(
        self, state: VirtualRevolution, seat: str, by: str, open_kinds: Sequence[str], chance: Random
    ) -> Sequence[str]:
        """Return the duties of the moment, and now and then a ruling or a correction."""
        wishes: list[str] = []
        if state.stage == "setup":
            if chance.random() < _AT_ONCE:
                wishes.append("prepare_table")
            wishes += _SET_UP
        elif state.stage in ("missions", "attack"):
            wishes.append("necro_attack")
        elif state.stage == "upkeep":
            wishes.append("upkeep")
        wishes += [kind for kind, likely in _DUTIES.items() if chance.random() < likely]
        return [kind for kind in wishes if kind in open_kinds]

    def choices(
        self, state: VirtualRevolution, seat: str, kind: str, offered: Sequence[Choice], chance: Random
    ) -> Sequence[Choice]:
        """Return the choices offered, or a ruling or correction of the banker."""
        if kind == "correct":
            last = chance.randint(max(2, state.version - 8), max(2, state.version))
            edits = [{"op": "drop", "action": last}]
            return [Choice({"edits": edits, "cascade": "restate", "reason": "it never happened"})]
        if kind == "rule":
            return [_ruling(state, chance)]
        return chance.sample(offered, len(offered))


def _ruling(state: VirtualRevolution, chance: Random) -> Choice:
    """Build a ruling with one remedy, on an open dispute if possible."""
    seat = chance.choice(state.seating)
    remedies: list[dict[str, Any]] = [_remedy(state, seat, chance)]
    params: dict[str, Any] = {"finding": "So it is", "rules": ["vr:banker.1"]}
    if state.disputes:
        params["dispute"] = min(state.disputes)
        remedies.append({"op": "dismiss"})
    return Choice({**params, "remedies": [chance.choice(remedies)]})


def _remedy(state: VirtualRevolution, seat: str, chance: Random) -> dict[str, Any]:
    """Pick a remedy at random. An impossible remedy is refused by the game."""
    gift = {"from": "bank", "to": player(seat), "commodity": EUROCREDIT, "amount": 1}
    adjusted = {"op": "adjust", "postings": [gift], "reason": "an oversight"}
    agents = in_service(state, seat)
    shuffled = {"op": "shuffle_deck", "deck": "corruption"}
    remedies: list[dict[str, Any]] = [adjusted, adjusted, shuffled]
    if agents:
        remedies.append({"op": "turn_card", "card": agents[0], "side": chance.choice(("used", "upright"))})
    if state.offers:
        offered, area = chance.choice(sorted(state.offers)), chance.choice(sorted(pieces(state).places))
        remedies.append({"op": "offer_agent", "agent": offered, "place": area})
    if state.order:
        remedies.append({"op": "set_order", "order": chance.sample(state.order, len(state.order))})
    return chance.choice(remedies)
