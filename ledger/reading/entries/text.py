"""The sentences, names and parameters of an entry, for one viewer in one language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from ledger.games.game import SeenCorrection
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import Amendment, Event, Way
from ledger.kernel.facts.names import told_apart
from ledger.kernel.facts.refusals import Malformed, Warned
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.sight import (
    Shown,
    Sight,
    reads,
)
from ledger.kernel.journal.timeline import Standing
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.edits import asked_for, told_of_today
from ledger.reading.entries.look import _DOES_NOT_COUNT, Look, _telling, _told_by
from ledger.reading.entries.views import EntryNames, EntryView, EventView, Receipt, WarningView, view_event
from ledger.reading.words.naming import Names
from ledger.reading.words.telling import PRIVATE, Teller


class _EntryText:
    """Writes what a viewer sees of entries, in one language."""

    def __init__(self, rulebook: Rulebook[Any], names: Names) -> None:
        self._rulebook = rulebook
        self._names = names
        self._teller = Teller(names)

    def view(self, standing: Standing, leaf: bytes, look: Look) -> EntryView:
        """The view of an entry."""
        entry, shown, language = standing.entry, look.shown, self._names.language
        known = look.own or shown.anything
        kind, seat, by = (entry.kind, entry.seat, entry.by) if known else (PRIVATE, None, None)
        why = shown.why
        refused = None if why is None else WarningView(why.rule, why.fr if language == "fr" else why.en)
        events = self._events(_told_by(entry, shown.recorded), look.first_seq, look.amendments, look.made)
        restated = self._events(shown.counting, look.first_seq) if shown.status == "restated" else ()
        telling = restated if shown.status == "restated" else events
        params = _params(self._rulebook, entry, whole=look.own or shown.whole) if known else {}
        if look.made is not None and look.made.edits:
            params = asked_for(params, look.made.edits)
        added = bool(standing.insert) and shown.by == entry.number
        return EntryView(
            action=entry.number if not standing.insert else standing.name,
            number=entry.number,
            kind=kind,
            seat=seat,
            by=by,
            sentence=self._teller.sentence(kind, (event.text for event in telling), look.made),
            by_text=self._teller.by_text(kind, by, seat),
            params=params,
            draws=entry.draws if shown.whole else {},
            recorded_at=entry.recorded_at,
            status=shown.status,
            status_text=self._teller.status(
                "inserted" if added else shown.status,
                shown.by,
                look.set_by,
                None if refused is None else (refused.rule, refused.text),
            ),
            events=events,
            effects=look.effects,
            path=_path(shown),
            balances=look.balances,
            names=self._named(look, seat, by, params, (*events, *restated)),
            warnings=tuple(WarningView(one.rule, one.fr if language == "fr" else one.en) for one in look.warnings),
            override=entry.override if shown.whole else None,
            receipt=Receipt(entry.number, leaf.hex(), entry.number),
            version=entry.number,
            corrected_by=shown.by,
            restated=restated,
            reason=refused,
            after=standing.after if standing.insert else None,
            changes=dict(look.changes),
            chance=msgspec.UNSET if standing.insert else entry.chance,
        )

    def sentence(
        self,
        entry: Entry,
        shown: Sight,
        *,
        own: bool,
        amendments: Sequence[Amendment],
        made: SeenCorrection | None,
    ) -> str:
        """The sentence of an entry."""
        if shown.status == "restated":
            telling = self._events(shown.counting, None)
        else:
            telling = self._events(_told_by(entry, shown.recorded), None, amendments, made)
        kind = entry.kind if own or shown.anything else PRIVATE
        return self._teller.sentence(kind, (event.text for event in telling), made)

    def _events(
        self,
        shown: Shown,
        first_seq: int | None,
        corrected: Sequence[Amendment] = (),
        made: SeenCorrection | None = None,
    ) -> tuple[EventView, ...]:
        """The views of visible events. A correction's event gets the amendments that the viewer sees."""

        def told(event: Event) -> Event:
            if not isinstance(event, HistoryCorrected):
                return event
            event = event.telling(corrected) if corrected else event
            return event if made is None else told_of_today(self._rulebook, event, made.edits)

        return tuple(
            view_event(
                told(event),
                None if first_seq is None else first_seq + place,
                self._names.language,
                self._names.speakers,
            )
            for place, event in shown
        )

    def _named(
        self, look: Look, seat: str | None, by: str | None, params: Mapping[str, Any], events: Sequence[EventView]
    ) -> EntryNames:
        """The names of what occurs in the entry."""
        names = self._names
        accounts: dict[str, None] = {}
        commodities: dict[str, None] = {}
        for event in events:
            for posting in event.postings:
                accounts[posting.source] = accounts[posting.target] = None
                commodities[posting.commodity] = None
        for effect in look.effects:
            accounts[effect.account] = commodities[effect.commodity] = None
        for held in (look.balances, look.changes):
            for account, amounts in held.items():
                accounts[account] = None
                commodities |= dict.fromkeys(amounts)
        seats = names.seats
        words = {seat, by, *(account.rpartition(":")[2] for account in accounts)}
        _add_words(words, params)
        for event in events:
            _add_words(words, event.data)
        commodities |= dict.fromkeys(sorted(one for one in words if one and names.names_commodity(one)))
        return EntryNames(
            {one: name for one, name in told_apart(seats).items() if one in words},
            {one: names.account(one) for one in accounts},
            {one: names.commodity(one) for one in commodities},
        )


