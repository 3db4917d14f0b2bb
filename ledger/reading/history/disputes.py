"""Disputes as visible to a viewer, with the later corrections of the cited actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Literal

import msgspec

from ledger.games.moments import Moment
from ledger.kernel.facts.dispute import Dispute
from ledger.kernel.facts.labels import ActionStatus, Name, label_of
from ledger.kernel.journal.sight import visible_entry
from ledger.kernel.journal.timeline import Timeline
from ledger.kernel.language.phrase import Phrase
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
    """Return the views of disputes that the viewer may know of, with sentences in "en" or "fr"."""
    selected = list(disputes)
    cited = sorted(
        {label_of(name)[0] for dispute in selected if dispute.status == "open" for name in dispute.actions}
    )
    timeline = moment.timeline(moment.game.history.changed_entries(cited) if cited else [])
    return [
        DisputeView(
            id=dispute.id,
            status=msgspec.convert(dispute.status, Literal["open", "withdrawn", "ruled"]),
            opener=dispute.opener,
            opened_at=dispute.opened_at,
            actions=dispute.actions,
            claim=dispute.claim,
            rules=dispute.rules,
            edits=tuple(msgspec.to_builtins(edit) for edit in edits_of_today(moment, dispute.edits)),
            parties=dispute.parties,
            statements=tuple(
                StatementView(statement.by, statement.text, statement.at) for statement in dispute.statements
            ),
            corrected=tuple(_corrected(moment, timeline, dispute, language)) if dispute.status == "open" else (),
            ruling=dispute.ruling,
        )
        for dispute in selected
    ]


def _corrected(moment: Moment, timeline: Timeline, dispute: Dispute, language: str) -> Iterator[CorrectedAction]:
    """Yield the cited actions that a visible correction changed after the dispute was opened."""
    for name in dispute.actions:
        timeline_entry = timeline.named(name)
        visible = None if timeline_entry is None else visible_entry(timeline_entry, moment.viewer)
        if (
            visible is None
            or visible.by is None
            or visible.by <= dispute.opened[0]
            or visible.status not in _OUTCOME_WORDS
        ):
            continue
        outcome = _OUTCOME_WORDS[visible.status]
        text = Phrase(
            f"Corrected by {visible.by}: line {name} is {outcome.en}. Withdraw the dispute, or rule on it.",
            f"Corrigé par {visible.by} : la ligne {name} est {outcome.fr}. Retirez le litige, ou tranchez-le.",
        )
        yield CorrectedAction(name, visible.by, visible.status, text.in_language(language))


_OUTCOME_WORDS = {
    "undone": Phrase("undone", "annulée"),
    "restated": Phrase("played again", "rejouée"),
    "voided": Phrase("no longer possible", "devenue impossible"),
}
"""The outcome of an action by status, in English and French."""
