"""Obligations at a moment, as far as a viewer may see them: debtor, creditor, rule, consequence."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import msgspec
from msgspec.structs import replace

from ledger.games.moments import Moment
from ledger.kernel.facts.obligations import Obligation
from ledger.kernel.language.sentences import speak
from ledger.reading.words.naming import Citation, Names


class ObligationView(msgspec.Struct, frozen=True, kw_only=True):
    """An amount or an act owed by a rule: a debt, a deposit, an answer, a throw.

    `kind` is an id of the rulebook ("debt"). `label`, `follows` (the consequence) and the names are for people, in
    the caller's language.
    """

    kind: str
    label: str
    debtor: str | None
    """The seat that owes; null for a debtor not yet known, such as the next prisoner."""
    debtor_name: str | None
    creditor: str | None
    """The account entitled; null for nobody in particular, or nobody known yet."""
    creditor_name: str | None
    commodity: str | None
    """The commodity owed, or its veil; null for an act."""
    commodity_name: str | None
    amount: int | None
    """Whole units of the commodity; null for an act."""
    laid: bool
    """True if the amount has left the debtor's purse: in escrow, in transit, on the market."""
    about: str
    """The subject: the id of a debt or an agreement, a title, a card; empty if the kind says enough."""
    since: int | None
    """The number of the action that opened the matter; null if the state does not keep the number."""
    due: datetime | None
    """The time at which the consequence comes by the clock; null without a clock."""
    rule: Citation
    follows: str


def obligation_views(
    moment: Moment,
    *,
    register_at: str,
    language: str,
    debtor: str | None = None,
    creditor: str | None = None,
    commodity: str | None = None,
    kind: str | None = None,
) -> tuple[ObligationView, ...]:
    """Return the visible obligations of the moment, in the order of the rulebook.

    `register_at` is the address of the register of rules. The filters apply to the view of the viewer: to the
    veil, and not to the hidden commodity. `creditor` is an account, or a seat for all accounts of the seat.
    """
    rulebook, state = moment.rulebook, moment.state
    names = Names(rulebook, state, language, register_at)
    creditors = {creditor, *(rulebook.accounts.accounts_of(creditor) if creditor in state.seats else ())}
    return tuple(
        _view(owed, rulebook.agreements.matters[owed.kind].in_language(language), names)
        for owed in _visible(moment)
        if debtor in {None, owed.debtor}
        and (creditor is None or owed.creditor in creditors)
        and commodity in {None, owed.commodity}
        and kind in {None, owed.kind}
    )


def _visible(moment: Moment) -> Iterable[Obligation]:
    """Return the obligations as the viewer may see them. Amounts under an equal veil are summed, like holdings."""
    visible: list[Obligation] = []
    veiled: dict[Obligation, int] = {}
    for owed in moment.rulebook.agreements.obligations(moment.state):
        if owed.audience.admits(moment.viewer):
            visible.append(owed)
        elif owed.commodity is not None and (veil := moment.rulebook.secrets.veil(owed.commodity)) is not None:
            cover = replace(owed, commodity=veil, amount=None)
            if cover not in veiled:
                visible.append(cover)
            veiled[cover] = veiled.get(cover, 0) + (owed.amount or 0)
    return [replace(owed, amount=veiled[owed]) if owed in veiled else owed for owed in visible]


def _view(owed: Obligation, matter: str, names: Names) -> ObligationView:
    return ObligationView(
        kind=owed.kind,
        label=speak(matter, owed, names.language, names.speakers),
        debtor=owed.debtor,
        debtor_name=names.seat(owed.debtor),
        creditor=owed.creditor,
        creditor_name=None if owed.creditor is None else names.account(owed.creditor),
        commodity=owed.commodity,
        commodity_name=None if owed.commodity is None else names.commodity(owed.commodity),
        amount=owed.amount,
        laid=owed.laid,
        about=owed.about,
        since=owed.since,
        due=owed.due,
        rule=names.rule(owed.rule),
        follows=owed.follows.in_language(names.language),
    )
