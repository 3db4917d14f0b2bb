"""Moving up: the best merchant of a division and the worst of the division above change places.

The exchange takes place between two games with a closed season: each goes on as a new game.
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
from ledger.rulebooks.monopoly.table.settings import common
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
        """Go on counting the seasons."""
        state.season = self.season


def arrive(draft: Draft, continues: Continuation) -> None:
    """Record the origin of each merchant, and the profits brought along."""
    state = draft.state
    for origin in continues.seats:
        draft.record(
            MerchantArrived(
                rule=cite(state, "relegation" if origin.seat == continues.arrived else "season_open"),
                seat=origin.seat,
                game=origin.game,
                action=origin.action,
                was=origin.was,
                amount=origin.kept,
                season=continues.season,
                postings=draft.move(currency(state), origin.kept, BANK, treasury(origin.seat)),
            )
        )


def opening(near_end: End[Monopoly], far_end: End[Monopoly]) -> Opening:
    """Build the opening of the next season of `near_end`, with a merchant of `far_end` in exchange.

    The best merchant of the lower division has asked to move up (swap_division), and changes places with the
    worst above. The newcomer keeps the seat's id if free, and takes the id of the leaver otherwise. Raises
    Impossible by the rules of the exchange.
    """
    _require_closed(near_end)
    _require_closed(far_end)
    going_up = _is_below(near_end.state, far_end.state)
    lower, upper = (near_end, far_end) if going_up else (far_end, near_end)
    if not going_up and not _is_below(far_end.state, near_end.state):
        raise Impossible(
            cite(near_end.state, "promotion"),
            "the two games are not those of a division and of the next higher one",
            "les deux parties ne sont pas celles d'une division et de la division juste au-dessus",
        )
    best, worst = lower.state.moved_up, upper.state.ranking[-1]
    if best is None:
        raise Impossible(
            cite(near_end.state, "promotion"),
            "the best merchant of the lower division has not asked to move up",
            "le meilleur marchand de la division inférieure n'a pas demandé à monter",
        )
    leaves, comes = (best, worst) if going_up else (worst, best)
    stay = [seat for seat in near_end.state.order if seat != leaves]
    arrived = comes if comes not in stay else leaves
    players, origins = [], []
    for seat in near_end.state.order:
        end, was, name = (far_end, comes, arrived) if seat == leaves else (near_end, seat, seat)
        profits = end.state.holdings.of(treasury(was), currency(end.state))
        players.append(Seat(name, end.state.seats[was].name))
        origins.append(SeatOrigin(seat=name, game=end.game, action=end.action, was=was, kept=profits))
    settings = near_end.state.settings
    return Opening(
        players=tuple(players),
        settings=settings if near_end.state.edition.takes_own else common(settings),
        dice=msgspec.convert(near_end.state.drawn_by, Dice),
        continues=Continuation(season=near_end.state.season + 1, arrived=arrived, seats=tuple(origins)),
    )


def _is_below(lower: Monopoly, upper: Monopoly) -> bool:
    """Return True if the first game's division is just below the second game's."""
    above, there = division_above(lower), division_of(upper)
    return above is not None and there is not None and above == there


def _require_closed(end: End[Monopoly]) -> None:
    """Refuse a game without a closed season, or ended for good by the banker."""
    state = end.state
    if state.stage != "between" or state.ended:
        raise Impossible(
            cite(state, "season_open"),
            "no season of the game {game} has just been closed",
            "aucune saison de la partie {game} ne vient d'être close",
            game=end.game,
        )
