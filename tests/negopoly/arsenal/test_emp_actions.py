"""IX.C.24, IX.C.25 and IX.C.27. The Bombe IEM: the player actions that it forbids, limits, or leaves alone."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from ledger.rulebooks.negopoly.table.pieces import ARSENAL
from tests.tables.negopoly import Table

NEAR = {"mortgage_property", "destroy_house", "fire_rpg", "fire_artillery", "use_glock", "send_delivery"}
"""The actions that reach only the player's own square (IX.C.25)."""
OFF = {
    # what squares allow (IX.C.24)
    *(
        "buy_property",
        "decline_property",
        "unmortgage_property",
        "force_buyback",
        "evict_squatters",
        "build_house",
    ),
    *("buy_doses", "sell_doses", "buy_licence", "buy_prescription", "buy_prison_racket", "pay_bail"),
    *("sell_item_to_police", "bribe_k9", "buy_kamtar_card", "buy_vehicle", "buy_weapon", "buy_for_player"),
    *("attack_property", "squat_property", "take_service"),
    # what reaches beyond one's own square (IX.C.25)
    *("quarter_teleport", "use_kidnapping", "fire_mortar", "fire_rods", "use_game_ender"),
    # charges (IX.C.27)
    *("place_c4", "remove_c4", "detonate_c4"),
}
"""The player actions that a Bombe IEM forbids everywhere."""
LEFT = {
    # what is said, owed and agreed, from wherever one is
    *("transfer_money", "take_loan", "repay_loan", "post_bounty", "claim_bounty", "register_contract"),
    *("agree_contract", "propose_deal", "agree_deal", "break_deal", "sell_property", "open_dispute"),
    *("delegate_unmortgage", "revoke_delegation", "waive_police", "revoke_waiver", "start_meeting"),
    # what one does with oneself
    *("consume_dose", "roll_dice", "resolve_square", "end_turn", "use_vehicle", "use_prescription", "play_card"),
    *("use_ar15", "use_emp"),
}
"""The player actions that it leaves alone."""
HELD = (
    *ARSENAL,
    *("kidnapping", "ordonnance", "dose", "automobile"),
)
ELSEWHERE = {
    *("join_game", "choose_starter_perk", "declare_bankruptcy", "answer", "join_meeting", "leave_meeting"),
    *("add_statement", "withdraw_dispute", "report_breach", "withdraw_contract", "withdraw_deal"),
}
"""The player actions of moments that this test does not set up."""


def laid_out(square: int, *, bomb: bool) -> Table:
    """Bob's turn, starting on his Négoplaza, with something in hand or agreed for every action.

    For another square he rolls two ones onto it. Cleo is on the same square, and Ana is on the next one.
    """
    settings = {"prison_bail": 10, "decks": {"chance": [], "meteo": []}}
    table = Table("bob", "ana", "cleo", decks=True, settings=settings)
    table.own("bob", *QUARTERS["bleu_fonce"], *QUARTERS["orange"], *QUARTERS["vert"], houses=1)
    table.own("bob", "17_rue_des_patates", mortgaged=True)
    table.own("ana", "69_rue_des_patates", houses=1)
    table.own("ana", "nuketown", mortgaged=True)
    table.attach("nuketown", "squat")
    table.attach("69_rue_des_patates", "charge:bob:1")
    for commodity in HELD:
        table.give("bob", commodity)
    table.give("bob", "NGD", 9000)
    table.hand("bob", "kamtar_11")
    table.play("bob", "take_loan", amount=100)
    table.play("bob", "waive_police", target="ana", measure="check")
    table.play("bob", "delegate_unmortgage", title="17_rue_des_patates", to="ana")
    table.play("ana", "propose_deal", parties=["bob"], clauses=["peace"])
    table.play("bob", "agree_deal", deal=str(table.number))
    table.play("ana", "propose_deal", parties=["bob"], clauses=["war"])
    table.play("ana", "register_contract", parties=["bob"], clauses=["peace"], rounds=2)
    table.play("ana", "post_bounty", amount=5, conditions="the light comes back")
    table.banker("approve_bounty", bounty=str(table.number), accept=True)
    with table.arranged() as state:
        assert state.turn is not None
        state.round, state.missed = 3, {"bob": 1}
        state.turn = replace(state.turn, started_on=37)
        state.positions.update(bob=37, cleo=square, ana=(square + 1) % 40)
        state.blackouts = {"ana"} if bomb else set()
    if square != 37:
        table.place("bob", (square - 2) % 40)
        table.play("bob", "roll_dice", dice=[1, 1])
    return table


@pytest.mark.rule("IX.C.24", "IX.C.25", "IX.C.27")
def test_every_action_of_a_player_is_switched_off_or_shortened_or_left() -> None:
    """Bob could do every action without the bomb; with it he is offered only what the bomb allows.

    Before his roll at home, then on Spawn, the bar, Ana's street, Prison, Hôpital, an unsold title, Comico, the
    Kamtar, and his own tower: all actions offered there, with another player on his square.
    """
    squares = (37, 0, 5, 8, 10, 20, 26, 30, 35, 39)
    light, dim = (
        {move.kind for square in squares for move in laid_out(square, bomb=bomb).moves("bob")}
        for bomb in (False, True)
    )
    everything = {kind for kind, action in RULEBOOK.actions.items() if "player" in action.by}
    assert everything >= OFF | NEAR | LEFT | ELSEWHERE
    assert light >= OFF | NEAR | LEFT
    assert dim >= NEAR | LEFT
    assert not dim & OFF
    assert dim <= light
    table = laid_out(39, bomb=True)
    table.refused("bob", "bribe_k9", "IX.C.24")
    table.refused("bob", "fire_rods", "IX.C.25", quarter="vert")
    table.refused("bob", "detonate_c4", "IX.C.27", title="69_rue_des_patates")
    alone = laid_out(13, bomb=True)
    alone.place("cleo", 14)
    assert not NEAR & {move.kind for move in alone.moves("bob")}
