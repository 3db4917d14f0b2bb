"""The vocabulary of cards: title, timing and effects. Each effect is an operation of this module.

Decks are data: a table uses the decks of `cards/`, or custom decks (`own_table`). `cards/operations.toml`
describes the operations for authors, `effects` carries them out.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ledger.kernel.facts.events import snake_case
from ledger.kernel.facts.values import of_kind
from ledger.kernel.language.phrase import Phrase
from ledger.rulebooks.parts.decks import commodity as commodity
from ledger.rulebooks.parts.decks import is_card as is_card

Deck = Literal["chance", "kamtar", "meteo"]
DECKS: tuple[Deck, ...] = ("chance", "kamtar", "meteo")

Timing = Literal[
    "on_draw",
    "any_time",
    "own_turn",
    "before_own_roll",
    "before_target_roll",
    "on_arrest",
    "on_police_check",
    "on_failed_sale",
    "on_drug_die",
]
"""The timing of a card: at the draw, at any moment, in the holder's own turn during or after the move, before
the holder's roll, before a target player's roll (also out of turn), or in answer to an event of the holder.
"""

REACTIONS: tuple[Timing, ...] = ("on_arrest", "on_police_check", "on_failed_sale", "on_drug_die")

Standing = Literal[
    "roll_total",
    "rent",
    "spawn_pay",
    "dose_price",
    "dose_sale_price",
    "checkpoint",
    "delivery_rounds",
    "meeting_rate",
    "build",
    "vehicle",
]
"""The facts subject to the weather, changed or switched off (VI.A.7)."""

CardId = Annotated[str, Meta(pattern="^[a-z0-9_]{1,40}$", description="id of a card"), of_kind("card")]
Sum = Annotated[int, Meta(ge=1, le=1_000_000, description="whole NegoDollars, or pieces")]
Few = Annotated[int, Meta(ge=1, le=1000)]
Whom = Literal["drawer", "chosen", "each_other", "all"]
"""The holder of the card, a player named by the holder, all rivals in play, or all players in play."""
Party = Literal["bank", "drawer", "each_other", "chosen"]


class Wording(Phrase, frozen=True, forbid_unknown_fields=True):
    """A text in English and French. An empty language falls back to the second language."""

    en: Annotated[str, Meta(max_length=1000)] = ""
    fr: Annotated[str, Meta(max_length=1000)] = ""

    def in_language(self, language: str) -> str:
        """Return the text in a language ("en" or "fr"), or the fallback for an empty text."""
        return super().in_language(language) or self.en or self.fr


# ----------------------------------------------------------------------------------------------
# Operations
# ----------------------------------------------------------------------------------------------


class Effect(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="op", tag=snake_case, forbid_unknown_fields=True
):
    """An effect of a card. `op` is the name of the operation."""

    def choices(self) -> frozenset[str]:
        """Return the names required from the holder: "player", "own_title", "other_title"."""
        return frozenset({"player"}) if getattr(self, "target", None) == "chosen" else frozenset()


class Pay(Effect, frozen=True, kw_only=True):
    """A mandatory payment (I.B.3)."""

    source: Party = msgspec.field(name="from")
    to: Party
    amount: Sum

    def choices(self) -> frozenset[str]:
        """Return "player" if the payer or the payee is a chosen player."""
        return frozenset({"player"}) if "chosen" in (self.source, self.to) else frozenset()


class PayPer(Effect, frozen=True, kw_only=True):
    """A mandatory payment that depends on the drawer's belongings."""

    per: Literal["house", "title", "dose", "weapon"]
    amount: Sum
    to: Literal["bank", "chosen"] = "bank"

    def choices(self) -> frozenset[str]:
        """Return "player" if a player is paid."""
        return frozenset({"player"}) if self.to == "chosen" else frozenset()


class Move(Effect, frozen=True, kw_only=True):
    """Move the token forwards or backwards."""

    steps: Annotated[int, Meta(ge=-1000, le=1000)]


class Teleport(Effect, frozen=True, kw_only=True):
    """Move the token to a square without crossing squares."""

    to: Literal[
        "own_title", "spawn", "prison", "hopital", "comico", "bar", "nc_custom", "kamtar", "chance", "checkpoint"
    ]
    replaces_roll: bool = False

    def choices(self) -> frozenset[str]:
        """Return "own_title" if the destination is a title of the player."""
        return frozenset({"own_title"}) if self.to == "own_title" else frozenset()


class Hospital(Effect, frozen=True, kw_only=True):
    """Send players to Hôpital."""

    target: Whom


class Arrest(Effect, frozen=True, kw_only=True):
    """Arrest players."""

    target: Whom


class PoliceCheck(Effect, frozen=True, kw_only=True):
    """Let the police check players."""

    target: Whom


