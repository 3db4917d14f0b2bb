"""Editions sent with a request for a new game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from api.rest.description.requests import NewGame
from api.rest.description.schemas import EditionWarning
from api.rest.exchange import bodies
from api.rest.problems.problems import Problem
from api.rest.running.context import language, the_ledger
from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.faces.editions import Fault


def opened(request: NewGame) -> tuple[str | None, dict[str, Any]]:
    """Return the title and the settings of a new game, with its edition, if any. Pieces get the stored form.

    Raises Problem (422): the rulebook takes no edition, the settings also have a board, or the edition is not
    fit to play. An unfit edition gets a list of faults, each with a JSON Pointer into the body.
    """
    books = the_ledger().rulebooks
    takes = books[request.rulebook].editions
    if request.edition is UNSET:
        if takes is None or takes.edition_setting not in request.settings:
            return request.title, request.settings
        board = takes.normal(request.settings[takes.edition_setting])
        return request.title, {**request.settings, takes.edition_setting: board}
    if takes is None:
        takers = ", ".join(name for name, book in books.items() if book.editions) or "-"
        bodies.reject(
            "/edition",
            request.rulebook,
            f"{request.rulebook} takes no edition of a table; these rulebooks do: {takers}",
            f"{request.rulebook} n'accepte pas l'édition d'une table ; ces jeux l'acceptent : {takers}",
        )
    pieces = takes.edition_setting
    if pieces in request.settings:
        bodies.reject(
            f"/settings/{pieces}",
            pieces,
            f"the edition brings the {pieces}: give one of the two",
            f"l'édition apporte {pieces} : donnez l'un des deux",
        )
    document: Any = request.edition
    if faults := takes.faults_of(document):
        raise _unfit(faults)
    return request.title or takes.title_of(document), takes.settings_of(document, request.settings)


def warnings(request: object) -> tuple[EditionWarning, ...] | UnsetType:
    """Return the warnings about the edition of a request; UNSET for a request without an edition."""
    if not isinstance(request, NewGame) or request.edition is UNSET:
        return UNSET
    takes = the_ledger().rulebooks[request.rulebook].editions
    return tuple(
        EditionWarning(f"/edition{warning.place}", warning.text.in_language(language()))
        for warning in (takes.warnings_of(request.edition) if takes else ())
    )


def _unfit(faults: Sequence[Fault]) -> Problem:
    first, extra = faults[0], len(faults) - 1
    position = first.place.lstrip("/") or "edition"
    return Problem(
        "invalid-request",
        f"the edition is not fit to play: {position}: {first.en}"
        + (f" (and {extra} more: see errors)" if extra else ""),
        f"l'édition n'est pas jouable : {position} : {first.fr}"
        + (f" (et {extra} de plus : voir errors)" if extra else ""),
        errors=[
            {"pointer": f"/edition{fault.place}", "detail": fault.text.in_language(language())} for fault in faults
        ],
    )


def misplaced(refusal: Malformed, request: NewGame) -> Problem:
    """Build the problem for settings that do not fit the edition, with a pointer into the body."""
    position = str(refusal.values["place"])
    setting, takes = position.split("/")[1], the_ledger().rulebooks[request.rulebook].editions
    if takes is not None and setting == takes.edition_setting:
        pointer = f"/edition{position.removeprefix(f'/{setting}')}"
    elif setting not in request.settings:
        pointer = f"/edition/options{position}"
    else:
        pointer = f"/settings{position}"
    detail = Phrase(refusal.en, refusal.fr)
    return Problem("invalid-request", detail.en, detail.fr, errors=[{"pointer": pointer, "detail": detail}])
