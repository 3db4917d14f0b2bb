"""Rents: the price of a stop, claimed by the owner or taken at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import TitleId
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.debts import debts, promises
from ledger.rulebooks.monopoly.table.dice import Thrown
from ledger.rulebooks.monopoly.table.pieces import Square
from ledger.rulebooks.monopoly.table.roles import Role
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    cite,
    group_of,
    has_role,
    holds_group,
    in_row,
    is_mortgaged,
    kept_for,
    level,
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
    """A card's change to the rent at the end of the move.

    `factor` multiplies the rent. `thrown` demands a throw: times this number, or times the usual multiplier for
    0.
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

    en: ClassVar[str] = "{owner:seat} may claim the rent of {title:title} from {lander:seat}."
    fr: ClassVar[str] = "{owner:seat} peut réclamer à {lander:seat} le loyer {title:de|title}."

    rent: Rent

    @property
    def owner(self) -> str:
        """The seat with the right to claim."""
        return self.rent.owner

    @property
    def lander(self) -> str:
        """The seat of the player on the title."""
        return self.rent.lander

    @property
    def title(self) -> str:
        """The title."""
        return self.rent.title

    def apply(self, state: Monopoly) -> None:
        """Open the rent to a claim."""
        state.rents.append(self.rent)


@chapter.event
class RentClaimed(Event, frozen=True, kw_only=True):
    """An owner claims a rent."""

    en: ClassVar[str] = "{seat:seat} claims the rent of {title:title} from {lander:seat}."
    fr: ClassVar[str] = "{seat:seat} réclame à {lander:seat} le loyer {title:de|title}."

    seat: str
    lander: str
    title: str
    thrown: bool = False
    """True if the lander has to throw for the rent first."""

    def apply(self, state: Monopoly) -> None:
        """Remove the claimed rent, or mark it as claimed if the lander has to throw."""
        rents = []
        matched = False
        for rent in state.rents:
            if (
                matched
                or rent.claimed
                or (rent.owner, rent.lander, rent.title) != (self.seat, self.lander, self.title)
            ):
                rents.append(rent)
                continue
            matched = True
            if self.thrown:
                rents.append(replace(rent, claimed=True))
        state.rents = rents


@chapter.event
class RentLapsed(Event, frozen=True, kw_only=True):
    """A rent was not claimed in time."""

    en: ClassVar[str] = "{owner:seat} has not claimed the rent of {title:title}: {lander:seat} keeps it."
    fr: ClassVar[str] = "{owner:seat} n'a pas réclamé le loyer {title:de|title} : {lander:seat} le garde."

    owner: str
    lander: str
    title: str

    def apply(self, state: Monopoly) -> None:
        """Remove the unclaimed rent."""
        gone = (self.owner, self.lander, self.title)
        state.rents = [
            rent for rent in state.rents if rent.claimed or (rent.owner, rent.lander, rent.title) != gone
        ]


@chapter.event
class RentThrown(Event, frozen=True, kw_only=True):
    """A throw sets a rent; it moves no token, and its doubles count for nothing."""

    en: ClassVar[str] = "{seat:seat} throws {dice:list} for the rent of {title:title}."
    fr: ClassVar[str] = "{seat:seat} lance {dice:list} pour le loyer {title:de|title}."

    seat: str
    dice: tuple[int, ...]
    title: str

    def apply(self, state: Monopoly) -> None:
        """Drop the demand for the throw."""
        if state.landing is not None and state.landing.seat == self.seat and state.landing.todo == "throw":
            state.landing = None
            return
        claimed = [rent for rent in state.rents if rent.claimed and rent.lander == self.seat]
        state.rents = [rent for rent in state.rents if not claimed or rent != claimed[0]]


# ----------------------------------------------------------------------------------------------
# The price of a stop
# ----------------------------------------------------------------------------------------------


def _owned_of_group(state: Monopoly, owner: str, title: str) -> int:
    return sum(owner_of(state, member) == owner for member in group_of(state, title))


