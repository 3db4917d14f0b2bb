"""The holdings of accounts at a moment, and agreements, as one viewer may see them."""

from __future__ import annotations

from typing import Any

import msgspec

from ledger.games.moments import Moment
from ledger.kernel.audience import Viewer
from ledger.kernel.plain import plain
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.seeing import seen_account
from ledger.kernel.state import State
from ledger.reading.naming import Names
from ledger.reading.statements import has_visible_movements


def accounts(rulebook: Rulebook[Any], state: State, viewer: Viewer) -> dict[str, dict[str, int]]:
    """The accounts with the holdings that the viewer may see. Accounts without a visible holding are left out."""
    shown: dict[str, dict[str, int]] = {}
    for account in sorted(account for account, _ in state.holdings.items()):
        visible = seen_account(rulebook, state, account, viewer)
        if visible:
            shown[account] = dict(visible)
    return shown


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
                found[collection].append(plain(agreement))
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
    return [plain(one) for one in page], page[-1].opened if len(found) > limit else None
