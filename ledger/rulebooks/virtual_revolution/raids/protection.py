"""What a raid or an attack takes, and what a Title keeps from being discarded (vr:title.13).

A player answers with the thing that is lost, or with the thing that should be lost and is kept. Keeping it uses
the Title, and nothing is lost in its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.virtual_revolution.map import titles
from ledger.rulebooks.virtual_revolution.raids import losses
from ledger.rulebooks.virtual_revolution.table import effects
from ledger.rulebooks.virtual_revolution.table.effects import Doing
from ledger.rulebooks.virtual_revolution.table.operations import Effect, KeepFromDiscard
from ledger.rulebooks.virtual_revolution.table.pieces import Title
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution, pieces, titles_of
from ledger.rulebooks.virtual_revolution.table.terms import title

chapter = Chapter("Protection")


@chapter.event
class ThingKept(Event, frozen=True, kw_only=True):
    """A player keeps what should have been discarded (vr:title.13)."""

    en = "{seat:seat} keeps {thing:thing}."
    fr = "{seat:seat} conserve {thing:thing}."

    seat: str
    thing: str


def keeping(state: VirtualRevolution, seat: str) -> tuple[Title, KeepFromDiscard] | None:
    """The upright Title of a seat that keeps a thing from being discarded, with what it does; None without."""
    for district in titles_of(state, seat):
        card = pieces(state).titles[district]
        kept = next((effect for effect in card.effects if isinstance(effect, KeepFromDiscard)), None)
        if kept is not None and title(district) not in state.tilted:
            return card, kept
    return None


def protectable(state: VirtualRevolution, seat: str, found: Iterable[str]) -> tuple[str, ...]:
    """Those of the things that would be lost that the seat can keep."""
    held = keeping(state, seat)
    if held is None:
        return ()
    meant = losses.losable(state, seat, held[1].among)
    return tuple(thing for thing in found if thing in meant)


def needs_choice(state: VirtualRevolution, seat: str, effect: Effect) -> bool:
    """Whether an effect leaves a choice: of what is lost, or whether to keep it."""
    found = losses.options(state, seat, effect)
    return len(found) > 1 or bool(protectable(state, seat, found))


def answers(state: VirtualRevolution, seat: str, wanted: Sequence[Effect]) -> Iterable[dict[str, str]]:
    """The answers to effects that take something: what is lost, or what is kept; an empty one without a choice."""
    found = next((things for effect in wanted if (things := losses.options(state, seat, effect))), ())
    kept = protectable(state, seat, found)
    if len(found) == 1:
        yield {}
    else:
        yield from ({"lose": thing} for thing in found)
    yield from ({"protect": thing} for thing in kept)
    if not found:
        yield {}


def undergo(
    draft: Draft,
    seat: str,
    wanted: Sequence[Effect],
    source: str,
    lose: str | None,
    protect: str | None,
    *,
    rule: str,
) -> None:
    """Carry out the effects of a raid or an attack on a seat.

    `lose` and `protect` are the player's answer to the first one that takes a thing. Of what is left to choose
    after that, the first thing is taken. Raises Impossible for an answer that no effect asks for.
    """
    answered = False
    for effect in wanted:
        for one in losses.units(effect):
            found = losses.options(draft.state, seat, one)
            if not found:
                if not losses.takes_thing((one,)):
                    effects.carry_out(draft, (one,), Doing(seat=seat, rule=rule, source=source))
                continue
            if protect is not None:
                _keep(draft, seat, found, protect, lose, rule)
            else:
                thing = found[0] if answered else losses.chosen(draft, seat, one, found, lose, rule)
                losses.take(draft, seat, one, thing, rule=rule)
            lose, protect, answered = None, None, True
    losses.require_nothing_named(lose or protect, rule)


def _keep(draft: Draft, seat: str, found: Sequence[str], protect: str, lose: str | None, rule: str) -> None:
    """Use the Title to keep a thing that should be discarded."""
    held = keeping(draft.state, seat)
    if held is None:
        raise Impossible(
            "vr:title.13",
            "{seat:seat} holds no Title that keeps something, or has used it in this round",
            "{seat:seat} n'a pas de Titre qui conserve quelque chose, ou l'a utilisé dans cette manche",
            seat=seat,
        ).citing(rule)
    possible = protectable(draft.state, seat, found)
    thing = next((one for one in possible if protect in {one, one.removeprefix("card:")}), None)
    if thing is None or lose not in {None, protect, thing}:
        raise Impossible(
            held[0].rule,
            "what can be kept is: {possible:each|thing}",
            "ce qui peut être conservé : {possible:each|thing}",
            possible=possible,
        ).citing(rule)
    titles.use(draft, seat, held[0].district, rule=held[0].rule)
    draft.record(ThingKept(rule=held[0].rule, seat=seat, thing=thing))
