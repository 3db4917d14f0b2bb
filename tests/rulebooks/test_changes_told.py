"""Every part of a rulebook's view has words for how it differs, in both languages."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.rulebooks import rulebooks_by_id
from replays.simulation import Series, game_of
from tests.tables.negopoly import Table

WORDS = {
    "negopoly": "negopoly.table.changes",
    "negoces2": "negoces2.showing.changes",
    "monopoly": "monopoly.showing.changes",
    "virtual_revolution": "virtual_revolution.showing.changes",
}
"""The words of each engine."""

ALONGSIDE = {"negoces2": {"turn"}}
"""The parts of a view told with others: a single awaited seat has the turn."""


def parts_told(engine: str) -> frozenset[str]:
    """The parts of a view with words for how they differ, from the tables of an engine."""
    words = import_module(f"ledger.rulebooks.{WORDS[engine]}")
    tables = [getattr(words, name, ()) for name in ("_TELLINGS", "_REST", "_UNEXPLAINED")]
    return frozenset(ALONGSIDE.get(engine, ())).union(*tables)


@pytest.mark.parametrize("rulebook", sorted(rulebooks_by_id()))
def test_no_part_of_a_view_is_forgotten(rulebook: str) -> None:
    series = Series(rulebook=rulebook, games=1, players=4, seed=1, strategies=("random",), actions=40)
    game = game_of(series, 0).game
    seat = next(iter(game.state.seats))
    for viewer in (BANKER, Viewer("player", seat)):
        assert set(game.rulebook.screen.view(game.state, viewer)) <= parts_told(game.rulebook.engine)


@pytest.mark.parametrize("rulebook", sorted(rulebooks_by_id()))
def test_whatever_differs_is_told_in_both_languages(rulebook: str) -> None:
    """Two moments of a game: something is told, by names and not by ids, and nothing of a view with itself."""
    series = Series(rulebook=rulebook, games=1, players=4, seed=2, strategies=("random",), actions=200)
    game = game_of(series, 0).game
    earlier = game.past.state_after(60)

    def view(state: Any) -> Any:
        return game.rulebook.screen.view(state, BANKER)

    for language in ("en", "fr"):
        told = list(game.rulebook.language.describe_changes(game.state, view(earlier), view(game.state), language))
        assert len(told) > 1
        assert all(one.endswith((".", "?")) for one in told)
        names = {seat: game.state.seats[seat].name for seat in game.state.seats}
        assert not any(f" {seat} " in one for seat in names for one in told)
        assert (
            list(game.rulebook.language.describe_changes(game.state, view(earlier), view(earlier), language)) == []
        )


def test_the_table_is_told_as_players_see_it() -> None:
    table = Table("ana", "bob")
    before = table.rulebook.screen.view(table.state, BANKER)
    table.turn("ana", 1, 2, then=(("buy_property", {}),))
    after = table.rulebook.screen.view(table.state, BANKER)
    assert list(table.rulebook.language.describe_changes(table.state, before, after, "en")) == [
        "Ana stands on Black Arretxea, not on Spawn.",
        "It is the turn of Bob, not of Ana.",
        "Black Arretxea belongs to Ana, not to the bank.",
    ]
    assert list(table.rulebook.language.describe_changes(table.state, before, after, "fr")) == [
        "Ana est sur Black Arretxea, et non sur Spawn.",
        "C'est à Bob de jouer, et non à Ana.",
        "Black Arretxea appartient à Ana, et non à la banque.",
    ]


@pytest.mark.parametrize("rulebook", ["monopolys", "negopoly"])
def test_two_squares_of_one_name_are_told_apart(rulebook: str) -> None:
    """Six squares are the Océan, six are Chance; and the order of play is told with the former order."""
    series = Series(rulebook=rulebook, games=1, players=3, seed=1, strategies=("random",), actions=40)
    game = game_of(series, 0).game
    ana, bob, cleo = game.state.seats
    earlier = {"positions": {ana: 7, bob: 1}, "order": (ana, bob, cleo)}
    later = {"positions": {ana: 22}, "order": (bob, ana, cleo)}
    square, first = {"monopolys": ("Océan", "Iumée"), "negopoly": ("Chance", "Négotown")}[rulebook]
    assert list(game.rulebook.language.describe_changes(game.state, earlier, later, "fr")) == [
        f"Ana est sur {square} (22), et non sur {square} (7).",
        f"Bob n'est nulle part, et non sur {first}.",
        "L'ordre du jeu est Bob, Ana, Cleo, et non Ana, Bob, Cleo.",
    ]


def test_pieces_on_the_table_are_named_with_what_they_were() -> None:
    """Virtual Revolution: Agents, Directors, influence; the rest of a seat's pieces is only said to differ."""
    series = Series(rulebook="virtual_revolution", games=1, players=3, seed=1, strategies=("random",), actions=10)
    game = game_of(series, 0).game
    earlier = {"ana": {"agents": [{"agent": "tanaka"}], "influence": {"map": {"3": 1}, "board": 9}}}
    later = {"ana": {"directors": [3, 8], "influence": {"map": {}, "board": 10}}}
    described = game.rulebook.language.describe_changes(
        game.state, {"seats": earlier, "places": {}}, {"seats": later, "places": {"ana": 2}}, "fr"
    )
    assert list(described) == [
        "Place d'Ana dans l'ordre du tour\u00a0: 2, et non aucune.",
        "Influence d'Ana sur l'arrondissement 3\u00a0: 0, et non 1.",
        "Influence d'Ana sur le plateau\u00a0: 10, et non 9.",
        "Agents d'Ana\u00a0: rien, et non Tanaka.",
        "Directeurs d'Ana\u00a0: l'arrondissement 3, l'arrondissement 8, et non rien.",
    ]


def test_a_sale_and_offers_are_told_with_what_they_were() -> None:
    series = Series(rulebook="negoces2", games=1, players=4, seed=1, strategies=("random",), actions=10)
    game = game_of(series, 0).game
    earlier = {"sale": {"face": "up", "card": "good:1", "coins": 1}, "offers": [{"seat": "ana", "coins": 2}]}
    later = {
        "sale": {"face": "down", "coins": 0, "good": 2},
        "offers": [{"seat": "bob", "face": "down", "coins": 0}],
    }
    assert list(game.rulebook.language.describe_changes(game.state, earlier, later, "en")) == [
        "For sale: a card face down, not a card (Wine) face up and 1 coin.",
        "Good sought: Spices (2), not nothing.",
        "Offer of Ana: nothing, not 2 coins.",
        "Offer of Bob: a card face down, not nothing.",
    ]
