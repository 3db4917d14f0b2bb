"""The state of the Bazaar, with settings, accounts and the questions of all chapters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.agreements import Agreement, Archive
from ledger.kernel.facts.audience import BANKER_ONLY, EVERYONE, Audience, Viewer
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.state import State
from ledger.kernel.facts.values import of_kind
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.draft import Draft as AnyDraft
from ledger.rulebooks.parts import decks, opening, seats
from ledger.rulebooks.parts.seats import player as purse
from tests.example.bazaar.cards import CARDS

COIN, VEIL, DECK, MARKET = "coin", "card", "bazaar", "market"
"""The money, a hidden card, the only deck, and the account of the lot."""

Phase = Literal["hands", "lot", "bidding", "turns", "ended"]
PHASES: Mapping[str, Phrase] = {
    "hands": Phrase("the draw of hands", "la pioche des mains"),
    "lot": Phrase("the lot to be turned up", "le lot à retourner"),
    "bidding": Phrase("the sealed bids", "les mises secrètes"),
    "turns": Phrase("the turns", "les tours"),
    "ended": Phrase("the end", "la fin"),
}
"""The phases in the order of a round."""

CardId = Annotated[str, Meta(min_length=1, max_length=40), of_kind("card")]
GoodId = Literal["silk", "amber", "salt", "pepper", "wool"]
Drawn = Annotated[tuple[CardId, ...], Meta(max_length=5)] | None
"""The cards drawn, in order, where the table draws (deal.4)."""


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a table; settings.toml describes them."""

    rounds: Annotated[int, Meta(ge=1, le=20)] = 4
    coins: Annotated[int, Meta(ge=0, le=1000)] = 20
    bid_seconds: Annotated[int, Meta(ge=0, le=86_400)] = 0
    reveal_at_end: opening.RevealAtEnd = True
    banker_plays: opening.BankerPlays = ""


class Trade(Agreement, frozen=True, kw_only=True, tag="trade"):
    """An offer of a face-down card for coins, and perhaps for a card of a good (trade.1).

    The card is a holding, and no term: the other party learns the card by the exchange (trade.3).
    """

    by: str
    to: str
    price: int
    wants: str | None


class Bazaar(State, kw_only=True):
    """The state of a game. Cards and coins are holdings."""

    settings: Settings = field(default_factory=Settings)
    order: tuple[str, ...] = ()
    phase: Phase = "hands"
    round: int = 0
    turn: str | None = None
    prices: dict[str, int] = {}
    """The coins for a card of each good (sale.3)."""
    handed: set[str] = set()
    bids: dict[str, int] = {}
    """The sealed bids on the lot; secrets of the bidders (bid.2)."""
    bids_until: datetime | None = None
    drew: bool = False
    sold: bool = False
    """The player in turn has drawn, or sold."""
    wares: set[str] = set()
    """The goods sold in the round (sale.5)."""
    on_top: tuple[str, ...] = ()
    """The cards of undone draws, on top of the pile (pile.6)."""
    open: dict[str, Trade] = {}
    past: Archive = field(default_factory=Archive)
    scores: dict[str, int] = {}
    winners: tuple[str, ...] = ()


Draft = AnyDraft[Bazaar]


class TurnAction(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action of the player in turn (turn.2)."""


class CardsShown(Event, frozen=True, kw_only=True):
    """A fact that shows cards of a hand to everybody (hand.4)."""

    seat: str
    cards: tuple[str, ...]

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the cards in a dry run, except from the player."""
        return self if viewer.seat == self.seat else replace(self, cards=(), postings=())

    def reveals(self) -> Audience:
        """Return everybody, if there are any cards."""
        return EVERYONE if self.cards else BANKER_ONLY


def hand(seat: str) -> str:
    """Return the account of a hand."""
    return f"hand:{seat}"


def offer(seat: str) -> str:
    """Return the account of the card that a seat offers (trade.3)."""
    return f"offer:{seat}"


def cards_of(state: Bazaar, seat: str, good: str | None = None) -> list[str]:
    """Return the cards of a hand, of a single good or of all goods, the lowest values first."""
    cards = [card for card in decks.held_in(state, hand(seat)) if good in {None, CARDS[card].good}]
    return sorted(cards, key=lambda card: (CARDS[card].value, card))


def coins_of(state: Bazaar, seat: str) -> int:
    """Return the coins of a purse."""
    return state.holdings.of(purse(seat), COIN)


def round_order(state: Bazaar) -> tuple[str, ...]:
    """Return the seats in the order of the round; the starter is the next seat each round (turn.4)."""
    first = max(0, state.round - 1) % len(state.order)
    return (*state.order[first:], *state.order[:first])


def moved(cards: Iterable[str], source: str, target: str) -> tuple[Posting, ...]:
    """Return the postings of cards from an account to another."""
    return tuple(Posting(decks.commodity(card), 1, source, target) for card in cards)


def veiled(postings: Iterable[Posting]) -> tuple[Posting, ...]:
    """Return the postings with "a card" in place of each card (hand.2)."""
    return tuple(
        Posting(VEIL, one.amount, one.source, one.target) if decks.is_card(one.commodity) else one
        for one in postings
    )


def require_phase(draft: Draft, phase: Phase, rule: str) -> None:
    """Refuse by the rule outside the phase. Raises Impossible."""
    if draft.state.phase != phase:
        raise Impossible(
            rule,
            "this belongs to {wanted.en}; the game is at {current.en}",
            "cela relève de : {wanted.fr} ; la partie en est à : {current.fr}",
            wanted=PHASES[phase],
            current=PHASES[draft.state.phase],
        )


def in_turn(draft: Draft) -> str:
    """Return the acting seat in turn. Raises Impossible outside the turns (turn.1) and out of turn (turn.2)."""
    require_phase(draft, "turns", "bazaar:turn.1")
    seats.require_turn(draft, str(draft.state.turn), "bazaar:turn.2")
    return draft.seat


def require_card(draft: Draft, seat: str, card: str, rule: str) -> None:
    """Refuse by the rule a card outside the hand. Raises Impossible."""
    if not draft.state.holdings.of(hand(seat), decks.commodity(card)):
        raise Impossible(
            rule, "{seat:seat} has no {card:card}", "{seat:seat} n'a pas {card:card}", seat=seat, card=card
        )
