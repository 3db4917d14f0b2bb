"""Editions that tables bring: whole games as one document, checked before there is a game.

A rulebook that takes them answers the methods of `TakesEditions`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import msgspec

from ledger.kernel.rules.rulebook import Rulebook


class Fault(msgspec.Struct, frozen=True):
    """What is wrong at a place of an edition. The place is a JSON Pointer (RFC 6901) into its document."""

    place: str
    en: str
    fr: str

    def said(self, language: str) -> str:
        """The reason in "en" or "fr"."""
        return self.fr if language == "fr" else self.en


def at(place: str, *steps: str | int) -> str:
    """The JSON Pointer of a place inside another one."""
    return place + "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


class NewEdition(NamedTuple):
    """What a table begins with that writes an edition of its own, as a folder of TOML files."""

    title: str
    options: Mapping[str, tuple[str, Any]]
    """The options that there are, each with what it is for, in English, and its usual value (None for none)."""
    files: Mapping[str, str]
    """The texts of the files with the pieces, by their names."""
    members: Sequence[str]
    """The members of an edition beside its title and options, in their order."""
    counted: Sequence[Counted]
    """The members that are told of an edition that is fit to play."""


class Counted(NamedTuple):
    """A member of an edition that is a list, and what one row and several rows are called."""

    member: str
    en: tuple[str, str]
    fr: tuple[str, str]


@runtime_checkable
class TakesEditions(Protocol):
    """A rulebook whose tables may bring an edition of their own."""

    @property
    def takes_editions(self) -> bool:
        """Whether this one does, among the rulebooks of its class."""

    @property
    def edition_setting(self) -> str:
        """The name of the setting that holds the pieces of an edition."""

    def faults_of(self, document: Any) -> Sequence[Fault]:
        """What is wrong with an edition, which is plain data; nothing for one that is fit to play."""

    def settings_of(self, document: Mapping[str, Any], beside: Mapping[str, Any]) -> dict[str, Any]:
        """The settings of a game with an edition without faults, and with the settings given beside it."""

    def title_of(self, document: Mapping[str, Any]) -> str:
        """What an edition without faults is called."""

    @property
    def new_edition(self) -> NewEdition:
        """What a table begins with that writes an edition of its own."""


def taker(rulebook: Rulebook[Any]) -> TakesEditions | None:
    """The rulebook, if its tables may bring editions of their own; None otherwise."""
    return rulebook if isinstance(rulebook, TakesEditions) and rulebook.takes_editions else None
