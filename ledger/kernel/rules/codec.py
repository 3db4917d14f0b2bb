"""Reading and writing the stored data of a game: actions, events of any age, snapshots of the state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property, reduce
from operator import or_
from typing import Any, Generic, TypeVar, get_origin

import msgspec
from msgspec import inspect

from ledger.kernel.facts.accounts import Holdings, MayOwe
from ledger.kernel.facts.agreements import Agreement, Archive
from ledger.kernel.facts.dispute import Dispute
from ledger.kernel.facts.events import EntryEvents, Event
from ledger.kernel.facts.refusals import Malformed, UnknownKind
from ledger.kernel.facts.shapes import SETS, holds
from ledger.kernel.facts.state import Shared, State
from ledger.kernel.journal.entry import body
from ledger.kernel.language import faults
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.chapter import Upcast

_WRITTEN_OUT = {"title": "title:", "card": "card:", "draw": "card:"}
"""The optional prefix of an id of each kind, as in commodities: "title:mall" is the title "mall"."""


WRITTEN_OUT = frozenset(f'"{prefix}'.encode() for prefix in _WRITTEN_OUT.values())
"""The beginnings of prefixed ids in JSON."""


def in_short(shape: inspect.Type, value: Any) -> Any:
    """Return plain data of this shape with the ids of titles and cards in short form: "title:mall" becomes
    "mall".

    People make no difference between the forms: boards and names call a title by the commodity.
    """
    match shape:
        case inspect.Metadata(type=inner, extra_json_schema=extra):
            prefix = _WRITTEN_OUT.get((extra or {}).get("x-kind", ""))
            short = in_short(inner, value)
            return short.removeprefix(prefix) if prefix is not None and isinstance(short, str) else short
        case inspect.UnionType(types=types):
            for part in types:
                value = in_short(part, value)
            return value
        case inspect.StructType(fields=fields, tag_field=tag_field, tag=tag) if isinstance(value, dict):
            if tag_field is not None and value.get(tag_field) != tag:
                return value
            mended = {
                part.encode_name: in_short(part.type, value[part.encode_name])
                for part in fields
                if part.encode_name in value
            }
            return {**value, **mended}
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item) if isinstance(value, list):
            return [in_short(item, part) for part in value]
        case inspect.DictType(key_type=key, value_type=inner) if isinstance(value, dict):
            return {in_short(key, name): in_short(inner, part) for name, part in value.items()}
        case _:
            return value


S = TypeVar("S", bound=State)


class _Tagged(msgspec.Struct):
    """The tag of a stored body."""

    kind: str


_TAG = msgspec.json.Decoder(_Tagged)


_OLDER = msgspec.json.Decoder(EntryEvents[msgspec.Raw])


class Codec(Generic[S]):
    """A reader and writer of the stored data of the games of a rulebook.

    Takes the id of the rulebook, the actions by kind, the events and upcasts by tag, the upcasts of parameters by
    kind of action, the state class, the kinds of agreement, the `may_owe` function, and the shared values of
    states.
    """

    def __init__(
        self,
        *,
        rulebook: str,
        actions: Mapping[str, type[Action]],
        events: Mapping[str, type[Event]],
        upcasts: Mapping[str, Upcast],
        state: type[State],
        agreements: Iterable[type[Agreement]],
        may_owe: MayOwe,
        shared: Iterable[Shared] = (),
        action_upcasts: Mapping[str, Sequence[Upcast]] | None = None,
    ) -> None:
        self._rulebook = rulebook
        self._actions = actions
        self._events = tuple(events.values())
        self._upcasts = upcasts
        self._action_upcasts = action_upcasts or {}
        self._state_type = state
        self._agreements = (Dispute, *agreements)
        self._may_owe = may_owe
        self._shared = tuple(shared)

    # Decoders are built at first use: building all took a third of the loading time of the rulebooks.

    @cached_property
    def _event(self) -> msgspec.json.Decoder[Event]:
        return msgspec.json.Decoder(_any_of(self._events))

    @cached_property
    def _facts(self) -> msgspec.json.Decoder[list[EntryEvents[Event]]]:
        event: Any = _any_of(self._events)
        return msgspec.json.Decoder(list[EntryEvents[event]])

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

    def action_type(self, kind: str) -> type[Action]:
        """Return the class of an action. Raises UnknownKind."""
        action = self._actions.get(kind)
        if action is None:
            raise UnknownKind(
                "{rulebook} has no action {kind!r}",
                "{rulebook} n'a pas d'action {kind!r}",
                rulebook=self._rulebook,
                kind=kind,
            )
        return action

    def action(self, kind: str, params: bytes) -> Action:
        """Return an action from a kind and parameters as JSON, of the current or an older shape.

        Titles and cards may be named by commodity; the action has the ids. Raises UnknownKind or Malformed.
        """
        self.action_type(kind)
        params = self._in_short(kind, params)
        try:
            return _decoder(self._actions[kind]).decode(params)
        except (msgspec.ValidationError, msgspec.DecodeError) as fault:
            error = fault
        if isinstance(error, msgspec.ValidationError):
            mended = self._params_of_today(kind, params)
            if mended is not None:
                try:
                    return _decoder(self._actions[kind]).decode(mended)
                except msgspec.ValidationError as fault:
                    error = fault
        raise Malformed(
            "the parameters of {kind} are not right: {fault}",
            "les paramètres de {kind} ne conviennent pas : {fault}",
            kind=kind,
            fault=str(error),
            members=_members(self._actions[kind], str(error), params),
        ) from error

    def _in_short(self, kind: str, params: bytes) -> bytes:
        """Return the parameters with the short ids of titles and cards. Invalid JSON stays unchanged."""
        if not any(written in params for written in WRITTEN_OUT):
            return params
        try:
            decoded = msgspec.json.decode(params)
        except msgspec.DecodeError:
            return params
        mended = in_short(_shape(self._actions[kind]), decoded)
        return params if mended == decoded else msgspec.json.encode(mended)

    def _params_of_today(self, kind: str, params: bytes) -> bytes | None:
        """Return parameters of an older shape in the current shape; None for parameters without an older shape."""
        decoded = msgspec.json.decode(params) if kind in self._action_upcasts else None
        if not isinstance(decoded, dict):
            return None
        plain: dict[str, Any] = decoded
        for upcast in self._action_upcasts[kind]:
            plain = upcast(plain)
        # Encode as JSON again, so that upcast parameters are read exactly like current parameters.
        return None if plain == decoded else msgspec.json.encode(plain)

    def params(self, kind: str, params: bytes) -> dict[str, Any]:
        """Return stored parameters as plain data, under current names. Parameters of an unknown shape stay
        unchanged.
        """
        params = self._in_short(kind, params)
        plain: dict[str, Any] = msgspec.json.decode(params)
        if kind in self._action_upcasts:
            try:
                _decoder(self._actions[kind]).decode(params)
            except msgspec.ValidationError:
                mended = self._params_of_today(kind, params)
                return plain if mended is None else dict(msgspec.json.decode(mended))
        return plain

    def public_params(self, kind: str, params: bytes) -> bytes | None:
        """Return an action's public parameters as canonical JSON, or None."""
        action = self._actions.get(kind)
        if action is None or action.redacted is Action.redacted:
            return None
        try:
            redacted = self.action(kind, params).redacted()
        except Malformed:
            return None
        return None if redacted is None else body(redacted)

    def event(self, stored: bytes | msgspec.Raw) -> Event:
        """Return a stored event from the body, of the current or an older shape.

        Raises msgspec.ValidationError for an unknown shape.
        """
        if self._upcasts and _TAG.decode(stored).kind in self._upcasts:
            plain: dict[str, Any] = msgspec.json.decode(stored)
            while (upcast := self._upcasts.get(plain["kind"])) is not None:
                plain = upcast(plain)
            # Encode as JSON again, so that an upcast body is read exactly like a current body.
            stored = msgspec.json.encode(plain)
        event: Event = self._event.decode(stored)
        return event

    def read_events(self, entries: Sequence[bytes]) -> list[EntryEvents[Event]]:
        """Decode the parts of stored entries that the fold reads. The events may be of any age.

        Entries with only current events are decoded in a single call. Raises msgspec.ValidationError if an
        event has an unknown shape, and msgspec.DecodeError for bytes that are no entry.
        """
        try:
            return self._facts.decode(b"[" + b",".join(entries) + b"]")
        except msgspec.ValidationError:
            return [self._older(stored) for stored in entries]

    def _older(self, stored: bytes) -> EntryEvents[Event]:
        entry = _OLDER.decode(stored)
        events = tuple(map(self.event, entry.events))
        return EntryEvents(entry.game, entry.number, entry.recorded_at, entry.first_seq, events)

    def to_snapshot(self, state: S) -> bytes:
        """Return the state as bytes, for a snapshot.

        Dicts keep their order, so a restored state keeps the order of play. Sets have no order and are sorted,
        so that equal histories give equal bytes in every process.
        """
        frozen = state.copy()
        for name in self._sets:
            setattr(frozen, name, sorted(getattr(state, name)))
        return msgspec.json.encode(frozen, enc_hook=_encode_hook)

    def from_snapshot(self, snapshot: bytes) -> S:
        """Return the state from a snapshot. Raises msgspec.ValidationError for a snapshot of another shape."""
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
    """Return the union of the types."""
    return reduce(or_, types)


