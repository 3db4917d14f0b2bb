"""Bankruptcy: a player with debts beyond all means is out, and the creditors take everything left."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.debts import debts, promises
from ledger.rulebooks.monopoly.houses import building, means, mortgages, shortage
from ledger.rulebooks.monopoly.table.pieces import Pieces
from ledger.rulebooks.monopoly.table.roles import Role
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    cash,
    cite,
    currency,
    is_mortgaged,
    kept_things,
    laid,
    pieces,
    player_in_play,
    titles_of,
)
from ledger.rulebooks.monopoly.table.terms import MORTGAGE, Lot, Received
from ledger.rulebooks.monopoly.trading import auctions
from ledger.rulebooks.monopoly.turns import turns
from ledger.rulebooks.parts import agreements, decks, titles
from ledger.rulebooks.parts.seats import player as purse

chapter = Chapter("Bankruptcy")


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class BankruptcyDeclared(Event, frozen=True, kw_only=True):
    """A player owes more than they can raise, and is out of the game."""

    en: ClassVar[str] = "{seat:seat} is bankrupt and out of the game."
    fr: ClassVar[str] = "{seat:seat} est en faillite et hors du jeu."

    seat: str
    owed: int
    heir: str
    """The account of the heir to everything left: the bank, or the player with the largest claim."""

    def apply(self, state: Monopoly) -> None:
        """Put the player out: offers and wishes lapse, and debts to the player pass to the heir."""
        gone = self.seat
        state.out = (*state.out, gone)
        state.jailed.pop(gone, None)
        shortage.forget(state, gone)
        state.consents = state.consents - {gone}
        state.rents = [item for item in state.rents if gone not in (item.owner, item.lander)]
        state.received = [item for item in state.received if item.seat != gone]
        for trade in list(state.open.values()):
            if gone in (trade.by, trade.to):
                agreements.keep(state, replace(trade, status="lapsed"), ended=True)
        if state.held is not None and state.held.seat == gone:
            state.held = None
        if state.landing is not None and gone in (state.landing.seat, state.landing.owner):
            state.landing = None
        choosing = state.choosing
        state.remaining = tuple(task for task in state.remaining if task.seat != gone)
        if choosing is not None and gone in (choosing.seat, choosing.task.seat, choosing.task.whom):
            state.choosing = None
        if state.auction is not None:
            passed = tuple(seat for seat in state.auction.passed if seat != gone)
            state.auction = replace(state.auction, passed=passed)
        state.debts = [
            replace(item, creditor=self.heir) if item.creditor == purse(gone) else item
            for item in state.debts
            if item.debtor != gone and not (item.creditor == purse(gone) and purse(item.debtor) == self.heir)
        ]


@chapter.event
class CreditorPaid(Event, frozen=True, kw_only=True):
    """A bankrupt's money goes to a creditor."""

    en: ClassVar[str] = "{creditor:account} receives {amount:money} of {seat:seat}'s money."
    fr: ClassVar[str] = "{creditor:account} reçoit {amount:money} de l'argent {seat:de|seat}."

    seat: str
    creditor: str
    amount: int


@chapter.event
class TitlesTaken(Event, frozen=True, kw_only=True):
    """A bankrupt's titles go to the creditor, mortgages and all; or to the bank."""

    en: ClassVar[str] = "{heir:account} takes over {titles:each|title}."
    fr: ClassVar[str] = "{heir:account} reprend {titles:each|title}."

    seat: str
    heir: str
    titles: tuple[str, ...]


@chapter.event
class CardsTaken(Event, frozen=True, kw_only=True):
    """A bankrupt's jail-free cards go to the creditor, or back where they came from."""

    en: ClassVar[str] = "{heir:account} takes {cards:each|goods}."
    fr: ClassVar[str] = "{heir:account} prend {cards:each|goods}."

    seat: str
    heir: str
    cards: tuple[str, ...]
    """The commodities."""

    def apply(self, state: Monopoly) -> None:
        """Put cards returned to the bank under the decks."""
        for thing, deck in under_decks(state.edition.pieces, self.cards if self.heir == BANK else ()):
            state.under[deck] = (*state.under.get(deck, ()), decks.card_of(thing))


