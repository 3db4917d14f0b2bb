"""The influence phase: add, eliminate or move one token; and what cards do on the map (vr:influence.*)."""

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
    """The arrondissement of the Director of the turn, in the influence phase. Raises Impossible outside of it."""
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


def _here(state: VirtualRevolution, seat: str) -> int | None:
    """The arrondissement in which a player may do a manoeuvre now; None for none."""
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
        """The token comes from the player's board alone (vr:influence.4)."""
        place = _place_of_turn(draft)
        draft.draws.offer(self.drawn)
        influence.add(draft, draft.seat, place, rule="vr:influence.2")
        decking.draw_corruption(draft, draft.seat, 1, rule="vr:influence.3")
        turns.to_phase(draft, 3)

    def redacted(self) -> Mapping[str, Any]:
        """The card drawn is hidden."""
        return {}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Where no other player has influence, with a token left."""
        here = _here(state, seat)
        if here is not None and reserve(state, seat) and influence.is_free(state, seat, here):
            yield Choice({})


@chapter.action(
    summary=("eliminate influence where one's Director is", "éliminer de l'influence là où est son Directeur"),
    when=("in the influence phase of one's turn", "pendant la phase d'influence de son tour"),
)
class InfluenceEliminate(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Eliminate one token where the Director is, and draw a Corruption card (vr:influence.5, vr:influence.6)."""

    whose: SeatId | None = None
    """Whose token; it may be left out, since all tokens in an arrondissement are of one player."""
    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """One's own token or another player's."""
        place = _place_of_turn(draft)
        draft.draws.offer(self.drawn)
        owner = self.whose or influencer(draft.state, place) or draft.seat
        seat_named(draft.state, owner, "vr:influence.5")
        influence.eliminate(draft, draft.seat, place, owner, rule="vr:influence.5")
        decking.draw_corruption(draft, draft.seat, 1, rule="vr:influence.6")
        turns.to_phase(draft, 3)

    def redacted(self) -> Mapping[str, Any]:
        """The card drawn is hidden."""
        return {} if self.whose is None else {"whose": self.whose}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """The player who has influence there."""
        here = _here(state, seat)
        owner = None if here is None else influencer(state, here)
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
        """From any other arrondissement."""
        place = _place_of_turn(draft)
        source = place_named(draft, self.source, "vr:influence.7")
        influence.move(draft, draft.seat, source, place, rule="vr:influence.7")
        turns.to_phase(draft, 3)

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Each other arrondissement with influence of the player."""
        here = _here(state, seat)
        if here is not None and influence.is_free(state, seat, here):
            for place in influenced(state, seat):
                if place != here:
                    yield Choice({"source": place}, alike="move")


# ----------------------------------------------------------------------------------------------
# Effects of cards
# ----------------------------------------------------------------------------------------------

Reaching = Add | Eliminate | InfluenceEliminateOrAdd


def reachable(state: VirtualRevolution, doing: Doing, effect: Reaching) -> list[int]:
    """The arrondissements where an effect may act, whatever is in them; none where there is no Director."""
    found = pieces(state)
    match effect.where:
        case "arrondissement":
            return [] if doing.here is None else [doing.here]
        case "adjacent":
            return [] if doing.here is None else sorted(found.places[doing.here].adjacent)
        case "districts":
            return [place for district in effect.districts for place in found.members[district]]
        case "own_controlled":
            return [place for place in found.places if controls(state, doing.seat, place)]
        case "any":
            return list(found.places)


def addable(state: VirtualRevolution, doing: Doing, effect: Add | InfluenceEliminateOrAdd) -> list[int]:
    """Where an effect may add a token of the player; nowhere without one on the board (vr:agents.8)."""
    if not reserve(state, doing.seat):
        return []
    return [place for place in reachable(state, doing, effect) if influence.is_free(state, doing.seat, place)]


def eliminable(
    state: VirtualRevolution, doing: Doing, effect: Eliminate | InfluenceEliminateOrAdd
) -> list[tuple[int, str]]:
    """The tokens that an effect may eliminate: arrondissement and owner."""
    own, foes = [doing.seat], [seat for seat in state.seating if seat != doing.seat]
    owners = {"any": own + foes, "opponent": foes, "own": own}[effect.whose]
    return influence.owned_tokens(state, reachable(state, doing, effect), owners)


@effects.carries_out(Add, asks=True)
def _add(draft: Draft, effect: Add, doing: Doing) -> None:
    """Add tokens in one arrondissement, or with `split` in several; as many as the board holds (vr:agents.8)."""
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
        place = _one_to_add(draft, effect, doing, named[0] if named else None)
        named = [] if place is None else [place] * amount
    elif len(named) < amount:
        raise Impossible(
            doing.rule,
            "name an arrondissement for each of the {amount} tokens, or one for all",
            "indiquez un arrondissement pour chacun des {amount} jetons, ou un seul pour tous",
            amount=amount,
        )
    for place in named:
        _require_addable(draft, effect, doing, place)
        influence.add(draft, doing.seat, place, rule=doing.rule)


def _places_named(pick: Pick | None) -> list[int]:
    """The arrondissements that a player has named."""
    if pick is None:
        return []
    return [*pick.places] if pick.place is None else [pick.place, *pick.places]


def _one_to_add(
    draft: Draft, effect: Add | InfluenceEliminateOrAdd, doing: Doing, wanted: int | None
) -> int | None:
    """The arrondissement for tokens; None where there is none, and the effect is lost (vr:influence.9)."""
    if wanted is not None:
        _require_addable(draft, effect, doing, wanted)
        return wanted
    return effects.chosen(doing, addable(draft.state, doing, effect), None, must=True)


def _require_addable(draft: Draft, effect: Add | InfluenceEliminateOrAdd, doing: Doing, place: int) -> None:
    """Refuse an arrondissement out of reach (vr:agents.6), or with another player's tokens (vr:influence.9)."""
    found = reachable(draft.state, doing, effect)
    if place in found:
        influence.require_free(draft, doing.seat, place, doing.rule)
    else:
        effects.chosen(doing, found, place)


