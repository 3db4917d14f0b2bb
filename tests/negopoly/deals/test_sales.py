"""I.A.1, V.A.6 and V.D.3. Sales of titles between players: when, and who gets the rent then."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.journal.sight import visible_holdings
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from ledger.rulebooks.negopoly.table.terms import deed
from tests.tables.negopoly import CYAN, STREET, Table, at_the_bar, kinds, quiet_turns, sold, stop_on


@pytest.mark.rule("IX.C.29", "V.B.9", "I.A.1.1", "V.A.2")
def test_a_sale_agreed_too_late_sells_nothing() -> None:
    """Bob offers Cleo his Négotown for 90 ₦; before she agrees Ana's Rods raze Marron. Nothing is paid.

    The title is the bank's, and Cleo may buy it there for 60 ₦ when she stops on it.
    """
    table = Table("ana", "bob", "cleo")
    table.own("bob", "negotown", houses=2)
    table.give("ana", "rods_from_gods")
    table.play("bob", "sell_property", title="negotown", to="cleo", price=90)
    deal = str(table.number)
    stop_on(table, "ana", 13)
    table.play("ana", "fire_rods", quarter="marron")
    table.refused("cleo", "agree_deal", "I.A.1.1", deal=deal)
    assert (table.holds("bob"), table.holds("cleo")) == (1650, 1650)
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    stop_on(table, "cleo", 1)
    table.play("cleo", "buy_property", title="negotown")
    assert (table.owner("negotown"), table.holds("cleo")) == ("cleo", 1650 + 250 - 60)


@pytest.mark.rule("V.E.1", "V.E.2", "V.E.11", "IX.C.4", "I.A.1.1", "I.C.6")
def test_a_quarter_lent_for_one_purchase_is_complete_for_it_and_lost_with_the_title() -> None:
    """At the bar Bob lends Ana the Jaune title she lacks, for 10 ₦, and has it back after one purchase.

    Her first Glock costs 150 ₦; the title returned, the last one costs 250 ₦, a quarter up and none down. Cleo
    reads that a title went to and fro, and Jaune with it, and nothing of the 10 ₦ or of the Glocks.
    """
    jaune = QUARTERS["jaune"]
    table = Table("ana", "bob", "cleo")
    table.own("ana", *jaune[:2])
    table.own("bob", jaune[2])
    at_the_bar(table, "ana")
    sold(table, "bob", "ana", jaune[2], 10)
    assert kinds(table.seen_by("cleo")) == ["title_transferred", "quarter_gained"]
    table.play("ana", "buy_weapon", commodity="glock26")
    assert table.seen_by("cleo") == []
    assert (table.holds("ana"), table.holds("bob")) == (1650 - 10 - 150, 1650 + 10)
    sold(table, "ana", "bob", jaune[2])
    assert kinds(table.seen_by("cleo")) == ["title_transferred", "quarter_lost"]
    table.play("ana", "buy_weapon", commodity="glock26")
    assert (table.holds("ana"), table.holds("ana", "glock26")) == (1650 - 10 - 150 - 250, 2)
    assert visible_holdings(RULEBOOK.secrets, table.state, "player:ana", Viewer("player", "cleo")) == {
        deed(title): 1 for title in jaune[:2]
    }


@pytest.mark.rule("V.A.6", "V.E.2", "V.E.6", "I.A.1.1", "V.D.3")
def test_a_street_sold_under_a_visitor_pays_its_new_owner_and_gives_no_dose_any_more() -> None:
    """Bob stops on Ana's complete Cyan; before the rent is paid she sells that street to Cleo for 90 ₦.

    The rent of 6 ₦ is Cleo's, whose street it is when it is paid, and the quarter's dose is gone with the quarter.
    Had she sold it to Bob himself, as both may agree, there would be no rent at all.
    """
    for buyer, bobs, cleos in (("cleo", 1650 - 6, 1650 - 90 + 6), ("bob", 1650 - 90, 1650)):
        table = Table("ana", "bob", "cleo")
        table.own("ana", *CYAN)
        with table.arranged() as state:
            state.quarters["cyan"] = "ana"
        quiet_turns(table, "ana")
        stop_on(table, "bob", 6)
        assert kinds(sold(table, "ana", buyer, STREET, 90))[-1] == "quarter_lost"
        table.play("bob", "resolve_square")
        assert [table.holds(seat) for seat in ("ana", "bob", "cleo")] == [1740, bobs, cleos]
        assert table.holds("bob", "dose") == 0


@pytest.mark.rule("V.A.6", "II.B.7")
@pytest.mark.parametrize(
    ("how", "bobs"), [("home", 1650), ("ruling", 1650), ("buy_property", 1550), ("force_buyback", 1450)]
)
def test_nobody_owes_rent_for_a_stop_on_what_was_theirs_or_nobodys(how: str, bobs: int) -> None:
    """Bob stops at home, or on the bank's street and buys it, or on Ana's mortgaged one and takes it by force.

    On the spot he, or the banker, sells it to Cleo for 500 ₦: he fell on no street of hers and owes her nothing.
    On his next stop he does: 270 ₦ where three houses stand, 6 ₦ on the bare street.
    """
    table = Table("ana", "bob", "cleo")
    if how in {"home", "ruling"}:
        table.own("bob", STREET, houses=3)
    elif how == "force_buyback":
        table.own("ana", STREET, houses=3, mortgaged=True)
    quiet_turns(table, "ana")
    stop_on(table, "bob", 6)
    if how in {"buy_property", "force_buyback"}:
        table.play("bob", how, title=STREET)
    if how == "ruling":
        sale = {"op": "forced_sale", "title": STREET, "buyer": "cleo", "price": 500}
        table.banker("rule", finding="so agreed", remedies=[sale])
    else:
        sold(table, "bob", "cleo", STREET, 500)
    assert kinds(table.play("bob", "resolve_square")) == ["square_resolved"]
    assert (table.holds("bob"), table.holds("cleo")) == (bobs + 500, 1150)
    table.play("bob", "end_turn")
    quiet_turns(table, "cleo", "ana")
    stop_on(table, "bob", 6)
    table.play("bob", "resolve_square")
    rent = 6 if how == "buy_property" else 270
    assert (table.holds("bob"), table.holds("cleo")) == (bobs + 500 - rent, 1150 + rent)
