"""The state of a game of Negopoly, and the queries shared by all chapters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.agreements import Archive
from ledger.kernel.facts.audience import Audience
from ledger.kernel.facts.refusals import Impossible, RuleBroken
from ledger.kernel.facts.state import State
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.draft import Draft as AnyDraft
from ledger.rulebooks.negopoly.cards.vocabulary import Card, Unread
from ledger.rulebooks.negopoly.table.pieces import BOARD, TITLES, Square, Title
from ledger.rulebooks.negopoly.table.settings import Settings
from ledger.rulebooks.negopoly.table.terms import (
    AGREEMENTS,
    STATUS_FR,
    AnyAgreement,
    Bounty,
    Contract,
    Deal,
    Delivery,
    Disruption,
    Loan,
    Meeting,
    Passage,
    Question,
    Statement,
    Strike,
    Turn,
)
from ledger.rulebooks.parts import agreements, boards, seats, titles
from ledger.rulebooks.parts.agreements import Named
from ledger.rulebooks.parts.agreements import keep as keep
from ledger.rulebooks.parts.seats import payment
from ledger.rulebooks.parts.titles import owner_of as owner_of

# ----------------------------------------------------------------------------------------------
# The state
# ----------------------------------------------------------------------------------------------


class Negopoly(State, kw_only=True):
    """The state of a game of Negopoly. Titles, houses, mortgages, squats, licences and goods are holdings."""

    settings: Settings = msgspec.field(default_factory=lambda: Settings())
    phase: str = "setup"
    """"setup" or "play"."""
    personas: dict[str, str] = {}
    """The character of each seat in the game (I.A.2)."""
    perks: dict[str, str] = {}
    order: tuple[str, ...] = ()
    next_order: tuple[str, ...] | None = None
    """The order of players from the next round on (II.3)."""
    round: int = 0
    board: tuple[Square, ...] = BOARD
    cards: tuple[Card, ...] | None = None
    """The cards of a table with custom decks, all decks together; None for the rulebook's cards."""
    weather: tuple[str, ...] = ()
    """The active Météo cards, oldest first (VI.A.8)."""
    roll_changes: dict[str, int] = {}
    """The change by cards of the next dice total of a seat (II.B.5)."""
    unread: tuple[Unread, ...] = ()
    """Cards with an effect that the banker has not recorded yet (P.1)."""
    positions: dict[str, int] = {}
    turn: Turn | None = None
    open: dict[str, AnyAgreement] = {}
    """The agreements in progress, by id."""
    past: Archive = msgspec.field(default_factory=Archive)
    wanted: set[str] = set()
    """Seats under an arrest warrant (VI.F.6)."""
    k9_rounds: set[int] = set()
    """Rounds in which the police also check players crossing a checkpoint (VI.E.3)."""
    quarters: dict[str, str] = {}
    """The last announced holder of each quarter's ability (V.E.1). `quarters.holder_of` returns the present
    holder.
    """
    police_orders: set[tuple[str, str]] = set()
    """(seat, "check" or "arrest"): a measure forbidden to the police against a player (V.E.17)."""
    disruptions: tuple[Disruption, ...] = ()
    """The bans of private meetings in force, except a Bombe IEM (IV.C.1)."""
    blackouts: set[str] = set()
    """Seats with an active Bombe IEM (IX.C.24)."""
    services: dict[str, int] = {}
    """The number of hidden secret services bought at a bar by each seat (IX.B.15)."""
    hacks: list[tuple[str, str]] = []
    """(buyer, target) of the unused hacks, oldest first (IX.B.10)."""
    strikes: list[Strike] = []
    """Hostile acts waiting for answers, oldest first; players are asked about the first only."""
    questions: list[Question] = []
    """Unanswered questions to players, oldest first."""
    rackets: list[str] = []
    """Seats with a paid racket in Prison, oldest first (VI.D.3)."""
    missed: dict[str, int] = {}
    """The number of turns still to miss after Prison or Hôpital, by seat (settings prison_missed_turns,
    hospital_missed_turns).
    """
    delegations: set[tuple[str, str, str]] = set()
    """(title, seat, payer): a seat that may unmortgage a title for its owner, and who pays (V.B.5)."""
    eliminated: dict[str, str] = {}
    """Seats out of the game, with the reason (I.B.5)."""
    last_round: bool = False
    """The banker has declared the game too long: the present round is the last (II.E.4)."""
    winners: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()
    """The net worth of every player in play at the end of the game (II.E.5)."""


