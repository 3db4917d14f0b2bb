"""The audit and the origin of amounts over HTTP: JSON, CSV, both languages, and no hidden data."""

import csv
import io
import re
from typing import Any

import pytest

from api.rest.exchange.conditions import VARY_FORM
from api.rest.history.audit_csv import COLUMNS
from tests.harness.figures import figures
from tests.tables.over_http import BASE, Caller, HttpTable, problem

LINK = re.compile(r'<([^>]*)>; rel="([a-z]+)"')
SECRET = 1234


@pytest.fixture
def corrected(started: HttpTable) -> HttpTable:
    """Ana buys a title (9), Bob pays her rent for it (12), the banker drops the purchase (13)."""
    started.ana.play("roll_dice", dice=[1, 2])
    started.ana.play("resolve_square")
    assert started.ana.play("buy_property")["number"] == 9
    started.ana.play("end_turn")
    started.bob.play("roll_dice", dice=[1, 2])
    started.bob.play("resolve_square")
    edits = [{"op": "drop", "action": 9}]
    started.banker.play("correct", edits=edits, cascade="restate", reason="wrong square")
    return started


@pytest.fixture
def whispered(client, clock) -> HttpTable:
    """Ana has given Bob 1234 ₦ (9), which is private; the banker then corrects the amount by one (10)."""
    table = HttpTable.created(client, "ana", "bob", "cid").start()
    table.ana.play("transfer_money", to="bob", amount=SECRET)
    edits = [
        {"op": "replace", "action": 9, "params": {"to": "bob", "amount": SECRET + 1}},
        {
            "op": "insert",
            "after": 8,
            "action": {"kind": "transfer_money", "seat": "ana", "params": {"to": "bob", "amount": 77}},
        },
    ]
    table.banker.play("correct", edits=edits, cascade="restate", reason="misheard")
    return table


def lines_of(caller: Caller, query: str = "limit=200", **headers: str) -> dict[str, dict[str, Any]]:
    answer = caller.get(f"audit?{query}", **headers)
    assert answer.status_code == 200, answer.text
    return {line["action"]: line for line in answer.json["lines"]}


def rows_of(caller: Caller, query: str = "format=csv", **headers: str) -> list[dict[str, str]]:
    answer = caller.get(f"audit?{query}", **headers)
    assert answer.status_code == 200, answer.text
    assert answer.content_type.startswith("text/csv; charset=utf-8")
    assert answer.text.endswith("\r\n")
    assert "\n" not in answer.text.replace("\r\n", "")
    return list(csv.DictReader(io.StringIO(answer.text, newline="")))


def links(answer) -> dict[str, str]:
    return {relation: target for target, relation in LINK.findall(answer.headers["Link"])}


def walk(caller: Caller, target: str, relation: str, what: str, name: str) -> list[list[Any]]:
    """The rows of all pages from this one on, by following one Link relation."""
    pages = []
    while True:
        answer = caller.get(target)
        assert answer.status_code == 200, answer.text
        pages.append([row[name] for row in answer.json[what]])
        if relation not in links(answer):
            return pages
        target = links(answer)[relation]


# JSON -----------------------------------------------------------------------------------------------


def test_a_line_explains_an_action_and_leads_to_its_rules(corrected: HttpTable) -> None:
    line = lines_of(corrected.banker, "known_at=12")[9]
    (rule,) = line["rules"]
    assert rule["href"] == f"{BASE}/rulebooks/negopoly/rules/V.A.2"
    assert corrected.stranger.get(rule["href"]).json["title"] == rule["title"]
    assert line["sentence"] == "Ana buys Black Arretxea for ₦60."
    assert line["postings"][0] == {
        "rule": "V.A.2",
        "commodity": "NGD",
        "commodity_name": "₦",
        "amount": 60,
        "from": "player:ana",
        "from_name": "Ana",
        "to": "bank",
        "to_name": "the bank",
        "counts": True,
    }
    assert {"account": "player:ana", "account_name": "Ana", "commodity": "NGD", "commodity_name": "₦"} | {
        "amount": 1590
    } in line["balances"]
    assert line["touched_by"] == {"corrections": [], "disputes": [], "rulings": []}
    assert line["receipt"] == corrected.banker.get("actions/9").json["receipt"]


