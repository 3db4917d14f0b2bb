"""The event of a correction: the edits asked for, and everything that follows from them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ledger.kernel.facts.audience import BANKER_ONLY, Audience, Viewer
from ledger.kernel.facts.edits import Cascade, Edit
from ledger.kernel.facts.events import Amendment, Event, Insertion, Undrawn
from ledger.kernel.facts.refusals import Warned


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
