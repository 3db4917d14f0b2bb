"""Holdings and agreements at a moment, as far as a viewer may see them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from ledger.games.moments import Moment
from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.audience import Audience, Viewer
from ledger.kernel.facts.plain import plain_once
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import sees_holding, veiled, visible_holdings
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.money.statements import has_visible_movements
from ledger.reading.words.naming import Names


class Holding(NamedTuple):
    """The holdings of an account with a common audience, by commodity. `veiled` is the view of everybody else."""

    audience: Audience
    amounts: dict[str, int]
    veiled: dict[str, int]


class AllHoldings:
    """All holdings in a state, for any number of viewers. The rulebook is asked once for each audience."""

    def __init__(self, rulebook: Rulebook[Any], state: State) -> None:
        self._accounts = {
            account: _parts(rulebook, state, account) for account, _ in sorted(state.holdings.items())
        }

    def seen_by(self, viewer: Viewer) -> dict[str, dict[str, int]]:
        """Return the visible holdings of each account (see `accounts`). The caller must not change the result."""
        visible: dict[str, dict[str, int]] = {}
        sees_all = viewer.sees_all
        for account, parts in self._accounts.items():
            visible_parts = [
                part.amounts if sees_all or part.audience.admits(viewer) else part.veiled for part in parts
            ]
            if len(visible_parts) == 1:
                if visible_parts[0]:
                    visible[account] = visible_parts[0]
            elif any(visible_parts):
                visible[account] = _together(visible_parts)
        return visible


def _parts(rulebook: Rulebook[Any], state: State, account: str) -> list[Holding]:
    """Group the holdings of an account by audience."""
    by_audience: dict[Audience, dict[str, int]] = {}
    for commodity, amount in state.holdings.account(account).items():
        audience = rulebook.secrets.holding_audience(state, account, commodity)
        by_audience.setdefault(audience, {})[commodity] = amount
    return [
        Holding(
            audience,
            dict(sorted(amounts.items())),
            veiled(rulebook.secrets, amounts, ()) if rulebook.secrets.veils else {},
        )
        for audience, amounts in by_audience.items()
    ]


def _together(parts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Merge several parts of an account. Amounts under the same veil are added."""
    added: dict[str, int] = {}
    for part in parts:
        for commodity, amount in part.items():
            added[commodity] = added.get(commodity, 0) + amount
    return {commodity: amount for commodity, amount in sorted(added.items()) if amount}


def accounts(rulebook: Rulebook[Any], state: State, viewer: Viewer) -> dict[str, dict[str, int]]:
    """Return the visible holdings by account. Accounts without a visible holding are left out."""
    return AllHoldings(rulebook, state).seen_by(viewer)


class Named(msgspec.Struct, frozen=True):
    """A name in English and French."""

    en: str
    fr: str


class KnownAccount(msgspec.Struct, frozen=True):
    """An account that a remedy may name, and its name; the name is the id where people have none for it."""

    account: str
    name: Named


class KnownCommodity(msgspec.Struct, frozen=True):
    """A commodity that a ruling may move, its name, and the accounts between which it moves."""

    commodity: str
    name: Named
    accounts: tuple[str, ...]


def remedy_names(
    rulebook: Rulebook[Any], state: State, viewer: Viewer
) -> tuple[tuple[KnownAccount, ...], tuple[KnownCommodity, ...]]:
    """Return the accounts and commodities known to the viewer that a remedy may name, sorted by id."""
    english, french = (Names(rulebook, state, language, "") for language in ("en", "fr"))
    movable = rulebook.accounts.movable(state)
    if movable is None:
        movable = _visible_pieces(rulebook, state, viewer)
    accounts = sorted({account for places in movable.values() for account in places})
    return (
        tuple(
            KnownAccount(identifier, Named(english.account(identifier), french.account(identifier)))
            for identifier in accounts
        ),
        tuple(
            KnownCommodity(
                identifier,
                Named(english.commodity(identifier), french.commodity(identifier)),
                tuple(sorted(movable[identifier])),
            )
            for identifier in sorted(movable)
        ),
    )


def _visible_pieces(rulebook: Rulebook[Any], state: State, viewer: Viewer) -> Mapping[str, Sequence[str]]:
    """Return the commodities visible to the viewer, each with all accounts known to the viewer."""
    accounts = [BANK, *(account for seat in state.seats for account in rulebook.accounts.accounts_of(seat))]
    commodities = {rulebook.accounts.currency}
    for account, balances in state.holdings.items():
        visible = {item for item in balances if sees_holding(rulebook.secrets, state, account, item, viewer)}
        commodities |= visible
        if visible and account not in accounts:
            accounts.append(account)
    return dict.fromkeys(sorted(commodities), tuple(accounts))


def seen_holdings(moment: Moment, account: str) -> dict[str, int] | None:
    """Return the holdings of an account that the viewer may see at the moment.

    Everybody knows the accounts of the seats, used or not: the use of an account may be a secret. Returns None
    for any account without a seat if the viewer may see neither a holding nor a posting of the account, by the
    knowledge of today and of the moment.
    """
    visible = dict(visible_holdings(moment.rulebook.secrets, moment.state, account, moment.viewer))
    of_a_seat = moment.rulebook.accounts.seat_of(moment.newest, account) is not None
    if visible or of_a_seat or has_visible_movements(moment.seen_at(None, None), account):
        return visible
    if moment.known_at < moment.version and has_visible_movements(moment, account):
        return visible
    return None


def open_agreements(rulebook: Rulebook[Any], state: State, viewer: Viewer) -> dict[str, list[dict[str, Any]]]:
    """Return the open agreements visible to the viewer, by collection, as plain data, in the order of opening."""
    by_collection: dict[str, list[dict[str, Any]]] = {
        collection: [] for collection in rulebook.agreements.agreement_types
    }
    visible = (
        candidate
        for candidate in rulebook.agreements.open_agreements(state)
        if rulebook.secrets.agreement_audience(candidate).admits(viewer)
    )
    for agreement in sorted(visible, key=lambda candidate: candidate.opened):
        for collection, kind in rulebook.agreements.agreement_types.items():
            if isinstance(agreement, kind):
                by_collection[collection].append(plain_once(agreement))
    return by_collection


def agreements(
    moment: Moment, collection: str, *, only_open: bool, cursor: tuple[int, ...] = (), limit: int
) -> tuple[list[dict[str, Any]], tuple[int, ...] | None]:
    """Return a page of the visible agreements of a collection, as plain data, in the order of opening.

    The second value is the opening for the next page's `cursor`, or None at the end.
    """
    rulebook, current = moment.rulebook, moment.newest
    matches = [
        agreement
        for agreement in rulebook.agreements.of(current, collection)
        if agreement.opened > cursor
        and not (only_open and rulebook.agreements.has_ended(current, agreement))
        and rulebook.secrets.agreement_audience(agreement).admits(moment.viewer)
    ]
    page = matches[:limit]
    return [plain_once(listed) for listed in page], page[-1].opened if len(matches) > limit else None
