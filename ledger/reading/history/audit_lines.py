"""Lines of the audit: an action explained in English or French."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.labels import ActionStatus, CascadeName, DisputeStatus, Label, Name, Place, name_of
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import sees_holding, visible_entry
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.consequences import Correction
from ledger.reading.entries.entries import EntryWriter, OpenedEntry
from ledger.reading.entries.journal import Filter
from ledger.reading.entries.views import EntryView, EventView, PostingView, Receipt
from ledger.reading.words.naming import POSTING_ENDS, Citation, Names
from ledger.reading.words.telling import EditView, SentenceWriter, edits_of


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
    """The balances after the action, for the visible holdings that the action moved or changed."""
    recorded: RecordedVersion | None
    correction: CorrectionView | None
    override: str | None
    """The banker's reason for waiving rules."""
    waived: tuple[WaivedRule, ...]
    touched_by: Touches
    receipt: Receipt


class TouchIndex:
    """The corrections, disputes and rulings of a game, indexed by action."""

    def __init__(
        self,
        corrections: Iterable[Correction],
        disputed: Iterable[tuple[Label, DisputeTouch]],
        ruled: Iterable[tuple[Label, RulingTouch]],
    ) -> None:
        self.corrections = {correction.number: correction for correction in corrections}
        self._touches: dict[Label, list[CorrectionTouch]] = {}
        self._disputes: dict[Label, list[DisputeTouch]] = {}
        self._rulings: dict[Label, list[RulingTouch]] = {}
        for correction in self.corrections.values():
            for consequence in correction.consequences:
                touch = CorrectionTouch(correction.number, consequence.status, correction.event.reason)
                self._touches.setdefault(consequence.label, []).append(touch)
        for label, dispute in disputed:
            self._disputes.setdefault(label, []).append(dispute)
        for label, ruling in ruled:
            self._rulings.setdefault(label, []).append(ruling)

    def action(self, label: Label) -> Touches:
        """Return the corrections, disputes and rulings about an action, oldest first."""
        return Touches(
            corrections=tuple(self._touches.get(label, ())),
            disputes=tuple(self._disputes.get(label, ())),
            rulings=tuple(self._rulings.get(label, ())),
        )


class LineWriter:
    """A writer of the lines of an audit."""

    def __init__(
        self,
        rulebook: Rulebook[Any],
        current: State,
        viewer: Viewer,
        names: Names,
        about: TouchIndex,
    ) -> None:
        self.rulebook = rulebook
        self.current = current
        self.viewer = viewer
        self.names = names
        self.about = about
        visible = {number: correction.summarize() for number, correction in about.corrections.items()}
        self._corrections = visible
        self._teller = SentenceWriter(names)
        self._entries = EntryWriter(rulebook, current, viewer, names.language, visible, names)

    def open_entry(self, timeline_entry: TimelineEntry, before: State) -> OpenedEntry:
        """Open the entry of an action on the state right before the action. The state may then be changed."""
        return self._entries.open_view(timeline_entry, before)

    def _attribute(self, sentence: str, view: EntryView) -> str:
        """Add the requester to a sentence, if somebody acted for another seat."""
        return self._teller.attributed(sentence, view.kind, view.by, view.seat)

    def line(
        self, timeline_entry: TimelineEntry, hashed: bytes, opened: OpenedEntry, next_state: State, only: Filter
    ) -> AuditLine | None:
        """Return the line of an action, or None if the visible part of the action does not meet the filter."""
        if timeline_entry.insert and not visible_entry(timeline_entry, self.viewer).is_visible:
            return None
        view = opened.finish(hashed, next_state)
        if not only.admits(view):
            return None
        counting = view.restated if view.status == "restated" else view.events
        counts = view.status in {"effective", "restated"}
        correction = None if timeline_entry.insert else self._correction(timeline_entry)
        return AuditLine(
            action=name_of(timeline_entry.label),
            number=view.number,
            after=timeline_entry.inserted_after,
            place=timeline_entry.position,
            kind=view.kind,
            sentence=self._attribute(view.sentence, view),
            by=view.by,
            by_name=self.names.asker(view.by),
            seat=view.seat,
            seat_name=self.names.seat(view.seat),
            recorded_at=view.recorded_at,
            status=view.status,
            status_text=view.status_text,
            rules=self._rules(counting),
            postings=self._postings(counting, counts=counts),
            balances=self._balances(view, counting, next_state) if counts else (),
            recorded=RecordedVersion(
                self._attribute(self._teller.sentence(view.kind, (event.text for event in view.events)), view),
                self._rules(view.events),
                self._postings(view.events, counts=False),
            )
            if view.status == "restated" and view.events
            else None,
            correction=correction,
            override=view.override,
            waived=self._waived(view),
            touched_by=self.about.action(timeline_entry.label),
            receipt=view.receipt,
        )

    def _rules(self, events: Iterable[EventView]) -> tuple[Citation, ...]:
        """Cite the rules applied by the events, and the rules cited by a dispute or ruling among the events."""
        named: dict[str, None] = {}
        for event in events:
            relied_on = getattr(event.data.get("dispute"), "rules", event.data.get("rules", ()))
            named |= dict.fromkeys((event.rule, *relied_on))
        return tuple(self.names.rule(rule) for rule in named)

    def _waived(self, view: EntryView) -> tuple[WaivedRule, ...]:
        """Return the rules waived for the action, and the rules waived by a ruling."""
        inconsistent = {warning.rule for event in view.events for warning in event.data.get("warnings", ())}
        waived = {warned.rule: warned.text for warned in view.warnings if warned.rule not in inconsistent}
        by_ruling = Phrase("set aside by the ruling", "écartée par la décision").in_language(self.names.language)
        for event in view.events:
            for rule in event.data.get("waives", ()):
                waived.setdefault(rule, by_ruling)
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

    def _balances(
        self, view: EntryView, events: Iterable[EventView], next_state: State
    ) -> tuple[AuditBalance, ...]:
        postings: list[PostingView] = [posting for event in events for posting in event.postings]
        moved = dict.fromkeys(
            (account, posting.commodity) for posting in postings for account in (posting.source, posting.target)
        )
        moved |= dict.fromkeys((account, item) for account, changes in view.changes.items() for item in changes)
        balances: list[AuditBalance] = []
        for account, commodity in moved:
            amount = view.balances.get(account, {}).get(commodity)
            if amount is None and not sees_holding(
                self.rulebook.secrets, next_state, account, commodity, self.viewer
            ):
                continue
            named = self.names.account(account), commodity, self.names.commodity(commodity)
            balances.append(AuditBalance(account, *named, amount or 0))
        return tuple(balances)

    def _correction(self, timeline_entry: TimelineEntry) -> CorrectionView | None:
        visible = self._corrections.get(timeline_entry.entry.number)
        if visible is None:
            return None
        return CorrectionView(
            reason=visible.reason,
            cascade=self.about.corrections[visible.number].event.cascade,
            edits=tuple(edits_of(visible)),
            undone=visible.outcomes.get("undone", ()),
            restated=visible.outcomes.get("restated", ()),
            voided=visible.outcomes.get("voided", ()),
            restored=visible.outcomes.get("effective", ()),
            inserted=visible.outcomes.get("inserted", ()),
            changes=tuple(
                HoldingChange(
                    account, self.names.account(account), commodity, self.names.commodity(commodity), change
                )
                for account, changes in visible.changes.items()
                for commodity, change in changes.items()
            ),
        )
