"""Using a Title: whatever it does by itself, at any moment of its holder's turn (vr:title.7 to vr:title.15)."""

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
        """Those tied to an Action are declared with it; the one for raids and attacks is used in them."""
        turn = on_turn(draft)
        state, seat, district = draft.state, draft.seat, self.title.removeprefix("title:")
        found = pieces_of(state).titles.get(district)
        rule = "vr:title.7" if found is None else found.rule
        draft.draws.offer(self.drawn)
        titles.use(draft, seat, district, rule=rule)
        if found is None:
            return
        apart = titles.elsewhere(found)
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
        doing = Doing(seat=seat, rule=rule, source=district, here=turn.director, picks=list(self.picks))
        events = len(draft.events)
        for effect in found.effects:
            before = len(draft.events)
            effects.carry_out(draft, (effect,), doing)
            if isinstance(effect, ChooseOne) and len(draft.events) == before:
                raise _useless(rule, district)
        doing.require_none_left()
        if len(draft.events) == events:
            raise _useless(rule, district)

    def redacted(self) -> Mapping[str, Any]:
        """Cards drawn with it are not public."""
        return {"title": self.title}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Each upright Title that is used by itself."""
        if not is_turn_of(state, seat):
            return
        turn = state.turn
        for district in titles_of(state, seat):
            found = pieces_of(state).titles[district]
            if not titles.is_usable(state, seat, district) or titles.elsewhere(found) is not None:
                continue
            here = None if turn is None else turn.director
            doing = Doing(seat=seat, rule=found.rule, source=district, here=here)
            asked = effects.asking(found.effects)
            for picks in tries.combined(state, asked, doing) if asked else [None]:
                yield Choice({"title": district} | ({"picks": picks} if picks else {}), free=("picks",))


def _useless(rule: str, district: str) -> Impossible:
    """The refusal to use a Title when nothing would happen."""
    return Impossible(
        rule,
        "the Title of {district:district} would do nothing now",
        "le Titre {district:district} ne ferait rien maintenant",
        district=district,
    )
