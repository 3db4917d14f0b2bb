"""The log of a game as one viewer has it, for whoever verifies it without the service.

It is a folder, or a ZIP file with the same files:

| file | what it is |
|---|---|
| `log.jsonl` | a header; a line for each entry, with what the viewer sees of it; an end with the balances |
| `checkpoint` | the signed checkpoint over the entries |
| `key` | the keys that signed it, for convenience: trust the one that came with your token |
| `tile/…` | the tree (C2SP tlog-tiles) |

`verify_shown` goes through all of it: the hash of every line, the parts, the order, the root and its signature,
the tiles, and that the postings that are shown come to the balances that are told. Every fault names the first
action that is wrong.
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
from ledger.kernel.journal.timeline import Standing
from ledger.kernel.rules.rulebook import Rulebook
from ledger.trust.checkpoints import Checkpoint, key_of, verified
from ledger.trust.deciding import difference
from ledger.trust.dice import check_dice
from ledger.trust.notes import BadNote, Verifier
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
    """The first line: which game it is, and who sees it."""

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
    """The last line: the balances that the reader may see, by account and commodity, without zeros.

    `unshown` are those among them that were moved by postings which the reader may not see: what is shown does not
    come to them.
    """

    balances: dict[str, dict[str, int]]
    unshown: dict[str, tuple[str, ...]]

    def unshown_whole(self) -> End:
        """The same balances, to none of which what is shown comes."""
        return End(self.balances, {account: tuple(sorted(held)) for account, held in self.balances.items()})


class _Last(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    end: End


class _Part(msgspec.Struct, frozen=True):
    """Of a part what is added up."""

    game: str
    number: int
    events: tuple[msgspec.Raw, ...] = ()
    changes: tuple[Change, ...] = ()


_first = msgspec.json.Decoder(_First)
_last = msgspec.json.Decoder(_Last)
_part = msgspec.json.Decoder(_Part)
_encode = msgspec.json.Encoder(order="sorted").encode


def first_line(header: Header) -> bytes:
    """The first line, without its line feed."""
    return _encode(_First(header))


def last_line(end: End) -> bytes:
    """The last line, without its line feed."""
    return _encode(_Last(end))


def end_of(rulebook: Rulebook[Any], state: State, viewer: Viewer, history: Iterable[Standing]) -> End:
    """All that a viewer may see of the holdings after a history, and what of it comes from what is hidden."""
    unshown: dict[str, set[str]] = {}
    for standing in history:
        for event in standing.events if standing.counts else ():
            seen = event if admits(event, viewer) else event.redacted(viewer)
            hidden = Counter(event.postings) - Counter(() if seen is None else seen.postings)
            for posting in hidden:
                for account in (posting.source, posting.target):
                    unshown.setdefault(account, set()).add(posting.commodity)
    told: dict[str, dict[str, int]] = {}
    for account, held in sorted(state.holdings.items()):
        for commodity, amount in sorted(held.items()):
            if amount and sees_holding(rulebook, state, account, commodity, viewer):
                told.setdefault(account, {})[commodity] = amount
    both = {account: tuple(sorted(unshown.get(account, set()) & held.keys())) for account, held in told.items()}
    return End(told, {account: commodities for account, commodities in both.items() if commodities})


class Fault(msgspec.Struct, frozen=True):
    """What is wrong, and with which action; 0 for the whole."""

    number: int
    what: str

    def __str__(self) -> str:
        return f"action {self.number}: {self.what}" if self.number else self.what


class Shown:
    """What was read of a log: who sees it, the tree over its lines, and the sums of the postings that count."""

    def __init__(self, lines: Sequence[bytes], rulebooks: Mapping[str, Rulebook[Any]]) -> None:
        """Read the lines, without their line feeds. Raises ValueError for what is no log at all."""
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
        """What each action counts with, by its name."""
        self._recorded: dict[str, tuple[Event, ...]] = {}
        """What each action of a whole entry was recorded with."""
        self.entries: list[Entry] = []
        """The whole entries, as long as every line so far has one."""
        for number, line in enumerate(lines[1:-1], start=1):
            self._read(number, line)

    def _read(self, number: int, line: bytes) -> None:
        try:
            found = read_attested(line)
        except ValueError as fault:
            self.faults.append(Fault(number, str(fault)))
            self.leaves.append(b"\0" * 32)
            return
        self.leaves.append(found.leaf)
        if found.number is not None and (found.number, found.game) != (number, self.header.game):
            self.faults.append(Fault(number, f"its line is of action {found.number} of game {found.game}"))
        own = "spectator" if self.header.seat is None else f"player:{self.header.seat}"
        if found.audience is not None and found.audience != own:
            self.faults.append(Fault(number, f"it has the part of {found.audience!r}, not of {own!r}"))
        if self.rulebook is not None:
            self._count(number, found, self.rulebook)

    def _count(self, number: int, found: Attested, rulebook: Rulebook[Any]) -> None:
        """Note what the entry counts with, and what it changes of others."""
        try:
            if found.entry is not None:
                self._count_entry(found.entry, rulebook)
            elif found.part is not None:
                part = _part.decode(found.part)
                if (part.number, part.game) != (found.number, found.game):
                    self.faults.append(Fault(number, "the part is of another action"))
                self._actions[str(number)] = tuple(map(rulebook.event, part.events))
                for change in part.changes:
                    self._actions[str(change.action)] = tuple(map(rulebook.event, change.events))
        except (msgspec.DecodeError, UnicodeError, LookupError, TypeError, AttributeError, ValueError) as fault:
            self.faults.append(Fault(number, f"it cannot be read: {fault}"))

    def _count_entry(self, entry: Entry, rulebook: Rulebook[Any]) -> None:
        if len(self.entries) == entry.number - 1:
            self.entries.append(entry)
        events = tuple(map(rulebook.event, entry.events))
        self._actions[str(entry.number)] = self._recorded[str(entry.number)] = events
        for event in events:
            for index, insertion in enumerate(event.inserts(), start=1):
                name = str(name_of((entry.number, index)))
                inserted = tuple(map(rulebook.event, insertion.action.events))
                self._actions[name] = self._recorded[name] = inserted
            for one in event.amends():
                name = str(name_of((one.number, one.insert)))
                restated = tuple(map(rulebook.event, one.events))
                self._actions[name] = self._recorded.get(name, ()) if one.status == "effective" else restated

    def sums(self) -> Counter[tuple[str, str]]:
        """What the postings that are shown, and count, come to: by account and commodity."""
        sums: Counter[tuple[str, str]] = Counter()
        for events in self._actions.values():
            for event in events:
                for posting in event.postings:
                    sums[posting.source, posting.commodity] -= posting.amount
                    sums[posting.target, posting.commodity] += posting.amount
        return sums


def verify_shown(
    shown: Shown,
    signed: str | bytes,
    trusted: Sequence[Verifier],
    tiles: Mapping[str, bytes] | None = None,
    older: Sequence[Checkpoint] = (),
    *,
    decide: bool = False,
) -> Iterator[Fault]:
    """Everything that is wrong with a log.

    Takes what was read of it, its checkpoint, the keys that are trusted, its tiles by their paths where they are
    there, and checkpoints of the same log that were seen before. With `decide`, and where all of the game is
    shown, every action is decided again.
    """
    yield from shown.faults
    header, leaves = shown.header, shown.leaves
    tree = Tree()
    roots: dict[int, bytes] = {}
    wanted = {one.size for one in older}
    for size, one in enumerate(leaves, start=1):
        tree.add(one)
        if size in wanted:
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
        if earlier.origin != header.origin:
            yield Fault(0, f"an older checkpoint is of {earlier.origin}, and this log is {header.origin}")
        elif earlier.size > len(leaves):
            yield Fault(len(leaves) + 1, f"an older checkpoint is over {earlier.size} actions: the end is cut off")
        elif roots.get(earlier.size) != earlier.root:
            yield Fault(0, f"the first {earlier.size} actions are not those of the older checkpoint")
    if tiles is not None:
        yield from _wrong_tiles(leaves, tiles)
    if shown.rulebook is None:
        yield Fault(0, f"the rulebook {header.rulebook!r} is not known here: nothing was added up")
        return
    yield from _balances(shown)
    if len(shown.entries) == len(leaves):
        yield from _played(shown, shown.rulebook, decide=decide)


def checked(signed: str | bytes, trusted: Sequence[Verifier], origin: str) -> Checkpoint:
    """The checkpoint of a log, signed by one of the trusted keys, of the service or of the log. Raises BadNote."""
    why = BadNote("no key is trusted")
    for key in trusted:
        try:
            return verified(signed, key_of(key, origin) if origin.startswith(f"{key.name}/") else key)
        except BadNote as fault:
            why = fault
    raise why


def _first_unlike(
    leaves: Sequence[bytes], tiles: Mapping[str, bytes] | None, checkpoint: Checkpoint
) -> tuple[int, str]:
    """The first action whose hash is not the one in the tiles, if they are those of the checkpoint."""
    what = "what the checkpoint was signed over is something else"
    if tiles is None:
        return 0, what
    signed = [one for tile in tiles_of(len(leaves)) if tile.level == 0 for one in split(tiles.get(tile.path, b""))]
    tree = Tree()
    for one in signed:
        tree.add(one)
    if len(signed) != len(leaves) or tree.root() != checkpoint.root:
        return 0, what
    number = next(place for place, pair in enumerate(zip(leaves, signed, strict=True), 1) if pair[0] != pair[1])
    return number, "it is not the one that the checkpoint was signed over"


def _wrong_tiles(leaves: Sequence[bytes], tiles: Mapping[str, bytes]) -> Iterator[Fault]:
    """The tiles that are missing, or are not those over these hashes."""
    below = list(leaves)
    for tile in tiles_of(len(leaves)):
        if tile.level and tile.index == 0:
            full = range(0, len(below) - WIDTH + 1, WIDTH)
            below = [root_of(below[place : place + WIDTH]) for place in full]
        found = tiles.get(tile.path)
        if found is None:
            yield Fault(0, f"{tile.path} is missing")
        elif found != joined(below[tile.index * WIDTH : tile.index * WIDTH + tile.width]):
            yield Fault(0, f"{tile.path} is not that of the entries")
    for path in sorted(tiles.keys() - {tile.path for tile in tiles_of(len(leaves))}):
        yield Fault(0, f"{path} is no tile of this log")


def _balances(shown: Shown) -> Iterator[Fault]:
    """The balances that are told, and to which the postings do not come."""
    sums = shown.sums()
    for account, held in shown.end.balances.items():
        for commodity, amount in held.items():
            come = sums[account, commodity]
            if come != amount and commodity not in shown.end.unshown.get(account, ()):
                yield Fault(
                    0, f"{account} is told to have {amount} × {commodity}, and what is shown comes to {come}"
                )


def _played(shown: Shown, rulebook: Rulebook[Any], *, decide: bool) -> Iterator[Fault]:
    """What could not have happened, in a log that shows all of the game."""
    entries = shown.entries
    rules = EntryRules(rulebook, shown.header.game)
    fold = Refold(rulebook, lambda first, last: entries[first - 1 : last])
    seq = 0
    decided: set[tuple[int, str]] = set()
    for number, entry in enumerate(entries, start=1):
        events = tuple(map(rulebook.event, entry.events))
        yield from (Fault(number, what) for what in rules.wrong(number, seq, entry, events))
        seq += len(events)
        following = entries[number : number + MOST_STEPS]
        otherwise = difference(rulebook, fold.state, entry, events, fold, following) if decide else None
        if otherwise is not None:
            decided.add((number, otherwise.what))
            yield Fault(number, otherwise.what)
        try:
            fold.take(number, entry.recorded_at, seq, events)
        except Exception as fault:  # An invented event may raise any exception.
            yield Fault(number, cannot_have_happened(fault))
            return
    wrong = (one for one in check_dice(rulebook, entries).wrong if one not in decided)
    yield from (Fault(number, what) for number, what in wrong)
