"""The holdings of accounts at a moment, and agreements, as one viewer may see them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from ledger.games.moments import Moment
from ledger.kernel.facts.audience import Audience, Viewer
from ledger.kernel.facts.plain import plain_once
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import seen_account, veiled
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.money.statements import has_visible_movements
from ledger.reading.words.naming import Names


class Holding(NamedTuple):
    """What one audience sees of an account, by commodity, sorted; and `veiled`, what all others see of it."""

    audience: Audience
    held: dict[str, int]
    veiled: dict[str, int]


class AllHoldings:
    """All holdings in one state, for any number of viewers. Each audience is asked for once."""

    def __init__(self, rulebook: Rulebook[Any], state: State) -> None:
        self._accounts = {
            account: _parts(rulebook, state, account) for account, _ in sorted(state.holdings.items())
        }

    def seen_by(self, viewer: Viewer) -> dict[str, dict[str, int]]:
        """The accounts with what the viewer sees of them (see `accounts`). Do not change what is given."""
        shown: dict[str, dict[str, int]] = {}
        sees_all = viewer.sees_all
        for account, parts in self._accounts.items():
            seen = [part.held if sees_all or part.audience.admits(viewer) else part.veiled for part in parts]
            if len(seen) == 1:
                if seen[0]:
                    shown[account] = seen[0]
            elif any(seen):
                shown[account] = _together(seen)
        return shown


def _parts(rulebook: Rulebook[Any], state: State, account: str) -> list[Holding]:
    """The holdings of an account by their audiences."""
    by_audience: dict[Audience, dict[str, int]] = {}
    for commodity, amount in state.holdings.account(account).items():
        audience = rulebook.holding_audience(state, account, commodity)
        by_audience.setdefault(audience, {})[commodity] = amount
    return [
        Holding(audience, dict(sorted(held.items())), veiled(rulebook, held, ()) if rulebook.veils else {})
        for audience, held in by_audience.items()
    ]


def _together(seen: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Several parts of an account in one; amounts under the same veil are added up."""
    added: dict[str, int] = {}
    for part in seen:
        for commodity, amount in part.items():
            added[commodity] = added.get(commodity, 0) + amount
    return {commodity: amount for commodity, amount in sorted(added.items()) if amount}


def accounts(rulebook: Rulebook[Any], state: State, viewer: Viewer) -> dict[str, dict[str, int]]:
    """The accounts with the holdings that the viewer may see. Accounts without a visible holding are left out."""
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


def known(
    rulebook: Rulebook[Any], state: State, viewer: Viewer
) -> tuple[tuple[KnownAccount, ...], tuple[KnownCommodity, ...]]:
    """The accounts and the commodities that a remedy may name, as far as the viewer may know of them, by id."""
    english, french = (Names(rulebook, state, language, "") for language in ("en", "fr"))
    movable = rulebook.movable(state, viewer)
    accounts = sorted({account for places in movable.values() for account in places})
    return (
        tuple(KnownAccount(one, Named(english.account(one), french.account(one))) for one in accounts),
        tuple(
            KnownCommodity(one, Named(english.commodity(one), french.commodity(one)), tuple(sorted(movable[one])))
            for one in sorted(movable)
        ),
    )


def seen_holdings(moment: Moment, account: str) -> dict[str, int] | None:
    """The holdings of one account that the viewer may see at the moment.

    The accounts of the seats are known to everybody, used or not: whether one was ever used may be a secret. None
    for an account that does not exist, and for any other account of which the viewer may see neither a holding nor
    a posting, by what is known now and at the moment.
    """
    held = dict(seen_account(moment.rulebook, moment.state, account, moment.viewer))
    of_a_seat = moment.rulebook.seat_of(moment.now, account) is not None
    if held or of_a_seat or has_visible_movements(moment.seen_at(None, None), account):
        return held
    if moment.known_at < moment.version and has_visible_movements(moment, account):
        return held
    return None


def open_agreements(rulebook: Rulebook[Any], state: State, viewer: Viewer) -> dict[str, list[dict[str, Any]]]:
    """The open agreements that the viewer may see, by collection, as plain data, in the order of their opening."""
    found: dict[str, list[dict[str, Any]]] = {collection: [] for collection in rulebook.agreement_types}
    seen = (one for one in rulebook.open_agreements(state) if rulebook.agreement_audience(one).admits(viewer))
    for agreement in sorted(seen, key=lambda one: one.opened):
        for collection, kind in rulebook.agreement_types.items():
            if isinstance(agreement, kind):
                found[collection].append(plain_once(agreement))
    return found


def agreements(
    moment: Moment, collection: str, *, only_open: bool, after: tuple[int, ...] = (), limit: int
) -> tuple[list[dict[str, Any]], tuple[int, ...] | None]:
    """A page of the agreements of a collection that the viewer may see, as plain data, in the order of opening.

    Gives the opening to go on `after`, too; None at the end.
    """
    rulebook, now = moment.rulebook, moment.now
    found = [
        agreement
        for agreement in rulebook.agreements(now, collection)
        if agreement.opened > after
        and not (only_open and rulebook.has_ended(now, agreement))
        and rulebook.agreement_audience(agreement).admits(moment.viewer)
    ]
    page = found[:limit]
    return [plain_once(one) for one in page], page[-1].opened if len(found) > limit else None
