"""Turns: placing a Director, then influence, then an Action, always in this order (vr:turn.*, vr:director.*)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal

from msgspec.structs import replace

from ledger.kernel.facts.events import Event, TokenPath
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import PlaceNumber
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.table.state import (
    Draft,
    VirtualRevolution,
    amounts,
    cash,
    changed,
    is_turn_of,
    on_turn,
    pieces,
    place_named,
)
from ledger.rulebooks.virtual_revolution.table.terms import Turn, director, spot

chapter = Chapter("Turns")

Phase = Literal[1, 2, 3, 4]

_PHASES = {
    1: Phrase("placing the Director", "la pose du Directeur"),
    2: Phrase("influence", "l'Influence"),
    3: Phrase("the Action", "l'Action"),
    4: Phrase("the end of the turn", "la fin du tour"),
}


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class RoundBegan(Event, frozen=True, kw_only=True):
    """A round begins (vr:upkeep.7)."""

    en: ClassVar[str] = "Round {round} begins."
    fr: ClassVar[str] = "La manche {round} commence."

    rule: str = "vr:upkeep.7"
    round: int

    def apply(self, state: VirtualRevolution) -> None:
        """Start the round, before the first turn."""
        state.round, state.stage, state.turn = self.round, "turn", None


@chapter.event
class TurnBegan(Event, frozen=True, kw_only=True):
    """A player's turn begins (vr:turn.2)."""

    en: ClassVar[str] = "It is {seat:seat}'s turn."
    fr: ClassVar[str] = "C'est le tour {seat:de|seat}."

    rule: str = "vr:turn.2"
    seat: str
    cycle: int
    """The number of the seat's turn in the round, from 1."""

    def apply(self, state: VirtualRevolution) -> None:
        """Start the turn, before the Director is placed."""
        state.turn = Turn(seat=self.seat, cycle=self.cycle)


@chapter.event
class DirectorPlaced(Event, frozen=True, kw_only=True):
    """A Director moves from its board to the map (vr:director.1)."""

    en: ClassVar[str] = "{seat:seat} places a Director in {place:place}."
    fr: ClassVar[str] = "{seat:seat} place un Directeur dans {place:place}."

    rule: str = "vr:director.1"
    seat: str
    place: int

    def apply(self, state: VirtualRevolution) -> None:
        """Set the arrondissement of the turn, and begin the influence phase (vr:director.4)."""
        if state.turn is not None:
            state.turn = replace(state.turn, director=self.place, phase=2)

    def token_paths(self) -> tuple[TokenPath, ...]:
        """Return the path of the Director to the arrondissement."""
        return (TokenPath(seat=self.seat, places=(spot(self.place),)),)


@chapter.event
class PhaseReached(Event, frozen=True, kw_only=True):
    """The turn goes on to a later phase (vr:turn.3)."""

    en: ClassVar[str] = "{seat:seat} goes on to {phase_name.en}."
    fr: ClassVar[str] = "{seat:seat} passe à {phase_name.fr}."

    rule: str = "vr:turn.3"
    seat: str
    phase: Phase

    @property
    def phase_name(self) -> Phrase:
        """The phase, for the sentence."""
        return _PHASES[self.phase]

    def apply(self, state: VirtualRevolution) -> None:
        """Set the phase of the turn."""
        if state.turn is not None:
            state.turn = replace(state.turn, phase=self.phase)


@chapter.event
class TurnEnded(Event, frozen=True, kw_only=True):
    """A player's turn is over (vr:turn.7)."""

    en: ClassVar[str] = "{seat:seat}'s turn is over."
    fr: ClassVar[str] = "Le tour {seat:de|seat} est terminé."

    rule: str = "vr:turn.7"
    seat: str


@chapter.event
class RoundEnded(Event, frozen=True, kw_only=True):
    """All players have played their Directors (vr:round.1)."""

    en: ClassVar[str] = "All turns of round {round} have been taken."
    fr: ClassVar[str] = "Tous les tours de la manche {round} ont été joués."

    rule: str = "vr:round.1"
    round: int

    def apply(self, state: VirtualRevolution) -> None:
        """Clear the turn; `rounds.go_on` records the next step."""
        state.turn = None


# ----------------------------------------------------------------------------------------------
# Passing on
# ----------------------------------------------------------------------------------------------


def begin_round(draft: Draft, number: int) -> None:
    """Begin a round, from 1, with the first turn of the first player in the order."""
    draft.record(RoundBegan(round=number))
    first = _following(draft.state, None)
    if first is not None:
        draft.record(TurnBegan(seat=first[1], cycle=first[0]))


def next_turn(draft: Draft) -> None:
    """Begin the turn of the next player, or end the round when everybody has played all Directors."""
    following = _following(draft.state, draft.state.turn)
    if following is None:
        draft.record(RoundEnded(round=draft.state.round))
    else:
        draft.record(TurnBegan(seat=following[1], cycle=following[0]))


def _following(state: VirtualRevolution, turn: Turn | None) -> tuple[int, str] | None:
    """Return the cycle and the seat of the turn after `turn`; None after the last turn of the round.

    A player without a Director on the board has no further turn (vr:director.3).
    """
    turns = [(cycle, seat) for cycle in range(1, amounts(state).directors + 1) for seat in state.order]
    if turn is not None and (turn.cycle, turn.seat) in turns:
        turns = turns[turns.index((turn.cycle, turn.seat)) + 1 :]
    return next(
        (candidate for candidate in turns if state.holdings.of(player(candidate[1]), director(candidate[1]))), None
    )


