"""II.E and I.B.5. Victory and elimination: the end of the game, net worth, and players who leave early."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.audience import Audience, Viewer, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import Text
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.kernel.rules.faces.score import Score
from ledger.kernel.rules.wealth import Asset
from ledger.rulebooks.negopoly.agreements import contracts, set_off
from ledger.rulebooks.negopoly.estate import real_estate
from ledger.rulebooks.negopoly.goods import deliveries
from ledger.rulebooks.negopoly.mercenaries.strikes import DEFENCE
from ledger.rulebooks.negopoly.table.pieces import DELIVERABLE, ITEMS, TITLES, Title
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    bound_by,
    houses_on,
    in_play,
    is_mortgaged,
    keep,
    nothing_awaited,
    parties_only,
    still_in,
    titles_of,
)
from ledger.rulebooks.negopoly.table.terms import (
    AGREEMENTS,
    MONEY,
    STATUS_FR,
    USED,
    AnyAgreement,
    Bounty,
    Contract,
    Deal,
    Delivery,
    Loan,
    Statement,
    attached,
    player,
)
from ledger.rulebooks.parts.readers import Private, Revealing

chapter = Chapter("II.E. Victory")


# ----------------------------------------------------------------------------------------------
# Net worth
# ----------------------------------------------------------------------------------------------


def list_price(commodity: str) -> int:
    """Return the base list price of a piece, in whole ₦; 0 for cards and for goods without a price (II.E.5)."""
    item = ITEMS.get(commodity)
    return 0 if item is None or item.category == "card" else item.price


def _title_and_houses(state: Negopoly, title: Title) -> Iterator[Asset]:
    charge = title.mortgage if is_mortgaged(state, title.id) else 0
    yield Asset("title", title.id, 1, title.price - charge)
    if houses := houses_on(state, title.id):
        yield Asset("houses", title.id, houses, houses * title.house_cost)


def net_worth(state: Negopoly, seat: str) -> tuple[Asset, ...]:
    """Return the net worth of a player by lines, in whole ₦ (II.E.5). The balance comes first, even if 0."""
    inventory = state.holdings.account(player(seat))
    lines = [Asset("balance", MONEY, 1, inventory.get(MONEY, 0))]
    for title_id in titles_of(state, seat):
        title = TITLES[title_id]
        lines.extend(_title_and_houses(state, title))
        if defences := state.holdings.of(attached(title_id), DEFENCE):
            lines.append(Asset("defences", title_id, defences, defences * title.mortgage))
    for commodity, amount in sorted(inventory.items()):
        if commodity != MONEY and not commodity.startswith("title:"):
            lines.append(Asset("goods", commodity, amount, amount * list_price(commodity)))
    if rackets := state.rackets.count(seat):
        lines.append(Asset("racket", "prison_racket", rackets, rackets * list_price("prison_racket")))
    # A long game has many open agreements, but few of the seat. So only the seat's claims are sorted.
    claims: list[tuple[tuple[int, ...], Asset]] = []
    for agreement in state.open.values():
        match agreement:
            case Delivery(recipient=recipient) if recipient == seat:
                worth = agreement.amount * list_price(agreement.commodity)
                claims.append((agreement.opened, Asset("transit", agreement.commodity, agreement.amount, worth)))
            case Bounty(poster=poster) if poster == seat:
                claims.append((agreement.opened, Asset("bounty", agreement.id, 1, agreement.amount)))
            case Loan(borrower=borrower) if borrower == seat:
                # Payments reduce the principal first, so the remainder without the interest is principal.
                owed = max(0, agreement.outstanding - agreement.interest)
                claims.append((agreement.opened, Asset("loan", agreement.id, 1, -owed)))
    return (*lines, *(asset for _, asset in sorted(claims, key=lambda claim: claim[0])))


def statement(state: Negopoly, seat: str) -> Statement:
    """Return the net worth of a seat with the total (II.E.5)."""
    assets = net_worth(state, seat)
    return Statement(seat, sum(asset.value for asset in assets), assets)


# ----------------------------------------------------------------------------------------------
# The end of the game
# ----------------------------------------------------------------------------------------------


@chapter.event
class GameDeclaredTooLong(Event, frozen=True, kw_only=True):
    """The banker declares the game too long: it ends with the current round (II.E.4)."""

    en: ClassVar[str] = "The game is declared too long: round {round} is the last ({reason})."
    fr: ClassVar[str] = "La partie est déclarée trop longue : le round {round} est le dernier ({reason})."

    rule: str = "II.E.4"
    round: int
    reason: str

    def apply(self, state: Negopoly) -> None:
        """Make the round under way the last. Every player still plays the round."""
        state.last_round = True


@chapter.event
class GameEnded(Revealing, frozen=True, kw_only=True):  # all learn the net worth of the players
    """A victory condition is met: the winners, and the net worth of every player in play (II.E.1, II.E.5).

    `condition` is "wealth", "elimination", "ruling", or the Game Ender used.
    """

    at_end: ClassVar[bool] = True
    en: ClassVar[str] = "The game ends ({condition:ending}){winners:victory}."
    fr: ClassVar[str] = "La partie se termine ({condition:ending}){winners:victory}."

    rule: str
    winners: tuple[str, ...]
    """Empty in a dry run, and once the end is undone."""
    condition: str
    statements: tuple[Statement, ...]
    """Without lines unless the end of the game reveals everything."""

    def apply(self, state: Negopoly) -> None:
        """End the game: no turn, strike or question is left."""
        state.ended = True
        state.turn = None
        state.strikes = []
        state.questions = []
        state.winners = self.winners
        state.statements = self.statements

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the winners and the net worths."""
        return replace(self, winners=(), statements=())


