"""The look of a viewer at an entry: the events, the holdings before and after, and the effects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from ledger.games.game import SeenCorrection
from ledger.kernel.facts.audience import Audience, Viewer
from ledger.kernel.facts.events import Amendment
from ledger.kernel.facts.refusals import RuleNote
from ledger.kernel.facts.state import State
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.sight import (
    Shown,
    VisibleEntry,
    reads,
    visible_entry,
    visible_holdings,
)
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.views import Effect

WITHOUT_EFFECT = frozenset({"undone", "voided"})


class SeenHoldings:
    """Single holdings in a state, as visible to viewers. Audiences are cached for all viewers."""

    def __init__(self, rulebook: Rulebook[Any], state: State) -> None:
        self.state = state
        self._rulebook = rulebook
        self._audiences: dict[tuple[str, str], Audience] = {}

    def seen(self, account: str, commodity: str, viewer: Viewer) -> tuple[str, int] | None:
        """Return the name and the visible amount of a commodity in an account, or None if hidden.

        Under a veil, the name is the veil's, and the amount is the sum visible under the veil.
        """
        holdings = self.state.holdings
        if self._sees(account, commodity, viewer):
            return commodity, holdings.of(account, commodity)
        if not self._rulebook.secrets.veils:
            return None
        veil = self._rulebook.secrets.veil(commodity)
        if veil is None:
            if holdings.holder(commodity) is not None:
                return None
            veil = commodity  # The posting itself names the veil.
        return veil, visible_holdings(self._rulebook.secrets, self.state, account, viewer).get(veil, 0)

    def _sees(self, account: str, commodity: str, viewer: Viewer) -> bool:
        if viewer.sees_all:
            return True
        audience = self._audiences.get((account, commodity))
        if audience is None:
            audience = self._rulebook.secrets.holding_audience(self.state, account, commodity)
            self._audiences[account, commodity] = audience
        return audience.admits(viewer)


Held = Callable[[str], Mapping[str, int]]
"""A function that returns the holdings of an account."""


Moved = Mapping[tuple[str, str], int]
"""The amount received, by account and commodity. Negative amounts are losses."""


class Look(msgspec.Struct, frozen=True):
    """The parts of an entry visible to a viewer. Viewers with equal looks get the same view.

    `correction` is the correction made by the action. `set_by` is the correction that set its status.
    """

    visible: VisibleEntry
    first_seq: int | None
    is_own: bool
    warnings: tuple[RuleNote, ...]
    effects: tuple[Effect, ...]
    balances: dict[str, Mapping[str, int]]
    correction: SeenCorrection | None = None
    set_by: SeenCorrection | None = None
    amendments: tuple[Amendment, ...] = ()
    changes: Mapping[str, Mapping[str, int]] = {}


class LookBuilder:
    """Follows the holdings of a viewer from before an entry to after it.

    Takes the viewer, and the visible corrections by number. Each entry needs a builder of its own.
    """

    __slots__ = (
        "_correction",
        "_corrections",
        "_counts",
        "_had",
        "_is_counted_back",
        "_moved",
        "_timeline_entry",
        "_viewer",
        "_visible",
    )

    def __init__(self, viewer: Viewer, corrections: Mapping[int, SeenCorrection]) -> None:
        self._viewer = viewer
        self._corrections = corrections

    def start(self, entry: TimelineEntry, before: SeenHoldings) -> None:
        """Read the moved holdings right before the entry. The state behind `before` may change after the call."""
        self._timeline_entry = entry
        self._visible = visible = visible_entry(entry, self._viewer)
        self._correction = None if entry.insert else self._corrections.get(entry.entry.number)
        changes = {} if self._correction is None else self._correction.changes
        self._moved = amounts_moved(telling_events(visible), changes)
        self._counts = visible.status not in WITHOUT_EFFECT
        # Before the first action nobody has a seat; and the state before a correction has the correction, too.
        self._is_counted_back = self._correction is not None or not before.state.version
        if self._is_counted_back or not self._counts:
            self._had: _Seen = {}
        else:
            self._had = seen_holdings(self._moved, before, self._viewer)

    def finish(self, after: SeenHoldings) -> Look:
        """Return the look of the viewer at the entry, with the holdings right after the entry."""
        entry, viewer = self._timeline_entry.entry, self._viewer
        visible, correction = self._visible, self._correction
        has = seen_holdings(self._moved, after, viewer)
        effects = (
            effects_from_amounts(self._moved, has) if self._is_counted_back else effects_between(self._had, has)
        )
        return Look(
            visible,
            entry.first_seq if viewer.sees_all else None,
            viewer.seat is not None and entry.by == viewer.seat,
            warnings_for(entry, visible, viewer),
            tuple(effects) if self._counts else (),
            balances_by_account(has),
            correction,
            None if visible.by is None else self._corrections.get(visible.by),
            # A viewer who sees everything reads all consequences in the event.
            () if correction is None or viewer.sees_all else correction.amendments,
            {} if correction is None else correction.changes,
        )


def telling_events(visible: VisibleEntry) -> Shown:
    """Return the events that tell the action: counting events if restated, else the recorded events."""
    return visible.effective_events if visible.status == "restated" else visible.recorded


def amounts_moved(events: Shown, changes: Mapping[str, Mapping[str, int]]) -> dict[tuple[str, str], int]:
    """Sum up the amounts moved by visible events or changed by a correction, by account and commodity."""
    moved: dict[tuple[str, str], int] = {}
    for _, event in events:
        for posting in event.postings:
            for account, amount in ((posting.source, -posting.amount), (posting.target, posting.amount)):
                key = account, posting.commodity
                moved[key] = moved.get(key, 0) + amount
    for account, amounts in changes.items():
        for commodity, amount in amounts.items():
            key = account, commodity
            moved[key] = moved.get(key, 0) + amount
    return moved


_Seen = Mapping[tuple[str, str], tuple[str, int] | None]
"""Holdings as visible to a viewer: the name of the commodity or of its veil, and the amount. None if invisible."""


def seen_holdings(moved: Iterable[tuple[str, str]], holdings: SeenHoldings, viewer: Viewer) -> _Seen:
    """Return the visible part of the moved holdings."""
    return {key: holdings.seen(*key, viewer) for key in moved}


def effects_between(earlier: _Seen, following: _Seen) -> Iterator[Effect]:
    """Yield the changes of holdings. The viewer must see a holding both before and after the action."""
    yielded: set[tuple[str, str]] = set()
    for key, had in earlier.items():
        has = following[key]
        if had is None or has is None or had[0] != has[0] or had[1] == has[1] or (key[0], had[0]) in yielded:
            continue
        yielded.add((key[0], had[0]))
        yield Effect(key[0], had[0], had[1], has[1])


def effects_from_amounts(moved: Moved, following: _Seen) -> Iterator[Effect]:
    """Yield the changes of the moved holdings, calculated back from the holdings after the action."""
    changes: dict[tuple[str, str], list[int]] = {}
    for key, amount in moved.items():
        has = following[key]
        if has is not None:
            changes.setdefault((key[0], has[0]), [has[1], 0])[1] += amount
    for (account, name), (amount, change) in changes.items():
        if change:
            yield Effect(account, name, amount - change, amount)


def balances_by_account(following: _Seen) -> dict[str, Mapping[str, int]]:
    """Return the visible holdings by account and commodity, without zeros."""
    balances: dict[str, dict[str, int]] = {}
    for (account, _), has in following.items():
        if has is not None and has[1]:
            balances.setdefault(account, {})[has[0]] = has[1]
    return {account: dict(sorted(amounts.items())) for account, amounts in balances.items()}


def warnings_for(entry: Entry, visible: VisibleEntry, viewer: Viewer) -> tuple[RuleNote, ...]:
    """Return the waived rules and the inconsistencies left by a correction, if known to the viewer."""
    if not visible.whole:
        return ()
    return tuple(
        warning for warning in (*entry.warnings, *_left_inconsistent(visible)) if reads(warning.told, viewer)
    )


def _left_inconsistent(visible: VisibleEntry) -> Iterator[RuleNote]:
    """Yield the inconsistencies left by the action's own correction, if any."""
    for _, event in visible.recorded:
        if isinstance(event, HistoryCorrected):
            yield from event.warnings


def with_actor(entry: Entry, visible: Shown) -> Shown:
    """Add the actor to a player's own undo, in visible events. Undos of older games do not store the actor."""
    if entry.by in {"banker", "system"}:
        return visible
    return tuple(
        (offset, msgspec.structs.replace(event, by=entry.by) if isinstance(event, HistoryCorrected) else event)
        for offset, event in visible
    )
