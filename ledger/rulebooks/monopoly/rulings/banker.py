"""The banker's rulings. Disputes and corrections work as in every game.

A ruling moves things between accounts at the table, and never leaves an inconsistent table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from ledger.kernel.arbitration import remedies
from ledger.kernel.arbitration.chapter import arbitration
from ledger.kernel.arbitration.remedies import Ruling
from ledger.kernel.facts.accounts import BANK, BOX
from ledger.kernel.facts.consistency import appeared
from ledger.kernel.facts.events import Event, TokenPath
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import Money, PlaceNumber, SeatId, TitleId, of_kind
from ledger.kernel.language.sentences import AccountName
from ledger.kernel.rules.chapter import Chapter
from ledger.kernel.rules.commodities import Glossary
from ledger.kernel.rules.faces.accounts import Accounts
from ledger.rulebooks.monopoly.debts import debts, promises
from ledger.rulebooks.monopoly.rulings.consistency import inconsistencies
from ledger.rulebooks.monopoly.showing import glossary, speaking
from ledger.rulebooks.monopoly.table.effects import Keep
from ledger.rulebooks.monopoly.table.pieces import Pieces
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    buildings,
    cash,
    cite,
    pieces,
    require_stage,
    title_named,
)
from ledger.rulebooks.monopoly.table.terms import MORTGAGE, PASS, POT, STOCK, DebtId, treasury
from ledger.rulebooks.monopoly.turns import prison, rents, turns
from ledger.rulebooks.parts import boards, decks
from ledger.rulebooks.parts.seats import in_play, seat_named
from ledger.rulebooks.parts.seats import player as purse
from ledger.rulebooks.parts.titles import attached, deed

# ----------------------------------------------------------------------------------------------
# Movable things
# ----------------------------------------------------------------------------------------------


def movable(state: Monopoly) -> Mapping[str, tuple[str, ...]]:
    """Return the things moved by `adjust`, with the accounts allowed for each."""
    board = pieces(state)
    purses = tuple(purse(seat) for seat in in_play(state.order or tuple(state.seats), state.out))
    lots = tuple(attached(item.id) for item in board.titles.values() if item.kind == "street")
    treasuries = tuple(treasury(seat) for seat in state.seats) if board.divisions else ()
    places: dict[str, tuple[str, ...]] = {state.edition.currency: (BANK, *purses, POT, *treasuries)}
    places |= {deed(title): (BANK, *purses) for title in board.titles}
    places |= dict.fromkeys(buildings(board), (STOCK, *lots))
    places[MORTGAGE] = (BANK, *(attached(title) for title in board.titles))
    if board.passes:
        places[PASS] = (BANK, *purses)
    places |= {thing: (BANK, *purses) for _, thing, _ in promises.in_hands(state)}
    for card in board.cards:
        if any(isinstance(item, Keep) for item in card.effects) and not card.face:
            places[decks.commodity(card.id)] = (decks.pile(card.deck), *purses)
    return places


def accounts(state: Monopoly) -> Iterable[str]:
    """List the accounts in the game, empty accounts included."""
    board = pieces(state)
    yield from (BANK, STOCK, POT)
    yield from (attached(title) for title in board.titles)
    yield from (decks.pile(deck) for deck in board.piles)
    yield from (treasury(seat) for seat in state.seats if board.divisions)


def commodities(board: Pieces, currency: str) -> Iterable[str]:
    """List the commodities in the game, including those without a holder."""
    yield from (currency, *buildings(board), MORTGAGE)
    yield from (deed(title) for title in board.titles)
    yield from (decks.commodity(card.id) for card in board.cards if not card.face)
    yield from (PASS,) if board.passes else ()


def playing(draft: Draft, seat: str) -> str:
    """Return the seat of a player still in the game. Raises Impossible for any other seat."""
    require_stage(draft, "play")
    named = seat_named(draft.state, seat, cite(draft.state, "banker"))
    if named in draft.state.out:
        raise Impossible(
            cite(draft.state, "eliminated"),
            "{seat:seat} is out of the game",
            "{seat:seat} est hors du jeu",
            seat=named,
        )
    return named


# ----------------------------------------------------------------------------------------------
# Holdings and money
# ----------------------------------------------------------------------------------------------


class Adjust(remedies.Adjust, frozen=True, kw_only=True):
    """Move money, titles, buildings, mortgages and jail-free cards between the accounts where they belong."""

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse an account closed to the thing, and an inconsistent result."""
        remedies.require_known(draft, ruling, self.postings)
        places = movable(draft.state)
        for posting in self.postings:
            for account in (posting.source, posting.target):
                if account not in places.get(posting.commodity, ()):
                    raise Impossible(
                        ruling.rule,
                        "{thing:goods} has no place in {account:account}",
                        "{thing:goods} n'a pas sa place dans {account:account}",
                        thing=posting.commodity,
                        account=account,
                    )
        earlier = list(inconsistencies(draft.state))
        super().carry_out(draft, ruling)
        for fault in appeared(earlier, inconsistencies(draft.state)):
            draft.require(False, fault.rule, "{said}", "{dit}", said=fault.en, dit=fault.fr)


