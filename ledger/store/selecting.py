"""The statement for the entries of a selection.

The statement is written by hand for the driver's cursor: SQLAlchemy would need several times as long to build
the statement as the database needs to read a page.
"""

from typing import Any, LiteralString

from ledger.store.records import Selection

LARGEST = 2**63 - 1
"""The largest number in the tables."""

_ANY: LiteralString = """
SELECT action.number, action.canonical, action.leaf FROM actions AS action WHERE action.game_id = $1::text"""

# Actions are looked up singly, in the order of the account's touches, until the page is full. The inner LIMIT
# prevents the planner from joining whole tables.
_TOUCHING: LiteralString = """
SELECT touched.number, chosen.canonical, chosen.leaf
  FROM touches AS touched,
       LATERAL (SELECT action.canonical, action.leaf FROM actions AS action
                 WHERE action.game_id = $1::text AND action.number = touched.number"""
_TOUCHED: LiteralString = """ LIMIT 1) AS chosen
 WHERE touched.game_id = $1::text AND touched.account = """

# The number allows a hash join, and the range a look-up by the key. The planner chooses.
_HAS_EVENT: LiteralString = """
   AND EXISTS (SELECT FROM events AS event
                WHERE event.game_id = action.game_id AND event.number = action.number
                  AND event.seq >= action.first_seq AND event.seq < action.first_seq + action.event_count
                  AND """
# If actions are looked up singly, their events must be, too. OFFSET 0 changes no result, and prevents the
# planner from joining each action with all events of the game.
_ONE_BY_ONE: LiteralString = " OFFSET 0"


def statement(game_id: str, selection: Selection) -> tuple[LiteralString, list[Any]]:
    """Return the statement for numbers, canonical bytes and leaves of the selected entries, and its parameters."""
    parameters: list[Any] = [game_id]
    touching = selection.account is not None
    alone: LiteralString = _ONE_BY_ONE if touching else ""
    numbered: LiteralString = "touched.number" if touching else "action.number"

    def bound(value: object) -> LiteralString:
        parameters.append(value)
        return _PLACES[len(parameters) - 1]

    range_condition: LiteralString = ""
    if selection.above is not None:
        range_condition += f" AND {numbered} > {bound(within_range(selection.above))}::bigint"
    if selection.below is not None:
        range_condition += f" AND {numbered} < {bound(within_range(selection.below))}::bigint"
    conditions: LiteralString = ""
    if selection.seat is not None:
        conditions += f" AND action.seat = {bound(selection.seat)}::text"
    if selection.kind is not None:
        conditions += f" AND action.kind = {bound(selection.kind)}::text"
    if selection.since is not None:
        conditions += f" AND action.recorded_at >= {bound(selection.since)}::timestamptz"
    if selection.until is not None:
        conditions += f" AND action.recorded_at < {bound(selection.until)}::timestamptz"
    if selection.commodity is not None:
        conditions += f"{_HAS_EVENT}{bound(selection.commodity)}::text = ANY (event.commodities){alone})"
    if selection.rule is not None:
        conditions += f"{_HAS_EVENT}event.rule = {bound(selection.rule)}::text{alone})"
    ordered: LiteralString = f"{numbered} DESC" if selection.newest_first else numbered
    page: LiteralString = f" ORDER BY {ordered} LIMIT {bound(within_range(selection.limit))}::bigint"
    if not touching:
        return _ANY + range_condition + conditions + page, parameters
    account = f"{bound(selection.account)}::text"
    return _TOUCHING + conditions + _TOUCHED + account + range_condition + page, parameters


# Game, two numbers, seat, kind, two times, account, commodity, rule and limit.
_PLACES: tuple[LiteralString, ...] = ("$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$9", "$10", "$11")


def within_range(number: int) -> int:
    """Return the nearest number in the range of the tables, so a page may start beyond the range."""
    return min(max(number, 0), LARGEST)
