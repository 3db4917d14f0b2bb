"""Choices in parts: the parameters of an action, chosen one after the other.

A step offers the values of the next part that lead to a legal action. The type of the action alone gives its
parts, so every rulebook has them. The values of a part are the words of the table for its kind, and the values in
the rulebook's own choices. Each is tried, with the later parts left out, or as in a choice of the rulebook.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, inspect

from ledger.kernel.deciding.moves import Outcome, Tries, shape_of
from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import sees_holding
from ledger.kernel.rules.actions import Bounds, Choice
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.moves.needs import takes_draws
from ledger.reading.moves.offered import bounds_of
from ledger.rulebooks.parts.boards import drawn

MOST_TRIES = 1000
"""The limit of dry decisions in a step."""
_MOST_CHOICES = 2000
_MOST_TEMPLATES = 8
_MOST_NUMBERS = 30
"""The limit of whole numbers offered one by one; a wider range is free."""

Path = tuple[str | int, ...]
END = "-"
"""The last word of a path that ends an object or a list (RFC 6901: the place after the last item)."""
_ENCODER = msgspec.json.Encoder()
_FREE = {"text", "amount", "quantity", "action", "rule", "kind", "params", None}
"""The kinds of values without a list of values."""


class ChosenPart(NamedTuple):
    """A part chosen so far. The path of an ended object or list has END as the last word, and no value."""

    path: Path
    value: Any = None


class Leaf(NamedTuple):
    """A part to choose next: the place, the kind of value (`x-kind`), the values to try, and a flag if further
    values are free, within the bounds. `holder` is the type of the object with the part inside a parameter.
    """

    path: Path
    kind: str | None
    values: Sequence[Any]
    is_free: bool = False
    bounds: Bounds = Bounds()
    holder: str = ""


class Step(NamedTuple):
    """A step of a choice in parts.

    Each of `values` leads to a legal action. Each of `free` takes any value within its bounds. `end` is an object
    or list that may end, or None. `params` are the parameters so far, and `act` is the cost and the draw of the
    action with these parameters; None if refused. `is_whole` is False if the tries ran out.
    """

    values: tuple[tuple[Leaf, Any], ...]
    free: tuple[Leaf, ...]
    end: Path | None
    params: dict[str, Any]
    act: Outcome | None
    is_whole: bool


_Key = tuple[Path, bytes]
"""The place of a value, and the value as JSON; no bytes for the end of an object or list."""


class Choosing:
    """The choice of one action in parts, on a state, for a seat."""

    def __init__(self, rulebook: Rulebook[Any], state: State, seat: str, tries: Tries[Any], kind: str) -> None:
        self._rulebook = rulebook
        self._state = state
        self._tries = tries
        self._kind = kind
        action = rulebook.codec.action_type(kind)
        self._shape = shape_of(action)
        self._outcomes: dict[bytes, Outcome | None] = {}
        choices: list[Choice] = list(islice(action.choices(state, seat), _MOST_CHOICES))
        self._templates = [choice.params for choice in choices]
        self._free = {name: bounds for choice in choices for name, bounds in bounds_of(choice.free).items()}
        self._examples: dict[Path, dict[Any, None]] = {}
        for params in self._templates:
            for pattern, value in _parts_of((), params):
                if not isinstance(value, (dict, list, tuple)):
                    self._examples.setdefault(pattern, {})[value] = None

    # ------------------------------------------------------------------------------------------
    # The step
    # ------------------------------------------------------------------------------------------

    def step(self, chosen: Sequence[ChosenPart]) -> Step:
        """Return the step after the parts given so far. Raises Malformed for a part outside the action."""
        params, chosen, position = self._laid(chosen)
        act = self._outcome(params)
        container, leaves = self._next(params, position)
        templates = self._fitting(chosen)
        candidates = {
            (leaf.path, _ENCODER.encode(value)): (leaf, value) for leaf in leaves for value in leaf.values
        }
        may_end = bool(container) and self._may_end(container, params)
        if may_end:
            candidates[container, b""] = Leaf(container, None, ()), value_at(params, container)
        leading = self._leading(params, candidates, templates)
        return Step(
            values=tuple(item for key, item in candidates.items() if key in leading and key[1]),
            free=tuple(leaf for leaf in leaves if leaf.is_free),
            end=container if (container, b"") in leading else None,
            params=params,
            act=act,
            is_whole=len(self._outcomes) < MOST_TRIES,
        )

    def _may_end(self, path: Path, params: dict[str, Any]) -> bool:
        """Return True if an object or list may end by its type."""
        value = value_at(params, path)
        least = getattr(_holder(self._shape_at(path, params), value), "min_length", None) or 0
        return not isinstance(value, list) or len(value) >= least

    # ------------------------------------------------------------------------------------------
    # Tries
    # ------------------------------------------------------------------------------------------

    def _outcome(self, params: dict[str, Any]) -> Outcome | None:
        """Return cost and draw of a legal action; None for a refused action. Each is decided once."""
        key = _ENCODER.encode(params)
        if key not in self._outcomes:
            self._outcomes[key] = self._tries.outcome(self._kind, params)
        return self._outcomes[key]

    def _leading(
        self, params: dict[str, Any], candidates: Mapping[_Key, tuple[Leaf, Any]], templates: list[dict[str, Any]]
    ) -> set[_Key]:
        """Return the keys of the values that lead to a legal action.

        Every value is tried in one way before any is tried in the next: with the later parts left out, or with
        those of a template, from the innermost object or from further outside. Parts in the templates come first.
        """
        used = {pattern for template in templates for pattern, _ in _parts_of((), template)}
        ordered = sorted(candidates, key=lambda key: _pattern(key[0]) not in used)
        depth = max((len(path) for path, _ in ordered), default=0)
        ways = [({}, depth), *((template, outer) for outer in range(depth) for template in templates)]
        leading: set[_Key] = set()
        for template, outer in ways:
            for key in ordered:
                if key not in leading and len(self._outcomes) < MOST_TRIES:
                    path, value = key[0], candidates[key][1]
                    tried = _merged(self._shape, params, template, path, value, len(path) - outer)
                    if self._outcome(tried) is not None:
                        leading.add(key)
        return leading

    def _fitting(self, chosen: Sequence[ChosenPart]) -> list[dict[str, Any]]:
        """Return some choices of the rulebook with the most of the given parts, for later parts."""
        agreeing = [
            sum(value_at(template, part.path) == part.value for part in chosen) for template in self._templates
        ]
        highest = max(agreeing, default=0)
        best = [template for template, number in zip(self._templates, agreeing, strict=True) if number == highest]
        return best[:: max(1, -(-len(best) // _MOST_TEMPLATES))]

    # ------------------------------------------------------------------------------------------
    # Parts
    # ------------------------------------------------------------------------------------------

    def _laid(self, chosen: Sequence[ChosenPart]) -> tuple[dict[str, Any], list[ChosenPart], Path | None]:
        """Return the parameters given so far, the parts, and the place of the last part; None before the first."""
        params: dict[str, Any] = {}
        position: Path | None = None
        placed: list[ChosenPart] = []
        for part in chosen:
            is_end = part.path[-1:] == (END,)
            position = self._typed(part.path[:-1] if is_end else part.path, params)
            if not is_end:
                _put(params, position, part.value)
                placed.append(ChosenPart(position, part.value))
            elif position and value_at(params, position) is UNSET:
                shape = _holder(self._shape_at(position, params), UNSET)
                _put(params, position, {} if isinstance(shape, (inspect.StructType, inspect.DictType)) else [])
        return params, placed, position

    def _typed(self, path: Path, params: dict[str, Any]) -> Path:
        """Return the path with numbers for the items of lists. Raises Malformed for a path outside the action."""
        words: list[str | int] = []
        shape: inspect.Type = self._shape
        for word in path:
            value = value_at(params, tuple(words))
            holder = _holder(shape, value)
            if isinstance(holder, _LISTS) and str(word).isdecimal():
                words.append(int(word))
            elif isinstance(holder, inspect.DictType) or word in _names(holder):
                words.append(word)
            else:
                raise _no_part(path)
            shape = _member(shape, words[-1], value)
        return tuple(words)

    def _shape_at(self, path: Path, params: dict[str, Any]) -> inspect.Type:
        shape: inspect.Type = self._shape
        for depth, word in enumerate(path):
            shape = _member(shape, word, value_at(params, path[:depth]))
        return shape

    def _next(self, params: dict[str, Any], position: Path | None) -> tuple[Path, list[Leaf]]:
        """Return the innermost object or list with a further part, and its next parts."""
        if position is None:
            return (), [*self._members(self._shape, (), params, None)]
        for depth in range(len(position) - 1, -1, -1):
            path = position[:depth]
            shape = self._shape_at(path, params)
            leaves = [*self._members(shape, path, value_at(params, path), position[depth])]
            if leaves:
                return path, leaves
        return (), []

    def _members(self, shape: inspect.Type, path: Path, value: Any, last: str | int | None) -> Iterator[Leaf]:
        """Yield the first parts of the members after a member; for an object through the first required member."""
        number = int(last) + 1 if isinstance(last, int) else 0
        match _holder(shape, value):
            case inspect.StructType(cls=holder, fields=fields):
                names = [field.encode_name for field in fields]
                for field in fields[names.index(str(last)) + 1 if last in names else 0 :]:
                    if path or not takes_draws(field.encode_name, _kind(field.type)):
                        default = UNSET if field.default is msgspec.NODEFAULT else field.default
                        for leaf in self._leaves(field.type, (*path, field.encode_name), None, default):
                            yield leaf._replace(holder=leaf.holder or holder.__name__) if path else leaf
                    if field.required:
                        return
            case (
                inspect.ListType(item_type=item, max_length=longest)
                | inspect.VarTupleType(item_type=item, max_length=longest)
            ):
                if longest is None or number < longest:
                    yield from self._leaves(item, (*path, number), None, UNSET)
            case inspect.TupleType(item_types=items):
                if number < len(items):
                    yield from self._leaves(items[number], (*path, number), None, UNSET)
            case inspect.DictType(key_type=key, value_type=item):
                for leaf in self._leaves(key, (*path, "*"), None, UNSET):
                    for name in leaf.values:
                        if not isinstance(value, dict) or name not in value:
                            yield from self._leaves(item, (*path, name), None, UNSET)

    def _leaves(self, shape: inspect.Type, path: Path, kind: str | None, default: Any) -> Iterator[Leaf]:
        """Yield the first parts of a value. `default` is its value if left out; UNSET if required."""
        match shape:
            case inspect.Metadata(type=inner):
                yield from self._leaves(inner, path, _kind(shape) or kind, default)
            case inspect.UnionType(types=types):
                for part in types:
                    yield from self._leaves(part, path, kind, default)
            case inspect.StructType(tag=None, fields=fields):
                if not any(field.required for field in fields):
                    yield Leaf(path, kind, [{}])
                yield from self._members(shape, path, UNSET, None)
            case inspect.StructType(cls=holder, tag=tag, tag_field=field):
                yield Leaf((*path, str(field)), "enum", [tag], holder=holder.__name__)
            case inspect.ListType(min_length=least) | inspect.VarTupleType(min_length=least):
                if not least and default in (None, UNSET):
                    yield Leaf(path, kind, [[]])
                yield from self._members(shape, path, UNSET, None)
            case inspect.TupleType() | inspect.DictType():
                yield from self._members(shape, path, UNSET, None)
            case inspect.NoneType() | inspect.LiteralType() | inspect.BoolType():
                values = getattr(
                    shape, "values", (None,) if isinstance(shape, inspect.NoneType) else (True, False)
                )
                yield Leaf(path, kind or "enum", [value for value in values if value != default])
            case _:
                yield self._scalar(shape, path, kind)

    def _scalar(self, shape: inspect.Type, path: Path, kind: str | None) -> Leaf:
        """Return a part with a number or a text: the values of choices, the words of the table, or free."""
        low, high = getattr(shape, "ge", None), getattr(shape, "le", None)
        if kind != "place" and low is not None and high is not None and high - low < _MOST_NUMBERS:
            return Leaf(path, kind, range(low, high + 1))
        values = [*dict.fromkeys((*self._examples.get(_pattern(path), {}), *self._words.get(kind or "", ())))]
        bounds = Bounds(UNSET if low is None else low, UNSET if high is None else high)
        if len(path) == 1:
            bounds = self._free.get(str(path[0]), bounds)
        return Leaf(path, kind, values, kind in _FREE, bounds)

    @cached_property
    def _words(self) -> Mapping[str, Sequence[Any]]:
        """The words of the table for each kind of value, as far as the viewer knows them."""
        rulebook, state, viewer = self._rulebook, self._state, self._tries.viewer
        visible = {
            (account, commodity)
            for account, balances in state.holdings.items()
            for commodity, amount in balances.items()
            if amount > 0 and sees_holding(rulebook.secrets, state, account, commodity, viewer)
        }
        things = [*dict.fromkeys(commodity for _, commodity in sorted(visible))]
        words = rulebook.accounts.commodities(state)
        cards: dict[str, list[str]] = {"card": []}
        for thing in things:
            if ":" in thing:
                card = thing.rpartition(":")[2]
                group = words[thing].group if thing in words else None
                cards["card"].append(card)
                cards.setdefault(f"card:{group}", []).append(card)
        board = drawn(rulebook, state, "en")
        return {
            **cards,
            "seat": [*state.seats],
            "place": [] if board is None else [place.number for place in board.places],
            "commodity": things,
            "title": [thing.removeprefix("title:") for thing in things if thing.startswith("title:")],
            "account": [*dict.fromkeys(account for account, _ in sorted(visible))],
        }


# ----------------------------------------------------------------------------------------------
# Types and values
# ----------------------------------------------------------------------------------------------

_LISTS = (inspect.ListType, inspect.VarTupleType, inspect.TupleType)
_HOLDERS = (inspect.StructType, inspect.DictType, *_LISTS)


def _holder(shape: inspect.Type, value: Any) -> inspect.Type:
    """Return the object or list within a type; of several objects the one with the tag of the value."""
    match shape:
        case inspect.Metadata(type=inner):
            return _holder(inner, value)
        case inspect.UnionType(types=types):
            holders = [part for part in (_holder(part, value) for part in types) if isinstance(part, _HOLDERS)]
            return next((part for part in holders if _has_tag(part, value)), holders[0] if holders else types[0])
        case _:
            return shape


def _has_tag(shape: inspect.Type, value: Any) -> bool:
    field = getattr(shape, "tag_field", None)
    return field is not None and isinstance(value, dict) and value.get(field) == getattr(shape, "tag", None)


def _names(shape: inspect.Type) -> list[str]:
    """Return the names of the members of an object in order, the tag first."""
    if not isinstance(shape, inspect.StructType):
        return []
    return [*([shape.tag_field] if shape.tag_field else []), *(field.encode_name for field in shape.fields)]


def _member(shape: inspect.Type, word: str | int, value: Any) -> inspect.Type:
    """Return the type of a member of an object or list; any type for an unknown member."""
    match _holder(shape, value):
        case inspect.StructType(fields=fields):
            return next((field.type for field in fields if field.encode_name == word), inspect.AnyType())
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
            return item
        case inspect.TupleType(item_types=items) if isinstance(word, int) and word < len(items):
            return items[word]
        case inspect.DictType(value_type=item):
            return item
        case _:
            return inspect.AnyType()


def _merged(shape: inspect.Type, params: Any, template: Any, path: Path, value: Any, levels: int) -> Any:
    """Return the given parts with a value at the path; later parts of the `levels` outer levels are from the
    template.
    """
    if not path:
        return value
    word, further = path[0], path[1:]
    old = template if levels > 0 else UNSET
    inner = _merged(
        _member(shape, word, params),
        value_at(params, (word,)),
        value_at(template, (word,)),
        further,
        value,
        levels - 1,
    )
    if isinstance(word, int):
        return [*(params or ())[:word], inner, *(old[word + 1 :] if isinstance(old, list) else ())]
    members = {**(params or {}), word: inner}
    names = _names(_holder(shape, members))
    earlier = {*names[: names.index(word) + 1]} if word in names else {*members}
    later = {name: item for name, item in old.items() if name not in earlier} if isinstance(old, dict) else {}
    return {**members, **later}


def _kind(shape: inspect.Type) -> str | None:
    """Return the kind of value that a type declares (`x-kind`), with the group of a card, if any (`x-group`)."""
    extra = (shape.extra_json_schema or {}) if isinstance(shape, inspect.Metadata) else {}
    return f"{extra['x-kind']}:{extra['x-group']}" if "x-group" in extra else extra.get("x-kind")


def _pattern(path: Path) -> Path:
    return tuple("*" if isinstance(word, int) else word for word in path)


def _parts_of(path: Path, value: Any) -> Iterator[tuple[Path, Any]]:
    """Yield the parts of a value, each with its pattern; the names in an object are parts, too."""
    yield path, value
    if isinstance(value, dict):
        for name, member in value.items():
            yield (*path, "*"), name
            yield from _parts_of((*path, name), member)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _parts_of((*path, "*"), item)


def value_at(value: Any, path: Path) -> Any:
    """Return the value at a path; UNSET for none."""
    for word in path:
        is_item = isinstance(value, (list, tuple)) and isinstance(word, int) and word < len(value)
        if not is_item and not (isinstance(value, dict) and word in value):
            return UNSET
        value = value[word]
    return value


def _put(holder: Any, path: Path, value: Any) -> None:
    """Put a value at a path, into new objects and lists where needed. Raises Malformed for an impossible path."""
    for word, following in zip(path, (*path[1:], None), strict=True):
        inner = value if following is None else [] if isinstance(following, int) else {}
        if isinstance(holder, list) and word == len(holder):
            holder.append(inner)
        elif isinstance(holder, dict) and (following is None or word not in holder):
            holder[word] = inner
        elif value_at(holder, (word,)) is UNSET or following is None:
            raise _no_part(path)
        holder = holder[word]


def _no_part(path: Path) -> Malformed:
    return Malformed(
        "there is no part {path} of this action after the parts before it",
        "cette action n'a pas de partie {path} après celles qui précèdent",
        path="/".join(("", *map(str, path))),
    )
