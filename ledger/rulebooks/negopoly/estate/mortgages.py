"""V.B and V.D.2. Mortgages: taken from anywhere, lifted when passing, and forced buy-backs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import SeatId, TitleId
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.arsenal import disruption
from ledger.rulebooks.negopoly.estate import remote_property
from ledger.rulebooks.negopoly.estate.real_estate import own_title, spare_rent
from ledger.rulebooks.negopoly.table.pieces import TITLES, Title
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    end_delegations,
    is_mortgaged,
    others_in_play,
    own_turn,
    owner_of,
    pay,
    seat_named,
    still_in,
    title_named,
    titles_of,
)
from ledger.rulebooks.negopoly.table.terms import MONEY, attached, player
from ledger.rulebooks.parts.titles import title_posting

chapter = Chapter("V.B. Mortgages")


@chapter.event
class TitleMortgaged(Event, frozen=True, kw_only=True):
    """A title is mortgaged and becomes inert (V.B.1).

    `cause` is "owner", or the effect that imposes it (V.B.3).
    """

    en: ClassVar[str] = "{title:title} of {owner:seat} is mortgaged by {cause:cause}; {paid:money} paid."
    fr: ClassVar[str] = (
        "Le titre {title:title} {owner:de|seat} est hypothéqué par {cause:cause} ; {paid:money} versés."
    )

    rule: str = "V.B.3"
    title: str
    owner: str
    cause: str
    paid: int = 0
    """The amount paid by the bank to the owner; 0 for an imposed mortgage."""


@chapter.event
class UnmortgageDelegated(Event, frozen=True, kw_only=True):
    """An owner allows another player to unmortgage a title when passing (V.B.5)."""

    en: ClassVar[str] = "{owner:seat} lets {to:seat} unmortgage {title:title}, at the expense of {payer:seat}."
    fr: ClassVar[str] = (
        "{owner:seat} laisse {to:seat} lever l'hypothèque {title:de|title}, aux frais {payer:de|seat}."
    )

    rule: str = "V.B.5"
    title: str
    owner: str
    to: str
    payer: str

    def apply(self, state: Negopoly) -> None:
        """Store the delegation. The latest delegation decides who pays."""
        state.delegations = {
            delegation for delegation in state.delegations if delegation[:2] != (self.title, self.to)
        }
        state.delegations.add((self.title, self.to, self.payer))


@chapter.event
class DelegationRevoked(Event, frozen=True, kw_only=True):
    """An owner revokes an unused delegation (V.B.5)."""

    en: ClassVar[str] = "{owner:seat} no longer lets {to:seat} unmortgage {title:title}."
    fr: ClassVar[str] = "{owner:seat} ne laisse plus {to:seat} lever l'hypothèque {title:de|title}."

    rule: str = "V.B.5"
    title: str
    owner: str
    to: str

    def apply(self, state: Negopoly) -> None:
        """Remove the delegation."""
        state.delegations = {
            delegation for delegation in state.delegations if delegation[:2] != (self.title, self.to)
        }


@chapter.event
class TitleUnmortgaged(Event, frozen=True, kw_only=True):
    """The owner or a delegate lifts a mortgage when passing (V.B.4, V.B.5)."""

    en: ClassVar[str] = "{seat:seat} lifts the mortgage of {title:title}; {payer:seat} pays {cost:money}."
    fr: ClassVar[str] = "{seat:seat} lève l'hypothèque {title:de|title} ; {payer:seat} paie {cost:money}."

    rule: str = "V.B.4"
    seat: str
    title: str
    owner: str
    payer: str
    cost: int

    def apply(self, state: Negopoly) -> None:
        """End the delegations of the title, and waive the rent of the present stop (V.A.8)."""
        end_delegations(state, self.title)
        spare_rent(state, self.title)


@chapter.event
class TitleBoughtBack(Event, frozen=True, kw_only=True):
    """Another player takes a mortgaged title and lifts its mortgage, without the owner's consent (V.B.6)."""

    en: ClassVar[str] = "{seat:seat} takes {title:title} from {owner:seat} for {price:money} paid to the bank."
    fr: ClassVar[str] = "{seat:seat} prend {title:title} à {owner:seat} pour {price:money} versés à la banque."

    rule: str = "V.B.6"
    seat: str
    title: str
    owner: str
    """The former owner."""
    price: int

    def apply(self, state: Negopoly) -> None:
        """End the delegations of the title, and waive the rent of the present stop (V.A.8)."""
        end_delegations(state, self.title)
        spare_rent(state, self.title)


