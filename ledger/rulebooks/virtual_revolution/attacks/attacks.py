"""Necro attacks: MINIMUM, payments, GLOBAL and MAXIMUM, in order (vr:necro.*, vr:necro_card.*)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Literal

from msgspec.structs import replace

from ledger.kernel.facts.events import Event
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.attacks import changing, summing
from ledger.rulebooks.virtual_revolution.raids import losses, protection
from ledger.rulebooks.virtual_revolution.table.effects import Doing
from ledger.rulebooks.virtual_revolution.table.operations import DiscardServer, DrawCorruption, Effect
from ledger.rulebooks.virtual_revolution.table.pieces import Necro
from ledger.rulebooks.virtual_revolution.table.state import (
    Draft,
    VirtualRevolution,
    amounts,
    immunity,
    in_order,
    pieces,
)
from ledger.rulebooks.virtual_revolution.table.terms import CORRUPTION, Attack, Loss, ScoreChange

chapter = Chapter("Necro attacks")

Part = Literal["minimum", "global", "maximum"]


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class AttackBegan(Event, frozen=True, kw_only=True):
    """Who is lowest and highest is found when the card is turned up (vr:necro.8)."""

    en: ClassVar[str] = "{card:card}: lowest Revenue {lowest:seats}, highest Revenue {highest:seats}."
    fr: ClassVar[str] = "{card:card} : Revenus les plus bas {lowest:seats}, les plus hauts {highest:seats}."

    rule: str = "vr:necro.8"
    card: str
    lowest: tuple[str, ...]
    highest: tuple[str, ...]

    def apply(self, state: VirtualRevolution) -> None:
        """Start the attack. Verses can no longer go online by a raid (vr:verse.11)."""
        state.stage, state.waiting = "attack", ()
        state.attack = Attack(card=self.card, lowest=self.lowest, highest=self.highest)


@chapter.event
class PartBegan(Event, frozen=True, kw_only=True):
    """MINIMUM, GLOBAL or MAXIMUM is applied to those whom it hits, in order."""

    en: ClassVar[str] = "{name} hits {hit:seats}."
    fr: ClassVar[str] = "{name} touche {hit:seats}."

    part: Part
    hit: tuple[str, ...]
    losses: tuple[Loss, ...]

    @property
    def name(self) -> str:
        """The name of the part, as printed on the card."""
        return self.part.upper()

    def apply(self, state: VirtualRevolution) -> None:
        """Queue the effects of the part, in order."""
        if state.attack is not None:
            state.attack = replace(state.attack, stage=self.part, losses=self.losses)


@chapter.event
class EffectsSummed(Event, frozen=True, kw_only=True):
    """On a card marked simultaneous the effects that are left for a player are summed at once (vr:necro.9)."""

    en: ClassVar[str] = "{seat:seat}: {parts} at once."
    fr: ClassVar[str] = "{seat:seat} : {parts} à la fois."

    rule: str = "vr:necro.9"
    seat: str
    hit: tuple[Part, ...]

    @property
    def parts(self) -> str:
        """The names of the parts, as printed on the card."""
        return ", ".join(part.upper() for part in self.hit)


@chapter.event
class EffectUndergone(Event, frozen=True, kw_only=True):
    """A player undergoes one effect of the card."""

    en: ClassVar[str] = "{seat:seat} undergoes {name} of {card:card}."
    fr: ClassVar[str] = "{seat:seat} subit {name} {card:de|card}."

    seat: str
    part: Part
    card: str

    @property
    def name(self) -> str:
        """The name of the part, as printed on the card."""
        return self.part.upper()

    def apply(self, state: VirtualRevolution) -> None:
        """Remove the effect from the queue."""
        if state.attack is not None:
            state.attack = replace(state.attack, losses=state.attack.losses[1:])


@chapter.event
class PaymentsOpened(Event, frozen=True, kw_only=True):
    """Who can pay says whether to avoid effects, in any order (vr:necro.9)."""

    en: ClassVar[str] = "{seats:seats} may spend Immunity."
    fr: ClassVar[str] = "{seats:seats} : dépense d'Immunité possible."

    rule: str = "vr:necro.9"
    seats: tuple[str, ...]

    def apply(self, state: VirtualRevolution) -> None:
        """Ask the seats for payment."""
        if state.attack is not None:
            state.attack = replace(state.attack, stage="payment", paying=self.seats)


@chapter.event
class NecroAvoided(Event, frozen=True, kw_only=True):
    """A player spends Immunity to avoid GLOBAL, or GLOBAL and MAXIMUM (vr:necro.6, vr:necro.7)."""

    en: ClassVar[str] = "{seat:seat} spends {tokens} Immunity tokens to avoid {extent.en}."
    fr: ClassVar[str] = "{seat:seat} dépense {tokens} jetons Immunité pour éviter {extent.fr}."

    seat: str
    tokens: int
    both: bool

    @property
    def extent(self) -> Phrase:
        """The parts avoided."""
        return Phrase("GLOBAL and MAXIMUM", "GLOBAL et MAXIMUM") if self.both else Phrase("GLOBAL", "GLOBAL")

    def apply(self, state: VirtualRevolution) -> None:
        """Note the parts avoided, and ask the player no more."""
        attack = state.attack
        if attack is not None:
            extent: Literal["global", "both"] = "both" if self.both else "global"
            paying = tuple(seat for seat in attack.paying if seat != self.seat)
            state.attack = replace(attack, paying=paying, avoided=(*attack.avoided, (self.seat, extent)))


@chapter.event
class NothingSpent(Event, frozen=True, kw_only=True):
    """A player spends no Immunity on the attack."""

    en: ClassVar[str] = "{seat:seat} spends no Immunity."
    fr: ClassVar[str] = "{seat:seat} ne dépense pas d'Immunité."

    rule: str = "vr:necro.9"
    seat: str

    def apply(self, state: VirtualRevolution) -> None:
        """Ask the player no more."""
        if state.attack is not None:
            paying = tuple(seat for seat in state.attack.paying if seat != self.seat)
            state.attack = replace(state.attack, paying=paying)


@chapter.event
class AttackEnded(Event, frozen=True, kw_only=True):
    """All effects of the card have been applied."""

    en: ClassVar[str] = "The attack of the Necros is over."
    fr: ClassVar[str] = "L'attaque Nécro est terminée."

    rule: str = "vr:necro.1"

    def apply(self, state: VirtualRevolution) -> None:
        """Close the attack; `rounds.go_on` records the next step."""
        if state.attack is not None:
            state.attack = replace(state.attack, stage="over", losses=())


# ----------------------------------------------------------------------------------------------
# The course of an attack
# ----------------------------------------------------------------------------------------------


def card_of(state: VirtualRevolution, attack: Attack) -> Necro:
    """Return the card of an attack."""
    return pieces(state).necros[attack.card]


def go_on(draft: Draft) -> bool:
    """Take the next step without a choice. Return False if a player has to choose, or after the attack."""
    attack = draft.state.attack
    if attack is None or attack.stage == "over":
        return False
    if attack.losses:
        return _by_itself(draft, attack.losses[0])
    if attack.paying:
        return False
    _next_part(draft, attack)
    return True


def _next_part(draft: Draft, attack: Attack) -> None:
    """Begin the step after a finished part: payments, the next part, or the end."""
    state = draft.state
    card = card_of(state, attack)
    match attack.stage:
        case "minimum" if payers := _able_to_pay(state):
            draft.record(PaymentsOpened(seats=payers))
        case "minimum" | "payment" if card.simultaneous:
            _sum_up(draft, attack, card)
        case "minimum" | "payment":
            begin_part(draft, card, "global", _hit(state, attack, "global"), card.all)
        case "global":
            begin_part(draft, card, "maximum", _hit(state, attack, "maximum"), card.maximum)
        case _:
            draft.record(AttackEnded())


def begin_part(draft: Draft, card: Necro, part: Part, hit: Sequence[str], effects: Sequence[Effect]) -> None:
    """Record the beginning of a part, with the effects on each seat hit."""
    due = tuple(
        Loss(seat=seat, effect=unit, part=part)
        for seat in hit
        for effect in effects
        for unit in losses.units(effect)
    )
    draft.record(PartBegan(rule=card.rule, part=part, hit=tuple(hit), losses=due))


def _hit(state: VirtualRevolution, attack: Attack, part: Part) -> list[str]:
    """Return the seats hit by a part, in turn order, without those that have avoided it."""
    avoided = dict(attack.avoided)
    match part:
        case "minimum":
            seats: Iterable[str] = attack.lowest
        case "global":
            seats = (seat for seat in in_order(state) if seat not in avoided)
        case "maximum":
            seats = (seat for seat in attack.highest if avoided.get(seat) != "both")
    return list(seats)


def _able_to_pay(state: VirtualRevolution) -> tuple[str, ...]:
    """Return the seats able to avoid GLOBAL. The game asks nobody else."""
    least = amounts(state).necro_avoid_global
    return tuple(seat for seat in in_order(state) if immunity(state, seat) >= least)


def _sum_up(draft: Draft, attack: Attack, card: Necro) -> None:
    """Sum up the remaining effects for each player, on a simultaneous card."""
    parts: dict[Part, tuple[Effect, ...]] = {"minimum": card.minimum, "global": card.all, "maximum": card.maximum}
    hits = {part: _hit(draft.state, attack, part) for part in parts}
    for seat in in_order(draft.state):
        mine = tuple(part for part in parts if seat in hits[part])
        if mine:
            draft.record(EffectsSummed(seat=seat, hit=mine))
            doing = Doing(seat=seat, rule=card.rule, source=card.id)
            summing.sum_up(draft, [effect for part in mine for effect in parts[part]], doing)
    draft.record(AttackEnded())


def _by_itself(draft: Draft, due: Loss) -> bool:
    """Carry out an effect without a choice. Return False if the player has a choice."""
    if needs_answer(draft.state, due):
        return False
    undergo(draft, due, None, None)
    return True


def needs_answer(state: VirtualRevolution, due: Loss) -> bool:
    """Return True if the seat has to name a loss, or the cards drawn at the table."""
    if isinstance(due.effect, DrawCorruption):
        return state.dice == "table" and decks.is_drawable(state, CORRUPTION)
    return protection.needs_choice(state, due.seat, due.effect)


def undergo(draft: Draft, due: Loss, lose: str | None, protect: str | None) -> None:
    """Let a seat undergo the first effect. An effect beyond the seat's means takes everything available
    (vr:necro.10).
    """
    state, effect = draft.state, due.effect
    attack = state.attack
    if attack is None:
        return
    card = card_of(state, attack)
    draft.record(EffectUndergone(rule=card.rule, seat=due.seat, part=due.part, card=card.id))
    if isinstance(effect, DiscardServer) and effect.otherwise_vp and not losses.options(state, due.seat, effect):
        lost = ScoreChange(seat=due.seat, line="points", amount=effect.otherwise_vp, rule=card.rule)
        changing.change_score(draft, lost)
    else:
        protection.undergo(draft, due.seat, (effect,), card.id, lose, protect, rule=card.rule)


def pending_loss(state: VirtualRevolution, seat: str) -> Loss | None:
    """Return the loss awaiting the seat's answer in the attack, or None."""
    due = None if state.attack is None or not state.attack.losses else state.attack.losses[0]
    return due if due is not None and due.seat == seat else None
