"""P.4 and II.A. Laying out, joining and starting a game, and the order of players."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import kind_of
from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.opening import Opening
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.table.pieces import TITLES
from ledger.rulebooks.negopoly.table.settings import Settings
from tests.tables.negopoly import Table, kinds, say


def laid_out(**settings: Any) -> Table:
    """A table for Ana and Bob that nobody has joined yet."""
    return Table("ana", "bob", started=False, settings=settings)


def joined(**settings: Any) -> Table:
    """A table that Ana and Bob have joined, without perks."""
    table = laid_out(**settings)
    for seat in ("ana", "bob"):
        table.play(seat, "join_game", persona=f"Don {seat.capitalize()}")
    return table


def opening(count: int) -> Action:
    """The first action of a game for this many players."""
    players = tuple(Seat(f"p{number}", f"P{number}") for number in range(count))
    return RULEBOOK.play.opening_action(Opening(players=players, settings=Settings(), dice="table"))


def turn_seat(table: Table) -> str:
    assert table.state.turn is not None
    return table.state.turn.seat


# The table ------------------------------------------------------------------------------------------


@pytest.mark.rule("V.A.1")
def test_at_the_start_all_titles_belong_to_the_bank_and_all_tokens_stand_on_spawn() -> None:
    """22 titles, one each, and nobody has any money yet."""
    table = laid_out()
    assert len(TITLES) == 22
    assert all(table.holds("bank", f"title:{title}") == 1 for title in TITLES)
    assert table.state.positions == {"ana": 0, "bob": 0}
    assert (table.holds("ana"), table.holds("bob")) == (0, 0)


@pytest.mark.rule("V.A.1")
def test_a_table_is_laid_out_once() -> None:
    """A second lay-out would hand the bank 22 more titles: nobody can ask for it."""
    table = laid_out()
    refusal = table.refused(None, "create_game", "V.A.1", players=[], settings={}, dice="table")
    assert refusal.en == "the table is laid out already"


def test_negopoly_is_played_by_two_to_eight() -> None:
    assert opening(2).kind == opening(8).kind == "create_game"
    for count in (0, 1, 9):
        with pytest.raises(Malformed, match=f"2 to 8 players, not {count}"):
            opening(count)


# Joining --------------------------------------------------------------------------------------------


@pytest.mark.rule("P.4", "II.A.1")
def test_joining_accepts_the_rules_and_opens_an_account_with_1500() -> None:
    """Ana joins: the version of the rules she accepts is in the journal, and the bank pays her 1500 ₦."""
    table = laid_out()
    (event,) = table.play("ana", "join_game", persona="La Marquise")
    assert kind_of(event) == "seat_joined"
    assert event.rules_version == "1"  # type: ignore[attr-defined]
    assert (table.holds("ana"), table.holds("bob"), table.holds("bank")) == (1500, 0, -1500)


@pytest.mark.rule("P.4")
def test_a_seat_joins_once_and_only_before_the_start() -> None:
    """Ana cannot join twice for another 1500 ₦, and Bob cannot once the game has started."""
    table = joined()
    refusal = table.refused("ana", "join_game", "P.4", persona="Somebody else")
    assert refusal.en == "Ana has already joined as Don Ana"
    for seat in ("ana", "bob"):
        table.play(seat, "choose_starter_perk", perk="doses")
    table.banker("start_game")
    table.refused("bob", "join_game", "P.4", persona="Somebody else")
    assert (table.holds("ana"), table.holds("bob")) == (1500, 1500)


@pytest.mark.rule("P.4")
def test_who_has_no_seat_does_not_join() -> None:
    refusal = laid_out().refused("eve", "join_game", "P.4", persona="Eve")
    assert refusal.en == "there is no seat 'eve' in this game; its seats are: Ana and Bob"


def test_french_characters_and_titles_are_told_as_one_writes_them() -> None:
    """Ana Taux-Fixe joins, sells the Elysée to the bank, and pays her loan back in two parts."""
    table = Table("ana", "bob", started=False)
    (joined,) = table.play("ana", "join_game", persona="Ana Taux-Fixe")
    assert (
        say(joined, "fr", RULEBOOK.language.speakers(table.state))
        == "Ana entre en jeu sous le nom d'Ana Taux-Fixe."
    )
    table = Table("ana", "bob")
    table.own("ana", "elysee", "nuketown")
    speakers = RULEBOOK.language.speakers(table.state)
    (mortgaged,) = table.play("ana", "mortgage_property", title="elysee")
    assert say(mortgaged, "en", speakers) == "L'Elysée of Ana is mortgaged by its owner; ₦130 paid."
    reset = table.play("ana", "sell_property", title="nuketown")[-1]
    assert say(reset, "en", speakers) == "Nuketown is reset and returns to the bank (a sale)."
    assert say(reset, "fr", speakers) == "Le titre Nuketown est réinitialisé et revient à la banque (une vente)."


@pytest.mark.rule("I.A.2.1")
def test_a_character_is_kept_shown_and_never_enforced() -> None:
    """La Marquise is in Ana's profile and in the log; speaking as herself costs her nothing."""
    table = Table("ana", "bob", started=False)
    (event,) = table.play("ana", "join_game", persona="La Marquise")
    speakers = RULEBOOK.language.speakers(table.state)
    assert say(event, "en", speakers) == "Ana joins as La Marquise."
    assert say(event, "fr", speakers) == "Ana entre en jeu sous le nom de La Marquise."
    for viewer in (Viewer("spectator"), Viewer("player", "bob")):
        assert RULEBOOK.screen.view(table.state, viewer)["personas"] == {"ana": "La Marquise"}
    table.play("bob", "join_game", persona="Bob")
    for seat in ("ana", "bob"):
        table.play(seat, "choose_starter_perk", perk="money")
    table.banker("start_game")
    before = table.holds("ana")
    table.play("ana", "propose_deal", clauses=["This is Ana, and no marquise, speaking."], parties=["ana", "bob"])
    assert table.holds("ana") == before
    assert turn_seat(table) == "ana"


