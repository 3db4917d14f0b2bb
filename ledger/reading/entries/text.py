"""The sentences, names and parameters of an entry, for one viewer in one language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from ledger.games.game import SeenCorrection
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import Amendment, Event, TokenPath
from ledger.kernel.facts.names import told_apart
from ledger.kernel.facts.refusals import Malformed, RuleNote
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.sight import (
    Shown,
    VisibleEntry,
    reads,
)
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.edits import correction_of_today, params_with_edits
from ledger.reading.entries.look import WITHOUT_EFFECT, Look, telling_events, with_actor
from ledger.reading.entries.views import EntryNames, EntryView, EventView, Receipt, WarningView, view_event
from ledger.reading.words.naming import Names
from ledger.reading.words.telling import PRIVATE, SentenceWriter


class EntryText:
    """A writer of the visible parts of entries, in a language."""

    def __init__(self, rulebook: Rulebook[Any], names: Names) -> None:
        self._rulebook = rulebook
        self._names = names
        self._teller = SentenceWriter(names)

    def view(self, timeline_entry: TimelineEntry, leaf: bytes, look: Look) -> EntryView:
        """Build the view of an entry."""
        entry, visible, language = timeline_entry.entry, look.visible, self._names.language
        is_known = look.is_own or visible.is_visible
        kind, seat, by = (entry.kind, entry.seat, entry.by) if is_known else (PRIVATE, None, None)
        refusal = visible.why
        refused = None if refusal is None else WarningView(refusal.rule, refusal.text.in_language(language))
        events = self._events(
            with_actor(entry, visible.recorded), look.first_seq, look.amendments, look.correction
        )
        restated = self._events(visible.effective_events, look.first_seq) if visible.status == "restated" else ()
        telling = restated if visible.status == "restated" else events
        params = _params(self._rulebook, entry, whole=look.is_own or visible.whole) if is_known else {}
        if look.correction is not None and look.correction.edits:
            params = params_with_edits(params, look.correction.edits)
        added = bool(timeline_entry.insert) and visible.by == entry.number
        return EntryView(
            action=entry.number if not timeline_entry.insert else timeline_entry.name,
            number=entry.number,
            kind=kind,
            seat=seat,
            by=by,
            sentence=self._teller.sentence(kind, (event.text for event in telling), look.correction),
            by_text=self._teller.by_text(kind, by, seat),
            params=params,
            draws=entry.draws if visible.whole else {},
            recorded_at=entry.recorded_at,
            status=visible.status,
            status_text=self._teller.status(
                "inserted" if added else visible.status,
                visible.by,
                look.set_by,
                None if refused is None else (refused.rule, refused.text),
            ),
            events=events,
            effects=look.effects,
            path=_path(visible),
            balances=look.balances,
            names=self._named(look, seat, by, params, (*events, *restated)),
            warnings=tuple(
                WarningView(warning.rule, warning.text.in_language(language)) for warning in look.warnings
            ),
            override=entry.override if visible.whole else None,
            receipt=Receipt(entry.number, leaf.hex(), entry.number),
            version=entry.number,
            corrected_by=visible.by,
            restated=restated,
            reason=refused,
            after=timeline_entry.inserted_after if timeline_entry.insert else None,
            changes=dict(look.changes),
            chance=msgspec.UNSET if timeline_entry.insert else entry.chance,
            revision=entry.revision,
        )

    def sentence(
        self,
        entry: Entry,
        visible: VisibleEntry,
        *,
        is_own: bool,
        amendments: Sequence[Amendment],
        correction: SeenCorrection | None,
    ) -> str:
        """Return the sentence of an entry."""
        if visible.status == "restated":
            telling = self._events(visible.effective_events, None)
        else:
            telling = self._events(with_actor(entry, visible.recorded), None, amendments, correction)
        kind = entry.kind if is_own or visible.is_visible else PRIVATE
        return self._teller.sentence(kind, (event.text for event in telling), correction)

    def _events(
        self,
        visible: Shown,
        first_seq: int | None,
        corrected: Sequence[Amendment] = (),
        correction: SeenCorrection | None = None,
    ) -> tuple[EventView, ...]:
        """Build the views of visible events.

        The event of a correction gets the amendments visible to the viewer.
        """

        def of_today(event: Event) -> Event:
            if not isinstance(event, HistoryCorrected):
                return event
            event = event.telling(corrected) if corrected else event
            return event if correction is None else correction_of_today(self._rulebook, event, correction.edits)

        return tuple(
            view_event(
                of_today(event),
                None if first_seq is None else first_seq + offset,
                self._names.language,
                self._names.speakers,
            )
            for offset, event in visible
        )

    def _named(
        self, look: Look, seat: str | None, by: str | None, params: Mapping[str, Any], events: Sequence[EventView]
    ) -> EntryNames:
        """Collect the names of the seats, accounts and commodities in the entry."""
        names = self._names
        accounts: dict[str, None] = {}
        commodities: dict[str, None] = {}
        for event in events:
            for posting in event.postings:
                accounts[posting.source] = accounts[posting.target] = None
                commodities[posting.commodity] = None
        for effect in look.effects:
            accounts[effect.account] = commodities[effect.commodity] = None
        for amounts_by_account in (look.balances, look.changes):
            for account, amounts in amounts_by_account.items():
                accounts[account] = None
                commodities |= dict.fromkeys(amounts)
        seats = names.seats
        words = {seat, by, *(account.rpartition(":")[2] for account in accounts)}
        _add_words(words, params)
        for event in events:
            _add_words(words, event.data)
        commodities |= dict.fromkeys(
            sorted(identifier for identifier in words if identifier and names.names_commodity(identifier))
        )
        return EntryNames(
            {identifier: name for identifier, name in told_apart(seats).items() if identifier in words},
            {identifier: names.account(identifier) for identifier in accounts},
            {identifier: names.commodity(identifier) for identifier in commodities},
        )


def _path(visible: VisibleEntry) -> tuple[TokenPath, ...]:
    """Return the paths of the tokens moved by visible events, one for each token."""
    if visible.status in WITHOUT_EFFECT:
        return ()
    moves = [way for _, event in telling_events(visible) for way in event.token_paths()]
    if len(moves) < 2:
        return tuple(moves)
    ways: dict[str, tuple[str, ...]] = {}
    for way in moves:
        ways[way.seat] = (*ways.get(way.seat, ()), *way.places)
    return tuple(TokenPath(seat, places) for seat, places in ways.items())


def _add_words(words: set[str | None], value: Any) -> None:
    """Add the texts in plain data."""
    kind = type(value)
    if kind is str:
        words.add(value)
    elif kind is dict:
        words.update(value)
        for member in value.values():
            _add_words(words, member)
    elif kind in _LISTS:
        for member in value:
            _add_words(words, member)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            _add_words(words, getattr(value, name))


_LISTS = frozenset({list, tuple, set, frozenset})


def warning_views(warnings: Iterable[RuleNote], viewer: Viewer, language: str) -> tuple[WarningView, ...]:
    """Return the waived rules known to the viewer, for an action that is visible as a whole."""
    return tuple(
        WarningView(warned.rule, warned.text.in_language(language))
        for warned in warnings
        if reads(warned.told, viewer)
    )


def _params(rulebook: Rulebook[Any], entry: Entry, *, whole: bool) -> dict[str, Any]:
    """Return the parameters of an action: all, or only the redacted parameters for a viewer of a part."""
    if whole:
        return rulebook.codec.params(entry.kind, bytes(entry.params))
    action = rulebook.actions.get(entry.kind)
    if action is None or action.redacted is Action.redacted:
        return {}
    try:
        redacted = rulebook.codec.action(entry.kind, bytes(entry.params)).redacted()
    except Malformed:  # The shape of the parameters is unknown.
        return {}
    return {} if redacted is None else dict(msgspec.to_builtins(redacted))