class Warrant(Effect, frozen=True, kw_only=True):
    """Issue or lift an arrest warrant."""

    target: Whom
    on: bool


class Gain(Effect, frozen=True, kw_only=True):
    """Give goods from the bank."""

    item: str
    qty: Few = 1


class Mortgage(Effect, frozen=True, kw_only=True):
    """Mortgage a title; nobody is paid (V.B.3)."""

    target: Literal["own_choice", "other_choice"]

    def choices(self) -> frozenset[str]:
        """Return the required title."""
        return _title_of(self.target)


class DestroyHouse(Effect, frozen=True, kw_only=True):
    """Destroy houses of a title."""

    target: Literal["own_choice", "other_choice"]
    qty: Few = 1

    def choices(self) -> frozenset[str]:
        """Return the required title."""
        return _title_of(self.target)


class Build(Effect, frozen=True, kw_only=True):
    """Build houses for free."""

    target: Literal["own_choice"]
    qty: Few = 1

    def choices(self) -> frozenset[str]:
        """Return the required title."""
        return _title_of(self.target)


class ReverseOrder(Effect, frozen=True, kw_only=True, tag="reverse_order"):
    """Reverse the order of players (II.3)."""

    since: Literal["next_round"] = msgspec.field(name="from", default="next_round")


class RollModifier(Effect, frozen=True, kw_only=True):
    """Change the next roll."""

    target: Whom
    add: Annotated[int, Meta(ge=-1000, le=1000)]


class Cancel(Effect, frozen=True, kw_only=True):
    """Cancel an arrest, a check or a drug result of the holder."""

    what: Literal["arrest", "police_check", "drug_result"]
    keeps: Literal["confiscation", "movement", "turn"] | None = None


class Retry(Effect, frozen=True, kw_only=True):
    """Throw a failed die again."""

    what: Literal["drug_sale"]


class Intercept(Effect, frozen=True, kw_only=True):
    """Intercept a delivery (VIII.D.7)."""

    what: Literal["delivery"]

    def choices(self) -> frozenset[str]:
        """Return "player", for the sender of the delivery."""
        return frozenset({"player"})


class Reveal(Effect, frozen=True, kw_only=True):
    """Show private facts to the holder (I.C.6)."""

    target: Literal["chosen"]
    what: Literal["inventory"]


class BlockMeetings(Effect, frozen=True, kw_only=True):
    """Forbid private meetings (IV.C)."""

    until: Literal["start_of_user_next_turn"] = "start_of_user_next_turn"


class Modifier(Effect, frozen=True, kw_only=True):
    """A standing effect on all players while the card is active (VI.A.7)."""

    what: Standing
    add: Annotated[int, Meta(ge=-1_000_000, le=1_000_000)] | UnsetType = UNSET
    percent: Annotated[int, Meta(ge=0, le=10_000)] | UnsetType = UNSET
    set: Annotated[int, Meta(ge=0, le=1_000_000)] | UnsetType = UNSET
    off: bool | UnsetType = UNSET


class Banker(Effect, frozen=True, kw_only=True):
    """An effect without an operation: the banker reads the card and records the effect (P.1)."""


def _title_of(target: str) -> frozenset[str]:
    return frozenset({"own_title" if target == "own_choice" else "other_title"})


AnyEffect = (
    Pay
    | PayPer
    | Move
    | Teleport
    | Hospital
    | Arrest
    | PoliceCheck
    | Warrant
    | Gain
    | Mortgage
    | DestroyHouse
    | Build
    | ReverseOrder
    | RollModifier
    | Cancel
    | Retry
    | Intercept
    | Reveal
    | BlockMeetings
    | Modifier
    | Banker
)

OPERATIONS: dict[str, type[Effect]] = {str(one.__struct_config__.tag): one for one in AnyEffect.__args__}
"""Every operation by name."""


# ----------------------------------------------------------------------------------------------
# Cards
# ----------------------------------------------------------------------------------------------


class Card(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A card of a deck. With `keep`, the card stays in the holder's hand until played."""

    id: CardId
    title: Wording
    text: Wording = Wording()
    keep: bool = False
    timing: Timing = "on_draw"
    effects: tuple[AnyEffect, ...]
    deck: Deck = "chance"

    @property
    def commodity(self) -> str:
        """The commodity of the card's holding."""
        return commodity(self.id)

    def choices(self) -> frozenset[str]:
        """Return the names required for using the card: "player", "own_title", "other_title"."""
        return frozenset().union(*(effect.choices() for effect in self.effects))


class Unread(msgspec.Struct, frozen=True):
    """A card whose effect the banker has still to record (P.1)."""

    id: str
    seat: str
    """The player who drew or played the card."""
    card: str
    player: str | None = None
    """The player named for the card."""
