"""Moves for people: the legal actions of a seat, combined and named, in the form for a page.

The kernel lists every legal choice (`ledger.kernel.deciding.moves`). Here the choices of a kind that differ in
a single parameter become a move with options. Each move gets its words: a label, a group, a rank and verbs for
typing. The words are data (`ledger.kernel.language.wording`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from ledger.kernel.deciding.moves import Drawing, Move
from ledger.kernel.facts.state import State
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker, as_it_is, spoken
from ledger.kernel.language.wording import ActionWords, Rank, fill
from ledger.kernel.rules.actions import Action, Bounds, Free
from ledger.kernel.rules.commodities import CommodityWords
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.money.obligations import ObligationView, settled_by
from ledger.reading.moves.awaiting import due_moves
from ledger.reading.moves.needs import field_taking
from ledger.reading.moves.shown import (
    Cost,
    FreeParameter,
    GroupView,
    LotView,
    OpenChoice,
    Option,
    ShownMove,
    WantedDraw,
)
from ledger.reading.words.forms import parameters_of
from ledger.rulebooks.parts.titles import deed

_TITLE = deed("")
"""The beginning of a title's commodity."""
_RANKS: Mapping[Rank, int] = {"due": 0, "usual": 1, "rare": 2}


def costs_of(
    rulebook: Rulebook[Any], cost: int | None, goods: tuple[tuple[str, int], ...]
) -> tuple[Cost, ...] | UnsetType:
    """Return all that an action costs; UNSET for nothing, and for an unknown cost."""
    money = ((rulebook.accounts.currency, cost),) if cost else ()
    return tuple(Cost(*item) for item in (*money, *goods)) or UNSET


def combine_moves(
    rulebook: Rulebook[Any],
    state: State,
    seat: str,
    legal: Iterable[Move],
    language: str,
    obligations: Sequence[ObligationView] = (),
) -> tuple[ShownMove, ...]:
    """Combine the legal choices of a seat into moves: awaited moves first, then by group.

    Choices that differ in a free parameter become a move with the first choice, unless the words name the
    parameter as the choice. `seat` is "" for the banker's own moves. `language` is the language of the groups'
    headings; labels are in both languages. `obligations` are the visible ones; moves name those that they settle.
    """
    alike: dict[str, tuple[ActionWords, list[Move]]] = {}
    for kind, moves in groupby(legal, key=attrgetter("kind")):
        words = rulebook.words_of(kind)
        for move in moves:
            apart = _discriminator(words.per, move) if words.per else ""
            name = f"{kind}:{apart}" if apart else kind
            if name in alike:
                alike[name][1].append(move)
            else:
                alike[name] = (rulebook.words_of(kind, apart) if apart else words, [move])
    offer = _Offer(rulebook, state, seat, language, obligations)
    offered: list[ShownMove] = []
    for name, (words, choices) in alike.items():
        parameter = _varying(words.choice, choices) if len(choices) > 1 else None
        free = parameter is not None and all(parameter in item.free for item in choices)
        if free and parameter not in words.choice:
            offered.append(
                offer.move(name, words, choices[:1], None)
            )  # further choices are suggestions of a free value
        elif parameter is not None or len(choices) == 1:
            offered.append(offer.move(name, words, choices, parameter))
        else:
            offered += (offer.move(f"{name}:{_digest(item.params)}", words, [item], None) for item in choices)
    offered.sort(key=lambda item: (_RANKS[item.rank], offer.due_order(item), item.group.order))
    if offered and offered[0].rank == "due" and (len(offered) == 1 or offered[1].rank != "due"):
        offered[0] = msgspec.structs.replace(offered[0], only=True)
    return tuple(offered)


