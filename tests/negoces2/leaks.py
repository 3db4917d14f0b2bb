"""Rulebooks of Négoces 2 with one leak each, to test whether the attacker finds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ledger.kernel.facts.audience import EVERYONE, Audience, Viewer
from ledger.kernel.rules.display import Display
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks.negoces2 import RULEBOOK, forced_sales, offers, sales
from ledger.rulebooks.negoces2.showing.display import Negoces2Screen
from ledger.rulebooks.negoces2.table import Negoces2
from ledger.rulebooks.negoces2.views import Negoces2Secrets
from tests.harness.leaking import foretold, half_redacted, leaking, unredacted, widened


class OpenHands(Negoces2Secrets):
    def holding_audience(self, state: Negoces2, account: str, commodity: str) -> Audience:
        return EVERYONE if account.startswith("hand:") else super().holding_audience(state, account, commodity)


class OpenMarket(Negoces2Secrets):
    def holding_audience(self, state: Negoces2, account: str, commodity: str) -> Audience:
        return EVERYONE if account.startswith("market:") else super().holding_audience(state, account, commodity)


class ThinVeil(Negoces2Secrets):
    def veil(self, commodity: str) -> str | None:
        return commodity


class TalkativeView(Negoces2Screen):
    def own_view(self, state: Negoces2, viewer: Viewer) -> dict[str, Any]:
        return {**super().own_view(state, viewer), "everything": state.holdings.as_dict()}


class TalkativeScreen(Negoces2Screen):
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
        f"{change.__name__} {event.__name__}": lambda change=change, event=event: leaking(RULEBOOK, change(event))
        for change in (widened, unredacted, half_redacted)
        for event in SECRETS
    },
    "foretold OfferAccepted": lambda: leaking(RULEBOOK, foretold(sales.OfferAccepted)),
    "open hands": lambda: leaking(RULEBOOK, secrets=OpenHands()),
    "open market": lambda: leaking(RULEBOOK, secrets=OpenMarket()),
    "thin veil": lambda: leaking(RULEBOOK, secrets=ThinVeil()),
    "talkative view": lambda: leaking(RULEBOOK, screen=TalkativeView()),
    "talkative screen": lambda: leaking(RULEBOOK, screen=TalkativeScreen()),
}
