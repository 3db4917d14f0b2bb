"""A small game to test everything that the kernel does.

Ana and Bob have coins, of which they may owe some, and beans. A seat buys beans, throws a die for coins or hides a
card. The banker ends the game, or undoes, restates, voids and redoes actions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from ledger.kernel.deciding.decision import Decision
from ledger.kernel.deciding.in_memory import JournalInMemory
from ledger.kernel.deciding.steps import decide_request, entry_of, request_of
from ledger.kernel.dice.chance import Chance
from ledger.kernel.facts.accounts import BANK, BOX, Posting
from ledger.kernel.facts.agreements import Agreement, Archive
from ledger.kernel.facts.audience import BANKER_ONLY, EVERYONE, Audience, Viewer, only
from ledger.kernel.facts.events import Amendment, Event
from ledger.kernel.facts.refusals import RuleBroken
from ledger.kernel.facts.state import Seat, State
from ledger.kernel.journal.entry import Entry
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter, renamed
from ledger.kernel.rules.draft import Draft as AnyDraft
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.faces.accounts import Accounts
from ledger.kernel.rules.faces.agreements import Agreements
from ledger.kernel.rules.faces.governance import Governance
from ledger.kernel.rules.faces.language import Language
from ledger.kernel.rules.faces.play import Play
from ledger.kernel.rules.faces.screen import Screen
from ledger.kernel.rules.faces.secrets import Secrets
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.register import Register, Rule
from ledger.kernel.rules.rulebook import Rulebook

NOON = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)

ANA = Viewer("player", "ana")
BOB = Viewer("player", "bob")
BANKER = Viewer("banker")
SPECTATOR = Viewer("spectator")

chapter = Chapter("The toy")


class Promise(Agreement, frozen=True, kw_only=True, tag="promise"):
    """An agreement between two seats."""

    by: str


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    coins: int = 10


class Toy(State, kw_only=True):
    """A state with one container of each kind."""

    reveals_at_end: bool = True
    thrown: list[int] = []
    marked: set[str] = set()
    promises: dict[str, Promise] = {}
    past: Archive = msgspec.field(default_factory=Archive)


Draft = AnyDraft[Toy]


# Events ---------------------------------------------------------------------------------------------


@chapter.event
class Opened(Event, frozen=True, kw_only=True):
    en: ClassVar[str] = "{names:list} sit down."
    fr: ClassVar[str] = "{names:list} s'assoient."

    rule: str = "1.1"
    players: tuple[Seat, ...]
    dice: str

    @property
    def names(self) -> list[str]:
        return [player.name for player in self.players]

    def apply(self, state: Toy) -> None:
        state.seats = {player.seat: player for player in self.players}
        state.dice = self.dice


@chapter.event
class BeansBought(Event, frozen=True, kw_only=True, tag="beans_bought@3"):
    """Beans are bought. The first shape had `beans`, the second `quantity`, both without a price."""

    en: ClassVar[str] = "{seat} buys {quantity} {quantity:plural|bean|beans}."
    fr: ClassVar[str] = "{seat} achète {quantity} {quantity:plural|haricot|haricots}."

    rule: str = "2.1"
    seat: str
    quantity: int
    price: int


@chapter.upcast("beans_bought")
def _beans_become_quantity(stored: dict[str, Any]) -> dict[str, Any]:
    renamed = {key: value for key, value in stored.items() if key != "beans"}
    return {**renamed, "kind": "beans_bought@2", "quantity": stored["beans"]}


@chapter.upcast("beans_bought@2")
def _price_is_told(stored: dict[str, Any]) -> dict[str, Any]:
    return {**stored, "kind": "beans_bought@3", "price": 2 * stored["quantity"]}


@chapter.event
class Thrown(Event, frozen=True, kw_only=True):
    en: ClassVar[str] = "{seat} throws {faces:list}."
    fr: ClassVar[str] = "{seat} lance {faces:list}."

    rule: str = "2.2"
    seat: str
    faces: tuple[int, ...]

    def apply(self, state: Toy) -> None:
        state.thrown.extend(self.faces)


@chapter.event
class CardHidden(Event, frozen=True, kw_only=True):
    """A card is hidden. Only its owner knows the card; the others see that there is one."""

    en: ClassVar[str] = "{seat} hides {card}."
    fr: ClassVar[str] = "{seat} cache {card}."

    rule: str = "2.3"
    seat: str
    card: str

    def audience(self) -> Audience:
        return only(self.seat)

    def redacted(self, viewer: Viewer) -> Event | None:
        return replace(self, card="a card", postings=())


@chapter.event
class Whispered(Event, frozen=True, kw_only=True):
    """A whisper, which nobody else may know of."""

    en: ClassVar[str] = "{seat} whispers."
    fr: ClassVar[str] = "{seat} chuchote."

    rule: str = "2.4"
    seat: str

    def audience(self) -> Audience:
        return only(self.seat)


@chapter.event
class Ended(Event, frozen=True, kw_only=True):
    en: ClassVar[str] = "It is over."
    fr: ClassVar[str] = "C'est fini."

    rule: str = "3.1"

    def apply(self, state: Toy) -> None:
        state.ended = True


@chapter.event
class Corrected(Event, frozen=True, kw_only=True):
    """The banker changes earlier actions."""

    en: ClassVar[str] = "The past is mended."
    fr: ClassVar[str] = "Le passé est corrigé."

    rule: str = "3.2"
    amendments: tuple[Amendment, ...]

    def amends(self) -> tuple[Amendment, ...]:
        return self.amendments


# Actions --------------------------------------------------------------------------------------------


@chapter.action(by=("system",), summary=("open", "ouvrir"), when=("first", "d'abord"))
class Open(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    players: tuple[Seat, ...]
    coins: int
    dice: str

    def decide(self, draft: Draft) -> None:
        purses = tuple(Posting("coin", self.coins, BANK, f"player:{one.seat}") for one in self.players)
        cards = tuple(Posting(f"card:{name}", 1, BOX, "deck") for name in ("ace", "king"))
        draft.record(Opened(players=self.players, dice=self.dice, postings=(*purses, *cards)))


@chapter.action(summary=("buy beans", "acheter des haricots"), when=("always", "toujours"))
class BuyBeans(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Buy at most three beans for two coins each."""

    amount: int
    of: str = BANK

    def decide(self, draft: Draft) -> None:
        price = 2 * self.amount
        draft.require(self.amount <= 3, "2.1", "{n} beans are too many", "{n} haricots, c'est trop", n=self.amount)
        draft.require_funds(f"player:{draft.seat}", "coin", price, "2.1")
        if self.of != BANK:
            draft.require_funds(f"player:{self.of}", "bean", self.amount, "2.1")
        seller = BANK if self.of == BANK else f"player:{self.of}"
        paid = draft.move("coin", price, f"player:{draft.seat}", seller)
        handed = draft.move("bean", self.amount, seller, f"player:{draft.seat}")
        draft.record(BeansBought(seat=draft.seat, quantity=self.amount, price=price, postings=(*paid, *handed)))

    @classmethod
    def choices(cls, state: Toy, seat: str) -> Iterable[Choice]:
        return (Choice({"amount": 1}, free=("amount",)), Choice({"amount": 4}))


