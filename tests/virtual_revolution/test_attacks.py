"""Necro attacks: MINIMUM for all in order, payments in any order, GLOBAL, MAXIMUM."""

from __future__ import annotations

import pytest

from ledger.kernel.deciding.moves import moves
from ledger.kernel.facts.audience import BANKER
from ledger.rulebooks.virtual_revolution.attacks.attacks import AttackBegan, EffectsSummed, EffectUndergone
from ledger.rulebooks.virtual_revolution.decks.decking import NecroTurnedUp
from ledger.rulebooks.virtual_revolution.raids.losses import AgentDiscarded
from ledger.rulebooks.virtual_revolution.rulebook import RULEBOOK
from ledger.rulebooks.virtual_revolution.table.state import changed, servers_of, verses_of
from tests.virtual_revolution.ending import LAST, attack, end_round, events_of, stage
from tests.virtual_revolution.table import Table


def ranked(**things: int) -> Table:
    """A table at which ana has the lowest Revenue and cid the highest, and nobody has Immunity."""
    table = Table()
    for seat, revenue in (("ana", 3), ("bob", 5), ("cid", 8)):
        table.give(seat, revenue=revenue, immunity=0, **things)
    return table


def undergone(table: Table) -> list[tuple[str, str]]:
    """Who underwent what by the last action."""
    return [(event.part, event.seat) for event in events_of(table, EffectUndergone)]


@pytest.mark.rule("vr:necro.1")
def test_one_card_is_turned_up_after_the_raids() -> None:
    """It leaves play, face up; there is no second one in the round."""
    table = ranked()

    def offered() -> bool:
        found = moves(RULEBOOK, table.state, "", RULEBOOK.accounts.purse(""), BANKER, table.now)
        return "necro_attack" in [move.kind for move in found]

    table.refused(None, "necro_attack", "vr:necro.1", drawn=["chantage"])
    assert not offered()
    end_round(table)
    assert offered()
    table.banker("necro_attack", drawn=["chantage"])
    assert not offered()
    (turned,) = events_of(table, NecroTurnedUp)
    assert turned.card == "chantage"
    assert table.state.holdings.of("necro", "card:chantage") == 1
    table.refused(None, "necro_attack", "vr:necro.1", drawn=["revolte"])


@pytest.mark.rule("vr:necro.2")
@pytest.mark.rule("vr:necro.3")
@pytest.mark.rule("vr:necro.4")
@pytest.mark.rule("vr:necro_card.8")
def test_lowest_all_and_highest_undergo_their_effects() -> None:
    """Chantage: the lowest gains 5, all lose 5, the highest loses 10 more."""
    table = ranked(eurocredit=20)
    attack(table, "chantage")
    assert undergone(table) == [
        ("minimum", "ana"),
        ("global", "ana"),
        ("global", "bob"),
        ("global", "cid"),
        ("maximum", "cid"),
    ]
    assert [table.cash(seat) for seat in table.seats] == [20, 15, 5]


@pytest.mark.rule("vr:necro.5")
def test_with_equal_revenue_all_undergo_everything() -> None:
    """All of them are lowest and highest."""
    table = Table()
    for seat in table.seats:
        table.give(seat, immunity=0, eurocredit=20)
    attack(table, "chantage")
    assert [table.cash(seat) for seat in table.seats] == [10, 10, 10]


@pytest.mark.rule("vr:necro.6")
def test_two_tokens_avoid_global() -> None:
    """Open to everybody; MAXIMUM still hits."""
    table = ranked(eurocredit=20)
    table.give("bob", immunity=2)
    table.give("cid", immunity=2)
    attack(table, "chantage")
    table.refused("ana", "avoid_necro", "vr:necro.9", tokens=2)
    table.refused("cid", "avoid_necro", "vr:necro.7", tokens=1)
    table.play("bob", "avoid_necro", tokens=2)
    assert table.cash("ana") == 25
    table.play("cid", "avoid_necro", tokens=2)
    assert [table.cash(seat) for seat in table.seats] == [20, 20, 10]
    assert [table.immunity(seat) for seat in table.seats] == [0, 0, 0]


