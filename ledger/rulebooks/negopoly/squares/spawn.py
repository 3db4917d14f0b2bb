"""VI.A. Spawn: pay, administrative fee, and the weapons licence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.agreements import set_off
from ledger.rulebooks.negopoly.arsenal import disruption
from ledger.rulebooks.negopoly.cards import weather
from ledger.rulebooks.negopoly.estate import neighbourhoods
from ledger.rulebooks.negopoly.squares import checkpoints
from ledger.rulebooks.negopoly.table.pieces import ITEMS
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    change_passage,
    open_passages,
    passed,
    pay,
    place_of,
    squares_of,
    titles_of,
)
from ledger.rulebooks.negopoly.table.terms import MONEY, USED, player
from ledger.rulebooks.parts.readers import Private

chapter = Chapter("VI.A. Spawn")

PAY = 250
"""The bank's pay for a passage, in whole ₦ (VI.A.1)."""

FEE = 10
"""The fee for each title owned, taken from the pay, in whole ₦ (VI.A.2)."""

LICENCE = "licence"


@chapter.event
class SpawnPassed(Event, frozen=True, kw_only=True):
    """A player passes Spawn: by their own movement forwards, or by choosing it for a teleport (VI.A.3)."""

    en: ClassVar[str] = "{seat:seat} passes by Spawn."
    fr: ClassVar[str] = "{seat:seat} passe par le Spawn."

    rule: str = "VI.A.3"
    seat: str


@chapter.event
class SalaryPaid(Event, frozen=True, kw_only=True):
    """The bank pays a passage: the gross amount minus the fee for the titles owned then (VI.A.1, VI.A.2)."""

    en: ClassVar[str] = (
        "{seat:seat} is paid {net:money}: {gross:money} less {fee:money} for {titles} "
        "{titles:plural|title|titles}."
    )
    fr: ClassVar[str] = (
        "{seat:seat} touche {net:money} : {gross:money} moins {fee:money} pour {titles} "
        "{titles:plural|titre|titres}."
    )

    rule: str
    seat: str
    gross: int
    fee: int
    titles: int

    @property
    def net(self) -> int:
        """The amount credited, in whole ₦."""
        return self.gross - self.fee


@chapter.event
class LicenceExpired(Private, frozen=True, kw_only=True):  # licences are private
    """A licence expires at its holder's next passage by Spawn (VI.A.5)."""

    en: ClassVar[str] = "{seat:seat}'s weapons licence expires."
    fr: ClassVar[str] = "La licence d'armes {seat:de|seat} expire."

    rule: str = "VI.A.5"


@chapter.event
class LicenceBought(Private, frozen=True, kw_only=True):  # licences are private
    """A player buys or renews a weapons licence in a passage by Spawn (VI.A.4)."""

    en: ClassVar[str] = "{seat:seat} buys a weapons licence for {price:money}."
    fr: ClassVar[str] = "{seat:seat} achète une licence d'armes pour {price:money}."

    rule: str = "VI.A.4"
    price: int
    passage: int | None = None
    """The index of the passage in the turn."""

    def apply(self, state: Negopoly) -> None:
        """Mark the passage: only one licence is sold for each passage."""
        change_passage(state, self.passage, licensed=True)


def pass_by(draft: Draft, seat: str) -> None:
    """Post a passage by Spawn, in order: pay, allowance, loans due, licence, warrant, weather (VI.A.3)."""
    state = draft.state
    draft.record(SpawnPassed(seat=seat))
    if not disruption.squares_off(state):
        _pay_out(draft, seat)
    set_off.spawn_passage(draft, seat)
    if licences := state.holdings.of(player(seat), LICENCE):
        draft.record(LicenceExpired(seat=seat, postings=(Posting(LICENCE, licences, player(seat), USED),)))
    if seat in state.wanted:
        draft.record(checkpoints.WarrantLifted(seat=seat))
    if not disruption.squares_off(state):
        weather.draw(draft, seat)


def _pay_out(draft: Draft, seat: str) -> None:
    """Pay the passage minus the fee, and the allowance. A disabled Spawn pays nothing (IX.C.24)."""
    titles = len(titles_of(draft.state, seat))
    gross = weather.modified(draft.state, "spawn_pay", PAY, collects="player")
    fee = min(FEE * titles, gross)  # the pay is never negative (VI.A.2)
    draft.record(
        SalaryPaid(
            rule="VI.A.2" if titles else "VI.A.1",
            seat=seat,
            gross=gross,
            fee=fee,
            titles=titles,
            postings=draft.move(MONEY, gross - fee, BANK, player(seat)),
        )
    )
    neighbourhoods.pay_allowance(draft, seat)


@chapter.action(
    summary=("buy or renew a weapons licence", "acheter ou renouveler une licence d'armes"),
    when=(
        "in your own turn, passing by Spawn, once a passage",
        "pendant son tour, en passant par le Spawn, une fois par passage",
    ),
)
class BuyLicence(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player passing by Spawn buys a weapons licence for ₦70 (VI.A.4)."""

    def decide(self, draft: Draft) -> None:
        """Refuse a second licence, and a second purchase in a passage."""
        passage = passed(draft, squares_of(draft.state, "spawn"), "VI.A.4")
        seat = draft.seat
        draft.require(
            not passage.licensed and not draft.state.holdings.of(player(seat), LICENCE),
            "VI.A.4",
            "{seat:seat} already has a weapons licence until the next passage by Spawn",
            "{seat:seat} a déjà une licence d'armes jusqu'à son prochain passage par le Spawn",
            seat=seat,
        )
        price = ITEMS[LICENCE].price
        paid = pay(draft, seat, price, "VI.A.4")
        handed = Posting(LICENCE, 1, BANK, player(seat))
        passage_index = place_of(draft.state, seat, passage)
        draft.record(LicenceBought(seat=seat, price=price, passage=passage_index, postings=(*paid, handed)))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the action while a passage by Spawn counts."""
        return (Choice({}),) if open_passages(state, squares_of(state, "spawn")) else ()
