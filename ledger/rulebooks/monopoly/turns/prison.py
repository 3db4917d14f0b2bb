"""Prison: the way in, and the ways out before a throw: the fine, a card, a pass."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar

from msgspec import Meta

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.events import Event, TokenPath
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.debts import debts
from ledger.rulebooks.monopoly.table.roles import Role
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    cash,
    cite,
    fees_to,
    is_kept,
    jail_passes,
    pieces,
    player_in_play,
)
from ledger.rulebooks.monopoly.table.terms import PASS
from ledger.rulebooks.monopoly.turns import turns
from ledger.rulebooks.parts import boards, decks, seats
from ledger.rulebooks.parts.seats import payment
from ledger.rulebooks.parts.seats import player as purse

chapter = Chapter("Prison")

CardId = Annotated[
    str, Meta(min_length=1, max_length=60, description='a card by its id, or "pass"'), of_kind("card")
]


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class SentToJail(Event, frozen=True, kw_only=True):
    """A player goes to prison, straight and without a salary."""

    en: ClassVar[str] = "{seat:seat} goes to prison."
    fr: ClassVar[str] = "{seat:seat} va en prison."

    seat: str
    square: int

    def apply(self, state: Monopoly) -> None:
        """Put the player into prison, with nothing more to do in the turn."""
        state.positions[self.seat] = self.square
        state.jailed[self.seat] = 0
        if state.landing is not None and state.landing.seat == self.seat:
            state.landing = None
        if state.held is not None and state.held.seat == self.seat:
            state.held = None
        if state.turn == self.seat:
            state.must_throw = False

    def token_paths(self) -> tuple[TokenPath, ...]:
        """Return the direct path to the prison."""
        return (TokenPath(self.seat, (boards.place_id(self.square),)),)


@chapter.event
class JailFinePaid(Event, frozen=True, kw_only=True):
    """A prisoner pays the fine to the bank, and is free."""

    en: ClassVar[str] = "{seat:seat} pays a fine of {amount:money} and is free."
    fr: ClassVar[str] = "{seat:seat} paie une amende de {amount:money} et sort de prison."

    seat: str
    amount: int

    def apply(self, state: Monopoly) -> None:
        """Free the prisoner."""
        state.jailed.pop(self.seat, None)


@chapter.event
class JailCardUsed(Event, frozen=True, kw_only=True):
    """A prisoner uses a jail-free card, which goes under its deck, or a pass, which goes back to the bank."""

    en: ClassVar[str] = "{seat:seat} uses {card:goods} and is free."
    fr: ClassVar[str] = "{seat:seat} utilise {card:goods} et sort de prison."

    seat: str
    card: str
    """The commodity."""
    deck: str = ""
    """The deck for the returned card."""

    def apply(self, state: Monopoly) -> None:
        """Free the prisoner, and put a card under the deck."""
        state.jailed.pop(self.seat, None)
        if self.deck:
            state.under[self.deck] = (*state.under.get(self.deck, ()), decks.card_of(self.card))


# ----------------------------------------------------------------------------------------------
# Going to prison
# ----------------------------------------------------------------------------------------------


def send_to_jail(draft: Draft, seat: str, *, rule: str) -> None:
    """Send a player to the next prison ahead by a rule: no salary, and the turn is over, even after a double.

    Raises LookupError for a board without a prison.
    """
    state = draft.state
    ahead = pieces(state).jail_ahead(state.positions.get(seat, 0))
    draft.record(SentToJail(rule=rule, seat=seat, square=ahead))
    if draft.state.turn == seat:
        turns.pass_turn(draft, cite(draft.state, "jail_ends_turn"))


# ----------------------------------------------------------------------------------------------
# Leaving prison
# ----------------------------------------------------------------------------------------------


def require_jailed(draft: Draft, seat: str, role: Role) -> None:
    """Refuse by the rule of the role unless the seat is in prison. Raises Impossible."""
    if seat not in draft.state.jailed:
        raise Impossible(
            cite(draft.state, role),
            "{seat:seat} is not in prison",
            "{seat:seat} n'est pas en prison",
            seat=seat,
        )


def _may_leave(state: Monopoly, seat: str) -> bool:
    """Return True if a prisoner is at the start of a turn."""
    return seat in state.jailed and state.turn == seat and state.must_throw and state.throws == 0


def _waits(state: Monopoly, seat: str) -> bool:
    """Return True if a prisoner has thrown in vain and waits for the next turn."""
    return state.turn != seat and state.jailed.get(seat, 0) > 0


def _require_start_of_turn(draft: Draft, seat: str, role: Role) -> None:
    """Refuse a way out except at the start of the prisoner's turn."""
    state = draft.state
    rule = cite(state, role)
    if state.turn != seat:
        seats.require_turn(draft, str(state.turn), rule)
    if not _may_leave(state, seat):
        raise Impossible(
            rule,
            "{seat:seat} has thrown already: this is for the start of a turn",
            "{seat:seat} a déjà lancé les dés : cela se fait au début du tour",
            seat=seat,
        )


