"""The banker of a simulated game: prepares the table and, where it draws itself, turns up what is due.

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
"""How likely all that is left of the set-up is done at once."""
_DUTIES: Mapping[str, float] = {
    "rule": 0.3,
    "correct": 0.1,
    "add_statement": 0.2,
    "open_dispute": 0.1,
    "withdraw_dispute": 0.1,
    "publish_rulings": 0.02,
}
"""How likely the banker takes an optional action, each time that the table lets anybody think of disputes."""


class House:
    """The banker, who sees to what nobody else may do."""

    def kinds(
        self, state: VirtualRevolution, seat: str, by: str, open_kinds: Sequence[str], chance: Random
    ) -> Sequence[str]:
        """The duties of the moment; now and then a ruling or a correction."""
        wanted: list[str] = []
        if state.stage == "setup":
            if chance.random() < _AT_ONCE:
                wanted.append("prepare_table")
            wanted += _SET_UP
        elif state.stage in ("missions", "attack"):
            wanted.append("necro_attack")
        elif state.stage == "upkeep":
            wanted.append("upkeep")
        wanted += [kind for kind, likely in _DUTIES.items() if chance.random() < likely]
        return [kind for kind in wanted if kind in open_kinds]

    def choices(
        self, state: VirtualRevolution, seat: str, kind: str, offered: Sequence[Choice], chance: Random
    ) -> Sequence[Choice]:
        """The choices offered, with the banker's own rulings and corrections."""
        if kind == "correct":
            last = chance.randint(max(2, state.version - 8), max(2, state.version))
            edits = [{"op": "drop", "action": last}]
            return [Choice({"edits": edits, "cascade": "restate", "reason": "it never happened"})]
        if kind == "rule":
            return [_ruling(state, chance)]
        return chance.sample(offered, len(offered))


def _ruling(state: VirtualRevolution, chance: Random) -> Choice:
    """A ruling with one remedy, on an open dispute if there is one."""
    seat = chance.choice(state.seating)
    remedies: list[dict[str, Any]] = [_remedy(state, seat, chance)]
    params: dict[str, Any] = {"finding": "So it is", "rules": ["vr:banker.1"]}
    if state.disputes:
        params["dispute"] = min(state.disputes)
        remedies.append({"op": "dismiss"})
    return Choice({**params, "remedies": [chance.choice(remedies)]})


def _remedy(state: VirtualRevolution, seat: str, chance: Random) -> dict[str, Any]:
    """Something that a banker sets right; what is not possible now is refused."""
    gift = {"from": "bank", "to": player(seat), "commodity": EUROCREDIT, "amount": 1}
    adjusted = {"op": "adjust", "postings": [gift], "reason": "an oversight"}
    agents = in_service(state, seat)
    shuffled = {"op": "shuffle_deck", "deck": "corruption"}
    found: list[dict[str, Any]] = [adjusted, adjusted, shuffled]
    if agents:
        found.append({"op": "turn_card", "card": agents[0], "side": chance.choice(("used", "upright"))})
    if state.offers:
        offered, place = chance.choice(sorted(state.offers)), chance.choice(sorted(pieces(state).places))
        found.append({"op": "offer_agent", "agent": offered, "place": place})
    if state.order:
        found.append({"op": "set_order", "order": chance.sample(state.order, len(state.order))})
    return chance.choice(found)
