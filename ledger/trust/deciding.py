"""Deciding a recorded action again, from what was recorded with it, and comparing what comes out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from random import Random
from typing import Any, Never

import msgspec
from msgspec.structs import replace

from ledger.kernel.deciding.due import is_due
from ledger.kernel.deciding.settling import MOST_STEPS
from ledger.kernel.deciding.steps import Past, decided, request_of, require_may_mend, step_in_play
from ledger.kernel.dice.chance import Chance
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.facts.state import State
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import Entry, body
from ledger.kernel.rules.actions import Action, DefaultStep, Toward
from ledger.kernel.rules.rulebook import Rulebook
from ledger.store.database.errors import StoreError


class NothingRecorded(LookupError):  # noqa: N818 - it names a condition
    """A die, a card or a shuffle is asked for that was not recorded."""


class _NoChance:
    """Chance for a game in which the service draws: what was drawn is recorded, and nothing else is drawn."""

    def randint(self, a: int, b: int, /) -> Never:
        """Raise NothingRecorded."""
        raise NothingRecorded("a die or a card was not recorded")

    def shuffle(self, x: list[str], /) -> Never:
        """Raise NothingRecorded."""
        raise NothingRecorded("a shuffle was not recorded")


NO_CHANCE: Chance = _NoChance()
"""Chance that draws nothing: everything was recorded, or came with the action."""


class Difference(msgspec.Struct, frozen=True):
    """What comes out otherwise when an action is decided again.

    `drawn` is whether that is what was thrown or drawn, `refused` whether the rules refuse the action.
    """

    what: str
    drawn: bool = False
    refused: bool = False

    def __str__(self) -> str:
        return self.what


def difference(
    rulebook: Rulebook[Any],
    state: State,
    entry: Entry,
    events: Sequence[Event],
    past: Past[Any],
    following: Iterable[Entry],
    chance: Chance | None = None,
    cut: int | None = None,
) -> Difference | None:
    """Decide an action again, and give what comes out otherwise; None when all is as recorded.

    Takes the state right before the action as it was known then, the entry with its events in today's shape, the
    past up to the action, and the entries that follow it in the journal. Those are read only for a step that the
    service took by itself: it may stand before one of them. The parameters, draws, time, waiver and override are
    those of the entry. With `chance`, the dice and cards come from there, and must come out as those of the entry.
    How the reasons of refusals are worded is not compared: words change more often than rules. `cut` is the last
    action that the game has in common with the one it goes on from: what a step before it was taken for may stand
    in that game alone. Raises StoreError, and what `following` raises.
    """
    run = [*islice(following, MOST_STEPS)] if entry.by == "system" else []
    asked = _asked_after(entry, run)
    try:
        action = rulebook.action(entry.kind, bytes(entry.params))
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
        decision, _ = decided(rulebook, state, request, past, source)
        if entry.by == "system" and not _falls_due(rulebook, state, action, entry):
            if asked is None and _is_cut_off(entry, run, cut) and _is_some_step(rulebook, state, action, entry):
                wrong = None
            else:
                wrong = _no_default_step(rulebook, state, action, entry, past, asked)
            if wrong is None and decision.missed:
                wrong = f"the service does {entry.kind} before an action only with what was thrown for it"
            if wrong is not None:
                return Difference(wrong)
    except Refusal as refusal:
        return Difference(f"decided again, it is refused: {refusal.en}", refused=True)
    except StoreError:
        raise
    except NothingRecorded as fault:
        return Difference(f"it cannot be decided again: {fault}", drawn=True)
    except Exception as fault:  # What was invented may raise any exception.
        return Difference(f"it cannot be decided again: {type(fault).__name__}: {fault}")
    recorded = [_under_names_of_today(rulebook, event) for event in events]
    what = _unlike(entry, recorded, decision.events, decision.draws, decision.warnings)
    return None if what is None else Difference(what, drawn=decision.draws != entry.draws)


def _not_allowed(action: Action, entry: Entry, state: State) -> str | None:
    """Say why whoever asked may not have asked for this; None when they may.

    Whether the service takes a step by itself depends on the game: see `_falls_due` and `_no_default_step`.
    """
    match entry.by:
        case "system":
            if entry.override is not None or action.mends() is not None:
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


def _falls_due(rulebook: Rulebook[Any], state: State, action: Action, entry: Entry) -> bool:
    """Say whether the game itself takes this step on a state, whatever comes next.

    It is the opening of the game, what takes up a game that goes on from another one, or what is due.
    """
    if not state.version:
        return "system" in action.by
    if rulebook.taking_up(state) == (action, entry.seat):
        return True
    return is_due(rulebook, state, action, entry.seat, entry.recorded_at)


def _no_default_step(
    rulebook: Rulebook[Any],
    state: State,
    action: Action,
    entry: Entry,
    past: Past[Any],
    asked: Entry | None,
) -> str | None:
    """Say why a step of the service is no default step before what was asked for; None when it is."""
    if asked is None:
        return f"the service never does {entry.kind} by itself here: nothing was due, and nothing waited for it"
    toward = rulebook.action(asked.kind, bytes(asked.params))
    if toward.docket:
        return f"the service does nothing by itself before {asked.kind} (action {asked.number})"
    request = request_of(
        rulebook,
        past,
        toward,
        seat=asked.seat,
        by=asked.by,
        at=asked.recorded_at,
        override=asked.override,
    )
    request = replace(request, draws=asked.draws)
    # What is refused before its place is refused whatever is thrown.
    chance = Random(0) if state.dice == "service" else None  # noqa: S311 - nothing depends on it
    step = step_in_play(rulebook, state, request, past, chance)
    if step is not None and (step.action, step.seat) == (action, entry.seat):
        return None
    return f"before {asked.kind} (action {asked.number}) the service does {_named(step)} by itself, and not this"


def _is_cut_off(entry: Entry, run: Sequence[Entry], cut: int | None) -> bool:
    """Say whether a game begins to go its own way between a step and what the step was taken for."""
    steps = [entry]
    for later in run:
        if later.by != "system" or later.recorded_at != entry.recorded_at:
            break
        steps.append(later)
    return cut is not None and any(step.number == cut for step in steps)


def _is_some_step(rulebook: Rulebook[Any], state: State, action: Action, entry: Entry) -> bool:
    """Say whether a step is the default step before some action of some seat, whatever that was."""
    for kind in rulebook.actions:
        try:
            toward = rulebook.action(kind, b"{}")
        except Refusal:
            continue  # The action needs parameters.
        for seat in state.seats:
            step = rulebook.default_step(state, Toward(toward, seat))
            if step is not None and (step.action, step.seat) == (action, entry.seat):
                return True
    return False


def _asked_after(entry: Entry, run: Iterable[Entry]) -> Entry | None:
    """Give the banker's action that a step may stand before: the next one that was asked for, at its time."""
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
    """The event with the parameters of inserted actions as the same action would be recorded today."""
    if not isinstance(event, HistoryCorrected) or not event.insertions:
        return event
    insertions = []
    for insertion in event.insertions:
        new = insertion.action
        try:
            params = msgspec.Raw(body(rulebook.action(new.kind, bytes(new.params))))
        except Refusal:  # It has no known shape, and so it is no action that is decided.
            params = new.params
        insertions.append(replace(insertion, action=replace(new, params=params)))
    return replace(event, insertions=tuple(insertions))


