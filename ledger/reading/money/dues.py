"""The next dues of a game: debts, loans, contracts, deliveries, as far as a viewer may see."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from ledger.games.moments import Moment
from ledger.kernel.facts.agreements import Agreement, Due, Terms, tag_of
from ledger.kernel.facts.obligations import Obligation
from ledger.kernel.language.phrase import Phrase
from ledger.reading.money.obligations import AllObligations, all_obligations
from ledger.reading.words.seating import turn_order

MOST = 3
"""How many dues a state has."""

_NOW = Phrase("now", "maintenant")


class DueView(msgspec.Struct, frozen=True, kw_only=True):
    """A due in words (`text`), and its date in words (`when`).

    `seat` is the debtor, or the first party. `at` is the time of the due and `round` the round, as far as fixed;
    `turn` is the seat in turn then. A due with a time has no `when`: a screen writes times in the reader's way.
    `amount` is the sum owed of the `commodity`. `agreement` is the id of the agreement in the `collection`.
    """

    text: str
    when: str | UnsetType = UNSET
    seat: str | UnsetType = UNSET
    at: datetime | UnsetType = UNSET
    round: int | UnsetType = UNSET
    turn: str | UnsetType = UNSET
    amount: int | UnsetType = UNSET
    commodity: str | UnsetType = UNSET
    agreement: str | UnsetType = UNSET
    collection: str | UnsetType = UNSET


class _Agreed(NamedTuple):
    """An open agreement in force, with a deadline."""

    agreement: Agreement
    collection: str
    terms: Terms
    due: Due


_Rank = tuple[int, float, int]
"""The kind of deadline (now, a time, a round, else), the deadline, and the order of opening."""


def dues_of(moment: Moment, language: str) -> tuple[DueView, ...]:
    """Return the next three dues in the viewer's sight, the most pressing first.

    First come debts to be paid now, then open agreements in force with a deadline: by time, by round, otherwise.
    """
    agreed = moment.shared(("agreed", language), lambda: list(_in_force(moment, language)))
    admits = moment.rulebook.secrets.agreement_audience
    visible = [item for item in agreed if admits(item.agreement).admits(moment.viewer)]
    written = all_obligations(moment, language)
    owed = [item for item in written.visible(moment.viewer) if item.debtor and item.amount and not item.laid]
    ranked = [*_debts(owed, written, visible, language), *_agreements(moment, owed, written, visible)]
    ranked.sort(key=lambda item: item[0])
    return tuple(view for _, view in ranked[:MOST])


def _in_force(moment: Moment, language: str) -> Iterator[_Agreed]:
    """Yield the open agreements with a deadline, in the order of opening. Proposals bind nobody yet."""
    agreements, state = moment.rulebook.agreements, moment.state
    for agreement in sorted(agreements.open_agreements(state), key=lambda item: item.opened):
        terms = agreements.terms(state, agreement, language)
        proposed = terms.agreed is not None and not {*terms.parties} <= {*terms.agreed}
        if terms.due is not None and not proposed:
            kinds = agreements.agreement_types.items()
            collection = next((name for name, kind in kinds if isinstance(agreement, kind)), "")
            yield _Agreed(agreement, collection, terms, terms.due)


def _debts(
    owed: list[Obligation], written: AllObligations, visible: list[_Agreed], language: str
) -> Iterator[tuple[_Rank, DueView]]:
    """Yield the amounts to be paid now, or by a time, apart from the sums of agreements."""
    named = {(tag_of(item.agreement), item.agreement.id) for item in visible}
    for order, item in enumerate(owed):
        if (item.kind, item.about) in named or not (item.awaited or item.due):
            continue
        rank = (0, 0.0, order) if item.due is None else (1, item.due.timestamp(), order)
        yield (
            rank,
            DueView(
                text=written.brief(item),
                when=_NOW.in_language(language) if item.due is None else UNSET,
                seat=item.debtor or UNSET,
                at=item.due or UNSET,
                amount=item.amount or UNSET,
                commodity=item.commodity or UNSET,
            ),
        )


def _agreements(
    moment: Moment, owed: list[Obligation], written: AllObligations, visible: list[_Agreed]
) -> Iterator[tuple[_Rank, DueView]]:
    """Yield the agreements; a loan is written in the words of the debt."""
    debts = {(item.kind, item.about): item for item in reversed(owed)}
    seats = turn_order(moment.rulebook, moment.state)
    for order, (agreement, collection, terms, due) in enumerate(visible):
        debt = debts.get((tag_of(agreement), agreement.id))
        if isinstance(due.at, datetime):
            rank = (1, due.at.timestamp(), order)
        elif isinstance(due.round, int):
            turn = seats.index(due.seat) if due.seat in seats else 0
            rank = (2, due.round + turn / (len(seats) + 1), order)
        else:
            rank = (3, 0.0, order)
        amount = terms.amount if debt is None else debt.amount
        currency = moment.rulebook.accounts.currency if debt is None else debt.commodity
        yield (
            rank,
            DueView(
                text=terms.title if debt is None else written.brief(debt),
                when=due.text if due.at is UNSET else UNSET,
                seat=(debt.debtor if debt else next(iter(terms.parties), None)) or UNSET,
                at=due.at,
                round=due.round,
                turn=due.seat,
                amount=amount or UNSET,
                commodity=(currency if amount else None) or UNSET,
                agreement=agreement.id,
                collection=collection or UNSET,
            ),
        )
