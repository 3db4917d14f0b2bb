"""A recorded game of Négoces 2, from the deal to the title, played over HTTP line by line.

The hands and purses below were worked out by hand from the file; every line of it must come out as it says.
"""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from typing import Any

import msgspec
import pytest

from ledger.kernel.facts.audience import BANKER
from ledger.rulebooks.negoces2 import RULEBOOK
from ledger.rulebooks.negoces2.cards import CARDS
from ledger.store.store import Store
from replays.recordings import Check, Recording, Step, read
from tests.command.service import Service
from tests.harness.recorded import play
from tests.scenarios.evening import Evening

pytestmark = pytest.mark.xdist_group("command")

LINES = (files("replays") / "games" / "negoces2.jsonl").read_text(encoding="utf-8").splitlines()
KEY = "an-evening-at-the-market"
HANDS = {
    "ana": {1: 1, 2: 2, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1},
    "bruno": {1: 1, 2: 2, 3: 1, 4: 3, 6: 1},
    "chloe": {1: 1, 5: 3, 6: 1, 8: 3},
    "driss": {1: 1, 3: 2, 6: 1, 7: 3, "contraband": 1},
}
COINS = {"ana": (8, 0), "bruno": (12, 3), "chloe": (11, 0), "driss": (19, 0)}
"""Visible and hidden."""
PAID = 7
"""What Ana paid for Contraband, which is out of the game."""


@pytest.fixture(scope="module")
def evening(service: Service) -> Evening:
    """The game, played as recorded. A line that comes out differently fails here, with its number."""
    with service.client() as client:
        return Evening(service, play(LINES, client, key=KEY))


@pytest.fixture(scope="module")
def recording() -> Recording:
    return read(LINES)


def test_it_is_a_whole_game_of_four(evening: Evening) -> None:
    assert (evening.played.actions, evening.played.refusals) == (59, 46)
    summary = evening.get()
    assert {seat["seat"] for seat in summary["seats"]} == set(HANDS)
    assert (summary["status"], summary["round"], summary["version"]) == ("ended", 11, 60)


def test_ana_is_grand_negociateur(evening: Evening) -> None:
    table = evening.get("/state")["table"]
    assert (table["winners"], table["title"]) == (["ana"], "Grand négociateur")
    assert table["claims"]["made"] == {"ana": {"way": "cards"}}


def test_every_hand_and_every_purse_is_as_worked_out(evening: Evening) -> None:
    accounts = evening.get("/state")["accounts"]
    for seat, held in HANDS.items():
        named = {card if isinstance(card, str) else f"good:{card}": copies for card, copies in held.items()}
        assert accounts[f"hand:{seat}"] == named
        shown, kept = COINS[seat]
        assert accounts[f"coins_visible:{seat}"] == {"coin": shown}
        assert accounts.get(f"coins_hidden:{seat}", {}) == ({"coin": kept} if kept else {})
    assert not [name for name in accounts if name.startswith(("market:", "offer_", "layout:"))]


def test_33_cards_and_60_coins_add_up(evening: Evening) -> None:
    """The holdings of the players and of the box sum to zero."""
    totals: Counter[str] = Counter()
    for held in evening.get("/state")["accounts"].values():
        totals.update(held)
    assert {commodity for commodity, total in totals.items() if total} == set()
    box = evening.get("/accounts/box")["holdings"]
    assert box == {**{card.commodity: -card.copies for card in CARDS.values()}, "coin": PAID - 60}
    assert sum(shown + kept for shown, kept in COINS.values()) == 60 - PAID
    assert sum(sum(held.values()) for held in HANDS.values()) == 33


def test_it_goes_through_everything(journal: list[dict[str, Any]]) -> None:
    """An auction, sales face up and face down, changed and withdrawn offers, hidden coins, a forced sale."""
    events = [event for entry in journal for event in entry["events"]]
    kinds = {event["kind"] for event in events}
    assert {
        "starter_drawn", "goods_dealt", "bid_made", "bidder_withdrew", "contraband_awarded", "bid_paid",
        "card_laid", "offer_made", "offer_changed", "offer_withdrawn", "offer_returned", "offer_accepted",
        "sale_coins_laid", "sale_coins_taken", "sale_coins_returned", "sale_forced", "good_announced",
        "good_laid_out", "card_chosen", "copies_taken_back", "coins_hidden", "sale_ended", "victory_claimed",
        "victory_declined", "game_ended",
    } <= kinds  # fmt: skip
    laid = [event["data"]["face"] for event in events if event["kind"] == "card_laid"]
    assert Counter(laid) == {"up": 5, "down": 5}
    sold = [(one["data"]["seller"], one["data"]["next_seller"]) for one in events if one["kind"] == "sale_ended"]
    assert sold == [
        ("ana", "ana"), ("ana", "ana"), ("ana", "driss"), ("driss", "chloe"), ("chloe", "bruno"),
        ("bruno", "bruno"), ("bruno", "bruno"), ("bruno", "ana"), ("ana", "ana"), ("ana", "ana"),
    ]  # fmt: skip
    (drawn,) = [event for event in events if event["kind"] == "starter_drawn"]
    assert drawn["rule"] == "negoces2:setup.16"
    assert len(drawn["data"]["rounds"]) == 2


def test_refusals_are_of_every_kind(recording: Recording) -> None:
    refused = [step.refused for _, step in recording.lines if isinstance(step, Step) and step.refused is not None]
    assert Counter(one.status for one in refused) == {409: 43, 422: 2, 403: 1}
    assert len({one.rule for one in refused if one.rule is not None}) >= 25
    assert {"negoces2:end.2", "negoces2:end.3", "negoces2:end.4"} <= {one.rule for one in refused}


def test_everything_is_checked_after_every_sale(recording: Recording) -> None:
    checks = [step for _, step in recording.lines if isinstance(step, Check)]
    assert all(check.exact for check in checks)
    assert {check.round for check in checks if check.round is not None} == {0, 1, 2, 3, 4, 5, 6, 7, 10, 11}


def test_the_journal_alone_gives_the_state_that_is_served(evening: Evening, store: Store) -> None:
    """The game is folded from the first event on, without a snapshot."""
    state = RULEBOOK.blank()
    for run in store.journal.runs(evening.played.game, batch=20):
        for facts in RULEBOOK.codec.read_events([entry.canonical for entry in run]):
            state.fold(facts.events)
            state.version = facts.number
    served = evening.get("/state")
    assert state.version == served["version"]
    assert state.holdings.as_dict() == served["accounts"]
    assert msgspec.json.decode(msgspec.json.encode(RULEBOOK.screen.view(state, BANKER))) == served["table"]


def test_a_past_moment_shows_where_every_card_lay(evening: Evening, journal: list[dict[str, Any]]) -> None:
    """The face-down card of the forced sale was a Wine: after the end that stays the banker's (secrecy.3)."""
    (forced,) = [entry["number"] for entry in journal if entry["kind"] == "force_sale"]
    spectator = evening.played.tokens["spectator"]
    seen = evening.get("/state", token=spectator, at=forced)["accounts"]
    assert seen["market:second_card"] == {"card": 1}
    accounts = evening.get("/state", at=forced)["accounts"]
    assert accounts["market:second_card"] == {"good:1": 1}
    assert accounts["market:sale_card"] == {"good:3": 1}


def test_playing_it_again_with_the_same_key_adds_nothing(evening: Evening, service: Service) -> None:
    with service.client() as client:
        again = play(LINES, client, key=KEY)
    assert (again.game, again.actions) == (evening.played.game, 59)
    assert evening.get()["version"] == 60
