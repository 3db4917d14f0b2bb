"""A table of Negopoly in memory, for scenarios: see `tests.harness.playing` for what all tables can do.

    table = Table("ana", "bob")              joined, perk "money", started: it is ana's turn of round 1
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "buy_doses", "VII.A.1", amount=1)
    assert table.holds("ana", "NGD") == 1650

Money and goods of a seat are named by its id, everything else by its account. Besides the table, this module has
the squares and quarters that scenarios name, and the turns that many of them begin with:

    stop_on(table, "ana", PRISON)            ana, whose turn it is, rolls onto this square
    quiet_turns(table, "bob", "cleo")        both have a turn in which nothing happens
    table = under_bomb("ana", "bob")               ana has used a Bombe IEM: it is bob's turn
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, TypeVar

from ledger.kernel.arbitration.rulings import RulingGiven
from ledger.kernel.deciding.decision import decide
from ledger.kernel.facts.accounts import BANK, BOX, Posting
from ledger.kernel.facts.events import Event, kind_of
from ledger.kernel.facts.refusals import Impossible, Malformed, NeedsDraw, RuleBroken
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.board import tokens
from ledger.rulebooks.negopoly.cards.vocabulary import commodity
from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from ledger.rulebooks.negopoly.table.pieces import CARDS
from ledger.rulebooks.negopoly.table.state import Negopoly, owner_of
from ledger.rulebooks.negopoly.table.terms import Question, Turn, attached, deed, player
from tests.harness.playing import NOON, Playing, say

__all__ = ["NOON", "NO_DECKS", "QUARTERS", "Table", "say"]

A = TypeVar("A")

NO_DECKS: dict[str, Any] = {"chance": [], "kamtar": [], "meteo": []}
"""The setting of a table without cards, as in most scenarios."""

SPAWN, CHECKPOINT, BAR, CHANCE, PRISON, SECOND_CHECKPOINT = 0, 4, 5, 7, 10, 12
NC_CUSTOM, HOPITAL, EASTERN_BAR, COMICO, KAMTAR = 15, 20, 25, 30, 35
PAY = 250
"""The pay of a passage by Spawn without titles."""
MARRON, CYAN, ROSE = QUARTERS["marron"], QUARTERS["cyan"], QUARTERS["rose"]
ORANGE, ROUGE, JAUNE = QUARTERS["orange"], QUARTERS["rouge"], QUARTERS["jaune"]
STREET, NEXT_STREET, LAST_STREET = CYAN
"""On squares 6, 8 and 9; between the first two Chance (7), before them the western bar (5)."""
VERT, BLEU_FONCE = QUARTERS["vert"], QUARTERS["bleu_fonce"]


def asked_for(*seats: str, **more: Any) -> dict[str, Any]:
    """The opening of a game with these seats (named after them, capitalised), without cards."""
    players = [{"seat": seat, "name": seat.capitalize()} for seat in seats]
    return {"rulebook": "negopoly", "players": players, "dice": "table", "settings": {"decks": NO_DECKS}} | more


def starting(*seats: str, perks: dict[str, str] | None = None) -> Iterator[tuple[str | None, str, dict[str, Any]]]:
    """The actions before the first turn: the seat (None: the banker), the kind of action and its parameters."""
    for seat in seats:
        yield seat, "join_game", {"persona": f"Don {seat.capitalize()}"}
        yield seat, "choose_starter_perk", {"perk": (perks or {}).get(seat, "money")}
    yield None, "start_game", {}


class Table(Playing[Negopoly]):
    """A game in memory with these seats (named after them, capitalised); with `decks` they play with cards."""

    def __init__(
        self,
        *seats: str,
        perks: dict[str, str] | None = None,
        started: bool = True,
        dice: str = "table",
        settings: dict[str, Any] | None = None,
        seed: int = 1,
        decks: bool = False,
    ) -> None:
        chosen = (settings or {}) if decks else {"decks": NO_DECKS, **(settings or {})}
        super().__init__(RULEBOOK, seats, dice=dice, settings=chosen, seed=seed)
        if started:
            for seat, kind, params in starting(*seats, perks=perks):
                if seat is None:
                    self.banker(kind, **params)
                else:
                    self.play(seat, kind, **params)

    # Playing ------------------------------------------------------------------------------------

    def turn(self, seat: str, *dice: int, then: tuple[tuple[str, dict[str, Any]], ...] = ()) -> None:
        """A whole plain turn of the seat: roll these dice, resolve the square, play `then`, end the turn."""
        self.play(seat, "roll_dice", dice=list(dice))
        if self.state.turn is not None and self.state.turn.seat == seat and self.state.turn.unresolved:
            self.play(seat, "resolve_square")
        for kind, params in then:
            self.play(seat, kind, **params)
        self.play(seat, "end_turn")

    def place(self, seat: str, square: int) -> None:
        """Put a token on a square before the scenario."""
        with self.arranged() as state:
            state.positions[seat] = square

    def give(self, seat: str, commodity: str, amount: int = 1, source: str = BANK) -> None:
        """Give a seat something before the scenario."""
        with self.arranged() as state:
            state.holdings.post(Posting(commodity, amount, source, player(seat)))

    def take(self, seat: str, commodity: str, amount: int) -> None:
        """Take something from a seat before the scenario."""
        with self.arranged() as state:
            state.holdings.post(Posting(commodity, amount, player(seat), BANK))

    def post(self, commodity: str, amount: int, source: str, target: str) -> None:
        """Move something from one account to another before the scenario."""
        with self.arranged() as state:
            state.holdings.post(Posting(commodity, amount, source, target))

    def serve(self, seat: str, service: str, amount: int = 1) -> None:
        """Give a seat mercenary services that it has bought in earlier turns."""
        self.give(seat, service, amount)
        with self.arranged() as state:
            state.services[seat] = state.services.get(seat, 0) + amount

    def hack(self, buyer: str, target: str) -> None:
        """Give a seat a hack of the target that it has bought in an earlier turn."""
        self.serve(buyer, "hack")
        with self.arranged() as state:
            state.hacks.append((buyer, target))

    def attach(self, title: str, commodity: str, amount: int = 1) -> None:
        """Attach something to a title before the scenario: a defence, squatters, a charge."""
        self.post(commodity, amount, BANK, attached(title))

    def own(self, seat: str, *titles: str, houses: int = 0, mortgaged: bool = False) -> None:
        """Give a seat titles of the bank, with houses on them, before the scenario."""
        with self.arranged() as state:
            for title in titles:
                state.holdings.post(Posting(deed(title), 1, BANK, player(seat)))
                if houses:
                    state.holdings.post(Posting("house", houses, BANK, attached(title)))
                if mortgaged:
                    state.holdings.post(Posting("mortgage", 1, BANK, attached(title)))

    def weather(self, *cards: str) -> None:
        """Make Météo cards of the rulebook active before the scenario, even in a game without decks."""
        with self.arranged() as state:
            for card in cards:
                holder = state.holdings.holder(commodity(card)) or BOX
                state.holdings.post(Posting(commodity(card), 1, holder, "weather"))
            state.weather = (*state.weather, *cards)
            _know_the_cards(state)

    def hand(self, seat: str, *cards: str) -> None:
        """Put cards of the rulebook into a hand before the scenario, even in a game without decks."""
        with self.arranged() as state:
            for card in cards:
                holder = state.holdings.holder(commodity(card)) or BOX
                state.holdings.post(Posting(commodity(card), 1, holder, player(seat)))
            _know_the_cards(state)

    def refused(self, seat: str | None, kind: str, rule: str, **params: Any) -> RuleBroken:
        """Check that the action is refused by this rule, and that the banker can waive it if it is possible.

        So every refusal of every scenario is waived once, on a copy of the state: then the action is accepted and
        the journal has the waived rule, or only something impossible or a missing die prevents it.
        """
        refusal = super().refused(seat, kind, rule, **params)
        action = self._action(kind, params)
        if not isinstance(refusal, Impossible) and action.correction_request() is None:
            request = self._request(action, seat, "banker", "by leave of the bank")
            try:
                waived = decide(self.rulebook, self.state, request, chance=Random(1) if self.chance else None)
            except (Impossible, Malformed, NeedsDraw):
                return refusal
            assert refusal.rule in {warning.rule for warning in waived.warnings}
        return refusal

    # Reading ------------------------------------------------------------------------------------

    def holds(self, account: str, commodity: str = "NGD") -> int:
        """The amount that a seat (by its id) or another account (by its name) holds."""
        name = player(account) if account in self.state.seats else account
        return self.state.holdings.of(name, commodity)

    def owner(self, title: str) -> str | None:
        """The owner of a title."""
        return owner_of(self.state, title)


def _know_the_cards(state: Negopoly) -> None:
    """Give a table without decks the rulebook's cards."""
    if state.cards == ():
        state.cards = CARDS