class Fine(remedies.Fine, frozen=True, kw_only=True):
    """A player pays a fine to the bank; where their money does not suffice, they owe it."""

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse a player out of the game."""
        seat = playing(draft, self.seat)
        if cash(draft.state, seat) >= self.amount:
            super().carry_out(draft, ruling)
        else:
            debts.charge(draft, seat, BANK, self.amount, rule=ruling.rule, cause="fine")


class AwardDebt(remedies.Remedy, frozen=True, kw_only=True):
    """A player owes another one, or the bank, an amount: a rent that was due, a price to be paid back.

    It is paid at once where their money suffices, and is a debt otherwise.
    """

    seat: SeatId
    to: SeatId | Literal["bank"]
    amount: Money
    title: TitleId | None = None

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse a debt to oneself. With a title, the debt is a rent."""
        debtor = playing(draft, self.seat)
        creditor = BANK if self.to == BANK else purse(playing(draft, self.to))
        if creditor == purse(debtor):
            raise Impossible(
                ruling.rule,
                "{seat:seat} owes nothing to themselves",
                "{seat:seat} ne se doit rien",
                seat=debtor,
            )
        title = "" if self.title is None else title_named(draft, self.title, ruling.rule).id
        cause: debts.Cause = "rent" if title else "award"
        debts.charge(draft, debtor, creditor, self.amount, rule=ruling.rule, cause=cause, title=title)


class ForgiveDebt(remedies.Remedy, frozen=True, kw_only=True):
    """A player no longer owes anything, or not this debt."""

    seat: SeatId
    debt: DebtId | None = None

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse an unknown debt, except in a corrected history, because the debt may have gone."""
        seat = playing(draft, self.seat)
        owed = [debt for debt in debts.debts_of(draft.state, seat) if self.debt in (None, debt.id)]
        draft.require_now(
            bool(owed),
            ruling.rule,
            "{seat:seat} has no such debt",
            "{seat:seat} n'a pas de telle dette",
            seat=seat,
        )
        for debt in owed:
            debts.forgive(draft, debt, rule=ruling.rule)


class WaiveRent(remedies.Remedy, frozen=True, kw_only=True):
    """A rent that may still be claimed is not to be paid."""

    title: TitleId

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse a title without an open rent, except in a corrected history, because the rent may have gone."""
        title = title_named(draft, self.title, ruling.rule).id
        unclaimed = [rent for rent in draft.state.rents if rent.title == title and not rent.claimed]
        draft.require_now(
            bool(unclaimed),
            ruling.rule,
            "no rent of {title:title} may be claimed",
            "aucun loyer de {title:title} ne peut être réclamé",
            title=title,
        )
        for rent in unclaimed:
            draft.record(rents.RentLapsed(rule=ruling.rule, owner=rent.owner, lander=rent.lander, title=title))


# ----------------------------------------------------------------------------------------------
# Tokens and turns
# ----------------------------------------------------------------------------------------------


class TokenPlaced(Event, frozen=True, kw_only=True):
    """A ruling puts a token on a square; nothing is passed on the way, and nothing follows."""

    en: ClassVar[str] = "{seat:seat} is put on {square:square} by ruling {ruling}."
    fr: ClassVar[str] = "{seat:seat} est placé sur {square:square} par la décision {ruling}."

    ruling: str
    seat: str
    square: int

    def apply(self, state: Monopoly) -> None:
        """Put the token on the square, out of prison, and drop the demands of the previous square."""
        state.positions[self.seat] = self.square
        state.jailed.pop(self.seat, None)
        if state.landing is not None and state.landing.seat == self.seat:
            state.landing = None
        if state.held is not None and state.held.seat == self.seat:
            state.held = None

    def token_paths(self) -> tuple[TokenPath, ...]:
        """Return the direct path to the square."""
        return (TokenPath(self.seat, (boards.place_id(self.square),)),)


