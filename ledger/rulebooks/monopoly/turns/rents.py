"""Rents: what a stop costs, claimed by the owner or taken at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import TitleId
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.debts import debts
from ledger.rulebooks.monopoly.table.dice import Thrown
from ledger.rulebooks.monopoly.table.pieces import Square
from ledger.rulebooks.monopoly.table.roles import Role
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    cite,
    group_of,
    has_hotel,
    has_role,
    holds_group,
    houses_on,
    is_mortgaged,
    owner_of,
    pieces,
    player_in_play,
    title_named,
)
from ledger.rulebooks.monopoly.table.terms import Landing, Rent
from ledger.rulebooks.monopoly.turns import landings, turns
from ledger.rulebooks.parts.seats import player as purse

chapter = Chapter("Rents")


class Special(msgspec.Struct, frozen=True):
    """What a card makes of the rent where it sends a player.

    `factor` multiplies it. `thrown` asks for a throw: times this number, or times the usual one when it is 0.
    """

    factor: int = 1
    thrown: int | None = None


USUAL = Special()


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class RentArose(Event, frozen=True, kw_only=True):
    """A player stops on another one's title, who may claim the rent before the next player throws."""

    en: ClassVar[str] = "{owner:seat} may claim a rent of {lander:seat} for {title:title}."
    fr: ClassVar[str] = "{owner:seat} peut réclamer un loyer à {lander:seat} pour {title:title}."

    rent: Rent

    @property
    def owner(self) -> str:
        """Who may claim it."""
        return self.rent.owner

    @property
    def lander(self) -> str:
        """Who would pay it."""
        return self.rent.lander

    @property
    def title(self) -> str:
        """The title."""
        return self.rent.title

    def apply(self, state: Monopoly) -> None:
        """It may be claimed from now on."""
        state.rents.append(self.rent)


@chapter.event
class RentClaimed(Event, frozen=True, kw_only=True):
    """An owner claims a rent."""

    en: ClassVar[str] = "{seat:seat} claims the rent of {title:title} from {lander:seat}."
    fr: ClassVar[str] = "{seat:seat} réclame à {lander:seat} le loyer de {title:title}."

    seat: str
    lander: str
    title: str
    thrown: bool = False
    """Whether the lander has to throw for it first."""

    def apply(self, state: Monopoly) -> None:
        """It is a debt; or the lander has to throw."""
        rents = []
        taken = False
        for one in state.rents:
            if taken or one.claimed or (one.owner, one.lander, one.title) != (self.seat, self.lander, self.title):
                rents.append(one)
                continue
            taken = True
            if self.thrown:
                rents.append(replace(one, claimed=True))
        state.rents = rents


@chapter.event
class RentLapsed(Event, frozen=True, kw_only=True):
    """A rent was not claimed in time."""

    en: ClassVar[str] = "{owner:seat} has not claimed the rent of {title:title}: {lander:seat} keeps it."
    fr: ClassVar[str] = "{owner:seat} n'a pas réclamé le loyer de {title:title} : {lander:seat} le garde."

    owner: str
    lander: str
    title: str

    def apply(self, state: Monopoly) -> None:
        """It may no longer be claimed."""
        gone = (self.owner, self.lander, self.title)
        state.rents = [one for one in state.rents if one.claimed or (one.owner, one.lander, one.title) != gone]


@chapter.event
class RentThrown(Event, frozen=True, kw_only=True):
    """A throw sets a rent; it moves no token, and its doubles count for nothing."""

    en: ClassVar[str] = "{seat:seat} throws {dice:list} for the rent of {title:title}."
    fr: ClassVar[str] = "{seat:seat} lance {dice:list} pour le loyer de {title:title}."

    seat: str
    dice: tuple[int, ...]
    title: str

    def apply(self, state: Monopoly) -> None:
        """The throw is no longer asked for."""
        if state.landing is not None and state.landing.seat == self.seat and state.landing.todo == "throw":
            state.landing = None
            return
        claimed = [one for one in state.rents if one.claimed and one.lander == self.seat]
        state.rents = [one for one in state.rents if not claimed or one != claimed[0]]


# ----------------------------------------------------------------------------------------------
# What a stop costs
# ----------------------------------------------------------------------------------------------


