"""Visibility in Négoces 2: the audience of each holding, and a viewer's view of the table."""

from __future__ import annotations

from typing import Any

from ledger.kernel.facts.accounts import BOX
from ledger.kernel.facts.agreements import Agreement
from ledger.kernel.facts.audience import BANKER_ONLY, EVERYONE, Audience, Viewer, only
from ledger.kernel.facts.plain import plain, plain_once, without_nulls
from ledger.kernel.rules.faces.secrets import Secrets
from ledger.rulebooks.negoces2.cards import CARDS, COIN, COINS, GOODS
from ledger.rulebooks.negoces2.ends import TITLE
from ledger.rulebooks.negoces2.table import (
    Negoces2,
    card_at,
    cards_in,
    cards_of,
    claims_open,
    coins_of,
    hand_shown,
    label,
    seller_of,
)
from ledger.rulebooks.negoces2.terms import (
    SALE_CARD,
    SALE_COINS,
    SECOND_CARD,
    VEIL,
    hand,
    hidden,
    layout,
    offer_card,
    visible,
)

_ALWAYS_PUBLIC = ("coins_visible:", "offer_coins:", "layout:", SALE_COINS, BOX)


def audience_of(state: Negoces2, account: str) -> Audience:
    """Return the present audience of an account, by the register's table of visibility (secrecy.1)."""
    if account.startswith(_ALWAYS_PUBLIC):
        return EVERYONE
    kind, _, seat = account.partition(":")
    if kind == "hand":
        return EVERYONE if hand_shown(state, seat) else only(seat)
    if kind == "coins_hidden":
        return only(seat)
    if kind == "offer_card":
        offer = state.offers.get(seat)
        return EVERYONE if offer is not None and offer.face == "up" else only(seat)
    if account == SALE_CARD:
        sale = state.sale
        return EVERYONE if sale is None or sale.face == "up" else only(sale.seller)
    if account == SECOND_CARD:
        return only(None if state.sale is None else state.sale.seller)
    return BANKER_ONLY


def round_of(state: Negoces2) -> int:
    """Return the round: 0 in the set-up, 1 in the auction, then a new round for each sale."""
    if state.phase == "setup":
        return 0
    if state.phase == "auction":
        return 1
    return 1 + state.sales + (state.phase != "ended")


def awaited(state: Negoces2) -> list[str]:
    """Return the awaited seats. Buyers may also act, in any order (sale.6)."""
    if state.phase == "auction":
        return [] if state.turn is None else [state.turn]
    if state.claims and not state.ended:
        return [seat for seat in state.order if seat not in state.claims and seat not in state.declined]
    seller = seller_of(state)
    return [] if seller is None or state.ended else [seller]


def summary_of(state: Negoces2) -> dict[str, Any]:
    """Return the public summary; `turn` is the awaited seat if exactly one seat is awaited."""
    waiting, seller = awaited(state), seller_of(state)
    summary: dict[str, Any] = {
        "phase": state.phase,
        "round": round_of(state),
        "awaited": waiting,
        "winners": list(state.winners),
    }
    if len(waiting) == 1:
        summary["turn"] = waiting[0]
    if seller is not None:
        summary["seller"] = seller
    return summary


def view_of(state: Negoces2, viewer: Viewer) -> dict[str, Any]:
    """Return the market, the offers, the numbers of cards and visible coins, and the viewer's own secrets."""

    def visible_card(account: str) -> str | None:
        """Return the card in an account, if visible to the viewer."""
        return card_at(state, account) if audience_of(state, account).admits(viewer) else None

    sale = state.sale
    winners = list(state.winners) if viewer.knows_the_end else []
    table: dict[str, Any] = {
        **summary_of(state),
        "winners": winners,
        "order": list(state.order),
        "dealt": state.dealt,
        "auction": {
            "bid": state.bid,
            "withdrawn": [seat for seat in state.order if seat in state.withdrawn],
        },
        "offers": [
            without_nulls(
                {
                    "seat": seat,
                    "revision": offer.revision,
                    "face": offer.face,
                    "card": visible_card(offer_card(seat)),
                    "coins": offer.coins,
                    "stale": offer.stale,
                }
            )
            for seat, offer in ((buyer, state.offers.get(buyer)) for buyer in state.order)
            if offer is not None
        ],
        "seats": {
            seat: {
                "cards": cards_of(state, seat),
                "coins": state.holdings.of(visible(seat), COIN),
                "laid_out": sum(cards_in(state, layout(seat)).values()),
                "been_seller": seat in state.sellers,
            }
            for seat in state.order
        },
        "claims": {
            "open": claims_open(state),
            "made": {seat: plain(state.claims[seat]) for seat in sorted(state.claims)},
            "declined": sorted(state.declined),
        },
        "out_of_the_game": COINS + state.holdings.of(BOX, COIN),
        "settings": plain_once(state.settings),
        "names": names_of(state),
    }
    if state.starter is not None:
        table["starter"] = state.starter
    for name, value in (("bidder", state.bidder), ("turn", state.turn)):
        if value is not None:
            table["auction"][name] = value
    if sale is not None:
        table["sale"] = without_nulls(
            {
                "seller": sale.seller,
                "face": sale.face,
                "card": visible_card(SALE_CARD),
                "coins": state.holdings.of(SALE_COINS, COIN),
                "forced": sale.forced,
                "second_card": visible_card(SECOND_CARD),
                "good": sale.good,
            }
        )
    if winners:
        table["title"] = TITLE
    if viewer.seat in state.seats:
        table["you"] = {
            "cards": cards_in(state, hand(viewer.seat)),
            "hidden_coins": state.holdings.of(hidden(viewer.seat), COIN),
            "coins": coins_of(state, viewer.seat),
            "goods": sum(1 for card in GOODS.values() if state.holdings.of(hand(viewer.seat), card)),
        }
    return table


def names_of(state: Negoces2) -> dict[str, dict[str, str]]:
    """Return the table's names of each kind of card and of the coin, in both languages."""
    return {name: {"en": label(state, name, "en"), "fr": label(state, name, "fr")} for name in (*CARDS, COIN)}


class Negoces2Secrets(Secrets[Negoces2]):
    """The audiences of holdings and agreements."""

    veils = True

    def holding_audience(self, state: Negoces2, account: str, commodity: str) -> Audience:
        """Return the audience of a holding: everybody if face up, the owner if hidden (secrecy.1)."""
        return audience_of(state, account)

    def veil(self, commodity: str) -> str | None:
        """Return the public name of a hidden commodity.

        The number of cards is public; the number of hidden coins is not (coins.1).
        """
        return VEIL if commodity in CARDS else None

    def has_fixed_audience(self, account: str) -> bool:
        """Return True if an account's audience is fixed, unlike for hands and the market (setup.8, sale.2)."""
        return account.startswith((*_ALWAYS_PUBLIC, "coins_hidden:"))

    def agreement_audience(self, agreement: Agreement) -> Audience:
        """Return everybody. There are no agreements: promises have no effect (sale.11, sale.13)."""
        return EVERYONE
