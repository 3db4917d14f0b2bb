"""Sites for buildings: on whole groups without mortgages, evenly, a hotel after its houses, towers on a hotel."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.kernel.facts.refusals import Impossible, RuleBroken
from ledger.rulebooks.monopoly.table.pieces import Square
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    builds_apart,
    cite,
    group_of,
    has_hotel,
    has_role,
    houses_on,
    is_mortgaged,
    joined,
    level,
    levels,
    may_build_on,
    owner_of,
    pieces,
)
from ledger.rulebooks.monopoly.table.terms import HOTEL, HOUSE, STOCK, TOWER, Building, Piece
from ledger.rulebooks.parts import titles
from ledger.rulebooks.parts.seats import player

PIECES: tuple[Piece, ...] = (HOUSE, HOTEL)


def stock_of(state: Monopoly, piece: Building) -> int:
    """Count the houses, hotels or towers left in the bank."""
    return state.holdings.of(STOCK, piece)


def next_piece(state: Monopoly, title: str) -> Building:
    """Return the next piece to build on a title."""
    if has_hotel(state, title):
        return TOWER if level(state, title) < levels(state, title) else HOUSE
    return HOTEL if houses_on(state, title) >= state.settings.houses_per_hotel else HOUSE


def price_of(state: Monopoly, title: str, piece: Building) -> int:
    """Return the printed price of the next piece of a sort on a title."""
    per_hotel = state.settings.houses_per_hotel
    at = per_hotel + 1 if piece == HOTEL else level(state, title) + 1
    return pieces(state).titles[title].price_at(at, per_hotel)


def printed_prices(state: Monopoly, title: str, above: int = 0) -> tuple[int, ...]:
    """Return the printed prices of the levels of a title above a level, in the order of building."""
    square, per_hotel = pieces(state).titles[title], state.settings.houses_per_hotel
    return tuple(square.price_at(built, per_hotel) for built in range(above + 1, level(state, title) + 1))


def costs_of(state: Monopoly, title: str) -> tuple[int, ...]:
    """Return the prices paid for the buildings on a title, in the order of building.

    The printed price stands in for a building not bought.
    """
    built = level(state, title)
    paid = state.costs.get(title, ())[:built]
    return (*paid, *printed_prices(state, title, len(paid)))


def obstacles(state: Monopoly, seat: str, square: Square, piece: Building) -> Iterator[RuleBroken]:
    """Report the reasons against a piece on a title, regardless of stock and price; nothing for a legal site.

    Reasons beyond any waiver come first, as Impossible.
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
    finished = next(_finished(state, square, piece), None)
    if finished is not None:
        yield finished
        return
    per_hotel = state.settings.houses_per_hotel
    if piece == HOUSE and houses_on(state, title) >= per_hotel:
        yield Impossible(
            cite(state, "build_most", square),
            "{title:title} has {most} × {house:goods}, which is the most; next is {hotel:goods}",
            "{title:title} a {most} × {house:goods}, le maximum ; vient ensuite {hotel:goods}",
            title=title,
            house=HOUSE,
            hotel=HOTEL,
            most=per_hotel,
        )
        return
    group = group_of(state, title)
    if not may_build_on(state, seat, title):
        yield RuleBroken(
            cite(state, "build_group", square),
            "{seat:seat} does not own the whole group of {title:title}: {missing:each|title} is missing",
            "{seat:seat} ne possède pas tout le groupe de {title:title} : il manque {missing:each|title}",
            seat=seat,
            title=title,
            missing=[member for member in group if owner_of(state, member) != seat],
        )
    mortgaged = next((member for member in joined(state, title) if is_mortgaged(state, member)), None)
    if mortgaged is not None:
        yield RuleBroken(
            cite(state, "build_mortgaged", square),
            "nothing is built in the group of {title:title} while {mortgaged:title} is mortgaged",
            "on ne construit pas dans le groupe de {title:title} tant que {mortgaged:title} est hypothéqué",
            title=title,
            mortgaged=mortgaged,
        )
    if state.settings.build_where_standing and pieces(state).index[title] != state.positions.get(seat):
        yield RuleBroken(
            cite(state, "build_standing", square),
            "{seat:seat} does not stand on {title:title}, and builds only on the street of their token",
            "{seat:seat} n'est pas sur {title:title}, et ne construit que dans la rue de son pion",
            seat=seat,
            title=title,
        )
    yield from _uneven(state, square, piece)


