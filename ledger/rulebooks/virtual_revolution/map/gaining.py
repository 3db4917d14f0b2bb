"""Gains, losses and payments: everything comes from the supply and returns to it (vr:setup.29).

Eurocredits and Revenue never run out. Of Immunity and 2 VP tokens a player receives at most the remaining
supply. Revenue has a floor of 0, and a ceiling if the settings have one.
"""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.table import effects
from ledger.rulebooks.virtual_revolution.table.effects import Doing
from ledger.rulebooks.virtual_revolution.table.operations import Gain, PayToGain, Steal, Thing
from ledger.rulebooks.virtual_revolution.table.state import (
    Draft,
    VirtualRevolution,
    cash,
    directors_of,
    others,
    pieces,
)
from ledger.rulebooks.virtual_revolution.table.terms import EUROCREDIT, IMMUNITY, REVENUE, VP2

chapter = Chapter("Gains, losses and payments")

_NAMES = {
    EUROCREDIT: Phrase("eurocredits", "eurocrédits"),
    IMMUNITY: Phrase("Immunity tokens", "jetons Immunité"),
    REVENUE: Phrase("points of Revenue", "points de Revenus"),
    VP2: Phrase("2 VP tokens", "jetons 2 PV"),
}
_ONE = {
    EUROCREDIT: Phrase("eurocredit", "eurocrédit"),
    IMMUNITY: Phrase("Immunity token", "jeton Immunité"),
    REVENUE: Phrase("point of Revenue", "point de Revenus"),
    VP2: Phrase("2 VP token", "jeton 2 PV"),
}


def quantity_of(thing: str, amount: int) -> Phrase:
    """Return an amount with its unit."""
    unit = (_ONE if amount == 1 else _NAMES)[thing]
    return Phrase(f"{amount} {unit.en}", f"{amount} {unit.fr}")


class _Amount(Event, frozen=True, kw_only=True):
    """A gain or loss of an amount; `source` is the card or the Title that caused the event, "" for none."""

    seat: str
    what: Thing
    amount: int
    source: str = ""

    @property
    def quantity(self) -> Phrase:
        """The amount with its unit."""
        return quantity_of(self.what, self.amount)


@chapter.event
class Gained(_Amount, frozen=True, kw_only=True):
    """A player receives something from the supply."""

    en: ClassVar[str] = "{seat:seat} gains {quantity.en}."
    fr: ClassVar[str] = "{seat:seat} gagne {quantity.fr}."


@chapter.event
class Lost(_Amount, frozen=True, kw_only=True):
    """A player gives something back to the supply."""

    en: ClassVar[str] = "{seat:seat} loses {quantity.en}."
    fr: ClassVar[str] = "{seat:seat} perd {quantity.fr}."


@chapter.event
class Stolen(_Amount, frozen=True, kw_only=True):
    """A player takes something from another one."""

    en: ClassVar[str] = "{seat:seat} takes {quantity.en} from {of:seat}."
    fr: ClassVar[str] = "{seat:seat} prend {quantity.fr} {of:de|seat}."

    of: str


@chapter.event
class Paid(Event, frozen=True, kw_only=True):
    """A player pays a price to the supply."""

    en: ClassVar[str] = "{seat:seat} pays {amount:money}."
    fr: ClassVar[str] = "{seat:seat} paie {amount:money}."

    seat: str
    amount: int
    source: str = ""


def available(state: VirtualRevolution, seat: str, thing: Thing, amount: int) -> int:
    """Return the part of a gain that a seat receives: limited by the supply, and by the ceiling of the Revenue."""
    if thing in {IMMUNITY, VP2}:
        return max(0, min(amount, state.holdings.of(BANK, thing)))
    ceiling = state.settings.revenue_most
    if thing == REVENUE and ceiling:
        return max(0, min(amount, ceiling - state.holdings.of(player(seat), REVENUE)))
    return amount


def gain(draft: Draft, seat: str, thing: Thing, amount: int, *, rule: str, source: str = "") -> int:
    """Let a seat gain at most the available amount, and return the amount. A zero amount is not recorded."""
    received = available(draft.state, seat, thing, amount)
    if received > 0:
        moved = (Posting(thing, received, BANK, player(seat)),)
        draft.record(Gained(rule=rule, seat=seat, what=thing, amount=received, source=source, postings=moved))
    return received


