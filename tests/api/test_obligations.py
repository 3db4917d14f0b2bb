"""Who owes whom: rents, loans, deals, offers under a veil, a throw; at any moment, in both languages.

Every reading tells the same: the list, the state, statements, moves, the origin of an amount, previews.
"""

from __future__ import annotations

import csv
import io
import re
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient

from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.store import Store
from tests.tables.ledgers import Clock, chance_of_a_test
from tests.tables.negoces2 import SEATS, SERIES
from tests.tables.over_http import Caller, HttpTable, problem

QUICK = {"throw_for_order": False, "tokens_chosen": False, "elected_banker": False}


@pytest.fixture(scope="module")
def ledger(store: Store, _time: Clock) -> Ledger:
    """A ledger of all games."""
    return Ledger(store, rulebooks_by_id(), clock=_time, chance=chance_of_a_test())


@pytest.fixture
def bound(client: FlaskClient) -> HttpTable:
    """Ana borrows 200 ₦ (action 9), and Bob owes her 2 doses by a deal (11). Cid only looks on."""
    table = HttpTable.created(client, "ana", "bob", "cid").start()
    table.ana.play("take_loan", amount=200)
    dose = {"commodity": "dose", "amount": 2, "from": "bank", "to": "player:bob"}
    found = {"finding": "Bob found them", "remedies": [{"op": "adjust", "postings": [dose], "reason": "a find"}]}
    assert table.banker.post("rulings", found).status_code == 201
    leg = {"giver": "bob", "taker": "ana", "commodity": "dose", "amount": 2}
    deal = table.ana.play("propose_deal", legs=[leg], clauses=[])["number"]
    table.bob.play("agree_deal", deal=str(deal))
    return table


def listed(caller: Caller, query: str = "", **headers: str) -> list[dict[str, Any]]:
    """The obligations that a caller reads."""
    answer = caller.get(f"obligations{query}", **headers)
    assert answer.status_code == 200, answer.text
    rows: list[dict[str, Any]] = answer.json["obligations"]
    return rows


def said(rows: list[dict[str, Any]]) -> list[str]:
    """The sentences of obligations."""
    return [row["text"] for row in rows]


def settled(caller: Caller, kind: str) -> list[list[str]]:
    """What the moves of a kind settle, move by move and option by option."""
    moves = [move for move in caller.get("moves").json["moves"] if move["kind"] == kind]
    options = [option for move in moves for option in move.get("choice", {}).get("options", ())]
    return [said(item["settles"]) for item in (*moves, *options) if "settles" in item]


def previewed(table: HttpTable, correction: dict[str, Any]) -> list[dict[str, Any]]:
    """The obligations that a correction would change, as the banker reads them."""
    answer = table.banker.post("corrections", {**correction, "dry_run": True})
    assert answer.status_code == 200, answer.text
    rows: list[dict[str, Any]] = answer.json["obligations"]
    return rows


def kinds(caller: Caller, query: str = "") -> list[str]:
    """The kinds of the obligations that a caller reads."""
    return [row["kind"] for row in listed(caller, query)]


# Monopoly Naruto --------------------------------------------------------------------------------------------


@pytest.fixture
def landed(client: FlaskClient) -> HttpTable:
    """Ana has bought the third square, and Bob stops there: he may be asked for the rent."""
    table = HttpTable.created(client, "ana", "bob", rulebook="monopoly_naruto", settings=QUICK)
    for deck in rulebooks_by_id()["monopoly_naruto"].screen.components()["decks"]:
        if not deck["faces"]:
            table.banker.play("shuffle_deck", deck=deck["id"])
    table.banker.play("start_game")
    table.ana.play("roll_and_move", dice=[1, 2])
    table.ana.play("buy_property")
    table.ana.play("end_turn")
    table.bob.play("roll_and_move", dice=[1, 2])
    return table


