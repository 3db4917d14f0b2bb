"""Replaced pieces during a game, by a ruling (vr:banker.2): the map, effects of cards, types, prices and
scores.

The table itself stays: equal numbers of pieces, equal cards, districts and arrondissements.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

import msgspec

from ledger.kernel.arbitration import remedies
from ledger.kernel.arbitration.remedies import Ruling
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import of_kind
from ledger.rulebooks.virtual_revolution import own_pieces
from ledger.rulebooks.virtual_revolution.rulings.adjusting import require_sound
from ledger.rulebooks.virtual_revolution.rulings.consistency import inconsistencies
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution, pieces

RULE = "vr:banker.2"

_CHANGEABLE = (
    *("title_loss_at", "raid_threshold", "raid_avoid", "necro_avoid_global", "necro_avoid_both"),
    *("agents_in_service", "recruit_range", "recruit_price", "server_price", "server_revenue", "server_vp2"),
    *("verse_price", "verse_revenue", "verse_renewal", "work_gain"),
    *("donation_1", "donation_2", "donation_immunity", "verse_for_immunity"),
)
"""The amounts that are not numbers of pieces on the table."""


class PiecesReplaced(Event, frozen=True, kw_only=True):
    """A ruling replaces what pieces say: from now on they are these (vr:banker.2)."""

    en: ClassVar[str] = "By ruling {ruling}, other pieces are played with: {tables:list}."
    fr: ClassVar[str] = "Par la décision {ruling}, on joue avec d'autres pièces : {tables:list}."

    rule: str = RULE
    ruling: str
    tables: tuple[str, ...]
    """The tables replaced by the ruling."""
    pieces: Pieces
    """All pieces, so that the journal is complete in itself."""

    def apply(self, state: VirtualRevolution) -> None:
        """Put the new pieces in play."""
        state.edition = state.edition.with_pieces(self.pieces)


class ReplacePieces(remedies.Remedy, frozen=True, kw_only=True):
    """Replace tables of pieces, written as in an edition that a table brings. The others stay as they are.

    What has happened stays as well; only Titles are checked again.
    """

    records: ClassVar[tuple[type[Event], ...]] = (PiecesReplaced,)

    pieces: Annotated[dict[str, Any], of_kind("settings")]

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Replace the tables. Raises Impossible for inconsistent pieces, and for pieces at odds with the table."""
        usual, brought = pieces(draft.state), {**self.pieces, "title": "-"}
        if "title" in self.pieces or "options" in self.pieces or not self.pieces:
            raise Impossible(
                RULE,
                "a ruling replaces tables of pieces, at least one, and no title or options",
                "une décision remplace des tables de pièces, une au moins, et ni titre ni options",
            )
        for fault in own_pieces.check(brought, usual)[:1]:
            raise Impossible(
                RULE, "{place}: {said}", "{place} : {dit}", place=fault.place, said=fault.en, dit=fault.fr
            )
        replaced = msgspec.convert(own_pieces.whole(brought, usual), Pieces)
        lying = dict(_box(usual))
        for table in [name for name, contents in _box(replaced) if contents != lying[name]][:1]:
            raise Impossible(
                RULE,
                "{table}: a ruling does not change which pieces lie on the table, or how many",
                "{table} : une décision ne change ni quelles pièces sont sur la table, ni combien",
                table=table,
            )
        existing = list(inconsistencies(draft.state))
        draft.record(PiecesReplaced(ruling=ruling.id, tables=tuple(sorted(self.pieces)), pieces=replaced))
        require_sound(draft, existing)


def _box(catalogue: Pieces) -> Iterator[tuple[str, Any]]:
    """Yield the pieces on the table, by table of the edition, without effects and names."""
    numbers = msgspec.to_builtins(catalogue.amounts)
    yield "amounts", {name: amount for name, amount in numbers.items() if name not in _CHANGEABLE}
    yield "colours", catalogue.colours
    yield "district", [row.id for row in catalogue.district]
    yield "arrondissement", [row.number for row in catalogue.arrondissement]
    yield "agent", [(row.id, row.level) for row in catalogue.agent]
    yield "verse", [row.id for row in catalogue.verse]
    yield "objective", [row.id for row in catalogue.objective]
    yield "necro", [(row.id, row.kind) for row in catalogue.necro]
    yield "corruption", [row.id for row in catalogue.corruption]
    yield "boost", [row.id for row in catalogue.boost]
    yield "titles", [row.district for row in catalogue.title]
