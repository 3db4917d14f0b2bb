"""Two games at once that differ only in facts that are hidden from one viewer.

Both games have the same actions, with two exceptions: a card that is laid face down may differ, and so may the
cards that the banker's rulings and corrections move. This module states again what a viewer may know, by the
register's table of visibility. An action counts only if the viewer may know the same about it in both games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from random import Random
from typing import Any

import msgspec

from ledger.kernel.arbitration.remedies import HoldingsAdjusted
from ledger.kernel.deciding.in_memory import GameInMemory
from ledger.kernel.deciding.undo import require_may_undo
from ledger.kernel.facts.events import Amendment, Event
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.facts.state import Seat
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.timeline import Timeline
from ledger.kernel.rules.opening import Opening
from ledger.rulebooks.negoces2 import RULEBOOK
from ledger.rulebooks.negoces2.cards import CARDS, COIN, GOODS
from ledger.rulebooks.negoces2.table import Negoces2, cards_in, seller_of
from ledger.rulebooks.negoces2.terms import hand, hidden
from tests.harness.playing import NOON
from tests.tables.negoces2 import SEATS

Pair = tuple[dict[str, Any], dict[str, Any]]
History = Callable[[], Timeline]
"""The effective history before an action, for those few that have to be compared with it."""


class Done(msgspec.Struct, frozen=True):
    """An action in both games: the actor, the seat, and the parameters in each game."""

    by: str
    seat: str | None
    kind: str
    params: Pair


# ----------------------------------------------------------------------------------------------
# The knowledge of a viewer
# ----------------------------------------------------------------------------------------------


def _owners(event: Any, name: str) -> tuple[str, ...] | None:
    """The seats that know a field of an event, by the table of visibility; None for everybody."""
    kind = type(event).__name__
    match kind, name:
        case "CardLaid", "card":
            return None if event.face == "up" else (event.seller,)
        case "OfferMade" | "OfferChanged" | "OfferWithdrawn" | "OfferReturned", "card":
            return None if event.face == "up" else (event.seat,)
        case "OfferAccepted", "card":
            return None if event.face == "up" else (event.seller, event.buyer)
        case "OfferAccepted", "offer_card":
            return None if event.offer_face == "up" else (event.seller, event.buyer)
        case "SaleForced", "card":
            return (event.seller,)
        case "CardChosen", "card":
            return None if event.face == "up" else (event.seller, event.owner)
        case "CardChosen", "second":
            return (event.seller, event.owner)
        case _:
            return None


def known(event: Event, viewer: str | None, history: History) -> Any:
    """Everything that a viewer (None: a spectator) may know of an event after this history; None for nothing."""
    if isinstance(event, HistoryCorrected):
        amended = [
            (one.number, one.insert, now)
            for one in event.amendments
            for before, now in [_of_an_amendment(one, viewer, history)]
            if before != now
        ]
        inserted = [
            (one.after, one.action.kind, _known(map(RULEBOOK.codec.event, one.action.events), viewer, history))
            for one in event.insertions
        ]
        return event.reason, amended, inserted
    if isinstance(event, HoldingsAdjusted):
        (moved,) = event.postings
        places, concerned = zip(*(account.split(":") for account in (moved.source, moved.target)), strict=True)
        if set(places) == {"coins_hidden"} and viewer not in concerned:
            return None
        what = moved.commodity if viewer in concerned or moved.commodity not in CARDS else "card"
        return "adjusted", what, moved.amount, moved.source, moved.target
    told = [type(event).__name__, event.rule]
    for name in event.__struct_fields__:
        owners = _owners(event, name)
        if name not in {"rule", "postings"} and (owners is None or viewer in owners):
            told.append(getattr(event, name))
    return told


def _known(events: Iterable[Event], viewer: str | None, history: History) -> list[Any]:
    """Everything that a viewer may know of some events."""
    return [told for event in events if (told := known(event, viewer, history)) is not None]


def _of_an_amendment(one: Amendment, viewer: str | None, history: History) -> tuple[list[Any], list[Any]]:
    """Everything that a viewer may know of an action's events before and after a correction.

    When both are equal, the viewer cannot see that the correction has changed the action.
    """
    standing = history().entry(one.number, one.insert)
    assert standing is not None
    before = standing.events if standing.counts else ()
    now = {"restated": tuple(map(RULEBOOK.codec.event, one.events)), "effective": standing.recorded}
    return _known(before, viewer, history), _known(now.get(one.status, ()), viewer, history)


# ----------------------------------------------------------------------------------------------
# Playing both
# ----------------------------------------------------------------------------------------------


class Twins:
    """Two games for one viewer (None: a spectator); `script` holds the actions in both."""

    def __init__(
        self, viewer: str | None, seed: int, *, mending: bool = True, reveal_at_end: bool = False
    ) -> None:
        self.viewer = viewer
        self.chance = Random(seed)
        self.mending = mending
        self.settings = {"reveal_at_end": reveal_at_end}
        self.script: list[Done] = []
        self.at = NOON
        opening = Opening(
            players=tuple(Seat(seat, seat.capitalize()) for seat in SEATS),
            settings=RULEBOOK.settings(**self.settings),
            dice="table",
        )
        self.worlds = tuple(
            GameInMemory(RULEBOOK, opening, name=name, at=NOON, chance=Random(seed)) for name in ("one", "other")
        )
        self.both("banker", None, "draw_starter", {"method": "roll", "dice": [self.chance.randint(1, 4)]})
        goods = self.chance.sample(list(GOODS), 8)
        series = {seat: goods[2 * place : 2 * place + 2] for place, seat in enumerate(SEATS)}
        self.both("banker", None, "deal_goods", {"series": series})

    @property
    def states(self) -> tuple[Negoces2, Negoces2]:
        one, other = (world.state for world in self.worlds)
        return one, other

    @property
    def state(self) -> Negoces2:
        """The state of the first game, for facts that are the same in both."""
        return self.states[0]

    def differ(self) -> bool:
        """Whether the hidden facts differ."""
        one, other = self.states
        return one.holdings != other.holdings

    def both(self, by: str, seat: str | None, kind: str, params: dict[str, Any]) -> bool:
        """Perform the same action in both games."""
        return self.attempt(Done(by, seat, kind, (params, params)))

    def attempt(self, done: Done) -> bool:
        """Perform an action in both games, unless one refuses it or the viewer may see a difference."""
        before = [(world.state, len(world.journal)) for world in self.worlds]
        self.at += timedelta(minutes=1)
        try:
            for world, params in zip(self.worlds, done.params, strict=True):
                self._perform(world, done, params)
            told = [self._told(world) for world in self.worlds]
            alike = told[0] == told[1]
        except Refusal:
            alike = False
        if not alike:
            for world, (state, entries) in zip(self.worlds, before, strict=True):
                world.state = state
                del world.journal[entries:]
            return False
        self.script.append(done)
        return True

    def _perform(self, world: GameInMemory[Negoces2], done: Done, params: dict[str, Any]) -> None:
        action = RULEBOOK.codec.action(done.kind, msgspec.json.encode(params))
        if done.kind == "correct" and done.by != "banker":
            number = params["edits"][0]["action"]
            require_may_undo(
                RULEBOOK, world.past.timeline(), lambda before: world.past.state_after(before - 1), done.by, number
            )
        world.perform(action, done.seat, done.by, self.at)

    def _told(self, world: GameInMemory[Negoces2]) -> list[Any]:
        *earlier, last = world.journal
        events = map(RULEBOOK.codec.event, last.events)
        return _known(events, self.viewer, lambda: Timeline(earlier, RULEBOOK.codec.event))

    # Possible actions ---------------------------------------------------------------------------

    def play(self, actions: int) -> None:
        """Perform this many actions; stop earlier when no action is left that looks the same to the viewer."""
        for _ in range(actions):
            for done in self._candidates():
                if self.attempt(done):
                    break
            else:
                return

    def _candidates(self) -> Iterator[Done]:
        """Possible actions in random order, the likeliest ones several times."""
        if self.mending and self.state.version > 8 and self.chance.random() < 0.12:
            yield from self._of_the_banker()
        seats = self.chance.sample(SEATS, len(SEATS))
        for _ in range(12):
            for seat in seats:
                yield from self._of(seat)

    def _of(self, seat: str) -> Iterator[Done]:
        """Possible actions of a seat in this phase."""
        state = self.state
        asks: dict[str, Callable[[str], Iterator[tuple[str, Pair]]]] = {
            "auction": self._bids,
            "between": self._lays,
            "announcing": self._announces,
            "choosing": self._chooses,
        }
        if self.chance.random() < 0.05:
            kind = self.chance.choice(("hide_coins", "show_coins"))
            yield Done(seat, seat, kind, _same(coins=self.chance.randint(1, 6)))
        if state.phase == "negotiation":
            wanted = self._sells if seat == seller_of(state) else self._offers
        elif state.phase in asks and seat in RULEBOOK.screen.awaited(state):
            wanted = asks[state.phase]
        else:
            return
        for kind, params in wanted(seat):
            yield Done(seat, seat, kind, params)

    def _bids(self, seat: str) -> Iterator[tuple[str, Pair]]:
        if self.chance.random() < 0.6:
            yield "bid", _same(amount=self.state.bid + 1)
        yield "withdraw", _same()

    def _lays(self, seat: str) -> Iterator[tuple[str, Pair]]:
        face = self._face()
        yield "offer_for_sale", self._card(seat, face, {"face": face})

    def _offers(self, seat: str) -> Iterator[tuple[str, Pair]]:
        kind = "change_offer" if seat in self.state.offers else "make_offer"
        if kind == "change_offer" and self.chance.random() < 0.3:
            yield "withdraw_offer", _same()
        coins = {"coins": self.chance.randint(1, 4)} if self.chance.random() < 0.5 else {}
        if coins and self.chance.random() < 0.4:
            yield kind, (coins, coins)
        else:
            face = self._face()
            yield kind, self._card(seat, face, {"face": face, **coins})

    def _sells(self, seat: str) -> Iterator[tuple[str, Pair]]:
        wish = self.chance.random()
        if wish < 0.1:
            yield "add_coins_to_sale", _same(coins=self.chance.randint(1, 3))
        elif wish < 0.15:
            yield "remove_coins_from_sale", _same(coins=1)
        elif wish < 0.5 and self.state.offers:
            buyer = self.chance.choice(sorted(self.state.offers))
            yield "accept_offer", _same(buyer=buyer, revision=self.state.offers[buyer].revision)
        elif wish > 0.85:
            yield "force_sale", self._card(seat, "down", {})

    def _announces(self, seat: str) -> Iterator[tuple[str, Pair]]:
        for good in self.chance.sample(list(GOODS), len(GOODS)):
            yield "announce_good", _same(good=good)

    def _chooses(self, seat: str) -> Iterator[tuple[str, Pair]]:
        for owner in self.chance.sample(SEATS, len(SEATS)):
            yield "choose_card", _same(owner=owner)

    def _of_the_banker(self) -> Iterator[Done]:
        """A correction, a ruling or a dispute; or a player takes back their last action."""
        number = self.state.version
        wish = self.chance.randint(1, 8)
        if wish == 1:
            dropped = self.chance.randint(max(4, number - 6), number)
            edits = [{"op": "drop", "action": dropped}]
            yield Done("banker", None, "correct", _same(edits=edits, cascade="restate", reason="never happened"))
        elif wish == 2 and (entry := self._laid_down()) is not None:
            seat, laid, params = entry
            others = [self.chance.choice(sorted(cards_in(state, hand(seat)))) for state in self.states]
            one, other = (
                {
                    "edits": [{"op": "replace", "action": laid, "params": {**laid_as, "card": card}}],
                    "cascade": "restate",
                    "reason": "another card was meant",
                }
                for laid_as, card in zip(params, others, strict=True)
            )
            yield Done("banker", None, "correct", (one, other))
        elif wish == 3:
            giver, taker = self.chance.sample([seat for seat in SEATS if seat != self.viewer], 2)
            one, other = (self._swap(state, giver, taker) for state in self.states)
            yield Done("banker", None, "rule", (one, other))
        elif wish == 4:
            seat = self.chance.choice(SEATS)
            cited = self.chance.randint(max(4, number - 8), number)
            yield Done(seat, seat, "open_dispute", _same(claim="something was wrong", actions=[cited]))
        elif wish == 5 and self.state.disputes:
            dispute = self.chance.choice(sorted(self.state.disputes))
            dismissed = {"finding": "nothing was", "dispute": dispute, "remedies": [{"op": "dismiss"}]}
            yield Done("banker", None, "rule", (dismissed, dismissed))
        elif wish == 6:
            yield from self._hidden_coins()
        elif wish == 7:
            yield from self._forgotten_offer()
        elif self.script[-1].by in SEATS:
            by = self.script[-1].by
            edits = [{"op": "drop", "action": number}]
            yield Done(by, by, "correct", _same(edits=edits, cascade="refuse", reason="a slip"))

    def _laid_down(self) -> tuple[str, int, Pair] | None:
        """The last card that another player than the viewer has laid face down: its player and its face."""
        for number, done in reversed(list(enumerate(self.script, start=2))):
            laid = done.params[0].get("face") == "down" and "card" in done.params[0]
            if laid and done.seat not in {None, self.viewer} and number > self.state.version - 12:
                return str(done.seat), number, done.params
        return None

    def _swap(self, state: Negoces2, giver: str, taker: str) -> dict[str, Any]:
        """A ruling that swaps a card of one hand for a card of another."""
        given, taken = (self.chance.choice(sorted(cards_in(state, hand(seat)))) for seat in (giver, taker))
        postings = [
            {"commodity": given, "amount": 1, "from": hand(giver), "to": hand(taker)},
            {"commodity": taken, "amount": 1, "from": hand(taker), "to": hand(giver)},
        ]
        remedies = [{"op": "adjust", "postings": postings, "reason": "dealt wrongly"}]
        return {"finding": "they swap a card", "remedies": remedies}

    def _hidden_coins(self) -> Iterator[Done]:
        """A ruling that moves hidden coins between two players, with different amounts in the two games."""
        kept = {
            seat: min(state.holdings.of(hidden(seat), COIN) for state in self.states)
            for seat in SEATS
            if seat != self.viewer
        }
        giver = max(kept, key=lambda seat: kept[seat])
        taker = self.chance.choice([seat for seat in kept if seat != giver])
        if kept[giver] > 1:
            one, other = (
                {
                    "finding": "some coins are the other's",
                    "remedies": [
                        {
                            "op": "adjust",
                            "postings": [
                                {"commodity": COIN, "amount": amount, "from": hidden(giver), "to": hidden(taker)}
                            ],
                            "reason": f"{amount} were lent",
                        }
                    ],
                }
                for amount in self.chance.sample(range(1, kept[giver] + 1), 2)
            )
            yield Done("banker", None, "rule", (one, other))

    def _forgotten_offer(self) -> Iterator[Done]:
        """A correction that inserts a face-down offer of another player than the viewer."""
        state = self.state
        silent = [seat for seat in SEATS if seat not in {self.viewer, seller_of(state), *state.offers}]
        if state.phase != "negotiation" or not silent:
            return
        seat = self.chance.choice(silent)
        one, other = (
            {
                "edits": [
                    {
                        "op": "insert",
                        "after": self.state.version,
                        "action": {"kind": "make_offer", "seat": seat, "params": params},
                    }
                ],
                "cascade": "restate",
                "reason": "it was forgotten",
            }
            for params in self._card(seat, "down", {"face": "down"})
        )
        yield Done("banker", None, "correct", (one, other))

    def _face(self) -> str:
        return "down" if self.chance.random() < 0.75 else "up"

    def _card(self, seat: str, face: str, more: dict[str, Any]) -> Pair:
        """A card of the seat's hand: the same one if the viewer will see it, otherwise one chosen in each game."""
        hands = [cards_in(state, hand(seat)) for state in self.states]
        if face == "up" or seat == self.viewer:
            common = sorted(set(hands[0]) & set(hands[1]))
            card = self.chance.choice(common or sorted(hands[0]))
            return {**more, "card": card}, {**more, "card": card}
        one, other = (self.chance.choice(sorted(held)) for held in hands)
        return {**more, "card": one}, {**more, "card": other}


def _same(**params: Any) -> Pair:
    return params, params
