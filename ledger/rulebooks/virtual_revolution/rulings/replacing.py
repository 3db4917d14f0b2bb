"""Other pieces during a game, by a ruling (vr:banker.2): the map, what cards do, types, prices and scores.

What lies on the table stays: as many pieces, the same cards, districts and arrondissements.
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
"""The amounts that are no numbers of pieces on the table."""


class PiecesReplaced(Event, frozen=True, kw_only=True):
    """A ruling replaces what pieces say: from now on they are these (vr:banker.2)."""

    en: ClassVar[str] = "By ruling {ruling}, other pieces are played with: {tables:list}."
    fr: ClassVar[str] = "Par la décision {ruling}, on joue avec d'autres pièces : {tables:list}."

    rule: str = RULE
    ruling: str
    tables: tuple[str, ...]
    """The tables that the ruling replaces."""
    pieces: Pieces
    """All pieces, so that the journal stands by itself."""

    def apply(self, state: VirtualRevolution) -> None:
        """Everything is decided by them."""
        state.edition = state.edition.with_pieces(self.pieces)


class ReplacePieces(remedies.Remedy, frozen=True, kw_only=True):
    """Replace tables of pieces, written as in an edition that a table brings. The others stay as they are.

    What has happened stays as well; only Titles are checked again.
    """

    records: ClassVar[tuple[type[Event], ...]] = (PiecesReplaced,)

    pieces: Annotated[dict[str, Any], of_kind("settings")]

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse what does not fit together, and other pieces than lie on the table."""
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
        found = msgspec.convert(own_pieces.whole(brought, usual), Pieces)
        lying = dict(_box(usual))
        for other in [name for name, one in _box(found) if one != lying[name]][:1]:
            raise Impossible(
                RULE,
                "{table}: a ruling does not change which pieces lie on the table, or how many",
                "{table} : une décision ne change ni quelles pièces sont sur la table, ni combien",
                table=other,
            )
        before = list(inconsistencies(draft.state))
        draft.record(PiecesReplaced(ruling=ruling.id, tables=tuple(sorted(self.pieces)), pieces=found))
        require_sound(draft, before)


def _box(found: Pieces) -> Iterator[tuple[str, Any]]:
    """What lies on the table, by table, whatever its pieces do and are called."""
    kept = msgspec.to_builtins(found.amounts)
    yield "amounts", {name: amount for name, amount in kept.items() if name not in _CHANGEABLE}
    yield "colours", found.colours
    yield "district", [one.id for one in found.district]
    yield "arrondissement", [one.number for one in found.arrondissement]
    yield "agent", [(one.id, one.level) for one in found.agent]
    yield "verse", [one.id for one in found.verse]
    yield "objective", [one.id for one in found.objective]
    yield "necro", [(one.id, one.kind) for one in found.necro]
    yield "corruption", [one.id for one in found.corruption]
    yield "boost", [one.id for one in found.boost]
    yield "titles", [one.district for one in found.title]
