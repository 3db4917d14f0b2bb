"""The seats and the service throw together: nobody alone chooses what comes, and everybody can check it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from ledger.acting.outcomes import TooBusy
from ledger.acting.sharing import ABSENT_SECONDS, DiceNotShared, ThrowNotRequested
from ledger.kernel.dice.chains import Chain, CommittedChain, hashed, in_force
from ledger.kernel.dice.seeds import commitment
from ledger.kernel.dice.shared import CollectedValues, SharedThrows, ValuesNotRevealed, service_value, source_of
from ledger.kernel.facts.audience import BANKER
from ledger.kernel.facts.refusals import Malformed, Refusal
from ledger.kernel.facts.state import Seat
from ledger.kernel.journal.entry import Entry, Throw, read
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Command, Ledger
from ledger.store.store import Store
from ledger.trust.dice import Checked, check_dice
from tests.tables.ledgers import started
from tests.tables.negopoly import NO_DECKS

ROOTS = {"ana": b"a" * 32, "bob": b"b" * 32}


# Chains ---------------------------------------------------------------------------------------------


def test_known_answers() -> None:
    """The derivation is written down to the byte: these numbers never change."""
    chain = Chain(bytes(32), 3)
    assert chain.end.hex() == "77b0162e59f8730fedb478bfb06bc3555b176de86cec88a96d12186de022688b"
    assert chain.value(3) == bytes(32)
    assert service_value(bytes(32), 7).hex() == "f04c817bb56a1de70ceb401f4b2bdf449b2f2eb6e6b534d6162751713d35e69c"
    source = source_of({"ana": b"1" * 32, "bob": b"2" * 32}, b"3" * 32, "abc", 7, 1)
    assert [source.randint(1, 6) for _ in range(12)] == [2, 5, 4, 6, 4, 1, 4, 5, 5, 5, 4, 6]


def test_each_value_leads_to_the_one_before_it() -> None:
    chain = Chain(b"r" * 32, 5)
    assert [hashed(chain.value(place), place) for place in range(1, 6)] == [chain.end] * 5
    for place in (0, 6):
        with pytest.raises(ValueError, match=f"no value {place}"):
            chain.value(place)


def test_a_chain_admits_its_value_for_a_throw_and_no_other() -> None:
    chain = Chain(b"r" * 32, 5)
    held = CommittedChain(chain.end, 5, action=3, throws=10)
    assert held.admits(11, chain.value(1))
    assert held.admits(13, chain.value(3))
    assert not held.admits(11, chain.value(2))
    assert not held.admits(10, chain.end)
    assert not held.admits(16, chain.root)
    assert not held.admits(11, chain.value(1)[:31])
    later = held.revealed(13, chain.value(3))
    assert later.admits(14, chain.value(4))
    assert later.admits(12, chain.value(2))
    assert not later.admits(12, chain.value(1))
    assert in_force([held, later._replace(action=9)], 8) is held
    assert in_force([held], 2) is None


def test_actions_that_are_appended_at_once_share_a_throw() -> None:
    """Each draws from a place of its own; when one is decided anew, so are those after it."""
    gathered = CollectedValues(7, 30, {"ana": b"1" * 32}, ("bob",))
    throws = SharedThrows("abc", lambda: gathered, b"3" * 32, strict=False)

    def first_of(number: int) -> int:
        return throws.at(number, "system").randint(1, 10**9)

    thrown = [first_of(31), first_of(33)]
    throws.at(34, "system")
    places = [drawn and drawn.position for drawn in map(throws.drawn, (31, 32, 33, 34))]
    assert places == [0, None, 1, None]
    assert thrown == [source_of(gathered.values, b"3" * 32, "abc", 7, place).randint(1, 10**9) for place in (0, 1)]
    assert first_of(31) == thrown[0]
    assert throws.drawn(33) is None
    assert first_of(40) == thrown[1]


# A table --------------------------------------------------------------------------------------------


class Seats:
    """The seats at a table, each with a chain. Those who are here reveal their value as soon as it is wanted."""

    def __init__(self) -> None:
        self.ledger: Ledger
        self.game = ""
        self.here: set[str] = set()
        self.chains = {seat: Chain(root, 50) for seat, root in ROOTS.items()}
        self.waited = 0.0
        self.meanwhile: Callable[[], object] = lambda: None

    def commit(self, seat: str) -> None:
        """Let a seat commit to its chain, and be here."""
        chain = self.chains[seat]
        self.ledger.sharing.commit(self.game, seat, chain.end, chain.length)
        self.here.add(seat)

    def sleep(self, seconds: float) -> None:
        """What happens while an action waits for values."""
        self.waited += seconds
        wanted = self.ledger.sharing.shared_dice(self.game).wanted
        if wanted is None:
            return  # Another action has made the throw.
        for seat in sorted(self.here & wanted.seats.keys()):
            chain = self.chains[seat]
            assert wanted.seats[seat].end == chain.end.hex()
            self.ledger.sharing.reveal(self.game, seat, wanted.throw, chain.value(wanted.seats[seat].place))
        self.meanwhile()


def entries_of(store: Store, game: str) -> list[Entry]:
    return [read(stored) for run in store.journal.runs(game) for _, stored, _ in run]


def do(seats: Seats, seat: str | None, kind: str, **params: object) -> Entry:
    """The banker acts, after the default steps that the action needs. Gives the entry."""
    command = Command(kind=kind, params=params, seat=seat)
    done = seats.ledger.perform(seats.game, BANKER, command, settle=kind == "end_turn")
    return entries_of(seats.ledger.store, seats.game)[done.entry.number - 1]


def turn(seats: Seats, seat: str) -> Entry:
    rolled = do(seats, seat, "roll_dice")
    do(seats, seat, "end_turn")
    return rolled


def throw_of(entry: Entry) -> Throw:
    assert entry.chance is not UNSET
    assert entry.chance.throw is not None
    return entry.chance.throw


def checked(seats: Seats) -> Checked:
    return check_dice(rulebooks_by_id()["negopoly"], entries_of(seats.ledger.store, seats.game))


def table(store: Store, dice: str = "shared") -> Seats:
    """Ana and Bob have started a game, and nobody has committed to a chain."""
    seats = Seats()
    seats.ledger = Ledger(store, rulebooks_by_id(), sleep=seats.sleep)
    seats.game = started(seats.ledger, "ana", "bob", dice=dice, settings={"decks": NO_DECKS})
    return seats


@pytest.fixture
def seats(store: Store) -> Seats:
    """Ana and Bob have committed, and Ana has had her first turn."""
    seats = table(store)
    seats.commit("ana")
    seats.commit("bob")
    turn(seats, "ana")
    return seats


def test_every_seat_and_the_service_have_a_part_in_a_throw(seats: Seats) -> None:
    rolled = turn(seats, "bob")
    throw = throw_of(rolled)
    assert throw.values == {seat: seats.chains[seat].value(1).hex() for seat in ROOTS}
    assert throw.missing == ()
    assert throw.service is not None
    values = {seat: bytes.fromhex(value) for seat, value in throw.values.items()}
    source = source_of(values, bytes.fromhex(throw.service), seats.game, throw.number, 0)
    assert [*rolled.draws.values()] == [[source.randint(1, 6), source.randint(1, 6)]]


def test_a_chain_counts_once_the_journal_has_it(store: Store) -> None:
    """Ana's first throw brings the chains into the journal, and does not use them yet."""
    seats = table(store)
    seats.commit("ana")
    rolled = turn(seats, "ana")
    assert throw_of(rolled).values == {}
    assert rolled.chance is not UNSET
    assert rolled.chance.chains["ana"].end == seats.chains["ana"].end.hex()
    assert throw_of(turn(seats, "bob")).values.keys() == {"ana"}


