"""VI.D. Prison: arrests, rackets and bail."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import BANKER_ONLY, EVERYONE, Audience
from ledger.kernel.facts.events import Event
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.arsenal import disruption
from ledger.rulebooks.negopoly.board import tokens
from ledger.rulebooks.negopoly.cards import answers
from ledger.rulebooks.negopoly.estate import police_orders
from ledger.rulebooks.negopoly.mercenaries import hacks, reactions
from ledger.rulebooks.negopoly.table.pieces import ITEMS
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    index_of,
    open_passages,
    passed,
    pay,
    squares_of,
    still_in,
)
from ledger.rulebooks.negopoly.table.terms import MONEY, Question, player

chapter = Chapter("VI.D. Prison")

RACKET = 150
"""The price paid by the next prisoner for each waiting racket, in whole ₦ (VI.D.4)."""


@chapter.event
class Arrested(Event, frozen=True, kw_only=True):
    """The police arrest a player. `cause` is "offence", "warrant", "card", "terrorist", or "hack"."""

    en: ClassVar[str] = "{seat:seat} is arrested."
    fr: ClassVar[str] = "{seat:seat} est en état d'arrestation."

    rule: str
    seat: str
    cause: str

    def reveals(self) -> Audience:
        """Return everybody if others cause the arrest, because it shows that no hack has diverted it (I.C.6).

        A dry run shows nothing of the event: the player to be arrested stays a secret.
        """
        return EVERYONE if self.cause in {"card", "terrorist"} else BANKER_ONLY


@chapter.event
class RacketPlanted(Event, frozen=True, kw_only=True):
    """A player pays a prisoner to racket the next player sent to Prison (VI.D.3)."""

    en: ClassVar[str] = "{seat:seat} pays a prisoner {price:money}."
    fr: ClassVar[str] = "{seat:seat} paie {price:money} à un prisonnier."

    rule: str = "VI.D.3"
    seat: str
    price: int

    def apply(self, state: Negopoly) -> None:
        """Append the racket to the waiting rackets."""
        state.rackets.append(self.seat)


@chapter.event
class RacketCollected(Event, frozen=True, kw_only=True):
    """The prisoner pays the player who planted the racket, which ends (VI.D.4); a mandatory payment (I.B.3)."""

    en: ClassVar[str] = "{prisoner:seat} is racketed in Prison and pays {planter:seat} {amount:money}."
    fr: ClassVar[str] = "{prisoner:seat} se fait racketter en Prison et paie {amount:money} à {planter:seat}."

    rule: str = "VI.D.4"
    planter: str
    prisoner: str
    amount: int

    def apply(self, state: Negopoly) -> None:
        """Remove the racket."""
        state.require_part(self.planter in state.rackets)
        state.rackets.remove(self.planter)


@chapter.event
class RacketLost(Event, frozen=True, kw_only=True):
    """A racket ends unpaid, because its planter is the prisoner (VI.D.4)."""

    en: ClassVar[str] = "{planter:seat}'s racket on the next prisoner is lost."
    fr: ClassVar[str] = "Le racket {planter:de|seat} sur le prochain prisonnier est perdu."

    rule: str = "VI.D.4"
    planter: str

    def apply(self, state: Negopoly) -> None:
        """Remove the racket."""
        state.require_part(self.planter in state.rackets)
        state.rackets.remove(self.planter)


@chapter.event
class RacketsSet(Event, frozen=True, kw_only=True):
    """A ruling says how many rackets of a player wait for the next prisoner (VI.D.3); nothing is paid."""

    en: ClassVar[str] = (
        "By a ruling, {count} {count:plural|racket|rackets} of {seat:seat} {count:plural|waits|wait} for the next "
        "prisoner."
    )
    fr: ClassVar[str] = (
        "Par une décision, {count} {count:plural|racket|rackets} {seat:de|seat} "
        "{count:plural|attend|attendent} le prochain prisonnier."
    )

    rule: str = "VI.D.3"
    seat: str
    count: int

    def apply(self, state: Negopoly) -> None:
        """Keep the oldest rackets, or append new rackets at the end."""
        waiting = [index for index, planter in enumerate(state.rackets) if planter == self.seat]
        excess = set(waiting[self.count :])
        state.rackets = [planter for index, planter in enumerate(state.rackets) if index not in excess]
        state.rackets += [self.seat] * (self.count - len(waiting))


@chapter.event
class BailPaid(Event, frozen=True, kw_only=True):
    """A prisoner pays the bail that the table has set, and misses no further turn (VI.D.1)."""

    en: ClassVar[str] = "{seat:seat} pays a bail of {amount:money}."
    fr: ClassVar[str] = "{seat:seat} paie une caution de {amount:money}."

    rule: str = "VI.D.1"
    seat: str
    amount: int

    def apply(self, state: Negopoly) -> None:
        """Remove the turns to miss."""
        state.missed.pop(self.seat, None)


def arrest(draft: Draft, seat: str, *, cause: str, rule: str) -> None:
    """Send a player to Prison and collect the waiting rackets (VI.D.1, VI.D.4).

    All arrests use this function. `rule` orders the arrest, `cause` gives the reason. The token crosses
    nothing. The table may have set a stay, from the player's next turn on.
    """
    if police_orders.withhold_arrest(draft, seat, cause=cause):
        return
    if not answers.ask(draft, seat, "on_arrest", about={"cause": cause, "rule": rule}):
        _take_away(draft, seat, cause=cause, rule=rule)


@reactions.answers("on_arrest", answers.options)
def _after_the_answer(draft: Draft, question: Question, answer: str) -> None:
    """Make the arrest, unless a card cancels it (II.D.2) or a new instruction forbids it."""
    played = answers.play(draft, question, answer)
    seat, cause = question.seat, question.about["cause"]
    if played is not None or seat in draft.state.eliminated:
        return
    if not police_orders.withhold_arrest(draft, seat, cause=cause):
        _take_away(draft, seat, cause=cause, rule=question.about["rule"])


def _take_away(draft: Draft, seat: str, *, cause: str, rule: str) -> None:
    """Arrest the player, or the target of the player's hack (IX.B.10)."""
    target = hacks.divert(draft, seat)
    if target is not None:
        arrest(draft, target, cause="hack", rule="IX.B.10")
        return
    state = draft.state
    draft.record(Arrested(rule=rule, seat=seat, cause=cause))
    tokens.send(draft, seat, index_of(state, "prison"), cause="arrest", rule="VI.D.1")
    # While squares are disabled, a racket waits for the next prisoner (IX.C.24).
    for planter in () if disruption.squares_off(state) else tuple(state.rackets):
        if planter == seat:
            draft.record(RacketLost(planter=planter))
        else:
            collected = Posting(MONEY, RACKET, player(seat), player(planter))
            draft.record(RacketCollected(planter=planter, prisoner=seat, amount=RACKET, postings=(collected,)))
    tokens.detain(draft, seat, state.settings.prison_missed_turns, rule="VI.D.1")