# Turns that scenarios begin with ------------------------------------------------------------------------------


def garage(*vehicles: str, start: int = PRISON, perks: dict[str, str] | None = None, decks: bool = False) -> Table:
    """Ana's turn, with these vehicles in hand."""
    table = Table("ana", "bob", perks=perks, decks=decks)
    for vehicle in vehicles:
        table.give("ana", vehicle)
    table.place("ana", start)
    return table


def guarded(*seats: str, decks: bool = False, **teams: int) -> Table:
    """Ana's turn; these seats have bought this many security teams."""
    table = Table(*seats, decks=decks)
    for seat, count in teams.items():
        table.serve(seat, "security_team", count)
    return table


def in_a_tank(*seats: str, onto: int, **opening: Any) -> Table:
    """Ana, with a tank in hand, has rolled two ones onto the square, which she has not resolved."""
    table = Table(*(seats or ("ana", "bob")), **opening)
    table.give("ana", "tank")
    table.place("ana", onto - 2)
    table.play("ana", "roll_dice", dice=[1, 1])
    return table


def under_bomb(*seats: str, settings: dict[str, Any] | None = None, perks: dict[str, str] | None = None) -> Table:
    """Ana has used a Bombe IEM on square 3 and ended her turn: it is Bob's, and he has not rolled."""
    table = Table(*(seats or ("ana", "bob", "cleo")), settings=settings, perks=perks)
    set_off(table)
    table.play("ana", "end_turn")
    return table


