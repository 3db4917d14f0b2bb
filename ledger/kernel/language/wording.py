"""The words for the actions of a game: labels, groups, ranks and typed words, as data.

Each part of the rules of a game has an actions.toml beside the chapters. A rulebook reads all the files
(`Wording.read`).

For example:
    [groups.estate]
    order = 4
    label = { en = "Titles", fr = "Propriétés" }
    [buy_property]
    group = "estate"
    label = { en = "Buy a title", fr = "Acheter un titre" }
    one = { en = "Buy {title:title}[ for {cost:money}]", fr = "Acheter {title:title}[ pour {cost:money}]" }
    verbs = { en = ["buy", "purchase"], fr = ["acheter", "achat"] }
    choice = ["title"]

`label` is for the kind alone. `one` is for a move with all parameters fixed, `several` for a move with the
`choice` open. Both are templates (see `sentences`) over the move's fixed parameters, the seat (`seat`) and the
cost (`cost`). Text in square brackets is left out if a value inside is missing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from string import Formatter
from typing import Any, Literal, NamedTuple

import msgspec
import rtoml

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker, speak

Rank = Literal["due", "usual", "rare"]
"""due: the game waits for the move now. usual: players often make the move. rare: everything else."""


class Verbs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words that people type for an action in each language: infinitives and nouns, in small letters."""

    en: tuple[str, ...]
    fr: tuple[str, ...]


class Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Actions shown together on a page, under a heading; the group with the smallest `order` comes first."""

    label: Phrase
    order: int


class Variant(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The different words of some moves of a kind."""

    label: Phrase | None = None
    one: Phrase | None = None
    several: Phrase | None = None
    rank: Rank | None = None
    final: bool | None = None
    verbs: Verbs | None = None


