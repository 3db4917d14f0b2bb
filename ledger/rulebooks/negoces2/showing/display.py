"""The display of Négoces 2: the market and the seats, with the cards and coins visible to the viewer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import UNSET

from ledger.kernel.facts.audience import Viewer, only
from ledger.kernel.journal.sight import visible_holdings
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.display import (
    AwaitedView,
    BoardView,
    BoardZone,
    Display,
    NoticeView,
    PhaseView,
    PieceView,
    ZoneView,
)
from ledger.kernel.rules.faces.screen import Screen
from ledger.kernel.rules.faces.secrets import Secrets
from ledger.kernel.rules.icons import Icon
from ledger.rulebooks.negoces2.cards import CARDS, COIN, COINS, COINS_EACH, GOODS, VICTORY_COINS
from ledger.rulebooks.negoces2.setup import last_winner
from ledger.rulebooks.negoces2.showing.changes import PHASES
from ledger.rulebooks.negoces2.table import Negoces2, claims_open, coins_of, label, seller_of
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
from ledger.rulebooks.negoces2.views import Negoces2Secrets, awaited, summary_of, view_of
from ledger.rulebooks.parts import boards
from ledger.rulebooks.parts.face import faces

FACE = faces.read(files("ledger.rulebooks.negoces2"))
_MARKET: tuple[tuple[str, Phrase, Icon], ...] = (("market", Phrase("Market", "Marché"), "market"),)
_EACH: tuple[tuple[str, Phrase, Icon], ...] = (
    ("offer", Phrase("offer", "offre"), "offer"),
    ("front", Phrase("in front", "devant"), "coin"),
    ("hand", Phrase("hand", "main"), "hand"),
    ("hidden", Phrase("hidden coins", "pièces cachées"), "coin"),
)
"""The zones, from the middle of the table to the seats."""
_STEPS: Mapping[str, Phrase] = {
    "between": Phrase("Card", "Carte"),
    "negotiation": Phrase("Offers", "Offres"),
    "announcing": Phrase("Forced sale: good", "Vente forcée : bien"),
    "choosing": Phrase("Forced sale: card", "Vente forcée : carte"),
}
"""The steps of a sale; the last two only of a forced one."""
_HIDDEN = {"hand", "hidden"}
"""The zones of which only the seat knows the content."""


@cache
def drawn(language: str) -> BoardView:
    """Return the table: the market, and the zones of each seat."""
    return BoardView(
        form="table",
        face=faces.board_face(language, FACE),
        zones=_zones(_MARKET, language),
        each_seat=_zones(_EACH, language),
        phases=boards.phases_of(_STEPS, language),
    )


def _zones(zones: tuple[tuple[str, Phrase, Icon], ...], language: str) -> tuple[BoardZone, ...]:
    return tuple(
        BoardZone(id=name, name=words.in_language(language), icon=icon, hidden=True if name in _HIDDEN else UNSET)
        for name, words, icon in zones
    )


def display(secrets: Secrets[Negoces2], state: Negoces2, viewer: Viewer, language: str) -> Display:
    """Return the cards and coins of each zone, hidden cards under a veil (secrecy.1)."""

    face_down = set(_face_down(state))

    def lying(*accounts: str) -> tuple[PieceView, ...]:
        return tuple(
            PieceView(
                commodity=UNSET if commodity == VEIL else commodity,
                veil=VEIL if commodity == VEIL else UNSET,
                face="down" if account in face_down else UNSET,
                amount=amount,
            )
            for account in accounts
            for commodity, amount in visible_holdings(secrets, state, account, viewer).items()
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


def _face_down(state: Negoces2) -> Iterator[str]:
    """Yield the accounts with a face-down card. Everybody sees the back of the card."""
    if state.sale is not None and state.sale.face == "down":
        yield SALE_CARD
    yield SECOND_CARD  # The second card of a forced sale always does (forced.2).
    for seat, offer in state.offers.items():
        if offer.face == "down":
            yield offer_card(seat)


def _notices(state: Negoces2, language: str) -> Iterator[NoticeView]:
    """Yield the good sought by a seller, and the possibility of claiming victory."""
    if state.sale is not None and state.sale.good is not None:
        good = label(state, GOODS[state.sale.good], language)
        yield NoticeView(
            text=Phrase(f"the seller seeks: {good}", f"le vendeur recherche : {good}").in_language(language),
            rule="negoces2:forced.4",
        )
    if claims_open(state) and not state.ended:
        words = Phrase("victory may be claimed", "la victoire peut être revendiquée")
        yield NoticeView(text=words.in_language(language), rule="negoces2:end.1")


_TO_DO: Mapping[str, Phrase] = {
    "auction": Phrase("bid or withdraw", "enchérir ou se retirer"),
    "between": Phrase("put a card up for sale", "mettre une carte en vente"),
    "negotiation": Phrase("accept an offer, or force the sale", "accepter une offre, ou forcer la vente"),
    "announcing": Phrase("name the good", "annoncer la marchandise"),
    "choosing": Phrase("choose a card", "choisir une carte"),
}
"""The task of an awaited seat in each phase."""
_CLAIM = Phrase("claim victory, or decline", "revendiquer la victoire, ou décliner")
_OPEN = Phrase("open the auction", "ouvrir les enchères")
_FORCE = Phrase("wait for offers, or force the sale", "attendre des offres, ou forcer la vente")
_OFFER = Phrase("make an offer", "faire une offre")


def waiting(state: Negoces2, viewer: Viewer, language: str) -> Iterator[AwaitedView]:
    """Yield everything that the game waits for; nothing happens by itself.

    All is public, except moves that need facts known to their player alone: hidden coins, or cards of the hand.
    """
    if state.ended:
        return
    if state.phase == "setup":
        yield from _in_setup(state, language)
        return
    for seat in awaited(state):
        words, moves = _claiming(state, seat, viewer) if state.claims else _playing(state, seat, viewer)
        yield AwaitedView(seat=seat, label=words.in_language(language), moves=moves)
    if state.phase == "negotiation":
        for seat in state.order:
            if seat not in state.offers and seat != seller_of(state):
                yield AwaitedView(
                    seat=seat, label=_OFFER.in_language(language), moves=_offers(state, seat, viewer)
                )


def _in_setup(state: Negoces2, language: str) -> Iterator[AwaitedView]:
    """Yield the tasks of the banker."""
    if state.starter is None:
        words = Phrase("decide who opens the auction", "décider qui débute les enchères")
        drawn = ("draw_starter:roll",) if state.dealt else ("draw_starter:cards", "draw_starter:roll")
        moves = drawn if last_winner(state) is None else ("set_starter",)
        yield AwaitedView(seat="banker", label=words.in_language(language), moves=moves)
    if not state.dealt:
        words = Phrase("deal the goods", "distribuer les marchandises")
        yield AwaitedView(seat="banker", label=words.in_language(language), moves=("deal_goods",))


def _claiming(state: Negoces2, seat: str, viewer: Viewer) -> tuple[Phrase, tuple[str, ...]]:
    """Return the task and the moves of a player who has not answered a claim (end.8)."""
    return _CLAIM, ("declare_victory", "decline_victory") if _may_win(state, seat, viewer) else (
        "decline_victory",
    )


def _may_win(state: Negoces2, seat: str, viewer: Viewer) -> bool:
    """Return True if the viewer knows that a player can claim victory (end.2 to end.4)."""
    if not only(seat).admits(viewer) or not state.sellers.issuperset(state.order):
        return False
    whole = all(state.holdings.of(hand(seat), card) for card in GOODS.values())
    return whole or coins_of(state, seat) >= VICTORY_COINS


def _playing(state: Negoces2, seat: str, viewer: Viewer) -> tuple[Phrase, tuple[str, ...]]:
    """Return the task and the moves of an awaited player."""
    words = _TO_DO[state.phase]
    match state.phase:
        case "auction" if not state.bid:
            return _OPEN, ("bid",)
        case "auction":
            return words, ("bid", "withdraw") if _known_coins(state, seat, viewer) > state.bid else ("withdraw",)
        case "between":
            return words, ("offer_for_sale:up", "offer_for_sale:down")
        case "negotiation":
            open_now = any(not offer.stale for offer in state.offers.values())
            return (words, ("accept_offer", "force_sale")) if open_now else (_FORCE, ("force_sale",))
        case "announcing":
            return words, ("announce_good",)
        case _:
            return words, ("choose_card",)


def _known_coins(state: Negoces2, seat: str, viewer: Viewer) -> int:
    """Return the number of a player's coins known to the viewer (coins.1)."""
    public = state.holdings.of(visible(seat), COIN)
    return coins_of(state, seat) if only(seat).admits(viewer) else public


