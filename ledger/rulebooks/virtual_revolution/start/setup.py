"""The table: colours, Objectives, Location cards and the first influence tokens (vr:setup.1 to setup.15)."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.kernel.facts.accounts import BANK, BOX, Posting
from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.chapter import Chapter
from ledger.kernel.rules.opening import Opening
from ledger.rulebooks.parts import decks, opening
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.own_pieces import check_settings, require_told_apart
from ledger.rulebooks.virtual_revolution.table.edition import VirtualEdition
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces
from ledger.rulebooks.virtual_revolution.table.settings import Settings
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution, pieces
from ledger.rulebooks.virtual_revolution.table.terms import (
    AGENTS_1,
    AGENTS_2,
    BOOSTS,
    CORRUPTION,
    EUROCREDIT,
    IMMUNITY,
    LOCATIONS,
    NECRO,
    NECRO_END,
    OBJECTIVES,
    REVENUE,
    TITLES,
    VERSES,
    VP2,
    director,
    influence,
    server,
    title,
)

chapter = Chapter("The table")

FEWEST, MOST = 2, 4
"""The smallest and largest number of players (vr:setup.1)."""


# ----------------------------------------------------------------------------------------------
# Laying out
# ----------------------------------------------------------------------------------------------


@chapter.event
class TableSet(opening.LaidOut, frozen=True, kw_only=True):
    """The table is laid out: each player's board, the supply, the decks, the Titles and the Boost cards."""

    def apply(self, state: VirtualRevolution) -> None:
        """Seat the players clockwise in the order of the opening, and put the table's pieces in play, if any."""
        super().apply(state)
        state.seating = tuple(participant.seat for participant in self.players)
        state.banker_plays = state.settings.banker_plays or None
        if state.settings.pieces is not None:
            state.edition = state.edition.with_pieces(state.settings.pieces)


def _supply(catalogue: Pieces, players: Iterable[Seat]) -> Iterable[Posting]:
    """Yield everything on the table before the first draw (vr:setup.2 to setup.9, setup.26 to setup.28)."""
    seats = [item.seat for item in players]
    many = catalogue.amounts
    yield Posting(IMMUNITY, many.immunity_tokens, BOX, BANK)
    yield Posting(VP2, many.vp2_tokens, BOX, BANK)
    for seat in seats:
        board = player(seat)
        yield Posting(influence(seat), many.influence_on_board[str(len(seats))], BOX, board)
        yield Posting(director(seat), many.directors, BOX, board)
        yield Posting(server(seat), many.servers, BOX, board)
        start = (
            (EUROCREDIT, many.start_eurocredits),
            (IMMUNITY, many.start_immunity),
            (REVENUE, many.start_revenue),
        )
        yield from (Posting(thing, amount, BANK, board) for thing, amount in start if amount)
    yield from (Posting(title(item.district), 1, BOX, TITLES) for item in catalogue.title)
    yield from (Posting(decks.commodity(item.id), 1, BOX, BOOSTS) for item in catalogue.boost)
    yield from decks.laid_out((item.id, AGENTS_1 if item.level == 1 else AGENTS_2) for item in catalogue.agent)
    yield from decks.laid_out((item.id, VERSES) for item in catalogue.verse)
    yield from decks.laid_out((item.id, CORRUPTION) for item in catalogue.corruption)
    yield from decks.laid_out(
        (item.id, NECRO if item.kind == "standard" else NECRO_END) for item in catalogue.necro
    )
    yield from decks.laid_out((item.id, OBJECTIVES) for item in catalogue.objective)
    yield from decks.laid_out((item, LOCATIONS) for item in catalogue.locations)


@chapter.action(
    by=("system",),
    summary=("lay out a game", "installer une partie"),
    when=("first of all", "en tout premier"),
)
class SetupGame(opening.LayOut, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The service lays out the table: the first action of every game."""

    def decide(self, draft: Draft) -> None:
        """Move everything out of the box; the bank issues eurocredits and Revenue."""
        opening.require_no_table(draft, "vr:setup.1")
        settings = opening.stored_settings(Settings, self.settings)
        check_settings(settings, len(self.players))  # an imported journal may hold any pieces
        catalogue = settings.pieces or pieces(draft.state)
        postings = tuple(posting for posting in _supply(catalogue, self.players) if posting.amount)
        draft.record(TableSet(rule="vr:setup.1", postings=postings, **self.event_fields))


def opening_action(edition: VirtualEdition, opened: Opening) -> Action:
    """Return the action that lays out the table.

    Raises Malformed for an impossible number of players, and for brought pieces unfit for the number of players
    (vr:banker.2), with the `place` in the settings.
    """
    settings: Settings = opened.settings
    opening.require_players(edition.title, opened.players, (FEWEST, MOST), rule="vr:setup.1")
    if settings.banker_plays and settings.banker_plays not in {participant.seat for participant in opened.players}:
        raise Malformed(
            "banker_plays: there is no seat {seat!r} at this table",
            "banker_plays : il n'y a pas de siège {seat!r} à cette table",
            seat=settings.banker_plays,
            place="/banker_plays",
        )
    check_settings(settings, len(opened.players))
    if settings.pieces is not None:
        require_told_apart(settings.pieces)
    return opening.lay_out(SetupGame, opened)
