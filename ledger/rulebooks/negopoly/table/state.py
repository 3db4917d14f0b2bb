"""The table of a game of Negopoly: its state, and the questions that every chapter asks of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from ledger.kernel.accounts import BANK
from ledger.kernel.agreements import Archive
from ledger.kernel.audience import Audience
from ledger.kernel.draft import Draft as AnyDraft
from ledger.kernel.refusals import Impossible
from ledger.kernel.state import State
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
    """Character of each seat that has joined (I.A.2)."""
    perks: dict[str, str] = {}
    order: tuple[str, ...] = ()
    next_order: tuple[str, ...] | None = None
    """The order that starts with the next round (II.3)."""
    round: int = 0
    board: tuple[Square, ...] = BOARD
    cards: tuple[Card, ...] | None = None
    """The cards of a table that has brought its own, all decks together; None for those of the rulebook."""
    weather: tuple[str, ...] = ()
    """The active Météo cards, the one active for longest first (VI.A.8)."""
    roll_changes: dict[str, int] = {}
    """What cards add to the next dice total of a seat (II.B.5)."""
    unread: tuple[Unread, ...] = ()
    """Cards whose effect the banker has still to record (P.1)."""
    positions: dict[str, int] = {}
    turn: Turn | None = None
    open: dict[str, AnyAgreement] = {}
    """Agreements that have not ended, by id."""
    past: Archive = msgspec.field(default_factory=Archive)
    wanted: set[str] = set()
    """Seats under an arrest warrant (VI.F.6)."""
    k9_rounds: set[int] = set()
    """Rounds in which crossing a checkpoint is enough to be checked (VI.E.3)."""
    quarters: dict[str, str] = {}
    """Who was last said to have the ability of each quarter (V.E.1); whether it is active, `quarters` asks."""
    police_orders: set[tuple[str, str]] = set()
    """(seat, "check" or "arrest"): what the police have been told not to do to whom (V.E.17)."""
    disruptions: tuple[Disruption, ...] = ()
    """What forbids private meetings now, the bomb's effect apart (IV.C.1)."""
    blackouts: set[str] = set()
    """Seats whose Bombe IEM is active (IX.C.24)."""
    services: dict[str, int] = {}
    """How many secret services each seat has taken at a bar and not been seen to use (IX.B.15)."""
    hacks: list[tuple[str, str]] = []
    """(buyer, target) of the hacks that wait for an arrest, oldest first (IX.B.10)."""
    strikes: list[Strike] = []
    """Hostile acts that wait for answers, in the order of their launch; only the first one is asked about."""
    questions: list[Question] = []
    """What players have been asked and have not answered, oldest first."""
    rackets: list[str] = []
    """Seats that have paid a prisoner, oldest first (VI.D.3)."""
    missed: dict[str, int] = {}
    """Turns that a seat sent to Prison or Hôpital has still to miss (settings prison_missed_turns and
    hospital_missed_turns)."""
    delegations: set[tuple[str, str, str]] = set()
    """(title, seat, payer): who may unmortgage a title for its owner, and which of the two pays (V.B.5)."""
    eliminated: dict[str, str] = {}
    """Seats out of the game, with the reason (I.B.5)."""
    last_round: bool = False
    """The game was declared too long: it ends with this round (II.E.4)."""
    winners: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()
    """The net worth of every player still in play when the game ended (II.E.5)."""


A = TypeVar("A", Deal, Delivery, Contract, Bounty, Loan, Meeting)
"""A kind of agreement."""

Draft = AnyDraft[Negopoly]
"""A game on which an action is being decided: what `decide` takes."""


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
    """Whether squatters sit on the title."""
    return titles.lies_on(state, title, "squat") > 0


def in_play(state: Negopoly) -> list[str]:
    """The seats still in the game, in the order of play."""
    return seats.in_play(state.order, state.eliminated)


def others_in_play(state: Negopoly, seat: str) -> list[str]:
    """The other seats still in the game, in the order of play."""
    return [other for other in in_play(state) if other != seat]


def title_named(title_id: str) -> Title:
    """The title of this id. Raises Impossible for an unknown one."""
    title = TITLES.get(title_id)
    if title is None:
        raise Impossible(
            "V.A.1",
            "there is no title {title!r}; the 22 titles are: {titles}",
            "il n'y a pas de titre {title!r} ; les 22 titres sont : {titles}",
            title=title_id,
            titles=", ".join(TITLES),
        )
    return title


