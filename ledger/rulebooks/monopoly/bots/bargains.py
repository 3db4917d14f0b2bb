"""Trades of simulated players: what they offer for the last title of a group, and what they accept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from ledger.kernel.rules.actions import Choice
from ledger.rulebooks.monopoly.bots import values
from ledger.rulebooks.monopoly.table.state import Monopoly, cash, currency, in_play, jail_passes, pieces
from ledger.rulebooks.monopoly.table.terms import Trade
from ledger.rulebooks.parts import titles

_HARM = 1.2
"""What it costs to give another player the last title of a group, in prices, as long as there is no haste."""
_PART = 0.3
"""How often a player asks for a title that does not complete a group."""


def proposed(state: Monopoly, seat: str, haste: float, chance: Random) -> Sequence[Choice]:
    """The offers that a player thinks of: to sell when in need, to complete a group, to leave prison."""
    return [*_offers(state, seat, haste, chance)]


def _offers(state: Monopoly, seat: str, haste: float, chance: Random) -> Iterator[Choice]:
    owned = values.owners(state)
    others = {one for one in in_play(state) if one != seat}
    passes = jail_passes(state, seat)
    for prisoner in state.jailed:
        if prisoner in others and passes and cash(state, prisoner) > state.settings.jail_fine:
            yield _offer(state, prisoner, [(passes[0], 1)], [(currency(state), state.settings.jail_fine * 4 // 5)])
    wished = values.lacking(state, seat, owned)
    if chance.random() < _PART:
        wished = [*wished, *values.wanted(state, seat, owned)]
    for title in chance.sample(wished, len(wished)):
        other = owned[title]
        if other not in others:
            continue
        asked = _price_asked(state, other, seat, title, owned, haste)
        worth = values.value(state, seat, title, owned) * (1 + haste)
        returned = [one for one in values.wanted(state, other, owned) if owned[one] == seat and one != title]
        if returned and chance.random() < 0.7:
            back = chance.choice(returned)
            asked -= values.value(state, other, back, owned)
            worth -= _price_asked(state, seat, other, back, owned, haste)
            yield _swap(state, seat, other, title, back, asked, worth)
        elif asked <= worth and 0 < asked <= cash(state, seat):
            yield _offer(state, other, [(currency(state), int(asked) + 1)], [(titles.deed(title), 1)])


def _price_asked(state: Monopoly, owner: str, taker: str, title: str, owned: values.Owners, haste: float) -> float:
    """The least that an owner gives a title away for: its value, and more where it completes a group."""
    worth = values.value(state, owner, title, owned)
    if title in values.lacking(state, taker, owned):
        worth += _HARM * (1 - haste) * pieces(state).titles[title].price
    return worth


def _swap(state: Monopoly, seat: str, other: str, title: str, back: str, asked: float, worth: float) -> Choice:
    """One title for another, and between what the other asks and what it is worth, money from one to the other."""
    money = int((asked + worth) / 2)
    give, ask = [(titles.deed(back), 1)], [(titles.deed(title), 1)]
    if money > 0:
        give.append((currency(state), min(money, cash(state, seat))))
    elif money < 0:
        ask.append((currency(state), min(-money, cash(state, other))))
    return _offer(state, other, give, ask)


def _offer(state: Monopoly, other: str, give: list[tuple[str, int]], ask: list[tuple[str, int]]) -> Choice:
    return Choice({"to": other, "give": _things(give), "ask": _things(ask)})


def _things(found: list[tuple[str, int]]) -> list[dict[str, Any]]:
    return [{"commodity": commodity, "amount": amount} for commodity, amount in found if amount > 0]


def pays(state: Monopoly, seat: str, trade_id: str, haste: float) -> bool:
    """Whether an offer brings a player at least what they ask for it."""
    trade = state.open.get(trade_id)
    return trade is not None and trade.to == seat and _gain(state, seat, trade, haste) >= 0


def _gain(state: Monopoly, seat: str, trade: Trade, haste: float) -> float:
    owned = values.owners(state)
    gain = 0.0
    for leg in trade.legs:
        title = leg.commodity.removeprefix("title:")
        if leg.commodity == currency(state):
            each = 1.0
        elif title == leg.commodity:
            each = float(state.settings.jail_fine)
        elif leg.giver == seat:
            each = _price_asked(state, seat, leg.taker, title, owned, haste)
        else:
            each = values.value(state, seat, title, owned)
        gain += leg.amount * (each if leg.taker == seat else -each)
    return gain
