"""Deciding a recorded action again, from the recorded data, and comparing the results."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any, Never

import msgspec
from msgspec.structs import replace

from ledger.kernel.deciding.decision import Decision
from ledger.kernel.deciding.due import falls_due
from ledger.kernel.deciding.settling import MOST_STEPS
from ledger.kernel.deciding.steps import Past, decide_request, request_of, require_may_mend, step_in_play
from ledger.kernel.dice.chance import Chance
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.facts.state import State
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import Entry, body
from ledger.kernel.rules.actions import Action, DefaultStep, StepGoal
from ledger.kernel.rules.rulebook import Rulebook
from ledger.store.database.errors import StoreError


class NotRecordedError(LookupError):
    """A required die, card or shuffle was not recorded."""


class _NoChance:
    """The chance of a game whose service draws: all draws are recorded, and no new draw is made."""

    def randint(self, a: int, b: int, /) -> Never:
        """Raise NothingRecorded."""
        raise NotRecordedError("a die or a card was not recorded")

    def shuffle(self, x: list[str], /) -> Never:
        """Raise NothingRecorded."""
        raise NotRecordedError("a shuffle was not recorded")


NO_CHANCE: Chance = _NoChance()
"""A chance without draws: all draws were recorded, or came with the action."""


class Difference(msgspec.Struct, frozen=True):
    """The difference in the result of a repeated decision.

    `drawn` is true for a difference in dice or cards, `refused` if the rules refuse the action, `exempt` if the
    action was decided under older rules, and rules mended since may decide it otherwise.
    """

    description: str
    drawn: bool = False
    refused: bool = False
    exempt: bool = False

    def __str__(self) -> str:
        return self.description


def compare_decision(
    rulebook: Rulebook[Any],
    state: State,
    entry: Entry,
    events: Sequence[Event],
    past: Past[Any],
    following: Iterable[Entry],
    chance: Chance | None = None,
    cut: int | None = None,
) -> Difference | None:
    """Decide an action again, and return the difference from the record, or None.

    An exempt difference is no fault (`Rulebook.mended`). A correction decides later actions again, so it is exempt
    with any of them.

    Takes the state right before the action as known then, the entry with its events in today's shape, the past
    up to the action, and the following entries of the journal. The following entries are read only for a step
    taken by the service itself: the step may stand before an action of the banker. The parameters, draws, time,
    waiver and override come from the entry. With `chance`, the dice and cards come from there, and must equal
    those of the entry. The words of refusals are not compared, nor, in an entry of an earlier revision, the rules
    that void actions: words and citations change more often than decisions. `cut` is the last action shared with
    the continued game: the action after an earlier step may exist in the continued game alone. Raises StoreError,
    and the errors of `following`.
    """
    difference = _difference(rulebook, state, entry, events, past, following, chance, cut)
    if difference is None:
        return None
    return replace(difference, exempt=rulebook.mended(entry.decided_under, _decided_kinds(entry, events, past)))


def _decided_kinds(entry: Entry, events: Sequence[Event], past: Past[Any]) -> Iterator[str]:
    """Yield the kinds of the decided actions: the entry's own, and the kinds of actions within its correction."""
    yield entry.kind
    for event in events:
        if isinstance(event, HistoryCorrected):
            yield from (insertion.action.kind for insertion in event.insertions)
            yield from (
                later.entry.kind for later in past.timeline().entries() if later.position >= (event.first,)
            )