def seat_named(state: Negopoly, seat: str, rule: str = "II.2") -> str:
    """The seat, checked to be a player of this game who is still in it. Raises RuleBroken."""
    seats.seat_named(state, seat, rule)
    if seat in state.eliminated:
        raise Impossible(
            "I.B.5",
            "{seat} is out of the game ({reason})",
            "{seat} est hors de la partie ({reason})",
            seat=seat,
            reason=state.eliminated[seat],
        )
    return seat


def still_in(draft: Draft) -> str:
    """The acting seat, in a game under way. Refuses by II.1 before the start, by I.B.5 once eliminated."""
    seat = seat_named(draft.state, draft.seat, "I.B.5")
    if draft.state.phase != "play":
        raise Impossible(
            "II.1",
            "the game has not started yet: {seat} cannot do this during set-up",
            "la partie n'a pas commencé : {seat} ne peut pas faire cela pendant la préparation",
            seat=seat,
        )
    return seat


def own_turn(draft: Draft, rule: str = "II.2", *, waivable: bool = True) -> Turn:
    """The turn under way, checked to be the acting seat's and within its five minutes.

    `rule` is the article that ties the action to the turn (II.2 unless it has one of its own). What moves the
    token or closes the turn has no meaning for another seat: it is not `waivable`.
    """
    still_in(draft)
    turn = draft.state.turn
    if turn is None:  # between start and the first turn there is no moment; this is a set-up without players
        raise Impossible("II.2", "no turn is under way", "aucun tour n'est en cours")
    seats.require_turn(draft, turn.seat, rule, waivable=waivable)
    draft.require(
        not turn.is_over(draft.now),
        "II.B.13",
        "{seat}'s turn started at {started} and its {seconds} seconds are over",
        "le tour de {seat} a commencé à {started} et ses {seconds} secondes sont écoulées",
        seat=turn.seat,
        started=turn.started_at.isoformat(timespec="seconds"),
        seconds=draft.state.settings.turn_seconds,
    )
    nothing_awaited(draft, turn.seat)
    return turn


def nothing_awaited(draft: Draft, seat: str | None = None) -> None:
    """Refuse while a question is unanswered; with a seat, only one that this seat asked for or must answer.

    Nor does a seat go on that a strike will hit once others have answered: nobody flees meanwhile.
    """
    for question in draft.state.questions:
        draft.require(
            seat is not None and seat not in (question.seat, question.by),
            question.rule,
            "{asked} has been asked something ({kind}) and answers first",
            "{asked} doit d'abord répondre à une question ({kind})",
            asked=question.seat,
            kind=question.kind,
        )
    if seat is not None:
        nothing_befalls(draft, seat)


def nothing_befalls(draft: Draft, seat: str) -> None:
    """Refuse while a strike that waits for answers will hit this seat, unless a team has saved them (IX.B.15)."""
    for strike in draft.state.strikes:
        draft.require(
            seat not in strike.victims or seat in strike.spared,
            "IX.B.15",
            "{seat} is being struck ({kind}), which comes first",
            "{seat} subit une frappe ({kind}), qui passe d'abord",
            seat=seat,
            kind=strike.kind,
        )


def nothing_strikes(draft: Draft, title: str) -> None:
    """Refuse to hand over a title while a strike against it waits for an answer (IX.B.15)."""
    draft.require(
        not any(title in strike.titles for strike in draft.state.strikes),
        "IX.B.15",
        "{title} is under attack: it changes hands once those who are asked have answered",
        "le titre {title} est attaqué : il ne change de mains qu'une fois les réponses données",
        title=TITLES[title].name,
    )


def throw(draft: Draft, name: str, given: Sequence[int] | None, count: int = 1) -> tuple[int, ...]:
    """Throw dice of this table (setting die_sides), or take the values given.

    Raises Malformed when the values given are not so many faces of such dice, NeedsDraw when nobody threw.
    """
    return draft.draws.dice(name, given, count=count, sides=draft.state.settings.die_sides)


