"""The played game: fifteen rounds of four players over HTTP, on a server of its own, to the last ₦.

The file has the game, with its money worked out by hand; it is also the demo. This test plays it once, and then
checks everything: the end by literals, the journal number by number, and the fold from the database.
"""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from typing import Any

import httpx
import msgspec
import pytest

from ledger.kernel.facts.audience import BANKER
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.table.pieces import TITLES
from ledger.store.store import Store
from replays.recordings import Check, Recording, Step, read
from tests.command.service import Service
from tests.harness.recorded import play
from tests.scenarios.evening import Evening
from tests.tables.keys import key_of

pytestmark = pytest.mark.xdist_group("command")

KEY = key_of("friday evening")
LINES = (files("replays") / "games" / "negopoly.jsonl").read_text(encoding="utf-8").splitlines()

BALANCES = {"ana": 0, "bruno": 376, "chloe": 146, "driss": 608}
WORTHS = {"ana": 1290, "bruno": 1446, "chloe": 2086, "driss": 1968}
OWNED = {
    "ana": {
        "69_rue_des_patates",
        "snoopys_id",
        "mp7_studio",
        "bar_freak_show",
        "rue_vendredi_des_noirs",
        "negotown",
        "jahland_dispensory",
    },
    "bruno": {"bassland", "pink_hoodie_studio", "lbtrd_tower"},
    "chloe": {
        "numera_fight_club",
        "negoplaza",
        "black_arretxea",
        "elysee",
        "villa_du_rj",
        "nuketown",
        "garage_de_benoir",
    },
    "driss": {"420_rue_des_patates", "pct_studio", "domaine_de_m_p", "17_rue_des_patates"},
}
HOUSES = {
    "negotown": 5,
    "69_rue_des_patates": 2,
    "snoopys_id": 1,
    "bassland": 2,
    "lbtrd_tower": 1,
    "negoplaza": 1,
    "garage_de_benoir": 1,
    "pct_studio": 4,
}
MORTGAGED = {"snoopys_id", "mp7_studio", "bar_freak_show", "rue_vendredi_des_noirs", "pink_hoodie_studio"}

THEMES = {
    "set-up": {"game_created", "seat_joined", "perk_chosen", "turn_order_set", "game_started"},
    "rounds": {"round_started", "turn_started", "dice_thrown", "token_moved", "square_resolved", "turn_ended"},
    "titles": {"title_bought", "purchase_declined", "title_sold", "title_reset", "title_transferred"},
    "rent": {"rent_paid"},
    "houses": {"house_built"},
    "mortgages": {
        "title_mortgaged",
        "title_unmortgaged",
        "unmortgage_delegated",
        "delegation_revoked",
        "title_bought_back",
    },
    "Spawn": {"spawn_passed", "salary_paid", "licence_bought", "licence_expired"},
    "doses": {
        "doses_bought",
        "dose_consumed",
        "overdosed",
        "dose_sold",
        "sale_failed",
        "dose_seized",
        "bought_for_player",
    },
    "police": {
        "warrant_issued",
        "warrant_lifted",
        "police_checked",
        "nothing_found",
        "confiscated",
        "arrested",
        "k9_bribed",
        "item_sold_to_police",
    },
    "Prison": {"racket_planted", "racket_collected", "racket_lost"},
    "Hôpital": {"prescription_bought", "prescription_used", "token_teleported"},
    "loans": {"loan_taken", "loan_passage_counted", "loan_repaid", "loan_collected"},
    "bounties": {
        "bounty_posted",
        "bounty_opened",
        "bounty_refused",
        "bounty_claimed",
        "claim_rejected",
        "bounty_awarded",
        "bounty_refunded",
    },
    "contracts": {
        "contract_proposed",
        "contract_agreed",
        "contract_registered",
        "contract_withdrawn",
        "contract_lapsed",
        "breach_reported",
        "breach_sanctioned",
    },
    "deals": {
        "deal_proposed",
        "deal_agreed",
        "deal_concluded",
        "deal_paid",
        "deal_withdrawn",
        "deal_broken",
        "money_transferred",
    },
    "deliveries": {"delivery_sent", "delivery_arrived", "express_delivered"},
    "the end": {"game_declared_too_long", "game_ended"},
}


@pytest.fixture(scope="module")
def evening(service: Service) -> Evening:
    """The game, played as recorded. A line that comes out differently fails here, with its number."""
    with service.client() as client:
        return Evening(service, play(LINES, client, key=KEY))


