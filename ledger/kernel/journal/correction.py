"""The event of a correction: the edits asked for, and everything that follows from them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ledger.kernel.facts.audience import BANKER_ONLY, Audience, Viewer
from ledger.kernel.facts.edits import Cascade, Edit
from ledger.kernel.facts.events import Amendment, Event, Insertion, UndoneDraw
from ledger.kernel.facts.refusals import RuleNote
from ledger.kernel.language.phrase import Phrase


class HistoryCorrected(Event, frozen=True, kw_only=True):
    """A correction of the history: the edits asked for, and everything that follows from them."""

    label: ClassVar[Phrase] = Phrase("The history is corrected", "L'histoire est corrigée")
    en: ClassVar[str] = "{by:or|The banker|seat} {does.en}: {reason}"
    fr: ClassVar[str] = "{by:or|Le banquier|seat} {does.fr} : {reason}"

    edits: tuple[Edit, ...]
    cascade: Cascade
    reason: str
    earliest: int
    """The first action number touched by the correction; 0 for a viewer who sees no touched action."""
    amendments: tuple[Amendment, ...] = ()
    insertions: tuple[Insertion, ...] = ()
    warnings: tuple[RuleNote, ...] = ()
    """New inconsistencies left by the correction (see `Play.inconsistencies`)."""
    by: str | None = None
    """The seat taking back an action of its own; None for a correction by the banker."""
    undrawn: tuple[UndoneDraw, ...] | UnsetType = UNSET
    """The undone draws, in the order of the history, for a rulebook that puts them back."""

    @property
    def first(self) -> int:
        """The first action followed by a state different from before.

        Either `earliest`, or the preceding action if steps of the game are inserted after it.
        """
        return min((self.earliest, *(insertion.after for insertion in self.insertions)))

    @property
    def does(self) -> Phrase:
        """The description of the correction, in English and French."""
        if self.by is None:
            return Phrase("corrects the history", "corrige l'histoire")
        return Phrase("takes back an action of their own", "reprend une de ses actions")

    def amends(self) -> tuple[Amendment, ...]:
        """Return the actions with a different outcome."""
        return self.amendments

    def inserts(self) -> tuple[Insertion, ...]:
        """Return the added actions."""
        return self.insertions

    def audience(self) -> Audience:
        """Return the banker alone: restated events may be secret."""
        return BANKER_ONLY

    def redacted(self, viewer: Viewer) -> Event:
        """Return the event with only the fact of a correction and the reason, for everybody."""
        return replace(self, edits=(), amendments=(), insertions=(), warnings=(), earliest=0, undrawn=UNSET)

    def telling(self, amendments: Iterable[Amendment]) -> HistoryCorrected:
        """Return the redacted event, with the amendments visible to the viewer."""
        visible = tuple(amendments)
        return replace(
            self, amendments=visible, earliest=min((amendment.number for amendment in visible), default=0)
        )
