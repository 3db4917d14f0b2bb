"""The table as visible to a viewer, by the rules' table of visibility (vr:secrecy.*)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.plain import plain, plain_once, without_nulls
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.display import AwaitedView, BoardView, ClockView, Display, PhaseView
from ledger.kernel.rules.faces.score import Score
from ledger.kernel.rules.faces.screen import Screen
from ledger.kernel.rules.wealth import Asset
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.scores import scores
from ledger.rulebooks.virtual_revolution.showing import display, drawing, waiting
from ledger.rulebooks.virtual_revolution.showing.display import necro_left
from ledger.rulebooks.virtual_revolution.showing.speaking import speakers_of
from ledger.rulebooks.virtual_revolution.table.edition import EDITION
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces
from ledger.rulebooks.virtual_revolution.table.state import (
    VirtualRevolution,
    boosts_of,
    cash,
    directors_of,
    hand_size,
    immunity,
    in_service,
    influenced,
    pieces,
    recycled,
    reserve,
    revenue,
    servers_of,
    titles_of,
    tokens,
    verses_of,
)
from ledger.rulebooks.virtual_revolution.table.terms import (
    AGENTS,
    AGENTS_1,
    AGENTS_2,
    ASIDE,
    BOOSTS,
    CORRUPTION,
    LOCATIONS,
    SHOWN_NECRO,
    VERSES,
    VICTORY_POINT,
    VP2,
    Line,
    hand,
    objectives,
    raided,
    retired,
    title,
)
from ledger.rulebooks.virtual_revolution.table.veils import VirtualRevolutionSecrets


def summary(state: VirtualRevolution) -> dict[str, Any]:
    """Return the round, the seat of the turn, and the winners."""
    turn = {} if state.turn is None else {"turn": state.turn.seat}
    return {"round": state.round, "stage": state.stage, **turn, "winners": [*state.winners]}


def _decks(state: VirtualRevolution) -> dict[str, int]:
    """Return the number of remaining cards in each deck."""
    return {
        "agents": decks.left_in(state, AGENTS_1) + decks.left_in(state, AGENTS_2),
        "locations": decks.left_in(state, LOCATIONS),
        "corruption": decks.left_in(state, CORRUPTION),
        "corruption_discard": sum(state.holdings.account(decks.discards(CORRUPTION)).values()),
        "verses": decks.left_in(state, VERSES),
        "necro": necro_left(state),
    }


def _seat(state: VirtualRevolution, seat: str) -> dict[str, Any]:
    """Return the public view of a seat, with the score so far."""
    catalogue, tilted = pieces(state), state.tilted
    boosts = boosts_of(state, seat)
    return {
        "eurocredits": cash(state, seat),
        "immunity": immunity(state, seat),
        "revenue": revenue(state, seat),
        "vp2_tokens": state.holdings.of(player(seat), VP2),
        "influence": {
            "board": reserve(state, seat),
            "recycling": recycled(state, seat),
            "map": {str(place): tokens(state, seat, place) for place in influenced(state, seat)},
        },
        "servers": servers_of(state, seat),
        "directors": directors_of(state, seat),
        "agents": [
            {"agent": agent, "tilted": decks.commodity(agent) in tilted} for agent in in_service(state, seat)
        ],
        "boosts": [item for item in boosts if item in catalogue.boosts],
        "boost_agents": [item for item in boosts if item not in catalogue.boosts],
        "retired": sum(state.holdings.account(retired(seat)).values()),
        "verses": [{"verse": verse, "online": verse in state.online} for verse in verses_of(state, seat)],
        "titles": [{"district": item, "tilted": title(item) in tilted} for item in titles_of(state, seat)],
        "corruption": hand_size(state, seat),
        "objectives": sum(state.holdings.account(objectives(seat)).values()),
        "score_so_far": scores.total(scores.score_so_far(state, seat, objectives=False)),
    }


def _lines(lines: tuple[Line, ...]) -> list[dict[str, Any]]:
    return [plain(line) for line in lines]


def wealth(state: VirtualRevolution, seat: str, *, objectives: bool) -> list[Asset]:
    """Return the score so far, or the public final score, line by line, in victory points."""
    lines = state.scores.get(seat) or scores.score_so_far(state, seat, objectives=objectives)
    return [Asset(line.what, line.of or line.what, line.count, line.points) for line in lines]


class VirtualRevolutionScreen(Screen[VirtualRevolution]):
    """The views of the game."""

    def pieces_in_play(self, state: VirtualRevolution) -> Pieces:
        """Return the pieces of the rulebook, or of the table's edition."""
        return state.edition.pieces

    def components(self) -> dict[str, Any]:
        """Return the pieces of the rulebook, as plain data."""
        return dict(EDITION.pieces.plain)

    def summary(self, state: VirtualRevolution) -> dict[str, Any]:
        """Return the round, the seat of the turn, and the winners."""
        return summary(state)

    def turn_order(self, state: VirtualRevolution) -> Sequence[str]:
        """Return the seats on the turn-order track."""
        return state.order or state.seating

    def public_view(self, state: VirtualRevolution) -> dict[str, Any]:
        """Return the public view of the table."""
        view: dict[str, Any] = {
            **summary(state),
            "seating": [*state.seating],
            "order": [*state.order],
            "colours": dict(state.colours),
            "settings": {name: item for name, item in plain_once(state.settings).items() if name != "pieces"},
            "offers": [plain(item) for item in sorted(state.offers.values(), key=lambda item: item.slot)],
            "display": [*state.display],
            "boosts": decks.held_in(state, BOOSTS),
            "necro": decks.held_in(state, SHOWN_NECRO),
            "agent_discard": decks.held_in(state, decks.discards(AGENTS)),
            "decks": _decks(state),
            "seats": {seat: _seat(state, seat) for seat in state.seating},
            "titles": {item: seat for seat in state.seating for item in titles_of(state, seat)},
            "changed": [plain(item) for item in state.changed if item.round >= state.round],
            "demands": [plain(item) for item in state.demands],
            "raids": [*state.raids],
            "waiting": [*state.waiting],
            "choosers": [*state.choosers],
            "places": dict(state.places),
            "chosen": [seat for seat in state.seating if seat in state.chosen],
            "types": dict(state.types),
        }
        if state.verse_top:
            view["verse_top"] = state.verse_top
        if state.first is not None:
            view["first"] = state.first
        if state.turn is not None:
            view["turn_under_way"] = plain(state.turn)
        if state.raid is not None:
            view["raid"] = {**plain(state.raid), "left": decks.held_in(state, raided(state.raid.seat))}
        if state.attack is not None:
            view["attack"] = plain(state.attack)
        if state.stage == "setup":
            view["prepared"] = sorted(state.done)
        if state.scores:
            view["scores"] = {seat: _lines(lines) for seat, lines in state.scores.items()}
        return without_nulls(view)  # type: ignore[no-any-return]

    def own_view(self, state: VirtualRevolution, viewer: Viewer) -> dict[str, Any]:
        """Return the Agents set aside, the hand and Objectives of the viewer, and the Necro card seen."""
        view: dict[str, Any] = {}
        if viewer.seat in state.seats or viewer.sees_all:
            view["aside"] = decks.held_in(state, ASIDE)
        if viewer.seat in state.seats:
            seat = str(viewer.seat)
            you: dict[str, Any] = {
                "corruption": decks.held_in(state, hand(seat)),
                "objectives": decks.held_in(state, objectives(seat)),
                "score": _lines(scores.score_so_far(state, seat, objectives=True)),
            }
            if seat in state.seen_necro:
                you["necro_seen"] = state.seen_necro[seat]
            if seat in state.chosen:
                you["chosen"] = plain(state.chosen[seat])
            demand = next((item for item in state.demands if item.kind == "exchange" and item.seat == seat), None)
            if demand is not None:
                you["hand_shown"] = {"seat": demand.of, "cards": decks.held_in(state, hand(demand.of))}
            view["you"] = without_nulls(you)
        if viewer.sees_all:
            view["hands"] = {seat: decks.held_in(state, hand(seat)) for seat in state.seating}
            view["all_objectives"] = {seat: decks.held_in(state, objectives(seat)) for seat in state.seating}
        return view

    def in_setup(self, state: VirtualRevolution) -> bool:
        """Return True during the set-up."""
        return state.stage == "setup"

    def board_drawn(self, state: VirtualRevolution | None, language: str) -> BoardView:
        """Return the map of the table's pieces."""
        return drawing.drawn(EDITION.pieces if state is None else state.edition.pieces, language)

    def display(self, state: VirtualRevolution, viewer: Viewer, language: str) -> Display:
        """Return Directors, influence and Servers on the map, with cards and tokens beside the map."""
        return display.display(VirtualRevolutionSecrets(), state, viewer, speakers_of(state), language)

    def phase(self, state: VirtualRevolution, language: str) -> PhaseView:
        """What the game, or the turn under way, has come to."""
        return waiting.phase(state, language)

    def clock(self, state: VirtualRevolution) -> ClockView | None:
        """Return the clock of the awaited answer."""
        return waiting.clock(state)

    def awaited(self, state: VirtualRevolution) -> Sequence[str]:
        """Return the seats awaited by the game."""
        return waiting.awaited(state)

    def waiting(self, state: VirtualRevolution, viewer: Viewer, language: str) -> Sequence[AwaitedView]:
        """Return the seat of the turn, the seats with an answer due, and the duties of the banker."""
        return list(waiting.waiting(state, viewer, language))


class VirtualRevolutionScore(Score[VirtualRevolution]):
    """The winners, and the worth of the seats in victory points."""

    unit = VICTORY_POINT
    shown_label = Phrase("so far", "jusqu'ici")

    def wealth(self, state: VirtualRevolution, seat: str) -> Sequence[Asset]:
        """Return the score so far in victory points, with the seat's Objectives."""
        return wealth(state, seat, objectives=True)

    def shown_wealth(self, state: VirtualRevolution, seat: str) -> Sequence[Asset]:
        """Return the score so far from public information."""
        return wealth(state, seat, objectives=False)
