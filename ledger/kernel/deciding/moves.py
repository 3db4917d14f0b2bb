"""The possible moves of a seat: every action offers choices, and each choice is tried on a copy of the state."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import inspect

from ledger.kernel.deciding.decision import decide, decided_on, require_open
from ledger.kernel.facts.audience import Role, Viewer
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Malformed, NeedsDraw, NotYours, Refusal
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import admits, redact_for_dry_run, sees_holding
from ledger.kernel.rules.actions import Action, Free
from ledger.kernel.rules.draft import Draft, Request
from ledger.kernel.rules.rulebook import Rulebook

S = TypeVar("S", bound=State)


class Drawing(msgspec.Struct, frozen=True):
    """Dice or cards needed by an action if the table throws and draws: the name of the draw, and the count.

    `sides` is the number of sides of the dice, `deck` the name of the deck of the cards, and `cards` the cards of
    the deck that may come, as far as the viewer may know.
    """

    name: str
    draw: Literal["dice", "cards"]
    count: int
    sides: int | None
    deck: str | None = None
    cards: tuple[str, ...] = ()


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """A legal action: the kind, parameters to send, the parameters open to change, the cost, and the rules.

    `drawing` is the first needed draw; None for no draw, and if the need alone would reveal a secret. The
    service may throw for the draw, too.
    """

    kind: str
    params: dict[str, Any]
    free: Free
    drawing: Drawing | None = None
    cost: int | None
    """The money spent by the seat; null if a die, the payment or a correction decides the cost."""
    goods: tuple[tuple[str, int], ...] = ()
    """Further things spent by the seat, of kinds without a name of each piece: a commodity and an amount."""
    rules: tuple[str, ...]


class Obstacle(msgspec.Struct, frozen=True, kw_only=True):
    """The reason why an action is refused now."""

    kind: str
    params: dict[str, Any]
    refusal: Any


def open_to(action: type[Action], viewer: Viewer) -> bool:
    """Return True if the viewer's role may ever request this kind of action."""
    return _is_asked_by(action, viewer.role)


@cache
def _is_asked_by(action: type[Action], role: Role) -> bool:
    if role == "banker":
        return "banker" in action.by or "player" in action.by
    return role == "player" and "player" in action.by


def moves(rulebook: Rulebook[S], state: S, seat: str, account: str, viewer: Viewer, at: datetime) -> list[Move]:
    """Return the legal choices of the seat at a moment, as far as the viewer may know. `account` holds the
    seat's money.
    """
    legal: list[Move] = []
    tries = Tries(rulebook, state, seat, account, viewer, at)
    closed = rulebook.progress.closed_kinds(state, seat)
    for kind, action in rulebook.actions.items():
        if kind in closed or not _is_asked_by(action, viewer.role):
            continue
        rules = rulebook.register.rules_of(kind)
        tried: dict[Hashable, Any] = {}
        for choice in action.choices(state, seat):
            outcome = _UNTRIED if choice.alike is None else tried.get(choice.alike, _UNTRIED)
            if outcome is _UNTRIED:
                outcome = tried[choice.alike] = tries.outcome(kind, choice.params)
            if outcome is None:
                continue
            cost, goods, drawing = outcome
            if choice.cost is not None and cost is not None:
                cost = choice.cost
            legal.append(
                Move(
                    kind=kind,
                    params=choice.params,
                    free=choice.free,
                    drawing=drawing,
                    cost=cost,
                    goods=goods,
                    rules=rules,
                )
            )
    return legal


