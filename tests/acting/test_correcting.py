"""Corrections on real Postgres: every reader has the same state, from memory and from the first action."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from ledger.acting.correcting import correction
from ledger.games.snapshots import fingerprint
from ledger.kernel.deciding.plan import CorrectionSpreads
from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.edits import Cascade, Drop, Insert, NewAction, Replace, Rewind
from ledger.kernel.facts.refusals import Impossible, NotYours, Refusal
from ledger.kernel.facts.state import State
from ledger.reading.entries.journal import page_of_journal, read_entry
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.service import Command, KeyUsed, Ledger, Performed, StaleVersion, Undo
from ledger.store.store import Store
from tests.harness.storing import drop_snapshots
from tests.tables.ledgers import ANA, BOB, a_ledger, do, started


def give(ledger: Ledger, game: str, viewer: Viewer, amount: int) -> int:
    """Give this amount to the other player. Returns the number of the action."""
    to = "bob" if viewer is ANA else "ana"
    return do(ledger, game, viewer, "transfer_money", to=to, amount=amount).entry.number


@pytest.fixture
def game(ledger: Ledger) -> str:
    """Ana and Bob hold 1650 ₦ each, and it is Ana's turn, at version 6."""
    return started(ledger, "ana", "bob")


def correct(
    ledger: Ledger, game: str, *edits: Any, cascade: Cascade = "refuse", key: str | None = None
) -> Performed:
    return ledger.perform(game, BANKER, correction(RULEBOOK, edits, "a slip", cascade), key=key)


def money(state: State) -> tuple[int, int]:
    ana, bob = (state.holdings.of(f"player:{seat}", "NGD") for seat in ("ana", "bob"))
    return ana, bob


def frozen(ledger: Ledger, game: str, at: int | None = None, known_at: int | None = None) -> bytes:
    return ledger.games.open(game).rulebook.codec.to_snapshot(ledger.moment(game, at=at, known_at=known_at).state)


def test_one_ledger_corrects_while_another_acts(store: Store, game: str) -> None:
    """Each ledger has its own memory; neither ever continues from a past that was corrected."""
    mending, acting = a_ledger(store), a_ledger(store)
    given = give(acting, game, ANA, 1650)
    assert money(mending.moment(game).newest) == (0, 3300)
    correct(mending, game, Drop(given))
    # The other ledger still has Ana without money in memory: its refusal would have been wrong.
    give(acting, game, ANA, 1000)
    assert money(acting.moment(game).newest) == money(mending.moment(game).newest) == (650, 2650)
    with pytest.raises(CorrectionSpreads):
        correct(mending, game, Drop(2))