def charged(*seats: str, houses: int = 2, charges: int = 1) -> Table:
    """In round 1 Ana places her charges on Bob's street, in passing; it is round 2 now, and her turn."""
    everybody = seats or ("ana", "bob")
    table = Table(*everybody)
    table.own("bob", STREET, houses=houses)
    table.give("ana", "c4", charges)
    table.place("ana", 1)
    table.play("ana", "roll_dice", dice=[3, 4])
    table.play("ana", "place_c4", title=STREET, amount=charges)
    table.play("ana", "end_turn")
    quiet_turns(table, *everybody[1:])
    return table


def ready_to_fire(*seats: str, houses: int = 2, charges: int = 1) -> Table:
    """As `charged`, one round later: it is Ana's turn of round 3, and she has rolled to Black Arretxea."""
    everybody = seats or ("ana", "bob")
    table = charged(*everybody, houses=houses, charges=charges)
    quiet_turns(table, *everybody)
    table.place("ana", 0)
    table.play("ana", "roll_dice", dice=[1, 2])
    return table


# Turns and steps ----------------------------------------------------------------------------------------------


def stop_on(table: Table, seat: str, square: int) -> None:
    """The seat, whose turn it is, rolls a three onto the square."""
    table.place(seat, (square - 3) % 40)
    table.play(seat, "roll_dice", dice=[1, 2])


def at_the_bar(table: Table, seat: str) -> None:
    """The seat, whose turn it is, rolls two ones and stops on the western bar."""
    table.place(seat, BAR - 2)
    table.play(seat, "roll_dice", dice=[1, 1])


def rolls(table: Table, seat: str, onto: int, *, come_from: int = 2) -> list[str]:
    """The seat, whose turn it is, rolls two ones (or a three) onto the square; return the kinds of the events."""
    table.place(seat, (onto - come_from) % 40)
    return kinds(table.play(seat, "roll_dice", dice=[1, come_from - 1]))


def crosses(table: Table, seat: str) -> None:
    """The seat, whose turn it is, rolls a seven from Négotown (1) over the street to square 8."""
    table.place(seat, 1)
    table.play(seat, "roll_dice", dice=[3, 4])


def set_off(table: Table, seat: str = "ana") -> None:
    """The seat, whose turn it is, rolls to Black Arretxea (3) and uses a Bombe IEM."""
    table.give(seat, "bombe_iem")
    table.place(seat, 0)
    table.play(seat, "roll_dice", dice=[1, 2])
    table.play(seat, "use_emp")


