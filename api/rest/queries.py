"""Queries: no parameter may hold a character that no text may hold."""

from __future__ import annotations

from flask import Flask, request

from api.rest.bodies import refused_character
from ledger.kernel import texts


def check(app: Flask) -> None:
    """Answer with 422 when the name or the value of a parameter holds a refused character."""

    @app.before_request
    def require_fit() -> None:
        if not request.query_string:
            return
        for name, value in request.args.items(multi=True):
            found = texts.unfit([name, value])
            if found is not None:
                shown = texts.legible(name)
                raise refused_character(shown, found, parameter=shown)