A = TypeVar("A", Deal, Delivery, Contract, Bounty, Loan, Meeting)
"""A kind of agreement."""

Draft = AnyDraft[Negopoly]
"""The game during the decision of an action: the argument of `decide`."""


# ----------------------------------------------------------------------------------------------
# Questions
# ----------------------------------------------------------------------------------------------


def titles_of(state: Negopoly, seat: str) -> list[str]:
    """Return the titles of a seat, in the order of the board."""
    return titles.titles_of(state, seat, TITLES)


def houses_on(state: Negopoly, title: str) -> int:
    """Return the number of houses on a title."""
    return titles.lies_on(state, title, "house")


def is_mortgaged(state: Negopoly, title: str) -> bool:
    """Return True if the title is mortgaged."""
    return titles.lies_on(state, title, "mortgage") > 0


def is_squatted(state: Negopoly, title: str) -> bool:
    """Return True if squatters occupy the title."""
    return titles.lies_on(state, title, "squat") > 0


def in_play(state: Negopoly) -> list[str]:
    """Return the seats still in the game, in the order of play."""
    return seats.in_play(state.order, state.eliminated)


def others_in_play(state: Negopoly, seat: str) -> list[str]:
    """Return the other seats still in the game, in the order of play."""
    return [other for other in in_play(state) if other != seat]


def title_named(title_id: str) -> Title:
    """Return the title with the id. Raises Impossible for an unknown id."""
    title = TITLES.get(title_id)
    if title is None:
        raise Impossible(
            "V.A.1",
            "there is no title {title!r}; the 22 titles are: {titles:each|title}",
            "il n'y a pas de titre {title!r} ; les 22 titres sont : {titles:each|title}",
            title=title_id,
            titles=tuple(TITLES),
        )
    return title


def seat_named(state: Negopoly, seat: str, rule: str = "II.2") -> str:
    """Return the seat, if its player is still in the game. Raises RuleBroken otherwise."""
    seats.seat_named(state, seat, rule)
    if seat in state.eliminated:
        raise Impossible(
            "I.B.5",
            "{seat:seat} is out of the game ({reason:reason})",
            "{seat:seat} est hors de la partie ({reason:reason})",
            seat=seat,
            reason=state.eliminated[seat],
        )
    return seat


def still_in(draft: Draft) -> str:
    """Return the acting seat. Refuses by II.1 before the start, and by I.B.5 after elimination."""
    seat = seat_named(draft.state, draft.seat, "I.B.5")
    if draft.state.phase != "play":
        raise Impossible(
            "II.1",
            "the game has not started yet: {seat:seat} cannot do this during set-up",
            "la partie n'a pas commencé : {seat:seat} ne peut pas faire cela pendant la préparation",
            seat=seat,
        )
    return seat


