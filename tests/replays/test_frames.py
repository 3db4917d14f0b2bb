"""Frames of a replay: a game as it was recorded and as corrections left it."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import pytest

from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.labels import BEYOND, Name, Place
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import current_viewer, visible_holdings
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.history.replay import steps
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Command, Ledger
from ledger.store.store import Store
from replays import frames as replay
from replays.frames import Frame, FrameSide, frames, page
from tests.kernel import hands
from tests.kernel.hands import CID
from tests.replays import shelf
from tests.tables.ledgers import ANA, BOB, SPECTATOR, started

pytestmark = pytest.mark.xdist_group("frames")

READERS = (BANKER, ANA, BOB, CID, SPECTATOR)


def all_frames(ledger: Ledger, game: str, viewer: Viewer = BANKER, **asked: Any) -> dict[Name, Frame]:
    """Every frame, by the name of its action."""
    moment = ledger.moment(game, viewer, known_at=asked.pop("known_at", None))
    return {frame.action: frame for frame in frames(moment, **asked)}


def said(side: FrameSide | None) -> tuple[str, ...] | None:
    return None if side is None else side.sentences


def moved(side: FrameSide | None) -> list[tuple[int, str, str]]:
    """The postings of a side: amount, source, target."""
    assert side is not None
    return [
        (one.amount, one.source.removeprefix("player:"), one.target.removeprefix("player:"))
        for one in side.postings
    ]


def changes(side: FrameSide | None) -> dict[str, tuple[Any, Any]]:
    """The changes of a side by path: the values before and after."""
    assert side is not None
    return {change.what: (change.before, change.after) for change in side.changed}


# As recorded and as corrected -----------------------------------------------------------------------


def test_every_action_of_a_mended_game_is_told_twice(ledger: Ledger, mended: str) -> None:
    """A dropped action has no corrected side, an inserted one no recorded side, a restated one has both."""
    found = all_frames(ledger, mended)
    assert list(found) == [*range(1, 8), "12.1", *range(8, 17)]
    assert {str(name): frame.status for name, frame in found.items()} == shelf.MENDED
    mending = ("The banker corrects the history: it was misheard",)
    assert {name: (said(frame.recorded), said(frame.corrected)) for name, frame in list(found.items())[6:16]} == {
        7: (("Ana gives ₦100 to Bob.",), ("Ana gives ₦100 to Bob.",)),
        "12.1": (None, ("Bob gives ₦5 to Ana.",)),
        8: (("Ana gives ₦40 to Bob.",), None),
        9: (("Ana gives ₦30 to Bob.",), ("Ana gives ₦35 to Bob.",)),
        10: (("Bob gives ₦1800 to Ana.",), None),
        11: (mending, mending),
        12: (mending, mending),
        13: (("Ana gives ₦7 to Bob.",), ("Ana gives ₦7 to Bob.",)),
        14: (mending, None),
        15: (mending, mending),
    }
    # A correction changes the recorded history when it is made, and nothing in the corrected one.
    assert [name for name, frame in found.items() if frame.same] == [*range(1, 8), 13, 16]


def test_both_sides_tell_what_moved_and_what_it_came_to(ledger: Ledger, mended: str) -> None:
    """Action 9 was recorded with ₦30 and was 35, after 40 that were never given and 5 that were."""
    found = all_frames(ledger, mended)
    nine = found[9]
    assert (nine.status, nine.corrected_by, nine.seat, nine.by_name) == ("restated", 11, "ana", "Ana")
    assert (moved(nine.recorded), moved(nine.corrected)) == ([(30, "ana", "bob")], [(35, "ana", "bob")])
    assert nine.recorded is not None
    assert nine.corrected is not None
    assert nine.recorded.balances == {"player:ana": {"NGD": 1480}, "player:bob": {"NGD": 1820}}
    assert nine.corrected.balances == {"player:ana": {"NGD": 1520}, "player:bob": {"NGD": 1780}}
    assert changes(nine.corrected) == {
        "accounts.player:ana.NGD": (1555, 1520),
        "accounts.player:bob.NGD": (1745, 1780),
    }
    assert nine.recorded.rules == nine.corrected.rules == ("I.B.6",)
    assert (nine.account_names, nine.commodity_names) == ({"player:ana": "Ana", "player:bob": "Bob"}, {"NGD": "₦"})
    inserted = found["12.1"]
    assert (inserted.number, inserted.after, inserted.place) == (12, 7, (7, 12, 1))
    assert inserted.receipt == found[12].receipt
    assert changes(inserted.corrected) == {
        "accounts.player:ana.NGD": (1550, 1555),
        "accounts.player:bob.NGD": (1750, 1745),
    }
    ten = found[10]
    assert ten.reason is not None
    assert (ten.reason.rule, ten.reason.text) == ("I.B.6", "Bob has ₦1785 and cannot spend ₦1800 without ₦15 more")


def test_a_correction_changes_what_was_believed_and_nothing_of_what_is_said_now(
    ledger: Ledger, mended: str
) -> None:
    """At 11 Ana was believed to hold ₦3280, and from then on 1515."""
    found = all_frames(ledger, mended)
    eleven = found[11]
    assert changes(eleven.recorded) == {
        "accounts.player:ana.NGD": (3280, 1515),
        "accounts.player:bob.NGD": (20, 1785),
    }
    assert changes(eleven.corrected) == {}
    assert eleven.account_names == {"player:ana": "Ana", "player:bob": "Bob"}
    assert (changes(found[14].recorded), changes(found[15].recorded)) == (
        {"accounts.player:ana.NGD": (1513, 1520), "accounts.player:bob.NGD": (1787, 1780)},
        {"accounts.player:ana.NGD": (1520, 1513), "accounts.player:bob.NGD": (1780, 1787)},
    )


def test_positions_and_the_table_are_told(ledger: Ledger, mended: str) -> None:
    """Ana throws 1 and 2 from the square of the start, to Black Arretxea."""
    last = all_frames(ledger, mended)[16]
    assert last.recorded is not None
    assert last.recorded.positions == {"ana": 3, "bob": 0}
    told = changes(last.recorded)
    assert told["table.positions.ana"] == (0, 3)
    assert told["table.turn.dice"] == ([], [1, 2])
    assert told["table.turn.roll"] == ("due", "thrown")
    assert not any(what.startswith("accounts.") for what in told)


def test_agreements_that_open_change_and_end(ledger: Ledger) -> None:
    """A loan is opened, repaid in part, and repaid: an open agreement is named by its collection and id."""
    game = started(ledger, "ana", "bob")
    for kind, params in (
        ("take_loan", {"amount": 100}),
        ("repay_loan", {"loan": "7", "amount": 30}),
        ("repay_loan", {"loan": "7"}),
    ):
        ledger.perform(game, ANA, Command(kind=kind, params=params))
    found = all_frames(ledger, game, first=7)
    opened = changes(found[7].recorded)["agreements.loans.7"]
    assert (opened[0], opened[1]["borrower"], opened[1]["principal"]) == (None, "ana", 100)
    assert any(what.startswith("agreements.loans.7.") for what in changes(found[8].recorded))
    before, after = changes(found[9].recorded)["agreements.loans.7"]
    assert before is not None
    assert after is None
    to_bob = [what for frame in all_frames(ledger, game, BOB).values() for what in changes(frame.recorded)]
    assert not [what for what in to_bob if "loans." in what]


# Frames and states ----------------------------------------------------------------------------------


def assert_states(ledger: Ledger, game: str) -> int:
    """Each side leads from the state before to the state after, as believed then and as known now.

    Returns how often the two sides were the same.
    """
    rulebook: Rulebook[Any] = ledger.games.open(game).rulebook
    head, shared = ledger.moment(game).version, 0
    believed = said_now = rulebook.blank()
    for number, group in groupby(steps(ledger.moment(game)), lambda step: step.place[0]):
        for step in group:
            if step.recorded is not None:
                assert frozen(rulebook, step.recorded.start) == frozen(rulebook, believed), step.name
                believed = ledger.moment(game, at=number, known_at=number).state
                assert frozen(rulebook, step.recorded.end) == frozen(rulebook, believed), step.name
            if step.corrected is not None:
                assert step.corrected.start.holdings == said_now.holdings, step.name
                said_now = step.corrected.end
            shared += step.recorded is step.corrected
        assert said_now.holdings == ledger.moment(game, at=number, known_at=head).state.holdings, number
    assert frozen(rulebook, said_now) == frozen(rulebook, ledger.moment(game).newest) == frozen(rulebook, believed)
    return shared


def frozen(rulebook: Rulebook[Any], state: State) -> bytes:
    return rulebook.codec.to_snapshot(state)


def test_the_tellings_are_the_states_of_the_ledger(ledger: Ledger, mended: str) -> None:
    """Up to 6, which no correction touches, and after 15, the last correction, the two histories are the same."""
    assert assert_states(ledger, mended) == 7


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_tellings_are_the_states_of_the_ledger_whatever_was_corrected(ledger: Ledger, seed: int) -> None:
    """Bots play; actions are dropped, rewound and redone, and more and more frames have two sides."""
    game = shelf.corrected_at_random(ledger, seed)
    assert 0 < assert_states(ledger, game) < ledger.moment(game).version


@pytest.mark.parametrize("rulebook", rulebooks_by_id())
def test_every_game_there_is_can_be_gone_through_again(ledger: Ledger, rulebook: str) -> None:
    """The banker, a player and a spectator get a frame of every action."""
    game = shelf.simulate(ledger, rulebook, seed=900, actions=120)
    version = ledger.moment(game).version
    history = ledger.moment(game).game.history
    corrected = any(history.entry(number).kind == "correct" for number in range(1, version + 1))
    shared = assert_states(ledger, game)
    assert shared == version or (corrected and shared < version)
    seat = next(iter(ledger.moment(game).newest.seats))
    for viewer in (BANKER, Viewer("player", seat), SPECTATOR):
        found = list(frames(ledger.moment(game, viewer)))
        assert [frame.number for frame in found] == list(range(1, version + 1))
        assert corrected or all(frame.same for frame in found)


def test_starting_anywhere_gives_the_same_frames(ledger: Ledger) -> None:
    """Any number of actions after a snapshot or a correction."""
    game = shelf.corrected_at_random(ledger, 4)
    whole = list(frames(ledger.moment(game, ANA)))
    for first, last in ((1, 1), (40, 139), (99, 100), (150, 10_000), (0, 3)):
        asked = [one for one in whole if max(first, 1) <= one.place[0] <= last]
        assert list(frames(ledger.moment(game, ANA), first=first, last=last)) == asked
    assert list(frames(ledger.moment(game, ANA), first=len(whole) + 1)) == []


def test_a_replay_may_know_less(ledger: Ledger, mended: str) -> None:
    """Known up to 11, action 13 and the inserted one are not there, and 10 is voided already."""
    found = all_frames(ledger, mended, known_at=11)
    assert list(found) == [*range(1, 12)]
    assert (found[9].status, found[10].status) == ("restated", "voided")
    assert {frame.status for frame in all_frames(ledger, mended, known_at=10).values()} == {"effective"}


def test_the_language(ledger: Ledger, mended: str) -> None:
    found = all_frames(ledger, mended, language="fr")
    assert said(found["12.1"].corrected) == ("Bob donne 5 ₦ à Ana.",)
    assert found[11].by_name == "Le banquier"
    assert found[10].reason is not None
    assert found[10].reason.text == "Bob a 1785 ₦ et ne peut pas dépenser 1800 ₦ sans 15 ₦ de plus"


# Following a player ---------------------------------------------------------------------------------


def test_following_a_player(ledger: Ledger, mended: str) -> None:
    """Frames about Bob: his actions, and gifts to and from him, but not Ana's other actions."""
    between = [7, "12.1", 8, 9, 10, 13]
    assert list(all_frames(ledger, mended, follow="bob")) == [1, 4, 5, *between]
    assert list(all_frames(ledger, mended, follow="ana")) == [1, 2, 3, *between, 16]
    assert list(all_frames(ledger, mended, follow="nobody")) == []


