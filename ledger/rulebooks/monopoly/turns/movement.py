"""Movement: throws, the path along the board, the salary, and the landing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.events import Event, TokenPath
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.debts import debts, taxes
from ledger.rulebooks.monopoly.houses import mortgages, shortage
from ledger.rulebooks.monopoly.table.dice import Thrown, is_double
from ledger.rulebooks.monopoly.table.pieces import Square
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    cite,
    currency,
    dice_rule,
    on_turn,
    owner_of,
    pieces,
)
from ledger.rulebooks.monopoly.table.terms import Landing
from ledger.rulebooks.monopoly.turns import landings, limits, prison, rents, turns
from ledger.rulebooks.monopoly.turns.rents import USUAL, Special
from ledger.rulebooks.parts import boards
from ledger.rulebooks.parts.seats import player as purse

chapter = Chapter("Movement")


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class DiceThrown(Event, frozen=True, kw_only=True):
    """A player throws the dice to move."""

    en: ClassVar[str] = "{seat:seat} throws {dice:list}."
    fr: ClassVar[str] = "{seat:seat} lance {dice:list}."

    seat: str
    dice: tuple[int, ...]

    def apply(self, state: Monopoly) -> None:
        """Count the throw; a double gives another throw."""
        double = is_double(self.dice)
        state.throws += 1
        state.doubles = state.doubles + 1 if double else 0
        state.must_throw = double


@chapter.event
class TokenMoved(Event, frozen=True, kw_only=True):
    """A token moves along the board."""

    en: ClassVar[str] = "{seat:seat} goes to {square:square}."
    fr: ClassVar[str] = "{seat:seat} va sur {square:square}."

    seat: str
    way: tuple[int, ...]
    """The squares on the token's path, in order."""

    @property
    def square(self) -> int:
        """The last square of the path."""
        return self.way[-1]

    def apply(self, state: Monopoly) -> None:
        """Put the token on the last square."""
        state.positions[self.seat] = self.square

    def token_paths(self) -> tuple[TokenPath, ...]:
        """Return the path of the token."""
        return (TokenPath(self.seat, tuple(boards.place_id(square) for square in self.way)),)


@chapter.event
class SalaryPaid(Event, frozen=True, kw_only=True):
    """The bank pays the salary for passing the start, or stopping there."""

    en: ClassVar[str] = "{seat:seat} receives a salary of {amount:money}."
    fr: ClassVar[str] = "{seat:seat} touche un salaire de {amount:money}."

    seat: str
    amount: int


# ----------------------------------------------------------------------------------------------
# Moving
# ----------------------------------------------------------------------------------------------


def advance(draft: Draft, seat: str, steps: int, *, dice: int | None, special: Special = USUAL) -> None:
    """Move a token forward by some squares, pay the salary on the way, and land."""
    state = draft.state
    way = boards.path(len(pieces(state).squares), state.positions[seat], steps)
    travel(draft, seat, way, salary=True, dice=dice, special=special)


def go_to(draft: Draft, seat: str, square: int, *, salary: bool = True, special: Special = USUAL) -> None:
    """Move a token forward to a square, and land."""
    state = draft.state
    size = len(pieces(state).squares)
    steps = (square - state.positions[seat]) % size or size
    travel(draft, seat, boards.path(size, state.positions[seat], steps), salary=salary, special=special)


def go_back(draft: Draft, seat: str, steps: int) -> None:
    """Move a token back by some squares, without a salary, and land."""
    state = draft.state
    way = boards.path(len(pieces(state).squares), state.positions[seat], -steps)
    travel(draft, seat, way, salary=False)


def travel(
    draft: Draft,
    seat: str,
    way: list[int],
    *,
    salary: bool,
    dice: int | None = None,
    special: Special = USUAL,
    stops: bool = True,
) -> None:
    """Move a token along squares, and land unless told to rest. With a salary, the squares on the way pay, too."""
    _move(draft, seat, way, salary=salary)
    if salary:
        for number in way[:-1]:
            square = pieces(draft.state).squares[number]
            landings.obey(draft, seat, square, square.passing)
    if stops:
        land(draft, seat, dice=dice, special=special)


def _move(draft: Draft, seat: str, way: list[int], *, salary: bool) -> None:
    state = draft.state
    size, origin = len(pieces(state).squares), state.positions[seat]
    draft.record(TokenMoved(rule=cite(state, "move"), seat=seat, way=tuple(way)))
    limits.count_lap(draft, seat, way, forward=way[0] == (origin + 1) % size)
    start = pieces(state).start
    if not salary or start not in way:
        return
    passes = way.count(start) if state.settings.salary_each_pass else 1
    amounts = [pieces(state).squares[start].amount] * passes
    if way[-1] == start and state.settings.salary_on_stop is not None:
        amounts[-1] = state.settings.salary_on_stop
    for amount in filter(None, amounts):
        paid = draft.move(currency(state), amount, BANK, purse(seat))
        draft.record(SalaryPaid(rule=cite(state, "salary"), seat=seat, amount=amount, postings=paid))


