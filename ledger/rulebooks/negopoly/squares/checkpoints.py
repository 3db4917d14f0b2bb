"""VI.F. Checkpoints: police checks, confiscation and arrest warrants."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import BANKER_ONLY, EVERYONE, Audience, Viewer
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.values import Text
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.cards import answers
from ledger.rulebooks.negopoly.estate import police_orders
from ledger.rulebooks.negopoly.goods import tank
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.squares import prison
from ledger.rulebooks.negopoly.table.pieces import ITEMS, WEAPONS
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, still_in
from ledger.rulebooks.negopoly.table.terms import POLICE, Question, player

chapter = Chapter("VI.F. Checkpoints")


@chapter.event
class PoliceChecked(Event, frozen=True, kw_only=True):
    """The police check a player after a stop (VI.F.1, V.E.15), or on a crossing while K9 is active (VI.F.2)."""

    en: ClassVar[str] = "The police check {seat:seat} on {square:square}."
    fr: ClassVar[str] = "La police contrôle {seat:seat} sur {square:square}."

    rule: str
    seat: str
    square: int

    def reveals(self) -> Audience:
        """Return everybody for a raid (VI.F.3), which reveals the players' goods; nobody for an ordinary check."""
        return EVERYONE if self.rule == "VI.F.3" else BANKER_ONLY

    def redacted(self, viewer: Viewer) -> Event:
        """Keep the event: the check is public. The goods and the arrest are in separate events."""
        return self


@chapter.event
class NothingFound(Event, frozen=True, kw_only=True):
    """A check has no result: neither doses nor unlicensed weapons, and no warrant (VI.F.3)."""

    en: ClassVar[str] = "The police find nothing against {seat:seat}."
    fr: ClassVar[str] = "La police ne trouve rien contre {seat:seat}."

    rule: str = "VI.F.3"
    seat: str


@chapter.event
class Confiscated(Event, frozen=True, kw_only=True):
    """The police confiscate goods after an offence, (commodity, amount) each (VI.F.4)."""

    en: ClassVar[str] = "The police confiscate from {seat:seat}: {goods:list}."
    fr: ClassVar[str] = "La police confisque à {seat:seat} : {goods:list}."

    rule: str = "VI.F.4"
    seat: str
    taken: tuple[tuple[str, int], ...]

    @property
    def goods(self) -> list[str]:
        """The goods as texts: a number and a name."""
        return [f"{amount} × {ITEMS[commodity].name}" for commodity, amount in self.taken]


@chapter.event
class WarrantIssued(Event, frozen=True, kw_only=True):
    """A player is wanted (VI.F.6)."""

    en: ClassVar[str] = "{seat:seat} is wanted: {reason:goods}."
    fr: ClassVar[str] = "{seat:seat} est sous mandat d'arrêt : {reason:goods}."

    rule: str = "VI.F.6"
    seat: str
    reason: str

    def apply(self, state: Negopoly) -> None:
        """Mark the player as wanted: every later check leads to Prison."""
        state.wanted.add(self.seat)


@chapter.event
class WarrantLifted(Event, frozen=True, kw_only=True):
    """A player is no longer wanted (VI.F.8)."""

    en: ClassVar[str] = "{seat:seat} is no longer wanted."
    fr: ClassVar[str] = "{seat:seat} n'est plus sous mandat d'arrêt."

    rule: str = "VI.F.8"
    seat: str
    reason: str = ""
    """A card, or the banker's reason; none for a passage by Spawn."""

    def apply(self, state: Negopoly) -> None:
        """Remove the player from the wanted seats."""
        state.wanted.discard(self.seat)


def check(draft: Draft, seat: str, *, rule: str) -> None:
    """Check a player at the token's position, by VI.F.1 or V.E.15 (a stop) or VI.F.2 (K9, crossing)."""
    if police_orders.withhold_check(draft, seat) or tank.spares(draft, seat, "check"):
        return
    if not answers.ask(draft, seat, "on_police_check", about={"rule": rule}):
        _search(draft, seat, rule=rule)


