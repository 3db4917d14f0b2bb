"""Kept cards for more than prison: no rent, double rent, half the price of a title, effects.

Saying no, or refusing a card, is a choice in due time (`choices`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from msgspec import UNSET
from msgspec.structs import replace

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.cards import choices
from ledger.rulebooks.monopoly.table.pieces import Card
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    cite,
    is_selling,
    kept_things,
    pieces,
    player_in_play,
)
from ledger.rulebooks.monopoly.table.terms import PASS, Debt, Rent, Task
from ledger.rulebooks.monopoly.turns.prison import CardId
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.seats import player as purse

chapter = Chapter("Kept cards")


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


class _OfRent(Event, frozen=True, kw_only=True):
    """An event about a rent open to a claim, or the debt of a claimed rent."""

    owner: str
    lander: str
    title: str
    debt: str = ""
    """The id of the debt; empty for a rent open to a claim."""

    def is_of(self, rent: Rent) -> bool:
        """Return True for the rent in question."""
        return not self.debt and (rent.owner, rent.lander, rent.title) == (self.owner, self.lander, self.title)


@chapter.event
class RentWaived(_OfRent, frozen=True, kw_only=True):
    """A kept card spares a player a rent."""

    en: ClassVar[str] = "{lander:seat} pays {owner:seat} no rent for {title:title}."
    fr: ClassVar[str] = "{lander:seat} ne paie pas de loyer à {owner:seat} pour {title:title}."

    def apply(self, state: Monopoly) -> None:
        """Remove the rent, or the debt."""
        state.debts = [debt for debt in state.debts if debt.id != self.debt]
        gone = next((rent for rent in state.rents if self.is_of(rent)), None)
        state.rents = [rent for rent in state.rents if rent is not gone]


@chapter.event
class RentDoubled(_OfRent, frozen=True, kw_only=True):
    """A kept card doubles a rent."""

    en: ClassVar[str] = "The rent of {title:title} is doubled: {lander:seat} owes {owner:seat} twice as much."
    fr: ClassVar[str] = "Le loyer {title:de|title} est doublé : {lander:seat} doit le double à {owner:seat}."

    def apply(self, state: Monopoly) -> None:
        """Double the rent, or the debt."""
        state.debts = [
            replace(debt, amount=2 * debt.amount) if debt.id == self.debt else debt for debt in state.debts
        ]
        due = next((rent for rent in state.rents if self.is_of(rent)), None)
        state.rents = [
            replace(rent, amount=2 * rent.amount, multiplier=2 * rent.multiplier) if rent is due else rent
            for rent in state.rents
        ]


@chapter.event
class PriceHalved(Event, frozen=True, kw_only=True):
    """A kept card halves the price of the title on offer."""

    en: ClassVar[str] = "{title:title} costs {seat:seat} only {price:money} now."
    fr: ClassVar[str] = "{title:title} ne coûte plus que {price:money} à {seat:seat}."

    seat: str
    title: str
    price: int

    def apply(self, state: Monopoly) -> None:
        """Change the price of the title on offer."""
        if state.landing is not None:
            state.landing = replace(state.landing, price=self.price)


# ----------------------------------------------------------------------------------------------
# Playing
# ----------------------------------------------------------------------------------------------


def playable(state: Monopoly, seat: str) -> Iterator[str]:
    """Yield the commodities of a player's kept cards open to play now."""
    if state.stage != "play" or state.choosing is not None:
        return
    for thing in kept_things(state, seat):
        card = pieces(state).card.get(decks.card_of(thing))
        if thing != PASS and card is not None and _has_its_time(state, seat, card):
            yield thing


def _has_its_time(state: Monopoly, seat: str, card: Card) -> bool:
    landing = state.landing
    match card.use:
        case "no_rent":
            return any(rent.lander == seat for rent in _open(state)) or any(
                debt.debtor == seat for debt in _rent_debts(state)
            )
        case "double_rent":
            return any(rent.owner == seat for rent in _open(state)) or any(
                debt.creditor == purse(seat) for debt in _rent_debts(state)
            )
        case "half_price":
            return landing is not None and (landing.seat, landing.todo) == (seat, "buy") and landing.price is UNSET
        case "effects":
            busy = landing is not None or state.held is not None or is_selling(state)
            any_time = card.keep is not None and card.keep.playable == "any"
            return not busy and (any_time or (state.turn == seat and seat not in state.jailed))
        case _:
            return False


def _open(state: Monopoly) -> list[Rent]:
    return [rent for rent in state.rents if not rent.claimed]


def _rent_debts(state: Monopoly) -> list[Debt]:
    return [debt for debt in state.debts if debt.cause == "rent" and debt.title]


@chapter.action(
    summary=("play a kept card", "jouer une carte gardée"),
    when=(
        "when what it is for has come: a rent, a title on offer, one's own turn",
        "quand son moment est venu : un loyer, un titre à acheter, son propre tour",
    ),
)
class PlayCard(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Play a kept card; the card goes back under the deck."""

    card: CardId | None = None

    def decide(self, draft: Draft) -> None:
        """Refuse a card out of the player's hands, and a card too early."""
        state, seat = draft.state, player_in_play(draft)
        possible = list(playable(state, seat))
        named = None if self.card is None else decks.commodity(decks.card_of(self.card))
        thing = named or next(iter(possible), "")
        if thing not in possible:
            raise Impossible(
                cite(state, "card_use"),
                "{seat:seat} has no such card to play now",
                "{seat:seat} n'a pas de telle carte à jouer maintenant",
                seat=seat,
            )
        card = pieces(state).card[decks.card_of(thing)]
        choices.lay_down(draft, seat, thing, "card_use")
        _use(draft, seat, card)

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer each card in due time."""
        return [Choice({"card": decks.card_of(thing)}) for thing in playable(state, seat)]


def _use(draft: Draft, seat: str, card: Card) -> None:
    state, rule = draft.state, cite(draft.state, "card_use")
    if card.use == "half_price" and state.landing is not None:
        square = pieces(state).squares[state.landing.square]
        draft.record(PriceHalved(rule=rule, seat=seat, title=square.id, price=-(-square.price // 2)))
    elif card.use == "effects":
        at = next(number for number, effect in enumerate(card.effects) if effect is card.keep)
        choices.run(draft, (Task(source=card.id, seat=seat, path=(at, 0)),))
    else:
        _on_rent(draft, seat, card, rule)


def _on_rent(draft: Draft, seat: str, card: Card, rule: str) -> None:
    """Waive or double the newest rent: first a claimed rent, because the payment is due."""
    state, spares = draft.state, card.use == "no_rent"
    event = RentWaived if spares else RentDoubled
    owed = [
        item for item in _rent_debts(state) if (item.debtor == seat if spares else item.creditor == purse(seat))
    ]
    if owed:
        debt = owed[-1]
        owner = debt.creditor.removeprefix("player:")
        draft.record(event(rule=rule, owner=owner, lander=debt.debtor, title=debt.title, debt=debt.id))
        return
    due = [rent for rent in _open(state) if (rent.lander if spares else rent.owner) == seat][-1]
    draft.record(event(rule=rule, owner=due.owner, lander=due.lander, title=due.title))