@pytest.fixture(scope="module")
def events(journal: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [event for entry in journal for event in entry["events"]]


@pytest.fixture(scope="module")
def recording() -> Recording:
    return read(LINES)


def of_kind(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    """The data of the events of a kind, without their postings."""
    return [event["data"] for event in events if event["kind"] == kind]


# The end


def test_it_is_a_whole_evening_of_four_players(evening: Evening) -> None:
    assert (evening.played.actions, evening.played.refusals) == (315, 103)
    summary = evening.get()
    assert {seat["seat"] for seat in summary["seats"]} == set(BALANCES)
    assert (summary["status"], summary["round"], summary["version"]) == ("ended", 15, 316)


def test_chloe_wins_by_her_wealth_and_everybody_s_is_itemised(evening: Evening) -> None:
    table = evening.get("/state")["table"]
    assert table["winners"] == ["chloe"]
    assert {one["seat"]: one["total"] for one in table["statements"]} == WORTHS
    for one in table["statements"]:
        assert sum(asset["value"] for asset in one["assets"]) == one["total"]
        assert (
            next(asset["value"] for asset in one["assets"] if asset["kind"] == "balance") == BALANCES[one["seat"]]
        )


def test_every_player_holds_exactly_what_was_worked_out(evening: Evening) -> None:
    accounts = evening.get("/state")["accounts"]
    for seat, balance in BALANCES.items():
        expected = {"NGD": balance} | {f"title:{title}": 1 for title in OWNED[seat]}
        held = accounts[f"player:{seat}"]
        assert {commodity: amount for commodity, amount in held.items() if amount} == {
            commodity: amount for commodity, amount in expected.items() if amount
        }


def test_every_title_has_its_owner_its_houses_and_its_mortgage(evening: Evening) -> None:
    titles = evening.get("/state")["table"]["titles"]
    owners = {title: seat for seat, owned in OWNED.items() for title in owned}
    assert len(owners) == 21
    assert {title: found.get("owner") for title, found in titles.items()} == {
        title: owners.get(title) for title in TITLES
    }
    assert {title: found["houses"] for title, found in titles.items() if found["houses"]} == HOUSES
    assert {title for title, found in titles.items() if found["mortgaged"]} == MORTGAGED


def test_nothing_is_left_in_escrow_or_on_the_road(evening: Evening) -> None:
    state = evening.get("/state")
    assert [name for name in state["accounts"] if name.startswith(("escrow:", "transit:"))] == []
    assert [one for collection in state["agreements"].values() for one in collection] == []


def test_of_every_commodity_all_accounts_together_hold_nothing(evening: Evening) -> None:
    """The bank and the box have issued exactly what the players hold."""
    totals: Counter[str] = Counter()
    for held in evening.get("/state")["accounts"].values():
        totals.update(held)
    assert {commodity for commodity, total in totals.items() if total} == set()
    assert {"NGD", "dose", "house", "mortgage", *(f"title:{title}" for title in TITLES)} <= totals.keys()


# The course of the game


@pytest.mark.parametrize("theme", THEMES)
def test_it_goes_through(theme: str, events: list[dict[str, Any]]) -> None:
    assert THEMES[theme] - {event["kind"] for event in events} == set()


def test_all_four_perks_are_chosen(events: list[dict[str, Any]]) -> None:
    perks = {chosen["perk"] for chosen in of_kind(events, "perk_chosen")}
    assert perks == {"money", "rpg7", "doses", "trottinette"}


def test_rents_are_paid_without_and_with_houses(events: list[dict[str, Any]]) -> None:
    rents = {(rent["title"], rent["houses"]): rent["amount"] for rent in of_kind(events, "rent_paid")}
    assert rents == {
        ("numera_fight_club", 0): 14,
        ("bar_freak_show", 0): 22,
        ("rue_vendredi_des_noirs", 0): 26,
        ("villa_du_rj", 0): 28,
        ("lbtrd_tower", 0): 50,
        ("69_rue_des_patates", 2): 90,
        ("garage_de_benoir", 1): 120,
        ("bassland", 2): 180,
        ("lbtrd_tower", 1): 200,
        ("negotown", 5): 250,
        ("pct_studio", 2): 300,
        ("pct_studio", 3): 750,
    }


def test_the_drug_die_shows_each_kind_of_result(events: list[dict[str, Any]]) -> None:
    assert [dose["die"] for dose in of_kind(events, "dose_consumed")] == [1, 3, 5]


def test_doses_sell_and_fail_at_each_corner(events: list[dict[str, Any]]) -> None:
    prison, hopital, comico = 10, 20, 30
    sold = Counter((sale["square"], sale["price"]) for sale in of_kind(events, "dose_sold"))
    assert sold == {(prison, 100): 3, (hopital, 150): 3, (comico, 250): 1}
    failed = Counter(sale["square"] for sale in of_kind(events, "sale_failed"))
    assert failed == {prison: 3, hopital: 2}
    assert [seized["square"] for seized in of_kind(events, "dose_seized")] == [comico]


def test_the_police_check_by_a_stop_a_crossing_and_a_warrant(events: list[dict[str, Any]]) -> None:
    arrests = [(one["seat"], one["cause"]) for one in of_kind(events, "arrested")]
    assert arrests == [("driss", "warrant"), ("ana", "offence"), ("bruno", "offence")]
    rules = Counter(event["rule"] for event in events if event["kind"] == "police_checked")
    assert rules == {"VI.F.1": 2, "VI.F.2": 4}
    assert [one["prisoner"] for one in of_kind(events, "racket_collected")] == ["driss", "ana"]


def test_loans_end_repaid_and_collected(evening: Evening) -> None:
    loans = evening.get("/loans")["agreements"]
    ended = {loan["borrower"]: (loan["principal"], loan["status"]) for loan in loans}
    assert ended == {"ana": (400, "repaid"), "bruno": (400, "collected"), "driss": (300, "collected")}


def test_bounties_end_refused_awarded_and_refunded(evening: Evening) -> None:
    bounties = evening.get("/bounties")["agreements"]
    ended = {bounty["amount"]: (bounty["poster"], bounty["status"], bounty.get("winner")) for bounty in bounties}
    assert ended == {
        80: ("bruno", "awarded", "driss"),
        50: ("ana", "refused", None),
        150: ("chloe", "refunded", None),
        60: ("driss", "refunded", None),
    }


def test_contracts_are_paid_for_and_lapse(evening: Evening, events: list[dict[str, Any]]) -> None:
    contracts = evening.get("/contracts")["agreements"]
    assert [(one["rounds"], one["status"]) for one in contracts] == [
        (1, "withdrawn"),
        (2, "lapsed"),
        (4, "lapsed"),
    ]
    assert [one["price"] for one in of_kind(events, "contract_registered")] == [60, 120]


def test_a_waiver_of_the_banker_is_kept_with_its_reason(journal: list[dict[str, Any]]) -> None:
    [waived] = [entry for entry in journal if entry["override"] is not None]
    assert (waived["kind"], waived["seat"], waived["by"]) == ("unmortgage_property", "driss", "banker")
    assert waived["override"] == "Driss announced it while crossing; all four agree."
    assert [warning["rule"] for warning in waived["warnings"]] == ["V.D.1"]


def test_refusals_are_of_every_kind(recording: Recording) -> None:
    refused = [step.refused for _, step in recording.lines if isinstance(step, Step) and step.refused is not None]
    assert Counter(one.status for one in refused) == {409: 85, 422: 13, 403: 5}
    assert len({one.rule for one in refused if one.rule is not None}) >= 40


def test_the_money_is_checked_after_every_round(recording: Recording) -> None:
    checks = [step for _, step in recording.lines if isinstance(step, Check)]
    assert {check.round for check in checks if check.holdings} >= set(range(1, 16))
    assert sum(check.exact for check in checks) == 2  # the beginning and the end


# The stored game


def test_every_number_is_in_the_journal_once(journal: list[dict[str, Any]], events: list[dict[str, Any]]) -> None:
    assert [entry["number"] for entry in journal] == list(range(1, 317))
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))