@pytest.mark.rule("vr:necro.7")
def test_three_tokens_avoid_global_and_maximum() -> None:
    """Refused to who is not hit by MAXIMUM; MINIMUM is never avoided."""
    table = ranked(eurocredit=20)
    table.give("bob", immunity=3)
    table.give("cid", immunity=3)
    attack(table, "chantage")
    table.refused("bob", "avoid_necro", "vr:necro.7", tokens=3)
    assert table.offers("bob", "avoid_necro") == [{"tokens": 0}, {"tokens": 2}]
    assert table.offers("cid", "avoid_necro") == [{"tokens": 0}, {"tokens": 2}, {"tokens": 3}]
    table.play("cid", "avoid_necro", tokens=3)
    table.play("bob", "avoid_necro", tokens=0)
    assert [table.cash(seat) for seat in table.seats] == [20, 15, 20]
    assert table.immunity("bob") == 3


@pytest.mark.rule("vr:necro.7")
def test_nobody_pays_with_tokens_that_are_not_there() -> None:
    """Two tokens are not three."""
    table = ranked()
    table.give("cid", immunity=2)
    attack(table, "chantage")
    table.refused("cid", "avoid_necro", "vr:necro.7", tokens=3)


@pytest.mark.rule("vr:necro.8")
def test_who_is_hit_is_found_before_any_effect() -> None:
    """Révélations changes Revenue: it is compared as it was when the card was turned up."""
    table = ranked()
    table.give("bob", revenue=4)
    attack(table, "revelations")
    (began,) = events_of(table, AttackBegan)
    assert (began.lowest, began.highest) == (("ana",), ("cid",))
    assert [table.revenue(seat) for seat in table.seats] == [3, 3, 5]


@pytest.mark.rule("vr:necro.9")
def test_payments_come_after_minimum_and_in_any_order() -> None:
    """A token just gained may be spent; players in turn order within each effect."""
    table = ranked()
    table.give("ana", immunity=1)
    table.give("bob", immunity=2)
    with table.arranged() as state:
        state.order = ("bob", "cid", "ana")
    attack(table, "corruption")
    assert table.immunity("ana") == 2
    assert table.state.attack is not None
    assert table.state.attack.paying == ("bob", "ana")
    table.play("ana", "avoid_necro", tokens=2)
    table.refused("ana", "avoid_necro", "vr:necro.9", tokens=0)
    table.play("bob", "avoid_necro", tokens=0)
    table.refused("cid", "resolve_necro_effect", "vr:necro.10")
    table.play("bob", "resolve_necro_effect", drawn=["verse_1"])
    table.play("cid", "resolve_necro_effect", drawn=["verse_2"])
    assert (table.hand("bob"), table.hand("cid"), table.hand("ana")) == (["verse_1"], ["verse_2"], [])


@pytest.mark.rule("vr:necro.9")
@pytest.mark.rule("vr:necro_card.6")
def test_simultaneous_effects_are_summed_up() -> None:
    """Révélations with equal Revenue: plus 1, minus 1 and minus 2 are minus 2 at once; payments come first."""
    table = Table()
    table.give("ana", immunity=3, revenue=1)
    table.give("bob", immunity=0, revenue=1)
    table.give("cid", immunity=0, revenue=1)
    attack(table, "revelations")
    assert [table.revenue(seat) for seat in table.seats] == [1, 1, 1]
    table.play("ana", "avoid_necro", tokens=3)
    assert [event.hit for event in events_of(table, EffectsSummed)] == [
        ("minimum",),
        ("minimum", "global", "maximum"),
        ("minimum", "global", "maximum"),
    ]
    assert [table.revenue(seat) for seat in table.seats] == [2, 0, 0]


@pytest.mark.rule("vr:necro.10")
def test_what_a_player_does_not_have_is_not_lost() -> None:
    """Chantage takes the last 3 eurocredits, and no more."""
    table = ranked(eurocredit=3)
    attack(table, "chantage")
    assert [table.cash(seat) for seat in table.seats] == [3, 0, 0]


