"""V.C, V.D.4 and V.D.5. Houses: the owner builds and destroys houses one by one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import TitleId
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.arsenal import disruption
from ledger.rulebooks.negopoly.cards import weather
from ledger.rulebooks.negopoly.estate.real_estate import own_title
from ledger.rulebooks.negopoly.table.pieces import Title
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    houses_on,
    is_mortgaged,
    is_squatted,
    own_turn,
    pay,
    titles_of,
)
from ledger.rulebooks.negopoly.table.terms import attached

chapter = Chapter("V.C. Houses")

MOST_HOUSES = 5
"""The maximum of houses on a title (V.C.2)."""


@chapter.event
class HouseBuilt(Event, frozen=True, kw_only=True):
    """The owner of a title builds one more house on it (V.C.1, V.C.3)."""

    en: ClassVar[str] = (
        "{seat:seat} builds a house on {title:title} for {cost:money}; "
        "{houses} {houses:plural|stands|stand} there now."
    )
    fr: ClassVar[str] = (
        "{seat:seat} construit une maison sur {title:title} pour {cost:money} ; il y en a maintenant {houses}."
    )

    rule: str = "V.C.1"
    seat: str
    title: str
    cost: int
    houses: int
    """The number of houses after the event."""


@chapter.event
class HouseDestroyed(Event, frozen=True, kw_only=True):
    """Houses of a title are destroyed, without refund (V.C.5, V.C.6). `cause` is "owner", or the effect."""

    en: ClassVar[str] = (
        "{count} {count:plural|house|houses} of {title:title} {count:plural|is|are} destroyed ({cause:cause}); "
        "{houses} {houses:plural|stands|stand} there now."
    )
    fr: ClassVar[str] = (
        "{count} {count:plural|maison détruite|maisons détruites} sur {title:title} ({cause:cause}) ; "
        "il en reste {houses}."
    )

    rule: str = "V.C.6"
    title: str
    cause: str
    count: int = 1
    houses: int
    """The number of houses after the event."""


def destroy(draft: Draft, title: Title, *, cause: str, rule: str, count: int = 1) -> None:
    """Destroy `count` houses of a title. The houses go back to the bank without refund (V.C.6).

    Raises Impossible if the title has fewer houses.
    """
    standing = houses_on(draft.state, title.id)
    if standing < count:
        raise Impossible(
            rule,
            "{title} has {standing} houses: {count} cannot be destroyed",
            "{title} a {standing} maisons : on ne peut pas en détruire {count}",
            title=title.name,
            standing=standing,
            count=count,
        )
    draft.record(
        HouseDestroyed(
            rule=rule,
            title=title.id,
            cause=cause,
            count=count,
            houses=standing - count,
            postings=draft.move("house", count, attached(title.id), BANK),
        )
    )


@chapter.action(
    summary=("build a house on one's title", "construire une maison sur sa propriété"),
    when=("in your own turn, from anywhere", "pendant son tour, de n'importe où"),
)
class BuildHouse(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The owner of a title builds one house on it, from anywhere, at the cost of the title (V.C.1)."""

    title: TitleId

    def decide(self, draft: Draft) -> None:
        """Refuse a sixth house, and a mortgaged or squatted title.

        The quarter need not be complete, and houses never run out.
        """
        own_turn(draft, "V.C.4")
        seat = draft.seat
        title = own_title(draft, seat, self.title, "V.C.1")
        disruption.require_title_works(draft, title.id)
        weather.require(draft, "build")
        draft.require(
            not is_mortgaged(draft.state, title.id),
            "V.B.2",
            "{title} is mortgaged: nothing can be built on it until the mortgage is lifted",
            "le titre {title} est hypothéqué : on ne peut rien y construire avant la levée de l'hypothèque",
            title=title.name,
        )
        draft.require(
            not is_squatted(draft.state, title.id),
            "IX.B.7",
            "{title} is squatted: nothing can be built on it until the squatters are evicted",
            "le titre {title} est squatté : on ne peut rien y construire avant d'en chasser les squatteurs",
            beside=("V.C.1",),
            title=title.name,
        )
        standing = houses_on(draft.state, title.id)
        draft.require(
            standing < MOST_HOUSES,
            "V.C.2",
            "{title} already has {standing} houses, and takes {most} at most",
            "{title} a déjà {standing} maisons, et en prend {most} au plus",
            title=title.name,
            standing=standing,
            most=MOST_HOUSES,
        )
        house = Posting("house", 1, BANK, attached(title.id))
        draft.record(
            HouseBuilt(
                seat=seat,
                title=title.id,
                cost=title.house_cost,
                houses=standing + 1,
                postings=(*pay(draft, seat, title.house_cost, "V.C.1"), house),
            )
        )

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each title of the player. A dry run refuses the titles without room for a house."""
        return [Choice({"title": title}) for title in titles_of(state, seat)]


@chapter.action(
    summary=("destroy a house of one's own", "détruire une de ses maisons"),
    when=("in your own turn, from anywhere", "pendant son tour, de n'importe où"),
)
class DestroyHouse(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The owner of a title destroys one house of it, from anywhere and without refund (V.D.5)."""

    title: TitleId

    def decide(self, draft: Draft) -> None:
        """Refuse without a house. Houses on a mortgaged title can be destroyed too (V.B.2)."""
        own_turn(draft, "V.D.5")
        title = own_title(draft, draft.seat, self.title, "V.D.5")
        disruption.require_title_in_reach(draft, title.id)
        destroy(draft, title, cause="owner", rule="V.D.5")

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each title of the player with a house."""
        return [Choice({"title": title}) for title in titles_of(state, seat) if houses_on(state, title)]
