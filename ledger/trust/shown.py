"""The log of a game for a viewer, for verification without the service.

It is a folder, or a ZIP file with the files of the folder:

| file | content |
|---|---|
| `log.jsonl` | a header; a line for each entry, with the part visible to the viewer; an end with the balances |
| `checkpoint` | the signed checkpoint over the entries |
| `key` | the keys of the signatures, for convenience: trust the key that came with your token |
| `tile/…` | the tree (C2SP tlog-tiles) |

`verify_shown` checks all files: the hash of every line, the parts, the order, the root and its signature, the
tiles, and the sums of the visible postings against the stated balances. Every fault names the first wrong
action.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from ledger.kernel.deciding.settling import MOST_STEPS
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.labels import name_of
from ledger.kernel.facts.state import State
from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.merkle import Tree
from ledger.kernel.journal.sealing import Change
from ledger.kernel.journal.sight import admits, sees_holding
from ledger.kernel.journal.stored import Attested, read_attested
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.kernel.rules.rulebook import Rulebook
from ledger.trust.checkpoints import Checkpoint, key_of, same_game, verified
from ledger.trust.deciding import compare_decision
from ledger.trust.dice import check_dice
from ledger.trust.notes import LONGEST_NAME, BadNote, Note, Verifier
from ledger.trust.refolding import Refold
from ledger.trust.tiles import WIDTH, joined, root_of, split, tiles_of
from ledger.trust.verifying import EntryRules, cannot_have_happened

LINES, CHECKPOINT, KEYS = "log.jsonl", "checkpoint", "key"

VERSION = 1
ABOUT = (
    "One JSON object a line: this header; for each entry of the journal what its reader may see of it, as it is"
    " hashed; the end, with the balances that the reader may see. `mabligop verify` checks all of it."
)


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line: the game, and its reader."""

    version: int = VERSION
    about: str = ABOUT
    origin: str
    game: str
    rulebook: str
    title: str
    role: str
    seat: str | None
    size: int