class _Offer:
    """The moves of a seat at a moment, in the words of its rulebook."""

    def __init__(
        self,
        rulebook: Rulebook[Any],
        state: State,
        seat: str,
        language: str,
        obligations: Sequence[ObligationView],
    ) -> None:
        self._rulebook = rulebook
        self._state = state
        self._seat = seat
        self._language = language
        self._obligations = obligations
        settling = rulebook.agreements.settling
        self._settling_kinds = {kind for owed in obligations for kind in settling.get(owed.kind, ())}
        self._speakers: Mapping[str, Speaker] = rulebook.naming(state)
        self._groups: dict[str, GroupView] = {}
        self._named: dict[tuple[str, str], Phrase] = {}
        """The names of values, by the naming field."""

    def move(self, name: str, words: ActionWords, alike: Sequence[Move], parameter: str | None) -> ShownMove:
        """Combine choices with a common parameter into a move. Without a parameter, convert the first choice."""
        first = alike[0]
        rank = self._rank(words, name, alike)
        if rank == "due":
            words = words.but(words.when_due)
        params, free, choice, same_draw = first.params, first.free, None, True
        cost, goods = first.cost, first.goods
        settles = [self._settles(option_move) for option_move in alike]
        same_matter = all(matter == settles[0] for matter in settles)
        if parameter is not None:
            params = _common(alike, parameter)
            same_free = all(option_move.free == first.free for option_move in alike)
            same_cost = all((option_move.cost, option_move.goods) == (cost, goods) for option_move in alike)
            same_draw = all(option_move.drawing == first.drawing for option_move in alike)
            options = (
                Option(
                    value=option_move.params[parameter],
                    label=self._option(words, parameter, option_move),
                    params={
                        key: value
                        for key, value in option_move.params.items()
                        if key not in params and key != parameter
                    }
                    or UNSET,
                    free=UNSET if same_free else _open(self._rulebook, option_move.kind, option_move.free),
                    draws=UNSET if same_draw else self._draws(words, option_move),
                    chance=UNSET if same_draw else self._chance(option_move),
                    cost=UNSET if same_cost or option_move.cost is None else option_move.cost,
                    settles=UNSET if same_matter else matter,
                    costs=UNSET if same_cost else costs_of(self._rulebook, option_move.cost, option_move.goods),
                    **self._looks(option_move.params[parameter]),
                )
                for option_move, matter in zip(alike, settles, strict=True)
            )
            choice = OpenChoice(parameter, tuple(options))
            free = free if same_free else ()
            cost, goods = (cost, goods) if same_cost else (None, ())
        return ShownMove(
            id=name,
            kind=first.kind,
            params=params,
            free=_open(self._rulebook, first.kind, free),
            choice=UNSET if choice is None else choice,
            label=self._label(words, words.one if choice is None else words.several, params, free, cost),
            group=self._group(words),
            rank=rank,
            only=False,
            verbs=words.verbs,
            bare=words.bare,
            final=(final := is_final(self._rulebook.actions[first.kind], words)),
            confirm="hold" if final or words.confirm else UNSET,
            draws=self._draws(words, first) if same_draw else UNSET,
            chance=self._chance(first) if same_draw else UNSET,
            cost=UNSET if cost is None else cost,
            settles=settles[0] if same_matter else UNSET,
            costs=costs_of(self._rulebook, cost, goods),
            lot=self._lot(words, first.kind),
            rules=first.rules,
        )

    def _lot(self, words: ActionWords, kind: str) -> LotView | UnsetType:
        """Return the form of a kind with a lot, and the name of the kind without a variant."""
        if words.lot is None:
            return UNSET
        return LotView(**msgspec.structs.asdict(words.lot), label=self._rulebook.words_of(kind).label)

    def _settles(self, move: Move) -> tuple[ObligationView, ...] | UnsetType:
        """Return the obligations settled by a choice, or UNSET for none."""
        if move.kind not in self._settling_kinds:
            return UNSET
        return settled_by(self._rulebook, self._obligations, self._seat, move.kind, move.params) or UNSET

    def _label(
        self, words: ActionWords, template: Phrase | None, params: Mapping[str, Any], free: Free, cost: int | None
    ) -> Phrase:
        """Fill a template with the fixed values. Without a usable template, return the label of the kind."""
        return words.label if template is None else self._fill(template, params, free, cost) or words.label

    def _option(self, words: ActionWords, parameter: str, move: Move) -> Phrase:
        """Return the label of an option: the name of its value."""
        params, speakers = move.params, self._speakers
        value = params[parameter]
        if words.named:
            named = words.named.get(str(value).lower() if isinstance(value, bool) else str(value))
            if named is not None:
                return named
        if words.option is not None:
            en, fr = (
                fill(words.option.in_language(language), params, language, speakers) for language in ("en", "fr")
            )
            return Phrase(en or str(value), fr or str(value))
        field = words.field_for(parameter)
        if field is None:
            return Phrase(str(value), str(value))
        cached = self._named.get((field, str(value)))
        if cached is None:
            en, fr = (fill(field, params, language, speakers) for language in ("en", "fr"))
            cached = self._named[field, str(value)] = Phrase(en or str(value), fr or str(value))
        return cached

    def _looks(self, value: Any) -> dict[str, Any]:
        """Return the group, the icon and the effect of a value that is a commodity, as far as there are any."""
        words = self._commodities.get(value) if isinstance(value, str) else None
        if words is None:
            return {}
        effect = "" if words.effect is None else words.effect.text.in_language(self._language)
        icon = words.icon if words.effect is None else words.effect.icon
        looks = {"group": words.group, "icon": icon, "effect": effect}
        return {name: look for name, look in looks.items() if look}

    @cached_property
    def _commodities(self) -> Mapping[str, CommodityWords]:
        """The commodities of the table, by their ids, and as actions name titles and cards."""
        words = self._rulebook.accounts.commodities(self._state)
        titles = {item.removeprefix(_TITLE): of_item for item, of_item in words.items() if item.startswith(_TITLE)}
        cards = {of_item.card: of_item for of_item in words.values() if of_item.card is not None}
        return {**titles, **cards, **words}

    def _fill(self, template: Phrase, params: Mapping[str, Any], free: Free, cost: int | None) -> Phrase | None:
        """Fill a template with the fixed values, in both languages. None if a value is missing."""
        values = {name: value for name, value in params.items() if name not in free} if free else dict(params)
        if cost:  # a free move is not offered "for ₦0"
            values["cost"] = cost
        values["seat"] = self._seat
        en = fill(template.en, values, "en", self._speakers)
        fr = None if en is None else fill(template.fr, values, "fr", self._speakers)
        return None if en is None or fr is None else Phrase(en, fr)

    def _draws(self, words: ActionWords, move: Move) -> tuple[WantedDraw, ...] | UnsetType:
        return wanted_draws(self._rulebook, self._state, words, move.kind, move.drawing)

    def _chance(self, move: Move) -> bool | UnsetType:
        """Return True if the service throws or draws for a move, as far as the viewer may know."""
        return True if move.drawing is not None and self._state.dice == "service" else UNSET

    def _group(self, words: ActionWords) -> GroupView:
        group = self._groups.get(words.group)
        if group is None:
            group = self._groups[words.group] = group_of(self._rulebook, words, self._language)
        return group

    def _rank(self, words: ActionWords, name: str, alike: Sequence[Move]) -> Rank:
        if words.rank != "due":
            return words.rank
        is_due = self._rulebook.screen.is_due
        if name in self._due or any(is_due(self._state, self._seat, move.kind, move.params) for move in alike):
            return "due"
        return words.otherwise

    def due_order(self, move: ShownMove) -> int:
        """Return the position of a due move in the game's own order; other due moves come first."""
        return self._due.index(move.id) if move.rank == "due" and move.id in self._due else -1

    @cached_property
    def _due(self) -> tuple[str, ...]:
        """The ids of the moves awaited by the game, in its order."""
        return due_moves(self._rulebook, self._state, self._seat)


