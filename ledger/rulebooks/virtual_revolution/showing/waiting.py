"""What the game waits for: whose turn it is and what is left of it, and who answers out of turn.

Moves are named by their ids, and only those that are legal: facts decide, and no move is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime

from msgspec import UNSET

from ledger.kernel.audience import Viewer, only
from ledger.kernel.display import AwaitedView, ClockView, PhaseView
from ledger.kernel.sentences import Speaker
from ledger.rulebooks.parts.speaking import Both, said
from ledger.rulebooks.virtual_revolution import answers, endgame, rounds
from ledger.rulebooks.virtual_revolution.state import VirtualRevolution

_STAGES: Mapping[str, Both] = {
    "setup": ("set-up", "préparation"),
    "turn_1": ("placing a Director", "pose d'un Directeur"),
    "turn_2": ("influence", "influence"),
    "turn_3": ("the Action", "l'Action"),
    "turn_4": ("after the Action", "après l'Action"),
    "raid": ("raids", "perquisitions"),
    "missions": ("after the raids", "après les perquisitions"),
    "attack": ("Necro attack", "attaque Nécro"),
    "order": ("turn order", "ordre du tour"),
    "upkeep": ("upkeep", "entretien"),
    "choices": ("choices before the scoring", "choix avant le décompte"),
    "ended": ("over", "terminée"),
}
"""What the game, or the turn under way, has come to."""

_ANSWERS: Mapping[str, tuple[Both, tuple[str, ...]]] = {
    "raid": (("undergo the raid", "subir la perquisition"), ("resolve_corruption_card",)),
    "missions": (("put a Verse online, or not", "mettre un Verse en ligne, ou non"), ("leave_loading",)),
    "payment": (("pay to avoid the attack, or not", "payer pour éviter l'attaque, ou non"), ("avoid_necro",)),
    "loss": (("choose what is lost", "choisir ce qui est perdu"), ("resolve_necro_effect",)),
    "order": (
        ("choose a place in the turn order", "choisir une place dans l'ordre du tour"),
        ("choose_turn_order",),
    ),
    "objective": (("choose an Objective", "choisir un Objectif"), ("choose_objective",)),
    "type": (("choose the type of an Agent", "choisir le type d'un Agent"), ("choose_agent_type",)),
}
_DEMANDS: Mapping[str, tuple[Both, str]] = {
    "discard": (("discard Corruption cards", "défausser des cartes Corruption"), "discard_corruption"),
    "exchange": (("exchange a Corruption card", "échanger une carte Corruption"), "exchange_corruption"),
    "loss": (("choose what to discard", "choisir ce qui est défaussé"), "choose_loss"),
}
_TURN: Mapping[int, tuple[Both, tuple[str, ...]]] = {
    1: (("place a Director", "poser un Directeur"), ("place_director",)),
    2: (("influence, then an Action", "influence, puis une Action"), ("skip_influence",)),
    3: (("perform an Action", "effectuer une Action"), ("skip_action",)),
    4: (("end the turn", "terminer le tour"), ("end_turn",)),
}
_SET_UP: tuple[tuple[str, Both, str], ...] = (
    ("objectives", ("deal the Objectives", "distribuer les Objectifs"), "deal_objectives"),
    ("locations", ("deal the Locations", "distribuer les Localisations"), "deal_locations"),
    ("location_deck", ("prepare the Location deck", "préparer la pioche Localisation"), "prepare_location_deck"),
    ("agents", ("prepare the Agents", "préparer les Agents"), "prepare_agent_deck"),
    ("corruption", ("prepare the Corruption deck", "préparer la pioche Corruption"), "prepare_corruption_deck"),
    ("verses", ("prepare the Verses", "préparer les Verses"), "prepare_verse_deck"),
    ("necro", ("prepare the Necro deck", "préparer la pioche Nécro"), "prepare_necro_deck"),
)


def phase(state: VirtualRevolution, language: str) -> PhaseView:
    """What the game, or the turn under way, has come to."""
    name = state.stage
    if state.ended:
        name = "ended"
    shown = f"turn_{state.turn.phase}" if name == "turn" and state.turn is not None else str(name)
    if shown == "turn":
        shown = "turn_4"
    return PhaseView(shown, said(_STAGES[shown], language))


def awaited(state: VirtualRevolution) -> list[str]:
    """The seats that the game waits for."""
    if state.ended:
        return []
    if state.stage == "setup":
        return [seat for seat in state.seating if seat not in state.colours]
    out_of_turn = [*answers.awaited(state)]
    if out_of_turn or state.stage != "turn" or state.turn is None:
        return out_of_turn
    return [state.turn.seat]


def clock(state: VirtualRevolution) -> ClockView | None:
    """The clock of the answer that is awaited, where the table has one."""
    until = _until(state)
    return None if until is None else ClockView(running=True, until=until)


def _until(state: VirtualRevolution) -> datetime | None:
    return None if state.ended else next(iter(rounds.deadlines(state)), None)


def waiting(
    state: VirtualRevolution, viewer: Viewer, speakers: Mapping[str, Speaker], language: str
) -> Iterator[AwaitedView]:
    """What the game waits for, of each seat and of the banker."""
    until = _until(state)

    def one(seat: str, words: Both, *moves: str) -> AwaitedView:
        timed = until is not None and seat in answers.awaited(state)
        return AwaitedView(
            seat=seat,
            label=said(words, language),
            moves=moves,
            until=until if timed and until is not None else UNSET,
            default=said(("the default answer", "la réponse par défaut"), language) if timed else UNSET,
        )

    if state.ended:
        return
    if state.stage == "setup":
        yield from _in_setup(state, one)
        return
    if state.demands:
        demand = state.demands[0]
        words, kind = _DEMANDS[demand.kind]
        # Which cards can be chosen is known to their holder alone.
        known = demand.kind == "loss" or only(demand.seat).admits(viewer)
        yield one(demand.seat, words, *((kind,) if known else ()))
        return
    match state.stage:
        case "turn" if state.turn is not None:
            words, moves = _TURN[state.turn.phase]
            if state.turn.creating is not None:
                words, moves = ("take a Verse", "prendre un Verse"), ()
            yield one(state.turn.seat, words, *moves)
        case "upkeep":
            yield one("banker", ("prepare the next round", "préparer la manche suivante"), "upkeep")
        case "attack" if state.attack is None:
            yield one("banker", ("turn up the Necro card", "révéler la carte Nécro"), "necro_attack")
        case _:
            for seat in answers.awaited(state):
                words, moves = _ANSWERS[_question(state, seat)]
                yield one(seat, words, *(moves if _is_open(state, seat, viewer) else ()))
            if state.stage == "missions":
                yield one("banker", ("turn up the Necro card", "révéler la carte Nécro"), "necro_attack")


def _question(state: VirtualRevolution, seat: str) -> str:
    """What a seat is asked at the end of a round."""
    if state.stage == "attack" and state.attack is not None:
        return "payment" if state.attack.paying else "loss"
    if state.stage == "choices":
        return "type" if endgame.open_types(state, seat) else "objective"
    return state.stage


def _is_open(state: VirtualRevolution, seat: str, viewer: Viewer) -> bool:
    """Whether the viewer may know that the moves are legal: those with hidden cards are their holder's alone."""
    if state.stage == "choices" and not endgame.open_types(state, seat):
        return only(seat).admits(viewer)
    if state.stage == "attack" and state.attack is not None and not state.attack.paying:
        return only(seat).admits(viewer)
    return True


def _in_setup(state: VirtualRevolution, one: Callable[..., AwaitedView]) -> Iterator[AwaitedView]:
    """What is left to prepare."""
    for seat in state.seating:
        if seat not in state.colours:
            yield one(seat, ("choose a colour", "choisir une couleur"))
    left = [(words, kind) for name, words, kind in _SET_UP if name not in state.done]
    if left:
        words, kind = left[0]
        yield one("banker", words, kind)
    else:
        yield one("banker", ("turn up the first Agents", "révéler les premiers Agents"), "reveal_agents")
