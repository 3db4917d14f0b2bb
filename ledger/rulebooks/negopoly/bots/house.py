"""The banker of a simulated game of Negopoly.

`HOUSE` decides open matters, sometimes rules or corrects, and ends a game that is too long.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from ledger.kernel.rules.actions import Choice
from ledger.rulebooks.negopoly.table.state import Negopoly, in_play, titles_of
from ledger.rulebooks.negopoly.table.terms import MONEY, Bounty, Contract, Delivery, Loan, player

_DUTIES: Mapping[str, float] = {
    "start_game": 1.0,
    "resolve_card": 1.0,
    "approve_bounty": 0.7,
    "award_bounty": 0.6,
    "restore_communication": 0.4,
    "reject_claim": 0.2,
    "close_bounty": 0.1,
    "sanction_breach": 0.4,
    "release_escrow": 0.5,
    "rule": 0.3,
    "correct": 0.08,
    "add_statement": 0.2,
    "issue_warrant": 0.1,
    "lift_warrant": 0.3,
    "disrupt_communication": 0.04,
    "reset_property": 0.04,
    "set_turn_order": 0.03,
    "publish_rulings": 0.02,
    "open_dispute": 0.01,
    "withdraw_dispute": 0.02,
    "end_game": 0.02,
    "declare_bankruptcy": 0.3,
    "expire_turn": 0.2,
    "end_meeting": 0.1,
}
"""Probability that the banker tries each kind of action."""


class House:
    """The banker: decides open matters, and sometimes rules or corrects."""

    def kinds(
        self, state: Negopoly, seat: str, by: str, open_kinds: Sequence[str], chance: Random
    ) -> Sequence[str]:
        """Return the kinds of action to try now. Restarting a stopped clock comes first."""
        if state.turn is not None and state.turn.paused_at is not None:
            return ["rule"]
        return [kind for kind, likely in _DUTIES.items() if chance.random() < likely]

    def choices(
        self, state: Negopoly, seat: str, kind: str, offered: Sequence[Choice], chance: Random
    ) -> Sequence[Choice]:
        """Return the offered choices, with the banker's own rulings and corrections."""
        match kind:
            case "correct":
                last = chance.randint(max(2, state.version - 6), max(2, state.version))
                return [
                    Choice(
                        {
                            "edits": [{"op": "drop", "action": last}],
                            "cascade": "restate",
                            "reason": "it never happened",
                        }
                    )
                ]
            case "rule":
                return [_ruling(state, chance)]
            case "resolve_card":
                fine = {"op": "fine", "seat": seat, "amount": 10}
                return [
                    Choice({**choice.params, "remedies": [fine][: chance.randint(0, 1)]}) for choice in offered
                ]
            case "release_escrow":
                return [Choice({**choice.params, "to": seat}) for choice in offered] + list(offered)
        return chance.sample(offered, len(offered))


def _ruling(state: Negopoly, chance: Random) -> Choice:
    """Return a ruling with one remedy, on an open dispute if any."""
    params: dict[str, Any] = {"finding": "So it is", "rules": ["P.1"], "remedies": [_remedy(state, chance)]}
    if state.disputes:
        params["dispute"] = min(state.disputes)
    return Choice(params)


def _remedy(state: Negopoly, chance: Random) -> dict[str, Any]:
    """Return a random remedy, likely to fit the state of the game."""
    seat, buyer = chance.choice(in_play(state)), chance.choice(in_play(state))
    whose = seat if state.turn is None else state.turn.seat
    remedies: list[dict[str, Any]] = [
        {"op": "fine", "seat": seat, "amount": 30, "reason": "noise"},
        {
            "op": "adjust",
            "postings": [{"from": "bank", "to": player(seat), "commodity": MONEY, "amount": 20}],
            "reason": "an oversight",
        },
        {"op": "move_seat", "seat": seat, "square": chance.randrange(len(state.board))},
        {"op": "move_seat", "seat": whose, "square": chance.randrange(len(state.board)), "stop": True},
        {"op": "extend_turn", "seconds": 60},
        {"op": "restart_turn"},
        {"op": "pause_turn"},
        {"op": "issue_warrant", "seat": seat},
        {"op": "lift_warrant", "seat": seat},
        {"op": "resume_turn"},
    ]
    if state.disputes:
        remedies.append({"op": "dismiss"})
    remedies += [
        {"op": "forced_sale", "title": title, "buyer": buyer, "price": 50} for title in titles_of(state, seat)
    ]
    for agreement in sorted(state.open.values(), key=lambda item: item.opened):
        match agreement:
            case Contract():
                remedies.append({"op": "end_contract", "contract": agreement.id})
                remedies.append({"op": "enforce_contract", "contract": agreement.id, "party": seat, "amount": 10})
            case Bounty():
                remedies.append({"op": "award_bounty", "bounty": agreement.id, "winner": seat})
                remedies.append({"op": "refund_bounty", "bounty": agreement.id})
            case Loan():
                remedies += [
                    {"op": op, "loan": agreement.id} for op in ("extend_loan", "forgive_loan", "collect_loan")
                ]
            case Delivery():
                remedies += [{"op": op, "delivery": agreement.id} for op in ("deliver_goods", "return_goods")]
            case _:
                pass
    # A stopped clock would stop a simulated game for good.
    if state.turn is not None and state.turn.paused_at is not None:
        return {"op": "resume_turn"}
    rare = {"op": "eliminate", "seat": seat}, {"op": "declare_victory", "winners": [seat]}
    if chance.random() < 0.003:
        return chance.choice(rare)
    kind = chance.choice(sorted({remedy["op"] for remedy in remedies}))
    return chance.choice([remedy for remedy in remedies if remedy["op"] == kind])


HOUSE = House()
