"""A table's own decks (setting `decks`) and board (setting `board`).

    {"decks": {"chance": [{"id": "toll", "title": "Péage", "effects": [{"op": "pay", …}]}], "meteo": []}}
    {"board": [{"kind": "spawn", "name": "Spawn"}, {"kind": "property", "name": "…", "property": "negotown"}, …]}

The banker applies a card that has no effects. `cards` and `squares` build the pieces of the game. `check` refuses
unplayable cards and squares with the reason; the value `place` of a refusal is a JSON Pointer into the settings,
such as "/decks/chance/0/effects/1/amount".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.language import faults
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.faces.editions import refuse
from ledger.rulebooks.negopoly.cards.vocabulary import (
    DECKS,
    OPERATIONS,
    AnyEffect,
    Banker,
    Card,
    CardId,
    Deck,
    Timing,
    Wording,
)
from ledger.rulebooks.negopoly.table.own_cards import check_card
from ledger.rulebooks.negopoly.table.pieces import BOARD, CARDS, TITLES, Square
from ledger.rulebooks.negopoly.table.pieces import OPERATIONS as MEANINGS
from ledger.rulebooks.parts.looks import Called, look_alikes

Said = Annotated[str, Meta(max_length=1000)] | Wording


class OwnCard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A card of a table's own deck. Title and text are one sentence, or `{"en": …, "fr": …}`.

    `effects` are operations of the rulebook's components; the banker applies a card without effects.
    """

    id: CardId
    title: Said
    text: Said = ""
    keep: bool = False
    timing: Timing = "on_draw"
    effects: Annotated[tuple[dict[str, Any], ...], Meta(max_length=20)] = ()


Pile = Annotated[tuple[OwnCard, ...], Meta(max_length=500)]


