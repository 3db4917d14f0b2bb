"""The state of a game as screens draw it: the same members for every game, and never a null."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from ledger.games.game import Game
from ledger.games.moments import Moment
from ledger.games.setups import Setup
from ledger.kernel.deciding.in_memory import GameInMemory
from ledger.kernel.facts.audience import BANKER, SPECTATOR, Viewer
from ledger.kernel.facts.labels import BEYOND
from ledger.kernel.facts.state import Seat
from ledger.kernel.journal.sight import current_viewer, visible_holdings
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.money.accounts import AllHoldings
from ledger.reading.table.merging import patch_between
from ledger.reading.table.states import GameState, folded_state
from ledger.rulebooks import rulebooks_by_id
from ledger.store.records import GameRecord
from replays.simulation import EVENING, Series, game_of, play
from tests.example import RULEBOOKS as EXAMPLES
from tests.harness.patches import apply_patch
from tests.tables.negoces2 import Table as Market
from tests.tables.negopoly import Table

RULEBOOKS = {**rulebooks_by_id(), **{one.id: one for one in EXAMPLES}}


def state_of(rulebook: Rulebook[Any], state: Any, viewer: Viewer, language: str = "en") -> dict[str, Any]:
    """The state as the resource and the stream give it, as JSON has it."""
    record = GameRecord("g", rulebook.id, "A game", EVENING, b"")
    setup = Setup(players=tuple(state.seats.values()), settings={}, dice=state.dice)
    game = Game(record, setup, rulebook, None, state)  # type: ignore[arg-type]  # the history is not read
    looking = current_viewer(state, viewer)
    moment = Moment(None, game, state, looking, (state.version, BEYOND), state.version)  # type: ignore[arg-type]
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(folded_state(moment, language)))
    return plain


def simulated(rulebook: Rulebook[Any]) -> GameInMemory[Any]:
    """A short game of bots."""
    if rulebook.id in rulebooks_by_id():
        series = Series(rulebook=rulebook.id, games=1, players=4, seed=3, strategies=("random",), actions=220)
        return game_of(series, 0).game
    seats = tuple(Seat(one, one.capitalize()) for one in ("ana", "bob", "cid"))
    opening = Opening(players=seats, settings=rulebook.settings(), dice="service")
    return play(rulebook, opening, seed=1, actions=40).game


def nulls(value: Any, path: str = "") -> Iterator[str]:
    """Where a value has a null."""
    if value is None:
        yield path
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from nulls(one, f"{path}/{name}")
    elif isinstance(value, list | tuple):
        for place, one in enumerate(value):
            yield from nulls(one, f"{path}/{place}")


@pytest.mark.parametrize("rulebook", sorted(RULEBOOKS))
def test_no_state_has_a_null_and_a_patch_carries_every_change(rulebook: str) -> None:
    """One moment after another of a game, for every viewer: the merge patch gives the next state exactly."""
    game = simulated(RULEBOOKS[rulebook])
    seats = list(game.state.seats)
    for viewer in (BANKER, SPECTATOR, Viewer("player", seats[0]), Viewer("player", seats[-1])):
        before: dict[str, Any] = {}
        for number in (*range(1, game.state.version, 9), game.state.version):
            state = game.past.state_after(number)
            now = state_of(game.rulebook, state, viewer, "fr" if number % 2 else "en")
            assert list(nulls(now)) == []
            assert apply_patch(before, patch_between(before, now)) == now
            assert msgspec.convert(now, GameState).version == number
            before = now


@pytest.mark.parametrize("rulebook", sorted(RULEBOOKS))
def test_the_common_members_agree_with_one_another(rulebook: str) -> None:
    """Seats, standings, tokens and zones name the same seats; labels come in the language that was asked for."""
    game = simulated(RULEBOOKS[rulebook])
    for number in range(1, game.state.version, 30):
        state = game.past.state_after(number)
        english, french = (state_of(game.rulebook, state, BANKER, language) for language in ("en", "fr"))
        seats = [seat["seat"] for seat in english["seats"]]
        assert [one["seat"] for one in english["standings"]] == seats
        assert all("worth" in one and "cash" in one for one in english["standings"])
        assert {one["seat"] for one in english["awaited"]} <= {*seats, "banker"}
        kinds = {move.partition(":")[0] for one in english["awaited"] for move in one["moves"]}
        assert kinds <= game.rulebook.actions.keys()
        assert all(one["label"] for one in english["awaited"])
        assert {one["seat"] for one in english["display"]["tokens"]} <= set(seats)
        assert english["account_names"].keys() == english["accounts"].keys()
        assert english["phase"]["id"] == french["phase"]["id"]
        assert len(english["awaited"]) == len(french["awaited"])
        if english["status"] != "ended":
            assert english["awaited"] or english["status"] == "setup"


@pytest.mark.parametrize("rulebook", sorted(RULEBOOKS))
def test_all_holdings_at_once_are_those_of_each_account(rulebook: str) -> None:
    """What many viewers see of a state is what `visible_holdings` shows to each of them."""
    game = simulated(RULEBOOKS[rulebook])
    for number in range(1, game.state.version, 20):
        state = game.past.state_after(number)
        together = AllHoldings(game.rulebook, state)
        for viewer in (BANKER, SPECTATOR, *(Viewer("player", seat) for seat in state.seats)):
            each = {
                one: dict(visible_holdings(game.rulebook.secrets, state, one, viewer))
                for one, _ in state.holdings.items()
            }
            assert together.seen_by(viewer) == {account: held for account, held in each.items() if held}


def at_the_square(table: Table) -> dict[str, Any]:
    """What the table shows to everybody."""
    return state_of(table.rulebook, table.state, SPECTATOR)


def test_a_wall_shows_the_decks_that_the_service_keeps() -> None:
    piles = at_the_square(Table("ana", "bob", decks=True))["display"]["piles"]
    assert [pile["id"] for pile in piles] == ["chance", "kamtar", "meteo"]
    assert all(pile["left"] > 0 for pile in piles)


def test_a_wall_shows_a_turn_of_negopoly() -> None:
    """Ana rolls, stops on Black Arretxea and buys it: phase, what is awaited, tokens, titles."""
    table = Table("ana", "bob")
    shown = at_the_square(table)
    assert (shown["turn"]["seat"], shown["round"]) == ("ana", 1)
    assert shown["phase"] == {"id": "before_roll", "label": "before the roll"}
    (roll,) = shown["awaited"]
    assert (roll["seat"], roll["label"], roll["moves"]) == ("ana", "roll the dice", ["roll_dice"])
    assert (roll["until"], roll["default"]) == (shown["clock"]["until"], "the turn ends")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "buy_property")
    shown = at_the_square(table)
    assert shown["display"]["tokens"] == [
        {"seat": "ana", "place": "square:3"},
        {"seat": "bob", "place": "square:0"},
    ]
    assert shown["display"]["places"] == {"square:3": {"owner": "ana", "rent": 4, "toll": {"amount": 4}}}
    # The table has real cards, and the service does not know how many are left.
    assert shown["display"]["piles"] == []
    assert shown["awaited"][0]["moves"] == ["end_turn"]
    assert [one["status"] for one in shown["standings"]] == ["in_play", "in_play"]
    assert not any("cash" in one or "worth" in one or "place" in one for one in shown["standings"])


def test_a_player_reads_their_own_money_and_the_banker_everybody_s() -> None:
    table = Table("ana", "bob")
    table.play("ana", "transfer_money", to="bob", amount=100)
    mine, theirs = state_of(table.rulebook, table.state, Viewer("player", "ana"))["standings"]
    assert mine["cash"] == mine["worth"] - sum(
        asset.value for asset in table.rulebook.score.wealth(table.state, "ana") if asset.kind != "balance"
    )
    assert "cash" not in theirs
    assert [one["place"] for one in state_of(table.rulebook, table.state, BANKER)["standings"]] == [2, 1]


def test_an_offered_deal_is_awaited_by_its_parties_alone() -> None:
    """Ana offers Bob a deal. Bob, Ana and the banker see that Bob is to answer; Cid does not."""
    table = Table("ana", "bob", "cid")
    leg = {"giver": "ana", "taker": "bob", "commodity": "NGD", "amount": 50}
    table.play("ana", "propose_deal", parties=["ana", "bob"], legs=[leg], clauses=["no rent for a round"])

    def awaited(viewer: Viewer) -> list[tuple[str, str]]:
        found = state_of(table.rulebook, table.state, viewer)["awaited"]
        return [(one["seat"], one["label"]) for one in found if "deal" in one["label"]]

    for viewer in (BANKER, Viewer("player", "ana"), Viewer("player", "bob")):
        assert awaited(viewer) == [("bob", "answer the deal with Ana")]
    assert awaited(Viewer("player", "cid")) == awaited(SPECTATOR) == []


def test_that_a_perk_was_chosen_stays_a_secret() -> None:
    """In the set-up everybody sees who has not joined. Only Ana and the banker see that she has yet to choose."""
    table = Table("ana", "bob", started=False)

    def awaited(viewer: Viewer) -> list[tuple[str, str]]:
        found = state_of(table.rulebook, table.state, viewer)["awaited"]
        return [(one["seat"], kind) for one in found for kind in one["moves"]]

    assert awaited(SPECTATOR) == [("ana", "join_game"), ("bob", "join_game")]
    for seat in ("ana", "bob"):
        table.play(seat, "join_game", persona=seat)
    assert awaited(Viewer("player", "ana")) == [("ana", "choose_starter_perk")]
    assert awaited(SPECTATOR) == []
    for seat in ("ana", "bob"):
        table.play(seat, "choose_starter_perk", perk="money")
    assert awaited(Viewer("player", "ana")) == awaited(SPECTATOR) == []
    assert awaited(BANKER) == [("banker", "start_game")]


def test_a_hand_lies_under_a_veil() -> None:
    """Ana sells a Wine face down: others see a card in the market and the sizes of hands, and no hidden coin."""
    table = Market()
    table.sells("ana", "good:1", "down")
    table.play("bob", "hide_coins", coins=5)

    def zones(viewer: Viewer) -> dict[tuple[str, str | None], Any]:
        found = state_of(table.rulebook, table.state, viewer)["display"]["zones"]
        return {(one["zone"], one.get("seat")): one["items"] for one in found}

    seen = zones(Viewer("player", "bob"))
    assert seen["market", None] == [{"veil": "card", "face": "down", "amount": 1}]
    assert seen["hand", "ana"] == [{"veil": "card", "amount": 8}]
    assert seen["hidden", "bob"] == [{"commodity": "coin", "amount": 5}]
    assert sum(item["amount"] for item in seen["hand", "bob"]) == 8
    assert all("commodity" in item for item in seen["hand", "bob"])
    assert ("hidden", "bob") not in zones(SPECTATOR)
    assert zones(BANKER)["market", None] == [{"commodity": "good:1", "face": "down", "amount": 1}]
    table.offering("cid", "good:5", "down")
    table.offering("dan", "good:7", "up")
    assert zones(Viewer("player", "cid"))["offer", "cid"] == [{"commodity": "good:5", "face": "down", "amount": 1}]
    assert zones(Viewer("player", "dan"))["offer", "dan"] == [{"commodity": "good:7", "amount": 1}]


def test_what_lies_open_counts_for_everybody_and_nothing_hidden_does() -> None:
    """Bob hides 5 of his coins and offers 2 of those in front; Ana owns a title with a house, and money."""
    table = Market()
    table.sells("ana", "good:1", "down")
    before = shown(table)["bob"]
    table.play("bob", "hide_coins", coins=5)
    table.play("bob", "make_offer", coins=2)
    assert shown(table)["bob"] == before - 5
    town = Table("ana", "bob")
    town.own("ana", "black_arretxea", houses=1)
    assert shown(town) == {"ana": 60 + 50, "bob": 0}
    town.play("ana", "transfer_money", to="bob", amount=100)
    assert shown(town) == {"ana": 60 + 50, "bob": 0}


def test_the_way_to_victory_is_shown_as_far_as_it_may_be_seen() -> None:
    """Bob hides 5 of his coins: he counts them all and his goods; others count the coins in sight alone."""
    table = Market()
    table.sells("ana", "good:1", "down")
    table.play("bob", "hide_coins", coins=5)

    def way(viewer: Viewer, language: str = "en") -> list[tuple[str, int, int]]:
        (bob,) = (
            one
            for one in state_of(table.rulebook, table.state, viewer, language)["standings"]
            if one["seat"] == "bob"
        )
        return [(count["label"], count["have"], count["of"]) for count in bob["progress"]]

    (goods, coins), (in_sight,) = way(Viewer("player", "bob")), way(SPECTATOR)
    assert goods == ("goods", len({*table.account("hand:bob", "bob")} - {"contraband"}), 8)
    assert coins == ("coins", in_sight[1] + 5, 31)
    assert in_sight == ("coins in sight", coins[1] - 5, 31)
    assert way(Viewer("player", "ana")) == way(SPECTATOR)
    assert way(BANKER) == way(Viewer("player", "bob"))
    assert [label for label, _, _ in way(BANKER, "fr")] == ["marchandises", "pièces"]


@pytest.mark.parametrize("rulebook", sorted(RULEBOOKS))
def test_the_open_part_of_a_worth_has_a_word_of_its_own(rulebook: str) -> None:
    game = simulated(RULEBOOKS[rulebook])
    for language in ("en", "fr"):
        for one in state_of(game.rulebook, game.state, SPECTATOR, language)["standings"]:
            assert ("shown" in one) == bool(one.get("shown_label"))
            assert one.get("shown_label") not in {"cash", "worth", "argent", "valeur"}


def shown(table: Any) -> dict[str, int]:
    """The open worth of each seat, which is the same for every viewer."""
    found = [
        {one["seat"]: one["shown"] for one in state_of(table.rulebook, table.state, viewer)["standings"]}
        for viewer in (SPECTATOR, Viewer("player", "bob"), BANKER)
    ]
    assert found[0] == found[1] == found[2]
    return found[0]