def test_what_became_of_an_action_is_said_in_both_languages(corrected: HttpTable) -> None:
    english = corrected.ana.get("audit?limit=200")
    french = corrected.ana.get("audit?limit=200", Accept_Language="fr")
    assert (english.headers["Content-Language"], french.headers["Content-Language"]) == ("en", "fr")
    told = [{line["action"]: line for line in answer.json["lines"]} for answer in (english, french)]
    assert [one[9]["status_text"] for one in told] == [
        "undone by correction 13: wrong square",
        "annulée par la correction 13\u00a0: wrong square",
    ]
    assert told[0][9]["touched_by"]["corrections"] == [
        {"correction": 13, "status": "undone", "reason": "wrong square"}
    ]
    assert told[0][12]["status"] == "restated"
    assert "rent" in told[0][12]["recorded"]["sentence"]
    assert "loyer" in told[1][12]["recorded"]["sentence"]
    assert "loyer" not in told[1][12]["sentence"]
    assert told[1][9]["rules"][0]["title"] != told[0][9]["rules"][0]["title"]
    assert told[1][13]["sentence"].startswith("Le banquier corrige l'histoire\u00a0: wrong square.")


@pytest.mark.parametrize(
    ("query", "statuses", "amount"),
    [
        ("at=9&known_at=12", ["effective"], 1590),
        ("at=9", ["undone"], 1650),
        ("at=12&known_at=12", ["effective", "effective"], 1594),
        ("at=12", ["undone", "restated"], 1650),
    ],
)
def test_two_times(corrected: HttpTable, query: str, statuses: list[str], amount: int) -> None:
    lines = lines_of(corrected.ana, f"limit=200&{query}")
    assert [lines[name]["status"] for name in (9, 12) if name in lines] == statuses
    why = corrected.ana.get(f"why?account=player:ana&commodity=NGD&{query}").json
    assert why["amount"] == amount
    assert corrected.ana.get(f"state?{query}").json["accounts"]["player:ana"]["NGD"] == amount


def test_words_find_the_same_lines_as_in_the_journal(corrected: HttpTable) -> None:
    """The purchase (9) is found by its words, in any order; a table has the same lines."""
    for query, found in (("q=nothing+of+it", []), ("q=ANA+buys", [9]), ("q=wrong+corrects", [13])):
        journal = [one["action"] for one in corrected.ana.get(f"actions?{query}").json["actions"]]
        assert list(lines_of(corrected.ana, query)) == journal
        assert journal == found
        assert {row["action"] for row in rows_of(corrected.ana, f"format=csv&{query}")} == {
            str(one) for one in journal
        }


def test_pages_and_links(whispered: HttpTable) -> None:
    whole = [*range(1, 9), "10.1", 9, 10]
    for order, expected in (("oldest", whole), ("newest", whole[::-1])):
        start = f"audit?limit=2&order={order}"
        pages = walk(whispered.banker, start, "next", "lines", "action")
        assert [action for page in pages for action in page] == expected
        last = start
        while "next" in (around := links(whispered.banker.get(last))):
            last = around["next"]
        assert walk(whispered.banker, last, "prev", "lines", "action")[::-1] == pages
    first = whispered.banker.get("audit?limit=2").json
    second = whispered.banker.get(f"audit?limit=2&cursor={first['next']}").json
    assert whispered.banker.get(f"audit?limit=2&cursor={second['previous']}").json["lines"] == first["lines"]


