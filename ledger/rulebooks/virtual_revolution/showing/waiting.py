"""Awaited seats, their tasks, and the moves for the tasks; decided from facts, without trying any move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET

from ledger.kernel.facts.audience import Viewer, only
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.display import AwaitedView, ClockView, PhaseView
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.actions import verses
from ledger.rulebooks.virtual_revolution.attacks import attacks
from ledger.rulebooks.virtual_revolution.raids import protection, raids
from ledger.rulebooks.virtual_revolution.rounds import answers, rounds
from ledger.rulebooks.virtual_revolution.rounds.obligations import MATTERS, USUAL
from ledger.rulebooks.virtual_revolution.scores import endgame
from ledger.rulebooks.virtual_revolution.start import dealing, preparing
from ledger.rulebooks.virtual_revolution.table.operations import Effect
from ledger.rulebooks.virtual_revolution.table.state import PHASES, VirtualRevolution
from ledger.rulebooks.virtual_revolution.table.terms import Demand, hand, objectives

_PREPARING: Mapping[str, tuple[str, Phrase]] = {
    "objectives": ("deal_objectives", Phrase("deal the Objectives", "distribuer les Objectifs")),
    "locations": ("deal_locations", Phrase("deal the Locations", "distribuer les Localisations")),
    "location_deck": ("prepare_location_deck", Phrase("shuffle the Locations", "mélanger les Localisations")),
    "agents": ("prepare_agent_deck", Phrase("prepare the Agent deck", "préparer la pioche Agents")),
    "corruption": (
        "prepare_corruption_deck",
        Phrase("shuffle the Corruption deck", "mélanger la pioche Corruption"),
    ),
    "verses": ("prepare_verse_deck", Phrase("prepare the Verses", "préparer les Verses")),
    "necro": ("prepare_necro_deck", Phrase("prepare the Necro deck", "préparer la pioche Nécro")),
}
_TURN: Mapping[int, Phrase] = {
    1: Phrase("place a Director", "placer un Directeur"),
    2: Phrase("use influence, or perform an Action", "agir sur l'influence, ou réaliser une Action"),
    3: Phrase("perform an Action", "réaliser une Action"),
    4: Phrase("end the turn", "terminer son tour"),
}
_NECRO = Phrase("turn up the Necro card", "révéler la carte Nécro")

_Awaited = tuple[str, Phrase, tuple[str, ...]]
"""An awaited seat, the words for the task, and the moves for the task."""


def phase(state: VirtualRevolution, language: str) -> PhaseView:
    """What the game, or the turn under way, has come to."""
    name = "ended" if state.ended else str(state.stage)
    if name == "turn":
        name = f"turn_{1 if state.turn is None else state.turn.phase}"
    return PhaseView(name, PHASES[name].in_language(language))


def clock(state: VirtualRevolution) -> ClockView | None:
    """Return the clock of the awaited answer, if the table has a clock."""
    until = next(iter(rounds.deadlines(state)), None)
    return None if until is None else ClockView(running=True, until=until)


def awaited(state: VirtualRevolution) -> Sequence[str]:
    """Return the seats awaited by the game."""
    if state.ended:
        return ()
    if state.stage == "setup":
        return tuple(seat for seat in state.seating if seat not in state.colours)
    seats = answers.awaited(state)
    if seats or state.stage != "turn" or state.turn is None:
        return seats
    return (state.turn.seat,)


def waiting(state: VirtualRevolution, viewer: Viewer, language: str) -> Iterator[AwaitedView]:
    """Yield the tasks of the seats and of the banker. Moves with hidden cards are shown only to their player."""
    if state.ended:
        return
    until = next(iter(rounds.deadlines(state)), UNSET)
    for seat, words, moves in _all(state, viewer):
        default = UNSET if until is UNSET else USUAL.in_language(language)
        yield AwaitedView(seat=seat, label=words.in_language(language), moves=moves, until=until, default=default)


def _all(state: VirtualRevolution, viewer: Viewer) -> Iterator[_Awaited]:
    if state.stage == "setup":
        yield from _in_setup(state)
    elif state.demands:
        yield _demanded(state, state.demands[0], viewer)
    elif state.stage == "turn":
        yield from _of_the_turn(state)
    elif seats := answers.awaited(state):
        for seat in seats:
            yield _asked_task(state, seat, viewer)
        if state.stage == "missions":
            yield "banker", _NECRO, ("necro_attack",)
    elif state.stage == "upkeep":
        yield "banker", Phrase("prepare the next round", "préparer la manche suivante"), ("upkeep",)
    elif rounds.by_itself(state) is not None:
        yield "banker", _NECRO, ("necro_attack",)


def _in_setup(state: VirtualRevolution) -> Iterator[_Awaited]:
    """Yield the missing colours, then the banker's preparations."""
    for seat in state.seating:
        if seat not in state.colours:
            yield seat, Phrase("choose a colour", "choisir une couleur"), ("choose_colour",)
    if state.dice == "service":
        yield "banker", Phrase("prepare the table", "préparer la table"), ("prepare_table",)
        return
    for part, (move, words) in _PREPARING.items():
        ready = part != "location_deck" or "locations" in state.done
        if dealing.is_due(state, part) and ready:
            yield "banker", words, (move,)
    if dealing.is_due(state, "objectives"):
        for seat in state.seating:
            if not state.holdings.account(objectives(seat)):
                yield seat, Phrase("record one's Objectives", "inscrire ses Objectifs"), ("record_objectives",)
    if not preparing.missing(state):
        yield "banker", Phrase("turn up the first Agents", "révéler les premiers Agents"), ("reveal_agents",)


