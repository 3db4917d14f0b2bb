"""The obligations of a table: demands, payments in an attack, losses of an attack or a raid, choices due."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from ledger.kernel.facts.obligations import Obligation
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.faces.agreements import Agreements
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.attacks import attacks
from ledger.rulebooks.virtual_revolution.raids import raids
from ledger.rulebooks.virtual_revolution.rounds import answers, rounds
from ledger.rulebooks.virtual_revolution.table.state import VirtualRevolution, pieces
from ledger.rulebooks.virtual_revolution.table.veils import VEIL

USUAL = Phrase("the usual answer is taken", "la réponse par défaut est prise")
_WAITS = Phrase("the game waits for the answer", "la partie attend la réponse")
MATTERS: Mapping[str, Phrase] = {
    "discard": Phrase("discard Corruption cards", "défausser des cartes Corruption"),
    "exchange": Phrase("exchange a Corruption card", "échanger une carte Corruption"),
    "loss": Phrase("choose what to discard", "choisir quoi défausser"),
    "payment": Phrase("spend Immunity, or not", "dépenser de l'Immunité, ou non"),
    "raid": Phrase("resolve a card: {about:card}", "résoudre une carte : {about:card}"),
    "attack": Phrase(
        "choose what the attack takes: {about:card}", "choisir ce que prend l'attaque : {about:card}"
    ),
    "missions": Phrase("put a Verse online, or not", "mettre un Verse Online, ou non"),
    "order": Phrase("choose a place in the turn order", "choisir sa place dans l'ordre"),
    "choices": Phrase("choose before the scoring", "choisir avant le décompte"),
}
"""The words for each kind of obligation."""
_CHOICES = {"missions": "vr:verse.11", "order": "vr:order.1", "choices": "vr:endgame.1"}
"""The rule of the choices due in a stage."""


class VirtualRevolutionAgreements(Agreements[VirtualRevolution]):
    """The obligations of a table. There are no agreements."""

    matters = MATTERS
    settling = {
        "discard": {"discard_corruption": {"seat": "debtor"}},
        "exchange": {"exchange_corruption": {"seat": "debtor"}},
        "loss": {"choose_loss": {"seat": "debtor"}},
        "payment": {"avoid_necro": {"seat": "debtor"}},
        "raid": {
            "resolve_corruption_card": {"seat": "debtor", "card": "about"},
            "avoid_corruption": {"seat": "debtor", "card": "about"},
        },
        "attack": {"resolve_necro_effect": {"seat": "debtor"}},
    }

    def obligations(self, state: VirtualRevolution) -> Iterator[Obligation]:
        """Yield the obligations, in the order of answering. The clock runs for the first answer and all payments.

        Everything is public: the cards of hidden hands are not named.
        """
        if state.ended:
            return
        due = next(iter(rounds.deadlines(state)), None)
        follows = _WAITS if due is None else USUAL
        for demand in state.demands:
            seat, by, cards = (
                demand.seat,
                demand.of or demand.by,
                demand.amount if demand.kind == "discard" else None,
            )
            asker, commodity = None if by == seat else player(by), VEIL if cards else None
            asked_for = partial(Obligation, demand.kind, seat, asker, demand.rule, follows, commodity, cards)
            yield asked_for(due=due, awaited=True)
            due, follows = None, _WAITS
        for seat in () if state.attack is None else state.attack.paying:
            yield Obligation("payment", seat, None, "vr:necro.9", follows, due=due, awaited=True)
        for kind, card, seat, rule in _losses(state):
            yield Obligation(kind, seat, None, rule, follows, about=card, due=due, awaited=True)
            due, follows = None, _WAITS
        if state.stage in _CHOICES and not state.demands:
            for seat in answers.awaited(state):
                yield Obligation(str(state.stage), seat, None, _CHOICES[state.stage], follows, due=due)


def _losses(state: VirtualRevolution) -> Iterator[tuple[str, str, str, str]]:
    """Yield the losses by cards still to be undergone: "raid" or "attack", the card, the seat, the rule."""
    raid, attack = state.raid, state.attack
    if raid is not None:
        for corruption in raids.unresolved(state, raid.seat):
            yield "raid", corruption.id, raid.seat, pieces(state).kinds[corruption.kind].rule
    if attack is not None:
        rule = attacks.card_of(state, attack).rule
        yield from (("attack", attack.card, loss.seat, rule) for loss in attack.losses)
