"""The banker of a simulated game: prepares the table, holds the auctions, and closes and opens seasons.

Sometimes the banker also rules or corrects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from ledger.kernel.rules.actions import Choice
from ledger.rulebooks.monopoly.table.state import Monopoly, cite, currency, in_play, pieces
from ledger.rulebooks.parts.seats import player as purse

_SET_UP = (
    "elect_banker",
    "shuffle_deck",
    "join_table",
    "deal_properties",
    "roll_for_order",
    "start_game",
)
_SEASONS = 2
"""After how many seasons the banker ends the game."""
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
        self, state: Monopoly, seat: str, by: str, open_kinds: Sequence[str], chance: Random
    ) -> Sequence[str]:
        """The duties of the moment; now and then a ruling or a correction."""
        if state.stage == "setup":
            elected = "elect_banker" if state.bankers else ""
            return [kind for kind in _SET_UP if kind in open_kinds and kind != elected]
        wanted: list[str] = []
        if state.stage == "between":
            over = state.moved_up is not None or (state.season >= _SEASONS and chance.random() < 0.7)
            wanted.append("end_game" if over else "open_season")
        elif state.auction is not None:
            # Bidders get time, also where the auction has a clock.
            if chance.random() < 0.5:
                wanted.append("close_auction")
        elif state.lots or state.wishes:
            wanted.append("open_auction")
        if state.consents:
            wanted.append("close_season")
        wanted += [kind for kind, likely in _DUTIES.items() if chance.random() < likely]
        return [kind for kind in wanted if kind in open_kinds]

    def choices(
        self, state: Monopoly, seat: str, kind: str, offered: Sequence[Choice], chance: Random
    ) -> Sequence[Choice]:
        """The choices offered, with the banker's own rulings and corrections."""
        if kind == "correct":
            last = chance.randint(max(2, state.version - 6), max(2, state.version))
            edits = [{"op": "drop", "action": last}]
            return [Choice({"edits": edits, "cascade": "restate", "reason": "it never happened"})]
        if kind == "rule":
            return [_ruling(state, chance)]
        return chance.sample(offered, len(offered))


def _ruling(state: Monopoly, chance: Random) -> Choice:
    """A ruling with one remedy, on an open dispute if there is one."""
    playing = in_play(state) or [*state.seats]
    seat, other = chance.choice(playing), chance.choice(playing)
    gift = {"from": "bank", "to": purse(seat), "commodity": currency(state), "amount": 20}
    remedies: list[dict[str, Any]] = [
        {"op": "adjust", "postings": [gift], "reason": "an oversight"},
        {"op": "fine", "seat": seat, "amount": 10, "reason": "noise"},
        {"op": "award_debt", "seat": seat, "to": other, "amount": 30},
        {"op": "move_seat", "seat": seat, "square": chance.randrange(len(pieces(state).squares))},
        {"op": "imprison", "seat": seat},
        *({"op": "forgive_debt", "seat": one.debtor} for one in state.debts),
        *({"op": "waive_rent", "title": one.title} for one in state.rents if not one.claimed),
    ]
    if state.auction is not None and seat != state.auction.bidder:
        # More than anybody can pay: what becomes of an auction when a player is out?
        much = min(20 * state.settings.starting_cash, 1_000_000_000)
        remedies = [{"op": "award_debt", "seat": seat, "to": "bank", "amount": max(much, 1)}]
    params: dict[str, Any] = {"finding": "So it is", "rules": [cite(state, "banker")]}
    if state.disputes:
        params["dispute"] = min(state.disputes)
        remedies.append({"op": "dismiss"})
    return Choice({**params, "remedies": [chance.choice(remedies)]})
