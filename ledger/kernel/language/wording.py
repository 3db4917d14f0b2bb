"""What people call the actions of a game: labels, groups, ranks and the words that they type, as data.

Each part of a game's rules has an actions.toml beside its chapters. A rulebook reads them all (`Wording.read`).

    [groups.estate]
    order = 4
    label = { en = "Titles", fr = "Propriétés" }

    [buy_property]
    group = "estate"
    label = { en = "Buy a title", fr = "Acheter un titre" }
    one = { en = "Buy {title:title}[ for {cost:money}]", fr = "Acheter {title:title}[ pour {cost:money}]" }
    verbs = { en = ["buy", "purchase"], fr = ["acheter", "achat"] }
    choice = ["title"]

`label` is for the kind alone. `one` is for a move whose parameters are all fixed, `several` for one that leaves
the `choice` open. Both are templates (see `sentences`) over the move's fixed parameters, its seat (`seat`) and
what it costs (`cost`). What stands in square brackets is left out where one of its values is missing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from string import Formatter
from typing import Any, Literal, NamedTuple

import msgspec
import rtoml

from ledger.kernel.language.sentences import Speaker, speak

Rank = Literal["due", "usual", "rare"]
"""due: what the game waits for now. usual: what players often do. rare: everything else."""


class Phrase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text in English and French."""

    en: str
    fr: str

    def said(self, language: str) -> str:
        """The text in "en" or "fr"."""
        return self.fr if language == "fr" else self.en


class Verbs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words that people type for an action in each language: infinitives and nouns, in small letters."""

    en: tuple[str, ...]
    fr: tuple[str, ...]


class Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Actions that a page shows together, under a heading; the group with the smallest `order` comes first."""

    label: Phrase
    order: int