def test_corrections_race_with_actions(store: Store, game: str) -> None:
    """Ana gives 1 ₦ forty times while the banker drops ten of the gifts: thirty arrive, in any order."""
    ledger = a_ledger(store)
    first = [give(ledger, game, ANA, 1) for _ in range(10)]

    def act() -> None:
        own = a_ledger(store)
        for _ in range(30):
            give(own, game, ANA, 1)

    def mend() -> None:
        own = a_ledger(store)
        for number in first:
            correct(own, game, Drop(number))

    threads = [threading.Thread(target=act), threading.Thread(target=mend)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.journal.head(game) == 6 + 10 + 30 + 10
    assert money(a_ledger(store).moment(game).newest) == money(ledger.moment(game).newest) == (1620, 1680)


def test_a_cold_start_after_a_correction(store: Store, ledger: Ledger, game: str) -> None:
    """The game is the same with the snapshot after the correction, with none, and with an invalid older one."""
    gifts = [give(ledger, game, ANA, amount) for amount in (10, 20, 30)]
    overtaken = frozen(ledger, game)
    corrected = correct(ledger, game, Drop(gifts[1])).version
    kept = store.snapshots.latest(game, fingerprint(RULEBOOK))
    assert kept is not None
    assert kept[0] == corrected
    give(ledger, game, BOB, 5)
    expected = frozen(ledger, game)
    assert money(ledger.moment(game).newest) == (1650 - 40 + 5, 1650 + 40 - 5)
    assert frozen(a_ledger(store), game) == expected
    drop_snapshots(store, game)
    assert frozen(a_ledger(store), game) == expected
    store.snapshots.save(game, gifts[-1], fingerprint(RULEBOOK), overtaken)
    assert frozen(a_ledger(store), game) == expected
    assert frozen(a_ledger(store), game, known_at=gifts[-1]) == overtaken


def test_what_was_believed_before_and_is_known_since(store: Store, ledger: Ledger, game: str) -> None:
    gifts = [give(ledger, game, ANA, amount) for amount in (10, 20, 30)]
    believed = {number: frozen(ledger, game, number) for number in (*gifts, 6)}
    number = correct(ledger, game, Replace(gifts[1], {"to": "bob", "amount": 200})).entry.number
    for reading in (ledger, a_ledger(store)):
        for at, before in believed.items():
            assert frozen(reading, game, at, known_at=gifts[-1]) == before
        assert money(reading.moment(game, at=gifts[1]).state)[0] == 1650 - 210
        assert money(reading.moment(game, at=gifts[1], known_at=number).state)[0] == 1650 - 210
        assert money(reading.moment(game, known_at=gifts[-1]).state)[0] == 1650 - 60
        entry = read_entry(reading.moment(game, known_at=gifts[-1]), gifts[1])
        assert entry is not None
        assert entry.status == "effective"


def test_dropping_and_redoing_gives_back_the_same_holdings(ledger: Ledger, game: str) -> None:
    given = give(ledger, game, ANA, 1000)
    give(ledger, game, BOB, 2000)
    before = ledger.moment(game).newest.holdings.as_dict()
    dropped = correct(ledger, game, Drop(given), cascade="restate").entry.number
    assert money(ledger.moment(game).newest) == (1650, 1650)
    redone = correct(ledger, game, Drop(dropped)).entry.number
    assert ledger.moment(game).newest.holdings.as_dict() == before
    # Redoing the redo drops the action again; and this is undone once more.
    again = correct(ledger, game, Drop(redone), cascade="restate").entry.number
    assert money(ledger.moment(game).newest) == (1650, 1650)
    correct(ledger, game, Drop(again))
    assert ledger.moment(game).newest.holdings.as_dict() == before
    statuses = {entry.number: entry.status for entry in page_of_journal(ledger.moment(game))[0]}
    assert (statuses[dropped], statuses[redone], statuses[again]) == ("undone", "effective", "undone")


def test_rewinding_and_playing_on(store: Store, ledger: Ledger, game: str) -> None:
    do(ledger, game, ANA, "roll_dice", dice=[1, 2])
    do(ledger, game, ANA, "buy_property", title="black_arretxea")
    do(ledger, game, ANA, "end_turn")
    correct(ledger, game, Rewind(7))
    do(ledger, game, ANA, "roll_dice", dice=[2, 4])
    do(ledger, game, ANA, "buy_property", title="17_rue_des_patates")
    for reading in (ledger, a_ledger(store)):
        held = reading.moment(game).newest.holdings.account("player:ana")
        assert "title:17_rue_des_patates" in held
        assert "title:black_arretxea" not in held


def test_what_was_inserted_is_taken_out_and_put_back(store: Store, ledger: Ledger, game: str) -> None:
    given = give(ledger, game, ANA, 10)
    missing = NewAction(kind="transfer_money", params={"to": "bob", "amount": 500}, seat="ana")
    inserted = correct(ledger, game, Insert(given, missing)).entry.number
    assert money(ledger.moment(game).newest)[0] == 1140
    out = correct(ledger, game, Drop(inserted)).entry.number
    assert money(ledger.moment(game).newest)[0] == 1640
    correct(ledger, game, Drop(out))
    for reading in (ledger, a_ledger(store)):
        assert money(reading.moment(game).newest)[0] == 1140
        assert money(reading.moment(game, at=given).state)[0] == 1140
        assert money(reading.moment(game, at=given, known_at=out).state)[0] == 1640


def test_a_repeated_correction_is_made_once(store: Store, ledger: Ledger, game: str) -> None:
    given = give(ledger, game, ANA, 10)
    first = correct(ledger, game, Drop(given), key="k")
    # Now a new request would be refused: the gift is undone already.
    with pytest.raises(Impossible):
        correct(ledger, game, Drop(given))
    again = correct(a_ledger(store), game, Drop(given), key="k")
    assert again.replayed
    assert again.entry == first.entry
    assert store.journal.head(game) == first.version
    with pytest.raises(KeyUsed):
        correct(ledger, game, Drop(first.version), key="k")


def test_an_undo_of_the_last_action_is_of_the_last_one_there_is(store: Store, ledger: Ledger, game: str) -> None:
    """An action that another process appended meanwhile is taken into account."""
    give(ledger, game, ANA, 10)
    last = give(a_ledger(store), game, ANA, 20)
    asked = Undo(way="undo", reason="a slip")
    done = ledger.correcting.take_back(game, BANKER, asked)
    assert done.entry.params["edits"] == [{"op": "drop", "action": last}]
    with pytest.raises(StaleVersion):
        ledger.correcting.take_back(game, BANKER, asked, expected=last)
    with pytest.raises(NotYours):
        ledger.correcting.take_back(game, ANA, asked)


def test_an_undo_finds_its_action_however_far_back(ledger: Ledger, game: str) -> None:
    """Sixty disputes have been opened and withdrawn since the last move."""
    given = give(ledger, game, ANA, 10)
    for number in range(60):
        opened = do(ledger, game, BOB, "open_dispute", claim=f"Claim {number}")
        do(ledger, game, BOB, "withdraw_dispute", dispute=str(opened.entry.number))
    done = ledger.correcting.take_back(game, BANKER, Undo(way="undo", reason="a slip"), dry_run=True)
    assert done.preview is not None
    assert [one.number for one in done.preview.undone] == [given]


def test_a_preview_writes_nothing_and_gives_what_is_then_done(store: Store, ledger: Ledger, game: str) -> None:
    first = give(ledger, game, ANA, 1650)
    give(ledger, game, BOB, 3000)
    head = store.journal.head(game)
    seen = ledger.preview(game, BANKER, correction(RULEBOOK, [Drop(first)], "a slip", "restate"))
    assert store.journal.head(game) == head
    assert seen.preview is not None
    assert seen.preview.counts.voided == 1
    done = correct(ledger, game, Drop(first), cascade="restate")
    assert done.entry.events == seen.entry.events
    after = {seat: seen.preview.holdings[f"player:{seat}"]["NGD"].after for seat in ("ana", "bob")}
    assert (after["ana"], after["bob"]) == money(ledger.moment(game).newest)


def test_an_early_action_of_a_long_game_is_corrected(store: Store, ledger: Ledger, game: str) -> None:
    """Action 10 of 1,200: the preview is what the correction does, and what a cold start then reads."""
    while store.journal.head(game) < 1200:
        give(ledger, game, ANA if store.journal.head(game) % 2 else BOB, 1 + store.journal.head(game) % 7)
    now = money(ledger.moment(game).newest)
    edits = [Replace(10, {"to": "bob", "amount": 500})]
    seen = ledger.preview(game, BANKER, correction(RULEBOOK, edits, "a slip", "restate")).preview
    assert seen is not None
    assert [one.number for one in seen.restated] == [10]
    assert (seen.counts.unchanged, seen.counts.voided) == (1190, 0)
    assert store.journal.head(game) == 1200
    original = read_entry(ledger.moment(game), 10)
    assert original is not None
    more = 500 - original.params["amount"]
    assert seen.holdings["player:ana"]["NGD"].before == now[0]
    assert seen.holdings["player:ana"]["NGD"].after == now[0] - more
    correct(ledger, game, *edits, cascade="restate")
    expected = frozen(ledger, game)
    assert money(ledger.moment(game).newest) == (now[0] - more, now[1] + more)
    assert frozen(a_ledger(store), game) == expected
    drop_snapshots(store, game)
    assert frozen(a_ledger(store), game) == expected
    assert money(a_ledger(store).moment(game, known_at=1200).state) == now


def test_a_ruling_is_previewed_whole_and_taken_back_and_forth(store: Store, ledger: Ledger, game: str) -> None:
    """Ana gave Bob 1640 ₦ and Bob gave 1700 ₦ back; the ruling drops Ana's gift and fines Bob 10 ₦.

    Without the gift, Bob's 1650 ₦ were not enough to give 1700 ₦: he ends with 1640 ₦ after the fine. The preview
    counts the fine as well as the correction, also before the banker has chosen a cascade.
    """
    gift = give(ledger, game, ANA, 1640)
    give(ledger, game, BOB, 1700)
    before = (1710, 1590)
    after = (1650, 1640)
    assert money(ledger.moment(game).newest) == before

    def ruling(cascade: str) -> Command:
        edits = [{"op": "drop", "action": gift}]
        remedies = [
            {"op": "correct", "edits": edits, "cascade": cascade},
            {"op": "fine", "seat": "bob", "amount": 10},
        ]
        return Command(kind="rule", params={"finding": "Never given.", "remedies": remedies})

    shown = ledger.preview(game, BANKER, ruling("restate")).preview
    assert shown is not None
    assert shown.holdings["player:bob"]["NGD"].after == 1640
    with pytest.raises(CorrectionSpreads) as spreads:
        ledger.perform(game, BANKER, ruling("refuse"))
    assert money(spreads.value.plan.new_state) == after
    ruled = ledger.perform(game, BANKER, ruling("restate")).entry.number
    assert money(ledger.moment(game).newest) == after
    undone = ledger.correcting.take_back(
        game, BANKER, Undo(way="undo", action=ruled, reason="overturned", cascade="restate")
    )
    assert money(ledger.moment(game).newest) == before
    redone = ledger.correcting.take_back(
        game, BANKER, Undo(way="redo", reason="it stands after all", cascade="restate")
    )
    assert money(ledger.moment(game).newest) == after
    assert redone.entry.params["edits"] == [{"op": "drop", "action": undone.entry.number}]


def test_undoing_what_has_not_happened_is_refused_and_no_damage(ledger: Ledger) -> None:
    game = started(ledger, "ana", "bob")
    beyond = ledger.moment(game).newest.version + 1
    for way in ("undo", "redo"):
        with pytest.raises(Refusal, match=str(beyond)):
            ledger.correcting.take_back(game, BANKER, Undo(way=way, action=beyond, reason="slip"))


def test_a_step_inserted_before_the_first_edit_changes_the_state_there(store: Store) -> None:
    """Bob's stop was dropped, and nothing else changed. The next correction, of his `end_turn`, resolves the stop
    right before it: a ledger that remembers the state there does not go on from what it remembers."""
    first, other = a_ledger(store), a_ledger(store)
    game = started(first, "ana", "bob")
    do(first, game, ANA, "roll_dice", dice=[1, 2])
    do(first, game, ANA, "resolve_square")
    do(first, game, ANA, "buy_property")
    do(first, game, ANA, "end_turn")
    do(first, game, BOB, "roll_dice", dice=[1, 2])  # He stops where Ana has bought.
    stop = do(first, game, BOB, "resolve_square").version
    end = do(first, game, BOB, "end_turn").version
    owed = first.moment(game).newest.holdings.of("player:bob", "NGD")

    def corrects(edits: list[dict[str, Any]], cascade: Cascade) -> None:
        do(first, game, BANKER, "correct", edits=edits, cascade=cascade, reason="misread")

    corrects([{"op": "drop", "action": stop}], "keep")
    forgiven = other.moment(game, at=end - 1).state.holdings.of("player:bob", "NGD")
    assert forgiven > owed
    corrects([{"op": "replace", "action": end, "params": {}}], "restate")
    for ledger in (first, other, a_ledger(store)):
        assert ledger.moment(game, at=end - 1).state.holdings.of("player:bob", "NGD") == owed
        assert ledger.moment(game).newest.holdings.of("player:bob", "NGD") == owed