def _of_the_turn(state: VirtualRevolution) -> Iterator[_Awaited]:
    turn = state.turn
    if turn is None:
        return
    if turn.creating is not None and any(state.display):
        payable = verses.surplus(state, turn.seat) >= 0
        yield (
            turn.seat,
            Phrase("take a Verse", "prendre un Verse"),
            ("create_verse",) if payable else ("end_turn",),
        )
    else:
        yield turn.seat, _TURN[turn.phase], ("place_director",) if turn.phase == 1 else ("end_turn",)


def _demanded(state: VirtualRevolution, demand: Demand, viewer: Viewer) -> _Awaited:
    """Return the task of a demand; only the seat sees the cards open to an exchange."""
    words = MATTERS[demand.kind]
    match demand.kind:
        case "discard":
            return demand.seat, words, ("discard_corruption",)
        case "exchange":
            available = decks.held_in(state, hand(demand.of)) if only(demand.seat).admits(viewer) else []
            return demand.seat, words, tuple(f"exchange_corruption:{card}" for card in available)
        case _:
            return demand.seat, words, ("choose_loss",)


def _asked_task(state: VirtualRevolution, seat: str, viewer: Viewer) -> _Awaited:
    """Return the task of a seat at the end of a round, or before the scoring."""
    match state.stage:
        case "raid":
            return (
                seat,
                Phrase("resolve a Corruption card", "résoudre une carte Corruption"),
                tuple(_raided(state, seat)),
            )
        case "missions":
            return seat, MATTERS["missions"], ("leave_loading",)
        case "attack" if state.attack is not None and state.attack.paying:
            return seat, MATTERS["payment"], ("avoid_necro",)
        case "attack":
            due = attacks.pending_loss(state, seat)
            is_single = due is not None and _is_one_move(state, seat, (due.effect,))
            moves = ("resolve_necro_effect",) if is_single else ()
            return seat, Phrase("choose what the attack takes", "choisir ce que prend l'attaque"), moves
        case "order":
            return seat, MATTERS["order"], ("choose_turn_order",)
        case _:
            return seat, MATTERS["choices"], tuple(_chosen(state, seat, viewer))


def _raided(state: VirtualRevolution, seat: str) -> Iterator[str]:
    """Yield the moves for cards open to resolution, and the move to avoid a card (vr:raid.3, vr:raid.4)."""
    cards = raids.unresolved(state, seat)
    ready = [candidate for candidate in cards if candidate.priority or not cards[0].priority]
    for card in ready:
        if _is_one_move(state, seat, card.effects):
            yield f"resolve_corruption_card:{card.id}"
    if raids.may_avoid(state, seat) and any(not candidate.priority for candidate in ready):
        yield "avoid_corruption"


def _is_one_move(state: VirtualRevolution, seat: str, effects: Sequence[Effect]) -> bool:
    """Return True if the answers are options of one move, with different losses."""
    options = [*protection.answers(state, seat, effects)]
    return len(options) == 1 or all("lose" in option for option in options)


def _chosen(state: VirtualRevolution, seat: str, viewer: Viewer) -> Iterator[str]:
    """Yield the moves for types of Agents, then for Objectives, the seat's secret (vr:secrecy.1)."""
    if endgame.open_types(state, seat):
        yield "choose_agent_type"
    if endgame.has_objective(state, seat) and only(seat).admits(viewer):
        yield from (f"choose_objective:{objective}" for objective in decks.held_in(state, objectives(seat)))