chapter.upcast_action("buy_beans", renamed(quantity="amount"))


@chapter.action(summary=("throw", "lancer"), when=("always", "toujours"))
class Throw(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Throw a die and get as many coins. A six is thrown again."""

    face: int | None = None

    def decide(self, draft: Draft) -> None:
        faces: list[int] = []
        given = None if self.face is None else (self.face,)
        while not faces or (faces[-1] == 6 and len(faces) < 2):
            faces.extend(draft.draws.dice("die", given, count=1, sides=6))
            given = None
        won = draft.move("coin", sum(faces), BANK, f"player:{draft.seat}")
        draft.record(Thrown(seat=draft.seat, faces=tuple(faces), postings=won))


@chapter.action(summary=("hide", "cacher"), when=("always", "toujours"))
class Hide(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hide a card of the deck in the hand, with a whisper."""

    card: str

    def decide(self, draft: Draft) -> None:
        taken = draft.move(f"card:{self.card}", 1, "deck", f"hand:{draft.seat}")
        draft.record(Whispered(seat=draft.seat))
        draft.record(CardHidden(seat=draft.seat, card=self.card, postings=taken))

    @classmethod
    def choices(cls, state: Toy, seat: str) -> Iterable[Choice]:
        return (Choice({"card": card}) for card in ("ace", "king"))


@chapter.action(summary=("do nothing", "ne rien faire"), when=("never", "jamais"))
class Idle(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    def decide(self, draft: Draft) -> None:
        """An action that records nothing."""


@chapter.action(by=("banker",), summary=("end", "finir"), when=("always", "toujours"))
class End(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    def decide(self, draft: Draft) -> None:
        draft.record(Ended())


@chapter.action(by=("banker",), summary=("correct", "corriger"), when=("always", "toujours"))
class Correct(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    amendments: tuple[Amendment, ...]

    def decide(self, draft: Draft) -> None:
        draft.record(Corrected(amendments=self.amendments))

    @classmethod
    def choices(cls, state: Toy, seat: str) -> Iterable[Choice]:
        return ()


class ToyPlay(Play[Toy]):
    def opening_action(self, opening: Opening) -> Action:
        return Open(players=opening.players, coins=opening.settings.coins, dice=opening.dice)


class ToyAccounts(Accounts[Toy]):
    def may_owe(self, account: str, commodity: str) -> bool:
        if commodity.startswith("card:"):
            return account == BOX
        return account == BANK or (commodity == "coin" and account.startswith("player:"))


class ToySecrets(Secrets[Toy]):
    def holding_audience(self, state: Toy, account: str, commodity: str) -> Audience:
        if account.startswith(("player:", "hand:")):
            return only(account.partition(":")[2])
        return BANKER_ONLY if account == "deck" else EVERYONE

    def agreement_audience(self, agreement: Agreement) -> Audience:
        return EVERYONE


class ToyLanguage(Language[Toy]):
    def speakers(self, state: Toy) -> dict[str, Any]:
        return {
            "seat": lambda value, _language: state.seats[value].name if value in state.seats else str(value),
            "money": lambda value, _language: f"{value} coins",
        }


class ToyAgreements(Agreements[Toy]):
    agreement_types: Mapping[str, type[Agreement]] = {"promises": Promise}


class ToyScreen(Screen[Toy]):
    def summary(self, state: Toy) -> dict[str, Any]:
        return {"thrown": len(state.thrown)}

    def own_view(self, state: Toy, viewer: Viewer) -> dict[str, Any]:
        return {"thrown": list(state.thrown)}


CARRIED = {
    "1.1": ("open",),
    "2.1": ("buy_beans",),
    "2.2": ("throw",),
    "2.3": ("hide",),
    "2.4": ("hide",),
    "2.5": ("idle",),
    "3.1": ("end",),
    "3.2": ("correct",),
}
"""The toy's rules, with the actions that carry them."""


def register(carried: Mapping[str, tuple[str, ...]] = CARRIED) -> Register:
    """A register of these rules with the actions that carry them, without texts."""
    articles = {rule: Rule(rule, f"Rule {rule}", "…", "toy", kinds) for rule, kinds in carried.items()}
    return Register({"en": articles, "fr": articles})


def rules(*more: Chapter, **parts: Any) -> Rulebook[Toy]:
    """The toy's rulebook, with further chapters of a test, and other parts."""
    toy: dict[str, Any] = {
        "id": "toy",
        "title": "Toy",
        "players": (2, 4),
        "settings": Settings,
        "state": Toy,
        "register": register(),
        "chapters": (chapter, *more),
        "governance": GOVERNANCE,
        "play": ToyPlay(),
        "accounts": ToyAccounts("coin"),
        "secrets": ToySecrets(),
        "language": ToyLanguage(),
        "agreements": ToyAgreements(),
        "screen": ToyScreen(),
    }
    return Rulebook(**toy | parts)


GOVERNANCE = Governance(
    correction_rule="3.2", dispute_rule="4.1", ruling_rule="4.2", privacy_rule="4.3", end_rule="3.1"
)
"""The rules for the banker's work."""

RULES = rules()


class Game:
    """A played toy: its states, and the journal as the ledger would store it."""

    def __init__(
        self,
        *,
        dice: str = "table",
        chance: Chance | None = None,
        rulebook: Rulebook[Toy] = RULES,
        players: tuple[Seat, ...] = (Seat("ana", "Ana"), Seat("bob", "Bob")),
    ) -> None:
        self.chance = chance
        self.rulebook = rulebook
        self.state = rulebook.blank()
        self.past = JournalInMemory(rulebook)
        self.play(None, Open(players=players, coins=10, dice=dice), by="system")

    @property
    def journal(self) -> list[Entry]:
        """The entries, in order."""
        return self.past.entries

    @property
    def now(self) -> datetime:
        """The time of the next action: a minute after the last one."""
        return NOON + timedelta(minutes=self.state.version)

    def asked(self, seat: str | None, action: Action, by: str | None, override: str | None) -> Request:
        """The request of an action at the next time."""
        by = by or seat or "banker"
        return request_of(self.rulebook, self.past, action, seat=seat, by=by, at=self.now, override=override)

    def decide(
        self,
        seat: str | None,
        action: Action,
        *,
        by: str | None = None,
        override: str | None = None,
        draws: dict[str, Sequence[int | str]] | None = None,
    ) -> Decision:
        """Decide without keeping anything."""
        request = replace(self.asked(seat, action, by, override), draws=draws or {})
        return decide_request(self.rulebook, self.state, request, self.past, self.chance)[0]

    def refolded(self, at: int) -> Toy:
        """The state after an action, folded from the effective history."""
        return self.past.state_after(at)

    def play(
        self, seat: str | None, action: Action, *, by: str | None = None, override: str | None = None
    ) -> Decision:
        """Decide an action and append it."""
        decision = self.decide(seat, action, by=by, override=override)
        self.past.append(entry_of("toy", self.asked(seat, action, by, override), decision, salt="00"))
        self.state = decision.state
        return decision

    def refused(self, seat: str | None, action: Action, **how: Any) -> RuleBroken:
        """The refusal of an action, which must change nothing."""
        before = RULES.codec.to_snapshot(self.state)
        try:
            self.decide(seat, action, **how)
        except RuleBroken as refusal:
            assert RULES.codec.to_snapshot(self.state) == before
            return refusal
        raise AssertionError(f"{action.kind} was not refused")

    def holds(self, account: str, commodity: str) -> int:
        return self.state.holdings.of(account, commodity)

    def bodies(self) -> Iterator[bytes]:
        """Every stored event body, in order."""
        for entry in self.journal:
            yield from (bytes(stored) for stored in entry.events)


def fold(state: State, *bodies: bytes) -> None:
    """Fold stored bodies into a state, as those of one entry."""
    (facts,) = RULES.codec.read_events(
        [
            b'{"game":"toy","number":1,"first_seq":1,"recorded_at":"2026-01-02T20:00:00Z","events":[%b]}'
            % b",".join(bodies)
        ]
    )
    state.fold(facts.events)
