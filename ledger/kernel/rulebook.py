"""What a rulebook is: chapters of actions and events, a register of rules, and a few answers about its game."""

from __future__ import annotations

import gc
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any, ClassVar, Generic, Literal, TypeVar

import msgspec

from ledger.kernel.accounts import BANK, Holdings
from ledger.kernel.actions import Action, Actor
from ledger.kernel.agreements import Agreement, Archive
from ledger.kernel.arbitration.dispute import Dispute
from ledger.kernel.audience import Audience, Viewer
from ledger.kernel.bots import BANKER, RANDOM, WHIM, Bot
from ledger.kernel.draft import Draft
from ledger.kernel.events import Event, snake_case, tag_of
from ledger.kernel.refusals import Malformed, UnknownKind
from ledger.kernel.register import Register
from ledger.kernel.sentences import AccountName, Speaker
from ledger.kernel.state import Seat, State, encode_hook
from ledger.kernel.wealth import Asset

S = TypeVar("S", bound=State)
A = TypeVar("A", bound=type[Action])
E = TypeVar("E", bound=type[Event])
Upcast = Callable[[dict[str, Any]], dict[str, Any]]


class _Tagged(msgspec.Struct):
    """Of a stored body, the tag alone."""

    kind: str


_TAG = msgspec.json.Decoder(_Tagged)


class Chapter:
    """The actions and events of one chapter of a game's rules, declared in one file."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.actions: dict[str, type[Action]] = {}
        self.events: list[type[Event]] = []
        self.upcasts: dict[str, Upcast] = {}

    def action(
        self,
        *,
        by: Sequence[Actor] = ("player",),
        summary: tuple[str, str],
        when: tuple[str, str],
    ) -> Callable[[A], A]:
        """Declare an action: who may ask, what it does and when it is open (en, fr)."""

        def declare(action: A) -> A:
            action.kind = snake_case(action.__name__)
            action.by = tuple(by)
            action.summary = summary
            action.when = when
            self.actions[action.kind] = action
            return action

        return declare

    def event(self, event: E) -> E:
        """Declare an event."""
        self.events.append(event)
        return event

    def upcast(self, tag: str) -> Callable[[Upcast], Upcast]:
        """Declare how a body stored under an older tag becomes one of today's (its "kind" included)."""

        def declare(upcast: Upcast) -> Upcast:
            self.upcasts[tag] = upcast
            return upcast

        return declare


_SEAT = re.compile(r"[A-Za-z0-9_-]{1,40}")
_NO_SEATS = ("banker", "system", "spectator")
"""Those who act or look on without being a player: a seat of that name would be taken for them."""