def test_a_character_has_a_name() -> None:
    table = laid_out()
    table.malformed("ana", "join_game", persona="")
    table.malformed("ana", "join_game", persona="x" * 81)
    table.malformed("ana", "join_game")


@pytest.mark.rule("II.A.1")
@pytest.mark.parametrize("amount", [0, 40, 1_000_000_000])
def test_a_table_may_open_accounts_with_another_balance(amount: int) -> None:
    table = joined(starting_balance=amount)
    assert (table.holds("ana"), table.holds("bob"), table.holds("bank")) == (amount, amount, -2 * amount)


# Perks ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("perk", "commodity", "amount", "money"),
    [
        pytest.param("rpg7", "rpg7", 1, 1500, marks=pytest.mark.rule("II.A.3")),
        pytest.param("trottinette", "trottinette", 1, 1500, marks=pytest.mark.rule("II.A.4")),
        pytest.param("doses", "dose", 3, 1500, marks=pytest.mark.rule("II.A.5")),
        pytest.param("money", "NGD", 1650, 1650, marks=pytest.mark.rule("II.A.6")),
    ],
)
def test_each_perk_gives_what_it_says_at_no_cost(perk: str, commodity: str, amount: int, money: int) -> None:
    """An RPG-7, a Trottinette, three doses, or 150 ₦ more for a balance of 1650 ₦."""
    table = joined()
    (event,) = table.play("ana", "choose_starter_perk", perk=perk)
    assert kind_of(event) == "perk_chosen"
    assert (table.holds("ana", commodity), table.holds("ana")) == (amount, money)
    assert table.holds("bob", commodity) == (1500 if commodity == "NGD" else 0)
    assert set(table.state.holdings.account("player:ana")) == {commodity, "NGD"}