@reactions.answers("on_police_check", answers.options)
def _after_the_answer(draft: Draft, question: Question, answer: str) -> None:
    """Make the check, unless a card cancels it (II.D.2) or a new instruction forbids it."""
    played = answers.play(draft, question, answer)
    if played is not None or question.seat in draft.state.eliminated:
        return
    if not police_orders.withhold_check(draft, question.seat):
        _search(draft, question.seat, rule=question.about["rule"])


def _search(draft: Draft, seat: str, *, rule: str) -> None:
    """Confiscate illicit goods. Arrest a player who held illicit goods or is wanted (VI.F.3 to VI.F.7)."""
    state = draft.state
    draft.record(PoliceChecked(rule=rule, seat=seat, square=state.positions[seat]))
    goods = illicit(state, seat)
    if goods:
        seized = tuple(Posting(commodity, amount, player(seat), POLICE) for commodity, amount in goods)
        draft.record(Confiscated(seat=seat, taken=goods, postings=seized))
        police_orders.hand_over(draft, goods)
        prison.arrest(draft, seat, cause="offence", rule="VI.F.5")
    elif seat in state.wanted:
        prison.arrest(draft, seat, cause="warrant", rule="VI.F.7")
    else:
        draft.record(NothingFound(seat=seat))


def illicit(state: Negopoly, seat: str) -> tuple[tuple[str, int], ...]:
    """Return the goods to confiscate, (commodity, amount) each: doses, and unlicensed weapons (VI.F.3)."""
    inventory = state.holdings.account(player(seat))
    searched = frozenset({"dose"}) if inventory.get("licence") else WEAPONS | {"dose"}
    return tuple((commodity, inventory[commodity]) for commodity in sorted(searched & inventory.keys()))


def issue_warrant(draft: Draft, seat: str, *, reason: str) -> None:
    """Issue an arrest warrant against a player (VI.F.6). Refuse a second warrant."""
    draft.require(
        seat not in draft.state.wanted,
        "VI.F.6",
        "{seat:seat} is already wanted: a second warrant adds nothing",
        "{seat:seat} est déjà sous mandat d'arrêt : un second mandat n'ajoute rien",
        seat=seat,
    )
    draft.record(WarrantIssued(seat=seat, reason=reason))


def lift_warrant(draft: Draft, seat: str, *, reason: str) -> None:
    """Lift a player's arrest warrant (VI.F.6). Refuse without a warrant."""
    draft.require(
        seat in draft.state.wanted,
        "VI.F.6",
        "{seat:seat} is not wanted: there is no warrant to lift",
        "{seat:seat} n'est pas sous mandat d'arrêt : il n'y a rien à lever",
        seat=seat,
    )
    draft.record(WarrantLifted(rule="VI.F.6", seat=seat, reason=reason))


@chapter.action(
    by=("banker",),
    summary=("put an arrest warrant on a seat", "placer un siège sous mandat d'arrêt"),
    when=("at any moment, by a card or a ruling", "à tout moment, par une carte ou une décision"),
)
class IssueWarrant(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker issues an arrest warrant against the seat that the action is for (VI.F.6)."""

    reason: Text

    def decide(self, draft: Draft) -> None:
        """Refuse a second warrant."""
        issue_warrant(draft, still_in(draft), reason=self.reason)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer a warrant against each player without a warrant. The banker adds a reason."""
        return () if seat in state.wanted else (Choice({"reason": "ruling"}, free=("reason",)),)


@chapter.action(
    by=("banker",),
    summary=("lift the arrest warrant of a seat", "lever le mandat d'arrêt d'un siège"),
    when=("at any moment, by a card or a ruling", "à tout moment, par une carte ou une décision"),
)
class LiftWarrant(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker lifts the arrest warrant of the seat that the action is for."""

    reason: Text

    def decide(self, draft: Draft) -> None:
        """Refuse without a warrant."""
        lift_warrant(draft, still_in(draft), reason=self.reason)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the action for each wanted player. The banker adds a reason."""
        return (Choice({"reason": "ruling"}, free=("reason",)),) if seat in state.wanted else ()