@pytest.mark.rule("vr:necro.10")
@pytest.mark.rule("vr:necro_card.10")
def test_the_player_chooses_what_is_lost() -> None:
    """Assassinat: one Agent in service for each, one more for the highest; ana gains Immunity."""
    table = ranked()
    table.give("bob", service=["leslie"])
    table.give("cid", service=["pixel", "lance", "delta"])
    attack(table, "assassinat")
    assert table.immunity("ana") == 1
    assert [event.agent for event in events_of(table, AgentDiscarded)] == ["leslie"]
    table.refused("cid", "resolve_necro_effect", "vr:necro_card.10")
    table.refused("cid", "resolve_necro_effect", "vr:necro_card.10", lose="card:leslie")
    table.refused("bob", "resolve_necro_effect", "vr:necro.10", lose="card:pixel")
    assert {"lose": "card:lance"} in table.offers("cid", "resolve_necro_effect")
    table.play("cid", "resolve_necro_effect", lose="card:lance")
    table.play("cid", "resolve_necro_effect", lose="pixel")
    assert list(table.state.holdings.account("service:cid")) == ["card:delta"]
    assert stage(table) == "order"


@pytest.mark.rule("vr:necro.11")
def test_changed_actions_hold_for_the_next_round_only() -> None:
    """The marker is for round 2: neither for this round nor for the one after."""
    table = ranked()
    attack(table, "perturbation_transports")
    assert changed(table.state, "cid", "create_verse") == []
    with table.arranged() as state:
        state.round = 2
    assert [one.price for one in changed(table.state, "cid", "create_verse")] == [14]
    assert changed(table.state, "bob", "create_verse") == []
    with table.arranged() as state:
        state.round = 3
    assert changed(table.state, "cid", "create_verse") == []


@pytest.mark.rule("vr:necro_card.1")
def test_the_card_corruption() -> None:
    """The lowest gains Immunity, all draw a card, recruiting costs the highest 8."""
    table = ranked()
    attack(table, "corruption")
    assert table.immunity("ana") == 1
    for seat, card in (("ana", "verse_1"), ("bob", "verse_2"), ("cid", "verse_3")):
        table.play(seat, "resolve_necro_effect", drawn=[card])
        assert table.hand(seat) == [card]
    assert [(one.seat, one.action, one.price) for one in table.state.changed] == [("cid", "recruit_agent", 8)]


@pytest.mark.rule("vr:necro_card.2")
def test_the_card_insurrections() -> None:
    """Donations cost 2, 4 and 4 for all; building costs the highest 20."""
    table = ranked()
    attack(table, "insurrections")
    assert table.immunity("ana") == 1
    donations = [one for one in table.state.changed if one.action == "make_donation"]
    assert [(one.seat, one.price_1, one.price_2, one.price_immunity) for one in donations] == [
        ("ana", 2, 4, 4),
        ("bob", 2, 4, 4),
        ("cid", 2, 4, 4),
    ]
    assert [(one.seat, one.price) for one in table.state.changed if one.action == "build_server"] == [("cid", 20)]


@pytest.mark.rule("vr:necro_card.3")
def test_the_card_perturbation_des_transports() -> None:
    """Work brings all 3; a Verse costs the highest 14."""
    table = ranked()
    attack(table, "perturbation_transports")
    assert table.immunity("ana") == 1
    work = [(one.seat, one.gain) for one in table.state.changed if one.action == "work"]
    assert work == [("ana", 3), ("bob", 3), ("cid", 3)]
    assert [(one.seat, one.price) for one in table.state.changed if one.action == "create_verse"] == [("cid", 14)]


@pytest.mark.rule("vr:necro_card.4")
def test_the_card_detournement_de_fonds() -> None:
    """The lowest gains Revenue; all keep 5 eurocredits at most, the highest none."""
    table = ranked(eurocredit=12)
    table.give("bob", immunity=2)
    attack(table, "detournement")
    assert table.revenue("ana") == 3
    table.play("bob", "avoid_necro", tokens=2)
    assert table.revenue("ana") == 4
    assert [table.cash(seat) for seat in table.seats] == [5, 12, 0]