def by_wealth(draft: Draft) -> None:
    """End a game that is too long. The highest net worth wins; equal players share the victory (II.E.4)."""
    set_off.close_at_end(draft)
    statements = _statements(draft.state)
    best = max(candidate.total for candidate in statements)
    winners = tuple(candidate.seat for candidate in statements if candidate.total == best)
    draft.record(GameEnded(rule="II.E.4", winners=winners, condition="wealth", statements=statements))


def by_elimination(draft: Draft) -> None:
    """End the game if a single player is left (II.E.3)."""
    survivors = in_play(draft.state)
    if draft.state.ended or draft.state.phase != "play" or len(survivors) != 1:
        return
    set_off.close_at_end(draft)
    draft.record(
        GameEnded(
            rule="II.E.3",
            winners=tuple(survivors),
            condition="elimination",
            statements=_statements(draft.state),
        )
    )


def by_game_ender(draft: Draft, winners: tuple[str, ...], weapon: str, *, rule: str) -> None:
    """End the game with the result of a Game Ender, by the rule of the Game Ender (II.E.2)."""
    set_off.close_at_end(draft)
    statements = _statements(draft.state)
    draft.record(GameEnded(rule=rule, winners=winners, condition=weapon, statements=statements))


def by_ruling(draft: Draft, winners: tuple[str, ...]) -> None:
    """End the game with the winners named by a ruling (P.1)."""
    set_off.close_at_end(draft)
    draft.record(GameEnded(rule="P.1", winners=winners, condition="ruling", statements=_statements(draft.state)))


def _statements(state: Negopoly) -> tuple[Statement, ...]:
    """Return the statements for the end: only totals unless the end reveals everything (I.C.6)."""
    statements = tuple(statement(state, seat) for seat in in_play(state))
    return statements if state.reveals_at_end else tuple(replace(full, assets=()) for full in statements)


