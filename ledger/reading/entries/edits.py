"""Edits of corrections as they are shown: the parameters inside have their names of today, whatever is stored."""

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
    """The edits with the parameters of the actions that they replace or insert under the names of today."""
    return tuple(_of_today(moment, edit) for edit in edits)


def _of_today(moment: Moment, edit: Edit) -> Edit:
    rulebook = moment.rulebook
    if isinstance(edit, Insert):
        new = edit.action
        params = rulebook.params(new.kind, msgspec.json.encode(new.params))
        return replace(edit, action=replace(new, params=params))
    if isinstance(edit, Replace) and rulebook.action_upcasts:
        replaced = moment.standing(edit.action)
        if replaced is not None:
            return replace(edit, params=rulebook.params(replaced.entry.kind, msgspec.json.encode(edit.params)))
    return edit


def asked_for(params: dict[str, Any], edits: Iterable[Edit]) -> dict[str, Any]:
    """The parameters of a correction, or of a ruling that orders one, with these edits instead."""
    shown = [msgspec.to_builtins(edit) for edit in edits]
    if "edits" in params:
        return {**params, "edits": shown}
    remedies = [
        {**one, "edits": shown} if one.get("op") == "correct" else one for one in params.get("remedies", ())
    ]
    return {**params, "remedies": remedies} if remedies else params


def told_of_today(rulebook: Rulebook[Any], event: HistoryCorrected, edits: Iterable[Edit]) -> HistoryCorrected:
    """The event of a correction with these edits, and with what it inserted under the names of today."""
    insertions = [
        replace(one, action=replace(one.action, params=_raw(rulebook, one.action.kind, one.action.params)))
        for one in event.insertions
    ]
    return replace(event, edits=tuple(edits), insertions=tuple(insertions))


def _raw(rulebook: Rulebook[Any], kind: str, params: msgspec.Raw) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(rulebook.params(kind, bytes(params))))
