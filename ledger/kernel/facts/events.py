"""Events: facts produced by an accepted action, and the only input of the fold."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import BANKER_ONLY, EVERYONE, Audience, Viewer
from ledger.kernel.facts.refusals import RuleNote
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker, speak

E = TypeVar("E")


def snake_case(class_name: str) -> str:
    """Convert a class name: "DosesBought" -> "doses_bought"."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in class_name).lstrip("_")


class TokenPath(msgspec.Struct, frozen=True):
    """The way of a seat's token: the places that it comes to, in order, by their ids on the board ("square:7")."""

    seat: str
    places: tuple[str, ...]


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=snake_case):
    """A fact. The kind is the class name in snake case; fields and postings are stored unchanged.

    A class with a changed stored shape takes the tag "kind@2" and registers an upcast from the old tag.
    """

    en: ClassVar[str]
    """The fact as an English sentence, a template over the fields (see `sentences`)."""
    fr: ClassVar[str]
    label: ClassVar[Phrase | None] = None
    """A name for the kind of fact, if the sentence without values says too little."""
    at_end: ClassVar[bool] = False
    """True if only the end of the game tells this fact. Viewers besides the banker see the event redacted in a
    dry run, and again after the end is undone.
    """

    rule: str
    postings: tuple[Posting, ...] = ()

    def sentence(self, language: str, speakers: Mapping[str, Speaker]) -> str:
        """Return the fact as a sentence in "en" or "fr", with names by the speakers."""
        return speak(Phrase(self.en, self.fr).in_language(language), self, language, speakers)

    def apply(self, state: Any) -> None:
        """Change the state apart from the holdings. The postings have been applied already.

        Raises MissingPartError if the state lacks the part to be changed (`State.require_part`).
        """

    def audience(self) -> Audience:
        """Return the audience of the fact: everybody by default."""
        return EVERYONE

    def redacted(self, viewer: Viewer) -> Event | None:
        """Return the event for a viewer outside the audience; None to show nothing.

        The result is an event of the class with blank secret fields, and only the postings visible to the
        viewer. A posting may name the veil of a commodity (`Secrets.veil`) instead of the commodity. No part
        of the result may depend on a secret; nor may the number of events of an action.
        """
        return None

    def reveals(self) -> Audience:
        """Return the viewers who learn a hidden fact from the event: nobody by default.

        A dry run shows the event redacted to such viewers, and no player may undo the action. The answer may
        not depend on a secret.
        """
        return BANKER_ONLY

    def token_paths(self) -> tuple[TokenPath, ...]:
        """Return the paths of the tokens moved by the event; empty by default."""
        return ()

    def amends(self) -> tuple[Amendment, ...]:
        """Return the changes by the event to earlier actions of the journal; empty except for corrections."""
        return ()

    def inserts(self) -> tuple[Insertion, ...]:
        """Return the actions added by the event between earlier actions; empty except for corrections."""
        return ()


class Reason(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why an action is no longer possible: the rule that refuses it now ("" for none), in English and French."""

    rule: str
    en: str
    fr: str
    told: tuple[str, ...] | None = None
    """The seats allowed to read the reason, besides the banker; None for all viewers of the whole action."""

    @property
    def text(self) -> Phrase:
        """The reason in both languages."""
        return Phrase(self.en, self.fr)


class Amendment(msgspec.Struct, frozen=True):
    """How a correction changes one earlier action: number `number`, or the `insert`-th that correction inserted.

    `status` is "undone", "restated", "voided" or (for a redo) "effective". `events` replace the action's own when
    it is restated; they are empty otherwise: an action counts with the events of its entry, or not at all.
    `why` says why it is voided. `draws` are those that a restated action counts with, where they are others than
    it was recorded with; they are kept for rulebooks that put undone draws back (`Play.restore_draws`).
    """

    number: int
    status: str
    events: tuple[msgspec.Raw, ...] = ()
    insert: int = 0
    why: Reason | None = None
    draws: dict[str, list[int | str]] | UnsetType = UNSET


class InsertedAction(msgspec.Struct, frozen=True, kw_only=True):
    """An action that a correction adds to the history, with what an entry of the journal would hold.

    One by "system" is a default step of the game, taken because the corrected history needs it.
    """

    kind: str
    seat: str | None
    by: str
    params: msgspec.Raw
    draws: dict[str, list[int | str]]
    recorded_at: datetime
    override: str | None
    warnings: tuple[RuleNote, ...]
    events: tuple[msgspec.Raw, ...]


class Insertion(msgspec.Struct, frozen=True, omit_defaults=True):
    """An inserted action and the number of the action it comes right after.

    `under` is the rest of the place of the inserted action that it comes right after, when that is one.
    """

    after: int
    action: InsertedAction
    under: tuple[int, ...] = ()


class EntryEvents(msgspec.Struct, Generic[E], frozen=True, gc=False):
    """The parts of a stored entry read by the fold: the game, the number, the time, and the events."""

    game: str
    number: int
    recorded_at: datetime
    first_seq: int
    events: tuple[E, ...]


def kind_of(event: Event | type[Event]) -> str:
    """Return the kind of an event without the version of the stored shape."""
    return tag_of(event).partition("@")[0]


def tag_of(event: Event | type[Event]) -> str:
    """Return the stored tag: the kind, followed by @version if the shape has changed since the first version."""
    return str(event.__struct_config__.tag)


def version_of(tag: str) -> int:
    """Return the version of the stored shape in a tag; 1 for a tag without a version."""
    return int(tag.partition("@")[2] or 1)


class UndoneDraw(msgspec.Struct, frozen=True):
    """Dice or cards of one draw that a correction has undone: what an action drew before and does not draw now.

    `action` is the name of the action ("57", or "60.1"), and `name` that of the draw. The values are in the order
    in which they were drawn.
    """

    action: str
    name: str
    values: tuple[int | str, ...]
