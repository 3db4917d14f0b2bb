"""II. Rounds and turns: whose turn it is, when it ends, and the five minutes it may last."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import ClassVar

from ledger.kernel.actions import Action, Choice
from ledger.kernel.chapter import Chapter
from ledger.kernel.events import Event
from ledger.rulebooks.negopoly.agreements import set_off
from ledger.rulebooks.negopoly.arsenal import charges, disruption
from ledger.rulebooks.negopoly.board import squares, walking
from ledger.rulebooks.negopoly.cards import decks, weather
from ledger.rulebooks.negopoly.goods import deliveries
from ledger.rulebooks.negopoly.meetings import talks
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, change_turn, in_play, nothing_awaited, own_turn
from ledger.rulebooks.negopoly.table.terms import Drawn, Loan, Turn, player
from ledger.rulebooks.negopoly.turns import victory

chapter = Chapter("II. Rounds and turns")

_WHY = {
    "done": ("", ""),
    "expired": (": time is over", " : le temps est écoulé"),
    "cancelled": (": it is cancelled", " : il est annulé"),
    "eliminated": (": out of the game", " : il est hors de la partie"),
}


@chapter.event
class RoundStarted(Event, frozen=True, kw_only=True):
    """A round opens; its order of players is fixed (II.1, II.3)."""

    en: ClassVar[str] = "Round {round} starts."
    fr: ClassVar[str] = "Le round {round} commence."

    rule: str = "II.1"
    round: int
    order: tuple[str, ...]

    def apply(self, state: Negopoly) -> None:
        """A new order asked for meanwhile holds from here on."""
        state.round = self.round
        state.order = self.order
        state.next_order = None
        state.k9_rounds = {number for number in state.k9_rounds if number >= self.round}


@chapter.event
class TurnStarted(Event, frozen=True, kw_only=True):
    """A player's turn opens, its clock runs, and what is in force on the player is listed (II.B.1).

    `effects` are public: "warrant", "k9", "iem", "charges" (of theirs, to be fired), "roll:-3" (cards on their
    next dice total), "weather:meteo_07". What only the player may know is in their own state.
    """

    en: ClassVar[str] = "{seat:seat}'s turn of round {round} starts."
    fr: ClassVar[str] = "Le tour {seat:de|seat} au round {round} commence."

    rule: str = "II.B.1"
    seat: str
    round: int
    started_at: datetime
    ends_at: datetime
    effects: tuple[str, ...] = ()

    def apply(self, state: Negopoly) -> None:
        """A fresh turn: nothing rolled, nothing passed."""
        state.turn = Turn(
            seat=self.seat,
            started_at=self.started_at,
            ends_at=self.ends_at,
            started_on=state.positions.get(self.seat),
        )


@chapter.event
class SquareResolved(Event, frozen=True, kw_only=True):
    """The mandatory effects of the stop square are posted; what passing allowed is over (II.B.6, II.B.7)."""

    en: ClassVar[str] = "{seat:seat} is done with {square:square}."
    fr: ClassVar[str] = "{seat:seat} en a fini avec {square:square}."

    rule: str = "II.B.7"
    seat: str
    square: int

    def apply(self, state: Negopoly) -> None:
        """Only the services of the stop square stay open (II.B.8)."""
        change_turn(state, unresolved=False)


@chapter.event
class TurnEnded(Event, frozen=True, kw_only=True):
    """A turn closes: by choice, "expired" at five minutes, or "cancelled" by an effect (II.B.12, II.B.13)."""

    en: ClassVar[str] = "{seat:seat}'s turn ends{why[0]}."
    fr: ClassVar[str] = "Le tour {seat:de|seat} se termine{why[1]}."

    rule: str = "II.B.12"
    seat: str
    reason: str

    @property
    def why(self) -> tuple[str, str]:
        """The reason as the end of a sentence, in English and French; nothing for a turn ended by choice."""
        return _WHY.get(self.reason, (f" ({self.reason})", f" ({self.reason})"))

    def apply(self, state: Negopoly) -> None:
        """Nobody's turn until the next one starts."""
        state.turn = None


@chapter.event
class TurnSkipped(Event, frozen=True, kw_only=True):
    """A player kept in Prison or Hôpital misses a turn, which counts as that player's turn of the round (II.2)."""

    en: ClassVar[str] = "{seat:seat} misses the turn of round {round}; {left} more to miss."
    fr: ClassVar[str] = "{seat:seat} passe son tour du round {round} ; encore {left} à passer."

    rule: str = "II.2"
    seat: str
    round: int
    left: int

    def apply(self, state: Negopoly) -> None:
        """One turn fewer to miss."""
        if self.left:
            state.missed[self.seat] = self.left
        else:
            state.missed.pop(self.seat, None)


