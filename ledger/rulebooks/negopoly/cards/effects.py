"""V.B.3, V.C.5, VI.F.6 and others. The effects of cards on money, goods, Hôpital, police and titles.

Operations on tokens and rolls are in `moves`; operations on secrets are in `secrets`. The chapter of a rule
carries the operation out; this module finds the players and titles concerned. An operation never refuses:
without a target, the operation does nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.audience import EVERYONE, Audience, Viewer, only
from ledger.kernel.facts.events import Event
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.chapter import Chapter
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
from ledger.rulebooks.negopoly.table.terms import MONEY, attached, money_words, player

chapter = Chapter("II.B. Effects of cards")


# ----------------------------------------------------------------------------------------------
# Money and goods
# ----------------------------------------------------------------------------------------------


@chapter.event
class CardPaid(Event, frozen=True, kw_only=True):
    """A card makes a player or the bank pay, into debt if needed (I.B.3).

    A payment counted in an inventory is private.
    """

    en: ClassVar[str] = "{payer:seat} pays {payee:seat} {sum.en} ({card:card})."
    fr: ClassVar[str] = "{payer:seat} paie {sum.fr} à {payee:seat} ({card:card})."

    rule: str = "I.B.3"
    payer: str
    """A seat, or "bank"."""
    payee: str
    card: str
    amount: int | None
    """The amount; None for viewers without access to the secret."""
    private: bool = False

    @property
    def sum(self) -> Phrase:
        """The amount, in English and French."""
        return Phrase("something", "une somme") if self.amount is None else money_words(self.amount)

    def audience(self) -> Audience:
        """Return everybody, or only the payer and the payee for a payment counted in an inventory."""
        return only(self.payer, self.payee) if self.private else EVERYONE

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the amount."""
        return replace(self, amount=None, postings=())


@chapter.event
class CardGave(Event, frozen=True, kw_only=True):
    """A card gives a player goods from the bank."""

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
    """Make each payer pay each payee (I.B.3)."""

    def side(party: Party) -> Sequence[str]:
        return [BANK] if party == "bank" else playing.targets(draft.state, use, party)

    for payer in side(effect.source):
        for payee in side(effect.to):
            _charge(draft, use, payer, payee, effect.amount)


@carries_out(PayPer)
def _pay_per(draft: Draft, use: Use, effect: PayPer) -> None:
    """Make the drawer pay in proportion to the drawer's belongings. An amount counted in an inventory is
    private, even 0.
    """
    state = draft.state
    inventory = state.holdings.account(player(use.seat))
    counted = {
        "title": lambda: len(titles_of(state, use.seat)),
        "house": lambda: sum(houses_on(state, title) for title in titles_of(state, use.seat)),
        "dose": lambda: inventory.get("dose", 0),
        "weapon": lambda: sum(inventory.get(weapon, 0) for weapon in WEAPONS),
    }
    private = effect.per in {"dose", "weapon"}
    amount = effect.amount * counted[effect.per]()
    for payee in [BANK] if effect.to == "bank" else playing.targets(state, use, "chosen"):
        if amount or private:
            _charge(draft, use, use.seat, payee, amount, private=private)


@carries_out(Gain)
def _gain(draft: Draft, use: Use, effect: Gain) -> None:
    """Give goods from the bank."""
    transfer = Posting(effect.item, effect.qty, BANK, player(use.seat))
    draft.record(
        CardGave(seat=use.seat, item=effect.item, quantity=effect.qty, card=use.card.id, postings=(transfer,))
    )


# ----------------------------------------------------------------------------------------------
# Hôpital and police
# ----------------------------------------------------------------------------------------------


@carries_out(Hospital)
def _hospital(draft: Draft, use: Use, effect: Hospital) -> None:
    """Send players to Hôpital by the ordinary rule (VI.C.1)."""
    for seat in playing.targets(draft.state, use, effect.target):
        hospital.admit(draft, seat, cause=use.card.commodity, rule="VI.C.1")


@carries_out(Arrest)
def _arrest(draft: Draft, use: Use, effect: Arrest) -> None:
    """Arrest players; hacks, immunity and rackets apply (VI.D.1)."""
    for seat in playing.targets(draft.state, use, effect.target):
        prison.arrest(draft, seat, cause="card", rule="VI.D.1")


@carries_out(PoliceCheck)
def _police_check(draft: Draft, use: Use, effect: PoliceCheck) -> None:
    """Check players on the squares of the tokens, on any square (VI.F.3)."""
    for seat in playing.targets(draft.state, use, effect.target):
        checkpoints.check(draft, seat, rule="VI.F.3")


@carries_out(Warrant)
def _warrant(draft: Draft, use: Use, effect: Warrant) -> None:
    """Issue or lift a warrant. Do nothing for a second warrant, or without a warrant to lift (VI.F.6)."""
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
    """Return the titles of the seat, or of the rivals in play, in the order of the board."""
    seats = [seat] if target == "own_choice" else others_in_play(state, seat)
    owned = {title for owner in seats for title in titles_of(state, owner)}
    return [title for title in TITLES if title in owned]


@names(Mortgage)
def _unmortgaged(state: Negopoly, seat: str, effect: Mortgage) -> Sequence[str]:
    """Return the candidates: titles without a mortgage."""
    return [title for title in _titles(state, seat, effect.target) if not is_mortgaged(state, title)]


@carries_out(Mortgage)
def _mortgage(draft: Draft, use: Use, effect: Mortgage) -> None:
    """Mortgage the title; nobody is paid (V.B.3)."""
    if use.title is not None and use.title in _unmortgaged(draft.state, use.seat, effect):
        mortgages.mortgage(draft, TITLES[use.title], cause=use.card.commodity, rule="V.B.3")


@names(DestroyHouse)
def _built(state: Negopoly, seat: str, effect: DestroyHouse) -> Sequence[str]:
    """Return the candidates: titles with a house."""
    return [title for title in _titles(state, seat, effect.target) if houses_on(state, title)]


@carries_out(DestroyHouse)
def _destroy(draft: Draft, use: Use, effect: DestroyHouse) -> None:
    """Destroy up to `qty` houses of a title. Do nothing without a house left (V.C.7)."""
    if use.title is not None and use.title in _built(draft.state, use.seat, effect):
        count = min(effect.qty, houses_on(draft.state, use.title))
        houses.destroy(draft, TITLES[use.title], cause=use.card.commodity, rule="V.C.5", count=count)


@names(Build)
def _buildable(state: Negopoly, seat: str, effect: Build) -> Sequence[str]:
    """Return the candidates: the player's titles with room for a house now (V.B.2, V.C.1, V.C.2)."""
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
    """Build houses for free, house by house, up to the fifth (V.C.2, V.C.3)."""
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
