"""Agreements of all collections in a common form: subject, status, and the possible moves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Literal

import msgspec
from msgspec import structs

from ledger.games.moments import Moment
from ledger.kernel.facts.agreements import Agreement, Due, PromisedTransfer, Terms, tag_of
from ledger.kernel.facts.labels import Name
from ledger.kernel.language.phrase import Phrase
from ledger.reading.entries.lines import changes_of, may_know
from ledger.reading.moves.moves import moves_of_all, shown_moves
from ledger.reading.moves.shown import ShownMove
from ledger.reading.words.naming import Names
from ledger.reading.words.seating import SeatView, seated, turn_order

Standing = Literal["open", "ended", "all"]

Rank = tuple[int, int, float, tuple[int, ...]]
"""The sort key of an agreement: ended or not, the kind of due date, the due date, the opening."""

_AT_A_TIME, _IN_A_ROUND, _OTHERWISE, _NEVER = range(4)
"""The kinds of deadlines, earliest first: a time, a round, another deadline, none."""


class NextMove(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A move about an agreement that the caller may perform now, with the parameters that name the agreement.

    `move` is the id of the move in the list of moves (`GET …/moves`), and `label` its label there. `seat` is the
    seat whose move it is; there is none for a move of the banker's own. `answer` says that the move accepts or
    refuses what is proposed; it is left out for any other move.
    """

    move: str
    kind: str
    seat: str | msgspec.UnsetType = msgspec.UNSET
    params: dict[str, Any]
    label: Phrase
    answer: Literal["accept", "refuse"] | msgspec.UnsetType = msgspec.UNSET


class PartyView(SeatView, frozen=True, omit_defaults=True):
    """A seat that is party to an agreement.

    `agreed` is whether the seat has consented, in an agreement that asks its parties for consent.
    """

    agreed: bool | msgspec.UnsetType = msgspec.UNSET


class GivenView(PromisedTransfer, frozen=True, kw_only=True, rename={"source": "from", "target": "to"}):
    """What one seat gives another by an agreement. `name` names the commodity, in the caller's language."""

    name: str


