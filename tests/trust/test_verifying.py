"""`verify`: what is said of a journal that was changed, and that nothing is said of one that was not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from ledger.games.games import UnknownGame
from ledger.games.snapshots import fingerprint
from ledger.kernel.facts.audience import BANKER
from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.bots import BANKER as BANKERS_WAYS
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.service import Command, Ledger
from ledger.store.store import Store
from ledger.trust.verifying import verify
from replays.keeping import keep
from replays.simulation import Series, game_of
from tests.golden import RULEBOOKS
from tests.tables.ledgers import ANA, a_ledger, do
from tests.trust.tampering import Owner

PLAYERS = [Seat("ana", "Ana"), Seat("bob", "Bob")]

Tampering = Callable[[Owner, str], None]


def found(ledger: Ledger, game: str, *, decide: bool = False) -> list[tuple[int, str]]:
    return [(one.number, one.what) for one in verify(ledger.games, game, decide=decide)]


def corrected(ledger: Ledger, game: str) -> None:
    """Actions 10 to 130 are payments of 1. Action 131 drops Ana's payment of 150, and action 132 Bob's of 20."""
    for _ in range(121):
        do(ledger, game, ANA, "transfer_money", to="bob", amount=1)
    for number in (7, 8):
        edits = [{"op": "drop", "action": number}]
        params: dict[str, Any] = {"edits": edits, "cascade": "restate", "reason": "never paid"}
        ledger.perform(game, BANKER, Command(kind="correct", params=params))
    # Reading the past leaves snapshots of it behind.
    assert ledger.moment(game, at=101).state.version == 101
    opened = ledger.games.open(game)
    opened.history.save(opened.state)


@pytest.mark.parametrize("decide", [False, True])
def test_nothing_is_found_in_a_journal_that_nobody_changed(
    ledger: Ledger, store: Store, game: str, decide: bool
) -> None:
    corrected(ledger, game)
    assert {form.removeprefix(fingerprint(RULEBOOK)) for _, form in store.rows.snapshots(game, "negopoly:")} >= {
        "",
        "+131",
    }
    assert found(a_ledger(store), game, decide=decide) == []


@pytest.mark.parametrize(
    ("rulebook", "seed"), [("negopoly", 45), ("negoces2", 43), ("negoces2", 44)], ids=lambda value: str(value)
)
def test_what_bots_play_is_decided_the_same_again(store: Store, rulebook: str, seed: int) -> None:
    """Also what they take back: bots may do no more than players."""
    book = RULEBOOKS[rulebook]
    strategies = tuple(name for name in book.simulation.strategies if name != BANKERS_WAYS)
    series = Series(
        rulebook=rulebook, games=1, players=4, seed=seed, strategies=strategies, tables="varied", actions=300
    )
    played = game_of(series, 0)
    ledger = Ledger(store, RULEBOOKS)
    keep(ledger, played)
    assert found(ledger, played.game.name, decide=True) == []


CHANGES: list[tuple[str, Tampering, int, str]] = [
    (
        "an entry",
        lambda owner, game: owner.rewrite_entry(game, 7, b"150", b"999"),
        7,
        "its bytes do not have the hash that was stored with them",
    ),
    (
        "the hash of an entry",
        lambda owner, game: owner.run(
            "UPDATE actions SET leaf = sha256(leaf) WHERE game_id = %s AND number = 9", game
        ),
        9,
        "its bytes do not have the hash that was stored with them",
    ),
    (
        "the body of an event",
        lambda owner, game: owner.rewrite_events(game, 7, "150", "999"),
        7,
        "the row of its event 10 differs from its entry in body",
    ),
    (
        "the rule of an event",
        lambda owner, game: owner.run("UPDATE events SET rule = 'I.A.1' WHERE game_id = %s AND number = 8", game),
        8,
        "the row of its event 11 differs from its entry in rule",
    ),
    (
        "what an event is searched by",
        lambda owner, game: owner.run(
            "UPDATE events SET accounts = '{bank}', commodities = '{}' WHERE game_id = %s AND number = 8", game
        ),
        8,
        "the row of its event 11 differs from its entry in accounts, commodities",
    ),
    (
        "an event that is missing",
        lambda owner, game: owner.run("DELETE FROM events WHERE game_id = %s AND number = 7", game),
        7,
        "the row of its event 10 is missing",
    ),
    (
        "an event too many",
        lambda owner, game: owner.run(
            "INSERT INTO events SELECT game_id, 99, 3, kind, version, rule, accounts, commodities, body"
            " FROM events WHERE game_id = %s AND number = 7",
            game,
        ),
        3,
        "the row of event 99 belongs to no entry",
    ),
    (
        "who acted, and when",
        lambda owner, game: owner.run(
            "UPDATE actions SET seat = 'bob', recorded_at = recorded_at + '1 s' WHERE game_id = %s AND number = 7",
            game,
        ),
        7,
        "its row differs from its entry in seat, recorded_at",
    ),
    (
        "a touch that is missing",
        lambda owner, game: owner.run(
            "DELETE FROM touches WHERE game_id = %s AND number = 7 AND account = 'player:bob'", game
        ),
        7,
        "its touch of player:bob is missing: statements leave it out",
    ),
    (
        "a touch too many",
        lambda owner, game: owner.run("INSERT INTO touches VALUES (%s, 'player:ana', 6)", game),
        6,
        "the table of touches says that it touches player:ana",
    ),
    (
        "a missing action",
        lambda owner, game: owner.delete(game, [8]),
        8,
        "it is missing before action 9",
    ),
    (
        "two actions that changed places",
        lambda owner, game: owner.swap(game, 7, 8),
        7,
        "it is numbered 8",
    ),
    (
        "an entry of another game",
        lambda owner, game: owner.rewrite_entry(game, 7, game.encode(), b"another", hashed=True),
        7,
        "it belongs to game another, not to {game}",
    ),
    (
        "an entry that is none",
        lambda owner, game: owner.rewrite_entry(game, 7, b'"kind":', b'"kind"', hashed=True),
        7,
        "it cannot be read: ",
    ),
    (
        "an unknown rule",
        lambda owner, game: owner.rewrite_entry(game, 7, b'"rule":"', b'"rule":"no.', hashed=True),
        7,
        "it cites rule 'no.",
    ),
    (
        "a posting that moves nothing",
        lambda owner, game: owner.rewrite_entry(game, 7, b"150", b"0", hashed=True),
        7,
        "it cannot have happened: a posting of 0",
    ),
    (
        "time that goes back",
        lambda owner, game: owner.rewrite_entry(game, 9, b'"recorded_at":"2', b'"recorded_at":"1', hashed=True),
        9,
        "it was recorded before the action in front of it",
    ),
]


@pytest.mark.parametrize(
    ("tamper", "number", "what"), [one[1:] for one in CHANGES], ids=[one[0] for one in CHANGES]
)
def test_a_changed_row_is_found_and_named(
    store: Store, game: str, owner: Owner, tamper: Tampering, number: int, what: str
) -> None:
    tamper(owner, game)
    said = [text for at, text in found(a_ledger(store), game) if at == number]
    assert any(text.startswith(what.format(game=game)) for text in said), said


def test_an_end_that_was_cut_off_is_found_by_its_snapshot(
    ledger: Ledger, store: Store, game: str, owner: Owner
) -> None:
    opened = ledger.games.open(game)
    opened.history.save(opened.state)
    owner.delete(game, [9])
    assert (9, "there is a snapshot of it, and no action: the end of the journal is missing") in found(
        a_ledger(store), game
    )


def test_what_is_left_of_an_end_that_was_cut_off_is_found(store: Store, game: str, owner: Owner) -> None:
    """Also when nothing is left of the actions."""
    for first in (9, 1):
        owner.run("DELETE FROM actions WHERE game_id = %s AND number >= %s", game, first)
        assert {
            (9, "the row of event 12 belongs to no entry"),
            (9, "the table of touches says that it touches player:ana"),
        } <= set(found(a_ledger(store), game))


def test_a_game_that_has_not_begun_has_no_findings(ledger: Ledger, store: Store) -> None:
    """The service was killed after it created the game."""
    created = store.games.get(
        ledger.create("negopoly", title="T", players=PLAYERS, settings={}, dice="table").game
    )
    assert created is not None
    fresh = replace(created, game_id=f"{created.game_id}-2")
    assert store.games.create(fresh, [])
    assert found(ledger, fresh.game_id, decide=True) == []


def test_a_game_of_an_unknown_rulebook_cannot_be_verified(ledger: Ledger, store: Store, game: str) -> None:
    [finding] = verify(Ledger(store, {}).games, game)
    assert str(finding) == f"game {game}: its rulebook 'negopoly' is not known here: its journal was not read"
    with pytest.raises(UnknownGame):
        list(verify(ledger.games, "nowhere"))


def test_a_changed_snapshot_is_found(ledger: Ledger, store: Store, game: str, owner: Owner) -> None:
    """A plain one, and one of the past as a correction changed it."""
    corrected(ledger, game)
    owner.run(
        "UPDATE snapshots SET body = convert_to(replace(convert_from(body, 'UTF8'), 'NGD', 'NGX'), 'UTF8')"
        " WHERE game_id = %s",
        game,
    )
    numbers = {number for number, _ in store.rows.snapshots(game, "negopoly:")}
    said = "the snapshot of the state after it is not what a fresh fold gives"
    assert set(found(a_ledger(store), game)) == {(number, said) for number in numbers}


def test_a_forged_entry_is_found_when_it_is_decided_again(store: Store, game: str, owner: Owner) -> None:
    """150 was asked for, and 999 moved: the entry, its hash and its event agree with one another."""
    for old, new in ((b'["NGD",150,', b'["NGD",999,'), (b'"amount":150,"kind"', b'"amount":999,"kind"')):
        owner.rewrite_entry(game, 7, old, new, hashed=True)
    owner.rewrite_events(game, 7, "150", "999")
    assert found(a_ledger(store), game) == []
    [(number, what)] = found(a_ledger(store), game, decide=True)
    assert number == 7
    assert what.startswith("decided again, event 10 comes out otherwise: money_transferred: ")
    assert "999" in what
    assert "150" in what


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        (b'"seat":"ana"', b'"seat":"bob"', "the player ana could not have asked for it"),
        (b'"by":"ana"', b'"by":"bob"', "the player bob could not have asked for it"),
        (b'"by":"ana"', b'"by":"zoe"', "it was asked for by 'zoe', who has no seat"),
        (b'"by":"ana"', b'"by":"system"', "the service never does transfer_money by itself"),
        (b'"amount":30,"to"', b'"amount":99999,"to"', "decided again, it is refused: "),
        (b'"to":"bob"', b'"to":"zoe"', "decided again, it is refused: "),
    ],
)
def test_a_forged_request_is_found_when_it_is_decided_again(
    store: Store, game: str, owner: Owner, old: bytes, new: bytes, what: str
) -> None:
    owner.rewrite_entry(game, 9, old, new, hashed=True)
    said = [text for number, text in found(a_ledger(store), game, decide=True) if number == 9]
    assert any(text.startswith(what) for text in said), said


def test_an_entry_that_others_could_read_otherwise_is_found(store: Store, game: str, owner: Owner) -> None:
    """This program reads the last of two amounts, and another one may read the first."""
    owner.rewrite_entry(game, 7, b'{"amount":150,', b'{"amount":999,"amount":150,', hashed=True)
    said = found(a_ledger(store), game, decide=True)
    assert (7, "its bytes are not in the canonical form: others could read something else in them") in said


def test_a_correction_that_would_come_out_otherwise_is_found(
    ledger: Ledger, store: Store, game: str, owner: Owner
) -> None:
    corrected(ledger, game)
    owner.rewrite_entry(game, 131, b'"status":"undone"', b'"status":"effective"', hashed=True)
    said = [what for number, what in found(a_ledger(store), game, decide=True) if number == 131]
    assert any(what.startswith("decided again, event ") for what in said)


def test_what_is_appended_meanwhile_is_left_out(ledger: Ledger, game: str) -> None:
    """The service goes on serving while its games are verified."""
    verification = verify(ledger.games, game)
    store = ledger.games.store
    head = store.journal.head

    def head_then_append(game_id: str) -> int:
        before = head(game_id)
        store.journal.head = head  # type: ignore[method-assign]
        for _ in range(3):
            do(ledger, game, ANA, "transfer_money", to="bob", amount=1)
        return before

    store.journal.head = head_then_append  # type: ignore[method-assign]
    assert list(verification) == []
    assert store.journal.head(game) == 12