def _unlike(
    entry: Entry,
    recorded: Sequence[Event],
    decided: Sequence[Event],
    draws: dict[str, list[int | str]],
    warnings: tuple[Any, ...],
) -> str | None:
    for place, (one, other) in enumerate(zip(recorded, decided, strict=False), start=entry.first_seq):
        if one != other and _without_words(one) != _without_words(other):
            return f"decided again, event {place} comes out otherwise: {_fields(one, other)}"
    if len(recorded) != len(decided):
        return f"decided again, it has {len(decided)} events, and not {len(recorded)}"
    if draws != entry.draws:
        return f"decided again, it draws {draws}, and not {entry.draws}"
    if warnings != entry.warnings and _without_words(warnings) != _without_words(entry.warnings):
        return "decided again, other rules are waived or warned of"
    return None


def _without_words(value: Any) -> Any:
    """Plain data, without the texts of reasons that name their rule."""
    return _wordless(msgspec.json.decode(msgspec.json.encode(value)))


def _wordless(plain: Any) -> Any:
    match plain:
        case {"rule": _, "en": _, "fr": _}:
            return {name: _wordless(one) for name, one in plain.items() if name not in {"en", "fr"}}
        case dict():
            return {name: _wordless(one) for name, one in plain.items()}
        case list():
            return [_wordless(one) for one in plain]
        case _:
            return plain


def _fields(recorded: Event, decided: Event) -> str:
    """The first fields in which two events differ, with the values that were recorded and decided."""
    was, now = _without_words(recorded), _without_words(decided)
    if was["kind"] != now["kind"]:
        return f"{was['kind']} recorded, {now['kind']} decided"
    unlike = [name for name in was if was[name] != now.get(name)]
    said = [f"{name} {_short(was[name])} recorded, {_short(now.get(name))} decided" for name in unlike[:2]]
    return f"{was['kind']}: {'; '.join(said)}"


def _short(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 80 else f"{text[:79]}…"
