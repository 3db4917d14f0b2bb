"""Disputes as one viewer sees them, with what later corrections made of the actions that they cite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Literal

import msgspec

from ledger.games.moments import Moment
from ledger.kernel.facts.dispute import Dispute
from ledger.kernel.facts.labels import ActionStatus, Name, label_of
from ledger.kernel.journal.sight import sight
from ledger.kernel.journal.timeline import Timeline
from ledger.reading.entries.edits import edits_of_today


class StatementView(msgspec.Struct, frozen=True):
    """A statement of a seat, or of the banker, in a dispute."""

    by: str
    text: str
    at: datetime


class CorrectedAction(msgspec.Struct, frozen=True):
    """A cited action that correction `by` changed after the dispute was opened: its status, and the sentence."""

    action: Name
    by: int
    status: ActionStatus
    text: str


class DisputeView(msgspec.Struct, frozen=True, kw_only=True):
    """A dispute about actions. `parties` are the seats that may know of the dispute; null for everybody.

    `edits` are the correction that its opener asks for. `corrected` are the cited actions that were corrected
    since an open dispute was opened: it asks to be withdrawn or ruled on. `ruling` is the number of the ruling
    that ended the dispute.
    """

    id: str
    status: Literal["open", "withdrawn", "ruled"]
    opener: str
    opened_at: datetime
    actions: tuple[Name, ...]
    claim: str
    rules: tuple[str, ...]
    edits: tuple[dict[str, Any], ...]
    parties: tuple[str, ...] | None
    statements: tuple[StatementView, ...]
    corrected: tuple[CorrectedAction, ...]
    ruling: str | None


def dispute_views(moment: Moment, disputes: Iterable[Dispute], language: str) -> list[DisputeView]:
    """The views of disputes that the viewer may know of, with sentences in "en" or "fr"."""
    shown = list(disputes)
    cited = sorted({label_of(name)[0] for one in shown if one.status == "open" for name in one.actions})
    timeline = moment.timeline(moment.game.history.changed_entries(cited) if cited else [])
    return [
        DisputeView(
            id=one.id,
            status=msgspec.convert(one.status, Literal["open", "withdrawn", "ruled"]),
            opener=one.opener,
            opened_at=one.opened_at,
            actions=one.actions,
            claim=one.claim,
            rules=one.rules,
            edits=tuple(msgspec.to_builtins(edit) for edit in edits_of_today(moment, one.edits)),
            parties=one.parties,
            statements=tuple(StatementView(said.by, said.text, said.at) for said in one.statements),
            corrected=tuple(_corrected(moment, timeline, one, language)) if one.status == "open" else (),
            ruling=one.ruling,
        )
        for one in shown
    ]


def _corrected(moment: Moment, timeline: Timeline, dispute: Dispute, language: str) -> Iterator[CorrectedAction]:
    """What the viewer sees of the corrections, after its opening, of the actions that a dispute cites."""
    for name in dispute.actions:
        standing = timeline.named(name)
        shown = None if standing is None else sight(standing, moment.viewer)
        if shown is None or shown.by is None or shown.by <= dispute.opened[0] or shown.status not in _SAID:
            continue
        en, fr = _SAID[shown.status]
        said = (
            f"Corrigé par {shown.by} : l'action {name} est {fr}. Retirez le litige, ou tranchez-le."
            if language == "fr"
            else f"Corrected by {shown.by}: action {name} is {en}. Withdraw the dispute, or rule on it."
        )
        yield CorrectedAction(name, shown.by, shown.status, said)


_SAID = {
    "undone": ("undone", "annulée"),
    "restated": ("restated", "rejouée autrement"),
    "voided": ("voided", "devenue impossible"),
}
"""What became of an action, in English and French."""
