"""The effects of cards and of the faces of a chance die, carried out in order (effects.py)."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.events import Event
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.cards.concerned import concerned, opponents
from ledger.rulebooks.monopoly.debts import debts
from ledger.rulebooks.monopoly.houses.wealth import hotels_of, houses_of
from ledger.rulebooks.monopoly.table.effects import (
    Effect,
    GoBack,
    GoTo,
    GoToNearest,
    GoToPrison,
    Keep,
    Pay,
    PayPerBuilding,
    PayToEach,
    Receive,
    ReceiveFromEach,
    SwapTokens,
    ToBank,
)
from ledger.rulebooks.monopoly.table.pieces import Card
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    cite,
    currency,
    has_role,
    pieces,
)
from ledger.rulebooks.monopoly.table.terms import PASS, POT
from ledger.rulebooks.monopoly.turns import movement, prison
from ledger.rulebooks.monopoly.turns.rents import USUAL, Special
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.seats import player as purse

chapter = Chapter("What cards do")


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class CardPaidOut(Event, frozen=True, kw_only=True):
    """The bank pays a player what a card says."""

    en: ClassVar[str] = "{seat:seat} receives {amount:money} from the bank, as the card says."
    fr: ClassVar[str] = "{seat:seat} reçoit {amount:money} de la banque, comme le dit la carte."

    seat: str
    amount: int


@chapter.event
class CardKept(Event, frozen=True, kw_only=True):
    """A player keeps a jail-free card, which is not in its deck meanwhile; or a pass of the bank."""

    en: ClassVar[str] = "{seat:seat} keeps {card:goods}."
    fr: ClassVar[str] = "{seat:seat} garde {card:goods}."

    seat: str
    card: str
    """The commodity."""


@chapter.event
class NoPassLeft(Event, frozen=True, kw_only=True):
    """The bank has no pass left to give."""

    en: ClassVar[str] = "The bank has nothing left to give {seat:seat}."
    fr: ClassVar[str] = "La banque n'a plus rien à donner à {seat:seat}."

    seat: str


# ----------------------------------------------------------------------------------------------
# Carrying out
# ----------------------------------------------------------------------------------------------


class Origin(NamedTuple):
    """The player under effects, and the source: the card of a pile, or of the face `thrown` of a chance die."""

    drawer: str
    card: Card
    thrown: int = 0


def carry_out(draft: Draft, seat: str, card: Card, *, thrown: int = 0) -> None:
    """Carry out the effects of a card, or of the face `thrown` of a chance die, in order."""
    origin = Origin(seat, card, thrown)
    for effect in card.effects:
        for concerns in concerned(draft.state, seat, effect):
            _carry_out_one(draft, concerns, effect, origin)


def _carry_out_one(draft: Draft, seat: str, effect: Effect, origin: Origin) -> None:
    """Carry out an effect for a seat: the drawer or an opponent."""
    state = draft.state
    match effect:
        case Pay(amount=amount):
            _pay(draft, seat, amount * _times(effect, origin.thrown), effect.to)
        case PayPerBuilding():
            _pay(draft, seat, _per_building(state, seat, effect), effect.to)
        case Receive(amount=amount):
            amount *= _times(effect, origin.thrown)
            paid = draft.move(currency(state), amount, BANK, purse(seat))
            draft.record(CardPaidOut(rule=cite(state, "card_effect"), seat=seat, amount=amount, postings=paid))
        case ReceiveFromEach(amount=amount):
            for other in opponents(state, seat):
                debts.charge(draft, other, purse(seat), amount, rule=cite(state, "card_effect"), cause="card")
        case PayToEach(amount=amount):
            for other in opponents(state, seat):
                debts.charge(draft, seat, purse(other), amount, rule=cite(state, "card_effect"), cause="card")
        case GoTo(square=square, salary=salary):
            movement.go_to(draft, seat, pieces(state).index[square], salary=salary)
        case GoBack(steps=steps):
            movement.go_back(draft, seat, steps)
        case GoToNearest():
            number = _nearest(state, state.positions[seat], effect.of)
            movement.go_to(draft, seat, number, salary=effect.salary, special=_special(effect))
        case GoToPrison():
            prison.send_to_jail(draft, seat, rule=cite(state, "jail_by_card"))
        case SwapTokens():
            _swap(draft, seat, effect)
        case Keep():
            _keep(draft, seat, origin.card)


def _times(effect: Pay | Receive, thrown: int) -> int:
    return thrown if effect.times == "thrown" else 1


def _swap(draft: Draft, seat: str, effect: SwapTokens) -> None:
    """Exchange the squares of two tokens; with nobody else out of prison, nothing happens."""
    state = draft.state
    free = [candidate for candidate in opponents(state, seat) if candidate not in state.jailed]
    if not free:
        return
    size, places, rule = len(pieces(state).squares), state.positions, cite(state, "card_effect")
    if effect.partner == "ahead":
        free.sort(key=lambda candidate: (places[candidate] - places[seat]) % size or size)
    partner = free[-1 if effect.partner == "previous" else 0]
    start, target = places[seat], places[partner]
    draft.record(movement.TokenMoved(rule=rule, seat=seat, way=(target,)))
    draft.record(movement.TokenMoved(rule=rule, seat=partner, way=(start,)))


def _pay(draft: Draft, seat: str, amount: int, to: ToBank) -> None:
    """Pay the bank, or into the pot of the chance die."""
    state = draft.state
    if to == "pot" and has_role(state, "pot_fed"):
        debts.charge(draft, seat, POT, amount, rule=cite(state, "pot_fed"), cause="card")
    else:
        debts.charge(draft, seat, BANK, amount, rule=cite(state, "card_effect"), cause="card")


def _per_building(state: Monopoly, seat: str, effect: PayPerBuilding) -> int:
    return houses_of(state, seat) * effect.house + hotels_of(state, seat) * effect.hotel


def _nearest(state: Monopoly, position: int, of: str) -> int:
    """Return the number of the next square ahead of a group, or of a kind."""
    squares = pieces(state).squares
    size = len(squares)
    ahead = ((position + step) % size for step in range(1, size + 1))
    return next(number for number in ahead if of in (squares[number].group, squares[number].kind))


def _special(effect: GoToNearest) -> Special:
    match effect.rent:
        case "double":
            return Special(factor=2)
        case "thrown":
            return Special(thrown=0)
        case "thrown_by_factor":
            return Special(thrown=effect.factor)
        case _:
            return USUAL


def _keep(draft: Draft, seat: str, card: Card) -> None:
    """Keep the card itself; a face of a die gives a pass of the bank instead, as long as one is left."""
    state = draft.state
    rule = cite(state, "card_keep") if has_role(state, "card_keep") else cite(state, "card_effect")
    if not pieces(state).deck[card.deck].faces:
        commodity, source = decks.commodity(card.id), decks.pile(card.deck)
    elif state.holdings.of(BANK, PASS) > 0:
        commodity, source = PASS, BANK
    else:
        draft.record(NoPassLeft(rule=rule, seat=seat))
        return
    draft.record(
        CardKept(rule=rule, seat=seat, card=commodity, postings=draft.move(commodity, 1, source, purse(seat)))
    )
