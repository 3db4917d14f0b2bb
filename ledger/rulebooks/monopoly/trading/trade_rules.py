"""What may be in a trade, and what mortgaged titles cost their new owners."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import INT64_MAX, CommodityId, of_kind
from ledger.rulebooks.monopoly.debts import debts
from ledger.rulebooks.monopoly.houses import mortgages
from ledger.rulebooks.monopoly.table.roles import Role
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    cash,
    cite,
    currency,
    group_of,
    is_built,
    is_mortgaged,
    pieces,
)
from ledger.rulebooks.monopoly.table.terms import PASS
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.seats import player as purse
from ledger.rulebooks.parts.trades import Leg


class Thing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player gives in a trade: an amount of money, a title, a card, passes."""

    commodity: CommodityId
    amount: Annotated[
        int, Meta(ge=1, le=INT64_MAX, description="whole units of money, or pieces"), of_kind("quantity")
    ] = 1


Things = Annotated[tuple[Thing, ...], Meta(max_length=100), of_kind("legs")]


# ----------------------------------------------------------------------------------------------
# What may be in a trade
# ----------------------------------------------------------------------------------------------


def titles_in(legs: Iterable[Leg]) -> list[str]:
    """The titles among these legs."""
    return [leg.commodity.removeprefix("title:") for leg in legs if leg.commodity.startswith("title:")]


def _require_tradable(draft: Draft, thing: Thing) -> None:
    """Refuse what is not money, a title or a jail-free card; a title and a card are one piece."""
    state, what = draft.state, thing.commodity
    found = pieces(state)
    title, card = what.removeprefix("title:"), decks.card_of(what)
    kept = decks.is_card(what) and card in found.card and found.card[card].is_kept
    single = kept or (what != title and title in found.titles)
    if not single and what not in {currency(state), PASS}:
        raise Impossible(
            cite(state, "trade_things"),
            "{commodity:goods} cannot be traded: only money, titles and cards that get one out of prison can",
            "{commodity:goods} ne s'échange pas : seuls l'argent, les titres et les cartes qui libèrent de "
            "prison s'échangent",
            commodity=what,
        ).citing(cite(state, "sell"), cite(state, "no_waivers"))
    if single and thing.amount != 1:
        raise Impossible(
            cite(state, "trade_things"),
            "there is one {commodity:goods}, not {amount}",
            "il y a un seul {commodity:goods}, et non {amount}",
            commodity=what,
            amount=thing.amount,
        )


def require_unbuilt(draft: Draft, legs: Iterable[Leg]) -> None:
    """Refuse titles with buildings, and those of a group with buildings on another title."""
    state = draft.state
    for title in titles_in(legs):
        built = is_built(state, (title,))
        role: Role = "trade_built" if built else "trade_group"
        draft.require(
            not is_built(state, group_of(state, title)),
            cite(state, role),
            "all buildings of the group of {title:title} have to be sold to the bank first",
            "il faut d'abord vendre à la banque tous les bâtiments du groupe de {title:title}",
            title=title,
        )


def require_held(draft: Draft, legs: Iterable[Leg]) -> None:
    """Refuse what its giver does not have."""
    for leg in legs:
        giver = purse(leg.giver)
        if draft.state.holdings.of(giver, leg.commodity) < leg.amount:
            draft.require_funds(giver, leg.commodity, leg.amount, cite(draft.state, "trade"))


def legs_of(draft: Draft, give: Sequence[Thing], ask: Sequence[Thing], to: str) -> tuple[Leg, ...]:
    """The legs of a proposal, checked thing by thing."""
    seat, state = draft.seat, draft.state
    rule = cite(state, "trade")
    if not give and not ask:
        raise Impossible(rule, "the trade is about nothing", "l'échange ne porte sur rien")
    named = [one.commodity for one in (*give, *ask)]
    twice = next((one for one in named if named.count(one) > 1), None)
    if twice is not None:
        raise Impossible(
            rule,
            "the trade names {commodity:goods} twice",
            "l'échange nomme deux fois {commodity:goods}",
            commodity=twice,
        )
    for thing in (*give, *ask):
        _require_tradable(draft, thing)
    given = tuple(Leg(seat, to, one.commodity, one.amount) for one in give)
    return (*given, *(Leg(to, seat, one.commodity, one.amount) for one in ask))