@effects.carries_out(Eliminate, asks=True)
def _eliminate(draft: Draft, effect: Eliminate, doing: Doing) -> None:
    """Eliminate tokens; where none stands nothing happens."""
    pick = doing.pick()
    if not effects.is_left_out(doing, pick):
        for _ in range(effect.amount):
            _eliminate_one(draft, effect, doing, pick)


def _eliminate_one(
    draft: Draft, effect: Eliminate | InfluenceEliminateOrAdd, doing: Doing, pick: Pick | None
) -> None:
    """Eliminate the token that the player names, or the only one there is."""
    found = eliminable(draft.state, doing, effect)
    place, whose = (None, None) if pick is None else (pick.place, pick.whose)
    if not found and place is None and whose is None:
        return
    there = [one for one in found if place in {None, one[0]} and whose in {None, one[1]}]
    if not there:
        raise Impossible(
            doing.rule,
            "there is no such influence token within reach",
            "il n'y a pas de tel jeton Influence à portée",
        )
    if len({one[0] for one in there}) > 1:
        effects.chosen(doing, sorted({one[0] for one in there}), None, must=True)
    owner = effects.chosen(doing, [one[1] for one in there], whose, must=True)
    if owner is not None:
        influence.eliminate(draft, doing.seat, there[0][0], owner, rule=doing.rule)


@effects.carries_out(InfluenceEliminateOrAdd, asks=True)
def _eliminate_or_add(draft: Draft, effect: InfluenceEliminateOrAdd, doing: Doing) -> None:
    """Eliminate anybody's token; or, said with `add`, add one's own (vr:promotion.11)."""
    pick = doing.pick()
    if effects.is_left_out(doing, pick):
        return
    if pick is None or not pick.add:
        _eliminate_one(draft, effect, doing, pick)
        return
    place = _one_to_add(draft, effect, doing, pick.place)
    if place is not None:
        influence.add(draft, doing.seat, place, rule=doing.rule)


@effects.carries_out(InfluenceToRecycling)
def _recycle(draft: Draft, effect: InfluenceToRecycling, doing: Doing) -> None:
    """Move tokens of the board to the recycling zone (vr:verse_card.19)."""
    influence.to_recycling(draft, doing.seat, effect.amount, rule=doing.rule)


@effects.carries_out(PlaceServer)
def _place_server(draft: Draft, effect: PlaceServer, doing: Doing) -> None:
    """Place a Server where the Director is, under the conditions of building (vr:agents.18)."""
    here = doing.here
    if here is None:
        return
    refusal = influence.site_refusal(draft.state, doing.seat, here)
    if refusal is not None:
        raise refusal.citing(doing.rule)
    influence.place_server(draft, doing.seat, here, rule=doing.rule)


def server_targets(state: VirtualRevolution, here: int) -> list[int]:
    """Where the Server of an arrondissement may go: adjacent, and fit for its owner (vr:agents.21)."""
    owner = builder(state, here)
    if owner is None:
        return []
    near = sorted(pieces(state).places[here].adjacent)
    return [place for place in near if influence.is_site(state, owner, place, ignoring=here)]


@effects.carries_out(MoveServer, asks=True)
def _move_server(draft: Draft, effect: MoveServer, doing: Doing) -> None:
    """Move the Server of the arrondissement to an adjacent one; it may be declined (vr:agents.21)."""
    pick = doing.pick()
    here = doing.here
    owner = None if here is None else builder(draft.state, here)
    wanted = None if pick is None else pick.place
    if here is None or owner is None:
        if wanted is not None:
            raise Impossible(
                doing.rule,
                "there is no Server where the Director is",
                "il n'y a pas de Serveur là où est le Directeur",
            )
        return
    if effects.is_left_out(doing, pick):
        return
    refusal = None if wanted is None else _no_target(draft.state, owner, here, wanted)
    if refusal is not None:
        raise refusal.citing(doing.rule)
    place = effects.chosen(doing, server_targets(draft.state, here), wanted, must=True)
    if place is not None:
        influence.move_server(draft, doing.seat, owner, here, place, rule=doing.rule)


def _no_target(state: VirtualRevolution, owner: str, here: int, wanted: int) -> Impossible | None:
    """Why a Server may not go to an adjacent arrondissement; None where it may, or that is not adjacent."""
    if wanted not in pieces(state).places[here].adjacent:
        return None
    return influence.site_refusal(state, owner, wanted, ignoring=here)
