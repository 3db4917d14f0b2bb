"""The canonical bytes of an entry and their hash. They must never change, or receipts become invalid."""

import hashlib
from datetime import UTC, datetime

import msgspec
import pytest

from ledger.kernel.facts.refusals import RuleNote
from ledger.kernel.journal.entry import Entry, body, canonical, read
from ledger.kernel.journal.stored import leaf
from tests.kernel.toy import BuyBeans, Game, Hide

ENTRY = Entry(
    game="tôi",
    number=2,
    kind="buy_beans",
    seat="ana",
    by="banker",
    params=msgspec.Raw(b'{"of":"bank","quantity":4}'),
    draws={"second": [2], "die": [6, "ace"]},
    recorded_at=datetime(2026, 1, 1, 12, 0, 0, 120000, tzinfo=UTC),
    override="her birthday",
    warnings=(RuleNote("2.1", "4 beans are too many", "4 haricots, c'est trop"),),
    events=(msgspec.Raw(b'{"kind":"thrown"}'), msgspec.Raw(b'{"kind":"ended"}')),
    first_seq=2,
    salt="00ff",
)

CANONICAL = (
    '{"by":"banker","draws":{"die":[6,"ace"],"second":[2]},"events":[{"kind":"thrown"},{"kind":"ended"}],'
    '"first_seq":2,"game":"tôi","kind":"buy_beans","number":2,"override":"her birthday",'
    '"params":{"of":"bank","quantity":4},"recorded_at":"2026-01-01T12:00:00.120000Z","salt":"00ff","seat":"ana",'
    '"warnings":[{"en":"4 beans are too many","fr":"4 haricots, c\'est trop","rule":"2.1"}]}'
).encode()


def test_the_canonical_bytes_are_pinned() -> None:
    assert canonical(ENTRY) == CANONICAL


def test_an_entry_comes_back_from_its_bytes_and_gives_them_again() -> None:
    assert read(CANONICAL) == ENTRY
    assert canonical(read(CANONICAL)) == CANONICAL


@pytest.mark.parametrize(
    ("stored", "hashed"),
    [
        # Leaves 1, 2 and 3 of the test tree of RFC 9162's reference implementations.
        (b"", "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"),
        (b"\x00", "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7"),
        (b"\x10", "0298d122906dcfc10892cb53a73992fc5b9f493ea4c9badb27b791b4127a7fe7"),
    ],
)
def test_the_leaf_hash_is_that_of_rfc_9162(stored: bytes, hashed: str) -> None:
    assert leaf(stored).hex() == hashed


def test_the_leaf_of_an_entry_is_pinned() -> None:
    assert leaf(CANONICAL) == hashlib.sha256(b"\x00" + CANONICAL).digest()
    assert leaf(CANONICAL).hex() == "617756f90683298a392617b89a38d78f51201ac3df1ca09b8ccc6487ae7daea7"


def test_one_changed_letter_changes_the_leaf() -> None:
    assert leaf(CANONICAL.replace(b"birthday", b"Birthday")) != leaf(CANONICAL)


def test_a_body_has_sorted_keys_and_no_white_space() -> None:
    (event,) = Game().play("ana", BuyBeans(amount=1)).events
    assert body(event) == (
        b'{"kind":"beans_bought@3","postings":[["coin",2,"player:ana","bank"],["bean",1,"bank","player:ana"]],'
        b'"price":2,"quantity":1,"rule":"2.1","seat":"ana"}'
    )


def test_events_are_stored_verbatim() -> None:
    game = Game()
    game.play("ana", Hide(card="ace"))
    entry = read(canonical(game.journal[-1]))
    assert [bytes(stored) for stored in entry.events] == [bytes(stored) for stored in game.journal[-1].events]