class Variant(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is said otherwise of some moves of a kind."""

    label: Phrase | None = None
    one: Phrase | None = None
    several: Phrase | None = None
    rank: Rank | None = None
    final: bool | None = None
    verbs: Verbs | None = None


class ActionWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What people call one kind of action.

    Moves of a kind are told apart by the values of the parameters in `per`: the move of each of them has an id of
    its own ("use_vehicle:tank"), and the words of its variant, if there is one. Moves that differ in the `choice`
    alone (the first of these parameters that they have) are one move with options. `option` is the template of an
    option's label, over all parameters of the option; `named` has the names of the choice's values, where they
    are words of their own.

    `rank` is "due" for what the game may wait for: a move of it is due when `Rulebook.waiting` names it, or
    `Rulebook.is_due` says so. `otherwise` is the rank of the others, `when_due` has the words of a move that is
    due.

    `own_draw` is the name of the draw whose values the parameter `dice` takes; others go to `draws`.

    `bare` marks the kind that a line without a verb stands for. A `final` move is to be confirmed: it cannot be
    taken back, or it ends or ruins much.
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
    variants: Mapping[str, Variant] = {}
    when_due: Variant | None = None

    def field_for(self, name: str) -> str | None:
        """The field of `one` that says the parameter of this name; None where it does not say it."""
        return None if self.one is None else _field_of(self.one.en, name)

    def but(self, other: Variant | None) -> ActionWords:
        """The same words but for those of a variant."""
        if other is None:
            return self
        changed = {name: getattr(other, name) for name in other.__struct_fields__}
        return msgspec.structs.replace(
            self, **{name: value for name, value in changed.items() if value is not None}
        )


_OTHER = Group(Phrase("Other", "Autres"), 100)


class Wording:
    """What people call the actions of one game, and the groups in which they are shown."""

    def __init__(self, groups: Mapping[str, Group], actions: Mapping[str, ActionWords]) -> None:
        self.groups = groups
        self.actions = actions
        self._variants: dict[tuple[str, str], ActionWords] = {}

    @classmethod
    def read(cls, *texts: str) -> Wording:
        """From the texts of actions.toml files.

        Raises msgspec.ValidationError for a wrong shape, and ValueError for a kind or a group that is there twice,
        an unknown group, or a kind without a verb in each language.
        """
        groups: dict[str, Group] = {}
        actions: dict[str, ActionWords] = {}
        for text in texts:
            data = rtoml.loads(text)
            _add(groups, msgspec.convert(data.pop("groups", {}), dict[str, Group]))
            _add(actions, msgspec.convert(data, dict[str, ActionWords]))
        for kind, words in actions.items():
            if words.group not in groups:
                raise ValueError(f"{kind} is in no known group: {words.group!r}")
            if not (words.verbs.en and words.verbs.fr):
                raise ValueError(f"{kind} has no verb in each language")
        return cls(groups, actions)

    def only(self, kinds: Collection[str]) -> Wording:
        """The same words, of these kinds alone: for an edition that has not all actions of its engine."""
        return Wording(self.groups, {kind: words for kind, words in self.actions.items() if kind in kinds})

    def of(self, kind: str, summary: tuple[str, str], discriminator: str = "") -> ActionWords:
        """What people call a kind of action, and its moves with this discriminator.

        A kind that has no words of its own is called by its summary, and by its name.
        """
        found = self._variants.get((kind, discriminator))
        if found is None:
            words = self.actions.get(kind) or _unworded(kind, summary)
            found = words.but(words.variants.get(discriminator))
            if not discriminator or discriminator in words.variants:
                self._variants[kind, discriminator] = found
        return found

    def group_of(self, words: ActionWords) -> Group:
        """The group in which these actions are shown."""
        return self.groups.get(words.group, _OTHER)


UNWORDED = Wording({}, {})
"""No words: each kind is called by its summary."""


def _unworded(kind: str, summary: tuple[str, str]) -> ActionWords:
    en, fr = summary
    verbs = tuple(kind.split("_")[:1])
    return ActionWords(
        label=Phrase(f"{en[:1].upper()}{en[1:]}", f"{fr[:1].upper()}{fr[1:]}"), verbs=Verbs(verbs, verbs), group=""
    )


def _add(known: dict[str, Any], more: Mapping[str, Any]) -> None:
    if twice := known.keys() & more.keys():
        raise ValueError(f"there twice: {', '.join(sorted(twice))}")
    known.update(more)


_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")


_BUILT_IN = frozenset({"", "moves", "list", "seats"})
"""The manners without words of their own that are no speakers (see `sentences`)."""


class _Atom(NamedTuple):
    """Words of a template; or a field of it: said by the speaker `manner`, or as the template `field`."""

    words: str
    name: str = ""
    manner: str = ""
    field: str = ""


class _Piece(NamedTuple):
    """A piece of a template: what is in square brackets may be left out."""

    atoms: tuple[_Atom, ...]
    needed: tuple[str, ...]
    optional: bool


@cache
def _pieces(template: str) -> tuple[_Piece, ...]:
    found = []
    for place, text in enumerate(_OPTIONAL.split(template)):
        atoms = tuple(_atoms(text))
        found.append(_Piece(atoms, tuple(one.name for one in atoms if one.name), bool(place % 2)))
    return tuple(found)


def _atoms(text: str) -> Iterator[_Atom]:
    for words, name, spec, _ in Formatter().parse(text):
        if words:
            yield _Atom(words)
        if name is not None:
            simple = spec is not None and "|" not in spec and spec not in _BUILT_IN
            yield _Atom("", name, str(spec) if simple else "", f"{{{name}:{spec}}}" if spec else f"{{{name}}}")


def told(template: str, values: Mapping[str, Any], language: str, speakers: Mapping[str, Speaker]) -> str | None:
    """The template filled with values, in "en" or "fr".

    What stands in square brackets is left out where one of its values is missing. None when another value is
    missing.
    """
    said: list[str] = []
    for atoms, needed, optional in _pieces(template):
        for name in needed:
            if name not in values:
                break
        else:
            for words, name, manner, field in atoms:
                if words:
                    said.append(words)
                elif manner:
                    said.append(speakers[manner](values[name], language))
                else:
                    said.append(speak(field, values, language, speakers))
            continue
        if not optional:
            return None
    return "".join(said)


@cache
def _field_of(template: str, name: str) -> str | None:
    found = re.search(rf"\{{{name}(?::[^}}]*)?\}}", template)
    return None if found is None else found[0]
