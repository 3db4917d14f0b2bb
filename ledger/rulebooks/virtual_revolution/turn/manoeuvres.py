"""The influence phase: add, eliminate or move one token; and effects of cards on the map (vr:influence.*)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import PlaceNumber, SeatId
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts.seats import seat_named
from ledger.rulebooks.virtual_revolution.decks import decking
from ledger.rulebooks.virtual_revolution.map import influence
from ledger.rulebooks.virtual_revolution.table import effects
from ledger.rulebooks.virtual_revolution.table.effects import Doing
from ledger.rulebooks.virtual_revolution.table.operations import InfluenceAdd as Add
from ledger.rulebooks.virtual_revolution.table.operations import InfluenceEliminate as Eliminate
from ledger.rulebooks.virtual_revolution.table.operations import (
    InfluenceEliminateOrAdd,
    InfluenceToRecycling,
    MoveServer,
    PlaceServer,
)
from ledger.rulebooks.virtual_revolution.table.state import (
    Draft,
    VirtualRevolution,
    builder,
    controls,
    influenced,
    influencer,
    is_turn_of,
    on_turn,
    pieces,
    place_named,
    reserve,
)
from ledger.rulebooks.virtual_revolution.table.terms import Drawn, Pick
from ledger.rulebooks.virtual_revolution.turn import turns

chapter = Chapter("Influence phase")


# ----------------------------------------------------------------------------------------------
# The phase
# ----------------------------------------------------------------------------------------------


def _place_of_turn(draft: Draft) -> int:
    """Return the arrondissement of the turn's Director. Raises Impossible outside the influence phase."""
    turn = on_turn(draft)
    if turn.director is None:
        raise Impossible(
            "vr:turn.3",
            "{seat:seat} places a Director first",
            "{seat:seat} doit d'abord poser un Directeur",
            seat=turn.seat,
        ).citing("vr:influence.1")
    if turn.phase != 2:
        raise Impossible(
            "vr:influence.1",
            "the influence phase of this turn is over: one manoeuvre at most, and none after an Action",
            "la phase d'influence de ce tour est passée : une manœuvre au plus, et aucune après une Action",
        ).citing("vr:turn.3")
    return turn.director


def _manoeuvre_area(state: VirtualRevolution, seat: str) -> int | None:
    """Return the arrondissement open to a manoeuvre of the player, or None."""
    turn = state.turn
    return turn.director if turn is not None and turn.phase == 2 and is_turn_of(state, seat) else None


