"""Tables of how things stand: games, seats, titles, obligations; and the tables of many games together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.moving.exporting import Export
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from replays import exports
from tests.replays import shelf
from tests.tables.ledgers import ANA, SPECTATOR

pytestmark = pytest.mark.xdist_group("tables")

FORMS = ("csv", "parquet")


def rows_of(
    ledger: Ledger, game: str, table: str, folder: Path, viewer: Viewer = BANKER, language: str = "en"
) -> list[dict[str, Any]]:
    """The rows of one table, with their types."""
    content = shelf.exported(ledger, game, "parquet", viewer, table=table, language=language)
    return shelf.rows(content, "parquet", folder)


def test_an_action_has_its_round_its_turn_and_its_sentence(ledger: Ledger, mended: str, tmp_path: Path) -> None:
    """The sentence says what counts now; of an action that does not count, what was recorded."""
    found = {row["action"]: row for row in rows_of(ledger, mended, "actions", tmp_path)}
    told = {
        "1": (None, None),  # Before it there was no table.
        "2": (0, None),  # In the set-up it is nobody's turn.
        "7": (1, "ana"),
        "12.1": (1, "ana"),
        "8": (1, "ana"),
        "16": (1, "ana"),
    }
    assert {action: (found[action]["round"], found[action]["turn"]) for action in told} == told
    assert found["7"]["sentence"] == "Ana gives ₦100 to Bob."
    assert found["12.1"]["sentence"] == "Bob gives ₦5 to Ana."
    assert (found["8"]["sentence"], found["8"]["status"]) == ("Ana gives ₦40 to Bob.", "undone")
    assert (found["9"]["sentence"], found["9"]["status"]) == ("Ana gives ₦35 to Bob.", "restated")
    french = {row["action"]: row for row in rows_of(ledger, mended, "actions", tmp_path, language="fr")}
    assert french["12.1"]["sentence"] == "Bob donne 5 ₦ à Ana."


def test_the_turn_of_an_action_is_that_in_which_it_was_done(ledger: Ledger, tmp_path: Path) -> None:
    """Whoever ends a turn does it in their own; rounds only go up, and a move is made in the mover's turn."""
    game = shelf.simulate(ledger, "negopoly", seed=3, actions=300)
    found = [row for row in rows_of(ledger, game, "actions", tmp_path) if row["status"] == "effective"]
    moves = [row for row in found if row["kind"] in {"roll_dice", "resolve_square", "end_turn"}]
    assert len(moves) > 50
    assert all(row["turn"] == row["seat"] for row in moves)
    rounds = [row["round"] for row in found if row["round"] is not None]
    assert rounds == sorted(rounds)
    assert rounds[-1] == ledger.moment(game).newest.round


def test_every_table_names_the_game(ledger: Ledger, mended: str, tmp_path: Path) -> None:
    for form in FORMS:
        for name, rows in shelf.tables(shelf.exported(ledger, mended, form), form, tmp_path).items():
            if name == "obligations":  # In this game nobody owes anything.
                assert rows == []
                continue
            assert rows, name
            assert next(iter(rows[0])) == "game"
            assert {row["game"] for row in rows} == {mended}


def test_the_mended_game_as_it_stands(ledger: Ledger, mended: str, tmp_path: Path) -> None:
    """Ana has 1513 and Bob 1787, and no title is sold. Bob's worth is hidden from Ana, and her own is not."""
    (game,) = rows_of(ledger, mended, "games", tmp_path)
    assert (game["rulebook"], game["title"], game["players"], game["dice"]) == ("negopoly", "Mended", 2, "table")
    assert (game["actions"], game["round"], game["ended"], game["winners"]) == (16, 1, False, "[]")
    assert (game["origin"], game["seen_by"], game["currency"]) == (None, None, "NGD")
    assert json.loads(game["settings"]) == ledger.moment(mended).game.setup.settings
    shown = {viewer: rows_of(ledger, mended, "seats", tmp_path, viewer) for viewer in (BANKER, ANA, SPECTATOR)}
    worth = {BANKER: [1513, 1787], ANA: [1513, None], SPECTATOR: [None, None]}
    for viewer, rows in shown.items():
        assert [(row["seat"], row["name"], row["number"]) for row in rows] == [
            ("ana", "Ana", 1),
            ("bob", "Bob", 2),
        ]
        assert [row["worth"] for row in rows] == [row["money"] for row in rows] == worth[viewer]
        assert [(row["playing"], row["won"]) for row in rows] == [(True, False)] * 2
    titles = rows_of(ledger, mended, "titles", tmp_path)
    assert len(titles) == 22
    assert {(row["owner"], row["built"], row["marks"]) for row in titles} == {(None, 0, "[]")}
    assert {row["seen_by"] for row in rows_of(ledger, mended, "games", tmp_path, ANA)} == {"ana"}


