"""Mended rules: what was decided under older rules stays, also in a correction, unless an edit is the cause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.edits import Drop
from ledger.kernel.facts.events import Event
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import Entry, canonical, read
from ledger.kernel.journal.stored import copied, is_canonical
from ledger.kernel.rules import revisions
from ledger.kernel.rules.actions import Action, Correct
from ledger.kernel.rules.chapter import Chapter
from ledger.kernel.rules.revisions import KERNEL
from ledger.trust.deciding import Difference, compare_decision
from ledger.trust.refolding import Refold
from ledger.trust.verifying import EntryRules
from tests.kernel import toy

chapter = Chapter("Levies")
chapter.event(HistoryCorrected)

BOUGHT, AGAIN, OWN, LEVY, OTHERS, HEAD = 2, 3, 4, 5, 6, 6
"""Bob buys a bean, and another; Ana buys one; Bob pays for his beans, and Ana for hers."""


@chapter.event
class LevyPaid(Event, frozen=True, kw_only=True):
    en: ClassVar[str] = "{seat} pays a levy."
    fr: ClassVar[str] = "{seat} paie une taxe."

    rule: str = "2.2"
    seat: str


@chapter.action(summary=("pay a levy", "payer"), when=("always", "toujours"))
class PayLevy(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    rate: ClassVar[int] = 1
    least: ClassVar[int] = 2
    cited: ClassVar[str] = "2.2"

    def decide(self, draft: toy.Draft) -> None:
        beans = draft.state.holdings.of(f"player:{draft.seat}", "bean")
        enough = draft.seat == "ana" or beans >= self.least
        draft.require(enough, self.cited, "too few beans", "trop peu de haricots")
        paid = draft.move("coin", self.rate * beans, f"player:{draft.seat}", BANK)
        draft.record(LevyPaid(seat=draft.seat, postings=paid))


@chapter.action(by=("banker",), summary=("mend", "réparer"), when=("always", "toujours"))
class MendHistory(Correct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The toy calls another action `correct`."""


@pytest.fixture
def game() -> Iterator[toy.Game]:
    """The game up to action 6, under the first rules."""
    played = toy.Game(rulebook=toy.rules(chapter))
    for seat, action in (
        ("bob", toy.BuyBeans(amount=1)),
        ("bob", toy.BuyBeans(amount=1)),
        ("ana", toy.BuyBeans(amount=1)),
        ("bob", PayLevy()),
        ("ana", PayLevy()),
    ):
        played.play(seat, action)
    yield played
    PayLevy.rate, PayLevy.least, PayLevy.cited = 1, 2, "2.2"


def mend(game: toy.Game, *kinds: str, rate: int = 2, least: int = 2) -> None:
    """Change the rules, with a row of these kinds."""
    PayLevy.rate, PayLevy.least = rate, least
    rows = (revisions.Revision(number, "…", kinds if number == 2 else ()) for number in (1, 2))
    game.rulebook.revisions = tuple(rows)


def drop(game: toy.Game, number: int) -> None:
    game.play(None, MendHistory(edits=(Drop(number),), cascade="restate", reason="a slip"))


def paid(game: toy.Game) -> dict[int, tuple[str, int]]:
    """The status of both levies, and the coins that were paid."""
    timeline = game.past.timeline()
    entries = ((number, timeline.entry(number)) for number in (LEVY, OTHERS))
    return {
        number: (one.status, sum(posting.amount for event in one.events for posting in event.postings))
        for number, one in entries
        if one is not None
    }


def differences(game: toy.Game, journal: list[Entry]) -> dict[int, Difference]:
    fold = Refold(game.rulebook, lambda first, last: journal[first - 1 : last])
    unlike = {}
    for entry in journal:
        events = tuple(map(game.rulebook.codec.event, entry.events))
        found = compare_decision(game.rulebook, fold.state, entry, events, fold, journal[entry.number :])
        if found is not None:
            unlike[entry.number] = found
        fold.take(entry.number, entry.recorded_at, entry.first_seq + len(events) - 1, events)
    return unlike


def wrong(game: toy.Game, journal: list[Entry]) -> list[str]:
    rules, seq, faults = EntryRules(game.rulebook, "toy"), 0, []
    for number, entry in enumerate(journal, start=1):
        events = tuple(map(game.rulebook.codec.event, entry.events))
        faults += rules.wrong(number, seq, entry, events)
        seq += len(events)
    return faults