def test_every_throw_can_be_checked_at_once(seats: Seats) -> None:
    for seat in ("bob", "ana", "bob"):
        turn(seats, seat)
    found = checked(seats)
    assert found.wrong == ()
    assert (found.waiting, found.by_hand, found.uncommitted, found.missed) == (0, 0, 0, {})
    assert found.checked == 4


def test_the_service_commits_to_its_value_before_the_seats_are_asked(seats: Seats) -> None:
    entries = entries_of(seats.ledger.store, seats.game)
    last = [entry.chance.next for entry in entries if entry.chance is not UNSET and entry.chance.next][-1]
    throw = throw_of(turn(seats, "bob"))
    assert throw.service is not None
    assert commitment(seats.game, bytes.fromhex(throw.service)) == last


def test_whoever_is_away_is_named_and_left_out(seats: Seats) -> None:
    seats.here = {"ana"}
    throw = throw_of(turn(seats, "bob"))
    assert (throw.values.keys(), throw.missing) == ({"ana"}, ("bob",))
    assert seats.waited >= 3
    found = checked(seats)
    assert found.wrong == ()
    assert len(found.missed["bob"]) == 1


def test_the_table_does_not_wait_long_for_the_same_seat_again(seats: Seats) -> None:
    seats.here = {"ana"}
    turn(seats, "bob")
    seats.waited = 0
    turn(seats, "ana")
    assert seats.waited < 1


