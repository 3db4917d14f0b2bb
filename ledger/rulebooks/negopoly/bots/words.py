"""The free parameters of simulated players' moves: amounts, goods, parties, texts."""

from __future__ import annotations

from random import Random
from typing import Any

from ledger.kernel.rules.actions import Choice
from ledger.rulebooks.negopoly.agreements.contracts import ROUND_PRICE
from ledger.rulebooks.negopoly.table.pieces import TITLES, travels
from ledger.rulebooks.negopoly.table.state import Negopoly, others_in_play, titles_of
from ledger.rulebooks.negopoly.table.terms import MONEY, Deal, player

_WORDS: dict[str, str] = {
    "statement": "Ask anybody",
    "claim": "That was not agreed",
    "text": "I was there",
    "conditions": "Rob somebody",
    "reason": "It is time",
}
_GOODS_PRICE = 120
"""A simulated player's price for a piece of goods, in whole ₦."""


def filled_in(state: Negopoly, seat: str, kind: str, choice: Choice, chance: Random) -> Choice:
    """Return the choice with random values for the free parameters. The rules may refuse the result."""
    match kind:
        case "propose_deal":
            params = _deal(state, seat, choice.params, chance)
        case "register_contract":
            params = _contract(choice.params, chance)
        case "open_dispute":
            params = {**choice.params, "actions": [chance.randint(1, state.version)]}
        case "start_meeting":
            params = {**choice.params, "minutes": chance.randint(1, 4)}
        case _:
            params = {**choice.params, **_amounts(choice, chance)}
            if "to" in choice.free and "to" in params:
                params["to"] = chance.choice(others_in_play(state, seat) or [params["to"]])
    return Choice({**params, **{name: phrase for name, phrase in _WORDS.items() if params.get(name) == "…"}})


def gain(state: Negopoly, seat: str, deal: Deal) -> int:
    """Return a deal's value for a party, in whole ₦, with everything at the table price."""
    worth = 0
    for leg in deal.legs:
        title = TITLES.get(leg.commodity.removeprefix("title:"))
        each = title.price if title is not None else 1 if leg.commodity == MONEY else _GOODS_PRICE
        worth += each * leg.amount * ((leg.taker == seat) - (leg.giver == seat))
    return worth


def _amounts(choice: Choice, chance: Random) -> dict[str, Any]:
    """Return random numbers, and random answers to yes or no, for the free parameters."""
    changed: dict[str, Any] = {}
    for name in choice.free:
        offered = choice.params.get(name)
        if name in {"express", "recipient_pays", "owner_pays"}:
            changed[name] = chance.random() < 0.5
        elif isinstance(offered, int):
            changed[name] = (
                offered * chance.randint(1, 4) if offered < 10 else max(1, offered * chance.randint(1, 8) // 4)
            )
        elif name == "amount":
            changed[name] = chance.randint(1, 3)
    return changed


def _deal(state: Negopoly, seat: str, params: dict[str, Any], chance: Random) -> dict[str, Any]:
    """Change the price of a requested title, or replace a gift by the sale of the player's own goods or title."""
    *titles, money = params["legs"]
    partner = money["taker"]
    if titles:
        price = money["amount"] * chance.randint(4, 9) // 4
        return {**params, "legs": [*titles, {**money, "amount": price}]}
    inventory = state.holdings.account(player(seat))
    goods = sorted(commodity for commodity in inventory if travels(commodity))
    owned = [f"title:{title}" for title in titles_of(state, seat)]
    if not goods and not owned:
        return {**params, "clauses": ["For your friendship"]}
    commodity = chance.choice(goods or owned) if chance.random() < 0.7 else chance.choice(owned or goods)
    leg: dict[str, Any] = {"giver": seat, "taker": partner, "commodity": commodity, "amount": 1}
    if commodity in goods:
        leg["express"] = chance.choice((None, "giver", "taker"))
    title = TITLES.get(commodity.removeprefix("title:"))
    price_asked = (_GOODS_PRICE if title is None else title.price) * chance.randint(2, 6) // 4
    return {**params, "legs": [leg, {"giver": partner, "taker": seat, "commodity": MONEY, "amount": price_asked}]}


def _contract(params: dict[str, Any], chance: Random) -> dict[str, Any]:
    """Return random terms: a number of rounds, a shared price or not, with or without escrow."""
    rounds, parties = chance.randint(1, 3), params["parties"]
    price = ROUND_PRICE * rounds
    payers = {parties[0]: price}
    if len(parties) > 1 and chance.random() < 0.3:
        payers = {parties[0]: price // 2, parties[1]: price - price // 2}
    escrow = {party: 10 * chance.randint(1, 9) for party in parties if chance.random() < 0.4}
    return {**params, "rounds": rounds, "payers": payers, "escrow": escrow, "clauses": ["Peace among us"]}
