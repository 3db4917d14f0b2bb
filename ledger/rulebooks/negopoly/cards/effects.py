"""V.B.3, V.C.5, VI.F.6 and wherever else a card reaches: money, goods, Hôpital, police, titles.

What moves tokens and changes rolls is in `card_moves`, what shows or takes secrets in `card_secrets`. The chapter
that an operation belongs to carries it out; what is here is whom and what it concerns. An operation never refuses:
where there is nothing to act on it does nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.accounts import BANK, Posting
from ledger.kernel.audience import EVERYONE, Audience, Viewer, only
from ledger.kernel.chapter import Chapter
from ledger.kernel.events import Event
from ledger.rulebooks.negopoly.arsenal import disruption
from ledger.rulebooks.negopoly.cards import playing, weather
from ledger.rulebooks.negopoly.cards.playing import Use, carries_out, names
from ledger.rulebooks.negopoly.cards.vocabulary import (
    Arrest,
    Build,
    DestroyHouse,
    Gain,
    Hospital,
    Mortgage,
    Party,
    Pay,
    PayPer,
    PoliceCheck,
    Warrant,
)
from ledger.rulebooks.negopoly.estate import houses, mortgages
from ledger.rulebooks.negopoly.squares import checkpoints, hospital, prison
from ledger.rulebooks.negopoly.table.pieces import TITLES, WEAPONS
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    houses_on,
    is_mortgaged,
    is_squatted,
    others_in_play,
    titles_of,
)
from ledger.rulebooks.negopoly.table.terms import MONEY, attached, player

chapter = Chapter("II.B. Effects of cards")


# ----------------------------------------------------------------------------------------------
# Money and goods
# ----------------------------------------------------------------------------------------------


@chapter.event
class CardPaid(Event, frozen=True, kw_only=True):
    """A card makes somebody pay, into debt if need be (I.B.3). What tells of an inventory is private (I.C.6)."""

    en: ClassVar[str] = "{payer:seat} pays {payee:seat} {sum[0]} ({card:card})."
    fr: ClassVar[str] = "{payer:seat} paie {sum[1]} à {payee:seat} ({card:card})."

    rule: str = "I.B.3"
    payer: str
    """A seat, or "bank"."""
    payee: str
    card: str
    amount: int | None
    """None for those who may not know it."""
    private: bool = False

    @property
    def sum(self) -> tuple[str, str]:
        """The amount, in English and French."""
        return ("something", "une somme") if self.amount is None else (f"₦{self.amount}", f"{self.amount} ₦")

    def audience(self) -> Audience:
        """Everybody; of what is counted in an inventory, the two sides."""
        return only(self.payer, self.payee) if self.private else EVERYONE

    def redacted(self, viewer: Viewer) -> Event:
        """That something is paid."""
        return replace(self, amount=None, postings=())


@chapter.event
class CardGave(Event, frozen=True, kw_only=True):
    """A card brings something from the bank."""

    en: ClassVar[str] = "{seat:seat} gets {quantity} × {item:goods} ({card:card})."
    fr: ClassVar[str] = "{seat:seat} reçoit {quantity} × {item:goods} ({card:card})."

    rule: str = "VII.1"
    seat: str
    item: str
    quantity: int
    card: str


def _charge(draft: Draft, use: Use, payer: str, payee: str, amount: int, *, private: bool = False) -> None:
    accounts = [BANK if side == BANK else player(side) for side in (payer, payee)]
    posted = draft.move(MONEY, amount, *accounts)
    draft.record(
        CardPaid(payer=payer, payee=payee, card=use.card.id, amount=amount, private=private, postings=posted)
    )


@carries_out(Pay)
def _pay(draft: Draft, use: Use, effect: Pay) -> None:
    """Each of one side pays each of the other (I.B.3)."""

    def side(party: Party) -> Sequence[str]:
        return [BANK] if party == "bank" else playing.targets(draft.state, use, party)

    for payer in side(effect.source):
        for payee in side(effect.to):
            _charge(draft, use, payer, payee, effect.amount)


@carries_out(PayPer)
def _pay_per(draft: Draft, use: Use, effect: PayPer) -> None:
    """By what the drawer owns; what an inventory holds is said to nobody else, were it nothing."""
    state = draft.state
    held = state.holdings.account(player(use.seat))
    counted = {
        "title": lambda: len(titles_of(state, use.seat)),
        "house": lambda: sum(houses_on(state, title) for title in titles_of(state, use.seat)),
        "dose": lambda: held.get("dose", 0),
        "weapon": lambda: sum(held.get(weapon, 0) for weapon in WEAPONS),
    }
    private = effect.per in {"dose", "weapon"}
    amount = effect.amount * counted[effect.per]()
    for payee in [BANK] if effect.to == "bank" else playing.targets(state, use, "chosen"):
        if amount or private:
            _charge(draft, use, use.seat, payee, amount, private=private)


@carries_out(Gain)
def _gain(draft: Draft, use: Use, effect: Gain) -> None:
    """From the bank, which issues it."""
    given = Posting(effect.item, effect.qty, BANK, player(use.seat))
    draft.record(
        CardGave(seat=use.seat, item=effect.item, quantity=effect.qty, card=use.card.id, postings=(given,))
    )


# ----------------------------------------------------------------------------------------------
# Hôpital and police
# ----------------------------------------------------------------------------------------------


@carries_out(Hospital)
def _hospital(draft: Draft, use: Use, effect: Hospital) -> None:
    """As any other sending to Hôpital (VI.C.1)."""
    for seat in playing.targets(draft.state, use, effect.target):
        hospital.admit(draft, seat, cause=use.card.commodity, rule="VI.C.1")


@carries_out(Arrest)
def _arrest(draft: Draft, use: Use, effect: Arrest) -> None:
    """Hack, immunity and racket apply (VI.D.1)."""
    for seat in playing.targets(draft.state, use, effect.target):
        prison.arrest(draft, seat, cause="card", rule="VI.D.1")


@carries_out(PoliceCheck)
def _police_check(draft: Draft, use: Use, effect: PoliceCheck) -> None:
    """Where each token stands, whatever the square (VI.F.3)."""
    for seat in playing.targets(draft.state, use, effect.target):
        checkpoints.check(draft, seat, rule="VI.F.3")


@carries_out(Warrant)
def _warrant(draft: Draft, use: Use, effect: Warrant) -> None:
    """A second warrant adds nothing, and there must be one to lift (VI.F.6)."""
    reason = use.card.commodity
    for seat in playing.targets(draft.state, use, effect.target):
        if effect.on and seat not in draft.state.wanted:
            draft.record(checkpoints.WarrantIssued(seat=seat, reason=reason))
        elif not effect.on and seat in draft.state.wanted:
            draft.record(checkpoints.WarrantLifted(rule="VI.F.6", seat=seat, reason=reason))


# ----------------------------------------------------------------------------------------------
# Titles
# ----------------------------------------------------------------------------------------------


def _titles(state: Negopoly, seat: str, target: str) -> list[str]:
    """The titles of the seat, or of the other players, in the order of the board."""
    seats = [seat] if target == "own_choice" else others_in_play(state, seat)
    held = {title for one in seats for title in titles_of(state, one)}
    return [title for title in TITLES if title in held]


@names(Mortgage)
def _unmortgaged(state: Negopoly, seat: str, effect: Mortgage) -> Sequence[str]:
    """A title that is not mortgaged yet."""
    return [title for title in _titles(state, seat, effect.target) if not is_mortgaged(state, title)]


@carries_out(Mortgage)
def _mortgage(draft: Draft, use: Use, effect: Mortgage) -> None:
    """Nobody is paid for it (V.B.3)."""
    if use.title is not None and use.title in _unmortgaged(draft.state, use.seat, effect):
        mortgages.mortgage(draft, TITLES[use.title], cause=use.card.commodity, rule="V.B.3")


@names(DestroyHouse)
def _built(state: Negopoly, seat: str, effect: DestroyHouse) -> Sequence[str]:
    """A title with a house."""
    return [title for title in _titles(state, seat, effect.target) if houses_on(state, title)]


@carries_out(DestroyHouse)
def _destroy(draft: Draft, use: Use, effect: DestroyHouse) -> None:
    """As many as there are, at most; a destruction with no house left does nothing more (V.C.7)."""
    if use.title is not None and use.title in _built(draft.state, use.seat, effect):
        count = min(effect.qty, houses_on(draft.state, use.title))
        houses.destroy(draft, TITLES[use.title], cause=use.card.commodity, rule="V.C.5", count=count)


@names(Build)
def _buildable(state: Negopoly, seat: str, effect: Build) -> Sequence[str]:
    """A title of one's own that takes another house now (V.B.2, V.C.1, V.C.2)."""
    if disruption.squares_off(state) or weather.switched_off(state, "build"):
        return ()
    return [
        title
        for title in titles_of(state, seat)
        if houses_on(state, title) < houses.MOST_HOUSES
        and not is_mortgaged(state, title)
        and not is_squatted(state, title)
    ]


@carries_out(Build)
def _build(draft: Draft, use: Use, effect: Build) -> None:
    """One by one, for nothing, to the fifth at most (V.C.2, V.C.3)."""
    for _ in range(effect.qty):
        if use.title is None or use.title not in _buildable(draft.state, use.seat, effect):
            return
        house = Posting("house", 1, BANK, attached(use.title))
        standing = houses_on(draft.state, use.title) + 1
        draft.record(
            houses.HouseBuilt(
                rule="V.C.3", seat=use.seat, title=use.title, cost=0, houses=standing, postings=(house,)
            )
        )
