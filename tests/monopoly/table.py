"""A table of a Monopoly in memory, for scenarios: see `tests.harness.playing` for what all tables can do.

    table = naruto()                                     ana, bob and cid play, and it is ana's first throw
    table.give("ana", "orange_1", "orange_2")            the bank's titles are laid out by hand
    table.arrive("ana", "orange_3")                      ana throws 1 and 2, and gets there
    table.play("ana", "buy_property")
    table.build(orange_1=4, orange_2=4, orange_3=5)      5 is a hotel (4 in the quick game)
    assert table.cash("ana") == 1300

`monopolys()` is the same for the other edition, and `town()` for the small town of own boards. What is laid out by
hand is no part of the journal.
"""

from __future__ import annotations

from typing import Any

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.state import State
from ledger.rulebooks.monopoly import RULEBOOKS
from ledger.rulebooks.monopoly.table.state import Monopoly, currency, has_hotel, houses_on, owner_of, pieces
from ledger.rulebooks.monopoly.table.terms import ESCROW, HOTEL, HOUSE, MORTGAGE, STOCK
from ledger.rulebooks.parts import titles
from tests.harness.playing import Playing, say

__all__ = ["SEATS", "Table", "monopolys", "naruto", "say", "town"]

SEATS = ("ana", "bob", "cid")

_RULEBOOKS = {rulebook.id: rulebook for rulebook in RULEBOOKS}


