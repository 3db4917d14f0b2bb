"""Dry runs: the entry that a request would write, for one viewer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.state import State
from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.sight import (
    foreseeable,
    foreseen,
    seen_account,
    sees_holding,
    sight,
    veiled,
    viewer_now,
)
from ledger.kernel.journal.timeline import Standing
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.look import Held, Look, Moved, SeenHoldings, _effects, _moved, _seen
from ledger.reading.entries.text import _EntryText, _warnings
from ledger.reading.entries.views import Effect, EntryView
from ledger.reading.words.naming import Names


def view_dry_run(
    rulebook: Rulebook[Any],
    entry: Entry,
    events: Sequence[Event],
    before: State,
    after: State,
    viewer: Viewer,
    language: str,
    changes: Mapping[str, Mapping[str, int]] = MappingProxyType({}),
    since: State | None = None,
) -> EntryView:
    """The view of an entry in a dry run. A dry run never reveals what only performing the action would.

    Takes the entry and its events, the states before and after it, and by how much a correction would change
    holdings (see `foreseen_changes`). A dry run of the action that ends the game reveals nothing either. Where
    other actions come first, `since` is the state after them, from which the effects are counted.
    """
    viewer = viewer_now(before, viewer)
    events = foreseeable(events, viewer)
    standing = Standing(entry, "effective", tuple(events), tuple(events), place=(entry.number, 0, 0))
    shown = msgspec.structs.replace(
        sight(standing, viewer),
        recorded=tuple(
            (place, visible)
            for place, event in enumerate(events)
            if (visible := foreseen(event, viewer)) is not None
        ),
    )
    learnt = _learnt(events, before, after, viewer)
    held = _foreseen_holdings(rulebook, events, learnt, before, after, viewer)
    moved = _moved(shown.recorded, changes)
    effects = _foreseen_effects(
        moved,
        SeenHoldings(rulebook, before if since is None else since),
        SeenHoldings(rulebook, after) if learnt is None else None,
        held,
        viewer,
    )
    look = Look(
        shown,
        entry.first_seq if viewer.sees_all else None,
        viewer.seat is not None and entry.by == viewer.seat,
        _warnings(entry, shown, viewer),
        tuple(effects),
        _foreseen_balances(rulebook, moved, held),
        changes=changes,
    )
    return _EntryText(rulebook, Names(rulebook, before, language)).view(standing, b"", look)


def _foreseen_effects(
    moved: Moved, before: SeenHoldings, after: SeenHoldings | None, held: Held, viewer: Viewer
) -> Iterator[Effect]:
    """The changes that a dry run may tell of: from the state before to the holdings that it foresees.

    `after` is the state after it, where the dry run may show that; None where it may not.
    """
    if after is not None:
        yield from _effects(_seen(moved, before, viewer), _seen(moved, after, viewer))
        return
    told: set[tuple[str, str]] = set()
    for account, commodity in moved:
        had = before.seen(account, commodity, viewer)
        if had is None or (account, had[0]) in told:
            continue
        told.add((account, had[0]))
        has = held(account).get(had[0], 0)
        if has != had[1]:
            yield Effect(account, *had, has)


def _foreseen_balances(rulebook: Rulebook[Any], moved: Moved, held: Held) -> dict[str, Mapping[str, int]]:
    """The holdings of what a dry run moves, as it foresees them."""
    concerned: dict[str, set[str | None]] = {}
    for account, commodity in moved:
        concerned.setdefault(account, set()).update((commodity, rulebook.veil(commodity)))
    found = {
        account: {one: amount for one, amount in held(account).items() if one in commodities}
        for account, commodities in concerned.items()
    }
    return {account: amounts for account, amounts in found.items() if amounts}


def _learnt(events: Sequence[Event], before: State, after: State, viewer: Viewer) -> list[bool] | None:
    """Which events would reveal something to the viewer; None when performing the action would reveal nothing."""
    if viewer.sees_all:
        return None
    learnt = [event.reveals().admits(viewer) for event in events]
    ends = after.ended and not before.ended
    return learnt if ends or any(learnt) else None


def _foreseen_holdings(
    rulebook: Rulebook[Any],
    events: Sequence[Event],
    learnt: list[bool] | None,
    before: State,
    after: State,
    viewer: Viewer,
) -> Held:
    """A function that gives the holdings of an account after a dry run's events.

    They are the visible holdings after the events, unless performing the action would reveal something to the
    viewer. Then they are the visible holdings before the events, changed by the visible postings. What would be
    revealed moves under its veil, or not at all, even into the viewer's own accounts.
    """
    if learnt is None:
        return lambda account: seen_account(rulebook, after, account, viewer)
    moved: list[tuple[Posting, bool]] = []
    for event, is_learnt in zip(events, learnt, strict=True):
        visible = event.redacted(viewer) if is_learnt else event
        if visible is not None:
            moved += [(posting, posting not in event.postings) for posting in visible.postings]

    def held(account: str) -> Mapping[str, int]:
        named: Counter[str] = Counter(before.holdings.account(account))
        under_veils: Counter[str] = Counter()
        for posting, is_veiled in moved:
            amounts = under_veils if is_veiled else named
            if posting.source == account:
                amounts[posting.commodity] -= posting.amount
            elif posting.target == account:
                amounts[posting.commodity] += posting.amount
        seen = {one for one in named if sees_holding(rulebook, before, account, one, viewer)}
        under_veils.update(veiled(rulebook, named, seen))
        return {commodity: amount for commodity, amount in sorted(under_veils.items()) if amount}

    return held
