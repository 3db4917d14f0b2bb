"""Build a Server in the arrondissement of the turn's Director (vr:server.*)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.virtual_revolution.actions import work
from ledger.rulebooks.virtual_revolution.decks import corruption
from ledger.rulebooks.virtual_revolution.map import gaining, influence
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution, amounts, cash
from ledger.rulebooks.virtual_revolution.table.terms import REVENUE, VP2, Bonuses, Build, Drawn
from ledger.rulebooks.virtual_revolution.turn import bonuses, performing
from ledger.rulebooks.virtual_revolution.turn.modifiers import ConditionWaived
from ledger.rulebooks.virtual_revolution.turn.performing import Performing

chapter = Chapter("Servers")


def price(state: VirtualRevolution, seat: str) -> int:
    """Return the price of a Server for a seat in this round (vr:server.6)."""
    return performing.figure(state, seat, "build_server", "price", amounts(state).server_price)


@performing.performs(Build)
def _build(draft: Draft, build: Build, under_way: Performing) -> None:
    """Pay, then take Revenue, the token and a Corruption card, and place the Server last (vr:server.10)."""
    seat, area, many = under_way.seat, under_way.area, amounts(draft.state)
    waived = any(isinstance(event, ConditionWaived) for event in draft.events[under_way.since :])
    refusal = influence.site_refusal(draft.state, seat, area, needs_influence=not waived)
    if refusal is not None:
        raise refusal.citing("vr:server.1")
    cost = performing.tell_figure(draft, seat, "build_server", "price", many.server_price)
    gaining.pay(draft, seat, cost, "vr:server.6")
    gaining.gain(draft, seat, REVENUE, many.server_revenue, rule="vr:server.7")
    gaining.gain(draft, seat, VP2, many.server_vp2, rule="vr:server.8")
    corruption.draw_corruption(draft, seat, 1, rule="vr:server.9")
    influence.place_server(draft, seat, area, rule="vr:server.10")


@chapter.action(
    summary=("build a Server", "construire un Serveur"),
    when=("as the Action of one's own turn", "comme Action de son tour"),
)
class BuildServer(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Pay and put a Server where the Director of the turn is (vr:server.1 to vr:server.10)."""

    bonuses: Bonuses = None
    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Build the Server. The site needs influence and no Server, and the district no Server of the player,
        unless a card waives a condition.
        """
        performing.act(draft, Build(bonuses=self.bonuses), self.drawn)

    def redacted(self) -> Mapping[str, Any]:
        """Hide the card drawn."""
        return bonuses.redact_bonuses(self.bonuses)

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer the Action if the arrondissement allows a Server, possibly with a Title that waives a
        condition.
        """
        if not performing.may_act(state, seat) or state.turn is None or state.turn.director is None:
            return
        area, cost = state.turn.director, price(state, seat)
        money, _ = bonuses.expected(state, seat, "build_server")
        if cash(state, seat) + money < cost:
            return
        if influence.is_site(state, seat, area):
            yield Choice({}, free=("bonuses",), cost=cost)
        elif influence.is_site(state, seat, area, needs_influence=False):
            for declared in work.with_titles(state, seat, "build_server"):
                yield Choice({"bonuses": declared}, free=("bonuses",), cost=cost)
