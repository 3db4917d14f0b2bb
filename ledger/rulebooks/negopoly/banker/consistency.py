"""What must fit together at a table of Negopoly, beyond what holdings alone guarantee.

The actions of the game never leave it otherwise. A correction that keeps later actions may, and it says so;
`adjust` is refused by the rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ledger.kernel.facts.consistency import Inconsistency
from ledger.rulebooks.negopoly.agreements import bounties, contracts
from ledger.rulebooks.negopoly.cards import decks, weather
from ledger.rulebooks.negopoly.estate.houses import MOST_HOUSES
from ledger.rulebooks.negopoly.goods import deliveries
from ledger.rulebooks.negopoly.mercenaries.hacks import HACK
from ledger.rulebooks.negopoly.mercenaries.strikes import DEFENCE
from ledger.rulebooks.negopoly.squares.spawn import LICENCE
from ledger.rulebooks.negopoly.table.pieces import TITLES
from ledger.rulebooks.negopoly.table.state import Negopoly
from ledger.rulebooks.negopoly.table.terms import MONEY, Bounty, Contract, Delivery, attached, deed, player
from ledger.rulebooks.parts.titles import owners_of


def inconsistencies(state: Negopoly) -> Iterator[Inconsistency]:
    """What breaks a limit, or has lost what it belongs to: titles, players, the turn, cards, agreements."""
    yield from _titles(state)
    for seat in state.seats:
        yield from _inventory(state, seat)
        if seat in state.eliminated:
            yield from _left_behind(state, seat)
    turn = state.turn
    if turn is not None and turn.seat in state.eliminated:
        yield _found(
            "II.2",
            "turn",
            "it is the turn of {name}, who is out of the game",
            "c'est le tour de {name}, qui est hors de la partie",
            name=state.seats[turn.seat].name,
        )
    active = len(state.holdings.account(decks.WEATHER))
    if active > weather.MOST:
        yield _found(
            "VI.A.8",
            "weather",
            "{active} Météo cards are active, and {most} may be",
            "{active} cartes Météo sont actives, et il y en a {most} au plus",
            active=active,
            most=weather.MOST,
        )
    for card in decks.cards_of(state):
        if state.holdings.of(decks.pile(card.deck), card.commodity) < 0:
            yield _found(
                "I.C.6",
                card.commodity,
                "{card} was drawn again while the journal had it elsewhere: one of the two records is wrong",
                "{carte} a été tirée de nouveau alors que le journal l'a ailleurs : un des deux relevés est faux",
                told=(),
                card=card.title.said("en"),
                carte=card.title.said("fr"),
            )
    yield from _agreements(state)


# ----------------------------------------------------------------------------------------------
# Titles
# ----------------------------------------------------------------------------------------------

_LIMITS: Mapping[str, tuple[int, str, str, str]] = {
    "house": (
        MOST_HOUSES,
        "V.C.2",
        "{title} has {count} houses, and takes {most} at most",
        "{title} a {count} maisons, et en prend {most} au plus",
    ),
    "mortgage": (
        1,
        "V.B.1",
        "{title} is mortgaged {count} times, and once is all there is",
        "{title} est hypothéqué {count} fois, et ne peut l'être qu'une",
    ),
    "squat": (
        1,
        "IX.B.7",
        "{title} is squatted {count} times, and once is all there is",
        "{title} est squatté {count} fois, et ne peut l'être qu'une",
    ),
}
"""How many of a thing a title takes, by which rule, and what is said of more."""


def _titles(state: Negopoly) -> Iterator[Inconsistency]:
    owners = owners_of(state)
    for title in TITLES.values():
        lying = state.holdings.account(attached(title.id))
        for thing, (most, rule, en, fr) in _LIMITS.items():
            count = lying.get(thing, 0)
            if count > most:
                yield _found(rule, f"{thing}:{title.id}", en, fr, title=title.name, count=count, most=most)
        if title.id in owners:
            continue
        for thing, (en, fr) in _OF_AN_OWNER.items():
            if count := sum(amount for one, amount in lying.items() if one.partition(":")[0] == thing):
                yield _found(
                    "V.B.10",
                    f"bank:{thing}:{title.id}",
                    en,
                    fr,
                    told=() if thing == DEFENCE else None,
                    title=title.name,
                    count=count,
                    houses="house stands" if count == 1 else "houses stand",
                    maisons="maison" if count == 1 else "maisons",
                )


_OF_AN_OWNER: Mapping[str, tuple[str, str]] = {
    "house": (
        "{title} belongs to the bank, and {count} {houses} on it",
        "{title} est à la banque, et porte {count} {maisons}",
    ),
    "mortgage": ("{title} belongs to the bank, and is mortgaged", "{title} est à la banque, et est hypothéqué"),
    "squat": ("{title} belongs to the bank, and is squatted", "{title} est à la banque, et est squatté"),
    DEFENCE: (
        "{title} belongs to the bank, and has a defence",
        "{title} est à la banque, et a une défense",
    ),
    "charge": (
        "{title} belongs to the bank, and charges are on it (number: {count})",
        "{title} est à la banque, et des charges y sont posées (nombre : {count})",
    ),
}
"""What a title has only while a player owns it: a reset removes it (V.B.10)."""


# ----------------------------------------------------------------------------------------------
# Players
# ----------------------------------------------------------------------------------------------


def _inventory(state: Negopoly, seat: str) -> Iterator[Inconsistency]:
    held = state.holdings.account(player(seat))
    name = state.seats[seat].name
    if (licences := held.get(LICENCE, 0)) > 1:
        yield _found(
            "VI.A.4",
            f"licence:{seat}",
            "{name} has {count} licences, and may have one at a time",
            "{name} a {count} licences, et n'en a qu'une à la fois",
            told=(seat,),
            name=name,
            count=licences,
        )
    aimed = sum(buyer == seat for buyer, _ in state.hacks)
    if (hacks := held.get(HACK, 0)) != aimed:
        yield _found(
            "IX.B.10",
            f"hack:{seat}",
            "{name} has {hacks} hacks, and {aimed} of them with a target",
            "{name} a {hacks} hacks, dont {aimed} avec une cible",
            told=(seat,),
            name=name,
            hacks=hacks,
            aimed=aimed,
        )


def _left_behind(state: Negopoly, seat: str) -> Iterator[Inconsistency]:
    held = state.holdings.account(player(seat))
    name = state.seats[seat].name
    for title in TITLES.values():
        if deed(title.id) in held:
            yield _found(
                "I.B.5",
                f"title:{title.id}",
                "{name} is out of the game, and owns {title}",
                "{name} est hors de la partie, et possède {title}",
                name=name,
                title=title.name,
            )
    if any(not thing.startswith("title:") for thing in held):
        yield _found(
            "I.B.5",
            f"estate:{seat}",
            "{name} is out of the game, and the account is not closed",
            "{name} est hors de la partie, et le compte n'est pas clos",
            told=(seat,),
            name=name,
        )


# ----------------------------------------------------------------------------------------------
# Agreements
# ----------------------------------------------------------------------------------------------


def _agreements(state: Negopoly) -> Iterator[Inconsistency]:
    """What lies in escrow or in transit without its agreement, or is not what its agreement says."""
    promised: dict[str, dict[str, int]] = {}
    for one in state.open.values():
        match one:
            case Delivery():
                promised[deliveries.transit(one.id)] = {one.commodity: one.amount}
            case Bounty():
                promised[bounties.escrow(one.id)] = {MONEY: one.amount}
            case Contract(status="open") if one.escrow:
                promised[contracts.escrow(one.id)] = {MONEY: sum(one.escrow.values())}
    kept = {account: held for account, held in state.holdings.items() if account.startswith(tuple(_KEPT_BY))}
    for account in sorted(promised.keys() | kept.keys()):
        if promised.get(account, {}) != dict(kept.get(account, {})):
            prefix, _, number = account.rpartition(":")
            rule, en, fr = _KEPT_BY[f"{prefix}:"]
            yield _found(rule, account, en, fr, told=(), id=number)


_KEPT_BY: Mapping[str, tuple[str, str, str]] = {
    "transit:": (
        "VIII.D.3",
        "what is on its way is not what delivery {id} says",
        "ce qui est en route n'est pas ce que dit la livraison {id}",
    ),
    "escrow:bounty:": (
        "X.B.2",
        "the bank does not keep the deposit that bounty {id} says",
        "la banque ne garde pas le dépôt que dit la prime {id}",
    ),
    "escrow:contract:": (
        "X.A.6",
        "the bank does not keep the escrow that contract {id} says",
        "la banque ne garde pas le séquestre que dit le contrat {id}",
    ),
}
"""The accounts of agreements by how they begin: the rule, and what is said when they do not fit."""


def _found(
    rule: str, about: str, en: str, fr: str, *, told: tuple[str, ...] | None = None, **values: Any
) -> Inconsistency:
    return Inconsistency(rule, about, en.format(**values), fr.format(**values), told)
