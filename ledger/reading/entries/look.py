"""The look of a viewer at an entry: the events, the holdings before and after, and the effects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from ledger.games.game import SeenCorrection
from ledger.kernel.facts.audience import Audience, Viewer
from ledger.kernel.facts.events import Amendment
from ledger.kernel.facts.refusals import Warned
from ledger.kernel.facts.state import State
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.sight import (
    Shown,
    Sight,
    seen_account,
)
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.views import Effect

_DOES_NOT_COUNT = frozenset({"undone", "voided"})


class SeenHoldings:
    """Single holdings in one state, as viewers see them. An audience is asked for once for all viewers."""

    def __init__(self, rulebook: Rulebook[Any], state: State) -> None:
        self.state = state
        self._rulebook = rulebook
        self._audiences: dict[tuple[str, str], Audience] = {}

    def seen(self, account: str, commodity: str, viewer: Viewer) -> tuple[str, int] | None:
        """How much the account holds of a commodity, with the commodity's name; None when the viewer sees nothing.

        Under a veil that is the veil's name, and how much the viewer sees under it.
        """
        holdings = self.state.holdings
        if self._sees(account, commodity, viewer):
            return commodity, holdings.of(account, commodity)
        if not self._rulebook.veils:
            return None
        veil = self._rulebook.veil(commodity)
        if veil is None:
            if holdings.holder(commodity) is not None:
                return None
            veil = commodity  # The posting itself names the veil.
        return veil, seen_account(self._rulebook, self.state, account, viewer).get(veil, 0)

    def _sees(self, account: str, commodity: str, viewer: Viewer) -> bool:
        if viewer.sees_all:
            return True
        audience = self._audiences.get((account, commodity))
        if audience is None:
            audience = self._rulebook.holding_audience(self.state, account, commodity)
            self._audiences[account, commodity] = audience
        return audience.admits(viewer)


Held = Callable[[str], Mapping[str, int]]
"""A function that gives the holdings of an account."""


Moved = Mapping[tuple[str, str], int]
"""How much came to an account of a commodity (negative when it went), by account and commodity."""


class Look(msgspec.Struct, frozen=True):
    """What one viewer sees of an entry. Viewers whose looks are equal get the same view of it.

    `made` is the correction that the action made, `set_by` the one that set its status.
    """

    shown: Sight
    first_seq: int | None
    own: bool
    warnings: tuple[Warned, ...]
    effects: tuple[Effect, ...]
    balances: dict[str, Mapping[str, int]]
    made: SeenCorrection | None = None
    set_by: SeenCorrection | None = None
    amendments: tuple[Amendment, ...] = ()
    changes: Mapping[str, Mapping[str, int]] = {}


def _telling(shown: Sight) -> Shown:
    """The events that tell the action: those that count when it is restated, else those recorded."""
    return shown.counting if shown.status == "restated" else shown.recorded


def _moved(events: Shown, changes: Mapping[str, Mapping[str, int]]) -> dict[tuple[str, str], int]:
    """What visible events moved, and what a correction changed."""
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
"""What a viewer sees of holdings: the name, which may be a veil's, and the amount; None for nothing."""


def _seen(moved: Iterable[tuple[str, str]], held: SeenHoldings, viewer: Viewer) -> _Seen:
    """What the viewer sees of the holdings moved."""
    return {key: held.seen(*key, viewer) for key in moved}


def _effects(before: _Seen, after: _Seen) -> Iterator[Effect]:
    """The changes of holdings. The viewer must see a holding before and after."""
    told: set[tuple[str, str]] = set()
    for key, had in before.items():
        has = after[key]
        if had is None or has is None or had[0] != has[0] or had[1] == has[1] or (key[0], had[0]) in told:
            continue
        told.add((key[0], had[0]))
        yield Effect(key[0], had[0], had[1], has[1])


def _effects_back(moved: Moved, after: _Seen) -> Iterator[Effect]:
    """The changes of the holdings moved, counted back from what they are after them."""
    changes: dict[tuple[str, str], list[int]] = {}
    for key, amount in moved.items():
        has = after[key]
        if has is not None:
            changes.setdefault((key[0], has[0]), [has[1], 0])[1] += amount
    for (account, name), (amount, change) in changes.items():
        if change:
            yield Effect(account, name, amount - change, amount)


def _balances(after: _Seen) -> dict[str, Mapping[str, int]]:
    """Visible holdings by account and commodity, without zeros."""
    found: dict[str, dict[str, int]] = {}
    for (account, _), has in after.items():
        if has is not None and has[1]:
            found.setdefault(account, {})[has[0]] = has[1]
    return {account: dict(sorted(amounts.items())) for account, amounts in found.items()}


def _told_by(entry: Entry, shown: Shown) -> Shown:
    """Visible events, in which a player's own undo says whose it is. Undos of older games do not store that."""
    if entry.by in {"banker", "system"}:
        return shown
    return tuple(
        (place, msgspec.structs.replace(event, by=entry.by) if isinstance(event, HistoryCorrected) else event)
        for place, event in shown
    )