class MoveSeat(remedies.Remedy, frozen=True, kw_only=True):
    """Put a token on a square, by its number from the start. It passes nothing, and nothing follows from it.

    A prisoner whose token is moved is free.
    """

    records: ClassVar[tuple[type[Event], ...]] = (TokenPlaced,)

    seat: SeatId
    square: PlaceNumber

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse an unknown square."""
        seat, last = playing(draft, self.seat), len(pieces(draft.state).squares) - 1
        if self.square > last:
            raise Impossible(
                ruling.rule,
                "there is no square {square}; the last one is {last}",
                "il n'y a pas de case {square} ; la dernière est la {last}",
                square=self.square,
                last=last,
            )
        draft.record(TokenPlaced(rule=ruling.rule, ruling=ruling.id, seat=seat, square=self.square))


class Imprison(remedies.Remedy, frozen=True, kw_only=True):
    """Send a player to prison, without a salary; in their own turn, the turn is over."""

    seat: SeatId

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse a prisoner, and a board without a prison."""
        seat = playing(draft, self.seat)
        if not pieces(draft.state).jails:
            raise Impossible(
                ruling.rule,
                "the board has no prison for {seat:seat}",
                "le plateau n'a pas de prison pour {seat:seat}",
                seat=seat,
            )
        if seat in draft.state.jailed:
            draft.require_now(
                False, ruling.rule, "{seat:seat} is in prison already", "{seat:seat} est déjà en prison", seat=seat
            )
        else:
            prison.send_to_jail(draft, seat, rule=ruling.rule)


class SetTurn(remedies.Remedy, frozen=True, kw_only=True):
    """Make it a player's turn, from its start. What the turn under way has left open is over.

    `round` is the round of the turn; by default the present one.
    """

    seat: SeatId
    round: (
        Annotated[int, Meta(ge=1, le=100_000, description="number of the round"), of_kind("quantity")] | None
    ) = None

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """End the turn under way, and begin the ruled turn."""
        seat = playing(draft, self.seat)
        if draft.state.turn is not None:
            draft.record(turns.TurnEnded(rule=ruling.rule, seat=draft.state.turn))
        turns.begin(draft, seat, self.round or draft.state.round)


Remedy = (
    remedies.Dismiss
    | remedies.CorrectHistory
    | Adjust
    | Fine
    | AwardDebt
    | ForgiveDebt
    | WaiveRent
    | MoveSeat
    | Imprison
    | SetTurn
)
"""The remedies of rulings."""

chapter: Chapter = arbitration("The banker", remedies=Remedy, player_undo=True)


class MonopolyAccounts(Accounts[Monopoly]):
    """The accounts of the game."""

    account_names: Mapping[str, AccountName] = speaking.ACCOUNT_NAMES

    def may_owe(self, account: str, commodity: str) -> bool:
        """Return True if an account may owe: the box issues pieces; the bank issues money, mortgages and promises,
        and never goes bankrupt.
        """
        issued = commodity in {self.currency, MORTGAGE} or promises.is_promise(commodity)
        return account == BOX or (account == BANK and issued)

    def account_on(self, commodity: str) -> str | None:
        """Return the account of the things on a title."""
        title = commodity.removeprefix("title:")
        return None if title == commodity else f"property:{title}"

    def knows_account(self, state: Monopoly, account: str) -> bool:
        """Return True if an account exists, even an empty one."""
        return account in accounts(state) or super().knows_account(state, account)

    def knows_commodity(self, state: Monopoly, commodity: str) -> bool:
        """Return True if a commodity exists, even without a holder."""
        names = commodities(state.edition.pieces, self.currency)
        return commodity in names or super().knows_commodity(state, commodity)

    def groups(self, state: Monopoly, language: str) -> Mapping[str, str]:
        """Return the decks. The groups of titles are groups of the board."""
        return glossary.groups(state.edition.pieces)

    def movable(self, state: Monopoly) -> Mapping[str, Sequence[str]]:
        """Return the things movable by a ruling, each with the possible accounts."""
        return movable(state)

    def commodities(self, state: Monopoly) -> Glossary:
        """Return money, titles, buildings, cards, and promises. Everybody knows the contents of the box."""
        words = glossary.commodities(state.edition.pieces, self.currency)
        return {**words, **glossary.promised(state)} if state.settings.promises else words
