"""Checking an edition that a table brings, and the settings of a game with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any

import msgspec

from ledger.kernel.facts.refusals import Malformed
from ledger.rulebooks.parts import fitting, options
from ledger.rulebooks.parts.brought import Fault, at
from ledger.rulebooks.parts.reasons import listed, shown
from ledger.rulebooks.virtual_revolution.own_pieces import card_checks, count_checks, map_checks, name_checks
from ledger.rulebooks.virtual_revolution.own_pieces.shape import (
    LONGEST_TITLE,
    MOST_BYTES,
    OPTIONS,
    TABLES,
    Places,
    whole,
)
from ledger.rulebooks.virtual_revolution.table.edition import EDITION
from ledger.rulebooks.virtual_revolution.table.pieces import Amounts, Pieces, Scoring
from ledger.rulebooks.virtual_revolution.table.settings import Settings

MOST_FAULTS = 100
"""How many faults are told at once."""
PLAYERS = (2, 3, 4)
_WRITTEN_OUT = 2 * MOST_BYTES
"""The size of the largest pieces in settings, where all that an edition may leave out is written."""


def check(document: Any, base: Pieces = EDITION.pieces) -> list[Fault]:
    """The faults of an edition, which is plain data, at most 100 of them; none for an edition fit to play.

    The edition keeps the tables of the base that it does not bring. What does not fit together is looked for once
    every part has the right shape.
    """
    if not isinstance(document, Mapping):
        return [Fault("", "an edition is an object", "une édition est un objet")]
    found = list(islice(fitting.unfit_values(document), MOST_FAULTS)) or list(_too_large(document, MOST_BYTES))
    found = found or list(islice(_misfits(document), MOST_FAULTS))
    if found:
        return found
    pieces, places = msgspec.convert(whole(document, base), Pieces), Places(document)
    return list(islice(chain(faults_of(pieces, places), name_checks.alike(pieces, places)), MOST_FAULTS))


def faults_of(pieces: Pieces, places: Places, players: Iterable[int] = PLAYERS) -> Iterator[Fault]:
    """What does not fit together in pieces of the right shape; each fault once.

    At least one of the numbers of `players` must be able to play; otherwise the one with the fewest faults tells.
    """
    counted = min((list(count_checks.for_players(pieces, places, one)) for one in players), key=len)
    seen = set()
    for fault in chain(
        map_checks.faults(pieces, places),
        card_checks.faults(pieces, places),
        count_checks.faults(pieces, places),
        counted,
    ):
        if (fault.place, fault.en) not in seen:
            seen.add((fault.place, fault.en))
            yield fault


def _too_large(document: Mapping[str, Any], most: int) -> Iterator[Fault]:
    size = len(msgspec.json.encode(document))
    if size > most:
        yield Fault(
            "",
            f"an edition has at most {most} bytes as JSON, and this one has {size}",
            f"une édition a au plus {most} octets en JSON, et celle-ci en a {size}",
        )


def _misfits(document: Mapping[str, Any]) -> Iterator[Fault]:
    """The parts of a wrong shape."""
    title = document.get("title")
    if not isinstance(title, str) or not title.strip() or len(title) > LONGEST_TITLE:
        yield Fault(
            "/title",
            f"an edition has a title of 1 to {LONGEST_TITLE} characters",
            f"une édition a un titre de 1 à {LONGEST_TITLE} caractères",
        )
    chosen = document.get("options", {})
    if not isinstance(chosen, Mapping):
        yield Fault(options.PLACE, "options are an object", "les options sont un objet")
    yield from options.misfits(chosen, OPTIONS)
    for name, value in document.items():
        if name in {"title", "options"}:
            continue
        if name not in TABLES:
            known = listed(["title", "options", *TABLES])
            yield Fault(
                at("", name),
                f"there is no {shown(name)} here; there are: {known}",
                f"il n'y a pas de {shown(name)} ici ; il y a : {known}",
            )
        elif TABLES[name].type in (Amounts, Scoring) and isinstance(value, Mapping):
            numbers = {one.name: one.type for one in msgspec.structs.fields(TABLES[name].type)}
            for number, amount in value.items():
                if number in numbers:
                    yield from fitting.misfits(amount, numbers[number], at("", name, number))
                else:
                    yield Fault(
                        at("", name, number),
                        f"there is no {shown(number)} here; there are: {listed(numbers)}",
                        f"il n'y a pas de {shown(number)} ici ; il y a : {listed(numbers)}",
                    )
        else:
            yield from fitting.misfits(value, TABLES[name].type, at("", name))


def settings_of(document: Mapping[str, Any], beside: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a game with an edition in which `check` finds no fault.

    `beside` are settings that were asked for beside the edition: they come before its options.
    """
    return {**document.get("options", {}), **beside, "pieces": whole(document)}


def check_settings(settings: Settings, players: int) -> None:
    """Refuse pieces with which so many cannot play. Raises Malformed, with the `place` in the settings."""
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
    """Refuse pieces with names that cannot be told apart. Raises Malformed, with the `place` in the settings."""
    if first := next(name_checks.alike(pieces, Places()), None):
        raise Malformed("{place}: {en}", "{place} : {fr}", en=first.en, fr=first.fr, place=first.place)
