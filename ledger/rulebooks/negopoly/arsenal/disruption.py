"""IX.C.24 to IX.C.27. The Bombe IEM: the disabled effects, for each player, until the end of the bomb.

Other chapters call the four checks below, or refuse actions beyond the player's square by `require_reach`.
`squares` switches off the effects of squares, `passed` the services. Using the bomb is in `emp`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from ledger.kernel.facts.events import Event
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, square_of

chapter = Chapter("IX.C. Bombe IEM")


def squares_off(state: Negopoly) -> bool:
    """Return True if every square is disabled: no pay, rent, sale, draw, check or service (IX.C.24)."""
    return bool(state.blackouts)


def remote_off(state: Negopoly) -> bool:
    """Return True if players can reach nothing beyond their own square, not even adjacent squares (IX.C.25)."""
    return bool(state.blackouts)


def private_talks_off(state: Negopoly, seats: Collection[str]) -> bool:
    """Return True if the seats may not meet in private, because they are on different squares (IX.C.26)."""
    return bool(state.blackouts) and len({state.positions[seat] for seat in seats}) > 1


def charges_frozen(state: Negopoly) -> bool:
    """Return True if no charge explodes, is placed or removed (IX.C.27)."""
    return bool(state.blackouts)


def in_reach(state: Negopoly, seat: str, square: int) -> bool:
    """Return True if the seat can reach a square. While remote actions are off, only the seat's own square
    (IX.C.25).
    """
    return not remote_off(state) or state.positions[seat] == square


def require_reach(draft: Draft, square: int | None = None, *, seat: str | None = None) -> None:
    """Refuse by IX.C.25 an action on a distant `square`, or with None an action anywhere beyond the seat's
    square.

    The acting seat reaches for the square, unless `seat` names another.
    """
    state = draft.state
    seat = seat or draft.seat
    position = state.positions[seat]
    draft.require(
        not remote_off(state) or position == square,
        "IX.C.25",
        "a Bombe IEM is active until the next turn of {users:seats}: {seat:seat} reaches nothing beyond {here}",
        "une Bombe IEM agit jusqu'au prochain tour ({users:seats}) : {seat:seat} n'atteint rien au-delà de {here}",
        seat=seat,
        here=state.board[position].name,
        users=sorted(state.blackouts),
    )


def require_squares(draft: Draft, square: int) -> None:
    """Refuse by IX.C.24 the effect of a square, wherever the player is."""
    state = draft.state
    draft.require(
        not squares_off(state),
        "IX.C.24",
        "a Bombe IEM is active until the next turn of {users:seats}: {square} is disabled like every square",
        "une Bombe IEM agit jusqu'au prochain tour ({users:seats}) : {square} est désactivé, comme chaque case",
        square=state.board[square].name,
        users=sorted(state.blackouts),
    )


def require_title_in_reach(draft: Draft, title: str) -> None:
    """Refuse by IX.C.25 an action on a title from another square."""
    require_reach(draft, square_of(draft.state, title).index)


def require_title_works(draft: Draft, title: str) -> None:
    """Refuse to build on a title or to sell a title: by IX.C.25 from a distance, by IX.C.24 on the title's
    square.
    """
    require_title_in_reach(draft, title)
    require_squares(draft, square_of(draft.state, title).index)


@chapter.event
class BombEnded(Event, frozen=True, kw_only=True):
    """The effect of a Bombe IEM ends, at the time set by the table (IX.C.24, setting iem_ends)."""

    en: ClassVar[str] = "{seat:seat}'s Bombe IEM is over{rest.en}."
    fr: ClassVar[str] = "La Bombe IEM {seat:de|seat} prend fin{rest.fr}."

    rule: str = "IX.C.24"
    seat: str
    others: int = 0
    """Number of further active bombs."""

    @property
    def rest(self) -> Phrase:
        """The further active bombs as the end of a sentence, in English and French."""
        if not self.others:
            return Phrase("", "")
        return Phrase(f"; {self.others} more active", f" ; encore {self.others} en action")

    def apply(self, state: Negopoly) -> None:
        """End the bomb; the board stays disabled while another bomb is active."""
        state.blackouts.discard(self.seat)


def turn_starts(draft: Draft, seat: str) -> None:
    """End the seat's bomb when the seat's next turn is due to start (IX.C.24)."""
    if seat in draft.state.blackouts:
        draft.record(BombEnded(seat=seat, others=len(draft.state.blackouts) - 1))


def turn_ends(draft: Draft, seat: str) -> None:
    """End the seat's bomb at the end of the turn of use, if set by the table (setting iem_ends)."""
    if draft.state.settings.iem_ends == "end_of_user_turn":
        turn_starts(draft, seat)