def _offers(state: Negoces2, seat: str, viewer: Viewer) -> tuple[str, ...]:
    """Return the usual offers of a buyer (sale.7): cards face down are rare."""
    if not _known_coins(state, seat, viewer):
        return ("make_offer:up",)
    return "make_offer:coins", "make_offer:up", "make_offer:up:coins"


class Negoces2Screen(Screen[Negoces2]):
    """The views of the game."""

    def own_view(self, state: Negoces2, viewer: Viewer) -> dict[str, Any]:
        """Return the table as seen by the viewer."""
        return view_of(state, viewer)

    def summary(self, state: Negoces2) -> dict[str, Any]:
        """Return the phase, the round, the awaited seat, the seller and the winners."""
        return summary_of(state)

    def awaited(self, state: Negoces2) -> Sequence[str]:
        """Return the awaited seats: the next bidder, the players who must answer a claim, or the seller."""
        return awaited(state)

    def board_drawn(self, state: Negoces2 | None, language: str) -> BoardView:
        """Return the market and the zones of each seat."""
        return drawn(language)

    def display(self, state: Negoces2, viewer: Viewer, language: str) -> Display:
        """Return the cards and coins of each zone, hidden cards under a veil (secrecy.1)."""
        return display(Negoces2Secrets(), state, viewer, language)

    def phase(self, state: Negoces2, language: str) -> PhaseView:
        """Return the phase: the set-up, the auction, a sale and its steps, the time between two sales."""
        return PhaseView(state.phase, PHASES[state.phase].in_language(language))

    def waiting(self, state: Negoces2, viewer: Viewer, language: str) -> Sequence[AwaitedView]:
        """Return the next bidder, the seller, or the players who must answer a claim; in the set-up the banker."""
        return list(waiting(state, viewer, language))

    def in_setup(self, state: Negoces2) -> bool:
        """Return True if the goods are not dealt or the opener is not known yet."""
        return state.phase == "setup"

    def components(self) -> dict[str, Any]:
        """Return the cards with names and copies, and the coins."""
        return {
            "cards": [msgspec.to_builtins(card) for card in CARDS.values()],
            "coins": {"total": COINS, "each": COINS_EACH, "victory": VICTORY_COINS},
        }
