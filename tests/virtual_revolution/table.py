"""A table of Virtual Revolution in memory: see `tests.harness.playing` for what all tables can do.

    table = Table()                                    ana, bob and cid; round 1, and it is ana's turn
    table.put("ana", influence={5: 2, 6: 1}, servers=[13])
    table.give("ana", eurocredit=20, immunity=3, hand=["influence_1"], service=["leslie"], verses=["westland"])
    table.play("ana", "place_director", place=5)
    assert table.cash("ana") == 10

The table throws and draws itself (dice="table"): cards are given with the actions. What is laid out by hand is no
part of the journal. `Table(until="setup")` is a table that nobody has prepared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.rulebook import RULEBOOK
from ledger.rulebooks.virtual_revolution.table import state as questions
from ledger.rulebooks.virtual_revolution.table.state import VirtualRevolution
from ledger.rulebooks.virtual_revolution.table.terms import (
    BOOSTS,
    DISPLAY,
    RECYCLING,
    TITLES,
    Offered,
    Turn,
    boosts,
    hand,
    influence,
    objectives,
    raided,
    retired,
    server,
    service,
    slot,
    spot,
    title,
    verses,
)
from tests.harness.playing import Playing, say

__all__ = ["SEATS", "Table", "say"]

SEATS = ("ana", "bob", "cid")
DISPLAYED = ("the_codex", "westland", "venizia", "multiverse", "outpost_53")
"""The Verses on display at a table laid out by hand, from the left."""


class Table(Playing[VirtualRevolution]):
    """A game: "setup" as it is laid out; or "play", round 1 laid out by hand with an empty map."""

    def __init__(
        self,
        *,
        seats: tuple[str, ...] = SEATS,
        until: str = "play",
        dice: str = "table",
        settings: dict[str, Any] | None = None,
        seed: int = 1,
    ) -> None:
        super().__init__(RULEBOOK, seats, dice=dice, settings=settings, seed=seed)
        self.seats = seats
        if until == "play":
            self._lay_out()

    def _lay_out(self) -> None:
        """Round 1 begins with the first seat: five Verses on display, no Agents, no Objectives, no influence."""
        with self.arranged() as state:
            state.stage, state.round = "turn", 1
            state.order = self.seats
            state.turn = Turn(seat=self.seats[0])
            state.display = DISPLAYED
            state.verse_top = "mythologia"
            state.done = frozenset(
                {"objectives", "locations", "location_deck", "agents", "corruption", "verses", "necro"}
            )
            self._take(state, DISPLAYED, DISPLAY)

    # Laying out by hand -------------------------------------------------------------------------

    def put(
        self,
        seat: str,
        *,
        influence: Mapping[int, int] | None = None,
        servers: Sequence[int] = (),
        recycled: int = 0,
    ) -> None:
        """Put tokens and Servers of a seat on the map, and tokens in the recycling zone."""
        kind = _influence(seat)
        with self.arranged() as state:
            for place, amount in (influence or {}).items():
                state.holdings.post(Posting(kind, amount, player(seat), spot(place)))
            for place in servers:
                state.holdings.post(Posting(server(seat), 1, player(seat), spot(place)))
            if recycled:
                state.holdings.post(Posting(kind, recycled, player(seat), RECYCLING))

    def give(
        self,
        seat: str,
        *,
        hand: Iterable[str] = (),
        service: Iterable[str] = (),
        boosts: Iterable[str] = (),
        retired: Iterable[str] = (),
        verses: Iterable[str] = (),
        online: Iterable[str] = (),
        objectives: Iterable[str] = (),
        titles: Iterable[str] = (),
        raided: Iterable[str] = (),
        **things: int,
    ) -> None:
        """Give cards and Titles to a seat. `eurocredit`, `immunity`, `revenue`: what it has then."""
        with self.arranged() as state:
            self._take(state, hand, _hand(seat))
            self._take(state, service, _service(seat))
            self._take(state, boosts, _boosts(seat))
            self._take(state, retired, _retired(seat))
            self._take(state, (*verses, *online), _verses(seat))
            self._take(state, objectives, _objectives(seat))
            self._take(state, raided, _raided(seat))
            state.online |= frozenset(online)
            for district in titles:
                state.holdings.post(Posting(title(district), 1, TITLES, player(seat)))
            for thing, amount in things.items():
                more = amount - state.holdings.of(player(seat), thing)
                if more:
                    source, target = (BANK, player(seat)) if more > 0 else (player(seat), BANK)
                    state.holdings.post(Posting(thing, abs(more), source, target))

    def offer(self, agent: str, place: int, *, number: int = 0) -> None:
        """Put an Agent on offer in an arrondissement, on the first free slot or on this one."""
        with self.arranged() as state:
            used = {one.slot for one in state.offers.values()}
            number = number or next(one for one in range(1, 6) if one not in used)
            self._take(state, [agent], slot(number))
            state.offers[agent] = Offered(agent=agent, slot=number, place=place)

    def turn_of(self, seat: str, *, director: int | None = None, cycle: int = 1, **turn: Any) -> None:
        """It is the turn of a seat; with `director`, in phase 2 with its Director placed there."""
        with self.arranged() as state:
            if director is not None:
                state.holdings.post(Posting(f"director:{seat}", 1, player(seat), spot(director)))
                turn = {"phase": 2, **turn}
            state.turn = Turn(seat=seat, director=director, cycle=cycle, **turn)

    def move(self, state: VirtualRevolution, cards: Iterable[str], account: str) -> None:
        """Put cards in an account, while a position is arranged."""
        self._take(state, cards, account)

    @staticmethod
    def _take(state: VirtualRevolution, cards: Iterable[str], account: str) -> None:
        """Move cards from wherever they are."""
        for card in cards:
            thing = decks.commodity(card)
            holder = state.holdings.holder(thing)
            assert holder is not None, card
            if holder != account:
                state.holdings.post(Posting(thing, 1, holder, account))
            if holder == DISPLAY:
                state.display = tuple("" if one == card else one for one in state.display)
            if card == state.verse_top:
                state.verse_top = ""

    # Reading ------------------------------------------------------------------------------------

    def cash(self, seat: str) -> int:
        """A player's eurocredits."""
        return questions.cash(self.state, seat)

    def immunity(self, seat: str) -> int:
        """A player's Immunity tokens."""
        return questions.immunity(self.state, seat)

    def revenue(self, seat: str) -> int:
        """A player's Revenue."""
        return questions.revenue(self.state, seat)

    def tokens(self, seat: str, place: int) -> int:
        """How many tokens a player has in an arrondissement."""
        return questions.tokens(self.state, seat, place)

    def reserve(self, seat: str) -> int:
        """How many influence tokens are on a player's board."""
        return questions.reserve(self.state, seat)

    def hand(self, seat: str) -> list[str]:
        """A player's Corruption cards."""
        return decks.held_in(self.state, hand(seat))

    def available(self) -> list[str]:
        """The Boost cards that are available."""
        return decks.held_in(self.state, BOOSTS)


_influence, _hand, _service, _boosts, _retired = influence, hand, service, boosts, retired
_verses, _objectives, _raided = verses, objectives, raided