@chapter.action(
    summary=("add influence where one's Director is", "ajouter de l'influence là où est son Directeur"),
    when=("in the influence phase of one's turn", "pendant la phase d'influence de son tour"),
)
class InfluenceAdd(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Add one token where the Director is, and draw a Corruption card (vr:influence.2, vr:influence.3)."""

    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Add a token of the player's board, the only source of tokens (vr:influence.4), and draw a card."""
        area = _place_of_turn(draft)
        draft.draws.offer(self.drawn)
        influence.add(draft, draft.seat, area, rule="vr:influence.2")
        decking.draw_corruption(draft, draft.seat, 1, rule="vr:influence.3")
        turns.to_phase(draft, 3)

    def redacted(self) -> Mapping[str, Any]:
        """Hide the card drawn."""
        return {}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer the action with a token left, if no opponent has influence in the arrondissement."""
        area = _manoeuvre_area(state, seat)
        if area is not None and reserve(state, seat) and influence.is_free(state, seat, area):
            yield Choice({})


@chapter.action(
    summary=("eliminate influence where one's Director is", "éliminer de l'influence là où est son Directeur"),
    when=("in the influence phase of one's turn", "pendant la phase d'influence de son tour"),
)
class InfluenceEliminate(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Eliminate one token where the Director is, and draw a Corruption card (vr:influence.5, vr:influence.6)."""

    whose: SeatId | None = None
    """The owner of the token; optional, since all tokens in an arrondissement belong to one player."""
    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Eliminate a token of the player or of an opponent, and draw a card."""
        area = _place_of_turn(draft)
        draft.draws.offer(self.drawn)
        owner = self.whose or influencer(draft.state, area) or draft.seat
        seat_named(draft.state, owner, "vr:influence.5")
        influence.eliminate(draft, draft.seat, area, owner, rule="vr:influence.5")
        decking.draw_corruption(draft, draft.seat, 1, rule="vr:influence.6")
        turns.to_phase(draft, 3)

    def redacted(self) -> Mapping[str, Any]:
        """Hide the card drawn."""
        return {} if self.whose is None else {"whose": self.whose}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer the owner of the influence in the arrondissement."""
        area = _manoeuvre_area(state, seat)
        owner = None if area is None else influencer(state, area)
        if owner is not None:
            yield Choice({"whose": owner})


@chapter.action(
    summary=("move influence to one's Director", "déplacer de l'influence vers son Directeur"),
    when=("in the influence phase of one's turn", "pendant la phase d'influence de son tour"),
)
class InfluenceMove(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Move one of one's tokens to the arrondissement of the Director; no card is drawn (vr:influence.7)."""

    source: PlaceNumber

    def decide(self, draft: Draft) -> None:
        """Move a token from any arrondissement except the Director's."""
        target = _place_of_turn(draft)
        source = place_named(draft, self.source, "vr:influence.7")
        influence.move(draft, draft.seat, source, target, rule="vr:influence.7")
        turns.to_phase(draft, 3)

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer each arrondissement with influence of the player, except the Director's."""
        target = _manoeuvre_area(state, seat)
        if target is not None and influence.is_free(state, seat, target):
            for area in influenced(state, seat):
                if area != target:
                    yield Choice({"source": area}, alike="move")


# ----------------------------------------------------------------------------------------------
# Effects of cards
# ----------------------------------------------------------------------------------------------

Reaching = Add | Eliminate | InfluenceEliminateOrAdd


def reachable(state: VirtualRevolution, doing: Doing, effect: Reaching) -> list[int]:
    """Return the arrondissements open to an effect, with any tokens in them; none without a Director."""
    catalogue = pieces(state)
    match effect.where:
        case "arrondissement":
            return [] if doing.area is None else [doing.area]
        case "adjacent":
            return [] if doing.area is None else sorted(catalogue.places[doing.area].adjacent)
        case "districts":
            return [area for district in effect.districts for area in catalogue.members[district]]
        case "own_controlled":
            return [area for area in catalogue.places if controls(state, doing.seat, area)]
        case "any":
            return list(catalogue.places)


def addable(state: VirtualRevolution, doing: Doing, effect: Add | InfluenceEliminateOrAdd) -> list[int]:
    """Return the arrondissements open to a token of the player; none with an empty board (vr:agents.8)."""
    if not reserve(state, doing.seat):
        return []
    return [area for area in reachable(state, doing, effect) if influence.is_free(state, doing.seat, area)]


def eliminable(
    state: VirtualRevolution, doing: Doing, effect: Eliminate | InfluenceEliminateOrAdd
) -> list[tuple[int, str]]:
    """Return the tokens open to elimination by an effect: pairs of arrondissement and owner."""
    mine, foes = [doing.seat], [seat for seat in state.seating if seat != doing.seat]
    owners = {"any": mine + foes, "opponent": foes, "own": mine}[effect.whose]
    return influence.owned_tokens(state, reachable(state, doing, effect), owners)


@effects.carries_out(Add, asks=True)
def _add(draft: Draft, effect: Add, doing: Doing) -> None:
    """Add up to the board's tokens to one arrondissement, or to several with `split` (vr:agents.8)."""
    pick = doing.pick()
    amount = min(effect.amount, reserve(draft.state, doing.seat))
    if effects.is_left_out(doing, pick) or not amount:
        return
    named = _places_named(pick)
    if len(named) > (amount if effect.split else 1):
        raise Impossible(
            doing.rule,
            "too many arrondissements are named: {named}",
            "trop d'arrondissements sont indiqués : {named}",
            named=len(named),
        )
    if len(named) in {0, 1}:
        area = _one_to_add(draft, effect, doing, named[0] if named else None)
        named = [] if area is None else [area] * amount
    elif len(named) < amount:
        raise Impossible(
            doing.rule,
            "name an arrondissement for each of the {amount} tokens, or one for all",
            "indiquez un arrondissement pour chacun des {amount} jetons, ou un seul pour tous",
            amount=amount,
        )
    for area in named:
        _require_addable(draft, effect, doing, area)
        influence.add(draft, doing.seat, area, rule=doing.rule)


def _places_named(pick: Pick | None) -> list[int]:
    """Return the arrondissements named by a player."""
    if pick is None:
        return []
    return [*pick.places] if pick.place is None else [pick.place, *pick.places]


def _one_to_add(draft: Draft, effect: Add | InfluenceEliminateOrAdd, doing: Doing, area: int | None) -> int | None:
    """Return the arrondissement for tokens; None without an option, and the effect is lost (vr:influence.9)."""
    if area is not None:
        _require_addable(draft, effect, doing, area)
        return area
    return effects.chosen(doing, addable(draft.state, doing, effect), None, must=True)


def _require_addable(draft: Draft, effect: Add | InfluenceEliminateOrAdd, doing: Doing, area: int) -> None:
    """Raise Impossible for an arrondissement out of reach (vr:agents.6), or with an opponent's tokens
    (vr:influence.9).
    """
    in_reach = reachable(draft.state, doing, effect)
    if area in in_reach:
        influence.require_free(draft, doing.seat, area, doing.rule)
    else:
        effects.chosen(doing, in_reach, area)


@effects.carries_out(Eliminate, asks=True)
def _eliminate(draft: Draft, effect: Eliminate, doing: Doing) -> None:
    """Eliminate tokens; without a token in reach nothing happens."""
    pick = doing.pick()
    if not effects.is_left_out(doing, pick):
        for _ in range(effect.amount):
            _eliminate_one(draft, effect, doing, pick)


def _eliminate_one(
    draft: Draft, effect: Eliminate | InfluenceEliminateOrAdd, doing: Doing, pick: Pick | None
) -> None:
    """Eliminate the token named by the player, or the only token in reach."""
    in_reach = eliminable(draft.state, doing, effect)
    area, whose = (None, None) if pick is None else (pick.place, pick.whose)
    if not in_reach and area is None and whose is None:
        return
    matches = [token for token in in_reach if area in {None, token[0]} and whose in {None, token[1]}]
    if not matches:
        raise Impossible(
            doing.rule,
            "there is no such influence token within reach",
            "il n'y a pas de tel jeton Influence à portée",
        )
    if len({token[0] for token in matches}) > 1:
        effects.chosen(doing, sorted({token[0] for token in matches}), None, must=True)
    owner = effects.chosen(doing, [token[1] for token in matches], whose, must=True)
    if owner is not None:
        influence.eliminate(draft, doing.seat, matches[0][0], owner, rule=doing.rule)


@effects.carries_out(InfluenceEliminateOrAdd, asks=True)
def _eliminate_or_add(draft: Draft, effect: InfluenceEliminateOrAdd, doing: Doing) -> None:
    """Eliminate a token of anybody; with `add`, add a token of the player (vr:promotion.11)."""
    pick = doing.pick()
    if effects.is_left_out(doing, pick):
        return
    if pick is None or not pick.add:
        _eliminate_one(draft, effect, doing, pick)
        return
    area = _one_to_add(draft, effect, doing, pick.place)
    if area is not None:
        influence.add(draft, doing.seat, area, rule=doing.rule)


@effects.carries_out(InfluenceToRecycling)
def _recycle(draft: Draft, effect: InfluenceToRecycling, doing: Doing) -> None:
    """Move tokens of the board to the recycling zone (vr:verse_card.19)."""
    influence.to_recycling(draft, doing.seat, effect.amount, rule=doing.rule)


@effects.carries_out(PlaceServer)
def _place_server(draft: Draft, effect: PlaceServer, doing: Doing) -> None:
    """Place a Server in the Director's arrondissement, under the conditions of building (vr:agents.18)."""
    area = doing.area
    if area is None:
        return
    refusal = influence.site_refusal(draft.state, doing.seat, area)
    if refusal is not None:
        raise refusal.citing(doing.rule)
    influence.place_server(draft, doing.seat, area, rule=doing.rule)


def server_targets(state: VirtualRevolution, source: int) -> list[int]:
    """Return the arrondissements open to a Server's move: adjacent, and allowed to the owner (vr:agents.21)."""
    owner = builder(state, source)
    if owner is None:
        return []
    near = sorted(pieces(state).places[source].adjacent)
    return [area for area in near if influence.is_site(state, owner, area, ignoring=source)]


@effects.carries_out(MoveServer, asks=True)
def _move_server(draft: Draft, effect: MoveServer, doing: Doing) -> None:
    """Move the Server of the arrondissement to a neighbour; the move is optional (vr:agents.21)."""
    pick = doing.pick()
    source = doing.area
    owner = None if source is None else builder(draft.state, source)
    choice = None if pick is None else pick.place
    if source is None or owner is None:
        if choice is not None:
            raise Impossible(
                doing.rule,
                "there is no Server where the Director is",
                "il n'y a pas de Serveur là où est le Directeur",
            )
        return
    if effects.is_left_out(doing, pick):
        return
    refusal = None if choice is None else _no_target(draft.state, owner, source, choice)
    if refusal is not None:
        raise refusal.citing(doing.rule)
    target = effects.chosen(doing, server_targets(draft.state, source), choice, must=True)
    if target is not None:
        influence.move_server(draft, doing.seat, owner, source, target, rule=doing.rule)


def _no_target(state: VirtualRevolution, owner: str, source: int, target: int) -> Impossible | None:
    """Return the refusal of a Server in an adjacent arrondissement; None if allowed, or not adjacent."""
    if target not in pieces(state).places[source].adjacent:
        return None
    return influence.site_refusal(state, owner, target, ignoring=source)