def to_phase(draft: Draft, phase: Phase) -> None:
    """Go on to a phase of the turn under way. Raises Impossible for an earlier phase."""
    turn = draft.state.turn
    if turn is None or turn.phase == phase:
        return
    if turn.phase > phase:
        raise _too_late(turn, phase)
    draft.record(PhaseReached(seat=turn.seat, phase=phase))


def _too_late(turn: Turn, phase: Phase) -> Impossible:
    """Return the refusal to go back to an earlier phase (vr:turn.3)."""
    return Impossible(
        "vr:turn.3",
        "{seat:seat} has come to {now.en}, and does not go back to {back.en}",
        "{seat:seat} en est à {now.fr}, et ne revient pas à {back.fr}",
        seat=turn.seat,
        now=_PHASES[turn.phase],
        back=_PHASES[phase],
    )


def _require_placed(turn: Turn, rule: str) -> None:
    """Raise Impossible before the Director of the turn is placed."""
    if turn.phase == 1:
        raise Impossible(
            rule,
            "{seat:seat} places a Director first",
            "{seat:seat} doit d'abord poser un Directeur",
            seat=turn.seat,
        )


# ----------------------------------------------------------------------------------------------
# Actions
# ----------------------------------------------------------------------------------------------


@chapter.action(
    summary=("place a Director", "placer un Directeur"),
    when=("at the beginning of one's own turn", "au début de son tour"),
)
class PlaceDirector(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Place a Director in any arrondissement (vr:director.1, vr:director.2)."""

    place: PlaceNumber

    def decide(self, draft: Draft) -> None:
        """Place the Director, once per turn; a placed Director stays until the upkeep (vr:director.1)."""
        turn = on_turn(draft)
        place_named(draft, self.place, "vr:director.2")
        if turn.director is not None:
            raise Impossible(
                "vr:director.1",
                "{seat:seat} has placed a Director in {place:place}, who stays there until the end of the round",
                "{seat:seat} a posé un Directeur dans {place:place}, où il reste jusqu'à la fin de la manche",
                seat=turn.seat,
                place=turn.director,
            ).citing("vr:director.3", "vr:turn.3")
        board, kind = player(turn.seat), director(turn.seat)
        if draft.state.holdings.of(board, kind) == 0:
            raise Impossible(
                "vr:director.1",
                "{seat:seat} has no Director left on the board",
                "{seat:seat} n'a plus de Directeur sur son plateau",
                seat=turn.seat,
            )
        moved = draft.move(kind, 1, board, spot(self.place))
        draft.record(DirectorPlaced(seat=turn.seat, place=self.place, postings=moved))

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer every arrondissement, without any constraint (vr:director.2)."""
        if is_turn_of(state, seat) and state.turn is not None and state.turn.phase == 1:
            for place in pieces(state).places:
                yield Choice({"place": place}, alike="place")


@chapter.action(
    summary=("skip the influence phase", "passer la phase d'influence"),
    when=("in the influence phase of one's own turn", "dans la phase d'influence de son tour"),
)
class SkipInfluence(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Go on to the Action without touching influence (vr:influence.1, vr:turn.7)."""

    def decide(self, draft: Draft) -> None:
        """End the influence phase. Raises Impossible outside the phase."""
        turn = on_turn(draft)
        _require_placed(turn, "vr:turn.3")
        if turn.phase > 2:
            raise _too_late(turn, 2)
        to_phase(draft, 3)

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer the action in the influence phase."""
        return (Choice({}),) if is_turn_of(state, seat) and state.turn and state.turn.phase == 2 else ()


@chapter.action(
    summary=("skip the Action", "renoncer à l'Action"),
    when=("before the Action of one's own turn", "avant l'Action de son tour"),
)
class SkipAction(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Perform no Action in this turn (vr:turn.7)."""

    def decide(self, draft: Draft) -> None:
        """Skip the Action, after the Director is placed and before an Action begins."""
        turn = on_turn(draft)
        _require_placed(turn, "vr:turn.3")
        if turn.phase > 3:
            raise _too_late(turn, 3)
        _require_taken(draft, turn)
        to_phase(draft, 4)

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer the action before the Action of the turn."""
        return (Choice({}),) if is_turn_of(state, seat) and state.turn and state.turn.phase in {2, 3} else ()


@chapter.action(
    summary=("end the turn", "terminer son tour"),
    when=("in one's own turn, once a Director is placed", "à son tour, une fois un Directeur placé"),
)
class EndTurn(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Pass the turn on; influence and the Action may be left out (vr:turn.7)."""

    def decide(self, draft: Draft) -> None:
        """End the turn. A Director must be placed (vr:director.1)."""
        turn = on_turn(draft)
        _require_placed(turn, "vr:turn.7")
        _require_taken(draft, turn)
        draft.record(TurnEnded(seat=turn.seat))
        next_turn(draft)

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer the action after the Director is placed."""
        return (Choice({}),) if is_turn_of(state, seat) and state.turn and state.turn.phase > 1 else ()


def _require_taken(draft: Draft, turn: Turn) -> None:
    """Raise RuleBroken during an open Create a Verse with an affordable Verse on display (vr:verse.5)."""
    state = draft.state
    if turn.creating is None or not any(state.display):
        return
    prices = [change.price for change in changed(state, turn.seat, "create_verse") if change.price is not None]
    price = prices[-1] if prices else amounts(state).verse_price
    draft.require(
        cash(state, turn.seat) < price,
        "vr:verse.5",
        "{seat:seat} has begun to create a Verse, and takes one first",
        "{seat:seat} a commencé à créer un Verse, et doit d'abord en prendre un",
        seat=turn.seat,
    )
