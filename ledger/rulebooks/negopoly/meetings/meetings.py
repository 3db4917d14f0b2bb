"""IV.B. Private meetings in another room. Disruptions are in `talks`.

The bank records the participants, the times and the price, never the conversation (IV.B.5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible, Malformed
from ledger.kernel.facts.values import SeatId, of_kind
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.cards import weather
from ledger.rulebooks.negopoly.meetings import talks
from ledger.rulebooks.negopoly.table.pieces import ITEMS
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    agreement,
    keep,
    open_agreements,
    others_in_play,
    pay,
    seat_named,
    still_in,
)
from ledger.rulebooks.negopoly.table.terms import Meeting, MeetingId

chapter = Chapter("IV.B. Private meetings")

LONGEST = 5
"""The longest meeting that can be booked, in minutes (IV.B.2)."""

RATE = ITEMS["meeting_minute"].price
"""The price of a minute in another player's turn, in whole ₦ (IV.B.2)."""

Minutes = Annotated[int, Meta(ge=1, le=1440, description="whole minutes, 5 at most"), of_kind("quantity")]


# ----------------------------------------------------------------------------------------------
# Meetings
# ----------------------------------------------------------------------------------------------


class _MeetingEvent(Event, frozen=True, kw_only=True):
    """A public fact about a meeting, because everybody sees the players leave the table.

    `meeting` is the new version.
    """

    meeting: Meeting

    def apply(self, state: Negopoly) -> None:
        """Store the meeting. A meeting is open until its end."""
        keep(state, self.meeting, ended=self.meeting.status != "open")


@chapter.event
class MeetingStarted(_MeetingEvent, frozen=True, kw_only=True):
    """A player launches a private meeting: paid at once in another's turn, free in their own (IV.B.3, IV.B.4)."""

    en: ClassVar[str] = (
        "{meeting.launcher:seat} calls {meeting.invited:seats} to a private meeting of {meeting.minutes} "
        "{meeting.minutes:plural|minute|minutes} for {meeting.paid:money}."
    )
    fr: ClassVar[str] = (
        "{meeting.launcher:seat} lance une réunion privée de {meeting.minutes} "
        "{meeting.minutes:plural|minute|minutes} avec {meeting.invited:seats} pour {meeting.paid:money}."
    )

    rule: str


@chapter.event
class MeetingJoined(_MeetingEvent, frozen=True, kw_only=True):
    """An invited player joins a meeting (II.D.3, IV.B.1)."""

    en: ClassVar[str] = "{seat:seat} joins the private meeting of {meeting.launcher:seat}."
    fr: ClassVar[str] = "{seat:seat} rejoint la réunion privée {meeting.launcher:de|seat}."

    rule: str
    seat: str


@chapter.event
class MeetingLeft(_MeetingEvent, frozen=True, kw_only=True):
    """A player leaves a meeting before its end (IV.B.5), or has left the game (I.B.5)."""

    en: ClassVar[str] = "{seat:seat} leaves the private meeting of {meeting.launcher:seat}."
    fr: ClassVar[str] = "{seat:seat} quitte la réunion privée {meeting.launcher:de|seat}."

    rule: str = "IV.B.5"
    seat: str


_WHY = {
    "time": Phrase("its time is over", "le temps est écoulé"),
    "empty": Phrase("nobody is left in the room", "il ne reste personne dans la pièce"),
    "turn": Phrase("the turn is over", "le tour est terminé"),
    "disrupted": Phrase("talks are disrupted", "la communication est perturbée"),
    "banker": Phrase("the banker says so", "le banquier en décide ainsi"),
    "game": Phrase("the game is over", "la partie est terminée"),
}


@chapter.event
class MeetingEnded(_MeetingEvent, frozen=True, kw_only=True):
    """A meeting ends; its price is not refunded (IV.B.3).

    `reason` is "time", "empty" (all have left), "turn" (the launcher's turn is over), "disrupted", "banker" or
    "game".
    """

    en: ClassVar[str] = "The private meeting of {meeting.attended:seats} ends: {why.en}."
    fr: ClassVar[str] = "La réunion privée {meeting.attended:de|seats} se termine : {why.fr}."

    rule: str
    reason: str

    @property
    def why(self) -> Phrase:
        """The reason in English and French."""
        return _WHY[self.reason]


# ----------------------------------------------------------------------------------------------
# Price and end of a meeting
# ----------------------------------------------------------------------------------------------


def rate(state: Negopoly) -> int:
    """Return the price of a minute in another player's turn, in whole ₦ (IV.B.2), changed by the weather."""
    return weather.modified(state, "meeting_rate", RATE, collects="bank")