@chapter.action(
    by=("banker",),
    summary=("declare the game too long", "déclarer la partie trop longue"),
    when=("once the game has started", "une fois la partie commencée"),
)
class EndGame(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker declares the game too long; it ends with the current round (II.E.4)."""

    reason: Text

    def decide(self, draft: Draft) -> None:
        """Refuse before the game starts, and a second time."""
        if draft.state.phase != "play":
            raise Impossible("II.1", "the game has not started yet", "la partie n'a pas encore commencé")
        if draft.state.last_round:
            raise Impossible(
                "II.E.4",
                "round {round} has already been declared the last",
                "le round {round} a déjà été déclaré le dernier",
                round=draft.state.round,
            )
        draft.record(GameDeclaredTooLong(round=draft.state.round, reason=self.reason))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the action until the last round is declared."""
        if state.phase == "play" and not state.last_round:
            yield Choice({"reason": "too long"}, free=("reason",))


# ----------------------------------------------------------------------------------------------
# Elimination
# ----------------------------------------------------------------------------------------------


@chapter.event
class PlayerEliminated(Event, frozen=True, kw_only=True):
    """A player leaves the game for good, for an explicit reason (I.B.5)."""

    en: ClassVar[str] = "{seat:seat} is out of the game ({reason:reason})."
    fr: ClassVar[str] = "{seat:seat} est hors de la partie ({reason:reason})."

    rule: str = "I.B.5"
    seat: str
    reason: str

    def apply(self, state: Negopoly) -> None:
        """Remove the player's warrants, missed turns, services, hacks, rackets, delegations and police orders."""
        seat = self.seat
        state.eliminated[seat] = self.reason
        state.wanted.discard(seat)
        state.missed.pop(seat, None)
        state.roll_changes.pop(seat, None)
        state.services.pop(seat, None)
        state.hacks = [item for item in state.hacks if item[0] != seat]
        state.rackets = [item for item in state.rackets if item != seat]
        state.delegations = {item for item in state.delegations if item[1] != seat}
        state.police_orders = {item for item in state.police_orders if item[0] != seat}


@chapter.event
class EstateClosed(Private, frozen=True, kw_only=True):
    """The balance of an eliminated player is closed against the bank and their inventory is used up (I.B.5).

    The contents stay the player's secret (I.C.6).
    """

    en: ClassVar[str] = "The account of {seat:seat} is closed."
    fr: ClassVar[str] = "Le compte {seat:de|seat} est clos."

    rule: str = "I.B.5"


@chapter.event
class EstateSettled(Event, frozen=True, kw_only=True):
    """An agreement changes because one of its players has left the game (I.B.5); `agreement` is the new version.

    A loan is forgiven, a contract ends, a proposal is withdrawn, and goods due from or to the player under a deal
    are no longer due.
    """

    en: ClassVar[str] = "{seat:seat} is out: {what} {agreement.id} is {agreement.status}."
    fr: ClassVar[str] = "{seat:seat} est hors jeu : {quoi[0]} {agreement.id} ({quoi[1]})."

    rule: str = "I.B.5"
    seat: str
    agreement: AnyAgreement
    written_off: int = 0
    """The amount of a loan written off by the bank, in whole ₦."""

    @property
    def what(self) -> str:
        """The kind of agreement."""
        return type(self.agreement).__name__.lower()

    @property
    def quoi(self) -> tuple[str, str]:
        """The kind and the status of the agreement, in French."""
        return AGREEMENTS[self.what].fr, STATUS_FR[self.agreement.status]

    def apply(self, state: Negopoly) -> None:
        """Store the agreement. A deal stays open while remaining players still have to send goods."""
        due = isinstance(self.agreement, Deal) and bool(self.agreement.due)
        keep(state, self.agreement, ended=not due)

    def audience(self) -> Audience:
        """Return the parties of the agreement."""
        return parties_only(bound_by(self.agreement))


def eliminate(draft: Draft, seat: str, *, reason: str, rule: str) -> None:
    """Eliminate a player and settle the player's accounts, in favour of nobody (I.B.5, P.5).

    The player's posted bounties stay in escrow (X.B.5), and goods sent by the player still arrive (VIII.D.3). A
    turn of the player under way ends after the decision of the action.
    """
    draft.record(PlayerEliminated(rule=rule, seat=seat, reason=reason))
    for agreement in sorted(draft.state.open.values(), key=lambda candidate: candidate.opened):
        settled = _settlement(draft, agreement, seat)
        if settled is not None:
            draft.record(settled)
    for title in titles_of(draft.state, seat):
        real_estate.reset(draft, title, cause="elimination", rule="I.B.5")
    postings = _closing(draft.state, seat)
    if postings:
        draft.record(EstateClosed(seat=seat, postings=postings))


def _settlement(draft: Draft, agreement: AnyAgreement, seat: str) -> Event | None:
    """Return the event that changes an open agreement of an eliminated player. None if nothing changes."""
    match agreement:
        case Loan(borrower=borrower) if borrower == seat:
            forgiven = replace(agreement, status="forgiven", outstanding=0)
            return EstateSettled(seat=seat, agreement=forgiven, written_off=agreement.outstanding)
        case Delivery(recipient=recipient) if recipient == seat:
            back = BANK if agreement.sender in draft.state.eliminated else player(agreement.sender)
            goods = draft.move(agreement.commodity, agreement.amount, deliveries.transit(agreement.id), back)
            returned = replace(agreement, status="returned")
            return deliveries.DeliveryReturned(rule="I.B.5", delivery=returned, postings=goods)
        case Contract(parties=parties) if seat in parties:
            status = "withdrawn" if agreement.status == "proposed" else "ended"
            refund = contracts.handed_back(agreement)
            return EstateSettled(seat=seat, agreement=contracts.settled(agreement, status), postings=refund)
        case Deal(parties=parties) if seat in parties:
            if agreement.status == "proposed":
                return EstateSettled(seat=seat, agreement=replace(agreement, status="withdrawn"))
            due = tuple(
                index
                for index in agreement.due
                if seat not in (agreement.legs[index].giver, agreement.legs[index].taker)
            )
            return (
                None if due == agreement.due else EstateSettled(seat=seat, agreement=replace(agreement, due=due))
            )
        case _:
            return None


def _closing(state: Negopoly, seat: str) -> tuple[Posting, ...]:
    """Return the postings that empty the player's account: money is settled with the bank, goods are used up."""
    account = player(seat)
    postings = []
    for commodity, amount in sorted(state.holdings.account(account).items()):
        if commodity != MONEY:
            postings.append(Posting(commodity, amount, account, USED))
        elif amount > 0:
            postings.append(Posting(MONEY, amount, account, BANK))
        else:
            postings.append(Posting(MONEY, -amount, BANK, account))
    return tuple(postings)


def left_to_sell(state: Negopoly, seat: str) -> dict[str, int]:
    """Return the goods that a player could still turn into money: pieces by commodity (II.E.3).

    The goods are titles in any condition, and goods with a buyer: the bank, the police or a corner. Goods in
    transit to the player do not count, because the goods would go back to the sender (VIII.D.3).
    """
    return {
        commodity: amount
        for commodity, amount in sorted(state.holdings.account(player(seat)).items())
        if commodity.startswith("title:") or commodity in DELIVERABLE
    }


@chapter.action(
    by=("player", "banker"),
    summary=("declare a player bankrupt", "déclarer la faillite d'un joueur"),
    when=(
        "at any moment, in debt and with nothing left to sell or mortgage",
        "à tout moment, avec une dette et plus rien à vendre ni à hypothéquer",
    ),
)
class DeclareBankruptcy(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player in debt leaves the game bankrupt, or the banker decides so at a creditor's request (II.E.3)."""

    reason: Text | None = None

    def decide(self, draft: Draft) -> None:
        """Refuse without a debt, with anything left to sell, and while a question or a stop is pending."""
        seat = still_in(draft)
        state = draft.state
        # A waived refusal is public, so the text contains public facts only.
        may_reveal = draft.override is None and only(seat).admits(draft.viewer)
        balance = state.holdings.of(player(seat), MONEY)
        draft.require(
            balance < 0,
            "II.E.3",
            "{seat:seat} is not in debt" + (" ({balance:money})" if may_reveal else ""),
            "{seat:seat} n'a pas de dette" + (" ({balance:money})" if may_reveal else ""),
            seat=seat,
            balance=balance,
        )
        assets = left_to_sell(state, seat)
        draft.require(
            not assets,
            "II.E.3",
            "{seat:seat} still has something to sell or mortgage{left:contents}",
            "{seat:seat} a encore quelque chose à vendre ou à hypothéquer{left:contents}",
            seat=seat,
            left=assets if may_reveal else None,
        )
        nothing_awaited(draft, seat)
        turn = state.turn
        pending = turn is not None and turn.seat == seat and turn.unresolved
        draft.require(
            not pending,
            "II.B.7",
            "{seat:seat} has stopped on {square}: its effects are posted first, resolve the square",
            "{seat:seat} s'est arrêté sur {square} : ses effets s'appliquent d'abord, résolvez la case",
            seat=seat,
            square=state.board[state.positions[seat]].name,
        )
        eliminate(draft, seat, reason=self.reason or "bankruptcy", rule="II.E.3")

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the action to a player in debt."""
        if state.holdings.of(player(seat), MONEY) < 0:
            yield Choice({}, free=("reason",))


class NegopolyScore(Score[Negopoly]):
    """The winners, and the worth of the seats."""

    shown_label = Phrase("in titles", "en titres")

    def wealth(self, state: Negopoly, seat: str) -> Sequence[Asset]:
        """Return the seat's net worth (II.E.5)."""
        return net_worth(state, seat)

    def shown_wealth(self, state: Negopoly, seat: str) -> Sequence[Asset]:
        """Return the public part of a player's net worth: titles, mortgages and houses on the board (I.C.6)."""
        return tuple(
            asset for title_id in titles_of(state, seat) for asset in _title_and_houses(state, TITLES[title_id])
        )