@cache
def _decoder(action: type[Action]) -> msgspec.json.Decoder[Action]:
    """Return the decoder of the parameters of an action. Rulebooks of an engine share the decoder."""
    return msgspec.json.Decoder(action)


@cache
def _shape(action: type[Action]) -> inspect.Type:
    return inspect.type_info(action)


@cache
def _sets_of(state: type[State], ended: Any) -> tuple[str, ...]:
    """Return the names of the fields of a state that are sets. Cached for all rulebooks of an engine, because
    the search is slow.

    Raises TypeError for a set deeper in the state or in the types of the archives: a snapshot would store the
    set in an order that depends on the process.
    """
    fields = _fields(inspect.type_info(state))
    set_fields = [field for field in fields if isinstance(field.type, SETS)]
    names = {field.encode_name for field in set_fields}
    deeper = [
        f"{state.__name__}.{field.name}"
        for field in fields
        if field.encode_name not in names and holds(field.type, SETS)
    ]
    if holds(inspect.type_info(ended), SETS):
        deeper.append("what has ended")
    if deeper:
        raise TypeError(f"{', '.join(deeper)}: a set may only be a field of a state")
    return tuple(field.name for field in set_fields)


def _fields(shape: inspect.Type) -> tuple[inspect.Field, ...]:
    return shape.fields if isinstance(shape, inspect.StructType) else ()


def _encode_hook(value: Any) -> Any:
    """Return plain data for types unknown to msgspec: two containers, and the shared values of states."""
    if isinstance(value, Shared):
        return value.name()
    if isinstance(value, Holdings):
        return value.as_dict()
    if isinstance(value, Archive):
        return value.text()
    raise TypeError(f"{type(value).__name__} has no place in a state")


def _members(kind: type[Action], fault: str, params: bytes) -> tuple[str, ...]:
    """Return the possible members of the parameters, for parameters with an unknown member."""
    try:
        return faults.members(kind, fault, msgspec.json.decode(params))
    except msgspec.DecodeError:
        return ()
