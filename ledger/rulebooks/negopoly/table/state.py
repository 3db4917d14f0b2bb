"""The state of a game of Negopoly, and the questions that all chapters ask about it."""

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
from ledger.rulebooks.parts.payments import payment
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
    """The character of each seat that has joined (I.A.2)."""
    perks: dict[str, str] = {}
    order: tuple[str, ...] = ()
    next_order: tuple[str, ...] | None = None
    """The order of players from the next round on (II.3)."""
    round: int = 0
    board: tuple[Square, ...] = BOARD
    cards: tuple[Card, ...] | None = None
    """The cards of a table with its own decks, all decks together; None for the rulebook's cards."""
    weather: tuple[str, ...] = ()
    """The active Météo cards, oldest first (VI.A.8)."""
    roll_changes: dict[str, int] = {}
    """What cards add to the next dice total of a seat (II.B.5)."""
    unread: tuple[Unread, ...] = ()
    """Cards whose effect the banker has not recorded yet (P.1)."""
    positions: dict[str, int] = {}
    turn: Turn | None = None
    open: dict[str, AnyAgreement] = {}
    """Agreements that have not ended, by id."""
    past: Archive = msgspec.field(default_factory=Archive)
    wanted: set[str] = set()
    """Seats under an arrest warrant (VI.F.6)."""
    k9_rounds: set[int] = set()
    """Rounds in which the police also check players who only cross a checkpoint (VI.E.3)."""
    quarters: dict[str, str] = {}
    """The last announced holder of each quarter's ability (V.E.1); `quarters.holder_of` tells who has it now."""
    police_orders: set[tuple[str, str]] = set()
    """(seat, "check" or "arrest"): what the police may not do to a player (V.E.17)."""
    disruptions: tuple[Disruption, ...] = ()
    """What forbids private meetings now, except a Bombe IEM (IV.C.1)."""
    blackouts: set[str] = set()
    """Seats whose Bombe IEM is active (IX.C.24)."""
    services: dict[str, int] = {}
    """How many hidden secret services each seat has bought at a bar (IX.B.15)."""
    hacks: list[tuple[str, str]] = []
    """(buyer, target) of the hacks that have not fired, oldest first (IX.B.10)."""
    strikes: list[Strike] = []
    """Hostile acts that wait for answers, oldest first; players are asked about the first one only."""
    questions: list[Question] = []
    """Unanswered questions to players, oldest first."""
    rackets: list[str] = []
    """Seats that have paid a prisoner for a racket, oldest first (VI.D.3)."""
    missed: dict[str, int] = {}
    """Turns that a seat has still to miss after Prison or Hôpital (settings prison_missed_turns,
    hospital_missed_turns)."""
    delegations: set[tuple[str, str, str]] = set()
    """(title, seat, payer): who may unmortgage a title for its owner, and which of the two pays (V.B.5)."""
    eliminated: dict[str, str] = {}
    """Seats out of the game, with the reason (I.B.5)."""
    last_round: bool = False
    """The banker has declared the game too long: this round is the last (II.E.4)."""
    winners: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()
    """The net worth of every player in play at the end of the game (II.E.5)."""


A = TypeVar("A", Deal, Delivery, Contract, Bounty, Loan, Meeting)
"""A kind of agreement."""

Draft = AnyDraft[Negopoly]
"""The game on which an action is being decided: the argument of `decide`."""


# ----------------------------------------------------------------------------------------------
# Questions
# ----------------------------------------------------------------------------------------------


def titles_of(state: Negopoly, seat: str) -> list[str]:
    """The titles a seat owns, in the order of the board."""
    return titles.titles_of(state, seat, TITLES)


def houses_on(state: Negopoly, title: str) -> int:
    """The houses standing on a title."""
    return titles.lies_on(state, title, "house")


def is_mortgaged(state: Negopoly, title: str) -> bool:
    """Whether the title is mortgaged."""
    return titles.lies_on(state, title, "mortgage") > 0


def is_squatted(state: Negopoly, title: str) -> bool:
    """Whether squatters occupy the title."""
    return titles.lies_on(state, title, "squat") > 0


def in_play(state: Negopoly) -> list[str]:
    """The seats still in the game, in the order of play."""
    return seats.in_play(state.order, state.eliminated)


def others_in_play(state: Negopoly, seat: str) -> list[str]:
    """The other seats still in the game, in the order of play."""
    return [other for other in in_play(state) if other != seat]


def title_named(title_id: str) -> Title:
    """Return the title with this id. Raises Impossible for an unknown id."""
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
    """Return the seat after checking that it is a player still in the game. Raises RuleBroken."""
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


