"""The consistency of a game of Négoces 2: the numbers of cards, the bid, the next bidder.

The actions of the game always leave a consistent state. A correction that keeps later actions may not, and
reports the inconsistencies.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.kernel.facts.consistency import Inconsistency
from ledger.rulebooks.negoces2.table import Negoces2, cards_of, coins_of


def inconsistencies(state: Negoces2) -> Iterator[Inconsistency]:
    """Yield the numbers of cards without a possible seller, an uncovered bid, a bidder who has withdrawn."""
    if state.phase == "auction":
        yield from _auction(state)
    if not state.dealt or state.phase == "ended":
        return
    counts = {seat: cards_of(state, seat) for seat in state.order}
    seller = None if state.sale is None else state.sale.seller
    extra = 0 if state.phase in {"setup", "auction"} else 1
    right = sorted(counts.values()) == [8, 8, 8, 8 + extra] and (seller is None or counts[seller] == 9)
    if not right:
        listed = ", ".join(f"{state.seats[seat].name} {count}" for seat, count in counts.items())
        yield Inconsistency(
            "negoces2:seller.2" if extra else "negoces2:setup.6",
            "cards",
            f"the numbers of cards in the hands do not fit: {listed}",
            f"les nombres de cartes des joueurs ne vont pas : {listed}",
        )


def _auction(state: Negoces2) -> Iterator[Inconsistency]:
    if state.bidder is not None and coins_of(state, state.bidder) < state.bid:
        name = state.seats[state.bidder].name
        yield Inconsistency(
            "negoces2:auction.6",
            "bid",
            f"the bid of {name} is {state.bid}, more than their coins",
            f"la mise de {name} est de {state.bid}, plus que ses pièces",
            readers=(state.bidder,),
        )
    if state.turn is not None and state.turn in state.withdrawn:
        name = state.seats[state.turn].name
        yield Inconsistency(
            "negoces2:auction.5",
            "turn",
            f"it is the turn of {name}, who has withdrawn from the auction",
            f"c'est à {name}, qui s'est retiré des enchères",
        )
