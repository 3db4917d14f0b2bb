"""The origin of an amount: the postings that add up to a holding, with their actions."""

from __future__ import annotations

from datetime import datetime

import msgspec

from ledger.games.moments import Moment
from ledger.kernel.facts.accounts import BOX
from ledger.kernel.facts.events import kind_of
from ledger.kernel.facts.labels import ActionStatus, Name, Place, name_of
from ledger.kernel.journal.sight import seen, seen_account, sees_holding, sight
from ledger.kernel.journal.timeline import Standing
from ledger.kernel.language.sentences import speak
from ledger.reading.entries.consequences import corrections_of
from ledger.reading.money.movements import Movement, movements, searchable_commodity
from ledger.reading.money.statements import balance_after, has_visible_movements
from ledger.reading.words.naming import POSTING_ENDS, Citation, Names

Mark = tuple[Place, int]
"""The place of a posting: its action's place in the history, and its index among the action's postings."""


class PostingOrigin(msgspec.Struct, frozen=True, kw_only=True):
    """A posting that is part of the amount, with a signed amount, its action, and the balance after it."""

    action: Name
    """The name of the action: 57, an integer, or "60.1" for the first action that correction 60 inserted."""
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

    `amount` is the sum of `received` minus `given` over the `totals`, plus `unseen`. The sum without `unseen` is
    also `recorded` (what the postings moved as they were first recorded) plus the changes by the `corrections`.
    """

    account: str
    account_name: str
    commodity: str
    commodity_name: str
    at: Name
    known_at: int
    amount: int | None
    """The holding of the account; null when the viewer may not see it."""
    unseen: int | None
    """The part of the amount from postings that the viewer may not see; null when the amount is hidden."""
    recorded: int
    corrections: tuple[ChangedAmount, ...]
    totals: tuple[PostingTotal, ...]
    count: int
    """The number of visible postings that add up to the amount."""
    piece: UniquePiece | None
    postings: tuple[PostingOrigin, ...]
    """A page of these postings, newest first."""


def why(
    moment: Moment,
    account: str,
    commodity: str,
    *,
    register_at: str,
    language: str = "en",
    before: Mark | None = None,
    limit: int = 50,
) -> tuple[Why, Mark | None] | None:
    """The origin of an account's amount of a commodity, and the mark to go on `before`; None at the end.

    `register_at` is the address of the register of rules. None when the viewer may see nothing of the account: no
    holding and no posting, not even an undone one.
    """
    rulebook, viewer = moment.rulebook, moment.viewer
    names = Names(rulebook, moment.now, language, register_at)
    moved = _movements_of(moment, account, commodity)
    corrections = _changes_of(moment, account, commodity)
    if not moved and not corrections and not _sees_account(moment, account):
        return None
    held = _held(moment, account, commodity, is_veiled=any(one.is_veiled for _, one in moved))
    total = sum(one.amount for _, one in moved)
    older = [one for one in moved if before is None or one[0] < before]
    page = older[-limit:]
    walk = moment.walk()
    postings = [
        _origin(one, sight(one.standing, viewer).status, balance_after(moment, one, account, walk), names)
        for _, one in page
    ]
    is_piece = (
        sees_holding(rulebook, moment.state, BOX, commodity, viewer)
        and moment.state.holdings.of(BOX, commodity) == -1
    )
    return Why(
        account=account,
        account_name=names.account(account),
        commodity=commodity,
        commodity_name=names.commodity(commodity),
        at=moment.name,
        known_at=moment.known_at,
        amount=held,
        unseen=None if held is None else held - total,
        recorded=total - sum(one.change for one in corrections),
        corrections=tuple(corrections),
        totals=_totals([one for _, one in moved], names),
        count=len(moved),
        piece=_piece(moment, account, commodity, names) if is_piece else None,
        postings=tuple(reversed(postings)),
    ), (page[0][0] if len(older) > limit else None)


def _sees_account(moment: Moment, account: str) -> bool:
    """Whether the viewer may see anything of the account now, or whether the account is a seat's, used or not."""
    return (
        moment.rulebook.seat_of(moment.now, account) is not None
        or bool(seen_account(moment.rulebook, moment.now, account, moment.viewer))
        or has_visible_movements(moment.seen_at(None, None), account)
    )


