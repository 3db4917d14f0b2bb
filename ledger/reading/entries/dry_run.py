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
    Shown,
    current_viewer,
    foreseeable,
    redact_for_dry_run,
    sees_holding,
    veiled,
    view_event,
    visible_entry,
    visible_holdings,
)
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.look import (
    Held,
    Look,
    Moved,
    SeenHoldings,
    amounts_moved,
    effects_between,
    seen_holdings,
    warnings_for,
)
from ledger.reading.entries.text import EntryText
from ledger.reading.entries.views import Effect, EntryView
from ledger.reading.money.obligations import new_obligations
from ledger.reading.words.naming import Names


def view_dry_run(
    rulebook: Rulebook[Any],
    entry: Entry,
    events: Sequence[Event],
    earlier: State,
    next_state: State,
    viewer: Viewer,
    language: str,
    changes: Mapping[str, Mapping[str, int]] = MappingProxyType({}),
    since: State | None = None,
) -> EntryView:
    """Build the view of an entry in a dry run. Secrets of the real action stay hidden.

    `earlier` and `next_state` are the states before and after the entry. `changes` are the changes of holdings
    by a correction (see `consequences.foreseen_changes`). A dry run of the last action of a game does not
    reveal the end. If other actions come first, the effects are counted from `since`, the state after these
    actions.
    """
    viewer = current_viewer(earlier, viewer)
    events = foreseeable(events, viewer)
    timeline_entry = TimelineEntry(entry, "effective", tuple(events), tuple(events), position=(entry.number, 0, 0))
    dry_entry = msgspec.structs.replace(
        visible_entry(timeline_entry, viewer),
        recorded=tuple(
            (offset, visible)
            for offset, event in enumerate(events)
            if (visible := redact_for_dry_run(event, viewer)) is not None
        ),
    )
    learnt = _revealing(events, earlier, next_state, viewer)
    balances = _foreseen_holdings(rulebook, events, learnt, earlier, next_state, viewer)
    moved = amounts_moved(dry_entry.recorded, changes)
    effects = _foreseen_effects(
        moved,
        SeenHoldings(rulebook, earlier if since is None else since),
        SeenHoldings(rulebook, next_state) if learnt is None else None,
        balances,
        viewer,
    )
    look = Look(
        dry_entry,
        entry.first_seq if viewer.sees_all else None,
        viewer.seat is not None and entry.by == viewer.seat,
        warnings_for(entry, dry_entry, viewer),
        tuple(effects),
        _foreseen_balances(rulebook, moved, balances),
        changes=changes,
    )
    view = EntryText(rulebook, Names(rulebook, earlier, language)).view(timeline_entry, b"", look)
    owed = () if learnt is not None else new_obligations(rulebook, earlier, next_state, viewer, language)
    seats = _readers(dry_entry.recorded, next_state)
    return msgspec.structs.replace(
        view,
        owed=owed or msgspec.UNSET,
        seen_by=msgspec.UNSET if len(seats) == len(next_state.seats) else seats,
    )


def _readers(events: Shown, state: State) -> tuple[str, ...]:
    """Return the seats that would see each of these events whole."""
    viewers = {seat: Viewer("player", seat) for seat in state.seats}
    return tuple(
        seat
        for seat, viewer in viewers.items()
        if all(view_event(state, event, viewer) == event for _, event in events)
    )


def _foreseen_effects(
    moved: Moved, earlier: SeenHoldings, following: SeenHoldings | None, balances: Held, viewer: Viewer
) -> Iterator[Effect]:
    """Yield the changes for a dry run, from the state before to the foreseen holdings.

    `following` are the holdings after the dry run, or None if they must stay hidden.
    """
    if following is not None:
        yield from effects_between(seen_holdings(moved, earlier, viewer), seen_holdings(moved, following, viewer))
        return
    yielded: set[tuple[str, str]] = set()
    for account, commodity in moved:
        had = earlier.seen(account, commodity, viewer)
        if had is None or (account, had[0]) in yielded:
            continue
        yielded.add((account, had[0]))
        has = balances(account).get(had[0], 0)
        if has != had[1]:
            yield Effect(account, *had, has)


def _foreseen_balances(rulebook: Rulebook[Any], moved: Moved, balances: Held) -> dict[str, Mapping[str, int]]:
    """Return the foreseen holdings of the commodities moved in a dry run, by account."""
    concerned: dict[str, set[str | None]] = {}
    for account, commodity in moved:
        concerned.setdefault(account, set()).update((commodity, rulebook.secrets.veil(commodity)))
    foreseen_amounts = {
        account: {name: amount for name, amount in balances(account).items() if name in commodities}
        for account, commodities in concerned.items()
    }
    return {account: amounts for account, amounts in foreseen_amounts.items() if amounts}


def _revealing(events: Sequence[Event], earlier: State, next_state: State, viewer: Viewer) -> list[bool] | None:
    """Return a flag for each event that would reveal something to the viewer.

    None if the action would reveal nothing.
    """
    if viewer.sees_all:
        return None
    learnt = [event.reveals().admits(viewer) for event in events]
    ends = next_state.ended and not earlier.ended
    return learnt if ends or any(learnt) else None


def _foreseen_holdings(
    rulebook: Rulebook[Any],
    events: Sequence[Event],
    learnt: list[bool] | None,
    earlier: State,
    next_state: State,
    viewer: Viewer,
) -> Held:
    """Return a function for the holdings of an account after the events of a dry run.

    Normally, the function returns the visible holdings after the events. If the action would reveal something
    to the viewer, the function returns the visible holdings before the events, changed by the visible postings.
    Secrets move under a veil, or not at all, even into the viewer's own accounts.
    """
    if learnt is None:
        return lambda account: visible_holdings(rulebook.secrets, next_state, account, viewer)
    moved: list[tuple[Posting, bool]] = []
    for event, is_learnt in zip(events, learnt, strict=True):
        visible = event.redacted(viewer) if is_learnt else event
        if visible is not None:
            moved += [(posting, posting not in event.postings) for posting in visible.postings]

    def balances(account: str) -> Mapping[str, int]:
        named: Counter[str] = Counter(earlier.holdings.account(account))
        under_veils: Counter[str] = Counter()
        for posting, is_veiled in moved:
            amounts = under_veils if is_veiled else named
            if posting.source == account:
                amounts[posting.commodity] -= posting.amount
            elif posting.target == account:
                amounts[posting.commodity] += posting.amount
        visible_names = {
            commodity_name
            for commodity_name in named
            if sees_holding(rulebook.secrets, earlier, account, commodity_name, viewer)
        }
        under_veils.update(veiled(rulebook.secrets, named, visible_names))
        return {commodity: amount for commodity, amount in sorted(under_veils.items()) if amount}

    return balances
