"""How the frames of a replay are told in a terminal, line by line, in English or French."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from ledger.reading.entries import PRIVATE
from replays.frames import Frame, Side, holdings_changed

PACES = (0.1, 100.0)
"""The slowest and the fastest that a replay runs by itself, in actions a second."""

_STATUSES: Mapping[str, tuple[str, str]] = {
    "effective": ("counts again since {by}", "compte de nouveau depuis {by}"),
    "undone": ("undone by {by}", "annulée par {by}"),
    "restated": ("restated by {by}", "rejouée autrement par {by}"),
    "voided": ("voided by {by}", "rendue impossible par {by}"),
}
_STOPS = (".", "!", "?", "…")
_LONGEST = 300
"""How many characters of a value that changed are told."""


class Line(NamedTuple):
    """A line about an action, and what it is about."""

    about: Literal["sentence", "posting", "holding", "tokens", "change", "rules"]
    text: str


class Wording:
    """Writing frames in a language. Takes the names of the players by their seats."""

    def __init__(self, language: str, seats: Mapping[str, str]) -> None:
        self._french = language == "fr"
        self._seats = seats

    def say(self, en: str, fr: str, **values: object) -> str:
        """A template in the language, filled."""
        return printable((fr if self._french else en).format(**values))

    def player(self, seat: str) -> str:
        """The player of a seat."""
        return printable(self._seats.get(seat, seat))

    def status(self, frame: Frame) -> str:
        """What corrections made of an action; nothing when none has touched it."""
        if frame.after is not None and frame.status == "effective":
            return self.say(
                "inserted by {by} after {after}",
                "insérée par {by} après la {after}",
                by=frame.number,
                after=frame.after,
            )
        if frame.corrected_by is None:
            return ""
        said = self.say(*_STATUSES[frame.status], by=frame.corrected_by)
        if frame.reason is None:
            return said
        rule = f" ({frame.reason.rule})" if frame.reason.rule else ""
        return self.say(
            "{said}: {why}{rule}", "{said} : {why}{rule}", said=said, why=frame.reason.text.rstrip("."), rule=rule
        )

    def sentence(self, frame: Frame, side: Side) -> str:
        """What happened, after who asked when somebody acted for somebody else."""
        if frame.kind == PRIVATE and not side.sentences:
            return self.say("Something private happened.", "Il s'est passé quelque chose de privé.")
        said = printable(_in_a_row(side.sentences) or frame.kind)
        if frame.by == frame.seat or (frame.by != "system" and frame.seat is None):
            return said
        if frame.seat is None:
            return self.say("{by}: {said}", "{by} : {said}", by=frame.by_name, said=said)
        return self.say(
            "{by}, for {seat}: {said}",
            "{by}, pour {seat} : {said}",
            by=frame.by_name,
            seat=frame.seat_name,
            said=said,
        )

    def lines(self, frame: Frame, side: Side) -> Iterator[Line]:
        """Everything that one side of a frame tells, the sentence first."""
        yield Line("sentence", self.sentence(frame, side))
        for one in side.postings:
            between = f"{frame.account_names[one.source]} → {frame.account_names[one.target]}"
            yield Line("posting", printable(f"{one.amount} {frame.commodity_names[one.commodity]}  {between}"))
        for account, commodity, before, after in holdings_changed(side):
            amounts = f"{before} → {after} {frame.commodity_names[commodity]}"
            account = frame.account_names[account]
            yield Line("holding", self.say("{account}: {of}", "{account} : {of}", account=account, of=amounts))
        if side.positions:
            stand = ", ".join(f"{self.player(seat)} {square}" for seat, square in sorted(side.positions.items()))
            yield Line("tokens", self.say("on squares: {stand}", "sur les cases : {stand}", stand=stand))
        for change in side.changed:
            if not change.what.startswith("accounts."):
                became = f"{_short(change.before)} → {_short(change.after)}"
                yield Line("change", printable(f"{change.what}  {became}"))
        if side.rules:
            rules = ", ".join(side.rules)
            yield Line("rules", self.say("rules: {rules}", "règles : {rules}", rules=rules))

    def plain(self, frame: Frame, *, details: bool) -> Iterator[str]:
        """An action as lines of text: its sentence, or both, like a diff, where a correction changed it."""
        tellings = self._tellings(frame, details=details)
        status = self.status(frame)
        for place, (mark, side) in enumerate(tellings):
            said, *more = self.lines(frame, side)
            name, note = (frame.action, f"  [{status}]" if status else "") if not place else ("", "")
            yield f"{name:<7} {mark} {said.text}{note}"
            if details:
                yield from (f"{'':<12}{line.text}" for line in more)

    def _tellings(self, frame: Frame, *, details: bool) -> list[tuple[str, Side]]:
        """The sides to be told, each with its mark: one when they are the same, as far as they are told."""
        recorded, corrected = frame.recorded, frame.corrected
        alike = recorded is not None and corrected is not None and recorded.sentences == corrected.sentences
        if frame.same or (alike and not details):
            return [(" ", one) for one in (corrected,) if one is not None]
        return [(mark, one) for mark, one in (("-", recorded), ("+", corrected)) if one is not None]


def printable(text: str) -> str:
    """The text without what a terminal would take for a command."""
    return text if text.isprintable() else "".join(one if one.isprintable() else " " for one in text)


def _in_a_row(sentences: Sequence[str]) -> str:
    """Sentences after one another; one that ends with somebody's words and no stop gets one before the next."""
    *others, last = sentences or ("",)
    return " ".join([*(one if one.endswith(_STOPS) else f"{one}." for one in others), last])


def _short(value: Any) -> str:
    said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST]}…"
