"""Lines of the audit: an action explained in English or French."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from ledger.kernel.audience import Viewer
from ledger.kernel.history.corrections import HistoryCorrected
from ledger.kernel.history.edits import Amend, Drop, Insert, Replace, Rewind
from ledger.kernel.history.timeline import Standing
from ledger.kernel.labels import Label, Name, Place, name_of
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.seeing import sees_holding, sight
from ledger.kernel.state import State
from ledger.reading.consequences import Correction
from ledger.reading.entries import PRIVATE, EntryView, EntryWriter, EventView, PostingView, Receipt
from ledger.reading.journal import Filter
from ledger.reading.naming import POSTING_ENDS, Citation, Names


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


class EditView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An edit of the history as it was requested: `op` is drop, replace, insert, rewind or amend.

    `action` is the dropped or replaced action, the inserted action ("60.1"), the first action that a rewind drops,
    or the amended correction. `after` is the action after which an inserted action stands.
    """

    op: str
    action: str
    after: str | None = None
    params: dict[str, Any] | None = None


class CorrectionView(msgspec.Struct, frozen=True, kw_only=True):
    """The consequences of a correction: the actions that it changed, and the changes of holdings.

    A viewer who may not see all of the correction sees no edits, and only the changes of visible holdings.
    """

    reason: str
    cascade: str
    edits: tuple[EditView, ...]
    undone: tuple[str, ...]
    restated: tuple[str, ...]
    voided: tuple[str, ...]
    restored: tuple[str, ...]
    inserted: tuple[str, ...]
    changes: tuple[HoldingChange, ...]


class CorrectionTouch(msgspec.Struct, frozen=True):
    """A correction that touched the action: its number, the action's status since then, and the reason."""

    correction: int
    status: str
    reason: str


class DisputeTouch(msgspec.Struct, frozen=True, kw_only=True):
    """A dispute that cites the action. `status` is open, withdrawn or ruled; `ruling` is the ruling on it."""

    dispute: str
    status: str
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
    status: str


class Touches(msgspec.Struct, frozen=True, kw_only=True):
    """The corrections, disputes and rulings that are about an action."""

    corrections: tuple[CorrectionTouch, ...]
    disputes: tuple[DisputeTouch, ...]
    rulings: tuple[RulingTouch, ...]


class AuditLine(msgspec.Struct, frozen=True, kw_only=True):
    """An action explained: what happened, who asked, by which rules, what moved, and its status now.

    `action` is its name: "57", or "60.1" for the first action that correction 60 inserted. An inserted action
    stands right after the action `after`. `place` sorts actions as the history does. The events shown count unless
    `status` is undone or voided.
    """

    action: str
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
    status: str
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
        self._entries = EntryWriter(rulebook, now, viewer, names.language, seen)

    def line(self, standing: Standing, hashed: bytes, after: State, only: Filter) -> AuditLine | None:
        """The line of an action; None when the visible part of the action does not meet the filter."""
        if standing.insert and not sight(standing, self.viewer).anything:
            return None
        view = self._entries.view(standing, hashed, after)
        if not only.admits(view):
            return None
        counting = view.restated if view.status == "restated" else view.events
        counts = view.status in {"effective", "restated"}
        correction = None if standing.insert else self._correction(standing)
        touched_by = self.about.action(standing.label)
        return AuditLine(
            action=standing.name,
            number=view.number,
            after=standing.after,
            place=standing.place,
            kind=view.kind,
            sentence=self._sentence(view, counting, correction),
            by=view.by,
            by_name=self.names.asker(view.by),
            seat=view.seat,
            seat_name=self.names.seat(view.seat),
            recorded_at=view.recorded_at,
            status=view.status,
            status_text=self._status(view, touched_by.corrections),
            rules=self._rules(counting),
            postings=self._postings(counting, counts=counts),
            balances=self._balances(view, counting, after) if counts else (),
            recorded=RecordedVersion(
                self._sentence(view, view.events, None),
                self._rules(view.events),
                self._postings(view.events, counts=False),
            )
            if view.status == "restated" and view.events
            else None,
            correction=correction,
            override=view.override,
            waived=self._waived(view),
            touched_by=touched_by,
            receipt=view.receipt,
        )

    def _say(self, en: str, fr: str, **values: object) -> str:
        return (fr if self.names.language == "fr" else en).format(**values)

    def _sentence(self, view: EntryView, events: Iterable[EventView], correction: CorrectionView | None) -> str:
        """The action as a sentence. It names who asked when the banker or the service acted for a seat."""
        if view.kind == PRIVATE:
            return self._say("Something private happened.", "Il s'est passé quelque chose de privé.")
        parts = [_closed(event.text) for event in events]
        if correction is not None:
            parts += self._describe_correction(correction)
        said = " ".join(part for part in parts if part)
        asker, seat = self.names.asker(view.by), self.names.seat(view.seat)
        if view.by == "system" and seat is None:
            return self._say("{asker}: {said}", "{asker} : {said}", asker=asker, said=said)
        if view.by == view.seat or seat is None:
            return said
        return self._say(
            "{asker}, for {seat}: {said}", "{asker}, pour {seat} : {said}", asker=asker, seat=seat, said=said
        )

    def _describe_correction(self, correction: CorrectionView) -> Iterator[str]:
        """Describe a correction: its edits and their consequences, with the name of every action."""
        for op, en, fr in _EDITS:
            named = [edit for edit in correction.edits if edit.op == op]
            if named and op == "insert":
                inserted = ", ".join(
                    self._say("{action} after {after}", "{action} après la {after}", **_named(edit))
                    for edit in named
                )
                yield self._say(en, fr, actions=inserted)
            elif named:
                yield self._say(en, fr, actions=self._list([edit.action for edit in named]))
        asked = {edit.action for edit in correction.edits if edit.op in {"drop", "replace", "amend"}}
        for status, en, fr in _OUTCOMES:
            found = [one for one in getattr(correction, status) if one not in asked]
            if found:
                yield self._say(en, fr, count=len(found), actions=self._list(found))

    def _list(self, actions: Sequence[str]) -> str:
        """A list of actions in words, with three or more neighbours as "45 to 97"."""
        said: list[str] = []
        run: list[str] = []
        for action in [*actions, ""]:
            if run and action.isdigit() and run[-1].isdigit() and int(action) == int(run[-1]) + 1:
                run.append(action)
                continue
            if len(run) > 2:
                said.append(self._say("{first} to {last}", "{first} à {last}", first=run[0], last=run[-1]))
            else:
                said += run
            run = [action]
        return ", ".join(said)

    def _status(self, view: EntryView, touches: Sequence[CorrectionTouch]) -> str:
        """The status as a sentence, with the correction that set it and the reason."""
        by = view.corrected_by
        if by is None:
            return self._say("in force", "en vigueur")
        made = next((one for one in reversed(touches) if one.correction == by), None)
        en, fr = _STATUSES["inserted" if made is not None and made.status == "inserted" else view.status]
        known = self.about.corrections.get(by)
        ruled = known is not None and known.ruled
        decision = ("ruling {by}", "la décision {by}") if ruled else ("correction {by}", "la correction {by}")
        said = self._say(en, fr, by=self._say(*decision, by=by))
        if made is not None:
            said = self._say("{said}: {reason}", "{said} : {reason}", said=said, reason=made.reason)
        if view.reason is not None:
            rule = f" ({view.reason.rule})" if view.reason.rule else ""
            said = f"{_closed(said)} {view.reason.text.rstrip('.')}{rule}"
        return said

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
        found = self.about.corrections.get(standing.entry.number)
        if found is None:
            return None
        event = found.event
        named: dict[str, list[str]] = {}
        for made in found.consequences:
            named.setdefault(made.status, []).append(str(name_of(made.label)))
        return CorrectionView(
            reason=event.reason,
            cascade=event.cascade,
            edits=tuple(_edits(found.number, event)),
            undone=tuple(named.get("undone", ())),
            restated=tuple(named.get("restated", ())),
            voided=tuple(named.get("voided", ())),
            restored=tuple(named.get("effective", ())),
            inserted=tuple(named.get("inserted", ())),
            changes=tuple(
                HoldingChange(
                    account, self.names.account(account), commodity, self.names.commodity(commodity), change
                )
                for account, changes in found.seen().changes.items()
                for commodity, change in changes.items()
            ),
        )


