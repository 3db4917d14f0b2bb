"""The service commits to a seed before the first throw, and opens it at the end; everybody can throw again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from ledger.kernel.dice.deriving import SERVICE, Derived, Throws, key_of
from ledger.kernel.dice.seeds import commitment
from ledger.kernel.facts.audience import BANKER
from ledger.kernel.journal.entry import Chances, Entry, read
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Command, Ledger
from ledger.store.store import Store
from ledger.trust.dice import check_dice
from tests.tables.ledgers import started
from tests.tables.negopoly import NO_DECKS

KEY = key_of({"ana": b"1", "bob": b"2", SERVICE: b"3"})


# Deriving -------------------------------------------------------------------------------------------


def test_known_answers() -> None:
    """The derivation is written down to the byte: these numbers never change."""
    assert KEY.hex() == "fa49dfbe85403afd234ac6569f0647e9a578c063f7344525356ca85d7c649804"
    source = Derived(KEY, "abc", 57)
    assert [source.randint(1, 6) for _ in range(12)] == [5, 1, 3, 1, 6, 5, 2, 1, 5, 5, 5, 2]
    assert Derived(KEY, "abc", 57).randint(0, 10**18) == 227393241128023862
    cards = [*"abcdefgh"]
    Derived(KEY, "abc", 58).shuffle(cards)
    assert "".join(cards) == "dgfbehac"


def test_whose_value_it_is_changes_the_key() -> None:
    """Nothing can be moved from one name or value to the next."""
    keys = [
        key_of({"a": b"bc"}),
        key_of({"ab": b"c"}),
        key_of({"a": b"b", "c": b""}),
        key_of({"a": b"", "bc": b""}),
        key_of({}),
    ]
    assert len({*keys}) == len(keys)
    assert key_of({"a": b"1", "b": b"2"}) == key_of({"b": b"2", "a": b"1"})


def test_each_action_has_a_stream_of_its_own() -> None:
    streams = [
        tuple(Derived(key, game, number).randint(1, 10**9) for _ in range(1))
        for key in (KEY, bytes(32))
        for game in ("abc", "abd")
        for number in (1, 2, 256)
    ]
    assert len({*streams}) == len(streams)


@pytest.mark.parametrize("sides", [2, 6, 9, 20])
def test_every_face_is_as_likely(sides: int) -> None:
    """Pearson's chi-square over 250,000 throws (a million for four kinds of dice), at 1 in 10,000."""
    thrown = Counter(face for number in range(2500) for face in hundred(number, sides))
    expected = 250_000 / sides
    statistic = sum((thrown[face] - expected) ** 2 / expected for face in range(1, sides + 1))
    assert sum(thrown.values()) == 250_000
    assert statistic < {2: 15.14, 6: 25.74, 9: 31.83, 20: 50.80}[sides]


def hundred(number: int, sides: int) -> Iterator[int]:
    source = Derived(KEY, "abc", number)
    return (source.randint(1, sides) for _ in range(100))


def test_before_a_commitment_chance_throws() -> None:
    throws = Throws({4: KEY}, "abc", Random(1))
    assert throws.at(4, "ana").randint(1, 10**9) == Random(1).randint(1, 10**9)
    assert throws.at(5, "ana").randint(1, 10**9) == Derived(KEY, "abc", 5).randint(1, 10**9)
    with pytest.raises(TypeError):
        throws.randint(1, 6)


# A game in which the service throws -----------------------------------------------------------------


def entries_of(store: Store, game: str) -> list[Entry]:
    return [read(stored) for run in store.journal.runs(game) for _, stored, _ in run]


@pytest.fixture
def ledger(store: Store) -> Ledger:
    return Ledger(store, rulebooks_by_id())


def do(ledger: Ledger, game: str, seat: str | None, kind: str, **params: object) -> None:
    """The banker acts, after the default steps that the action needs."""
    command = Command(kind=kind, params=params, seat=seat)
    ledger.perform(game, BANKER, command, settle=kind == "end_turn")


def turn(ledger: Ledger, game: str, seat: str) -> None:
    do(ledger, game, seat, "roll_dice")
    do(ledger, game, seat, "end_turn")


@pytest.fixture
def game(ledger: Ledger) -> str:
    """Ana and Bob have had three turns each; the service throws."""
    game = started(ledger, "ana", "bob", dice="service")
    for _ in range(3):
        for seat in ("ana", "bob"):
            turn(ledger, game, seat)
    return game


def end(ledger: Ledger, game: str) -> None:
    """The banker ends the game with the round that has begun."""
    do(ledger, game, None, "end_game", reason="it is late")
    for seat in ("ana", "bob"):
        turn(ledger, game, seat)
    assert ledger.moment(game).newest.ended


def test_the_seed_is_committed_to_first_and_told_to_nobody_before_the_end(
    store: Store, ledger: Ledger, game: str
) -> None:
    first, *later = entries_of(store, game)
    assert first.chance is not UNSET
    assert first.chance.commits is not None
    assert all(entry.chance is UNSET for entry in later)
    checked = check_dice(rulebooks_by_id()["negopoly"], entries_of(store, game))
    assert (checked.checked, checked.wrong) == (0, ())
    assert checked.waiting >= 6


