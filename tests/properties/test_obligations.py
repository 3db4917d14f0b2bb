"""Obligations in simulated games: known seats, accounts and rules, positive amounts, and nothing after the end.

After a correction, the obligations are those of the corrected history played from its first action.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from ledger.kernel.deciding.decision import decide
from ledger.kernel.facts.audience import BANKER, HOST
from ledger.kernel.facts.edits import Replace
from ledger.kernel.facts.events import kind_of
from ledger.kernel.facts.obligations import Obligation
from ledger.kernel.facts.refusals import NeedsDraw, Refusal
from ledger.kernel.facts.state import State
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import canonical, read
from ledger.kernel.journal.timeline import Timeline
from ledger.kernel.language.sentences import speak
from ledger.kernel.rules.bots import BANKER as BANKERS_WAYS
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.money.obligations import AllObligations, ObligationView, settled_by
from ledger.rulebooks import rulebooks_by_id
from replays.simulation import Series, game_of
from tests.properties.commands import SOAK
from tests.properties.watching import KNOWN, watch
from tests.quarrels.mistakes import Mistake, mistakes
from tests.quarrels.tables import Table, table_of
from tests.quarrels.trials import correction_of


def check(rulebook: Rulebook[Any], state: State, owed: Obligation) -> None:
    """Check that an obligation names things of the game, and an amount or an act."""
    assert owed.debtor in state.seats or (owed.debtor is None and owed.kind == "racket")
    assert owed.creditor is None or rulebook.accounts.knows_account(state, owed.creditor)
    assert owed.rule in rulebook.register
    words, speakers = rulebook.agreements.matters[owed.kind], rulebook.language.speakers(state)
    assert speak(words.en, owed, "en", speakers) != speak(words.fr, owed, "fr", speakers)
    assert owed.follows.en != owed.follows.fr
    assert owed.since is None or 0 < owed.since <= state.version
    assert owed.due is None or owed.due in (rulebook.progress.deadlines(state) or ())
    assert not owed.laid or owed.amount
    if owed.commodity is None:
        assert owed.amount is None
    else:
        assert owed.amount is not None
        assert owed.amount > 0
        assert rulebook.accounts.knows_commodity(
            state, owed.commodity
        ) or owed.commodity in rulebook.accounts.commodities(state)


def check_payments(rulebook: Rulebook[Any], state: State, owed: list[Obligation]) -> None:
    """Check that each amount that a player of a Monopoly is asked to pay is the sum of obligations."""
    for row in rulebook.screen.waiting(state, BANKER, "en"):
        sums = [
            sum(one.amount or 0 for one in owed if one.debtor == row.seat and one.kind == kind)
            for kind in ("debt", "tax")
        ]
        if row.label == "pay the tax":
            assert sums[1] > 0
        elif row.label.startswith("pay "):
            assert row.label == f"pay {rulebook.language.speakers(state)['money'](sums[0], 'en')}"


@pytest.mark.parametrize("rulebook", KNOWN, ids=lambda rulebook: rulebook.id)
def test_each_obligation_of_a_simulated_game_is_owed_by_a_rule(rulebook: Rulebook[Any]) -> None:
    kinds: set[str] = set()

    def look(state: State) -> None:
        owed = [*rulebook.agreements.obligations(state)]
        assert not (owed and state.ended)
        kinds.update(one.kind for one in owed)
        for one in owed:
            check(rulebook, state, one)
        if rulebook.engine == "monopoly":
            check_payments(rulebook, state, owed)

    watch(rulebook, look)
    assert kinds


def replayed(table: Table, mistake: Mistake) -> Iterator[tuple[State, State]]:
    """The state after each action of the corrected history, decided anew, and the state folded from its events."""
    rulebook, timeline = table.game.rulebook, table.past.timeline()
    decided, folded = rulebook.blank(), rulebook.blank()
    for one in timeline.effective():
        entry, edit = one.entry, mistake.edit
        if not one.events or isinstance(one.events[0], HistoryCorrected):
            continue  # nothing happens any more, or a correction, which is in force already
        is_other = isinstance(edit, Replace) and one.label == (edit.action, 0)
        action = rulebook.codec.action(
            entry.kind, msgspec.json.encode(edit.params) if is_other else bytes(entry.params)
        )
        request = Request(
            action=action,
            seat=entry.seat,
            by=entry.by,
            at=entry.recorded_at,
            override=entry.override,
            draws=one.draws,
            waives=frozenset(warned.rule for warned in entry.warnings),
            opens_as=one.name.replace(".", "-"),
            cited=timeline.cited(rulebook.secrets, action.cites()),
            again=True,
            recorded=not is_other and not one.insert,
        )
        try:
            decided = decide(rulebook, decided, request, chance=None).state
        except NeedsDraw:  # a card that nobody has drawn in the corrected history
            decided = decide(rulebook, decided, replace(request, undrawn=True), chance=None).state
        folded.fold(one.events)
        yield decided, folded


@pytest.mark.parametrize("rulebook", KNOWN, ids=lambda rulebook: rulebook.id)
def test_a_correction_moves_obligations_as_it_moves_money(rulebook: Rulebook[Any]) -> None:
    seeds, compared = range(1, 9) if SOAK else [4], 0
    for seed in seeds:
        table = table_of(rulebook, seed, actions=300, short=0)
        before = table.game.state
        for mistake in mistakes(table, 12 if SOAK else 8, Random(seed)):
            try:
                table.game.perform(
                    correction_of(table, mistake.edit), None, "banker", table.past.played[-1].recorded_at
                )
            except Refusal:
                continue
            for decided, folded in replayed(table, mistake):
                owed = [*rulebook.agreements.obligations(folded)]
                assert [*rulebook.agreements.obligations(decided)] == owed
                compared += len(owed)
            assert [*rulebook.agreements.obligations(table.game.state)] == owed
            table.restore(before)
    assert compared


@pytest.mark.parametrize("rulebook", KNOWN, ids=lambda rulebook: rulebook.id)
def test_what_settles_an_obligation_is_an_action_with_its_parameters(rulebook: Rulebook[Any]) -> None:
    face = rulebook.agreements
    assert face.settling.keys() <= face.matters.keys()
    for actions in face.settling.values():
        for kind, terms in actions.items():
            assert terms.keys() <= {"seat", *rulebook.actions[kind].__struct_fields__}
            assert {*terms.values()} <= {*ObligationView.__struct_fields__}


def owed_by_matter(rows: Iterable[ObligationView]) -> Counter[tuple[object, ...]]:
    """How much is owed of each matter; an act counts as 1."""
    sums: Counter[tuple[object, ...]] = Counter()
    for row in rows:
        sums[matter_of(row)] += row.amount or 1
    return sums


def matter_of(row: ObligationView) -> tuple[object, ...]:
    """A debt between two, whatever its amount is by now."""
    return row.kind, row.debtor, row.creditor, row.about, row.part, row.since


@pytest.mark.parametrize("name", sorted(rulebooks_by_id()))
def test_what_an_action_says_that_it_settles_is_owed_no_more_or_less(name: str) -> None:
    """An attack of two parts asks for each: it is owed again as the next part begins."""
    book = rulebooks_by_id()[name]
    strategies = tuple(bot for bot in book.simulation.strategies if bot != BANKERS_WAYS)
    seats = min(4, book.players[1])
    of = {"games": 2, "players": seats, "seed": 5, "actions": 500}
    series = Series(rulebook=name, strategies=strategies, tables="varied", **of)
    settled = 0
    for number in range(2):
        entries = [read(canonical(entry)) for entry in game_of(series, number).game.journal]
        state = book.blank()
        for standing in Timeline(entries, book.codec.event).effective():
            entry, rows = standing.entry, AllObligations(book, state, "en").seen_by(HOST) if state.seats else ()
            params = book.codec.params(entry.kind, bytes(entry.params)) if rows and entry.seat else {}
            chosen = settled_by(book, rows, entry.seat or "", entry.kind, params)
            state.fold(standing.events)
            state.version = standing.position[0]
            left = owed_by_matter(AllObligations(book, state, "en").seen_by(HOST)) if chosen else Counter()
            again = any(kind_of(event) == "part_began" for event in standing.events)
            for row in chosen:
                matter = matter_of(row)
                assert left[matter] < owed_by_matter(rows)[matter] or again, (standing.name, row.text)
                settled += 1
    assert settled > 3