def test_the_journal_alone_gives_the_state_that_is_served(evening: Evening, store: Store) -> None:
    """The game is folded from the first event on, without a snapshot."""
    state = RULEBOOK.blank()
    for run in store.journal.runs(evening.played.game, batch=50):
        for facts in RULEBOOK.codec.read_events([entry.canonical for entry in run]):
            state.fold(facts.events)
            state.version = facts.number
    served = evening.get("/state")
    assert state.version == served["version"]
    assert state.holdings.as_dict() == served["accounts"]
    assert msgspec.json.decode(msgspec.json.encode(RULEBOOK.screen.view(state, BANKER))) == served["table"]


def test_every_earlier_moment_can_still_be_read(evening: Evening, journal: list[dict[str, Any]]) -> None:
    """Right after Ana's rent of 750 in round 13, she owed 392."""
    [rent] = [
        entry["number"]
        for entry in journal
        if any(event["kind"] == "rent_paid" and event["data"]["amount"] == 750 for event in entry["events"])
    ]
    assert evening.get("/state", at=rent)["accounts"]["player:ana"]["NGD"] == -392
    assert evening.get("/state", at=rent - 1)["accounts"]["player:ana"]["NGD"] == 358


def test_playing_it_again_with_the_same_key_adds_nothing(
    evening: Evening, journal: list[dict[str, Any]], service: Service
) -> None:
    with service.client() as client:
        again = play(LINES, client, key=KEY)
    assert (again.game, again.tokens, again.actions) == (evening.played.game, evening.played.tokens, 315)
    assert evening.journal() == journal


def test_a_spectator_looks_on_and_does_nothing_else(evening: Evening, service: Service) -> None:
    spectator = evening.played.tokens["spectator"]
    with service.client(spectator) as client:
        path = f"/api/v1/games/{evening.played.game}/actions"
        answer: httpx.Response = client.post(path, json={"kind": "end_turn", "params": {}, "seat": "ana"})
    assert answer.status_code == 403
    assert evening.get(token=spectator)["version"] == 316
