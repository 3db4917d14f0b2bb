"""Queries: as strict as bodies. No refused character, no parameter twice, numbers in ASCII digits alone."""

from __future__ import annotations

import re
from typing import Any

from flask import Flask, request
from marshmallow import fields

from api.rest.exchange.bodies import refused_character
from api.rest.problems.problems import Problem
from ledger.kernel.facts import texts
from ledger.kernel.language.phrase import Phrase

_LISTS = frozenset({"given", "with"})
"""The parameters that may be repeated."""
_NUMBER = re.compile(r"-?[0-9]+")


class WholeNumber(fields.Integer):
    """A whole number in a query: ASCII digits, without underscores, spaces or digits of other scripts."""

    def _validated(self, value: Any) -> int:
        if isinstance(value, str) and _NUMBER.fullmatch(value) is None:
            raise self.make_error("invalid", input=value)
        return super()._validated(value)


def check(app: Flask) -> None:
    """Answer with 422 if a parameter holds a refused character or is repeated."""

    @app.before_request
    def require_fit() -> None:
        if not request.query_string:
            return
        for name, value in request.args.items(multi=True):
            unfit = texts.unfit([name, value])
            if unfit is not None:
                label = texts.legible(name)
                raise refused_character(label, unfit, parameter=label)
        for name, values in request.args.lists():
            if len(values) > 1 and name not in _LISTS:
                raise _repeated(name, values)


def _repeated(name: str, values: list[str]) -> Problem:
    """Build the problem for a repeated parameter, because the intended value is unclear."""
    listed = ", ".join(values)[:200]
    return reject_parameter(
        name,
        listed,
        f"it is given {len(values)} times ({listed}): give it once",
        f"il est donné {len(values)} fois ({listed}) : donnez-le une fois",
    )


def reject_parameter(name: str, value: str, en: str, fr: str) -> Problem:
    """Build the problem (422) for one query parameter and its value."""
    row = {"parameter": name, "value": value, "detail": Phrase(en, fr)}
    return Problem("invalid-request", f"{name}: {en}", f"{name} : {fr}", errors=[row])