class AgreementView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An agreement, of whatever collection.

    `kind` is an id ("loan"), by which actions name an agreement. `label` is what people call it, `title` what it
    is about, `status_text` how it stands, all in the caller's language. `open` is whether it has not ended.
    `amount` is in the game's money: what is still owed, offered or held. `gives` is what the seats give one
    another, `terms` what they promise, as they wrote it. `opened_at_number` is the number of the action that
    opened it. `detail` is the rulebook's own data.
    """

    id: str
    collection: str
    kind: str
    label: str
    title: str
    parties: tuple[PartyView, ...]
    """The parties, in the order of turns."""
    status: str
    status_text: str
    open: bool
    amount: int | msgspec.UnsetType = msgspec.UNSET
    due: Due | msgspec.UnsetType = msgspec.UNSET
    gives: tuple[GivenView, ...]
    terms: tuple[str, ...]
    opened_at_number: int
    ended_at: Name | msgspec.UnsetType = msgspec.UNSET
    """The action that ended the agreement."""
    next: tuple[NextMove, ...]
    detail: dict[str, Any]


class _RankedAgreement(msgspec.Struct, frozen=True):
    """An agreement visible to the viewer, with collection and rank."""

    collection: str
    agreement: Agreement
    is_open: bool
    rank: Rank


def page_of_agreements(
    moment: Moment,
    *,
    language: str,
    at: datetime,
    status: Standing = "all",
    collection: str | None = None,
    seat: str | None = None,
    cursor: Rank | None = None,
    limit: int = 50,
) -> tuple[list[AgreementView], Rank | None]:
    """Return a page of the visible agreements, and the rank for the next page's `cursor`, or None at the end.

    Open agreements come first: those with a time, then those with a round, then those with another deadline,
    then the rest, each from the oldest to the newest. Ended agreements follow, from the newest to the oldest.
    `at` is the time for `next`.
    """
    matches = [
        ranked
        for ranked in _visible_agreements(moment, language, status, collection)
        if (cursor is None or ranked.rank > cursor)
        and (seat is None or seat in _terms(moment, ranked.agreement, language).parties)
    ]
    matches.sort(key=lambda ranked: ranked.rank)
    page = matches[:limit]
    moves = _moves_about(moment, at, language) if page else {}
    ends = _ends(moment, [ranked.agreement.id for ranked in page if not ranked.is_open])
    views = [_view(moment, ranked, language, moves, ends) for ranked in page]
    return views, page[-1].rank if len(matches) > limit else None


def _visible_agreements(
    moment: Moment, language: str, status: Standing, collection: str | None
) -> Iterator[_RankedAgreement]:
    """Yield each visible agreement once, in the first of its collections."""
    rulebook, current = moment.rulebook, moment.newest
    yielded: set[str] = set()
    for name in rulebook.agreements.agreement_types if collection is None else (collection,):
        for agreement in rulebook.agreements.of(current, name):
            is_open = not rulebook.agreements.has_ended(current, agreement)
            if agreement.id in yielded or (status != "all" and is_open != (status == "open")):
                continue
            if rulebook.secrets.agreement_audience(agreement).admits(moment.viewer):
                yielded.add(agreement.id)
                due = _terms(moment, agreement, language).due if is_open else None
                yield _RankedAgreement(name, agreement, is_open, _rank(moment, agreement, due, is_open=is_open))


def _rank(moment: Moment, agreement: Agreement, due: Due | None, *, is_open: bool) -> Rank:
    if not is_open:
        return 1, _NEVER, 0, tuple(-part for part in agreement.opened)
    if due is None:
        return 0, _NEVER, 0, agreement.opened
    if isinstance(due.at, datetime):
        return 0, _AT_A_TIME, due.at.timestamp(), agreement.opened
    if isinstance(due.round, int):
        seats = turn_order(moment.rulebook, moment.newest)
        turn = seats.index(due.seat) if due.seat in seats else 0
        return 0, _IN_A_ROUND, due.round + turn / (len(seats) + 1), agreement.opened
    return 0, _OTHERWISE, 0, agreement.opened


def _view(
    moment: Moment,
    ranked: _RankedAgreement,
    language: str,
    moves: Mapping[tuple[str, str], Iterable[NextMove]],
    ends: Mapping[str, Name],
) -> AgreementView:
    agreement, terms = ranked.agreement, _terms(moment, ranked.agreement, language)
    names = Names(moment.rulebook, moment.newest, language)
    return AgreementView(
        id=agreement.id,
        collection=ranked.collection,
        kind=tag_of(agreement),
        label=terms.label,
        title=terms.title,
        parties=tuple(
            _party(party, terms) for party in seated(moment.game, moment.newest) if party.seat in terms.parties
        ),
        status=agreement.status,
        status_text=terms.status,
        open=ranked.is_open,
        amount=msgspec.UNSET if terms.amount is None else terms.amount,
        due=msgspec.UNSET if terms.due is None else terms.due,
        gives=tuple(
            GivenView(**structs.asdict(moved), name=names.commodity(moved.commodity)) for moved in terms.gives
        ),
        terms=terms.terms,
        opened_at_number=agreement.opened[0],
        ended_at=ends.get(agreement.id, msgspec.UNSET),
        next=tuple(moves.get((tag_of(agreement), agreement.id), ())),
        detail=without_nulls(msgspec.to_builtins(agreement)),
    )


def _party(seat: SeatView, terms: Terms) -> PartyView:
    agreed = msgspec.UNSET if terms.agreed is None else seat.seat in terms.agreed
    return PartyView(seat.seat, seat.name, seat.letter, seat.colour, agreed)


def _ends(moment: Moment, ended: Collection[str]) -> dict[str, Name]:
    """Return the lines of the ends of these agreements, as far as known to the viewer."""
    changes = changes_of(moment, ended) if ended else []
    return {
        change.agreement: change.line
        for change in changes
        if change.change == "ended" and may_know(moment, change.line)
    }


def _terms(moment: Moment, agreement: Agreement, language: str) -> Terms:
    return moment.rulebook.agreements.terms(moment.newest, agreement, language)


def _moves_about(moment: Moment, at: datetime, language: str) -> dict[tuple[str, str], list[NextMove]]:
    """Return the moves about agreements open to the viewer, by kind and id of the agreement.

    A move is about an agreement if it names the agreement in a parameter called like the agreement's kind.
    """
    kinds = {tag_of(agreement_type) for agreement_type in moment.rulebook.agreements.agreement_types.values()}
    if not kinds:
        return {}
    moves: dict[tuple[str, str], list[NextMove]] = {}
    is_banker = moment.viewer.role == "banker"
    for of_seat in moves_of_all(moment, at, language) if is_banker else (shown_moves(moment, None, at, language),):
        for move in of_seat.moves:
            if of_seat.seat is not msgspec.UNSET and "player" not in moment.rulebook.actions[move.kind].by:
                continue  # the banker's own
            for params in _params_of(move):
                for kind in kinds & params.keys():
                    named = NextMove(
                        move=move.id,
                        kind=move.kind,
                        seat=of_seat.seat,
                        params=params,
                        label=move.label,
                        answer=moment.rulebook.agreements.answers.get(move.kind, msgspec.UNSET),
                    )
                    moves.setdefault((kind, str(params[kind])), []).append(named)
    return moves


def _params_of(move: ShownMove) -> Iterator[dict[str, Any]]:
    """Yield the parameters of each choice of a move."""
    choice = move.choice
    if isinstance(choice, msgspec.UnsetType):
        yield move.params
        return
    for option in choice.options:
        further = {} if isinstance(option.params, msgspec.UnsetType) else option.params
        yield {**move.params, **further, choice.parameter: option.value}


def without_nulls(plain: Any) -> Any:
    """Remove the null members of objects from plain data, at any depth."""
    if isinstance(plain, dict):
        return {name: without_nulls(value) for name, value in plain.items() if value is not None}
    if isinstance(plain, list | tuple):
        return [without_nulls(value) for value in plain]
    return plain
