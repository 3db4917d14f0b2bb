"""The moment read by a request: a game at a version, seen by the caller, now or at an earlier time."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from marshmallow import Schema, fields, validate

from api.rest.admission.auth import viewer_of
from api.rest.exchange.conditions import VARY, VARY_FORM, etag_of, require_change
from api.rest.problems.problems import Problem
from api.rest.running.context import language, service, the_ledger
from ledger.games.moments import Moment, NoSuchAction
from ledger.kernel.facts.labels import Name
from ledger.kernel.language.phrase import Phrase
from ledger.reading.entries.overdue import Overdue, overdue

_NAME = r"^([1-9][0-9]{0,14}\.[1-9][0-9]{0,5}|[1-9][0-9]{0,18})$"
_INSERTED = '"30.1" for the first action that correction 30 inserted'


class ActionField(fields.String):
    """An action in a query: a number, or "30.1" for the first action inserted by correction 30."""

    def __init__(self, *, description: str, **options: Any) -> None:
        form = validate.Regexp(_NAME, error=f"not an action: 30, or {_INSERTED}")
        super().__init__(validate=form, metadata={"description": description}, **options)


class MomentQuery(Schema):
    """The moment of the game to read, and the known part of the journal."""

    at = ActionField(
        load_default=None, description="The moment right after this action; by default right after the last one."
    )
    known_at = ActionField(
        load_default=None,
        description="Take the journal as known up to this action only: what was believed then.",
    )


def named(query: Mapping[str, Any], parameter: str) -> Name | None:
    """Return the action named by a query parameter, or None."""
    value = query.get(parameter)
    return value if value is None or "." in value else int(value)


def moment_of(game: str, query: Mapping[str, Any] = MappingProxyType({})) -> Moment:
    """Open the game for the caller, at the moment named by the query (see `MomentQuery`).

    Raises Problem like `viewer_of`, and 422 for an action that does not exist (yet).
    """
    viewer = viewer_of(game)
    try:
        return the_ledger().moment(game, viewer, named(query, "at"), named(query, "known_at"))
    except NoSuchAction as missing:
        parameter = "at" if named(query, "at") == missing.name else "known_at"
        raise no_such_action(parameter, missing) from None


def no_such_action(parameter: str, missing: NoSuchAction) -> Problem:
    """Build the problem for a query parameter with a missing action."""
    en = f"there is no action {missing.name}; the last one is {missing.last}"
    fr = f"il n'y a pas d'action {missing.name} ; la dernière est la {missing.last}"
    row = {"parameter": parameter, "value": str(missing.name), "detail": Phrase(en, fr)}
    return Problem("invalid-request", f"{parameter}: {en}", f"{parameter} : {fr}", errors=[row])


def changed_moment(
    game: str, query: Mapping[str, Any] = MappingProxyType({}), *, csv: bool | None = None
) -> Moment:
    """Open the game like `moment_of`. Raises NotModified if the caller already has this answer.

    `csv` tells if the answer is CSV; None for a resource without a CSV form.
    """
    moment = moment_of(game, query)
    require_new(moment, csv=csv)
    return moment


def register_of(moment: Moment) -> str:
    """Return the address of the cited rules: of the game if texts depend on settings, or of the rulebook."""
    rulebook = moment.rulebook
    root = f"games/{moment.game.id}" if rulebook.register.varies else f"rulebooks/{rulebook.id}"
    return f"{service().config.base_path}/{root}/rules"


def require_new(moment: Moment, *, csv: bool | None = None) -> None:
    """Raise NotModified if the caller already has an answer of this version, language and form."""
    require_change(etag_of(moment.head, language(), csv=bool(csv)), VARY if csv is None else VARY_FORM)


def overdue_now(moment: Moment) -> Overdue | None:
    """Return the actions due by time. Raises NotModified if the caller already has the answer."""
    due = overdue(moment, the_ledger().clock.game_time(moment.newest), language())
    require_change(etag_of(moment.head, language(), due=0 if due is None else len(due.actions)))
    return due
