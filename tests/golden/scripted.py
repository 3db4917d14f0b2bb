"""Scripted games, with actions that neither bots nor recorded games perform, such as all rulings."""

from __future__ import annotations

from ledger.kernel.journal.entry import canonical
from tests.golden.scripted_monopoly import (
    customs_of_the_town,
    from_two_seasons,
    hour_in_the_town,
    quay_of_their_own,
    quay_with_effects,
    season_of_equals,
    table_ruled_on,
    throw_misread,
    town_of_all_effects,
    town_of_promises,
    up_to_the_spices,
)
from tests.tables import negoces2, negopoly


def quarrel_at_the_market() -> list[bytes]:
    """Négoces 2: the last winner opens, and the banker uses every remedy."""
    table = negoces2.Table("laid", settings={"last_winners": ["bob"]})
    table.banker("set_starter", winner="bob")
    table.banker("deal_goods", series={"ana": [1, 2], "bob": [3, 4], "cid": [5, 6], "dan": [7, 8]})
    table.auction("bob", 1)
    table.play("bob", "hide_coins", coins=4)
    table.play("bob", "show_coins", coins=1)
    table.sells("bob", "good:3", "down")
    table.offering("ana", "good:1", coins=2)
    table.offering("cid", coins=1)
    table.accepts("bob", "ana")
    accepted = table.number
    table.play("ana", "open_dispute", claim="I had said without the coins", actions=[accepted])
    dispute = str(table.number)
    table.play("bob", "add_statement", dispute=dispute, text="She had not.")
    adjusted = {"commodity": "coin", "from": "coins_visible:bob", "to": "coins_visible:ana", "amount": 1}
    table.banker(
        "rule",
        dispute=dispute,
        finding="One coin each, and no shouting.",
        rules=["negoces2:banker.2"],
        remedies=[
            {"op": "adjust", "reason": "a coin too many", "postings": [adjusted]},
        ],
    )
    table.banker("publish_rulings", published=True)
    table.play("cid", "open_dispute", claim="My offer was better", actions=[accepted])
    table.play("cid", "withdraw_dispute", dispute=str(table.number))
    table.play("dan", "open_dispute", claim="Bob showed a coin out of turn", actions=[table.number - 3])
    table.banker("rule", dispute=str(table.number), finding="He may.", remedies=[{"op": "dismiss"}])
    return [canonical(entry) for entry in table.journal]


def bidding_set_right() -> list[bytes]:
    """Négoces 2: the banker says whose turn it is in the auction."""
    table = negoces2.Table("auction")
    table.play("ana", "bid", amount=1)
    table.banker("rule", finding="Bob had left the room.", remedies=[{"op": "set_turn", "seat": "cid"}])
    table.play("cid", "bid", amount=2)
    return [canonical(entry) for entry in table.journal]


def sales_that_came_to_nothing() -> list[bytes]:
    """Négoces 2: a withdrawal and a choice are dropped; the sales after them count as the table played them."""
    table = negoces2.Table("auction")
    table.auction("ana", 3)
    left = table.number
    table.passes("ana", "bob", "good:2")
    table.sells("bob", "good:2", "down")
    table.play("bob", "force_sale", card="good:3")
    table.play("bob", "announce_good", good=8)
    table.play("bob", "choose_card", owner="dan")
    chosen = table.number
    table.passes("dan", "cid", "good:7")
    for number in (left, chosen):
        edits = [{"op": "drop", "action": number}]
        table.banker("correct", edits=edits, cascade="restate", reason="it was never said")
    return [canonical(entry) for entry in table.journal]


def table_set_right() -> list[bytes]:
    """Negopoly: the banker sets everything that a ruling may set, and keeps what came after a purchase."""
    table = negopoly.Table("ana", "bob", decks=True)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "buy_property")
    bought = table.number
    title = "black_arretxea"
    table.play("ana", "build_house", title=title)
    hack = {"seat": "bob", "service": "hack", "target": "ana"}
    negopoly.ruled(
        table,
        {"op": "mortgage", "title": title, "paid": True},
        {"op": "unmortgage", "title": title, "paid": True},
        {"op": "set_charges", "title": title, "seat": "bob", "round": 1, "amount": 2},
        {"op": "set_rackets", "seat": "bob", "amount": 1},
        {"op": "set_k9", "round": 2},
        {"op": "grant_service", **hack},
        {"op": "grant_service", **hack},
        {"op": "withdraw_service", **hack},
        {"op": "set_weather", "cards": ["meteo_03", "meteo_01"]},
        {"op": "set_turn", "seat": "bob", "round": 2},
    )
    edits = [{"op": "drop", "action": bought}]
    table.banker("correct", edits=edits, cascade="keep", reason="it was never paid")
    return [canonical(entry) for entry in table.journal]


