"""IX.B.12 and IX.B.13. Kidnapping: a player moves another player to a bar, at any moment. Bought in `services`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import SeatId
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.arsenal import disruption
from ledger.rulebooks.negopoly.board import squares, tokens
from ledger.rulebooks.negopoly.goods.shops import BAR
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.mercenaries.strikes import disclose
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    nothing_awaited,
    others_in_play,
    seat_named,
    squares_of,
    still_in,
)
from ledger.rulebooks.negopoly.table.terms import USED, Strike, player

chapter = Chapter("IX.B.12–13. Kidnapping")

KIDNAPPING = "kidnapping"

Way = Literal["next", "last"]


@chapter.event
class KidnappingUsed(Event, frozen=True, kw_only=True):
    """A player uses a kidnapping against another player, at any moment (IX.B.13)."""

    en: ClassVar[str] = "{seat:seat} sends kidnappers after {target:seat}."
    fr: ClassVar[str] = "{seat:seat} lance des ravisseurs sur {target:seat}."

    rule: str = "IX.B.13"
    seat: str
    target: str

    def apply(self, state: Negopoly) -> None:
        """Count one secret service fewer."""
        disclose(state, self.seat)


def bar_from(state: Negopoly, square: int, way: Way) -> int | None:
    """Return the nearest bar ahead of the square ("next") or behind it ("last"), or None without a bar."""
    step = 1 if way == "next" else -1
    size = len(state.board)
    bars = {spot.index for spot in squares_of(state, BAR)}
    return next(
        (index for distance in range(1, size) if (index := (square + step * distance) % size) in bars), None
    )


@chapter.action(
    summary=("have a player kidnapped to a bar", "faire kidnapper un joueur jusqu'à un bar"),
    when=("at any moment, in or out of turn", "à tout moment, pendant son tour ou non"),
)
class UseKidnapping(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player with a kidnapping moves another player to the next bar or the last one, at any moment (IX.B.12)."""

    target: SeatId
    towards: Way

    def decide(self, draft: Draft) -> None:
        """Refuse during an unresolved movement and while an answer is due (IX.B.13, II.D.2)."""
        seat = still_in(draft)
        state = draft.state
        target = seat_named(state, self.target, "IX.B.12")
        if target == seat:
            raise Impossible(
                "IX.B.12",
                "{seat:seat} cannot kidnap themselves",
                "{seat:seat} ne peut pas se kidnapper",
                seat=seat,
            )
        draft.require_funds(player(seat), KIDNAPPING, 1, "IX.B.13")
        disruption.require_reach(draft)
        nothing_awaited(draft)
        turn = state.turn
        position = state.positions[target]
        resolving = (
            turn is not None
            and turn.seat == target
            and (bool(turn.ahead) or (turn.unresolved and squares.is_mandatory(state, target, position)))
        )
        draft.require(
            not resolving,
            "IX.B.13",
            "{target:seat} has just reached {square}, whose effect comes first",
            "{target:seat} vient d'atteindre {square}, dont l'effet passe d'abord",
            target=target,
            square=state.board[position].name,
        )
        if bar_from(state, position, self.towards) is None:
            raise Impossible(
                "IX.B.12",
                "there is no bar to take {target:seat} to",
                "il n'y a pas de bar où emmener {target:seat}",
                target=target,
            )
        draft.record(
            KidnappingUsed(seat=seat, target=target, postings=(Posting(KIDNAPPING, 1, player(seat), USED),))
        )
        about = {"towards": self.towards}
        reactions.strike(draft, Strike(kind=KIDNAPPING, by=seat, rule="IX.B.12", victims=(target,), about=about))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer every other player, in both directions, to a player with a kidnapping."""
        if state.holdings.of(player(seat), KIDNAPPING):
            for target in others_in_play(state, seat):
                for way in ("next", "last"):
                    yield Choice({"target": target, "towards": way})


@reactions.carries_out(KIDNAPPING)
def _kidnap(draft: Draft, strike: Strike) -> None:
    """Put the victim on the bar, counted from the token's present square; no service opens (IX.B.12, III.C.2)."""
    for victim in strike.victims:
        square = bar_from(draft.state, draft.state.positions[victim], strike.about["towards"])
        if square is not None:
            tokens.send(draft, victim, square, cause=KIDNAPPING, rule=strike.rule)
