"""Seats as every screen shows them: letters and colours that never change, in the order of turns."""

from ledger.kernel.facts.state import Seat
from ledger.reading.words.seating import seat_views, seated
from ledger.service import Ledger
from ledger.store.store import Store
from tests.tables.ledgers import a_ledger, started


def badges(*names: str) -> list[tuple[str, int]]:
    """The letter and the colour of players of these names, in the order of the game's creation."""
    players = [Seat(f"seat{place}", name) for place, name in enumerate(names)]
    return [(one.letter, one.colour) for one in seat_views(players, [player.seat for player in players])]


def test_a_seat_has_the_first_letter_of_its_name_that_is_free() -> None:
    assert badges("Ana", "Bob", "Chloé") == [("A", 0), ("B", 1), ("C", 2)]
    assert badges("Ana", "Anatole", "Aa") == [("A", 0), ("N", 1), ("B", 2)]
    assert badges("Élodie", "étienne") == [("E", 0), ("T", 1)]


def test_a_name_without_latin_letters_gets_the_next_free_one() -> None:
    assert badges("山田", "Ana", "7", "Bob") == [("A", 0), ("N", 1), ("B", 2), ("O", 3)]


def test_no_two_of_eight_seats_look_alike() -> None:
    found = badges(*["Al"] * 8)
    assert len({letter for letter, _ in found}) == len({colour for _, colour in found}) == 8


def test_the_list_follows_the_order_of_turns_and_the_badges_do_not(ledger: Ledger, store: Store) -> None:
    """Zoe was named first and plays last. A process that reads a snapshot gives the same list."""
    game = started(ledger, "zoe", "bob", "ana")
    assert [one.seat for one in seated(ledger.games.open(game), ledger.moment(game).newest)] == [
        "zoe",
        "bob",
        "ana",
    ]
    moment = ledger.moment(game)
    state = moment.rulebook.codec.from_snapshot(moment.rulebook.codec.to_snapshot(moment.newest))
    state.order = ("bob", "ana", "zoe")
    shown = seated(moment.game, state)
    assert [(one.seat, one.letter, one.colour) for one in shown] == [
        ("bob", "B", 1),
        ("ana", "A", 2),
        ("zoe", "Z", 0),
    ]
    again = a_ledger(store).moment(game)
    assert [one.seat for one in seated(again.game, again.newest)] == ["zoe", "bob", "ana"]
