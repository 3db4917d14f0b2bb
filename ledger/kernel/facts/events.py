"""Events: facts that an accepted action produced, and the only thing the fold reads."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import BANKER_ONLY, EVERYONE, Audience, Viewer
from ledger.kernel.facts.refusals import Warned

E = TypeVar("E")


def snake_case(class_name: str) -> str:
    """ "DosesBought" -> "doses_bought"."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in class_name).lstrip("_")


class Way(msgspec.Struct, frozen=True):
    """The way of a seat's token: the places that it comes to, in order, by their ids on the board ("square:7")."""

    seat: str
    places: tuple[str, ...]


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=snake_case):
    """One fact. Its kind is its class name in snake case; its fields and postings are stored as they are.

    A class whose stored shape changes takes the tag "kind@2" and registers an upcast from the old one.
    """

    en: ClassVar[str]
    """The fact as an English sentence, a template over the fields (see `sentences`)."""
    fr: ClassVar[str]
    label: ClassVar[tuple[str, str] | None] = None
    """What people call this kind of fact, in English and French, where the sentence without its values says too
    little."""
    at_end: ClassVar[bool] = False
    """Whether only the end of the game tells this fact. Others than the banker see the event redacted in a dry
    run, and again once the end is undone."""

    rule: str
    postings: tuple[Posting, ...] = ()

    def apply(self, state: Any) -> None:
        """Change what is not a holding. The postings have been applied already."""

    def audience(self) -> Audience:
        """Who may see this fact; everybody unless a class says otherwise."""
        return EVERYONE

    def redacted(self, viewer: Viewer) -> Event | None:
        """What a viewer outside the audience sees instead; None for nothing at all.

        An event of the same class, with its secret fields blanked and only the postings that the viewer may see. A
        posting may name the veil of a commodity (`Rulebook.veil`) in place of the commodity. Nothing of it may
        depend on what is secret, and neither may the number of events that an action produces.
        """
        return None

    def reveals(self) -> Audience:
        """Who learns from this event what was hidden from them: nobody unless a class says otherwise.

        A dry run shows them the event redacted, and no player may undo such an action. The answer may not depend
        on what is secret.
        """
        return BANKER_ONLY

    def ways(self) -> tuple[Way, ...]:
        """The ways of the tokens that this event moves; empty for all but those."""
        return ()

    def amends(self) -> tuple[Amendment, ...]:
        """How this event changes earlier actions of the journal; empty for all but corrections."""
        return ()

    def inserts(self) -> tuple[Insertion, ...]:
        """The actions that this event adds between earlier ones; empty for all but corrections."""
        return ()


class Reason(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why an action is no longer possible: the rule that refuses it now ("" for none), in English and French."""

    rule: str
    en: str
    fr: str
    told: tuple[str, ...] | None = None
    """The seats that may read it, besides the banker; None for whoever sees the action whole."""


class Amendment(msgspec.Struct, frozen=True):
    """How a correction changes one earlier action: number `number`, or the `insert`-th that correction inserted.

    `status` is "undone", "restated", "voided" or (for a redo) "effective". `events` replace the action's own when
    it is restated; they are empty otherwise: an action counts with the events of its entry, or not at all.
    `why` says why it is voided. `draws` are those that a restated action counts with, where they are others than
    it was recorded with; they are kept for rulebooks that put undone draws back (`Rulebook.put_back`).
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
    warnings: tuple[Warned, ...]
    events: tuple[msgspec.Raw, ...]


class Insertion(msgspec.Struct, frozen=True, omit_defaults=True):
    """An inserted action and the number of the action it comes right after.

    `under` is the rest of the place of the inserted action that it comes right after, when that is one.
    """

    after: int
    action: InsertedAction
    under: tuple[int, ...] = ()


class Facts(msgspec.Struct, Generic[E], frozen=True, gc=False):
    """What the fold reads of a stored entry: which action it is, when it was recorded, and its events."""

    game: str
    number: int
    recorded_at: datetime
    first_seq: int
    events: tuple[E, ...]


def kind_of(event: Event | type[Event]) -> str:
    """The kind of an event as people know it, without the version of its stored shape."""
    return tag_of(event).partition("@")[0]


def tag_of(event: Event | type[Event]) -> str:
    """The stored tag: the kind, followed by @version when the shape has changed since the first."""
    return str(event.__struct_config__.tag)


def version_of(tag: str) -> int:
    """The version of the stored shape that a tag names; 1 when it names none."""
    return int(tag.partition("@")[2] or 1)


class Undrawn(msgspec.Struct, frozen=True):
    """Dice or cards of one draw that a correction has undone: what an action drew before and does not draw now.

    `action` is the name of the action ("57", or "60.1"), and `name` that of the draw. The values are in the order
    in which they were drawn.
    """

    action: str
    name: str
    values: tuple[int | str, ...]