@chapter.event
class MortgageLifted(Event, frozen=True, kw_only=True):
    """A ruling lifts the mortgage of a title; what its owner pays goes into debt if need be (V.B.4, I.B.3)."""

    en: ClassVar[str] = "By a ruling, the mortgage of {title:title} is lifted; {owner:seat} pays {cost:money}."
    fr: ClassVar[str] = (
        "Par une décision, l'hypothèque {title:de|title} est levée ; {owner:seat} paie {cost:money}."
    )

    rule: str = "V.B.4"
    title: str
    owner: str
    cost: int

    def apply(self, state: Negopoly) -> None:
        """End the delegations of the title, and waive the rent of the present stop (V.A.8)."""
        end_delegations(state, self.title)
        spare_rent(state, self.title)


def unmortgage_cost(state: Negopoly, title: Title) -> int:
    """Return the cost of lifting the mortgage, in whole ₦: the mortgage value with interest, rounded up
    (V.B.4).
    """
    percent: int = 100 + state.settings.unmortgage_interest_percent
    return -(-title.mortgage * percent // 100)


def mortgage(draft: Draft, title: Title, *, cause: str, rule: str, paid: int = 0) -> None:
    """Mortgage a player's title. `paid` is the amount from the bank, 0 for an imposed mortgage (V.B.3).

    Raises Impossible for a title of the bank, and for a mortgaged title.
    """
    owner = owner_of(draft.state, title.id)
    if owner is None or is_mortgaged(draft.state, title.id):
        raise not_mortgageable(owner, title, rule)
    marker = Posting("mortgage", 1, BANK, attached(title.id))
    draft.record(
        TitleMortgaged(
            rule=rule,
            title=title.id,
            owner=owner,
            cause=cause,
            paid=paid,
            postings=(marker, *draft.move(MONEY, paid, BANK, player(owner))),
        )
    )


def not_mortgageable(owner: str | None, title: Title, rule: str) -> Impossible:
    """Return the refusal to mortgage a title of the bank, or a mortgaged title."""
    if owner is None:
        return Impossible(
            rule,
            "{title} belongs to the bank and cannot be mortgaged",
            "le titre {title} appartient à la banque et ne peut pas être hypothéqué",
            title=title.name,
        )
    return Impossible(
        rule, "{title} is already mortgaged", "le titre {title} est déjà hypothéqué", title=title.name
    )


def lift(draft: Draft, title: Title, *, paid: bool) -> None:
    """Lift the mortgage of a title by ruling. The owner pays the cost only with `paid`.

    Raises Impossible for a title without a mortgage.
    """
    owner = _mortgaged(draft, title, "V.B.4")
    cost = unmortgage_cost(draft.state, title) if paid else 0
    marker = Posting("mortgage", 1, attached(title.id), BANK)
    draft.record(
        MortgageLifted(
            title=title.id,
            owner=owner,
            cost=cost,
            postings=(*draft.move(MONEY, cost, player(owner), BANK), marker),
        )
    )


def _mortgaged(draft: Draft, title: Title, rule: str) -> str:
    """Return the owner of a mortgaged title. Raises Impossible, citing the rule, for a title without a
    mortgage.
    """
    owner = owner_of(draft.state, title.id)
    if owner is None or not is_mortgaged(draft.state, title.id):
        raise not_mortgaged(title, rule)
    return owner


def not_mortgaged(title: Title, rule: str) -> Impossible:
    """Return the refusal of a title without a mortgage."""
    return Impossible(rule, "{title} is not mortgaged", "le titre {title} n'est pas hypothéqué", title=title.name)


def _mortgaged_titles(state: Negopoly) -> list[str]:
    return [title for title in TITLES if is_mortgaged(state, title)]


@chapter.action(
    summary=("mortgage one's title", "hypothéquer sa propriété"),
    when=("in your own turn, from anywhere", "pendant son tour, de n'importe où"),
)
class MortgageProperty(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The owner of a title mortgages it in their turn, from anywhere, and gets its mortgage value (V.D.2)."""

    title: TitleId

    def decide(self, draft: Draft) -> None:
        """Refuse a title of another owner and a mortgaged title. Houses stay on the title."""
        own_turn(draft, "V.D.2")
        title = own_title(draft, draft.seat, self.title, "V.D.2")
        disruption.require_title_in_reach(draft, title.id)
        paid = title.mortgage if draft.state.settings.voluntary_mortgage_pays else 0
        mortgage(draft, title, cause="owner", rule="V.D.2", paid=paid)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each title of the player without a mortgage."""
        alike = None if state.blackouts else "any"  # a bomb leaves only the title under the token (IX.C.25)
        free_of_it = [title for title in titles_of(state, seat) if not is_mortgaged(state, title)]
        return [Choice({"title": title}, alike=alike) for title in free_of_it]


@chapter.action(
    summary=("lift the mortgage of a title", "lever l'hypothèque d'une propriété"),
    when=(
        "in your own turn, passing by the title, or from anywhere holding the Bleu foncé quarter",
        "pendant son tour, en passant sur la propriété, ou de partout en tenant le quartier Bleu foncé",
    ),
)
class UnmortgageProperty(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The owner or a delegate lifts a mortgage when passing, for its value with interest (V.B.4, V.B.5)."""

    title: TitleId

    def decide(self, draft: Draft) -> None:
        """Refuse any other player. The owner keeps the title."""
        title = title_named(self.title)
        own_turn(draft, "V.B.4")
        seat = draft.seat
        owner = _mortgaged(draft, title, "V.B.4")
        payers = {to: payer for delegated, to, payer in draft.state.delegations if delegated == title.id}
        payers[owner] = owner
        draft.require(
            seat in payers,
            "V.B.5",
            "{title} is {owner:seat}'s, who has not let {seat:seat} unmortgage it",
            "{title} est à {owner:seat}, qui n'a pas laissé {seat:seat} en lever l'hypothèque",
            title=title.name,
            owner=owner,
            seat=seat,
        )
        from_afar = remote_property.reach(draft, title.id)
        cost = unmortgage_cost(draft.state, title)
        payer = payers.get(seat, seat)
        payment = pay(draft, payer, cost, "V.B.4")
        draft.record(
            TitleUnmortgaged(
                rule=from_afar or ("V.B.4" if seat == owner else "V.B.5"),
                seat=seat,
                title=title.id,
                owner=owner,
                payer=payer,
                cost=cost,
                postings=(*payment, Posting("mortgage", 1, attached(title.id), BANK)),
            )
        )

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each mortgaged title that the player owns, or may unmortgage for its owner."""
        delegated = {title for title, to, _ in state.delegations if to == seat}
        for title in _mortgaged_titles(state):
            if title in delegated or owner_of(state, title) == seat:
                yield Choice({"title": title})


@chapter.action(
    summary=("let another player unmortgage one's title", "laisser un autre joueur lever son hypothèque"),
    when=("at any moment, while the title is mortgaged", "à tout moment, tant que la propriété est hypothéquée"),
)
class DelegateUnmortgage(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The owner of a mortgaged title lets another player lift the mortgage when passing (V.B.5)."""

    title: TitleId
    to: SeatId
    owner_pays: bool = False
    """True: the owner pays; false: the delegate pays."""

    def decide(self, draft: Draft) -> None:
        """Refuse a delegation to oneself, and a repeated delegation. No turn is needed (II.D.1)."""
        seat = still_in(draft)
        title = own_title(draft, seat, self.title, "V.B.5")
        _mortgaged(draft, title, "V.B.5")
        to = seat_named(draft.state, self.to, "V.B.5")
        if to == seat:
            raise Impossible(
                "V.B.5",
                "{seat:seat} needs no leave of their own",
                "{seat:seat} n'a pas à se donner l'autorisation",
                seat=seat,
            )
        delegated = UnmortgageDelegated(title=title.id, owner=seat, to=to, payer=seat if self.owner_pays else to)
        if (title.id, to, delegated.payer) in draft.state.delegations:
            raise Impossible(
                "V.B.5",
                "{to:seat} may already unmortgage {title}",
                "{to:seat} peut déjà lever l'hypothèque de {title}",
                to=to,
                title=title.name,
            )
        draft.record(delegated)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each mortgaged title of the player to each rival, at the cost of the owner or of the delegate."""
        for title in titles_of(state, seat):
            if is_mortgaged(state, title):
                for delegate in others_in_play(state, seat):
                    for owner_pays, payer in ((False, delegate), (True, seat)):
                        if (title, delegate, payer) not in state.delegations:
                            yield Choice({"title": title, "to": delegate, "owner_pays": owner_pays}, alike="any")


@chapter.action(
    summary=("take a delegation back", "retirer une délégation"),
    when=("at any moment until it is used", "à tout moment jusqu'à son usage"),
)
class RevokeDelegation(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The owner of a title revokes a delegation (V.B.5)."""

    title: TitleId
    to: SeatId

    def decide(self, draft: Draft) -> None:
        """Refuse without a delegation. A used delegation has ended."""
        seat = still_in(draft)
        title = own_title(draft, seat, self.title, "V.B.5")
        if not any(delegation[:2] == (title.id, self.to) for delegation in draft.state.delegations):
            raise Impossible(
                "V.B.5",
                "{to:seat} has no leave to unmortgage {title}",
                "{to:seat} n'a pas l'autorisation de lever l'hypothèque de {title}",
                to=self.to,
                title=title.name,
            )
        draft.record(DelegationRevoked(title=title.id, owner=seat, to=self.to))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each delegation given by the player."""
        for title, to, _ in sorted(state.delegations):
            if owner_of(state, title) == seat:
                yield Choice({"title": title, "to": to})


@chapter.action(
    summary=("take a mortgaged title by forced buy-back", "racheter de force une propriété hypothéquée"),
    when=(
        "in your own turn, passing by the title, or from anywhere holding the Bleu foncé quarter",
        "pendant son tour, en passant sur la propriété, ou de partout en tenant le quartier Bleu foncé",
    ),
)
class ForceBuyback(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player takes another player's mortgaged title for twice its price, paid to the bank (V.B.6)."""

    title: TitleId

    def decide(self, draft: Draft) -> None:
        """Transfer the title with everything attached, except the mortgage (V.B.7)."""
        title = title_named(self.title)
        own_turn(draft, "II.D.4")
        seat = draft.seat
        owner = _mortgaged(draft, title, "V.B.6")
        if owner == seat:
            raise Impossible(
                "V.B.6",
                "{title} is {seat:seat}'s own: an owner unmortgages it instead",
                "{title} est déjà à {seat:seat} : un propriétaire lève son hypothèque",
                title=title.name,
                seat=seat,
            )
        from_afar = remote_property.reach(draft, title.id)
        price = 2 * title.price
        payment = pay(draft, seat, price, "V.B.6")
        draft.record(
            TitleBoughtBack(
                rule=from_afar or "V.B.6",
                seat=seat,
                title=title.id,
                owner=owner,
                price=price,
                postings=(
                    *payment,
                    title_posting(title.id, player(owner), player(seat)),
                    Posting("mortgage", 1, attached(title.id), BANK),
                ),
            )
        )

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each mortgaged title of another player."""
        return [Choice({"title": title}) for title in _mortgaged_titles(state) if owner_of(state, title) != seat]