@pytest.mark.rule("II.A.4")
def test_perks_come_from_a_reserve_and_not_from_the_two_copies_in_the_shop() -> None:
    """Four players choose a Trottinette, of which a shop stocks two: each of them gets one."""
    seats = ("ana", "bob", "eve", "dan")
    table = Table(*seats, perks=dict.fromkeys(seats, "trottinette"))
    assert [table.holds(seat, "trottinette") for seat in seats] == [1, 1, 1, 1]
    assert table.holds("shop:nc_custom", "trottinette") == 2
    assert table.holds("bank", "trottinette") == 0
    assert table.holds("box", "trottinette") == -6


@pytest.mark.rule("II.A.4", "VIII.A.2")
def test_a_table_may_let_perks_come_out_of_the_shop() -> None:
    """With starter_perks_use_stock the third player who wants a Trottinette finds none of the two left."""
    table = Table("ana", "bob", "eve", started=False, settings={"starter_perks_use_stock": True})
    for seat in ("ana", "bob", "eve"):
        table.play(seat, "join_game", persona="P")
    table.play("ana", "choose_starter_perk", perk="trottinette")
    table.play("bob", "choose_starter_perk", perk="trottinette")
    refused = table.refused("eve", "choose_starter_perk", "VIII.A.2", perk="trottinette")
    assert refused.en == "NC Custom has 0 × Trottinette au sans-plomb 75 left and cannot give 1"
    table.play("eve", "choose_starter_perk", perk="rpg7")
    assert table.holds("shop:nc_custom", "trottinette") == 0
    assert table.holds("box", "trottinette") == -2


@pytest.mark.rule("II.A.2")
def test_a_perk_is_chosen_once() -> None:
    """Ana took the doses and cannot have the money too, nor doses again."""
    table = joined()
    table.play("ana", "choose_starter_perk", perk="doses")
    for perk in ("money", "doses"):
        table.refused("ana", "choose_starter_perk", "II.A.2", perk=perk)
    assert (table.holds("ana", "dose"), table.holds("ana")) == (3, 1500)


@pytest.mark.rule("II.A.2", "P.4")
def test_a_perk_is_chosen_after_joining_and_before_the_start() -> None:
    laid_out().refused("ana", "choose_starter_perk", "P.4", perk="doses")
    started = Table("ana", "bob")
    started.refused("ana", "choose_starter_perk", "II.A.2", perk="doses")


def test_there_are_four_perks_and_no_fifth() -> None:
    table = joined()
    assert [choice.params for choice in RULEBOOK.actions["choose_starter_perk"].choices(table.state, "ana")] == [
        {"perk": "rpg7"},
        {"perk": "trottinette"},
        {"perk": "doses"},
        {"perk": "money"},
    ]
    table.malformed("ana", "choose_starter_perk", perk="tank")


@pytest.mark.rule("II.A.5")
def test_a_perk_is_its_owner_s_secret() -> None:
    """Bob and the spectators see nothing; Ana reads what she got, by its name."""
    table = joined()
    (event,) = table.play("ana", "choose_starter_perk", perk="doses")
    assert table.seen_by("ana") == [event]
    assert table.seen_by("bob") == table.seen_by(None) == []
    assert RULEBOOK.screen.view(table.state, Viewer("player", "ana"))["you"]["perk"] == "doses"
    assert "perk" not in RULEBOOK.screen.view(table.state, Viewer("player", "bob"))["you"]
    assert say(event, "en", RULEBOOK.language.speakers(table.state)) == "Ana chooses a starting perk: 3 Dose."


# Starting -------------------------------------------------------------------------------------------


@pytest.mark.rule("II.A.1", "II.A.2")
def test_nobody_starts_without_an_account_or_a_perk() -> None:
    table = laid_out()
    assert table.refused(None, "start_game", "II.A.1").fr == (
        "Ana et Bob ne sont pas encore entrés en jeu et n'ont pas de compte"
    )
    table.play("ana", "join_game", persona="Don Ana")
    table.play("ana", "choose_starter_perk", perk="rpg7")
    assert table.refused(None, "start_game", "II.A.1").en == "Bob has not joined yet and has no account"
    table.play("bob", "join_game", persona="Don Bob")
    assert table.refused(None, "start_game", "II.A.2").en == "no starting perk has been chosen by Bob"
    table.play("bob", "choose_starter_perk", perk="rpg7")
    table.banker("start_game")
    assert (table.state.phase, table.state.round, turn_seat(table)) == ("play", 1, "ana")


