"""The awaited moves of a game: to throw, buy or decline, pay, bid, open an auction; everything is public.

Moves are named by their ids, and only legal moves: the state decides, and no move is tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from msgspec import UNSET

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker, elided, spoken
from ledger.kernel.rules.display import AwaitedView, ClockView, PhaseView
from ledger.rulebooks.monopoly.debts import debts
from ledger.rulebooks.monopoly.end import seasons
from ledger.rulebooks.monopoly.houses import means, mortgages
from ledger.rulebooks.monopoly.showing.choosing import subject_of
from ledger.rulebooks.monopoly.start import order, preparing
from ledger.rulebooks.monopoly.table.state import (
    Monopoly,
    cash,
    has_role,
    in_play,
    is_selling,
    jail_passes,
    pieces,
)
from ledger.rulebooks.monopoly.table.terms import Landing
from ledger.rulebooks.monopoly.trading import auctions, trades
from ledger.rulebooks.monopoly.trading.lots import thing_of
from ledger.rulebooks.parts import decks

_PHASES: Mapping[str, Phrase] = {
    "setup": Phrase("set-up", "préparation"),
    "between": Phrase("between two seasons", "entre deux saisons"),
    "auction": Phrase("an auction", "une vente aux enchères"),
    "debt": Phrase("a debt is to be paid", "une dette est à régler"),
    "choice": Phrase("a choice is to be made", "un choix est à faire"),
    "landing": Phrase("the stop is to be settled", "l'arrêt reste à régler"),
    "before_throw": Phrase("before the throw", "avant le jet"),
    "after_throw": Phrase("after the throw", "après le jet"),
    "ended": Phrase("over", "terminée"),
}
"""The names of the phases of a game and of a turn, in English and French."""


def phase(state: Monopoly, language: str) -> PhaseView:
    """What the game, or the turn under way, has come to."""
    name = _phase(state)
    return PhaseView(name, _PHASES[name].in_language(language))


def _phase(state: Monopoly) -> str:
    if state.ended:
        return "ended"
    if state.stage != "play":
        return state.stage
    if state.choosing is not None:
        return "choice"
    if is_selling(state):
        return "auction"
    if _is_held_up(state):
        return "debt"
    if state.landing is not None:
        return "landing"
    return "before_throw" if state.must_throw else "after_throw"


def clock(state: Monopoly) -> ClockView | None:
    """Return the clock of the auction under way, or else the clock of the turn, if the table has clocks."""
    until = None if state.auction is None or state.ended else state.auction.closes_at
    until = until or reminded_at(state)
    return None if until is None else ClockView(running=True, until=until)


def reminded_at(state: Monopoly) -> datetime | None:
    """Return the time of the reminder that the banker may play for an absent player, or None.

    The hours of the table count from the last action.
    """
    hours = state.settings.turn_hours
    if not hours or state.turn is None or state.last_at is None or state.auction is not None:
        return None
    return state.last_at + timedelta(hours=hours)


def _is_held_up(state: Monopoly) -> bool:
    """Return True if a debt or a claimed rent holds up the player on turn."""
    seat = state.turn
    owned = () if seat is None else debts.debts_of(state, seat)
    owed = bool(owned) or (state.must_throw and seat is not None and debts.blocking(state, seat) is not None)
    return owed or any(rent.claimed for rent in state.rents)


# ----------------------------------------------------------------------------------------------
# Waiting
# ----------------------------------------------------------------------------------------------


def waiting(state: Monopoly, speakers: Mapping[str, Speaker], language: str) -> Iterator[AwaitedView]:
    """List the awaited moves of each seat and of the banker."""

    def entry(seat: str, words: Phrase, *moves: str) -> AwaitedView:
        return AwaitedView(seat=seat, label=words.in_language(language), moves=moves)

    if state.ended:
        return
    if state.stage == "setup":
        for seat, words, moves in _in_setup(state):
            yield entry(seat, words, *moves)
        return
    if state.stage == "between":
        if state.moved_up is None:
            yield entry("banker", Phrase("open the next season", "ouvrir la saison suivante"), "open_season")
        else:
            # No move of the game itself: both divisions go on as new games.
            yield entry(
                "banker", Phrase("exchange the places of two divisions", "échanger les places de deux divisions")
            )
        return
    if seasons.is_closing(state):
        yield entry("banker", Phrase("close the season", "clore la saison"), "close_season")
    yield from _auction(state, speakers, language)
    if state.choosing is not None:
        words = subject_of(state, state.choosing, speakers["seat"])
        yield entry(state.choosing.seat, words, "draw_card" if state.choosing.ask == "draw" else "choose")
    for seat, words, moves in (*_owed(state, speakers), *_rents(state, speakers), *_of_the_turn(state, speakers)):
        if moves:
            yield entry(seat, words, *moves)
    for trade in state.open.values():
        if trade.to not in state.out:
            by = spoken(speakers["seat"], trade.by)
            words = Phrase(f"answer the trade of {by.en}", f"répondre à l'échange {elided('de', by.fr)}")
            accepts = (f"accept_trade:{trade.id}",) if trades.may_accept(state, trade) else ()
            yield entry(trade.to, words, *accepts, f"reject_trade:{trade.id}")


_Awaited = tuple[str, Phrase, tuple[str, ...]]
"""An awaited seat, the task, and the moves for the task."""


def _in_setup(state: Monopoly) -> Iterator[_Awaited]:
    """List the election, tokens, decks, titles to be dealt, throws for the order, the start."""
    settings, ready = state.settings, True
    if has_role(state, "election") and settings.elected_banker and not state.bankers:
        ready = False
        yield "banker", Phrase("record who is elected banker", "noter qui est élu banquier"), ("elect_banker",)
    if has_role(state, "token") and settings.tokens_chosen:
        for seat in state.order:
            if seat not in state.tokens:
                ready = False
                yield seat, Phrase("choose a token", "choisir un pion"), ("join_table",)
    if has_role(state, "shuffle") and preparing.unshuffled(state):
        ready = False
        yield "banker", Phrase("shuffle the decks", "mélanger les paquets"), ("shuffle_deck",)
    if has_role(state, "dealing") and settings.quick and not state.dealt:
        ready = False
        yield "banker", Phrase("deal the titles", "distribuer les titres"), ("deal_properties",)
    for seat in order.awaited(state):
        ready = False
        yield (
            seat,
            Phrase("throw for the order of play", "lancer les dés pour l'ordre du jeu"),
            ("roll_for_order",),
        )
    if ready:
        yield "banker", Phrase("start the game", "commencer la partie"), ("start_game",)


def _auction(state: Monopoly, speakers: Mapping[str, Speaker], language: str) -> Iterator[AwaitedView]:
    """List the seats yet to bid or to pass, and the banker's opening or close."""
    auction = state.auction
    if auction is None:
        lot = auctions.next_lot(state)
        if lot is not None:
            thing = speakers["goods"](thing_of(lot), language)
            label = Phrase(f"open the auction of {thing}", f"ouvrir les enchères pour {thing}").in_language(
                language
            )
            yield AwaitedView(seat="banker", label=label, moves=("open_auction",))
        return
    thing = speakers["goods"](thing_of(auction.lot), language)
    bidders = auctions.awaited(state)
    closes = auction.closes_at
    for seat in bidders:
        bids = ("bid",) if cash(state, seat) > auction.bid else ()
        yield AwaitedView(
            seat=seat,
            label=Phrase(f"bid for {thing}, or pass", f"enchérir ou passer : {thing}").in_language(language),
            moves=(*bids, "pass_bid"),
            until=UNSET if closes is None else closes,
            default=UNSET
            if closes is None
            else Phrase("the auction closes", "la vente est close").in_language(language),
        )
    if not bidders:
        label = Phrase(f"close the auction of {thing}", f"clore les enchères pour {thing}").in_language(language)
        yield AwaitedView(seat="banker", label=label, moves=("close_auction",))


