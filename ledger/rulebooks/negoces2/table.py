"""The state of a game of Négoces 2, and the queries shared by all chapters."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.refusals import Impossible, Malformed
from ledger.kernel.facts.state import State
from ledger.kernel.facts.values import SeatId
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.draft import Draft as AnyDraft
from ledger.rulebooks.negoces2.cards import CARDS, COIN, SETTINGS, Card
from ledger.rulebooks.negoces2.terms import (
    SALE_CARD,
    SECOND_CARD,
    VEIL,
    Claim,
    Offer,
    Sale,
    hand,
    hidden,
    layout,
    offer_card,
    visible,
)
from ledger.rulebooks.parts.opening import RevealAtEnd, setting_meta
from ledger.rulebooks.parts.seats import seat_named

# ----------------------------------------------------------------------------------------------
# Settings
# ----------------------------------------------------------------------------------------------

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Labelled = Literal[
    "good:1", "good:2", "good:3", "good:4", "good:5", "good:6", "good:7", "good:8", "contraband", "coin"
]


class Label(Phrase, frozen=True, forbid_unknown_fields=True):
    """A table's custom name for a kind of card, or for the coins."""

    en: Name
    fr: Name


def _description(setting: str) -> Meta:
    return setting_meta(SETTINGS[setting])


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a table."""

    labels: Annotated[dict[Labelled, Label], _description("labels")] = {}
    last_winners: Annotated[tuple[SeatId, ...], _description("last_winners")] = ()
    offers_may_be_turned: Annotated[bool, _description("offers_may_be_turned")] = False
    reveal_at_end: RevealAtEnd = False


# ----------------------------------------------------------------------------------------------
# The state
# ----------------------------------------------------------------------------------------------

Phase = Literal["setup", "auction", "between", "negotiation", "announcing", "choosing", "ended"]


class Negoces2(State, kw_only=True):
    """The state of a game of Négoces 2. Cards and coins are holdings."""

    settings: Settings = msgspec.field(default_factory=Settings)
    phase: Phase = "setup"
    """"between" two sales the seller puts a card on the market and players may claim victory; in a forced sale the
    seller is "announcing" a good, then "choosing" a card."""
    order: tuple[str, ...] = ()
    """The seats, clockwise (setup.13)."""
    dealt: bool = False
    starter: str | None = None
    """The opener of the auction."""
    turn: str | None = None
    """The next bidder of the auction."""
    bid: int = 0
    bidder: str | None = None
    withdrawn: set[str] = set()
    sale: Sale | None = None
    offers: dict[str, Offer] = {}
    """The standing offers, by buyer."""
    sales: int = 0
    """The number of completed sales; the auction does not count."""
    sellers: set[str] = set()
    """The past and present sellers (end.2)."""
    claims: dict[str, Claim] = {}
    """The claims since the last sale, by seat."""
    declined: set[str] = set()
    """The players who have declined since the first claim."""
    winners: tuple[str, ...] = ()


Draft = AnyDraft[Negoces2]
"""The game during the decision of an action: the argument of `decide`."""


# ----------------------------------------------------------------------------------------------
# Questions
# ----------------------------------------------------------------------------------------------


_WORDS = {VEIL: Label("a card", "une carte"), COIN: Label("coin", "pièce")}


def names_at(settings: Settings) -> dict[str, Label | Card]:
    """Return the names of every card and the coin under the settings (setup.18)."""
    labels = {str(commodity): name for commodity, name in settings.labels.items()}
    return {**_WORDS, **CARDS, **labels}


def label(state: Negoces2, commodity: str, language: str) -> str:
    """Return the table's name for a card or a coin, in "en" or "fr" (setup.18)."""
    named = names_at(state.settings).get(commodity)
    return commodity if named is None else named.in_language(language)


