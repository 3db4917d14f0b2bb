"""The effects of cards, of the faces of a chance die, and of squares, carried out in order (effects.py)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import UNSET

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.events import Event
from ledger.rulebooks.monopoly.cards import moves, sums
from ledger.rulebooks.monopoly.cards.concerned import concerned, opponents
from ledger.rulebooks.monopoly.cards.sums import Origin
from ledger.rulebooks.monopoly.houses.wealth import hotels_of, houses_of
from ledger.rulebooks.monopoly.table.effects import (
    MOVES,
    Effect,
    GoBack,
    GoTo,
    GoToNearest,
    GoToPrison,
    Keep,
    MissTurns,
    Move,
    Pay,
    PayPerBuilding,
    PayToEach,
    Receive,
    ReceiveFromEach,
    Sum,
    SwapTokens,
    ThrowAgain,
)
from ledger.rulebooks.monopoly.table.pieces import Effects, Square
from ledger.rulebooks.monopoly.table.roles import Role
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cite, has_role, pieces
from ledger.rulebooks.monopoly.table.terms import PASS, POT
from ledger.rulebooks.monopoly.turns import movement, pauses, prison
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.seats import player as purse

chapter = sums.chapter


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


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


def carry_out_passing(draft: Draft, seat: str, square: Square, effects: Effects) -> None:
    """Carry out the payments for passing a square, in order."""
    for effect in effects:
        for payer in concerned(draft.state, seat, effect):
            carry_out_one(draft, payer, effect, Origin(seat, square, role="passing"))


def _role(effect: Effect, origin: Origin) -> Role:
    """Return the role of the rule for an effect: of computed sums, of further players, or of the source."""
    if isinstance(effect, Sum) and effect.amount is UNSET:
        return "card_sum"
    return origin.role if effect.who is UNSET and effect.when is UNSET else "card_who"


def carry_out_one(draft: Draft, seat: str, effect: Effect, origin: Origin) -> None:
    """Carry out an effect for a seat: the drawer or an opponent. Prisoners are not moved."""
    state, origin = draft.state, origin._replace(role=_role(effect, origin))
    if isinstance(effect, MOVES) and seat in state.jailed:
        return
    match effect:
        case Pay():
            sums.pay(draft, seat, effect, origin)
        case PayPerBuilding():
            target = POT if effect.to == "pot" else BANK
            sums.charge(draft, seat, target, _per_building(state, seat, effect), origin)
        case Receive():
            sums.receive(draft, seat, effect, origin)
        case ReceiveFromEach(amount=amount):
            for opponent in [other for other in opponents(state, seat) if other not in origin.spared]:
                sums.charge(draft, opponent, purse(seat), amount, origin)
        case PayToEach(amount=amount):
            for opponent in opponents(state, seat):
                sums.charge(draft, seat, purse(opponent), amount, origin)
        case GoTo(square=square, salary=salary):
            movement.go_to(draft, seat, pieces(state).index[square], salary=salary)
        case GoBack(steps=steps):
            movement.go_back(draft, seat, steps)
        case GoToNearest():
            number = _nearest(state, state.positions[seat], effect.of)
            special = moves.special_of(effect.rent, effect.factor)
            movement.go_to(draft, seat, number, salary=effect.salary, special=special)
        case GoToPrison():
            rule = cite(state, "jail_by_card") if origin.square is None else origin.rule(state)
            prison.send_to_jail(draft, seat, rule=rule)
        case SwapTokens():
            _swap(draft, seat, effect)
        case Keep():
            _keep(draft, seat, origin)
        case Move():
            moves.carry_out(draft, seat, effect)
        case MissTurns(turns=turns):
            pauses.forfeit(draft, seat, turns)
        case ThrowAgain():
            pauses.grant(draft, seat)


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


def _per_building(state: Monopoly, seat: str, effect: PayPerBuilding) -> int:
    return houses_of(state, seat) * effect.house + hotels_of(state, seat) * effect.hotel


def _nearest(state: Monopoly, position: int, of: str) -> int:
    """Return the number of the next square ahead of a group, or of a kind."""
    squares = pieces(state).squares
    size = len(squares)
    ahead = ((position + step) % size for step in range(1, size + 1))
    return next(number for number in ahead if of in (squares[number].group, squares[number].kind))


def _keep(draft: Draft, seat: str, origin: Origin) -> None:
    """Keep the card itself; a face of a die gives a pass of the bank instead, as long as one is left."""
    state, card = draft.state, origin.card
    if card is None:
        return
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
