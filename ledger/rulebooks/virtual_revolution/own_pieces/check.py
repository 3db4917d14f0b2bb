"""Checks of an edition brought by a table, and the settings of a game with the edition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

import msgspec

from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.rules.faces.editions import Editions, Fault, NewEdition, pointer_at
from ledger.rulebooks.parts import fitting, options
from ledger.rulebooks.parts.reasons import excerpt, listed
from ledger.rulebooks.virtual_revolution.own_pieces import card_checks, count_checks, map_checks, name_checks
from ledger.rulebooks.virtual_revolution.own_pieces.shape import (
    LONGEST_TITLE,
    MOST_BYTES,
    OPTIONS,
    TABLES,
    Places,
    whole,
)
from ledger.rulebooks.virtual_revolution.own_pieces.starting import new_edition
from ledger.rulebooks.virtual_revolution.table.edition import EDITION
from ledger.rulebooks.virtual_revolution.table.pieces import Amounts, Pieces, Scoring
from ledger.rulebooks.virtual_revolution.table.settings import Settings

MOST_FAULTS = 100
"""The maximum number of faults in a report."""
PLAYERS = (2, 3, 4)
_WRITTEN_OUT = 2 * MOST_BYTES
"""The size of the largest pieces in settings, with all optional parts of an edition written out."""


def check(document: Any, base: Pieces = EDITION.pieces) -> list[Fault]:
    """Return the faults of an edition given as plain data, at most 100; none for an edition fit to play.

    The edition keeps the base's rows for missing tables. Inconsistencies are looked for only after every part
    has the right shape.
    """
    if not isinstance(document, Mapping):
        return [Fault("", "an edition is an object", "une édition est un objet")]
    faults = list(islice(fitting.unfit_values(document), MOST_FAULTS)) or list(_too_large(document, MOST_BYTES))
    faults = faults or list(islice(_misfits(document), MOST_FAULTS))
    if faults:
        return faults
    pieces, places = msgspec.convert(whole(document, base), Pieces), Places(document)
    return list(islice(chain(faults_of(pieces, places), name_checks.alike(pieces, places)), MOST_FAULTS))


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
        counted,
    ):
        if (fault.place, fault.en) not in reported:
            reported.add((fault.place, fault.en))
            yield fault


def _too_large(document: Mapping[str, Any], limit: int) -> Iterator[Fault]:
    size = len(msgspec.json.encode(document))
    if size > limit:
        yield Fault(
            "",
            f"an edition has at most {limit} bytes as JSON, and this one has {size}",
            f"une édition a au plus {limit} octets en JSON, et celle-ci en a {size}",
        )


def _misfits(document: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the parts of a wrong shape."""
    title = document.get("title")
    if not isinstance(title, str) or not title.strip() or len(title) > LONGEST_TITLE:
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
            listing = listed(["title", "options", *TABLES])
            yield Fault(
                pointer_at("", name),
                f"there is no {excerpt(name)} here; there are: {listing}",
                f"il n'y a pas de {excerpt(name)} ici ; il y a : {listing}",
            )
        elif TABLES[name].type in (Amounts, Scoring) and isinstance(value, Mapping):
            numbers = {field.name: field.type for field in msgspec.structs.fields(TABLES[name].type)}
            for number, amount in value.items():
                if number in numbers:
                    yield from fitting.misfits(amount, numbers[number], pointer_at("", name, number))
                else:
                    yield Fault(
                        pointer_at("", name, number),
                        f"there is no {excerpt(number)} here; there are: {listed(numbers)}",
                        f"il n'y a pas de {excerpt(number)} ici ; il y a : {listed(numbers)}",
                    )
        else:
            yield from fitting.misfits(value, TABLES[name].type, pointer_at("", name))


def settings_of(document: Mapping[str, Any], beside: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a game with an edition free of faults.

    `beside` are settings requested besides the edition, with priority over its options.
    """
    return {**document.get("options", {}), **beside, "pieces": whole(document)}


def check_settings(settings: Settings, players: int) -> None:
    """Raise Malformed, with the `place` in the settings, for pieces unfit for the number of players."""
    if settings.pieces is None:
        return
    document = {"pieces": msgspec.to_builtins(settings.pieces)}
    unfit = chain(
        fitting.unfit_values(document),
        _too_large(document, _WRITTEN_OUT),
        faults_of(settings.pieces, Places(), (players,)),
    )
    if first := next(unfit, None):
        raise Malformed("{place}: {en}", "{place} : {fr}", en=first.en, fr=first.fr, place=first.place)


def require_told_apart(pieces: Pieces) -> None:
    """Raise Malformed, with the `place` in the settings, for pieces with indistinguishable names."""
    if first := next(name_checks.alike(pieces, Places()), None):
        raise Malformed("{place}: {en}", "{place} : {fr}", en=first.en, fr=first.fr, place=first.place)


class OwnPieces(Editions):
    """The pieces that tables may bring (vr:banker.2)."""

    edition_setting = "pieces"

    def faults_of(self, document: Any) -> Sequence[Fault]:
        """Return the faults of an edition brought by a table."""
        return check(document)

    def settings_of(self, document: Mapping[str, Any], beside: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings of a game with an edition, and with the settings given beside it."""
        return settings_of(document, beside)

    def new_edition(self) -> NewEdition:
        """Return the template of a new edition."""
        return new_edition()