def end(draft: Draft, meeting: Meeting, *, reason: str, rule: str) -> None:
    """End the meeting now, or at the booked end if earlier."""
    over = replace(meeting, status="ended", present=(), ends_at=min(meeting.ends_at, draft.at))
    draft.record(MeetingEnded(rule=rule, meeting=over, reason=reason))


def settle(draft: Draft) -> None:
    """End disrupted and empty meetings, and free meetings after the launcher's turn (IV.B.4, IV.C.2).

    Eliminated players leave their meeting.
    """
    state = draft.state
    for meeting in open_agreements(state, Meeting):
        for seat in meeting.present:
            if seat in state.eliminated:
                meeting = _without(meeting, seat)
                draft.record(MeetingLeft(rule="I.B.5", meeting=meeting, seat=seat))
        turn = state.turn
        if not meeting.present:
            end(draft, meeting, reason="empty", rule="IV.B.5")
        elif not meeting.exempt and (rule := talks.forbidden(state, meeting.present)) is not None:
            end(draft, meeting, reason="disrupted", rule=rule)
        elif meeting.own_turn and (turn is None or turn.seat != meeting.launcher or state.round != meeting.round):
            end(draft, meeting, reason="turn", rule="IV.B.4")


def close_at_end(draft: Draft) -> None:
    """End all meetings at the end of the game."""
    for meeting in open_agreements(draft.state, Meeting):
        end(draft, meeting, reason="game", rule="IV.B.5")


def due(state: Negopoly, at: datetime) -> EndMeeting | None:
    """Return the end of the first meeting that is out of time, or None (IV.B.2)."""
    over = [meeting for meeting in open_agreements(state, Meeting) if at >= meeting.ends_at]
    return (
        EndMeeting(meeting=min(over, key=lambda candidate: (candidate.ends_at, candidate.opened)).id)
        if over
        else None
    )


def deadlines(state: Negopoly) -> Iterator[datetime]:
    """Return the booked ends of the open meetings (IV.B.2)."""
    return (meeting.ends_at for meeting in open_agreements(state, Meeting))


def _without(meeting: Meeting, seat: str) -> Meeting:
    return replace(meeting, present=tuple(member for member in meeting.present if member != seat))


def _require_free(draft: Draft, seat: str) -> None:
    """Refuse by IV.B.5 when the seat is in another meeting."""
    room = next((meeting for meeting in open_agreements(draft.state, Meeting) if seat in meeting.present), None)
    draft.require(
        room is None,
        "IV.B.5",
        "{seat:seat} is in the private meeting {meeting} already, and cannot be in two rooms",
        "{seat:seat} est déjà dans la réunion privée {meeting}, et ne peut pas être dans deux pièces",
        seat=seat,
        meeting="" if room is None else room.id,
    )


# ----------------------------------------------------------------------------------------------
# Actions
# ----------------------------------------------------------------------------------------------


