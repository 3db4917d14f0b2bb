"""The steps of a choice in parts, in the form for a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from ledger.games.moments import Moment
from ledger.kernel.deciding.moves import Tries
from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.wording import fill
from ledger.kernel.rules.faces.editions import pointer_at
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.overdue import present
from ledger.reading.moves.moves import seat_to_act
from ledger.reading.moves.offered import costs_of, wanted_draws
from ledger.reading.moves.parts import END, Choosing, ChosenPart, Leaf, Step, value_at
from ledger.reading.moves.shown import Cost, WantedDraw
from ledger.reading.words.forms import parameters_of
from ledger.reading.words.naming import Names
from ledger.rulebooks.parts.boards import drawn


class PartOption(msgspec.Struct, frozen=True, kw_only=True):
    """A value of a part on the way to a legal action.

    To choose the value, add `given` to the parameters `given` of the next request. `at` is the place of the part
    in the parameters (a JSON Pointer, RFC 6901), and `x-kind` the kind of value, as in the JSON Schema of the
    action.
    """

    chooses: str = msgspec.field(name="given")
    at: str
    kind: str | UnsetType = msgspec.field(name="x-kind", default=UNSET)
    value: Any
    label: Phrase


class FreePart(msgspec.Struct, frozen=True, kw_only=True):
    """A part for further values: a text, an amount. Send `at`, "=", and the value as JSON as `given`.

    `minimum` and `maximum` are the bounds, both included, as far as known.
    """

    at: str
    kind: str | UnsetType = msgspec.field(name="x-kind", default=UNSET)
    minimum: int | UnsetType = UNSET
    maximum: int | UnsetType = UNSET


class ReadyAct(msgspec.Struct, frozen=True, kw_only=True):
    """An action with the parts given so far, possible and ready to be sent.

    `draws`, `cost` and `costs` are as in a move.
    """

    kind: str
    params: dict[str, Any]
    draws: tuple[WantedDraw, ...] | UnsetType = UNSET
    cost: int | UnsetType = UNSET
    costs: tuple[Cost, ...] | UnsetType = UNSET


class PartsView(msgspec.Struct, frozen=True, kw_only=True):
    """The next step of an action chosen in parts.

    `options` are values of the next part, or of a later part if the parts between may be left out. Each option
    leads to a legal action. `free` are next parts with further values. `end` is the `given` to end the object or
    list under way; left out if the object or list must go on. `act` is left out as long as the parts so far are
    not enough. Every part up to the last given part is settled: the parts passed over are left out.

    `whole` is false if the service stopped before the last try; with a part given first, fewer tries are needed.
    """

    kind: str
    chosen: tuple[str, ...] = msgspec.field(name="given")
    options: tuple[PartOption, ...]
    free: tuple[FreePart, ...]
    end: str | UnsetType = UNSET
    act: ReadyAct | UnsetType = UNSET
    whole: bool


def shown_step(moment: Moment, seat: str | None, kind: str, chosen: Sequence[str], at: datetime) -> PartsView:
    """Return the next step of an action of this kind for the seat at the time `at`.

    A given part is a JSON Pointer, "=", and a JSON value; or a JSON Pointer with "-" at the end, for the end of an
    object or a list. Raises Malformed for any further text, and for a part outside the action.
    """
    rulebook, acting = moment.rulebook, seat_to_act(moment, seat)
    state = present(moment, at)
    tries = Tries(rulebook, state, acting, rulebook.accounts.purse(acting), moment.viewer, at, beyond=True)
    step = Choosing(rulebook, state, acting, tries, kind).step([_read(text) for text in chosen])
    labels = Labels(rulebook, state, kind)
    return PartsView(
        kind=kind,
        chosen=tuple(chosen),
        options=tuple(
            PartOption(
                chooses=f"{pointer_at('', *leaf.path)}={_ENCODER.encode(value).decode()}",
                at=pointer_at("", *leaf.path),
                kind=_kind(leaf),
                value=value,
                label=labels.of(leaf, value, step.params),
            )
            for leaf, value in step.values
        ),
        free=tuple(
            FreePart(
                at=pointer_at("", *leaf.path),
                kind=_kind(leaf),
                minimum=leaf.bounds.minimum,
                maximum=leaf.bounds.maximum,
            )
            for leaf in step.free
        ),
        end=UNSET if step.end is None else pointer_at("", *step.end, END),
        act=_ready(moment, state, kind, step),
        whole=step.is_whole,
    )


def _ready(moment: Moment, state: Any, kind: str, step: Step) -> ReadyAct | UnsetType:
    if step.act is None:
        return UNSET
    cost, goods, drawing = step.act
    return ReadyAct(
        kind=kind,
        params=step.params,
        draws=wanted_draws(moment.rulebook, state, moment.rulebook.words_of(kind), kind, drawing),
        cost=UNSET if cost is None else cost,
        costs=costs_of(moment.rulebook, cost, goods),
    )


_ENCODER = msgspec.json.Encoder()


def _read(text: str) -> ChosenPart:
    """Read a given part. Raises Malformed."""
    pointer, equals, value = text.partition("=")
    path = tuple(word.replace("~1", "/").replace("~0", "~") for word in pointer.split("/")[1:])
    if pointer.startswith("/") and (equals == "=") != (path[-1] == END):
        try:
            return ChosenPart(path, msgspec.json.decode(value) if equals else None)
        except (msgspec.DecodeError, RecursionError):
            pass
    raise Malformed(
        '{text!r} is no given part: write /place=5, /agent="leslie", or /picks/- for an end',
        '{text!r} n\'est pas une partie : écrivez /place=5, /agent="leslie", ou /picks/- pour une fin',
        text=text[:80],
    )


def _kind(leaf: Leaf) -> str | UnsetType:
    return UNSET if leaf.kind is None else leaf.kind.partition(":")[0]


class Labels:
    """The names of the values of parts, in both languages."""

    def __init__(self, rulebook: Rulebook[Any], state: Any, kind: str) -> None:
        self._rulebook = rulebook
        self._kind = kind
        self._seats = state.seats
        self._words = rulebook.accounts.commodities(state)
        self._words_of_kind = rulebook.words_of(kind)
        self._parameters = parameters_of(rulebook.codec.action_type(kind))
        self._speakers = rulebook.naming(state)
        self._cards = {item.card: commodity for commodity, item in self._words.items() if item.card is not None}
        self._names = {language: Names(rulebook, state, language) for language in ("en", "fr")}
        boards = ((language, drawn(rulebook, state, language)) for language in ("en", "fr"))
        self._places = {
            (language, item.number): item.name for language, board in boards if board for item in board.places
        }

    def of(self, leaf: Leaf, value: Any, params: Mapping[str, Any]) -> Phrase:
        """Return the name of a value by its kind, beside the parts so far; the value itself if it has no name."""
        if value is None or value in ([], {}):
            return Phrase("nothing", "rien")
        kind, name = _kind(leaf), next(word for word in reversed(leaf.path) if isinstance(word, str))
        words = self._rulebook.language.parameter_wording.of(leaf.holder or self._kind, name)
        written = str(value).lower() if isinstance(value, bool) else str(value)
        if words is not None and written in words.values:
            return words.values[written]
        field = self._words_of_kind.field_for(name) if len(leaf.path) == 1 else None
        if field is not None and not isinstance(value, bool):
            spoken_en, spoken_fr = (
                fill(field, {name: value}, language, self._speakers) for language in ("en", "fr")
            )
            return Phrase(str(spoken_en), str(spoken_fr))
        if kind == "quantity" and (numbered := self._numbered(leaf, value, params)):
            return numbered
        if isinstance(value, bool):
            return Phrase("yes", "oui") if value else Phrase("no", "non")
        return Phrase(self._named(kind, value, "en"), self._named(kind, value, "fr"))

    def _numbered(self, leaf: Leaf, value: int, params: Mapping[str, Any]) -> Phrase | None:
        """Return the words for a number in an object: those of the object with the number, as in a sentence.

        A number alone would say nothing: the tokens of a group, the second of two benefits. None if the rulebook
        speaks no sentence about the objects of the parameter.
        """
        parameter, *within = leaf.path
        speaker = self._speakers.get(self._parameters[str(parameter)].kind or "")
        if speaker is None or not leaf.holder or len(within) > 2:
            return None
        beside = value_at(params, leaf.path[:-1])
        spoken: Any = {**(beside if isinstance(beside, dict) else {}), within[-1]: value}
        if len(within) == 2:
            spoken = [spoken]
        return Phrase(speaker(spoken, "en"), speaker(spoken, "fr"))

    def _named(self, kind: str | UnsetType, value: Any, language: str) -> str:
        names = self._names[language]
        match kind:
            case "seat" if value in self._seats:
                return str(self._seats[value].name)
            case "place" if (language, value) in self._places:
                return self._places[language, value]
            case "account":
                return names.account(value)
            case "card" if "card" in self._speakers:
                return self._speakers["card"](value, language)
            case "card" | "title" | "commodity":
                commodity = self._cards.get(value, value if value in self._words else f"{kind}:{value}")
                words = self._words.get(commodity)
                if words is not None and words.name is not None:
                    return words.name.in_language(language)
                name = names.commodity(commodity)
                return str(value) if name == commodity else name
            case _:
                return str(value)
