"""P.1. Remedies that set the table: mortgages, charges, the current turn, rackets, services, the weather.

The remedies set facts beyond single holdings. Each remedy applies a rule; the chapter of the rule carries out
the remedy and refuses an unchanged fact. In a corrected history the fact may be set already: then the ruling
stands. Nothing is paid unless the remedy says so.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from ledger.kernel.arbitration import remedies
from ledger.kernel.arbitration.remedies import Ruling
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import SeatId, TitleId, of_kind
from ledger.kernel.rules.chapter import in_remedies, renamed
from ledger.rulebooks.negopoly.arsenal import charges
from ledger.rulebooks.negopoly.cards import weather
from ledger.rulebooks.negopoly.cards.vocabulary import CardId
from ledger.rulebooks.negopoly.estate import mortgages
from ledger.rulebooks.negopoly.mercenaries import granted
from ledger.rulebooks.negopoly.mercenaries.services import Service
from ledger.rulebooks.negopoly.squares import comico, prison
from ledger.rulebooks.negopoly.table.state import Draft, is_mortgaged, owner_of, seat_named, title_named
from ledger.rulebooks.negopoly.turns import turns

Round = Annotated[int, Meta(ge=1, le=100_000, description="number of the round"), of_kind("quantity")]
Count = Annotated[int, Meta(ge=0, le=1000), of_kind("quantity")]


def playing(draft: Draft, seat: str) -> str:
    """Return the seat, after checking that it is in play and that the game has started."""
    require_started(draft)
    return seat_named(draft.state, seat, "P.1")


def require_started(draft: Draft) -> None:
    """Refuse before the game has started (II.1)."""
    if draft.state.phase != "play":
        raise Impossible("II.1", "the game has not started yet", "la partie n'a pas encore commencé")


# ----------------------------------------------------------------------------------------------
# Titles
# ----------------------------------------------------------------------------------------------


class Mortgage(remedies.Remedy, frozen=True, kw_only=True):
    """Mortgage a player's title (V.B.3). With `paid`, the bank pays its owner the mortgage value (V.D.2)."""

    title: TitleId
    paid: bool = False

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse a title of the bank, and a second mortgage."""
        require_started(draft)
        title = title_named(self.title)
        if is_mortgaged(draft.state, title.id):
            draft.refuse_now(mortgages.not_mortgageable(owner_of(draft.state, title.id), title, "V.B.3"))
            return
        paid = title.mortgage if self.paid else 0
        mortgages.mortgage(draft, title, cause="ruling", rule="V.B.3", paid=paid)


class Unmortgage(remedies.Remedy, frozen=True, kw_only=True):
    """Lift the mortgage of a title (V.B.4). With `paid`, its owner pays for it, into debt if needed (I.B.3)."""

    title: TitleId
    paid: bool = False

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse a title without a mortgage. A player on the title's square pays no rent for the current stop
        (V.A.8).
        """
        require_started(draft)
        title = title_named(self.title)
        if is_mortgaged(draft.state, title.id):
            mortgages.lift(draft, title, paid=self.paid)
        else:
            draft.refuse_now(mortgages.not_mortgaged(title, "V.B.4"))


class SetCharges(remedies.Remedy, frozen=True, kw_only=True):
    """Set how many C4 charges a player has placed on a title in a round; 0 for none (IX.C.12).

    They can be fired from two rounds later (IX.C.14). The player's inventory does not change.
    """

    title: TitleId
    seat: SeatId
    round: Round
    amount: Count

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse a future round (IX.C.14), and a title without a house unless waived (IX.C.12)."""
        seat = playing(draft, self.seat)
        charges.set_charges(draft, title_named(self.title), seat, self.round, self.amount)


# ----------------------------------------------------------------------------------------------
# Turns
# ----------------------------------------------------------------------------------------------


class SetTurn(remedies.Remedy, frozen=True, kw_only=True):
    """Make it a player's turn, from its start and with its full time (II.2).

    `round` is the round of the turn (II.1); by default the present one. The turn under way ends as if its time
    were over: questions get their default answers. What ends or arrives when the player's turn starts does so.
    Where the player has rolled already, `move_seat` with `stop` comes next.
    """

    seat: SeatId
    round: Round | None = None

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse a round after the last round (II.E.4), and a player with turns to miss unless waived (II.2)."""
        seat = playing(draft, self.seat)
        turns.set_turn(draft, seat, draft.state.round if self.round is None else self.round)


# ----------------------------------------------------------------------------------------------
# Pending effects
# ----------------------------------------------------------------------------------------------


class SetRackets(remedies.Remedy, frozen=True, kw_only=True):
    """Set how many rackets of a player wait for the next prisoner (VI.D.3)."""

    seat: SeatId
    amount: Count

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse when so many wait already."""
        prison.set_rackets(draft, playing(draft, self.seat), self.amount)


OLDER_RACKETS = in_remedies("set_rackets", renamed(count="amount"))
"""The upcast for the renamed parameter of `set_rackets`, in every action with remedies."""


class SetK9(remedies.Remedy, frozen=True, kw_only=True, tag="set_k9"):
    """Set whether the police check whoever crosses a checkpoint in a round, this one or the next (VI.E.3)."""

    round: Round
    active: bool = True

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse any later or earlier round, and an unchanged state."""
        require_started(draft)
        comico.set_k9(draft, self.round, active=self.active)


class GrantService(remedies.Remedy, frozen=True, kw_only=True):
    """Give a player a service of the bar, for nothing: a hack with its target, a defence on its title (IX.B).

    It counts among the services that everybody sees the player has. Which one it is remains secret (I.C.6).
    """

    seat: SeatId
    service: Service
    target: SeatId | None = None
    title: TitleId | None = None

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse a hack without a target or of oneself (IX.B.10), and a defence of the bank's title (IX.B.5)."""
        granted.grant(draft, playing(draft, self.seat), self.service, target=self.target, title=self.title)


class WithdrawService(remedies.Remedy, frozen=True, kw_only=True):
    """Take an unused service of the bar away from a player, with its effect; nothing is refunded (IX.B)."""

    seat: SeatId
    service: Service
    target: SeatId | None = None
    title: TitleId | None = None

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse a service missing from the player's services."""
        granted.withdraw(draft, playing(draft, self.seat), self.service, target=self.target, title=self.title)


# ----------------------------------------------------------------------------------------------
# The weather
# ----------------------------------------------------------------------------------------------


class SetWeather(remedies.Remedy, frozen=True, kw_only=True):
    """Set the active Météo cards, oldest first; the others go to the discards (VI.A.8).

    What a card does when it is drawn is not repeated.
    """

    cards: Annotated[tuple[CardId, ...], Meta(max_length=100)]

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse a seventh card unless waived, a card of another deck, and a card in a player's hand."""
        require_started(draft)
        weather.set_weather(draft, self.cards)