def own_turn(draft: Draft, rule: str = "II.2", *beside: str, waivable: bool = True) -> Turn:
    """Return the turn under way, if it is the acting seat's and has time left.

    `rule` is the article that ties the action to the turn, cited with the rules `beside` and II.2. Actions that
    move the token or end the turn make no sense for another seat: such actions are not `waivable`.
    """
    still_in(draft)
    turn = draft.state.turn
    if turn is None:  # only a game without players in play has started and has no turn
        raise Impossible("II.2", "no turn is under way", "aucun tour n'est en cours")
    seats.require_turn(draft, turn.seat, rule, beside=(*beside, "II.2"), waivable=waivable)
    if not draft.is_placed and turn.is_over(draft.at):
        draft.require(
            False,
            "II.B.13",
            "{seat:seat}'s turn started at {started} and its {seconds} seconds are over",
            "le tour {seat:de|seat} a commencé à {started} et ses {seconds} secondes sont écoulées",
            seat=turn.seat,
            started=turn.started_at.isoformat(timespec="seconds"),
            seconds=draft.state.settings.turn_seconds,
        )
    nothing_awaited(draft, turn.seat)
    return turn


def nothing_awaited(draft: Draft, seat: str | None = None) -> None:
    """Refuse while a question is unanswered; with `seat`, only a question caused by the seat or put to it.

    With `seat`, also refuse while a strike against the seat waits for answers: no player may escape a strike.
    """
    for question in draft.state.questions:
        draft.require(
            seat is not None and seat not in (question.seat, question.by),
            question.rule,
            "a question to {asked:seat} ({kind:goods}) stops the move: it waits for the answer",
            "une question à {asked:seat} ({kind:goods}) arrête le jeu, qui attend la réponse",
            asked=question.seat,
            kind=question.kind,
        )
    if seat is not None:
        nothing_befalls(draft, seat)


def nothing_befalls(draft: Draft, seat: str) -> None:
    """Refuse while a waiting strike will hit the seat, unless a security team has stopped the strike (IX.B.15)."""
    for strike in draft.state.strikes:
        draft.require(
            seat not in strike.victims or seat in strike.spared,
            "IX.B.15",
            "{seat:seat} is being struck ({kind:goods}), which comes first",
            "{seat:seat} subit une frappe ({kind:goods}), qui passe d'abord",
            seat=seat,
            kind=strike.kind,
        )


def nothing_strikes(draft: Draft, title: str) -> None:
    """Refuse to transfer a title while a strike against the title waits for an answer (IX.B.15)."""
    draft.require(
        not any(title in strike.titles for strike in draft.state.strikes),
        "IX.B.15",
        "{title} is under attack: it changes hands once those who are asked have answered",
        "le titre {title} est attaqué : il ne change de mains qu'une fois les réponses données",
        title=TITLES[title].name,
    )


def throw(draft: Draft, name: str, values: Sequence[int] | None, count: int = 1) -> tuple[int, ...]:
    """Throw dice (setting die_sides), or use the given values.

    Raises Malformed if the values do not fit the dice, NeedsDraw without values if the service does not throw.
    """
    return draft.draws.dice(name, values, count=count, sides=draft.state.settings.die_sides)


def open_passages(state: Negopoly, squares: Iterable[Square], *, stop_only: bool = False) -> list[Passage]:
    """Return the passages of the turn by the squares that still allow something, latest first.

    A passage is a crossing or a stop (II.B.6); with `stop_only`, only a stop counts (II.B.8). Crossings count
    until the stop square is resolved; the stop counts until the end of the turn. Spawn counts only when passed
    forwards (VI.A.3).
    """
    turn = state.turn
    if turn is None:
        return []
    kinds = {square.index: square.kind for square in squares}
    return [
        passage
        for passage in reversed(turn.passages)
        if passage.square in kinds
        and (passage.forward or kinds[passage.square] != "spawn")
        and (turn.stop == passage.square if passage.stop else not stop_only and turn.unresolved)
    ]