def wanted_draws(
    rulebook: Rulebook[Any], state: State, words: ActionWords, kind: str, drawing: Drawing | None
) -> tuple[WantedDraw, ...] | UnsetType:
    """Return the dice or cards for an action that the table must throw or draw."""
    return (
        UNSET if drawing is None or state.dice == "service" else (drawn_by(rulebook, state, words, kind, drawing),)
    )


def drawn_by(rulebook: Rulebook[Any], state: State, words: ActionWords, kind: str, drawing: Drawing) -> WantedDraw:
    """Return a draw with its name, and the parameter of the action for it."""
    names = rulebook.actions[kind].__struct_fields__
    parameter = "dice" if drawing.name == words.own_draw else field_taking(names, drawing.draw)
    if parameter is None and drawing.name in names:
        parameter = drawing.name
    name = rulebook.naming(state).get("draw", as_it_is)
    return WantedDraw(
        name=drawing.name,
        label=spoken(name, drawing.name),
        kind="die" if drawing.draw == "dice" else "card",
        count=drawing.count,
        sides=UNSET if drawing.sides is None else drawing.sides,
        deck=UNSET if drawing.deck is None else drawing.deck,
        cards=drawing.cards or UNSET,
        parameter=parameter or UNSET,
    )


def group_of(rulebook: Rulebook[Any], words: ActionWords, language: str) -> GroupView:
    """Return the group of the actions with these words, with its heading in "en" or "fr"."""
    group = rulebook.language.wording.group_of(words)
    return GroupView(words.group, group.label.in_language(language), group.order)


