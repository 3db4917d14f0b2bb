"""The words of previews, in corrections of games of every rulebook: no empty list, no difference of languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from random import Random

import pytest

from ledger import rulebooks
from ledger.kernel.deciding.plan import CorrectionSpreads, Plan
from ledger.kernel.deciding.replanning import plan
from ledger.kernel.facts.audience import BANKER
from ledger.kernel.facts.edits import Cascade, Edit
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.rules.actions import Correct
from ledger.reading.history.preview_views import Preview
from ledger.reading.history.previews import preview_of
from tests.properties.commands import SOAK
from tests.quarrels.mistakes import mistakes
from tests.quarrels.tables import Table, table_of

GAMES, CORRECTIONS, ACTIONS = (6, 20, 300) if SOAK else (2, 8, 120)


def planned(table: Table, edit: Edit, cascade: Cascade) -> Plan:
    past = table.past
    mending = Correct(edits=(edit,), cascade=cascade, reason="a mistake")
    return plan(
        table.game.rulebook, past.timeline(), table.game.state, lambda one: past.state_after(one - 1), mending
    )


def plans(table: Table, seed: int) -> Iterator[Plan]:
    """Some corrections of a game, planned and not made. A refusal names the later actions that would change."""
    for mistake in mistakes(table, CORRECTIONS, Random(seed)):
        try:
            yield planned(table, mistake.edit, "restate")
            planned(table, mistake.edit, "refuse")
        except CorrectionSpreads as spreads:
            assert re.search("later actions would change: [0-9]", spreads.en)
        except Refusal:
            continue


def differences(preview: Preview) -> list[str]:
    """What a preview tells of the table, and why actions fall."""
    return [
        *preview.turns,
        *preview.changes,
        *(fallen.why.text for fallen in preview.voided),
        *(warning.text for warning in preview.warnings),
    ]


def sentences(preview: Preview) -> list[str]:
    """Everything that a preview tells."""
    told = chain(preview.undone, preview.restored, preview.voided, preview.inserted, preview.restated)
    return [
        *differences(preview),
        *(cause.text for cause in preview.causes),
        *(action.sentence for action in told),
        *(action.was for action in preview.restated),
    ]


@pytest.mark.parametrize("name", sorted(rulebooks.rulebooks_by_id()))
def test_previews_are_told_alike_and_in_full(name: str) -> None:
    """Both languages name the same seats in the same order, a difference names a seat once, no list is empty."""
    rulebook = rulebooks.rulebooks_by_id()[name]
    told = 0
    for seed in range(GAMES):
        table = table_of(rulebook, seed, actions=ACTIONS, short=0)
        seats = re.compile(rf"\b({'|'.join(seat.name for seat in table.game.state.seats.values())})\b")
        for foreseen in plans(table, seed):
            english, french = (preview_of(rulebook, foreseen, BANKER, language) for language in ("en", "fr"))
            for en, fr in zip(sentences(english), sentences(french), strict=True):
                assert seats.findall(en) == seats.findall(fr), (en, fr)
                for text in (en, fr):
                    assert re.search(r"^\s*$|[:,]\s*(-?[.;]|-?$)| -[.;]|\s,", text) is None, text
            for text in differences(english):
                named = seats.findall(text)
                assert len(named) == len({*named}), text
            told += len(sentences(english))
    assert told > 50
