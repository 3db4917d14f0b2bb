"""The origin of an amount: the postings that add up to a holding, with their actions."""

from __future__ import annotations

from datetime import datetime

import msgspec

from ledger.games.moments import Moment
from ledger.kernel.facts.accounts import BOX
from ledger.kernel.facts.events import kind_of
from ledger.kernel.facts.labels import ActionStatus, Name, Place, name_of
from ledger.kernel.journal.sight import sees_holding, view_event, visible_entry, visible_holdings
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.reading.entries.consequences import corrections_of
from ledger.reading.money.movements import Movement, movements, searchable_commodity
from ledger.reading.money.obligations import ObligationView, of_account
from ledger.reading.money.statements import balance_after, has_visible_movements
from ledger.reading.words.naming import POSTING_ENDS, Citation, Names

Mark = tuple[Place, int]
"""The place of a posting: its action's place in the history, and its index among the action's postings."""


class PostingOrigin(msgspec.Struct, frozen=True, kw_only=True):
    """A posting that is part of the amount, with a signed amount, its action, and the balance after it."""

    action: Name
    """The name of the action: 57, an integer, or "60.1" for the first action inserted by correction 60."""
    number: int
    recorded_at: datetime
    status: ActionStatus
    kind: str
    sentence: str
    rule: Citation
    counterparty: str
    counterparty_name: str
    amount: int
    balance: int | None
    """Null when the viewer may see the posting but not the holding."""


class PostingTotal(msgspec.Struct, frozen=True, kw_only=True):
    """The total of the postings of one kind of event with one counterparty: their count, and both directions."""

    kind: str
    counterparty: str
    counterparty_name: str
    count: int
    received: int
    given: int


class ChangedAction(msgspec.Struct, frozen=True):
    """An action's status after a correction, and how much the action changed the amount."""

    action: Name
    status: ActionStatus
    change: int


class ChangedAmount(msgspec.Struct, frozen=True, kw_only=True):
    """A correction that changed the amount: by how much, its reason, and the actions that it changed."""

    correction: int
    reason: str
    change: int
    actions: tuple[ChangedAction, ...]


class Handover(msgspec.Struct, frozen=True, kw_only=True, rename=POSTING_ENDS):
    """A posting that moves a unique piece from one account to another."""

    action: Name
    number: int
    recorded_at: datetime
    kind: str
    sentence: str
    rule: Citation
    source: str
    source_name: str
    target: str
    target_name: str


class UniquePiece(msgspec.Struct, frozen=True, kw_only=True):
    """A unique piece, such as a title: its holder, how the holder got it, and all its movements in order."""

    holder: str | None
    holder_name: str | None
    brought_by: Handover | None
    """The last movement to the account; null when the account does not hold the piece."""
    hands: tuple[Handover, ...]


class Why(msgspec.Struct, frozen=True, kw_only=True):
    """The origin of an amount.

    `amount` is the sum of `received` minus `given` over the `totals`, plus `unseen`. The sum without `unseen`
    is also `recorded` (the amount moved by the postings as first recorded) plus the changes by the
    `corrections`.
    """

    account: str
    account_name: str
    commodity: str
    commodity_name: str
    at: Name
    known_at: int
    amount: int | None
    """The holding of the account; null if hidden from the viewer."""
    unseen: int | None
    """The part of the amount from postings hidden from the viewer; null when the amount is hidden."""
    recorded: int
    corrections: tuple[ChangedAmount, ...]
    totals: tuple[PostingTotal, ...]
    count: int
    """The number of visible postings in the amount."""
    piece: UniquePiece | None
    postings: tuple[PostingOrigin, ...]
    """A page of these postings, newest first."""
    owes: tuple[ObligationView, ...]
    """The amounts of the commodity that the seat of the account owes, at the moment."""
    owed: tuple[ObligationView, ...]
    """The amounts of the commodity owed to the account, at the moment."""


def why(
    moment: Moment,
    account: str,
    commodity: str,
    *,
    register_at: str,
    language: str = "en",
    cursor: Mark | None = None,
    limit: int = 50,
) -> tuple[Why, Mark | None] | None:
    """Return the origin of an account's amount of a commodity, and the mark for the next `cursor`, or None.

    `register_at` is the address of the register of rules. The result is None if the viewer may see nothing of
    the account: no holding and no posting, not even an undone posting.
    """
    rulebook, viewer = moment.rulebook, moment.viewer
    names = Names(rulebook, moment.newest, language, register_at)
    moved = _movements_of(moment, account, commodity)
    corrections = _changes_of(moment, account, commodity)
    if not moved and not corrections and not _sees_account(moment, account):
        return None
    visible_amount = _visible_amount(
        moment, account, commodity, is_veiled=any(item.is_veiled for _, item in moved)
    )
    total = sum(item.amount for _, item in moved)
    older = [item for item in moved if cursor is None or item[0] < cursor]
    page = older[-limit:]
    walk = moment.walk()
    postings = [
        _origin(
            item,
            visible_entry(item.timeline_entry, viewer).status,
            balance_after(moment, item, account, walk),
            names,
        )
        for _, item in page
    ]
    is_piece = (
        sees_holding(rulebook.secrets, moment.state, BOX, commodity, viewer)
        and moment.state.holdings.of(BOX, commodity) == -1
    )
    owes, owed = of_account(moment, language, account, commodity)
    return Why(
        account=account,
        account_name=names.account(account),
        commodity=commodity,
        commodity_name=names.commodity(commodity),
        at=moment.name,
        known_at=moment.known_at,
        amount=visible_amount,
        unseen=None if visible_amount is None else visible_amount - total,
        recorded=total - sum(item.change for item in corrections),
        corrections=tuple(corrections),
        totals=_totals([item for _, item in moved], names),
        count=len(moved),
        piece=_piece(moment, account, commodity, names) if is_piece else None,
        postings=tuple(reversed(postings)),
        owes=owes,
        owed=owed,
    ), (page[0][0] if len(older) > limit else None)


