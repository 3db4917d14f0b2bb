"""Gains, losses and payments: everything comes from the supply and goes back there (vr:setup.29).

Eurocredits and Revenue never run out. Of Immunity and 2 VP tokens only what is left is received. Revenue has a
floor of 0, and a ceiling where the table sets one.
"""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
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
    EUROCREDIT: ("eurocredits", "eurocrédits"),
    IMMUNITY: ("Immunity tokens", "jetons Immunité"),
    REVENUE: ("points of Revenue", "points de Revenus"),
    VP2: ("2 VP tokens", "jetons 2 PV"),
}
_ONE = {
    EUROCREDIT: ("eurocredit", "eurocrédit"),
    IMMUNITY: ("Immunity token", "jeton Immunité"),
    REVENUE: ("point of Revenue", "point de Revenus"),
    VP2: ("2 VP token", "jeton 2 PV"),
}


def said_of(what: str, amount: int, language: str) -> str:
    """So much of something, in "en" or "fr"."""
    names = _ONE if amount == 1 else _NAMES
    return f"{amount} {names[what][language == 'fr']}"


class _Amount(Event, frozen=True, kw_only=True):
    """So much of something; `source` is the card or the Title that it is for, "" for none."""

    seat: str
    what: Thing
    amount: int
    source: str = ""

    @property
    def said_en(self) -> str:
        """The amount in English."""
        return said_of(self.what, self.amount, "en")

    @property
    def said_fr(self) -> str:
        """The amount in French."""
        return said_of(self.what, self.amount, "fr")


@chapter.event
class Gained(_Amount, frozen=True, kw_only=True):
    """A player receives something from the supply."""

    en: ClassVar[str] = "{seat:seat} gains {said_en}."
    fr: ClassVar[str] = "{seat:seat} gagne {said_fr}."


@chapter.event
class Lost(_Amount, frozen=True, kw_only=True):
    """A player gives something back to the supply."""

    en: ClassVar[str] = "{seat:seat} loses {said_en}."
    fr: ClassVar[str] = "{seat:seat} perd {said_fr}."


@chapter.event
class Stolen(_Amount, frozen=True, kw_only=True):
    """A player takes something from another one."""

    en: ClassVar[str] = "{seat:seat} takes {said_en} from {of:seat}."
    fr: ClassVar[str] = "{seat:seat} prend {said_fr} {of:de|seat}."

    of: str


@chapter.event
class Paid(Event, frozen=True, kw_only=True):
    """A player pays a price to the supply."""

    en: ClassVar[str] = "{seat:seat} pays {amount:money}."
    fr: ClassVar[str] = "{seat:seat} paie {amount:money}."

    seat: str
    amount: int
    source: str = ""


def available(state: VirtualRevolution, seat: str, what: Thing, amount: int) -> int:
    """How much of a gain a seat receives: what the supply has left, and up to the ceiling of the Revenue."""
    if what in {IMMUNITY, VP2}:
        return max(0, min(amount, state.holdings.of(BANK, what)))
    most = state.settings.revenue_most
    if what == REVENUE and most:
        return max(0, min(amount, most - state.holdings.of(player(seat), REVENUE)))
    return amount


def gain(draft: Draft, seat: str, what: Thing, amount: int, *, rule: str, source: str = "") -> int:
    """Let a seat gain as much as there is, and return how much that is; nothing is recorded for nothing."""
    received = available(draft.state, seat, what, amount)
    if received > 0:
        moved = (Posting(what, received, BANK, player(seat)),)
        draft.record(Gained(rule=rule, seat=seat, what=what, amount=received, source=source, postings=moved))
    return received


def lose(draft: Draft, seat: str, what: Thing, amount: int, *, rule: str, source: str = "") -> int:
    """Let a seat lose as much as it has, and return how much that is; nothing is recorded for nothing."""
    given = min(amount, draft.state.holdings.of(player(seat), what))
    if given > 0:
        moved = (Posting(what, given, player(seat), BANK),)
        draft.record(Lost(rule=rule, seat=seat, what=what, amount=given, source=source, postings=moved))
    return max(0, given)


def pay(draft: Draft, seat: str, amount: int, rule: str, *, source: str = "") -> None:
    """Let a seat pay a price in eurocredits to the supply, in full (vr:action.7).

    Refused by the rule when it has too few. With the banker's waiver it pays what it has.
    """
    held = cash(draft.state, seat)
    draft.require_funds(player(seat), EUROCREDIT, amount, rule, beside=("vr:action.7",))
    moved = draft.move(EUROCREDIT, max(0, min(held, amount)), player(seat), BANK)
    if moved:
        draft.record(Paid(rule=rule, seat=seat, amount=min(held, amount), source=source, postings=moved))


def require_supply(draft: Draft, what: Thing, amount: int, rule: str) -> None:
    """Refuse to sell or to exchange what the supply does not have (vr:setup.29)."""
    left = draft.state.holdings.of(BANK, what)
    if left < amount:
        raise Impossible(
            "vr:setup.29",
            "the supply has no more than {left} {what_en}",
            "la réserve n'a pas plus de {left} {what_fr}",
            left=left,
            what_en=_NAMES[what][0],
            what_fr=_NAMES[what][1],
        ).citing(rule)


def steal(draft: Draft, seat: str, of: str, what: Thing, amount: int, *, rule: str, source: str = "") -> int:
    """Let a seat take as much as another one has, and return how much that is; nothing is recorded for nothing."""
    taken = max(0, min(amount, draft.state.holdings.of(player(of), what)))
    if taken:
        moved = (Posting(what, taken, player(of), player(seat)),)
        draft.record(Stolen(rule=rule, seat=seat, of=of, what=what, amount=taken, source=source, postings=moved))
    return taken


# ----------------------------------------------------------------------------------------------
# Effects
# ----------------------------------------------------------------------------------------------


@effects.carries_out(Gain)
def _gain(draft: Draft, effect: Gain, doing: Doing) -> None:
    """Gain from the supply."""
    gain(draft, doing.seat, effect.what, effect.amount, rule=doing.rule, source=doing.source)


@effects.carries_out(PayToGain, asks=True)
def _pay_to_gain(draft: Draft, effect: PayToGain, doing: Doing) -> None:
    """Pay and gain where the player asks for it: an empty pick is enough. Without one nothing happens."""
    pick = doing.pick()
    if pick is None or pick.skip:
        return
    if effect.what in {IMMUNITY, VP2}:
        require_supply(draft, effect.what, effect.amount, doing.rule)
    pay(draft, doing.seat, effect.price, doing.rule, source=doing.source)
    gain(draft, doing.seat, effect.what, effect.amount, rule=doing.rule, source=doing.source)


def victims(state: VirtualRevolution, seat: str, here: int | None) -> list[str]:
    """The other players who have a Director in an arrondissement or an adjacent one (vr:agents.22)."""
    if here is None:
        return []
    near = {here, *pieces(state).places[here].adjacent}
    return [one for one in others(state, seat) if not near.isdisjoint(directors_of(state, one))]


@effects.carries_out(Steal, asks=True)
def _steal(draft: Draft, effect: Steal, doing: Doing) -> None:
    """Take from a player whom the seat chooses, who may have nothing (vr:agents.22)."""
    pick = doing.pick()
    if effects.is_left_out(doing, pick):
        return
    of = effects.chosen(doing, victims(draft.state, doing.seat, doing.here), None if pick is None else pick.to)
    if of is not None:
        steal(draft, doing.seat, of, effect.what, effect.amount, rule=doing.rule, source=doing.source)
