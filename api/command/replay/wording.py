"""The frames of a replay as lines of text, in English or French."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from ledger.kernel.language.phrase import Phrase
from ledger.reading.words.telling import PRIVATE
from replays.frames import Frame, FrameSide, holdings_changed

PACES = (0.1, 100.0)
"""The slowest and the fastest speed of a running replay, in actions per second."""

_STATUSES: Mapping[str, Phrase] = {
    "effective": Phrase("counts again since {by}", "compte de nouveau depuis {by}"),
    "undone": Phrase("undone by {by}", "annulée par {by}"),
    "restated": Phrase("played again by {by}", "rejouée par {by}"),
    "voided": Phrase("made impossible by {by}", "rendue impossible par {by}"),
}
_STOPS = (".", "!", "?", "…")


class Line(NamedTuple):
    """A line of text about an action, with its topic."""

    about: Literal["sentence", "posting", "holding", "tokens", "change", "rules"]
    text: str


class Wording:
    """Writes frames in a language. `seats` has the names of the players by seat."""

    def __init__(self, language: str, seats: Mapping[str, str]) -> None:
        self._language = language
        self._seats = seats

    def say(self, template: Phrase, **values: object) -> str:
        """Fill the template in the language with the values."""
        return printable(template.in_language(self._language).format(**values))

    def player(self, seat: str) -> str:
        """Return the name of a seat's player."""
        return printable(self._seats.get(seat, seat))

    def status(self, frame: Frame) -> str:
        """Describe the effect of corrections on an action; empty if no correction changed the action."""
        if frame.after is not None and frame.status == "effective":
            return self.say(
                Phrase("inserted by {by} after {after}", "insérée par {by} après la {after}"),
                by=frame.number,
                after=frame.after,
            )
        if frame.corrected_by is None:
            return ""
        text = self.say(_STATUSES[frame.status], by=frame.corrected_by)
        if frame.reason is None:
            return text
        rule = f" ({frame.reason.rule})" if frame.reason.rule else ""
        return self.say(
            Phrase("{said}: {why}{rule}", "{said} : {why}{rule}"),
            said=text,
            why=frame.reason.text.rstrip("."),
            rule=rule,
        )

    def sentence(self, frame: Frame, side: FrameSide) -> str:
        """Return the sentences of an action, with the name of the actor if the action was for another seat."""
        if frame.kind == PRIVATE and not side.sentences:
            return self.say(Phrase("Something private happened.", "Il s'est passé quelque chose de privé."))
        text = printable(_in_a_row(side.sentences) or frame.kind)
        if frame.by == frame.seat or (frame.by != "system" and frame.seat is None):
            return text
        if frame.seat is None:
            return self.say(Phrase("{by}: {said}", "{by} : {said}"), by=frame.by_name, said=text)
        return self.say(
            Phrase("{by}, for {seat}: {said}", "{by}, pour {seat} : {said}"),
            by=frame.by_name,
            seat=frame.seat_name,
            said=text,
        )

    def lines(self, frame: Frame, side: FrameSide) -> Iterator[Line]:
        """Yield all lines of a side of a frame, the sentence first."""
        yield Line("sentence", self.sentence(frame, side))
        for posting in side.postings:
            between = f"{frame.account_names[posting.source]} → {frame.account_names[posting.target]}"
            yield Line(
                "posting", printable(f"{posting.amount} {frame.commodity_names[posting.commodity]}  {between}")
            )
        for account, commodity, old, new in holdings_changed(side):
            amounts = f"{old} → {new} {frame.commodity_names[commodity]}"
            account = frame.account_names[account]
            yield Line(
                "holding", self.say(Phrase("{account}: {of}", "{account} : {of}"), account=account, of=amounts)
            )
        if side.positions:
            stand = ", ".join(f"{self.player(seat)} {square}" for seat, square in sorted(side.positions.items()))
            yield Line("tokens", self.say(Phrase("on squares: {stand}", "sur les cases : {stand}"), stand=stand))
        for told in side.told:
            yield Line("change", printable(told))
        if side.rules:
            rules = ", ".join(side.rules)
            yield Line("rules", self.say(Phrase("rules: {rules}", "règles : {rules}"), rules=rules))

    def standings(self, frame: Frame) -> Iterator[tuple[str, str, str, str]]:
        """Yield the visible standings after an action, best first.

        Each has a player's name and worth, the change by the action, and the worth at the time of recording, if
        different.
        """
        visible = [standing for standing in frame.standings if standing.worth is not None]
        for standing in sorted(visible, key=lambda standing: -(standing.worth or 0)):
            worth = self.say(Phrase("out", "éliminé")) if standing.playing is False else str(standing.worth)
            change = f"{standing.change:+}" if standing.change else ""
            differs = standing.recorded is not None and standing.recorded != standing.worth
            yield printable(standing.name), worth, change, f"({standing.recorded})" if differs else ""

    def plain(self, frame: Frame, *, details: bool) -> Iterator[str]:
        """Yield an action as lines of text. If a correction changed the action, both sides are written like a
        diff.
        """
        sides = self._marked_sides(frame, details=details)
        status = self.status(frame)
        for index, (mark, side) in enumerate(sides):
            first, *further = self.lines(frame, side)
            name, note = (str(frame.action), f"  [{status}]" if status else "") if not index else ("", "")
            yield f"{name:<7} {mark} {first.text}{note}"
            if details:
                yield from (f"{'':<12}{line.text}" for line in further)
        stand = ", ".join(" ".join(filter(None, row)) for row in self.standings(frame))
        if details and stand:
            yield f"{'':<12}" + self.say(Phrase("standings: {stand}", "classement : {stand}"), stand=stand)

    def _marked_sides(self, frame: Frame, *, details: bool) -> list[tuple[str, FrameSide]]:
        """Return the sides to write, each with a mark. Sides with equal text are written once."""
        recorded, corrected = frame.recorded, frame.corrected
        alike = recorded is not None and corrected is not None and recorded.sentences == corrected.sentences
        if frame.same or (alike and not details):
            return [(" ", version) for version in (corrected,) if version is not None]
        return [(mark, version) for mark, version in (("-", recorded), ("+", corrected)) if version is not None]


def printable(text: str) -> str:
    """Replace the control characters, which a terminal would obey, by spaces."""
    return (
        text
        if text.isprintable()
        else "".join(character if character.isprintable() else " " for character in text)
    )


def _in_a_row(sentences: Sequence[str]) -> str:
    """Join sentences. A sentence without a final stop, as after a quotation, gets a full stop."""
    *others, last = sentences or ("",)
    return " ".join([*(sentence if sentence.endswith(_STOPS) else f"{sentence}." for sentence in others), last])