def passed(draft: Draft, squares: Iterable[Square], rule: str, *, stop_only: bool = False) -> Passage:
    """Return the latest passage of the turn by any of the squares. Refuse by `rule` without such a passage.

    `open_passages` defines the passages that count. No passage counts during a Bombe IEM (IX.C.24), and nobody
    activates a square out of turn (II.D.4).
    """
    turn = own_turn(draft, "II.D.4")
    seat = turn.seat
    candidates = list(squares)
    passages = open_passages(draft.state, candidates, stop_only=stop_only)
    if passages and not draft.state.blackouts:
        return passages[0]
    names = ", ".join(dict.fromkeys(square.name for square in candidates))
    draft.require(
        not draft.state.blackouts,
        "IX.C.24",
        "a Bombe IEM is active until the next turn of {users:seats}: {names} is disabled like every square",
        "une Bombe IEM agit jusqu'au prochain tour ({users:seats}) : {names} est désactivé, comme chaque case",
        names=names,
        users=sorted(draft.state.blackouts),
    )
    if passages:
        return passages[0]
    position = draft.state.positions[seat]
    if _was_sent(turn) and any(square.index == position for square in candidates):
        draft.refuse(
            RuleBroken(
                "III.C.2",
                "{seat:seat} was sent to {here:square} and has not stopped there: a forced transfer opens none of "
                "its services",
                "{seat:seat} a été envoyé sur {here:square} et ne s'y est pas arrêté : un transfert forcé n'ouvre "
                "aucun de ses services",
                seat=seat,
                here=position,
            ).citing(rule)
        )
        return Passage(position, stop=True)
    draft.require(
        turn.roll != "due",
        "II.B.3",
        "{seat:seat} has not moved yet this turn and cannot use {names}",
        "{seat:seat} n'a pas encore bougé ce tour-ci et ne peut pas utiliser {names}",
        seat=seat,
        names=names,
    )
    crossed = any(square.index == passage.square for passage in turn.passages for square in candidates)
    closed = crossed and not stop_only and not turn.unresolved
    words = _CLOSED if closed else _NOT_THERE[stop_only]
    draft.require(False, rule, words.en, words.fr, seat=seat, here=position, names=names)
    return Passage(position, stop=True)


_CLOSED = Phrase(
    "{seat:seat} passed by {names}, but the stop is already resolved, which closes what passing allows",
    "{seat:seat} est passé par {names}, mais l'arrêt est déjà résolu, ce qui clôt ce que permet le passage",
)
_NOT_THERE = {
    True: Phrase(
        "{seat:seat} is on {here:square} and has not stopped on {names} in this turn",
        "{seat:seat} est sur {here:square} et ne s'est pas arrêté sur {names} ce tour-ci",
    ),
    False: Phrase(
        "{seat:seat} is on {here:square} and has not passed by {names} in this turn",
        "{seat:seat} est sur {here:square} et n'est pas passé par {names} ce tour-ci",
    ),
}
"""Refusals of a player elsewhere on the board, by `stop_only`."""


def _was_sent(turn: Turn) -> bool:
    """Return True if an effect has moved the token and ended its move in the present turn (III.C.2)."""
    return turn.halted and not turn.passages


def squares_of(state: Negopoly, kind: str) -> Sequence[Square]:
    """Return the squares of a kind: "prison", "checkpoint"…"""
    return boards.squares_of(state.board, kind)


def index_of(state: Negopoly, kind: str) -> int:
    """Return the index of the first square of a kind. Each kind of corner has a single square."""
    return boards.index_of(state.board, kind)


def square_of(state: Negopoly, title: str) -> Square:
    """Return the square of a title."""
    return next(square for square in state.board if square.property == title)


def pay(draft: Draft, seat: str, amount: int, rule: str, target: str = BANK) -> tuple[Any, ...]:
    """Return the posting of a voluntary payment by a seat, after a check of the funds (I.B.3 beside `rule`)."""
    owing = draft.state.settings.voluntary_overdraft
    return payment(draft, seat, amount, rule, target, owing=owing, solvency="I.B.3")


def agreement(state: Negopoly, kind: type[A], agreement_id: str, rule: str) -> A:
    """Return the open agreement of the kind with the id. Raises RuleBroken for an unknown or ended agreement."""
    return agreements.require_open(state, kind, agreement_id, rule, _names_of(kind), STATUS_FR)


