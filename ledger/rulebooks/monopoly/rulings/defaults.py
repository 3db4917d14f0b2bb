"""Default steps, taken in a corrected history or at the request of a banker.

A tax and a debt are paid. For a debt above a player's money, buildings are sold and titles mortgaged, in the
order of the board; a hopeless debtor is bankrupt. A title offered for sale is declined, and an auction closes
without further bids. The first answer stands for an open choice by a card. Nobody throws or draws a card for
a player: the game goes on without, and says so. An unclaimed rent lapses anyway. Last, the turn ends.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible, NeedsDraw, Refusal
from ledger.kernel.rules.actions import Action, DefaultStep, StepGoal
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.cards import choices
from ledger.rulebooks.monopoly.cards.cards import DrawCard
from ledger.rulebooks.monopoly.cards.chance_die import RollChanceDie
from ledger.rulebooks.monopoly.cards.choices import Choose
from ledger.rulebooks.monopoly.cards.moves import RollToGo
from ledger.rulebooks.monopoly.debts import debts
from ledger.rulebooks.monopoly.debts.debts import PayDebt
from ledger.rulebooks.monopoly.debts.taxes import PayTax
from ledger.rulebooks.monopoly.end.bankruptcy import DeclareBankruptcy
from ledger.rulebooks.monopoly.houses import means
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cash, cite
from ledger.rulebooks.monopoly.table.terms import Landing
from ledger.rulebooks.monopoly.trading.auctions import Bid, CloseAuction, OpenAuction, PassBid, awaited
from ledger.rulebooks.monopoly.trading.recruiting import BuyProperty, DeclineProperty
from ledger.rulebooks.monopoly.turns.jail_throw import RollForJail
from ledger.rulebooks.monopoly.turns.movement import RollAndMove
from ledger.rulebooks.monopoly.turns.prison import PayJailFine, UseJailCard
from ledger.rulebooks.monopoly.turns.rents import RollForRent
from ledger.rulebooks.monopoly.turns.travel import Travel
from ledger.rulebooks.monopoly.turns.turns import EndTurn
from ledger.rulebooks.parts.seats import comes_before

chapter = Chapter("What decides itself")

Missing = Literal["card", "die", "rent", "move", "go"]
"""A missing draw or throw: a card, the chance die, the dice for a rent, of a move, or of a card or square."""


@chapter.event
class Forgone(Event, frozen=True, kw_only=True):
    """The game goes on without a card or a throw that nobody has made."""

    en: ClassVar[str] = "The game goes on without {missing:missing} of {seat:seat}."
    fr: ClassVar[str] = "La partie continue sans {missing:missing} {seat:de|seat}."

    seat: str
    missing: Missing

    def apply(self, state: Monopoly) -> None:
        """Drop the demand for the card or the throw."""
        if state.choosing is not None and (state.choosing.ask, state.choosing.seat) == ("draw", self.seat):
            state.choosing = None
            return
        if self.missing == "move":
            state.must_throw, state.doubles = False, 0
            return
        if state.landing is not None and state.landing.seat == self.seat:
            state.landing = None
            return
        claimed = next((rent for rent in state.rents if rent.claimed and rent.lander == self.seat), None)
        state.rents = [rent for rent in state.rents if rent is not claimed]


@chapter.action(
    by=("system",),
    summary=("go on without a throw or a card", "continuer sans un jet ou une carte"),
    when=(
        "when a corrected history has no throw or card where one is due",
        "quand une histoire corrigée n'a pas le jet ou la carte qu'il faut",
    ),
)
class Forgo(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The service throws or draws where it does so, and otherwise lets the game go on without."""

    def decide(self, draft: Draft) -> None:
        """Refuse a seat with nothing to throw or to draw."""
        pending = _missing(draft.state, draft.seat)
        if pending is None:
            raise Impossible(
                cite(draft.state, "end_turn"),
                "{seat:seat} has nothing to throw or to draw",
                "{seat:seat} n'a rien à lancer ni à tirer",
                seat=draft.seat,
            )
        missing, by_hand = pending
        try:
            by_hand.decide(draft)
        except NeedsDraw:
            if not draft.undrawn:
                raise
            draft.record(Forgone(rule=cite(draft.state, "end_turn"), seat=draft.seat, missing=missing))


