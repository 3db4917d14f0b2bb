"""A journal that was changed behind the service's back: noticed on opening, on reading, and on the next action."""

from __future__ import annotations

import logging

import pytest
from flask.testing import FlaskClient

from api.rest.application import Config, create_app
from ledger.kernel.facts.audience import BANKER
from ledger.reading.entries.journal import page_of_journal, read_entry
from ledger.reading.history.precedents import rulings
from ledger.reading.table.glances import glances
from ledger.service import Command, Ledger
from ledger.store.database.errors import JournalDamaged
from ledger.store.records import Selection
from ledger.store.store import Store
from tests.tables.ledgers import ANA, a_ledger, do, started
from tests.trust.tampering import Owner


def money(ledger: Ledger, game: str, seat: str) -> int:
    return ledger.moment(game).state.holdings.of(f"player:{seat}", "NGD")


def pays(ledger: Ledger, game: str, amount: int) -> int:
    return do(ledger, game, ANA, "transfer_money", to="bob", amount=amount).version


# Changed rows


def test_a_changed_event_changes_no_balance(ledger: Ledger, store: Store, game: str, owner: Owner) -> None:
    """The table of events is an index for searches: what it says is not what is folded."""
    before = money(ledger, game, "ana")
    owner.rewrite_events(game, 7, "150", "999")
    assert money(a_ledger(store), game, "ana") == before


def test_a_changed_entry_is_noticed_when_the_game_is_opened(store: Store, game: str, owner: Owner) -> None:
    owner.rewrite_entry(game, 7, b"150", b"999")
    with pytest.raises(JournalDamaged, match="action 7: its bytes do not have the hash") as noticed:
        a_ledger(store).moment(game)
    assert (noticed.value.game_id, noticed.value.number) == (game, 7)


def test_an_entry_and_its_events_changed_alike_are_noticed_as_well(store: Store, game: str, owner: Owner) -> None:
    owner.rewrite_entry(game, 7, b"150", b"999")
    owner.rewrite_events(game, 7, "150", "999")
    with pytest.raises(JournalDamaged, match="action 7"):
        a_ledger(store).moment(game)


def test_a_changed_entry_is_noticed_when_a_running_service_reads_it(
    ledger: Ledger, game: str, owner: Owner
) -> None:
    for amount in (1, 2, 3):  # The newest states are in memory, and are not read.
        pays(ledger, game, amount)
    before = money(ledger, game, "ana")
    owner.rewrite_entry(game, 7, b"150", b"999")
    assert money(ledger, game, "ana") == before
    moment = ledger.moment(game)
    with pytest.raises(JournalDamaged, match="action 7"):
        read_entry(moment, 7)
    with pytest.raises(JournalDamaged, match="action 7"):
        page_of_journal(moment)
    with pytest.raises(JournalDamaged, match="action 7"):
        moment.store.journal.entries(game, Selection(account="player:bob"))
    for amount in range(1, 5):
        pays(ledger, game, amount)
    # The newest states were right when they were folded, and are in memory. An older one is folded again.
    with pytest.raises(JournalDamaged, match="action 7"):
        _ = ledger.moment(game, at=8).state
    with pytest.raises(JournalDamaged, match="action 7"):
        list(moment.store.copies.stretches(game, start=0, upto=9, batch=2))


def test_a_last_entry_that_was_changed_and_hashed_again_is_noticed_by_a_running_service(
    ledger: Ledger, game: str, owner: Owner
) -> None:
    owner.rewrite_entry(game, 9, b'"amount":30', b'"amount":31', hashed=True)
    with pytest.raises(JournalDamaged, match="action 9: it is not the entry that was here before"):
        ledger.moment(game)
    with pytest.raises(JournalDamaged, match="action 9"):
        pays(ledger, game, 1)
    assert ledger.store.journal.head(game) == 9


def test_an_entry_that_would_spend_what_is_not_there_is_never_folded(
    store: Store, game: str, owner: Owner
) -> None:
    owner.rewrite_entry(game, 7, b"150", b"-99", hashed=True)
    with pytest.raises(JournalDamaged, match="action 7: it cannot have happened"):
        a_ledger(store).moment(game)


# Missing, moved and foreign rows


@pytest.mark.parametrize("number", [1, 5, 8])
def test_a_missing_entry_is_noticed_when_the_game_is_opened(
    store: Store, game: str, owner: Owner, number: int
) -> None:
    owner.delete(game, [number])
    with pytest.raises(JournalDamaged, match=f"action {number}: it is missing"):
        a_ledger(store).moment(game)


def test_a_missing_entry_is_noticed_when_a_running_service_reads_past_it(
    ledger: Ledger, game: str, owner: Owner
) -> None:
    owner.delete(game, [8])
    moment = ledger.moment(game)
    for newest_first in (False, True):
        with pytest.raises(JournalDamaged, match="action 8: it is missing"):
            page_of_journal(moment, newest_first=newest_first)
    with pytest.raises(JournalDamaged, match="action 8: it is missing"):
        read_entry(moment, 8)
    with pytest.raises(JournalDamaged, match="action 8: it is missing"):
        list(moment.store.journal.runs(game, start=7))
    with pytest.raises(JournalDamaged, match="it is missing"):
        list(moment.store.copies.stretches(game, start=0, upto=9, batch=100))


def test_an_entry_that_is_missing_between_two_pages_is_noticed(ledger: Ledger, game: str, owner: Owner) -> None:
    """Each page by itself has no gap."""
    first, after = page_of_journal(ledger.moment(game), limit=7)
    last, before = page_of_journal(ledger.moment(game), limit=1, newest_first=True)
    assert (first[-1].number, last[0].number) == (7, 9)
    owner.delete(game, [8])
    for newest_first, reached in ((False, after), (True, before)):
        with pytest.raises(JournalDamaged, match="action 8: it is missing"):
            page_of_journal(ledger.moment(game), cursor=reached, newest_first=newest_first)