def cards_in(state: Negoces2, account: str) -> dict[str, int]:
    """Return the cards in an account with the number of copies, in the order of the cards' numbers."""
    balances = state.holdings.account(account)
    return {card: balances[card] for card in CARDS if balances.get(card, 0) > 0}


def card_at(state: Negoces2, account: str) -> str | None:
    """Return the card in an account for one card, or None for an empty account."""
    return next(iter(cards_in(state, account)), None)


def cards_of(state: Negoces2, seat: str) -> int:
    """Return the number of a player's cards. Laid-out cards count until the sale is completed (seller.1)."""
    places = [hand(seat), offer_card(seat), layout(seat)]
    if state.sale is not None and state.sale.seller == seat:
        places += [SALE_CARD, SECOND_CARD]
    holdings = (state.holdings.account(place).items() for place in places)
    return sum(copies for cards in holdings for card, copies in cards if copies > 0 and card in CARDS)


def seller_of(state: Negoces2) -> str | None:
    """Return the player with nine cards after the auction; None before, or when no single player has nine."""
    if state.phase in {"setup", "auction"}:
        return None
    if state.sale is not None:
        return state.sale.seller
    counts = {seat: cards_of(state, seat) for seat in state.order}
    if sorted(counts.values()) != [8, 8, 8, 9]:
        return None
    return next(seat for seat, count in counts.items() if count == 9)


def coins_of(state: Negoces2, seat: str) -> int:
    """Return the number of a player's coins, visible and hidden."""
    return state.holdings.of(visible(seat), COIN) + state.holdings.of(hidden(seat), COIN)


def hand_shown(state: Negoces2, seat: str) -> bool:
    """Return True if a player's starting cards are public: until the auction's first action (setup.7, setup.8).

    If the first bid is undone, a hand changed by a ruling in the meantime stays hidden.
    """
    begun = state.bid > 0 or bool(state.withdrawn)
    untouched = all(copies == CARDS[card].copies for card, copies in cards_in(state, hand(seat)).items())
    return untouched and (state.phase == "setup" or (state.phase == "auction" and not begun))


def claims_open(state: Negoces2) -> bool:
    """Return True if claims are possible: between two sales (end.1), with every player a past seller (end.2)."""
    return state.phase == "between" and state.sales > 0 and set(state.order) <= state.sellers


def player(draft: Draft, rule: str) -> str:
    """Return the acting seat if the seat is a player's. Raises Impossible by `rule` otherwise."""
    return seat_named(draft.state, draft.seat, rule)


_SAID: dict[str, Phrase] = {
    "setup": Phrase("the table is being prepared", "la table se prépare"),
    "auction": Phrase("the auction is under way", "la vente aux enchères est en cours"),
    "between": Phrase("no card is for sale", "aucune carte n'est en vente"),
    "negotiation": Phrase("a card is being negotiated", "une carte est en négociation"),
    "announcing": Phrase(
        "the seller is to name the good sought", "le vendeur doit annoncer la marchandise recherchée"
    ),
    "choosing": Phrase("the seller is to choose a card laid out", "le vendeur doit choisir une carte étalée"),
    "ended": Phrase("the game is over", "la partie est terminée"),
}


def require_phase(draft: Draft, phase: Phase, rule: str, rules: dict[str, str] | None = None) -> None:
    """Raise Impossible unless the game is in the phase, by `rule` or by the present phase's rule in `rules`."""
    current = draft.state.phase
    if current == phase:
        return
    raise Impossible(
        (rules or {}).get(current, rule),
        "this is for when {wanted.en}; now {found.en}",
        "cela se fait quand {wanted.fr} ; or {found.fr}",
        wanted=_SAID[phase],
        found=_SAID[current],
    )


