"""Movement: throws, the way along the board, the salary, and where a token stops."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.events import Event, Way
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.debts import debts, taxes
from ledger.rulebooks.monopoly.houses import mortgages, shortage
from ledger.rulebooks.monopoly.table.dice import Thrown, is_double
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cite, currency, on_turn, owner_of, pieces
from ledger.rulebooks.monopoly.table.terms import Landing
from ledger.rulebooks.monopoly.turns import landings, prison, rents, turns
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
        """A double gives another throw."""
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
    """The squares that it comes to, in order."""

    @property
    def square(self) -> int:
        """Where it stops."""
        return self.way[-1]

    def apply(self, state: Monopoly) -> None:
        """The token stands there."""
        state.positions[self.seat] = self.square

    def ways(self) -> tuple[Way, ...]:
        """Its way."""
        return (Way(self.seat, tuple(boards.place_id(square) for square in self.way)),)


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
    _move(draft, seat, way, salary=True)
    land(draft, seat, dice=dice, special=special)


def go_to(draft: Draft, seat: str, square: int, *, salary: bool = True, special: Special = USUAL) -> None:
    """Move a token forward to a square, and land there."""
    state = draft.state
    size = len(pieces(state).squares)
    steps = (square - state.positions[seat]) % size or size
    _move(draft, seat, boards.path(size, state.positions[seat], steps), salary=salary)
    land(draft, seat, dice=None, special=special)


def go_back(draft: Draft, seat: str, steps: int) -> None:
    """Move a token back by some squares, without a salary, and land there."""
    state = draft.state
    way = boards.path(len(pieces(state).squares), state.positions[seat], -steps)
    _move(draft, seat, way, salary=False)
    land(draft, seat, dice=None)


def _move(draft: Draft, seat: str, way: list[int], *, salary: bool) -> None:
    state = draft.state
    draft.record(TokenMoved(rule=cite(state, "move"), seat=seat, way=tuple(way)))
    start = pieces(state).start
    if not salary or start not in way:
        return
    amount = pieces(state).squares[start].amount
    if way[-1] == start and state.settings.salary_on_stop is not None:
        amount = state.settings.salary_on_stop
    if amount:
        paid = draft.move(currency(state), amount, BANK, purse(seat))
        draft.record(SalaryPaid(rule=cite(state, "salary"), seat=seat, amount=amount, postings=paid))


def land(draft: Draft, seat: str, *, dice: int | None, special: Special = USUAL) -> None:
    """A token has stopped: the kind of the square says what follows.

    `dice` is the total of the throw that has led there, None where none has.
    """
    state = draft.state
    number = state.positions[seat]
    square = pieces(state).squares[number]
    match square.kind:
        case "street" | "station" | "utility":
            if owner_of(state, square.id) is None:
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


def require_may_throw(draft: Draft, seat: str) -> None:
    """Refuse a throw before everything of the turn so far is done, and while somebody owes something."""
    state = draft.state
    if not state.must_throw:
        raise Impossible(
            cite(state, "turn"),
            "{seat:seat} has thrown already",
            "{seat:seat} a déjà lancé les dés",
            seat=seat,
        )
    turns.require_done(draft, seat)
    debts.require_unblocked(draft, seat)
    turns.require_thrown(draft, state.rents)


def first_throw(draft: Draft) -> None:
    """The first throw of a turn: what only the last player's turn left open is over."""
    if draft.state.throws == 0:
        rents.lapse(draft)
        shortage.forget_wishes(draft, thrower=draft.seat)
        for seat in dict.fromkeys(one.seat for one in draft.state.received):
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
        dice = draft.draws.dice("dice", self.dice, count=2, sides=6)
        first_throw(draft)
        draft.record(DiceThrown(rule=cite(state, "dice"), seat=seat, dice=dice))
        turns.cite_post(draft, seat, self.post)
        limit = state.settings.doubles_to_jail
        if limit and state.doubles >= limit:
            prison.send_to_jail(draft, seat, rule=cite(state, "third_double"))
        else:
            advance(draft, seat, sum(dice), dice=sum(dice))

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """The player who has to throw, out of prison."""
        throws = state.turn == seat and state.must_throw and state.landing is None and seat not in state.jailed
        return (Choice({}),) if throws else ()


def resume(draft: Draft) -> None:
    """Move a token that has waited for the fine to be paid, once it is."""
    state = draft.state
    held = state.held
    if held is None or any(one.cause == "fine" and one.debtor == held.seat for one in state.debts):
        return
    draft.record(MoveResumed(rule=cite(state, "jail_third"), seat=held.seat, dice=held.dice))
    advance(draft, held.seat, sum(held.dice), dice=sum(held.dice))


@chapter.event
class MoveResumed(Event, frozen=True, kw_only=True):
    """The fine is settled, and the throw that leads out of prison is carried out."""

    en: ClassVar[str] = "{seat:seat} leaves prison by the throw of {dice:list}."
    fr: ClassVar[str] = "{seat:seat} sort de prison par le jet de {dice:list}."

    seat: str
    dice: tuple[int, ...]

    def apply(self, state: Monopoly) -> None:
        """Nothing waits any longer."""
        state.held = None
        state.jailed.pop(self.seat, None)
