"""IV.C. Bans of private meetings: by cards, by the banker, and by a Bombe IEM (`disruption`).

Public talk is free.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Annotated, ClassVar

from msgspec import Meta

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import SeatId, Text, of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.arsenal import disruption
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, seat_named
from ledger.rulebooks.negopoly.table.terms import Disruption

BanId = Annotated[str, Meta(min_length=1, max_length=40, description="id of the ban"), of_kind("disruption")]

chapter = Chapter("IV.C. Disruptions of talks")

BANKER = "banker"
EVERYBODY = "everybody"


@chapter.event
class CommunicationDisrupted(Event, frozen=True, kw_only=True):
    """A card or the banker forbids private meetings, to some players or to all (IV.C.1)."""

    en: ClassVar[str] = "{disruption.source:source} forbids private meetings to {whom:seats}{detail}."
    fr: ClassVar[str] = "{disruption.source:source} interdit les réunions privées à {whom:seats}{detail}."

    rule: str = "IV.C.1"
    disruption: Disruption
    reason: str = ""
    """The banker's reason."""

    @property
    def whom(self) -> tuple[str, ...]:
        """The seats concerned."""
        return self.disruption.seats or (EVERYBODY,)

    @property
    def detail(self) -> str:
        """The reason in brackets, if any."""
        return f" ({self.reason})" if self.reason else ""

    def apply(self, state: Negopoly) -> None:
        """Add the ban."""
        state.disruptions = (*state.disruptions, self.disruption)


@chapter.event
class CommunicationRestored(Event, frozen=True, kw_only=True):
    """A ban ends: it has expired, or the banker ends it (IV.C.2)."""

    en: ClassVar[str] = "{disruption.source:source} no longer forbids private meetings."
    fr: ClassVar[str] = "{disruption.source:source} n'interdit plus les réunions privées."

    rule: str = "IV.C.2"
    disruption: Disruption

    def apply(self, state: Negopoly) -> None:
        """Remove the ban. Other bans may remain."""
        state.disruptions = tuple(ban for ban in state.disruptions if ban.id != self.disruption.id)


def disrupt(
    draft: Draft,
    *,
    source: str,
    seats: tuple[str, ...] | None = None,
    until: str | None = None,
    reason: str = "",
) -> None:
    """Forbid private meetings to the seats (None: to all). Meetings in progress end with the action (IV.C.2).

    `source` is a card ("card:kamtar_11") or "banker" (IV.C.1). The ban ends at the start of the next turn of
    the seat `until`. With None, the banker ends the ban.
    """
    ban = Disruption(id=draft.new_id(), source=source, seats=seats, until=until)
    draft.record(CommunicationDisrupted(disruption=ban, reason=reason))


def expire_disruptions(draft: Draft, seat: str) -> None:
    """End the bans that last until the starting turn of the seat (IV.C.2)."""
    for ban in draft.state.disruptions:
        if ban.until == seat:
            draft.record(CommunicationRestored(disruption=ban))


def forbidden(state: Negopoly, seats: Collection[str]) -> str | None:
    """Return the rule that forbids the seats to meet in private now, or None without a ban (IV.C.2, IX.C.26)."""
    if disruption.private_talks_off(state, seats):
        return "IX.C.26"
    concerned = any(ban.seats is None or any(seat in ban.seats for seat in seats) for ban in state.disruptions)
    return "IV.C.2" if concerned else None


def require_free(draft: Draft, seats: Collection[str]) -> bool:
    """Refuse a private meeting during a ban on any of the seats.

    Returns True if the banker has waived a ban.
    """
    rule = forbidden(draft.state, seats)
    draft.require(
        rule is None,
        rule or "IV.C.2",
        "private meetings of {seats:seats} are forbidden at present",
        "les réunions privées de {seats:seats} sont interdites pour l'instant",
        seats=seats,
    )
    return rule is not None


@chapter.action(
    by=("banker",),
    summary=("forbid private meetings", "interdire les réunions privées"),
    when=("at any moment", "à tout moment"),
)
class DisruptCommunication(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker forbids private meetings to these seats, or to all, until the banker ends the ban (IV.C.1)."""

    reason: Text
    seats: Annotated[tuple[SeatId, ...], Meta(min_length=1, max_length=8)] | None = None

    def decide(self, draft: Draft) -> None:
        """Add the ban; meetings in progress end at once (IV.C.2)."""
        named = [seat_named(draft.state, seat_id, "IV.C.1") for seat_id in self.seats or ()]
        concerned = tuple(dict.fromkeys(named)) or None
        disrupt(draft, source=BANKER, seats=concerned, reason=self.reason)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer a ban for all; the banker may name seats."""
        return (Choice({"reason": "ruling"}, free=("reason", "seats")),)


@chapter.action(
    by=("banker",),
    summary=("allow private meetings again", "permettre à nouveau les réunions privées"),
    when=("while a disruption lasts", "tant que dure une perturbation"),
)
class RestoreCommunication(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker ends a ban early (IV.C.2)."""

    disruption: BanId

    def decide(self, draft: Draft) -> None:
        """Refuse an unknown ban. Other bans may remain."""
        ban = next((candidate for candidate in draft.state.disruptions if candidate.id == self.disruption), None)
        if ban is None:
            raise Impossible(
                "IV.C.2",
                "there is no disruption {id!r}",
                "il n'y a pas de perturbation {id!r}",
                id=self.disruption,
            )
        draft.record(CommunicationRestored(disruption=ban))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each ban in force."""
        return (Choice({"disruption": ban.id}) for ban in state.disruptions)