def test_a_rent_is_owed_from_the_stop_on_until_it_is_paid(landed: HttpTable) -> None:
    (rent,) = listed(landed.spectator)
    assert (rent["kind"], rent["debtor"], rent["creditor"]) == ("rent", "bob", "player:ana")
    assert (rent["debtor_name"], rent["creditor_name"]) == ("Bob", "Ana")
    assert (rent["about"], rent["status"]) == ("brun_2", "open")
    assert not {"due", "since", "part"} & rent.keys()
    names = landed.ana.get("names").json
    assert rent["label"] == f"rent: {names['commodities']['title:brun_2']['name']}"
    assert rent["commodity_name"] == names["commodities"][rent["commodity"]]["symbol"]
    assert rent["follows"] == "lapses unclaimed at the next throw"
    told = landed.banker.get(f"/api/v1/rulebooks/monopoly_naruto/rules/{rent['rule']}")
    assert told.json["title"] == rent["rule_title"]
    before = landed.version
    landed.ana.play("claim_rent")
    (debt,) = listed(landed.spectator)
    assert (debt["kind"], debt["label"], debt["amount"]) == ("debt", rent["label"], rent["amount"])
    assert (debt["since"], debt["status"]) == (landed.version, "due")
    symbol = debt["commodity_name"]
    assert debt["release_name"] == f"release from a debt of {debt['amount']} {symbol} ({debt['label']})"
    # She may give that release in a trade for the whole debt, which the trade names.
    price = {"commodity": debt["commodity"], "amount": debt["amount"]}
    landed.ana.play("propose_trade", to="bob", give=[{"commodity": debt["release"], "amount": 1}], ask=[price])
    (offer,) = landed.bob.get("agreements").json["agreements"]
    release, cash = offer["gives"]
    assert (release["commodity"], release["name"]) == (debt["release"], f"release from debt {debt['about']}")
    assert cash["name"] == symbol
    assert not {"release", "release_name"} & rent.keys()
    landed.bob.play("pay_debt")
    assert listed(landed.spectator) == []
    assert listed(landed.spectator, f"?at={before}") == [rent]


def test_a_debt_says_its_cause_and_since_when(landed: HttpTable) -> None:
    """Bob cannot pay the fine at once."""
    fined = [{"op": "fine", "seat": "bob", "amount": 10_000_000}]
    assert landed.banker.post("rulings", {"finding": "noise", "remedies": fined}).status_code == 201
    (debt,) = listed(landed.ana, "?kind=debt")
    assert (debt["label"], debt["amount"], debt["since"]) == ("fine", 10_000_000, landed.version)
    (french,) = listed(landed.ana, "?kind=debt", Accept_Language="fr")
    assert (french["label"], french["follows"]) == ("amende", "personne ne lance les dés avant le paiement")


def test_a_claimed_rent_is_told_by_every_reading(landed: HttpTable) -> None:
    """Bob owes it from line to line; his purse, Ana's, and his move to pay say so in the same words."""
    (rent,) = listed(landed.bob)
    amount = f"{rent['amount']} {rent['commodity_name']}"
    title = rent["label"].removeprefix("rent: ")
    open_rent = f"Bob owes Ana {amount} (rent: {title})."
    assert said([rent]) == [open_rent]
    assert settled(landed.ana, "claim_rent") == [[open_rent]]
    landed.ana.play("claim_rent")
    line = landed.version
    debt = f"Bob owes Ana {amount} (rent: {title}), since line {line}."
    assert said(landed.spectator.get("state").json["obligations"]) == [debt]
    assert settled(landed.bob, "pay_debt") == [[debt]]
    for seat, side in (("bob", "owes"), ("ana", "owed")):
        told = landed.spectator.get(f"accounts/player:{seat}/statement").json
        assert {name: said(told[name]) for name in ("owes", "owed") if told[name]} == {side: [debt]}
        why = landed.spectator.get(f"why?account=player:{seat}&commodity={rent['commodity']}").json
        assert {name: said(why[name]) for name in ("owes", "owed") if why[name]} == {side: [debt]}
        assert landed.spectator.get(f"accounts/player:{seat}/statement?at={line - 1}").json[side] == [rent]
    french = landed.bob.get("accounts/player:bob/statement", Accept_Language="fr").json["owes"]
    assert said(french) == [f"Bob doit {amount} à Ana (loyer\u00a0: {title}), depuis la ligne {line}."]
    landed.bob.play("pay_debt")
    assert landed.bob.get("state").json["obligations"] == []
    assert landed.bob.get("accounts/player:bob/statement").json["owes"] == []


