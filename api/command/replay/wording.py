"""The frames of a replay as lines of text, in English or French."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from ledger.reading.words.telling import PRIVATE
from replays.frames import Frame, FrameSide, holdings_changed

PACES = (0.1, 100.0)
"""The slowest and the fastest speed of a running replay, in actions per second."""

_STATUSES: Mapping[str, tuple[str, str]] = {
    "effective": ("counts again since {by}", "compte de nouveau depuis {by}"),
    "undone": ("undone by {by}", "annulée par {by}"),
    "restated": ("restated by {by}", "rejouée autrement par {by}"),
    "voided": ("voided by {by}", "rendue impossible par {by}"),
}
_STOPS = (".", "!", "?", "…")


class Line(NamedTuple):
    """A line of text about an action, and its topic."""

    about: Literal["sentence", "posting", "holding", "tokens", "change", "rules"]
    text: str


class Wording:
    """Writes frames in a language. Takes the names of the players by their seats."""

    def __init__(self, language: str, seats: Mapping[str, str]) -> None:
        self._french = language == "fr"
        self._seats = seats

    def say(self, en: str, fr: str, **values: object) -> str:
        """Choose the template of the language and fill in the values."""
        return printable((fr if self._french else en).format(**values))

    def player(self, seat: str) -> str:
        """The name of a seat's player."""
        return printable(self._seats.get(seat, seat))

    def status(self, frame: Frame) -> str:
        """The effect of corrections on an action; empty when no correction changed it."""
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

    def sentence(self, frame: Frame, side: FrameSide) -> str:
        """The sentences of an action, with the name of who asked when they acted for another seat."""
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

    def lines(self, frame: Frame, side: FrameSide) -> Iterator[Line]:
        """All lines of one side of a frame, the sentence first."""
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
        for told in side.told:
            yield Line("change", printable(told))
        if side.rules:
            rules = ", ".join(side.rules)
            yield Line("rules", self.say("rules: {rules}", "règles : {rules}", rules=rules))

    def standings(self, frame: Frame) -> Iterator[tuple[str, str, str, str]]:
        """The standings after an action, best first, as far as they may be seen.

        Each is a player's name, what the player is worth, the change by the action, and what the player was worth
        when the action was recorded, if it was something else.
        """
        known = [one for one in frame.standings if one.worth is not None]
        for one in sorted(known, key=lambda one: -(one.worth or 0)):
            worth = self.say("out", "éliminé") if one.playing is False else str(one.worth)
            change = f"{one.change:+}" if one.change else ""
            differs = one.recorded is not None and one.recorded != one.worth
            yield printable(one.name), worth, change, f"({one.recorded})" if differs else ""

    def plain(self, frame: Frame, *, details: bool) -> Iterator[str]:
        """An action as lines of text. Where a correction changed it, both sides are written like a diff."""
        sides = self._marked_sides(frame, details=details)
        status = self.status(frame)
        for place, (mark, side) in enumerate(sides):
            said, *more = self.lines(frame, side)
            name, note = (str(frame.action), f"  [{status}]" if status else "") if not place else ("", "")
            yield f"{name:<7} {mark} {said.text}{note}"
            if details:
                yield from (f"{'':<12}{line.text}" for line in more)
        stand = ", ".join(" ".join(filter(None, one)) for one in self.standings(frame))
        if details and stand:
            yield f"{'':<12}" + self.say("standings: {stand}", "classement : {stand}", stand=stand)

    def _marked_sides(self, frame: Frame, *, details: bool) -> list[tuple[str, FrameSide]]:
        """The sides to write, each with its mark. Sides that would be written the same are written once."""
        recorded, corrected = frame.recorded, frame.corrected
        alike = recorded is not None and corrected is not None and recorded.sentences == corrected.sentences
        if frame.same or (alike and not details):
            return [(" ", one) for one in (corrected,) if one is not None]
        return [(mark, one) for mark, one in (("-", recorded), ("+", corrected)) if one is not None]


def printable(text: str) -> str:
    """The text without the control characters that a terminal would obey."""
    return text if text.isprintable() else "".join(one if one.isprintable() else " " for one in text)


def _in_a_row(sentences: Sequence[str]) -> str:
    """Join sentences. A sentence that ends with somebody's words and without a stop gets a full stop."""
    *others, last = sentences or ("",)
    return " ".join([*(one if one.endswith(_STOPS) else f"{one}." for one in others), last])
