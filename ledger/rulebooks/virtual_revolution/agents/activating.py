"""Using a Title by itself, at any moment of its holder's turn (vr:title.7 to vr:title.15)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.virtual_revolution.agents import tries
from ledger.rulebooks.virtual_revolution.map import titles
from ledger.rulebooks.virtual_revolution.table import effects
from ledger.rulebooks.virtual_revolution.table.effects import Doing
from ledger.rulebooks.virtual_revolution.table.operations import ChooseOne, KeepFromDiscard
from ledger.rulebooks.virtual_revolution.table.state import (
    Draft,
    VirtualRevolution,
    is_turn_of,
    on_turn,
    titles_of,
)
from ledger.rulebooks.virtual_revolution.table.state import pieces as pieces_of
from ledger.rulebooks.virtual_revolution.table.terms import DistrictId, Drawn, Picks

chapter = Chapter("Using Titles")


@chapter.action(
    summary=("use a Title", "activer un Titre"),
    when=("at any moment of one's own turn, once per round", "à tout moment de son tour, une fois par manche"),
)
class ActivateTitle(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The holder of a Title uses it (vr:title.7, vr:title.9 to vr:title.15)."""

    title: DistrictId
    picks: Picks = ()
    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Carry out the effects of the Title.

        Titles tied to an Action are refused: a player declares them with the Action. The Title for raids and
        attacks is refused, too: a player uses it during a raid or an attack.
        """
        turn = on_turn(draft)
        state, seat, district = draft.state, draft.seat, self.title.removeprefix("title:")
        held_title = pieces_of(state).titles.get(district)
        rule = "vr:title.7" if held_title is None else held_title.rule
        draft.draws.offer(self.drawn)
        titles.use(draft, seat, district, rule=rule)
        if held_title is None:
            return
        apart = titles.elsewhere(held_title)
        if isinstance(apart, KeepFromDiscard):
            raise Impossible(
                rule,
                "the Title of {district:district} is used in a raid or a Necro attack, when something is lost",
                "le Titre {district:district} sert lors d'une perquisition ou d'une attaque Nécro, à une défausse",
                district=district,
            )
        if apart is not None:
            raise Impossible(
                rule,
                "the Title of {district:district} is declared with its Action, as a bonus: {deed:deed}",
                "le Titre {district:district} se déclare avec son Action, en bonus : {deed:deed}",
                district=district,
                deed=getattr(apart, "when_action", None),
            )
        doing = Doing(seat=seat, rule=rule, source=district, area=turn.director, picks=list(self.picks))
        events = len(draft.events)
        for effect in held_title.effects:
            events_before = len(draft.events)
            effects.carry_out(draft, (effect,), doing)
            if isinstance(effect, ChooseOne) and len(draft.events) == events_before:
                raise _useless(rule, district)
        doing.require_none_left()
        if len(draft.events) == events:
            raise _useless(rule, district)

    def redacted(self) -> Mapping[str, Any]:
        """Hide the picks and the cards drawn."""
        return {"title": self.title}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer each upright Title with effects outside Actions, raids and attacks."""
        if not is_turn_of(state, seat):
            return
        turn = state.turn
        for district in titles_of(state, seat):
            held_title = pieces_of(state).titles[district]
            if not titles.is_usable(state, seat, district) or titles.elsewhere(held_title) is not None:
                continue
            area = None if turn is None else turn.director
            doing = Doing(seat=seat, rule=held_title.rule, source=district, area=area)
            asking = effects.asking(held_title.effects)
            for picks in tries.combined(state, asking, doing) if asking else [None]:
                yield Choice({"title": district} | ({"picks": picks} if picks else {}), free=("picks",))


def _useless(rule: str, district: str) -> Impossible:
    """Return the refusal to use a Title without any effect."""
    return Impossible(
        rule,
        "the Title of {district:district} would do nothing now",
        "le Titre {district:district} ne ferait rien maintenant",
        district=district,
    )