def open_agreements(state: Negopoly, kind: type[A]) -> list[A]:
    """Return the open agreements of the kind, in the order of opening."""
    return agreements.open_agreements(state, kind)


def latest_of(state: Negopoly, kind: type[A], seat: str, condition: Callable[[A], bool]) -> list[A]:
    """Return the seat's latest agreements of the kind that meet `condition`, open or ended.

    The agreements are in the order of opening, as many as moves need (see `agreements.among`).
    """
    ended: Any = state.past.group(_kind_and_seats, (kind, seat))
    others = (
        candidate for candidate in state.open.values() if type(candidate) is kind and seat in bound_by(candidate)
    )
    return agreements.latest(ended, others, condition)


def _kind_and_seats(agreement: Any) -> Iterable[tuple[type[AnyAgreement], str]]:
    """Yield the groups of an ended agreement: the kind with each seat concerned."""
    return ((type(agreement), seat) for seat in bound_by(agreement))


def _names_of(kind: type[Any]) -> Named:
    return AGREEMENTS[kind.__name__.lower()]


def bound_by(agreement: AnyAgreement) -> tuple[str, ...]:
    """Return the seats concerned by an agreement."""
    match agreement:
        case Deal() | Contract():
            return agreement.parties
        case Delivery():
            return (agreement.sender, agreement.recipient)
        case Bounty():
            return (agreement.poster,)
        case Loan():
            return (agreement.borrower,)
        case Meeting():
            return agreement.attended


def own_agreement(draft: Draft, kind: type[A], agreement_id: str, rule: str, *, or_ended: bool = False) -> A:
    """Return the acting seat's agreement of the kind with the id; an ended one only with `or_ended`.

    Raises RuleBroken otherwise. Another player's agreement is secret, so the refusal denies its existence
    (I.C.6).
    """
    state = draft.state
    candidate = agreements.find(state, kind, agreement_id)
    if candidate is not None and draft.seat in bound_by(candidate):
        return candidate if or_ended else agreement(state, kind, agreement_id, rule)
    named = _names_of(kind)
    raise Impossible(
        rule,
        "{seat:seat} has no {name} {id!r}",
        "{seat:seat} n'a pas {de_nom} {id!r}",
        seat=draft.seat,
        name=named.en,
        de_nom=named.none_fr,
        id=agreement_id,
    )


def change_turn(state: Negopoly, **changes: Any) -> None:
    """Replace fields of the turn under way."""
    if state.turn is not None:
        state.turn = replace(state.turn, **changes)


def place_of(state: Negopoly, seat: str, passage: Passage) -> int | None:
    """Return the index of the seat's passage in the turn, from 0. None for a passage only by a waiver."""
    turn = state.turn
    if turn is None or turn.seat != seat or passage not in turn.passages:
        return None
    return turn.passages.index(passage)


def change_passage(state: Negopoly, index: int | None, **changes: Any) -> None:
    """Replace fields of the passage at the index of the turn under way. Do nothing for None."""
    if state.turn is not None and index is not None:
        passages = list(state.turn.passages)
        state.require_part(index < len(passages))
        passages[index] = replace(passages[index], **changes)
        change_turn(state, passages=tuple(passages))


def forget_passages(state: Negopoly) -> None:
    """Detach the open questions from the passages of the turn, which no longer count.

    A failed sale may wait for the seller's card while the token moves on or the turn ends (VII.B.10).
    """
    state.questions = [
        replace(question, about={**question.about, "passage": None})
        if question.about.get("passage") is not None
        else question
        for question in state.questions
    ]


def end_delegations(state: Negopoly, title: str) -> None:
    """End the delegations of a title that is unmortgaged or has a new owner (V.B.5)."""
    state.delegations = {delegation for delegation in state.delegations if delegation[0] != title}


def parties_only(parties: Iterable[str]) -> Audience:
    """Return the audience of the parties and the banker."""
    return Audience(seats=frozenset(parties))