def test_whoever_comes_back_takes_part_again(seats: Seats) -> None:
    seats.here = {"ana"}
    turn(seats, "bob")
    seats.here = {"ana", "bob"}
    throw = throw_of(turn(seats, "ana"))
    assert throw.values["bob"] == seats.chains["bob"].value(2).hex()
    assert checked(seats).wrong == ()


def test_others_act_while_a_throw_waits_and_the_throw_stays_the_same(seats: Seats) -> None:
    """What was revealed for a throw counts for it, whatever is appended in between."""

    def pay() -> None:
        seats.meanwhile = lambda: None
        do(seats, "bob", "transfer_money", to="ana", amount=10)

    seats.meanwhile = pay
    rolled = turn(seats, "bob")
    throw = throw_of(rolled)
    assert rolled.number > throw.after + 1
    assert throw.values.keys() == {"ana", "bob"}
    assert checked(seats).wrong == ()


def test_a_value_is_taken_only_for_the_throw_that_is_wanted(seats: Seats) -> None:
    with pytest.raises(ThrowNotRequested):
        seats.ledger.sharing.reveal(seats.game, "ana", 2, seats.chains["ana"].value(1))
    refused: list[type[Exception]] = []

    def lie() -> None:
        for value in (seats.chains["ana"].value(2), seats.chains["bob"].value(1), b"short"):
            with pytest.raises(Malformed):
                seats.ledger.sharing.reveal(seats.game, "ana", 2, value)
            refused.append(Malformed)

    seats.meanwhile = lie
    seats.here = {"bob"}
    assert throw_of(turn(seats, "bob")).missing == ("ana",)
    assert refused


def test_a_new_chain_counts_from_the_action_that_brings_it(seats: Seats) -> None:
    """Ana's phone is lost: her new one commits to another chain."""
    seats.chains["ana"] = Chain(b"n" * 32, 7)
    seats.commit("ana")
    seats.here = {"bob"}
    do(seats, "bob", "transfer_money", to="ana", amount=10)
    seats.here = {"ana", "bob"}
    throw = throw_of(turn(seats, "bob"))
    assert throw.values["ana"] == seats.chains["ana"].value(1).hex()
    assert checked(seats).wrong == ()
    old = Chain(ROOTS["ana"], 50)
    with pytest.raises(Malformed, match="committed to before"):
        seats.ledger.sharing.commit(seats.game, "ana", old.end, 50)


def test_a_used_up_chain_is_missing(store: Store) -> None:
    seats = table(store)
    seats.chains["ana"] = Chain(b"s" * 32, 1)
    seats.commit("ana")
    turn(seats, "ana")
    assert throw_of(turn(seats, "bob")).values.keys() == {"ana"}
    assert throw_of(turn(seats, "ana")).missing == ("ana",)
    assert seats.waited < 1
    assert checked(seats).wrong == ()


def test_the_table_throws_where_it_chose_so(store: Store) -> None:
    """Bob is away: the banker enters what was thrown on the table, and the journal says why."""
    seats = table(store, "shared_or_table")
    seats.commit("ana")
    seats.commit("bob")
    turn(seats, "ana")
    seats.here = {"ana"}
    with pytest.raises(ValuesNotRevealed) as refused:
        do(seats, "bob", "roll_dice")
    assert refused.value.seats == ("bob",)
    rolled = do(seats, "bob", "roll_dice", dice=[3, 4])
    assert rolled.chance is not UNSET
    assert rolled.chance.throw is None
    assert rolled.chance.unthrown is not None
    assert rolled.chance.unthrown.missing == ("bob",)
    do(seats, "bob", "end_turn")
    seats.here = {"ana", "bob"}
    assert throw_of(turn(seats, "ana")).values.keys() == {"ana", "bob"}
    found = checked(seats)
    assert found.wrong == ()
    assert (found.by_hand, found.missed) == (1, {"bob": (rolled.number,)})