def test_a_statement_as_csv_ends_with_what_is_owed(landed: HttpTable) -> None:
    """Amounts and balances are those of the postings alone."""
    landed.ana.play("claim_rent")
    (debt,) = listed(landed.ana)
    for seat, sign, creditor in (("bob", -1, "player:ana"), ("ana", 1, "player:bob")):
        text = landed.banker.get(f"accounts/player:{seat}/statement?format=csv").text
        *lines, last = csv.DictReader(io.StringIO(text, newline=""))
        assert lines
        assert all(line["owed"] == "" and line["amount"] for line in lines)
        assert (last["owed"], last["amount"], last["balance"]) == (str(sign * debt["amount"]), "", "")
        assert (last["account"], last["counterparty"], last["text"]) == (f"player:{seat}", creditor, debt["text"])
        assert (last["number"], last["kind"], last["rule"]) == (str(landed.version), "debt", debt["rule"])


def test_a_correction_shows_the_debts_before_and_after(landed: HttpTable) -> None:
    """The claim is undone: Bob owes the rent only on demand. The stop is undone: he owes nothing."""
    stop = landed.version
    (rent,) = listed(landed.ana)
    landed.ana.play("claim_rent")
    (debt,) = listed(landed.ana)
    misthrown = {"edits": [{"op": "drop", "action": stop}], "cascade": "restate", "reason": "misthrown"}
    assert previewed(landed, misthrown) == [{"before": debt}]
    undo = {"action": landed.version, "reason": "too soon", "dry_run": True}
    for language, word in (("en", "rent"), ("fr", "loyer")):
        changed = landed.banker.post("undo", undo, Accept_Language=language).json["obligations"]
        assert [[*row] for row in changed] == [["before"], ["after"]]
        assert changed[1]["after"]["about"] == rent["about"]
        assert f"({word}" in changed[0]["before"]["text"]
        assert f"({word}" in changed[1]["after"]["text"]
    assert listed(landed.ana) == [debt]


# Négoces 2 --------------------------------------------------------------------------------------------------


@pytest.fixture
def auctioned(client: FlaskClient) -> HttpTable:
    """Ana has won the auction for 1 coin."""
    table = HttpTable.created(client, *SEATS, rulebook="negoces2", settings={})
    table.banker.play("draw_starter", method="roll", dice=[1])
    table.banker.play("deal_goods", series=SERIES)
    table.ana.play("bid", amount=1)
    for seat in ("bob", "cid", "dan"):
        table.players[seat].play("withdraw")
    return table


@pytest.fixture
def market(auctioned: HttpTable) -> HttpTable:
    """Ana sells a card face up; Bob has laid a card face down, and 4 coins."""
    auctioned.ana.play("offer_for_sale", card="good:1")
    auctioned.bob.play("make_offer", card="good:3", face="down", coins=4)
    return auctioned


def test_an_offer_face_down_is_a_card_to_others(market: HttpTable) -> None:
    """Nobody finds the card by the filter, either; the others of the offer are the same to everybody."""
    own, strange = listed(market.bob, "?debtor=bob"), listed(market.cid, "?debtor=bob")
    assert [(row["commodity"], row["amount"]) for row in own] == [("good:3", 1), ("coin", 4)]
    assert [(row["commodity"], row["commodity_name"], row["amount"]) for row in strange] == [
        ("card", "card", 1),
        ("coin", "coins", 4),
    ]
    assert [row["creditor"] for row in strange] == ["hand:ana", "coins_visible:ana"]
    assert {(row["status"], row["kind"], row["since"]) for row in strange} == {("laid", "offer", market.version)}
    assert strange == listed(market.spectator, "?debtor=bob") == listed(market.ana, "?debtor=bob")
    assert listed(market.bob, "?commodity=good:3") == own[:1]
    assert listed(market.banker, "?commodity=good:3") == own[:1]
    assert listed(market.cid, "?commodity=good:3") == []
    assert listed(market.cid, "?commodity=card") == strange[:1]
    assert listed(market.cid, "?creditor=ana") == strange
    offer = f"(laid as an offer), since line {market.version}."
    assert said(strange) == [f"Bob has laid 1 × card for Ana {offer}", f"Bob has laid 4 coins for Ana {offer}"]
    assert market.cid.get("state").json["obligations"] == listed(market.cid)
    assert settled(market.ana, "accept_offer") == [said(listed(market.ana))]
    assert said(market.cid.get("accounts/hand:ana/statement").json["owed"]) == said(strange[:1])


