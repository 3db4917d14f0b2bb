"""The state: independent copies, and snapshots that restore it in the order in which it was played."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from ledger.kernel.facts.accounts import BANK, Holdings, Posting
from ledger.kernel.facts.agreements import Archive, Terms
from ledger.kernel.facts.dispute import Dispute
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.codec import Codec
from tests.kernel.toy import NOON, RULES, BuyBeans, Game, Hide, Promise, Throw, Thrown, Toy, fold


def rich() -> Toy:
    """A state with something in every container."""
    game = Game()
    game.play("ana", BuyBeans(amount=2))
    game.play("bob", Throw(face=4))
    game.play("bob", Hide(card="ace"))
    state = game.state.copy()
    state.marked |= {"bob", "ana"}
    state.promises["2"] = Promise(id="2", by="ana")
    state.past.keep(Promise(id="3-2", by="bob", status="kept"))
    state.disputes["5"] = contested("5", "open")
    state.settled.keep(contested("4", "withdrawn"))
    return state


def contested(dispute: str, status: str) -> Dispute:
    """A dispute about Ana's beans."""
    return Dispute(id=dispute, status=status, opener="bob", actions=(2,), claim="Too many.", opened_at=NOON)


CHANGES: dict[str, Callable[[Toy], Any]] = {
    "holdings": lambda state: state.holdings.post(Posting("coin", 1, BANK, "player:bob")),
    "seats": lambda state: state.seats.update(eve=Seat("eve", "Eve")),
    "thrown": lambda state: state.thrown.append(6),
    "marked": lambda state: state.marked.add("eve"),
    "promises": lambda state: state.promises.pop("2"),
    "past": lambda state: state.past.keep(Promise(id="4", by="ana", status="broken")),
    "disputes": lambda state: state.disputes.update({"6": contested("6", "open")}),
    "settled": lambda state: state.settled.keep(contested("6", "ruled")),
    "ended": lambda state: setattr(state, "ended", True),
}


@pytest.mark.parametrize("field", CHANGES)
def test_what_happens_to_a_copy_does_not_touch_the_original(field: str) -> None:
    state = rich()
    before = RULES.codec.to_snapshot(state)
    copied = state.copy()
    assert copied == state
    CHANGES[field](copied)
    assert RULES.codec.to_snapshot(state) == before
    assert RULES.codec.to_snapshot(copied) != before
    assert copied != state


def test_every_container_of_the_toy_is_tried() -> None:
    containers = {
        name
        for name in Toy.__struct_fields__
        if isinstance(getattr(rich(), name), dict | list | set | Archive) or name == "holdings"
    }
    assert containers == set(CHANGES) - {"ended"}


@pytest.mark.parametrize("field", CHANGES)
def test_two_new_states_share_no_container(field: str) -> None:
    one, other = RULES.blank(), RULES.blank()
    one.promises["2"] = Promise(id="2", by="ana")
    CHANGES[field](one)
    other_than_new = [
        name for name in Toy.__struct_fields__ if getattr(other, name) != getattr(RULES.blank(), name)
    ]
    assert other_than_new == []


def test_a_snapshot_comes_back_as_the_same_state() -> None:
    state = rich()
    thawed = RULES.codec.from_snapshot(RULES.codec.to_snapshot(state))
    assert thawed == state
    assert type(thawed) is Toy
    assert RULES.codec.to_snapshot(thawed) == RULES.codec.to_snapshot(state)


def test_a_thawed_state_is_played_on_as_if_it_had_never_been_frozen() -> None:
    game = Game()
    game.play("ana", BuyBeans(amount=1))
    expected = game.decide("ana", Throw(face=2))
    game.state = RULES.codec.from_snapshot(RULES.codec.to_snapshot(game.state))
    assert game.decide("ana", Throw(face=2)).state == expected.state
    game.play("ana", BuyBeans(amount=3), by="banker", override="she may owe")
    game.play("ana", BuyBeans(amount=3), by="banker", override="she may owe")
    with pytest.raises(Impossible):
        game.state.record(Thrown(seat="ana", faces=(), postings=(Posting("bean", 8, "player:ana", "player:bob"),)))


def test_a_snapshot_of_another_shape_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        RULES.codec.from_snapshot(b'{"holdings":{},"thrown":"six"}')


def test_what_has_no_order_gives_equal_bytes_whatever_order_it_was_filled_in() -> None:
    one, other = RULES.blank(), RULES.blank()
    names = [f"seat {number}" for number in range(50)]
    for state, order in ((one, names), (other, names[::-1])):
        for name in order:
            state.marked.add(name)
        for number in range(2, 30) if state is one else range(29, 1, -1):
            state.past.keep(Promise(id=str(number), by="ana", status="kept"))
    assert one == other
    assert RULES.codec.to_snapshot(one) == RULES.codec.to_snapshot(other)


def test_a_snapshot_keeps_the_order_of_seats_and_accounts() -> None:
    state = RULES.blank()
    for name in ("zoe", "ana", "mia"):
        state.seats[name] = Seat(name, name)
        state.holdings.post_all((Posting("coin", 1, BANK, name), Posting("bean", 1, BANK, name)))
    thawed = RULES.codec.from_snapshot(RULES.codec.to_snapshot(state))
    assert list(thawed.seats) == ["zoe", "ana", "mia"]
    assert [(account, list(held)) for account, held in thawed.holdings.items()] == [
        (account, list(held)) for account, held in state.holdings.items()
    ]


