"""The toy with hidden hands, a market for a card face up or down, disputes, rulings and player undo.

Ana, Bob and Cid have two cards each, which only they see; the others see the number. A seat lays a card on the
market. Another seat takes the card for a price, and then knows it. A seat asks for a card that all others must
show, or makes a vow that cannot be undone. Coins are hidden from other seats.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, ClassVar, Literal

import msgspec
from msgspec.structs import replace

from ledger.kernel.arbitration.chapter import arbitration
from ledger.kernel.facts.accounts import BOX, Posting
from ledger.kernel.facts.audience import BANKER_ONLY, EVERYONE, Audience, Viewer, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.state import Seat
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import AccountName
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.kernel.rules.draft import Draft as AnyDraft
from ledger.kernel.rules.rulebook import Rulebook
from tests.kernel import toy
from tests.kernel.toy import Game

CID = Viewer("player", "cid")
SEATS = (Seat("ana", "Ana"), Seat("bob", "Bob"), Seat("cid", "Cid"))

DECK = ("ace", "king", "queen", "jack", "ten", "nine")
MARKET = "market"
VEIL = "card"

Face = Literal["up", "down"]

chapter = Chapter("Hands")


class Lot(msgspec.Struct, frozen=True):
    """The card on the market: its seller, and whether it is face up."""

    seller: str
    face: Face


class Hands(toy.Toy, kw_only=True):
    """The toy's state with a market."""

    lot: Lot | None = None
    asked: list[str] = []


Draft = AnyDraft[Hands]


def veiled(postings: Iterable[Posting]) -> tuple[Posting, ...]:
    """The postings with the veil in place of the cards."""
    return tuple(
        Posting(VEIL, one.amount, one.source, one.target) if one.commodity.startswith("card:") else one
        for one in postings
    )


# Events ---------------------------------------------------------------------------------------------


@chapter.event
class Dealt(Event, frozen=True, kw_only=True):
    """Cards come into a hand. Everybody sees their number."""

    en: ClassVar[str] = "{seat:seat} is dealt {count} cards."
    fr: ClassVar[str] = "{seat:seat} reçoit {count} cartes."

    rule: str = "5.1"
    seat: str
    count: int

    def audience(self) -> Audience:
        return only(self.seat)

    def redacted(self, viewer: Viewer) -> Event:
        return msgspec.structs.replace(self, postings=veiled(self.postings))


@chapter.event
class CardLaid(Event, frozen=True, kw_only=True):
    """A card is laid on the market. Face down, only its seller knows it."""

    en: ClassVar[str] = "{seat:seat} lays {postings:moves}."
    fr: ClassVar[str] = "{seat:seat} pose {postings:moves}."

    rule: str = "5.2"
    seat: str
    card: str | None
    face: Face

    def apply(self, state: Hands) -> None:
        state.lot = Lot(self.seat, self.face)

    def audience(self) -> Audience:
        return EVERYONE if self.face == "up" else only(self.seat)

    def redacted(self, viewer: Viewer) -> Event:
        return msgspec.structs.replace(self, card=None, postings=veiled(self.postings))

    def reveals(self) -> Audience:
        return EVERYONE if self.face == "up" else BANKER_ONLY


@chapter.event
class CardTaken(Event, frozen=True, kw_only=True):
    """The card goes to the buyer, who learns a face-down card."""

    en: ClassVar[str] = "{seat:seat} takes {postings:moves}."
    fr: ClassVar[str] = "{seat:seat} prend {postings:moves}."

    rule: str = "5.3"
    seat: str
    seller: str
    card: str | None
    face: Face

    def apply(self, state: Hands) -> None:
        state.lot = None

    def audience(self) -> Audience:
        return EVERYONE if self.face == "up" else only(self.seat, self.seller)

    def redacted(self, viewer: Viewer) -> Event:
        return msgspec.structs.replace(self, card=None, postings=veiled(self.postings))

    def reveals(self) -> Audience:
        return BANKER_ONLY if self.face == "up" else only(self.seat)