def test_another_process_goes_on(store: Store, seats: Seats) -> None:
    """The process that asked for a throw is killed: what was revealed for it counts in the next one."""

    class Killed(BaseException):
        pass

    def kill() -> None:
        raise Killed

    seats.meanwhile = kill
    with pytest.raises(Killed):
        do(seats, "bob", "roll_dice")
    asked = seats.ledger.sharing.shared_dice(seats.game).wanted
    seats.meanwhile = lambda: None
    seats.ledger = Ledger(store, rulebooks_by_id(), sleep=seats.sleep)
    seats.here = set()
    do(seats, "ana", "transfer_money", to="bob", amount=10)
    throw = throw_of(turn(seats, "bob"))
    assert asked is not None
    assert (throw.number, throw.after) == (asked.throw, asked.after)
    assert throw.values.keys() == {"ana", "bob"}
    assert checked(seats).wrong == ()


def test_a_correction_that_needs_a_throw_makes_one(seats: Seats) -> None:
    """Bob's roll is dropped; thrown again it is another throw, under the next number."""
    rolled = do(seats, "bob", "roll_dice")
    command = Command(
        kind="correct",
        params={"edits": [{"op": "drop", "action": rolled.number}], "reason": "he threw too early"},
    )
    seats.ledger.perform(seats.game, BANKER, command)
    again = do(seats, "bob", "roll_dice")
    assert throw_of(again).number == throw_of(rolled).number + 1
    assert checked(seats).wrong == ()


def test_what_cards_were_drawn_from_stays_closed(store: Store) -> None:
    """Goods are dealt face down: everybody can see who took part, and nobody can throw again before the end."""
    seats = Seats()
    seats.ledger = Ledger(store, rulebooks_by_id(), sleep=seats.sleep)
    players = [Seat(seat, seat.capitalize()) for seat in ("ana", "bob", "cid", "dan")]
    seats.game = seats.ledger.create("negoces2", title=None, players=players, settings={}, dice="shared").game
    seats.commit("ana")
    seats.commit("bob")
    assert throw_of(do(seats, None, "draw_starter", method="roll")).values == {}
    dealt = do(seats, None, "deal_goods")
    throw = throw_of(dealt)
    assert throw.values.keys() == {"ana", "bob"}
    assert throw.service is None
    found = check_dice(rulebooks_by_id()["negoces2"], entries_of(store, seats.game))
    assert found.wrong == ()
    assert found.waiting >= 1


def test_the_end_opens_everything(seats: Seats) -> None:
    do(seats, None, "end_game", reason="it is late")
    for seat in ("bob", "ana", "bob"):
        if not seats.ledger.moment(seats.game).newest.ended:
            turn(seats, seat)
    last = entries_of(seats.ledger.store, seats.game)[-1]
    assert last.chance is not UNSET
    assert last.chance.opens is not None
    found = checked(seats)
    assert (found.wrong, found.waiting) == ((), 0)


def test_few_actions_of_a_game_wait_at_a_time(seats: Seats) -> None:
    """Whoever sends a hundred rolls at once does not let a hundred threads of the service wait."""
    refused: list[str] = []

    def roll_again() -> None:
        try:
            do(seats, "bob", "roll_dice")
        except TooBusy:
            refused.append("busy")
        except Refusal:
            refused.append("rolled")

    seats.meanwhile = roll_again
    seats.here = set()
    roll_again()
    assert "busy" in refused
    seats.meanwhile = lambda: None
    assert checked(seats).wrong == ()


def test_a_game_without_shared_throws_takes_no_chains(store: Store) -> None:
    seats = table(store, "service")
    with pytest.raises(DiceNotShared):
        seats.commit("ana")
    with pytest.raises(DiceNotShared):
        seats.ledger.sharing.shared_dice(seats.game)


# Bending --------------------------------------------------------------------------------------------


def bent(seats: Seats, action: int, /, **changes: object) -> tuple[tuple[int, str], ...]:
    """What is found when the throw of an action is told otherwise."""
    entries = entries_of(seats.ledger.store, seats.game)
    entry = entries[action - 1]
    assert entry.chance is not UNSET
    throw = replace(throw_of(entry), **changes)
    entries[action - 1] = replace(entry, chance=replace(entry.chance, throw=throw))
    return check_dice(rulebooks_by_id()["negopoly"], entries).wrong