def own_turn(draft: Draft, rule: str = "II.2", *, waivable: bool = True) -> Turn:
    """Return the turn under way after checking that it is the acting seat's and that its time is not over.

    `rule` is the article that ties the action to the turn (II.2 unless the action has its own). Actions that move
    the token or end the turn make no sense for another seat: they are not `waivable`.
    """
    still_in(draft)
    turn = draft.state.turn
    if turn is None:  # only a game without players in play has started and has no turn
        raise Impossible("II.2", "no turn is under way", "aucun tour n'est en cours")
    seats.require_turn(draft, turn.seat, rule, waivable=waivable)
    if not draft.again and turn.is_over(draft.now):
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
    """Refuse while a question is unanswered; with `seat`, only a question that this seat caused or must answer.

    With `seat`, also refuse while a strike against this seat waits for other answers: no player may escape a
    strike.
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
    """Refuse while a waiting strike will hit this seat, unless a security team has stopped it (IX.B.15)."""
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
    """Refuse to transfer a title while a strike against it waits for an answer (IX.B.15)."""
    draft.require(
        not any(title in strike.titles for strike in draft.state.strikes),
        "IX.B.15",
        "{title} is under attack: it changes hands once those who are asked have answered",
        "le titre {title} est attaqué : il ne change de mains qu'une fois les réponses données",
        title=TITLES[title].name,
    )


def throw(draft: Draft, name: str, given: Sequence[int] | None, count: int = 1) -> tuple[int, ...]:
    """Throw dice (setting die_sides), or take the values given.

    Raises Malformed when the values do not fit these dice, NeedsDraw when there are no values and the service does
    not throw.
    """
    return draft.draws.dice(name, given, count=count, sides=draft.state.settings.die_sides)


def open_passages(state: Negopoly, squares: Iterable[Square], *, stop_only: bool = False) -> list[Passage]:
    """The passages of this turn by these squares that still allow something, latest first.

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
    """Return the latest passage of this turn by one of the squares; refuse by `rule` when there is none.

    `open_passages` says which passages count. While a Bombe IEM is active none does (IX.C.24).
    """
    turn = own_turn(draft)
    seat = turn.seat
    wanted = list(squares)
    found = open_passages(draft.state, wanted, stop_only=stop_only)
    if found and not draft.state.blackouts:
        return found[0]
    names = ", ".join(dict.fromkeys(square.name for square in wanted))
    draft.require(
        not draft.state.blackouts,
        "IX.C.24",
        "a Bombe IEM is active: {names} is disabled like every square",
        "une Bombe IEM est active : {names} est désactivé comme toutes les cases",
        names=names,
    )
    if found:
        return found[0]
    here = draft.state.positions[seat]
    if _was_sent(turn) and any(square.index == here for square in wanted):
        draft.refuse(
            RuleBroken(
                "III.C.2",
                "{seat:seat} was sent to {here:square} and has not stopped there: a forced transfer opens none of "
                "its services",
                "{seat:seat} a été envoyé sur {here:square} et ne s'y est pas arrêté : un transfert forcé n'ouvre "
                "aucun de ses services",
                seat=seat,
                here=here,
            ).citing(rule)
        )
        return Passage(here, stop=True)
    draft.require(
        turn.roll != "due",
        "II.B.3",
        "{seat:seat} has not moved yet this turn and cannot use {names}",
        "{seat:seat} n'a pas encore bougé ce tour-ci et ne peut pas utiliser {names}",
        seat=seat,
        names=names,
    )
    crossed = any(square.index == passage.square for passage in turn.passages for square in wanted)
    closed = crossed and not stop_only and not turn.unresolved
    words = _CLOSED if closed else _NOT_THERE[stop_only]
    draft.require(False, rule, *words, seat=seat, here=here, names=names)
    return Passage(here, stop=True)


_CLOSED = (
    "{seat:seat} passed by {names}, but the stop is already resolved, which closes what passing allows",
    "{seat:seat} est passé par {names}, mais l'arrêt est déjà résolu, ce qui clôt ce que permet le passage",
)
_NOT_THERE = {
    True: (
        "{seat:seat} is on {here:square} and has not stopped on {names} in this turn",
        "{seat:seat} est sur {here:square} et ne s'est pas arrêté sur {names} ce tour-ci",
    ),
    False: (
        "{seat:seat} is on {here:square} and has not passed by {names} in this turn",
        "{seat:seat} est sur {here:square} et n'est pas passé par {names} ce tour-ci",
    ),
}
"""Refusals of who is elsewhere: whether only a stop counts, or passing as well."""