def _path(shown: Sight) -> tuple[Way, ...]:
    """The ways of the tokens that visible events moved, one for each token."""
    if shown.status in _DOES_NOT_COUNT:
        return ()
    found = [way for _, event in _telling(shown) for way in event.ways()]
    if len(found) < 2:
        return tuple(found)
    ways: dict[str, tuple[str, ...]] = {}
    for way in found:
        ways[way.seat] = (*ways.get(way.seat, ()), *way.places)
    return tuple(Way(seat, places) for seat, places in ways.items())


def _add_words(words: set[str | None], value: Any) -> None:
    """Add the texts in plain data."""
    kind = type(value)
    if kind is str:
        words.add(value)
    elif kind is dict:
        words.update(value)
        for one in value.values():
            _add_words(words, one)
    elif kind in _LISTS:
        for one in value:
            _add_words(words, one)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            _add_words(words, getattr(value, name))


_LISTS = frozenset({list, tuple, set, frozenset})


def _warnings(entry: Entry, shown: Sight, viewer: Viewer) -> tuple[Warned, ...]:
    """The waived rules, and what a correction left inconsistent, as far as the viewer may know of them."""
    if not shown.whole:
        return ()
    return tuple(one for one in (*entry.warnings, *_left_inconsistent(shown)) if reads(one.told, viewer))


def warning_views(warnings: Iterable[Warned], viewer: Viewer, language: str) -> tuple[WarningView, ...]:
    """The waived rules that the viewer may know of, of an action that the viewer sees whole."""
    return tuple(
        WarningView(warned.rule, warned.fr if language == "fr" else warned.en)
        for warned in warnings
        if reads(warned.told, viewer)
    )


def _left_inconsistent(shown: Sight) -> Iterator[Warned]:
    """What the correction of an action left inconsistent, if the action made one."""
    for _, event in shown.recorded:
        if isinstance(event, HistoryCorrected):
            yield from event.warnings


def _params(rulebook: Rulebook[Any], entry: Entry, *, whole: bool) -> dict[str, Any]:
    """The parameters of an action: all, or only those for a viewer who does not see the action whole."""
    if whole:
        return rulebook.params(entry.kind, bytes(entry.params))
    action = rulebook.actions.get(entry.kind)
    if action is None or action.redacted is Action.redacted:
        return {}
    try:
        redacted = rulebook.action(entry.kind, bytes(entry.params)).redacted()
    except Malformed:  # The parameters have no shape that is known.
        return {}
    return {} if redacted is None else dict(msgspec.to_builtins(redacted))
