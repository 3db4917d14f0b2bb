"""Out of prison by a throw: a double, or the last try, the fine, and the move."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal

from ledger.kernel.facts.events import Event
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.debts import debts
from ledger.rulebooks.monopoly.table.dice import Thrown, is_double, leads_out
from ledger.rulebooks.monopoly.table.roles import Role
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cite, fees_to, on_turn, pieces
from ledger.rulebooks.monopoly.table.terms import Held
from ledger.rulebooks.monopoly.turns import movement, turns
from ledger.rulebooks.monopoly.turns.prison import require_jailed

chapter = Chapter("Throws in prison")

Outcome = Literal["free", "stays", "fined"]
_RULES: dict[Outcome, Role] = {"free": "jail_double", "stays": "jail_wait", "fined": "jail_third"}


@chapter.event
class JailThrown(Event, frozen=True, kw_only=True):
    """A prisoner throws for a double: free, or stays; after the last try the fine is due, and then the move."""

    en: ClassVar[str] = "{seat:seat} throws {dice:list} in prison."
    fr: ClassVar[str] = "{seat:seat} lance {dice:list} en prison."

    seat: str
    dice: tuple[int, ...]
    outcome: Outcome
    again: bool = False
    """True if the double gives another throw."""

    def apply(self, state: Monopoly) -> None:
        """Count the throw, and free, keep or fine the prisoner."""
        state.throws += 1
        state.must_throw = self.again
        if self.outcome == "free":
            state.jailed.pop(self.seat, None)
        else:
            state.require_part(self.seat in state.jailed)
            state.jailed[self.seat] += 1
        if self.outcome == "fined":
            state.held = Held(seat=self.seat, dice=self.dice)


@chapter.action(
    summary=("throw for a double in prison", "tenter un double en prison"),
    when=("in prison, in one's own turn", "en prison, à son tour"),
)
class RollForJail(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A prisoner throws once: a double leads out; after the last turn the fine is due, and the throw is moved."""

    dice: Thrown = None
    post: turns.Post = None

    def decide(self, draft: Draft) -> None:
        """Refuse out of prison, a second throw, and while anything of the turn is open."""
        state, seat = draft.state, on_turn(draft)
        require_jailed(draft, seat, "jail_wait")
        movement.require_may_throw(draft, seat)
        dice = draft.draws.dice("dice", self.dice, count=pieces(state).thrown, sides=6)
        movement.first_throw(draft)
        double = leads_out(dice)
        last = state.jailed[seat] + 1 >= state.settings.jail_turns
        outcome: Outcome = "free" if double else "fined" if last else "stays"
        again = double and state.settings.jail_double_rolls_again
        rule = cite(state, "jail_board" if outcome == "free" and not is_double(dice) else _RULES[outcome])
        draft.record(JailThrown(rule=rule, seat=seat, dice=dice, outcome=outcome, again=again))
        turns.cite_post(draft, seat, self.post)
        if outcome == "free":
            movement.advance(draft, seat, sum(dice), dice=sum(dice))
        elif outcome == "stays":
            turns.pass_turn(draft, rule)
        else:
            debts.charge(draft, seat, fees_to(state, "fine"), state.settings.jail_fine, rule=rule, cause="fine")
            movement.resume(draft)

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the throw to a prisoner at the start of the turn."""
        throws = state.turn == seat and state.must_throw and seat in state.jailed and state.throws == 0
        return (Choice({}),) if throws else ()