def lose(draft: Draft, seat: str, thing: Thing, amount: int, *, rule: str, source: str = "") -> int:
    """Let a seat lose at most its holding, and return the amount. A zero amount is not recorded."""
    lost = min(amount, draft.state.holdings.of(player(seat), thing))
    if lost > 0:
        moved = (Posting(thing, lost, player(seat), BANK),)
        draft.record(Lost(rule=rule, seat=seat, what=thing, amount=lost, source=source, postings=moved))
    return max(0, lost)


def pay(draft: Draft, seat: str, amount: int, rule: str, *, source: str = "") -> None:
    """Let a seat pay a price in eurocredits to the supply, in full (vr:action.7).

    Raises Impossible by the rule for a seat with too few. With the banker's waiver the seat pays its whole
    cash.
    """
    balance = cash(draft.state, seat)
    draft.require_funds(player(seat), EUROCREDIT, amount, rule, beside=("vr:action.7",))
    moved = draft.move(EUROCREDIT, max(0, min(balance, amount)), player(seat), BANK)
    if moved:
        draft.record(Paid(rule=rule, seat=seat, amount=min(balance, amount), source=source, postings=moved))


def require_supply(draft: Draft, thing: Thing, amount: int, rule: str) -> None:
    """Raise Impossible if the supply is too small for a sale or an exchange (vr:setup.29)."""
    remaining = draft.state.holdings.of(BANK, thing)
    if remaining < amount:
        raise Impossible(
            "vr:setup.29",
            "the supply has no more than {left} {unit.en}",
            "la réserve n'a pas plus de {left} {unit.fr}",
            left=remaining,
            unit=_NAMES[thing],
        ).citing(rule)


def steal(draft: Draft, seat: str, of: str, thing: Thing, amount: int, *, rule: str, source: str = "") -> int:
    """Let a seat take at most the opponent's holding, and return the amount. A zero amount is not recorded."""
    stolen = max(0, min(amount, draft.state.holdings.of(player(of), thing)))
    if stolen:
        moved = (Posting(thing, stolen, player(of), player(seat)),)
        draft.record(Stolen(rule=rule, seat=seat, of=of, what=thing, amount=stolen, source=source, postings=moved))
    return stolen


# ----------------------------------------------------------------------------------------------
# Effects
# ----------------------------------------------------------------------------------------------


@effects.carries_out(Gain)
def _gain(draft: Draft, effect: Gain, doing: Doing) -> None:
    """Gain from the supply."""
    gain(draft, doing.seat, effect.what, effect.amount, rule=doing.rule, source=doing.source)


@effects.carries_out(PayToGain, asks=True)
def _pay_to_gain(draft: Draft, effect: PayToGain, doing: Doing) -> None:
    """Pay and gain at the player's request: an empty pick is enough. Without a pick nothing happens."""
    pick = doing.pick()
    if pick is None or pick.skip:
        return
    if effect.what in {IMMUNITY, VP2}:
        require_supply(draft, effect.what, effect.amount, doing.rule)
    pay(draft, doing.seat, effect.price, doing.rule, source=doing.source)
    gain(draft, doing.seat, effect.what, effect.amount, rule=doing.rule, source=doing.source)


def victims(state: VirtualRevolution, seat: str, area: int | None) -> list[str]:
    """Return the opponents with a Director in an arrondissement or next to it (vr:agents.22)."""
    if area is None:
        return []
    near = {area, *pieces(state).places[area].adjacent}
    return [opponent for opponent in others(state, seat) if not near.isdisjoint(directors_of(state, opponent))]


@effects.carries_out(Steal, asks=True)
def _steal(draft: Draft, effect: Steal, doing: Doing) -> None:
    """Take from an opponent of the seat's choice, even from an empty board (vr:agents.22)."""
    pick = doing.pick()
    if effects.is_left_out(doing, pick):
        return
    of = effects.chosen(doing, victims(draft.state, doing.seat, doing.area), None if pick is None else pick.to)
    if of is not None:
        steal(draft, doing.seat, of, effect.what, effect.amount, rule=doing.rule, source=doing.source)