def test_the_seats_of_a_simulated_game(ledger: Ledger, tmp_path: Path) -> None:
    game = shelf.simulate(ledger, "negoces2", seed=41, actions=20)
    assert {row["strategy"] for row in rows_of(ledger, game, "seats", tmp_path)} <= set(
        rulebooks_by_id()["negoces2"].simulation.strategies
    )


def test_the_titles_of_a_long_game(ledger: Ledger, tmp_path: Path) -> None:
    """The table agrees with the ledger: who owns each title, its houses, and whether it is mortgaged."""
    game = shelf.simulate(ledger, "negopoly", seed=33, actions=900)
    state = ledger.moment(game).newest
    titles = rows_of(ledger, game, "titles", tmp_path)
    for row in titles:
        holder = state.holdings.holder(f"title:{row['title']}") or ""
        assert row["owner"] == (holder.removeprefix("player:") if holder.startswith("player:") else None)
        lying = {
            what.partition(":")[0]: many
            for what, many in state.holdings.account(f"property:{row['title']}").items()
        }
        assert row["built"] == lying.get("house", 0)
        assert ("mortgage" in json.loads(row["marks"])) == ("mortgage" in lying)
    assert any(row["owner"] for row in titles)
    assert any("mortgage" in row["marks"] for row in titles)


@pytest.mark.parametrize("form", FORMS)
def test_many_games_are_one_set_of_tables(ledger: Ledger, mended: str, tmp_path: Path, form: str) -> None:
    """The rows of a game are those that it has by itself, also when it was corrected: balances begin anew."""
    seed = 20 + FORMS.index(form)
    others = [shelf.corrected_at_random(ledger, seed), shelf.simulate(ledger, "negoces2", seed=seed, actions=60)]
    games = [mended, *others]
    found = b"".join(exports.pieces_of_all(exports.FORMATS[form], (Export(ledger.moment(game)) for game in games)))
    together = shelf.tables(found, form, tmp_path)
    assert list(together) == list(exports.TABLES)
    apart = [shelf.tables(shelf.exported(ledger, game, form), form, tmp_path) for game in games]
    for name, rows in together.items():
        assert rows == [row for one in apart for row in one[name]]
    assert [row["game"] for row in together["games"]] == games
    about = json.loads(shelf.unpacked(found)["about.json"])
    assert list(about["tables"]) == list(exports.TABLES)


def test_no_games_are_empty_tables(tmp_path: Path) -> None:
    for form in FORMS:
        found = b"".join(exports.pieces_of_all(exports.FORMATS[form], ()))
        assert all(rows == [] for rows in shelf.tables(found, form, tmp_path).values())


def test_a_view_is_no_part_of_many_games(ledger: Ledger, mended: str) -> None:
    """A player's view has other rows than the game, so the two are never mixed."""
    with pytest.raises(ValueError, match="is not exported whole"):
        list(exports.pieces_of_all(exports.FORMATS["csv"], [Export(ledger.moment(mended, ANA))]))


def test_the_description_by_itself_is_the_one_among_the_tables(ledger: Ledger, mended: str) -> None:
    for form in FORMS:
        about = shelf.exported(ledger, mended, form, table=exports.ABOUT)
        assert about == shelf.unpacked(shelf.exported(ledger, mended, form))["about.json"]