@chapter.action(
    summary=("pay the fine of the prison", "payer l'amende de la prison"),
    when=("in prison, at the start of one's turn", "en prison, au début de son tour"),
)
class PayJailFine(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A prisoner pays the fine before throwing; at some tables after a throw without a double, too."""

    def decide(self, draft: Draft) -> None:
        """Refuse out of prison, in the turn of the arrest, after a throw, and without money to spare."""
        state, seat = draft.state, player_in_play(draft)
        require_jailed(draft, seat, "jail_fine")
        settings = state.settings
        later = settings.jail_fine_after_throw and _waits(state, seat)
        if not later:
            _require_start_of_turn(draft, seat, "jail_fine")
        rule = cite(state, "jail_fine")
        if settings.debts_before_fine:
            debts.require_spare(draft, seat, settings.jail_fine, rule)
        paid = payment(draft, seat, settings.jail_fine, rule, fees_to(state, "fine"))
        draft.record(JailFinePaid(rule=rule, seat=seat, amount=settings.jail_fine, postings=paid))
        if settings.jail_fine_delays_play and not later:
            turns.require_done(draft, seat)
            debts.require_unblocked(draft, seat)
            turns.pass_turn(draft, rule)

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the fine to a prisoner at the start of a turn, or also while waiting if the table allows."""
        money = debts.spare(state, seat) if state.settings.debts_before_fine else cash(state, seat)
        if seat not in state.jailed or money < state.settings.jail_fine:
            return
        if _may_leave(state, seat) or (state.settings.jail_fine_after_throw and _waits(state, seat)):
            yield Choice({})


@chapter.action(
    summary=("use a jail-free card", "utiliser une carte qui libère"),
    when=("in prison, at the start of one's turn", "en prison, au début de son tour"),
)
class UseJailCard(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A prisoner uses a card or a pass before throwing: their own, or one just bought."""

    card: CardId | None = None

    def decide(self, draft: Draft) -> None:
        """Refuse out of prison, after a throw, and without the card."""
        state, seat = draft.state, player_in_play(draft)
        rule = cite(state, "jail_card")
        require_jailed(draft, seat, "jail_card")
        _require_start_of_turn(draft, seat, "jail_card")
        passes = jail_passes(state, seat)
        used = _commodity(self.card) if self.card is not None else next(iter(passes), None)
        if used is None or used not in passes:
            raise Impossible(
                rule,
                "{seat:seat} has no such card",
                "{seat:seat} n'a pas de telle carte",
                seat=seat,
            )
        deck = "" if used == PASS else pieces(state).card[decks.card_of(used)].deck
        target = decks.pile(deck) if deck else BANK
        draft.record(
            JailCardUsed(
                rule=rule, seat=seat, card=used, deck=deck, postings=draft.move(used, 1, purse(seat), target)
            )
        )

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer each card or pass; a single one goes unnamed."""
        if not _may_leave(state, seat):
            return
        passes = jail_passes(state, seat)
        if len(passes) == 1:
            yield Choice({})
        else:
            yield from (Choice({"card": decks.card_of(thing)}) for thing in passes)


def _commodity(named: str) -> str:
    """Return the commodity of a card by id, or of a pass."""
    return named if is_kept(named) else decks.commodity(named)
