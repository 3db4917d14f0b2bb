"""Lines of the audit: an action explained in English or French."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

import msgspec

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.labels import ActionStatus, CascadeName, DisputeStatus, Label, Name, Place, name_of
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import sees_holding, sight
from ledger.kernel.journal.timeline import Standing
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.consequences import Correction
from ledger.reading.entries.entries import EntryWriter
from ledger.reading.entries.journal import Filter
from ledger.reading.entries.views import EntryView, EventView, PostingView, Receipt
from ledger.reading.words.naming import POSTING_ENDS, Citation, Names
from ledger.reading.words.telling import EditView, Teller, edits_of


class AuditPosting(msgspec.Struct, frozen=True, kw_only=True, rename=POSTING_ENDS):
    """A posting with names for people. `counts` is false when its action does not count."""

    rule: str
    commodity: str
    commodity_name: str
    amount: int
    source: str
    source_name: str
    target: str
    target_name: str
    counts: bool


class AuditBalance(msgspec.Struct, frozen=True):
    """An account's holding of a commodity after the action."""

    account: str
    account_name: str
    commodity: str
    commodity_name: str
    amount: int


class HoldingChange(msgspec.Struct, frozen=True):
    """The change of an account's holding by a correction; negative when the account holds less."""

    account: str
    account_name: str
    commodity: str
    commodity_name: str
    change: int


class RecordedVersion(msgspec.Struct, frozen=True):
    """A restated action as it was first recorded. This version no longer counts."""

    sentence: str
    rules: tuple[Citation, ...]
    postings: tuple[AuditPosting, ...]


class WaivedRule(msgspec.Struct, frozen=True):
    """A rule that the banker waived, and the sentence of the refusal that it prevented."""

    rule: Citation
    text: str


class CorrectionView(msgspec.Struct, frozen=True, kw_only=True):
    """The consequences of a correction: the actions that it changed, and the changes of holdings.

    A viewer who may not see all of the correction sees no edits, and only the changes of visible holdings.
    """

    reason: str
    cascade: CascadeName
    edits: tuple[EditView, ...]
    undone: tuple[Name, ...]
    restated: tuple[Name, ...]
    voided: tuple[Name, ...]
    restored: tuple[Name, ...]
    inserted: tuple[Name, ...]
    changes: tuple[HoldingChange, ...]


class CorrectionTouch(msgspec.Struct, frozen=True):
    """A correction that touched the action: its number, the action's status since then, and the reason."""

    correction: int
    status: ActionStatus
    reason: str


class DisputeTouch(msgspec.Struct, frozen=True, kw_only=True):
    """A dispute that cites the action. `status` is open, withdrawn or ruled; `ruling` is the ruling on it."""

    dispute: str
    status: DisputeStatus
    opener: str
    opener_name: str
    claim: str
    ruling: str | None


