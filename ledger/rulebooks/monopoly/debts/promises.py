"""Promises of trades: payments in a later round, and free stays. Both are holdings, issued by the bank.

A promised payment is the commodity "note:ana:7", of as many units as money: due when Ana's turn of round 7 begins.
A free stay is the commodity "stay:mayfair", and spares the holder one rent of the title, whoever owns the title.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.debts import debts
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cite, in_play, owner_of, pieces
from ledger.rulebooks.monopoly.table.terms import NOTE, STAY
from ledger.rulebooks.parts.seats import player as purse
from ledger.rulebooks.parts.trades import Leg, moved

chapter = Chapter("Promises")

MOST_STAYS = 100
MOST_PAID = 1_000_000_000
"""Largest number of free stays, and largest payment, in one promise."""


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class StayUsed(Event, frozen=True, kw_only=True):
    """A free stay spares its holder a rent."""

    en: ClassVar[str] = "{seat:seat} stays on {title:title} for nothing, as promised."
    fr: ClassVar[str] = "{seat:seat} séjourne gratuitement : {title:title}, comme promis."

    seat: str
    title: str


@chapter.event
class NoteDue(Event, frozen=True, kw_only=True):
    """A promised payment falls due."""

    en: ClassVar[str] = "{seat:seat} has promised {creditor:account} {amount:money} for round {round}."
    fr: ClassVar[str] = "{seat:seat} a promis {amount:money} à {creditor:account} pour le tour de table {round}."

    seat: str
    creditor: str
    amount: int
    round: int
    """The promised round."""


@chapter.event
class PromisesTaken(Event, frozen=True, kw_only=True):
    """What others have promised to a bankrupt goes to the creditor, or is void with the bank."""

    en: ClassVar[str] = "{heir:account} takes over {promises:each|pieces}."
    fr: ClassVar[str] = "{heir:account} reprend {promises:each|pieces}."

    seat: str
    heir: str
    promises: tuple[tuple[str, int], ...]
    """The commodities, with the amounts."""


@chapter.event
class PromisesVoided(Event, frozen=True, kw_only=True):
    """The payments promised by a bankrupt are void."""

    en: ClassVar[str] = "What {seat:seat} has promised is void: {promises:each|pieces}."
    fr: ClassVar[str] = "Ce que {seat:seat} avait promis est nul : {promises:each|pieces}."

    seat: str
    promises: tuple[tuple[str, int], ...]


# ----------------------------------------------------------------------------------------------
# Promises as things
# ----------------------------------------------------------------------------------------------


def is_promise(commodity: str) -> bool:
    """Return True for a free stay or a promised payment."""
    return commodity.startswith((STAY, NOTE))


def note_of(commodity: str) -> tuple[str, int] | None:
    """Return the debtor and the round of a promised payment; None for any other commodity."""
    debtor, _, round_ = commodity.removeprefix(NOTE).rpartition(":")
    is_note = commodity.startswith(NOTE) and bool(debtor) and round_.isascii() and round_.isdigit()
    return (debtor, int(round_)) if is_note and str(int(round_)) == round_ else None


def stay_of(commodity: str) -> str | None:
    """Return the title of a free stay; None for any other commodity."""
    return commodity.removeprefix(STAY) if commodity.startswith(STAY) else None


def issuer(state: Monopoly, commodity: str) -> str | None:
    """Return the seat of the player who makes a promise: the debtor of a payment, the owner of a title; None for a
    title of the bank.
    """
    title, payment = stay_of(commodity), note_of(commodity)
    return payment[0] if payment is not None else None if title is None else owner_of(state, title)


def held_by(state: Monopoly, seat: str) -> list[tuple[str, int]]:
    """Return the promises in the hands of a player, with the amounts, sorted."""
    balances = state.holdings.account(purse(seat))
    return sorted((thing, amount) for thing, amount in balances.items() if amount > 0 and is_promise(thing))


def require_promisable(draft: Draft, commodity: str, amount: int) -> None:
    """Refuse promises at a table without promises, unknown titles and players, rounds played, and huge amounts."""
    state, rule = draft.state, cite(draft.state, "trade_things")
    if not state.settings.promises:
        raise no_promises(state)
    title, payment = stay_of(commodity), note_of(commodity)
    is_known = title in pieces(state).titles if payment is None else payment[0] in in_play(state)
    if not is_known:
        raise Impossible(
            rule,
            "there is no promise {wrong!r}: a free stay is {stay!r}, a payment {paid!r}",
            "il n'y a pas de promesse {wrong!r} : un séjour gratuit est {stay!r}, un paiement {paid!r}",
            wrong=commodity,
            stay=f"{STAY}{next(iter(pieces(state).titles))}",
            paid=f"{NOTE}{state.round + 1}",
        )
    last = state.settings.rounds or None
    if payment is not None and (payment[1] < state.round or (last is not None and payment[1] > last)):
        raise Impossible(
            cite(state, "promise"),
            "nobody pays in round {wanted}: this is round {round}, and the last one is {last}"
            if last
            else "nobody pays in round {wanted}: this is round {round}",
            "personne ne paie au tour de table {wanted} : c'est le tour {round}, et le dernier est le {last}"
            if last
            else "personne ne paie au tour de table {wanted} : c'est le tour {round}",
            wanted=payment[1],
            round=state.round,
            last=last,
        )
    limit = MOST_STAYS if payment is None else MOST_PAID
    if amount > limit:
        raise Impossible(
            cite(state, "promise"),
            "a promise is for {most} at most, not for {amount}",
            "une promesse est de {most} au plus, et non de {amount}",
            most=limit,
            amount=amount,
        )


def no_promises(state: Monopoly) -> Impossible:
    """Return the refusal of promises by a table without promises."""
    return Impossible(
        cite(state, "no_loans"),
        "a trade is executed whole and at once: no loan, no promise, no rent forgone",
        "un échange s'exécute en entier et aussitôt : ni prêt, ni promesse, ni loyer abandonné",
    ).citing(cite(state, "no_waivers"), cite(state, "trade_things"))


def is_covered(state: Monopoly, leg: Leg) -> bool:
    """Return True if the giver of a promise may give it: as the issuer, or as its holder."""
    in_hand = state.holdings.of(purse(leg.giver), leg.commodity)
    return issuer(state, leg.commodity) == leg.giver or in_hand >= leg.amount


def posting_of(state: Monopoly, leg: Leg) -> Posting:
    """Return the posting of a leg. Promises begin and end at the bank."""
    if not is_promise(leg.commodity):
        return moved(leg)
    by = issuer(state, leg.commodity)
    source = BANK if by == leg.giver else purse(leg.giver)
    return Posting(leg.commodity, leg.amount, source, BANK if by == leg.taker else purse(leg.taker))


# ----------------------------------------------------------------------------------------------
# Keeping promises
# ----------------------------------------------------------------------------------------------


def spares(draft: Draft, lander: str, title: str) -> bool:
    """Use a free stay of a player on a title. Return False if the player has none."""
    thing = f"{STAY}{title}"
    if not draft.state.holdings.of(purse(lander), thing):
        return False
    used = (Posting(thing, 1, purse(lander), BANK),)
    draft.record(StayUsed(rule=cite(draft.state, "promise"), seat=lander, title=title, postings=used))
    return True


def fall_due(draft: Draft, seat: str, round_: int) -> None:
    """Charge a player whose turn begins the payments promised for the round, and for rounds missed."""
    if not draft.state.settings.promises:
        return
    rule = cite(draft.state, "promise")
    for promised, creditor, thing, amount in sorted(_owed(draft.state, seat)):
        if promised <= round_:
            back = (Posting(thing, amount, creditor, BANK),)
            draft.record(
                NoteDue(rule=rule, seat=seat, creditor=creditor, amount=amount, round=promised, postings=back)
            )
            debts.charge(draft, seat, creditor, amount, rule=rule, cause="promise")


def _owed(state: Monopoly, seat: str) -> Iterator[tuple[int, str, str, int]]:
    """Yield the payments promised by a player: round, holder, commodity and amount."""
    for holder in state.seats:
        for thing, amount in held_by(state, holder):
            payment = note_of(thing)
            if payment is not None and payment[0] == seat:
                yield payment[1], purse(holder), thing, amount


def pass_on(draft: Draft, seat: str, heir: str) -> None:
    """Settle the promises to a bankrupt, and void the payments promised by the bankrupt."""
    if not draft.state.settings.promises:
        return
    rule = cite(draft.state, "promise")
    hand = held_by(draft.state, seat)
    if hand:
        heirs = f"{NOTE}{heir.removeprefix('player:')}:"
        passed = tuple(
            Posting(thing, amount, purse(seat), BANK if thing.startswith(heirs) else heir)
            for thing, amount in hand
        )
        draft.record(PromisesTaken(rule=rule, seat=seat, heir=heir, promises=tuple(hand), postings=passed))
    owed = sorted(_owed(draft.state, seat))
    if owed:
        void = tuple(Posting(thing, amount, holder, BANK) for _, holder, thing, amount in owed)
        promises = tuple((thing, amount) for _, _, thing, amount in owed)
        draft.record(PromisesVoided(rule=rule, seat=seat, promises=promises, postings=void))


def in_hands(state: Monopoly) -> Iterable[tuple[str, str, int]]:
    """Return the promises of the table: holder, commodity and amount."""
    return [(seat, thing, amount) for seat in state.seats for thing, amount in held_by(state, seat)]