def test_a_cursor_of_another_list_is_none_of_this_one(whispered: HttpTable) -> None:
    cursor = whispered.banker.get("audit?limit=2").json["next"]
    problem(whispered.banker.get(f"audit?limit=2&order=newest&cursor={cursor}"), 422, "bad-cursor")
    problem(whispered.banker.get(f"actions?cursor={cursor}"), 422, "bad-cursor")
    problem(whispered.banker.get("audit?cursor=xyz"), 422, "bad-cursor")
    page = whispered.banker.get("why?account=player:ana&commodity=NGD&limit=1").json
    other = f"why?account=player:bob&commodity=NGD&cursor={page['next']}"
    problem(whispered.banker.get(other), 422, "bad-cursor")


@pytest.mark.parametrize(
    "parameter",
    ["at=0", "known_at=x", "format=xml", "order=random", "words=rent", "around=5", "numbers=5", "totals=1"],
)
def test_a_wrong_parameter(started: HttpTable, parameter: str) -> None:
    problem(started.banker.get(f"audit?{parameter}"), 422, "invalid-request")


def test_nothing_is_sent_twice(corrected: HttpTable) -> None:
    for query in ("audit", "audit?format=csv", "why?account=bank&commodity=NGD"):
        answer = corrected.ana.get(query)
        if query.startswith("audit"):
            assert answer.headers["Vary"] == VARY_FORM
        assert corrected.ana.get(query, If_None_Match=answer.headers["ETag"]).status_code == 304


def test_a_token_is_needed(started: HttpTable) -> None:
    for query in ("audit", "audit?format=csv", "why?account=bank&commodity=NGD"):
        problem(started.stranger.get(query), 401, "token-missing")


def test_both_forms_and_every_filter_are_described(client) -> None:
    paths = client.get("/openapi.json").json["paths"]
    described = paths[f"{BASE}/games/{{game}}/audit"]["get"]
    assert set(described["responses"]["200"]["content"]) == {"application/json", "text/csv"}
    names = {row["name"] for row in described["parameters"] if row["in"] == "query"}
    journal = paths[f"{BASE}/games/{{game}}/actions"]["get"]["parameters"]
    of_the_journal = {row["name"] for row in journal if row["in"] == "query"} - {"around", "numbers", "totals"}
    assert names == of_the_journal | {"at", "known_at", "format", "bom"}
    asked = paths[f"{BASE}/games/{{game}}/why"]["get"]["parameters"]
    assert {row["name"] for row in asked if row.get("required")} >= {"account", "commodity"}


# CSV ------------------------------------------------------------------------------------------------


def test_the_table_has_a_row_for_every_posting(corrected: HttpTable) -> None:
    rows = rows_of(corrected.banker)
    assert tuple(rows[0]) == COLUMNS
    lines = lines_of(corrected.banker)
    for action, line in lines.items():
        own = [row for row in rows if row["action"] == str(action)]
        postings = [*line["postings"], *(line["recorded"] or {"postings": []})["postings"]]
        assert len(own) == max(len(postings), 1)
        for row, posting in zip(own, postings, strict=False):
            assert row["sentence"] == line["sentence"]
            assert (row["amount"], row["from"], row["to"]) == (
                str(posting["amount"]),
                posting["from"],
                posting["to"],
            )
            assert row["counts"] == ("yes" if posting["counts"] else "no")
    assert list(dict.fromkeys(row["action"] for row in rows)) == [*map(str, lines)]
    bought = next(row for row in rows if row["action"] == "9")
    assert (bought["status_text"], bought["corrections"]) == ("undone by correction 13: wrong square", "13")
    assert (bought["counts"], bought["from_balance"]) == ("no", "")
    joined = next(row for row in rows if row["kind"] == "join_game")
    assert (joined["to_name"], joined["to_balance"], joined["from_balance"]) == ("Ana", "1500", "-1500")


