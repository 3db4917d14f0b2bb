"""Decks of cards: a player draws the top card, obeys the text, and puts the card back under the deck.

A pile has no order: the next card is decided at the draw. Cards put back have an order, known to everybody:
once all others are drawn, these cards come again in order.
"""

from __future__ import annotations

from collections.abc import Iterable

from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.rulebooks.monopoly.cards import choices, piles
from ledger.rulebooks.monopoly.cards.piles import CardDrawn, NoCardLeft, put_under
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cite, on_turn, pieces, player_in_play
from ledger.rulebooks.monopoly.turns.landings import square_under
from ledger.rulebooks.monopoly.turns.prison import CardId
from ledger.rulebooks.parts import decks

chapter = piles.chapter


# ----------------------------------------------------------------------------------------------
# Drawing
# ----------------------------------------------------------------------------------------------


def top_of(state: Monopoly, deck: str) -> str | None:
    """Return the next card if everybody knows it: all cards left have been put back in order."""
    below = [card for card in state.under.get(deck, ()) if _lies_in(state, deck, card)]
    return below[0] if below and len(below) == decks.left_in(state, deck) else None


def _lies_in(state: Monopoly, deck: str, card: str) -> bool:
    return state.holdings.of(decks.pile(deck), decks.commodity(card)) > 0


@chapter.action(
    summary=("draw a card", "tirer une carte"),
    when=("after stopping on a card square", "après un arrêt sur une case de cartes"),
)
class DrawCard(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The player on a card square draws the top card of its deck; the table says which one it was."""

    card: CardId | None = None

    def decide(self, draft: Draft) -> None:
        """Refuse elsewhere, and a card that cannot be on top: from another deck, in a hand, or under others."""
        seat, deck, rule = _due(draft)
        remaining = draft.state.remaining
        ordered = draft.state.choosing
        drawn = self._drawn(draft, deck, rule)
        if drawn is None:
            draft.record(NoCardLeft(rule=rule, seat=seat, deck=deck))
            choices.run(draft, remaining)
            return
        card = pieces(draft.state).card[drawn]
        draft.record(CardDrawn(rule=rule, seat=seat, deck=deck, card=card.id))
        if ordered is not None:
            choices.run(draft, (choices.drawn(draft.state, seat, card, under=True), *remaining))
            return
        choices.carry_out(draft, seat, card)
        if not card.is_kept:
            put_under(draft, seat, deck, card.id, rule)

    def _drawn(self, draft: Draft, deck: str, rule: str) -> str | None:
        """Return the id of the top card; None if no card is left. The table's word is accepted if possible."""
        state = draft.state
        below = state.under.get(deck, ())
        if self.card is not None:
            card, top = self.card.removeprefix("card:"), top_of(state, deck)
            there = _lies_in(state, deck, card)
            if there and (card == top or card not in below):
                if top is None:
                    draft.draws.offer((card,))
            else:
                draft.require_now(
                    False,
                    rule,
                    "{card!r} cannot be the top card of {pile:account}",
                    "{card!r} ne peut pas être la carte du dessus : {pile:account}",
                    card=card,
                    pile=decks.pile(deck),
                )
                if there:  # the table has drawn the card, although a correction has put others on top since
                    draft.draws.offer((card,))
                    return draft.draws.cards("card", decks.held_in(state, decks.pile(deck)), named=deck)[0]
        return next(iter(decks.draw(draft, "card", deck, under=below)), None)

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the draw to the player on a card square."""
        return (Choice({}),) if draws_from(state, seat) is not None else ()


def draws_from(state: Monopoly, seat: str) -> str | None:
    """Return the deck that a seat has to draw from: another card orders it, or the square does; None without."""
    choosing, landing = state.choosing, state.landing
    if choosing is not None:
        return choosing.deck if (choosing.ask, choosing.seat) == ("draw", seat) else None
    due = landing is not None and landing.seat == seat and landing.todo == "card"
    return pieces(state).squares[landing.square].deck if due and landing is not None else None


def _due(draft: Draft) -> tuple[str, str, str]:
    """Return the seat, the deck and the rule of the draw due. Raises Impossible without a draw due."""
    state = draft.state
    if state.choosing is not None and (state.choosing.ask, state.choosing.seat) == ("draw", draft.seat):
        return player_in_play(draft), state.choosing.deck, cite(state, "card_draw")
    seat = on_turn(draft)
    deck = draws_from(state, seat)
    if deck is None:
        raise Impossible(
            cite(state, "card"),
            "{seat:seat} has no card to draw",
            "{seat:seat} n'a pas de carte à tirer",
            seat=seat,
        )
    return seat, deck, cite(state, "card", square_under(state, seat))