@pytest.mark.rule("vr:necro_card.5")
def test_the_card_denonciation_anonyme() -> None:
    """The lowest discards a Corruption card of choice; all lose a token, the highest two more."""
    table = ranked()
    table.give("ana", hand=["verse_1", "agent_1"])
    table.put("ana", influence={4: 1})
    table.put("cid", influence={5: 2, 6: 2})
    attack(table, "denonciation")
    table.refused("ana", "resolve_necro_effect", "vr:necro_card.5", lose="verse_2")
    table.play("ana", "resolve_necro_effect", lose="agent_1")
    assert table.hand("ana") == ["verse_1"]
    assert "agent_1" not in str([(event, event.postings) for event in table.seen_by("bob")])
    assert table.tokens("ana", 4) == 0
    table.play("cid", "resolve_necro_effect", lose="arrondissement:5")
    table.play("cid", "resolve_necro_effect", lose="arrondissement:6")
    table.play("cid", "resolve_necro_effect", lose="arrondissement:6")
    assert (table.tokens("cid", 5), table.tokens("cid", 6)) == (1, 0)
    assert table.state.holdings.of("recycling", "influence:cid") == 3


@pytest.mark.rule("vr:necro_card.7")
def test_the_card_revolte_populaire() -> None:
    """The lowest discards one of choice, all draw one, the highest two more."""
    table = ranked()
    table.give("ana", hand=["verse_1"])
    attack(table, "revolte")
    assert table.hand("ana") == []
    table.play("ana", "resolve_necro_effect", drawn=["agent_1"])
    table.play("bob", "resolve_necro_effect", drawn=["agent_2"])
    table.play("cid", "resolve_necro_effect", drawn=["agent_3"])
    table.play("cid", "resolve_necro_effect", drawn=["server_1", "server_2"])
    assert [len(table.hand(seat)) for seat in table.seats] == [1, 1, 3]


@pytest.mark.rule("vr:necro_card.9")
def test_the_card_ia_agressive() -> None:
    """All discard a Verse, online or not, the highest one more; the lowest gains Immunity."""
    table = ranked()
    table.give("bob", verses=["exoplanet"])
    table.give("cid", verses=["westland"], online=["the_codex", "multiverse"])
    attack(table, "ia_agressive")
    assert table.immunity("ana") == 1
    assert verses_of(table.state, "bob") == []
    table.play("cid", "resolve_necro_effect", lose="the_codex")
    table.play("cid", "resolve_necro_effect", lose="westland")
    assert verses_of(table.state, "cid") == ["multiverse"]


@pytest.mark.rule("vr:necro_card.11")
@pytest.mark.rule("vr:boost.2")
@pytest.mark.rule("vr:boost.3")
def test_the_card_elimination() -> None:
    """All discard a Boost, card or Agent, the highest one more; the lowest gains Immunity."""
    table = ranked()
    table.give("bob", boosts=["boost_work"])
    table.give("cid", boosts=["leslie", "boost_recruit", "boost_donation"])
    attack(table, "elimination")
    assert table.immunity("ana") == 1
    assert "boost_work" in table.available()
    table.play("cid", "resolve_necro_effect", lose="leslie")
    assert table.state.holdings.of("discard:agents", "card:leslie") == 1
    table.play("cid", "resolve_necro_effect", lose="boost_recruit")
    assert list(table.state.holdings.account("boosts:cid")) == ["card:boost_donation"]


@pytest.mark.rule("vr:necro_card.12")
def test_the_card_virus_informatique() -> None:
    """All their Verses are capped at 8; the highest discards a Server, or loses 5 points without one."""
    table = ranked()
    table.put("cid", servers=[5, 9])
    attack(table, "virus", number=LAST)
    caps = [(one.seat, one.line, one.amount) for one in table.state.changes if one.is_cap]
    assert caps == [("ana", "verse", 8), ("bob", "verse", 8), ("cid", "verse", 8)]
    table.play("cid", "resolve_necro_effect", lose="server:5")
    assert servers_of(table.state, "cid") == [9]
    bare = ranked()
    attack(bare, "virus", number=LAST)
    assert [(one.seat, one.line, one.amount) for one in bare.state.changes][-1] == ("cid", "points", -5)