def test_the_postings_that_count_add_up_to_the_holdings(whispered: HttpTable) -> None:
    held: dict[str, int] = {}
    for row in rows_of(whispered.banker):
        if row["counts"] == "yes" and row["commodity"] == "NGD":
            held[row["from"]] = held.get(row["from"], 0) - int(row["amount"])
            held[row["to"]] = held.get(row["to"], 0) + int(row["amount"])
    accounts = {row["account"]: row["holdings"] for row in whispered.banker.get("accounts").json["accounts"]}
    assert held == {account: holdings["NGD"] for account, holdings in accounts.items() if "NGD" in holdings}


def test_the_table_is_had_by_asking_for_its_type(corrected: HttpTable) -> None:
    asked = corrected.ana.get("audit", Accept="text/csv")
    assert asked.content_type.startswith("text/csv")
    assert asked.text == corrected.ana.get("audit?format=csv").text
    assert asked.headers["Content-Disposition"] == 'attachment; filename="audit.csv"'
    for accepted in ("*/*", "application/json", "text/csv;q=0.5, application/json"):
        assert corrected.ana.get("audit", Accept=accepted).content_type == "application/json"
    assert corrected.ana.get("audit?format=json", Accept="text/csv").content_type == "application/json"


def test_filters_order_and_both_times_hold_for_the_table_too(corrected: HttpTable) -> None:
    def actions(query: str) -> list[str]:
        return list(dict.fromkeys(row["action"] for row in rows_of(corrected.banker, f"format=csv&{query}")))

    assert actions("kind=buy_property") == ["9"]
    assert actions("status=restated") == ["12"]
    assert actions("seat=bob&order=newest") == ["12", "11", "5", "4"]
    assert actions("at=2") == ["1", "2"]
    assert actions("rule=V.A.2&known_at=12") == ["9"]
    assert actions("kind=nothing") == []
    french = rows_of(corrected.banker, "format=csv&kind=correct", Accept_Language="fr")
    assert french[0]["sentence"].startswith("Le banquier corrige")


def test_a_long_table_is_whole(started: HttpTable) -> None:
    for _ in range(205):
        started.ana.play("transfer_money", to="bob", amount=1)
    rows = rows_of(started.banker)
    numbers = list(dict.fromkeys(int(row["number"]) for row in rows))
    assert numbers == list(range(1, 212))
    assert rows[-1]["to_balance"] == str(1650 + 205)


def test_what_people_wrote_is_never_a_formula(client) -> None:
    seats = [{"seat": "ana", "name": "=HYPERLINK(0)"}, {"seat": "bob", "name": "@SUM"}]
    table = HttpTable.created(client, players=seats).start()
    reason = '+1, "quoted"\nand on'
    waived = table.banker.act("end_turn", seat="ana", override={"reason": reason})
    assert waived.status_code == 201
    table.ana.play("transfer_money", to="bob", amount=5)
    rows = rows_of_any(table.banker)
    joined = next(row for row in rows if row["kind"] == "join_game")
    assert joined["to_name"] == "'=HYPERLINK(0)"
    assert joined["sentence"].startswith("'=HYPERLINK(0) joins")
    assert joined["from_balance"] == "-1500"
    assert rows[-1]["to_name"] == "'@SUM"
    closed = next(row for row in rows if row["override"])
    assert closed["override"] == f"'{reason}"
    assert closed["waived"] == "II.B.12"
    assert not [cell for row in rows for cell in row.values() if cell[:1] in {"=", "+", "@", "\t", "\r"}]


def rows_of_any(caller: Caller) -> list[dict[str, str]]:
    """The rows of a table whose cells may have line breaks in them."""
    return list(csv.DictReader(io.StringIO(caller.get("audit?format=csv").text, newline="")))