def test_two_cards_of_one_seller_under_the_veil_are_a_number_of_cards(auctioned: HttpTable) -> None:
    """Whether they are alike is hidden, too."""
    auctioned.ana.play("offer_for_sale", card="good:1", face="down")
    auctioned.bob.play("make_offer", coins=4)
    auctioned.ana.play("force_sale", card="good:2")
    for caller, laid in ((auctioned.ana, [("good:1", 1), ("good:2", 1)]), (auctioned.cid, [("card", 2)])):
        assert [(row["commodity"], row["amount"]) for row in listed(caller, "?kind=sale")] == laid


def test_an_end_that_reveals_all_names_the_card_at_earlier_moments(client: FlaskClient, market: HttpTable) -> None:
    """Only where the table wants so, and only while the game is over."""
    open_ended = HttpTable.created(client, *SEATS, rulebook="negoces2", settings={"reveal_at_end": True})
    for number in range(2, market.version + 1):
        entry = market.banker.get(f"actions/{number}").json
        caller = open_ended.players.get(entry["seat"], open_ended.banker)
        caller.play(entry["kind"], **entry["params"])
    assert open_ended.version == market.version
    moment = f"?at={market.version}&debtor=bob"
    over = {"finding": "it is late", "remedies": [{"op": "declare_victory", "winners": ["ana"]}]}
    for table, commodity in ((market, "card"), (open_ended, "good:3")):
        assert listed(table.cid, moment)[0]["commodity"] == "card"
        assert table.banker.post("rulings", over).status_code == 201
        assert listed(table.cid) == []
        assert listed(table.cid, moment)[0]["commodity"] == commodity
        assert table.banker.post("undo", {"action": table.version, "reason": "too soon"}).status_code == 201
        assert listed(table.cid, moment)[0]["commodity"] == "card"


# Negopoly ---------------------------------------------------------------------------------------------------


def test_a_loan_says_who_owes_what_and_what_follows(bound: HttpTable) -> None:
    (loan,) = listed(bound.ana, "?debtor=ana")
    assert (loan["kind"], loan["label"], loan["about"], loan["since"]) == ("loan", "loan 9", "9", 9)
    assert (loan["debtor"], loan["creditor"], loan["creditor_name"]) == ("ana", "bank", "the bank")
    assert (loan["commodity"], loan["commodity_name"], loan["amount"]) == ("NGD", "₦", 200)
    assert loan["text"] == "Ana owes the bank ₦200 (loan 9), since line 9."
    assert settled(bound.ana, "repay_loan") == [[loan["text"]]]
    assert (loan["rule"], loan["follows"]) == ("X.C.4", "collected in 2 passages by Spawn")
    (french,) = listed(bound.ana, "?debtor=ana", Accept_Language="fr")
    assert (french["label"], french["creditor_name"]) == ("prêt 9", "la banque")
    assert french["follows"] == "recouvré dans 2 passages par le Spawn"
    assert french["text"] == "Ana doit 200 ₦ à la banque (prêt 9), depuis la ligne 9."


def test_a_delivery_names_the_leg_of_the_deal_that_it_settles(bound: HttpTable) -> None:
    """Bob owes Ana 2 doses by one deal, and both others a dose by another; a gift settles nothing."""
    legs = [{"giver": "bob", "taker": taker, "commodity": "dose", "amount": 1} for taker in ("ana", "cid")]
    deal = bound.bob.play("propose_deal", legs=legs, clauses=[])["number"]
    for seat in ("ana", "cid"):
        bound.players[seat].play("agree_deal", deal=str(deal))
    owed = listed(bound.bob)
    assert [(row["about"], row["part"], row["status"]) for row in owed] == [
        ("11", 0, "due"),
        (str(deal), 0, "due"),
        (str(deal), 1, "due"),
    ]
    assert said(owed) == [
        "Bob owes Ana 2 Dose (deal 11), since line 11.",
        f"Bob owes Ana 1 Dose (deal {deal}), since line {deal}.",
        f"Bob owes Cid 1 Dose (deal {deal}), since line {deal}.",
    ]
    bound.ana.play("roll_dice", dice=[1, 2])
    bound.ana.play("end_turn")
    bound.bob.play("roll_dice", dice=[1, 2])
    assert settled(bound.bob, "send_delivery") == [[text] for text in said(owed)]
    assert settled(bound.banker, "send_delivery") == settled(bound.cid, "send_delivery") == []


