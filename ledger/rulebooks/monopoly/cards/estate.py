"""Effects on titles (taken, bought, given, exchanged, lost, auctioned) and on buildings (put up, lost).

A title is free for a card while no building stands in the group. A gain may be left, a loss may not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.debts import debts
from ledger.rulebooks.monopoly.houses import building
from ledger.rulebooks.monopoly.houses.places import can_place, next_piece, price_of, stock_of
from ledger.rulebooks.monopoly.table.effects import (
    AuctionTitle,
    BuildOn,
    BuyTitle,
    GiveTitle,
    LoseBuilding,
    LoseTitle,
    PricedEffect,
    SwapTitles,
    TakeTitle,
)
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    cite,
    group_of,
    has_hotel,
    in_play,
    is_built,
    is_mortgaged,
    level,
    owner_of,
    pieces,
    titles_of,
)
from ledger.rulebooks.monopoly.table.terms import (
    BUILDINGS,
    HOTEL,
    HOUSE,
    MORTGAGE,
    STOCK,
    TOWER,
    Building,
    Choosing,
    Lot,
    Task,
)
from ledger.rulebooks.parts import titles
from ledger.rulebooks.parts.seats import player as purse

chapter = Chapter("Titles by cards")

Estate = TakeTitle | BuyTitle | GiveTitle | SwapTitles | LoseTitle | AuctionTitle | BuildOn | LoseBuilding
MAY_LEAVE = (TakeTitle, BuyTitle, SwapTitles, BuildOn)
"""The effects with a gain, left at will."""


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class TitleHanded(Event, frozen=True, kw_only=True):
    """A title changes hands by a card; a mortgage stays, and is lifted at the bank."""

    en: ClassVar[str] = "{title:title} goes from {source:account} to {target:account}, as the card says."
    fr: ClassVar[str] = "{title:title} passe {source:de|account} à {target:account}, comme le dit la carte."

    title: str
    source: str
    target: str


@chapter.event
class TitlePaidOut(Event, frozen=True, kw_only=True):
    """The bank pays a player for a title taken away by a card."""

    en: ClassVar[str] = "{seat:seat} receives {amount:money} from the bank for it."
    fr: ClassVar[str] = "{seat:seat} reçoit {amount:money} de la banque pour cela."

    seat: str
    amount: int


@chapter.event
class TitlePutUp(Event, frozen=True, kw_only=True):
    """A card has a title of the bank auctioned."""

    en: ClassVar[str] = "{title:title} is to be auctioned, as the card says."
    fr: ClassVar[str] = "{title:title} est à mettre aux enchères, comme le dit la carte."

    seat: str
    title: str

    def apply(self, state: Monopoly) -> None:
        """Append the title to the lots."""
        state.lots = (*state.lots, Lot(kind="title", cause="declined", title=self.title))


@chapter.event
class BuildingLost(Event, frozen=True, kw_only=True):
    """A building of a title goes back to the bank by a card, the last built first; nothing is paid."""

    en: ClassVar[str] = "{seat:seat} loses from {title:title}: {piece:goods}, as the card says."
    fr: ClassVar[str] = "{seat:seat} perd sur {title:title} : {piece:goods}, comme le dit la carte."

    seat: str
    title: str
    piece: Building

    def apply(self, state: Monopoly) -> None:
        """Drop the last price paid."""
        paid = state.costs.pop(self.title, ())[: level(state, self.title)]
        if paid:
            state.costs[self.title] = paid


@chapter.event
class NothingToChoose(Event, frozen=True, kw_only=True):
    """Nothing on the table is fit for the order of a card."""

    en: ClassVar[str] = "There is nothing on the table for {seat:seat} to choose: nothing happens."
    fr: ClassVar[str] = "Il n'y a rien à choisir sur la table pour {seat:seat} : rien ne se passe."

    seat: str


# ----------------------------------------------------------------------------------------------
# What may be chosen
# ----------------------------------------------------------------------------------------------


def titles_for(state: Monopoly, task: Task, effect: Estate) -> list[str]:
    """Return the titles to choose from for the effect, in the order of the board."""
    seat = task.whom
    match effect:
        case BuildOn():
            return [
                title for title in _sites(state, seat) if _costs(state, title, effect) <= debts.spare(state, seat)
            ]
        case LoseBuilding():
            return _losable(state, seat)
        case AuctionTitle():
            return _of_bank(state, effect.of)
        case GiveTitle() | LoseTitle():
            return _of_players(state, (seat,), effect.of)
        case SwapTitles():
            return _of_players(state, _others(state, task), effect.of) if gifts_for(state, task, effect) else []
        case TakeTitle(source="player"):
            offered = _of_players(state, _others(state, task), effect.of)
        case _:
            offered = _of_bank(state, effect.of)
    return [title for title in offered if _costs(state, title, effect) <= debts.spare(state, seat)]


def gifts_for(state: Monopoly, task: Task, effect: SwapTitles) -> list[str]:
    """Return the titles open to a player to give in exchange."""
    return _of_players(state, (task.whom,), effect.of)


def by_price(state: Monopoly, offered: Iterable[str]) -> list[str]:
    """Return titles by printed price, the cheapest first; in the order of the board for equal prices."""
    return sorted(offered, key=lambda title: pieces(state).titles[title].price)


def _others(state: Monopoly, task: Task) -> list[str]:
    return [seat for seat in in_play(state) if seat != task.whom and seat not in task.spared]


def _is_meant(state: Monopoly, title: str, of: str | UnsetType) -> bool:
    """Return True if a title is of the group, the kind or the name, without a building in the group."""
    square = pieces(state).titles[title]
    return (of is UNSET or of in {square.id, square.group, square.kind}) and not is_built(
        state, group_of(state, title)
    )


def _of_players(state: Monopoly, seats: Iterable[str], of: str | UnsetType) -> list[str]:
    owned = {title for seat in seats for title in titles_of(state, seat)}
    return [title for title in pieces(state).titles if title in owned and _is_meant(state, title, of)]


def _of_bank(state: Monopoly, of: str | UnsetType) -> list[str]:
    """Return the titles of the bank, neither on offer to a player nor in an auction."""
    busy = {lot.title for lot in state.lots}
    if state.auction is not None:
        busy.add(state.auction.lot.title)
    if state.landing is not None and state.landing.todo == "buy":
        busy.add(pieces(state).squares[state.landing.square].id)
    owned = titles.owners_of(state)
    return [
        title
        for title in pieces(state).titles
        if title not in owned and title not in busy and _is_meant(state, title, of)
    ]


def _sites(state: Monopoly, seat: str) -> list[str]:
    """Return the legal sites for the next piece, out of the stock of the bank."""
    return [
        title
        for title in titles_of(state, seat)
        if stock_of(state, piece := next_piece(state, title)) and can_place(state, seat, title, piece)
    ]


def _losable(state: Monopoly, seat: str) -> list[str]:
    """Return the titles able to lose a building evenly; a hotel only with enough houses in the bank."""
    houses = stock_of(state, HOUSE) >= state.settings.houses_per_hotel
    return [
        title
        for title in titles_of(state, seat)
        if level(state, title)
        and (state.settings.build_unevenly or _is_highest(state, seat, title))
        and (houses or not has_hotel(state, title) or titles.lies_on(state, title, TOWER))
    ]


def _is_highest(state: Monopoly, seat: str, title: str) -> bool:
    """Return True if no other title of the player in the group is built higher."""
    built = level(state, title)
    return all(
        level(state, member) <= built for member in group_of(state, title) if owner_of(state, member) == seat
    )


def _costs(state: Monopoly, title: str, effect: Estate) -> int:
    """Return the price of an effect for a title; a share of a price is rounded up."""
    if not isinstance(effect, PricedEffect):
        return 0
    if effect.price is not UNSET:
        return effect.price
    building_next = isinstance(effect, BuildOn)
    printed = (
        price_of(state, title, next_piece(state, title)) if building_next else pieces(state).titles[title].price
    )
    whole = (1, 1) if isinstance(effect, BuyTitle) else (0, 1)
    part, of = whole if effect.share is UNSET else effect.share
    return -(-printed * part // of)


# ----------------------------------------------------------------------------------------------
# Carrying out
# ----------------------------------------------------------------------------------------------


def carry_out(draft: Draft, task: Task, effect: Estate) -> Choosing | tuple[Task, ...]:
    """Return the next choice for an effect; or else carry out the effect, and return the rest."""
    state, seat = draft.state, task.whom
    offered = titles_for(state, task, effect)
    if not offered or (task.title and task.title not in offered):
        if not task.done:
            draft.record(NothingToChoose(rule=_rule(state, effect), seat=seat))
        return ()
    if not task.title:
        fixed = _fixed(state, effect, offered)
        if fixed is None:
            return Choosing(ask="title", seat=_chooser(task, effect), task=task)
        task = replace(task, title=fixed)
    match effect:
        case BuildOn():
            return _build(draft, task, effect)
        case LoseBuilding():
            return _lose_building(draft, task, effect)
        case AuctionTitle():
            draft.record(TitlePutUp(rule=_rule(state, effect), seat=seat, title=task.title))
            return ()
        case LoseTitle():
            amount = _costs(state, task.title, effect)
            _hand(draft, task.title, purse(seat), BANK)
            _pay(draft, BANK, seat, amount)
            return ()
        case GiveTitle():
            return _give(draft, task, effect)
        case SwapTitles() if not task.counterpart:
            return Choosing(ask="given", seat=seat, task=task)
        case _:
            return _gain(draft, task, effect)


def _rule(state: Monopoly, effect: Estate) -> str:
    return cite(state, "card_house" if isinstance(effect, BuildOn | LoseBuilding) else "card_title")


def _chooser(task: Task, effect: Estate) -> str:
    """Return the seat with the choice of the title."""
    return task.seat if getattr(effect, "chooser", "owner") == "drawer" else task.whom


def _fixed(state: Monopoly, effect: Estate, offered: list[str]) -> str | None:
    """Return the title named by the card, or the only candidate of a mandatory choice; None for a choice."""
    which = getattr(effect, "which", "chosen")
    if which != "chosen":
        return by_price(state, offered)[0 if which == "cheapest" else -1]
    return offered[0] if len(offered) == 1 and not isinstance(effect, MAY_LEAVE) else None


def _hand(draft: Draft, title: str, source: str, target: str) -> None:
    """Record the transfer of a title; at the bank the title is free of mortgage."""
    lifted = target == BANK and is_mortgaged(draft.state, title)
    draft.record(
        TitleHanded(
            rule=cite(draft.state, "card_title"),
            title=title,
            source=source,
            target=target,
            postings=(
                *((Posting(MORTGAGE, 1, titles.attached(title), BANK),) if lifted else ()),
                titles.title_posting(title, source, target),
            ),
        )
    )


def _pay(draft: Draft, source: str, seat: str, amount: int) -> None:
    """Have the bank pay a player."""
    if amount:
        draft.record(
            TitlePaidOut(
                rule=cite(draft.state, "card_title"),
                seat=seat,
                amount=amount,
                postings=draft.move(draft.state.edition.currency, amount, source, purse(seat)),
            )
        )


def _give(draft: Draft, task: Task, effect: GiveTitle) -> Choosing | tuple[Task, ...]:
    takers = _others(draft.state, task)
    if effect.to != "chosen":
        order = in_play(draft.state)
        step = 1 if effect.to == "next" else -1
        task = replace(task, player=order[(order.index(task.whom) + step) % len(order)])
    elif not task.player and len(takers) > 1:
        return Choosing(ask="player", seat=task.whom, task=task)
    taker = task.player or next(iter(takers), "")
    if taker in takers:
        _hand(draft, task.title, purse(task.whom), purse(taker))
    return ()


def _gain(draft: Draft, task: Task, effect: TakeTitle | BuyTitle | SwapTitles) -> Choosing | tuple[Task, ...]:
    """Take or exchange a title, after the owner's consent if the card requires consent."""
    state, seat, rule = draft.state, task.whom, _rule(draft.state, effect)
    owner = owner_of(state, task.title)
    if owner is not None and not isinstance(effect, BuyTitle) and effect.consent and not task.agreed:
        return Choosing(ask="consent", seat=owner, task=task)
    if isinstance(effect, SwapTitles) and task.counterpart not in gifts_for(state, task, effect):
        draft.record(NothingToChoose(rule=rule, seat=seat))
        return ()
    source = BANK if owner is None else purse(owner)
    amount = _costs(state, task.title, effect)
    debts.charge(draft, seat, source, amount, rule=rule, cause="card", title=task.title)
    _hand(draft, task.title, source, purse(seat))
    if task.counterpart:
        _hand(draft, task.counterpart, purse(seat), source)
    return ()