def test_disputes_and_rulings_are_in_the_table(corrected: HttpTable) -> None:
    corrected.bob.play("open_dispute", actions=[11, 12], claim="=I owed nothing", rules=["V.A.8"])
    corrected.banker.play("rule", dispute="14", finding="So it is", rules=["V.A.8"])
    line = lines_of(corrected.bob)[12]
    assert line["touched_by"]["disputes"] == [
        {
            "dispute": "14",
            "status": "ruled",
            "opener": "bob",
            "opener_name": "Bob",
            "claim": "=I owed nothing",
            "ruling": "15",
        }
    ]
    assert line["touched_by"]["rulings"] == [
        {"ruling": "15", "number": 15, "dispute": "14", "finding": "So it is", "status": "effective"}
    ]
    rows = {row["action"]: row for row in rows_of(corrected.bob)}
    assert [rows[name]["disputes"] for name in ("10", "11", "12")] == ["", "14", "14"]
    assert [rows[name]["rulings"] for name in ("10", "11", "12")] == ["", "15", "15"]
    assert (rows["12"]["corrections"], rows["15"]["rules"]) == ("13", "P.1 V.A.8")


# Secrecy --------------------------------------------------------------------------------------------


@pytest.fixture(params=["cid", "spectator"])
def outsider(whispered: HttpTable, request: pytest.FixtureRequest) -> Caller:
    found: Caller = getattr(whispered, request.param)
    return found


def test_a_private_action_that_was_inserted_is_no_line_to_others(whispered: HttpTable, outsider: Caller) -> None:
    assert "10.1" in lines_of(whispered.bob)
    assert "10.1" not in lines_of(outsider)
    assert "10.1" not in {row["action"] for row in rows_of(outsider)}


def test_a_private_action_is_one_line(whispered: HttpTable, outsider: Caller) -> None:
    line = lines_of(outsider)[9]
    assert line["sentence"] == "Something private happened."
    assert (line["kind"], line["by"], line["by_name"], line["seat"], line["seat_name"]) == (
        *("private", None, None),
        *(None, None),
    )
    assert (line["postings"], line["balances"], line["rules"], line["recorded"]) == ([], [], [], None)
    assert (line["status"], line["touched_by"]["corrections"]) == ("effective", [])
    (row,) = [row for row in rows_of(outsider) if row["action"] == "9"]
    assert row["sentence"] == "Something private happened."
    assert (row["amount"], row["from"], row["to"], row["rules"]) == ("", "", "", "")
    assert lines_of(outsider, "limit=200", Accept_Language="fr")[9]["sentence"] == (
        "Il s'est passé quelque chose de privé."
    )
    mine = lines_of(whispered.bob)
    assert mine[9]["postings"][0]["amount"] == SECRET + 1
    assert mine[9]["recorded"]["postings"][0]["amount"] == SECRET


def test_no_reading_gives_a_secret_away(whispered: HttpTable, outsider: Caller) -> None:
    secrets = {SECRET, SECRET + 1, 1650 - SECRET - 1 - 77, 1650 + SECRET + 1 + 77}
    queries = ["limit=200", "format=csv", "known_at=9", "at=9", "order=newest", "format=csv&known_at=9"]
    for address in [
        *(f"audit?{query}" for query in queries),
        *(f"why?account=player:{seat}&commodity=NGD" for seat in ("ana", "bob")),
        *(f"why?account=player:{seat}&commodity=NGD&known_at=9" for seat in ("ana", "bob")),
    ]:
        answer = outsider.get(address)
        assert answer.status_code == 200, address
        assert figures(answer.text).isdisjoint(secrets), address
    why = outsider.get("why?account=player:ana&commodity=NGD").json
    assert (why["amount"], why["unseen"], why["corrections"]) == (None, None, [])
    assert why["recorded"] == 1500


@pytest.mark.parametrize(
    "query", ["kind=transfer_money", "account=player:bob&rule=I.B.6", "seat=ana&at=9&rule=I.B.6"]
)
def test_asking_for_it_finds_nothing(whispered: HttpTable, outsider: Caller, query: str) -> None:
    assert lines_of(outsider, query) == {}
    assert rows_of(outsider, f"format=csv&{query}") == []
    assert 9 in lines_of(whispered.ana, query)


