"""Reading and writing what is stored of a game: actions, events of any age, snapshots of its state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property, reduce
from operator import or_
from typing import Any, Generic, TypeVar, get_origin

import msgspec
from msgspec import inspect

from ledger.kernel import faults
from ledger.kernel.accounts import Holdings, MayOwe
from ledger.kernel.actions import Action
from ledger.kernel.agreements import Agreement, Archive
from ledger.kernel.arbitration.dispute import Dispute
from ledger.kernel.chapter import Upcast
from ledger.kernel.events import Event, Facts
from ledger.kernel.parameters import WRITTEN_OUT, in_short
from ledger.kernel.refusals import Malformed
from ledger.kernel.shapes import SETS, holds
from ledger.kernel.state import Shared, State

S = TypeVar("S", bound=State)


class _Tagged(msgspec.Struct):
    """Of a stored body, the tag alone."""

    kind: str


_TAG = msgspec.json.Decoder(_Tagged)
_OLDER = msgspec.json.Decoder(Facts[msgspec.Raw])


class Codec(Generic[S]):
    """What reads and writes the stored data of one rulebook's games.

    Takes its actions by kind, its events and upcasts by tag, the upcasts of parameters by the kind of action, its
    state, its kinds of agreement, who may owe, and what its states refer to.
    """

    def __init__(
        self,
        *,
        actions: Mapping[str, type[Action]],
        events: Mapping[str, type[Event]],
        upcasts: Mapping[str, Upcast],
        state: type[State],
        agreements: Iterable[type[Agreement]],
        may_owe: MayOwe,
        shared: Iterable[Shared] = (),
        action_upcasts: Mapping[str, Sequence[Upcast]] | None = None,
    ) -> None:
        self._actions = actions
        self._events = tuple(events.values())
        self._upcasts = upcasts
        self._action_upcasts = action_upcasts or {}
        self._state_type = state
        self._agreements = (Dispute, *agreements)
        self._may_owe = may_owe
        self._shared = tuple(shared)

    # A decoder is built at its first use: all of them took a third of the time that reading the rulebooks took.

    @cached_property
    def _event(self) -> msgspec.json.Decoder[Event]:
        return msgspec.json.Decoder(_any_of(self._events))

    @cached_property
    def _facts(self) -> msgspec.json.Decoder[list[Facts[Event]]]:
        event: Any = _any_of(self._events)
        return msgspec.json.Decoder(list[Facts[event]])

    @cached_property
    def _ended(self) -> msgspec.json.Decoder[list[Agreement]]:
        ended: Any = _any_of(self._agreements)
        return msgspec.json.Decoder(list[ended])

    @cached_property
    def _state(self) -> msgspec.json.Decoder[Any]:
        return msgspec.json.Decoder(self._state_type, dec_hook=self._decode_hook)

    @cached_property
    def _sets(self) -> tuple[str, ...]:
        return _sets_of(self._state_type, _any_of(self._agreements))

    def action(self, kind: str, params: bytes) -> Action:
        """An action of a known kind from its parameters as JSON, of today's shape or of an older one.

        Titles and cards may be named by their commodities; the action has their ids. Raises Malformed.
        """
        params = self._in_short(kind, params)
        try:
            return _decoder(self._actions[kind]).decode(params)
        except (msgspec.ValidationError, msgspec.DecodeError) as fault:
            found = fault
        if isinstance(found, msgspec.ValidationError):
            mended = self._params_of_today(kind, params)
            if mended is not None:
                try:
                    return _decoder(self._actions[kind]).decode(mended)
                except msgspec.ValidationError as fault:
                    found = fault
        raise Malformed(
            "the parameters of {kind} are not right: {fault}",
            "les paramètres de {kind} ne conviennent pas : {fault}",
            kind=kind,
            fault=str(found),
            members=_members(self._actions[kind], str(found), params),
        ) from found

    def _in_short(self, kind: str, params: bytes) -> bytes:
        """The parameters with the short ids of titles and cards. JSON of no known shape stays as it is."""
        if not any(written in params for written in WRITTEN_OUT):
            return params
        try:
            given = msgspec.json.decode(params)
        except msgspec.DecodeError:
            return params
        mended = in_short(_shape(self._actions[kind]), given)
        return params if mended == given else msgspec.json.encode(mended)

    def _params_of_today(self, kind: str, params: bytes) -> bytes | None:
        """Parameters of an older shape in the shape of today; None when they have none of the older shapes."""
        given = msgspec.json.decode(params) if kind in self._action_upcasts else None
        if not isinstance(given, dict):
            return None
        plain: dict[str, Any] = given
        for upcast in self._action_upcasts[kind]:
            plain = upcast(plain)
        # Through JSON again, so that mended parameters are read exactly as those of today.
        return None if plain == given else msgspec.json.encode(plain)

    def params(self, kind: str, params: bytes) -> dict[str, Any]:
        """Stored parameters as plain data, under the names of today. Those of no known shape stay as they are."""
        params = self._in_short(kind, params)
        plain: dict[str, Any] = msgspec.json.decode(params)
        if kind in self._action_upcasts:
            try:
                _decoder(self._actions[kind]).decode(params)
            except msgspec.ValidationError:
                mended = self._params_of_today(kind, params)
                return plain if mended is None else dict(msgspec.json.decode(mended))
        return plain

    def event(self, stored: bytes | msgspec.Raw) -> Event:
        """A stored event body, of today's shape or of an older one.

        Raises msgspec.ValidationError when it is of neither.
        """
        if self._upcasts and _TAG.decode(stored).kind in self._upcasts:
            plain: dict[str, Any] = msgspec.json.decode(stored)
            while (upcast := self._upcasts.get(plain["kind"])) is not None:
                plain = upcast(plain)
            # Through JSON again, so that a mended body is read exactly as a body of today.
            stored = msgspec.json.encode(plain)
        event: Event = self._event.decode(stored)
        return event

    def facts(self, entries: Sequence[bytes]) -> list[Facts[Event]]:
        """What the fold reads of stored entries, whose events may be of any age.

        One call decodes all of them when every event has a shape of today. Raises msgspec.ValidationError when an
        event has no known shape, and msgspec.DecodeError for bytes that are no entry.
        """
        try:
            return self._facts.decode(b"[" + b",".join(entries) + b"]")
        except msgspec.ValidationError:
            return [self._older(stored) for stored in entries]

    def _older(self, stored: bytes) -> Facts[Event]:
        found = _OLDER.decode(stored)
        events = tuple(map(self.event, found.events))
        return Facts(found.game, found.number, found.recorded_at, found.first_seq, events)

    def freeze(self, state: S) -> bytes:
        """Write the state as bytes, for a snapshot.

        Dicts keep their order, so whoever reads the state back reads it in the order of play. Sets have no order:
        they are sorted, so that the same history gives the same bytes in every process.
        """
        frozen = state.copy()
        for name in self._sets:
            setattr(frozen, name, sorted(getattr(state, name)))
        return msgspec.json.encode(frozen, enc_hook=_encode_hook)

    def thaw(self, snapshot: bytes) -> S:
        """The state back from a snapshot. Raises msgspec.ValidationError when its shape is another."""
        state: S = self._state.decode(snapshot)
        return state

    def _decode_hook(self, kind: type, plain: Any) -> Any:
        if kind is Holdings:
            return Holdings(self._may_owe, plain)
        if kind is Archive:
            return Archive.from_text(plain, self._ended.decode)
        for shared in self._shared:
            if isinstance(shared, get_origin(kind) or kind):
                return shared.named(plain)
        raise TypeError(f"{kind.__name__} has no place in a state")


def _any_of(types: Iterable[Any]) -> Any:
    """The union of the types."""
    return reduce(or_, types)


@cache
def _decoder(action: type[Action]) -> msgspec.json.Decoder[Action]:
    """The decoder of an action's parameters. Rulebooks of one engine share it."""
    return msgspec.json.Decoder(action)


