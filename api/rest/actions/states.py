"""The state of a game at any moment, with its accounts and statements."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response
from flask_smorest import Blueprint
from marshmallow import RAISE, fields

from api.rest.description.documentation import operation
from api.rest.description.schemas import Account, Accounts, AccountView, KnownAccounts, Statement
from api.rest.exchange import answers
from api.rest.exchange.conditions import VARY_FORM
from api.rest.exchange.csv_answers import FormQuery, as_csv, described, wants_csv
from api.rest.exchange.moments import MomentQuery, changed_moment, moment_of, overdue_now, require_new
from api.rest.exchange.paging import PageQuery, links, read_cursor, write_cursor
from api.rest.problems.problems import Problem, not_found
from api.rest.running.context import language, the_ledger
from ledger.games.moments import Moment
from ledger.reading.money.accounts import accounts, remedy_names, seen_holdings
from ledger.reading.money.obligations import of_account
from ledger.reading.money.statements import file_stem, statement, statement_csv
from ledger.reading.table.states import GameState, state_with

blueprint = Blueprint("states", __name__, description="The state of a game, its accounts and their statements")


@blueprint.route("/games/<game>/state")
@blueprint.doc(
    **operation(
        "readState",
        {200: (GameState, "The part of the state that the caller may see.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
@blueprint.arguments(MomentQuery(), location="query", unknown=RAISE)
def read_state(query: dict[str, Any], game: str) -> Response:
    """Read the state, now or at an earlier moment

    It is what the actions have led to: the table, the holdings and the open agreements, as the caller may see
    them.
    """
    moment = moment_of(game, query)
    due = overdue_now(moment)
    clock = the_ledger().clock
    view = state_with(moment, due, clock.game_time(moment.newest), language(), clock.ahead(moment.newest))
    return answers.of_game(view, moment.head, language(), due=0 if due is None else len(due.actions))


class AccountsQuery(MomentQuery):
    """The moment to read, and the choice between holdings and names."""

    known = fields.Boolean(
        load_default=False,
        metadata={
            "description": "List instead every account and commodity that a remedy may name, with their names."
        },
    )


@blueprint.route("/games/<game>/accounts")
@blueprint.doc(
    **operation(
        "listAccounts",
        {
            200: (
                (Accounts, KnownAccounts),
                "The accounts, with the holdings that the caller may see. With `known`, what a remedy may name.",
            )
        },
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
@blueprint.arguments(AccountsQuery(), location="query", unknown=RAISE)
def list_accounts(query: dict[str, Any], game: str) -> Response:
    """List the accounts and their holdings, now or at an earlier moment

    Only accounts of which the caller may see a holding are listed.
    """
    moment = changed_moment(game, query)
    if query["known"]:
        named = KnownAccounts(*remedy_names(moment.rulebook, moment.state, moment.viewer), moment.state.version)
        return answers.of_game(named, moment.head, language())
    balances = accounts(moment.rulebook, moment.state, moment.viewer)
    views = tuple(AccountView(account, holdings) for account, holdings in balances.items())
    return answers.of_game(Accounts(views, moment.state.version), moment.head, language())


@blueprint.route("/games/<game>/accounts/<account>")
@blueprint.doc(
    **operation(
        "readAccount",
        {200: (Account, "The account, with the holdings that the caller may see.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
@blueprint.arguments(MomentQuery(), location="query", unknown=RAISE)
def read_account(query: dict[str, Any], game: str, account: str) -> Response:
    """Read one account and its holdings, now or at an earlier moment

    Holdings that the caller may not see are left out.
    """
    moment = moment_of(game, query)
    holdings = _visible(moment, account)
    require_new(moment)
    answer = Account(account, holdings, moment.state.version)
    return answers.of_game(answer, moment.head, language())


class StatementQuery(PageQuery, MomentQuery, FormQuery):
    """Filters for the lines of a statement."""

    commodity = fields.String(load_default=None, metadata={"description": "Only postings of this commodity."})


@blueprint.route("/games/<game>/accounts/<account>/statement")
@blueprint.doc(
    **described(
        operation(
            "readStatement",
            {200: (Statement, "A page of the statement, oldest posting first, or all of it as CSV.")},
            errors=(401, 403, 404),
            headers=("Accept-Language", "If-None-Match"),
        )
    )
)
@blueprint.arguments(StatementQuery(), location="query", unknown=RAISE)
def read_statement(query: dict[str, Any], game: str, account: str) -> Response:
    """Read the statement of an account

    It lists every posting that the caller may see, with the balance after the posting where the caller may see
    that too. A page has all lines of its last action, so it may have a few more lines than `limit`. `owes` and
    `owed` are the amounts and acts due from and to the account when the statement ends.

    With `format=csv`, or when the Accept header prefers `text/csv`, the answer is the whole statement as a table,
    with the names of accounts and commodities, and what is `owed` at the end. `limit` and `cursor` do not apply to
    the table.
    """
    position = read_cursor(query["cursor"], _Position)
    if position is not None and position.account != account:
        raise Problem(
            "bad-cursor",
            f"the cursor belongs to the statement of {position.account!r}",
            f"le curseur appartient au relevé de {position.account!r}",
        )
    csv = wants_csv(query["format"])
    moment = moment_of(game, query)
    _visible(moment, account)
    require_new(moment, csv=csv)
    if csv:
        rows = statement_csv(moment, account, language=language(), commodity=query["commodity"])
        return as_csv(rows, moment.head, f"{file_stem(account)}.csv", bom=query["bom"])
    lines, last_number = statement(
        moment,
        account,
        language=language(),
        commodity=query["commodity"],
        cursor=None if position is None else position.number,
        limit=query["limit"],
    )
    owes, owed = of_account(moment, language(), account, query["commodity"])
    following = None if last_number is None else write_cursor(_Position(account, last_number))
    response = answers.of_game(
        Statement(account, tuple(lines), following, moment.state.version, owes, owed),
        moment.head,
        language(),
        headers=links([("first", None), *([("next", following)] if following else [])]),
    )
    response.headers["Vary"] = VARY_FORM
    return response


class _Position(msgspec.Struct, frozen=True, array_like=True, tag="statement"):
    """The end of a page of a statement."""

    account: str
    number: int


def _visible(moment: Moment, account: str) -> dict[str, int]:
    """Return the visible holdings of an account at the moment.

    Raises Problem (404), equally for an unknown account and for an account without visible holdings.
    """
    holdings = seen_holdings(moment, account)
    if holdings is None:
        raise not_found(f"there is no account {account!r}", f"il n'y a pas de compte {account!r}")
    return holdings
