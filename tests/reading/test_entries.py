"""Entries that speak: their sentence, their status, the names and the effects; and one entry for many viewers."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.reading.entries.journal import page_of_journal, read_entry
from ledger.reading.entries.shared import entries_between
from ledger.reading.entries.views import Effect, EntryView
from ledger.reading.history.audit import audit as read_audit
from ledger.service import Command, Ledger
from ledger.store.journal import Journal
from ledger.store.store import Store
from tests.reading.purchase import BOUGHT, GIFT, MONEY, RENT, RULES
from tests.tables.ledgers import ANA, BOB, SPECTATOR, do

VIEWERS = (BANKER, ANA, BOB, SPECTATOR)


def entry(ledger: Ledger, game: str, name: int | str, viewer: Viewer = BANKER, language: str = "en") -> EntryView:
    """One action as a viewer reads it."""
    found = read_entry(ledger.moment(game, viewer), name, language)
    assert found is not None
    return found


# What an entry says ---------------------------------------------------------------------------------


def test_an_entry_says_what_happened_and_names_what_occurs_in_it(ledger: Ledger, game: str) -> None:
    bought = entry(ledger, game, BOUGHT)
    assert bought.sentence == "Ana buys Black Arretxea for ₦60."
    assert bought.status_text == "in force"
    assert bought.names.seats == {"ana": "Ana"}
    assert bought.names.accounts == {"player:ana": "Ana", "bank": "the bank"}
    assert bought.names.commodities == {"NGD": "₦", "title:black_arretxea": "Black Arretxea"}
    french = entry(ledger, game, BOUGHT, language="fr")
    assert french.sentence == "Ana achète Black Arretxea pour 60 ₦."
    assert french.names.accounts["bank"] == "la banque"


def test_who_entered_an_action_stands_beside_its_sentence(ledger: Ledger, game: str) -> None:
    """The banker types for Bob: the sentence is Bob's own, and `by_text` says who typed it."""
    typed = ledger.perform(
        game, BANKER, Command(kind="transfer_money", params={"to": "ana", "amount": 3}, seat="bob")
    )
    assert (typed.entry.sentence, typed.entry.by_text) == ("Bob gives ₦3 to Ana.", "by the banker, for Bob")
    french = entry(ledger, game, typed.entry.number, language="fr")
    assert (french.sentence, french.by_text) == ("Bob donne 3 ₦ à Ana.", "par le banquier, pour Bob")
    assert entry(ledger, game, BOUGHT, ANA).by_text == "by Ana"
    assert entry(ledger, game, 1).by_text == "by the service"
    assert entry(ledger, game, typed.entry.number, SPECTATOR).by_text is None
    audited, _ = read_audit(ledger.moment(game), register_at=RULES, limit=200)
    assert audited[-1].sentence == "The banker, for Bob: Bob gives ₦3 to Ana."


def test_the_effects_are_of_what_moved_and_no_more(ledger: Ledger, game: str) -> None:
    """A purchase lists neither the bank's other titles nor what else Ana has."""
    bought = entry(ledger, game, BOUGHT)
    title = "title:black_arretxea"
    assert bought.effects == (
        Effect("player:ana", "NGD", 1650, 1590),
        Effect("bank", "NGD", -3300, -3240),
        Effect("bank", title, 1, 0),
        Effect("player:ana", title, 0, 1),
    )
    assert bought.balances == {"player:ana": {"NGD": 1590, title: 1}, "bank": {"NGD": -3240}}
    of_bob = entry(ledger, game, BOUGHT, BOB)
    assert of_bob.effects == (Effect("bank", title, 1, 0), Effect("player:ana", title, 0, 1))
    assert entry(ledger, game, GIFT, SPECTATOR).effects == ()
    assert entry(ledger, game, GIFT, SPECTATOR).sentence == "Something private happened."


def test_a_dry_run_tells_the_effects_that_performing_has(ledger: Ledger, game: str) -> None:
    """Bob may buy nothing on Ana's street, but he may give her 7: the bank's titles are in neither answer."""
    gift = Command(kind="transfer_money", params={"to": "ana", "amount": 7})
    asked = ledger.preview(game, BOB, gift).entry
    done = ledger.perform(game, BOB, gift).entry
    assert asked.effects == done.effects == (Effect("player:bob", MONEY, 1686, 1679),)
    assert asked.balances == done.balances == {"player:bob": {MONEY: 1679}}
    assert (asked.sentence, asked.names) == (done.sentence, done.names)


def test_a_roll_says_which_squares_the_token_comes_to(ledger: Ledger, game: str) -> None:
    (way,) = entry(ledger, game, BOUGHT - 2).path
    assert (way.seat, way.places) == ("ana", ("square:1", "square:2", "square:3"))
    assert entry(ledger, game, BOUGHT).path == ()


