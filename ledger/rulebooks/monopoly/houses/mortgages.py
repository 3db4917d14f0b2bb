"""Mortgages: the bank lends on titles, and takes interest for lifting a mortgage or keeping another one's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import TitleId
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.debts import debts
from ledger.rulebooks.monopoly.table.pieces import Square
from ledger.rulebooks.monopoly.table.roles import Role
from ledger.rulebooks.monopoly.table.settings import fraction
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    cash,
    cite,
    currency,
    is_built,
    is_mortgaged,
    joined,
    owner_of,
    pieces,
    player_in_play,
    title_named,
    titles_of,
)
from ledger.rulebooks.monopoly.table.terms import MORTGAGE
from ledger.rulebooks.parts import titles
from ledger.rulebooks.parts.seats import player as purse

chapter = Chapter("Mortgages")


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class TitleMortgaged(Event, frozen=True, kw_only=True):
    """The bank lends the mortgage value of a title."""

    en: ClassVar[str] = "{seat:seat} mortgages {title:title} and receives {amount:money}."
    fr: ClassVar[str] = "{seat:seat} hypothèque {title:title} et reçoit {amount:money}."

    seat: str
    title: str
    amount: int


@chapter.event
class MortgageLifted(Event, frozen=True, kw_only=True):
    """The owner of a title pays the bank, and the mortgage is gone."""

    en: ClassVar[str] = "{seat:seat} lifts the mortgage of {title:title} for {amount:money}."
    fr: ClassVar[str] = "{seat:seat} lève l'hypothèque de {title:title} pour {amount:money}."

    seat: str
    title: str
    amount: int
    """The total paid."""
    interest: int = 0
    """The part of the total for interest."""

    def apply(self, state: Monopoly) -> None:
        """End the choice about the title received."""
        forget_received(state, (self.title,))


@chapter.event
class MortgageKept(Event, frozen=True, kw_only=True):
    """A creditor keeps the mortgage of a title that a bankrupt has left."""

    en: ClassVar[str] = "{seat:seat} keeps the mortgage of {title:title}."
    fr: ClassVar[str] = "{seat:seat} garde l'hypothèque de {title:title}."

    seat: str
    title: str

    def apply(self, state: Monopoly) -> None:
        """End the choice about the title received."""
        forget_received(state, (self.title,))


def forget_received(state: Monopoly, gone: Iterable[str]) -> None:
    """End a creditor's choice about titles received from a bankrupt."""
    settled = set(gone)
    if state.received:
        state.received = [received for received in state.received if received.title not in settled]


# ----------------------------------------------------------------------------------------------
# Values of mortgages
# ----------------------------------------------------------------------------------------------


def interest(state: Monopoly, title: str) -> int:
    """Return the interest on the mortgage of a title, rounded by the settings."""
    settings = state.settings
    value = pieces(state).titles[title].mortgage
    return fraction(value, settings.mortgage_interest, settings.interest_rounding)


def mortgage_value_left(state: Monopoly, seat: str) -> int:
    """Return the money from mortgaging all titles of a player, once the buildings are sold."""
    squares = pieces(state).titles
    return sum(squares[title].mortgage for title in titles_of(state, seat) if not is_mortgaged(state, title))


def put(draft: Draft, seat: str, title: str, *, rule: str) -> None:
    """Record a mortgage: the bank pays the owner the mortgage value."""
    value = pieces(draft.state).titles[title].mortgage
    lent = draft.move(currency(draft.state), value, BANK, purse(seat))
    laid = Posting(MORTGAGE, 1, BANK, titles.attached(title))
    draft.record(TitleMortgaged(rule=rule, seat=seat, title=title, amount=value, postings=(laid, *lent)))


def lift(draft: Draft, seat: str, title: str, amount: int, *, rule: str, interest: int = 0) -> None:
    """Record the lifting of a mortgage for an amount paid to the bank. Refuses like `debts.spend`."""
    paid = debts.spend(draft, seat, amount, rule)
    lifted = Posting(MORTGAGE, 1, titles.attached(title), BANK)
    draft.record(
        MortgageLifted(
            rule=rule, seat=seat, title=title, amount=amount, interest=interest, postings=(*paid, lifted)
        )
    )


def lapse(draft: Draft, seat: str) -> None:
    """Keep the mortgages of a bankrupt's titles not lifted by the new owner: the dice go on.

    A title with interest still owed waits.
    """
    state = draft.state
    for received in [received for received in state.received if received.seat == seat]:
        if not owes_interest(state, seat, received.title):
            draft.record(MortgageKept(rule=cite(state, "bankrupt_lift"), seat=seat, title=received.title))


def owes_interest(state: Monopoly, seat: str, title: str) -> bool:
    """Return True if interest on the mortgage of a title received is still owed."""
    return any(debt.debtor == seat and debt.cause == "interest" and debt.title == title for debt in state.debts)


def _is_received(state: Monopoly, seat: str, title: str) -> bool:
    return any(received.seat == seat and received.title == title for received in state.received)


# ----------------------------------------------------------------------------------------------
# Actions
# ----------------------------------------------------------------------------------------------


def _own_title(draft: Draft, seat: str, named: str, role: Role) -> Square:
    """Return a title owned by the seat. Raises Impossible by the rule of the role for another owner's title."""
    rule = cite(draft.state, role)
    square = title_named(draft, named, rule)
    if owner_of(draft.state, square.id) != seat:
        raise Impossible(
            rule,
            "{title:title} is not {seat:seat}'s",
            "{title:title} n'appartient pas à {seat:seat}",
            title=square.id,
            seat=seat,
        )
    return square