@chapter.event
class CardsShown(Event, frozen=True, kw_only=True):
    """A seat shows everybody how many cards of a name it holds."""

    en: ClassVar[str] = "{seat:seat} shows: {copies}."
    fr: ClassVar[str] = "{seat:seat} montre : {copies}."

    rule: str = "5.4"
    seat: str
    card: str
    copies: int | None

    def apply(self, state: Hands) -> None:
        state.asked.append(self.card)

    def redacted(self, viewer: Viewer) -> Event:
        return msgspec.structs.replace(self, copies=None)

    def reveals(self) -> Audience:
        return EVERYONE


@chapter.event
class Vowed(Event, frozen=True, kw_only=True):
    """A public vow."""

    en: ClassVar[str] = "{seat:seat} vows."
    fr: ClassVar[str] = "{seat:seat} fait un vœu."

    rule: str = "5.5"
    seat: str


# Actions --------------------------------------------------------------------------------------------


@chapter.action(by=("banker",), summary=("deal", "distribuer"), when=("first", "d'abord"))
class Deal(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The cards of the box in this order, two to each seat."""

    cards: tuple[str, ...]

    def decide(self, draft: Draft) -> None:
        for place, seat in enumerate(draft.state.seats):
            dealt = self.cards[2 * place : 2 * place + 2]
            moved = tuple(Posting(f"card:{card}", 1, BOX, f"hand:{seat}") for card in dealt)
            draft.record(Dealt(seat=seat, count=len(moved), postings=moved))

    @classmethod
    def choices(cls, state: Hands, seat: str) -> Iterable[Choice]:
        return ()


@chapter.action(summary=("lay a card", "poser une carte"), when=("always", "toujours"))
class Lay(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Lay a card of the hand on the market, face up or down."""

    card: str
    face: Face = "down"

    def redacted(self) -> Mapping[str, Any]:
        return {"face": self.face} | ({"card": self.card} if self.face == "up" else {})

    def decide(self, draft: Draft) -> None:
        seat = draft.seat
        if draft.state.lot is not None:
            raise Impossible("5.2", "a card lies there", "une carte s'y trouve")
        if not draft.state.holdings.of(f"hand:{seat}", f"card:{self.card}"):
            raise Impossible("5.2", "{seat} has no {card}", "{seat} n'a pas {card}", seat=seat, card=self.card)
        moved = draft.move(f"card:{self.card}", 1, f"hand:{seat}", MARKET)
        draft.record(CardLaid(seat=seat, card=self.card, face=self.face, postings=moved))

    @classmethod
    def choices(cls, state: Hands, seat: str) -> Iterable[Choice]:
        held = sorted(one for one in state.holdings.account(f"hand:{seat}") if one.startswith("card:"))
        return (
            Choice({"card": one.removeprefix("card:"), "face": face}) for one in held for face in ("up", "down")
        )


@chapter.action(summary=("take the card", "prendre la carte"), when=("always", "toujours"))
class Take(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take the card on the market for a price in coins."""

    price: int

    def redacted(self) -> Mapping[str, Any]:
        return {"price": self.price}

    def decide(self, draft: Draft) -> None:
        seat, lot = draft.seat, draft.state.lot
        if lot is None or lot.seller == seat:
            raise Impossible("5.3", "there is nothing for {seat}", "il n'y a rien pour {seat}", seat=seat)
        draft.require_funds(f"player:{seat}", "coin", self.price, "5.3")
        (card,) = draft.state.holdings.account(MARKET)
        paid = draft.move("coin", self.price, f"player:{seat}", f"player:{lot.seller}")
        taken = draft.move(card, 1, MARKET, f"hand:{seat}")
        draft.record(
            CardTaken(
                seat=seat,
                seller=lot.seller,
                card=card.removeprefix("card:"),
                face=lot.face,
                postings=(*paid, *taken),
            )
        )

    @classmethod
    def choices(cls, state: Hands, seat: str) -> Iterable[Choice]:
        return (Choice({"price": 1}, free=("price",)),)


@chapter.action(summary=("ask for a card", "demander une carte"), when=("always", "toujours"))
class Ask(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask for a card: all others show whether they have it."""

    card: str

    def decide(self, draft: Draft) -> None:
        for seat in draft.state.seats:
            if seat != draft.seat:
                copies = draft.state.holdings.of(f"hand:{seat}", f"card:{self.card}")
                draft.record(CardsShown(seat=seat, card=self.card, copies=copies))

    @classmethod
    def choices(cls, state: Hands, seat: str) -> Iterable[Choice]:
        return (Choice({"card": card}) for card in DECK)


@chapter.action(summary=("vow", "faire un vœu"), when=("always", "toujours"))
class Vow(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Make a vow, which cannot be undone."""

    final: ClassVar[str | None] = "5.5"

    def decide(self, draft: Draft) -> None:
        draft.record(Vowed(seat=draft.seat))


plain = Chapter("The toy")
"""The toy without its own bare way of correcting."""
plain.actions = {kind: action for kind, action in toy.chapter.actions.items() if kind != "correct"}
plain.events = toy.chapter.events
plain.upcasts = toy.chapter.upcasts
plain.action_upcasts = toy.chapter.action_upcasts

docket = arbitration(
    "Contested hands",
    player_undo=True,
)


class HandSecrets(toy.ToySecrets):
    veils = True

    def holding_audience(self, state: Any, account: str, commodity: str) -> Audience:
        if account == MARKET:
            return only(state.lot.seller) if state.lot is not None and state.lot.face == "down" else EVERYONE
        return super().holding_audience(state, account, commodity)

    def has_fixed_audience(self, account: str) -> bool:
        return account != MARKET

    def veil(self, commodity: str) -> str | None:
        return VEIL if commodity.startswith("card:") else None


class HandAccounts(toy.ToyAccounts):
    account_names: Mapping[str, AccountName] = {MARKET: AccountName("the market", "le marché")}


class HandScreen(toy.ToyScreen):
    def own_view(self, state: Any, viewer: Viewer) -> dict[str, Any]:
        lot = None if state.lot is None else {"seller": state.lot.seller, "face": state.lot.face}
        return super().own_view(state, viewer) | {"lot": lot, "asked": list(state.asked)}


class HandLanguage(toy.ToyLanguage):
    def speakers(self, state: Any) -> dict[str, Any]:
        words = {"card": Phrase("a card", "une carte"), "coin": Phrase("coins", "pièces")}

        def goods(value: Any, language: str) -> str:
            return words[value].in_language(language) if value in words else str(value)

        return super().speakers(state) | {"goods": goods}


CARRIED = {
    "2.1": ("buy_beans",),
    "4.1": (),
    "5.1": ("deal",),
    "5.2": ("lay",),
    "5.3": ("take",),
    "5.4": ("ask",),
    "5.5": ("vow",),
    "5.6": ("correct",),
    "5.7": ("open_dispute", "add_statement", "withdraw_dispute"),
    "5.8": ("rule", "publish_rulings"),
}

RULES = toy.rules(
    id="hands",
    title="Hands",
    state=Hands,
    register=toy.register(CARRIED),
    chapters=(plain, chapter, docket),
    governance=replace(toy.GOVERNANCE, correction_rule="5.6", player_undo=True),
    secrets=HandSecrets(),
    accounts=HandAccounts("coin"),
    screen=HandScreen(),
    language=HandLanguage(),
)
"""The toy's rules with hidden hands."""


class HandGame(Game):
    """A played toy of three with these cards, two for each seat: Ana's, Bob's, Cid's. Version 2."""

    def __init__(self, *cards: str, rulebook: Rulebook[Any] = RULES) -> None:
        super().__init__(rulebook=rulebook, players=SEATS)
        self.play(None, Deal(cards=cards or DECK))

    def before(self, number: int) -> Hands:
        """The state right before an action."""
        found = self.refolded(number - 1)
        assert isinstance(found, Hands)
        return found

    @property
    def time(self) -> datetime:
        """The time of the last action."""
        return self.journal[-1].recorded_at