class RulingTouch(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling that is about the action. `status` is the ruling's own status after later corrections."""

    ruling: str
    number: int
    dispute: str | None
    finding: str
    status: ActionStatus


class Touches(msgspec.Struct, frozen=True, kw_only=True):
    """The corrections, disputes and rulings that are about an action."""

    corrections: tuple[CorrectionTouch, ...]
    disputes: tuple[DisputeTouch, ...]
    rulings: tuple[RulingTouch, ...]


class AuditLine(msgspec.Struct, frozen=True, kw_only=True):
    """An action explained: what happened, who asked, by which rules, what moved, and its status now.

    `action` is its name: 57, an integer, or "60.1" for the first action that correction 60 inserted.
    An inserted action stands right after the action `after`. `place` sorts actions as the history does. The events
    shown count unless `status` is undone or voided.
    """

    action: Name
    number: int
    after: Name | None
    place: Place
    kind: str
    sentence: str
    by: str | None
    by_name: str | None
    seat: str | None
    seat_name: str | None
    recorded_at: datetime
    status: ActionStatus
    status_text: str
    rules: tuple[Citation, ...]
    postings: tuple[AuditPosting, ...]
    balances: tuple[AuditBalance, ...]
    """The balances, after the action, of the holdings that it moved or changed and the viewer may see."""
    recorded: RecordedVersion | None
    correction: CorrectionView | None
    override: str | None
    """The banker's reason for waiving rules."""
    waived: tuple[WaivedRule, ...]
    touched_by: Touches
    receipt: Receipt


class TouchIndex:
    """The corrections, disputes and rulings of a game, by the actions that they are about."""

    def __init__(
        self,
        corrections: Iterable[Correction],
        disputed: Iterable[tuple[Label, DisputeTouch]],
        ruled: Iterable[tuple[Label, RulingTouch]],
    ) -> None:
        self.corrections = {one.number: one for one in corrections}
        self._touches: dict[Label, list[CorrectionTouch]] = {}
        self._disputes: dict[Label, list[DisputeTouch]] = {}
        self._rulings: dict[Label, list[RulingTouch]] = {}
        for one in self.corrections.values():
            for made in one.consequences:
                touch = CorrectionTouch(one.number, made.status, one.event.reason)
                self._touches.setdefault(made.label, []).append(touch)
        for label, dispute in disputed:
            self._disputes.setdefault(label, []).append(dispute)
        for label, ruling in ruled:
            self._rulings.setdefault(label, []).append(ruling)

    def action(self, label: Label) -> Touches:
        """The corrections, disputes and rulings about an action, oldest first."""
        return Touches(
            corrections=tuple(self._touches.get(label, ())),
            disputes=tuple(self._disputes.get(label, ())),
            rulings=tuple(self._rulings.get(label, ())),
        )


Opened = Callable[[bytes, State], EntryView]
"""An entry opened on the state right before it: the view by the hash of its bytes and the state after it."""


class LineWriter:
    """Writes the lines of one audit."""

    def __init__(
        self,
        rulebook: Rulebook[Any],
        now: State,
        viewer: Viewer,
        names: Names,
        about: TouchIndex,
    ) -> None:
        self.rulebook = rulebook
        self.now = now
        self.viewer = viewer
        self.names = names
        self.about = about
        seen = {number: one.seen() for number, one in about.corrections.items()}
        self._seen = seen
        self._teller = Teller(names)
        self._entries = EntryWriter(rulebook, now, viewer, names.language, seen, names)

    def opened(self, standing: Standing, before: State) -> Opened:
        """The entry of an action, opened on the state right before it, which may then be changed."""
        return self._entries.opened(standing, before)

    def _attributed(self, told: str, view: EntryView) -> str:
        """A sentence of an action, with who asked when they acted for another seat."""
        return self._teller.attributed(told, view.kind, view.by, view.seat)

    def line(
        self, standing: Standing, hashed: bytes, opened: Opened, after: State, only: Filter
    ) -> AuditLine | None:
        """The line of an action; None when the visible part of the action does not meet the filter."""
        if standing.insert and not sight(standing, self.viewer).anything:
            return None
        view = opened(hashed, after)
        if not only.admits(view):
            return None
        counting = view.restated if view.status == "restated" else view.events
        counts = view.status in {"effective", "restated"}
        correction = None if standing.insert else self._correction(standing)
        return AuditLine(
            action=name_of(standing.label),
            number=view.number,
            after=standing.after,
            place=standing.place,
            kind=view.kind,
            sentence=self._attributed(view.sentence, view),
            by=view.by,
            by_name=self.names.asker(view.by),
            seat=view.seat,
            seat_name=self.names.seat(view.seat),
            recorded_at=view.recorded_at,
            status=view.status,
            status_text=view.status_text,
            rules=self._rules(counting),
            postings=self._postings(counting, counts=counts),
            balances=self._balances(view, counting, after) if counts else (),
            recorded=RecordedVersion(
                self._attributed(self._teller.sentence(view.kind, (event.text for event in view.events)), view),
                self._rules(view.events),
                self._postings(view.events, counts=False),
            )
            if view.status == "restated" and view.events
            else None,
            correction=correction,
            override=view.override,
            waived=self._waived(view),
            touched_by=self.about.action(standing.label),
            receipt=view.receipt,
        )

    def _say(self, en: str, fr: str) -> str:
        return fr if self.names.language == "fr" else en

    def _rules(self, events: Iterable[EventView]) -> tuple[Citation, ...]:
        """The rules that the events apply, and the rules that a dispute or ruling among them relies on."""
        named: dict[str, None] = {}
        for event in events:
            relied_on = getattr(event.data.get("dispute"), "rules", event.data.get("rules", ()))
            named |= dict.fromkeys((event.rule, *relied_on))
        return tuple(self.names.rule(rule) for rule in named)

    def _waived(self, view: EntryView) -> tuple[WaivedRule, ...]:
        """The rules waived for the action, and the rules that a ruling waives."""
        inconsistent = {one.rule for event in view.events for one in event.data.get("warnings", ())}
        waived = {warned.rule: warned.text for warned in view.warnings if warned.rule not in inconsistent}
        for event in view.events:
            for rule in event.data.get("waives", ()):
                waived.setdefault(rule, self._say("set aside by the ruling", "écartée par la décision"))
        return tuple(WaivedRule(self.names.rule(rule), text) for rule, text in waived.items())

    def _postings(self, events: Iterable[EventView], *, counts: bool) -> tuple[AuditPosting, ...]:
        return tuple(
            AuditPosting(
                rule=event.rule,
                commodity=posting.commodity,
                commodity_name=self.names.commodity(posting.commodity),
                amount=posting.amount,
                source=posting.source,
                source_name=self.names.account(posting.source),
                target=posting.target,
                target_name=self.names.account(posting.target),
                counts=counts,
            )
            for event in events
            for posting in event.postings
        )

    def _balances(self, view: EntryView, events: Iterable[EventView], after: State) -> tuple[AuditBalance, ...]:
        postings: list[PostingView] = [posting for event in events for posting in event.postings]
        moved = dict.fromkeys(
            (account, posting.commodity) for posting in postings for account in (posting.source, posting.target)
        )
        moved |= dict.fromkeys((account, one) for account, changes in view.changes.items() for one in changes)
        found: list[AuditBalance] = []
        for account, commodity in moved:
            held = view.balances.get(account, {}).get(commodity)
            if held is None and not sees_holding(self.rulebook, after, account, commodity, self.viewer):
                continue
            named = self.names.account(account), commodity, self.names.commodity(commodity)
            found.append(AuditBalance(account, *named, held or 0))
        return tuple(found)

    def _correction(self, standing: Standing) -> CorrectionView | None:
        found = self._seen.get(standing.entry.number)
        if found is None:
            return None
        return CorrectionView(
            reason=found.reason,
            cascade=self.about.corrections[found.number].event.cascade,
            edits=tuple(edits_of(found)),
            undone=found.outcomes.get("undone", ()),
            restated=found.outcomes.get("restated", ()),
            voided=found.outcomes.get("voided", ()),
            restored=found.outcomes.get("effective", ()),
            inserted=found.outcomes.get("inserted", ()),
            changes=tuple(
                HoldingChange(
                    account, self.names.account(account), commodity, self.names.commodity(commodity), change
                )
                for account, changes in found.changes.items()
                for commodity, change in changes.items()
            ),
        )
