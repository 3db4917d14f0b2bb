"""The consistency of a table of Negopoly, beyond the guarantees of the holdings.

The actions of the game always leave a consistent table. A correction with later actions kept may leave
inconsistencies, and reports each. An `adjust` that causes an inconsistency is refused by the rule of the
inconsistency.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ledger.kernel.facts.consistency import Inconsistency
from ledger.kernel.language.phrase import Phrase
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
    """Yield the broken limits and the stray facts: titles, players, the turn, cards, agreements."""
    yield from _titles(state)
    for seat in state.seats:
        yield from _inventory(state, seat)
        if seat in state.eliminated:
            yield from _left_behind(state, seat)
    turn = state.turn
    if turn is not None and turn.seat in state.eliminated:
        yield _inconsistency(
            "II.2",
            "turn",
            "it is the turn of {name}, who is out of the game",
            "c'est le tour de {name}, qui est hors de la partie",
            name=state.seats[turn.seat].name,
        )
    active = len(state.holdings.account(decks.WEATHER))
    if active > weather.MOST:
        yield _inconsistency(
            "VI.A.8",
            "weather",
            "{active} Météo cards are active, and {most} may be",
            "{active} cartes Météo sont actives, et il y en a {most} au plus",
            active=active,
            most=weather.MOST,
        )
    for card in decks.cards_of(state):
        if state.holdings.of(decks.pile(card.deck), card.commodity) < 0:
            yield _inconsistency(
                "I.C.6",
                card.commodity,
                "{card} was drawn again while the journal had it elsewhere: one of the two records is wrong",
                "{carte} a été tirée de nouveau alors que le journal l'a ailleurs : un des deux relevés est faux",
                readers=(),
                card=card.title.in_language("en"),
                carte=card.title.in_language("fr"),
            )
    yield from _agreements(state)


# ----------------------------------------------------------------------------------------------
# Titles
# ----------------------------------------------------------------------------------------------

_LIMITS: Mapping[str, tuple[int, str, Phrase]] = {
    "house": (
        MOST_HOUSES,
        "V.C.2",
        Phrase(
            "{title} has {count} houses, and takes {most} at most",
            "{title} a {count} maisons, et en prend {most} au plus",
        ),
    ),
    "mortgage": (
        1,
        "V.B.1",
        Phrase(
            "{title} is mortgaged {count} times, and once is all there is",
            "{title} est hypothéqué {count} fois, et ne peut l'être qu'une",
        ),
    ),
    "squat": (
        1,
        "IX.B.7",
        Phrase(
            "{title} is squatted {count} times, and once is all there is",
            "{title} est squatté {count} fois, et ne peut l'être qu'une",
        ),
    ),
}
"""The limit of each thing on a title, the rule, and the sentences for a higher number."""


def _titles(state: Negopoly) -> Iterator[Inconsistency]:
    owners = owners_of(state)
    for title in TITLES.values():
        lying = state.holdings.account(attached(title.id))
        for thing, (maximum, rule, words) in _LIMITS.items():
            count = lying.get(thing, 0)
            if count > maximum:
                yield _inconsistency(
                    rule,
                    f"{thing}:{title.id}",
                    words.en,
                    words.fr,
                    title=title.name,
                    count=count,
                    most=maximum,
                )
        if title.id in owners:
            continue
        for thing, words in _OF_AN_OWNER.items():
            if count := sum(amount for commodity, amount in lying.items() if commodity.partition(":")[0] == thing):
                yield _inconsistency(
                    "V.B.10",
                    f"bank:{thing}:{title.id}",
                    words.en,
                    words.fr,
                    readers=() if thing == DEFENCE else None,
                    title=title.name,
                    count=count,
                    houses="house stands" if count == 1 else "houses stand",
                    maisons="maison" if count == 1 else "maisons",
                )


_OF_AN_OWNER: Mapping[str, Phrase] = {
    "house": Phrase(
        "{title} belongs to the bank, and {count} {houses} on it",
        "{title} est à la banque, et porte {count} {maisons}",
    ),
    "mortgage": Phrase(
        "{title} belongs to the bank, and is mortgaged", "{title} est à la banque, et est hypothéqué"
    ),
    "squat": Phrase("{title} belongs to the bank, and is squatted", "{title} est à la banque, et est squatté"),
    DEFENCE: Phrase(
        "{title} belongs to the bank, and has a defence",
        "{title} est à la banque, et a une défense",
    ),
    "charge": Phrase(
        "{title} belongs to the bank, and charges are on it (number: {count})",
        "{title} est à la banque, et des charges y sont posées (nombre : {count})",
    ),
}
"""The sentences for things on a title of the bank. A reset removes all things from a title (V.B.10)."""


# ----------------------------------------------------------------------------------------------
# Players
# ----------------------------------------------------------------------------------------------


def _inventory(state: Negopoly, seat: str) -> Iterator[Inconsistency]:
    inventory = state.holdings.account(player(seat))
    name = state.seats[seat].name
    if (licences := inventory.get(LICENCE, 0)) > 1:
        yield _inconsistency(
            "VI.A.4",
            f"licence:{seat}",
            "{name} has {count} licences, and may have one at a time",
            "{name} a {count} licences, et n'en a qu'une à la fois",
            readers=(seat,),
            name=name,
            count=licences,
        )
    aimed = sum(buyer == seat for buyer, _ in state.hacks)
    if (hacks := inventory.get(HACK, 0)) != aimed:
        yield _inconsistency(
            "IX.B.10",
            f"hack:{seat}",
            "{name} has {hacks} hacks, and {aimed} of them with a target",
            "{name} a {hacks} hacks, dont {aimed} avec une cible",
            readers=(seat,),
            name=name,
            hacks=hacks,
            aimed=aimed,
        )


def _left_behind(state: Negopoly, seat: str) -> Iterator[Inconsistency]:
    inventory = state.holdings.account(player(seat))
    name = state.seats[seat].name
    for title in TITLES.values():
        if deed(title.id) in inventory:
            yield _inconsistency(
                "I.B.5",
                f"title:{title.id}",
                "{name} is out of the game, and owns {title}",
                "{name} est hors de la partie, et possède {title}",
                name=name,
                title=title.name,
            )
    if any(not thing.startswith("title:") for thing in inventory):
        yield _inconsistency(
            "I.B.5",
            f"estate:{seat}",
            "{name} is out of the game, and the account is not closed",
            "{name} est hors de la partie, et le compte n'est pas clos",
            readers=(seat,),
            name=name,
        )


# ----------------------------------------------------------------------------------------------
# Agreements
# ----------------------------------------------------------------------------------------------


def _agreements(state: Negopoly) -> Iterator[Inconsistency]:
    """Yield the holdings in escrow or in transit that differ from the open agreements."""
    promised: dict[str, dict[str, int]] = {}
    for agreement in state.open.values():
        match agreement:
            case Delivery():
                promised[deliveries.transit(agreement.id)] = {agreement.commodity: agreement.amount}
            case Bounty():
                promised[bounties.escrow(agreement.id)] = {MONEY: agreement.amount}
            case Contract(status="open") if agreement.escrow:
                promised[contracts.escrow(agreement.id)] = {MONEY: sum(agreement.escrow.values())}
    stored = {
        account: balances for account, balances in state.holdings.items() if account.startswith(tuple(_KEPT_BY))
    }
    for account in sorted(promised.keys() | stored.keys()):
        if promised.get(account, {}) != dict(stored.get(account, {})):
            prefix, _, number = account.rpartition(":")
            rule, words = _KEPT_BY[f"{prefix}:"]
            yield _inconsistency(rule, account, words.en, words.fr, readers=(), id=number)


_KEPT_BY: Mapping[str, tuple[str, Phrase]] = {
    "transit:": (
        "VIII.D.3",
        Phrase(
            "what is on its way is not what delivery {id} says",
            "ce qui est en route n'est pas ce que dit la livraison {id}",
        ),
    ),
    "escrow:bounty:": (
        "X.B.2",
        Phrase(
            "the bank does not keep the deposit that bounty {id} says",
            "la banque ne garde pas le dépôt que dit la prime {id}",
        ),
    ),
    "escrow:contract:": (
        "X.A.6",
        Phrase(
            "the bank does not keep the escrow that contract {id} says",
            "la banque ne garde pas le séquestre que dit le contrat {id}",
        ),
    ),
}
"""The rule and the sentences for a mismatch, by prefix of an agreement's account."""


def _inconsistency(
    rule: str, about: str, en: str, fr: str, *, readers: tuple[str, ...] | None = None, **values: Any
) -> Inconsistency:
    return Inconsistency(rule, about, en.format(**values), fr.format(**values), readers)