def gain_of(state: Monopoly, seat: str, legs: Iterable[Leg]) -> int:
    """How much more money a player could raise after an exchange; less than 0 for a loss."""
    found, money, gain = pieces(state).titles, currency(state), 0
    for leg in legs:
        title = leg.commodity.removeprefix("title:")
        value = leg.amount if leg.commodity == money else 0
        if title in found and not is_mortgaged(state, title):
            value = found[title].mortgage
        gain += value if leg.taker == seat else -value
    return gain


# ----------------------------------------------------------------------------------------------
# Mortgages that change hands
# ----------------------------------------------------------------------------------------------


def lifting_cost(state: Monopoly, title: str) -> tuple[int, int]:
    """What the buyer of a mortgaged title pays to lift the mortgage at once, and how much of it is interest."""
    square, settings = pieces(state).titles[title], state.settings
    if settings.buyer_redeems_at_price:
        return square.price, 0
    extra = mortgages.interest(state, title) if settings.buyer_lifts_with_interest else 0
    return square.mortgage + extra, extra


def require_choice(draft: Draft, taker: str, received: Iterable[str], lifts: Collection[str] | None) -> None:
    """Refuse unless who receives these titles says which of the mortgages are lifted.

    `lifts` is None where nothing is said: enough where nothing is mortgaged, or the table leaves no choice.
    """
    state = draft.state
    mortgaged = [title for title in received if is_mortgaged(state, title)]
    wrong = next((one for one in lifts or () if one not in mortgaged), None)
    if wrong is not None:
        raise Impossible(
            cite(state, "trade_lift"),
            "{seat:seat} receives no mortgaged title {title:title}",
            "{seat:seat} ne reçoit pas de titre hypothéqué {title:title}",
            seat=taker,
            title=wrong,
        )
    if state.settings.buyer_redeems_at_price:
        kept = [one for one in mortgaged if lifts is not None and one not in lifts]
        if kept:
            raise Impossible(
                cite(state, "trade_keep"),
                "the mortgage of {title:title} cannot be kept: its buyer lifts it at the printed price",
                "l'hypothèque de {title:title} ne se garde pas : qui l'achète la lève au prix imprimé",
                title=kept[0],
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


def said_what_is_lifted(state: Monopoly, mortgaged: Sequence[str], lifts: Collection[str] | None) -> bool:
    """Whether `require_choice` takes what was said of the mortgaged titles that somebody receives."""
    if lifts is None:
        return not mortgaged or state.settings.buyer_redeems_at_price
    kept = [title for title in mortgaged if title not in lifts]
    return {*lifts} <= {*mortgaged} and not (kept and state.settings.buyer_redeems_at_price)


def least_charge(state: Monopoly, titles: Iterable[str], lifts: Collection[str] | None) -> int:
    """The least that the new owner of these mortgaged titles pays for them; `lifts` None leaves the choice."""
    charge = 0
    for title in titles:
        lifting, keeping = lifting_cost(state, title)[0], mortgages.interest(state, title)
        if state.settings.buyer_redeems_at_price or (lifts is not None and title in lifts):
            charge += lifting
        else:
            charge += keeping if lifts is not None else min(keeping, lifting)
    return charge


def charge_for_mortgages(draft: Draft, taker: str, titles: Sequence[str], lifts: Collection[str]) -> None:
    """A title's new owner lifts its mortgage, or keeps it and pays the interest; refuse without the money.

    The money has to be there after the exchange. Nothing is due before it, so nothing can be mortgaged for it.
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