def test_a_dry_run_says_what_it_makes_owed_and_who_reads_it(bound: HttpTable, landed: HttpTable) -> None:
    """A loan is a debt at once, a proposed deal is nobody's yet; the parties alone read about a deal."""
    loan = bound.bob.act("take_loan", params={"amount": 100}, dry_run=True).json
    assert said(loan["owed"]) == [f"Bob owes the bank ₦100 (loan {loan['number']}), since line {loan['number']}."]
    gift = {"legs": [{"giver": "bob", "taker": "ana", "commodity": "NGD", "amount": 5}], "clauses": []}
    deal = bound.bob.act("propose_deal", params=gift, dry_run=True).json
    assert "owed" not in deal
    assert deal["seen_by"] == ["ana", "bob"]
    assert not {"owed", "seen_by"} & bound.bob.play("take_loan", amount=100).keys()
    (debt,) = landed.ana.act("claim_rent", dry_run=True).json["owed"]
    assert debt["status"] == "due"
    trade = {"to": "ana", "give": [{"commodity": debt["commodity"]}]}
    assert "seen_by" not in landed.bob.act("propose_trade", params=trade, dry_run=True).json


def test_names_say_what_may_pass_from_seat_to_seat(bound: HttpTable, landed: HttpTable) -> None:
    for table, passes, stays in (
        (bound, {"NGD", "dose", "title:negotown"}, {"house"}),
        (landed, {"title:brun_2"}, {"house"}),
    ):
        named = table.ana.get("names").json["commodities"]
        tradable = {name for name, words in named.items() if words.get("tradable")}
        assert passes <= tradable
        assert not stays & tradable


def test_a_private_deal_is_told_to_its_parties_alone(bound: HttpTable) -> None:
    assert kinds(bound.ana) == kinds(bound.banker) == ["loan", "deal"]
    assert kinds(bound.bob) == ["deal"]
    for outsider in (bound.cid, bound.spectator):
        for query in ("", "?debtor=bob", "?creditor=ana", "?commodity=dose", "?kind=deal", "?at=12"):
            assert listed(outsider, query) == []
        assert outsider.get("state").json["obligations"] == []
        assert outsider.get("accounts/player:ana/statement").json["owes"] == []
        assert outsider.get("why?account=player:ana&commodity=NGD").json["owes"] == []
    problem(bound.stranger.get("obligations"), 401, "token-missing")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("debtor=ana", ["loan"]),
        ("debtor=bob", ["deal"]),
        ("debtor=cid", []),
        ("creditor=bank", ["loan"]),
        ("creditor=player:ana", ["deal"]),
        ("creditor=ana", ["deal"]),
        ("creditor=nobody", []),
        ("commodity=NGD", ["loan"]),
        ("commodity=dose", ["deal"]),
        ("kind=deal", ["deal"]),
        ("kind=deal&debtor=ana", []),
        ("status=open", ["loan"]),
        ("status=due", ["deal"]),
        ("status=laid", []),
        ("status=due&debtor=ana", []),
        ("at=9", ["loan"]),
        ("at=8", []),
    ],
)
def test_the_list_is_filtered(bound: HttpTable, query: str, found: list[str]) -> None:
    assert kinds(bound.banker, f"?{query}") == found


def test_an_unknown_debtor_or_moment_is_refused(bound: HttpTable) -> None:
    refused = problem(bound.ana.get("obligations?debtor=zoe"), 422, "invalid-request")
    assert refused["errors"][0]["parameter"] == "debtor"
    problem(bound.ana.get("obligations?at=99"), 422, "invalid-request")
    problem(bound.ana.get("obligations?seat=ana"), 422, "invalid-request")
    problem(bound.ana.get("obligations?status=late"), 422, "invalid-request")


def test_a_correction_moves_what_was_owed_and_not_what_was_believed(bound: HttpTable) -> None:
    """The loan was of 300 ₦."""
    seen = bound.ana.get("obligations")
    assert bound.ana.get("obligations", If_None_Match=seen.headers["ETag"]).status_code == 304
    edits = [{"op": "replace", "action": 9, "params": {"amount": 300}}]
    mended = {"edits": edits, "cascade": "restate", "reason": "misheard"}
    ((was, becomes),) = [row.values() for row in previewed(bound, mended)]
    assert (was["text"], becomes["text"]) == (
        "Ana owes the bank ₦200 (loan 9), since line 9.",
        "Ana owes the bank ₦300 (loan 9), since line 9.",
    )
    assert bound.banker.post("corrections", mended).status_code == 201
    assert bound.ana.get("obligations", If_None_Match=seen.headers["ETag"]).status_code == 200
    assert [row["amount"] for row in listed(bound.ana, "?at=9")] == [300]
    assert [row["amount"] for row in listed(bound.ana, "?at=9&known_at=9")] == [200]
    for known, amount in (("", 300), ("&known_at=9", 200)):
        for reading in ("accounts/player:ana/statement?", "why?account=player:ana&commodity=NGD&"):
            assert [row["amount"] for row in bound.ana.get(f"{reading}at=9{known}").json["owes"]] == [amount]