@chapter.event
class TitleReceived(Event, frozen=True, kw_only=True):
    """A creditor may lift the mortgage of a title that a bankrupt has left."""

    en: ClassVar[str] = "{seat:seat} may lift the mortgage of {title:title} without more interest."
    fr: ClassVar[str] = "{seat:seat} peut lever l'hypothèque {title:de|title} sans autre intérêt."

    seat: str
    title: str

    def apply(self, state: Monopoly) -> None:
        """Keep the choice open until the next throw."""
        state.received.append(Received(seat=self.seat, title=self.title))


def under_decks(board: Pieces, cards: Iterable[str]) -> list[tuple[str, str]]:
    """Return the cards among the commodities, each with the deck above."""
    return [(thing, board.card[decks.card_of(thing)].deck) for thing in cards if decks.is_card(thing)]


# ----------------------------------------------------------------------------------------------
# The action
# ----------------------------------------------------------------------------------------------


@chapter.action(
    summary=("declare bankruptcy", "déclarer faillite"),
    when=("when one owes more than one can raise", "quand on doit plus qu'on ne peut réunir"),
)
class DeclareBankruptcy(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The debtor is out: money, buildings and titles go to the creditors, or to the bank for auction."""

    def decide(self, draft: Draft) -> None:
        """Refuse without a debt, and while the debtor could still raise the amount due.

        The highest bid of an auction comes back to the debtor, and the others go on with the auction.
        The banker may waive the rule for a player who leaves the game: bankrupt to the bank.
        """
        state, seat = draft.state, player_in_play(draft)
        owed = debts.owed_by(state, seat)
        draft.require(
            owed > 0,
            cite(state, "bankrupt"),
            "{seat:seat} owes nothing",
            "{seat:seat} ne doit rien",
            seat=seat,
        )
        draft.require(
            owed > means.could_raise(state, seat) or not owed,
            cite(state, "bankrupt"),
            "{seat:seat} owes {owed:money} and can still raise {most:money}: by money, buildings and mortgages",
            "{seat:seat} doit {owed:money} et peut encore réunir {most:money} : argent, bâtiments, hypothèques",
            seat=seat,
            owed=owed,
            most=means.could_raise(state, seat),
        )
        draft.require(
            means.is_hopeless(state, seat) or not laid(state, seat),
            cite(state, "auction"),
            "{seat:seat} has the highest bid: the auction has to be closed first",
            "{seat:seat} a la plus haute enchère : la vente doit d'abord être close",
            seat=seat,
        )
        if laid(state, seat):
            auctions.return_bid(draft, rule=cite(state, "eliminated"))
        _settle(draft, seat, owed)

    def binding(self, state: Monopoly, seat: str) -> str | None:
        """Return the rule of elimination: the bankrupt's things belong to others."""
        return cite(state, "eliminated")

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer bankruptcy to a debtor without means to pay."""
        return (Choice({}),) if debts.owed_by(state, seat) and means.is_hopeless(state, seat) else ()


def _settle(draft: Draft, seat: str, owed: int) -> None:
    state = draft.state
    building.sell_everything(draft, seat, rule=cite(state, "bankrupt_buildings"))
    if state.settings.bankrupt_mortgages_first:
        for title in titles_of(state, seat):
            if not is_mortgaged(state, title):
                mortgages.put(draft, seat, title, rule=cite(state, "bankrupt"))
    heir = _share(draft, seat)
    to_bank = not heir.startswith("player:") or state.settings.titles_to_bank
    draft.record(
        BankruptcyDeclared(rule=cite(state, "eliminated"), seat=seat, owed=owed, heir=BANK if to_bank else heir)
    )
    if to_bank:
        _to_the_bank(draft, seat)
    else:
        _to_a_player(draft, seat, heir)
    promises.pass_on(draft, seat, BANK if to_bank else heir)
    goes_on = len(state.order) - len(state.out) > 1 and not state.settings.quick
    if state.turn == seat and goes_on:
        turns.pass_turn(draft, cite(state, "eliminated"))


def _creditors(state: Monopoly, seat: str) -> dict[str, int]:
    """Return the amount owed to each account: players in the order of play after the debtor, then the bank."""
    index = state.order.index(seat)
    around = [purse(item) for item in (*state.order[index + 1 :], *state.order[:index])]
    owed: dict[str, int] = {}
    for item in debts.debts_of(state, seat):
        owed[item.creditor] = owed.get(item.creditor, 0) + item.amount
    others = [account for account in owed if account not in around]
    return {account: owed[account] for account in (*around, *others) if account in owed}


def _share(draft: Draft, seat: str) -> str:
    """Pay the creditors in order, each in full before the next, and return the heir to the rest.

    The heir is the account with the most left unpaid, or the most owed (setting titles_to), the first in case
    of a tie; the bank if nothing was owed. A player as sole creditor takes all the money, and the titles, too.
    """
    state = draft.state
    owed = _creditors(state, seat)
    if not owed:
        owed = {BANK: cash(state, seat)}
    unpaid: dict[str, int] = {}
    for creditor, amount in owed.items():
        part = min(amount, cash(state, seat))
        unpaid[creditor] = amount - part
        if part:
            role: Role = "bankrupt_cash" if creditor.startswith("player:") else "bankrupt_bank_cash"
            draft.record(
                CreditorPaid(
                    rule=cite(state, role),
                    seat=seat,
                    creditor=creditor,
                    amount=part,
                    postings=(Posting(currency(state), part, purse(seat), creditor),),
                )
            )
    claims = owed if state.settings.titles_to == "owed" else unpaid
    heir = max(claims, key=lambda account: claims[account])
    remainder = cash(state, seat)
    if remainder:
        target = heir if heir.startswith("player:") else BANK
        draft.record(
            CreditorPaid(
                rule=cite(state, "bankrupt_cash" if target != BANK else "bankrupt_bank_cash"),
                seat=seat,
                creditor=target,
                amount=remainder,
                postings=(Posting(currency(state), remainder, purse(seat), target),),
            )
        )
    return heir


def _hand_cards(draft: Draft, seat: str, heir: str, role: Role) -> None:
    state = draft.state
    cards = kept_things(state, seat)
    if not cards:
        return
    board = pieces(state)
    homes = {thing: decks.pile(deck) for thing, deck in under_decks(board, cards)} if heir == BANK else {}
    amounts = {thing: state.holdings.of(purse(seat), thing) for thing in cards}
    draft.record(
        CardsTaken(
            rule=cite(state, role),
            seat=seat,
            heir=heir,
            cards=tuple(cards),
            postings=tuple(Posting(thing, amounts[thing], purse(seat), homes.get(thing, heir)) for thing in cards),
        )
    )


def _to_the_bank(draft: Draft, seat: str) -> None:
    """Hand the titles to the bank, free of mortgages, for auction one by one; cards go back."""
    state = draft.state
    owned = titles_of(state, seat)
    if owned:
        lifted = tuple(
            Posting(MORTGAGE, 1, titles.attached(title), BANK) for title in owned if is_mortgaged(state, title)
        )
        handed = tuple(titles.title_posting(title, purse(seat), BANK) for title in owned)
        draft.record(
            TitlesTaken(
                rule=cite(state, "titles_to_bank" if state.settings.titles_to_bank else "bankrupt_bank"),
                seat=seat,
                heir=BANK,
                titles=tuple(owned),
                postings=(*lifted, *handed),
            )
        )
    _hand_cards(draft, seat, BANK, "bankrupt_bank_cards")
    remaining = len(state.order) - len(state.out)
    if owned and remaining > 1 and not state.settings.quick:
        lots = tuple(Lot(kind="title", cause="bankruptcy", title=title) for title in owned)
        auctions.queue(draft, lots, rule=cite(state, "bankrupt_auction"))


def _to_a_player(draft: Draft, seat: str, heir: str) -> None:
    """Hand titles and cards to the creditor, with interest due on each mortgage."""
    state = draft.state
    creditor = heir.removeprefix("player:")
    owned = titles_of(state, seat)
    if owned:
        draft.record(
            TitlesTaken(
                rule=cite(state, "bankrupt_titles"),
                seat=seat,
                heir=heir,
                titles=tuple(owned),
                postings=tuple(titles.title_posting(title, purse(seat), heir) for title in owned),
            )
        )
    _hand_cards(draft, seat, heir, "bankrupt_cards")
    if state.settings.quick or len(state.order) - len(state.out) == 1:
        return
    for title in owned:
        if not is_mortgaged(state, title):
            continue
        if state.settings.bankruptcy_interest:
            debts.charge(
                draft,
                creditor,
                BANK,
                mortgages.interest(state, title),
                rule=cite(state, "bankrupt_interest"),
                cause="interest",
                title=title,
            )
        if state.settings.creditor_may_lift:
            draft.record(TitleReceived(rule=cite(state, "bankrupt_lift"), seat=creditor, title=title))