def _difference(
    rulebook: Rulebook[Any],
    state: State,
    entry: Entry,
    events: Sequence[Event],
    past: Past[Any],
    following: Iterable[Entry],
    chance: Chance | None,
    cut: int | None,
) -> Difference | None:
    """Return the difference of a decision from the record, or None (see `compare_decision`)."""
    run = [*islice(following, MOST_STEPS)] if entry.by == "system" else []
    requested = _asked_after(entry, run)
    try:
        action = rulebook.codec.action(entry.kind, bytes(entry.params))
        wrong = _not_allowed(action, entry, state)
        if wrong is not None:
            return Difference(wrong)
        request = request_of(
            rulebook,
            past,
            action,
            seat=entry.seat,
            by=entry.by,
            at=entry.recorded_at,
            override=entry.override,
        )
        request = replace(request, draws=entry.draws if chance is None else {}, recorded=True)
        require_may_mend(rulebook, state, request, past)
        source = chance or (NO_CHANCE if state.dice == "service" else None)
        decision, _ = decide_request(rulebook, state, request, past, source)
        if entry.by == "system" and not falls_due(rulebook, state, action, entry):
            if (
                requested is None
                and _is_cut_off(entry, run, cut)
                and _is_some_step(rulebook, state, action, entry)
            ):
                wrong = None
            else:
                wrong = _no_default_step(rulebook, state, action, entry, past, requested)
            if wrong is None and decision.missed:
                wrong = f"the service does {entry.kind} before an action only with what was thrown for it"
            if wrong is not None:
                return Difference(wrong)
    except Refusal as refusal:
        return Difference(f"decided again, it is refused: {refusal.en}", refused=True)
    except StoreError:
        raise
    except NotRecordedError as fault:
        return Difference(f"it cannot be decided again: {fault}", drawn=True)
    except Exception as fault:  # Invented data may raise any exception.
        return Difference(f"it cannot be decided again: {type(fault).__name__}: {fault}")
    recorded = [_under_names_of_today(rulebook, event) for event in events]
    wordless = _WORDS if entry.decided_under == rulebook.revision else _WORDS | {"rule"}
    description = _unlike(entry, recorded, decision, wordless)
    return None if description is None else Difference(description, drawn=decision.draws != entry.draws)


def _not_allowed(action: Action, entry: Entry, state: State) -> str | None:
    """Return the reason if the actor had no right to ask for this action, else None.

    The right of the service to take a step depends on the game: see `falls_due` and `_no_default_step`.
    """
    match entry.by:
        case "system":
            if entry.override is not None or action.correction_request() is not None:
                return f"the service never does {entry.kind} by itself"
        case "banker":
            by_itself = "system" in action.by and "banker" not in action.by
            if by_itself or (entry.seat is not None and entry.seat not in state.seats):
                return "the banker could not have asked for it"
        case seat if seat not in state.seats:
            return f"it was asked for by {seat!r}, who has no seat"
        case seat if "player" not in action.by or entry.seat != seat or entry.override is not None:
            return f"the player {seat} could not have asked for it"
    return None


def _no_default_step(
    rulebook: Rulebook[Any],
    state: State,
    action: Action,
    entry: Entry,
    past: Past[Any],
    requested: Entry | None,
) -> str | None:
    """Return the reason if a step of the service is no default step before the requested action, else None."""
    if requested is None:
        return f"the service never does {entry.kind} by itself here: nothing was due, and nothing waited for it"
    goal = rulebook.codec.action(requested.kind, bytes(requested.params))
    if goal.docket:
        return f"the service does nothing by itself before {requested.kind} (action {requested.number})"
    request = request_of(
        rulebook,
        past,
        goal,
        seat=requested.seat,
        by=requested.by,
        at=requested.recorded_at,
        override=requested.override,
    )
    request = replace(request, draws=requested.draws)
    # A refusal before the default step does not depend on the throw.
    chance = Random(0) if state.dice == "service" else None  # noqa: S311 - nothing depends on it
    step = step_in_play(rulebook, state, request, past, chance)
    if step is not None and (step.action, step.seat) == (action, entry.seat):
        return None
    return (
        f"before {requested.kind} (action {requested.number}) the service does {_named(step)} by itself, "
        "and not this"
    )


def _is_cut_off(entry: Entry, run: Sequence[Entry], cut: int | None) -> bool:
    """Return True if a new game branches off between a step and the action after the step."""
    steps = [entry]
    for later in run:
        if later.by != "system" or later.recorded_at != entry.recorded_at:
            break
        steps.append(later)
    return cut is not None and any(step.number == cut for step in steps)