def obstacles(
    rulebook: Rulebook[S], state: S, seat: str, account: str, viewer: Viewer, at: datetime, kind: str
) -> list[Obstacle]:
    """Return the reason for the refusal of each choice of the kind. Raises UnknownKind.

    Without any choice, the action is tried with minimal parameters of the right shape, and with words of the
    table, the seat's things first; an empty list means an acceptable dry run. For a viewer whose role may never
    request this kind, the only reason is the role, without anything about the seat.
    """
    action = rulebook.codec.action_type(kind)
    if not open_to(action, viewer):
        closed = NotYours(
            "only {by:askers} may ask for {kind:action}",
            "{kind:action} est réservé : {by:askers}",
            kind=kind,
            by=action.by,
        ).named_by(rulebook.naming(state))
        return [Obstacle(kind=kind, params={}, refusal=closed)]

    tries = Tries(rulebook, state, seat, account, viewer, at, apart=True)

    def refused(params: dict[str, Any]) -> Obstacle | None:
        try:
            tries.tried(kind, params)
        except Refusal as refusal:
            return Obstacle(kind=kind, params=params, refusal=refusal.named_by(rulebook.naming(state)))
        return None

    choices = list(action.choices(state, seat))
    if choices:
        return [obstacle for choice in choices if (obstacle := refused(choice.params)) is not None]
    unknown = refused(_shaped(action, _ANY_WORD))
    if unknown is None:
        return []
    answer = unknown
    for word in _words(rulebook, state, seat, viewer):
        unlisted = refused(_shaped(action, word))
        if unlisted is None:
            return []
        refusal = unlisted.refusal
        if isinstance(refusal, Malformed):
            continue
        if word not in map(str, refusal.values.values()):
            return [unlisted]  # refused for a reason besides the word
        if answer is unknown and refusal.args != unknown.refusal.args:
            answer = unlisted  # the word names something: this refusal says more
    return [answer]


_ANY_WORD = "…"
"""A placeholder for a text or an id, for lack of a real value."""


def _words(rulebook: Rulebook[S], state: S, seat: str, viewer: Viewer) -> Iterator[str]:
    """Yield words for a text parameter: the other seats, then the holdings visible to the viewer, the seat's
    first.
    """
    yield from (name for name in state.seats if name != seat)
    of_seat = rulebook.accounts.accounts_of(seat)
    visible = {
        (account not in of_seat, ":" not in commodity, commodity)
        for account, balances in state.holdings.items()
        for commodity in balances
        if sees_holding(rulebook.secrets, state, account, commodity, viewer)
    }
    yield from dict.fromkeys(commodity.rpartition(":")[2] for _, _, commodity in sorted(visible))


def _shaped(action: type[Action], word: str) -> dict[str, Any]:
    """Return the required parameters of an action, as small as possible, with the word as every text."""
    return {field.encode_name: _example(field.type, word) for field in shape_of(action).fields if field.required}


@cache
def shape_of(action: type[Action]) -> inspect.StructType:
    """Return the type of the parameters of an action. Raises TypeError for a class without a shape."""
    shape = inspect.type_info(action)
    if not isinstance(shape, inspect.StructType):
        raise TypeError(f"{action.__name__} has no shape")
    return shape


def _example(kind: inspect.Type, word: str) -> Any:
    """Return a small value of a type."""
    match kind:
        case inspect.Metadata():
            return _example(kind.type, word)
        case inspect.LiteralType():
            return kind.values[0]
        case inspect.StrType():
            return word if kind.pattern is None or re.search(kind.pattern, word) else "x"
        case inspect.IntType():
            return 1 if kind.ge is None else max(1, kind.ge)
        case inspect.BoolType():
            return False
        case inspect.UnionType():
            return _example(kind.types[0], word)
        case inspect.ListType() | inspect.VarTupleType():
            return [_example(kind.item_type, word)] * (kind.min_length or 0)
        case inspect.TupleType():
            return [_example(item_type, word) for item_type in kind.item_types]
        case inspect.StructType():
            return {field.encode_name: _example(field.type, word) for field in kind.fields if field.required}
        case inspect.DictType():
            return {}
        case inspect.NoneType():
            return None
        case _:
            return word


