"""The audit with corrections, disputes and rulings, for every viewer, at every moment."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.labels import Place
from ledger.reading.entries.journal import Filter, page_of_journal, read_entry
from ledger.reading.history.audit import audit as read_audit
from ledger.reading.words.naming import Names
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.service import Command, Ledger
from tests.harness.playing import NOON
from tests.reading.purchase import BOUGHT, CORRECTION, GIFT, MONEY, RENT, RULES, audit, correct, why
from tests.tables.ledgers import ANA, BOB, SPECTATOR, do

# The lines ------------------------------------------------------------------------------------------


def test_a_line_says_what_happened_by_which_rule_and_what_it_came_to(ledger: Ledger, game: str) -> None:
    line = audit(ledger, game)[9]
    assert line.sentence == "Ana buys Black Arretxea for ₦60."
    assert (line.seat, line.seat_name, line.by, line.by_name) == ("ana", "Ana", "ana", "Ana")
    (rule,) = line.rules
    assert (rule.rule, rule.href) == ("V.A.2", "/rules/V.A.2")
    assert rule.title == RULEBOOK.register.get("V.A.2").title  # type: ignore[union-attr]
    assert [(one.amount, one.commodity_name, one.source_name, one.target_name) for one in line.postings] == [
        (60, "₦", "Ana", "the bank"),
        (1, "Black Arretxea", "the bank", "Ana"),
    ]
    assert {(one.account_name, one.commodity_name): one.amount for one in line.balances} == {
        ("Ana", "₦"): 1590,
        ("the bank", "₦"): -3240,
        ("the bank", "Black Arretxea"): 0,
        ("Ana", "Black Arretxea"): 1,
    }
    assert (line.status, line.status_text) == ("effective", "in force")
    assert line.touched_by.corrections == ()
    entry = read_entry(ledger.moment(game), BOUGHT)
    assert entry is not None
    assert line.receipt == entry.receipt


def test_a_line_speaks_french(ledger: Ledger, undone: str) -> None:
    lines = audit(ledger, undone, language="fr")
    assert lines[9].sentence == "Ana achète Black Arretxea pour 60 ₦."
    assert lines[9].status_text == "annulée par la correction 14\u00a0: wrong square"
    assert lines[9].rules[0].title == RULEBOOK.register.get("V.A.2", "fr").title  # type: ignore[union-attr]
    assert lines[9].postings[0].target_name == "la banque"
    assert lines[12].status_text == "rejouée par la correction 14\u00a0: wrong square"
    assert lines[14].sentence == (
        "Le banquier corrige l'histoire\u00a0: wrong square."
        " Actions retirées\u00a0: 9. Actions rejouées (1)\u00a0: 12."
    )
    assert audit(ledger, undone, SPECTATOR, language="fr")[13].sentence == "Il s'est passé quelque chose de privé."


def test_it_is_said_when_the_banker_acts_for_a_seat(ledger: Ledger, game: str) -> None:
    ended = Command(kind="end_turn", seat="bob", override="Bob is on the telephone")
    ledger.perform(game, BANKER, Command(kind="transfer_money", seat="bob", params={"to": "ana", "amount": 3}))
    ledger.perform(game, BANKER, ended)
    waived = Command(kind="end_turn", seat="ana", override="Ana is asleep")
    ledger.perform(game, BANKER, waived)
    lines = audit(ledger, game)
    assert lines[14].sentence == "The banker, for Bob: Bob gives ₦3 to Ana."
    assert audit(ledger, game, language="fr")[14].sentence.startswith("Le banquier, pour Bob\u00a0: Bob ")
    assert (lines[16].by, lines[16].by_name, lines[16].seat_name) == ("banker", "The banker", "Ana")
    assert lines[16].override == "Ana is asleep"
    (broken,) = lines[16].waived
    assert (broken.rule.rule, broken.rule.href) == ("II.B.12", "/rules/II.B.12")
    assert broken.text
    assert lines[1].by_name == "The service"


def test_an_undone_purchase_stays_visible_and_names_the_correction(ledger: Ledger, undone: str) -> None:
    lines = audit(ledger, undone)
    bought = lines[9]
    assert bought.status_text == "undone by correction 14: wrong square"
    assert bought.sentence == "Ana buys Black Arretxea for ₦60."
    assert [(one.amount, one.counts) for one in bought.postings] == [(60, False), (1, False)]
    assert bought.balances == ()
    (touch,) = bought.touched_by.corrections
    assert (touch.correction, touch.status, touch.reason) == (14, "undone", "wrong square")


def test_a_restated_action_shows_what_counts_and_what_was_recorded(ledger: Ledger, undone: str) -> None:
    line = audit(ledger, undone)[12]
    assert line.status_text == "played again by correction 14: wrong square"
    assert line.sentence == "Bob is done with Black Arretxea."
    assert line.postings == ()
    assert line.recorded is not None
    assert "Bob pays Ana ₦4 of rent for Black Arretxea" in line.recorded.sentence
    assert [(one.amount, one.counts) for one in line.recorded.postings] == [(4, False)]
    assert "V.A.7" in [rule.rule for rule in line.recorded.rules]


def test_a_correction_names_what_it_did_and_who_holds_more_or_less(ledger: Ledger, undone: str) -> None:
    line = audit(ledger, undone)[14]
    assert line.sentence == (
        "The banker corrects the history: wrong square. Actions dropped: 9. Actions played again (1): 12."
    )
    made = line.correction
    assert made is not None
    assert (made.reason, made.cascade, made.undone, made.restated) == ("wrong square", "restate", (9,), (12,))
    assert {(one.account, one.commodity): one.change for one in made.changes} == {
        ("player:ana", MONEY): 56,
        ("player:bob", MONEY): 4,
        ("bank", MONEY): -60,
        ("bank", "title:black_arretxea"): 1,
        ("player:ana", "title:black_arretxea"): -1,
    }
    # Ana has 1650 as at the start, less the gift of 40; the title lies with the bank again.
    assert {(one.account, one.commodity): one.amount for one in line.balances} == {
        ("player:ana", MONEY): 1610,
        ("player:bob", MONEY): 1690,
        ("bank", MONEY): -3300,
        ("bank", "title:black_arretxea"): 1,
        ("player:ana", "title:black_arretxea"): 0,
    }


def test_a_redo_is_told_as_such(ledger: Ledger, undone: str) -> None:
    correct(ledger, undone, {"op": "drop", "action": CORRECTION}, reason="it was right")
    lines = audit(ledger, undone)
    assert lines[9].status_text == "counts again since correction 15: it was right"
    assert [touch.status for touch in lines[9].touched_by.corrections] == ["undone", "effective"]
    assert lines[12].status == "effective"
    assert lines[14].status_text == "undone by correction 15: it was right"
    assert lines[15].sentence.endswith("Actions dropped: 14. Actions that count again (2): 9, 12.")
    assert {change.change for change in lines[15].correction.changes} == {-56, -4, 60, -1, 1}  # type: ignore[union-attr]


def test_an_action_that_falls_says_why(ledger: Ledger, game: str) -> None:
    """Ana sold something that, after the correction, she never had."""
    do(ledger, game, BOB, "end_turn")
    do(ledger, game, ANA, "sell_property", title="black_arretxea")
    correct(ledger, game, {"op": "drop", "action": BOUGHT})
    lines = audit(ledger, game)
    fallen = lines[15]
    assert fallen.status == "voided"
    assert fallen.status_text == (
        "made impossible by correction 16: wrong square. Black Arretxea belongs to the bank, not to Ana (V.D.3)"
    )
    assert fallen.postings
    assert not any(posting.counts for posting in fallen.postings)
    assert lines[16].sentence.endswith("Actions played again (1): 12. Actions no longer possible (1): 15.")
    assert lines[16].correction.voided == (15,)  # type: ignore[union-attr]


def test_a_rewind_is_told_in_a_span(ledger: Ledger, game: str) -> None:
    correct(ledger, game, {"op": "rewind", "to": 9})
    line = audit(ledger, game)[14]
    assert line.sentence.endswith("Everything taken back from action 9 on. Actions undone (5): 9 to 13.")


def test_an_inserted_action_stands_at_its_place(ledger: Ledger, game: str) -> None:
    gift = {"kind": "transfer_money", "seat": "bob", "params": {"to": "ana", "amount": 7}}
    loan = {"kind": "take_loan", "seat": "bob", "params": {"amount": 100}}
    edits = [{"op": "insert", "after": 10, "action": one} for one in (gift, loan)]
    correct(ledger, game, *edits, reason="forgotten")
    lines = audit(ledger, game)
    assert list(lines)[9:13] == [10, "14.1", "14.2", 11]
    inserted = lines["14.1"]
    assert (inserted.number, inserted.after, inserted.kind) == (14, 10, "transfer_money")
    assert inserted.sentence == "The banker, for Bob: Bob gives ₦7 to Ana."
    assert inserted.status_text == "inserted by correction 14: forgotten"
    assert {one.account: one.amount for one in inserted.balances} == {"player:bob": 1643, "player:ana": 1597}
    assert lines[12].balances[0].amount == 1650 - 7 + 100 - 4
    assert inserted.receipt == lines[14].receipt
    assert "Actions inserted: 14.1 after 10, 14.2 after 10." in lines[14].sentence
    assert list(audit(ledger, game, newest_first=True)) == list(lines)[::-1]
    assert list(audit(ledger, game, known_at=13)) == [*range(1, 14)]
    assert list(audit(ledger, game, at=10))[-3:] == [10, "14.1", "14.2"]
    assert {"14.1", "14.2"} <= audit(ledger, game, BOB).keys()
    assert [name for name in audit(ledger, game, ANA) if "." in str(name)] == ["14.1"]
    assert [name for name in audit(ledger, game, SPECTATOR) if "." in str(name)] == []
    correct(ledger, game, {"op": "drop", "action": 14}, reason="not forgotten")
    assert audit(ledger, game)["14.1"].status_text == "undone by correction 15: not forgotten"


def test_pages_lead_through_inserted_actions_both_ways(ledger: Ledger, game: str) -> None:
    gift = {"kind": "transfer_money", "seat": "bob", "params": {"to": "ana", "amount": 7}}
    correct(ledger, game, *({"op": "insert", "after": 10, "action": gift} for _ in range(4)))
    whole = list(audit(ledger, game))
    assert whole[10:14] == ["14.1", "14.2", "14.3", "14.4"]
    for newest_first in (False, True):
        for limit in (1, 2, 3, 5):
            walked: list[str] = []
            after: Place | None = None
            while True:
                page, after = read_audit(
                    ledger.moment(game), register_at=RULES, cursor=after, newest_first=newest_first, limit=limit
                )
                walked += [line.action for line in page]
                if after is None:
                    break
                assert len(page) == limit
                assert page[-1].place == after
            assert walked == (whole[::-1] if newest_first else whole)


@pytest.mark.parametrize(
    ("only", "before", "after"),
    [
        (Filter(kind="buy_property"), [9], [9]),
        (Filter(status="undone"), [], [9]),
        (Filter(status="restated"), [], [12]),
        (Filter(rule="V.A.7"), [12], [12]),
        (Filter(seat="bob"), [4, 5, 11, 12], [4, 5, 11, 12]),
        (Filter(account="player:bob", commodity=MONEY), [4, 5, 12, 13], [4, 5, 12, 13]),
        (Filter(since=NOON + timedelta(days=1)), [], []),
        (Filter(until=NOON), [], []),
        (Filter(kind="correct"), [], [14]),
    ],
)
def test_filters_are_those_of_the_journal(
    ledger: Ledger, game: str, only: Filter, before: list[int], after: list[int]
) -> None:
    assert list(audit(ledger, game, only=only)) == before
    correct(ledger, game, {"op": "drop", "action": BOUGHT})
    assert list(audit(ledger, game, only=only)) == after
    entries, _ = page_of_journal(ledger.moment(game), only=only, limit=200)
    assert [entry.number for entry in entries] == after


def test_at_and_known_at_in_all_four_ways(ledger: Ledger, undone: str) -> None:
    """The audit up to the purchase and up to the rent, as believed before the correction and as known now."""

    def told(at: int, known_at: int | None) -> tuple[int, str, str]:
        lines = audit(ledger, undone, at=at, known_at=known_at)
        assert list(lines) == [*range(1, at + 1)]
        return len(lines), lines[9].status, list(lines.values())[-1].sentence

    assert told(9, 13) == (9, "effective", "Ana buys Black Arretxea for ₦60.")
    assert told(9, None) == (9, "undone", "Ana buys Black Arretxea for ₦60.")
    believed = told(12, 13)
    assert (believed[0], believed[1]) == (12, "effective")
    assert "of rent" in believed[2]
    assert told(12, None) == (12, "undone", "Bob is done with Black Arretxea.")
    assert audit(ledger, undone, known_at=13)[12].balances[0].amount == 1646
    assert audit(ledger, undone, known_at=13)[9].touched_by.corrections == ()


@pytest.mark.parametrize(
    ("account", "en", "fr"),
    [
        ("player:ana", "Ana", "Ana"),
        ("bank", "the bank", "la banque"),
        ("police", "the police", "la police"),
        ("property:negotown", "Négotown (what is on it)", "Négotown (ce qui s'y trouve)"),
        ("transit:7", "delivery 7 (on its way)", "livraison 7 (en route)"),
        ("escrow:bounty:12-2", "bounty 12-2 (escrow)", "prime 12-2 (séquestre)"),
        ("hand:bob", "Bob (hand)", "Bob (main)"),
        ("player:zoe", "zoe", "zoe"),
        ("vault", "vault", "vault"),
    ],
)
def test_accounts_have_names(ledger: Ledger, game: str, account: str, en: str, fr: str) -> None:
    for language, name in (("en", en), ("fr", fr)):
        assert Names(RULEBOOK, ledger.moment(game).newest, language, RULES).account(account) == name


# Who may see it -------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [ANA, BOB, SPECTATOR, BANKER])
def test_the_audit_tells_nobody_more_than_the_journal(ledger: Ledger, undone: str, viewer: Viewer) -> None:
    entries, _ = page_of_journal(ledger.moment(undone, viewer), limit=200)
    lines = audit(ledger, undone, viewer)
    for entry in entries:
        line = lines[entry.number]
        assert (line.kind, line.seat, line.by, line.status) == (entry.kind, entry.seat, entry.by, entry.status)
        shown = [posting for event in entry.restated or entry.events for posting in event.postings]
        if entry.status != "restated":
            assert len(line.postings) == len(shown)
        assert {rule.rule for rule in line.rules} <= {event.rule for event in (*entry.events, *entry.restated)}
        for balance in line.balances:
            assert entry.balances.get(balance.account, {}).get(balance.commodity, 0) == balance.amount


def test_a_private_action_is_one_line_that_says_so(ledger: Ledger, undone: str) -> None:
    line = audit(ledger, undone, SPECTATOR)[13]
    assert line.sentence == "Something private happened."
    assert (line.by_name, line.seat_name, line.rules, line.postings, line.balances) == (None, None, (), (), ())
    assert "40" in audit(ledger, undone, BOB)[13].sentence


def test_outsiders_learn_that_a_correction_was_made_and_not_how(ledger: Ledger, game: str) -> None:
    correct(
        ledger, game, {"op": "replace", "action": GIFT, "params": {"to": "bob", "amount": 41}}, reason="misheard"
    )
    banker, spectator = audit(ledger, game)[14].correction, audit(ledger, game, SPECTATOR)[14].correction
    assert banker is not None
    assert spectator is not None
    assert banker.edits[0].params == {"to": "bob", "amount": 41}
    assert {change.change for change in banker.changes} == {-1, 1}
    assert (spectator.reason, spectator.edits, spectator.changes, spectator.restated) == ("misheard", (), (), ())
    hidden = audit(ledger, game, SPECTATOR)[13]
    assert (hidden.sentence, hidden.recorded) == ("Something private happened.", None)
    assert (hidden.status, hidden.status_text, hidden.touched_by.corrections) == ("effective", "in force", ())


# Disputes and rulings -------------------------------------------------------------------------------


def contested(ledger: Ledger, game: str, action: int) -> str:
    """Bob contests an action (14); the banker rules for him (15): no purchase, and Ana is fined."""
    do(ledger, game, BOB, "open_dispute", actions=[action], claim="I owed nothing", rules=["V.A.8"])
    do(
        ledger,
        game,
        BANKER,
        "rule",
        dispute="14",
        finding="Bob is right",
        rules=["V.A.8"],
        waives=["V.A.3"],
        remedies=[
            {
                "op": "correct",
                "edits": [{"op": "drop", "action": BOUGHT}],
                "cascade": "restate",
                "reason": "not bought",
            },
            {"op": "fine", "seat": "ana", "amount": 10},
        ],
    )
    return game


def test_disputes_and_rulings_stand_with_the_actions_they_are_about(ledger: Ledger, game: str) -> None:
    lines = audit(ledger, contested(ledger, game, RENT))
    about = lines[12].touched_by
    (disputed,) = about.disputes
    assert (disputed.dispute, disputed.opener_name, disputed.claim) == ("14", "Bob", "I owed nothing")
    assert (disputed.status, disputed.ruling) == ("ruled", "15")
    (ruled,) = about.rulings
    assert (ruled.number, ruled.dispute, ruled.finding, ruled.status) == (15, "14", "Bob is right", "effective")
    assert [touch.correction for touch in about.corrections] == [15]
    assert lines[9].touched_by.disputes == ()
    assert lines[9].status_text == "undone by ruling 15: not bought"
    assert audit(ledger, game, language="fr")[9].status_text == "annulée par la décision 15\u00a0: not bought"
    ruling = lines[15]
    assert ruling.sentence.startswith("The banker corrects the history: not bought. Ana is fined ₦10.")
    assert "The banker rules on dispute 14: Bob is right." in ruling.sentence
    assert ruling.sentence.endswith("Actions dropped: 9. Actions played again (1): 12.")
    assert [rule.rule for rule in ruling.rules] == ["P.4", "P.1", "V.A.8"]
    assert [waived.rule.rule for waived in ruling.waived] == ["V.A.3"]
    assert [(one.amount, one.source_name, one.counts) for one in ruling.postings] == [(10, "Ana", True)]
    assert [rule.rule for rule in lines[14].rules] == ["P.2", "V.A.8"]


def test_what_was_not_known_yet_touches_nothing(ledger: Ledger, game: str) -> None:
    contested(ledger, game, RENT)
    about = audit(ledger, game, known_at=14)[12].touched_by
    assert [(one.status, one.ruling) for one in about.disputes] == [("open", None)]
    assert (about.rulings, about.corrections) == ((), ())
    assert audit(ledger, game, known_at=13)[12].touched_by.disputes == ()
    found = why(ledger, game, "player:ana")
    assert (found.amount, [one.change for one in found.corrections]) == (1600, [56])


def test_an_overturned_ruling_stays_visible(ledger: Ledger, game: str) -> None:
    contested(ledger, game, RENT)
    correct(ledger, game, {"op": "drop", "action": 15}, reason="hasty")
    lines = audit(ledger, game)
    assert lines[15].status_text == "undone by correction 16: hasty"
    assert [one.status for one in lines[12].touched_by.rulings] == ["undone"]
    assert [one.status for one in lines[12].touched_by.disputes] == ["open"]
    assert lines[9].status_text == "counts again since correction 16: hasty"


def test_a_private_dispute_is_its_parties_affair(ledger: Ledger, game: str) -> None:
    contested(ledger, game, GIFT)
    for viewer in (ANA, BOB, BANKER):
        about = audit(ledger, game, viewer)[13].touched_by
        assert [one.claim for one in about.disputes] == ["I owed nothing"]
        assert [one.finding for one in about.rulings] == ["Bob is right"]
    lines = audit(ledger, game, SPECTATOR)
    assert (lines[13].touched_by.disputes, lines[13].touched_by.rulings) == ((), ())
    assert lines[14].sentence == "Something private happened."
    assert "Bob is right" not in str(lines)
    assert "I owed nothing" not in str(lines)
