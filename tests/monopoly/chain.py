"""Where tokens stop in the long run: a Markov chain, from the squares and the cards of an edition alone.

Its players throw for a double in prison and never pay before the last throw. The cards that open the prison are
kept for good, so the piles have the others. A stop is the end of a move, also one that a card or the board makes;
being sent to prison is a stop there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import product

from ledger.rulebooks.monopoly.table.effects import GoBack, GoTo, GoToNearest, GoToPrison, Keep
from ledger.rulebooks.monopoly.table.pieces import Card, Pieces
from ledger.rulebooks.monopoly.table.settings import Settings

Place = tuple[str, int, int]
"""Where a player is between two steps: ("throw" or "draw", a square, doubles in a row) or ("jail", the square of
the prison, how many throws have failed)."""
Step = tuple[float, Place, tuple[int, ...]]
"""Its probability, where it leads, and the squares where the token stops on the way."""

_THROWS = [(one + other, one == other) for one, other in product(range(1, 7), repeat=2)]
_CLOSE = 1e-13


class Chain:
    """The chain of an edition's pieces at a table with these settings."""

    def __init__(self, pieces: Pieces, settings: Settings) -> None:
        self.pieces, self.settings = pieces, settings
        self.size = len(pieces.squares)
        self.law = self._stationary()
        """The share of steps that begin at each place."""

    def shares(self) -> list[float]:
        """The share of stops on each square."""
        stops = [0.0] * self.size
        for place, weight in self.law.items():
            for likely, _, squares in self.steps(place):
                for square in squares:
                    stops[square] += weight * likely
        return [one / sum(stops) for one in stops]

    def beginnings(self) -> dict[Place, float]:
        """How likely a turn begins at each place."""
        found = {place: weight for place, weight in self.law.items() if place[0] == "jail" or _is_new(place)}
        return {place: weight / sum(found.values()) for place, weight in found.items()}

    # Steps ----------------------------------------------------------------------------------------

    def steps(self, place: Place) -> Iterator[Step]:
        """What may follow at a place."""
        what, square, count = place
        if what == "draw":
            found = self._cards_at(square)
            for card in found:
                yield (1 / len(found), *self._drawn(card, square, count))
            return
        step: Callable[[int, int, int, bool], tuple[Place, tuple[int, ...]]]
        step = self._out_of_prison if what == "jail" else self._thrown
        for total, double in _THROWS:
            yield (1 / len(_THROWS), *step(square, count, total, double))

    def _thrown(self, square: int, doubles: int, total: int, double: bool) -> tuple[Place, tuple[int, ...]]:
        doubles = doubles + 1 if double else 0
        if doubles and doubles == self.settings.doubles_to_jail:
            return self._prison()
        return self._landed(square + total, doubles)

    def _out_of_prison(self, jail: int, failed: int, total: int, double: bool) -> tuple[Place, tuple[int, ...]]:
        if not double and failed + 1 < self.settings.jail_turns:
            return ("jail", jail, failed + 1), ()
        # Another throw, where a double gives one, is like the first throw of a turn.
        return self._landed(jail + total, 0)

    def _drawn(self, card: Card, square: int, doubles: int) -> tuple[Place, tuple[int, ...]]:
        for effect in card.effects:
            match effect:
                case GoTo():
                    return self._landed(self.pieces.index[effect.square], doubles)
                case GoBack():
                    return self._landed(square - effect.steps, doubles)
                case GoToNearest():
                    ahead = ((square + steps) % self.size for steps in range(1, self.size + 1))
                    return self._landed(next(one for one in ahead if self._is_of(one, effect.of)), doubles)
                case GoToPrison():
                    return self._prison()
                case _:
                    pass
        return ("throw", square, doubles), ()

    def _landed(self, square: int, doubles: int) -> tuple[Place, tuple[int, ...]]:
        square %= self.size
        kind = self.pieces.squares[square].kind
        if kind == "go_to_jail":
            place, stops = self._prison()
            return place, (square, *stops)
        return ("draw" if kind == "card" else "throw", square, doubles), (square,)

    def _prison(self) -> tuple[Place, tuple[int, ...]]:
        return ("jail", self.pieces.jail, 0), (self.pieces.jail,)

    def _is_of(self, square: int, of: str) -> bool:
        found = self.pieces.squares[square]
        return of in (found.group, found.kind)

    def _cards_at(self, square: int) -> Sequence[Card]:
        """The faces of the die, or the cards that are not kept."""
        deck = self.pieces.squares[square].deck
        return [one for one in self.pieces.cards_of(deck) if one.face or not is_kept(one)]

    # The long run ---------------------------------------------------------------------------------

    def _stationary(self) -> dict[Place, float]:
        """The power method, half a step at a time, so that no period of the chain matters."""
        steps: dict[Place, list[Step]] = {}
        law: dict[Place, float] = {("throw", self.pieces.start, 0): 1.0}
        while True:
            then: defaultdict[Place, float] = defaultdict(float)
            for place, weight in law.items():
                if place not in steps:
                    steps[place] = list(self.steps(place))
                then[place] += weight / 2
                for likely, to, _ in steps[place]:
                    then[to] += weight * likely / 2
            if max(abs(then[place] - law.get(place, 0.0)) for place in then) < _CLOSE:
                return then
            law = dict(then)


def is_kept(card: Card) -> bool:
    """Whether a player keeps the card."""
    return any(isinstance(effect, Keep) for effect in card.effects)


def _is_new(place: Place) -> bool:
    return place[0] == "throw" and place[2] == 0