def test_at_the_end_every_throw_is_checked(store: Store, ledger: Ledger, game: str) -> None:
    end(ledger, game)
    entries = entries_of(store, game)
    first, last = entries[0].chance, entries[-1].chance
    assert first is not UNSET
    assert last is not UNSET
    assert last.opens is not None
    assert commitment(game, bytes.fromhex(last.opens)) == first.commits
    checked = check_dice(rulebooks_by_id()["negopoly"], entries)
    assert (checked.waiting, checked.wrong) == (0, ())
    assert checked.checked >= 8


def test_an_end_that_keeps_secrets_keeps_the_seed(store: Store, ledger: Ledger) -> None:
    """Whoever had the seed could tell which cards were drawn."""
    game = started(ledger, "ana", "bob", dice="service", settings={"decks": NO_DECKS, "reveal_at_end": False})
    end(ledger, game)
    assert not any(entry.chance is not UNSET and entry.chance.opens for entry in entries_of(store, game))
    checked = check_dice(rulebooks_by_id()["negopoly"], entries_of(store, game))
    assert checked.wrong == ()
    assert checked.waiting


def test_another_throw_is_named(store: Store, ledger: Ledger, game: str) -> None:
    """Whoever runs the machine lets Ana throw something else, with all that follows from it."""
    end(ledger, game)
    entries = entries_of(store, game)
    place = next(place for place, entry in enumerate(entries) if entry.kind == "roll_dice")
    name, values = next(iter(entries[place].draws.items()))
    other = [int(value) % 6 + 1 for value in values]
    entries[place] = replace(entries[place], draws={**entries[place].draws, name: other})
    (number, what), *_ = check_dice(rulebooks_by_id()["negopoly"], entries).wrong
    assert number == place + 1
    assert "its throws do not come from what was committed to" in what


def test_another_seed_is_named(store: Store, ledger: Ledger, game: str) -> None:
    end(ledger, game)
    entries = entries_of(store, game)
    entries[-1] = replace(entries[-1], chance=Chances(opens=bytes(32).hex()))
    wrong = check_dice(rulebooks_by_id()["negopoly"], entries).wrong
    assert (len(entries), "the opened seed is not the one that was committed to") in wrong


def test_a_seed_that_is_kept_back_at_the_end_is_named(store: Store, ledger: Ledger, game: str) -> None:
    """Whoever runs the machine does not open the seed, so that nobody can throw again."""
    end(ledger, game)
    entries = entries_of(store, game)
    entries[-1] = replace(entries[-1], chance=UNSET)
    checked = check_dice(rulebooks_by_id()["negopoly"], entries)
    assert checked.wrong == ((len(entries), "the game has ended, and the seed of action 1 was not opened"),)


def test_throws_without_a_commitment_are_counted(store: Store, ledger: Ledger, game: str) -> None:
    """They are not passed over in silence: nobody can check them."""
    end(ledger, game)
    entries = entries_of(store, game)
    throws = check_dice(rulebooks_by_id()["negopoly"], entries)
    bare = [replace(entry, chance=UNSET) for entry in entries]
    without = check_dice(rulebooks_by_id()["negopoly"], bare)
    assert (without.checked, without.waiting, without.wrong) == (0, 0, ())
    assert without.uncommitted == throws.checked + throws.uncommitted


def test_a_game_that_goes_on_after_its_end_has_another_seed(store: Store, ledger: Ledger, game: str) -> None:
    """The end is undone: who has read the opened seed does not know the next throw."""
    end(ledger, game)
    ended = ledger.moment(game).version
    edits = [{"op": "drop", "action": number} for number in range(ended, ended - 1, -1)]
    do(ledger, game, None, "correct", edits=edits, cascade="restate", reason="it was not so late")
    assert not ledger.moment(game).newest.ended
    opened, again = entries_of(store, game)[-2:]
    assert opened.chance is not UNSET
    assert again.chance is not UNSET
    assert again.chance.commits not in {None, entries_of(store, game)[0].chance.commits}  # type: ignore[union-attr]
    do(ledger, game, "bob", "end_turn")
    checked = check_dice(rulebooks_by_id()["negopoly"], entries_of(store, game))
    assert checked.wrong == ()
    assert ledger.moment(game).newest.ended


def test_another_process_goes_on_from_the_same_seed(store: Store, ledger: Ledger, game: str) -> None:
    other = Ledger(store, rulebooks_by_id())
    turn(other, game, "ana")
    turn(ledger, game, "bob")
    end(other, game)
    checked = check_dice(rulebooks_by_id()["negopoly"], entries_of(store, game))
    assert (checked.waiting, checked.wrong) == (0, ())


def test_a_table_that_throws_itself_commits_to_nothing(store: Store, ledger: Ledger) -> None:
    game = started(ledger, "ana", "bob")
    assert all(entry.chance is UNSET for entry in entries_of(store, game))


def test_a_fork_commits_to_a_seed_of_its_own(store: Store, ledger: Ledger, game: str) -> None:
    """Its copied throws come from the other game. What is thrown from then on is checked at its end."""
    forked = ledger.forking.fork(game, ledger.moment(game).version).game
    for seat in ("ana", "bob"):
        turn(ledger, forked, seat)
    end(ledger, forked)
    marks = [entry for entry in entries_of(store, forked) if entry.chance is not UNSET]
    assert [entry.number > ledger.moment(game).version for entry in marks] == [True, True]
    checked = check_dice(rulebooks_by_id()["negopoly"], entries_of(store, forked))
    assert (checked.waiting, checked.wrong) == (0, ())
    assert checked.checked
