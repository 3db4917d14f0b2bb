"""The checks of an edition brought by a table, and of the settings of a game with the edition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Any

import msgspec

from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.rules.faces.editions import Fault, refuse
from ledger.rulebooks.monopoly.own_edition import checks, estate_checks, name_checks, options
from ledger.rulebooks.monopoly.own_edition.ids import with_ids
from ledger.rulebooks.monopoly.own_edition.notes import notes
from ledger.rulebooks.monopoly.own_edition.shape import PARTS, OwnEdition
from ledger.rulebooks.monopoly.table.pieces import Pieces
from ledger.rulebooks.monopoly.table.roles import Role
from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.parts import fitting
from ledger.rulebooks.parts.edition import Edition
from ledger.rulebooks.parts.face import checks as face_checks
from ledger.rulebooks.parts.written import normal as normal_form

_MOST: Mapping[str, int] = {
    one.name: one.type.max_length
    for one in msgspec.inspect.type_info(Pieces).fields  # type: ignore[attr-defined]
    if isinstance(one.type, msgspec.inspect.VarTupleType) and one.type.max_length is not None
}
"""Maximum number of rows in each list of an edition."""


_NEEDS: Mapping[str, Role] = {
    "turn_income": "limit",
    "rounds": "limit",
    "play_minutes": "limit",
    "fees_to_pot": "pot_fed",
    "taxes_to_pot": "pot_least",
    "fines_to_pot": "pot_least",
    "cards_to_pot": "pot_least",
    "pot_least": "pot_least",
    "buy_after_lap": "first_lap",
    "double_one": "double_one",
    "card_declined_for": "card_declined",
    "titles_dealt": "dealt",
    "titles_to_bank": "titles_to_bank",
    "promises": "promise",
    "goal": "goal",
    "station_travel": "travel",
    "build_without_group": "build_alone",
    "three_in_a_row": "build_alone",
    "build_unevenly": "build_alone",
    "build_where_standing": "build_standing",
}
"""The role of an edition for a setting of some editions."""


def check(document: Any) -> list[Fault]:
    """Return the faults of an edition, given as plain data: at most 100, none for a playable edition."""
    return fitting.first_faults(document, _too_many, fitting.too_large, lambda written: _faults(normal(written)))


def normal(document: Any) -> Any:
    """Return an edition in the stored form: with ids, long colours, and texts in both languages.

    Positions stay, so a JSON Pointer is valid in both forms.
    """
    return with_ids(normal_form.normal(document, OwnEdition)) if isinstance(document, Mapping) else document


def warnings(document: Any) -> list[Fault]:
    """Return the parts of a faultless edition without effect, or forgotten."""
    stored = normal(document)
    reports = chain(
        face_checks.warnings(stored.get("face")), notes(stored), normal_form.foreign(document, OwnEdition)
    )
    return list(islice(reports, fitting.MOST_FAULTS))


def _too_many(document: Mapping[str, Any]) -> Iterator[Fault]:
    """Report lists with too many rows for a closer look."""
    for name, limit in _MOST.items():
        if isinstance(document.get(name), list | tuple) and len(document[name]) > limit:
            yield Fault(f"/{name}", f"there are at most {limit} of them", f"il y en a au plus {limit}")


def _faults(document: Mapping[str, Any]) -> Iterator[Fault]:
    chosen = document.get("options")
    shape = chain(fitting.misfits(document, OwnEdition), options.misfits(chosen))
    misshapen = list(islice(shape, fitting.MOST_FAULTS))
    yield from misshapen
    yield from checks.clashes(document, options.houses_per_hotel(chosen), misshapen)
    yield from options.potless(document, chosen, "/options")
    yield from options.unreached(chosen, "/options")
    yield from name_checks.alike(document)


def settings_of(document: Mapping[str, Any], beside: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a game with a faultless edition.

    `beside` are settings requested beside the edition; these override the edition's options.
    """
    stored = normal(document)
    board = {name: stored[name] for name in PARTS if name in stored}
    return {**stored.get("options", {}), **beside, "board": board}


def check_settings(edition: Edition[Any, Any], settings: Settings) -> None:
    """Refuse settings with a board not allowed by the edition, or not playable.

    Raises Malformed, with the `place` in the settings.
    """
    refuse(chain(name_checks.of_settings(settings.names), options.clashes(settings.building_resale)))
    for name, role in _NEEDS.items():
        if getattr(settings, name, False) and role not in edition.rules.roles:
            raise Malformed(
                "{title} has no rule for {name}; a table's own board has one (rulebook monopoly)",
                "{title} n'a pas de règle pour {name} ; le plateau d'une table en a une (jeu monopoly)",
                title=edition.title,
                name=name,
                place=f"/{name}",
            )
    chosen = msgspec.structs.asdict(settings)
    refuse(options.unreached(chosen))
    board: Pieces | None = settings.board
    if board is None:
        return
    refuse(options.potless(msgspec.to_builtins(board), chosen))
    estate_checks.require_rules(edition, board)
    per_hotel = settings.houses_per_hotel
    if not edition.takes_own and _box(board, per_hotel) != _box(edition.pieces, per_hotel):
        raise Malformed(
            "{title} is played with the squares and the number of cards of its own box ({rule}): a table changes "
            "names, prices, amounts and cards; the rulebook monopoly takes any board",
            "{title} se joue avec les cases et le nombre de cartes de sa boîte ({rule}) : une table en change les "
            "noms, les prix, les montants et les cartes ; le jeu monopoly accepte tout plateau",
            title=edition.title,
            rule=edition.rules.roles["pieces"],
            place="/board",
        )
    faults = fitting.first_faults(
        msgspec.to_builtins(board),
        _too_many,
        fitting.written_out,
        lambda document: checks.clashes(document, settings.houses_per_hotel, ()),
    )
    refuse(faults, "/board")


def require_told_apart(board: Pieces) -> None:
    """Refuse a board with names that look alike. Raises Malformed, with the `place` in the settings."""
    refuse(name_checks.alike(msgspec.to_builtins(board)), "/board")


def _box(board: Pieces, houses_per_hotel: int) -> Any:
    """Return the identity of an edition's box, regardless of names and prices."""
    return (
        [(part.id, part.kind, part.group, part.deck) for part in board.squares],
        [part.levels(houses_per_hotel) for part in board.squares],
        (board.thrown, board.has_towers, board.unrisen),
        [
            (part.id, part.faces, part.dice, sum(card.deck == part.id for card in board.cards))
            for part in board.decks
        ],
        [(part.id, part.level, part.seats, part.tax) for part in board.divisions],
        board.passes,
    )
