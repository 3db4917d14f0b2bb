"""Moving up: the best merchant of a division and the worst one of the division above change places.

It is an act between two games, each of which has closed a season: each goes on as a new game.
"""

from __future__ import annotations

from typing import ClassVar

import msgspec

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.chapter import Chapter
from ledger.kernel.rules.opening import Continuation, Dice, End, Opening, SeatOrigin
from ledger.rulebooks.monopoly.end.season_close import division_of
from ledger.rulebooks.monopoly.end.seasons import division_above
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cite, currency
from ledger.rulebooks.monopoly.table.terms import treasury

chapter = Chapter("Moving up")


@chapter.event
class MerchantArrived(Event, frozen=True, kw_only=True):
    """A merchant of another game takes a place in this one, with the profits of earlier seasons."""

    en: ClassVar[str] = (
        "{seat:seat} comes from the game {game} (seat {was!r}, after action {action}), with {amount:money} of "
        "profits."
    )
    fr: ClassVar[str] = (
        "{seat:seat} vient de la partie {game} (siège {was!r}, après l'action {action}), avec {amount:money} "
        "de bénéfices."
    )

    seat: str
    game: str
    action: int
    was: str
    amount: int
    season: int

    def apply(self, state: Monopoly) -> None:
        """The seasons go on being counted."""
        state.season = self.season


def arrive(draft: Draft, continues: Continuation) -> None:
    """Record where each merchant comes from, and what goes along."""
    state = draft.state
    for one in continues.seats:
        draft.record(
            MerchantArrived(
                rule=cite(state, "relegation" if one.seat == continues.arrived else "season_open"),
                seat=one.seat,
                game=one.game,
                action=one.action,
                was=one.was,
                amount=one.kept,
                season=continues.season,
                postings=draft.move(currency(state), one.kept, BANK, treasury(one.seat)),
            )
        )


def opening(here: End[Monopoly], there: End[Monopoly]) -> Opening:
    """The opening of the next season of `here`, with the merchant of `there` who comes in exchange.

    The best merchant of the lower division has asked to move up (swap_division), and changes places with the worst
    one above. Who arrives keeps the seat's id where it is free, and takes that of who leaves otherwise. Raises
    Impossible by the rules of the exchange.
    """
    _require_closed(here)
    _require_closed(there)
    going_up = _is_below(here.state, there.state)
    lower, upper = (here, there) if going_up else (there, here)
    if not going_up and not _is_below(there.state, here.state):
        raise Impossible(
            cite(here.state, "promotion"),
            "the two games are not those of a division and of the next higher one",
            "les deux parties ne sont pas celles d'une division et de la division juste au-dessus",
        )
    best, worst = lower.state.moved_up, upper.state.ranking[-1]
    if best is None:
        raise Impossible(
            cite(here.state, "promotion"),
            "the best merchant of the lower division has not asked to move up",
            "le meilleur marchand de la division inférieure n'a pas demandé à monter",
        )
    leaves, comes = (best, worst) if going_up else (worst, best)
    stay = [seat for seat in here.state.order if seat != leaves]
    arrived = comes if comes not in stay else leaves
    players, origins = [], []
    for seat in here.state.order:
        end, was, name = (there, comes, arrived) if seat == leaves else (here, seat, seat)
        kept = end.state.holdings.of(treasury(was), currency(end.state))
        players.append(Seat(name, end.state.seats[was].name))
        origins.append(SeatOrigin(seat=name, game=end.game, action=end.action, was=was, kept=kept))
    return Opening(
        players=tuple(players),
        settings=here.state.settings,
        dice=msgspec.convert(here.state.drawn_by, Dice),
        continues=Continuation(season=here.state.season + 1, arrived=arrived, seats=tuple(origins)),
    )


def _is_below(lower: Monopoly, upper: Monopoly) -> bool:
    """Whether the one game is that of the division just below that of the other."""
    above, there = division_above(lower), division_of(upper)
    return above is not None and there is not None and above == there


def _require_closed(end: End[Monopoly]) -> None:
    """Refuse a game that has not closed a season, or that its banker has ended for good."""
    state = end.state
    if state.stage != "between" or state.ended:
        raise Impossible(
            cite(state, "season_open"),
            "no season of the game {game} has just been closed",
            "aucune saison de la partie {game} ne vient d'être close",
            game=end.game,
        )
