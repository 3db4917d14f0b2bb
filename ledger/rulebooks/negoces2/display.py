"""What screens draw of Négoces 2: the market and the seats, with the cards and coins that the viewer may see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from ledger.kernel.audience import Viewer
from ledger.kernel.display import (
    AwaitedView,
    BoardView,
    BoardZone,
    Display,
    Icon,
    NoticeView,
    PhaseView,
    PieceView,
    ZoneView,
)
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.seeing import seen_account
from ledger.rulebooks.negoces2.cards import GOODS
from ledger.rulebooks.negoces2.changes import PHASES
from ledger.rulebooks.negoces2.table import Negoces2, claims_open, label
from ledger.rulebooks.negoces2.terms import (
    SALE_CARD,
    SALE_COINS,
    SECOND_CARD,
    VEIL,
    hand,
    hidden,
    layout,
    offer_card,
    offer_coins,
    visible,
)
from ledger.rulebooks.negoces2.views import awaited
from ledger.rulebooks.parts.speaking import Both, said

_MARKET: tuple[tuple[str, Both, Icon], ...] = (("market", ("Market", "Marché"), "market"),)
_EACH: tuple[tuple[str, Both, Icon], ...] = (
    ("offer", ("offer", "offre"), "offer"),
    ("front", ("in front", "devant"), "coin"),
    ("hand", ("hand", "main"), "hand"),
    ("hidden", ("hidden coins", "pièces cachées"), "coin"),
)
"""The zones, from the middle of the table to the seats."""


@cache
def drawn(language: str) -> BoardView:
    """The table: the market, and the zones of each seat."""
    return BoardView(form="table", zones=_zones(_MARKET, language), each_seat=_zones(_EACH, language))


def _zones(zones: tuple[tuple[str, Both, Icon], ...], language: str) -> tuple[BoardZone, ...]:
    return tuple(BoardZone(id=name, name=said(words, language), icon=icon) for name, words, icon in zones)


def display(rulebook: Rulebook[Negoces2], state: Negoces2, viewer: Viewer, language: str) -> Display:
    """The cards and coins of each zone; hidden cards under their veil (secrecy.1)."""

    def lying(*accounts: str) -> tuple[PieceView, ...]:
        return tuple(
            PieceView(veil=commodity, amount=amount)
            if commodity == VEIL
            else PieceView(commodity=commodity, amount=amount)
            for account in accounts
            for commodity, amount in seen_account(rulebook, state, account, viewer).items()
        )

    def zones() -> Iterator[ZoneView]:
        yield ZoneView(zone="market", items=lying(SALE_CARD, SECOND_CARD, SALE_COINS))
        for seat in state.order:
            of_a_seat = {
                "offer": (offer_card(seat), offer_coins(seat)),
                "front": (visible(seat), layout(seat)),
                "hand": (hand(seat),),
                "hidden": (hidden(seat),),
            }
            for zone, accounts in of_a_seat.items():
                items = lying(*accounts)
                if items:
                    yield ZoneView(zone=zone, seat=seat, items=items)

    return Display(zones=tuple(zones()), notices=tuple(_notices(state, language)))


def _notices(state: Negoces2, language: str) -> Iterator[NoticeView]:
    """A good that a seller seeks, and that victory may be claimed."""
    if state.sale is not None and state.sale.good is not None:
        good = label(state, GOODS[state.sale.good], language)
        yield NoticeView(
            text=said((f"the seller seeks: {good}", f"le vendeur recherche : {good}"), language),
            rule="negoces2:forced.4",
        )
    if claims_open(state) and not state.ended:
        words = ("victory may be claimed", "la victoire peut être revendiquée")
        yield NoticeView(text=said(words, language), rule="negoces2:end.1")


def phase(state: Negoces2, language: str) -> PhaseView:
    """What the game has come to."""
    return PhaseView(state.phase, said(PHASES[state.phase], language))


_TO_DO: Mapping[str, tuple[Both, tuple[str, ...]]] = {
    "auction": (("bid or withdraw", "enchérir ou se retirer"), ("bid", "withdraw")),
    "between": (("put a card up for sale", "mettre une carte en vente"), ("offer_for_sale",)),
    "negotiation": (
        ("accept an offer, or force the sale", "accepter une offre, ou forcer la vente"),
        ("accept_offer", "force_sale"),
    ),
    "announcing": (("name the good", "annoncer la marchandise"), ("announce_good",)),
    "choosing": (("choose a card", "choisir une carte"), ("choose_card",)),
}
"""What an awaited seat has to do in each phase."""
_CLAIM: tuple[Both, tuple[str, ...]] = (
    ("claim victory, or decline", "revendiquer la victoire, ou décliner"),
    ("declare_victory", "decline_victory"),
)


def waiting(state: Negoces2, language: str) -> Iterator[AwaitedView]:
    """What the game waits for; all of it is public, and nothing happens by itself."""
    if state.ended:
        return
    if state.phase == "setup":
        if state.starter is None:
            words = ("decide who opens the auction", "décider qui débute les enchères")
            kind = "set_starter" if len(state.settings.last_winners) == 1 else "draw_starter"
            yield AwaitedView(seat="banker", label=said(words, language), moves=(kind,))
        if not state.dealt:
            words = ("deal the goods", "distribuer les marchandises")
            yield AwaitedView(seat="banker", label=said(words, language), moves=("deal_goods",))
        return
    claiming = bool(state.claims)
    words, moves = _CLAIM if claiming else _TO_DO[state.phase]
    for seat in awaited(state):
        yield AwaitedView(seat=seat, label=said(words, language), moves=moves)
