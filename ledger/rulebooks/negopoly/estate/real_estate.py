"""V. Real estate: the rent of a stop, the checks of ownership, and the reset of a title to the bank.

Purchase and sale are in `titles`, mortgages in `mortgages`, houses in `houses`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import Text, TitleId
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.cards import weather
from ledger.rulebooks.negopoly.goods import tank
from ledger.rulebooks.negopoly.table.pieces import TITLES, Title
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    change_turn,
    end_delegations,
    houses_on,
    is_mortgaged,
    is_squatted,
    owner_of,
    square_of,
    title_named,
)
from ledger.rulebooks.negopoly.table.terms import MONEY, USED, attached, player
from ledger.rulebooks.parts.readers import Revealing
from ledger.rulebooks.parts.titles import title_posting

chapter = Chapter("V. Real estate")

_BACK_TO_THE_BANK = frozenset({"house", "mortgage", "squat", "defence"})
"""Commodities returned to the bank by the reset of a title. Everything else on the title, the charges, is lost
(V.B.10).
"""


@chapter.event
class RentPaid(Event, frozen=True, kw_only=True):
    """The visitor of a title pays its owner the rent, into debt if needed (V.A.6, V.A.7, I.B.3)."""

    en: ClassVar[str] = (
        "{seat:seat} pays {owner:seat} {amount:money} of rent for {title:title} "
        "({houses} {houses:plural|house|houses})."
    )
    fr: ClassVar[str] = (
        "{seat:seat} paie {amount:money} de loyer à {owner:seat} pour {title:title} "
        "({houses} {houses:plural|maison|maisons})."
    )

    rule: str = "V.A.6"
    seat: str
    owner: str
    title: str
    houses: int
    amount: int


@chapter.event
class TitleReset(Revealing, frozen=True, kw_only=True):  # lost defences were the owner's secret (I.C.6)
    """A title goes back to the bank with nothing attached to it (V.B.8 to V.B.11).

    `cause` is "sale", "elimination", "ruling", or the effect that resets it.
    """

    en: ClassVar[str] = "{title:title} is reset and returns to the bank ({cause:cause})."
    fr: ClassVar[str] = "Le titre {title:title} est réinitialisé et revient à la banque ({cause:cause})."

    rule: str = "V.B.8"
    title: str
    owner: str
    """The former owner."""
    cause: str
    houses: int = 0
    """The number of houses lost."""
    reason: str = ""
    """The banker's reason, for a ruling."""

    def apply(self, state: Negopoly) -> None:
        """End the delegations of the title."""
        end_delegations(state, self.title)

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the defences."""
        return replace(
            self, postings=tuple(posting for posting in self.postings if posting.commodity != "defence")
        )


def own_title(draft: Draft, seat: str, title_id: str, rule: str) -> Title:
    """Return a title by id after checking that the seat owns the title. No waiver applies."""
    title = title_named(title_id)
    owner = owner_of(draft.state, title.id)
    if owner != seat:
        raise Impossible(
            rule,
            "{title} belongs to {owner:seat}, not to {seat:seat}",
            "{title} appartient à {owner:seat}, pas à {seat:seat}",
            title=title.name,
            owner=owner or BANK,
            seat=seat,
        )
    return title


def rent_due(state: Negopoly, visitor: str, title: str) -> int:
    """Return the rent of the visitor's stop on the title, in whole ₦; 0 if nothing is due (V.A.6 to V.A.8)."""
    owner = owner_of(state, title)
    return 0 if owner in (None, visitor) or was_inert(state, visitor, title) else rent_of(state, title)


def rent_of(state: Negopoly, title: str) -> int:
    """Return the rent of a stop on a player's title, in whole ₦; 0 if inactive (V.A.6, V.A.7)."""
    if is_mortgaged(state, title) or is_squatted(state, title):
        return 0
    rents = TITLES[title].rents
    rent = rents[min(houses_on(state, title), len(rents) - 1)]
    return weather.modified(state, "rent", rent, collects="player")


def rule_of_rent(state: Negopoly, title: str) -> str:
    """Return the rule of a title's rent: with houses, or the base rent."""
    return "V.A.6" if houses_on(state, title) else "V.A.7"


def was_inert(state: Negopoly, visitor: str, title: str) -> bool:
    """Return True if the title became active only after the visitor's stop, so the stop has no effect.

    The rule is about the rent (V.A.8), applied also to a free dose and a check (V.E.6, V.E.15). The stop has no
    effect either if the title has belonged to the visitor meanwhile.
    """
    turn = state.turn
    return turn is not None and turn.seat == visitor and turn.rent_free == square_of(state, title).index


def pay_rent(draft: Draft, visitor: str, title: str) -> None:
    """Post the rent of a stop, if any is due (V.A.6)."""
    amount = rent_due(draft.state, visitor, title)
    owner = owner_of(draft.state, title)
    if not amount or owner is None or tank.spares(draft, visitor, "rent"):
        return
    draft.record(
        RentPaid(
            rule=rule_of_rent(draft.state, title),
            seat=visitor,
            owner=owner,
            title=title,
            houses=houses_on(draft.state, title),
            amount=amount,
            postings=draft.move(MONEY, amount, player(visitor), player(owner)),
        )
    )


def spare_rent(state: Negopoly, title: str) -> None:
    """Waive the rent of the present stop for a title that becomes active again (V.A.8)."""
    square = square_of(state, title).index
    if state.turn is not None and state.turn.stop == square:
        change_turn(state, rent_free=square)


def spare_owner(state: Negopoly, title: str, *owners: str) -> None:
    """Waive the rent of the present stop for a title bought from or by the player on the square (V.A.6).

    The player has stopped on a title of the player or of the bank, or has taken over the right to the rent.
    """
    if state.turn is not None and state.turn.seat in owners:
        spare_rent(state, title)


def reset(draft: Draft, title: str, *, cause: str, rule: str, reason: str = "") -> None:
    """Return a title to the bank with nothing attached (V.B.8 to V.B.11). Raises Impossible for a title of the
    bank.
    """
    owner = owner_of(draft.state, title)
    if owner is None:
        raise Impossible(
            rule,
            "{title} belongs to the bank already",
            "{title} appartient déjà à la banque",
            title=TITLES[title].name,
        )
    account = attached(title)
    draft.record(
        TitleReset(
            rule=rule,
            title=title,
            owner=owner,
            cause=cause,
            houses=houses_on(draft.state, title),
            reason=reason,
            postings=(
                title_posting(title, player(owner), BANK),
                *(
                    Posting(piece, amount, account, BANK if piece in _BACK_TO_THE_BANK else USED)
                    for piece, amount in sorted(draft.state.holdings.account(account).items())
                ),
            ),
        )
    )


@chapter.action(
    by=("banker",),
    summary=("reset a title by ruling", "réinitialiser une propriété par décision"),
    when=("at any moment", "à tout moment"),
)
class ResetProperty(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker rules that a title goes back to the bank (V.B.8)."""

    title: TitleId
    reason: Text

    def decide(self, draft: Draft) -> None:
        """Refuse a title of the bank. The owner gets nothing (V.B.9)."""
        title = title_named(self.title)
        reset(draft, title.id, cause="ruling", rule="V.B.8", reason=self.reason)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer every title with an owner."""
        for title in TITLES:
            if owner_of(state, title) is not None:
                yield Choice({"title": title, "reason": "ruling"}, free=("reason",), alike="any")
