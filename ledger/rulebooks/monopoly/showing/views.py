"""The public view of the table: nothing is hidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.plain import plain, plain_once, without_nulls
from ledger.kernel.rules.display import AwaitedView, BoardView, ClockView, Display, PhaseView
from ledger.kernel.rules.faces.screen import Screen
from ledger.rulebooks.monopoly.cards import choices as card_choices
from ledger.rulebooks.monopoly.showing import drawing, waiting
from ledger.rulebooks.monopoly.showing.speaking import speakers_of
from ledger.rulebooks.monopoly.table.pieces import Pieces
from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.monopoly.table.state import (
    Monopoly,
    MonopolyEdition,
    buildings,
    cash,
    has_hotel,
    houses_on,
    in_play,
    is_mortgaged,
    jail_passes,
    kept_things,
    pieces,
    use_of,
)
from ledger.rulebooks.monopoly.table.terms import POT, STOCK, TOWER, treasury
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.titles import lies_on, owners_of


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
                "towers": lies_on(state, title, TOWER) or None,
                "mortgaged": is_mortgaged(state, title),
            }
        )
        for title in pieces(state).titles
    }


class MonopolyScreen(Screen[Monopoly]):
    """The views of the game."""

    display_is_public = True

    def __init__(self, edition: MonopolyEdition) -> None:
        self.edition = edition

    def summary(self, state: Monopoly) -> dict[str, Any]:
        """Return the round, the turn, the players in play, and the winners."""
        turn = {} if state.turn is None else {"turn": state.turn}
        return {"round": state.round, **turn, "in_play": in_play(state), "winners": [*state.winners]}

    def in_setup(self, state: Monopoly) -> bool:
        """Return True if the table is being prepared."""
        return state.stage == "setup"

    def public_view(self, state: Monopoly) -> dict[str, Any]:
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
            "stock": {piece: state.holdings.of(STOCK, piece) for piece in buildings(board)},
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
        if state.choosing is not None:
            view["choosing"] = {**plain(state.choosing), "answers": card_choices.answers(state, state.choosing)}
        if any(card.use != "leave_prison" for card in board.cards):
            view["kept_cards"] = {
                seat: [
                    decks.card_of(thing)
                    for thing in kept_things(state, seat)
                    if use_of(state, thing) != "leave_prison"
                ]
                for seat in state.seats
            }
        if state.missing:
            view["missing"] = dict(state.missing)
        if state.ends_at is not None:
            view["ends_at"] = plain(state.ends_at)
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

    def own_view(self, state: Monopoly, viewer: Viewer) -> dict[str, Any]:
        """Return an empty view, because the public view shows everything."""
        return {}

    def board_drawn(self, state: Monopoly | None, language: str) -> BoardView:
        """Draw the ring of the table's squares, with the colours of the groups."""
        edition = self.edition if state is None else state.edition
        settings = msgspec.convert(edition.settings, Settings) if state is None else state.settings
        return drawing.drawn(edition.pieces, settings, language, (edition.pieces.face, edition.face))

    def display(self, state: Monopoly, viewer: Viewer, language: str) -> Display:
        """Return tokens, titles with buildings, notices and decks."""
        return drawing.display(state, speakers_of(state), language)

    def phase(self, state: Monopoly, language: str) -> PhaseView:
        """What the game, or the turn under way, has come to."""
        return waiting.phase(state, language)

    def clock(self, state: Monopoly) -> ClockView | None:
        """Return the clock of an auction, if any."""
        return waiting.clock(state)

    def awaited(self, state: Monopoly) -> Sequence[str]:
        """Return the seats awaited by the game."""
        return waiting.awaited(state)

    def waiting(self, state: Monopoly, viewer: Viewer, language: str) -> Sequence[AwaitedView]:
        """Return the players to throw, buy, pay, bid or claim, and the banker's auctions to open or close."""
        return list(waiting.waiting(state, speakers_of(state), language))

    def is_due(self, state: Monopoly, seat: str, kind: str, params: Mapping[str, Any]) -> bool:
        """Return True if the action accepts a trade (only a try shows if both players still have the things
        promised), or answers the open choice.
        """
        return kind in {"accept_trade", "choose"}

    def pieces_in_play(self, state: Monopoly) -> Pieces:
        """Return the pieces of the edition, or the table's own."""
        return state.edition.pieces

    def components(self) -> dict[str, Any]:
        """Return the pieces of the edition, as plain data."""
        return msgspec.to_builtins(self.edition.pieces)  # type: ignore[no-any-return]