def _movements_of(moment: Moment, account: str, commodity: str) -> list[tuple[Mark, Movement]]:
    """Every visible movement of the commodity from or to the account that counts."""
    moved: list[tuple[Mark, Movement]] = []
    running: dict[str, int] = {}
    for standing in _effective_actions(moment, commodity, account):
        shown = movements(standing, account, running, moment.now, moment.viewer)
        here = [one for one in shown if one.posting.commodity == commodity]
        moved += [((standing.place, index), one) for index, one in enumerate(here, start=1)]
    return moved


def _effective_actions(moment: Moment, commodity: str, account: str | None = None) -> list[Standing]:
    """The effective actions up to the moment that move the commodity (from or to the account, if given)."""
    sought = searchable_commodity(moment.rulebook, commodity, moment.viewer)
    moving = moment.game.history.effective_moving(sought, account, moment.at, moment.corrections)
    return [one for one in moving if one.place <= moment.through]


def _changes_of(moment: Moment, account: str, commodity: str) -> list[ChangedAmount]:
    """The corrections that changed the amount, oldest first."""
    found: list[ChangedAmount] = []
    for correction in corrections_of(moment):
        actions = tuple(
            ChangedAction(name_of(one.label), one.status, change)
            for one in correction.consequences
            if one.place <= moment.through and (change := one.change[account, commodity])
        )
        if actions:
            found.append(
                ChangedAmount(
                    correction=correction.number,
                    reason=correction.event.reason,
                    change=sum(one.change for one in actions),
                    actions=actions,
                )
            )
    return found


def _piece(moment: Moment, account: str, commodity: str, names: Names) -> UniquePiece:
    """The visible movements of a unique piece, and its holder.

    A card that players record may be recorded twice: then every viewer is told of the holder that they may see.
    """
    hands = [
        Handover(
            action=name_of(standing.label),
            number=standing.entry.number,
            recorded_at=standing.entry.recorded_at,
            kind=kind_of(event),
            sentence=speak(getattr(event, names.language), event, names.language, names.speakers),
            rule=names.rule(event.rule),
            source=posting.source,
            source_name=names.account(posting.source),
            target=posting.target,
            target_name=names.account(posting.target),
        )
        for standing in _effective_actions(moment, commodity)
        for event in (seen(moment.now, one, moment.viewer) for one in standing.events)
        if event is not None
        for posting in event.postings
        if posting.commodity == commodity
    ]
    state = moment.state
    holders = [
        one
        for one, held in state.holdings.items()
        if held.get(commodity, 0) > 0 and sees_holding(moment.rulebook, state, one, commodity, moment.viewer)
    ]
    holder = account if account in holders else min(holders, default=None)
    brought = [one for one in hands if one.target == account] if holder == account else []
    return UniquePiece(
        holder=holder,
        holder_name=None if holder is None else names.account(holder),
        brought_by=brought[-1] if brought else None,
        hands=tuple(hands),
    )


def _held(moment: Moment, account: str, commodity: str, *, is_veiled: bool) -> int | None:
    """The account's holding of a commodity, or under a veil; None when the viewer may not see it."""
    shown = seen_account(moment.rulebook, moment.state, account, moment.viewer).get(commodity)
    if shown is not None:
        return shown
    if is_veiled or sees_holding(moment.rulebook, moment.state, account, commodity, moment.viewer):
        return 0
    return None


def _origin(moved: Movement, status: str, balance: int | None, names: Names) -> PostingOrigin:
    standing, event = moved.standing, moved.event
    return PostingOrigin(
        action=name_of(standing.label),
        number=standing.entry.number,
        recorded_at=standing.entry.recorded_at,
        status=status,
        kind=kind_of(event),
        sentence=speak(getattr(event, names.language), event, names.language, names.speakers),
        rule=names.rule(event.rule),
        counterparty=moved.counterparty,
        counterparty_name=names.account(moved.counterparty),
        amount=moved.amount,
        balance=balance,
    )


def _totals(moved: list[Movement], names: Names) -> tuple[PostingTotal, ...]:
    """The totals by kind and counterparty, the largest first."""
    groups: dict[tuple[str, str], list[int]] = {}
    for one in moved:
        groups.setdefault((kind_of(one.event), one.counterparty), []).append(one.amount)
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
    return tuple(sorted(totals, key=lambda one: (-one.received - one.given, one.kind, one.counterparty)))
