"""Rulebooks of Négoces 2 with one leak each, to test whether the attacker finds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ledger.kernel.facts.audience import EVERYONE, Audience, Viewer
from ledger.kernel.facts.events import Event
from ledger.kernel.rules.display import Display
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks.negoces2 import RULEBOOK, Negoces2Rules, forced_sales, offers, sales
from ledger.rulebooks.negoces2.table import Negoces2
from tests.harness.leaking import foretold, half_redacted, leaking, unredacted, widened


def with_events(*changed: type[Event], base: type[Negoces2Rules] = Negoces2Rules) -> Rulebook[Negoces2]:
    """The rulebook with these events instead of those with the same tag."""
    return leaking(RULEBOOK, *changed, base=base)


class OpenHands(Negoces2Rules):
    def holding_audience(self, state: Negoces2, account: str, commodity: str) -> Audience:
        return EVERYONE if account.startswith("hand:") else super().holding_audience(state, account, commodity)


class OpenMarket(Negoces2Rules):
    def holding_audience(self, state: Negoces2, account: str, commodity: str) -> Audience:
        return EVERYONE if account.startswith("market:") else super().holding_audience(state, account, commodity)


class ThinVeil(Negoces2Rules):
    def veil(self, commodity: str) -> str | None:
        return commodity


class TalkativeView(Negoces2Rules):
    def own_view(self, state: Negoces2, viewer: Viewer) -> dict[str, Any]:
        return {**super().own_view(state, viewer), "everything": state.holdings.as_dict()}


class TalkativeScreen(Negoces2Rules):
    def display(self, state: Negoces2, viewer: Viewer, language: str) -> Display:
        return super().display(state, Viewer("banker"), language)


SECRETS = (
    sales.CardLaid,
    offers.OfferMade,
    offers.OfferChanged,
    offers.OfferWithdrawn,
    offers.OfferReturned,
    sales.OfferAccepted,
    forced_sales.SaleForced,
    forced_sales.CardChosen,
)
LEAKS: dict[str, Callable[[], Rulebook[Negoces2]]] = {
    **{
        f"{change.__name__} {event.__name__}": lambda change=change, event=event: with_events(change(event))
        for change in (widened, unredacted, half_redacted)
        for event in SECRETS
    },
    "foretold OfferAccepted": lambda: with_events(foretold(sales.OfferAccepted)),
    "open hands": lambda: with_events(base=OpenHands),
    "open market": lambda: with_events(base=OpenMarket),
    "thin veil": lambda: with_events(base=ThinVeil),
    "talkative view": lambda: with_events(base=TalkativeView),
    "talkative screen": lambda: with_events(base=TalkativeScreen),
}