class _First(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    log: Header


class End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: the balances visible to the reader, by account and commodity, without zeros.

    `unshown` are the balances moved by hidden postings: the visible postings do not add up to them.
    """

    balances: dict[str, dict[str, int]]
    unshown: dict[str, tuple[str, ...]]

    def unshown_whole(self) -> End:
        """Return the balances, all marked as `unshown`."""
        return End(self.balances, {account: tuple(sorted(held)) for account, held in self.balances.items()})


class _Last(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    end: End


class _Part(msgspec.Struct, frozen=True):
    """The summed fields of a part."""

    game: str
    number: int
    events: tuple[msgspec.Raw, ...] = ()
    changes: tuple[Change, ...] = ()


_first = msgspec.json.Decoder(_First)
_last = msgspec.json.Decoder(_Last)
_part = msgspec.json.Decoder(_Part)
_encode = msgspec.json.Encoder(order="sorted").encode


def first_line(header: Header) -> bytes:
    """Return the first line, without its line feed."""
    return _encode(_First(header))


def last_line(end: End) -> bytes:
    """Return the last line, without its line feed."""
    return _encode(_Last(end))


def end_of(rulebook: Rulebook[Any], state: State, viewer: Viewer, history: Iterable[TimelineEntry]) -> End:
    """Return the visible holdings after a history, and the commodities moved by hidden postings."""
    unshown: dict[str, set[str]] = {}
    for timeline_entry in history:
        for event in timeline_entry.events if timeline_entry.counts else ():
            shown_event = event if admits(event, viewer) else event.redacted(viewer)
            hidden = Counter(event.postings) - Counter(() if shown_event is None else shown_event.postings)
            for posting in hidden:
                for account in (posting.source, posting.target):
                    unshown.setdefault(account, set()).add(posting.commodity)
    visible: dict[str, dict[str, int]] = {}
    for account, amounts in sorted(state.holdings.items()):
        for commodity, amount in sorted(amounts.items()):
            if amount and sees_holding(rulebook.secrets, state, account, commodity, viewer):
                visible.setdefault(account, {})[commodity] = amount
    both = {
        account: tuple(sorted(unshown.get(account, set()) & amounts.keys()))
        for account, amounts in visible.items()
    }
    return End(visible, {account: commodities for account, commodities in both.items() if commodities})


class Fault(msgspec.Struct, frozen=True):
    """A fault, and the number of its action; 0 for the whole. With `exempt` it is none (see `Finding`)."""

    number: int
    description: str
    exempt: bool = False

    def __str__(self) -> str:
        return f"action {self.number}: {self.description}" if self.number else self.description


class Shown:
    """A log after reading: the reader, the hashes of its lines, and the sums of the postings that count."""

    def __init__(self, lines: Sequence[bytes], rulebooks: Mapping[str, Rulebook[Any]]) -> None:
        """Read the lines, without their line feeds. Raises ValueError if the lines are no log."""
        try:
            self.header = _first.decode(lines[0]).log
            self.end = _last.decode(lines[-1]).end
        except (msgspec.DecodeError, UnicodeDecodeError, IndexError) as fault:
            raise ValueError(f"it is no log of a game: {fault}") from fault
        if self.header.version != VERSION:
            raise ValueError(f"it is of version {self.header.version}; this program reads version {VERSION}")
        self.rulebook = rulebooks.get(self.header.rulebook)
        self.leaves: list[bytes] = []
        self.faults: list[Fault] = []
        self._actions: dict[str, tuple[Event, ...]] = {}
        """The events that count of each action, by name."""
        self._recorded: dict[str, tuple[Event, ...]] = {}
        """The recorded events of each action with a whole entry."""
        self.entries: list[Entry] = []
        """The whole entries, if every line so far has a whole entry."""
        for number, line in enumerate(lines[1:-1], start=1):
            self._read(number, line)

    def _read(self, number: int, line: bytes) -> None:
        try:
            attested = read_attested(line)
        except ValueError as fault:
            self.faults.append(Fault(number, str(fault)))
            self.leaves.append(b"\0" * 32)
            return
        self.leaves.append(attested.leaf)
        if attested.number is not None and (attested.number, attested.game) != (number, self.header.game):
            self.faults.append(Fault(number, f"its line is of action {attested.number} of game {attested.game}"))
        expected = "spectator" if self.header.seat is None else f"player:{self.header.seat}"
        if attested.audience is not None and attested.audience != expected:
            self.faults.append(Fault(number, f"it has the part of {attested.audience!r}, not of {expected!r}"))
        if self.rulebook is not None:
            self._count(number, attested, self.rulebook)

    def _count(self, number: int, attested: Attested, rulebook: Rulebook[Any]) -> None:
        """Note the effective events of the entry, and its changes of other actions."""
        try:
            if attested.entry is not None:
                self._count_entry(attested.entry, rulebook)
            elif attested.part is not None:
                part = _part.decode(attested.part)
                if (part.number, part.game) != (attested.number, attested.game):
                    self.faults.append(Fault(number, "the part is of another action"))
                self._actions[str(number)] = tuple(map(rulebook.codec.event, part.events))
                for change in part.changes:
                    self._actions[str(change.action)] = tuple(map(rulebook.codec.event, change.events))
        except (msgspec.DecodeError, UnicodeError, LookupError, TypeError, AttributeError, ValueError) as fault:
            self.faults.append(Fault(number, f"it cannot be read: {fault}"))

    def _count_entry(self, entry: Entry, rulebook: Rulebook[Any]) -> None:
        events = tuple(map(rulebook.codec.event, entry.events))
        if len(self.entries) == entry.number - 1:
            self.entries.append(entry)
        self._actions[str(entry.number)] = self._recorded[str(entry.number)] = events
        for event in events:
            for index, insertion in enumerate(event.inserts(), start=1):
                name = str(name_of((entry.number, index)))
                inserted = tuple(map(rulebook.codec.event, insertion.action.events))
                self._actions[name] = self._recorded[name] = inserted
            for amendment in event.amends():
                name = str(name_of((amendment.number, amendment.insert)))
                restated = tuple(map(rulebook.codec.event, amendment.events))
                self._actions[name] = self._recorded.get(name, ()) if amendment.status == "effective" else restated

    def sums(self) -> Counter[tuple[str, str]]:
        """Return the sums of the visible postings that count, by account and commodity."""
        sums: Counter[tuple[str, str]] = Counter()
        for events in self._actions.values():
            for event in events:
                for posting in event.postings:
                    sums[posting.source, posting.commodity] -= posting.amount
                    sums[posting.target, posting.commodity] += posting.amount
        return sums


def verify_shown(
    game_log: Shown,
    signed: str | bytes,
    trusted: Sequence[Verifier],
    tiles: Mapping[str, bytes] | None = None,
    older: Sequence[Checkpoint] = (),
    *,
    decide: bool = False,
) -> Iterator[Fault]:
    """Yield all faults of a log.

    Takes the log, its checkpoint, the trusted keys, its tiles by path if present, and earlier checkpoints of
    the log. With `decide`, and if the whole game is visible, every action is decided again.
    """
    yield from game_log.faults
    header, leaves = game_log.header, game_log.leaves
    tree = Tree()
    roots: dict[int, bytes] = {}
    sizes = {item.size for item in older}
    for size, item in enumerate(leaves, start=1):
        tree.add(item)
        if size in sizes:
            roots[size] = tree.root()
    if len(leaves) != header.size:
        yield Fault(min(len(leaves), header.size) + 1, f"there are {len(leaves)} lines for {header.size} actions")
    try:
        checkpoint = checked(signed, trusted, header.origin)
        if checkpoint.origin != header.origin:
            yield Fault(0, f"the checkpoint is of {checkpoint.origin}, and the log of {header.origin}")
        elif checkpoint.size != len(leaves):
            first = min(checkpoint.size, len(leaves)) + 1
            yield Fault(first, f"the checkpoint is over {checkpoint.size} actions, and there are {len(leaves)}")
        elif checkpoint.root != tree.root():
            yield Fault(*_first_unlike(leaves, tiles, checkpoint))
    except BadNote as fault:
        yield Fault(0, f"the checkpoint: {fault}")
    for earlier in older:
        if not same_game(earlier.origin, header.origin):
            yield Fault(0, f"an older checkpoint is of {earlier.origin}, and this log is {header.origin}")
        elif earlier.size > len(leaves):
            yield Fault(len(leaves) + 1, f"an older checkpoint is over {earlier.size} actions: the end is cut off")
        elif roots.get(earlier.size) != earlier.root:
            yield Fault(0, f"the first {earlier.size} actions are not those of the older checkpoint")
    if tiles is not None:
        yield from _wrong_tiles(leaves, tiles)
    if game_log.rulebook is None:
        yield Fault(0, f"the rulebook {header.rulebook!r} is not known here: nothing was added up")
        return
    yield from _balances(game_log)
    if len(game_log.entries) == len(leaves):
        yield from _played(game_log, game_log.rulebook, decide=decide)


def checked(signed: str | bytes, trusted: Sequence[Verifier], origin: str) -> Checkpoint:
    """Return the checkpoint of a log, signed by a trusted key of the service or of the log. Raises BadNote."""
    why = BadNote("no key is trusted")
    named = len(origin) <= LONGEST_NAME  # No key has the name of a longer origin.
    keys = [key_of(key, origin) if named and origin.startswith(f"{key.name}/") else key for key in trusted]
    for key in keys:
        try:
            return verified(signed, key)
        except BadNote as fault:
            why = fault
    note = Note.parse(signed)
    signers = {(signature.name, signature.key_id) for signature in note.signatures}
    if keys and signers.isdisjoint((key.name, key.key_id) for key in keys):
        try:
            note.signed_by(keys)
        except BadNote as fault:
            raise BadNote(f"{fault}. {_OTHER_KEY}") from None
    raise why


_OTHER_KEY = (
    "Either the service has changed its key, or it was restored without its keys, or somebody else has signed."
    " Ask the owner of the service for the new key in person. The `log` of GET /api/v1/me has the changes of the"
    " key that the service knows; `--older` with what you kept shows whether the journal is still the same"
)


def _first_unlike(
    leaves: Sequence[bytes], tiles: Mapping[str, bytes] | None, checkpoint: Checkpoint
) -> tuple[int, str]:
    """Return the first action whose hash differs from the tiles, if the tiles match the checkpoint."""
    description = "what the checkpoint was signed over is something else"
    if tiles is None:
        return 0, description
    signed = [
        hashed for tile in tiles_of(len(leaves)) if tile.level == 0 for hashed in split(tiles.get(tile.path, b""))
    ]
    tree = Tree()
    for hashed in signed:
        tree.add(hashed)
    if len(signed) != len(leaves) or tree.root() != checkpoint.root:
        return 0, description
    number = next(place for place, pair in enumerate(zip(leaves, signed, strict=True), 1) if pair[0] != pair[1])
    return number, "it is not the one that the checkpoint was signed over"


def _wrong_tiles(leaves: Sequence[bytes], tiles: Mapping[str, bytes]) -> Iterator[Fault]:
    """Yield the missing tiles, and the tiles that do not match these hashes."""
    below = list(leaves)
    for tile in tiles_of(len(leaves)):
        if tile.level and tile.index == 0:
            full = range(0, len(below) - WIDTH + 1, WIDTH)
            below = [root_of(below[place : place + WIDTH]) for place in full]
        hashes = tiles.get(tile.path)
        if hashes is None:
            yield Fault(0, f"{tile.path} is missing")
        elif hashes != joined(below[tile.index * WIDTH : tile.index * WIDTH + tile.width]):
            yield Fault(0, f"{tile.path} is not that of the entries")
    for path in sorted(tiles.keys() - {tile.path for tile in tiles_of(len(leaves))}):
        yield Fault(0, f"{path} is no tile of this log")


def _balances(game_log: Shown) -> Iterator[Fault]:
    """Yield the stated balances that differ from the sums of the postings."""
    sums = game_log.sums()
    for account, amounts in game_log.end.balances.items():
        for commodity, amount in amounts.items():
            come = sums[account, commodity]
            if come != amount and commodity not in game_log.end.unshown.get(account, ()):
                yield Fault(
                    0, f"{account} is told to have {amount} × {commodity}, and what is shown comes to {come}"
                )


def _played(game_log: Shown, rulebook: Rulebook[Any], *, decide: bool) -> Iterator[Fault]:
    """Yield the impossible events, in a log of a whole game."""
    entries = game_log.entries
    rules = EntryRules(rulebook, game_log.header.game)
    fold = Refold(rulebook, lambda first, last: entries[first - 1 : last])
    seq = 0
    decided: set[tuple[int, str]] = set()
    for number, entry in enumerate(entries, start=1):
        events = tuple(map(rulebook.codec.event, entry.events))
        yield from (Fault(number, description) for description in rules.wrong(number, seq, entry, events))
        seq += len(events)
        following = entries[number : number + MOST_STEPS]
        otherwise = compare_decision(rulebook, fold.state, entry, events, fold, following) if decide else None
        if otherwise is not None:
            decided.add((number, otherwise.description))
            yield Fault(number, otherwise.description, otherwise.exempt)
        try:
            fold.take(number, entry.recorded_at, seq, events)
        except Exception as fault:  # An invented event may raise any exception.
            yield Fault(number, cannot_have_happened(fault))
            return
    wrong = (
        fault_of_dice for fault_of_dice in check_dice(rulebook, entries).wrong if fault_of_dice not in decided
    )
    yield from (Fault(number, description) for number, description in wrong)