def turns_settled() -> list[bytes]:
    """Negopoly: corrections in which the game answers, resolves, forgoes, exchanges and ends turns by itself."""
    table = negopoly.Table("ana", "bob", decks=True)
    for seat, dice in (("ana", [2, 4]), ("bob", [2, 4]), ("ana", [1, 2]), ("bob", [2, 3])):
        table.play(seat, "roll_dice", dice=dice)
        table.play(seat, "end_turn")
    table.play("ana", "roll_dice", dice=[2, 3])
    first = 7
    order = {"kind": "set_turn_order", "params": {"order": ["bob", "ana"]}}
    for edit in (
        {"op": "replace", "action": first, "params": {"dice": [3, 4]}},
        {"op": "drop", "action": first + 2},
        {"op": "drop", "action": first + 5},
        {"op": "insert", "after": 2, "action": order},
    ):
        table.banker("correct", edits=[edit], cascade="restate", reason="as it was")
    return [canonical(entry) for entry in table.journal]


def older_parameters() -> list[bytes]:
    """Negopoly: parameters under the names that they had first, in plays, corrections, a dispute and a ruling."""
    table = negopoly.Table("ana", "bob", "cleo", perks={"bob": "doses", "cleo": "trottinette"})
    table.turn("ana", 3, 4)
    table.turn("bob", 3, 5, then=(("buy_property", {}),))
    table.play("cleo", "use_vehicle", vehicle="trottinette", die=2)
    table.turn("cleo", 2, 3)
    table.play("ana", "roll_dice", dice=[3, 5])
    table.play("ana", "buy_for_player", to="bob", item="exosquelette", quantity=1)
    gift = table.number
    table.play("ana", "buy_vehicle", vehicle="trottinette")
    bought = table.number
    table.play("ana", "end_turn")
    table.play("bob", "consume_dose", die=3)
    dose = table.number
    table.turn("bob", 2, 3)
    table.play("bob", "post_bounty", amount=50, conditions="who brings me a dose")
    bounty = str(table.number)
    table.banker("approve_bounty", bounty=bounty, accept=True)
    table.play("cleo", "claim_bounty", bounty=bounty, account="I gave it to him")
    told = table.number
    replaced = {"op": "replace", "action": gift, "params": {"to": "cleo", "item": "exosquelette", "quantity": 1}}
    vehicle = {"kind": "buy_vehicle", "seat": "ana", "params": {"vehicle": "exosquelette"}}
    table.banker(
        "correct",
        edits=[replaced, {"op": "insert", "after": bought, "action": vehicle}],
        cascade="restate",
        reason="it was for Cleo, and Ana bought one as well",
    )
    thrown = {"op": "replace", "action": dose, "params": {"die": 4}}
    table.play("bob", "open_dispute", claim="My die was a four", actions=[dose], edits=[thrown])
    dispute = str(table.number)
    account = {"bounty": bounty, "account": "I gave him two"}
    table.banker(
        "rule",
        dispute=dispute,
        finding="It was a four, and it was two doses.",
        remedies=[
            {"op": "correct", "edits": [thrown, {"op": "replace", "action": told, "params": account}]},
        ],
    )
    return [canonical(entry) for entry in table.journal]


SCRIPTED = {
    "quarrel_at_the_market": quarrel_at_the_market,
    "bidding_set_right": bidding_set_right,
    "sales_that_came_to_nothing": sales_that_came_to_nothing,
    "table_set_right": table_set_right,
    "turns_settled": turns_settled,
    "older_parameters": older_parameters,
    "quay_of_their_own": quay_of_their_own,
    "quay_with_effects": quay_with_effects,
    "town_of_all_effects": town_of_all_effects,
    "town_of_promises": town_of_promises,
    "hour_in_the_town": hour_in_the_town,
    "season_of_equals": season_of_equals,
    "throw_misread": throw_misread,
    "up_to_the_spices": up_to_the_spices,
    "from_two_seasons": from_two_seasons,
    "customs_of_the_town": customs_of_the_town,
    "table_ruled_on": table_ruled_on,
}
