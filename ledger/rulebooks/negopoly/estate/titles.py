"""V.A and V.D. Titles: bought on a stop, sold from anywhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar

from msgspec import Meta

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible, Malformed
from ledger.kernel.facts.values import INT64_MAX, SeatId, TitleId, of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.arsenal import disruption
from ledger.rulebooks.negopoly.deals import deals
from ledger.rulebooks.negopoly.estate import remote_property
from ledger.rulebooks.negopoly.estate.real_estate import own_title, reset, spare_owner
from ledger.rulebooks.negopoly.table.pieces import TITLES, Title
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    end_delegations,
    houses_on,
    is_mortgaged,
    others_in_play,
    own_turn,
    owner_of,
    pay,
    seat_named,
    still_in,
    title_named,
    titles_of,
)
from ledger.rulebooks.negopoly.table.terms import MONEY, Leg, deed, player
from ledger.rulebooks.parts.titles import title_posting

chapter = Chapter("V.A. Titles")

Price = Annotated[int, Meta(ge=0, le=INT64_MAX, description="whole NegoDollars"), of_kind("amount")]


@chapter.event
class TitleBought(Event, frozen=True, kw_only=True):
    """A player buys a title of the bank at its list price (V.A.2)."""

    en: ClassVar[str] = "{seat:seat} buys {title:title} for {price:money}."
    fr: ClassVar[str] = "{seat:seat} achète {title:title} pour {price:money}."

    rule: str = "V.A.2"
    seat: str
    title: str
    price: int

    def apply(self, state: Negopoly) -> None:
        """Waive the rent of the present stop for the buyer, even after a sale of the title in the current turn."""
        spare_owner(state, self.title, self.seat)


@chapter.event
class PurchaseDeclined(Event, frozen=True, kw_only=True):
    """A player declines to buy a title; there is no auction (V.A.3)."""

    en: ClassVar[str] = "{seat:seat} does not buy {title:title}."
    fr: ClassVar[str] = "{seat:seat} n'achète pas {title:title}."

    rule: str = "V.A.3"
    seat: str
    title: str


@chapter.event
class TitleSold(Event, frozen=True, kw_only=True):
    """The bank buys a title and its houses from the owner (V.D.3)."""

    en: ClassVar[str] = "{seat:seat} sells {title:title} to the bank for {price:money}."
    fr: ClassVar[str] = "{seat:seat} vend {title:title} à la banque pour {price:money}."

    rule: str = "V.D.3"
    seat: str
    title: str
    price: int
    houses: int
    mortgaged: bool


@chapter.event
class TitleSoldByRuling(Event, frozen=True, kw_only=True):
    """A ruling sells a title with everything attached to it, without the owner's consent (P.1).

    The buyer pays the owner, who may be the bank.
    """

    en: ClassVar[str] = "By ruling, {owner:seat} sells {title:title} to {buyer:seat} for {price:money}."
    fr: ClassVar[str] = "Par décision, {owner:seat} vend {title:title} à {buyer:seat} pour {price:money}."

    rule: str = "P.1"
    title: str
    owner: str
    """A seat, or "bank"."""
    buyer: str
    price: int

    def apply(self, state: Negopoly) -> None:
        """End the delegations of the title."""
        end_delegations(state, self.title)
        spare_owner(state, self.title, self.owner, self.buyer)


def force_sale(draft: Draft, title: Title, seat: str, price: int) -> None:
    """Sell a title to a seat at a price, by ruling. The buyer needs the funds, unless the ruling waives I.B.3."""
    buyer = seat_named(draft.state, seat, "P.1")
    owner = owner_of(draft.state, title.id)
    if owner == buyer:
        raise Impossible(
            "P.1",
            "{title} is {seat:seat}'s already",
            "{title} est déjà à {seat:seat}",
            title=title.name,
            seat=buyer,
        )
    account = BANK if owner is None else player(owner)
    paid = pay(draft, buyer, price, "I.B.3", account) if price else ()
    passed = title_posting(title.id, account, player(buyer))
    draft.record(
        TitleSoldByRuling(title=title.id, owner=owner or BANK, buyer=buyer, price=price, postings=(*paid, passed))
    )


def resale_price(state: Negopoly, title: Title) -> int:
    """Return the bank's price for the title and the houses, in whole ₦, rounded down once (V.D.3)."""
    worth = 0 if is_mortgaged(state, title.id) else title.price
    worth += houses_on(state, title.id) * title.house_cost
    share: int = state.settings.bank_resale_percent
    return worth * share // 100


def _on_sale(draft: Draft, title_id: str | None) -> tuple[Title, str | None]:
    """Return a title of the bank for sale to the acting seat: the stop of the turn, or any title by V.E.18.

    Returns also the rule for buying from anywhere, or None. Without an id, the title under the token is meant
    (V.A.2, V.D.1).
    """
    named = None if title_id is None else title_named(title_id)
    turn = own_turn(draft, "II.D.4")
    position = draft.state.board[draft.state.positions[draft.seat]]
    if named is None and position.property is None:
        draft.require(
            turn.roll != "due",
            "II.B.3",
            "{seat:seat} has not moved yet this turn",
            "{seat:seat} n'a pas encore bougé ce tour-ci",
            seat=draft.seat,
        )
        raise Impossible(
            "V.A.2",
            "{seat:seat} is on {here}, which is no title",
            "{seat:seat} est sur {here}, qui n'est pas une propriété",
            seat=draft.seat,
            here=position.name,
        )
    title = named or TITLES[str(position.property)]
    from_afar = remote_property.reach(draft, title.id, stop_only=True)
    owner = owner_of(draft.state, title.id)
    if owner is not None:
        raise Impossible(
            "V.A.2",
            "{title} belongs to {owner:seat}: the bank does not sell it",
            "{title} appartient à {owner:seat} : la banque ne le vend pas",
            title=title.name,
            owner=owner,
        )
    return title, from_afar