def _missing(state: Monopoly, seat: str) -> tuple[Missing, Action] | None:
    """Return the draw or throw due by a seat, and the action to make it."""
    choosing, landing = state.choosing, state.landing
    if choosing is not None:
        return ("card", DrawCard()) if (choosing.ask, choosing.seat) == ("draw", seat) else None
    if landing is not None and landing.seat == seat:
        match landing.todo:
            case "card":
                return "card", DrawCard()
            case "die":
                return "die", RollChanceDie()
            case "throw":
                return "rent", RollForRent()
            case "go":
                return "go", RollToGo()
            case _:
                return None
    if any(rent.claimed and rent.lander == seat for rent in state.rents):
        return "rent", RollForRent()
    if state.turn == seat and state.must_throw:
        return "move", RollForJail() if seat in state.jailed and state.throws == 0 else RollAndMove()
    return None


# ----------------------------------------------------------------------------------------------
# The turn of an action
# ----------------------------------------------------------------------------------------------

_THROWS = (RollAndMove, RollForJail)
_OF_A_TURN = (
    *_THROWS,
    PayJailFine,
    UseJailCard,
    BuyProperty,
    DeclineProperty,
    DrawCard,
    RollChanceDie,
    RollToGo,
    PayTax,
    Travel,
    EndTurn,
    Forgo,
)
"""The actions of a turn: each belongs to the turn of its decision, and to no other turn."""


def whose_turn(state: Monopoly) -> tuple[int, str] | None:
    """Return the round and the seat of the turn under way."""
    return None if state.turn is None or state.stage != "play" else (state.round, state.turn)


def wrong_turn(state: Monopoly, goal: StepGoal) -> Refusal | None:
    """Return the refusal of an action from another turn than the turn under way, or None."""
    there = whose_turn(goal.was)
    if there is None or whose_turn(state) == there or not isinstance(goal.action, _OF_A_TURN):
        return None
    if isinstance(goal.action, PayJailFine) and there[1] != goal.seat:
        return None
    return Impossible(
        cite(state, "turn"),
        "{seat:seat}'s turn of round {round} is not under way",
        "le tour {seat:de|seat} au tour de table {round} n'est pas en cours",
        round=there[0],
        seat=there[1],
    )


def is_done(state: Monopoly, goal: StepGoal) -> bool:
    """Return True if an action has nothing left to do: the turn to end is over, or the throw is no longer due."""
    there = whose_turn(goal.was)
    if isinstance(goal.action, EndTurn | Forgo) and there is not None:
        if whose_turn(state) != there:
            return not _is_behind(state, goal.was)
        return isinstance(goal.action, Forgo)
    return False


def _is_behind(state: Monopoly, was: Monopoly) -> bool:
    """Return True if the turn under way precedes the turn in another state of the game."""
    return comes_before(state.order, whose_turn(state), whose_turn(was))


# ----------------------------------------------------------------------------------------------
# The next step
# ----------------------------------------------------------------------------------------------


def next_step(state: Monopoly, goal: StepGoal) -> DefaultStep | None:
    """Return the next default step before an action (see `Progress.default_step`).

    A correction closes every turn before the original turn of the action. In play, only a turn with the throw
    done is closed.
    """
    seat, action = state.turn, goal.action
    if state.stage != "play" or state.ended or seat is None:
        return None
    if goal.was is None:
        behind = goal.seat not in {None, seat} and not state.must_throw and not _is_at_any_time(action)
    else:
        behind = _is_behind(state, goal.was)
    mine = goal.seat == seat and isinstance(action, (*_THROWS, EndTurn, Forgo))
    if not (behind or mine):
        return _prerequisite(state, goal)
    return _closing(state, goal, behind=behind)