# Pages ----------------------------------------------------------------------------------------------


def test_pages_forwards_and_backwards(ledger: Ledger, mended: str) -> None:
    """Pages of any size, also when a page ends between an action and the one inserted after it."""
    whole = list(frames(ledger.moment(mended, BANKER)))
    for limit in (1, 2, 3, 5, 7, 17, 40):
        assert forwards(ledger, mended, limit) == whole
        assert backwards(ledger, mended, limit) == whole
    assert forwards(ledger, mended, 3, within=((7,), (9, BEYOND))) == whole[6:10]
    assert backwards(ledger, mended, 3, within=((7,), (9, BEYOND))) == whole[6:10]


def test_pages_that_follow_a_player_go_so_far_and_no_further(
    ledger: Ledger, mended: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When no frame is about the player for long, a page is empty and has a next page."""
    monkeypatch.setattr(replay, "FURTHEST", 2)
    one = page(ledger.moment(mended, BANKER), limit=5, within=((2,), (99,)), follow="bob")
    assert ([frame.action for frame in one.frames], one.preceding) == ([], None)
    assert one.following is not None
    assert one.following > (3, 12, 1)
    for limit in (1, 2, 5):
        followed = list(all_frames(ledger, mended, follow="bob").values())
        assert forwards(ledger, mended, limit, follow="bob") == followed
        assert backwards(ledger, mended, limit, follow="bob") == followed


def test_the_pages_around_a_page(ledger: Ledger, mended: str) -> None:
    """From the middle, one page back and one page forward lead to the same page again."""
    first = page(ledger.moment(mended, BANKER), limit=4)
    assert (first.preceding, first.following) == (None, (4, 0, 0))
    second = page(ledger.moment(mended, BANKER), limit=4, lower=first.following)
    assert [frame.action for frame in second.frames] == [5, 6, 7, "12.1"]
    back = page(ledger.moment(mended, BANKER), limit=4, upper=second.preceding)
    assert (back.frames, back.preceding) == (first.frames, None)
    assert page(ledger.moment(mended, BANKER), limit=4, lower=back.following).frames == second.frames
    end = page(ledger.moment(mended, BANKER), limit=4, lower=(16, 0, 0))
    assert (end.frames, end.following) == ((), None)
    assert [one.action for one in page(ledger.moment(mended, BANKER), limit=2, upper=end.preceding).frames] == [
        15,
        16,
    ]


def forwards(ledger: Ledger, game: str, limit: int, **asked: Any) -> list[Frame]:
    found: list[Frame] = []
    place: Place | None = None
    for _ in range(100):
        one = page(ledger.moment(game, BANKER), limit=limit, lower=place, **asked)
        assert len(one.frames) <= limit
        found += one.frames
        if one.following is None:
            return found
        place = one.following
    raise AssertionError("the pages never end")


def backwards(ledger: Ledger, game: str, limit: int, **asked: Any) -> list[Frame]:
    found: list[Frame] = []
    place: Place = (10_000, 0, 0)
    for _ in range(100):
        one = page(ledger.moment(game, BANKER), limit=limit, upper=place, **asked)
        assert len(one.frames) <= limit
        found = [*one.frames, *found]
        if one.preceding is None:
            return found
        place = one.preceding
    raise AssertionError("the pages never end")


# What the viewer may see ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hidden(store: Store) -> tuple[Ledger, str]:
    """Three players with hidden hands. Ana laid a card face down that Bob took (3, 4); Bob bought beans (5).

    The banker then corrected: Ana laid another card (6), another purchase was forgotten (7), and Bob's did not
    happen (8). Cid knows of the sale, but of no card.
    """
    ledger = Ledger(store, {**rulebooks_by_id(), hands.RULES.id: hands.RULES})
    game = ledger.create("hands", title=None, players=hands.SEATS, settings={}, dice="table").game

    def act(viewer: Viewer, kind: str, **params: Any) -> None:
        ledger.perform(game, viewer, Command(kind=kind, params=params))

    act(BANKER, "deal", cards=list(hands.DECK))
    act(ANA, "lay", card="ace")
    act(BOB, "take", price=4)
    act(BOB, "buy_beans", amount=3)
    for edit in (
        {"op": "replace", "action": 3, "params": {"card": "king"}},
        {"op": "insert", "after": 4, "action": {"kind": "hide", "seat": "ana", "params": {"card": "ace"}}},
        {"op": "drop", "action": 5},
    ):
        act(BANKER, "correct", edits=[edit], cascade="restate", reason="misseen")
    return ledger, game


def test_a_correction_of_what_is_hidden_makes_no_difference(hidden: tuple[Ledger, str]) -> None:
    """Ana sees another card; Cid sees only a card, before and after, on both sides."""
    ledger, game = hidden
    to_ana = all_frames(ledger, game, ANA)[3]
    assert (to_ana.status, to_ana.same) == ("restated", False)
    assert (said(to_ana.recorded), said(to_ana.corrected)) == (
        ("Ana lays 1 card:ace (hand:ana → market).",),
        ("Ana lays 1 card:king (hand:ana → market).",),
    )
    to_cid = all_frames(ledger, game, CID)[3]
    assert (to_cid.status, to_cid.corrected_by, to_cid.same) == ("effective", None, True)
    assert said(to_cid.recorded) == ("Ana lays 1 a card (hand:ana → market).",)
    assert to_cid.recorded is not None
    assert to_cid.recorded.balances == {"hand:ana": {"card": 1}, "market": {"card": 1}}
    assert changes(to_cid.recorded)["accounts.hand:ana.card"] == (2, 1)


def test_what_is_private_and_undone_is_not_told_to_be(ledger: Ledger) -> None:
    """Ana gives Bob ₦100 (9), which is private; the banker drops the gift, and inserts one of ₦30 instead."""
    game = started(ledger, "ana", "bob", "cid")
    ledger.perform(game, ANA, Command(kind="transfer_money", params={"to": "bob", "amount": 100}))
    thirty = {"kind": "transfer_money", "seat": "ana", "params": {"to": "bob", "amount": 30}}
    edits = [{"op": "drop", "action": 9}, {"op": "insert", "after": 9, "action": thirty}]
    ledger.perform(game, BANKER, Command(kind="correct", params={"edits": edits, "reason": "misheard"}))
    for concerned in (BANKER, ANA, BOB):
        told = all_frames(ledger, game, concerned)
        assert list(told)[8:] == [9, "10.1", 10]
        assert (told[9].status, said(told[9].corrected)) == ("undone", None)
        assert moved(told["10.1"].corrected) == [(30, "ana", "bob")]
    for outsider in (CID, SPECTATOR):
        told = all_frames(ledger, game, outsider)
        assert list(told)[8:] == [9, 10]
        nine = told[9]
        assert (nine.kind, nine.status, nine.corrected_by) == ("private", "effective", None)
        assert (nine.seat, nine.by, nine.by_name) == (None, None, None)
        assert (
            nine.recorded
            == nine.corrected
            == FrameSide(
                sentences=(),
                rules=(),
                postings=(),
                balances={},
                positions=dict.fromkeys(game_seats(ledger, game), 0),
                changed=(),
                told=(),
            )
        )
        assert told[10].same
        assert not [name for name in all_frames(ledger, game, outsider, follow="ana") if name in {9, 10}]


def game_seats(ledger: Ledger, game: str) -> list[str]:
    return list(ledger.moment(game).newest.seats)


def test_no_frame_shows_more_than_the_state(hidden: tuple[Ledger, str]) -> None:
    """The balances of a frame are what that viewer sees of the accounts at that moment."""
    ledger, game = hidden
    rulebook = ledger.games.open(game).rulebook
    for viewer in READERS:
        viewer = current_viewer(ledger.moment(game).newest, viewer)
        for frame in frames(ledger.moment(game, viewer)):
            if frame.after is None and frame.recorded is not None:
                state = ledger.moment(game, at=frame.number, known_at=frame.number).state
                for account, held in frame.recorded.balances.items():
                    assert held == visible_holdings(rulebook.secrets, state, account, viewer)


def test_after_the_end_everybody_sees_the_same(store: Store) -> None:
    ledger = Ledger(store, {hands.RULES.id: hands.RULES})
    game = ledger.create("hands", title=None, players=hands.SEATS, settings={}, dice="table").game
    ledger.perform(game, BANKER, Command(kind="deal", params={"cards": list(hands.DECK)}))
    ledger.perform(game, ANA, Command(kind="lay", params={"card": "ace"}))
    assert list(frames(ledger.moment(game, CID))) != list(frames(ledger.moment(game, BANKER)))
    ledger.perform(game, BANKER, Command(kind="end"))
    for viewer in READERS:
        assert list(frames(ledger.moment(game, viewer))) == list(frames(ledger.moment(game, BANKER)))
