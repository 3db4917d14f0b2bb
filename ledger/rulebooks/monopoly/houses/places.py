"""Where buildings may stand: on whole groups without mortgages, evenly, a hotel after its houses."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.kernel.facts.refusals import Impossible, RuleBroken
from ledger.rulebooks.monopoly.table.pieces import Square
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    cite,
    group_of,
    has_hotel,
    holds_group,
    houses_on,
    is_mortgaged,
    level,
    owner_of,
    pieces,
)
from ledger.rulebooks.monopoly.table.terms import HOTEL, HOUSE, STOCK, Piece
from ledger.rulebooks.parts import titles
from ledger.rulebooks.parts.seats import player

PIECES: tuple[Piece, ...] = (HOUSE, HOTEL)


def stock_of(state: Monopoly, piece: Piece) -> int:
    """How many houses or hotels the bank has left."""
    return state.holdings.of(STOCK, piece)


def next_piece(state: Monopoly, title: str) -> Piece:
    """What is built next on a title."""
    return HOTEL if houses_on(state, title) >= state.settings.houses_per_hotel else HOUSE


def costs_of(state: Monopoly, title: str) -> tuple[int, ...]:
    """What was paid for each building on a title, the last one last.

    The printed price stands for a building that came there otherwise than by being bought.
    """
    built = level(state, title)
    paid = state.costs.get(title, ())[:built]
    return (*paid, *[pieces(state).titles[title].building_price] * (built - len(paid)))


def obstacles(state: Monopoly, seat: str, square: Square, piece: Piece) -> Iterator[RuleBroken]:
    """Why a player may not put a piece on a title, whatever the stock and the price; nothing when they may.

    What no waiver can allow comes first, as Impossible.
    """
    title = square.id
    if square.kind != "street":
        yield Impossible(
            cite(state, "build_kind", square),
            "nothing can be built on {title:title}",
            "on ne peut rien construire sur {title:title}",
            title=title,
        )
        return
    owner = owner_of(state, title)
    if owner != seat:
        yield Impossible(
            cite(state, "build_group", square),
            "{seat:seat} does not own {title:title}",
            "{seat:seat} ne possède pas {title:title}",
            seat=seat,
            title=title,
        )
        return
    most = state.settings.houses_per_hotel
    if has_hotel(state, title):
        yield Impossible(
            cite(state, "hotel_one", square),
            "nothing may be added on {title:title}, which is built to the end ({hotel:goods})",
            "on ne peut rien ajouter sur {title:title}, déjà construit au maximum ({hotel:goods})",
            title=title,
            hotel=HOTEL,
        )
        return
    if piece == HOUSE and houses_on(state, title) >= most:
        yield Impossible(
            cite(state, "build_most", square),
            "{title:title} has {most} × {house:goods}, which is the most",
            "{title:title} a {most} × {house:goods}, le maximum",
            title=title,
            house=HOUSE,
            most=most,
        )
        return
    group = group_of(state, title)
    if not holds_group(state, seat, title):
        yield RuleBroken(
            cite(state, "build_group", square),
            "{seat:seat} does not own the whole group of {title:title}: {missing:each|title} is missing",
            "{seat:seat} ne possède pas tout le groupe de {title:title} : il manque {missing:each|title}",
            seat=seat,
            title=title,
            missing=[one for one in group if owner_of(state, one) != seat],
        )
    mortgaged = next((one for one in group if is_mortgaged(state, one)), None)
    if mortgaged is not None:
        yield RuleBroken(
            cite(state, "build_mortgaged", square),
            "nothing is built in the group of {title:title} while {mortgaged:title} is mortgaged",
            "on ne construit pas dans le groupe de {title:title} tant que {mortgaged:title} est hypothéqué",
            title=title,
            mortgaged=mortgaged,
        )
    yield from _uneven(state, square, piece, group)


def _uneven(state: Monopoly, square: Square, piece: Piece, group: tuple[str, ...]) -> Iterator[RuleBroken]:
    """Why a piece on a title would not lie evenly, or without the houses that a hotel needs."""
    title, most = square.id, state.settings.houses_per_hotel
    lowest = min(group, key=lambda one: level(state, one))
    least = level(state, lowest)
    if piece == HOTEL:
        if least < most:
            yield RuleBroken(
                cite(state, "hotel_needs", square),
                "{hotel:goods} on {title:title} needs {most} × {house:goods} on each title of its group; "
                "{lowest:title} has {least}",
                "{hotel:goods} sur {title:title} demande {most} × {house:goods} sur chaque titre du groupe ; "
                "{lowest:title} en a {least}",
                hotel=HOTEL,
                house=HOUSE,
                title=title,
                most=most,
                lowest=lowest,
                least=least,
            )
    elif least < houses_on(state, title):
        yield RuleBroken(
            cite(state, "build_even", square),
            "{title:title} has {built} already: {lowest:title}, which has {least}, comes first",
            "{title:title} en a déjà {built} : {lowest:title}, qui en a {least}, passe d'abord",
            title=title,
            built=houses_on(state, title),
            lowest=lowest,
            least=least,
        )


def can_place(state: Monopoly, seat: str, title: str, piece: Piece) -> bool:
    """Whether a player has a legal place for a piece on this title, whatever the stock and the price."""
    return next(obstacles(state, seat, pieces(state).titles[title], piece), None) is None


def whole_streets(state: Monopoly, seat: str) -> list[str]:
    """The streets of groups that a player owns whole, in the order of the board: nothing is built elsewhere."""
    held, found = state.holdings.account(player(seat)), pieces(state)
    whole = {
        title
        for group in found.street_groups
        if titles.deed(group[0]) in held and all(titles.deed(one) in held for one in group)
        for title in group
    }
    return [title for title in found.titles if title in whole] if whole else []


def places_for(state: Monopoly, seat: str, piece: Piece) -> list[str]:
    """The titles on which a player may put a piece, in the order of the board."""
    return [one for one in whole_streets(state, seat) if can_place(state, seat, one, piece)]


def has_place(state: Monopoly, seat: str, piece: Piece) -> bool:
    """Whether there is a title on which a player may put a piece."""
    return any(can_place(state, seat, one, piece) for one in whole_streets(state, seat))


def require_place(draft: Draft, seat: str, square: Square, piece: Piece) -> None:
    """Refuse a piece where it may not stand."""
    for broken in obstacles(draft.state, seat, square, piece):
        if isinstance(broken, Impossible):
            raise broken
        draft.refuse(broken)