def _owned_of_group(state: Monopoly, owner: str, title: str) -> int:
    return sum(owner_of(state, one) == owner for one in group_of(state, title))


def street_rent(state: Monopoly, owner: str, square: Square) -> tuple[int, Role]:
    """The rent of a street as it stands, and the role of the rule that says so."""
    if has_hotel(state, square.id):
        return square.rents[-1], "rent_built"
    houses = houses_on(state, square.id)
    if houses:
        return square.rents[houses], "rent_built"
    if holds_group(state, owner, square.id):
        unmortgaged = not any(is_mortgaged(state, one) for one in group_of(state, square.id))
        if unmortgaged or not state.settings.full_group_unmortgaged:
            return square.rents[0] * state.settings.full_group_factor, "rent_group"
    return square.rents[0], "rent_base"


def rent_of(
    state: Monopoly, owner: str, square: Square, *, dice: int | None, special: Special = USUAL
) -> tuple[int, int, Role]:
    """The rent of a title: an amount, or what a throw is multiplied by; and the role of its rule.

    `dice` is the total of the move, None where no throw has led there.
    """
    if square.kind == "street":
        amount, role = street_rent(state, owner, square)
        return amount * special.factor, 0, role
    owned = _owned_of_group(state, owner, square.id)
    usual = square.rents[min(owned, len(square.rents)) - 1]
    if square.kind == "station":
        return usual * special.factor, 0, "rent_station"
    whole = owned >= len(group_of(state, square.id)) and owned > 1
    role = "rent_utility_all" if whole else "rent_utility_one"
    if special.thrown is not None:
        return 0, special.thrown or usual, "rent_throw"
    if dice is None or state.settings.utility_throws_anew:
        return 0, usual * special.factor, role
    return usual * special.factor * dice, 0, role


def fall_due(draft: Draft, lander: str, square: Square, *, dice: int | None, special: Special = USUAL) -> None:
    """A player has stopped on a title of another one: the rent may be claimed, or is taken at once."""
    state = draft.state
    owner = owner_of(state, square.id)
    if owner is None or owner == lander or is_mortgaged(state, square.id):
        return
    if owner in state.jailed and not state.settings.rents_in_jail:
        return
    amount, multiplier, role = rent_of(state, owner, square, dice=dice, special=special)
    rule = cite(state, role, square)
    if state.settings.rents_are_claimed:
        rent = Rent(title=square.id, owner=owner, lander=lander, amount=amount, multiplier=multiplier, rule=rule)
        draft.record(RentArose(rule=cite(state, "rent", square), rent=rent))
    elif multiplier:
        number = pieces(state).index[square.id]
        thrown = Landing(seat=lander, square=number, todo="throw", multiplier=multiplier, owner=owner)
        landings.open_landing(draft, thrown)
    else:
        debts.charge(draft, lander, purse(owner), amount, rule=rule, cause="rent", title=square.id)


def lapse(draft: Draft) -> None:
    """The next player throws: what was not claimed is lost."""
    state = draft.state
    for one in [one for one in state.rents if not one.claimed]:
        rule = cite(state, "rent_lapsed") if has_role(state, "rent_lapsed") else one.rule
        draft.record(RentLapsed(rule=rule, owner=one.owner, lander=one.lander, title=one.title))


# ----------------------------------------------------------------------------------------------
# Actions
# ----------------------------------------------------------------------------------------------