def _is_some_step(rulebook: Rulebook[Any], state: State, action: Action, entry: Entry) -> bool:
    """Return True if a step is the default step before any action of any seat."""
    for kind in rulebook.actions:
        try:
            goal = rulebook.codec.action(kind, b"{}")
        except Refusal:
            continue  # The action needs parameters.
        for seat in state.seats:
            step = rulebook.progress.default_step(state, StepGoal(goal, seat))
            if step is not None and (step.action, step.seat) == (action, entry.seat):
                return True
    return False


def _asked_after(entry: Entry, run: Iterable[Entry]) -> Entry | None:
    """Return the banker's action after a step: the next requested action, at the time of the step."""
    for later in run:
        if later.recorded_at != entry.recorded_at:
            return None
        if later.by != "system":
            return later if later.by == "banker" else None
    return None


def _named(step: DefaultStep | None) -> str:
    """Name a default step for a finding."""
    if step is None:
        return "nothing"
    params = body(step.action).decode()
    return f"{step.action.kind}{'' if params == '{}' else params}" + (f" for {step.seat}" if step.seat else "")


def _under_names_of_today(rulebook: Rulebook[Any], event: Event) -> Event:
    """Rewrite the parameters of inserted actions in today's shape."""
    if not isinstance(event, HistoryCorrected) or not event.insertions:
        return event
    insertions = []
    for insertion in event.insertions:
        new = insertion.action
        try:
            params = msgspec.Raw(body(rulebook.codec.action(new.kind, bytes(new.params))))
        except Refusal:  # The shape is unknown, so no action can be decided.
            params = new.params
        insertions.append(replace(insertion, action=replace(new, params=params)))
    return replace(event, insertions=tuple(insertions))


def _unlike(
    entry: Entry,
    recorded: Sequence[Event],
    decision: Decision,
    wordless: Collection[str],
) -> str | None:
    for number, pair in enumerate(zip(recorded, decision.events, strict=False), start=entry.first_seq):
        recorded_event, decided_event = pair
        if recorded_event == decided_event:
            continue
        was, becomes = (_without_words(event, wordless) for event in pair)
        if was != becomes:
            return f"decided again, event {number} comes out otherwise: {_fields(was, becomes)}"
    if len(recorded) != len(decision.events):
        return f"decided again, it has {len(decision.events)} events, and not {len(recorded)}"
    if decision.draws != entry.draws:
        return f"decided again, it draws {decision.draws}, and not {entry.draws}"
    notes = [[(note.rule, note.told) for note in each.warnings] for each in (decision, entry)]
    if notes[0] != notes[1]:
        return "decided again, other rules are waived or warned of"
    return None


_WORDS = frozenset({"en", "fr"})
"""The words of a reason."""


def _without_words(value: Any, wordless: Collection[str]) -> Any:
    """Return plain data without these members of reasons."""
    return _wordless(msgspec.json.decode(msgspec.json.encode(value)), wordless)


def _wordless(plain: Any, wordless: Collection[str]) -> Any:
    match plain:
        case {"rule": _, "en": _, "fr": _}:
            return {name: _wordless(member, wordless) for name, member in plain.items() if name not in wordless}
        case dict():
            return {name: _wordless(member, wordless) for name, member in plain.items()}
        case list():
            return [_wordless(member, wordless) for member in plain]
        case _:
            return plain


def _fields(was: dict[str, Any], becomes: dict[str, Any]) -> str:
    """Describe the first fields with a difference between two events, with the recorded and the decided values."""
    if was["kind"] != becomes["kind"]:
        return f"{was['kind']} recorded, {becomes['kind']} decided"
    unlike = [name for name in was if was[name] != becomes.get(name)]
    descriptions = [
        f"{name} {_short(was[name])} recorded, {_short(becomes.get(name))} decided" for name in unlike[:2]
    ]
    return f"{was['kind']}: {'; '.join(descriptions)}"


def _short(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 80 else f"{text[:79]}…"
