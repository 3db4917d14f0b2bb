"""The movements of an account: the postings visible to a viewer, and the balances after each posting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import sees_holding, view_event
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.kernel.rules.rulebook import Rulebook


class Movement(msgspec.Struct, frozen=True):
    """A posting of an account as visible to a viewer: event, signed amount, and the holdings afterwards."""

    timeline_entry: TimelineEntry
    event: Event
    offset: int
    """The index of the event among the events of the action."""
    posting: Posting
    counterparty: str
    amount: int
    holdings: Mapping[str, int]
    """The account's true holdings after the posting, or after its whole event.

    Holds all commodities when the posting shows a veil, otherwise only the posting's commodity.
    """
    later: int
    """The amount moved by the event's later postings of the commodity, if `holdings` includes them already."""
    is_veiled: bool

    def balance(self, rulebook: Rulebook[Any], state: State, account: str, viewer: Viewer) -> int | None:
        """Return the balance of the posting's commodity after the posting, or None if invisible to the viewer.

        The state of the moment decides the audience of the balance.
        """
        name = self.posting.commodity
        if not self.is_veiled:
            sees = sees_holding(rulebook.secrets, state, account, name, viewer)
            return self.holdings[name] - self.later if sees else None
        hidden = (
            amount
            for commodity, amount in self.holdings.items()
            if rulebook.secrets.veil(commodity) == name
            and not sees_holding(rulebook.secrets, state, account, commodity, viewer)
        )
        return sum(hidden) - self.later


def movements(
    timeline_entry: TimelineEntry, account: str, running: dict[str, int], current: State, viewer: Viewer
) -> Iterator[Movement]:
    """Yield the visible movements of an account in the effective events of an action.

    Updates `running`, the holdings of the account.
    """
    for offset, event in enumerate(timeline_entry.events):
        visible = view_event(current, event, viewer)
        whole = visible is event
        if not whole:
            for posting in event.postings:
                _follow(posting, account, running)
        if visible is None:
            continue
        postings = [posting for posting in visible.postings if account in {posting.source, posting.target}]
        for index, posting in enumerate(postings):
            if whole:
                _follow(posting, account, running)
            is_veiled = not whole and posting not in event.postings
            commodity = posting.commodity
            yield Movement(
                timeline_entry=timeline_entry,
                event=visible,
                offset=offset,
                posting=posting,
                counterparty=posting.source if posting.target == account else posting.target,
                amount=_signed(posting, account),
                holdings=dict(running) if is_veiled else {commodity: running.get(commodity, 0)},
                later=0
                if whole
                else sum(
                    _signed(following, account)
                    for following in postings[index + 1 :]
                    if following.commodity == commodity
                ),
                is_veiled=is_veiled,
            )


def _signed(posting: Posting, account: str) -> int:
    return posting.amount if posting.target == account else -posting.amount


def _follow(posting: Posting, account: str, running: dict[str, int]) -> None:
    if account in {posting.source, posting.target}:
        running[posting.commodity] = running.get(posting.commodity, 0) + _signed(posting, account)


def searchable_commodity(rulebook: Rulebook[Any], commodity: str | None, viewer: Viewer) -> str | None:
    """Return the commodity for a selection by the store, or None if the viewer may see a veil instead."""
    return commodity if viewer.sees_all or not rulebook.secrets.veils else None
