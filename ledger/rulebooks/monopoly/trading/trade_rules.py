"""The things allowed in a trade, releases from debts and promises among them, and the costs of mortgages for new
owners.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import INT64_MAX, CommodityId, of_kind
from ledger.rulebooks.monopoly.debts import debts, promises
from ledger.rulebooks.monopoly.houses import mortgages
from ledger.rulebooks.monopoly.table.roles import Role
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    cash,
    cite,
    currency,
    is_built,
    is_mortgaged,
    joined,
    pieces,
)
from ledger.rulebooks.monopoly.table.terms import DEBT, NOTE, PASS, Debt
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.seats import player as purse
from ledger.rulebooks.parts.trades import Leg


class Thing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player gives in a trade: an amount of money, a title, a card, passes, the release from a debt; at
    some tables free stays ("stay:mayfair") and payments in a later round ("note:7").
    """

    commodity: CommodityId
    amount: Annotated[
        int, Meta(ge=1, le=INT64_MAX, description="whole units of money, or pieces"), of_kind("quantity")
    ] = 1


Things = Annotated[tuple[Thing, ...], Meta(max_length=100), of_kind("legs")]


# ----------------------------------------------------------------------------------------------
# Tradable things
# ----------------------------------------------------------------------------------------------


def titles_in(legs: Iterable[Leg]) -> list[str]:
    """Return the titles among the legs."""
    return [leg.commodity.removeprefix("title:") for leg in legs if leg.commodity.startswith("title:")]


def _require_tradable(draft: Draft, thing: Thing) -> None:
    """Refuse anything but money, a title, a jail-free card or a promise; a title and a card are one piece."""
    state, commodity = draft.state, thing.commodity
    if promises.is_promise(commodity):
        promises.require_promisable(draft, commodity, thing.amount)
        return
    board = pieces(state)
    title, card = commodity.removeprefix("title:"), decks.card_of(commodity)
    is_pass = decks.is_card(commodity) and card in board.card and board.card[card].is_kept
    single = is_pass or (commodity != title and title in board.titles) or commodity.startswith(DEBT)
    if not single and commodity not in {currency(state), PASS}:
        raise Impossible(
            cite(state, "trade_things"),
            "{commodity:goods} cannot be traded: only money, titles and cards that get one out of prison can",
            "{commodity:goods} ne s'échange pas : seuls l'argent, les titres et les cartes qui libèrent de "
            "prison s'échangent",
            commodity=commodity,
        ).citing(cite(state, "sell"), cite(state, "no_waivers"))
    if single and thing.amount != 1:
        raise Impossible(
            cite(state, "trade_things"),
            "there is one {commodity:goods}, not {amount}",
            "il y a un seul {commodity:goods}, et non {amount}",
            commodity=commodity,
            amount=thing.amount,
        )


def released_by(state: Monopoly, leg: Leg) -> Debt | None:
    """Return the open debt of the taker to the giver that a leg releases; None for any other leg."""
    return next(
        (
            debt
            for debt in state.debts
            if (f"{DEBT}{debt.id}", purse(leg.giver), leg.taker) == (leg.commodity, debt.creditor, debt.debtor)
        ),
        None,
    )


def released_in(state: Monopoly, legs: Iterable[Leg]) -> list[Debt]:
    """Return the open debts that the legs release."""
    return [debt for leg in legs if (debt := released_by(state, leg)) is not None]


def _require_owed(draft: Draft, leg: Leg) -> None:
    """Refuse the release from anything but a debt of the taker to the giver."""
    if released_by(draft.state, leg) is None:
        raise Impossible(
            cite(draft.state, "trade"),
            "{giver:seat} cannot give a {commodity:goods}: {taker:seat} owes {giver:seat} no such debt",
            "{giver:seat} ne peut pas donner de {commodity:goods} : {taker:seat} ne lui doit pas de telle dette",
            giver=leg.giver,
            taker=leg.taker,
            commodity=leg.commodity,
        )


