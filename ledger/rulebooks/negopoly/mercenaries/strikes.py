"""IX.B.5, IX.B.14 and IX.B.15. Strikes: waiting hostile acts, and the defences of their victims.

`reactions` launches strikes, asks the questions and applies the effects.
"""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import Event
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.table.pieces import TITLES
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, in_play, owner_of, titles_of
from ledger.rulebooks.negopoly.table.terms import Strike, attached, player
from ledger.rulebooks.parts.readers import Revealing

chapter = Chapter("IX.B.14–15. Strikes")

TEAM = "security_team"
DEFENCE = "defence"


@chapter.event
class StrikeLaunched(Event, frozen=True, kw_only=True):
    """A hostile act waits for the answers of the players hit, or for an earlier strike (IX.B.15)."""

    en: ClassVar[str] = "{strike.by:seat} strikes ({strike.kind:goods}), and the effect waits."
    fr: ClassVar[str] = "{strike.by:seat} frappe ({strike.kind:goods}), et l'effet attend."

    rule: str = "IX.B.15"
    strike: Strike

    def apply(self, state: Negopoly) -> None:
        """Append the strike to the waiting strikes."""
        state.strikes.append(self.strike)


@chapter.event
class DefencesTried(Revealing, frozen=True, kw_only=True):
    """The defences of the titles hit stop a strike for their titles, and are used up (IX.B.5).

    It reveals to everybody which titles had a defence, a secret of their owners (I.C.6).
    """

    en: ClassVar[str] = "{strike.by:seat}'s strike ({strike.kind:goods}) {met.en}."
    fr: ClassVar[str] = "La frappe {strike.by:de|seat} ({strike.kind:goods}) {met.fr}."

    rule: str = "IX.B.5"
    strike: Strike
    defended: tuple[str, ...] | None
    """The titles saved by a defence; None in a dry run."""

    @property
    def met(self) -> Phrase:
        """The result as the end of a sentence, in English and French."""
        if self.defended is None:
            return Phrase("meets the defences there may be", "rencontre les défenses qu'il peut y avoir")
        if not self.defended:
            return Phrase("meets no defence", "ne rencontre aucune défense")
        titles = ", ".join(TITLES[title].name for title in self.defended)
        return Phrase(f"is stopped by a defence: {titles}", f"est arrêtée par une défense : {titles}")

    def apply(self, state: Negopoly) -> None:
        """Keep a waiting strike for the undefended titles only."""
        defended = self.defended or ()
        undefended = tuple(title for title in self.strike.titles if title not in defended)
        change(state, self.strike.id, titles=undefended)

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the defences."""
        return replace(self, defended=None, postings=())


@chapter.event
class TeamUsed(Event, frozen=True, kw_only=True):
    """A player uses a security team against a strike; the team is used up (IX.B.14, IX.B.15)."""

    en: ClassVar[str] = "{seat:seat}'s security team stops {strike.by:seat} ({strike.kind:goods})."
    fr: ClassVar[str] = "L'équipe de sécurité {seat:de|seat} arrête {strike.by:seat} ({strike.kind:goods})."

    rule: str = "IX.B.14"
    seat: str
    strike: Strike

    def apply(self, state: Negopoly) -> None:
        """Spare the player, titles included. Count one secret service fewer."""
        change(state, self.strike.id, spared=(*self.strike.spared, self.seat))
        disclose(state, self.seat)


@chapter.event
class StrikeClosed(Event, frozen=True, kw_only=True):
    """A strike no longer waits: it takes effect on what is left of it, or has no target left (IX.B.15).

    `reason` is "answered", "stopped" (no target is left) or "eliminated" (the attacker has left the game).
    """

    en: ClassVar[str] = "{strike.by:seat}'s strike ({strike.kind:goods}) {outcome.en}."
    fr: ClassVar[str] = "La frappe {strike.by:de|seat} ({strike.kind:goods}) {outcome.fr}."

    rule: str = "IX.B.15"
    strike: Strike
    reason: str

    @property
    def outcome(self) -> Phrase:
        """The end of the strike, in English and French."""
        return _OUTCOMES[self.reason]

    def apply(self, state: Negopoly) -> None:
        """Remove the strike, so that the next strike may start."""
        state.strikes = [waiting for waiting in state.strikes if waiting.id != self.strike.id]


_OUTCOMES = {
    "answered": Phrase("is carried out", "a lieu"),
    "stopped": Phrase("reaches nothing", "n'atteint rien"),
    "eliminated": Phrase("is called off", "est abandonnée"),
}


# ----------------------------------------------------------------------------------------------
# Targets and defences
# ----------------------------------------------------------------------------------------------


def defences_of(state: Negopoly, seat: str) -> dict[str, int]:
    """Return the defences on a seat's titles, by title; a secret of the owner (I.C.6)."""
    return {
        title: count for title in titles_of(state, seat) if (count := state.holdings.of(attached(title), DEFENCE))
    }


def may_hold_team(state: Negopoly, seat: str) -> bool:
    """Check by public facts whether the seat may hold a security team: a secret service was taken.

    A team given by a ruling counts too.
    """
    return state.services.get(seat, 0) > 0 or state.holdings.of(player(seat), TEAM) > 0


def change(state: Negopoly, strike_id: str, **changes: Any) -> None:
    """Replace fields of the waiting strike with the id. Do nothing if no waiting strike has the id."""
    state.strikes = [
        replace(waiting, **changes) if waiting.id == strike_id else waiting for waiting in state.strikes
    ]


def disclose(state: Negopoly, seat: str) -> None:
    """Count one secret service of the seat fewer, because everybody has seen the service."""
    remaining = state.services.get(seat, 0) - 1
    if remaining > 0:
        state.services[seat] = remaining
    else:
        state.services.pop(seat, None)


def without_defended(draft: Draft, begun: Strike) -> Strike:
    """Use a defence of each defended title, if defences stop the kind. Return the rest of the strike."""
    if not begun.titles or (begun.kind != "attack" and draft.state.settings.defence_scope != "all_attacks"):
        return begun
    defended = tuple(title for title in begun.titles if draft.state.holdings.of(attached(title), DEFENCE))
    spent = tuple(Posting(DEFENCE, 1, attached(title), BANK) for title in defended)
    draft.record(DefencesTried(strike=begun, defended=defended, postings=spent))
    return replace(begun, titles=tuple(title for title in begun.titles if title not in defended))


def to_ask(state: Negopoly, begun: Strike) -> list[str]:
    """Return the players to ask about a strike: the players hit who may hold a team, except the attacker."""
    concerned = {owner_of(state, title) for title in begun.titles} | set(begun.victims)
    return [
        seat for seat in in_play(state) if seat in concerned and seat != begun.by and may_hold_team(state, seat)
    ]


def left_of(state: Negopoly, begun: Strike) -> Strike:
    """Return the strike without spared or eliminated victims, spared owners' titles, and titles of the bank."""
    spared = {None, *begun.spared}
    return replace(
        begun,
        titles=tuple(title for title in begun.titles if owner_of(state, title) not in spared),
        victims=tuple(seat for seat in begun.victims if seat not in spared and seat not in state.eliminated),
    )