def _finished(state: Monopoly, square: Square, piece: Building) -> Iterator[Impossible]:
    """Report a street without a further level for the piece."""
    title, built, top = square.id, level(state, square.id), levels(state, square.id)
    if not top:
        yield Impossible(
            cite(state, "build_levels" if has_role(state, "build_levels") else "build_kind", square),
            "nothing can be built on {title:title}: its deed has no rent for a building",
            "on ne peut rien construire sur {title:title} : son titre n'a pas de loyer pour un bâtiment",
            title=title,
        )
    elif has_hotel(state, title) and built >= top:
        beyond = square.most_towers > 0 and has_role(state, "build_levels")
        yield Impossible(
            cite(state, "build_levels" if beyond else "hotel_one", square),
            "nothing may be added on {title:title}, which is built to the end ({hotel:goods})",
            "on ne peut rien ajouter sur {title:title}, déjà construit au maximum ({hotel:goods})",
            title=title,
            hotel=TOWER if beyond else HOTEL,
        )
    elif has_hotel(state, title) and piece != TOWER:
        yield Impossible(
            cite(state, "build_levels", square),
            "{title:title} has {hotel:goods}; next is {tower:goods}",
            "{title:title} a {hotel:goods} ; vient ensuite {tower:goods}",
            title=title,
            hotel=HOTEL,
            tower=TOWER,
        )
    elif built >= top or (piece == HOTEL and top <= state.settings.houses_per_hotel):
        yield Impossible(
            cite(state, "build_levels" if has_role(state, "build_levels") else "build_most", square),
            "{title:title} has a rent for {most} × {house:goods} at most",
            "{title:title} a un loyer pour {most} × {house:goods} au plus",
            title=title,
            most=top,
            house=HOUSE,
        )


def built_evenly(state: Monopoly, title: str) -> tuple[str, ...]:
    """Return the titles built evenly with a title, the title included."""
    return (title,) if state.settings.build_unevenly else joined(state, title)


def _uneven(state: Monopoly, square: Square, piece: Building) -> Iterator[RuleBroken]:
    """Report a piece that would lie unevenly on a title, or a hotel without enough houses.

    A street with all levels holds up nobody.
    """
    title, per_hotel = square.id, state.settings.houses_per_hotel
    lowest = min(
        (
            member
            for member in built_evenly(state, title)
            if member == title or level(state, member) < levels(state, member)
        ),
        key=lambda member: level(state, member),
    )
    least = level(state, lowest)
    if piece == HOTEL:
        if least < per_hotel:
            yield RuleBroken(
                cite(state, "hotel_needs", square),
                "{hotel:goods} on {title:title} needs {most} × {house:goods} on each title of its group: "
                "{more} more on {lowest:title}",
                "{hotel:goods} sur {title:title} demande {most} × {house:goods} sur chaque titre du groupe : "
                "encore {more} sur {lowest:title}",
                hotel=HOTEL,
                house=HOUSE,
                title=title,
                most=per_hotel,
                lowest=lowest,
                more=per_hotel - least,
            )
    elif piece == TOWER:
        if least < level(state, title):
            yield RuleBroken(
                cite(state, "build_even", square),
                "{tower:goods} on {title:title} comes after {lowest:title}, which has less",
                "{tower:goods} sur {title:title} passe après {lowest:title}, qui en a moins",
                tower=TOWER,
                title=title,
                lowest=lowest,
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


def can_place(state: Monopoly, seat: str, title: str, piece: Building) -> bool:
    """Return True if a title is a legal site for a piece of a player, regardless of stock and price."""
    return next(obstacles(state, seat, pieces(state).titles[title], piece), None) is None


def whole_streets(state: Monopoly, seat: str) -> list[str]:
    """Return the streets in groups owned whole by a player, in the order of the board, or all streets with enough
    around to build on: nothing is built elsewhere.
    """
    balances, board = state.holdings.account(player(seat)), pieces(state)
    if builds_apart(state):
        owned = (title for title in board.streets if titles.deed(title) in balances)
        return [title for title in owned if may_build_on(state, seat, title)]
    whole = {
        title
        for group in board.street_groups
        if titles.deed(group[0]) in balances and all(titles.deed(member) in balances for member in group)
        for title in group
    }
    return [title for title in board.titles if title in whole] if whole else []


def places_for(state: Monopoly, seat: str, piece: Piece) -> list[str]:
    """Return a player's legal titles for a piece, in the order of the board."""
    return [title for title in whole_streets(state, seat) if can_place(state, seat, title, piece)]


def has_place(state: Monopoly, seat: str, piece: Building) -> bool:
    """Return True if a player has a legal title for a piece."""
    return any(can_place(state, seat, title, piece) for title in whole_streets(state, seat))


def require_place(draft: Draft, seat: str, square: Square, piece: Building) -> None:
    """Refuse a piece without a legal site."""
    for broken in obstacles(draft.state, seat, square, piece):
        if isinstance(broken, Impossible):
            raise broken
        draft.refuse(broken)