def require_settled(draft: Draft, legs: Sequence[Leg]) -> None:
    """Refuse the release from a debt for money or mutual debts below the debt, because that waives the rest.

    For a title or a card the parties agree on any price.
    """
    state = draft.state
    amounts = {f"{DEBT}{debt.id}": debt.amount for debt in state.debts} | {currency(state): 1}
    for debt in released_in(state, legs):
        things = {leg.commodity for leg in legs if leg.giver == debt.debtor}
        balance = sum(
            leg.amount * amounts.get(leg.commodity, 0) * (1 if leg.giver == debt.debtor else -1) for leg in legs
        )
        draft.require(
            balance >= 0 or not things <= amounts.keys(),
            cite(state, "no_waivers"),
            "{short:money} are missing for the debts of {seat:seat}: no trade waives a part of a debt",
            "il manque {short:money} pour les dettes {seat:de|seat} : un échange ne remet rien d'une dette",
            seat=debt.debtor,
            short=-balance,
        )


def require_unbuilt(draft: Draft, legs: Iterable[Leg]) -> None:
    """Refuse titles in a group with buildings."""
    state = draft.state
    for title in titles_in(legs):
        built = is_built(state, (title,))
        role: Role = "trade_built" if built else "trade_group"
        draft.require(
            not is_built(state, joined(state, title)),
            cite(state, role),
            "all buildings of the group of {title:title} have to be sold to the bank first",
            "il faut d'abord vendre à la banque tous les bâtiments du groupe de {title:title}",
            title=title,
        )


def require_held(draft: Draft, legs: Iterable[Leg]) -> None:
    """Refuse things beyond the giver's holdings, and a release from a debt no longer owed."""
    for leg in legs:
        if leg.commodity.startswith(DEBT):
            _require_owed(draft, leg)
            continue
        giver = purse(leg.giver)
        if promises.is_promise(leg.commodity) and promises.is_covered(draft.state, leg):
            continue
        if draft.state.holdings.of(giver, leg.commodity) < leg.amount:
            draft.require_funds(giver, leg.commodity, leg.amount, cite(draft.state, "trade"))


def legs_of(
    draft: Draft, give: Sequence[Thing], ask: Sequence[Thing], to: str, terms: Sequence[str] = ()
) -> tuple[Leg, ...]:
    """Build the legs of a proposal, checked thing by thing. Without words, a trade needs things."""
    seat, state = draft.seat, draft.state
    rule = cite(state, "trade")
    if not give and not ask and not terms:
        raise Impossible(rule, "the trade is about nothing", "l'échange ne porte sur rien")
    give, ask = [_named(item, seat) for item in give], [_named(item, to) for item in ask]
    named = [item.commodity for item in (*give, *ask)]
    twice = next((item for item in named if named.count(item) > 1), None)
    if twice is not None:
        raise Impossible(
            rule,
            "the trade names {commodity:goods} twice",
            "l'échange nomme deux fois {commodity:goods}",
            commodity=twice,
        )
    for thing in (*give, *ask):
        _require_tradable(draft, thing)
    offered = tuple(Leg(seat, to, item.commodity, item.amount) for item in give)
    legs = (*offered, *(Leg(to, seat, item.commodity, item.amount) for item in ask))
    for leg in legs:
        if leg.commodity.startswith(DEBT):
            _require_owed(draft, leg)
    require_settled(draft, legs)
    return legs


def _named(thing: Thing, giver: str) -> Thing:
    """Return a thing with the full name of the giver's own payment: "note:7" of Ana is "note:ana:7"."""
    round_ = thing.commodity.removeprefix(NOTE)
    is_own = thing.commodity.startswith(NOTE) and round_.isdigit()
    return Thing(f"{NOTE}{giver}:{round_}", thing.amount) if is_own else thing


def gain_of(state: Monopoly, seat: str, legs: Iterable[Leg]) -> int:
    """Return the change of a player's means by an exchange; negative for a loss."""
    squares, money, gain = pieces(state).titles, currency(state), 0
    for leg in legs:
        title = leg.commodity.removeprefix("title:")
        value = leg.amount if leg.commodity == money else 0
        if title in squares and not is_mortgaged(state, title):
            value = squares[title].mortgage
        gain += value if leg.taker == seat else -value
    return gain