def _is_at_any_time(action: Action) -> bool:
    """Return True if an action needs no turn: it is refused for other reasons than the turn."""
    return not isinstance(action, (*_OF_A_TURN, RollForRent))


def _closing(state: Monopoly, goal: StepGoal, *, behind: bool) -> DefaultStep | None:
    """Return the next step before the next throw, or before the end of the turn under way."""
    step = _chosen(state) or _selling(state) or _owed(state)
    if step is not None:
        return step
    thrower = next((rent.lander for rent in state.rents if rent.claimed), None)
    if thrower is not None:
        return _forgo(state, thrower)
    if state.landing is not None:
        return _landed(state, state.landing)
    seat = str(state.turn)
    if state.must_throw:
        ends = behind or isinstance(goal.action, EndTurn)
        return _forgo(state, seat) if ends and goal.was is not None else None
    return DefaultStep(EndTurn(), seat) if behind else None


def _prerequisite(state: Monopoly, goal: StepGoal) -> DefaultStep | None:
    """Return the step before an action without a turn: bids before the close of a sale, money before a payment."""
    action = goal.action
    if isinstance(action, OpenAuction | CloseAuction) and state.auction is not None:
        waiting = awaited(state)
        if waiting:
            return DefaultStep(PassBid(), waiting[0])
        return DefaultStep(CloseAuction(), None) if isinstance(action, OpenAuction) else None
    if isinstance(action, PayDebt) and goal.seat is not None and debts.debts_of(state, goal.seat):
        return _raise_money(state, goal.seat)
    if isinstance(action, Bid) and state.auction is None and state.lots:
        return DefaultStep(OpenAuction(), None)
    return None


def _forgo(state: Monopoly, seat: str) -> DefaultStep | None:
    missing = _missing(state, seat)
    return None if missing is None else DefaultStep(Forgo(), seat, missing[1])


def _chosen(state: Monopoly) -> DefaultStep | None:
    """Make the open choice by the first answer."""
    choosing = state.choosing
    if choosing is None:
        return None
    if choosing.ask == "draw":
        return _forgo(state, choosing.seat)
    return DefaultStep(Choose(**choices.params_of(choices.answers(state, choosing)[0])), choosing.seat)


def _selling(state: Monopoly) -> DefaultStep | None:
    """Close the auction under way without further bids, then auction the next lot."""
    if state.auction is not None:
        waiting = awaited(state)
        return DefaultStep(PassBid(), waiting[0]) if waiting else DefaultStep(CloseAuction(), None)
    return DefaultStep(OpenAuction(), None) if state.lots else None


def _owed(state: Monopoly) -> DefaultStep | None:
    """Pay the first debt that blocks a throw, or have the debtor raise money or go bankrupt."""
    debt = debts.blocking(state, str(state.turn))
    if debt is None:
        return None
    seat = debt.debtor
    if debt.amount <= cash(state, seat):
        return DefaultStep(PayDebt(debt=debt.id), seat)
    return _raise_money(state, seat) or DefaultStep(DeclareBankruptcy(), seat)


def _raise_money(state: Monopoly, seat: str) -> DefaultStep | None:
    """Return the sale of the first building, or the mortgage of the first title; None for a hopeless debtor."""
    if means.is_hopeless(state, seat):
        return None
    steps = (DefaultStep(way(**params), seat) for way in means.RAISING for params in way.legal(state, seat))
    return next(steps, None)


def _landed(state: Monopoly, landing: Landing) -> DefaultStep | None:
    """Return the step demanded by the square: pay a tax, decline a title, forgo a card or a throw."""
    match landing.todo:
        case "buy":
            return DefaultStep(DeclineProperty(), landing.seat)
        case "tax":
            return DefaultStep(PayTax(), landing.seat)
        case _:
            return _forgo(state, landing.seat)
