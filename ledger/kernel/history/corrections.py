"""Corrections: the past is mended, and the journal never rewritten.

A correction edits the effective history, not the journal. Every action from the first edit on is decided again
from what was recorded with it. The correction's one event says what came out: which actions no longer count, which
count with other events, and which were inserted. So folding a corrected game needs no rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from ledger.kernel.actions import Action, Cascade, Choice, Mending
from ledger.kernel.audience import BANKER_ONLY, EVERYONE, Audience, Viewer, only
from ledger.kernel.draft import Draft
from ledger.kernel.draws import Undrawn
from ledger.kernel.events import Amendment, Event, Insertion
from ledger.kernel.history.edits import Edit
from ledger.kernel.history.timeline import Standing
from ledger.kernel.labels import Label
from ledger.kernel.parameters import Text, of_kind
from ledger.kernel.refusals import NeedsDraw, Refusal, Warned
from ledger.kernel.state import State

S = TypeVar("S", bound=State)


class HistoryCorrected(Event, frozen=True, kw_only=True):
    """A correction of the history: the edits asked for, and everything that follows from them."""

    label: ClassVar[tuple[str, str]] = ("The history is corrected", "L'histoire est corrigée")
    en: ClassVar[str] = "{by:or|The banker|seat} {does[0]}: {reason}"
    fr: ClassVar[str] = "{by:or|Le banquier|seat} {does[1]} : {reason}"

    edits: tuple[Edit, ...]
    cascade: Cascade
    reason: str
    earliest: int
    """The first action number that the correction touches; 0 for a viewer who cannot tell of any."""
    amendments: tuple[Amendment, ...] = ()
    insertions: tuple[Insertion, ...] = ()
    warnings: tuple[Warned, ...] = ()
    """What the correction leaves inconsistent and was not so before (see `Rulebook.inconsistencies`)."""
    by: str | None = None
    """The seat that takes back an action of its own; None for a correction by the banker."""
    undrawn: tuple[Undrawn, ...] | UnsetType = UNSET
    """The draws that it undoes, in the order of the history, for a rulebook that puts them back."""

    @property
    def first(self) -> int:
        """The first action right after which the state is another one than before.

        That is `earliest`, or the action before it when the game's own steps are inserted there.
        """
        return min((self.earliest, *(one.after for one in self.insertions)))

    @property
    def does(self) -> tuple[str, str]:
        """What is done, in English and French."""
        if self.by is None:
            return "corrects the history", "corrige l'histoire"
        return "takes back an action of their own", "reprend une de ses actions"

    def amends(self) -> tuple[Amendment, ...]:
        """The actions that come out differently."""
        return self.amendments

    def inserts(self) -> tuple[Insertion, ...]:
        """The actions that are added."""
        return self.insertions

    def audience(self) -> Audience:
        """The banker only: restated events may be secret."""
        return BANKER_ONLY

    def redacted(self, viewer: Viewer) -> Event:
        """Everybody learns that the history was corrected, and why."""
        return replace(self, edits=(), amendments=(), insertions=(), warnings=(), earliest=0, undrawn=UNSET)

    def telling(self, amendments: Iterable[Amendment]) -> HistoryCorrected:
        """The redacted event, with the amendments that the viewer can tell of."""
        told = tuple(amendments)
        return replace(self, amendments=told, earliest=min((one.number for one in told), default=0))


class Correct(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Correct the history. A rulebook that allows this takes in the chapter `arbitration`."""

    docket: ClassVar[bool] = True

    edits: Annotated[tuple[Edit, ...], Meta(min_length=1, max_length=1000), of_kind("edits")]
    cascade: Cascade = "refuse"
    reason: Text

    def mends(self) -> Mending:
        """The correction, which is planned before anything else is decided."""
        return Mending(self.edits, self.cascade, self.reason)

    def decide(self, draft: Draft[Any]) -> None:
        """Record nothing: the correction is recorded already."""

    @classmethod
    def choices(cls, state: Any, seat: str) -> Iterable[Choice]:
        """Drop the last action; everything about the correction may be changed.

        The cascade is "restate", because dropping a correction restores the actions that it had changed.
        """
        if state.version > 1:
            edits = [{"op": "drop", "action": state.version}]
            params = {"edits": edits, "cascade": "restate", "reason": "…"}
            yield Choice(params, free=("edits", "cascade", "reason"))


class Restated(msgspec.Struct, frozen=True):
    """An action that comes out differently, with its events before and after."""

    standing: Standing
    before: tuple[Event, ...]
    after: tuple[Event, ...]


