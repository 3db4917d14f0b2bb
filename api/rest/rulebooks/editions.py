"""Editions that a request for a new game brings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from api.rest.description.requests import NewGame
from api.rest.exchange import bodies
from api.rest.problems.problems import Problem
from api.rest.running.context import language, the_ledger
from ledger.kernel.facts.refusals import Malformed
from ledger.rulebooks.parts.brought import Fault, taker


def opened(wanted: NewGame) -> tuple[str, dict[str, Any]]:
    """The title and the settings of a new game with its edition.

    Raises a Problem (422): the rulebook takes none, the settings bring a board as well, or the edition is not fit
    to play; then it lists what is wrong, with a JSON Pointer into the body for each fault.
    """
    books = the_ledger().rulebooks
    takes = taker(books[wanted.rulebook])
    if takes is None:
        known = ", ".join(name for name, book in books.items() if taker(book)) or "-"
        bodies.reject(
            "/edition",
            wanted.rulebook,
            f"{wanted.rulebook} takes no edition of a table; these rulebooks do: {known}",
            f"{wanted.rulebook} n'accepte pas l'édition d'une table ; ces jeux l'acceptent : {known}",
        )
    pieces = takes.edition_setting
    if pieces in wanted.settings:
        bodies.reject(
            f"/settings/{pieces}",
            pieces,
            f"the edition brings the {pieces}: give one of the two",
            f"l'édition apporte {pieces} : donnez l'un des deux",
        )
    document: Any = wanted.edition
    if faults := takes.faults_of(document):
        raise _unfit(faults)
    return wanted.title or takes.title_of(document), takes.settings_of(document, wanted.settings)


def _unfit(faults: Sequence[Fault]) -> Problem:
    first, more = faults[0], len(faults) - 1
    place = first.place.lstrip("/") or "edition"
    return Problem(
        "invalid-request",
        f"the edition is not fit to play: {place}: {first.en}"
        + (f" (and {more} more: see errors)" if more else ""),
        f"l'édition n'est pas jouable : {place} : {first.fr}"
        + (f" (et {more} de plus : voir errors)" if more else ""),
        errors=[{"pointer": f"/edition{one.place}", "detail": one.said(language())} for one in faults],
    )


def misplaced(refusal: Malformed, wanted: NewGame) -> Problem:
    """The problem of settings that do not go with an edition, at their place in the body."""
    place = str(refusal.values["place"])
    setting, takes = place.split("/")[1], taker(the_ledger().rulebooks[wanted.rulebook])
    if takes is not None and setting == takes.edition_setting:
        pointer = f"/edition{place.removeprefix(f'/{setting}')}"
    elif setting not in wanted.settings:
        pointer = f"/edition/options{place}"
    else:
        pointer = f"/settings{place}"
    detail = refusal.en, refusal.fr
    return Problem("invalid-request", *detail, errors=[{"pointer": pointer, "detail": detail}])