# Where an amount comes from -------------------------------------------------------------------------


def test_why(corrected: HttpTable) -> None:
    why = corrected.ana.get("why?account=player:ana&commodity=NGD").json
    assert (why["amount"], why["recorded"], why["unseen"], why["count"], why["version"]) == (1650, 1594, 0, 2, 13)
    assert why["corrections"] == [
        {
            "correction": 13,
            "reason": "wrong square",
            "change": 56,
            "actions": [
                {"action": 9, "status": "undone", "change": 60},
                {"action": 12, "status": "restated", "change": -4},
            ],
        }
    ]
    believed = corrected.ana.get("why?account=player:ana&commodity=NGD&known_at=12").json
    rent = believed["postings"][0]
    assert (rent["action"], rent["amount"], rent["balance"], rent["counterparty_name"]) == (12, 4, 1594, "Bob")
    assert rent["rule"]["href"] == f"{BASE}/rulebooks/negopoly/rules/V.A.7"
    french = corrected.ana.get("why?account=player:ana&commodity=NGD&known_at=12", Accept_Language="fr").json
    assert "loyer" in french["postings"][0]["sentence"]
    assert french["totals"][0]["counterparty_name"] == "la banque"


def test_the_hands_of_a_title(corrected: HttpTable) -> None:
    query = "why?account=player:ana&commodity=title:black_arretxea"
    believed = corrected.spectator.get(f"{query}&known_at=12").json
    assert believed["piece"]["brought_by"]["action"] == 9
    assert [(hand["from"], hand["to_name"]) for hand in believed["piece"]["hands"]] == [
        ("box", "the bank"),
        ("bank", "Ana"),
    ]
    now = corrected.spectator.get(query).json
    assert (now["amount"], now["piece"]["holder"], now["piece"]["brought_by"]) == (0, "bank", None)


def test_the_postings_are_walked_to_their_end(started: HttpTable) -> None:
    for amount in range(1, 8):
        started.ana.play("transfer_money", to="bob", amount=amount)
    pages = walk(started.ana, "why?account=player:ana&commodity=NGD&limit=4", "next", "postings", "amount")
    assert pages == [[-7, -6, -5, -4], [-3, -2, -1, 150], [1500]]


def test_an_account_nothing_is_seen_of_is_like_one_that_is_not_there(client) -> None:
    """The answer is the same as for the account itself; doses in transit from Ana to Bob are private."""
    table = HttpTable.created(client, "ana", "bob", "cid").start(ana="doses", bob="doses", cid="doses")
    sent = table.ana.play("send_delivery", to="bob", commodity="dose", amount=2)
    transit = f"transit:{sent['number']}"
    assert table.bob.get(f"why?account={transit}&commodity=dose").json["amount"] == 2
    for outsider in (table.cid, table.spectator):
        hidden = problem(outsider.get(f"why?account={transit}&commodity=dose"), 404, "not-found")
        missing = problem(outsider.get("why?account=transit:99&commodity=dose"), 404, "not-found")
        own = problem(outsider.get(f"accounts/{transit}"), 404, "not-found")
        assert hidden["detail"] == own["detail"] == missing["detail"].replace("transit:99", transit)
        assert "dose" not in outsider.get("audit?format=csv&kind=send_delivery").text
    problem(table.bob.get("why?account=player:zoe&commodity=NGD"), 404, "not-found")
    empty = table.bob.get("why?account=player:ana&commodity=title:negotown").json
    assert (empty["amount"], empty["count"], empty["postings"]) == (0, 0, [])


def test_an_account_and_a_commodity_must_be_named(started: HttpTable) -> None:
    for query in ("", "account=bank", "commodity=NGD", "account=&commodity=NGD"):
        problem(started.banker.get(f"why?{query}"), 422, "invalid-request")
