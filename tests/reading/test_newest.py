"""What a screen says in a few words: the newest public line with its dice, and what falls due next."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.kernel.facts.audience import BANKER, SPECTATOR, Viewer
from ledger.kernel.journal.sight import current_viewer, visible_entry
from ledger.kernel.journal.timeline import Timeline
from ledger.kernel.language.briefs import brief
from ledger.reading.entries.look import telling_events
from ledger.reading.table.newest import BRIEF
from ledger.reading.table.states import shown_state
from ledger.service import Ledger
from tests.reading.purchase import BOUGHT, RENT
from tests.reading.test_states import RULEBOOKS, simulated, state_of
from tests.tables.ledgers import ANA, BOB
from tests.tables.negopoly import Table


def shown(ledger: Ledger, game: str, viewer: Viewer, language: str = "en", at: int | None = None) -> Any:
    moment = ledger.moment(game, viewer, at)
    return msgspec.json.decode(
        msgspec.json.encode(shown_state(moment, ledger.clock.game_time(moment.newest), language))
    )


def test_the_newest_public_line_stays_while_something_private_happens(ledger: Ledger, game: str) -> None:
    """Bob threw 1 + 2 and paid Ana rent. The private gift after it changes nothing, for nobody."""
    rent = {"brief": "Bob pays Ana ₦4 of rent", "seat": "bob", "action": RENT, "dice": [1, 2]}
    assert [shown(ledger, game, viewer)["last"] for viewer in (ANA, BOB, BANKER, SPECTATOR)] == [rent] * 4
    assert shown(ledger, game, ANA, "fr")["last"]["brief"] == "Bob paie 4 ₦ de loyer à Ana"


def test_an_earlier_moment_has_its_own_line_and_an_undone_one_has_none(ledger: Ledger, undone: str) -> None:
    """The banker has dropped the purchase. The line before it is the newest of its moment, as known now."""
    assert shown(ledger, undone, SPECTATOR)["last"]["brief"] == "The banker corrects the history"
    thrown = shown(ledger, undone, SPECTATOR, at=BOUGHT)["last"]
    assert (thrown["action"], thrown["seat"], thrown["dice"]) == (BOUGHT - 1, "ana", [1, 2])
    assert "dice" not in shown(ledger, undone, SPECTATOR, at=BOUGHT + 1)["last"]


@pytest.mark.parametrize("rulebook", sorted(RULEBOOKS))
def test_every_sentence_has_a_brief_form(rulebook: str) -> None:
    """At most 40 characters, and never more than the sentence says."""
    game = simulated(RULEBOOKS[rulebook])
    speakers = game.rulebook.language.speakers(game.state)
    viewer = current_viewer(game.state, SPECTATOR)
    for line in Timeline(game.journal, game.rulebook.codec.event).entries():
        for _, event in telling_events(visible_entry(line, viewer)):
            for language, template in (("en", event.en), ("fr", event.fr)):  # type: ignore[attr-defined]
                text = brief(template, event, language, speakers, BRIEF)
                assert 0 < len(text) <= BRIEF
                whole = event.sentence(language, speakers)
                assert whole.startswith(text.rstrip("…")) or "(" in whole


def test_a_long_name_is_cut_and_a_pause_ends_a_sentence() -> None:
    speakers = {"name": lambda value, _: value}
    assert brief("{a:name} sells a boat for {b}; it sank.", {"a": "Ana", "b": 3}, "en", speakers, 40) == (
        "Ana sells a boat for 3; it sank"
    )
    assert brief("{a:name} sells a boat for {b}; it sank.", {"a": "Ana", "b": 3}, "en", speakers, 25) == (
        "Ana sells a boat for 3"
    )
    assert brief("{a:name} sells a boat for {b}; it sank.", {"a": "Ana", "b": 3}, "en", speakers, 20) == (
        "Ana sells a boat"
    )
    assert brief("{a:name} s'assoit.", {"a": "Ana " * 20}, "fr", speakers, 10) == "Ana Ana…"


def dues(table: Table, viewer: Viewer, language: str = "en") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = state_of(table.rulebook, table.state, viewer, language)["dues"]
    return found


def test_what_falls_due_comes_in_its_order_and_to_those_who_may_see_it() -> None:
    """Ana owes the bank, and by a deal a dose is on its way to Bob. Neither is a matter of Cid or of the wall."""
    table = Table("ana", "bob", "cid")
    table.play("ana", "take_loan", amount=300)
    table.give("ana", "dose", 2)
    leg = {"giver": "ana", "taker": "bob", "commodity": "dose", "amount": 1}
    deal = table.play("ana", "propose_deal", parties=["ana", "bob"], legs=[leg], clauses=["Peace"])[0].deal.id
    assert [due["collection"] for due in dues(table, ANA)] == ["loans"]
    table.play("bob", "agree_deal", deal=deal)
    delivery, loan = dues(table, ANA)
    assert (delivery["text"], delivery["when"]) == ("1 × Dose from Ana to Bob", "arrives in round 2")
    assert (delivery["seat"], delivery["round"], delivery["collection"]) == ("ana", 2, "deliveries")
    assert (loan["text"], loan["when"]) == ("Ana owes the bank ₦300 (loan 9)", "in 2 passages by Spawn")
    assert (loan["seat"], loan["amount"], loan["commodity"]) == ("ana", 300, "NGD")
    assert (loan["agreement"], loan["collection"]) == ("9", "loans")
    assert [due["when"] for due in dues(table, ANA, "fr")] == ["arrive au round 2", "dans 2 passages par Spawn"]
    assert dues(table, BANKER) == [delivery, loan]
    assert dues(table, BOB) == [delivery]
    assert dues(table, Viewer("player", "cid")) == dues(table, SPECTATOR) == []


def test_a_debt_of_now_comes_first_and_a_state_has_three_at_most() -> None:
    """Whatever bots owe: a debt to be paid now comes before what has a time or a round."""
    most = 0
    for rulebook in ("monopoly_naruto", "negopoly"):
        game = simulated(RULEBOOKS[rulebook])
        for number in range(1, game.state.version, 5):
            state = game.past.state_after(number)
            found = state_of(game.rulebook, state, BANKER)["dues"]
            most = max(most, len(found))
            now = [due.get("when") == "now" for due in found]
            assert now == sorted(now, reverse=True)
    assert most == 3