class Tries(Generic[S]):
    """Tries of choices on a state, for a seat, as far as a viewer may know.

    A refused action has usually recorded nothing, so the next action is decided on the unused copy of the
    state. With `apart`, every action gets a separate copy, so that the refusal can be read later. With `beyond`,
    an action with a draw is decided to its end without the draw, as in a correction, and may be refused there.
    """

    def __init__(
        self,
        rulebook: Rulebook[S],
        state: S,
        seat: str,
        account: str,
        viewer: Viewer,
        at: datetime,
        *,
        apart: bool = False,
        beyond: bool = False,
    ) -> None:
        self._rulebook = rulebook
        self._state = state
        self._seat = seat or None
        self._beyond = beyond
        self.viewer = viewer
        self._by = viewer.seat if viewer.role == "player" and viewer.seat is not None else "banker"
        self._at = at
        # Money moved between the seat's own accounts is not spent.
        self._own_accounts = {account, *rulebook.accounts.accounts_of(seat)}
        self._apart = apart
        self._copy: S | None = None
        """A copy of the state without a recorded event."""

    def outcome(self, kind: str, params: dict[str, Any]) -> Outcome | None:
        """Return the result of `tried`; None if the choice is refused."""
        try:
            return self.tried(kind, params)
        except Refusal:
            return None

    def tried(self, kind: str, params: dict[str, Any]) -> Outcome:
        """Return the cost of the choice in money for the account, and the first needed draw.

        Raises the refusal of an illegal choice.

        A correction needs the journal for a plan, and is not tried here. Corrections offered to the banker are
        possible; only a dry run shows if a player may undo an action.
        """
        viewer = self.viewer
        action = self._rulebook.codec.action(kind, _ENCODER.encode(params))
        if action.correction_request() is not None:
            if viewer.role == "banker":
                return Outcome(None, (), None)
            raise NotYours(
                "ask for it to be undone to learn whether it may be",
                "demandez l'annulation pour savoir si elle est possible",
            )
        require_open(self._rulebook, self._state, action)
        events, needed = self._decided(Request(action=action, seat=self._seat, by=self._by, at=self._at))
        if needed is not None:
            is_known = viewer.sees_all or all(self._knows(event) for event in events)
            drawing = Drawing(needed.draw_name, needed.draw, needed.count, needed.sides, needed.deck, needed.cards)
            return Outcome(None, (), drawing if is_known else None)
        spent = self._cost(events)
        if spent is None:
            return Outcome(None, (), None)
        money = spent.pop(self._rulebook.accounts.currency, 0)
        return Outcome(money, tuple(sorted(spent.items())), None)

    def _cost(self, events: Sequence[Event]) -> Counter[str] | None:
        """Return the things spent by the seat in the events, as far as the viewer may know in advance."""
        viewer, total = self.viewer, Counter[str]()
        if not any(event.postings for event in events):
            return total
        for event in events:
            if viewer.sees_all:
                total += self._spent(event)
                continue
            learns = event.reveals().admits(viewer)
            spent = self._spent(redact_for_dry_run(event, viewer))
            if learns and spent != self._spent(event):
                return None  # a price revealed only by paying
            total += spent
            if learns:
                break  # later events may depend on the revealed fact
        return total

    def _knows(self, event: Event) -> bool:
        """Return True if the viewer knows of the event, even in advance."""
        return admits(event, self.viewer) and not event.reveals().admits(self.viewer)

    def _decided(self, request: Request) -> tuple[Sequence[Event], NeedsDraw | None]:
        """Return the events of an action; or the events before the first needed draw, and the draw. Raises the
        refusal.
        """
        # No chance: looking at possible moves must not throw dice.
        draft = Draft(self._rulebook, self._state, request, None, copy=self._copy)
        self._copy = None
        try:
            return decided_on(draft, self._rulebook, request).events, None
        except NeedsDraw as needed:
            if self._beyond:
                with suppress(NeedsDraw):
                    decide(
                        self._rulebook, self._state, msgspec.structs.replace(request, undrawn=True), chance=None
                    )
            return draft.events, needed
        finally:
            if draft.is_untouched and not self._apart:
                self._copy = draft.state

    def _spent(self, event: Event | None) -> Counter[str]:
        spent: Counter[str] = Counter()
        for posting in () if event is None else event.postings:
            if (
                ":" not in posting.commodity
                and posting.source in self._own_accounts
                and posting.target not in self._own_accounts
            ):
                spent[posting.commodity] += posting.amount
        return spent


class Outcome(NamedTuple):
    """The cost of a legal action in money, further things spent, and the first needed draw."""

    cost: int | None
    goods: tuple[tuple[str, int], ...]
    drawing: Drawing | None


_ENCODER = msgspec.json.Encoder()


_UNTRIED: Any = object()
