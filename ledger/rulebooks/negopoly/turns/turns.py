"""II. Rounds and turns: the order of turns, the end of a turn, and the five minutes of a turn."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import ClassVar

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.agreements import set_off
from ledger.rulebooks.negopoly.arsenal import charges, disruption
from ledger.rulebooks.negopoly.board import squares, walking
from ledger.rulebooks.negopoly.cards import decks, weather
from ledger.rulebooks.negopoly.goods import deliveries
from ledger.rulebooks.negopoly.meetings import talks
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    change_turn,
    forget_passages,
    in_play,
    nothing_awaited,
    own_turn,
)
from ledger.rulebooks.negopoly.table.terms import Drawn, Loan, Turn, player
from ledger.rulebooks.negopoly.turns import victory

chapter = Chapter("II. Rounds and turns")

_WHY = {
    "done": Phrase("", ""),
    "expired": Phrase(": time is over", " : le temps est écoulé"),
    "cancelled": Phrase(": it is cancelled", " : il est annulé"),
    "eliminated": Phrase(": out of the game", " : il est hors de la partie"),
    "ruling": Phrase(": by a ruling", " : par une décision"),
}


@chapter.event
class RoundStarted(Event, frozen=True, kw_only=True):
    """A round starts and its order of players is fixed (II.1, II.3)."""

    en: ClassVar[str] = "Round {round} starts."
    fr: ClassVar[str] = "Le round {round} commence."

    rule: str = "II.1"
    round: int
    order: tuple[str, ...]

    def apply(self, state: Negopoly) -> None:
        """Use the banker's new order, if any, and forget past K9 rounds."""
        state.round = self.round
        state.order = self.order
        state.next_order = None
        state.k9_rounds = {number for number in state.k9_rounds if number >= self.round}


@chapter.event
class RoundSet(Event, frozen=True, kw_only=True):
    """A ruling says which round is under way (II.1). What lasts for rounds is counted from it."""

    en: ClassVar[str] = "By a ruling, it is round {round} instead of round {before}."
    fr: ClassVar[str] = "Par une décision, c'est le round {round} au lieu du round {before}."

    rule: str = "II.1"
    round: int
    before: int

    def apply(self, state: Negopoly) -> None:
        """Change the number, and forget past K9 rounds."""
        state.round = self.round
        state.k9_rounds = {number for number in state.k9_rounds if number >= self.round}


@chapter.event
class TurnStarted(Event, frozen=True, kw_only=True):
    """A player's turn starts with its clock; the event lists the effects in force on the player (II.B.1).

    `effects` are public: "warrant", "k9", "iem", "charges" (the player's charges that can be fired), "roll:-3"
    (what cards add to the player's next dice total), "weather:meteo_07". The player's own view has the private
    effects.
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
        """Start a turn without a roll and without a passage. With clock_waits, the clock starts stopped."""
        state.turn = Turn(
            seat=self.seat,
            started_at=self.started_at,
            ends_at=self.ends_at,
            started_on=state.positions.get(self.seat),
            paused_at=self.started_at if state.settings.clock_waits else None,
        )


@chapter.event
class SquareResolved(Event, frozen=True, kw_only=True):
    """The mandatory effects of the stop are posted; services of crossed squares are closed (II.B.6, II.B.7)."""

    en: ClassVar[str] = "{seat:seat} is done with {square:square}."
    fr: ClassVar[str] = "{seat:seat} en a fini avec {square:square}."

    rule: str = "II.B.7"
    seat: str
    square: int

    def apply(self, state: Negopoly) -> None:
        """Mark the stop as resolved: only the services of the stop square stay open (II.B.8)."""
        change_turn(state, unresolved=False)


@chapter.event
class TurnEnded(Event, frozen=True, kw_only=True):
    """A turn ends: "done" by its player, "expired" by time or "cancelled" by an effect (II.B.12, II.B.13)."""

    en: ClassVar[str] = "{seat:seat}'s turn ends{why.en}."
    fr: ClassVar[str] = "Le tour {seat:de|seat} se termine{why.fr}."

    rule: str = "II.B.12"
    seat: str
    reason: str

    @property
    def why(self) -> Phrase:
        """The reason as the end of a sentence, in English and French; empty when the player ended the turn."""
        return _WHY.get(self.reason, Phrase(f" ({self.reason})", f" ({self.reason})"))

    def apply(self, state: Negopoly) -> None:
        """Leave the game without a turn until the next turn starts."""
        state.turn = None
        forget_passages(state)


@chapter.event
class TurnSkipped(Event, frozen=True, kw_only=True):
    """A player kept in Prison or Hôpital misses a turn; it counts as the player's turn of the round (II.2)."""

    en: ClassVar[str] = "{seat:seat} misses the turn of round {round}; {left} more to miss."
    fr: ClassVar[str] = "{seat:seat} passe son tour du round {round} ; encore {left} à passer."

    rule: str = "II.2"
    seat: str
    round: int
    left: int

    def apply(self, state: Negopoly) -> None:
        """Store the number of turns still to miss."""
        if self.left:
            state.missed[self.seat] = self.left
        else:
            state.missed.pop(self.seat, None)