@chapter.action(
    summary=("pay a prisoner to racket the next one", "payer un prisonnier pour racketter le prochain"),
    when=("in your own turn, stopped on Prison", "pendant son tour, à l'arrêt sur la Prison"),
)
class BuyPrisonRacket(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player who has stopped on Prison pays a prisoner ₦100 for a racket (VI.D.3)."""

    def decide(self, draft: Draft) -> None:
        """Pay the bank. Several rackets may wait."""
        passed(draft, squares_of(draft.state, "prison"), "VI.D.3", stop_only=True)
        seat = draft.seat
        price = ITEMS["prison_racket"].price
        draft.record(RacketPlanted(seat=seat, price=price, postings=pay(draft, seat, price, "VI.D.3")))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the action after a stop on Prison."""
        return (Choice({}),) if open_passages(state, squares_of(state, "prison"), stop_only=True) else ()


def set_rackets(draft: Draft, seat: str, count: int) -> None:
    """Set by ruling a player's number of waiting rackets. Raises Impossible if nothing would change (VI.D.3)."""
    draft.require_now(
        draft.state.rackets.count(seat) != count,
        "VI.D.3",
        "the rackets of {seat:seat} that wait number {count} already",
        "les rackets {seat:de|seat} en attente sont déjà au nombre de {count}",
        seat=seat,
        count=count,
    )
    draft.record(RacketsSet(seat=seat, count=count))


@chapter.action(
    summary=("pay the bail and miss no further turn", "payer la caution et ne plus passer de tour"),
    when=(
        "at any moment, on Prison with turns to miss, where the table has set a bail",
        "à tout moment, en Prison avec des tours à passer, si la table a fixé une caution",
    ),
)
class PayBail(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A prisoner pays the bail of the settings at any time; by default there is none (VI.D.1)."""

    def decide(self, draft: Draft) -> None:
        """Refuse without a bail or without turns to miss.

        The prisoner may pay out of turn, because a prisoner's own turns are missed.
        """
        seat = still_in(draft)
        state = draft.state
        disruption.require_squares(draft, index_of(state, "prison"))
        bail = state.settings.prison_bail
        draft.require(
            bail > 0,
            "VI.D.1",
            "no bail is taken at this table: {seat:seat} cannot pay any",
            "cette table n'accepte pas de caution : {seat:seat} ne peut pas en payer",
            seat=seat,
        )
        draft.require(
            seat in state.missed and state.positions[seat] == index_of(state, "prison"),
            "VI.D.1",
            "{seat:seat} is on {here} with {missed} turns to miss: bail is for turns missed in Prison",
            "{seat:seat} est sur {here} avec {missed} tours à passer : la caution rachète les tours "
            "passés en Prison",
            seat=seat,
            here=state.board[state.positions[seat]].name,
            missed=state.missed.get(seat, 0),
        )
        draft.record(BailPaid(seat=seat, amount=bail, postings=pay(draft, seat, bail, "VI.D.1")))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the action to a player with turns to miss."""
        return (Choice({}),) if seat in state.missed else ()
