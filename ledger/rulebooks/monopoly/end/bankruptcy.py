"""Bankruptcy: who owes more than they can raise is out, and the creditors take what there is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.debts import debts
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
    jail_passes,
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
    """The account that takes what there is: the bank's, or the player's to whom most is owed."""

    def apply(self, state: Monopoly) -> None:
        """The player is out: their offers and wishes lapse, and what others owed them is owed to the heir."""
        gone = self.seat
        state.out = (*state.out, gone)
        state.jailed.pop(gone, None)
        shortage.forget(state, gone)
        state.consents = state.consents - {gone}
        state.rents = [one for one in state.rents if gone not in (one.owner, one.lander)]
        state.received = [one for one in state.received if one.seat != gone]
        for trade in list(state.open.values()):
            if gone in (trade.by, trade.to):
                agreements.keep(state, replace(trade, status="lapsed"), ended=True)
        if state.held is not None and state.held.seat == gone:
            state.held = None
        if state.landing is not None and gone in (state.landing.seat, state.landing.owner):
            state.landing = None
        if state.auction is not None:
            passed = tuple(seat for seat in state.auction.passed if seat != gone)
            state.auction = replace(state.auction, passed=passed)
        state.debts = [
            replace(one, creditor=self.heir) if one.creditor == purse(gone) else one
            for one in state.debts
            if one.debtor != gone and not (one.creditor == purse(gone) and purse(one.debtor) == self.heir)
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
        """Cards that return to the bank lie under their decks."""
        for thing, deck in under_decks(state.edition.pieces, self.cards if self.heir == BANK else ()):
            state.under[deck] = (*state.under.get(deck, ()), decks.card_of(thing))


@chapter.event
class TitleReceived(Event, frozen=True, kw_only=True):
    """A creditor may lift the mortgage of a title that a bankrupt has left."""

    en: ClassVar[str] = "{seat:seat} may lift the mortgage of {title:title} without more interest."
    fr: ClassVar[str] = "{seat:seat} peut lever l'hypothèque de {title:title} sans autre intérêt."

    seat: str
    title: str

    def apply(self, state: Monopoly) -> None:
        """It may be lifted until somebody throws."""
        state.received.append(Received(seat=self.seat, title=self.title))


def under_decks(found: Pieces, cards: Iterable[str]) -> list[tuple[str, str]]:
    """Those of these commodities that are cards, each with the deck under which it goes."""
    return [(thing, found.card[decks.card_of(thing)].deck) for thing in cards if decks.is_card(thing)]


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
        """Refuse without a debt, and while the debtor could still raise what is due.

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
        if state.auction is not None and state.auction.bidder == seat:
            raise Impossible(
                cite(state, "auction"),
                "{seat:seat} has the highest bid: the auction has to be closed first",
                "{seat:seat} a la plus haute enchère : la vente doit d'abord être close",
                seat=seat,
            )
        _settle(draft, seat, owed)

    def binding(self, state: Monopoly, seat: str) -> str | None:
        """The bankrupt is out, and others have what they had."""
        return cite(state, "eliminated")

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Who owes more than they can gather."""
        return (Choice({}),) if debts.owed_by(state, seat) and means.is_hopeless(state, seat) else ()


def _settle(draft: Draft, seat: str, owed: int) -> None:
    state = draft.state
    building.sell_everything(draft, seat, rule=cite(state, "bankrupt_buildings"))
    if state.settings.bankrupt_mortgages_first:
        for title in titles_of(state, seat):
            if not is_mortgaged(state, title):
                mortgages.put(draft, seat, title, rule=cite(state, "bankrupt"))
    heir = _share(draft, seat)
    to_bank = not heir.startswith("player:")
    draft.record(
        BankruptcyDeclared(rule=cite(state, "eliminated"), seat=seat, owed=owed, heir=BANK if to_bank else heir)
    )
    if to_bank:
        _to_the_bank(draft, seat)
    else:
        _to_a_player(draft, seat, heir)
    goes_on = len(state.order) - len(state.out) > 1 and not state.settings.quick
    if state.turn == seat and goes_on:
        turns.pass_turn(draft, cite(state, "eliminated"))


def _creditors(state: Monopoly, seat: str) -> dict[str, int]:
    """What is owed to each account: players in the order of play after the debtor, then the bank."""
    place = state.order.index(seat)
    around = [purse(one) for one in (*state.order[place + 1 :], *state.order[:place])]
    owed: dict[str, int] = {}
    for one in debts.debts_of(state, seat):
        owed[one.creditor] = owed.get(one.creditor, 0) + one.amount
    others = [account for account in owed if account not in around]
    return {account: owed[account] for account in (*around, *others) if account in owed}


def _share(draft: Draft, seat: str) -> str:
    """Pay the creditors in their order, each in full before the next one; give who takes the rest.

    The heir is the account to which most is left unpaid, or most was owed (setting titles_to), the first one of
    several; the bank when nothing was owed.
    A player who is sole creditor takes all the money, as the titles.
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
    most = owed if state.settings.titles_to == "owed" else unpaid
    heir = max(most, key=lambda account: most[account])
    rest = cash(state, seat)
    if rest:
        target = heir if heir.startswith("player:") else BANK
        draft.record(
            CreditorPaid(
                rule=cite(state, "bankrupt_cash" if target != BANK else "bankrupt_bank_cash"),
                seat=seat,
                creditor=target,
                amount=rest,
                postings=(Posting(currency(state), rest, purse(seat), target),),
            )
        )
    return heir


def _hand_cards(draft: Draft, seat: str, heir: str, role: Role) -> None:
    state = draft.state
    cards = jail_passes(state, seat)
    if not cards:
        return
    found = pieces(state)
    homes = {thing: decks.pile(deck) for thing, deck in under_decks(found, cards)} if heir == BANK else {}
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
    """The bank takes the titles, free of mortgages, and auctions them one by one; cards go back."""
    state = draft.state
    found = titles_of(state, seat)
    if found:
        lifted = tuple(
            Posting(MORTGAGE, 1, titles.attached(title), BANK) for title in found if is_mortgaged(state, title)
        )
        handed = tuple(titles.handed(title, purse(seat), BANK) for title in found)
        draft.record(
            TitlesTaken(
                rule=cite(state, "bankrupt_bank"),
                seat=seat,
                heir=BANK,
                titles=tuple(found),
                postings=(*lifted, *handed),
            )
        )
    _hand_cards(draft, seat, BANK, "bankrupt_bank_cards")
    left = len(state.order) - len(state.out)
    if found and left > 1 and not state.settings.quick:
        lots = tuple(Lot(kind="title", cause="bankruptcy", title=title) for title in found)
        auctions.queue(draft, lots, rule=cite(state, "bankrupt_auction"))


def _to_a_player(draft: Draft, seat: str, heir: str) -> None:
    """The creditor takes titles and cards, and pays the interest on each mortgage."""
    state = draft.state
    creditor = heir.removeprefix("player:")
    found = titles_of(state, seat)
    if found:
        draft.record(
            TitlesTaken(
                rule=cite(state, "bankrupt_titles"),
                seat=seat,
                heir=heir,
                titles=tuple(found),
                postings=tuple(titles.handed(title, purse(seat), heir) for title in found),
            )
        )
    _hand_cards(draft, seat, heir, "bankrupt_cards")
    if state.settings.quick or len(state.order) - len(state.out) == 1:
        return
    for title in found:
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
