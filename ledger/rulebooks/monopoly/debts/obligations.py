"""The obligations of a table: debts, rents, a tax or a throw due, mortgages received, the leading bid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.obligations import Obligation, opened_by
from ledger.kernel.language.phrase import Phrase
from ledger.rulebooks.monopoly.debts import promises
from ledger.rulebooks.monopoly.debts.taxes import tax_of
from ledger.rulebooks.monopoly.table.state import Monopoly, cite, currency, fees_to, pieces
from ledger.rulebooks.monopoly.table.terms import DEBT, Rent
from ledger.rulebooks.parts.seats import player as purse

_ALL_WAIT = Phrase("nobody throws before the payment", "personne ne lance les dés avant le paiement")
_DEBTOR_WAITS = Phrase("the debtor pays before the next throw", "le débiteur paie avant son prochain lancer")
_LAPSES = Phrase("lapses unclaimed at the next throw", "sans réclamation, tombe au lancer suivant")
_THROW = Phrase("the game waits for the throw", "la partie attend le lancer")
_TAX = Phrase("the turn waits for the payment", "le tour attend le paiement")
_STAYS = Phrase("the mortgage stays at the next throw", "l'hypothèque reste au lancer suivant")
_CHOICE = Phrase("the turn waits for the choice", "le tour attend le choix")
_ROUND = Phrase("paid when the debtor's turn of the round begins", "payé au début du tour du débiteur, ce tour-là")
_BID = Phrase("pays for the lot, or goes back if raised", "paie le lot, ou revient en cas de surenchère")

MATTERS: Mapping[str, Phrase] = {
    "debt": Phrase("{about:matter}", "{about:matter}"),
    "rent": Phrase("rent: {about:title}", "loyer : {about:title}"),
    "throw": Phrase("throw for the rent: {about:title}", "jet pour le loyer : {about:title}"),
    "tax": Phrase("tax: {about:title}", "taxe : {about:title}"),
    "mortgage": Phrase("mortgage received: {about:title}", "hypothèque reçue : {about:title}"),
    "choice": Phrase("a choice by a card", "un choix par une carte"),
    "bid": Phrase("highest bid: {about:goods}", "plus haute enchère : {about:goods}"),
    "promise": Phrase("promise: {about:goods}", "promesse : {about:goods}"),
}
"""The words for each kind of obligation."""

SETTLING: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "debt": {"pay_debt": {"seat": "debtor", "debt": "about"}},
    "rent": {"claim_rent": {"seat": "creditor", "title": "about"}},
    "throw": {"roll_for_rent": {"seat": "debtor"}},
    "tax": {"pay_tax": {"seat": "debtor"}},
    "mortgage": {"unmortgage": {"title": "about"}, "settle_mortgage_transfer": {"title": "about"}},
    "choice": {"choose": {"seat": "debtor"}, "draw_card": {"seat": "debtor"}},
    "bid": {"close_auction": {}},
}
"""The actions that settle each kind of obligation."""


def obligations(state: Monopoly) -> Iterator[Obligation]:
    """Yield the obligations, debts first, the oldest first; promised payments with rents. Nothing is hidden."""
    if state.ended:
        return
    money, purses = currency(state), {purse(seat) for seat in state.seats}
    for debt in state.debts:
        waits = _DEBTOR_WAITS if debt.cause == "interest" else _ALL_WAIT
        owed = partial(Obligation, "debt", debt.debtor, debt.creditor, debt.rule, waits, money, debt.amount)
        release = f"{DEBT}{debt.id}" if debt.creditor in purses else None
        yield owed(about=debt.id, since=opened_by(debt.id), awaited=True, release=release)
    for rent in (*state.rents, *_thrown_for(state)):
        owner = purse(rent.owner)
        if rent.claimed:
            yield Obligation("throw", rent.lander, owner, rent.rule, _THROW, about=rent.title, awaited=True)
        elif rent.multiplier:
            yield Obligation("rent", rent.lander, owner, rent.rule, _LAPSES, about=rent.title)
        elif rent.amount:
            yield Obligation("rent", rent.lander, owner, rent.rule, _LAPSES, money, rent.amount, about=rent.title)
    if state.choosing is not None:
        rule = cite(state, "choose")
        yield Obligation("choice", state.choosing.seat, None, rule, _CHOICE, awaited=True)
    landing = state.landing
    square = None if landing is None else pieces(state).squares[landing.square]
    due = 0 if landing is None or square is None else tax_of(state, landing.seat, square)
    if landing is not None and landing.todo == "tax" and square is not None and due:
        rule = cite(state, "tax", square)
        tax = partial(Obligation, "tax", landing.seat, fees_to(state), rule, _TAX, money, due)
        yield tax(about=square.id, awaited=True)
    for received in state.received:
        rule = cite(state, "bankrupt_lift")
        yield Obligation("mortgage", received.seat, BANK, rule, _STAYS, about=received.title)
    for seat, thing, amount in promises.in_hands(state):
        payment = promises.note_of(thing)
        if payment is not None:
            rule = cite(state, "promise")
            yield Obligation("promise", payment[0], purse(seat), rule, _ROUND, money, amount, about=thing)
    auction = state.auction
    if auction is not None and auction.bidder is not None:
        bid = partial(Obligation, "bid", auction.bidder, BANK, cite(state, "bid_won"), _BID, money, auction.bid)
        yield bid(laid=True, about=auction.lot.title or auction.lot.kind, due=auction.closes_at)


def _thrown_for(state: Monopoly) -> Iterator[Rent]:
    """Yield the rent of the stop under way, if a throw sets the rent."""
    landing = state.landing
    if landing is not None and landing.todo == "throw":
        square = pieces(state).squares[landing.square]
        yield Rent(
            title=square.id,
            owner=landing.owner,
            lander=landing.seat,
            amount=0,
            multiplier=landing.multiplier,
            rule=cite(state, "rent_throw", square),
            claimed=True,
        )
