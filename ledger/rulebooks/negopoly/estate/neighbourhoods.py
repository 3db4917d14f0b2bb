"""V.E.4 to V.E.7. The automatic abilities of Marron, Cyan and Rose: allowance, doses, a share of the Kamtar."""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.estate.quarters import came_late, has_ability, holder_of
from ledger.rulebooks.negopoly.estate.real_estate import was_inert
from ledger.rulebooks.negopoly.table.pieces import TITLES
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, is_squatted
from ledger.rulebooks.negopoly.table.terms import MONEY, player

chapter = Chapter("V.E. Marron, Cyan and Rose")

ALLOWANCE = 150
"""Allowance of the holder of Marron on each lap, in whole ₦ (V.E.4)."""

DOSE_PRICE = 40
"""The price of a dose for the holder of Cyan, in whole ₦ (V.E.5)."""


# ----------------------------------------------------------------------------------------------
# Marron
# ----------------------------------------------------------------------------------------------


@chapter.event
class AllowancePaid(Event, frozen=True, kw_only=True):
    """The holder of Marron gets the allowance, on top of the pay and without a fee (V.E.4)."""

    en: ClassVar[str] = "{seat:seat} draws an allowance of {amount:money}."
    fr: ClassVar[str] = "{seat:seat} touche {amount:money} d'allocations."

    rule: str = "V.E.4"
    seat: str
    amount: int


def pay_allowance(draft: Draft, seat: str) -> None:
    """Pay the holder of Marron the allowance of a passage by Spawn. Do nothing for any other player (V.E.4)."""
    if has_ability(draft.state, seat, "marron"):
        paid = Posting(MONEY, ALLOWANCE, BANK, player(seat))
        draft.record(AllowancePaid(seat=seat, amount=ALLOWANCE, postings=(paid,)))


# ----------------------------------------------------------------------------------------------
# Cyan
# ----------------------------------------------------------------------------------------------


@chapter.event
class FreeDoseReceived(Event, frozen=True, kw_only=True):
    """A player receives a dose for a stop on the complete rue des patates; it cannot be refused (V.E.6)."""

    en: ClassVar[str] = "{seat:seat} gets a free dose on {title:title}."
    fr: ClassVar[str] = "{seat:seat} reçoit une dose gratuite : {title:title}."

    rule: str = "V.E.6"
    seat: str
    title: str


def free_dose_for(state: Negopoly, visitor: str, title: str) -> str | None:
    """Return the receiver of a dose for the visitor's stop on a title: the visitor, or the holder of Cyan
    (setting).

    None outside Cyan, while the quarter is incomplete, for a stop made before the completion, and on a title
    with squatters now or at the time of the stop (V.E.6, IX.B.7).
    """
    if TITLES[title].quarter != "cyan" or is_squatted(state, title) or was_inert(state, visitor, title):
        return None
    if came_late(state, "cyan"):
        return None
    holder = holder_of(state, "cyan")
    if holder is None:
        return None
    return visitor if state.settings.cyan_free_dose_to == "lander" else holder


def give_free_dose(draft: Draft, visitor: str, title: str) -> None:
    """Give the dose of a stop on the title, if due (V.E.6)."""
    seat = free_dose_for(draft.state, visitor, title)
    if seat is not None:
        draft.record(FreeDoseReceived(seat=seat, title=title, postings=(Posting("dose", 1, BANK, player(seat)),)))


# ----------------------------------------------------------------------------------------------
# Rose
# ----------------------------------------------------------------------------------------------


@chapter.event
class KamtarRevenueShared(Event, frozen=True, kw_only=True):
    """The holder of Rose gets half of a payment at the Kamtar (V.E.7)."""

    en: ClassVar[str] = "{seat:seat} gets {amount:money} of the {paid:money} paid at the Kamtar."
    fr: ClassVar[str] = "{seat:seat} touche {amount:money} sur les {paid:money} payés au Kamtar."

    rule: str = "V.E.7"
    seat: str
    paid: int
    amount: int


def share_kamtar(draft: Draft, paid: int) -> None:
    """Pay the holder of Rose half of a payment to the bank at the Kamtar, rounded down (V.E.7).

    The holder's own payments count too; without a holder the bank keeps everything (VI.B.4).
    """
    holder = holder_of(draft.state, "rose")
    share = paid // 2
    if holder is not None and share:
        passed_on = Posting(MONEY, share, BANK, player(holder))
        draft.record(KamtarRevenueShared(seat=holder, paid=paid, amount=share, postings=(passed_on,)))