def test_an_entry_has_the_revision_of_its_rules_from_the_second_on(game: toy.Game) -> None:
    mend(game, "pay_levy")
    game.play("ana", PayLevy())
    older, newer = replace(game.journal[HEAD - 1], revision=UNSET), game.journal[HEAD]
    assert (older.decided_under, newer.decided_under) == ((1, 1), (2, len(KERNEL)))
    assert b'"revision"' not in canonical(older)
    assert b'"revision":[2,%d]' % len(KERNEL) in canonical(newer)
    assert is_canonical(canonical(newer))
    assert read(copied(canonical(newer), "fork", "11")).decided_under == newer.decided_under
    assert wrong(game, game.journal) == []


def test_a_revision_never_goes_down_and_is_known(game: toy.Game) -> None:
    mend(game)
    game.play("ana", PayLevy())
    *first, last = game.journal
    kernel = len(KERNEL)
    assert wrong(game, [*first, replace(last, revision=(3, kernel))]) == [
        "it was decided under rules that are newer than those of this program"
    ]
    assert wrong(
        game, [*first[:-1], replace(first[-1], revision=(2, kernel)), replace(last, revision=(1, kernel))]
    ) == ["it was decided under older rules than the action in front of it"]


def test_only_kinds_of_a_later_row_are_exempt(game: toy.Game) -> None:
    mend(game, "pay_levy")
    assert {number: found.exempt for number, found in differences(game, game.journal).items()} == {
        LEVY: True,
        OTHERS: True,
    }
    mend(game, "throw")
    assert not any(found.exempt for found in differences(game, game.journal).values())
    game.journal[OTHERS - 1] = replace(game.journal[OTHERS - 1], revision=(2, 1))
    mend(game, "pay_levy")
    assert {number: found.exempt for number, found in differences(game, game.journal).items()} == {
        LEVY: True,
        OTHERS: False,
    }


def test_a_correction_is_exempt_with_what_it_decided_again(game: toy.Game) -> None:
    PayLevy.least = 1
    drop(game, AGAIN)
    assert paid(game)[LEVY] == ("restated", 1)
    mend(game, "pay_levy", rate=3, least=1)
    assert differences(game, game.journal)[HEAD + 1].exempt
    mend(game, "throw", rate=3, least=1)
    assert not differences(game, game.journal)[HEAD + 1].exempt


def test_a_correction_restates_by_the_rules_of_today_only_what_its_edits_change(game: toy.Game) -> None:
    mend(game, "pay_levy", rate=3, least=1)
    drop(game, AGAIN)
    assert paid(game) == {LEVY: ("restated", 3), OTHERS: ("effective", 1)}
    drop(game, HEAD + 1)
    assert paid(game) == {LEVY: ("effective", 2), OTHERS: ("effective", 1)}
    assert not any(number > HEAD for number in differences(game, game.journal))


def test_without_a_row_a_correction_restates_all(game: toy.Game) -> None:
    mend(game, least=1)
    drop(game, OWN)
    assert paid(game)[LEVY] == ("restated", 4)


def test_what_an_earlier_correction_left_stays(game: toy.Game) -> None:
    PayLevy.least = 1
    drop(game, AGAIN)
    mend(game, "pay_levy", rate=3, least=1)
    drop(game, OWN)
    assert paid(game) == {LEVY: ("restated", 1), OTHERS: ("restated", 0)}
    drop(game, HEAD + 1)
    assert paid(game)[LEVY] == ("effective", 2)


def test_a_voided_action_stays_voided(game: toy.Game) -> None:
    """It is possible by the rules of today, but no edit is the cause."""
    drop(game, AGAIN)
    assert paid(game)[LEVY] == ("voided", 0)
    mend(game, "pay_levy", least=1)
    drop(game, OWN)
    assert paid(game)[LEVY] == ("voided", 0)
    drop(game, HEAD + 1)
    assert paid(game)[LEVY] == ("effective", 2)


def test_the_rule_that_voids_an_action_is_compared_within_a_revision(game: toy.Game) -> None:
    drop(game, AGAIN)
    PayLevy.cited = "2.1"
    assert "amendments" in differences(game, game.journal)[HEAD + 1].description
    mend(game, rate=1)
    assert differences(game, game.journal) == {}


def test_rows_are_numbered_from_one() -> None:
    text = '[[revision]]\nnumber = {}\nchanged = "…"\nkinds = ["roll"]\n'
    assert [row.kinds for row in revisions.read(text.format(1) + text.format(2))] == [("roll",), ("roll",)]
    with pytest.raises(ValueError, match="not numbered"):
        revisions.read(text.format(1) + text.format(3))
