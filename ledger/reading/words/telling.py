"""Actions told to people: an action as one sentence, and how it stands, in English or French."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from ledger.games.game import SeenCorrection
from ledger.kernel.facts.edits import Amend, Drop, Insert, Replace, Rewind
from ledger.kernel.facts.labels import EditName, Name, name_of
from ledger.reading.words.naming import Names

PRIVATE = "private"
"""The kind of an action of which the viewer may only know that it happened."""


class EditView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An edit of the history as it was requested: `op` is drop, replace, insert, rewind or amend.

    `action` is the dropped or replaced action, the inserted action ("60.1"), the first action that a rewind drops,
    or the amended correction. `after` is the action after which an inserted action stands.
    """

    op: EditName
    action: Name
    after: Name | None = None
    params: dict[str, Any] | None = None


def edits_of(correction: SeenCorrection) -> Iterator[EditView]:
    """The edits of a correction that the viewer may see."""
    inserted = 0
    for edit in correction.edits:
        match edit:
            case Amend():
                yield EditView(op="amend", action=edit.action)
            case Drop():
                yield EditView(op="drop", action=edit.action)
            case Replace():
                yield EditView(op="replace", action=edit.action, params=edit.params)
            case Insert():
                inserted += 1
                action = name_of((correction.number, inserted))
                yield EditView(op="insert", action=action, after=edit.after)
            case Rewind():
                yield EditView(op="rewind", action=edit.to)


class Teller:
    """Tells the actions of one game. Takes the names in it, which have the language."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def sentence(
        self,
        kind: str,
        texts: Iterable[str],
        correction: SeenCorrection | None = None,
    ) -> str:
        """The action as one sentence.

        Takes the action's kind, the sentences of its events, and the correction that it made, all of it as the
        viewer sees it.
        """
        if kind == PRIVATE:
            return self.say("Something private happened.", "Il s'est passé quelque chose de privé.")
        parts = [closed(text) for text in texts]
        if correction is not None:
            parts += self._described(correction)
        return " ".join(part for part in parts if part)

    def by_text(self, kind: str, by: str | None, seat: str | None) -> str | None:
        """Who did the action, and for whom: "by Ana", "by the banker, for Ana"; None for a private one."""
        if kind == PRIVATE or by is None:
            return None
        asker, player = self.names.doer(by), self.names.seat(seat)
        if by == seat or player is None:
            return self.say("by {asker}", "par {asker}", asker=asker)
        return self.say("by {asker}, for {player}", "par {asker}, pour {player}", asker=asker, player=player)

    def attributed(self, told: str, kind: str, by: str | None, seat: str | None) -> str:
        """The sentence of an action, with who asked when the banker or the service acted for a seat."""
        if kind == PRIVATE:
            return told
        asker, player = self.names.asker(by), self.names.seat(seat)
        if by == "system" and player is None:
            return self.say("{asker}: {told}", "{asker} : {told}", asker=asker, told=told)
        if by == seat or player is None:
            return told
        return self.say(
            "{asker}, for {player}: {told}",
            "{asker}, pour {player} : {told}",
            asker=asker,
            player=player,
            told=told,
        )

    def _described(self, correction: SeenCorrection) -> Iterator[str]:
        """A correction: its edits and their consequences, with the name of every action."""
        edits = list(edits_of(correction))
        for op, en, fr in _EDITS:
            named = [edit for edit in edits if edit.op == op]
            if named and op == "insert":
                inserted = ", ".join(
                    self.say(
                        "{action} after {after}",
                        "{action} après la {after}",
                        action=edit.action,
                        after=edit.after or "",
                    )
                    for edit in named
                )
                yield self.say(en, fr, actions=inserted)
            elif named:
                yield self.say(en, fr, actions=self._list([edit.action for edit in named]))
        asked = {edit.action for edit in edits if edit.op in {"drop", "replace", "amend"}}
        for status, en, fr in _OUTCOMES:
            found = [one for one in correction.outcomes.get(status, ()) if one not in asked]
            if found:
                yield self.say(en, fr, count=len(found), actions=self._list(found))

    def _list(self, actions: Sequence[Name]) -> str:
        """A list of actions in words, with three or more neighbours as "45 to 97"."""
        said: list[str] = []
        run: list[str] = []
        for action in [*map(str, actions), ""]:
            if run and action.isdigit() and run[-1].isdigit() and int(action) == int(run[-1]) + 1:
                run.append(action)
                continue
            if len(run) > 2:
                said.append(self.say("{first} to {last}", "{first} à {last}", first=run[0], last=run[-1]))
            else:
                said += run
            run = [action]
        return ", ".join(said)

    def status(
        self,
        status: str,
        by: int | None,
        correction: SeenCorrection | None,
        why: tuple[str, str] | None,
    ) -> str:
        """How an action stands, in words: the status, the correction that set it, its reason, and the refusal.

        `status` is "inserted" for an action as its correction inserted it. `by` is the number of the correction,
        and `correction` what the viewer sees of it. `why` is the rule that refuses the action now, and the
        sentence.
        """
        if by is None:
            return self.say("in force", "en vigueur")
        en, fr = _STATUSES[status]
        ruled = correction is not None and correction.ruled
        decision = ("ruling {by}", "la décision {by}") if ruled else ("correction {by}", "la correction {by}")
        told = self.say(en, fr, by=self.say(*decision, by=by))
        if correction is not None:
            told = self.say("{told}: {reason}", "{told} : {reason}", told=told, reason=correction.reason)
        if why is not None:
            rule, text = why
            cited = f" ({rule})" if rule else ""
            told = f"{closed(told)} {text.rstrip('.')}{cited}"
        return told

    def say(self, en: str, fr: str, **values: object) -> str:
        """The English or French template, filled with the values."""
        return (fr if self.names.language == "fr" else en).format(**values)


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
        "effective",
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


def closed(text: str) -> str:
    """End a text with a full stop, unless it has one."""
    return text if not text or text[-1] in ".!?…" else f"{text}."
