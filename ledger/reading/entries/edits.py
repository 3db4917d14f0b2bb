"""Edits of corrections for display, with today's names of parameters instead of the stored names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from ledger.games.moments import Moment
from ledger.kernel.facts.edits import Edit, Insert, Replace
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.rules.rulebook import Rulebook


def edits_of_today(moment: Moment, edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Rename the parameters of replaced and inserted actions in the edits to today's names."""
    return tuple(_of_today(moment, edit) for edit in edits)


def _of_today(moment: Moment, edit: Edit) -> Edit:
    rulebook = moment.rulebook
    if isinstance(edit, Insert):
        new = edit.action
        params = rulebook.codec.params(new.kind, msgspec.json.encode(new.params))
        return replace(edit, action=replace(new, params=params))
    if isinstance(edit, Replace) and rulebook.action_upcasts:
        replaced = moment.timeline_entry(edit.action)
        if replaced is not None:
            return replace(
                edit, params=rulebook.codec.params(replaced.entry.kind, msgspec.json.encode(edit.params))
            )
    return edit


def params_with_edits(params: dict[str, Any], edits: Iterable[Edit]) -> dict[str, Any]:
    """Replace the edits in the parameters of a correction, or of a ruling with a correction."""
    plain_edits = [msgspec.to_builtins(edit) for edit in edits]
    if "edits" in params:
        return {**params, "edits": plain_edits}
    remedies = [
        {**remedy, "edits": plain_edits} if remedy.get("op") == "correct" else remedy
        for remedy in params.get("remedies", ())
    ]
    return {**params, "remedies": remedies} if remedies else params


def correction_of_today(
    rulebook: Rulebook[Any], event: HistoryCorrected, edits: Iterable[Edit]
) -> HistoryCorrected:
    """Return a correction's event with these edits, and with today's names of parameters in the insertions."""
    insertions = [
        replace(
            insertion,
            action=replace(
                insertion.action, params=_raw(rulebook, insertion.action.kind, insertion.action.params)
            ),
        )
        for insertion in event.insertions
    ]
    return replace(event, edits=tuple(edits), insertions=tuple(insertions))


def _raw(rulebook: Rulebook[Any], kind: str, params: msgspec.Raw) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(rulebook.codec.params(kind, bytes(params))))