def _was_sent(turn: Turn) -> bool:
    """Whether an effect has sent the token elsewhere and ended its move in this turn (III.C.2)."""
    return turn.halted and not turn.passages


def squares_of(state: Negopoly, kind: str) -> Sequence[Square]:
    """The squares of a kind: "prison", "checkpoint"…"""
    return boards.squares_of(state.board, kind)


def index_of(state: Negopoly, kind: str) -> int:
    """The index of the first square of a kind. Each corner has only one square."""
    return boards.index_of(state.board, kind)


def square_of(state: Negopoly, title: str) -> Square:
    """The square of a title."""
    return next(square for square in state.board if square.property == title)


def pay(draft: Draft, seat: str, amount: int, rule: str, target: str = BANK) -> tuple[Any, ...]:
    """Return the posting of a voluntary payment by a seat, after checking its funds (I.B.3 beside `rule`)."""
    owing = draft.state.settings.voluntary_overdraft
    return payment(draft, seat, amount, rule, target, owing=owing, solvency="I.B.3")


def agreement(state: Negopoly, kind: type[A], agreement_id: str, rule: str) -> A:
    """Return the open agreement of this kind and id. Raises RuleBroken when it is unknown or has ended."""
    return agreements.open_one(state, kind, agreement_id, rule, _names_of(kind), STATUS_FR)


def open_agreements(state: Negopoly, kind: type[A]) -> list[A]:
    """The open agreements of this kind, in the order of opening."""
    return agreements.open_ones(state, kind)


def latest_of(state: Negopoly, kind: type[A], seat: str, wanted: Callable[[A], bool]) -> list[A]:
    """The latest agreements of this kind that concern the seat and are wanted, also ended ones.

    In the order of opening; as many as moves need (see `agreements.among`).
    """
    ended: Any = state.past.group(_kind_and_seats, (kind, seat))
    others = (one for one in state.open.values() if type(one) is kind and seat in bound_by(one))
    return agreements.latest(ended, others, wanted)


def _kind_and_seats(found: Any) -> Iterable[tuple[type[AnyAgreement], str]]:
    """The groups of ended agreements: the kind of one, with each seat that it concerns."""
    return ((type(found), seat) for seat in bound_by(found))


def _names_of(kind: type[Any]) -> Named:
    return AGREEMENTS[kind.__name__.lower()]


def bound_by(found: AnyAgreement) -> tuple[str, ...]:
    """The seats that an agreement concerns."""
    match found:
        case Deal() | Contract():
            return found.parties
        case Delivery():
            return (found.sender, found.recipient)
        case Bounty():
            return (found.poster,)
        case Loan():
            return (found.borrower,)
        case Meeting():
            return found.attended


def own_agreement(draft: Draft, kind: type[A], agreement_id: str, rule: str, *, or_ended: bool = False) -> A:
    """Return the acting seat's open agreement of this kind and id; with `or_ended`, also an ended one.

    Raises RuleBroken. Another player's agreement is secret, so the refusal says that it does not exist (I.C.6).
    """
    state = draft.state
    found = agreements.find(state, kind, agreement_id)
    if found is not None and draft.seat in bound_by(found):
        return found if or_ended else agreement(state, kind, agreement_id, rule)
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
    """The index of the seat's passage in the turn, from 0; None when the passage exists only by a waiver."""
    turn = state.turn
    if turn is None or turn.seat != seat or passage not in turn.passages:
        return None
    return turn.passages.index(passage)


def change_passage(state: Negopoly, place: int | None, **changes: Any) -> None:
    """Replace fields of the passage at this index of the turn under way; do nothing for None."""
    if state.turn is not None and place is not None:
        passages = list(state.turn.passages)
        passages[place] = replace(passages[place], **changes)
        change_turn(state, passages=tuple(passages))


def forget_passages(state: Negopoly) -> None:
    """Let what waits for an answer count for no passage: those of the turn so far count no longer.

    A sale that has failed may wait for its seller's card while the token moves on or the turn ends (VII.B.10).
    """
    state.questions = [
        replace(one, about={**one.about, "passage": None}) if one.about.get("passage") is not None else one
        for one in state.questions
    ]


def end_delegations(state: Negopoly, title: str) -> None:
    """End the delegations of a title, because it is unmortgaged or has a new owner (V.B.5)."""
    state.delegations = {one for one in state.delegations if one[0] != title}


def parties_only(parties: Iterable[str]) -> Audience:
    """The parties and the banker."""
    return Audience(seats=frozenset(parties))
