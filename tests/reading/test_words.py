"""No sentence shows an id, a hole in its template, or a word of the other language.

The people at the table have names far from the ids of their seats. They try wrong things in every way, and the
banker orders what nobody can pay and takes back what later actions need.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from random import Random
from typing import Any

import msgspec
import pytest

from ledger.kernel.deciding.decision import named
from ledger.kernel.deciding.in_memory import GameInMemory
from ledger.kernel.deciding.plan import VoidedEntry
from ledger.kernel.deciding.steps import decide_request, plan_of, request_of
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.language.sentences import speak
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks import rulebooks_by_id
from tests.harness.words import LANGUAGES, Ids
from tests.tables.evenings import evening

HOURS = (3, 12, 60, 170)
"""After how many actions the table tries."""

RULEBOOKS = pytest.mark.parametrize("rulebook", rulebooks_by_id().values(), ids=lambda rulebook: rulebook.id)


def attempts(game: GameInMemory[Any], chance: Random) -> Iterator[tuple[str, str | None, str, dict[str, Any]]]:
    """Wrong requests: kind, seat, who asks, and parameters."""
    rulebook, state = game.rulebook, game.state
    seats = [*state.seats]
    accounts = sorted(account for account, _ in state.holdings.items())
    things = sorted({commodity for _, held in state.holdings.items() for commodity in held})
    for account in accounts:
        for thing in chance.sample(things, min(4, len(things))):
            target = chance.choice([one for one in accounts if one != account])
            moved = {"commodity": thing, "amount": 1_000_000, "from": account, "to": target}
            yield _ruling(rulebook, {"op": "adjust", "postings": [moved], "reason": "…"})
    for seat in seats:
        yield _ruling(rulebook, {"op": "fine", "seat": seat, "amount": 10_000_000})
    for kind, action in rulebook.actions.items():
        for seat in (*seats, ""):
            for choice in list(action.choices(state, seat))[:6]:
                for other in (*seats, ""):
                    by = other if other and "player" in action.by else "banker"
                    for params in _changed(choice.params, seats, things, chance):
                        yield kind, other or None, by, params


def _ruling(rulebook: Rulebook[Any], remedy: dict[str, Any]) -> tuple[str, str | None, str, dict[str, Any]]:
    return (
        "rule",
        None,
        "banker",
        {"finding": "…", "rules": [rulebook.governance.ruling_rule], "remedies": [remedy]},
    )


def _changed(
    params: dict[str, Any], seats: list[str], things: list[str], chance: Random
) -> Iterator[dict[str, Any]]:
    """The parameters, and the same with a number, a seat or a thing that does not belong there."""
    yield params
    for name, value in params.items():
        if isinstance(value, int) and not isinstance(value, bool):
            yield {**params, name: value + 100_000}
            yield {**params, name: 1}
        if isinstance(value, str):
            yield {**params, name: chance.choice(seats)}
            yield {**params, name: chance.choice(things)}


def refused(game: GameInMemory[Any], chance: Random) -> Iterator[Refusal]:
    """Why the wrong requests are refused, and why corrections are, or what they make void."""
    rulebook, state, past = game.rulebook, game.state, game.past
    at: datetime = state.last_at
    for kind, seat, by, params in attempts(game, chance):
        try:
            action = rulebook.codec.action(kind, msgspec.json.encode(params))
        except Refusal:
            continue  # A parameter of another shape: the fault is worded by its type.
        try:
            decide_request(
                rulebook, state, request_of(rulebook, past, action, seat=seat, by=by, at=at), past, None
            )
        except Refusal as refusal:
            yield refusal
    for number in chance.sample(range(2, state.version + 1), min(20, state.version - 1)):
        for cascade in ("keep", "restate"):
            params = {"edits": [{"op": "drop", "action": number}], "cascade": cascade, "reason": "…"}
            mending = rulebook.codec.action("correct", msgspec.json.encode(params)).correction_request()
            try:
                with named(rulebook, state):
                    planned = plan_of(rulebook, state, past, mending)
            except Refusal as refusal:
                yield refusal
            else:
                yield from (fallen.why for fallen in planned.voided if isinstance(fallen, VoidedEntry))


@RULEBOOKS
def test_refusals_name_people_and_things(rulebook: Rulebook[Any]) -> None:
    """Given an evening, when everybody tries what is wrong, then every refusal can be read in both languages."""
    faults: dict[str, set[str]] = {}
    read = 0
    for actions in HOURS:
        game = evening(rulebook, actions=actions).game
        ids = Ids(rulebook, game.state)
        for refusal in refused(game, Random(1)):
            for language in LANGUAGES:
                read += 1
                sentence = refusal.sentence(language)
                for fault in ids.faults(sentence, language):
                    faults.setdefault(fault, set()).add(sentence)
    assert read > 1_000
    assert {fault: sorted(sentences)[:3] for fault, sentences in faults.items()} == {}


@RULEBOOKS
def test_events_name_people_and_things(rulebook: Rulebook[Any]) -> None:
    """Given an evening, then the sentences of its events, and of its warnings, can be read in both languages."""
    faults: dict[str, set[str]] = {}
    for seed in (11, 12):
        game = evening(rulebook, seed=seed, actions=300).game
        ids = Ids(rulebook, game.state)
        speakers = rulebook.language.speakers(game.state)
        for entry in game.journal:
            sentences = [(language, getattr(one, language)) for one in entry.warnings for language in LANGUAGES]
            for event in map(rulebook.codec.event, entry.events):
                sentences += [
                    (language, speak(getattr(event, language), event, language, speakers))
                    for language in LANGUAGES
                ]
            for language, sentence in sentences:
                for fault in ids.faults(sentence, language):
                    faults.setdefault(fault, set()).add(sentence)
    assert {fault: sorted(sentences)[:3] for fault, sentences in faults.items()} == {}
