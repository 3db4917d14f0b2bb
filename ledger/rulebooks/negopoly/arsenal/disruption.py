"""IX.C.24 to IX.C.27. The Bombe IEM: what it switches off, for whom, and until when.

Other chapters ask the four questions below, or refuse by `require_reach` what goes beyond one's own square. What
squares do is switched off in `squares`, what they sell wherever a passage is asked for (`passed`). Setting
the bomb off is found in `emp`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from ledger.kernel.chapter import Chapter
from ledger.kernel.events import Event
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, square_of

chapter = Chapter("IX.C. Bombe IEM")


def squares_off(state: Negopoly) -> bool:
    """Whether every square of the board is disabled: no pay, rent, sale, draw, check or service (IX.C.24)."""
    return bool(state.blackouts)


def remote_off(state: Negopoly) -> bool:
    """Whether nothing reaches beyond one's own square, adjacent squares included (IX.C.25)."""
    return bool(state.blackouts)


def private_talks_off(state: Negopoly, seats: Collection[str]) -> bool:
    """Whether these seats may not meet in private: they do not all stand on one square (IX.C.26)."""
    return bool(state.blackouts) and len({state.positions[seat] for seat in seats}) > 1


def charges_frozen(state: Negopoly) -> bool:
    """Whether no charge of the board can explode, be placed or be removed (IX.C.27)."""
    return bool(state.blackouts)


def in_reach(state: Negopoly, seat: str, square: int) -> bool:
    """Whether the seat may act on what is on this square: its own, while nothing reaches further (IX.C.25)."""
    return not remote_off(state) or state.positions[seat] == square


def require_reach(draft: Draft, square: int | None = None, *, seat: str | None = None) -> None:
    """Refuse by IX.C.25 what reaches this square from afar, or (None) what reaches beyond any square.

    It is the acting seat that reaches, unless another `seat` is named.
    """
    state = draft.state
    seat = seat or draft.seat
    here = state.positions[seat]
    draft.require(
        not remote_off(state) or here == square,
        "IX.C.25",
        "a Bombe IEM is active: {seat} reaches nothing beyond {here}",
        "une Bombe IEM est active : {seat} n'atteint rien au-delà de {here}",
        seat=seat,
        here=state.board[here].name,
    )


def require_squares(draft: Draft, square: int) -> None:
    """Refuse by IX.C.24 what the square does for somebody, wherever they are."""
    state = draft.state
    draft.require(
        not squares_off(state),
        "IX.C.24",
        "a Bombe IEM is active: {square} is disabled like every square",
        "une Bombe IEM est active : {square} est désactivé comme toutes les cases",
        square=state.board[square].name,
    )


def require_title_in_reach(draft: Draft, title: str) -> None:
    """Refuse by IX.C.25 what reaches a title from another square."""
    require_reach(draft, square_of(draft.state, title).index)


def require_title_works(draft: Draft, title: str) -> None:
    """Refuse to build on a title or to sell it to the bank: by IX.C.25 from afar, by IX.C.24 on its square."""
    require_title_in_reach(draft, title)
    require_squares(draft, square_of(draft.state, title).index)


@chapter.event
class BombEnded(Event, frozen=True, kw_only=True):
    """A Bombe IEM has lasted its turn, as the table has set (IX.C.24, setting iem_ends)."""

    en: ClassVar[str] = "{seat:seat}'s Bombe IEM is over{rest[0]}."
    fr: ClassVar[str] = "La Bombe IEM {seat:de|seat} prend fin{rest[1]}."

    rule: str = "IX.C.24"
    seat: str
    others: int = 0
    """How many other bombs are still active."""

    @property
    def rest(self) -> tuple[str, str]:
        """What keeps the board disabled all the same, in English and French."""
        if not self.others:
            return ("", "")
        return (f"; {self.others} more active", f" ; encore {self.others} en action")

    def apply(self, state: Negopoly) -> None:
        """The board is itself again, unless another bomb is active."""
        state.blackouts.discard(self.seat)


def turn_starts(draft: Draft, seat: str) -> None:
    """End the seat's bomb: it would play its next turn now (IX.C.24)."""
    if seat in draft.state.blackouts:
        draft.record(BombEnded(seat=seat, others=len(draft.state.blackouts) - 1))


def turn_ends(draft: Draft, seat: str) -> None:
    """End the seat's bomb with the turn it was used in, where the table has set that (setting iem_ends)."""
    if draft.state.settings.iem_ends == "end_of_user_turn":
        turn_starts(draft, seat)
