"""Actions in words: an action as a sentence, and its status, in English or French."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from ledger.games.game import SeenCorrection
from ledger.kernel.facts.edits import Amend, Drop, Insert, Replace, Rewind
from ledger.kernel.facts.labels import EditName, Name, name_of
from ledger.kernel.language.phrase import Phrase
from ledger.reading.words.naming import Names

PRIVATE = "private"
"""The kind of an action whose content is hidden from the viewer."""


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
    """Yield the edits of a correction visible to the viewer."""
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


class SentenceWriter:
    """A writer of sentences about the actions of a game. Takes the game's names, with the language."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def sentence(
        self,
        kind: str,
        texts: Iterable[str],
        correction: SeenCorrection | None = None,
    ) -> str:
        """Return the action as a sentence.

        Takes the action's kind, the sentences of its events, and its own correction, all as visible to the
        viewer.
        """
        if kind == PRIVATE:
            return self.say(Phrase("Something private happened.", "Il s'est passé quelque chose de privé."))
        parts = [close_sentence(text) for text in texts]
        if correction is not None:
            parts += self._described(correction)
        return " ".join(part for part in parts if part)

    def by_text(self, kind: str, by: str | None, seat: str | None) -> str | None:
        """Return the doer and the seat in words: "by Ana", "by the banker, for Ana". None for a private action."""
        if kind == PRIVATE or by is None:
            return None
        asker, player = self.names.doer(by), self.names.seat(seat)
        if by == seat or player is None:
            return self.say(Phrase("by {asker}", "par {asker}"), asker=asker)
        return self.say(
            Phrase("by {asker}, for {player}", "par {asker}, pour {player}"), asker=asker, player=player
        )

    def attributed(self, sentence: str, kind: str, by: str | None, seat: str | None) -> str:
        """Add the requester to a sentence, if the banker or the service acted for a seat."""
        if kind == PRIVATE:
            return sentence
        asker, player = self.names.asker(by), self.names.seat(seat)
        if by == "system" and player is None:
            return self.say(Phrase("{asker}: {told}", "{asker} : {told}"), asker=asker, told=sentence)
        if by == seat or player is None:
            return sentence
        return self.say(
            Phrase("{asker}, for {player}: {told}", "{asker}, pour {player} : {told}"),
            asker=asker,
            player=player,
            told=sentence,
        )

    def _described(self, correction: SeenCorrection) -> Iterator[str]:
        """Yield the edits and the consequences of a correction in words, with the name of every action."""
        edits = list(edits_of(correction))
        for op, words in _EDITS:
            named = [edit for edit in edits if edit.op == op]
            if named and op == "insert":
                inserted = ", ".join(
                    self.say(
                        Phrase("{action} after {after}", "{action} après la {after}"),
                        action=edit.action,
                        after=edit.after or "",
                    )
                    for edit in named
                )
                yield self.say(words, actions=inserted)
            elif named:
                yield self.say(words, actions=self._list([edit.action for edit in named]))
        edited = {edit.action for edit in edits if edit.op in {"drop", "replace", "amend"}}
        for status, words in _OUTCOMES:
            actions = [name for name in correction.outcomes.get(status, ()) if name not in edited]
            if actions:
                yield self.say(words, count=len(actions), actions=self._list(actions))

    def _list(self, actions: Sequence[Name]) -> str:
        """List actions in words, with three or more neighbors as "45 to 97"."""
        parts: list[str] = []
        run: list[str] = []
        for action in [*map(str, actions), ""]:
            if run and action.isdigit() and run[-1].isdigit() and int(action) == int(run[-1]) + 1:
                run.append(action)
                continue
            if len(run) > 2:
                parts.append(self.say(Phrase("{first} to {last}", "{first} à {last}"), first=run[0], last=run[-1]))
            else:
                parts += run
            run = [action]
        return ", ".join(parts)

    def status(
        self,
        status: str,
        by: int | None,
        correction: SeenCorrection | None,
        why: tuple[str, str] | None,
    ) -> str:
        """Describe the status of an action: the status, the correction behind it, the reason, and the refusal.

        `status` is "inserted" for an unchanged inserted action. `by` is the number of the correction, and
        `correction` the visible part. `why` is the rule of today's refusal, and the sentence.
        """
        if by is None:
            return self.say(Phrase("in force", "en vigueur"))
        ruled = correction is not None and correction.ruled
        decision = (
            Phrase("ruling {by}", "la décision {by}") if ruled else Phrase("correction {by}", "la correction {by}")
        )
        text_so_far = self.say(_STATUSES[status], by=self.say(decision, by=by))
        if correction is not None:
            text_so_far = self.say(
                Phrase("{told}: {reason}", "{told} : {reason}"), told=text_so_far, reason=correction.reason
            )
        if why is not None:
            rule, text = why
            cited = f" ({rule})" if rule else ""
            text_so_far = f"{close_sentence(text_so_far)} {text.rstrip('.')}{cited}"
        return text_so_far

    def say(self, template: Phrase, **values: object) -> str:
        """Fill the template in the language with the values."""
        return template.in_language(self.names.language).format(**values)


_EDITS = (
    ("amend", Phrase("Correction amended: {actions}.", "Correction amendée : {actions}.")),
    ("drop", Phrase("Actions dropped: {actions}.", "Actions retirées : {actions}.")),
    ("replace", Phrase("Actions replaced: {actions}.", "Actions remplacées : {actions}.")),
    ("insert", Phrase("Actions inserted: {actions}.", "Actions insérées : {actions}.")),
    (
        "rewind",
        Phrase("Everything taken back from action {actions} on.", "Tout est repris depuis l'action {actions}."),
    ),
)

_OUTCOMES = (
    ("undone", Phrase("Actions undone ({count}): {actions}.", "Actions annulées ({count}) : {actions}.")),
    (
        "restated",
        Phrase("Actions played again ({count}): {actions}.", "Actions rejouées ({count}) : {actions}."),
    ),
    (
        "voided",
        Phrase(
            "Actions no longer possible ({count}): {actions}.",
            "Actions devenues impossibles ({count}) : {actions}.",
        ),
    ),
    (
        "effective",
        Phrase(
            "Actions that count again ({count}): {actions}.",
            "Actions qui comptent de nouveau ({count}) : {actions}.",
        ),
    ),
)

_STATUSES: Mapping[str, Phrase] = {
    "effective": Phrase("counts again since {by}", "compte de nouveau depuis {by}"),
    "inserted": Phrase("inserted by {by}", "insérée par {by}"),
    "undone": Phrase("undone by {by}", "annulée par {by}"),
    "restated": Phrase("played again by {by}", "rejouée par {by}"),
    "voided": Phrase("made impossible by {by}", "rendue impossible par {by}"),
}


def close_sentence(text: str) -> str:
    """End a text with a full stop, unless the text has an end mark."""
    return text if not text or text[-1] in ".!?…" else f"{text}."
