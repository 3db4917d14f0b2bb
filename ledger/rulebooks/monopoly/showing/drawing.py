"""The drawing of the board: a ring of squares with colours, and the things on the board; everything is public."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Literal

from msgspec import UNSET, UnsetType

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker, elided
from ledger.kernel.rules.display import (
    BoardGroup,
    BoardMark,
    BoardPlace,
    BoardView,
    Deed,
    DeedBuilding,
    Display,
    NoticeView,
    PieceView,
    PileView,
    PlacePrices,
    PlaceView,
    RentLine,
    TokenView,
)
from ledger.kernel.rules.icons import Icon
from ledger.rulebooks.monopoly.cards.choices import rule_of
from ledger.rulebooks.monopoly.houses.mortgages import interest
from ledger.rulebooks.monopoly.showing.effect_words import square_text
from ledger.rulebooks.monopoly.showing.glossary import money_text
from ledger.rulebooks.monopoly.showing.waiting import reminded_at
from ledger.rulebooks.monopoly.table.pieces import Group, Kind, Named, Pieces, Square
from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.monopoly.table.state import Monopoly, cite, has_role, pieces
from ledger.rulebooks.monopoly.table.terms import BUILDINGS, HOUSE, MORTGAGE
from ledger.rulebooks.monopoly.trading.lots import thing_of
from ledger.rulebooks.monopoly.turns import rents
from ledger.rulebooks.parts import boards, decks
from ledger.rulebooks.parts.face import faces
from ledger.rulebooks.parts.face.faces import Faces
from ledger.rulebooks.parts.titles import attached, deed, owners_of

ICONS: Mapping[Kind, Icon] = {
    "start": "start",
    "street": "street",
    "station": "station",
    "utility": "company",
    "card": "card",
    "tax": "tax",
    "jail": "prison",
    "rest": "park",
    "pot": "coin",
    "go_to_jail": "police",
}
"""The icon of each kind of square."""

_RENTS_BY: Mapping[Kind, Literal["buildings", "titles", "titles and dice"]] = {
    "street": "buildings",
    "station": "titles",
    "utility": "titles and dice",
}

_MARKS: tuple[tuple[str, Phrase, Icon], ...] = (
    (MORTGAGE, Phrase("mortgaged", "hypothéqué"), "mortgage"),
    ("in_prison", Phrase("in prison", "en prison"), "prison"),
)

_STEPS: Mapping[str, Phrase] = {
    "before_throw": Phrase("Throw", "Jet"),
    "landing": Phrase("Stop", "Arrêt"),
    "after_throw": Phrase("Moves", "Coups"),
}
"""The steps of a turn."""

_LEAST_SIDES = 8
"""The smallest number of squares drawn with four sides."""


# ----------------------------------------------------------------------------------------------
# The board
# ----------------------------------------------------------------------------------------------


def drawn(board: Pieces, settings: Settings, language: str, chain: Faces = ()) -> BoardView:
    """Draw the ring of an edition's squares: with four sides if the number allows, otherwise a circle.

    The settings decide the number of houses before a hotel, and the rent of a whole group.
    """
    side, remainder = divmod(len(board.squares), 4)
    icons = faces.icons(chain, "squares")
    return boards.ring(
        (
            _board_place(
                number,
                square,
                icons.get(square.kind, ICONS[square.kind]),
                _deed(square, board, settings, language),
                square_text(square, board, partial(money_text, board), language),
            )
            for number, square in enumerate(board.squares)
        ),
        faces.board_face(language, *chain),
        corners=[] if remainder or len(board.squares) < _LEAST_SIDES else [side * corner for corner in range(4)],
        groups=_groups(board.groups, faces.marks(chain)),
        marks=(BoardMark(id=name, name=words.in_language(language), icon=icon) for name, words, icon in _MARKS),
        phases=boards.phases_of(_STEPS, language),
    )


def _board_place(number: int, square: Square, icon: Icon, printed: Deed | UnsetType, text: str) -> BoardPlace:
    return BoardPlace(
        id=boards.place_id(number),
        number=number,
        name=square.name,
        group=square.group or UNSET,
        icon=icon,
        commodity=deed(square.id) if square.price else UNSET,
        prices=PlacePrices(
            price=square.price or UNSET,
            building=_usual_price(square) or UNSET,
            mortgage=square.mortgage or UNSET,
            amount=square.amount or UNSET,
            rents=square.rents or UNSET,
            rents_by=_RENTS_BY.get(square.kind, UNSET) if square.rents else UNSET,
            deed=UNSET if printed is UNSET else printed.rents or UNSET,
        )
        if square.price or square.amount
        else UNSET,
        deed=printed,
        text=text or UNSET,
    )


def _usual_price(square: Square) -> int:
    """Return the price of a first house; 0 if nothing is built on the square. A deed names each further price."""
    return square.price_at(1, 1) if square.levels(1) else 0


_CLAIMED = Phrase(
    "The owner claims the rent before the next throw.", "Le propriétaire réclame le loyer avant le jet suivant."
)
_AT_ONCE = Phrase("A visitor pays the owner at once.", "Le visiteur paie aussitôt le propriétaire.")
_THROWN_FOR = Phrase("The visitor throws for it.", "Le visiteur lance les dés pour cela.")


def _deed(square: Square, board: Pieces, settings: Settings, language: str) -> Deed | UnsetType:
    """Return the deed of a title; UNSET for any other square."""
    if not square.price:
        return UNSET
    houses = square.most_houses(settings.houses_per_hotel)
    building = DeedBuilding(commodity=HOUSE, price=_usual_price(square), maximum=houses)
    due = (_CLAIMED if settings.rents_are_claimed else _AT_ONCE).in_language(language)
    if square.kind == "utility" and settings.utility_throws_anew:
        due = f"{due} {_THROWN_FOR.in_language(language)}"
    return Deed(
        price=square.price,
        rents=tuple(_rents(square, board, settings, language)),
        building=building if building.price and houses else UNSET,
        mortgage=square.mortgage or UNSET,
        due_text=due,
    )


def _rents(square: Square, board: Pieces, settings: Settings, language: str) -> Iterator[RentLine]:
    """Yield the possible rents of a title: of a street by its buildings, of others by the titles of the group."""

    def words(en: str, fr: str) -> str:
        return Phrase(en, fr).in_language(language)

    if square.kind != "street":
        for owned, rent in enumerate(square.rents, 1):
            label = words(f"{owned} of the group", f"{owned} du groupe")
            if square.kind == "utility":
                yield RentLine(label=label, per_pip=rent)
            else:
                yield RentLine(label=label, amount=rent)
        return
    if not square.rents:
        return
    base, per_hotel = square.rents[0], settings.houses_per_hotel
    yield RentLine(label=words("without a building", "sans construction"), amount=base)
    if settings.full_group_factor > 1 and square.group not in board.unrisen:
        label = words("whole group, without a building", "groupe complet, sans construction")
        yield RentLine(label=label, amount=base * settings.full_group_factor)
    for built in range(1, square.levels(per_hotel) + 1):
        label, price = _level(built, per_hotel, board.named, language), square.price_at(built, per_hotel)
        if price != square.price_at(1, per_hotel):
            cost = money_text(board, price)
            label = words(f"{label} (built for {cost})", f"{label} (construit pour {cost})")
        yield RentLine(label=label, amount=square.rent_at(built, per_hotel))


def _level(built: int, per_hotel: int, named: Named, language: str) -> str:
    """Return the name of a level of building: "3 houses", "1 hotel", "1 hotel, 2 skyscrapers"."""
    if built <= per_hotel:
        return f"{built} {(named.house if built == 1 else named.houses).in_language(language)}"
    hotel, towers = f"1 {named.hotel.in_language(language)}", built - per_hotel - 1
    tower = named.tower_words[towers > 1].in_language(language)
    return f"{hotel}, {towers} {tower}" if towers else hotel


def _groups(groups: tuple[Group, ...], marks: Mapping[str, str]) -> Iterator[BoardGroup]:
    """Draw the groups, each with the mark of the face, or else with a distinct mark of two letters."""
    used: set[str] = set(marks.values())
    for group in groups:
        suggested = (candidate for candidate in _marks(group.id) if candidate not in used)
        mark = marks.get(group.id) or next(suggested)
        used.add(mark)
        yield BoardGroup(id=group.id, name=group.name, colour=group.colour, mark=mark)


def _marks(name: str) -> Iterator[str]:
    """Suggest marks for a group, by its id: the initials of the words, the first letter with another, a number."""
    words = [word for word in name.split("_") if word]
    letters = "".join(words) or "x"
    if len(words) > 1:
        yield f"{words[0][0].upper()}{words[1][0]}"
    yield from (f"{letters[0].upper()}{other}" for other in letters[1:])
    yield from (f"{number:02}" for number in range(100))


# ----------------------------------------------------------------------------------------------
# Things on the board
# ----------------------------------------------------------------------------------------------


def display(state: Monopoly, speakers: Mapping[str, Speaker], language: str) -> Display:
    """Return tokens, titles with buildings, public notices, and the decks."""
    return Display(
        tokens=tuple(
            TokenView(seat, boards.place_id(state.positions[seat]), "in_prison" if seat in state.jailed else UNSET)
            for seat in state.order
            if seat in state.positions and seat not in state.out
        ),
        places=dict(_places(state, language)),
        notices=tuple(_notices(state, speakers, language)),
        piles=tuple(
            PileView(deck, speakers["deck"](deck, language), decks.left_in(state, deck))
            for deck in pieces(state).piles
        ),
    )


def _places(state: Monopoly, language: str) -> Iterator[tuple[str, PlaceView]]:
    owners = owners_of(state)
    for number, square in enumerate(pieces(state).squares):
        if not square.price:
            continue
        owner: str | UnsetType = owners.get(square.id, UNSET)
        lying = state.holdings.account(attached(square.id))
        built = tuple(
            PieceView(commodity=piece, amount=lying[piece]) for piece in BUILDINGS if lying.get(piece, 0) > 0
        )
        mortgaged = lying.get(MORTGAGE, 0) > 0
        if owner is not UNSET or built or mortgaged:
            rent, per_pip = (UNSET, UNSET) if owner is UNSET else rents.rent_now(state, owner, square)
            yield (
                boards.place_id(number),
                PlaceView(
                    owner=owner,
                    pieces=built or UNSET,
                    marks=(MORTGAGE,) if mortgaged else UNSET,
                    rent=rent,
                    rent_per_pip=per_pip,
                    toll=boards.toll(rent, per_pip, language),
                    lift=square.mortgage + interest(state, square.id) if mortgaged else UNSET,
                ),
            )


def _notices(state: Monopoly, speakers: Mapping[str, Speaker], language: str) -> Iterator[NoticeView]:
    """List notices: the auction under way and the next lots, open rents, debts, votes to close the season."""

    def words(en: str, fr: str) -> str:
        return Phrase(en, fr).in_language(language)

    def say(manner: str, value: object) -> str:
        return speakers[manner](value, language)

    if state.ended:
        return
    if state.choosing is not None:
        chooser, subject = say("seat", state.choosing.seat), say("ask", state.choosing)
        yield NoticeView(
            text=words(f"{chooser} is to choose: {subject}", f"choix {elided('de', chooser)} : {subject}"),
            rule=rule_of(state, state.choosing),
        )
    auction = state.auction
    if auction is not None:
        thing = say("goods", thing_of(auction.lot))
        bid = (
            words("no bid yet", "pas encore d'enchère")
            if auction.bidder is None
            else f"{say('money', auction.bid)} ({say('seat', auction.bidder)})"
        )
        yield NoticeView(
            text=words(f"auction of {thing}: {bid}", f"enchères pour {thing} : {bid}"), rule=cite(state, "auction")
        )
    if state.lots:
        listed = ", ".join(say("goods", thing_of(item)) for item in state.lots)
        yield NoticeView(
            text=words(f"to be auctioned: {listed}", f"à mettre aux enchères : {listed}"),
            rule=cite(state, "bankrupt_auction"),
        )
    reminded = reminded_at(state)
    if reminded is not None:
        seat = say("seat", state.turn)
        yield NoticeView(
            text=words(
                f"if {seat} does not play, the banker may throw and decline purchases in their name",
                f"si {seat} ne joue pas, le banquier peut lancer et refuser des achats en son nom",
            ),
            until=f"{reminded:%Y-%m-%d %H:%M} UTC",
            rule=cite(state, "turn"),
        )
    for rent in state.rents:
        title, owner, lander = say("title", rent.title), say("seat", rent.owner), say("seat", rent.lander)
        if rent.claimed:
            text = words(
                f"{lander} throws for the rent of {title}", f"{lander} lance les dés pour le loyer : {title}"
            )
        else:
            text = words(
                f"{owner} may claim the rent of {title} ({lander})",
                f"{owner} peut réclamer le loyer : {title} ({lander})",
            )
        yield NoticeView(text=text, rule=cite(state, "rent"))
    for debt in state.debts:
        owed, debtor, creditor = say("money", debt.amount), say("seat", debt.debtor), say("account", debt.creditor)
        yield NoticeView(
            text=words(f"{debtor} owes {owed} to {creditor}", f"{debtor} doit {owed} à {creditor}"), rule=debt.rule
        )
    for seat, turns in state.missing.items():
        name = say("seat", seat)
        yield NoticeView(
            text=words(f"{name} misses turns: {turns}", f"{name} passe des tours : {turns}"),
            rule=cite(state, "miss"),
        )
    if state.consents and has_role(state, "season_vote"):
        named = ", ".join(say("seat", item) for item in state.order if item in state.consents)
        yield NoticeView(
            text=words(f"for closing the season: {named}", f"pour clore la saison : {named}"),
            rule=cite(state, "season_vote"),
        )