def require_seller(draft: Draft) -> str:
    """Return the acting seat if the seat is the seller's. Raises Impossible by seller.3 otherwise."""
    seat = player(draft, "negoces2:seller.3")
    seller = seller_of(draft.state)
    if seller is None and draft.state.phase == "between":  # after a correction
        raise Impossible(
            "negoces2:seller.2",
            "nobody is the seller before the banker sets the hands right: {counts:tally}",
            "personne n'est vendeur avant que le banquier remette les mains en ordre : {counts:tally}",
            counts={player: cards_of(draft.state, player) for player in draft.state.order},
        )
    if seller is None:
        raise Impossible(
            "negoces2:seller.1",
            "nobody is the seller yet: the winner of the auction will be",
            "personne n'est encore vendeur : ce sera le vainqueur des enchères",
        )
    if seat != seller:
        raise Impossible(
            "negoces2:seller.3",
            "{seat:seat} is a buyer: the seller is {seller:seat}",
            "{seat:seat} est acheteur : le vendeur est {seller:seat}",
            seat=seat,
            seller=seller,
        )
    return seat


def require_buyer(draft: Draft) -> str:
    """Return the acting seat unless the seat is the seller's. Raises Impossible by seller.3 for the seller."""
    seat = player(draft, "negoces2:seller.3")
    if seat == seller_of(draft.state):
        raise Impossible(
            "negoces2:seller.3",
            "{seat:seat} is the seller and makes no offers",
            "{seat:seat} est le vendeur et ne fait pas d'offre",
            seat=seat,
        )
    return seat


def require_card(draft: Draft, account: str, card: str, rule: str) -> None:
    """Raise Impossible by `rule` unless the card is in the account."""
    if not draft.state.holdings.of(account, card):
        raise Impossible(
            rule,
            "{seat:seat} has no {card} in hand",
            "{seat:seat} n'a pas en main de carte {carte}",
            seat=draft.seat,
            card=label(draft.state, card, "en"),
            carte=label(draft.state, card, "fr"),
        )


def lay_coins(
    draft: Draft, seat: str, amount: int, target: str, rule: str, from_hidden: int | None = None
) -> tuple[tuple[Posting, ...], int]:
    """Return the postings of a player's coins to a public account, and the number of hidden coins used.

    Visible coins are used first unless `from_hidden` gives the number of hidden coins (coins.2). Raises
    Impossible by `rule` for too few coins, Malformed for more hidden coins than coins.
    """
    visible_coins = draft.state.holdings.of(visible(seat), COIN)
    hidden_coins = draft.state.holdings.of(hidden(seat), COIN)
    used_hidden = max(0, amount - visible_coins) if from_hidden is None else from_hidden
    if used_hidden > amount:
        raise Malformed(
            "of {amount} coins, {taken} cannot be hidden ones",
            "sur {amount} pièces, {taken} ne peuvent pas être des pièces cachées",
            amount=amount,
            taken=used_hidden,
        )
    if amount - used_hidden > visible_coins or used_hidden > hidden_coins:
        raise Impossible(
            rule,
            "{seat:seat} has {shown} visible and {kept} hidden coins and cannot lay {amount}{of_these}",
            "{seat:seat} a {shown} pièces visibles et {kept} cachées et ne peut pas en poser {amount}{dont}",
            seat=seat,
            shown=visible_coins,
            kept=hidden_coins,
            amount=amount,
            of_these="" if from_hidden is None else f", {used_hidden} of them hidden ones",
            dont="" if from_hidden is None else f", dont {used_hidden} cachées",
        )
    open_ones = draft.move(COIN, amount - used_hidden, visible(seat), target)
    return (*open_ones, *draft.move(COIN, used_hidden, hidden(seat), target)), used_hidden


def return_coins(draft: Draft, seat: str, amount: int, source: str, to_hidden: int) -> tuple[Posting, ...]:
    """Return the postings that give laid coins back; `to_hidden` of the coins become hidden (sale.9)."""
    open_ones = draft.move(COIN, amount - to_hidden, source, visible(seat))
    return (*open_ones, *draft.move(COIN, to_hidden, source, hidden(seat)))