def street_rent(state: Monopoly, owner: str, square: Square) -> tuple[int, Role]:
    """Return the rent of a street with its present buildings, and the role of the rule."""
    built = level(state, square.id)
    if built:
        return square.rent_at(built, state.settings.houses_per_hotel), "rent_built"
    if square.group not in pieces(state).unrisen and holds_group(state, owner, square.id):
        unmortgaged = not any(is_mortgaged(state, member) for member in group_of(state, square.id))
        if unmortgaged or not state.settings.full_group_unmortgaged:
            return square.rents[0] * state.settings.full_group_factor, "rent_group"
    if in_row(state, owner, square.id) and not (square.group and square.group in pieces(state).unrisen):
        return square.rents[0] * state.settings.full_group_factor, "rent_row"
    return square.rents[0], "rent_base"


def rent_of(
    state: Monopoly, owner: str, square: Square, *, dice: int | None, special: Special = USUAL
) -> tuple[int, int, Role]:
    """Return the rent of a title: an amount, or a multiplier of a throw; and the role of the rule.

    `dice` is the total of the move, None for a move without a throw.
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


def _earns(state: Monopoly, owner: str, square: Square) -> bool:
    in_jail = owner in state.jailed and not state.settings.rents_in_jail
    return not is_mortgaged(state, square.id) and not in_jail


def rent_now(state: Monopoly, owner: str, square: Square) -> tuple[int, int | UnsetType]:
    """Return the rent of a stop now, and the rent for each pip of a throw."""
    if not _earns(state, owner, square):
        return 0, UNSET
    amount, multiplier, _ = rent_of(state, owner, square, dice=None)
    return amount, multiplier or UNSET


def fall_due(draft: Draft, lander: str, square: Square, *, dice: int | None, special: Special = USUAL) -> None:
    """Open a rent to a claim, or take the rent at once, after a stop on another player's title. A free stay spares
    the rent.
    """
    state = draft.state
    owner = owner_of(state, square.id)
    if owner is None or owner == lander or not _earns(state, owner, square):
        return
    amount, multiplier, role = rent_of(state, owner, square, dice=dice, special=special)
    if (amount or multiplier) and promises.spares(draft, lander, square.id):
        return
    rule = cite(state, role, square)
    if state.settings.rents_are_claimed:
        rent = Rent(title=square.id, owner=owner, lander=lander, amount=amount, multiplier=multiplier, rule=rule)
        draft.record(RentArose(rule=cite(state, "rent", square), rent=rent))
    elif multiplier:
        number = pieces(state).index[square.id]
        thrown = Landing(seat=lander, square=number, todo="throw", multiplier=multiplier, owner=owner)
        landings.open_landing(draft, thrown)
    else:
        at_once = not _may_change(state, lander, owner)
        debts.charge(
            draft, lander, purse(owner), amount, rule=rule, cause="rent", title=square.id, at_once=at_once
        )


def _may_change(state: Monopoly, lander: str, owner: str) -> bool:
    """Return True if a kept card may still waive or double the rent, so that the payment has to wait."""
    return bool(kept_for(state, lander, "no_rent") or kept_for(state, owner, "double_rent"))


def lapse(draft: Draft) -> None:
    """Let unclaimed rents lapse, at the throw of the next player."""
    state = draft.state
    for rent in [rent for rent in state.rents if not rent.claimed]:
        rule = cite(state, "rent_lapsed") if has_role(state, "rent_lapsed") else rent.rule
        draft.record(RentLapsed(rule=rule, owner=rent.owner, lander=rent.lander, title=rent.title))


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
        """Refuse without a rent to claim: another player's title, a mortgaged title, a claim too late."""
        state, seat = draft.state, player_in_play(draft)
        rule = cite(state, "rent")
        named = None if self.title is None else title_named(draft, self.title, rule).id
        rents = _claimable(state, seat)
        rent = next((candidate for candidate in rents if named in (None, candidate.title)), None)
        if rent is None:
            refusal = self._refusal(state, seat, named)
            if len(rents) != 1:
                raise refusal
            draft.refuse_now(refusal)
            (rent,) = rents  # in a corrected history the only rent left, even of another title
        draft.record(
            RentClaimed(rule=rule, seat=seat, lander=rent.lander, title=rent.title, thrown=bool(rent.multiplier))
        )
        if not rent.multiplier:
            debts.charge(
                draft,
                rent.lander,
                purse(seat),
                rent.amount,
                rule=rent.rule,
                cause="rent",
                title=rent.title,
                at_once=state.settings.claims_paid_at_once and not _may_change(state, rent.lander, seat),
            )

    def _refusal(self, state: Monopoly, seat: str, title: str | None) -> Impossible:
        if title is not None and owner_of(state, title) == seat and is_mortgaged(state, title):
            return Impossible(
                cite(state, "rent_mortgaged"),
                "{title:title} is mortgaged and earns no rent",
                "{title:title} est hypothéqué et ne rapporte pas de loyer",
                title=title,
            )
        if title is not None and owner_of(state, title) not in (None, seat):
            return Impossible(
                cite(state, "rent"),
                "{title:title} is {owner:seat}'s, who alone may claim its rent",
                "{title:title} appartient à {owner:seat}, qui seul peut en réclamer le loyer",
                title=title,
                owner=owner_of(state, title),
            )
        role: Role = "rent_lapsed" if has_role(state, "rent_lapsed") else "rent"
        return Impossible(
            cite(state, role),
            "there is no rent that {seat:seat} may claim: nobody has stopped there since the last player began, "
            "or it is claimed already",
            "il n'y a pas de loyer que {seat:seat} puisse réclamer : personne ne s'y est arrêté depuis que le "
            "dernier joueur a commencé, ou c'est déjà fait",
            seat=seat,
        )

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer each rent; a single rent goes unnamed, so a corrected history may put another rent in its
        place.
        """
        claimable = [rent.title for rent in _claimable(state, seat)]
        if len(claimable) == 1:
            yield Choice({})
        else:
            yield from (Choice({"title": title}) for title in dict.fromkeys(claimable))


def _claimable(state: Monopoly, seat: str) -> list[Rent]:
    return [rent for rent in state.rents if rent.owner == seat and not rent.claimed]


@chapter.action(
    summary=("throw for a rent", "lancer les dés pour un loyer"),
    when=("when a rent depends on a throw", "quand un loyer dépend d'un jet"),
)
class RollForRent(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who stopped on a utility throws two dice for its rent."""

    dice: Thrown = None
    post: turns.Post = None

    def decide(self, draft: Draft) -> None:
        """Refuse without a rent in need of a throw."""
        state, seat = draft.state, player_in_play(draft)
        due = _awaited(state, seat)
        if due is None:
            raise Impossible(
                cite(state, "rent_throw"),
                "no rent waits for a throw of {seat:seat}",
                "aucun loyer n'attend un jet {seat:de|seat}",
                seat=seat,
            )
        title, owner, multiplier, rule = due
        dice = draft.draws.dice("dice", self.dice, count=pieces(state).thrown, sides=6)
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
            at_once=(at_once or state.settings.claims_paid_at_once) and not _may_change(state, seat, owner),
        )

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the throw to a player with a rent to throw for."""
        return (Choice({}),) if _awaited(state, seat) is not None else ()


def _awaited(state: Monopoly, seat: str) -> tuple[str, str, int, str] | None:
    """Return the title, the owner, the multiplier and the rule of the rent in need of a throw by the seat."""
    landing = state.landing
    if landing is not None and landing.seat == seat and landing.todo == "throw":
        square = pieces(state).squares[landing.square]
        return square.id, landing.owner, landing.multiplier, cite(state, "rent_throw", square)
    for rent in state.rents:
        if rent.claimed and rent.lander == seat:
            return rent.title, rent.owner, rent.multiplier, rent.rule
    return None