@chapter.action(
    summary=("apply the mandatory effects of the square", "appliquer les effets obligatoires de la case"),
    when=("in your own turn, after a stop", "pendant son tour, après un arrêt"),
)
class ResolveSquare(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The player whose turn it is posts what the stop makes due: rent, a police check, a Chance card (II.B.7)."""

    draws: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Refuse before the roll, and after the stop has been resolved."""
        draft.draws.offer(self.draws)
        turn = own_turn(draft, "II.D.4", waivable=False)
        draft.require(
            turn.roll != "due" or turn.unresolved,
            "II.B.3",
            "{seat:seat} has not moved yet this turn: the square of an earlier turn is not opened again",
            "{seat:seat} n'a pas encore bougé ce tour-ci : la case d'un tour précédent ne se rouvre pas",
            seat=turn.seat,
        )
        draft.require(
            turn.unresolved,
            "II.B.6",
            "{seat:seat} has no square to resolve",
            "{seat:seat} n'a pas de case à résoudre",
            seat=turn.seat,
        )
        resolve_stop(draft)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the action while the stop is unresolved."""
        return (Choice({}),) if state.turn is not None and state.turn.unresolved else ()


@chapter.action(
    summary=("close one's turn", "terminer son tour"),
    when=(
        "in your own turn, after the roll, with nothing mandatory pending",
        "pendant son tour, après le lancer, sans rien d'obligatoire en attente",
    ),
)
class EndTurn(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The player whose turn it is ends it; the next player's turn starts (II.B.12)."""

    def decide(self, draft: Draft) -> None:
        """Refuse before the roll, and while a question or a mandatory effect is pending."""
        turn = own_turn(draft, waivable=False)
        draft.require(
            turn.roll != "due",
            "II.B.12",
            "{seat:seat} has not rolled yet",
            "{seat:seat} n'a pas encore lancé les dés",
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
        """Offer the action at any time. A dry run shows whether the action is allowed."""
        return (Choice({}),)


@chapter.action(
    by=("system", "banker"),
    summary=("close a turn whose time is over", "clore un tour dont le temps est écoulé"),
    when=("once the time of the turn is over", "une fois le temps du tour écoulé"),
)
class ExpireTurn(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The service or the banker ends an expired turn; mandatory effects are posted first (II.B.7, II.B.13)."""

    draws: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Give default answers, finish the movement and resolve the stop, then end the turn.

        A missing roll is lost.
        """
        draft.draws.offer(self.draws)
        turn = draft.state.turn
        draft.require(
            turn is not None and (turn.is_over(draft.at) or (draft.is_placed and draft.speaker == turn.seat)),
            "II.B.13",
            "the turn under way lasts until {ends}",
            "le tour en cours dure jusqu'à {ends}",
            ends="-" if turn is None else turn.ends_at.isoformat(timespec="seconds"),
        )
        # Custom cards may lead from Chance to Chance for ever: take at most one step for each square.
        for _ in draft.state.board:
            if not (_is_same(draft.state.turn, turn) and _is_pending(draft.state)):
                break
            reactions.lapse(draft)
            walking.resume(draft)
            current = draft.state.turn
            if (
                current is not None
                and _is_same(current, turn)
                and current.unresolved
                and not draft.state.questions
            ):
                resolve_stop(draft)
        if _is_same(draft.state.turn, turn):
            finish(draft, "expired", rule="II.B.13")

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the action while a turn is under way."""
        return (Choice({}),) if state.turn is not None else ()


def resolve_stop(draft: Draft) -> None:
    """Post the mandatory effects of the stop square. Mark the stop as resolved if the token has not moved on."""
    turn = draft.state.turn
    if turn is None or turn.stop is None:
        return
    squares.resolve(draft, turn.seat, turn.stop)
    current = draft.state.turn
    # A card of the square may have led to another stop, still to be resolved.
    has_stayed = current is not None and current.stop == turn.stop and len(current.passages) == len(turn.passages)
    if current is not None and has_stayed and _is_same(current, turn) and current.unresolved:
        draft.record(SquareResolved(seat=turn.seat, square=turn.stop))


def _is_pending(state: Negopoly) -> bool:
    """Return True if the turn under way still has a question, a movement or a stop to settle."""
    turn = state.turn
    return turn is not None and bool(state.questions or turn.ahead or turn.unresolved)


def _is_same(turn: Turn | None, reference: Turn | None) -> bool:
    """Return True if both are the same turn."""
    return (
        turn is not None
        and reference is not None
        and (turn.seat, turn.started_at) == (reference.seat, reference.started_at)
    )


def open_round(draft: Draft) -> None:
    """Start the next round and its first turn."""
    _start_round(draft)
    open_next_turn(draft, previous=None)


def finish(draft: Draft, reason: str, *, rule: str = "II.B.12") -> None:
    """End the turn under way and start the next turn or round, or end the game."""
    turn = draft.state.turn
    reactions.lapse(draft)
    if turn is None or not _is_same(draft.state.turn, turn):
        return  # the default answers have already ended the turn
    draft.record(TurnEnded(rule=rule, seat=turn.seat, reason=reason))
    disruption.turn_ends(draft, turn.seat)
    open_next_turn(draft, previous=turn.seat)


def _start_round(draft: Draft) -> None:
    state = draft.state
    draft.record(RoundStarted(round=state.round + 1, order=state.next_order or state.order))


def open_next_turn(draft: Draft, previous: str | None) -> None:
    """Start the turn of the next player after `previous`, in a new round after the last player (II.1).

    If every player misses turns, whole rounds pass. The last round ends the game.
    """
    state = draft.state
    while not _open_turn_of_round(draft, previous):
        if state.last_round or (state.settings.max_rounds and state.round >= state.settings.max_rounds):
            victory.by_wealth(draft)
            return
        if not in_play(state):
            return
        _start_round(draft)
        previous = None


def _open_turn_of_round(draft: Draft, previous: str | None) -> bool:
    """Start the turn of the next player of the round after `previous`. Return False without a next player."""
    state = draft.state
    start = 0 if previous is None else state.order.index(previous) + 1
    for seat in state.order[start:]:
        _end_effects(draft, seat)
        if seat in state.eliminated:
            continue
        if missed := state.missed.get(seat):
            draft.record(TurnSkipped(seat=seat, round=state.round, left=missed - 1))
            continue
        _start_turn(draft, seat)
        return True
    return False


def _end_effects(draft: Draft, seat: str) -> None:
    """End the effects that last until the seat's turn, even if the player plays no turn (II.B.1)."""
    disruption.turn_starts(draft, seat)
    set_off.lapse(draft, seat)
    talks.expire_disruptions(draft, seat)
    deliveries.arrive(draft, seat)


def _start_turn(draft: Draft, seat: str) -> None:
    """Start the seat's turn with the full time."""
    state = draft.state
    draft.record(
        TurnStarted(
            seat=seat,
            round=state.round,
            started_at=draft.at,
            ends_at=draft.at + timedelta(seconds=state.settings.turn_seconds),
            effects=_effects(state, seat),
        )
    )


def set_turn(draft: Draft, seat: str, number: int) -> None:
    """Start the seat's turn of a round by ruling. The turn under way ends as if out of time.

    Refuses, unless waived, a player with turns to miss (II.2). Raises Impossible for a round beyond the last
    round (II.E.4), and if the turn has just started already (II.2).
    """
    state = draft.state
    _require_round(state, number)
    missed = state.missed.get(seat, 0)
    draft.require(
        not missed,
        "II.2",
        "{seat:seat} has {missed} turns to miss",
        "{seat:seat} a {missed} tours à passer",
        seat=seat,
        missed=missed,
    )
    turn = state.turn
    is_so = turn is not None and (turn.seat, state.round) == (seat, number) and _is_untouched(turn)
    draft.require_now(
        not is_so,
        "II.2",
        "it is {seat:seat}'s turn of round {round} already, and nothing has happened in it",
        "c'est déjà le tour {seat:de|seat} au round {round}, et il ne s'y est rien passé",
        seat=seat,
        round=number,
    )
    reactions.lapse(draft)
    if state.ended:
        return  # a default answer has ended the game
    ending = state.turn
    if ending is not None:
        draft.record(TurnEnded(rule="II.2", seat=ending.seat, reason="ruling"))
        disruption.turn_ends(draft, ending.seat)
    if number != state.round:
        draft.record(RoundSet(round=number, before=state.round))
    _end_effects(draft, seat)
    _start_turn(draft, seat)


def _require_round(state: Negopoly, number: int) -> None:
    """Refuse a round after the last round."""
    limit = state.settings.max_rounds
    last = state.round if state.last_round else limit
    if last and number > last:
        raise Impossible(
            "II.E.4",
            "round {last} is the last one: there is no round {round}",
            "le round {last} est le dernier : il n'y a pas de round {round}",
            last=last,
            round=number,
        )


def _is_untouched(turn: Turn) -> bool:
    """Return True if nothing has happened in the turn yet, except changes of the clock."""
    new = Turn(
        seat=turn.seat,
        started_at=turn.started_at,
        ends_at=turn.ends_at,
        started_on=turn.started_on,
        paused_at=turn.paused_at,
    )
    return turn == new


def _effects(state: Negopoly, seat: str) -> tuple[str, ...]:
    """Return the public effects in force on the player (II.B.1)."""
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
    """Return the private effects in force on the player (II.B.1): licence, cards, loans, deals, contracts."""
    effects = []
    if state.holdings.of(player(seat), "licence"):
        effects.append("licence")
    effects.extend(card.commodity for card in decks.held_in(state, player(seat)))
    binding = [
        candidate
        for candidate in state.open.values()
        if (isinstance(candidate, Loan) and candidate.borrower == seat)
        or (candidate.status != "proposed" and seat in getattr(candidate, "parties", ()))
    ]
    binding.sort(key=lambda agreement: agreement.opened)
    effects.extend(f"{type(candidate).__name__.lower()}:{candidate.id}" for candidate in binding)
    return tuple(effects)


def leave_turn(draft: Draft, seat: str, rule: str) -> None:
    """End the turn under way if its player has just left the game."""
    if draft.state.turn is not None and draft.state.turn.seat == seat and not draft.state.ended:
        finish(draft, "eliminated", rule=rule)
