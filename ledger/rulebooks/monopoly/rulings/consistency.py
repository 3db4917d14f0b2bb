"""The consistency of a table, beyond the guarantees of holdings alone.

The actions of the game always keep the table consistent. A correction with later actions kept may break the
consistency, and then reports the fault; a move by `adjust` is refused by the rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ledger.kernel.facts.consistency import Inconsistency
from ledger.rulebooks.monopoly.table.pieces import Square
from ledger.rulebooks.monopoly.table.roles import Role
from ledger.rulebooks.monopoly.table.state import Monopoly, builds_apart, cite, level, levels, pieces
from ledger.rulebooks.monopoly.table.terms import BUILDINGS, ESCROW, MORTGAGE, STOCK
from ledger.rulebooks.parts.seats import player as purse
from ledger.rulebooks.parts.titles import attached, deed


def inconsistencies(state: Monopoly) -> Iterator[Inconsistency]:
    """Report broken limits and stray things: titles, buildings, money, debts, the turn, bids."""
    owners = _owners(state)
    for square in pieces(state).titles.values():
        yield from _title(state, square, owners.get(square.id, []))
    for group, members in pieces(state).members.items():
        yield from _group(state, group, members, owners)
    for piece in BUILDINGS:
        if state.holdings.of(STOCK, piece) < 0:
            yield _inconsistency(
                state,
                "stock_empty",
                f"stock:{piece}",
                "more buildings stand on the board than there are",
                "il y a plus de bâtiments sur le plateau qu'il n'en existe",
            )
    for seat in state.seats:
        yield from _seat(state, seat, owners)
    yield from _bid(state)


def _owners(state: Monopoly) -> dict[str, list[str]]:
    """Return the seats with each title; at most one in a consistent table."""
    result: dict[str, list[str]] = {}
    prefix = deed("")
    for seat in state.seats:
        for thing, amount in state.holdings.account(purse(seat)).items():
            if thing.startswith(prefix) and amount > 0:
                result.setdefault(thing.removeprefix(prefix), []).append(seat)
    return result


def _title(state: Monopoly, square: Square, owners: list[str]) -> Iterator[Inconsistency]:
    title, lying = square.id, state.holdings.account(attached(square.id))
    if len(owners) > 1:
        names = ", ".join(state.seats[owner].name for owner in owners)
        yield _inconsistency(
            state,
            "buy",
            f"owners:{title}",
            "{title} belongs to several players: {names}",
            "{title} appartient à plusieurs joueurs : {names}",
            title=square.name,
            names=names,
        )
    built, mortgages = level(state, title), lying.get(MORTGAGE, 0)
    if built and not owners:
        yield _inconsistency(
            state,
            "build_group",
            f"built:{title}",
            "{title} belongs to the bank, and has buildings",
            "{title} est à la banque, et porte des bâtiments",
            title=square.name,
        )
    if mortgages and not owners:
        yield _inconsistency(
            state,
            "mortgage",
            f"bank:mortgage:{title}",
            "{title} belongs to the bank, and is mortgaged",
            "{title} est à la banque, et est hypothéqué",
            title=square.name,
        )
    if mortgages > 1:
        yield _inconsistency(
            state,
            "mortgage",
            f"mortgage:{title}",
            "{title} is mortgaged {count} times",
            "{title} est hypothéqué {count} fois",
            title=square.name,
            count=mortgages,
        )
    houses, hotels, towers = (lying.get(piece, 0) for piece in BUILDINGS)
    limit = state.settings.houses_per_hotel
    many = houses > square.most_houses(limit) or hotels > 1 or built > square.levels(limit)
    if many or (houses and hotels) or (towers and not hotels) or (built and square.kind != "street"):
        yield _inconsistency(
            state,
            "build_kind" if square.kind != "street" else "hotel_one" if hotels else "build_most",
            f"too_built:{title}",
            "{title} has more buildings than may stand there",
            "{title} porte plus de bâtiments qu'il ne peut y en avoir",
            title=square.name,
        )


def _group(
    state: Monopoly, group: str, members: tuple[str, ...], owners: dict[str, list[str]]
) -> Iterator[Inconsistency]:
    """Report buildings on a divided group, uneven buildings, and buildings beside a mortgage."""
    heights = [level(state, title) for title in members]
    if not any(heights) or builds_apart(state):
        return
    names = ", ".join(pieces(state).titles[title].name for title in members)
    of = [tuple(owners.get(title, ())) for title in members]
    if len(set(of)) > 1 and all(owners.get(title) for title, built in zip(members, heights, strict=True) if built):
        yield _inconsistency(
            state,
            "build_group",
            f"split:{group}",
            "buildings stand in a group that no player owns whole: {names}",
            "des bâtiments se trouvent dans un groupe que nul ne possède en entier : {names}",
            names=names,
        )
    if not state.settings.build_unevenly and _is_uneven(state, members):
        yield _inconsistency(
            state,
            "build_even",
            f"uneven:{group}",
            "buildings lie unevenly on {names}",
            "les bâtiments sont mal répartis sur {names}",
            names=names,
        )
    if any(state.holdings.of(attached(title), MORTGAGE) for title in members):
        yield _inconsistency(
            state,
            "mortgage_built",
            f"mortgaged_and_built:{group}",
            "a title is mortgaged in a group with buildings: {names}",
            "un titre est hypothéqué dans un groupe bâti : {names}",
            names=names,
        )


def _is_uneven(state: Monopoly, members: tuple[str, ...]) -> bool:
    """Return True if a title of the group is two levels below another; one that is built to the end counts as
    high as any.
    """
    built = [(level(state, title), levels(state, title)) for title in members]
    highest = max(height for height, _ in built)
    return any(low < highest - 1 and low < top for low, top in built)


def _seat(state: Monopoly, seat: str, owners: dict[str, list[str]]) -> Iterator[Inconsistency]:
    name = state.seats[seat].name
    money = state.holdings.of(purse(seat), state.edition.currency)
    if money < 0:
        yield _inconsistency(
            state,
            "debt",
            f"cash:{seat}",
            "{name} has less than no money",
            "{name} a moins que rien",
            name=name,
        )
    if seat in state.jailed and state.positions.get(seat) not in pieces(state).jails:
        yield _inconsistency(
            state,
            "go_to_jail",
            f"jailed:{seat}",
            "{name} is in prison, and the token is elsewhere",
            "{name} est en prison, et le pion est ailleurs",
            name=name,
        )
    if seat not in state.out or state.stage != "play":
        return
    owned = [pieces(state).titles[title].name for title, seats in owners.items() if seat in seats]
    if owned or money > 0:
        yield _inconsistency(
            state,
            "bankrupt",
            f"estate:{seat}",
            "{name} is out of the game, and still has money or titles",
            "{name} est hors du jeu, et a encore de l'argent ou des titres",
            name=name,
        )
    if any(debt.debtor == seat for debt in state.debts):
        yield _inconsistency(
            state,
            "eliminated",
            f"debts:{seat}",
            "{name} is out of the game, and still owes something",
            "{name} est hors du jeu, et doit encore quelque chose",
            name=name,
        )
    if state.turn == seat and not state.ended:
        yield _inconsistency(
            state,
            "eliminated",
            "turn",
            "it is the turn of {name}, who is out of the game",
            "c'est le tour de {name}, qui est hors du jeu",
            name=name,
        )


def _bid(state: Monopoly) -> Iterator[Inconsistency]:
    auction = state.auction
    promised = 0 if auction is None or auction.bidder is None else auction.bid
    if state.holdings.of(ESCROW, state.edition.currency) != promised:
        yield _inconsistency(
            state,
            "bid_payment",
            "bid",
            "the bank does not keep what the highest bid says",
            "la banque ne garde pas ce que dit la plus haute enchère",
        )
    if auction is not None and auction.lot.kind == "title" and _owners(state).get(auction.lot.title):
        title = pieces(state).titles[auction.lot.title].name
        yield _inconsistency(
            state,
            "auction",
            "lot",
            "{title} is being auctioned, and belongs to a player",
            "{title} est mis aux enchères, et appartient à un joueur",
            title=title,
        )


def _inconsistency(state: Monopoly, role: Role, about: str, en: str, fr: str, **values: Any) -> Inconsistency:
    return Inconsistency(cite(state, role), about, en.format(**values), fr.format(**values))
