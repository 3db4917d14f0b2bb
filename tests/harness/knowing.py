"""What each viewer may know of a game, counted from its journal alone, and what is told them that is more.

Two rules hold for all that leaves the service. What is said of an action is what its events say to the viewer
(`audience` and `redacted` of each); nothing is counted, numbered or given a reason of which the viewer does not
see all. And each card that is named lies, right before or right after the action, where the viewer may look.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import Event, kind_of
from ledger.kernel.facts.labels import name_of
from ledger.kernel.facts.refusals import RuleNote
from ledger.kernel.facts.state import State
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.sight import current_viewer
from ledger.kernel.journal.timeline import Timeline, TimelineEntry
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.views import EntryView
from ledger.reading.history.audit_lines import AuditLine
from ledger.reading.money.statements import StatementLine
from ledger.rulebooks.virtual_revolution.table.state import VirtualRevolution

Json = Any
Place = tuple[str, str]
"""An account, and a commodity that it holds."""

CORRECTED = kind_of(HistoryCorrected)


def plain(value: Any) -> Json:
    """A value as JSON tells it."""
    return json.loads(msgspec.json.encode(value))


def leaves(value: Json) -> Iterator[str]:
    """All texts in JSON, and what stands before a value like a commodity: `card:…`."""
    match value:
        case str():
            yield value
        case Mapping():
            for key, each in value.items():
                if ":" in key:
                    yield key
                yield from leaves(each)
        case list():
            for each in value:
                yield from leaves(each)


def versions(standing: TimelineEntry) -> Iterator[Event]:
    """The events of an action, as recorded and as each correction left it."""
    yield from standing.recorded
    for step in standing.steps:
        yield from step.events


class Knowledge:
    """What a viewer may know of a game. Each `excess_of_…` yields what is told beyond that."""

    def __init__(self, rulebook: Rulebook[Any], entries: Sequence[Entry], viewer: Viewer) -> None:
        self._rulebook = rulebook
        timeline = Timeline(entries, rulebook.codec.event)
        self.now = self._folded(timeline.effective())
        self.viewer = current_viewer(self.now, viewer)
        self.standings = {one.name: one for one in timeline.entries()}
        self._places = {
            (account, posting.commodity)
            for standing in self.standings.values()
            for event in versions(standing)
            for posting in event.postings
            for account in (posting.source, posting.target)
        }
        others = {*leaves([plain(event) for event in self.standings["1"].recorded])}
        others |= {name.rpartition(":")[2] for name, _ in self._places} | {name for _, name in self._places}
        self._veiled = {
            name: commodity
            for commodity in {name for _, name in self._places}
            if rulebook.secrets.veil(commodity) not in {None, commodity}
            for name in (commodity, commodity.removeprefix("card:"))
            if name == commodity or name not in others
        }
        """The cards with faces that may be hidden, by their names."""
        self._before: dict[str, set[Place]] = {}
        self._after: dict[str, set[Place]] = {}
        """The holdings visible to the viewer right before and right after each action of the history."""
        self._cards: dict[str, set[str]] = {}
        """The cards that may be named with each action."""
        self._look_along(entries)

    def excess_of_entry(self, view: EntryView) -> Iterator[str]:
        """What an entry of the journal tells beyond what the viewer may know."""
        name = str(view.action)
        standing, said = self.standings[name], plain(view)
        whole = all(map(self._admits, standing.recorded))
        known = [self._written(event) for event in self._admitted(standing)]
        for event in (*said["events"], *said["restated"]):
            if event["kind"] == CORRECTED:
                yield from self._excess_of_correction(name, event["data"])
            elif _shown(event) not in known:
                yield f"{name}: the event {event}"
            if event["seq"] is not None:
                yield f"{name}: how many events there are"
        if not whole:
            if said["draws"] or said["override"] or said["warnings"] or said["reason"]:
                yield f"{name}: draws, a waiver, warnings or a reason"
            if said["params"] not in ({}, self._public(standing.entry)) and not self._did(standing):
                yield f"{name}: the parameters {said['params']}"
        for warning in said["warnings"]:
            if not any(warning["text"] == one.en and self._reads(one.told) for one in self._warnings(standing)):
                yield f"{name}: a warning for others"
        if said["reason"] and not any(
            one.why is not None and one.why.en == said["reason"]["text"] and self._reads(one.why.told)
            for one in standing.steps
        ):
            yield f"{name}: why it fell"
        for account, held in said["balances"].items():
            for commodity in held:
                yield from self._excess_of_holding(name, account, commodity, self._after[name])
        for effect in said["effects"]:
            for seen in (self._before[name], self._after[name]):
                yield from self._excess_of_holding(name, effect["account"], effect["commodity"], seen)
        yield from self._excess_of_cards(name, said)

    def excess_of_audit(self, line: AuditLine) -> Iterator[str]:
        """What an action's explanation tells beyond what the viewer may know."""
        name = str(line.action)
        standing = self.standings[name]
        events = list(self._admitted(standing))
        moved = {msgspec.structs.astuple(posting) for event in events for posting in event.postings}
        for posting in (*line.postings, *(() if line.recorded is None else line.recorded.postings)):
            if (posting.commodity, posting.amount, posting.source, posting.target) not in moved:
                yield f"{name}: the posting {posting}"
        cited = {event.rule for event in events} | set(leaves([plain(event) for event in events]))
        if not {one.rule for one in line.rules} <= cited:
            yield f"{name}: a rule of something hidden"
        if not all(map(self._admits, standing.recorded)) and (line.override is not None or line.waived):
            yield f"{name}: a waiver"
        for balance in line.balances:
            yield from self._excess_of_holding(name, balance.account, balance.commodity, self._after[name])
        yield from self._excess_of_cards(name, plain(line))

    def excess_of_part(self, number: int, said: Json) -> Iterator[str]:
        """What a part of a sealed entry tells beyond what the viewer may know."""
        name = str(number)
        standing = self.standings[name]
        whole = all(map(self._admits, standing.recorded))
        known = [plain(event) for event in self._admitted(standing)]
        for event in said.get("events", ()):
            if event["kind"] == CORRECTED:
                yield from self._excess_of_correction(name, event)
            elif event not in known:
                yield f"{name}: the event {event}"
        for change in said.get("changes", ()):
            told = [plain(event) for event in self._admitted(self.standings[str(change["action"])])]
            if not all(event in told for event in change["events"]):
                yield f"{name}: what becomes of {change['action']}"
        if not whole and said.keys() & {"draws", "override", "warnings"}:
            yield f"{name}: draws, a waiver or warnings"
        if not all(self._reads(one.get("told")) for one in said.get("warnings", ())):
            yield f"{name}: a warning for others"
        if (
            not whole
            and not self._did(standing)
            and said.get("params") not in (None, self._public(standing.entry))
        ):
            yield f"{name}: the parameters {said['params']}"
        yield from self._excess_of_cards(name, said)

    def excess_of_line(self, account: str, line: StatementLine) -> Iterator[str]:
        """What a line of an account's statement tells beyond what the viewer may know."""
        name = str(line.action)
        moved = [
            (posting.commodity, amount, other)
            for event in self._admitted(self.standings[name])
            for posting in event.postings
            for end, amount, other in (
                (posting.source, -posting.amount, posting.target),
                (posting.target, posting.amount, posting.source),
            )
            if end == account
        ]
        if (line.commodity, line.amount, line.counterparty) not in moved:
            yield f"{name}: the posting {line}"
        if line.seq is not None:
            yield f"{name}: how many events there are"
        if line.balance is not None:
            yield from self._excess_of_holding(name, account, line.commodity, self._after[name])
        yield from self._excess_of_cards(name, plain(line))

    def excess_of_state(self, shown: Json) -> Iterator[str]:
        """The cards that the newest state names, or what may be done in it, and that lie where nobody may look."""
        shown.get("accounts", {}).pop("box", None)  # It issued all cards that there are.
        shown.get("table", {}).pop("names", None)  # They are those of all cards.
        yield from self._excess_of_cards(next(reversed(self.standings)), shown)

    # Inside

    def _excess_of_correction(self, name: str, event: Json) -> Iterator[str]:
        """What the event of a correction tells of the actions that it changed, or added."""
        for change in event["amendments"]:
            standing = self.standings[str(name_of((change["number"], change["insert"])))]
            told = [plain(one) for one in self._admitted(standing)]
            whole = all(map(self._admits, standing.recorded))
            why = change["why"]
            if not all(one in told for one in change["events"]) or (
                why is not None and not (whole and self._reads(why.get("told")))
            ):
                yield f"{name}: what becomes of {standing.name}"
        if event["insertions"] or event["warnings"] or event.get("undrawn"):
            yield f"{name}: what a correction adds, or leaves"

    def _admits(self, event: Event) -> bool:
        return self.viewer.revealed or (
            (self.viewer.ended or not event.at_end) and event.audience().admits(self.viewer)
        )

    def _admitted(self, standing: TimelineEntry) -> Iterator[Event]:
        """What the viewer may see of the events of an action, as recorded and as each correction left it."""
        for event in versions(standing):
            seen = event if self._admits(event) else event.redacted(self.viewer)
            if seen is not None:
                yield seen

    def _did(self, standing: TimelineEntry) -> bool:
        return self.viewer.seat is not None and standing.entry.by == self.viewer.seat

    def _reads(self, told: Iterable[str] | None) -> bool:
        return told is None or self.viewer.revealed or self.viewer.seat in told

    def _warnings(self, standing: TimelineEntry) -> Iterator[RuleNote]:
        yield from standing.entry.warnings
        for event in standing.recorded:
            if isinstance(event, HistoryCorrected):
                yield from event.warnings

    def _public(self, entry: Entry) -> Json:
        """The parameters of an action that everybody may know."""
        action = self._rulebook.codec.action(entry.kind, bytes(entry.params)).redacted()
        return None if action is None else plain(action)

    def _written(self, event: Event) -> Json:
        """An event as an entry shows it."""
        data = {name: getattr(event, name) for name in event.__struct_fields__}
        rule, postings = data.pop("rule"), data.pop("postings")
        told = {name: value for name, value in data.items() if value is not msgspec.UNSET}
        ways = [
            {"commodity": one.commodity, "amount": one.amount, "from": one.source, "to": one.target}
            for one in postings
        ]
        return plain({"kind": kind_of(event), "rule": rule, "data": told, "postings": ways})

    def _excess_of_holding(self, name: str, account: str, commodity: str, seen: set[Place]) -> Iterator[str]:
        if (account, commodity) not in seen and commodity not in {
            self._rulebook.secrets.veil(one) for one in self._veiled.values()
        }:
            yield f"{name}: the {commodity} of {account}"

    def _excess_of_cards(self, name: str, said: Json) -> Iterator[str]:
        if name == "1":
            return  # The first action lists what is in the box.
        for card in {self._veiled[one] for one in leaves(said) if one in self._veiled} - self._cards[name]:
            yield f"{name}: the card {card}"

    def _look_along(self, entries: Sequence[Entry]) -> None:
        state = self._rulebook.blank()
        for name, standing in self.standings.items():
            self._before[name], self._cards[name] = self._looked(state)
            self._cards[name] |= self._followed(state, standing.events if standing.counts else ())
            self._after[name], _ = self._looked(state)
        # What was seen when it happened may be told of an action for ever, and by a correction of it.
        played, ever = self._rulebook.blank(), set[str]()
        for number in range(1, len(entries) + 1):
            name = str(number)
            self._cards[name] |= self._looked(played)[1]
            events = self.standings[name].recorded
            if any(isinstance(event, HistoryCorrected) for event in events):
                played = self._folded(Timeline(entries[:number], self._rulebook.codec.event).effective())
                self._cards[name] |= ever | self._looked(played)[1]
                for inserted in (one for one in self.standings if one.startswith(f"{name}.")):
                    self._cards[inserted] |= self._cards[name]
            else:
                self._cards[name] |= self._followed(played, events)
            ever |= self._cards[name]

    def _followed(self, state: State, events: Iterable[Event]) -> set[str]:
        """Fold events, and return the cards that lay where the viewer may look, after any of them."""
        found: set[str] = set()
        for event in events:
            state.record(event)
            if event.postings:
                found |= self._looked(state)[1]
        return found

    def _looked(self, state: State) -> tuple[set[Place], set[str]]:
        """Where the viewer may look, and the cards that lie there."""
        places = {
            place
            for place in self._places
            if self._rulebook.secrets.holding_audience(state, *place).admits(self.viewer)
        }
        lie = {commodity for account, commodity in places if state.holdings.of(account, commodity) > 0}
        if isinstance(state, VirtualRevolution):
            # Some cards of face-down decks are known (vr:setup.24, vr:upkeep.1, vr:secrecy.2).
            known = (state.verse_top, *state.under, state.seen_necro.get(self.viewer.seat or "", ""))
            lie |= {f"card:{one}" for one in known if one}
        return places, lie

    def _folded(self, standings: Iterable[TimelineEntry]) -> State:
        state: State = self._rulebook.blank()
        for standing in standings:
            state.fold(standing.events)
        return state


def _shown(event: Mapping[str, Json]) -> Json:
    """Of an event in an entry what it tells: not its number, and not its sentence."""
    return {key: event[key] for key in ("kind", "rule", "data", "postings")}
