"""Rulebooks of Négoces 2 with one leak each, to test whether the attacker finds it."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

import msgspec

from ledger.kernel.audience import BANKER_ONLY, EVERYONE, Audience, Viewer
from ledger.kernel.display import Display
from ledger.kernel.events import Event, tag_of
from ledger.kernel.rulebook import Rulebook
from ledger.rulebooks.negoces2 import RULEBOOK, Negoces2Rules, forced_sales, offers, sales
from ledger.rulebooks.negoces2.table import Negoces2


def with_events(*changed: type[Event], base: type[Negoces2Rules] = Negoces2Rules) -> Rulebook[Negoces2]:
    """The rulebook with these events instead of those with the same tag."""
    by_tag = {tag_of(event): event for event in changed}
    chapters = []
    for chapter in RULEBOOK.chapters:
        other = copy(chapter)
        other.events = [by_tag.get(tag_of(event), event) for event in chapter.events]
        chapters.append(other)
    return base(RULEBOOK.register, chapters)


def widened(event: type[Event]) -> type[Event]:
    """The event, shown to everybody."""

    class Widened(event, frozen=True, kw_only=True, tag=tag_of(event)):  # type: ignore[misc, valid-type]
        def audience(self) -> Audience:
            return EVERYONE

    return Widened


def unredacted(event: type[Event]) -> type[Event]:
    """The event, without redaction."""

    class Unredacted(event, frozen=True, kw_only=True, tag=tag_of(event)):  # type: ignore[misc, valid-type]
        def redacted(self, viewer: Viewer) -> Event:
            return self

    return Unredacted


def half_redacted(event: type[Event]) -> type[Event]:
    """The event without its secret field, but with the postings that reveal it."""

    class Half(event, frozen=True, kw_only=True, tag=tag_of(event)):  # type: ignore[misc, valid-type]
        def redacted(self, viewer: Viewer) -> Event:
            return msgspec.structs.replace(super().redacted(viewer), postings=self.postings)

    return Half


def foretold(event: type[Event]) -> type[Event]:
    """The event, fully revealed by a dry run."""

    class Foretold(event, frozen=True, kw_only=True, tag=tag_of(event)):  # type: ignore[misc, valid-type]
        def reveals(self) -> Audience:
            return BANKER_ONLY

    return Foretold


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
