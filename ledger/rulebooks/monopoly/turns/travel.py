"""From station to station: a stop on a station may go on to another station, at a table that says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible, RuleBroken
from ledger.kernel.facts.values import TitleId
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.debts import debts
from ledger.rulebooks.monopoly.table.pieces import Square
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    cite,
    is_mortgaged,
    is_selling,
    on_turn,
    owner_of,
    pieces,
    title_named,
)
from ledger.rulebooks.monopoly.turns import landings, movement, turns

chapter = Chapter("From station to station")


@chapter.event
class StationTravelled(Event, frozen=True, kw_only=True):
    """A player travels from a station to another, straight and without a salary."""

    en: ClassVar[str] = "{seat:seat} travels on from {start:title} to {title:title}."
    fr: ClassVar[str] = "{seat:seat} poursuit de {start:title} à {title:title}."

    seat: str
    start: str
    title: str

    def apply(self, state: Monopoly) -> None:
        """Note the throw of the journey: each throw allows one."""
        state.travelled = state.throws


@chapter.action(
    summary=("travel on to another station", "poursuivre jusqu'à une autre gare"),
    when=(
        "after a stop on one's own station, or with its rent paid, where the table travels",
        "après l'arrêt sur sa propre gare, ou une fois le loyer payé, si la table voyage",
    ),
)
class Travel(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Travel from the station of the stop to another station, once after each throw."""

    title: TitleId

    def decide(self, draft: Draft) -> None:
        """Refuse without a paid stop on a station, and to anything but another station."""
        state, seat = draft.state, on_turn(draft)
        rule = cite(state, "travel")
        turns.require_done(draft, seat)
        debts.require_unblocked(draft, seat)
        for broken in _obstacles(state, seat):
            draft.refuse(broken)
        start, target = landings.square_under(state, seat), title_named(draft, self.title, rule)
        if target.kind != "station" or target == start:
            raise Impossible(
                rule,
                "{seat:seat} travels to another station, and {title:title} is none",
                "{seat:seat} voyage vers une autre gare, et {title:title} n'en est pas une",
                seat=seat,
                title=target.id,
            )
        draft.record(StationTravelled(rule=rule, seat=seat, start=start.id, title=target.id))
        number = pieces(state).index[target.id]
        draft.record(movement.TokenMoved(rule=rule, seat=seat, way=(number,)))
        movement.land(draft, seat, dice=None)

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer each other station after a paid stop on a station."""
        free = state.turn == seat and state.landing is None and not is_selling(state)
        if not free or next(_obstacles(state, seat), None) is not None:
            return
        start = landings.square_under(state, seat)
        yield from (Choice({"title": station.id}) for station in _stations(state) if station != start)


def _stations(state: Monopoly) -> Iterable[Square]:
    return (square for square in pieces(state).titles.values() if square.kind == "station")


def _obstacles(state: Monopoly, seat: str) -> Iterator[RuleBroken]:
    """Report the reasons against a journey, regardless of the target."""
    rule, square = cite(state, "travel"), landings.square_under(state, seat)
    owner = owner_of(state, square.id) if square.price else None
    if not state.settings.station_travel:
        yield Impossible(rule, "nobody travels at this table", "personne ne voyage à cette table")
    elif square.kind != "station" or owner is None or is_mortgaged(state, square.id):
        yield Impossible(
            rule,
            "{seat:seat} does not stand on a station of a player, or it is mortgaged",
            "{seat:seat} n'est pas sur la gare d'un joueur, ou elle est hypothéquée",
            seat=seat,
        )
    elif not state.throws or state.travelled == state.throws:
        yield RuleBroken(
            rule,
            "{seat:seat} may travel once after each throw of the turn",
            "{seat:seat} peut voyager une fois après chaque lancer du tour",
            seat=seat,
        )
    elif _owes(state, seat, square.id):
        yield RuleBroken(
            rule,
            "the rent of {title:title} is not paid yet",
            "le loyer de {title:title} n'est pas encore payé",
            title=square.id,
        )


def _owes(state: Monopoly, seat: str, title: str) -> bool:
    """Return True if the rent of a stop is open: not claimed yet, or owed."""
    claimed = any(rent.lander == seat and rent.title == title for rent in state.rents)
    return claimed or any(debt.debtor == seat and debt.title == title for debt in state.debts)