def open_passages(state: Negopoly, squares: Iterable[Square], *, stop_only: bool = False) -> list[Passage]:
    """The passages of this turn by the squares that still allow something, the latest one first.

    Passing covers crossing and stopping (II.B.6); with `stop_only`, only the square stopped on counts (II.B.8).
    It lasts until the stop square is resolved, then only the stop square itself stays open. Spawn is passed by
    going forward only (VI.A.3).
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
    """The latest passage of this turn by one of the squares; refuses by the rule when there is none.

    What passing covers, and how long it lasts, is said by `open_passages`. Disabled squares allow none (IX.C.24).
    """
    turn = own_turn(draft)
    seat = turn.seat
    wanted = list(squares)
    names = ", ".join(dict.fromkeys(square.name for square in wanted))
    draft.require(
        not draft.state.blackouts,
        "IX.C.24",
        "a Bombe IEM is active: {names} is disabled like every square",
        "une Bombe IEM est active : {names} est désactivé comme toutes les cases",
        names=names,
    )
    for passage in open_passages(draft.state, wanted, stop_only=stop_only):
        return passage
    draft.require(
        turn.roll != "due",
        "II.B.3",
        "{seat} has not moved yet this turn and cannot use {names}",
        "{seat} n'a pas encore bougé ce tour-ci et ne peut pas utiliser {names}",
        seat=seat,
        names=names,
    )
    draft.require(
        False,
        rule,
        "{seat} is on {here} and has not {verb} {names} in this turn",
        "{seat} est sur {here} et ne s'est pas arrêté sur {names} (ou n'y est pas passé) ce tour-ci",
        seat=seat,
        here=draft.state.board[draft.state.positions[seat]].name,
        verb="stopped on" if stop_only else "passed by",
        names=names,
    )
    return Passage(draft.state.positions[seat], stop=True)


def squares_of(state: Negopoly, kind: str) -> list[Square]:
    """The squares of a kind: "prison", "checkpoint"…"""
    return boards.squares_of(state.board, kind)


def index_of(state: Negopoly, kind: str) -> int:
    """The index of the first square of a kind; the corners have one square each."""
    return boards.index_of(state.board, kind)


def square_of(state: Negopoly, title: str) -> Square:
    """The square of a title."""
    return next(square for square in state.board if square.property == title)


def pay(draft: Draft, seat: str, amount: int, rule: str, target: str = BANK) -> tuple[Any, ...]:
    """The posting of a voluntary payment by a seat, after checking that it has the funds (I.B.3)."""
    return payment(draft, seat, amount, rule, target, owing=draft.state.settings.voluntary_overdraft)


def agreement(state: Negopoly, kind: type[A], agreement_id: str, rule: str) -> A:
    """The open agreement of this kind and id. Raises RuleBroken naming it when it is unknown or has ended."""
    return agreements.open_one(state, kind, agreement_id, rule, _named(kind), STATUS_FR)


def open_agreements(state: Negopoly, kind: type[A]) -> list[A]:
    """The agreements of this kind that have not ended, in the order in which they were opened."""
    return agreements.open_ones(state, kind)


def agreements_of(state: Negopoly, kind: type[A], seat: str) -> list[A]:
    """The agreements of this kind that concern the seat, ended ones included, in the order of their opening."""
    return agreements.in_order(one for one in agreements.scan(state, kind) if seat in bound_by(one))


def _named(kind: type[Any]) -> Named:
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
    """The open agreement of this kind and id that concerns the acting seat; with `or_ended`, an ended one too.

    Raises RuleBroken. What is not the seat's own is answered as if it did not exist, since it is secret (I.C.6).
    """
    state = draft.state
    found = agreements.find(state, kind, agreement_id)
    if found is not None and draft.seat in bound_by(found):
        return found if or_ended else agreement(state, kind, agreement_id, rule)
    named = _named(kind)
    raise Impossible(
        rule,
        "{seat} has no {name} {id!r}",
        "{seat} n'a pas {de_nom} {id!r}",
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
    """Where the seat's passage stands among those of the turn, from 0; None when only a waiver made it one."""
    turn = state.turn
    if turn is None or turn.seat != seat or passage not in turn.passages:
        return None
    return turn.passages.index(passage)


def change_passage(state: Negopoly, place: int | None, **changes: Any) -> None:
    """Replace fields of the passage at this place of the turn under way; nothing at None."""
    if state.turn is not None and place is not None:
        passages = list(state.turn.passages)
        passages[place] = replace(passages[place], **changes)
        change_turn(state, passages=tuple(passages))


def end_delegations(state: Negopoly, title: str) -> None:
    """Forget who may unmortgage a title: it is free of its mortgage, or its owner has changed (V.B.5)."""
    state.delegations = {one for one in state.delegations if one[0] != title}


def parties_only(parties: Iterable[str]) -> Audience:
    """The parties and the banker."""
    return Audience(seats=frozenset(parties))
