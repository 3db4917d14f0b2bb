"""Checking an edition that a table brings, and the settings of a game with it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, islice
from typing import Any

import msgspec

from ledger.kernel.facts.refusals import Malformed
from ledger.rulebooks.monopoly.own_edition import checks, name_checks, options
from ledger.rulebooks.monopoly.own_edition.shape import MOST_BYTES, PARTS, OwnEdition
from ledger.rulebooks.monopoly.table.pieces import Pieces
from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.parts import fitting
from ledger.rulebooks.parts.brought import Fault, at
from ledger.rulebooks.parts.edition import Edition

MOST_FAULTS = 100
"""How many faults are told at once."""

_MOST: Mapping[str, int] = {
    one.name: one.type.max_length
    for one in msgspec.inspect.type_info(Pieces).fields  # type: ignore[attr-defined]
    if isinstance(one.type, msgspec.inspect.VarTupleType) and one.type.max_length is not None
}
"""How many rows each list of an edition has at most."""

_WRITTEN_OUT = 2 * MOST_BYTES
"""The size of the largest board in settings, where all that an edition may leave out is written."""


def check(document: Any) -> list[Fault]:
    """The faults of an edition, which is plain data, at most 100 of them; none for an edition fit to play."""
    if not isinstance(document, Mapping):
        return [Fault("", "an edition is an object", "une édition est un objet")]
    if found := _unfit(document):
        return found
    chosen = document.get("options")
    misshapen = list(islice(chain(fitting.misfits(document, OwnEdition), options.misfits(chosen)), MOST_FAULTS))
    clashes = checks.clashes(document, options.houses_per_hotel(chosen), misshapen)
    return list(islice(chain(misshapen, clashes, name_checks.alike(document)), MOST_FAULTS))


def _unfit(document: Mapping[str, Any], most_bytes: int = MOST_BYTES) -> list[Fault]:
    """What keeps an edition from being looked at more closely."""
    if found := list(islice(fitting.unfit_values(document), MOST_FAULTS)):
        return found
    if found := [
        Fault(f"/{name}", f"there are at most {most} of them", f"il y en a au plus {most}")
        for name, most in _MOST.items()
        if isinstance(document.get(name), list | tuple) and len(document[name]) > most
    ]:
        return found
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
    """The settings of a game with an edition in which `check` finds no fault.

    `beside` are settings that were asked for beside the edition: they come before its options.
    """
    board = {name: document[name] for name in PARTS if name in document}
    return {**document.get("options", {}), **beside, "board": board}


def check_settings(edition: Edition[Any, Any], settings: Settings) -> None:
    """Refuse settings with a board that the edition does not take, or that cannot be played on.

    Raises Malformed, with the `place` in the settings.
    """
    for found in chain(name_checks.of_settings(settings.names), options.clashes(settings.building_resale)):
        raise Malformed("{place}: {en}", "{place} : {fr}", en=found.en, fr=found.fr, place=found.place)
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
            "{place}: {en}", "{place} : {fr}", en=first.en, fr=first.fr, place=at("", "board") + first.place
        )


def require_told_apart(board: Pieces) -> None:
    """Refuse a board with names that cannot be told apart. Raises Malformed, with the `place` in the settings."""
    if first := next(name_checks.alike(msgspec.to_builtins(board)), None):
        raise Malformed(
            "{place}: {en}", "{place} : {fr}", en=first.en, fr=first.fr, place=at("", "board") + first.place
        )


def _box(found: Pieces) -> Any:
    """What makes the box of an edition what it is, whatever its things are called and cost."""
    return (
        [(one.id, one.kind, one.group, one.deck) for one in found.squares],
        [(one.id, one.faces, sum(card.deck == one.id for card in found.cards)) for one in found.decks],
        [(one.id, one.level, one.seats, one.tax) for one in found.divisions],
        found.passes,
    )
