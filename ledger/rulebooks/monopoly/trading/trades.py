"""Trades: two players exchange money, unbuilt titles, cards to get out of prison, and releases from debts between
the two, all at once.

A proposal names the things given by each. The acceptance executes the whole trade: nothing is lent, nothing
promised, except at a table with promises. The new owner of a mortgaged title chooses at once to lift or to keep
the mortgage, if the table leaves the choice.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import SeatId, Text, TitleId, of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.debts import debts, promises
from ledger.rulebooks.monopoly.houses import means, mortgages
from ledger.rulebooks.monopoly.table.roles import Role
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    cash,
    cite,
    currency,
    in_play,
    is_built,
    is_mortgaged,
    joined,
    pieces,
    player_in_play,
    titles_of,
)
from ledger.rulebooks.monopoly.table.terms import DEBT, Trade
from ledger.rulebooks.monopoly.trading.trade_rules import (
    Things,
    charge_for_mortgages,
    gain_of,
    is_choice_complete,
    least_charge,
    legs_of,
    released_by,
    released_in,
    require_choice,
    require_held,
    require_unbuilt,
    titles_in,
)
from ledger.rulebooks.monopoly.trading.trade_words import STATUSES
from ledger.rulebooks.parts import agreements, seats, titles
from ledger.rulebooks.parts.agreements import Named, among

chapter = Chapter("Trades")

MOST_OPEN = 20
"""Maximum number of open offers of a player."""


TradeId = Annotated[
    str,
    Meta(min_length=1, max_length=40, description="the id of a trade"),
    of_kind("agreement", collection="trades"),
]
Lifts = Annotated[tuple[TitleId, ...], Meta(max_length=100)]


_NAMED = Named("trade", "l'échange", "d'échange")
_STATUS_FR = {status: words.fr for status, words in STATUSES.items()}


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


class _TradeEvent(Event, frozen=True, kw_only=True):
    """An event about a trade; `trade` is the new version."""

    trade: Trade

    @property
    def by(self) -> str:
        """The seat of the proposer."""
        return self.trade.by

    @property
    def to(self) -> str:
        """The seat of the receiver of the offer."""
        return self.trade.to

    @property
    def id(self) -> str:
        """The id of the trade."""
        return self.trade.id

    @property
    def given(self) -> list[tuple[str, int]]:
        """The commodities and amounts given by the proposer."""
        return [(leg.commodity, leg.amount) for leg in self.trade.legs if leg.giver == self.trade.by]

    @property
    def asked(self) -> list[tuple[str, int]]:
        """The commodities and amounts asked of the receiver."""
        return [(leg.commodity, leg.amount) for leg in self.trade.legs if leg.giver == self.trade.to]

    def apply(self, state: Monopoly) -> None:
        """Store the trade, among the open trades while proposed."""
        agreements.keep(state, self.trade, ended=self.trade.status != "open")


@chapter.event
class TradeProposed(_TradeEvent, frozen=True, kw_only=True):
    """A player proposes a trade; nothing moves yet."""

    en: ClassVar[str] = (
        "{by:seat} proposes trade {id} to {to:seat}: gives {given:each|pieces}, asks for {asked:each|pieces}."
    )
    fr: ClassVar[str] = (
        "{by:seat} propose l'échange {id} à {to:seat} : donne {given:each|pieces}, demande {asked:each|pieces}."
    )


@promises.chapter.event
class TradeWorded(Event, frozen=True, kw_only=True):
    """A proposed trade holds promises in words."""

    en: ClassVar[str] = "Trade {id} promises in words: {words}"
    fr: ClassVar[str] = "L'échange {id} promet en paroles : {words}"

    id: str
    words: str


@chapter.event
class TradeAccepted(_TradeEvent, frozen=True, kw_only=True):
    """The other player agrees, and both sides change hands."""

    en: ClassVar[str] = (
        "{to:seat} accepts trade {id}: receives {given:each|pieces}, gives {by:seat} {asked:each|pieces}."
    )
    fr: ClassVar[str] = (
        "{to:seat} accepte l'échange {id} : reçoit {given:each|pieces}, donne à {by:seat} {asked:each|pieces}."
    )

    def apply(self, state: Monopoly) -> None:
        """Store the trade, and end the choice about titles just received from a bankrupt."""
        _TradeEvent.apply(self, state)
        mortgages.forget_received(state, titles_in(self.trade.legs))


@chapter.event
class TradeRejected(_TradeEvent, frozen=True, kw_only=True):
    """The other player refuses a trade, or its proposer takes it back."""

    en: ClassVar[str] = "{seat:seat} wants none of trade {id}."
    fr: ClassVar[str] = "{seat:seat} ne veut pas de l'échange {id}."

    seat: str


# ----------------------------------------------------------------------------------------------
# Actions
# ----------------------------------------------------------------------------------------------


@chapter.action(
    summary=("propose a trade", "proposer un échange"),
    when=("at any time, to another player", "à tout moment, à un autre joueur"),
)
class ProposeTrade(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player says what they give another one, and what they ask for; nothing in return is a gift.

    `lift` names the mortgaged titles among those asked for whose mortgage the proposer lifts at once; the others
    are kept mortgaged. A creditor gives the release from a debt as the thing "debt:<id>". A trade has no `terms`:
    whatever is promised for later is refused, except at a table with promises. There `terms` are words, and the
    things "stay:<title>" and "note:<round>" are free stays and money paid in a later round.
    """

    to: SeatId
    give: Things = ()
    ask: Things = ()
    lift: Lifts | None = None
    terms: Annotated[tuple[Text, ...], Meta(max_length=20)] = ()

    def decide(self, draft: Draft) -> None:
        """Refuse loans and promises, untradable things, titles of a built group, and a missing choice.

        The holdings of the parties are checked at the acceptance.
        """
        state, seat = draft.state, player_in_play(draft)
        to = self._partner(draft, seat)
        if self.terms and not state.settings.promises:
            raise promises.no_promises(state)
        proposed = sum(item.by == seat for item in state.open.values())
        if proposed >= MOST_OPEN:
            raise Impossible(
                cite(state, "trade"),
                "{seat:seat} has {proposed} offers that wait for an answer: withdraw one first",
                "{seat:seat} a {proposed} offres qui attendent une réponse : il faut d'abord en retirer une",
                seat=seat,
                proposed=proposed,
            )
        legs = legs_of(draft, self.give, self.ask, to, self.terms)
        require_unbuilt(draft, legs)
        lifts = None if self.lift is None else tuple(item.removeprefix("title:") for item in self.lift)
        require_choice(draft, seat, titles_in(leg for leg in legs if leg.taker == seat), lifts)
        settled = released_in(state, legs)
        for item in (seat, to):
            earlier = means.could_raise(state, item)
            means.require_kept(draft, item, earlier, earlier + gain_of(state, item, legs), settled)
        trade = Trade(id=draft.new_id(), by=seat, to=to, legs=legs, lift=lifts, terms=self.terms)
        draft.record(TradeProposed(rule=cite(state, "trade"), trade=trade))
        if self.terms:
            words = "; ".join(self.terms)
            draft.record(TradeWorded(rule=cite(state, "promise"), id=trade.id, words=words))

    def _partner(self, draft: Draft, seat: str) -> str:
        state = draft.state
        to = seats.seat_named(state, self.to, cite(state, "trade"))
        if to == seat:
            raise Impossible(
                cite(state, "trade"),
                "{seat:seat} cannot trade with themselves",
                "{seat:seat} ne peut pas faire d'échange avec soi-même",
                seat=seat,
            )
        if to in state.out:
            raise Impossible(
                cite(state, "eliminated"),
                "{seat:seat} is bankrupt and out of the game",
                "{seat:seat} est en faillite et hors du jeu",
                seat=to,
            )
        return to

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Suggest each title of another player at its price, or a gift to a player without a title to sell.

        For a player short of cash, suggest each title for the release from a debt to its creditor.
        """
        if state.stage != "play" or seat in state.out:
            return
        free = ("to", "give", "ask", "lift", *(("terms",) if state.settings.promises else ()))
        board, owners, money = pieces(state), titles.owners_of(state), currency(state)
        built = {title for title in board.titles if is_built(state, joined(state, title))}
        # If debts come first and a debt is open, each price is a case of its own.
        alike = None if state.debts and state.settings.debts_first else "any"
        offered = set()
        for title, square in board.titles.items():
            owner = owners.get(title)
            if owner in (None, seat) or title in built or is_mortgaged(state, title):
                continue
            offered.add(owner)
            paid = {"commodity": money, "amount": max(1, square.price)}
            request = {"commodity": titles.deed(title), "amount": 1}
            yield Choice({"to": owner, "give": [paid], "ask": [request]}, free, alike=alike)
        for debt in debts.debts_of(state, seat) if debts.short_of_cash(state, seat) else ():
            creditor = debt.creditor.removeprefix("player:")
            release = {"commodity": f"{DEBT}{debt.id}", "amount": 1}
            for title in titles_of(state, seat) if creditor in state.seats else ():
                handed = {"commodity": titles.deed(title), "amount": 1}
                yield Choice({"to": creditor, "give": [handed], "ask": [release]}, free)
        for partner in in_play(state):
            if partner != seat and partner not in offered:
                gift = {"commodity": money, "amount": 1}
                yield Choice({"to": partner, "give": [gift], "ask": []}, free, alike=alike)


@chapter.action(
    summary=("accept a trade", "accepter un échange"),
    when=("when a trade is proposed to the seat", "quand un échange est proposé au siège"),
)
class AcceptTrade(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The other player agrees, and the trade is executed at once.

    `lift` names the mortgaged titles received whose mortgage is lifted at once; the others are kept mortgaged.
    """

    trade: TradeId
    lift: Lifts | None = None

    def decide(self, draft: Draft) -> None:
        """Refuse another player's trade, missing things, and too little money for mortgages after the exchange."""
        state, seat = draft.state, player_in_play(draft)
        trade = _open_trade(draft, self.trade)
        if trade.to != seat:
            raise Impossible(
                cite(state, "trade"),
                "trade {id} is proposed to {to:seat}, whose consent it needs",
                "l'échange {id} est proposé à {to:seat}, dont il faut l'accord",
                id=trade.id,
                to=trade.to,
            )
        require_unbuilt(draft, trade.legs)
        require_held(draft, trade.legs)
        lifts = None if self.lift is None else tuple(item.removeprefix("title:") for item in self.lift)
        chosen = ((trade.by, trade.lift), (trade.to, lifts))
        received = {taker: titles_in(leg for leg in trade.legs if leg.taker == taker) for taker, _ in chosen}
        mortgaged = {item: [title for title in received[item] if is_mortgaged(state, title)] for item in received}
        for taker, lifted in chosen:
            require_choice(draft, taker, received[taker], lifted)
        role: Role = "trade_mortgaged" if any(mortgaged.values()) else "trade"
        settled = released_in(state, trade.legs)
        postings = tuple(promises.posting_of(state, leg) for leg in trade.legs if not released_by(state, leg))
        earlier = {item: means.could_raise(state, item) for item in received}
        accepted = replace(trade, status="accepted")
        draft.record(TradeAccepted(rule=cite(state, role), trade=accepted, postings=postings))
        for debt in settled:
            debts.forgive(draft, debt, rule=cite(state, "trade"))
        for taker, lifted in chosen:
            charge_for_mortgages(draft, taker, mortgaged[taker], lifted or ())
        for item, raised in earlier.items():
            means.require_kept(draft, item, raised, means.could_raise(draft.state, item))

    def binding(self, state: Monopoly, seat: str) -> str | None:
        """Return the rule of trades: both have agreed."""
        return cite(state, "trade")

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer each trade proposed to the seat, once with all mortgages received lifted and once with all
        kept.
        """
        for trade in agreements.open_agreements(state, Trade):
            if trade.to != seat:
                continue
            got = [t for t in titles_in(leg for leg in trade.legs if leg.taker == seat) if is_mortgaged(state, t)]
            if not got:
                yield Choice({"trade": trade.id})
            else:
                yield Choice({"trade": trade.id, "lift": got}, ("lift",))
                if not state.settings.buyer_redeems_at_price:
                    yield Choice({"trade": trade.id, "lift": []}, ("lift",))


@chapter.action(
    summary=("refuse or take back a trade", "refuser ou retirer un échange"),
    when=("while it is proposed, as one of its parties", "tant qu'il est proposé, si on y est partie"),
)
class RejectTrade(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who is asked refuses a trade, or who has proposed it takes it back."""

    trade: TradeId

    def decide(self, draft: Draft) -> None:
        """Refuse a seat outside the trade."""
        state, seat = draft.state, player_in_play(draft)
        trade = _open_trade(draft, self.trade)
        if seat not in (trade.by, trade.to):
            raise Impossible(
                cite(state, "trade"),
                "{seat:seat} is not a party to trade {id}",
                "{seat:seat} n'est pas partie à l'échange {id}",
                seat=seat,
                id=trade.id,
            )
        status = "withdrawn" if seat == trade.by else "refused"
        draft.record(TradeRejected(rule=cite(state, "trade"), seat=seat, trade=replace(trade, status=status)))

    def binding(self, state: Monopoly, seat: str) -> str | None:
        """Return the rule of trades for a refusal: the proposer is free. A withdrawal binds nobody."""
        trade = state.open.get(self.trade)
        return cite(state, "trade") if trade is not None and trade.to == seat else None

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer each trade with the seat as a party."""
        trades = [trade for trade in agreements.open_agreements(state, Trade) if seat in (trade.by, trade.to)]
        return among(trades, "trade", alike="any")


def may_accept(state: Monopoly, trade: Trade) -> bool:
    """Return True if the receiver could accept a trade now."""
    legs = trade.legs
    settled = released_in(state, legs)
    covered = all(promises.is_covered(state, leg) or released_by(state, leg) is not None for leg in legs)
    if not covered or any(is_built(state, joined(state, title)) for title in titles_in(legs)):
        return False
    for taker, lifts in ((trade.by, trade.lift), (trade.to, None)):
        received = titles_in(leg for leg in legs if leg.taker == taker)
        mortgaged = [title for title in received if is_mortgaged(state, title)]
        if taker == trade.by and not is_choice_complete(state, mortgaged, lifts):
            return False
        charge = least_charge(state, mortgaged, lifts)
        paid = sum(
            leg.amount if leg.taker == taker else -leg.amount for leg in legs if leg.commodity == currency(state)
        )
        gain = gain_of(state, taker, legs) - charge
        owed = sum(debt.amount for debt in debts.debts_of(state, taker) if debt not in settled)
        if cash(state, taker) + paid < charge or (
            gain < 0 < owed and means.could_raise(state, taker) + gain < owed
        ):
            return False
    return True


def _open_trade(draft: Draft, trade: str) -> Trade:
    return agreements.require_open(draft.state, Trade, trade, cite(draft.state, "trade"), _NAMED, _STATUS_FR)