def test_what_no_longer_counts_has_no_effects_and_says_why(ledger: Ledger, undone: str) -> None:
    """The purchase was undone: it moved nothing, and the rent of later is restated."""
    bought = entry(ledger, undone, BOUGHT)
    assert bought.status_text == "undone by correction 14: wrong square"
    assert (bought.effects, bought.path) == ((), ())
    rent = entry(ledger, undone, RENT, BOB)
    assert rent.status_text == "played again by correction 14: wrong square"
    assert rent.effects == ()
    correction = entry(ledger, undone, 14)
    assert correction.sentence == (
        "The banker corrects the history: wrong square. Actions dropped: 9. Actions played again (1): 12."
    )
    assert Effect("player:ana", MONEY, 1554, 1610) in correction.effects
    assert entry(ledger, undone, 14, BOB).sentence == (
        "The banker corrects the history: wrong square. Actions undone (1): 9. Actions played again (1): 12."
    )


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_entries_and_audit_tell_the_same(ledger: Ledger, undone: str, viewer: Viewer, language: str) -> None:
    moment = ledger.moment(undone, viewer)
    lines, _ = read_audit(moment, register_at=RULES, language=language, limit=200)
    page, _ = page_of_journal(moment, language=language, limit=200)
    told = [(one.action, one.status_text) for one in page]
    assert told == [(line.action, line.status_text) for line in lines]
    for one, line in zip(page, lines, strict=True):  # an audit names who asked in the sentence itself
        assert line.sentence.endswith(one.sentence)


# One entry for many viewers -------------------------------------------------------------------------


def test_viewers_who_see_the_same_share_one_entry(ledger: Ledger, game: str, store: Store) -> None:
    """Ana's purchase is written three times: for the banker, for Ana, and once for everybody else."""
    moment = ledger.moment(game)
    views = {viewer: entries_between(moment, BOUGHT, BOUGHT, "en", viewer)[0] for viewer in VIEWERS}
    assert len({id(view) for view in views.values()}) == 3
    assert views[BOB] is views[SPECTATOR]
    for viewer, view in views.items():
        assert view == page_of_journal(ledger.moment(game, viewer), cursor=BOUGHT - 1, limit=1)[0][0]


def test_a_new_entry_is_kept_for_those_who_read_it_next(
    ledger: Ledger, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stream of the same process reads nothing again: not the entry, and no state before it."""
    done = do(ledger, game, ANA, "transfer_money", to="bob", amount=5).entry
    moment = ledger.moment(game)
    monkeypatch.setattr(Journal, "entries_of", None)
    monkeypatch.setattr(Journal, "runs", None)
    for viewer in VIEWERS:
        (view,) = entries_between(moment, done.number, done.number, "en", viewer)
        assert view.receipt == done.receipt
    assert entries_between(moment, done.number, done.number, "en", ANA) == [done]


def test_entries_are_right_where_corrections_lie_between(ledger: Ledger, game: str, store: Store) -> None:
    """A stream that missed a correction reads on as the journal reads, in the process that wrote and in others."""
    first = ledger.moment(game).version
    for amount in (1, 2):
        do(ledger, game, ANA, "transfer_money", to="bob", amount=amount)
    edits = [{"op": "replace", "action": first + 1, "params": {"to": "bob", "amount": 11}}]
    do(ledger, game, BANKER, "correct", edits=edits, cascade="restate", reason="eleven")
    do(ledger, game, ANA, "transfer_money", to="bob", amount=3)
    insert = {"op": "insert", "after": first + 2, "action": {"kind": "transfer_money", "seat": "bob"}}
    insert["action"]["params"] = {"to": "ana", "amount": 7}  # type: ignore[index]
    do(ledger, game, BANKER, "correct", edits=[insert], cascade="restate", reason="and seven back")
    elsewhere = Ledger(store, ledger.rulebooks)
    for reading in (ledger, elsewhere):
        for viewer in VIEWERS:
            moment = reading.moment(game, viewer)
            whole, _ = page_of_journal(moment, cursor=first, limit=50)
            assert entries_between(moment, first + 1, moment.version) == whole
            one_by_one = [entries_between(moment, one.number, one.number)[0] for one in whole]
            assert one_by_one == whole
    gifts = entries_between(ledger.moment(game, BOB), first + 1, first + 4)
    changes = [[(one.before, one.after) for one in gift.effects] for gift in gifts]
    held = gifts[0].effects[0].before
    assert changes[:2] == [[(held, held + 11)], [(held + 11, held + 13)]]
    assert changes[3] == [(held + 13 - 7, held + 13 - 7 + 3)]
    assert [gift.status_text for gift in gifts[:2]] == ["played again by correction 16: eleven", "in force"]
