"""The checks of an edition brought by a table, and of the settings of a game with the edition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, islice
from typing import Any

import msgspec

from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.rules.faces.editions import Editions, Fault, NewEdition, pointer_at
from ledger.rulebooks.monopoly.own_edition import checks, name_checks, options
from ledger.rulebooks.monopoly.own_edition.shape import MOST_BYTES, PARTS, OwnEdition
from ledger.rulebooks.monopoly.own_edition.starting import new_edition
from ledger.rulebooks.monopoly.table.pieces import Pieces
from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.parts import fitting
from ledger.rulebooks.parts.edition import Edition

MOST_FAULTS = 100
"""Maximum number of faults in a report."""

_MOST: Mapping[str, int] = {
    one.name: one.type.max_length
    for one in msgspec.inspect.type_info(Pieces).fields  # type: ignore[attr-defined]
    if isinstance(one.type, msgspec.inspect.VarTupleType) and one.type.max_length is not None
}
"""Maximum number of rows in each list of an edition."""

_WRITTEN_OUT = 2 * MOST_BYTES
"""The size of the largest board in settings, with all optional members of an edition written out."""


def check(document: Any) -> list[Fault]:
    """Return the faults of an edition, given as plain data: at most 100, none for a playable edition."""
    if not isinstance(document, Mapping):
        return [Fault("", "an edition is an object", "une édition est un objet")]
    if faults := _unfit(document):
        return faults
    chosen = document.get("options")
    misshapen = list(islice(chain(fitting.misfits(document, OwnEdition), options.misfits(chosen)), MOST_FAULTS))
    clashes = checks.clashes(document, options.houses_per_hotel(chosen), misshapen)
    return list(islice(chain(misshapen, clashes, name_checks.alike(document)), MOST_FAULTS))


def _unfit(document: Mapping[str, Any], most_bytes: int = MOST_BYTES) -> list[Fault]:
    """Return the faults that rule out a closer look at an edition."""
    if faults := list(islice(fitting.unfit_values(document), MOST_FAULTS)):
        return faults
    if faults := [
        Fault(f"/{name}", f"there are at most {limit} of them", f"il y en a au plus {limit}")
        for name, limit in _MOST.items()
        if isinstance(document.get(name), list | tuple) and len(document[name]) > limit
    ]:
        return faults
    size = len(msgspec.json.encode(document))
    if size > most_bytes:
        return [
            Fault(
                "",
                f"an edition has at most {most_bytes} bytes as JSON, and this one has {size}",
                f"une édition a au plus {most_bytes} octets en JSON, et celle-ci en a {size}",
            )
        ]
    return []


def settings_of(document: Mapping[str, Any], beside: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a game with a faultless edition.

    `beside` are settings requested beside the edition; these override the edition's options.
    """
    board = {name: document[name] for name in PARTS if name in document}
    return {**document.get("options", {}), **beside, "board": board}


def check_settings(edition: Edition[Any, Any], settings: Settings) -> None:
    """Refuse settings with a board not allowed by the edition, or not playable.

    Raises Malformed, with the `place` in the settings.
    """
    for fault in chain(name_checks.of_settings(settings.names), options.clashes(settings.building_resale)):
        raise Malformed("{place}: {en}", "{place} : {fr}", en=fault.en, fr=fault.fr, place=fault.place)
    board: Pieces | None = settings.board
    if board is None:
        return
    if not edition.takes_own and _box(board) != _box(edition.pieces):
        raise Malformed(
            "{title} is played with the squares and the number of cards of its own box ({rule}): a table changes "
            "names, prices, amounts and cards; the rulebook monopoly takes any board",
            "{title} se joue avec les cases et le nombre de cartes de sa boîte ({rule}) : une table en change les "
            "noms, les prix, les montants et les cartes ; le jeu monopoly accepte tout plateau",
            title=edition.title,
            rule=edition.rules.roles["pieces"],
            place="/board",
        )
    document = msgspec.to_builtins(board)
    faults = _unfit(document, _WRITTEN_OUT) or list(checks.clashes(document, settings.houses_per_hotel, ()))
    if faults:
        first = faults[0]
        raise Malformed(
            "{place}: {en}",
            "{place} : {fr}",
            en=first.en,
            fr=first.fr,
            place=pointer_at("", "board") + first.place,
        )


def require_told_apart(board: Pieces) -> None:
    """Refuse a board with names that look alike. Raises Malformed, with the `place` in the settings."""
    if first := next(name_checks.alike(msgspec.to_builtins(board)), None):
        raise Malformed(
            "{place}: {en}",
            "{place} : {fr}",
            en=first.en,
            fr=first.fr,
            place=pointer_at("", "board") + first.place,
        )


def _box(board: Pieces) -> Any:
    """Return the identity of an edition's box, regardless of names and prices."""
    return (
        [(part.id, part.kind, part.group, part.deck) for part in board.squares],
        [(part.id, part.faces, sum(card.deck == part.id for card in board.cards)) for part in board.decks],
        [(part.id, part.level, part.seats, part.tax) for part in board.divisions],
        board.passes,
    )


class OwnEditions(Editions):
    """The editions that tables may bring."""

    edition_setting = "board"

    def faults_of(self, document: Any) -> Sequence[Fault]:
        """Return the faults of an edition brought by a table."""
        return check(document)

    def settings_of(self, document: Mapping[str, Any], beside: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings of a game with the edition, and with the settings `beside` it."""
        return settings_of(document, beside)

    def new_edition(self) -> NewEdition:
        """Return the starting material for a table's own edition."""
        return new_edition()