def drives(table: Table, steps: int = 2) -> list[str]:
    """Ana moves on with her tank; return the kinds of the events."""
    return kinds(table.play("ana", "use_vehicle", commodity="tank", steps=steps))


def idle(table: Table, seat: str) -> None:
    """The seat takes a turn without any effect: from Prison to Hôpital."""
    table.place(seat, PRISON)
    table.turn(seat, 5, 5)


def quiet_turns(table: Table, *seats: str) -> None:
    """Each of these seats takes a turn that ends on Black Arretxea (3), which nobody owns."""
    for seat in seats:
        table.place(seat, SPAWN)
        table.turn(seat, 1, 2)


def ruin(table: Table, seat: str, debt: int = 10) -> None:
    """Leave the seat with this debt and nothing else."""
    table.take(seat, "NGD", table.holds(seat) + debt)


def answer(table: Table, seat: str, said: str) -> list[Event]:
    """The seat answers its first open question; return the events."""
    return table.play(seat, "answer", question=question_to(table, seat).id, answer=said)


def sold(table: Table, giver: str, taker: str, title: str, price: int = 0) -> list[Event]:
    """Conclude a deal between two players at once, the title for this price; return the last action's events."""
    table.play(giver, "sell_property", title=title, to=taker, price=price)
    return table.play(taker, "agree_deal", deal=str(table.number))


def ruled(table: Table, *remedies: dict[str, Any], finding: str = "So be it.", **how: Any) -> list[Event]:
    """The banker rules; return the events, of which the ruling is the last."""
    return table.banker("rule", finding=finding, remedies=list(remedies), **how)


def ruling_refused(table: Table, rule_id: str, *remedies: dict[str, Any], **how: Any) -> str:
    """Check that the ruling is refused by this rule; return the text of the refusal."""
    return table.refused(None, "rule", rule_id, finding="So be it.", remedies=list(remedies), **how).en


def eliminated(table: Table, seat: str) -> list[Event]:
    """The banker eliminates a player by ruling; return the events."""
    return ruled(table, {"op": "eliminate", "seat": seat}, finding=f"{seat} cheated")


# Reading ------------------------------------------------------------------------------------------------------


def kinds(events: list[Event]) -> list[str]:
    """The kinds of events, in order."""
    return [kind_of(event) for event in events]


def walked(events: list[Event]) -> list[tuple[tuple[int, ...], bool, str]]:
    """For each walk: its squares, whether it ended in a stop, and its rule."""
    return [(one.path, one.stop, one.rule) for one in events if isinstance(one, tokens.TokenMoved)]


def moved(events: list[Event]) -> list[tuple[tuple[int, ...], bool, bool]]:
    """For each walk: its squares, whether it went forward, and whether it ended in a stop."""
    return [(one.path, one.forward, one.stop) for one in events if isinstance(one, tokens.TokenMoved)]


def turn(table: Table) -> Turn:
    """The turn under way."""
    assert table.state.turn is not None
    return table.state.turn


def ruling_of(events: list[Event]) -> RulingGiven:
    """The ruling among the events of its action."""
    ruling = events[-1]
    assert isinstance(ruling, RulingGiven)
    return ruling


def teams(table: Table, *seats: str) -> list[int]:
    """The number of security teams of each seat."""
    return [table.holds(seat, "security_team") for seat in seats]


def asked(table: Table) -> list[str]:
    """The seats with an open question, oldest question first."""
    return [question.seat for question in table.state.questions]


def question_to(table: Table, seat: str) -> Question:
    """The first open question to the seat."""
    return next(question for question in table.state.questions if question.seat == seat)


def agreement(table: Table, number: str, kind: type[A]) -> A:
    """The bounty, contract, loan or deal of this number, open or ended."""
    kept = table.state.open.get(number) or table.state.past.get(number)
    assert isinstance(kept, kind)
    return kept


# Corrections --------------------------------------------------------------------------------------------------


def dropping(number: int) -> dict[str, Any]:
    """The edit that drops an action from the history."""
    return {"op": "drop", "action": number}


def touched(found: Any) -> list[str]:
    """The numbers of the actions that a correction changes."""
    return [one.timeline_entry.name for one in found]
