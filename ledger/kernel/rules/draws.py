"""Dice, cards and shuffles: given by the player, recorded earlier, or drawn by chance; always kept.

An action requests a draw by name. The values come from the first source with values: the parameters of the
action (a physical table), the values recorded with the action (when decided again, as far as they still fit),
or chance (the service throws). Without a source, NeedsDraw is raised. The values are kept with the action, so
deciding it again gives the same result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from ledger.kernel.dice.chance import Chance
from ledger.kernel.facts.events import UndoneDraw
from ledger.kernel.facts.refusals import Malformed, NeedsDraw

V = TypeVar("V", int, str)


def undone_draws(
    action: str, was: Mapping[str, Sequence[int | str]], current: Mapping[str, Sequence[int | str]]
) -> Iterator[UndoneDraw]:
    """Yield the values drawn earlier and no longer in `current`, by the name of the draw."""
    for name, values in was.items():
        remaining = [*current.get(name, ())]
        gone: list[int | str] = []
        for value in values:
            if value in remaining:
                remaining.remove(value)
            else:
                gone.append(value)
        if gone:
            yield UndoneDraw(action, name, tuple(gone))


class Draws:
    """The draws of an action by name, in order of request."""

    def __init__(
        self,
        recorded: Mapping[str, Sequence[int | str]] | None = None,
        chance: Chance | None = None,
        *,
        may_give: bool = True,
        put_back: Mapping[str, Sequence[int | str]] | None = None,
        gives_again: bool = False,
    ) -> None:
        self._may_give = may_give
        self._put_back = put_back
        self._gives_again = gives_again
        """True if the given values were given earlier: in a corrected history, they count as far as they fit."""
        self._recorded = {name: list(values) for name, values in (recorded or {}).items()}
        self._chance = chance
        self._offered: list[int | str] = []
        self._accepted = 0
        """The number of offered values used so far."""
        self.drawn: dict[str, list[int | str]] = {}
        self.missed: list[NeedsDraw] = []
        """The requested draws without a value, including those that the game continued without."""
        self._requested: list[tuple[int | str | None, ...]] = []
        """The values of each draw not given by a parameter of its own, as requested; None for each missing
        value.
        """

    def offer(self, values: Sequence[int | str] | None) -> None:
        """Accept the values sent with the action: numbers for dice, texts for cards, used in order.

        Raises Malformed for values from a player in a game with draws by the service, before any throw.
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
        """The offered values not requested by any draw."""
        return tuple(self._offered)

    def dice(self, name: str, faces: Sequence[int] | None, *, count: int, sides: int) -> tuple[int, ...]:
        """Throw `count` dice of `sides` sides.

        Raises Malformed if the given values are not `count` faces, NeedsDraw without a source.
        """
        has_parameter, earlier = faces is not None, self._accepted
        if faces is None:
            faces = self._take_offered(int, count)
        self._check_giver(name, faces)
        recorded = [value for value in self._take(name, count) if isinstance(value, int) and 1 <= value <= sides]
        if faces is not None:
            values: tuple[int, ...] = tuple(faces)
        elif len(recorded) == count:
            values = tuple(recorded)
        elif self._chance is not None:
            values = tuple(self._chance.randint(1, sides) for _ in range(count))
        else:
            raise self._miss(NeedsDraw(name, count, sides=sides, accepted=self._accepted))
        if len(values) != count or not all(1 <= value <= sides for value in values):
            raise Malformed(
                "{name:draw} takes {count} values from 1 to {sides}{after}, not {values}",
                "{name:draw} demande {count} valeurs de 1 à {sides}{apres}, pas {values}",
                name=name,
                count=count,
                sides=sides,
                values=list(values),
                **_used_phrase(0 if has_parameter else earlier),
            )
        if not has_parameter:
            self._requested.append(values)
        self.drawn.setdefault(name, []).extend(values)
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
        secret: bool = False,
    ) -> tuple[str, ...]:
        """Draw `count` different cards from the deck, in the order of drawing.

        `named` is the name of the deck. `hidden` lists cards elsewhere that may be in the deck, as far as the
        player knows. A hidden card is accepted when offered, because a refusal would reveal that the card is
        not in the deck. `top` lists the cards on top of the deck, in order, drawn first by chance. A correction
        takes the only possible cards, except of a `secret` deck, because a card's place would show. Raises
        Malformed for offered cards outside the deck and `hidden`, NeedsDraw without a source.
        """
        earlier, offered = self._accepted, self._take_offered(str, count)
        self._check_giver(name, offered)
        recorded = [str(card) for card in self._take(name, count)]
        allowed = {*deck, *hidden} if offered is not None else {*deck}
        if offered is not None and (not self._gives_again or len({*offered} & allowed) == count):
            drawn = offered
        elif len(set(recorded) & allowed) == count:
            drawn = recorded
        elif self._chance is not None:
            first = list(top[:count])
            remaining = sorted({*deck} - {*first})
            repeats = range(count - len(first))
            drawn = [*first, *(remaining.pop(self._chance.randint(0, len(remaining) - 1)) for _ in repeats)]
        elif not secret and (certain := self._certain(name, deck, count)):
            drawn = certain
        else:
            # The cards of a hand are no deck: their names stay in the hand.
            possible = () if named is None else {*deck, *hidden}
            raise self._miss(
                NeedsDraw(name, count, draw="cards", deck=named, cards=[*possible], accepted=self._accepted)
            )
        if len(set(drawn) & allowed) != count:
            raise Malformed(
                "{name:draw} takes {count} of the cards left to draw{after}, not {drawn}",
                "{name:draw} demande {count} des cartes qui restent à tirer{apres}, pas {drawn}",
                name=name,
                count=count,
                drawn=", ".join(drawn),
                **_used_phrase(earlier),
            )
        self._requested.append(tuple(drawn))
        self.drawn.setdefault(name, []).extend(drawn)
        return tuple(drawn)

    def _certain(self, name: str, deck: Sequence[str], count: int) -> list[str]:
        """Return the only cards that a correction can draw: those put back on top, or a last card. Else empty."""
        if self._put_back is None:
            return []
        back = [str(card) for card in self._put_back.get(name, ()) if card in deck][:count]
        return back if len(back) == count else [*deck] if len(deck) == count == 1 else []

    def shuffled(self, name: str, given_order: Sequence[str] | None, cards: Sequence[str]) -> tuple[str, ...]:
        """Return the cards in a random order.

        Raises Malformed if the given order is no order of the cards, NeedsDraw without a source.
        """
        self._check_giver(name, given_order)
        recorded = [str(card) for card in self._take(name, len(cards))]
        if given_order is not None:
            order = list(given_order)
        elif sorted(recorded) == sorted(cards):
            order = recorded
        elif self._chance is not None:
            order = list(cards)
            self._chance.shuffle(order)
        else:
            raise self._miss(NeedsDraw(name, len(cards), draw="cards", accepted=self._accepted))
        if sorted(order) != sorted(cards):
            raise Malformed(
                "{name:draw} takes each of {cards} once, not {order}",
                "{name:draw} demande chacune de {cards} une fois, pas {order}",
                name=name,
                cards=list(cards),
                order=order,
            )
        self.drawn.setdefault(name, []).extend(order)
        return tuple(order)

    def _miss(self, needed: NeedsDraw) -> NeedsDraw:
        """Record a draw without a value yet."""
        needed.among, needed.index = self._requested, len(self._requested)
        self._requested.append((None,) * needed.count)
        self.missed.append(needed)
        return needed

    def _check_giver(self, name: str, values: Sequence[int | str] | None) -> None:
        """Refuse values given by a player in a game with draws by the service."""
        if values is not None and not self._may_give:
            raise Malformed(
                "the service draws in this game: leave out the values for {name:draw}",
                "le service tire lui-même dans cette partie : n'indiquez pas de valeurs pour {name:draw}",
                name=name,
            )

    def _take_offered(self, kind: type[V], count: int) -> list[V] | None:
        """Return the next offered values of the type; None without any."""
        values = [value for value in self._offered if isinstance(value, kind)][:count]
        for value in values:
            self._offered.remove(value)
        self._accepted += len(values)
        return values or None

    def _take(self, name: str, count: int) -> list[int | str]:
        """Return the next values recorded under the name. Given values use up recorded ones, so later throws
        match the record.
        """
        waiting = self._recorded.get(name, [])
        values, self._recorded[name] = waiting[:count], waiting[count:]
        return values


def _used_phrase(earlier: int) -> dict[str, str]:
    """Return a phrase, in both languages, for the number of given values used before. Empty for none."""
    if not earlier:
        return {"after": "", "apres": ""}
    return {"after": f" after the first {earlier} given", "apres": f" après les {earlier} premières indiquées"}