class Table(Playing[Monopoly]):
    """A game of an edition: "setup" as it is laid out, or "play" with the first seat about to throw."""

    def __init__(
        self,
        edition: str,
        *,
        seats: tuple[str, ...] = SEATS,
        until: str = "play",
        dice: str = "table",
        settings: dict[str, Any] | None = None,
        seed: int = 1,
    ) -> None:
        super().__init__(_RULEBOOKS[edition], seats, dice=dice, settings=settings, seed=seed)
        self.seats = seats
        if until == "play":
            self._lay_out()

    def _lay_out(self) -> None:
        """Prepare the table, and start the game; the seats throw ever less, so they play in their order."""
        state = self.state
        if state.settings.elected_banker:
            self.elect(self.seats[0])
        named = pieces(state).named.tokens
        if state.settings.tokens_chosen:
            for place, seat in enumerate(self.seats):
                self.play(seat, "join_table", token=named[place] if named else f"Token {place + 1}")
        for deck in pieces(state).piles:
            self.banker("shuffle_deck", deck=deck)
        if state.settings.quick:
            self.banker("deal_properties", titles=self._dealt())
        if state.settings.throw_for_order:
            for place, seat in enumerate(self.seats):
                self.banker("roll_for_order", seat=seat, dice=[6 - place // 2, 6 - (place + 1) // 2])
        self.banker("start_game")

    def _dealt(self) -> dict[str, list[str]]:
        """The titles in the order of the board, from the first seat on."""
        found, each = list(pieces(self.state).titles), self.state.settings.deals
        return {seat: found[place * each : (place + 1) * each] for place, seat in enumerate(self.seats)}

    def elect(self, seat: str, by: str | None = None) -> list[Event]:
        """A player is elected banker: by the banker of before, or by a player."""
        return self._perform(self._action("elect_banker", {"seat": seat}), by, by or "banker")

    # Laying out ---------------------------------------------------------------------------------

    def purse(self, seat: str, amount: int) -> None:
        """The player has this much money."""
        with self.arranged() as state:
            missing = amount - state.holdings.of(f"player:{seat}", currency(state))
            _move(state, currency(state), missing, BANK, f"player:{seat}")

    def give(self, seat: str, *found: str) -> None:
        """The player has these titles; or all those of a group, or a card or a pass of the bank."""
        with self.arranged() as state:
            for one in found:
                for title in pieces(state).members.get(one, (one,)):
                    thing = titles.deed(title) if title in pieces(state).titles else title
                    holder = next(account for account, held in state.holdings.items() if held.get(thing, 0) > 0)
                    if holder != f"player:{seat}":
                        _move(state, thing, 1, holder, f"player:{seat}")

    def build(self, **levels: int) -> None:
        """So many houses stand on these titles; one more than the most is a hotel."""
        with self.arranged() as state:
            most = state.settings.houses_per_hotel
            for title, built in levels.items():
                lot, hotel = titles.attached(title), built > most
                _move(state, HOUSE, (0 if hotel else built) - houses_on(state, title), STOCK, lot)
                _move(state, HOTEL, hotel - has_hotel(state, title), STOCK, lot)
                state.costs[title] = (pieces(state).titles[title].building_price,) * built
                if not built:
                    del state.costs[title]

    def mortgaged(self, *found: str) -> None:
        """A mortgage lies on these titles; nobody is paid for it."""
        with self.arranged() as state:
            for title in found:
                _move(state, MORTGAGE, 1, BANK, titles.attached(title))

    def left(self, *, houses: int | None = None, hotels: int | None = None) -> None:
        """The bank has so many houses and hotels left; the others lie nowhere on the board."""
        with self.arranged() as state:
            for piece, wanted in ((HOUSE, houses), (HOTEL, hotels)):
                if wanted is not None:
                    _move(state, piece, wanted - state.holdings.of(STOCK, piece), "box", STOCK)

    def turn(self, seat: str, *, thrown: bool = False) -> None:
        """It is the player's turn, before the throw or after it."""
        with self.arranged() as state:
            state.turn, state.must_throw, state.landing = seat, not thrown, None
            state.throws, state.doubles = int(thrown), 0

    def stand(self, seat: str, square: str, *, before: int = 0) -> None:
        """The token stands on a square, or so many squares before it."""
        with self.arranged() as state:
            board = pieces(state).squares
            number = next(index for index, one in enumerate(board) if one.id == square)
            state.positions[seat] = (number - before) % len(board)

    def jail(self, seat: str, *, failed: int = 0) -> None:
        """The player is in prison, and so many throws have failed."""
        with self.arranged() as state:
            state.positions[seat], state.jailed[seat] = pieces(state).jail, failed

    # Playing ------------------------------------------------------------------------------------

    def roll(self, seat: str, *dice: int) -> list[Event]:
        """The player throws these dice and moves."""
        return self.play(seat, "roll_and_move", dice=list(dice))

    def arrive(self, seat: str, square: str, dice: tuple[int, int] = (1, 2)) -> list[Event]:
        """It is the player's turn, and by this throw they get to the square."""
        self.turn(seat)
        self.stand(seat, square, before=sum(dice))
        return self.roll(seat, *dice)

    def system(self, kind: str) -> list[Event]:
        """The service performs an action."""
        return self._perform(self._action(kind, {}), None, "system")

    def told(self, events: list[Event], language: str = "en") -> list[str]:
        """The sentences of events."""
        return [say(event, language, self.rulebook.language.speakers(self.state)) for event in events]

    # Reading ------------------------------------------------------------------------------------

    def last_events(self) -> list[Event]:
        """The events of the last action."""
        return [] if self.last is None else list(self.last.events)

    def held(self, account: str, commodity: str) -> int:
        """How much an account holds."""
        return self.state.holdings.of(account, commodity)

    def cash(self, seat: str) -> int:
        """A player's money."""
        return self.held(f"player:{seat}", currency(self.state))

    def bank(self) -> int:
        """The bank's money; below 0 for what it has given out."""
        return self.held(BANK, currency(self.state))

    def escrow(self) -> int:
        """The highest bid of the auction under way."""
        return self.held(ESCROW, currency(self.state))

    def owner(self, title: str) -> str | None:
        """Who owns a title."""
        return owner_of(self.state, title)

    def houses(self, *found: str) -> list[int]:
        """How many houses stand on each of these titles."""
        return [houses_on(self.state, title) for title in found]

    def hotels(self, *found: str) -> list[bool]:
        """Whether a hotel stands on each of these titles."""
        return [has_hotel(self.state, title) for title in found]

    def stock(self) -> tuple[int, int]:
        """How many houses and hotels the bank has left."""
        return self.held(STOCK, HOUSE), self.held(STOCK, HOTEL)


def _move(state: State, commodity: str, amount: int, source: str, target: str) -> None:
    """Move an amount, or its opposite the other way."""
    if amount < 0:
        source, target = target, source
    if amount:
        state.holdings.post(Posting(commodity, abs(amount), source, target))


def naruto(*, seats: tuple[str, ...] = SEATS, dice: str = "table", **settings: Any) -> Table:
    """A game of Monopoly Naruto Shippuden in play, with these settings; in the quick game, nothing is dealt."""
    if settings.get("quick"):
        settings = {"deals": 0, **settings}
    return Table("monopoly_naruto", seats=seats, dice=dice, settings=settings)


def monopolys(*, seats: tuple[str, ...] = SEATS, dice: str = "table", **settings: Any) -> Table:
    """A game of Monopolys in play, with these settings."""
    return Table("monopolys", seats=seats, dice=dice, settings=settings)


def town(*, seats: tuple[str, ...] = SEATS, dice: str = "table", **settings: Any) -> Table:
    """A game in play on the small town, by the classic rules of a table's own board, with these settings."""
    if settings.get("quick"):
        settings = {"deals": 0, **settings}
    return Table("monopoly", seats=seats, dice=dice, settings=settings)