class OwnDecks(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table's own decks. A missing deck is the rulebook's; an empty deck is not used."""

    chance: Pile | None = None
    kamtar: Pile | None = None
    meteo: Pile | None = None


Kind = Literal[
    "spawn", "property", "chance", "checkpoint", "bar", "prison", "nc_custom", "hopital", "comico", "kamtar"
]
CORNERS: tuple[Kind, ...] = ("spawn", "prison", "hopital", "comico")


class OwnSquare(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A square of a table's own board.

    `property` is the id of a title, for squares of kind "property" only.
    """

    kind: Kind
    name: Annotated[str, Meta(min_length=1, max_length=80)]
    property: str | None = None


Decks = Annotated[
    OwnDecks | None,
    Meta(
        description="The decks that the table brings; without any, those of the rulebook.",
        extra_json_schema={"description_fr": "Les pioches que la table apporte ; sans elles, celles du jeu."},
    ),
]
Board = Annotated[
    Annotated[tuple[OwnSquare, ...], Meta(max_length=1000)] | None,
    Meta(
        description="The squares of the table's own board, in the order of travel; without any, the rulebook's.",
        extra_json_schema={
            "description_fr": "Les cases du plateau de la table, dans l'ordre du parcours ; sinon, celles du jeu."
        },
    ),
]


# ----------------------------------------------------------------------------------------------
# Pieces
# ----------------------------------------------------------------------------------------------


def cards(own_decks: OwnDecks | None) -> tuple[Card, ...] | None:
    """Return the cards of a table, all decks together. None means the rulebook's cards.

    Raises Malformed for an unknown operation or wrong parameters.
    """
    return None if own_decks is None else tuple(card for _, card in _placed(own_decks))


def squares(own_squares: Iterable[OwnSquare] | None) -> tuple[Square, ...]:
    """Return the squares of a table: custom squares in the given order, or the rulebook's squares."""
    if own_squares is None:
        return BOARD
    return tuple(
        Square(index, square.kind, square.name, square.property) for index, square in enumerate(own_squares)
    )


def _placed(own_decks: OwnDecks) -> Iterator[tuple[str, Card]]:
    """Yield the cards of the decks, each with a JSON Pointer into the settings."""
    for deck in DECKS:
        for index, card in enumerate(_pile(own_decks, deck)):
            pointer = f"/decks/{deck}/{index}"
            yield pointer, card if isinstance(card, Card) else _card(card, deck, pointer)


def _pile(own_decks: OwnDecks, deck: Deck) -> Iterable[OwnCard | Card]:
    brought: tuple[OwnCard, ...] | None = getattr(own_decks, deck)
    return [card for card in CARDS if card.deck == deck] if brought is None else brought


def _card(own_card: OwnCard, deck: Deck, pointer: str) -> Card:
    effects = (
        _effect(own_card, fields, f"{pointer}/effects/{index}") for index, fields in enumerate(own_card.effects)
    )
    return Card(
        id=own_card.id,
        title=_wording(own_card.title),
        text=_wording(own_card.text),
        keep=own_card.keep,
        timing=own_card.timing,
        effects=tuple(effects) or (Banker(),),
        deck=deck,
    )


def _wording(text: str | Wording) -> Wording:
    return Wording(text, text) if isinstance(text, str) else text


def _effect(card: OwnCard, fields: dict[str, Any], pointer: str) -> AnyEffect:
    name = fields.get("op")
    operation = OPERATIONS.get(name) if isinstance(name, str) else None
    if operation is None:
        raise Malformed(
            "card {card!r}: {given} names no operation (op) that there is; there are: {operations}",
            "carte {card!r} : {given} ne nomme aucune opération (op) qui existe ; il y a : {operations}",
            card=card.id,
            given=_written(fields),
            operations=", ".join(OPERATIONS),
            place=pointer,
        )
    try:
        return msgspec.convert(fields, operation)  # type: ignore[return-value]
    except msgspec.ValidationError as refused:
        fault, path = faults.parted(str(refused))
        meaning = MEANINGS[str(name)]
        raise Malformed(
            "card {card!r}, operation {op}{at}: {what.en} (in {given}); {op} takes {takes}: {meaning}",
            "carte {card!r}, opération {op}{at} : {what.fr} (dans {given}) ; {op} prend {takes} : {sens}",
            card=card.id,
            op=name,
            at=path.replace(".", ", "),
            what=faults.in_words(fault),
            given=_written(fields),
            takes=meaning["params"] or "-",
            meaning=meaning["en"],
            sens=meaning["fr"],
            place=pointer + path.replace(".", "/"),
        ) from refused


def _written(value: dict[str, Any]) -> str:
    return msgspec.json.encode(value).decode()


# ----------------------------------------------------------------------------------------------
# Checks
# ----------------------------------------------------------------------------------------------


def check(decks: OwnDecks | None, board: Iterable[OwnSquare] | None) -> None:
    """Refuse unplayable decks and boards. Raises Malformed with the card or the square at fault."""
    placed = [] if decks is None else list(_placed(decks))
    places_of: dict[str, list[str]] = {}
    for pointer, card in placed:
        places_of.setdefault(card.id, []).append(pointer)
    for card_id, places in places_of.items():
        if len(places) > 1:
            raise Malformed(
                "each card has an id of its own; {card!r} is used more than once: {places}",
                "chaque carte a son propre identifiant ; {card!r} est utilisé plusieurs fois : {places}",
                card=card_id,
                places=", ".join(pointer.removeprefix("/decks/") for pointer in places),
                place=f"{places[-1]}/id",
            )
    for pointer, card in placed:
        check_card(card, pointer)
    laid = () if board is None else squares(board)
    if board is not None:
        _check_board(laid)
    _require_told_apart(placed, laid)


def _require_told_apart(placed: Iterable[tuple[str, Card]], board: Iterable[Square]) -> None:
    """Refuse cards and squares with names that look alike. Squares of one kind may, except titles."""
    squares = (
        Called(f"/board/{item.index}/name", item.name, None if item.kind == "property" else item.kind)
        for item in board
    )
    titles = (
        [Called(f"{pointer}/title", card.title.in_language(language), card.effects) for pointer, card in placed]
        for language in ("en", "fr")
    )
    refuse(look_alikes(squares, *titles))


def _check_board(board: tuple[Square, ...]) -> None:
    for kind in CORNERS:
        indices = [square.index for square in board if square.kind == kind]
        if len(indices) != 1:
            raise Malformed(
                "a board has one {kind} square, and this one has {count}, at: {where}",
                "un plateau a une case {kind}, et celui-ci en a {count} : {where}",
                kind=kind,
                count=len(indices),
                where=", ".join(map(str, indices)) or "-",
                place=f"/board/{indices[-1]}" if indices else "/board",
            )
    placed: dict[str, list[int]] = {}
    for square in board:
        if (square.kind == "property") != (square.property is not None):
            raise Malformed(
                "square {index} ({name}), {kind}: a property has a title, any other none, not {property!r}",
                "case {index} ({name}), {kind} : une property a un titre, une autre case aucun, pas {property!r}",
                index=square.index,
                name=square.name,
                kind=square.kind,
                property=square.property,
                place=f"/board/{square.index}",
            )
        if square.property is not None:
            placed.setdefault(square.property, []).append(square.index)
    unknown = [title for title in placed if title not in TITLES]
    twice = [title for title, squares in placed.items() if len(squares) > 1]
    missing = [title for title in TITLES if title not in placed]
    for titles, flaw in (
        (unknown, Phrase("these are no titles: {titles}", "ce ne sont pas des titres : {titles}")),
        (
            twice,
            Phrase(
                "each title lies on one square; on several: {titles}",
                "chaque titre a une seule case ; ont plusieurs cases : {titles}",
            ),
        ),
        (
            missing,
            Phrase(
                "each of the 22 titles has a square; without one: {titles}",
                "chacun des 22 titres a une case ; n'en ont pas : {titles}",
            ),
        ),
    ):
        if titles:
            spots = placed.get(titles[0])
            raise Malformed(
                flaw.en,
                flaw.fr,
                titles=", ".join(_placed_on(title, placed) for title in titles),
                place=f"/board/{spots[-1]}/property" if spots else "/board",
            )


def _placed_on(title: str, placed: dict[str, list[int]]) -> str:
    """Return a title with the indices of its squares on the board, if any."""
    return f"{title} ({', '.join(map(str, placed[title]))})" if title in placed else title
