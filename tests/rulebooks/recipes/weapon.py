"""A weapon that a reader has added to Negopoly: bought, listed, used and told."""

from __future__ import annotations

from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.opening import Opening
from ledger.reading.moves.offered import combine_moves
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.table.settings import Settings
from ledger.rulebooks.negopoly.table.statistics import TALLIES
from replays.simulation import outcome_of, play
from tests.harness.playing import say
from tests.tables.negopoly import Table


def bought_listed_and_used() -> None:
    """Ana buys a Catapulte at the bar, and takes a house of Bob's three squares away, not one that is farther."""
    table = Table("ana", "bob")
    table.own("bob", "nuketown", "lbtrd_tower", houses=1)
    table.place("ana", 3)
    table.play("ana", "roll_dice", dice=[1, 1])
    assert "catapulte" in [move["commodity"] for move in table.offers("ana", "buy_weapon")]
    assert "catapulte" in [move["commodity"] for move in table.offers("ana", "buy_for_player")]
    bought = table.play("ana", "buy_weapon", commodity="catapulte")
    assert (table.holds("ana"), table.holds("ana", "catapulte"), table.holds("shop:bar", "catapulte")) == (
        1400,
        1,
        1,
    )
    speakers = RULEBOOK.language.speakers(table.state)
    assert say(bought[0], "en", speakers) == "Ana buys 1 × Catapulte for ₦250."
    there = table.state.positions["bob"]
    near = next(one.index for one in table.state.board if one.property == "nuketown") - 3
    table.place("ana", near)
    assert table.offers("ana", "throw_stone") == [{"title": "nuketown"}]
    (offered,) = (
        one
        for one in combine_moves(RULEBOOK, table.state, "ana", table.moves("ana"), "en")
        if one.kind == "throw_stone"
    )
    assert (offered.label.fr, offered.group.id) == ("Lancer une pierre sur Nuketown", "weapons")
    (rule,) = RULEBOOK.register.rules_of("throw_stone")
    table.refused("ana", "throw_stone", rule, title="lbtrd_tower")
    thrown = table.play("ana", "throw_stone", title="nuketown")
    assert say(thrown[0], "en", speakers) == "Ana throws a stone at Nuketown."
    assert say(thrown[0], "fr", speakers) == "Ana lance une pierre sur Nuketown."
    assert thrown[0].rule == rule
    assert table.holds("property:nuketown", "house") == 0
    assert table.holds("used", "catapulte") == 1
    assert table.state.positions["bob"] == there
    assert table.offers("ana", "throw_stone") == []


def known_to_register_statistics_and_bots() -> None:
    """The register says which actions carry the rule; the use counts; simulated games go on to the end."""
    (rule,) = RULEBOOK.register.rules_of("throw_stone")
    assert rule in RULEBOOK.register.rules_of("buy_weapon")
    assert "catapulte" in [counted.item for counted in TALLIES.counts["weapons_used"].of]
    players = tuple(Seat(name, name.capitalize()) for name in ("ana", "bob"))
    opening = Opening(players=players, settings=Settings(max_rounds=3), dice="service")
    plain = {
        **RULEBOOK.simulation.strategies,
        "ana": RULEBOOK.simulation.strategies["plain"],
        "bob": RULEBOOK.simulation.strategies["plain"],
    }
    assert not outcome_of(play(RULEBOOK, opening, seed=1, bots=plain.__getitem__)).unbalanced


if __name__ == "__main__":
    bought_listed_and_used()
    known_to_register_statistics_and_bots()