# ----------------------------------------------------------------------------------------------
# Mortgages in trades
# ----------------------------------------------------------------------------------------------


def lifting_cost(state: Monopoly, title: str) -> tuple[int, int]:
    """Return a buyer's price for lifting a mortgage at once, and the part of the price for interest."""
    square, settings = pieces(state).titles[title], state.settings
    if settings.buyer_redeems_at_price:
        return square.price, 0
    extra = mortgages.interest(state, title) if settings.buyer_lifts_with_interest else 0
    return square.mortgage + extra, extra


def require_choice(draft: Draft, taker: str, received: Iterable[str], lifts: Collection[str] | None) -> None:
    """Refuse unless the new owner of the titles has chosen the mortgages to lift.

    `lifts` is None without a choice: allowed if nothing is mortgaged, or the table leaves no choice.
    """
    state = draft.state
    mortgaged = [title for title in received if is_mortgaged(state, title)]
    wrong = next((candidate for candidate in lifts or () if candidate not in mortgaged), None)
    if wrong is not None:
        raise Impossible(
            cite(state, "trade_lift"),
            "{seat:seat} receives no mortgaged title {title:title}",
            "{seat:seat} ne reçoit pas de titre hypothéqué {title:title}",
            seat=taker,
            title=wrong,
        )
    if state.settings.buyer_redeems_at_price:
        retained = [candidate for candidate in mortgaged if lifts is not None and candidate not in lifts]
        if retained:
            raise Impossible(
                cite(state, "trade_keep"),
                "the mortgage of {title:title} cannot be kept: its buyer lifts it at the printed price",
                "l'hypothèque de {title:title} ne se garde pas : qui l'achète la lève au prix imprimé",
                title=retained[0],
            )
    elif mortgaged and lifts is None:
        raise Impossible(
            cite(state, "trade_keep"),
            "{seat:seat} has to say which mortgages are lifted at once, the others being kept: "
            "{titles:each|title}",
            "{seat:seat} doit dire quelles hypothèques sont levées aussitôt, les autres étant gardées : "
            "{titles:each|title}",
            seat=taker,
            titles=tuple(mortgaged),
        ).citing(cite(state, "trade_lift"))


def is_choice_complete(state: Monopoly, mortgaged: Sequence[str], lifts: Collection[str] | None) -> bool:
    """Return True if `require_choice` accepts the choice about the mortgaged titles received."""
    if lifts is None:
        return not mortgaged or state.settings.buyer_redeems_at_price
    retained = [title for title in mortgaged if title not in lifts]
    return {*lifts} <= {*mortgaged} and not (retained and state.settings.buyer_redeems_at_price)


def least_charge(state: Monopoly, titles: Iterable[str], lifts: Collection[str] | None) -> int:
    """Return the least payment due by the new owner of mortgaged titles; `lifts` None leaves the choice."""
    charge = 0
    for title in titles:
        lifting, keeping = lifting_cost(state, title)[0], mortgages.interest(state, title)
        if state.settings.buyer_redeems_at_price or (lifts is not None and title in lifts):
            charge += lifting
        else:
            charge += keeping if lifts is not None else min(keeping, lifting)
    return charge


def charge_for_mortgages(draft: Draft, taker: str, titles: Sequence[str], lifts: Collection[str]) -> None:
    """Lift or keep the mortgages of titles for a new owner, with the interest for a kept mortgage; refuse
    without the money.

    The money has to be in hand after the exchange. Nothing is due before, so no mortgage can raise the money.
    """
    state = draft.state
    for title in titles:
        lifted = state.settings.buyer_redeems_at_price or title in lifts
        rule = cite(state, "trade_lift" if lifted else "trade_keep")
        amount, extra = lifting_cost(state, title) if lifted else (mortgages.interest(state, title), 0)
        if lifted:
            mortgages.lift(draft, taker, title, amount, rule=rule, interest=extra)
            continue
        draft.require_funds(purse(taker), currency(state), amount, rule)
        if amount <= cash(state, taker):
            debts.charge(draft, taker, BANK, amount, rule=rule, cause="interest", title=title)