def _owed(state: Monopoly, speakers: Mapping[str, Speaker]) -> Iterator[_Awaited]:
    """List the debtors yet to pay, or to raise money."""
    for seat in dict.fromkeys(debt.debtor for debt in state.debts):
        if seat in state.out:
            continue
        owed = debts.debts_of(state, seat)
        amount = sum(debt.amount for debt in owed)
        due = spoken(speakers["money"], amount)
        yield seat, Phrase(f"pay {due.en}", f"payer {due.fr}"), _to_pay(state, seat)


def _to_pay(state: Monopoly, seat: str) -> tuple[str, ...]:
    """Return the moves open to a debtor: paying, raising money, or bankruptcy."""
    money = cash(state, seat)
    if any(debt.amount <= money for debt in debts.debts_of(state, seat)):
        return ("pay_debt",)
    if means.is_hopeless(state, seat):
        bound = state.auction is not None and state.auction.bidder == seat
        return () if bound else ("declare_bankruptcy",)
    return tuple(way.kind for way in means.RAISING if any(way.legal(state, seat)))


def _rents(state: Monopoly, speakers: Mapping[str, Speaker]) -> Iterator[_Awaited]:
    """List rents to claim or to throw for, and mortgages to keep or to lift."""
    for rent in state.rents:
        title = speakers["title"](rent.title, "en")
        if rent.claimed:
            words = Phrase(f"throw for the rent of {title}", f"lancer les dés pour le loyer : {title}")
            yield rent.lander, words, ("roll_for_rent",)
        elif rent.owner not in state.out:
            yield rent.owner, Phrase(f"claim the rent of {title}", f"réclamer le loyer : {title}"), ("claim_rent",)
    for received in state.received:
        if received.seat not in state.out and not mortgages.owes_interest(state, received.seat, received.title):
            title = speakers["title"](received.title, "en")
            words = Phrase(
                f"keep or lift the mortgage of {title}",
                f"garder ou lever l'hypothèque : {title}",
            )
            yield received.seat, words, ("settle_mortgage_transfer",)


