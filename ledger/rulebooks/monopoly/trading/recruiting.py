"""Buying: an unowned title, at the printed price, by the player on the square; or else an auction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec import UNSET

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.debts import debts
from ledger.rulebooks.monopoly.table.pieces import Square
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cite, on_turn, owner_of, pieces
from ledger.rulebooks.monopoly.table.terms import Lot
from ledger.rulebooks.monopoly.trading import auctions
from ledger.rulebooks.monopoly.turns import limits
from ledger.rulebooks.monopoly.turns.landings import square_under
from ledger.rulebooks.parts import titles
from ledger.rulebooks.parts.seats import player as purse

chapter = Chapter("Buying")


@chapter.event
class TitleBought(Event, frozen=True, kw_only=True):
    """A player buys the title on which they stand."""

    en: ClassVar[str] = "{seat:seat} buys {title:title} for {price:money}."
    fr: ClassVar[str] = "{seat:seat} achète {title:title} pour {price:money}."

    seat: str
    title: str
    price: int

    def apply(self, state: Monopoly) -> None:
        """Close the landing."""
        state.landing = None


@chapter.event
class TitleDeclined(Event, frozen=True, kw_only=True):
    """A player does not buy the title on which they stand."""

    en: ClassVar[str] = "{seat:seat} does not buy {title:title}."
    fr: ClassVar[str] = "{seat:seat} n'achète pas {title:title}."

    seat: str
    title: str

    def apply(self, state: Monopoly) -> None:
        """Close the landing."""
        state.landing = None


@chapter.action(
    summary=("buy the title one stands on", "acheter le titre où l'on est"),
    when=("after stopping on a title that nobody owns", "après l'arrêt sur un titre qui n'est à personne"),
)
class BuyProperty(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Buy the title from the bank at its printed price."""

    def decide(self, draft: Draft) -> None:
        """Refuse without a fresh stop on the square, for an owned title, and with too little money."""
        seat, square = _offered(draft)
        rule, price = cite(draft.state, "buy_price", square), price_of(draft.state, square)
        paid = debts.spend(draft, seat, price, rule) if price else ()
        deed = titles.title_posting(square.id, BANK, purse(seat))
        draft.record(TitleBought(rule=rule, seat=seat, title=square.id, price=price, postings=(*paid, deed)))

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the title on the square, if the money suffices."""
        square = _offer(state, seat)
        return (Choice({}),) if square is not None and price_of(state, square) <= debts.spare(state, seat) else ()


@chapter.action(
    summary=("decline the title one stands on", "refuser le titre où l'on est"),
    when=("after stopping on a title that nobody owns", "après l'arrêt sur un titre qui n'est à personne"),
)
class DeclineProperty(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Do not buy the title: it is auctioned at once, where the table has auctions."""

    def decide(self, draft: Draft) -> None:
        """Refuse without a title on offer, and during another auction."""
        seat, square = _offered(draft)
        state = draft.state
        if state.settings.auctions:
            auctions.require_none(draft, cite(state, "decline", square))
        draft.record(TitleDeclined(rule=cite(state, "decline", square), seat=seat, title=square.id))
        if state.settings.auctions:
            lot = Lot(kind="title", cause="declined", title=square.id)
            auctions.open_lot(draft, lot, opened_by=seat, rule=cite(state, "auction", square))

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer to decline the title on the square."""
        return (Choice({}),) if _offer(state, seat) is not None and state.auction is None else ()


def price_of(state: Monopoly, square: Square) -> int:
    """Return the price of the title on offer: the printed price, unless changed by a card."""
    landing = state.landing
    return square.price if landing is None or landing.price is UNSET else landing.price


def _offer(state: Monopoly, seat: str) -> Square | None:
    """Return the title on offer to a player now, or None."""
    landing = state.landing
    if landing is None or landing.todo != "buy" or landing.seat != seat:
        return None
    return pieces(state).squares[landing.square]


def _offered(draft: Draft) -> tuple[str, Square]:
    """Return the acting seat and the title on offer. Raises Impossible without an offer."""
    state, seat = draft.state, on_turn(draft)
    offer = _offer(state, seat)
    if offer is not None:
        return seat, offer
    square = square_under(state, seat)
    owner = owner_of(state, square.id) if square.price else None
    if owner is not None:
        raise Impossible(
            cite(state, "buy", square),
            "{title:title} is {owner:seat}'s and is not for sale by the bank",
            "{title:title} appartient à {owner:seat} et n'est pas à vendre par la banque",
            title=square.id,
            owner=owner,
        )
    if not limits.may_buy(state, seat):
        raise Impossible(
            cite(state, "first_lap"),
            "{seat:seat} has not passed the start yet, and buys nothing before",
            "{seat:seat} n'a pas encore passé le départ, et n'achète rien avant",
            seat=seat,
        )
    raise Impossible(
        cite(state, "buy"),
        "{seat:seat} has not just stopped on a title that nobody owns",
        "{seat:seat} ne vient pas de s'arrêter sur un titre qui n'est à personne",
        seat=seat,
    )