def test_two_entries_that_changed_places_are_noticed(
    ledger: Ledger, store: Store, game: str, owner: Owner
) -> None:
    owner.swap(game, 7, 8)
    with pytest.raises(JournalDamaged, match=f"action 7: it is action 8 of game {game}"):
        a_ledger(store).moment(game)
    with pytest.raises(JournalDamaged, match=f"action 8: it is action 7 of game {game}"):
        read_entry(ledger.moment(game), 8)


def test_an_entry_of_another_game_is_noticed(store: Store, game: str, owner: Owner) -> None:
    other = f"{game}-2"
    owner.rewrite_entry(game, 7, game.encode(), other.encode(), hashed=True)
    with pytest.raises(JournalDamaged, match=f"action 7: it is action 7 of game {other}"):
        a_ledger(store).moment(game)


def test_events_that_do_not_go_on_from_those_before_are_noticed(store: Store, game: str, owner: Owner) -> None:
    owner.rewrite_entry(game, 8, b'"first_seq":', b'"first_seq":1', hashed=True)
    with pytest.raises(JournalDamaged, match="action 8: its first event is"):
        a_ledger(store).moment(game)


# The end of the journal


def test_a_journal_cut_at_its_end_is_noticed_by_a_running_service(ledger: Ledger, game: str, owner: Owner) -> None:
    owner.delete(game, [8, 9])
    for _ in range(2):
        with pytest.raises(JournalDamaged, match="action 8: it is missing, with all up to action 9"):
            ledger.moment(game)
        with pytest.raises(JournalDamaged, match="action 8: it is missing"):
            pays(ledger, game, 1)
    assert ledger.store.journal.head(game) == 7


@pytest.mark.parametrize("grown", [1, 2, 3, 7])
def test_a_journal_cut_and_grown_again_is_noticed_by_a_running_service(
    ledger: Ledger, store: Store, game: str, owner: Owner, grown: int
) -> None:
    """Another process goes on from the cut: with fewer, as many and more actions than there were."""
    owner.delete(game, [8, 9])
    elsewhere = a_ledger(store)
    for amount in range(1, grown + 1):
        pays(elsewhere, game, amount)
    with pytest.raises(JournalDamaged, match="action 9"):
        pays(ledger, game, 1)
    with pytest.raises(JournalDamaged, match="action 9"):
        ledger.moment(game)
    assert ledger.store.journal.head(game) == 7 + grown


def test_what_another_process_appends_to_a_whole_journal_is_no_damage(
    ledger: Ledger, store: Store, game: str
) -> None:
    elsewhere = a_ledger(store)
    assert [pays(elsewhere, game, 1), pays(ledger, game, 2), pays(elsewhere, game, 3)] == [10, 11, 12]
    assert money(ledger, game, "bob") == money(elsewhere, game, "bob")


def test_a_snapshot_that_is_ahead_of_the_journal_is_noticed(store: Store, game: str, owner: Owner) -> None:
    opened = a_ledger(store).games.open(game)
    opened.history.save(opened.state)
    owner.delete(game, [9])
    with pytest.raises(JournalDamaged, match="action 9: it is missing"):
        a_ledger(store).moment(game)


# Beside others


def test_a_damaged_game_hides_nothing_of_the_others(
    ledger: Ledger, store: Store, game: str, owner: Owner, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither in the list of games nor in the search for precedents, and the log says which one is left out."""
    whole = started(ledger, "ana", "bob")
    for one in (game, whole):
        ledger.perform(one, BANKER, Command(kind="rule", params={"finding": "Paid.", "remedies": []}))
    owner.rewrite_entry(game, 7, b"150", b"999")
    fresh = a_ledger(store)
    with caplog.at_level(logging.ERROR):
        found, _ = rulings(fresh.games, {}, "all", words=["Paid"])
        records = [one for one in store.games.newest(cursor=None, limit=100) if one.game_id in {game, whole}]
        listed = [record.game_id for record, _, _ in glances(fresh.games, fresh.clock, records)]
    assert [one.game for one in found if one.game in {game, whole}] == [whole]
    assert listed == [whole]
    assert f"the ruling of game {game} at action 10 cannot be read: JournalDamaged" in caplog.text
    assert f"game {game} cannot be read and is not listed: JournalDamaged" in caplog.text


# Over HTTP


@pytest.fixture
def client(ledger: Ledger) -> FlaskClient:
    return create_app(ledger, Config()).test_client()


@pytest.mark.parametrize(("language", "said"), [("en", "damaged at action 8"), ("fr", "endommagé à l'action 8")])
def test_the_answer_is_a_problem_of_its_own_and_the_log_names_the_action(
    client: FlaskClient,
    ledger: Ledger,
    game: str,
    owner: Owner,
    caplog: pytest.LogCaptureFixture,
    language: str,
    said: str,
) -> None:
    banker = next(one for one in ledger.tokens.issued(game) if one.role == "banker")
    replaced = ledger.tokens.replace(game, banker.credential_id)
    assert replaced is not None
    owner.delete(game, [8, 9])
    headers = {"Authorization": f"Bearer {replaced.token}", "Accept-Language": language}
    with caplog.at_level(logging.ERROR):
        answer = client.get(f"/api/v1/games/{game}", headers=headers)
    assert (answer.status_code, answer.json["action"]) == (500, 8)
    assert answer.json["type"].endswith("/problems/journal-damaged")
    assert said in answer.json["detail"]
    assert f"game {game}, action 8" in caplog.text
    assert client.get("/problems/journal-damaged").status_code == 200