def test_a_set_deep_inside_a_state_has_no_order_to_keep_and_is_refused() -> None:
    class Pile(msgspec.Struct, frozen=True):
        cards: frozenset[str] = frozenset()

    class Odd(Toy):
        pile: Pile | None = None

    odd = Codec[Odd](
        rulebook="odd",
        actions={},
        events={"thrown": Thrown},
        upcasts={},
        state=Odd,
        agreements=(Promise,),
        may_owe=RULES.accounts.may_owe,
    )
    with pytest.raises(TypeError, match=r"Odd\.pile: a set may only be a field of a state"):
        odd.to_snapshot(Odd(holdings=Holdings(RULES.accounts.may_owe)))


def test_holdings_beyond_64_bits_survive_a_snapshot() -> None:
    state = RULES.blank()
    for _ in range(4):
        state.holdings.post(Posting("coin", 2**63 - 1, BANK, "player:ana"))
    assert RULES.codec.from_snapshot(RULES.codec.to_snapshot(state)).holdings.of(BANK, "coin") == -4 * (2**63 - 1)


def test_folding_the_stored_events_gives_the_state_that_was_decided() -> None:
    game = Game()
    game.play("ana", Throw(face=4))
    game.play("ana", Hide(card="king"))
    folded = RULES.blank()
    fold(folded, *game.bodies())
    folded.version, folded.last_at = game.state.version, game.state.last_at
    assert RULES.codec.to_snapshot(folded) == RULES.codec.to_snapshot(game.state)


def test_an_event_that_cannot_be_changes_nothing_and_is_not_counted() -> None:
    state = rich()
    before = RULES.codec.to_snapshot(state)
    postings = (Posting("coin", 1, BANK, "player:ana"), Posting("bean", 3, "player:ana", "player:bob"))
    with pytest.raises(Impossible, match="player:ana does not hold 3 × bean"):
        state.record(Thrown(seat="ana", faces=(1,), postings=postings))
    assert RULES.codec.to_snapshot(state) == before


def test_an_archive_keeps_what_has_ended_in_the_order_of_opening() -> None:
    archive = Archive([Promise(id="10", by="ana"), Promise(id="9-2", by="bob")])
    archive.keep(Promise(id="9", by="ana", status="kept"))
    assert [promise.id for promise in archive] == ["9", "9-2", "10"]
    assert len(archive) == 3
    assert archive.get("9-2") == Promise(id="9-2", by="bob")
    assert archive.get("11") is None


def test_what_has_ended_is_found_without_its_order_too() -> None:
    """Reading in any order finds the same agreements."""
    archive = Archive(Promise(id=str(number), by="ana") for number in range(30))
    assert sorted(archive.scan(), key=lambda promise: promise.opened) == list(archive)


def test_an_archive_is_read_when_it_is_asked() -> None:
    """And not before; what ends afterwards is kept beside it, and a later ending of the same replaces it."""
    reads: list[str] = []

    def read(text: str) -> list[Promise]:
        reads.append(text)
        return msgspec.json.decode(text, type=list[Promise])

    whole = Archive([Promise(id="9", by="ana"), Promise(id="10", by="bob")])
    archive = Archive.from_text(whole.text(), read)
    archive.keep(Promise(id="11", by="ana"))
    copied = archive.copy()
    assert archive.get("11") == Promise(id="11", by="ana")
    assert reads == []
    copied.keep(Promise(id="9", by="ana", status="kept"))
    assert [(promise.id, promise.status) for promise in copied] == [("9", "kept"), ("10", "open"), ("11", "open")]
    assert archive.get("9") == Promise(id="9", by="ana")
    assert reads == [whole.text()]
    assert (len(archive), len(copied)) == (3, 3)
    assert archive != copied


def test_equal_archives_are_written_alike() -> None:
    """Archives with the same agreements are equal, however they were built."""
    promises = [Promise(id="9", by="ana"), Promise(id="10", by="bob")]
    grown = Archive(promises[1:])
    grown.keep(promises[0])
    again = Archive.from_text(grown.text(), lambda text: msgspec.json.decode(text, type=list[Promise]))
    assert again == grown == Archive(promises)
    assert again.text() == grown.text() == Archive(promises).text()
    with pytest.raises(TypeError, match="not as list"):
        Archive.from_text([], lambda _: ())  # type: ignore[arg-type]


def test_a_state_does_not_leave_a_container_out() -> None:
    """A copy could not tell from the field that it has to copy what is in it."""

    class Odd(Toy, kw_only=True):
        guests: dict[str, str] | None = None

    with pytest.raises(TypeError, match="Odd: guests: a container may be empty, and is never left out"):
        Odd(holdings=RULES.blank().holdings).copy()


def test_a_copied_archive_goes_its_own_way() -> None:
    archive = Archive([Promise(id="9", by="ana")])
    copied = archive.copy()
    assert copied == archive
    copied.keep(Promise(id="10", by="ana"))
    assert len(archive) == 1
    assert copied != archive


def test_an_agreement_without_words_is_told_by_its_kind_and_number() -> None:
    promise = Promise(id="2", by="ana", status="kept")
    assert RULES.agreements.terms(rich(), promise, "en") == Terms(
        label="promise", title="Promise 2", status="kept"
    )