_EDITS = (
    ("amend", "Correction amended: {actions}.", "Correction amendée : {actions}."),
    ("drop", "Actions dropped: {actions}.", "Actions retirées : {actions}."),
    ("replace", "Actions replaced: {actions}.", "Actions remplacées : {actions}."),
    ("insert", "Actions inserted: {actions}.", "Actions insérées : {actions}."),
    ("rewind", "Everything taken back from action {actions} on.", "Tout est repris depuis l'action {actions}."),
)

_OUTCOMES = (
    ("undone", "Actions undone ({count}): {actions}.", "Actions annulées ({count}) : {actions}."),
    ("restated", "Actions restated ({count}): {actions}.", "Actions rejouées autrement ({count}) : {actions}."),
    ("voided", "Actions voided ({count}): {actions}.", "Actions devenues impossibles ({count}) : {actions}."),
    (
        "restored",
        "Actions that count again ({count}): {actions}.",
        "Actions qui comptent de nouveau ({count}) : {actions}.",
    ),
)

_STATUSES: Mapping[str, tuple[str, str]] = {
    "effective": ("counts again since {by}", "compte de nouveau depuis {by}"),
    "inserted": ("inserted by {by}", "insérée par {by}"),
    "undone": ("undone by {by}", "annulée par {by}"),
    "restated": ("restated by {by}", "rejouée autrement par {by}"),
    "voided": ("voided by {by}", "rendue impossible par {by}"),
}


def _edits(number: int, event: HistoryCorrected) -> Iterator[EditView]:
    inserted = 0
    for edit in event.edits:
        match edit:
            case Amend():
                yield EditView(op="amend", action=str(edit.action))
            case Drop():
                yield EditView(op="drop", action=str(edit.action))
            case Replace():
                yield EditView(op="replace", action=str(edit.action), params=edit.params)
            case Insert():
                inserted += 1
                yield EditView(op="insert", action=str(name_of((number, inserted))), after=str(edit.after))
            case Rewind():
                yield EditView(op="rewind", action=str(edit.to))


def _named(edit: EditView) -> dict[str, str]:
    return {"action": edit.action, "after": edit.after or ""}


def _closed(text: str) -> str:
    """End a text with a full stop, unless it has one."""
    return text if not text or text[-1] in ".!?…" else f"{text}."