def _build(draft: Draft, task: Task, effect: BuildOn) -> tuple[Task, ...]:
    state, seat = draft.state, task.whom
    square, piece, price = pieces(state).titles[task.title], next_piece(state, task.title), 0
    price = _costs(state, task.title, effect)
    paid = draft.move(state.edition.currency, price, purse(seat), BANK) if price else ()
    building.put_piece(draft, seat, square, piece, price=price, rule=_rule(state, effect), paid=paid)
    return _again(task, effect)


def _lose_building(draft: Draft, task: Task, effect: LoseBuilding) -> tuple[Task, ...]:
    state, seat, lot = draft.state, task.whom, titles.attached(task.title)
    piece = next(piece for piece in reversed(BUILDINGS) if titles.lies_on(state, task.title, piece))
    back = (Posting(HOUSE, state.settings.houses_per_hotel, STOCK, lot),) if piece == HOTEL else ()
    draft.record(
        BuildingLost(
            rule=_rule(state, effect),
            seat=seat,
            title=task.title,
            piece=piece,
            postings=(Posting(piece, 1, lot, STOCK), *back),
        )
    )
    return _again(task, effect)


def _again(task: Task, effect: BuildOn | LoseBuilding) -> tuple[Task, ...]:
    """Return the same effect for the next of several buildings."""
    done = task.done + 1
    return (replace(task, title="", done=done),) if done < effect.count else ()