def land(draft: Draft, seat: str, *, dice: int | None, special: Special = USUAL) -> None:
    """Open the business of the square under a token, by the kind of the square.

    `dice` is the total of the move's throw, None for a move without a throw.
    """
    state = draft.state
    number = state.positions[seat]
    square = pieces(state).squares[number]
    if state.turn != seat:
        _drop_in(draft, seat, square, special)
        return
    match square.kind:
        case "street" | "station" | "utility":
            if owner_of(state, square.id) is None:
                if not limits.may_buy(state, seat):
                    return
                landings.open_landing(draft, Landing(seat=seat, square=number, todo="buy"))
            else:
                rents.fall_due(draft, seat, square, dice=dice, special=special)
        case "card":
            die = pieces(state).deck[square.deck].faces
            landings.open_landing(draft, Landing(seat=seat, square=number, todo="die" if die else "card"))
        case "tax":
            landings.open_landing(draft, Landing(seat=seat, square=number, todo="tax"))
        case "go_to_jail":
            prison.send_to_jail(draft, seat, rule=cite(state, "go_to_jail", square))
        case "pot":
            taxes.collect(draft, seat)
        case _:
            pass
    landings.obey(draft, seat, square, square.effects)


def _drop_in(draft: Draft, seat: str, square: Square, special: Special) -> None:
    """Land out of turn: a rent, the prison and the pot, but no demand and no effect of the square.

    A rent by a throw is due only if its owner claims it.
    """
    state = draft.state
    owner = owner_of(state, square.id)
    if owner is not None:
        _, multiplier, _ = rents.rent_of(state, owner, square, dice=None, special=special)
        if not multiplier or state.settings.rents_are_claimed:
            rents.fall_due(draft, seat, square, dice=None, special=special)
    elif square.kind == "go_to_jail":
        prison.send_to_jail(draft, seat, rule=cite(state, "go_to_jail", square))
    elif square.kind == "pot":
        taxes.collect(draft, seat)


def require_may_throw(draft: Draft, seat: str) -> None:
    """Refuse a throw before all business of the turn is done, and while a debt is open."""
    state = draft.state
    if not state.must_throw:
        raise Impossible(
            cite(state, "turn"),
            "{seat:seat} has thrown already, and only a double gives another throw",
            "{seat:seat} a déjà lancé les dés, et seul un double donne un autre lancer",
            seat=seat,
        ).citing(cite(state, "double"))
    turns.require_done(draft, seat)
    debts.require_unblocked(draft, seat)
    turns.require_thrown(draft, state.rents)


def first_throw(draft: Draft) -> None:
    """Close the open business of the last player's turn, at the first throw of a turn."""
    if draft.state.throws == 0:
        rents.lapse(draft)
        shortage.forget_wishes(draft, thrower=draft.seat)
        for seat in dict.fromkeys(received.seat for received in draft.state.received):
            mortgages.lapse(draft, seat)


@chapter.action(
    summary=("throw the dice and move", "lancer les dés et avancer"),
    when=("in one's own turn, out of prison", "à son tour, hors de prison"),
)
class RollAndMove(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Throw two dice and move by their total; the third double in a row leads to prison."""

    dice: Thrown = None
    post: turns.Post = None

    def decide(self, draft: Draft) -> None:
        """Refuse in prison, and while anything of the turn is open."""
        state, seat = draft.state, on_turn(draft)
        draft.require(
            seat not in state.jailed,
            cite(state, "jail_wait"),
            "{seat:seat} is in prison and throws for a double, or pays",
            "{seat:seat} est en prison et tente un double, ou paie",
            seat=seat,
        )
        require_may_throw(draft, seat)
        dice = draft.draws.dice("dice", self.dice, count=pieces(state).thrown, sides=6)
        first_throw(draft)
        draft.record(DiceThrown(rule=dice_rule(state), seat=seat, dice=dice))
        turns.cite_post(draft, seat, self.post)
        limits.pay_ones(draft, seat, dice)
        limit = state.settings.doubles_to_jail
        if limit and state.doubles >= limit and pieces(state).jails:
            prison.send_to_jail(draft, seat, rule=cite(state, "third_double"))
        else:
            advance(draft, seat, sum(dice), dice=sum(dice))

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the throw to the player on turn, out of prison."""
        throws = state.turn == seat and state.must_throw and state.landing is None and seat not in state.jailed
        return (Choice({}),) if throws else ()


def resume(draft: Draft) -> None:
    """Move a token that has waited for a fine, once the fine is paid."""
    state = draft.state
    waiting = state.held
    if waiting is None or any(debt.cause == "fine" and debt.debtor == waiting.seat for debt in state.debts):
        return
    draft.record(MoveResumed(rule=cite(state, "jail_third"), seat=waiting.seat, dice=waiting.dice))
    advance(draft, waiting.seat, sum(waiting.dice), dice=sum(waiting.dice))


@chapter.event
class MoveResumed(Event, frozen=True, kw_only=True):
    """The fine is settled, and the throw that leads out of prison is carried out."""

    en: ClassVar[str] = "{seat:seat} leaves prison by the throw of {dice:list}."
    fr: ClassVar[str] = "{seat:seat} sort de prison par le jet de {dice:list}."

    seat: str
    dice: tuple[int, ...]

    def apply(self, state: Monopoly) -> None:
        """Clear the waiting move, and free the prisoner."""
        state.held = None
        state.jailed.pop(self.seat, None)
