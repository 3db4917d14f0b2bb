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
"""Number of seasons before the banker ends the game."""
_DUTIES: Mapping[str, float] = {
    "rule": 0.3,
    "correct": 0.1,
    "add_statement": 0.2,
    "open_dispute": 0.1,
    "withdraw_dispute": 0.1,
    "publish_rulings": 0.02,
}
"""Probability of each optional action of the banker, at every chance to think of disputes."""


class House:
    """The banker, for all actions reserved to the role."""

    def kinds(
        self, state: Monopoly, seat: str, by: str, open_kinds: Sequence[str], chance: Random
    ) -> Sequence[str]:
        """Return the duties of the moment; now and then a ruling or a correction."""
        if state.stage == "setup":
            elected = "elect_banker" if state.bankers else ""
            return [kind for kind in _SET_UP if kind in open_kinds and kind != elected]
        duties: list[str] = []
        if state.stage == "between":
            over = state.moved_up is not None or (state.season >= _SEASONS and chance.random() < 0.7)
            duties.append("end_game" if over else "open_season")
        elif state.auction is not None:
            # Bidders get time, even without a clock on the auction.
            if chance.random() < 0.5:
                duties.append("close_auction")
        elif state.lots or state.wishes:
            duties.append("open_auction")
        if state.consents:
            duties.append("close_season")
        duties += [kind for kind, likely in _DUTIES.items() if chance.random() < likely]
        return [kind for kind in duties if kind in open_kinds]

    def choices(
        self, state: Monopoly, seat: str, kind: str, offered: Sequence[Choice], chance: Random
    ) -> Sequence[Choice]:
        """Return the choices offered, with the banker's own rulings and corrections."""
        if kind == "correct":
            last = chance.randint(max(2, state.version - 6), max(2, state.version))
            edits = [{"op": "drop", "action": last}]
            return [Choice({"edits": edits, "cascade": "restate", "reason": "it never happened"})]
        if kind == "rule":
            return [_ruling(state, chance)]
        return chance.sample(offered, len(offered))


def _ruling(state: Monopoly, chance: Random) -> Choice:
    """Build a ruling with a single remedy, on an open dispute if possible."""
    playing = in_play(state) or [*state.seats]
    seat, creditor = chance.choice(playing), chance.choice(playing)
    gift = {"from": "bank", "to": purse(seat), "commodity": currency(state), "amount": 20}
    remedies: list[dict[str, Any]] = [
        {"op": "adjust", "postings": [gift], "reason": "an oversight"},
        {"op": "fine", "seat": seat, "amount": 10, "reason": "noise"},
        {"op": "award_debt", "seat": seat, "to": creditor, "amount": 30},
        {"op": "move_seat", "seat": seat, "square": chance.randrange(len(pieces(state).squares))},
        *({"op": "imprison", "seat": seat} for _ in pieces(state).jails[:1]),
        *({"op": "forgive_debt", "seat": item.debtor} for item in state.debts),
        *({"op": "waive_rent", "title": item.title} for item in state.rents if not item.claimed),
    ]
    if state.auction is not None and seat != state.auction.bidder:
        # An unpayable amount, to see an auction go on while a player is out.
        much = min(20 * state.settings.starting_cash, 1_000_000_000)
        remedies = [{"op": "award_debt", "seat": seat, "to": "bank", "amount": max(much, 1)}]
    params: dict[str, Any] = {"finding": "So it is", "rules": [cite(state, "banker")]}
    if state.disputes:
        params["dispute"] = min(state.disputes)
        remedies.append({"op": "dismiss"})
    return Choice({**params, "remedies": [chance.choice(remedies)]})
