"""IX.C.28 and IX.C.29. Bombardment from anywhere: Pièce d'artillerie and Rods From Gods."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import TitleId
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.arsenal import disruption, weapons
from ledger.rulebooks.negopoly.estate import houses, quarters, real_estate
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.table.pieces import TITLES
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, houses_on, owner_of
from ledger.rulebooks.negopoly.table.terms import Strike

chapter = Chapter("IX.C. Bombardment")

ARTILLERY = "artillerie"
RODS = "rods_from_gods"


@chapter.event
class ArtilleryFired(weapons.Use, frozen=True, kw_only=True):
    """A player fires a Pièce d'artillerie at a player's title, anywhere on the board (IX.C.28)."""

    en: ClassVar[str] = "{seat:seat} fires a Pièce d'artillerie at {title:title}."
    fr: ClassVar[str] = "{seat:seat} tire une Pièce d'artillerie sur {title:title}."

    rule: str = "IX.C.28"
    title: str


@chapter.event
class RodsFired(weapons.Use, frozen=True, kw_only=True):
    """A player fires the Rods From Gods at a whole colour (IX.C.29)."""

    en: ClassVar[str] = "{seat:seat} brings the Rods From Gods down on {quarter:quarter}."
    fr: ClassVar[str] = "{seat:seat} abat les Rods From Gods sur le quartier {quarter:quarter}."

    rule: str = "IX.C.29"
    quarter: str


@chapter.action(
    summary=("fire a Pièce d'artillerie at a title", "tirer une Pièce d'artillerie sur une propriété"),
    when=(
        "in your own turn, after the roll, at any title that has a house, as its one weapon",
        "pendant son tour, après le lancer, sur toute propriété qui a une maison, comme seule arme",
    ),
)
class FireArtillery(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player with a Pièce d'artillerie destroys all houses of a player's title, from anywhere (IX.C.28)."""

    title: TitleId

    def decide(self, draft: Draft) -> None:
        """Refuse a title without a house. The title is not mortgaged."""
        weapons.take_up(draft, ARTILLERY)
        weapons.in_hand(draft, ARTILLERY)
        title = weapons.aimed_at(draft, self.title, "IX.C.28")
        disruption.require_title_in_reach(draft, title.id)
        draft.require(
            houses_on(draft.state, title.id) > 0,
            "IX.C.28",
            "{title} has no house: artillery has nothing to destroy there",
            "{title} n'a pas de maison : l'artillerie n'a rien à y détruire",
            title=title.name,
        )
        spent = weapons.spent(draft, ARTILLERY)
        draft.record(ArtilleryFired(seat=draft.seat, use=ARTILLERY, title=title.id, postings=(spent,)))
        reactions.strike(draft, Strike(kind=ARTILLERY, by=draft.seat, rule="IX.C.28", titles=(title.id,)))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer every title with a house."""
        if weapons.armed(state, seat, ARTILLERY):
            for title in weapons.owned_titles(state):
                if houses_on(state, title):
                    yield Choice({"title": title})


@reactions.carries_out(ARTILLERY)
def _shell(draft: Draft, strike: Strike) -> None:
    """Destroy the houses still standing on the title."""
    for title in strike.titles:
        if standing := houses_on(draft.state, title):
            houses.destroy(draft, TITLES[title], cause=ARTILLERY, rule=strike.rule, count=standing)


@chapter.action(
    summary=("bring the Rods From Gods down on a colour", "abattre les Rods From Gods sur une couleur"),
    when=(
        "in your own turn, after the roll, on any colour of which a title is owned, as its one weapon",
        "pendant son tour, après le lancer, sur toute couleur dont une propriété est possédée, comme seule arme",
    ),
)
class FireRods(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player with the Rods From Gods resets all titles of a colour, also their own, to the bank (IX.C.29)."""

    quarter: quarters.Quarter

    def decide(self, draft: Draft) -> None:
        """Refuse a colour without an owned title. One security team of an owner protects all titles of the
        owner.
        """
        weapons.take_up(draft, RODS)
        weapons.in_hand(draft, RODS)
        state = draft.state
        titles = _owned_of(state, self.quarter)
        if not titles:
            raise Impossible(
                "IX.C.29",
                "all titles of {quarter} belong to the bank: there is nothing to raze",
                "tous les titres du quartier {quarter} appartiennent à la banque : il n'y a rien à raser",
                quarter=quarters.NAMES[self.quarter],
            )
        disruption.require_reach(draft)
        spent = weapons.spent(draft, RODS)
        draft.record(RodsFired(seat=draft.seat, use=RODS, quarter=self.quarter, postings=(spent,)))
        reactions.strike(draft, Strike(kind=RODS, by=draft.seat, rule="IX.C.29", titles=titles))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer every colour with an owned title."""
        if weapons.armed(state, seat, RODS):
            for quarter in quarters.QUARTERS:
                if _owned_of(state, quarter):
                    yield Choice({"quarter": quarter})


def _owned_of(state: Negopoly, quarter: str) -> tuple[str, ...]:
    return tuple(title for title in quarters.QUARTERS[quarter] if owner_of(state, title) is not None)


@reactions.carries_out(RODS)
def _raze(draft: Draft, strike: Strike) -> None:
    """Reset the titles to the bank with nothing attached (V.B.9, V.B.10)."""
    for title in strike.titles:
        real_estate.reset(draft, title, cause=RODS, rule=strike.rule)
