"""IX.C.18 to IX.C.21. Firearms: the Glock 26, for a racket or a duel, and the AR15."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import SeatId
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter, renamed
from ledger.rulebooks.negopoly.arsenal import disruption, weapons
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.squares import hospital
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    change_turn,
    nothing_befalls,
    others_in_play,
    seat_named,
    throw,
)
from ledger.rulebooks.negopoly.table.terms import MONEY, OneDie, Strike, money_words, player
from ledger.rulebooks.parts.readers import Revealing

chapter = Chapter("IX.C. Firearms")

GLOCK = "glock26"
AR15 = "ar15"

RACKET = 300
"""Amount of the racket of a Glock, in whole ₦ (IX.C.18)."""

WINS = 4
"""Lowest die for a win of the attacker in a duel (IX.C.19)."""


# ----------------------------------------------------------------------------------------------
# Glock 26
# ----------------------------------------------------------------------------------------------


@chapter.event
class GlockDrawn(weapons.Use, frozen=True, kw_only=True):
    """A player uses up a Glock against a player close by (IX.C.18, IX.C.19)."""

    en: ClassVar[str] = "{seat:seat} draws a Glock 26 at {target:seat} (die {die})."
    fr: ClassVar[str] = "{seat:seat} braque {target:seat} avec un Glock 26 (dé {die})."

    rule: str = "IX.C.18"
    target: str
    die: int
    """The die, thrown before the target's Glock is known, and used only in a duel."""


