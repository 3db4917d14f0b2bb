"""Names of players are told apart by a number; those of older games have their seat beside them."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.names import look, numbered, require_names, told_apart
from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.facts.state import Seat


def seats(*names: str) -> list[Seat]:
    return [Seat(f"seat{number}", name) for number, name in enumerate(names)]


@pytest.mark.parametrize(
    "other",
    [
        "Ana",
        "ana",
        " Ana ",
        "An\u200ba",
        "Ana\ufe0f",
        "\uff21\uff4e\uff41",
        "\u0410na",
        "\u0391n\u03b1",
        "A\u00adna",
    ],
)
def test_what_looks_like_anas_name_gets_a_number(other: str) -> None:
    require_names(seats("Ana", other))
    first, second = numbered(seats("Ana", other))
    assert (first.name, second.name) == ("Ana", f"{other.strip()} (2)")


def test_no_number_makes_a_name_that_somebody_has() -> None:
    names = [player.name for player in numbered(seats("Ana", "Ana", "Ana (2)", "Bob", "ana", "علي", "علي"))]
    assert names == ["Ana", "Ana (3)", "Ana (2)", "Bob", "ana (4)", "علي", "علي (2)"]


@pytest.mark.parametrize(
    "taken",
    ["The bank", "bank", "Banker", "the  BANKER", "La banque", "Le banquier", "b\u0430nk", "Spectator", "System"],
)
def test_nobody_is_called_like_the_bank(taken: str) -> None:
    with pytest.raises(Malformed, match="would be taken for the bank"):
        require_names(seats("Ana", taken))


@pytest.mark.parametrize("name", ["\u200b", "\u3164", "\u2800\u2800", " ", "...", "Ana\nBob", "Ana\tBob"])
def test_a_name_is_on_one_line_and_can_be_read(name: str) -> None:
    with pytest.raises(Malformed, match="is no name"):
        require_names(seats(name))


def test_other_names_are_other_names() -> None:
    require_names(
        seats("Ana", "Anna", "Léa", "Lea", "Łukasz", "Łukasz 2", "Зоя", "小明", "علی‌رضا", "Ian", "Banksy")
    )
    assert look("Léa") != look("Lea")


def test_two_names_that_look_the_same_have_their_seats_beside_them() -> None:
    named = {one.seat: one for one in seats("Ana", "\u0410na", "Bob", "The bank", "\u200b")}
    assert told_apart(named) == {
        "seat0": "Ana (seat0)",
        "seat1": "\u0410na (seat1)",
        "seat2": "Bob",
        "seat3": "The bank (seat3)",
        "seat4": "\u200b (seat4)",
    }