@cache
def _shape(action: type[Action]) -> inspect.Type:
    return inspect.type_info(action)


@cache
def _sets_of(state: type[State], ended: Any) -> tuple[str, ...]:
    """The fields of a state that are sets. Rulebooks of one engine share the answer: to look takes long.

    Raises TypeError when a set stands deeper in the state, or in what its archives keep: a snapshot would keep it
    in an order that depends on the process.
    """
    fields = _fields(inspect.type_info(state))
    found = [field for field in fields if isinstance(field.type, SETS)]
    names = {field.encode_name for field in found}
    deeper = [
        f"{state.__name__}.{field.name}"
        for field in fields
        if field.encode_name not in names and holds(field.type, SETS)
    ]
    if holds(inspect.type_info(ended), SETS):
        deeper.append("what has ended")
    if deeper:
        raise TypeError(f"{', '.join(deeper)}: a set may only be a field of a state")
    return tuple(field.name for field in found)


def _fields(shape: inspect.Type) -> tuple[inspect.Field, ...]:
    return shape.fields if isinstance(shape, inspect.StructType) else ()


def _encode_hook(value: Any) -> Any:
    """Plain data for what msgspec does not know: two containers, and what states refer to."""
    if isinstance(value, Shared):
        return value.name()
    if isinstance(value, Holdings):
        return value.as_dict()
    if isinstance(value, Archive):
        return value.text()
    raise TypeError(f"{type(value).__name__} has no place in a state")


def _members(kind: type[Action], fault: str, params: bytes) -> tuple[str, ...]:
    """What the parameters may have, where they have something else."""
    try:
        return faults.members(kind, fault, msgspec.json.decode(params))
    except msgspec.DecodeError:
        return ()
