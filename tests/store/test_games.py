"""Games and their credentials."""

import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from ledger.store.database.connection import connect
from ledger.store.database.errors import RecordRefused
from ledger.store.records import GameRecord
from ledger.store.store import Store
from tests.store.journals import NOON, credential, game


class TestGames:
    def test_a_game_comes_back_as_it_was_created(self, store: Store):
        game_id = secrets.token_hex(6)
        sealed = GameRecord(game_id, "negopoly", "Ünïcode ₦", NOON, bytes(range(256)), b"hash", b"\0sealed\xff")
        assert store.games.create(sealed, []) is True
        assert store.games.get(game_id) == sealed

    def test_a_game_that_exists_is_left_alone(self, store: Store, table: str):
        other = [credential(table, "c", b"hash")]
        assert store.games.create(game(table, minutes=9), other) is False
        assert store.games.get(table) == game(table)
        assert store.games.credentials(table) == []

    def test_a_game_and_its_credentials_are_written_together_or_not_at_all(self, store: Store):
        game_id = secrets.token_hex(6)
        twice = [credential(game_id, "c1", b"hash"), credential(game_id, "c2", b"hash")]
        with pytest.raises(RecordRefused):
            store.games.create(game(game_id), twice)
        assert store.games.get(game_id) is None
        assert store.games.credentials(game_id) == []

    def test_of_eight_creations_at_once_one_is_made(self, store: Store):
        game_id = secrets.token_hex(6)
        with ThreadPoolExecutor(8) as threads:
            made = list(
                threads.map(
                    lambda n: store.games.create(game(game_id), [credential(game_id, f"c{n}", b"%d" % n)]),
                    range(8),
                )
            )
        assert made.count(True) == 1
        assert [one.credential_id for one in store.games.credentials(game_id)] == [f"c{made.index(True)}"]

    @pytest.mark.parametrize("game_id", ["nobody knows", "", "nul \0", "lone \ud800"])
    def test_there_is_no_other_game(self, store: Store, game_id: str):
        assert store.games.get(game_id) is None
        assert store.games.credential(game_id, b"hash") is None

    def test_games_are_listed_newest_first_a_page_at_a_time(self, new_database: Callable[..., str]):
        engine = connect(new_database())
        store = Store(engine)
        minutes = {"a": 1, "b": 3, "c": 2, "d": 2, "e": 0}
        for game_id, minute in minutes.items():
            store.games.create(game(game_id, minutes=minute), [])
        listed = []
        after = None
        while page := store.games.newest(cursor=after, limit=2):
            listed += page
            after = (page[-1].created_at, page[-1].game_id)
        engine.dispose()
        assert [one.game_id for one in listed] == ["b", "d", "c", "a", "e"]
        assert listed[0] == game("b", minutes=3)


class TestCredentials:
    @pytest.fixture
    def seats(self, store: Store) -> str:
        """A game with a credential for ana and one for ben."""
        game_id = secrets.token_hex(6)
        first = [
            credential(game_id, "c1", b"ana's", seat="ana"),
            credential(game_id, "c2", b"ben's", seat="ben"),
        ]
        assert store.games.create(game(game_id), first)
        return game_id

    def test_a_token_is_known_in_its_own_game_only(self, store: Store, seats: str, table: str):
        assert store.games.credential(seats, b"ana's") == credential(seats, "c1", b"ana's", seat="ana")
        assert store.games.credential(seats, b"cleo's") is None
        assert store.games.credential(table, b"ana's") is None

    def test_a_revoked_credential_opens_nothing_and_stays_on_record(self, store: Store, seats: str):
        later = NOON + timedelta(hours=1)
        assert store.games.revoke_credential(seats, "c1", later) is True
        assert store.games.revoke_credential(seats, "c1", later + timedelta(hours=1)) is False
        assert store.games.revoke_credential(seats, "c9", later) is False

        assert store.games.credential(seats, b"ana's") is None
        assert store.games.credential(seats, b"ben's") is not None
        assert [(one.credential_id, one.revoked_at) for one in store.games.credentials(seats)] == [
            ("c1", later),
            ("c2", None),
        ]

    def test_replacing_revokes_the_old_and_writes_the_new(self, store: Store, seats: str):
        assert store.games.replace_credential("c1", credential(seats, "c3", b"ana's new")) is True
        assert store.games.credential(seats, b"ana's") is None
        assert store.games.credential(seats, b"ana's new") == credential(seats, "c3", b"ana's new")
        assert [one.revoked_at for one in store.games.credentials(seats)] == [NOON, None, None]

    def test_only_a_valid_credential_is_replaced(self, store: Store, seats: str):
        store.games.revoke_credential(seats, "c1", NOON)
        for old in ("c1", "c9"):
            assert store.games.replace_credential(old, credential(seats, "c3", b"new")) is False
        assert store.games.credential(seats, b"new") is None

    def test_a_replacement_that_cannot_be_written_revokes_nothing(self, store: Store, seats: str):
        with pytest.raises(RecordRefused):
            store.games.replace_credential("c1", credential(seats, "c3", b"ben's"))
        assert store.games.credential(seats, b"ana's") is not None

    def test_a_replacement_under_an_id_that_is_taken_replaces_nothing(self, store: Store, seats: str):
        """The primary key decides which of two requests with one key came first."""
        assert store.games.replace_credential("c1", credential(seats, "from-the-key", b"new")) is True
        again = credential(seats, "from-the-key", b"newer", seat="ben")
        assert store.games.replace_credential("c2", again) is False
        assert store.games.credential(seats, b"ben's") == credential(seats, "c2", b"ben's", seat="ben")
        assert store.games.credential(seats, b"new") == credential(seats, "from-the-key", b"new")
        assert store.games.credential(seats, b"newer") is None