def _sees_account(moment: Moment, account: str) -> bool:
    """Return True if the viewer may see any part of the account now, or if the account is a seat's.

    The use of a seat's account may be a secret.
    """
    return (
        moment.rulebook.accounts.seat_of(moment.newest, account) is not None
        or bool(visible_holdings(moment.rulebook.secrets, moment.newest, account, moment.viewer))
        or has_visible_movements(moment.seen_at(None, None), account)
    )


def _movements_of(moment: Moment, account: str, commodity: str) -> list[tuple[Mark, Movement]]:
    """Return every visible movement that counts of the commodity from or to the account."""
    moved: list[tuple[Mark, Movement]] = []
    running: dict[str, int] = {}
    for timeline_entry in _effective_actions(moment, commodity, account):
        visible = movements(timeline_entry, account, running, moment.newest, moment.viewer)
        matching = [movement for movement in visible if movement.posting.commodity == commodity]
        moved += [((timeline_entry.position, index), movement) for index, movement in enumerate(matching, start=1)]
    return moved


def _effective_actions(moment: Moment, commodity: str, account: str | None = None) -> list[TimelineEntry]:
    """Return the effective actions up to the moment that move the commodity (from or to the account, if given)."""
    sought = searchable_commodity(moment.rulebook, commodity, moment.viewer)
    moving = moment.game.history.effective_moving(sought, account, moment.at, moment.corrections)
    return [action for action in moving if action.position <= moment.through]


def _changes_of(moment: Moment, account: str, commodity: str) -> list[ChangedAmount]:
    """Return the corrections that changed the amount, oldest first."""
    changes: list[ChangedAmount] = []
    for correction in corrections_of(moment):
        actions = tuple(
            ChangedAction(name_of(item.label), item.status, change)
            for item in correction.consequences
            if item.place <= moment.through and (change := item.change[account, commodity])
        )
        if actions:
            changes.append(
                ChangedAmount(
                    correction=correction.number,
                    reason=correction.event.reason,
                    change=sum(item.change for item in actions),
                    actions=actions,
                )
            )
    return changes


def _piece(moment: Moment, account: str, commodity: str, names: Names) -> UniquePiece:
    """Return the visible movements of a unique piece, and its holder.

    Players may record a card twice: every viewer then gets the holder visible to the viewer.
    """
    hands = [
        Handover(
            action=name_of(timeline_entry.label),
            number=timeline_entry.entry.number,
            recorded_at=timeline_entry.entry.recorded_at,
            kind=kind_of(event),
            sentence=event.sentence(names.language, names.speakers),
            rule=names.rule(event.rule),
            source=posting.source,
            source_name=names.account(posting.source),
            target=posting.target,
            target_name=names.account(posting.target),
        )
        for timeline_entry in _effective_actions(moment, commodity)
        for event in (view_event(moment.newest, item, moment.viewer) for item in timeline_entry.events)
        if event is not None
        for posting in event.postings
        if posting.commodity == commodity
    ]
    state = moment.state
    holders = [
        item
        for item, amounts in state.holdings.items()
        if amounts.get(commodity, 0) > 0
        and sees_holding(moment.rulebook.secrets, state, item, commodity, moment.viewer)
    ]
    holder = account if account in holders else min(holders, default=None)
    brought = [item for item in hands if item.target == account] if holder == account else []
    return UniquePiece(
        holder=holder,
        holder_name=None if holder is None else names.account(holder),
        brought_by=brought[-1] if brought else None,
        hands=tuple(hands),
    )


def _visible_amount(moment: Moment, account: str, commodity: str, *, is_veiled: bool) -> int | None:
    """Return the account's holding of a commodity, or of a veil. None if hidden from the viewer."""
    visible = visible_holdings(moment.rulebook.secrets, moment.state, account, moment.viewer).get(commodity)
    if visible is not None:
        return visible
    if is_veiled or sees_holding(moment.rulebook.secrets, moment.state, account, commodity, moment.viewer):
        return 0
    return None


def _origin(moved: Movement, status: str, balance: int | None, names: Names) -> PostingOrigin:
    timeline_entry, event = moved.timeline_entry, moved.event
    return PostingOrigin(
        action=name_of(timeline_entry.label),
        number=timeline_entry.entry.number,
        recorded_at=timeline_entry.entry.recorded_at,
        status=status,
        kind=kind_of(event),
        sentence=event.sentence(names.language, names.speakers),
        rule=names.rule(event.rule),
        counterparty=moved.counterparty,
        counterparty_name=names.account(moved.counterparty),
        amount=moved.amount,
        balance=balance,
    )


def _totals(moved: list[Movement], names: Names) -> tuple[PostingTotal, ...]:
    """Return the totals by kind and counterparty, the largest first."""
    groups: dict[tuple[str, str], list[int]] = {}
    for item in moved:
        groups.setdefault((kind_of(item.event), item.counterparty), []).append(item.amount)
    totals = [
        PostingTotal(
            kind=kind,
            counterparty=counterparty,
            counterparty_name=names.account(counterparty),
            count=len(amounts),
            received=sum(amount for amount in amounts if amount > 0),
            given=-sum(amount for amount in amounts if amount < 0),
        )
        for (kind, counterparty), amounts in groups.items()
    ]
    return tuple(sorted(totals, key=lambda item: (-item.received - item.given, item.kind, item.counterparty)))