@chapter.action(
    summary=("apply the mandatory effects of the square", "appliquer les effets obligatoires de la case"),
    when=("in your own turn, after a stop", "pendant son tour, après un arrêt"),
)
class ResolveSquare(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Post what stopping here makes due: rent, a police check, a Chance card (II.B.7)."""

    draws: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Once a stop."""
        draft.draws.offer(self.draws)
        turn = own_turn(draft, waivable=False)
        draft.require(
            turn.roll != "due" or turn.unresolved,
            "II.B.3",
            "{seat} has not moved yet this turn: the square of an earlier turn is not opened again",
            "{seat} n'a pas encore bougé ce tour-ci : la case d'un tour précédent ne se rouvre pas",
            seat=turn.seat,
        )
        draft.require(
            turn.unresolved,
            "II.B.6",
            "{seat} has no square to resolve",
            "{seat} n'a pas de case à résoudre",
            seat=turn.seat,
        )
        resolve_stop(draft)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """When a stop is unresolved."""
        return (Choice({}),) if state.turn is not None and state.turn.unresolved else ()


@chapter.action(
    summary=("close one's turn", "terminer son tour"),
    when=(
        "in your own turn, after the roll, with nothing mandatory pending",
        "pendant son tour, après le lancer, sans rien d'obligatoire en attente",
    ),
)
class EndTurn(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """End one's turn; the next player in order starts (II.B.12)."""

    def decide(self, draft: Draft) -> None:
        """Not before the roll, and not with a mandatory effect pending."""
        turn = own_turn(draft, waivable=False)
        draft.require(
            turn.roll != "due",
            "II.B.12",
            "{seat} has not rolled yet",
            "{seat} n'a pas encore lancé les dés",
            seat=turn.seat,
        )
        nothing_awaited(draft)
        pending = turn.unresolved and squares.is_mandatory(
            draft.state, turn.seat, draft.state.positions[turn.seat]
        )
        draft.require(
            not pending,
            "II.B.7",
            "the effect of {square} is still to be applied: resolve the square first",
            "l'effet de {square} reste à appliquer : résolvez d'abord la case",
            square=draft.state.board[draft.state.positions[turn.seat]].name,
        )
        finish(draft, "done")

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Always worth asking."""
        return (Choice({}),)


@chapter.action(
    by=("system", "banker"),
    summary=("close a turn at five minutes", "clore un tour à cinq minutes"),
    when=("once the turn's five minutes are over", "une fois les cinq minutes du tour écoulées"),
)
class ExpireTurn(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Close a turn whose time is over; pending mandatory effects are posted first (II.B.7, II.B.13)."""

    def decide(self, draft: Draft) -> None:
        """An unrolled player loses the move."""
        turn = draft.state.turn
        draft.require(
            turn is not None and turn.is_over(draft.now),
            "II.B.13",
            "the turn under way lasts until {ends}",
            "le tour en cours dure jusqu'à {ends}",
            ends="-" if turn is None else turn.ends_at.isoformat(timespec="seconds"),
        )
        # Cards of a table's own may lead from Chance to Chance without an end: so often, and no more.
        for _ in draft.state.board:
            if not (_is_same(draft.state.turn, turn) and _is_pending(draft.state)):
                break
            reactions.lapse(draft)
            walking.resume(draft)
            left = draft.state.turn
            if left is not None and _is_same(left, turn) and left.unresolved and not draft.state.questions:
                resolve_stop(draft)
        if _is_same(draft.state.turn, turn):
            finish(draft, "expired", rule="II.B.13")

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """When a turn is under way."""
        return (Choice({}),) if state.turn is not None else ()


def resolve_stop(draft: Draft) -> None:
    """Post the mandatory effects of the stop square and mark it resolved, if the token is still there."""
    turn = draft.state.turn
    if turn is None or turn.stop is None:
        return
    squares.resolve(draft, turn.seat, turn.stop)
    still = draft.state.turn
    # A card of the square may have led to another stop, which is still to be resolved.
    here = still is not None and still.stop == turn.stop and len(still.passages) == len(turn.passages)
    if still is not None and here and _is_same(still, turn) and still.unresolved:
        draft.record(SquareResolved(seat=turn.seat, square=turn.stop))


def _is_pending(state: Negopoly) -> bool:
    """Whether anything is still to be answered, walked or resolved in the turn under way."""
    turn = state.turn
    return turn is not None and bool(state.questions or turn.ahead or turn.unresolved)


def _is_same(turn: Turn | None, before: Turn | None) -> bool:
    """Whether it is still the turn that it was."""
    return (
        turn is not None
        and before is not None
        and (turn.seat, turn.started_at) == (before.seat, before.started_at)
    )


def open_round(draft: Draft) -> None:
    """Start the next round and its first turn."""
    _start_round(draft)
    _open_turn(draft, after=None)


def finish(draft: Draft, reason: str, *, rule: str = "II.B.12") -> None:
    """End the turn under way and start what follows: the next turn, the next round, or the end of the game."""
    turn = draft.state.turn
    reactions.lapse(draft)
    if turn is None or not _is_same(draft.state.turn, turn):
        return  # the answers that silence gave have ended it
    draft.record(TurnEnded(rule=rule, seat=turn.seat, reason=reason))
    disruption.turn_ends(draft, turn.seat)
    _open_turn(draft, after=turn.seat)


def _start_round(draft: Draft) -> None:
    state = draft.state
    draft.record(RoundStarted(round=state.round + 1, order=state.next_order or state.order))


def _open_turn(draft: Draft, after: str | None) -> None:
    """Start the turn of the first seat behind `after` in the order that plays one; a round without is over (II.1).

    Where every player misses turns, whole rounds go by.
    """
    state = draft.state
    while not _open_turn_of_round(draft, after):
        if state.last_round or (state.settings.max_rounds and state.round >= state.settings.max_rounds):
            victory.by_wealth(draft)
            return
        if not in_play(state):
            return
        _start_round(draft)
        after = None


def _open_turn_of_round(draft: Draft, after: str | None) -> bool:
    """Start the turn of the first seat behind `after` that plays one in this round; whether there was any."""
    state = draft.state
    start = 0 if after is None else state.order.index(after) + 1
    for seat in state.order[start:]:
        # A seat that plays no turn still has one: what waited for it happens when it would have played (II.B.1).
        disruption.turn_starts(draft, seat)
        set_off.lapse(draft, seat)
        talks.expire_disruptions(draft, seat)
        deliveries.arrive(draft, seat)
        if seat in state.eliminated:
            continue
        if missed := state.missed.get(seat):
            draft.record(TurnSkipped(seat=seat, round=state.round, left=missed - 1))
            continue
        seconds = state.settings.turn_seconds
        draft.record(
            TurnStarted(
                seat=seat,
                round=state.round,
                started_at=draft.now,
                ends_at=draft.now + timedelta(seconds=seconds),
                effects=_effects(state, seat),
            )
        )
        return True
    return False


def _effects(state: Negopoly, seat: str) -> tuple[str, ...]:
    """What everybody may know to be in force on the player (II.B.1)."""
    effects = []
    if seat in state.wanted:
        effects.append("warrant")
    if state.round in state.k9_rounds:
        effects.append("k9")
    if disruption.squares_off(state):
        effects.append("iem")
    if charges.has_ready(state, seat):
        effects.append("charges")
    if seat in state.roll_changes:
        effects.append(f"roll:{state.roll_changes[seat]:+d}")
    effects.extend(f"weather:{card.id}" for card in weather.active(state))
    return tuple(effects)


def private_effects(state: Negopoly, seat: str) -> tuple[str, ...]:
    """What the player alone may know to be in force on them (II.B.1): licence, cards, loans, deals, contracts."""
    effects = []
    if state.holdings.of(player(seat), "licence"):
        effects.append("licence")
    effects.extend(card.commodity for card in decks.held_in(state, player(seat)))
    effects.extend(
        f"{type(found).__name__.lower()}:{found.id}"
        for found in sorted(state.open.values(), key=lambda agreement: agreement.opened)
        if (isinstance(found, Loan) and found.borrower == seat)
        or (found.status != "proposed" and seat in getattr(found, "parties", ()))
    )
    return tuple(effects)


def leave_turn(draft: Draft, seat: str, rule: str) -> None:
    """Close the turn of a seat that has just left the game, if it was theirs."""
    if draft.state.turn is not None and draft.state.turn.seat == seat and not draft.state.ended:
        finish(draft, "eliminated", rule=rule)
