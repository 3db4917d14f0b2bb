"""Necro attacks: MINIMUM, payments, GLOBAL and MAXIMUM, in this order (vr:necro.*, vr:necro_card.*)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Literal

from msgspec.structs import replace

from ledger.kernel.facts.events import Event
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
        """Nobody turns a Verse online by a raid any more (vr:verse.11)."""
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
        """The part as the card writes it."""
        return self.part.upper()

    def apply(self, state: VirtualRevolution) -> None:
        """Its effects wait, the first one first."""
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
        """The parts as the card writes them."""
        return ", ".join(part.upper() for part in self.hit)


@chapter.event
class EffectUndergone(Event, frozen=True, kw_only=True):
    """A player undergoes one effect of the card."""

    en: ClassVar[str] = "{seat:seat} undergoes {name} of {card:card}."
    fr: ClassVar[str] = "{seat:seat} subit {name} de {card:card}."

    seat: str
    part: Part
    card: str

    @property
    def name(self) -> str:
        """The part as the card writes it."""
        return self.part.upper()

    def apply(self, state: VirtualRevolution) -> None:
        """The next effect comes first."""
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
        """They are asked."""
        if state.attack is not None:
            state.attack = replace(state.attack, stage="payment", paying=self.seats)


@chapter.event
class NecroAvoided(Event, frozen=True, kw_only=True):
    """A player spends Immunity to avoid GLOBAL, or GLOBAL and MAXIMUM (vr:necro.6, vr:necro.7)."""

    en: ClassVar[str] = "{seat:seat} spends {tokens} Immunity tokens to avoid {what_en}."
    fr: ClassVar[str] = "{seat:seat} dépense {tokens} jetons Immunité pour éviter {what_fr}."

    seat: str
    tokens: int
    both: bool

    @property
    def what_en(self) -> str:
        """What is avoided, in English."""
        return "GLOBAL and MAXIMUM" if self.both else "GLOBAL"

    @property
    def what_fr(self) -> str:
        """What is avoided, in French."""
        return "GLOBAL et MAXIMUM" if self.both else "GLOBAL"

    def apply(self, state: VirtualRevolution) -> None:
        """Once per player."""
        attack = state.attack
        if attack is not None:
            said: Literal["global", "both"] = "both" if self.both else "global"
            paying = tuple(one for one in attack.paying if one != self.seat)
            state.attack = replace(attack, paying=paying, avoided=(*attack.avoided, (self.seat, said)))


@chapter.event
class NothingSpent(Event, frozen=True, kw_only=True):
    """A player spends no Immunity on the attack."""

    en: ClassVar[str] = "{seat:seat} spends no Immunity."
    fr: ClassVar[str] = "{seat:seat} ne dépense pas d'Immunité."

    rule: str = "vr:necro.9"
    seat: str

    def apply(self, state: VirtualRevolution) -> None:
        """The player has answered."""
        if state.attack is not None:
            paying = tuple(one for one in state.attack.paying if one != self.seat)
            state.attack = replace(state.attack, paying=paying)


@chapter.event
class AttackEnded(Event, frozen=True, kw_only=True):
    """All effects of the card have been applied."""

    en: ClassVar[str] = "The attack of the Necros is over."
    fr: ClassVar[str] = "L'attaque Nécro est terminée."

    rule: str = "vr:necro.1"

    def apply(self, state: VirtualRevolution) -> None:
        """What comes next is recorded by `rounds.go_on`."""
        if state.attack is not None:
            state.attack = replace(state.attack, stage="over", losses=())


# ----------------------------------------------------------------------------------------------
# The course of an attack
# ----------------------------------------------------------------------------------------------


def card_of(state: VirtualRevolution, attack: Attack) -> Necro:
    """The card of an attack."""
    return pieces(state).necros[attack.card]


def go_on(draft: Draft) -> bool:
    """Take the next step that needs no choice. False when somebody has to choose, or the attack is over."""
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
    """Go on from a part that is done."""
    state = draft.state
    card = card_of(state, attack)
    match attack.stage:
        case "minimum" if asked := _able_to_pay(state):
            draft.record(PaymentsOpened(seats=asked))
        case "minimum" | "payment" if card.simultaneous:
            _sum_up(draft, attack, card)
        case "minimum" | "payment":
            begin_part(draft, card, "global", _hit(state, attack, "global"), card.all)
        case "global":
            begin_part(draft, card, "maximum", _hit(state, attack, "maximum"), card.maximum)
        case _:
            draft.record(AttackEnded())


def begin_part(draft: Draft, card: Necro, part: Part, hit: Sequence[str], wanted: Sequence[Effect]) -> None:
    """Apply a part to those whom it hits, in turn order."""
    due = tuple(
        Loss(seat=seat, effect=one, part=part) for seat in hit for effect in wanted for one in losses.units(effect)
    )
    draft.record(PartBegan(rule=card.rule, part=part, hit=tuple(hit), losses=due))


def _hit(state: VirtualRevolution, attack: Attack, part: Part) -> list[str]:
    """Whom a part hits, in turn order: who has not avoided it."""
    avoided = dict(attack.avoided)
    match part:
        case "minimum":
            found: Iterable[str] = attack.lowest
        case "global":
            found = (seat for seat in in_order(state) if seat not in avoided)
        case "maximum":
            found = (seat for seat in attack.highest if avoided.get(seat) != "both")
    return list(found)


def _able_to_pay(state: VirtualRevolution) -> tuple[str, ...]:
    """The seats that can avoid GLOBAL: nobody else is asked."""
    least = amounts(state).necro_avoid_global
    return tuple(seat for seat in in_order(state) if immunity(state, seat) >= least)


def _sum_up(draft: Draft, attack: Attack, card: Necro) -> None:
    """Sum up what is left for each player on a card marked simultaneous."""
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
    """Let an effect happen that leaves no choice; False when it leaves one."""
    if needs_answer(draft.state, due):
        return False
    undergo(draft, due, None, None)
    return True


def needs_answer(state: VirtualRevolution, due: Loss) -> bool:
    """Whether the seat has to say something: what is lost, or which cards it has drawn."""
    if isinstance(due.effect, DrawCorruption):
        return state.dice == "table" and decks.is_drawable(state, CORRUPTION)
    return protection.needs_choice(state, due.seat, due.effect)


def undergo(draft: Draft, due: Loss, lose: str | None, protect: str | None) -> None:
    """Let a seat undergo the first effect; what it cannot fulfil takes what there is (vr:necro.10)."""
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


def asked(state: VirtualRevolution, seat: str) -> Loss | None:
    """What a seat has to answer in the attack now; None when it is not asked."""
    due = None if state.attack is None or not state.attack.losses else state.attack.losses[0]
    return due if due is not None and due.seat == seat else None
