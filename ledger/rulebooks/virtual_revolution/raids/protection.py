"""Losses in a raid or an attack, and the Title that saves a thing from the discard (vr:title.13).

A player answers with the thing to lose, or with the one to save. Saving a thing uses the Title, and nothing is
lost instead.
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
    """Return a seat's upright Title that saves a thing from the discard, with the effect; None without the
    Title.
    """
    for district in titles_of(state, seat):
        card = pieces(state).titles[district]
        keep_effect = next((effect for effect in card.effects if isinstance(effect, KeepFromDiscard)), None)
        if keep_effect is not None and title(district) not in state.tilted:
            return card, keep_effect
    return None


def protectable(state: VirtualRevolution, seat: str, things: Iterable[str]) -> tuple[str, ...]:
    """Return the things that the seat can save."""
    keeper = keeping(state, seat)
    if keeper is None:
        return ()
    meant = losses.losable(state, seat, keeper[1].among)
    return tuple(thing for thing in things if thing in meant)


def needs_choice(state: VirtualRevolution, seat: str, effect: Effect) -> bool:
    """Return True if an effect leaves a choice: of the loss, or of saving a thing."""
    options = losses.options(state, seat, effect)
    return len(options) > 1 or bool(protectable(state, seat, options))


def answers(state: VirtualRevolution, seat: str, due_effects: Sequence[Effect]) -> Iterable[dict[str, str]]:
    """Yield the answers to effects that take something: a thing to lose or to save; empty without a choice."""
    options = next((things for effect in due_effects if (things := losses.options(state, seat, effect))), ())
    savable = protectable(state, seat, options)
    if len(options) == 1:
        yield {}
    else:
        yield from ({"lose": thing} for thing in options)
    yield from ({"protect": thing} for thing in savable)
    if not options:
        yield {}


def undergo(
    draft: Draft,
    seat: str,
    due_effects: Sequence[Effect],
    source: str,
    lose: str | None,
    protect: str | None,
    *,
    rule: str,
) -> None:
    """Carry out the effects of a raid or an attack on a seat.

    `lose` and `protect` answer the first effect that takes a thing. Later losses take the first available
    thing. Raises Impossible for a superfluous answer.
    """
    answered = False
    for effect in due_effects:
        for unit in losses.units(effect):
            options = losses.options(draft.state, seat, unit)
            if not options:
                if not losses.takes_thing((unit,)):
                    effects.carry_out(draft, (unit,), Doing(seat=seat, rule=rule, source=source))
                continue
            if protect is not None:
                _keep(draft, seat, options, protect, lose, rule)
            else:
                thing = options[0] if answered else losses.chosen(draft, seat, unit, options, lose, rule)
                losses.take(draft, seat, unit, thing, rule=rule)
            lose, protect, answered = None, None, True
    losses.require_nothing_named(lose or protect, rule)


def _keep(draft: Draft, seat: str, options: Sequence[str], protect: str, lose: str | None, rule: str) -> None:
    """Use the Title to save a thing from the discard."""
    keeper = keeping(draft.state, seat)
    if keeper is None:
        raise Impossible(
            "vr:title.13",
            "{seat:seat} holds no Title that keeps something, or has used it in this round",
            "{seat:seat} n'a pas de Titre qui conserve quelque chose, ou l'a utilisé dans cette manche",
            seat=seat,
        ).citing(rule)
    possible = protectable(draft.state, seat, options)
    thing = next(
        (candidate for candidate in possible if protect in {candidate, candidate.removeprefix("card:")}), None
    )
    if thing is None or lose not in {None, protect, thing}:
        raise Impossible(
            keeper[0].rule,
            "what can be kept is: {possible:each|thing}",
            "ce qui peut être conservé : {possible:each|thing}",
            possible=possible,
        ).citing(rule)
    titles.use(draft, seat, keeper[0].district, rule=keeper[0].rule)
    draft.record(ThingKept(rule=keeper[0].rule, seat=seat, thing=thing))