def is_final(action: type[Action], words: ActionWords) -> bool:
    """Return True if a move needs a confirmation: by its words, or because its player cannot undo the move."""
    return words.final or action.final is not None


def bounds_of(free: Free) -> dict[str, Bounds]:
    """Return the free parameters with their bounds."""
    return dict(free) if isinstance(free, Mapping) else dict.fromkeys(free, _UNBOUND)


_UNBOUND = Bounds()


def _open(rulebook: Rulebook[Any], kind: str, free: Free) -> dict[str, FreeParameter]:
    """Describe the free parameters of a kind of action: kinds and bounds."""
    parameters = parameters_of(rulebook.actions[kind])
    return {
        name: FreeParameter(
            kind=parameters[name].kind or UNSET,
            required=parameters[name].required,
            minimum=bounds.minimum,
            maximum=bounds.maximum,
        )
        for name, bounds in bounds_of(free).items()
    }


def _discriminator(per: Sequence[str], move: Move) -> str:
    """Build the part of an id that separates moves of a kind: the values of these parameters, or names if free."""
    words = (name if name in move.free else _word(name, move.params[name]) for name in per if name in move.params)
    return ":".join(word for word in words if word)


def _word(name: str, value: Any) -> str:
    """Write a value as a part of an id. A flag is written by name, if set."""
    match value:
        case bool():
            return name if value else ""
        case list() | tuple():
            return "+".join(_word(name, item) for item in value)
        case dict():
            return str(value.get("op", ""))
        case _:
            return str(value)


def _varying(preferred: Sequence[str], alike: Sequence[Move]) -> str | None:
    """Return the parameter to choose: the first shared one of `preferred`, else the first that differs.

    None without a suitable parameter shared by all choices.
    """
    first = alike[0].params
    shared = [name for name in first if all(name in move.params for move in alike)]
    for name in preferred:
        if name in shared:
            return name
    return next((name for name in shared if any(move.params[name] != first[name] for move in alike)), None)


def _digest(params: Mapping[str, Any]) -> str:
    """Return a digest of the parameters, to separate choices without a common parameter."""
    return hashlib.sha256(msgspec.json.encode(params, order="deterministic")).hexdigest()[:8]


def _common(alike: Sequence[Move], parameter: str) -> dict[str, Any]:
    """Return the parameters with equal values in all of these choices, except `parameter`."""
    missing = object()
    common = {name: value for name, value in alike[0].params.items() if name != parameter}
    for move in alike:
        for name in [name for name, value in common.items() if move.params.get(name, missing) != value]:
            del common[name]
    return common
