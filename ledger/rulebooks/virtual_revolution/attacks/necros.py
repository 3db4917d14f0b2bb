"""Actions of a Necro attack: the card is turned up, players pay and choose losses (vr:necro.*)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from msgspec import Meta

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.attacks.attacks import (
    AttackBegan,
    NecroAvoided,
    NothingSpent,
    begin_part,
    card_of,
    pending_loss,
    undergo,
)
from ledger.rulebooks.virtual_revolution.decks import decking
from ledger.rulebooks.virtual_revolution.raids import protection
from ledger.rulebooks.virtual_revolution.table.state import (
    Draft,
    VirtualRevolution,
    amounts,
    immunity,
    in_order,
    pieces,
    revenue,
)
from ledger.rulebooks.virtual_revolution.table.terms import IMMUNITY, Attack, Drawn, ThingId

chapter = Chapter("Necro cards")


@chapter.action(
    by=("banker", "system"),
    summary=("turn up the Necro card", "révéler la carte Nécro"),
    when=("after the raids of a round", "après les perquisitions d'une manche"),
)
class NecroAttack(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Turn up the Necro card of the round and apply it (vr:necro.1).

    The card waits for players who may turn a Verse online after a raid; the banker may go on (vr:verse.11).
    """

    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Begin the attack. Lowest and highest Revenue are fixed before any effect (vr:necro.8)."""
        state = draft.state
        if state.stage not in {"missions", "attack"} or state.attack is not None:
            raise Impossible(
                "vr:necro.1",
                "the Necro card is turned up once, after the raids of the round",
                "la carte Nécro est révélée une fois, après les perquisitions de la manche",
            )
        draft.draws.offer(self.drawn)
        rank = {seat: revenue(state, seat) for seat in in_order(state)}
        card = pieces(state).necros[decking.next_necro(draft)]
        lowest = tuple(seat for seat, amount in rank.items() if amount == min(rank.values()))
        highest = tuple(seat for seat, amount in rank.items() if amount == max(rank.values()))
        draft.record(AttackBegan(card=card.id, lowest=lowest, highest=highest))
        if not card.simultaneous:
            begin_part(draft, card, "minimum", lowest, card.minimum)

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer the attack after the raids."""
        return (Choice({}),) if state.stage in {"missions", "attack"} and state.attack is None else ()


@chapter.action(
    summary=("say what Immunity to spend on the attack", "dire combien d'Immunité dépenser contre l'attaque"),
    when=("when the attack asks who pays", "quand l'attaque demande qui paie"),
)
class AvoidNecro(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Spend Immunity to avoid GLOBAL, or GLOBAL and MAXIMUM; or none (vr:necro.6, vr:necro.7)."""

    tokens: Annotated[int, Meta(ge=0, le=1_000, description="0 to spend nothing"), of_kind("quantity")]

    def decide(self, draft: Draft) -> None:
        """Record the payment, once per player, in any order (vr:necro.9)."""
        state, seat = draft.state, draft.seat
        attack = state.attack
        if attack is None or seat not in attack.paying:
            raise Impossible(
                "vr:necro.9",
                "{seat:seat} is not asked for Immunity now",
                "aucune Immunité n'est attendue {seat:de|seat} maintenant",
                seat=seat,
            )
        if self.tokens == 0:
            draft.record(NothingSpent(seat=seat))
            return
        both = self._avoids_both(draft, attack)
        rule = "vr:necro.7" if both else "vr:necro.6"
        balance = immunity(state, seat)
        if balance < self.tokens:
            raise Impossible(
                rule,
                "{seat:seat} has {held} Immunity tokens, not {tokens}",
                "{seat:seat} a {held} jetons Immunité, pas {tokens}",
                seat=seat,
                held=balance,
                tokens=self.tokens,
            )
        paid = (Posting(IMMUNITY, self.tokens, player(seat), BANK),)
        rule = "vr:endgame.4" if card_of(state, attack).kind == "end" else rule
        draft.record(NecroAvoided(rule=rule, seat=seat, tokens=self.tokens, both=both, postings=paid))

    def _avoids_both(self, draft: Draft, attack: Attack) -> bool:
        """Return True if the tokens are the price of both effects. Raises Impossible for any other number."""
        prices = amounts(draft.state)
        if self.tokens == prices.necro_avoid_global:
            return False
        if self.tokens != prices.necro_avoid_both or draft.seat not in attack.highest:
            raise Impossible(
                "vr:necro.7",
                "{one} tokens avoid GLOBAL; {both} avoid GLOBAL and MAXIMUM, for {highest:seats} only",
                "{one} jetons évitent GLOBAL ; {both} évitent GLOBAL et MAXIMUM, pour {highest:seats} seulement",
                one=prices.necro_avoid_global,
                both=prices.necro_avoid_both,
                highest=attack.highest,
            )
        return True

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer zero tokens, and each price that the seat can pay."""
        attack = state.attack
        if attack is not None and seat in attack.paying:
            prices, balance = amounts(state), immunity(state, seat)
            yield Choice({"tokens": 0})
            if balance >= prices.necro_avoid_global:
                yield Choice({"tokens": prices.necro_avoid_global})
            if balance >= prices.necro_avoid_both and seat in attack.highest:
                yield Choice({"tokens": prices.necro_avoid_both})


@chapter.action(
    summary=("choose what the attack takes", "choisir ce que prend l'attaque"),
    when=("when the attack asks for it", "quand l'attaque le demande"),
)
class ResolveNecroEffect(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Choose what is lost by an effect of the attack, among one's own things (vr:necro.10).

    `protect` is what should be discarded and is kept by a Title (vr:title.13). `drawn` are the Corruption cards
    that the player has drawn, where the table draws.
    """

    lose: ThingId | None = None
    protect: ThingId | None = None
    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Undergo the first effect. Players choose in turn order (vr:necro.9)."""
        due = pending_loss(draft.state, draft.seat)
        if due is None:
            raise Impossible(
                "vr:necro.10",
                "the attack asks nothing of {seat:seat} now",
                "l'attaque n'attend rien {seat:de|seat} maintenant",
                seat=draft.seat,
            )
        draft.draws.offer(self.drawn)
        undergo(draft, due, self.lose, self.protect)

    def redacted(self) -> Mapping[str, Any]:
        """Hide the choice: Corruption cards discarded or drawn are known to the player alone (vr:secrecy.4)."""
        return {}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer each possible loss and each possible protection."""
        due = pending_loss(state, seat)
        if due is not None:
            for params in protection.answers(state, seat, (due.effect,)):
                yield Choice(params, alike=tuple(params))