@chapter.action(
    summary=("mortgage a title", "hypothéquer un titre"),
    when=("when money is needed for a debt", "quand il faut de l'argent pour une dette"),
)
class Mortgage(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The owner of a title borrows its mortgage value from the bank."""

    title: TitleId

    def decide(self, draft: Draft) -> None:
        """Refuse another player's title, a second mortgage, a mortgage without need, and one beside buildings
        of the group.
        """
        state, seat = draft.state, player_in_play(draft)
        title = _own_title(draft, seat, self.title, "mortgage").id
        if is_mortgaged(state, title):
            raise Impossible(
                cite(state, "mortgage"),
                "{title:title} is mortgaged already",
                "{title:title} est déjà hypothéqué",
                title=title,
            )
        if state.settings.mortgage_needs_debt:
            draft.require(
                debts.short_of_cash(state, seat),
                cite(state, "mortgage_debt"),
                "{seat:seat} may mortgage only for a debt that is due and above their money: {owed:money} due, "
                "{held:money} in hand",
                "{seat:seat} ne peut hypothéquer que pour une dette due et supérieure à son argent : "
                "{owed:money} à payer, {held:money} en main",
                seat=seat,
                owed=debts.owed_by(state, seat),
                held=cash(state, seat),
            )
        draft.require(
            not is_built(state, joined(state, title)),
            cite(state, "mortgage_built"),
            "the buildings of the group of {title:title} have to be sold first",
            "il faut d'abord vendre les bâtiments du groupe de {title:title}",
            title=title,
        )
        put(draft, seat, title, rule=cite(state, "mortgage"))

    @classmethod
    def legal(cls, state: Monopoly, seat: str) -> Iterator[dict[str, Any]]:
        """Yield the parameters of each legal mortgage of play."""
        if state.settings.mortgage_needs_debt and not debts.short_of_cash(state, seat):
            return
        for title in titles_of(state, seat):
            if not is_mortgaged(state, title) and not is_built(state, joined(state, title)):
                yield {"title": title}

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer each title open to a mortgage."""
        return (Choice(params, alike="any") for params in cls.legal(state, seat))


@chapter.action(
    summary=("lift a mortgage", "lever une hypothèque"),
    when=("at any time, as the owner", "à tout moment, pour qui a le titre"),
)
class Unmortgage(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The owner pays back the mortgage value, with interest."""

    title: TitleId

    def decide(self, draft: Draft) -> None:
        """Refuse another player's title, a title without a mortgage, and an expense beyond the money.

        A title just received from a bankrupt costs no more interest, like `SettleMortgageTransfer`.
        """
        state, seat = draft.state, player_in_play(draft)
        square = _own_title(draft, seat, self.title, "unmortgage")
        if not is_mortgaged(state, square.id):
            raise Impossible(
                cite(state, "unmortgage"),
                "{title:title} is not mortgaged",
                "{title:title} n'est pas hypothéqué",
                title=square.id,
            )
        if _is_received(state, seat, square.id):
            lift_received(draft, seat, square)
            return
        extra = interest(state, square.id)
        lift(draft, seat, square.id, square.mortgage + extra, rule=cite(state, "unmortgage"), interest=extra)

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer each mortgaged title of the seat within the seat's money."""
        squares = pieces(state).titles
        for title in titles_of(state, seat):
            if is_mortgaged(state, title) and squares[title].mortgage <= debts.spare(state, seat):
                yield Choice({"title": title})


@chapter.action(
    summary=(
        "keep or lift the mortgage of a title received",
        "garder ou lever l'hypothèque d'un titre reçu",
    ),
    when=(
        "after receiving a bankrupt's mortgaged title, before the next player throws",
        "après avoir reçu le titre hypothéqué d'un failli, avant le jet du joueur suivant",
    ),
)
class SettleMortgageTransfer(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bankrupt's creditor keeps the mortgage of a title, or lifts it without more interest."""

    title: TitleId
    lift: bool

    def decide(self, draft: Draft) -> None:
        """Refuse a title not just received, and a title with unpaid interest."""
        state, seat = draft.state, player_in_play(draft)
        rule = cite(state, "bankrupt_lift")
        square = title_named(draft, self.title, rule)
        if not _is_received(state, seat, square.id):
            raise Impossible(
                rule,
                "there is no choice for {seat:seat} to make about {title:title}",
                "{seat:seat} n'a pas de choix à faire pour {title:title}",
                seat=seat,
                title=square.id,
            )
        if self.lift:
            lift_received(draft, seat, square)
            return
        _require_interest_paid(draft, seat, square.id)
        draft.record(MortgageKept(rule=rule, seat=seat, title=square.id))

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer both choices for each title received."""
        for received in state.received:
            if received.seat == seat and not owes_interest(state, seat, received.title):
                yield Choice({"title": received.title, "lift": False})
                yield Choice({"title": received.title, "lift": True})


def lift_received(draft: Draft, seat: str, square: Square) -> None:
    """Lift the mortgage of a title just received from a bankrupt, at the mortgage value alone."""
    _require_interest_paid(draft, seat, square.id)
    lift(draft, seat, square.id, square.mortgage, rule=cite(draft.state, "bankrupt_lift"))


def _require_interest_paid(draft: Draft, seat: str, title: str) -> None:
    draft.require(
        not owes_interest(draft.state, seat, title),
        cite(draft.state, "bankrupt_interest"),
        "{seat:seat} has to pay the interest on {title:title} first",
        "{seat:seat} doit d'abord payer l'intérêt sur {title:title}",
        seat=seat,
        title=title,
    )