@pytest.mark.rule("II.1")
def test_before_the_start_nothing_is_played_and_the_start_comes_once() -> None:
    table = joined()
    for kind, params in (("roll_dice", {"dice": [1, 2]}), ("consume_dose", {"dice": [5]}), ("end_turn", {})):
        table.refused("ana", kind, "II.1", **params)
    for seat in ("ana", "bob"):
        table.play(seat, "choose_starter_perk", perk="money")
    table.banker("start_game")
    table.refused(None, "start_game", "II.1")


# The order ------------------------------------------------------------------------------------------


@pytest.mark.rule("II.3")
def test_the_banker_fixes_the_first_order_during_set_up() -> None:
    """Bob is to begin, then Ana."""
    table = joined()
    table.banker("set_turn_order", order=["bob", "ana"])
    for seat in ("ana", "bob"):
        table.play(seat, "choose_starter_perk", perk="money")
    table.banker("start_game")
    assert table.state.order == ("bob", "ana")
    assert turn_seat(table) == "bob"


@pytest.mark.rule("II.3")
def test_a_new_order_holds_from_the_next_round_on() -> None:
    """In round 1 the banker reverses the order: Bob and Eve still play after Ana, and Eve opens round 2."""
    table = Table("ana", "bob", "eve")
    table.banker("set_turn_order", order=["eve", "bob", "ana"])
    played = []
    for _ in range(6):
        seat = turn_seat(table)
        played.append((table.state.round, seat))
        table.turn(seat, 1, 2) if table.state.round == 1 else table.turn(seat, 2, 2)
    assert played == [(1, "ana"), (1, "bob"), (1, "eve"), (2, "eve"), (2, "bob"), (2, "ana")]
    assert table.state.next_order is None


@pytest.mark.rule("II.3")
def test_the_latest_order_asked_for_is_the_one_that_holds() -> None:
    table = Table("ana", "bob", "eve")
    table.banker("set_turn_order", order=["eve", "bob", "ana"])
    table.banker("set_turn_order", order=["bob", "ana", "eve"])
    for seat in ("ana", "bob", "eve"):
        table.turn(seat, 1, 2)
    assert table.state.order == ("bob", "ana", "eve")


@pytest.mark.rule("II.3")
def test_an_order_names_every_seat_once() -> None:
    table = Table("ana", "bob", "eve")
    for order in (["ana", "bob"], ["ana", "bob", "bob"], ["ana", "bob", "dan"], ["ana", "bob", "eve", "eve"], []):
        table.malformed(None, "set_turn_order", order=order)
    table.banker("set_turn_order", order=["ana", "bob", "eve"])


def test_the_order_is_no_player_s_affair() -> None:
    assert RULEBOOK.actions["set_turn_order"].by == RULEBOOK.actions["start_game"].by == ("banker",)


# Settings -------------------------------------------------------------------------------------------


def test_a_setting_out_of_its_bounds_or_unknown_is_refused() -> None:
    for wrong in ({"movement_dice": 0}, {"die_sides": 7}, {"turn_seconds": 0}, {"board_size": 50}, {"x": 1}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, Settings)


def test_the_settings_of_a_game_are_kept_and_shown() -> None:
    table = laid_out(turn_seconds=60, movement_dice=3)
    shown = RULEBOOK.screen.view(table.state, Viewer("spectator"))["settings"]
    assert (shown["turn_seconds"], shown["movement_dice"], shown["die_sides"]) == (60, 3, 6)


@pytest.mark.rule("II.1", "II.B.1")
def test_the_start_opens_round_1_and_its_first_turn() -> None:
    table = joined()
    for seat in ("ana", "bob"):
        table.play(seat, "choose_starter_perk", perk="money")
    assert kinds(table.banker("start_game")) == ["game_started", "round_started", "turn_started"]
