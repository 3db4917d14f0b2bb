"""Checks of an edition brought by a table, and the settings of a game with the edition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any

import msgspec

from ledger.kernel.facts.names import look
from ledger.kernel.rules.faces.editions import Fault, pointer_at, refuse
from ledger.rulebooks.parts import fitting, options
from ledger.rulebooks.parts.face import checks as face_checks
from ledger.rulebooks.parts.written import normal as normal_form
from ledger.rulebooks.virtual_revolution.own_pieces import card_checks, count_checks, map_checks, name_checks
from ledger.rulebooks.virtual_revolution.own_pieces.shape import (
    LONGEST_TITLE,
    OPTIONS,
    TABLES,
    Places,
    whole,
)
from ledger.rulebooks.virtual_revolution.table.edition import EDITION
from ledger.rulebooks.virtual_revolution.table.pieces import Amounts, Pieces, Scoring
from ledger.rulebooks.virtual_revolution.table.settings import Settings

PLAYERS = (2, 3, 4)


def check(document: Any, base: Pieces = EDITION.pieces) -> list[Fault]:
    """Return the faults of an edition given as plain data, at most 100; none for an edition fit to play.

    The edition keeps the base's rows for missing tables. Inconsistencies are looked for only after every part
    has the right shape.
    """

    def inconsistencies(document: Mapping[str, Any]) -> Iterator[Fault]:
        pieces, places = msgspec.convert(whole(document, base), Pieces), Places(document)
        return chain(faults_of(pieces, places), name_checks.alike(pieces, places))

    return fitting.first_faults(
        document,
        fitting.too_large,
        lambda written: _misfits(normal(written)),
        lambda written: inconsistencies(normal(written)),
    )


def normal(document: Any) -> Any:
    """Return an edition in the stored form: with long colours, and with texts in both languages."""
    if not isinstance(document, Mapping):
        return document
    return {
        name: normal_form.normal(table, TABLES[name].type) if name in TABLES else table
        for name, table in document.items()
    }


def warnings(document: Any) -> list[Fault]:
    """Return the parts of a faultless edition without effect: unknown weaves and icons, a third language."""
    texts = (
        normal_form.foreign(table, TABLES[name].type, pointer_at("", name))
        for name, table in document.items()
        if name in TABLES
    )
    face = face_checks.warnings(normal(document).get("face"))
    return list(islice(chain(face, *texts), fitting.MOST_FAULTS))


def faults_of(pieces: Pieces, places: Places, players: Iterable[int] = PLAYERS) -> Iterator[Fault]:
    """Yield each inconsistency of pieces of the right shape once.

    At least one number in `players` must be able to play; otherwise the faults of the number with the fewest
    count.
    """
    counted = min((list(count_checks.for_players(pieces, places, number)) for number in players), key=len)
    reported = set()
    for fault in chain(
        map_checks.faults(pieces, places),
        card_checks.faults(pieces, places),
        count_checks.faults(pieces, places),
        face_checks.faults(pieces.face, {row.id: row.colour for row in pieces.district}, places.of("face")),
        counted,
    ):
        if (fault.place, fault.en) not in reported:
            reported.add((fault.place, fault.en))
            yield fault


def _misfits(document: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the parts of a wrong shape."""
    title = document.get("title")
    if not isinstance(title, str) or not look(title) or len(title) > LONGEST_TITLE:
        yield Fault(
            "/title",
            f"an edition has a title of 1 to {LONGEST_TITLE} characters",
            f"une édition a un titre de 1 à {LONGEST_TITLE} caractères",
        )
    chosen = document.get("options", {})
    if not isinstance(chosen, Mapping):
        yield Fault(options.POINTER, "options are an object", "les options sont un objet")
    yield from options.misfits(chosen, OPTIONS)
    for name, value in document.items():
        if name in {"title", "options"}:
            continue
        if name not in TABLES:
            yield fitting.unknown_member("", name, ["title", "options", *TABLES])
        elif TABLES[name].type in (Amounts, Scoring) and isinstance(value, Mapping):
            numbers = {field.name: field.type for field in msgspec.structs.fields(TABLES[name].type)}
            for number, amount in value.items():
                if number in numbers:
                    yield from fitting.misfits(amount, numbers[number], pointer_at("", name, number))
                else:
                    yield fitting.unknown_member(pointer_at("", name), number, numbers)
        else:
            yield from fitting.misfits(value, TABLES[name].type, pointer_at("", name))


def settings_of(document: Mapping[str, Any], beside: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a game with an edition free of faults.

    `beside` are settings requested besides the edition, with priority over its options.
    """
    return {**document.get("options", {}), **beside, "pieces": whole(normal(document))}


def check_settings(settings: Settings, players: int) -> None:
    """Raise Malformed, with the `place` in the settings, for pieces unfit for the number of players."""
    if settings.pieces is None:
        return
    document = {"pieces": msgspec.to_builtins(settings.pieces)}
    refuse(fitting.first_faults(document, fitting.written_out))
    refuse(faults_of(settings.pieces, Places(), (players,)))


def require_told_apart(pieces: Pieces) -> None:
    """Raise Malformed, with the `place` in the settings, for pieces with indistinguishable names."""
    refuse(name_checks.alike(pieces, Places()))