@chapter.action(
    summary=("claim a rent", "réclamer un loyer"),
    when=(
        "after another player has stopped on one's title, until the next player throws",
        "après l'arrêt d'un autre sur son titre, jusqu'au jet du joueur suivant",
    ),
)
class ClaimRent(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The owner claims the rent that a stop has opened; of several, the first, unless the title is named."""

    title: TitleId | None = None

    def decide(self, draft: Draft) -> None:
        """Refuse where nothing may be claimed: another one's title, a mortgaged one, too late."""
        state, seat = draft.state, player_in_play(draft)
        rule = cite(state, "rent")
        named = None if self.title is None else title_named(draft, self.title, rule).id
        found = self._found(draft, seat, named)
        if found is None:
            self._refuse(draft, seat, named)
            return
        draft.record(
            RentClaimed(
                rule=rule, seat=seat, lander=found.lander, title=found.title, thrown=bool(found.multiplier)
            )
        )
        if not found.multiplier:
            debts.charge(
                draft,
                found.lander,
                purse(seat),
                found.amount,
                rule=found.rule,
                cause="rent",
                title=found.title,
                at_once=state.settings.claims_paid_at_once,
            )

    def _found(self, draft: Draft, seat: str, title: str | None) -> Rent | None:
        """The rent that is claimed; in a corrected history the only one there is now, also of another title."""
        open_ = _claimable(draft.state, seat)
        found = next((one for one in open_ if title in (None, one.title)), None)
        return open_[0] if found is None and draft.again and len(open_) == 1 else found

    def _refuse(self, draft: Draft, seat: str, title: str | None) -> None:
        state = draft.state
        if title is not None and owner_of(state, title) == seat and is_mortgaged(state, title):
            raise Impossible(
                cite(state, "rent_mortgaged"),
                "{title:title} is mortgaged and earns no rent",
                "{title:title} est hypothéqué et ne rapporte pas de loyer",
                title=title,
            )
        if title is not None and owner_of(state, title) not in (None, seat):
            raise Impossible(
                cite(state, "rent"),
                "{title:title} is {owner:seat}'s, who alone may claim its rent",
                "{title:title} appartient à {owner:seat}, qui seul peut en réclamer le loyer",
                title=title,
                owner=owner_of(state, title),
            )
        role: Role = "rent_lapsed" if has_role(state, "rent_lapsed") else "rent"
        raise Impossible(
            cite(state, role),
            "there is no rent that {seat:seat} may claim: nobody has stopped there since the last player began, "
            "or it is claimed already",
            "il n'y a pas de loyer que {seat:seat} puisse réclamer : personne ne s'y est arrêté depuis que le "
            "dernier joueur a commencé, ou c'est déjà fait",
            seat=seat,
        )

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Each rent to claim; one alone needs no name, so that a corrected history finds another in its place."""
        found = [one.title for one in _claimable(state, seat)]
        if len(found) == 1:
            yield Choice({})
        else:
            yield from (Choice({"title": title}) for title in dict.fromkeys(found))


def _claimable(state: Monopoly, seat: str) -> list[Rent]:
    return [one for one in state.rents if one.owner == seat and not one.claimed]


@chapter.action(
    summary=("throw for a rent", "lancer les dés pour un loyer"),
    when=("when a rent depends on a throw", "quand un loyer dépend d'un jet"),
)
class RollForRent(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who stopped on a utility throws two dice for its rent."""

    dice: Thrown = None
    post: turns.Post = None

    def decide(self, draft: Draft) -> None:
        """Refuse when no rent waits for a throw."""
        state, seat = draft.state, player_in_play(draft)
        found = _awaited(state, seat)
        if found is None:
            raise Impossible(
                cite(state, "rent_throw"),
                "no rent waits for a throw of {seat:seat}",
                "aucun loyer n'attend un jet {seat:de|seat}",
                seat=seat,
            )
        title, owner, multiplier, rule = found
        dice = draft.draws.dice("dice", self.dice, count=2, sides=6)
        turns.cite_post(draft, seat, self.post)
        at_once = state.landing is not None and state.landing.todo == "throw"
        draft.record(RentThrown(rule=cite(state, "rent_throw"), seat=seat, dice=dice, title=title))
        debts.charge(
            draft,
            seat,
            purse(owner),
            sum(dice) * multiplier,
            rule=rule,
            cause="rent",
            title=title,
            at_once=at_once or state.settings.claims_paid_at_once,
        )

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Who has to throw."""
        return (Choice({}),) if _awaited(state, seat) is not None else ()


def _awaited(state: Monopoly, seat: str) -> tuple[str, str, int, str] | None:
    """The title, its owner, the multiplier and the rule of the rent that waits for a throw of this seat."""
    landing = state.landing
    if landing is not None and landing.seat == seat and landing.todo == "throw":
        square = pieces(state).squares[landing.square]
        return square.id, landing.owner, landing.multiplier, cite(state, "rent_throw", square)
    for one in state.rents:
        if one.claimed and one.lander == seat:
            return one.title, one.owner, one.multiplier, one.rule
    return None