def dice_of(entry: Entry, values: dict[str, str]) -> list[int]:
    """The two dice that the throw of an action gives with these values."""
    throw = throw_of(entry)
    assert throw.service is not None
    given = {seat: bytes.fromhex(value) for seat, value in values.items()}
    source = source_of(given, bytes.fromhex(throw.service), entry.game, throw.number, 0)
    return [source.randint(1, 6), source.randint(1, 6)]


def test_whatever_is_bent_is_named(seats: Seats) -> None:
    rolled = turn(seats, "bob")
    turn(seats, "ana")
    # Without values the same two dice come once in 36 throws, and then nobody can tell.
    while dice_of(rolled, {}) == dice_of(rolled, throw_of(rolled).values):
        rolled = turn(seats, "bob")
        turn(seats, "ana")
    throw, action = throw_of(rolled), rolled.number
    chain = seats.chains["ana"]

    def said(**changes: object) -> str:
        return "; ".join(what for one, what in bent(seats, action, **changes) if one == action)

    assert "do not come from what was committed to" in said(values={}, missing=("ana", "bob"))
    assert "not named missing" in said(values={"ana": throw.values["ana"]})
    assert "belong to the chain" in said(values={**throw.values, "ana": chain.value(2).hex()})
    assert "belong to the chain" in said(values={**throw.values, "ana": throw.values["bob"]})
    assert "and is not" in said(missing=("bob",))
    assert "and is not" in said(missing=("eve",))
    assert "the last one was" in said(number=throw.number + 1)
    assert "asked for after action" in said(after=action)
    assert "had not committed" in said(after=throw.after - 5)
    assert "the one that it had committed to" in said(service="0" * 64)
    assert "again" in said(place=1)


def test_a_second_draw_from_an_earlier_throw_is_named(seats: Seats) -> None:
    """Whoever knows a throw could draw from it again, and choose between that and a new one."""
    first, second = turn(seats, "bob"), turn(seats, "ana")
    wrong = bent(seats, second.number, number=throw_of(first).number, place=1, values={}, service=None)
    assert any("which was made for action" in what for _, what in wrong)


def test_dice_from_nowhere_are_named(seats: Seats) -> None:
    rolled = turn(seats, "bob")
    entries = entries_of(seats.ledger.store, seats.game)
    assert rolled.chance is not UNSET
    entries[rolled.number - 1] = replace(rolled, chance=replace(rolled.chance, throw=None))
    wrong = check_dice(rulebooks_by_id()["negopoly"], entries).wrong
    assert any(number == rolled.number and "draws from no throw" in what for number, what in wrong)


@pytest.mark.parametrize("dice", ["shared", "shared_or_table"])
def test_no_value_is_awaited_of_who_is_out_of_the_game(store: Store, dice: str) -> None:
    """Bob has left the game, bankrupt to the bank, and closed the page: Ana throws, and nobody waits for him."""
    seats = Seats()
    seats.ledger = Ledger(store, rulebooks_by_id(), sleep=seats.sleep)
    players = [Seat(seat, seat.capitalize()) for seat in ("ana", "bob", "cid")]
    settings = {"tokens_chosen": False, "throw_for_order": False}
    seats.game = seats.ledger.create("monopoly", title=None, players=players, settings=settings, dice=dice).game
    for seat in ("ana", "bob"):
        seats.commit(seat)
    for deck in ("letters", "tides"):
        do(seats, None, "shuffle_deck", deck=deck)
    do(seats, None, "start_game")
    gone = Command(kind="declare_bankruptcy", seat="bob", override="Bob has gone home.")
    seats.ledger.perform(seats.game, BANKER, gone)
    seats.here, seats.waited = {"ana"}, 0.0
    thrown = throw_of(do(seats, "ana", "roll_and_move"))
    assert set(thrown.values) == {"ana"}
    assert thrown.missing == ("bob",)
    assert seats.waited < ABSENT_SECONDS
    assert seats.ledger.sharing.shared_dice(seats.game).absent == ()
    found = check_dice(rulebooks_by_id()["monopoly"], entries_of(store, seats.game))
    assert (found.wrong, found.by_hand) == ((), 0)