@pytest.mark.rule("vr:necro_card.13")
def test_the_card_sabotage_du_nouvel_an() -> None:
    """All their Objectives are capped at 25; the trios of the highest bring 3 instead of 5."""
    table = ranked()
    attack(table, "sabotage", number=LAST)
    assert [(one.seat, one.line, one.amount) for one in table.state.changes] == [
        ("ana", "objective", 25),
        ("bob", "objective", 25),
        ("cid", "objective", 25),
        ("cid", "agent_trio", -2),
    ]


@pytest.mark.rule("vr:necro_card.14")
def test_the_card_fusillade() -> None:
    """Titles bring all 7 instead of 10; the highest loses all tokens of two arrondissements."""
    table = ranked()
    table.put("cid", influence={5: 3, 6: 1, 9: 2})
    attack(table, "fusillade", number=LAST)
    assert [one.amount for one in table.state.changes if one.line == "title"] == [-3, -3, -3]
    table.play("cid", "resolve_necro_effect", lose="arrondissement:5")
    table.play("cid", "resolve_necro_effect", lose="arrondissement:9")
    assert [table.tokens("cid", place) for place in (5, 6, 9)] == [0, 1, 0]


@pytest.mark.rule("vr:endgame.4")
def test_the_last_card_is_avoided_like_the_others() -> None:
    """Two tokens against GLOBAL, three against both; the scores of the others change alone."""
    table = ranked()
    table.give("bob", immunity=2)
    table.give("cid", immunity=3)
    attack(table, "sabotage", number=LAST)
    table.play("bob", "avoid_necro", tokens=2)
    table.play("cid", "avoid_necro", tokens=3)
    assert [(one.seat, one.line) for one in table.state.changes] == [("ana", "objective")]


@pytest.mark.rule("vr:title.13")
def test_the_title_keeps_an_agent_in_an_attack() -> None:
    """Even the only Agent waits for its player then."""
    table = ranked()
    table.give("bob", service=["leslie"], titles=["QL"])
    for place in table.state.edition.pieces.members["QL"]:
        table.put("bob", influence={place: 1})
    attack(table, "assassinat")
    assert table.offers("bob", "resolve_necro_effect") == [{}, {"protect": "card:leslie"}]
    table.play("bob", "resolve_necro_effect", protect="leslie")
    assert table.state.holdings.of("service:bob", "card:leslie") == 1
    assert "title:QL" in table.state.tilted


@pytest.mark.rule("vr:necro.1")
def test_the_service_turns_up_the_card_by_itself() -> None:
    """Where the service draws, the attack and the upkeep need nobody."""
    table = Table(dice="service")
    for seat in table.seats:
        table.give(seat, immunity=0)
    end_round(table)
    assert table.state.attack is not None or stage(table) in {"order", "turn"}
    assert sum(table.state.holdings.account("necro").values()) == 1


@pytest.mark.rule("vr:necro.10")
@pytest.mark.rule("vr:secrecy.4")
def test_an_only_card_is_discarded_unseen_by_whoever_answers_before() -> None:
    """Ana chooses among two; bob's only card goes by itself with her answer, and she does not see it."""
    table = Table()
    for seat in table.seats:
        table.give(seat, immunity=0, revenue=9 if seat == "cid" else 4)
    table.give("ana", hand=["verse_1", "agent_1"])
    table.give("bob", hand=["server_1"])
    attack(table, "revolte")
    table.play("ana", "resolve_necro_effect", lose="verse_1")
    assert (table.hand("ana"), table.hand("bob")) == (["agent_1"], [])
    assert "server_1" not in str([(event, event.postings) for event in table.seen_by("ana")])
