"""Dice, cards and shuffles: given by whoever acts, recorded earlier, or drawn by chance; always kept.

An action asks for a draw by name. The values come from the first of these that has them: the parameters of the
action (a physical table), what was recorded with it (when it is decided again, as far as that still fits), chance
(the service throws). Without any, NeedsDraw is raised. The values are always kept with the action, so deciding it
again gives the same result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from ledger.kernel.dice.chance import Chance
from ledger.kernel.facts.events import Undrawn
from ledger.kernel.facts.refusals import Malformed, NeedsDraw

V = TypeVar("V", int, str)


def undrawn(
    action: str, was: Mapping[str, Sequence[int | str]], now: Mapping[str, Sequence[int | str]]
) -> Iterator[Undrawn]:
    """What an action drew before and does not draw now, by the name of the draw."""
    for name, values in was.items():
        left = [*now.get(name, ())]
        gone: list[int | str] = []
        for value in values:
            if value in left:
                left.remove(value)
            else:
                gone.append(value)
        if gone:
            yield Undrawn(action, name, tuple(gone))


class Draws:
    """The draws of one action, in the order in which they are asked for, by name."""

    def __init__(
        self,
        recorded: Mapping[str, Sequence[int | str]] | None = None,
        chance: Chance | None = None,
        *,
        may_give: bool = True,
    ) -> None:
        self._may_give = may_give
        self._recorded = {name: list(values) for name, values in (recorded or {}).items()}
        self._chance = chance
        self._offered: list[int | str] = []
        self._accepted = 0
        """How many of the offered values have been taken."""
        self.kept: dict[str, list[int | str]] = {}
        self.missed: list[NeedsDraw] = []
        """The draws that were asked for and that nobody made, also those that the game went on without."""
        self._asked: list[tuple[int | str | None, ...]] = []
        """The values of each draw that no parameter of its own gives, as asked for; None for each one missing."""

    def offer(self, values: Sequence[int | str] | None) -> None:
        """Accept values that came with the action: numbers for dice, texts for cards, used in order.

        Raises Malformed for a player's where the service throws, before anything is thrown.
        """
        if values and not self._may_give:
            raise Malformed(
                "the service draws in this game: leave out {values}",
                "le service tire lui-même dans cette partie : n'indiquez pas {values}",
                values=", ".join(str(value) for value in values),
            )
        self._offered.extend(values or ())

    @property
    def unused(self) -> tuple[int | str, ...]:
        """The offered values that nothing has asked for."""
        return tuple(self._offered)

    def dice(self, name: str, given: Sequence[int] | None, *, count: int, sides: int) -> tuple[int, ...]:
        """`count` dice of `sides` sides.

        Raises Malformed when the given values are not that many faces, NeedsDraw when there is no source.
        """
        own, earlier = given is not None, self._accepted
        if given is None:
            given = self._take_offered(int, count)
        self._check_giver(name, given)
        recorded = [value for value in self._take(name, count) if isinstance(value, int) and 1 <= value <= sides]
        if given is not None:
            values: tuple[int, ...] = tuple(given)
        elif len(recorded) == count:
            values = tuple(recorded)
        elif self._chance is not None:
            values = tuple(self._chance.randint(1, sides) for _ in range(count))
        else:
            raise self._miss(NeedsDraw(name, count, sides=sides, given=self._accepted))
        if len(values) != count or not all(1 <= value <= sides for value in values):
            raise Malformed(
                "{name:draw} takes {count} values from 1 to {sides}{after}, not {values}",
                "{name:draw} demande {count} valeurs de 1 à {sides}{apres}, pas {values}",
                name=name,
                count=count,
                sides=sides,
                values=list(values),
                **_after(0 if own else earlier),
            )
        if not own:
            self._asked.append(values)
        self.kept.setdefault(name, []).extend(values)
        return values

    def cards(
        self,
        name: str,
        deck: Sequence[str],
        count: int = 1,
        *,
        named: str | None = None,
        hidden: Sequence[str] = (),
        top: Sequence[str] = (),
    ) -> tuple[str, ...]:
        """`count` different cards of those in the deck, in the order in which they are drawn.

        `named` is what the deck is called. `hidden` are cards elsewhere that may be in the deck as far as whoever
        acts knows: they are drawn as well when they are offered, because a refusal would tell that they are not in
        the deck. `top` are cards of the deck that lie on top of it, in their order: where chance draws, they are
        the first ones. Raises Malformed when the cards offered are none of these, NeedsDraw when there is no
        source.
        """
        earlier, given = self._accepted, self._take_offered(str, count)
        self._check_giver(name, given)
        recorded = [str(card) for card in self._take(name, count)]
        allowed = {*deck, *hidden} if given is not None else {*deck}
        if given is not None:
            drawn = given
        elif len(set(recorded) & allowed) == count:
            drawn = recorded
        elif self._chance is not None:
            first = list(top[:count])
            left = sorted({*deck} - {*first})
            rest = range(count - len(first))
            drawn = [*first, *(left.pop(self._chance.randint(0, len(left) - 1)) for _ in rest)]
        else:
            raise self._miss(NeedsDraw(name, count, draw="cards", deck=named, given=self._accepted))
        if len(set(drawn) & allowed) != count:
            raise Malformed(
                "{name:draw} takes {count} of the cards left to draw{after}, not {drawn}",
                "{name:draw} demande {count} des cartes qui restent à tirer{apres}, pas {drawn}",
                name=name,
                count=count,
                drawn=", ".join(drawn),
                **_after(earlier),
            )
        self._asked.append(tuple(drawn))
        self.kept.setdefault(name, []).extend(drawn)
        return tuple(drawn)

    def shuffled(self, name: str, given: Sequence[str] | None, cards: Sequence[str]) -> tuple[str, ...]:
        """The cards in a random order.

        Raises Malformed when the given order is not one of these cards, NeedsDraw when there is no source.
        """
        self._check_giver(name, given)
        recorded = [str(card) for card in self._take(name, len(cards))]
        if given is not None:
            order = list(given)
        elif sorted(recorded) == sorted(cards):
            order = recorded
        elif self._chance is not None:
            order = list(cards)
            self._chance.shuffle(order)
        else:
            raise self._miss(NeedsDraw(name, len(cards), draw="cards", given=self._accepted))
        if sorted(order) != sorted(cards):
            raise Malformed(
                "{name:draw} takes each of {cards} once, not {order}",
                "{name:draw} demande chacune de {cards} une fois, pas {order}",
                name=name,
                cards=list(cards),
                order=order,
            )
        self.kept.setdefault(name, []).extend(order)
        return tuple(order)

    def _miss(self, needed: NeedsDraw) -> NeedsDraw:
        """Keep that nobody made this draw."""
        needed.among, needed.place = self._asked, len(self._asked)
        self._asked.append((None,) * needed.count)
        self.missed.append(needed)
        return needed

    def _check_giver(self, name: str, given: Sequence[int | str] | None) -> None:
        """Refuse values that a player gives where the service throws."""
        if given is not None and not self._may_give:
            raise Malformed(
                "the service draws in this game: leave out the values for {name:draw}",
                "le service tire lui-même dans cette partie : n'indiquez pas de valeurs pour {name:draw}",
                name=name,
            )

    def _take_offered(self, kind: type[V], count: int) -> list[V] | None:
        """The next values of this kind that came with the action; None when none did."""
        found = [value for value in self._offered if isinstance(value, kind)][:count]
        for value in found:
            self._offered.remove(value)
        self._accepted += len(found)
        return found or None

    def _take(self, name: str, count: int) -> list[int | str]:
        """The next values recorded under the name, so that each throw meets its own also when some are given."""
        waiting = self._recorded.get(name, [])
        taken, self._recorded[name] = waiting[:count], waiting[count:]
        return taken


def _after(earlier: int) -> dict[str, str]:
    """How a refusal tells in both languages that so many of the values given were taken before."""
    if not earlier:
        return {"after": "", "apres": ""}
    return {"after": f" after the first {earlier} given", "apres": f" après les {earlier} premières indiquées"}
