"""Turns: the player on turn, and the business to finish before the next throw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, ClassVar

from msgspec import Meta

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import RuleBroken
from ledger.kernel.facts.values import of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.debts import debts, promises
from ledger.rulebooks.monopoly.table.roles import Role
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    cite,
    currency,
    has_role,
    is_selling,
    on_turn,
    pieces,
)
from ledger.rulebooks.monopoly.table.terms import ONE_LINE, Rent
from ledger.rulebooks.monopoly.turns import limits, pauses
from ledger.rulebooks.parts import seats
from ledger.rulebooks.parts.seats import player as purse

chapter = Chapter("Turns")

Post = (
    Annotated[
        str,
        Meta(
            max_length=300,
            pattern=ONE_LINE,
            description="where the throw is written down: a post of a forum, on one line",
        ),
        of_kind("text"),
    ]
    | None
)


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class TurnBegan(Event, frozen=True, kw_only=True):
    """A player's turn begins."""

    en: ClassVar[str] = "It is {seat:seat}'s turn (round {round})."
    fr: ClassVar[str] = "C'est le tour {seat:de|seat} (tour de table {round})."

    seat: str
    round: int

    def apply(self, state: Monopoly) -> None:
        """Start the turn, with the throw due."""
        state.turn, state.round = self.seat, self.round
        state.throws, state.doubles, state.must_throw = 0, 0, True
        state.travelled = 0
        state.landing, state.held = None, None


@chapter.event
class TurnEnded(Event, frozen=True, kw_only=True):
    """A player's turn is over."""

    en: ClassVar[str] = "{seat:seat}'s turn is over."
    fr: ClassVar[str] = "Le tour {seat:de|seat} est terminé."

    seat: str

    def apply(self, state: Monopoly) -> None:
        """Clear the business of the turn."""
        state.turn, state.must_throw = None, False
        state.landing, state.held = None, None
        state.choosing, state.remaining = None, ()


@chapter.event
class StayPaid(Event, frozen=True, kw_only=True):
    """The bank pays more to a player whose turn ends on the start."""

    en: ClassVar[str] = "{seat:seat} stays on {square:square} and receives another {amount:money}."
    fr: ClassVar[str] = "{seat:seat} reste sur {square:square} et touche encore {amount:money}."

    seat: str
    square: int
    amount: int


@chapter.event
class PostCited(Event, frozen=True, kw_only=True):
    """Where a throw is written down."""

    en: ClassVar[str] = "{seat:seat} refers to the post {post}."
    fr: ClassVar[str] = "{seat:seat} renvoie au message {post}."

    seat: str
    post: str


# ----------------------------------------------------------------------------------------------
# Passing on
# ----------------------------------------------------------------------------------------------


def cite_post(draft: Draft, seat: str, post: str | None) -> None:
    """Record the reference to a post with the throw, if given."""
    if post and post.strip():
        state = draft.state
        rule = cite(state, "post") if has_role(state, "post") else cite(state, "dice")
        draft.record(PostCited(rule=rule, seat=seat, post=post))


def begin(draft: Draft, seat: str, round_: int) -> None:
    """Begin a player's turn, with the income of the table and the payments promised for the round."""
    draft.record(TurnBegan(rule=cite(draft.state, "turn"), seat=seat, round=round_))
    limits.pay_income(draft, seat)
    promises.fall_due(draft, seat, round_)


def pass_turn(draft: Draft, rule: str) -> None:
    """End the turn under way, and begin the turn of the next player in the game; after the last round, no turn.

    Players with turns to miss are passed over.
    """
    state = draft.state
    seat = state.turn
    if seat is None:
        return
    draft.record(TurnEnded(rule=rule, seat=seat))
    while True:
        to = seats.next_seat(state.order, seat, state.out)
        ends_round = state.order.index(to) <= state.order.index(seat)
        if ends_round and limits.is_last_round(draft):
            return
        round_ = state.round + ends_round
        if not pauses.misses(draft, to, round_):
            begin(draft, to, round_)
            return
        seat = to


@chapter.action(
    summary=("end the turn", "terminer son tour"),
    when=("in one's own turn, when nothing of it is open", "à son tour, quand rien n'en reste ouvert"),
)
class EndTurn(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Pass the dice to the next player."""

    def decide(self, draft: Draft) -> None:
        """Refuse before the throw, before a second throw after a double, and while anything is open."""
        state, seat = draft.state, on_turn(draft)
        rule = cite(state, "end_turn")
        if state.must_throw:
            owing: Role = "double" if state.throws else "jail_wait" if seat in state.jailed else "end_turn"
            draft.require(
                False,
                cite(state, owing),
                "{seat:seat} has to throw first",
                "{seat:seat} doit d'abord lancer les dés",
                seat=seat,
            )
        require_done(draft, seat)
        debts.require_paid(draft, seat)
        require_thrown(draft, [rent for rent in state.rents if rent.lander == seat])
        square, stay = state.positions[seat], state.settings.salary_for_staying
        arrived = state.throws > 0 or not state.settings.stay_by_throw
        if stay and arrived and square == pieces(state).start and seat not in state.jailed:
            paid = draft.move(currency(state), stay, BANK, purse(seat))
            draft.record(StayPaid(rule=cite(state, "stay"), seat=seat, square=square, amount=stay, postings=paid))
        pass_turn(draft, rule)

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the end of the turn to the player on turn, once nothing is open."""
        ends = state.turn == seat and not state.must_throw and state.landing is None and state.choosing is None
        return (Choice({}),) if ends else ()


_ASKING: Mapping[str, Role] = {
    "buy": "decline",
    "card": "card",
    "die": "card",
    "tax": "tax",
    "throw": "rent_throw",
    "go": "card_move",
}
"""The role of the rule for each demand of a square."""


def require_thrown(draft: Draft, rents: Iterable[Rent]) -> None:
    """Refuse while any of the rents is claimed and in need of a throw."""
    waiting = next((rent for rent in rents if rent.claimed), None)
    if waiting is not None:
        draft.require(
            False,
            cite(draft.state, "rent_paid"),
            "{lander:seat} has to throw for the rent of {title:title} first",
            "{lander:seat} doit d'abord lancer les dés pour le loyer de {title:title}",
            lander=waiting.lander,
            title=waiting.title,
        )


def require_done(draft: Draft, seat: str) -> None:
    """Refuse while the square demands something, or an auction is under way."""
    state = draft.state
    landing = state.landing
    draft.require(
        state.choosing is None,
        cite(state, "choose" if has_role(state, "choose") else "landing"),
        "{chooser:seat} has to choose first",
        "le choix {chooser:de|seat} vient d'abord",
        chooser=None if state.choosing is None else state.choosing.seat,
    )
    if landing is not None:
        square = pieces(state).squares[landing.square]
        broken = RuleBroken(
            cite(state, _ASKING[landing.todo], square),
            "{seat:seat} stands on {square:square}; first, {todo:todo}",
            "{seat:seat} est sur {square:square} ; il reste {todo:todo}",
            seat=landing.seat,
            square=landing.square,
            todo=landing.todo,
        )
        draft.refuse(broken.citing(cite(state, "landing", square)))
    draft.require(
        not is_selling(state),
        cite(state, "auction"),
        "an auction has to be closed first",
        "une vente aux enchères doit d'abord être close",
    )