def _of_the_turn(state: Monopoly, speakers: Mapping[str, Speaker]) -> Iterator[_Awaited]:
    """List the task of the player on turn, if nothing else comes first."""
    seat, landing = state.turn, state.landing
    if seat is None or seat in state.out or state.choosing is not None:
        return
    if landing is not None:
        words, moves = _landed(state, landing, spoken(speakers["square"], landing.square))
        yield landing.seat, words, moves
    elif is_selling(state) or state.held is not None or _is_held_up(state):
        return
    elif not state.must_throw:
        yield seat, Phrase("end the turn", "terminer son tour"), ("end_turn",)
    elif seat in state.jailed:
        yield (
            seat,
            Phrase("leave prison, or throw for a double", "sortir de prison, ou tenter un double"),
            _out(state, seat),
        )
    else:
        yield seat, Phrase("throw the dice", "lancer les dés"), ("roll_and_move",)


def _out(state: Monopoly, seat: str) -> tuple[str, ...]:
    """Return the ways out of prison at the start of a turn."""
    if state.throws:
        return ()
    pays = cash(state, seat) >= state.settings.jail_fine
    return (
        "roll_for_jail",
        *(("use_jail_card",) if jail_passes(state, seat) else ()),
        *(("pay_jail_fine",) if pays else ()),
    )


def _landed(state: Monopoly, landing: Landing, name: Phrase) -> tuple[Phrase, tuple[str, ...]]:
    """Return the task on a square, and the moves."""
    square = pieces(state).squares[landing.square]
    match landing.todo:
        case "buy":
            price = square.price if landing.price is UNSET else landing.price
            buys = ("buy_property",) if cash(state, landing.seat) >= price else ()
            declines = ("decline_property",) if state.auction is None else ()
            return Phrase(f"buy {name.en} or not", f"acheter {name.fr} ou non"), (*buys, *declines)
        case "card":
            remaining = decks.left_in(state, square.deck)
            fee = state.settings.card_declined_for
            declines = ("decline_card",) if fee is not None and cash(state, landing.seat) >= fee else ()
            return Phrase("draw a card", "tirer une carte"), (*(("draw_card",) if remaining else ()), *declines)
        case "die":
            return Phrase("throw the chance die", "lancer le dé « chance »"), ("roll_chance_die",)
        case "tax":
            return Phrase("pay the tax", "payer la taxe"), ("pay_tax",)
        case "throw":
            words = Phrase(f"throw for the rent of {name.en}", f"lancer les dés pour le loyer : {name.fr}")
            return words, ("roll_for_rent",)
        case "go":
            return Phrase("throw the dice to go on", "lancer les dés pour aller plus loin"), ("roll_to_go",)


def awaited(state: Monopoly) -> list[str]:
    """Return the awaited seats: bidders, debtors, the turn; in the set-up, by the tasks."""
    if state.ended:
        return []
    if state.stage == "setup":
        return [seat for seat, _, _ in _in_setup(state) if seat in state.seats]
    if state.stage == "between":
        return []
    seats = [*auctions.awaited(state), *(debt.debtor for debt in state.debts)]
    seats += [rent.lander for rent in state.rents if rent.claimed]
    if state.choosing is not None:
        seats.append(state.choosing.seat)
    elif state.turn is not None and not is_selling(state):
        seats.append(state.turn)
    return [seat for seat in dict.fromkeys(seats) if seat in in_play(state)]
