"""VI.E. Comico: the police buy goods, and the K9 trainer takes bribes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import CommodityId, Quantity
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Bounds, Choice
from ledger.kernel.rules.chapter import Chapter, renamed
from ledger.rulebooks.negopoly.estate import police_orders
from ledger.rulebooks.negopoly.squares.hospital import PRESCRIPTION
from ledger.rulebooks.negopoly.table.pieces import ITEMS, WEAPONS, Square, short
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, open_passages, passed, pay, squares_of
from ledger.rulebooks.negopoly.table.terms import MONEY, POLICE, player

chapter = Chapter("VI.E. Comico")

BOUGHT_BY_POLICE: frozenset[str] = (
    WEAPONS | {item.id for item in ITEMS.values() if item.category == "vehicle"} | {PRESCRIPTION}
)
"""The goods of VI.E.1: weapons, charges, vehicles and prescriptions."""


@chapter.event
class ItemSoldToPolice(Event, frozen=True, kw_only=True):
    """A player sells goods to the police for a share of their base list price (VI.E.1)."""

    en: ClassVar[str] = "{seat:seat} sells the police {quantity} × {item:goods} for {price:money}."
    fr: ClassVar[str] = "{seat:seat} vend à la police {quantity} × {item:goods} pour {price:money}."

    rule: str = "VI.E.1"
    seat: str
    item: str
    quantity: int
    price: int


@chapter.event
class K9Bribed(Event, frozen=True, kw_only=True):
    """A player bribes the K9 trainer: for a round, crossing a checkpoint leads to a check (VI.E.2, VI.E.3)."""

    en: ClassVar[str] = "{seat:seat} bribes the K9 trainer for {price:money}: round {round} is checked."
    fr: ClassVar[str] = "{seat:seat} soudoie le dresseur K9 pour {price:money} : le round {round} est contrôlé."

    rule: str = "VI.E.2"
    seat: str
    price: int
    round: int

    def apply(self, state: Negopoly) -> None:
        """Store the round. A second bribe for the round adds nothing."""
        state.k9_rounds.add(self.round)


@chapter.event
class K9Set(Event, frozen=True, kw_only=True):
    """A ruling says whether the police check crossings in a round (VI.E.3); nothing is paid."""

    en: ClassVar[str] = "By a ruling, the K9 trainer {does.en} round {round}."
    fr: ClassVar[str] = "Par une décision, le dresseur K9 {does.fr} le round {round}."

    rule: str = "VI.E.3"
    round: int
    active: bool

    @property
    def does(self) -> Phrase:
        """The decision on checks, in English and French."""
        return Phrase("checks", "contrôle") if self.active else Phrase("does not check", "ne contrôle pas")

    def apply(self, state: Negopoly) -> None:
        """Store the round, or forget it."""
        if self.active:
            state.k9_rounds.add(self.round)
        else:
            state.k9_rounds.discard(self.round)


def set_k9(draft: Draft, number: int, *, active: bool) -> None:
    """Set by ruling whether crossings are checked in the present round or the next.

    Raises Impossible for any other round, because a bribe is for the next round, and when nothing would change
    (VI.E.3).
    """
    state = draft.state
    if number not in {state.round, state.round + 1}:
        raise Impossible(
            "VI.E.3",
            "a bribe is for the next round: in round {now} there may be one for round {now} or {next}, "
            "not for round {round}",
            "on soudoie pour le round suivant : au round {now} cela peut valoir pour le round {now} ou {next}, "
            "pas pour le round {round}",
            now=state.round,
            next=state.round + 1,
            round=number,
        )
    draft.require_now(
        (number in state.k9_rounds) != active,
        "VI.E.3",
        "the K9 trainer {does} round {round} already",
        "le dresseur K9 {fait} déjà le round {round}",
        does="checks" if active else "leaves out",
        fait="contrôle" if active else "laisse passer",
        round=number,
    )
    draft.record(K9Set(round=number, active=active))


@chapter.action(
    summary=("sell objects to the police", "vendre des objets à la police"),
    when=("in your own turn, passing by Comico", "pendant son tour, en passant par le Comico"),
)
class SellItemToPolice(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player passing by Comico sells goods to the police at half their base list price (VI.E.1)."""

    commodity: CommodityId
    amount: Quantity = 1

    def decide(self, draft: Draft) -> None:
        """Refuse goods that the police do not buy. There is no die and no check. A licence does not matter."""
        passed(draft, squares_of(draft.state, "comico"), "VI.E.1")
        seat = draft.seat
        commodity = short(self.commodity)
        draft.require(
            commodity != "dose",
            "VI.E.1",
            "doses are sold with a die (VII.B), not as objects",
            "les doses se vendent avec un dé (VII.B), pas comme des objets",
        )
        draft.require(
            commodity in BOUGHT_BY_POLICE,
            "VI.E.1",
            "the police buy weapons, charges, vehicles and prescriptions, not {commodity:goods}",
            "la police achète des armes, des charges, des véhicules et des ordonnances, pas {commodity:goods}",
            commodity=commodity,
        )
        if commodity not in ITEMS:
            raise Impossible(
                "VI.E.1",
                "{commodity!r} has no list price that the police could pay half of",
                "{commodity!r} n'a pas de prix affiché dont la police paierait la moitié",
                commodity=commodity,
            )
        draft.require_funds(player(seat), commodity, self.amount, "VI.E.1")
        price = self.amount * unit_price(draft.state, commodity)
        handed = Posting(commodity, self.amount, player(seat), POLICE)
        draft.record(
            ItemSoldToPolice(
                seat=seat,
                item=commodity,
                quantity=self.amount,
                price=price,
                postings=(handed, *draft.move(MONEY, price, BANK, player(seat))),
            )
        )

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each kind of goods in the inventory, in any number."""
        if open_passages(state, squares_of(state, "comico")):
            inventory = state.holdings.account(player(seat))
            for item in sorted(BOUGHT_BY_POLICE & inventory.keys()):
                yield Choice({"commodity": item, "amount": 1}, free={"amount": Bounds(1, inventory[item])})


chapter.upcast_action("sell_item_to_police", renamed(item="commodity", quantity="amount"))


@chapter.action(
    summary=("bribe the K9 trainer", "soudoyer le dresseur K9"),
    when=(
        "in your own turn, stopped on Comico, or on an Orange title holding the quarter",
        "pendant son tour, à l'arrêt sur le Comico, ou sur une propriété Orange en tenant le quartier",
    ),
)
class BribeK9(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player who has stopped on Comico bribes the K9 trainer for ₦170 (VI.E.2)."""

    def decide(self, draft: Draft) -> None:
        """Bribe for the whole next round. The bribe affects everybody (VI.E.3)."""
        state, seat = draft.state, draft.seat
        stop = passed(draft, _trainers(state, seat), "VI.E.2", stop_only=True)
        price = ITEMS["k9_bribe"].price
        rule = (
            "V.E.16"
            if stop.square in {square.index for square in police_orders.counters(state, seat)}
            else "VI.E.2"
        )
        paid = pay(draft, seat, price, rule)
        draft.record(K9Bribed(rule=rule, seat=seat, price=price, round=state.round + 1, postings=paid))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the action after a stop on a square of the trainer."""
        return (Choice({}),) if open_passages(state, _trainers(state, seat), stop_only=True) else ()


def _trainers(state: Negopoly, seat: str) -> list[Square]:
    """Return the squares for bribes of the seat: Comico, and the seat's Orange titles (VI.E.2, V.E.16)."""
    return [*squares_of(state, "comico"), *police_orders.counters(state, seat)]


def unit_price(state: Negopoly, item: str) -> int:
    """Return the police's price for an item, in whole ₦. Each item is rounded down separately."""
    return int(ITEMS[item].price * state.settings.comico_resale_percent // 100)
