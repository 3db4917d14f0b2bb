"""IX.C.5 to IX.C.9. The RPG-7: two shots a turn at titles close by, each with a die."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ledger.kernel.facts.values import TitleId
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter, renamed
from ledger.rulebooks.negopoly.arsenal import disruption, weapons
from ledger.rulebooks.negopoly.estate import houses, real_estate
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.squares import hospital
from ledger.rulebooks.negopoly.table.pieces import TITLES
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    change_turn,
    houses_on,
    is_mortgaged,
    square_of,
    throw,
)
from ledger.rulebooks.negopoly.table.terms import OneDie, Strike

chapter = Chapter("IX.C. RPG-7")

RPG = "rpg7"

SHOTS = 2
"""Maximum number of shots in a turn (IX.C.7)."""

HITS = 4
"""Highest die for a hit (IX.C.8)."""

EXPLODES = 6
"""Die of an explosion (IX.C.8)."""

_RESULTS = {
    True: Phrase("it hits", "touché"),
    False: Phrase("it misses", "raté"),
    None: Phrase("it explodes", "l'arme explose"),
}


@chapter.event
class RpgFired(weapons.Use, frozen=True, kw_only=True):
    """A player fires an RPG-7 at a title and uses it up; the event holds the die (IX.C.7, IX.C.8)."""

    en: ClassVar[str] = "{seat:seat} fires an RPG-7 at {title:title}: {result.en} (die {die})."
    fr: ClassVar[str] = "{seat:seat} tire au RPG-7 sur {title:title} : {result.fr} (dé {die})."

    rule: str = "IX.C.8"
    title: str
    die: int

    @property
    def result(self) -> Phrase:
        """The result of the shot, in English and French."""
        return _RESULTS[None if self.die == EXPLODES else self.die <= HITS]

    def apply(self, state: Negopoly) -> None:
        """Count the shot; an explosion allows no second shot, because the shooter has left the square."""
        super().apply(state)
        if self.die == EXPLODES and state.turn is not None and state.turn.seat == self.seat:
            change_turn(state, weapons_used=SHOTS)


@chapter.action(
    summary=("fire an RPG-7 at a title close by", "tirer au RPG-7 sur une propriété voisine"),
    when=(
        "in your own turn, after the roll, at the title one stands on or next to, twice at most",
        "pendant son tour, après le lancer, sur la propriété où l'on est ou à côté, deux fois au plus",
    ),
)
class FireRpg(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player with an RPG-7 fires at a title close by that has a house or is mortgaged (IX.C.6)."""

    title: TitleId
    dice: OneDie | None = None

    def decide(self, draft: Draft) -> None:
        """Throw the die: 1 to 4 hits, 5 misses, 6 sends the shooter to Hôpital."""
        weapons.take_up(draft, RPG, limit=SHOTS, too_many="IX.C.7")
        weapons.in_hand(draft, RPG)
        seat = draft.seat
        state = draft.state
        title = weapons.aimed_at(draft, self.title, "IX.C.6")
        position, square = state.positions[seat], square_of(state, title.id).index
        draft.require(
            square == position or square in weapons.neighbours(state, position),
            "IX.C.6",
            "{seat:seat} is on {here}: an RPG-7 reaches that square and the two next to it, not {title}",
            "{seat:seat} est sur {here} : un RPG-7 atteint cette case et les deux voisines, pas {title}",
            seat=seat,
            here=state.board[position].name,
            title=title.name,
        )
        disruption.require_reach(draft, square)
        draft.require(
            houses_on(state, title.id) > 0 or is_mortgaged(state, title.id),
            "IX.C.6",
            "{title} has no house and is not mortgaged: an RPG-7 has nothing to hit there",
            "{title} n'a pas de maison et n'est pas hypothéqué : un RPG-7 n'a rien à y toucher",
            title=title.name,
        )
        (die,) = throw(draft, "rpg die", self.dice)
        draft.record(RpgFired(seat=seat, use=RPG, title=title.id, die=die, postings=(weapons.spent(draft, RPG),)))
        if die == EXPLODES:
            hospital.admit(draft, seat, cause="explosion", rule="IX.C.8")
        elif die <= HITS:
            reactions.strike(draft, Strike(kind=RPG, by=seat, rule="IX.C.8", titles=(title.id,)))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each title close by."""
        if weapons.armed(state, seat, RPG):
            for title in weapons.titles_near(state, seat, own_square=True):
                yield Choice({"title": title})


chapter.upcast_action("fire_rpg", renamed(die="dice", into_lists={"dice"}))


@reactions.carries_out(RPG)
def _hit(draft: Draft, strike: Strike) -> None:
    """Reset a mortgaged title (IX.C.9); otherwise destroy a house (IX.C.8)."""
    for title in strike.titles:
        if is_mortgaged(draft.state, title):
            real_estate.reset(draft, title, cause=RPG, rule="IX.C.9")
        elif houses_on(draft.state, title):
            houses.destroy(draft, TITLES[title], cause=RPG, rule=strike.rule)
