"""A game's state: the whole of it at any moment, its accounts, and their statements."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response
from flask_smorest import Blueprint
from marshmallow import RAISE, fields

from api.rest import answers
from api.rest.agreements import collection_of
from api.rest.auth import reader_of
from api.rest.conditions import etag_of, require_change
from api.rest.context import language, the_ledger
from api.rest.documentation import operation
from api.rest.games import seats_of, status_of
from api.rest.moments import MomentQuery
from api.rest.paging import PageQuery, links, read_cursor, write_cursor
from api.rest.problems import Problem, not_found
from api.rest.schemas import Account, Accounts, AccountView, GameState, Statement
from ledger.kernel.audience import Viewer
from ledger.kernel.seeing import seen_account
from ledger.kernel.state import State
from ledger.moving.forking import origin_of

blueprint = Blueprint("states", __name__, description="The state of a game, its accounts and their statements")


@blueprint.route("/games/<game>/state")
@blueprint.doc(
    **operation(
        "readState",
        {200: (GameState, "The state, as far as the caller may see it.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
@blueprint.arguments(MomentQuery, location="query", unknown=RAISE)
def read_state(query: dict[str, Any], game: str) -> Response:
    """The state, now or at an earlier moment"""
    viewer = reader_of(game)
    ledger = the_ledger()
    head = ledger.version(game)
    require_change(etag_of(head))
    state = ledger.state(game, query["at"], query["known_at"])
    head = max(head, state.version)
    rulebook = ledger.rulebook_of(game)
    shown = GameState(
        game=game,
        rulebook=rulebook.id,
        origin=origin_of(ledger.record(game)),
        status=status_of(rulebook, state),
        version=state.version,
        head=head,
        seats=seats_of(state),
        table=rulebook.view(state, viewer),
        accounts=ledger.accounts(state, rulebook, viewer),
        agreements={
            collection: collection_of(rulebook, state, collection, viewer, only_open=True)
            for collection in rulebook.agreement_types
        },
    )
    return answers.of_game(shown, head, language())


@blueprint.route("/games/<game>/accounts")
@blueprint.doc(
    **operation(
        "listAccounts",
        {200: (Accounts, "Every account, with the holdings the caller may see.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
@blueprint.arguments(MomentQuery, location="query", unknown=RAISE)
def list_accounts(query: dict[str, Any], game: str) -> Response:
    """Every account and its holdings, now or at an earlier moment"""
    viewer = reader_of(game)
    ledger = the_ledger()
    head = ledger.version(game)
    require_change(etag_of(head))
    state = ledger.state(game, query["at"], query["known_at"])
    held = ledger.accounts(state, ledger.rulebook_of(game), viewer)
    accounts = tuple(AccountView(account, holdings) for account, holdings in held.items())
    return answers.of_game(Accounts(accounts, state.version), max(head, state.version), language())


@blueprint.route("/games/<game>/accounts/<account>")
@blueprint.doc(
    **operation(
        "readAccount",
        {200: (Account, "The account, with the holdings the caller may see.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
@blueprint.arguments(MomentQuery, location="query", unknown=RAISE)
def read_account(query: dict[str, Any], game: str, account: str) -> Response:
    """One account and its holdings, now or at an earlier moment"""
    viewer = reader_of(game)
    ledger = the_ledger()
    head = ledger.version(game)
    state = ledger.state(game, query["at"], query["known_at"])
    holdings = _visible(game, state, account, viewer, query["known_at"])
    require_change(etag_of(head))
    return answers.of_game(Account(account, holdings, state.version), max(head, state.version), language())


class StatementQuery(PageQuery, MomentQuery):
    """Which lines of a statement to give."""

    commodity = fields.String(load_default=None, metadata={"description": "Only postings of this commodity."})


@blueprint.route("/games/<game>/accounts/<account>/statement")
@blueprint.doc(
    **operation(
        "readStatement",
        {200: (Statement, "A page of the statement, oldest posting first.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
@blueprint.arguments(StatementQuery, location="query", unknown=RAISE)
def read_statement(query: dict[str, Any], game: str, account: str) -> Response:
    """An account's statement

    Every posting the caller may see, with the balance after it where they may see that too. A page holds whole
    actions, so it may have a few lines more than `limit`.
    """
    place = read_cursor(query["cursor"], _Place)
    if place is not None and place.account != account:
        raise Problem(
            "bad-cursor",
            f"the cursor belongs to the statement of {place.account!r}",
            f"le curseur appartient au relevé de {place.account!r}",
        )
    viewer = reader_of(game)
    ledger = the_ledger()
    head = ledger.version(game)
    state = ledger.state(game, query["at"], query["known_at"])
    _visible(game, state, account, viewer, query["known_at"])
    require_change(etag_of(head))
    lines, more = ledger.statement(
        game,
        account,
        viewer,
        language=language(),
        commodity=query["commodity"],
        after=None if place is None else place.number,
        limit=query["limit"],
        at=query["at"],
        known_at=query["known_at"],
    )
    following = None if more is None else write_cursor(_Place(account, more))
    return answers.of_game(
        Statement(account, tuple(lines), following, state.version),
        max(head, state.version),
        language(),
        headers=links([("first", None), *([("next", following)] if following else [])]),
    )


class _Place(msgspec.Struct, frozen=True, array_like=True, tag="statement"):
    """Where a page of a statement ended."""

    account: str
    number: int


def _visible(game: str, state: State, account: str, viewer: Viewer, known_at: int | None) -> dict[str, int]:
    """What the caller may see of an account's holdings, at the moment whose state is given.

    Raises a Problem (404), the same for an account that does not exist and for one of which the caller may see
    nothing, neither a holding nor a posting, as things are known now and as they were at `known_at`.
    """
    ledger = the_ledger()
    rulebook = ledger.rulebook_of(game)
    held = dict(seen_account(rulebook, state, account, viewer))
    own = viewer.seat in state.seats and account in rulebook.accounts_of(viewer.seat)
    if held or own or any(ledger.moves_anything(game, account, viewer, known) for known in {None, known_at}):
        return held
    raise not_found(f"there is no account {account!r}", f"il n'y a pas de compte {account!r}")
