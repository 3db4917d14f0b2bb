"""The public view of the table: nothing is hidden."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from ledger.kernel.facts.plain import plain, plain_once, without_nulls
from ledger.rulebooks.monopoly.table.state import (
    Monopoly,
    cash,
    has_hotel,
    houses_on,
    in_play,
    is_mortgaged,
    jail_passes,
    pieces,
)
from ledger.rulebooks.monopoly.table.terms import HOTEL, HOUSE, POT, STOCK, treasury
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.titles import owners_of


def public_view(state: Monopoly) -> dict[str, Any]:
    """Return the turn, the titles, debts and claims, the auction, the prison, the stock; without nulls."""
    board = pieces(state)
    view: dict[str, Any] = {
        "stage": "ended" if state.ended else state.stage,
        "round": state.round,
        "order": list(state.order),
        "in_play": in_play(state),
        "out": list(state.out),
        "winners": list(state.winners),
        "tokens": dict(state.tokens),
        "positions": dict(state.positions),
        "jailed": dict(state.jailed),
        "seats": {
            seat: {"cash": cash(state, seat), "jail_passes": jail_passes(state, seat)} for seat in state.seats
        },
        "titles": _titles(state),
        "rents": plain(state.rents),
        "debts": plain(state.debts),
        "received": plain(state.received),
        "lots": plain(state.lots),
        "wishes": dict(state.wishes),
        "stock": {piece: state.holdings.of(STOCK, piece) for piece in (HOUSE, HOTEL)},
        "decks": {deck: decks.left_in(state, deck) for deck in board.piles},
        "pot": state.holdings.of(POT, state.edition.currency),
        "settings": {name: value for name, value in plain_once(state.settings).items() if name != "board"},
    }
    if state.turn is not None:
        view["turn"] = without_nulls(
            {
                "seat": state.turn,
                "throws": state.throws,
                "doubles": state.doubles,
                "must_throw": state.must_throw,
                "landing": plain(state.landing),
                "held": plain(state.held),
            }
        )
    if state.auction is not None:
        view["auction"] = without_nulls(_auction(state))
    if state.stage == "setup":
        view["setup"] = {
            "bankers": list(state.bankers),
            "thrown": plain(state.thrown),
            "shuffled": sorted(state.shuffled),
            "dealt": state.dealt,
        }
    if board.divisions:
        view["seasons"] = without_nulls(
            {
                "season": state.season,
                "starters": state.starters,
                "consents": sorted(state.consents),
                "ranking": list(state.ranking),
                "moved_up": state.moved_up,
                "treasuries": {
                    seat: state.holdings.of(treasury(seat), state.edition.currency) for seat in state.seats
                },
            }
        )
    return view


def _auction(state: Monopoly) -> Mapping[str, Any]:
    auction = state.auction
    view: dict[str, Any] = msgspec.to_builtins(auction)
    return {**view, "passed": [seat for seat in state.order if seat in view["passed"]]}


def _titles(state: Monopoly) -> dict[str, dict[str, Any]]:
    owners = owners_of(state)
    return {
        title: without_nulls(
            {
                "owner": owners.get(title),
                "houses": houses_on(state, title),
                "hotel": has_hotel(state, title),
                "mortgaged": is_mortgaged(state, title),
            }
        )
        for title in pieces(state).titles
    }