class Lot(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The parameters of a lot: a player lays a thing, a sum, or both, for the market.

    `thing` is the parameter for the thing, `face` the parameter for the way it lies, with its values in `faces`,
    the usual one first. `sum` is the parameter for the units of the commodity `of`. `zone` is the board's zone of
    what the player would get, `seat_zone` the seat's zone of what the player has laid.
    """

    thing: str
    face: str
    faces: tuple[str, ...]
    sum: str
    of: str
    zone: str
    seat_zone: str


class ActionWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The words for a kind of action.

    Moves of a kind are distinguished by the values of the parameters in `per`: the moves of each value have a
    separate id ("use_vehicle:tank"), and the words of a variant, if any. Moves that differ only in the `choice`
    (the first of the parameters in use) are a single move with options. `option` is the template of an option's
    label, over all parameters of the option; `named` has the names of the choice's values, if separate words.

    `rank` is "due" for a kind that the game may wait for: a move of the kind is due if `Screen.waiting` lists
    the move, or `Screen.is_due` returns True. `otherwise` is the rank of the remaining moves, `when_due` has
    the words of a due move.

    `own_draw` is the name of the draw with values in the parameter `dice`; further values go to `draws`.

    `bare` marks the kind meant by a line without a verb. A `final` move needs a confirmation: it cannot be
    taken back, or it ends or ruins much. A move to `confirm` binds its player: it ends a turn, accepts a debt or
    gives something for nothing; a device of touch asks for more than a touch.

    `lot` is for a kind with one form for all moves: things and sums laid for the market.
    """

    label: Phrase
    verbs: Verbs
    group: str
    rank: Rank = "usual"
    otherwise: Rank = "usual"
    one: Phrase | None = None
    several: Phrase | None = None
    per: tuple[str, ...] = ()
    choice: tuple[str, ...] = ()
    option: Phrase | None = None
    named: Mapping[str, Phrase] = {}
    own_draw: str | None = None
    bare: bool = False
    final: bool = False
    confirm: bool = False
    lot: Lot | None = None
    variants: Mapping[str, Variant] = {}
    when_due: Variant | None = None

    def field_for(self, name: str) -> str | None:
        """Return the field of `one` for the parameter with the given name; None if there is no such field."""
        return None if self.one is None else _field_of(self.one.en, name)

    def but(self, variant: Variant | None) -> ActionWords:
        """Return the words, overridden by the words of a variant."""
        if variant is None:
            return self
        changed = {name: getattr(variant, name) for name in variant.__struct_fields__}
        return msgspec.structs.replace(
            self, **{name: value for name, value in changed.items() if value is not None}
        )


_OTHER = Group(Phrase("Other", "Autres"), 100)


class Wording:
    """The words for the actions of a game, and for their groups."""

    def __init__(self, groups: Mapping[str, Group], actions: Mapping[str, ActionWords]) -> None:
        self.groups = groups
        self.actions = actions
        self._variants: dict[tuple[str, str], ActionWords] = {}

    @classmethod
    def read(cls, *texts: str) -> Wording:
        """Read the texts of actions.toml files. Lists of such a file are further data of the room.

        Raises msgspec.ValidationError for a wrong shape, and ValueError for a repeated kind or group, an
        unknown group, or a kind without a verb in each language.
        """
        groups: dict[str, Group] = {}
        actions: dict[str, ActionWords] = {}
        for text in texts:
            data = {name: part for name, part in rtoml.loads(text).items() if isinstance(part, dict)}
            _add(groups, msgspec.convert(data.pop("groups", {}), dict[str, Group]))
            _add(actions, msgspec.convert(data, dict[str, ActionWords]))
        for kind, words in actions.items():
            if words.group not in groups:
                raise ValueError(f"{kind} is in no known group: {words.group!r}")
            if not (words.verbs.en and words.verbs.fr):
                raise ValueError(f"{kind} has no verb in each language")
        return cls(groups, actions)

    def only(self, kinds: Collection[str]) -> Wording:
        """Return the words of the given kinds alone: for an edition without some actions of the engine."""
        return Wording(self.groups, {kind: words for kind, words in self.actions.items() if kind in kinds})

    def of(self, kind: str, summary: Phrase, discriminator: str = "") -> ActionWords:
        """Return the words for a kind of action, and for the moves with the given discriminator.

        A kind without words is called by the summary, and typed by the name.
        """
        result = self._variants.get((kind, discriminator))
        if result is None:
            words = self.actions.get(kind) or _unworded(kind, summary)
            result = words.but(words.variants.get(discriminator))
            if not discriminator or discriminator in words.variants:
                self._variants[kind, discriminator] = result
        return result

    def group_of(self, words: ActionWords) -> Group:
        """Return the group of the actions."""
        return self.groups.get(words.group, _OTHER)


UNWORDED = Wording({}, {})
"""No words: each kind is called by the summary."""


def _unworded(kind: str, summary: Phrase) -> ActionWords:
    label = Phrase(_capitalized(summary.en), _capitalized(summary.fr))
    verbs = tuple(kind.split("_")[:1])
    return ActionWords(label=label, verbs=Verbs(verbs, verbs), group="")


def _capitalized(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _add(entries: dict[str, Any], additions: Mapping[str, Any]) -> None:
    if twice := entries.keys() & additions.keys():
        raise ValueError(f"there twice: {', '.join(sorted(twice))}")
    entries.update(additions)


_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")


_BUILT_IN = frozenset({"", "moves", "list", "seats"})
"""The manners that are no speakers and take no words (see `sentences`)."""


class _Atom(NamedTuple):
    """Words of a template; or a field, spoken by the speaker `manner`, or by the template `field`."""

    words: str
    name: str = ""
    manner: str = ""
    field: str = ""


class _Piece(NamedTuple):
    """A piece of a template. A piece in square brackets is optional."""

    atoms: tuple[_Atom, ...]
    needed: tuple[str, ...]
    optional: bool


@cache
def _pieces(template: str) -> tuple[_Piece, ...]:
    pieces = []
    for index, text in enumerate(_OPTIONAL.split(template)):
        atoms = tuple(_atoms(text))
        pieces.append(_Piece(atoms, tuple(atom.name for atom in atoms if atom.name), bool(index % 2)))
    return tuple(pieces)


def _atoms(text: str) -> Iterator[_Atom]:
    for words, name, spec, _ in Formatter().parse(text):
        if words:
            yield _Atom(words)
        if name is not None:
            simple = spec is not None and "|" not in spec and spec not in _BUILT_IN
            yield _Atom("", name, str(spec) if simple else "", f"{{{name}:{spec}}}" if spec else f"{{{name}}}")


def fill(template: str, values: Mapping[str, Any], language: str, speakers: Mapping[str, Speaker]) -> str | None:
    """Fill the template with values, in "en" or "fr".

    Text in square brackets is left out if a value inside is missing. None if a value outside is missing.
    """
    parts: list[str] = []
    for atoms, needed, optional in _pieces(template):
        for name in needed:
            if name not in values:
                break
        else:
            for words, name, manner, field in atoms:
                if words:
                    parts.append(words)
                elif manner:
                    parts.append(speakers[manner](values[name], language))
                else:
                    parts.append(speak(field, values, language, speakers))
            continue
        if not optional:
            return None
    return "".join(parts)


@cache
def _field_of(template: str, name: str) -> str | None:
    matched = re.search(rf"\{{{name}(?::[^}}]*)?\}}", template)
    return None if matched is None else matched[0]
