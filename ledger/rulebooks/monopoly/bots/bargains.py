"""Trades of simulated players: offers for the last title of a group, and decisions on offers received."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from ledger.kernel.rules.actions import Choice
from ledger.rulebooks.monopoly.bots import values
from ledger.rulebooks.monopoly.table.state import (
    Monopoly,
    cash,
    currency,
    in_play,
    is_mortgaged,
    jail_passes,
    pieces,
    titles_of,
)
from ledger.rulebooks.monopoly.table.terms import DEBT, NOTE, STAY, Trade
from ledger.rulebooks.parts import titles

_HARM = 1.2
"""Surcharge for giving another player the last title of a group, in prices, while there is no haste."""
_PART = 0.3
"""Probability of asking for a title without completing a group."""
_PROMISES = 0.3
"""Probability of an offer of promises, at a table with promises."""
_TRUST = 0.9
"""The value of a unit of money promised for later."""
_STAY = 10
"""The value of a free stay."""


def proposed(state: Monopoly, seat: str, haste: float, chance: Random) -> Sequence[Choice]:
    """List a player's offers: to sell when in need, to complete a group, to leave prison."""
    return [*_offers(state, seat, haste, chance)]


def _offers(state: Monopoly, seat: str, haste: float, chance: Random) -> Iterator[Choice]:
    owned = values.owners(state)
    others = {candidate for candidate in in_play(state) if candidate != seat}
    passes = jail_passes(state, seat)
    for prisoner in state.jailed:
        if prisoner in others and passes and cash(state, prisoner) > state.settings.jail_fine:
            yield _offer(state, prisoner, [(passes[0], 1)], [(currency(state), state.settings.jail_fine * 4 // 5)])
    if state.settings.promises and others and chance.random() < _PROMISES:
        yield from _promises(state, seat, chance.choice(sorted(others)))
    wished = values.lacking(state, seat, owned)
    if chance.random() < _PART:
        wished = [*wished, *values.useful_titles(state, seat, owned)]
    for title in chance.sample(wished, len(wished)):
        partner = owned[title]
        if partner not in others:
            continue
        price = _price_asked(state, partner, seat, title, owned, haste)
        worth = values.value(state, seat, title, owned) * (1 + haste)
        returned = [
            candidate
            for candidate in values.useful_titles(state, partner, owned)
            if owned[candidate] == seat and candidate != title
        ]
        if returned and chance.random() < 0.7:
            back = chance.choice(returned)
            price -= values.value(state, partner, back, owned)
            worth -= _price_asked(state, seat, partner, back, owned, haste)
            yield _swap(state, seat, partner, title, back, price, worth)
        elif price <= worth and 0 < price <= cash(state, seat):
            yield _offer(state, partner, [(currency(state), int(price) + 1)], [(titles.deed(title), 1)])


def _promises(state: Monopoly, seat: str, partner: str) -> Iterator[Choice]:
    """Borrow money until the round after next when short of it, or exchange free stays."""
    loan = state.settings.starting_cash // 10
    if cash(state, seat) < 2 * loan <= cash(state, partner):
        promise = [(f"{NOTE}{state.round + 2}", loan * 5 // 4)]
        offer = _offer(state, partner, promise, [(currency(state), loan)])
        yield Choice({**offer.params, "terms": ["The lender has my thanks."]})
    stays = [
        [title for title in titles_of(state, owner) if not is_mortgaged(state, title)] for owner in (seat, partner)
    ]
    if all(stays):
        yield _offer(state, partner, *([(f"{STAY}{titles_[0]}", 2)] for titles_ in stays))


def _price_asked(state: Monopoly, owner: str, taker: str, title: str, owned: values.Owners, haste: float) -> float:
    """Return an owner's least price for a title: the value, plus a surcharge if the title completes a group."""
    worth = values.value(state, owner, title, owned)
    if title in values.lacking(state, taker, owned):
        worth += _HARM * (1 - haste) * pieces(state).titles[title].price
    return worth


def _swap(state: Monopoly, seat: str, partner: str, title: str, back: str, price: float, worth: float) -> Choice:
    """Offer a title for a title, with money at the middle between the asked price and the worth."""
    money = int((price + worth) / 2)
    give, ask = [(titles.deed(back), 1)], [(titles.deed(title), 1)]
    if money > 0:
        give.append((currency(state), min(money, cash(state, seat))))
    elif money < 0:
        ask.append((currency(state), min(-money, cash(state, partner))))
    return _offer(state, partner, give, ask)


def _offer(state: Monopoly, partner: str, give: list[tuple[str, int]], ask: list[tuple[str, int]]) -> Choice:
    return Choice({"to": partner, "give": _things(give), "ask": _things(ask)})


def _things(amounts: list[tuple[str, int]]) -> list[dict[str, Any]]:
    return [{"commodity": commodity, "amount": amount} for commodity, amount in amounts if amount > 0]


def pays(state: Monopoly, seat: str, trade_id: str, haste: float) -> bool:
    """Return True if an offer brings a player at least the price of the things given."""
    trade = state.open.get(trade_id)
    return trade is not None and trade.to == seat and _gain(state, seat, trade, haste) >= 0


def _gain(state: Monopoly, seat: str, trade: Trade, haste: float) -> float:
    owned = values.owners(state)
    owed = {f"{DEBT}{debt.id}": debt.amount for debt in state.debts}
    gain = 0.0
    for leg in trade.legs:
        title = leg.commodity.removeprefix("title:")
        if leg.commodity == currency(state):
            each = 1.0
        elif leg.commodity in owed:
            each = float(owed[leg.commodity])
        elif leg.commodity.startswith((NOTE, STAY)):
            each = _TRUST if leg.commodity.startswith(NOTE) else float(_STAY)
        elif title == leg.commodity:
            each = float(state.settings.jail_fine)
        elif leg.giver == seat:
            each = _price_asked(state, seat, leg.taker, title, owned, haste)
        else:
            each = values.value(state, seat, title, owned)
        gain += leg.amount * (each if leg.taker == seat else -each)
    return gain
