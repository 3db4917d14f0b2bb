"""A table's own decks (setting `decks`) and board (setting `board`).

    {"decks": {"chance": [{"id": "toll", "title": "Péage", "effects": [{"op": "pay", …}]}], "meteo": []}}
    {"board": [{"kind": "spawn", "name": "Spawn"}, {"kind": "property", "name": "…", "property": "negotown"}, …]}

The banker applies a card that has no effects. `cards` and `squares` build the pieces of the game. `check` refuses
unplayable cards and squares with the reason; the value `place` of a refusal is a JSON Pointer into the settings,
such as "/decks/chance/0/effects/1/amount".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta

from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.language import faults
from ledger.kernel.language.phrase import Phrase
from ledger.rulebooks.negopoly.cards.vocabulary import (
    DECKS,
    OPERATIONS,
    AnyEffect,
    Banker,
    Cancel,
    Card,
    CardId,
    Deck,
    Gain,
    Modifier,
    Move,
    Pay,
    Retry,
    RollModifier,
    Teleport,
    Timing,
    Wording,
)
from ledger.rulebooks.negopoly.table.pieces import BOARD, CARDS, DELIVERABLE, TITLES, Square
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
        _check_card(card, pointer)
    laid = () if board is None else squares(board)
    if board is not None:
        _check_board(laid)
    _require_told_apart(placed, laid)


def _require_told_apart(placed: Iterable[tuple[str, Card]], board: Iterable[Square]) -> None:
    """Refuse cards and squares with names that look alike. Squares of one kind may, except titles."""
    lists = [
        [
            Called(f"/board/{item.index}/name", item.name, None if item.kind == "property" else item.kind)
            for item in board
        ],
        *(
            [
                Called(f"{pointer}/title", card.title.in_language(language), card.effects)
                for pointer, card in placed
            ]
            for language in ("en", "fr")
        ),
    ]
    if alike := next((fault for item in lists for fault in look_alikes(item)), None):
        raise Malformed("{place}: {en}", "{place} : {fr}", en=alike.en, fr=alike.fr, place=alike.place)


def _check_card(card: Card, pointer: str) -> None:
    for wrong, flaw in _FLAWS:
        if wrong(card):
            raise Malformed(
                "card {card!r} ({deck}): " + flaw.en,
                "carte {card!r} ({deck}) : " + flaw.fr,
                card=card.id,
                deck=card.deck,
                timing=card.timing,
                effects=", ".join(msgspec.json.encode(effect).decode() for effect in card.effects),
                place=pointer,
            )


_SWITCHES = frozenset({"checkpoint", "build", "vehicle"})
"""The subjects that weather can only switch off."""

_ANSWERS: dict[Timing, tuple[type, str]] = {
    "on_arrest": (Cancel, "arrest"),
    "on_police_check": (Cancel, "police_check"),
    "on_failed_sale": (Retry, "drug_sale"),
    "on_drug_die": (Cancel, "drug_result"),
}
"""The only effect of a card played in answer to an event, by timing."""


_KEPT = {"arrest": "confiscation", "police_check": "movement", "drug_result": "turn"}
"""The consequence that a cancelling card must leave in force, by the subject cancelled."""


def _untitled(card: Card) -> bool:
    return not card.title.in_language("en").strip()


def _kept_at_the_wrong_time(card: Card) -> bool:
    return card.keep == (card.timing == "on_draw")


def _kept_weather(card: Card) -> bool:
    return card.deck == "meteo" and card.keep


def _passing_weather(card: Card) -> bool:
    return card.deck == "meteo" and not all(isinstance(effect, Modifier | Banker) for effect in card.effects)


def _standing_elsewhere(card: Card) -> bool:
    return card.deck != "meteo" and any(isinstance(effect, Modifier) for effect in card.effects)


def _unclear_modifier(card: Card) -> bool:
    for effect in card.effects:
        if isinstance(effect, Modifier):
            changes = [name for name in ("add", "percent", "set", "off") if getattr(effect, name) is not UNSET]
            if len(changes) != 1 or effect.off is False or (changes == ["off"]) != (effect.what in _SWITCHES):
                return True
    return False


def _out_of_place_answer(card: Card) -> bool:
    if card.timing not in _ANSWERS:
        return any(isinstance(effect, Cancel | Retry) for effect in card.effects)
    kind, subject = _ANSWERS[card.timing]
    return [(type(effect), getattr(effect, "what", None)) for effect in card.effects] != [(kind, subject)]


def _keeps_something_else(card: Card) -> bool:
    return any(
        isinstance(effect, Cancel) and effect.keeps not in {None, _KEPT[effect.what]} for effect in card.effects
    )


def _changes_nothing(card: Card) -> bool:
    return any(
        (isinstance(effect, Move) and not effect.steps) or (isinstance(effect, RollModifier) and not effect.add)
        for effect in card.effects
    )


def _nobody_pays(card: Card) -> bool:
    sides = [{effect.source, effect.to} for effect in card.effects if isinstance(effect, Pay)]
    return any(len(side) == 1 or side == {"each_other", "chosen"} for side in sides)


def _gives_what_it_has_not(card: Card) -> bool:
    return any(isinstance(effect, Gain) and effect.item not in DELIVERABLE for effect in card.effects)


def _moves_out_of_time(card: Card) -> bool:
    return card.timing not in {"on_draw", "own_turn"} and any(isinstance(effect, Move) for effect in card.effects)


def _replaces_no_roll(card: Card) -> bool:
    return card.timing != "before_own_roll" and any(
        isinstance(effect, Teleport) and effect.replaces_roll for effect in card.effects
    )


def _without_target(card: Card) -> bool:
    return card.timing == "before_target_roll" and "player" not in card.choices()


def _two_titles(card: Card) -> bool:
    return {"own_title", "other_title"} <= card.choices()


_GOODS = ", ".join(sorted(DELIVERABLE))
_FLAWS: tuple[tuple[Callable[[Card], bool], Phrase], ...] = (
    (_untitled, Phrase("it has no title", "elle n'a pas de titre")),
    (
        _kept_at_the_wrong_time,
        Phrase(
            "a card that is kept is played later, any other one on_draw, not {timing}",
            "une carte conservée se joue plus tard, toute autre au tirage (on_draw), pas {timing}",
        ),
    ),
    (_kept_weather, Phrase("the weather is not kept in a hand", "la météo ne se conserve pas en main")),
    (
        _passing_weather,
        Phrase(
            "the weather has standing effects only (modifier), not {effects}",
            "la météo n'a que des effets durables (modifier), pas {effects}",
        ),
    ),
    (
        _standing_elsewhere,
        Phrase(
            "standing effects (modifier) belong to the weather, not {effects}",
            "les effets durables (modifier) sont ceux de la météo, pas {effects}",
        ),
    ),
    (
        _unclear_modifier,
        Phrase(
            "a modifier says one of add, percent, set, or off = true for checkpoint, build, vehicle, "
            "not {effects}",
            "un modifier dit l'un de add, percent, set, ou off = true pour checkpoint, build, vehicle, "
            "pas {effects}",
        ),
    ),
    (
        _out_of_place_answer,
        Phrase(
            "cancel and retry are the one effect of a card that answers just that, not at {timing} of {effects}",
            "cancel et retry sont l'unique effet d'une carte qui répond à cela même, pas à {timing} de {effects}",
        ),
    ),
    (
        _keeps_something_else,
        Phrase(
            "a cancelled arrest keeps confiscation, a police_check movement, a drug_result turn, "
            "not as in {effects}",
            "annulés, arrest garde confiscation, police_check movement, drug_result turn, "
            "pas comme dans {effects}",
        ),
    ),
    (
        _changes_nothing,
        Phrase(
            "a move of 0 steps and a roll_modifier of 0 change nothing: {effects}",
            "un move de 0 case et un roll_modifier de 0 ne changent rien : {effects}",
        ),
    ),
    (
        _nobody_pays,
        Phrase(
            "a payment has two sides, one of them the bank or the drawer, not {effects}",
            "un paiement a deux côtés, dont la banque ou le tireur, pas {effects}",
        ),
    ),
    (
        _gives_what_it_has_not,
        Phrase(
            f"the bank gives one of {_GOODS}, not {{effects}}",
            f"la banque donne l'un de {_GOODS}, pas {{effects}}",
        ),
    ),
    (
        _moves_out_of_time,
        Phrase(
            "a token moves on_draw or in its own_turn, not {timing}",
            "un pion se déplace au tirage (on_draw) ou pendant son tour (own_turn), pas {timing}",
        ),
    ),
    (
        _replaces_no_roll,
        Phrase(
            "what replaces the roll is played before_own_roll, not {timing}",
            "ce qui remplace le lancer se joue before_own_roll, pas {timing}",
        ),
    ),
    (
        _without_target,
        Phrase(
            "before_target_roll needs a chosen player, and {effects} names none",
            "before_target_roll demande un joueur désigné (chosen), et {effects} n'en désigne aucun",
        ),
    ),
    (
        _two_titles,
        Phrase(
            "one title is chosen at most, not two as in {effects}",
            "un seul titre se choisit, pas deux comme dans {effects}",
        ),
    ),
)
"""The reasons for an unplayable card, in English and French."""


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
