"""The use of a board over many games: the titles of winners, and the cards drawn with and without an effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from ledger.kernel.facts.events import Event, kind_of
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks.parts.seats import player
from replays.results import Share, share


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """The use of a board in a game: the seat that first owned each title, and the cards drawn."""

    owners: dict[str, str] = {}
    drawn: dict[str, int] = {}
    idle: dict[str, int] = {}
    """The draws without any effect, by card."""


class TitleUse(msgspec.Struct, frozen=True, kw_only=True):
    """The games in which a seat got a title from the bank, and the games won by the first owner."""

    title: str
    games: int
    won: int
    share: Share | None
    """The share of the games won; None for no games."""


class CardUse(msgspec.Struct, frozen=True, kw_only=True):
    """The number of draws of a card, and the draws without any effect."""

    card: str
    drawn: int
    idle: int


class Watching:
    """Watches the events of a game."""

    def __init__(self, rulebook: Rulebook[Any], seats: Iterable[str]) -> None:
        self._simulation = rulebook.simulation
        self._seats = {player(seat): seat for seat in seats}
        self._owners: dict[str, str] = {}
        self._drawn: Counter[str] = Counter()
        self._idle: Counter[str] = Counter()

    def take(self, events: Iterable[Event]) -> None:
        """Take the events of an action."""
        waiting: str | None = None
        for event in events:
            kind = kind_of(event)
            if kind in self._simulation.draws:
                self._end_draw(waiting)
                waiting = str(getattr(event, "card", ""))
                self._drawn[waiting] += 1
            elif kind not in self._simulation.idle:
                waiting = None
            for posting in event.postings:
                if posting.commodity.startswith("title:") and posting.target in self._seats:
                    title = posting.commodity.removeprefix("title:")
                    self._owners.setdefault(title, self._seats[posting.target])
        self._end_draw(waiting)

    def _end_draw(self, card: str | None) -> None:
        if card is not None:
            self._idle[card] += 1

    @property
    def use(self) -> Use:
        """The use of the board so far."""
        return Use(owners=dict(self._owners), drawn=dict(self._drawn), idle=dict(self._idle))


def titles_of(uses: Iterable[tuple[Use, Iterable[str]]], titles: Iterable[str] = ()) -> tuple[TitleUse, ...]:
    """Return the use of titles in ended games, the least lucky first.

    Each game has the winners beside. `titles` are all titles of the board: a title never bought has no games.
    """
    games, won = Counter[str](), Counter[str]()
    for use, winners in uses:
        lucky = set(winners)
        for title, seat in use.owners.items():
            games[title] += 1
            won[title] += seat in lucky
    rows = [
        TitleUse(
            title=title,
            games=games[title],
            won=won[title],
            share=share(won[title], games[title]) if games[title] else None,
        )
        for title in dict.fromkeys([*titles, *games])
    ]
    return tuple(sorted(rows, key=lambda row: row.won / row.games if row.games else -1))


def cards_of(uses: Iterable[Use], cards: Iterable[str] = ()) -> tuple[CardUse, ...]:
    """Return the use of cards, the least effective first. `cards` are all cards of the board."""
    drawn, idle = Counter[str](), Counter[str]()
    for use in uses:
        drawn.update(use.drawn)
        idle.update(use.idle)
    rows = [CardUse(card=card, drawn=drawn[card], idle=idle[card]) for card in dict.fromkeys([*cards, *drawn])]
    return tuple(sorted(rows, key=lambda row: row.drawn - row.idle))


def names_in(document: Mapping[str, Any], part: str, language: str = "en") -> dict[str, str]:
    """Return the names or texts of the rows of a part of an edition in the stored form, by id."""
    names = {}
    for row in document.get(part, ()):
        name = row.get("name", row.get("title", ""))
        names[row["id"]] = name.get(language, "") if isinstance(name, Mapping) else str(name)
    return names