@contextmanager
def collector_paused() -> Iterator[None]:
    """Fold without the garbage collector, which would look through every new event again and again for nothing."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


Dice = Literal["table", "service"]


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """What a game is created with."""

    players: tuple[Seat, ...]
    settings: Any
    dice: Dice
    """Who throws the dice and shuffles the cards."""

    def __post_init__(self) -> None:
        """Raises Malformed for a seat that could not be told from others, or from who is no player at all."""
        named: set[str] = set()
        for player in self.players:
            if not _SEAT.fullmatch(player.seat) or player.seat in _NO_SEATS or player.seat in named:
                raise Malformed(
                    "{seat!r} cannot be a seat: a seat has its own name of up to 40 letters, digits, - and _, "
                    "and is none of {taken}",
                    "{seat!r} ne peut pas être un siège : un siège porte un nom à lui, de 40 lettres, chiffres, - "
                    "et _ au plus, et n'est aucun de {taken}",
                    seat=player.seat,
                    taken=", ".join(_NO_SEATS),
                )
            named.add(player.seat)


class Rulebook(ABC, Generic[S]):
    """The rules of one game. A subclass answers what is particular to it; the rest is here.

    The chapters' actions and events are closed over at construction: kinds are unique over all chapters.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    currency: ClassVar[str]
    """The commodity that is money."""
    money_is_told: ClassVar[bool] = True
    """Whether a ruling names the money it moves between two hidden purses to whoever may know of the ruling;
    otherwise it names it to those whose purses they are."""
    players: ClassVar[tuple[int, int]]
    """The smallest and the largest number of players."""
    settings: ClassVar[type[msgspec.Struct]]
    state: ClassVar[type[State]]
    correction_rule: ClassVar[str]
    """The rule by which the history is corrected."""
    dispute_rule: ClassVar[str]
    """The rule by which an outcome is contested."""
    ruling_rule: ClassVar[str]
    """The rule by which the banker rules."""
    privacy_rule: ClassVar[str]
    """The rule that keeps strangers, and the banker unasked, out of a private deal."""
    end_rule: ClassVar[str]
    """The rule by which a game that has ended stays as it is."""
    player_undo: ClassVar[bool] = False
    """Whether players may take back their own last action by themselves (see `corrections.may_undo`); the
    rulebook's correction is then open to them. Otherwise they may only ask the banker."""
    strategies: ClassVar[Mapping[str, Bot]] = {RANDOM: WHIM, BANKER: WHIM}
    """Who plays in simulated games, by name."""
    simulated_tables: ClassVar[Sequence[Mapping[str, Any]]] = ({},)
    """The tables at which simulated games are played, in turn: the settings where they differ from the defaults,
    and as `dice` who throws them ("service" unless it says so)."""
    account_names: ClassVar[Mapping[str, AccountName]] = {}
    """What people call the game's accounts, by their id or, for those of a kind, by what stands before its last
    colon: {"market": …, "hand": …} name "market" and "hand:ana"."""
    agreement_types: ClassVar[Mapping[str, type[Agreement]]] = {}
    """Kinds of agreement by the name of their collection: {"loans": Loan, …}."""

    def __init__(self, register: Register, chapters: Iterable[Chapter]) -> None:
        self.register = register
        self.chapters = tuple(chapters)
        self.actions: dict[str, type[Action]] = {}
        self.events: dict[str, type[Event]] = {}
        self.upcasts: dict[str, Upcast] = {}
        for chapter in self.chapters:
            for kind, action in chapter.actions.items():
                if kind in self.actions:
                    raise ValueError(f"two actions are called {kind}")
                self.actions[kind] = action
            for event in chapter.events:
                if tag_of(event) in self.events:
                    raise ValueError(f"two events are called {tag_of(event)}")
                self.events[tag_of(event)] = event
            for tag, upcast in chapter.upcasts.items():
                if tag in self.upcasts:
                    raise ValueError(f"two upcasts start from {tag}")
                self.upcasts[tag] = upcast
        if stale := self.upcasts.keys() & self.events.keys():
            raise ValueError(f"upcasts start from the shape of today: {', '.join(sorted(stale))}")
        union: Any = reduce(or_, self.events.values())
        self._event_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(union)
        self._batch_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(list[union])
        self._parameters = {kind: msgspec.json.Decoder(action) for kind, action in self.actions.items()}
        agreements: Any = list[reduce(or_, (Dispute, *self.agreement_types.values()))]  # type: ignore[misc]
        self._agreements: msgspec.json.Decoder[list[Agreement]] = msgspec.json.Decoder(agreements)
        self._snapshot_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(
            self.state, dec_hook=self._decode_hook
        )

    # What a rulebook answers --------------------------------------------------------------------

    @abstractmethod
    def opening_action(self, opening: Opening) -> Action:
        """The first action of a game, performed by the banker. Raises a Refusal when the opening is not legal."""

    @abstractmethod
    def may_owe(self, account: str, commodity: str) -> bool:
        """Whether the account may hold less than nothing of the commodity: its issuer, or who may be in debt."""

    @abstractmethod
    def holding_audience(self, state: S, account: str, commodity: str) -> Audience:
        """Who may see, at the moment of this state, how much of the commodity the account holds.

        That all is revealed after the end is not for here: earlier moments are looked at then too.
        """

    def veil(self, commodity: str) -> str | None:
        """The name under which it shows ("card") to whoever may not see which commodity an account holds.

        So they see how many there are; None when they see nothing of it.
        """
        return None

    def audience_lasts(self, account: str) -> bool:
        """Whether who may see the account's holdings is the same at every moment of the game.

        Where it is not (a card lies face down, then face up), the balances of its statement are shown to who could
        see them then, which takes longer to find out.
        """
        return False

    def settle(self, draft: Draft[S]) -> None:
        """Record what follows of itself once an action is decided (a victory, an elimination)."""

    def due(self, state: S, at: datetime) -> tuple[Action, str | None] | None:
        """The action that time alone has made due, with the seat it concerns, to be performed by the system."""
        return None

    def taking_up(self, state: S) -> tuple[Action, str | None] | None:
        """What the system does before anything else in a new game that goes on from this moment of another one.

        Gives the action and the seat it concerns; None where nothing has to be done, as no clock was running.
        """
        return None

    @abstractmethod
    def view(self, state: S, viewer: Viewer) -> dict[str, Any]:
        """What the viewer may see of the state apart from accounts and agreements, as plain data.

        Whether all is revealed is for the viewer to say (`Viewer.sees_all`, `Audience.admits`), not for the state:
        an earlier moment is looked at when the game has ended, and an end when it has been taken back.
        """

    @abstractmethod
    def summary(self, state: S) -> dict[str, Any]:
        """What everybody may see at a glance: round, whose turn it is."""

    def awaited(self, state: S) -> Sequence[str]:
        """The seats that the game waits for: whose turn it is, who must answer; all of them unless it says so."""
        return tuple(state.seats)

    def winners(self, state: S) -> Sequence[str]:
        """Who has won; nobody while the game goes on."""
        return ()

    def wealth(self, state: S, seat: str) -> Sequence[Asset]:
        """What a seat is worth, line by line, in the game's money; nothing where a game does not count it."""
        return ()

    def agreements(self, state: S, collection: str) -> list[Agreement]:
        """Every agreement of a collection, ended ones included, in the order of their opening."""
        return []

    def has_ended(self, state: S, agreement: Agreement) -> bool:
        """Whether nothing more will come of the agreement."""
        return agreement.status != "open"

    def open_agreements(self, state: S) -> Iterable[Agreement]:
        """Every agreement that has not ended, of whatever collection; quick also late in a long game."""
        found = (one for collection in self.agreement_types for one in self.agreements(state, collection))
        return (one for one in found if not self.has_ended(state, one))

    def in_setup(self, state: S) -> bool:
        """Whether the table is still being prepared; a game without a set-up is played from the start."""
        return False

    def private_matters(self, events: Sequence[Event]) -> Mapping[str, frozenset[str]]:
        """The private deals that an action with these events is about, by id, each with its parties."""
        return {}

    def purse(self, seat: str) -> str:
        """The account from which a seat pays."""
        return f"player:{seat}"

    def accounts_of(self, seat: str) -> tuple[str, ...]:
        """The accounts that are a seat's own, whether they hold anything or not."""
        return (self.purse(seat),)

    def named(self, state: S, account: str) -> str:
        """What a sentence calls an account: by its seat when it is one's own, else by its id."""
        return next((seat for seat in state.seats if account in self.accounts_of(seat)), account)

    def knows_account(self, state: S, account: str) -> bool:
        """Whether there is such an account to move something from or to: a typing mistake opens none."""
        return (
            account == BANK
            or bool(state.holdings.account(account))
            or any(account in self.accounts_of(seat) for seat in state.seats)
        )

    def knows_commodity(self, state: S, commodity: str) -> bool:
        """Whether there is such a thing to be moved."""
        return commodity == self.currency or state.holdings.holder(commodity) is not None

    @abstractmethod
    def agreement_audience(self, agreement: Agreement) -> Audience:
        """Who may see an agreement."""

    @abstractmethod
    def speakers(self, state: S) -> Mapping[str, Speaker]:
        """How sentences name the values of this game."""

    @abstractmethod
    def components(self) -> dict[str, Any]:
        """The pieces and prices of the game, as plain data for a frontend."""

    # What follows from it -----------------------------------------------------------------------

    @property
    def veils(self) -> bool:
        """Whether anything of the game may show under a veil."""
        return type(self).veil is not Rulebook.veil

    def blank(self) -> S:
        """The state before the first action."""
        blank: S = self.state(holdings=Holdings(self.may_owe))  # type: ignore[assignment]
        return blank

    def action_type(self, kind: str) -> type[Action]:
        """The class of an action. Raises UnknownKind."""
        action = self.actions.get(kind)
        if action is None:
            raise UnknownKind(
                "{rulebook} has no action {kind!r}",
                "{rulebook} n'a pas d'action {kind!r}",
                rulebook=self.id,
                kind=kind,
            )
        return action

    def action(self, kind: str, params: bytes) -> Action:
        """An action from its kind and its parameters as JSON. Raises UnknownKind or Malformed."""
        self.action_type(kind)
        try:
            return self._parameters[kind].decode(params)
        except (msgspec.ValidationError, msgspec.DecodeError) as fault:
            raise Malformed(
                "the parameters of {kind} are not right: {fault}",
                "les paramètres de {kind} ne conviennent pas : {fault}",
                kind=kind,
                fault=str(fault),
            ) from fault

    def event(self, stored: bytes | msgspec.Raw) -> Event:
        """A stored event body, of today's shape or of an older one.

        Raises msgspec.ValidationError when it is of neither.
        """
        if self.upcasts and _TAG.decode(stored).kind in self.upcasts:
            plain: dict[str, Any] = msgspec.json.decode(stored)
            while (upcast := self.upcasts.get(plain["kind"])) is not None:
                plain = upcast(plain)
            # Through JSON again, so that a mended body is read exactly as a body of today.
            stored = msgspec.json.encode(plain)
        event: Event = self._event_decoder.decode(stored)
        return event

    def events_of(self, batch: bytes, tags: Iterable[str]) -> list[Event]:
        """The events of a JSON array of bodies; `tags` are the distinct tags in it.

        One call decodes the whole array when every tag is one of today's.
        """
        if all(tag in self.events for tag in tags):
            events: list[Event] = self._batch_decoder.decode(batch)
            return events
        return [self.event(raw) for raw in msgspec.json.decode(batch, type=list[msgspec.Raw])]

    def fold(self, state: S, batch: bytes, tags: Iterable[str]) -> None:
        """Fold a JSON array of event bodies into the state."""
        with collector_paused():
            state.fold(self.events_of(batch, tags))

    def freeze(self, state: S) -> bytes:
        """The state as bytes, for a snapshot; equal states give equal bytes."""
        return msgspec.json.encode(state, enc_hook=encode_hook, order="deterministic")

    def thaw(self, snapshot: bytes) -> S:
        """The state back from a snapshot. Raises msgspec.ValidationError when its shape is another."""
        state: S = self._snapshot_decoder.decode(snapshot)
        return state

    def _decode_hook(self, kind: type, plain: Any) -> Any:
        if kind is Holdings:
            return Holdings(self.may_owe, plain)
        if kind is Archive:
            return Archive.written(plain, self._agreements.decode)
        raise TypeError(f"{kind.__name__} has no place in a state")