# Exports ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["landed", "market", "bound"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_exports_say_to_each_viewer_what_the_list_says(
    request: pytest.FixtureRequest, name: str, language: str
) -> None:
    """A card face down and a private deal are in no other viewer's files."""
    table: HttpTable = request.getfixturevalue(name)
    files = set()
    for caller in (table.banker, *table.players.values(), table.spectator):
        owed = listed(caller, Accept_Language=language)
        text = caller.get("export?format=csv&table=obligations", Accept_Language=language).text
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        columns = (
            "kind",
            "debtor",
            "creditor",
            "commodity",
            "amount",
            "status",
            "about",
            "rule",
            "text",
            "follows",
        )
        assert [[row[column] for column in columns] for row in rows] == [
            [str(row.get(column, "")) for column in columns] for row in owed
        ]
        assert {row["game"] for row in rows} <= {table.game}
        for form in ("beancount", "hledger"):
            book = caller.get(f"export?format={form}", Accept_Language=language).text
            _, mark, end = book.partition("; Who owes whom:\n")
            comments = end.partition("\n\n")[0].splitlines()
            spoken = [f"; {row['text']} ({row['rule']}: {row['follows']})" for row in owed]
            assert comments == [line.replace("\u00a0", " ") for line in spoken]
            assert bool(mark) == bool(owed)
        page = caller.get("export?format=html", Accept_Language=language).text.replace("\xa0", " ")
        section = page.partition('<section aria-labelledby="obligations">')[2].partition("</section>")[0]
        sentences = re.findall('<p class="what">(.*)</p>', section)
        assert [unescape(text).replace("’", "'") for text in sentences] == [
            text.replace("\u00a0", " ") for text in said(owed)
        ]
        assert section.count('<p class="kicker">') == len(owed)
        files.add(text)
    assert len(files) == {"landed": 1, "market": 2, "bound": 3}[name]


# Statistics -------------------------------------------------------------------------------------------------


def debts(caller: Caller, **headers: str) -> list[tuple[Any, ...]]:
    """The debts in the statistics: seat, name, owes, at most, owed, at most, seconds."""
    answer = caller.get("statistics", **headers)
    assert answer.status_code == 200, answer.text
    rows = answer.json["debts"]
    columns = ["seat", "name", "owes", "owes_most", "owed", "owed_most", "seconds"]
    return [tuple(row[column] for column in columns) for row in rows]


def test_statistics_count_debts_and_how_long_they_stood_open(bound: HttpTable, clock: Clock) -> None:
    """Ana repays 150 of 200 ₦ after a minute; the loan stays open for another. Bob owes his doses from then on."""
    clock.pass_by(60)
    bound.ana.play("repay_loan", loan="9", amount=150)
    clock.pass_by(60)
    bound.cid.play("transfer_money", to="bob", amount=1)
    loan, owed, owing = (
        ("ana", "₦", 50, 200, 0, 0, 120),
        ("ana", "Dose", 0, 0, 2, 2, 0),
        ("bob", "Dose", 2, 2, 0, 0, 120),
    )
    assert debts(bound.banker) == debts(bound.ana) == [loan, owed, owing]
    assert debts(bound.bob) == [owed, owing]
    assert debts(bound.spectator) == debts(bound.cid) == []
    assert debts(bound.banker, Accept_Language="fr")[0][1:] == loan[1:]


def test_statistics_count_neither_acts_nor_what_is_laid(market: HttpTable) -> None:
    """Only the bid was owed: the card and the coins on the market have left their owners."""
    for caller in (market.banker, market.bob, market.cid, market.spectator):
        assert [row for row in debts(caller) if row[2] or row[4]] == []
        assert [(row[0], row[3]) for row in debts(caller)] == [("ana", 1)]