class Fallen(msgspec.Struct, frozen=True):
    """An action that is no longer possible, and why."""

    standing: Standing
    why: Any


class Taken(msgspec.Struct, frozen=True):
    """A default step that the game takes in the corrected history, right before the action called `before`.

    `index` is its index among the insertions of the correction.
    """

    index: int
    before: str


class Need(msgspec.Struct, frozen=True):
    """A die or a card that the corrected history asks for, and that nobody threw or drew.

    `after` is the name of the action after which it is needed. `action` is the action that asks for it, with its
    seat: a recorded action (`standing`) or a default step (None). `voids` is whether the recorded action falls
    without it; otherwise the game goes on without it.
    """

    draw: NeedsDraw
    after: str
    seat: str | None
    action: Action
    standing: Standing | None
    voids: bool


class Cause(msgspec.Struct, frozen=True):
    """What an edit changes at once, from which all its consequences follow.

    `edit` is its index among the edits. `action` is the name of the action where the histories part. `was` and
    `now` are the states right after it, before and after the correction.
    """

    edit: int
    action: str
    was: Any
    now: Any


class Link(msgspec.Struct, frozen=True):
    """Where a consequence comes from: the edit's index, and the name of the action that brought it about."""

    edit: int
    because: str


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a correction changes, before it is written."""

    event: HistoryCorrected
    unchanged: int
    undone: tuple[Standing, ...]
    restored: tuple[Standing, ...]
    """Actions that had been undone or voided and count again."""
    restated: tuple[Restated, ...]
    voided: tuple[Fallen, ...]
    inserted: int
    """How many actions the edits insert."""
    steps: tuple[Taken, ...] = ()
    """The default steps that the game takes in the corrected history."""
    needs: tuple[Need, ...] = ()
    gained: tuple[tuple[int, str], ...] = ()
    """The turns, as round and seat, that are played only in the corrected history."""
    lost: tuple[tuple[int, str], ...] = ()
    """The turns that are played only in the history as it was."""
    causes: tuple[Cause, ...] = ()
    links: Mapping[Label, Link] = {}
    """Where each consequence comes from, by the label of the action."""
    spreads: bool = False
    """Whether something changes that no edit names. With the cascade "refuse" the correction is refused then."""
    beside: Mapping[Cascade, Plan | Refusal] = {}
    """What the same edits come to with the cascades "restate" and "keep", if it is worked out (`game.beside`)."""
    before: Any
    """The state at the head as it was believed to be."""
    after: Any
    """The state at the head as it is now said to be."""

    def touched(self) -> list[Standing]:
        """The actions that come out differently without being undone."""
        return [
            *self.restored,
            *(one.standing for one in self.restated),
            *(one.standing for one in self.voided),
        ]


class WouldSpread(Refusal):
    """With cascade "refuse": later actions would change. Carries the plan, so that the banker can choose."""

    def __init__(self, found: Plan, named: set[Label]) -> None:
        later = [one.name for one in found.touched() if one.label not in named]
        super().__init__(
            "later actions would change: {later}; look at the preview, then choose to restate or to keep them",
            "des actions ultérieures changeraient : {later} ; voyez l'aperçu, puis choisissez de les rejouer "
            "(restate) ou de les garder (keep)",
            later=", ".join(later),
        )
        self.plan = found


class CannotKeep(Refusal):
    """A later action cannot stand as it was recorded, and may not be voided either.

    This happens with cascade "keep". It also happens to a ruling that corrected the history when its other
    remedies are now refused: a ruling stands as a whole, so the banker has to drop it in the same correction.
    """

    def __init__(self, standing: Standing, refusal: Refusal) -> None:
        super().__init__(
            "action {name} ({kind:action}) cannot be kept: {why}",
            "l'action {name} ({kind:action}) ne peut pas être gardée : {pourquoi}",
            name=standing.name,
            kind=standing.entry.kind,
            why=refusal.en,
            pourquoi=refusal.fr,
        )
        self.standing = standing
        self.refusal = refusal
        self.known_to = refusal.known_to


def readers(refusal: Refusal, standing: Standing) -> Audience:
    """Who may read why an action is voided, among those who see it whole.

    Its own seat only, unless the refusal says otherwise: a refusal is worded for the seat that asked, and may tell
    what only that seat knows.
    """
    if isinstance(refusal, NeedsDraw):
        return EVERYONE
    return only(standing.entry.seat) if refusal.known_to is None else refusal.known_to
