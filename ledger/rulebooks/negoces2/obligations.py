"""The obligations of a table: the highest bid, the cards and coins laid for a sale, the offers, a forced sale,
and the answers to a claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from ledger.kernel.facts.accounts import BOX
from ledger.kernel.facts.obligations import Obligation, opened_by
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.faces.agreements import Agreements
from ledger.rulebooks.negoces2.cards import COIN
from ledger.rulebooks.negoces2.table import Negoces2
from ledger.rulebooks.negoces2.terms import (
    SALE_CARD,
    SALE_COINS,
    SECOND_CARD,
    hand,
    layout,
    offer_card,
    offer_coins,
    visible,
)
from ledger.rulebooks.negoces2.views import audience_of, awaited

_BID = Phrase("paid into the box, unless raised", "versé dans la boîte, sauf surenchère")
_SALE = Phrase("goes to the buyer", "va à l'acheteur")
_FORCED = Phrase("the game waits for the seller", "la partie attend le vendeur")
_LAID_OUT = Phrase("the seller takes one card, the rest go back", "le vendeur prend une carte, le reste revient")
_CLAIM = Phrase("the game waits for the answer", "la partie attend la réponse")
_OFFER = Phrase("goes to the seller if accepted, or back", "va au vendeur en cas d'acceptation, ou revient")


class Negoces2Agreements(Agreements[Negoces2]):
    """The obligations of a table. There are no agreements."""

    matters = {
        "bid": Phrase("highest bid", "plus haute enchère"),
        "sale": Phrase("laid for sale", "mise en vente"),
        "offer": Phrase("laid as an offer", "offre déposée"),
        "announce": Phrase("name the good", "nommer la marchandise"),
        "choose": Phrase("choose a card laid out", "choisir une carte étalée"),
        "forced": Phrase("laid out in a forced sale", "étalée pour une vente forcée"),
        "claim": Phrase("claim victory or decline", "revendiquer la victoire ou décliner"),
    }
    settling = {
        "sale": {"accept_offer": {"seat": "debtor"}, "choose_card": {"seat": "debtor"}},
        "offer": {"accept_offer": {"revision": "about"}},
    }

    def obligations(self, state: Negoces2) -> Iterator[Obligation]:
        """Yield the obligations. A card laid face down has the audience of the card (secrecy.1)."""
        if state.ended:
            return
        if state.phase == "auction" and state.bidder is not None:
            yield Obligation("bid", state.bidder, BOX, "negoces2:auction.9", _BID, COIN, state.bid)
        for seat in awaited(state) if state.claims else ():
            yield Obligation("claim", seat, None, "negoces2:end.8", _CLAIM)
        sale = state.sale
        if sale is None:
            return
        sold = partial(Obligation, "sale", sale.seller, None, "negoces2:sale.5", _SALE)
        for account in (SALE_CARD, SECOND_CARD, SALE_COINS):
            yield from _laid(state, account, sold)
        for buyer in state.order:
            if (offer := state.offers.get(buyer)) is not None:
                for account, to in (
                    (offer_card(buyer), hand(sale.seller)),
                    (offer_coins(buyer), visible(sale.seller)),
                ):
                    offered = partial(Obligation, "offer", buyer, to, "negoces2:sale.16", _OFFER)
                    revision = offer.revision
                    yield from _laid(state, account, partial(offered, about=revision, since=opened_by(revision)))
        if state.phase == "announcing":
            yield Obligation("announce", sale.seller, None, "negoces2:forced.4", _FORCED)
        if state.phase == "choosing":
            yield Obligation("choose", sale.seller, None, "negoces2:forced.8", _FORCED)
            for buyer in state.order:
                laid_out = partial(Obligation, "forced", buyer, hand(sale.seller), "negoces2:forced.8", _LAID_OUT)
                yield from _laid(state, layout(buyer), laid_out)


def _laid(state: Negoces2, account: str, owed: Callable[..., Obligation]) -> Iterator[Obligation]:
    """Yield an obligation for each commodity in an account of the market."""
    for commodity, amount in state.holdings.account(account).items():
        yield owed(commodity=commodity, amount=amount, laid=True, audience=audience_of(state, account))
