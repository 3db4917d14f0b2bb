"""The docket: after the end of a game, published, offered as moves, stored and shown."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.kernel.arbitration.remedies import CorrectHistory, Dismiss, Fine
from ledger.kernel.deciding.moves import moves
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.edits import Drop
from ledger.kernel.facts.refusals import GameOver
from ledger.kernel.language.sentences import speak
from tests.kernel.arbitration.contested import (
    DOCKET,
    AddStatement,
    Docket,
    OpenDispute,
    PublishRulings,
    Rule,
    WithdrawDispute,
)
from tests.kernel.toy import (
    ANA,
    BANKER,
    BOB,
    NOON,
    SPECTATOR,
    BuyBeans,
    End,
    Toy,
)

# After the end ---------------------------------------------------------------------------------------


def test_after_the_end_a_ruling_dismisses_or_corrects_and_moves_nothing(game: Docket) -> None:
    dispute = game.dispute("eve", 2)
    game.play(None, End())
    assert isinstance(game.refused("eve", OpenDispute(actions=(2,), claim="Aha.")), GameOver)
    refusal = game.refused(None, Rule(finding="So.", dispute=dispute, remedies=(Fine(seat="ana", amount=1),)))
    assert refusal.rule == "3.1"
    assert "fine" in refusal.en
    game.rule(Dismiss(), dispute=dispute)
    with pytest.raises(GameOver):
        game.decide("ana", BuyBeans(amount=1))
    game.rule(CorrectHistory(edits=(Drop(action=7),)), Fine(seat="ana", amount=1))
    assert not game.state.ended
    game.play("ana", BuyBeans(amount=1))
    assert game.holds("player:ana", "coin") == 5


def test_after_the_end_everybody_knows_of_every_dispute_but_a_bargain_stays_its_parties(game: Docket) -> None:
    private = game.dispute("bob", 4)
    game.play(None, End())
    assert game.known_to(SPECTATOR) == [private]
    assert game.refused("eve", OpenDispute(actions=(4,), claim="Aha.")).rule == "3.1"


# Publishing, moves, snapshots ------------------------------------------------------------------------


def test_the_banker_publishes_the_rulings_and_takes_them_back(game: Docket) -> None:
    assert game.refused(None, PublishRulings(published=False)).rule == "4.2"
    game.play(None, PublishRulings(published=True))
    assert game.state.rulings_published
    game.refused(None, PublishRulings(published=True))
    game.play(None, PublishRulings(published=False))
    assert not game.state.rulings_published


def test_what_can_be_chosen_is_offered(game: Docket) -> None:
    dispute = game.dispute("bob", 2)

    def offered(seat: str, viewer: Viewer) -> list[tuple[str, Any]]:
        found = moves(DOCKET, game.state, seat, f"player:{seat}", viewer, NOON)
        return [(move.kind, move.params) for move in found if DOCKET.actions[move.kind].docket]

    opening, statement = ("open_dispute", {"claim": "…"}), ("add_statement", {"dispute": dispute, "text": "…"})
    assert offered("bob", BOB) == [opening, statement, ("withdraw_dispute", {"dispute": dispute})]
    assert offered("ana", ANA) == [opening, statement]
    assert ("publish_rulings", {"published": True}) in offered("ana", BANKER)
    assert [params for kind, params in offered("ana", BANKER) if kind == "rule"] == [
        {"dispute": dispute, "finding": "…", "remedies": [{"op": "dismiss"}]},
        {"finding": "…"},
    ]
    last = {"edits": [{"op": "drop", "action": int(dispute)}], "cascade": "restate", "reason": "…"}
    assert [params for kind, params in offered("ana", BANKER) if kind == "mend"] == [last]
    assert opening not in offered("", BANKER), "a dispute is opened for a seat"


def test_why_not_to_speak_in_a_private_dispute_is_not_told_to_strangers(game: Docket) -> None:
    private = game.dispute("bob", 4)

    def choices(seat: str) -> list[str]:
        return [one.params["dispute"] for one in DOCKET.actions["add_statement"].choices(game.state, seat)]

    assert choices("bob") == choices("") == [private], "a party, and the banker for themselves"
    assert choices("eve") == []


def test_disputes_survive_a_snapshot_and_every_event_its_stored_bytes(game: Docket) -> None:
    game.rule(Dismiss(), dispute=game.dispute("bob", 4))
    game.play("ana", AddStatement(dispute=game.dispute("ana", 2), text="Well."))
    assert DOCKET.codec.from_snapshot(DOCKET.codec.to_snapshot(game.state)) == game.state
    folded: Toy = DOCKET.blank()
    for stored in game.bodies():
        folded.record(DOCKET.codec.event(stored))
    assert folded.disputes == game.state.disputes
    assert folded.settled == game.state.settled


def test_what_happens_on_the_docket_is_said_in_both_languages(game: Docket) -> None:
    dispute = game.dispute("bob", 2)
    game.play(None, AddStatement(dispute=dispute, text="Well."))
    game.rule(Fine(seat="ana", amount=1, reason="noise"), dispute=dispute)
    game.play("bob", WithdrawDispute(dispute=game.dispute("bob")))
    game.play(None, PublishRulings(published=True))
    speakers = DOCKET.language.speakers(game.state)
    events = [DOCKET.codec.event(stored) for entry in game.journal[5:] for stored in entry.events]
    assert [speak(event.en, event, "en", speakers) for event in events] == [
        "Bob opens dispute 6 on 2: That was wrong.",
        "banker states in dispute 6: Well.",
        "Ana is fined 1 coins (noise).",
        "The banker rules on dispute 6: So be it.",
        "Bob opens dispute 9: That was wrong.",
        "Bob withdraws dispute 9.",
        "The rulings of this table are published.",
    ]
    for event in events:
        assert speak(event.fr, event, "fr", speakers) != speak(event.en, event, "en", speakers)


def test_a_dispute_is_plain_data_for_whoever_shows_it(game: Docket) -> None:
    dispute = game.dispute("bob", 4)
    plain = msgspec.to_builtins(game.state.disputes[dispute])
    assert plain["opener"] == "bob"
    assert list(plain["actions"]) == [4]
    assert plain["parties"] == ("ana", "bob")