def _stopped_on(state: Negopoly, seat: str) -> Iterable[Choice]:
    """Yield the title under the token of the player, after a stop in the player's own turn."""
    turn = state.turn
    if turn is not None and turn.seat == seat and turn.stop is not None:
        title = state.board[turn.stop].property
        if title is not None:
            yield Choice({"title": title})


@chapter.action(
    summary=("buy a title of the bank", "acheter une propriété à la banque"),
    when=(
        "in your own turn, after a stop on the title, or from anywhere holding the Bleu foncé quarter",
        "pendant son tour, après un arrêt sur la propriété, ou de partout en tenant le quartier Bleu foncé",
    ),
)
class BuyProperty(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player buys the title of their stop, or with Bleu foncé any title, at its list price (V.A.2, V.E.18)."""

    title: TitleId | None = None

    def decide(self, draft: Draft) -> None:
        """Refuse a title with an owner. The number of the player's titles does not matter (V.A.5)."""
        title, from_afar = _on_sale(draft, self.title)
        seat = draft.seat
        postings = (*pay(draft, seat, title.price, "V.A.3"), title_posting(title.id, BANK, player(seat)))
        rule = from_afar or "V.A.2"
        draft.record(TitleBought(rule=rule, seat=seat, title=title.id, price=title.price, postings=postings))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the title of the stop; with Bleu foncé, every title of the bank."""
        turn = state.turn
        if turn is None or turn.seat != seat or not remote_property.reaches_all(state, seat):
            return _stopped_on(state, seat)
        return (Choice({"title": title}) for title in TITLES if owner_of(state, title) is None)


@chapter.action(
    summary=("leave a title with the bank", "laisser une propriété à la banque"),
    when=("in your own turn, after a stop on the title", "pendant son tour, après un arrêt sur la propriété"),
)
class DeclineProperty(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player declines to buy the title of their stop (V.A.3)."""

    title: TitleId | None = None

    def decide(self, draft: Draft) -> None:
        """Refuse without a stop on a title of the bank. No auction follows."""
        title, from_afar = _on_sale(draft, self.title)
        draft.require(
            from_afar is None,
            "V.A.3",
            "{seat:seat} has not stopped on {title}: there is nothing to decline",
            "{seat:seat} ne s'est pas arrêté sur {title} : il n'y a rien à refuser",
            seat=draft.seat,
            title=title.name,
        )
        draft.record(PurchaseDeclined(seat=draft.seat, title=title.id))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the title of the stop."""
        return _stopped_on(state, seat)


@chapter.action(
    summary=("sell a title to the bank or to a player", "vendre une propriété à la banque ou à un joueur"),
    when=(
        "to the bank in your own turn, to a player at any moment",
        "à la banque pendant son tour, à un joueur à tout moment",
    ),
)
class SellProperty(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The owner sells a title from anywhere: to the bank, or by proposing a deal to a player (V.D.3)."""

    title: TitleId
    to: SeatId | None = None
    price: Price | None = None

    def decide(self, draft: Draft) -> None:
        """Sell at the bank's price, or propose a deal at the price of the players' choice."""
        if self.to is None:
            self._to_the_bank(draft)
        else:
            self._to_a_player(draft, self.to)

    def _to_the_bank(self, draft: Draft) -> None:
        own_turn(draft, "V.D.3")
        seat = draft.seat
        title = own_title(draft, seat, self.title, "V.D.3")
        disruption.require_title_works(draft, title.id)
        if self.price is not None:
            raise Malformed(
                "the bank sets its own price: give one only with a buyer",
                "la banque fixe son prix : n'en indiquez un qu'avec un acheteur",
            )
        price = resale_price(draft.state, title)
        draft.record(
            TitleSold(
                seat=seat,
                title=title.id,
                price=price,
                houses=houses_on(draft.state, title.id),
                mortgaged=is_mortgaged(draft.state, title.id),
                postings=draft.move(MONEY, price, BANK, player(seat)),
            )
        )
        reset(draft, title.id, cause="sale", rule="V.D.3")

    def _to_a_player(self, draft: Draft, to: str) -> None:
        seat = still_in(draft)
        title = own_title(draft, seat, self.title, "V.D.3")
        buyer = seat_named(draft.state, to, "V.D.3")
        if buyer == seat:
            raise Impossible(
                "V.D.3",
                "{seat:seat} cannot sell {title} to themselves",
                "{seat:seat} ne peut pas se vendre {title}",
                seat=seat,
                title=title.name,
            )
        if self.price is None:
            raise Malformed(
                "name the price asked of {buyer:seat} (0 for a gift)",
                "indiquez le prix demandé à {buyer:seat} (0 pour un don)",
                buyer=buyer,
            )
        legs: tuple[Leg, ...] = (Leg(seat, buyer, deed(title.id)),)
        if self.price:
            legs += (Leg(buyer, seat, MONEY, self.price),)
        deals.propose(draft, (seat, buyer), legs, (), rule="V.D.3")

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each title to the bank, and at the list price to a player. Buyer and price may be changed."""
        others = others_in_play(state, seat)
        alike = None if state.blackouts else "bank"  # a bomb leaves only the title under the token (IX.C.25)
        for title in titles_of(state, seat):
            yield Choice({"title": title}, alike=alike)
            if others:
                params = {"title": title, "to": others[0], "price": TITLES[title].price}
                yield Choice(params, free=("to", "price"), alike="player")