@chapter.action(
    summary=("launch a private meeting", "lancer une réunion privée"),
    when=(
        "at any moment: paid for in another player's turn, free in one's own",
        "à tout moment : payante pendant le tour d'un autre, gratuite pendant le sien",
    ),
)
class StartMeeting(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player invites others to a private meeting of 1 to 5 minutes (IV.B).

    It costs ₦20 a minute in another player's turn. In the player's own turn it is free, uses the time of the
    turn, and ends with the turn at the latest.
    """

    participants: Annotated[tuple[SeatId, ...], Meta(min_length=1, max_length=7)]
    minutes: Minutes

    def decide(self, draft: Draft) -> None:
        """Refuse during a ban or another meeting. The invited may stay away; the turn's clock keeps running."""
        seat = still_in(draft)
        invited = tuple(seat_named(draft.state, participant, "IV.B.1") for participant in self.participants)
        if seat in invited or len(set(invited)) < len(invited):
            raise Malformed(
                "name each of the others once, not {participants:seats}",
                "nommez chacun des autres une fois, pas {participants:seats}",
                participants=invited,
            )
        draft.require(
            self.minutes <= LONGEST,
            "IV.B.2",
            "a meeting is booked for {longest} minutes at most, not {minutes}",
            "une réunion se réserve pour {longest} minutes au plus, pas {minutes}",
            longest=LONGEST,
            minutes=self.minutes,
        )
        _require_free(draft, seat)
        exempt = talks.require_free(draft, (seat, *invited))
        ends_at = draft.at + timedelta(minutes=self.minutes)
        turn = draft.state.turn
        is_own_turn = turn is not None and turn.seat == seat
        price = 0
        if turn is None or not is_own_turn:
            price = rate(draft.state) * self.minutes
        elif turn.paused_at is None:
            ends_at = min(ends_at, turn.ends_at)
        meeting = Meeting(
            id=draft.new_id(),
            launcher=seat,
            invited=invited,
            present=(seat,),
            attended=(seat,),
            minutes=self.minutes,
            paid=price,
            own_turn=is_own_turn,
            round=draft.state.round,
            started_at=draft.at,
            ends_at=ends_at,
            exempt=exempt,
        )
        paid = pay(draft, seat, price, "IV.B.3") if price else ()
        draft.record(MeetingStarted(rule="IV.B.4" if is_own_turn else "IV.B.1", meeting=meeting, postings=paid))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer a meeting with each other player, and with all of them. The minutes may be changed."""
        others = others_in_play(state, seat)
        named = [[other] for other in others] + ([others] if len(others) > 1 else [])
        free = ("participants", "minutes")
        alike = None if state.disruptions or state.blackouts else "any"  # a ban may concern some seats only (IV.C)
        for participants in named:
            yield Choice({"participants": participants, "minutes": 1}, free, alike)


@chapter.action(
    summary=("join a private meeting", "rejoindre une réunion privée"),
    when=("while it lasts, when named at its launch", "tant qu'elle dure, si l'on a été désigné à son lancement"),
)
class JoinMeeting(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An invited player joins a private meeting (II.D.3)."""

    meeting: MeetingId

    def decide(self, draft: Draft) -> None:
        """Refuse without an invitation.

        The player in turn may join too, but the clock of the turn keeps running (IV.B.1).
        """
        seat = still_in(draft)
        meeting: Meeting = agreement(draft.state, Meeting, self.meeting, "II.D.3")
        draft.require(
            seat in meeting.invited or seat == meeting.launcher,
            "IV.B.1",
            "{launcher:seat} has not called {seat:seat} to this meeting",
            "{launcher:seat} n'a pas appelé {seat:seat} à cette réunion",
            launcher=meeting.launcher,
            seat=seat,
        )
        _require_free(draft, seat)
        exempt = talks.require_free(draft, (*meeting.present, seat)) or meeting.exempt
        attended = meeting.attended if seat in meeting.attended else (*meeting.attended, seat)
        turn = draft.state.turn
        draft.record(
            MeetingJoined(
                rule="IV.B.1" if turn is not None and turn.seat == seat else "II.D.3",
                meeting=replace(meeting, present=(*meeting.present, seat), attended=attended, exempt=exempt),
                seat=seat,
            )
        )

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each meeting open to the player."""
        for meeting in open_agreements(state, Meeting):
            if seat not in meeting.present and seat in (meeting.launcher, *meeting.invited):
                yield Choice({"meeting": meeting.id})


@chapter.action(
    summary=("leave a private meeting", "quitter une réunion privée"),
    when=("while one is in the room", "tant que l'on est dans la pièce"),
)
class LeaveMeeting(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player leaves a private meeting early; it ends when the last one leaves (IV.B.5)."""

    meeting: MeetingId

    def decide(self, draft: Draft) -> None:
        """Refuse outside a meeting. Nothing is refunded (IV.B.3)."""
        seat = still_in(draft)
        meeting: Meeting = agreement(draft.state, Meeting, self.meeting, "IV.B.5")
        if seat not in meeting.present:
            raise Impossible(
                "IV.B.5",
                "{seat:seat} is not in the private meeting {meeting}",
                "{seat:seat} n'est pas dans la réunion privée {meeting}",
                seat=seat,
                meeting=meeting.id,
            )
        draft.record(MeetingLeft(meeting=_without(meeting, seat), seat=seat))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the player's present meeting."""
        for meeting in open_agreements(state, Meeting):
            if seat in meeting.present:
                yield Choice({"meeting": meeting.id})


@chapter.action(
    by=("system", "banker"),
    summary=("end a private meeting", "mettre fin à une réunion privée"),
    when=(
        "once its time is over; the banker, at any moment",
        "une fois son temps écoulé ; le banquier, à tout moment",
    ),
)
class EndMeeting(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The service or the banker ends a meeting whose time is over (IV.B.2); the banker also earlier (IV.C.1)."""

    meeting: MeetingId

    def decide(self, draft: Draft) -> None:
        """End the meeting at the booked time, or early by the banker. A longer talk needs a new meeting."""
        meeting: Meeting = agreement(draft.state, Meeting, self.meeting, "IV.B.2")
        if draft.at >= meeting.ends_at:
            end(draft, meeting, reason="time", rule="IV.B.2")
        else:
            end(draft, meeting, reason="banker", rule="IV.C.1")

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each open meeting."""
        return (Choice({"meeting": meeting.id}) for meeting in open_agreements(state, Meeting))