@chapter.event
class GlockDecided(Revealing, frozen=True, kw_only=True):
    """The result of a Glock: the target, or the loser of the duel, pays, into debt if needed (IX.C.18 to IX.C.20).

    It reveals to everybody whether the target has a Glock, which was a secret.
    """

    en: ClassVar[str] = "{seat:seat} rackets {target:seat}{how.en}."
    fr: ClassVar[str] = "{seat:seat} rackette {target:seat}{how.fr}."

    rule: str
    seat: str
    target: str
    duel: bool | None
    """True if the target has a Glock too; None in a dry run."""
    loser: str | None
    """The paying player; None in a dry run."""
    die: int
    amount: int

    @property
    def how(self) -> Phrase:
        """The result as the end of a sentence, in English and French."""
        if self.duel is None:
            return Phrase(": what comes of it is not told before", " : ce qui en sort ne se dit pas avant")
        loot = money_words(self.amount)
        if not self.duel:
            return Phrase(f" for {loot.en}", f" de {loot.fr}")
        if self.loser == self.target:
            return Phrase(
                f", wins the duel (die {self.die}) and takes {loot.en}",
                f", gagne le duel (dé {self.die}) et prend {loot.fr}",
            )
        return Phrase(
            f", loses the duel (die {self.die}) and pays {loot.en}",
            f", perd le duel (dé {self.die}) et paie {loot.fr}",
        )

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the duel, the loser and the payment."""
        return replace(self, rule="IX.C.18", duel=None, loser=None, postings=())


@chapter.action(
    summary=("racket a player with a Glock 26", "racketter un joueur avec un Glock 26"),
    when=(
        "in your own turn, after the roll, a player on the same square or next to it, as its one weapon",
        "pendant son tour, après le lancer, un joueur sur la même case ou à côté, comme seule arme",
    ),
)
class UseGlock(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player with a Glock takes ₦300 from a player close by, or fights a duel with an armed one (IX.C.18).

    The die is always thrown, because the target's Glock is a secret (IX.C.19).
    """

    target: SeatId
    dice: OneDie | None = None

    def decide(self, draft: Draft) -> None:
        """Record the shot. The target may use a security team instead of paying or fighting.

        A kidnapping of the target is answered first, because a kidnapping may move the target away (IX.B.15).
        """
        weapons.take_up(draft, GLOCK)
        weapons.in_hand(draft, GLOCK)
        seat, state = draft.seat, draft.state
        target = seat_named(state, self.target, "IX.C.18")
        if target == seat:
            raise Impossible(
                "IX.C.18",
                "{seat:seat} cannot racket themselves",
                "{seat:seat} ne peut pas se racketter",
                seat=seat,
            )
        nothing_befalls(draft, target)
        position, target_position = state.positions[seat], state.positions[target]
        draft.require(
            target_position == position or target_position in weapons.neighbours(state, position),
            "IX.C.18",
            "{target:seat} is on {there}, out of reach of {seat:seat} on {here}",
            "{target:seat} est sur {there}, hors de portée {seat:de|seat} sur {here}",
            target=target,
            there=state.board[target_position].name,
            seat=seat,
            here=state.board[position].name,
        )
        disruption.require_reach(draft, target_position)
        (die,) = throw(draft, "glock die", self.dice)
        draft.record(
            GlockDrawn(seat=seat, use=GLOCK, target=target, die=die, postings=(weapons.spent(draft, GLOCK),))
        )
        reactions.strike(draft, Strike(kind=GLOCK, by=seat, rule="IX.C.18", victims=(target,), about={"die": die}))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each player close by."""
        if weapons.armed(state, seat, GLOCK):
            position = state.positions[seat]
            reach = weapons.neighbours(state, position) | {position}
            for target in others_in_play(state, seat):
                if state.positions[target] in reach:
                    yield Choice({"target": target})


chapter.upcast_action("use_glock", renamed(die="dice", into_lists={"dice"}))


@reactions.carries_out(GLOCK)
def _racket(draft: Draft, strike: Strike) -> None:
    """Let the target pay. If the target has a Glock, the loser of the duel pays and goes to Hôpital."""
    seat = strike.by
    for target in strike.victims:
        die = int(strike.about["die"])
        duel = draft.state.holdings.of(player(target), GLOCK) > 0
        loser = seat if duel and die < WINS else target
        winner = target if loser == seat else seat
        paid = Posting(MONEY, RACKET, player(loser), player(winner))
        draft.record(
            GlockDecided(
                rule="IX.C.19" if duel else strike.rule,
                seat=seat,
                target=target,
                duel=duel,
                loser=loser,
                die=die,
                amount=RACKET,
                postings=(paid,),
            )
        )
        if duel:
            hospital.admit(draft, loser, cause="duel", rule="IX.C.20")


# ----------------------------------------------------------------------------------------------
# AR15
# ----------------------------------------------------------------------------------------------


@chapter.event
class StopCancelled(weapons.Use, frozen=True, kw_only=True):
    """A player uses an AR15 to cancel their stop on a square, with its effects and its services (IX.C.21)."""

    en: ClassVar[str] = "{seat:seat} uses an AR15: {square:square} has no effect."
    fr: ClassVar[str] = "{seat:seat} utilise un AR15 : {square:square} reste sans effet."

    rule: str = "IX.C.21"
    square: int

    def apply(self, state: Negopoly) -> None:
        """End the stop without effects and services; earlier passages are not changed."""
        super().apply(state)
        if state.turn is not None and state.turn.seat == self.seat:
            change_turn(state, stop=None, unresolved=False)


@chapter.action(
    summary=("cancel the effect of one's square with an AR15", "annuler l'effet de sa case avec un AR15"),
    when=(
        "in your own turn, after a stop that is not resolved yet, as its one weapon",
        "pendant son tour, après un arrêt pas encore résolu, comme seule arme",
    ),
)
class UseAr15(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player with an AR15 cancels the effect of the square of their stop (IX.C.21)."""

    def decide(self, draft: Draft) -> None:
        """Refuse once the square is resolved."""
        weapons.take_up(draft, AR15, on_the_way=True)
        weapons.in_hand(draft, AR15)
        turn, seat = draft.state.turn, draft.seat
        square = draft.state.positions[seat]
        draft.require(
            turn is not None and turn.stop == square and turn.unresolved,
            "IX.C.21",
            "{seat:seat} has no unresolved stop on {square} to cancel",
            "{seat:seat} n'a sur {square} aucun arrêt à annuler qui ne soit déjà résolu",
            seat=seat,
            square=draft.state.board[square].name,
        )
        draft.record(StopCancelled(seat=seat, use=AR15, square=square, postings=(weapons.spent(draft, AR15),)))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the action on an unresolved stop to a player with an AR15."""
        unresolved = state.turn is not None and state.turn.unresolved
        return (Choice({}),) if unresolved and weapons.armed(state, seat, AR15) else ()
