"""What a part of an action decides on a table, without the action: for chapters on which cards rest.

    draft = decided(table, "ana", lambda draft: decking.take_verse(draft, "ana", "westland", rule="vr:verse.5"))
    assert draft.state.display == (...)

Nothing of it is kept at the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from ledger.kernel.facts.refusals import RuleBroken
from ledger.kernel.rules.draft import Request
from ledger.rulebooks.virtual_revolution.table import effects
from ledger.rulebooks.virtual_revolution.table.effects import Doing
from ledger.rulebooks.virtual_revolution.table.state import Draft
from ledger.rulebooks.virtual_revolution.table.terms import Pick
from tests.harness.rules import witness
from tests.virtual_revolution.table import Table


def decided(
    table: Table, seat: str, part: Callable[[Draft], Any], *, drawn: Sequence[str] = (), seed: int | None = None
) -> Draft:
    """The draft on which a part of an action has been decided; with `seed`, the service draws."""
    request = Request(action=None, seat=seat, by=seat, at=table.now)
    draft = Draft(table.rulebook, table.state, request, None if seed is None else Random(seed))
    draft.draws.offer(drawn)
    part(draft)
    assert draft.draws.unused == ()
    for commodity in {one for _, held in draft.state.holdings.items() for one in held}:
        assert draft.state.holdings.total(commodity) == 0, commodity
    witness(*(event.rule for event in draft.events))
    return draft


def carried_out(
    table: Table,
    seat: str,
    effect: Any,
    *picks: Pick | None,
    here: int | None = 5,
    rule: str = "vr:agents.6",
    may_skip: bool = False,
    drawn: Sequence[str] = (),
) -> Draft:
    """The draft on which one effect of a card has been carried out, in an arrondissement."""
    doing = Doing(seat=seat, rule=rule, source="leslie", area=here, may_skip=may_skip, picks=list(picks))
    return decided(table, seat, lambda draft: effects.carry_out(draft, (effect,), doing), drawn=drawn)


def refused(table: Table, seat: str, effect: Any, *picks: Pick | None, by: str, **more: Any) -> None:
    """Check that an effect is refused by a rule, or beside it."""
    with pytest.raises(RuleBroken) as caught:
        carried_out(table, seat, effect, *picks, **more)
    assert by in {caught.value.rule, *caught.value.also_cited}, caught.value.rule
    witness(by)
