"""Contradictions in decks, cards and chance dice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

import msgspec
from msgspec import UNSET

from ledger.kernel.rules.faces.editions import Fault, pointer_at
from ledger.rulebooks.monopoly.own_edition import effect_checks, estate_checks, square_checks
from ledger.rulebooks.monopoly.own_edition.placed import Read
from ledger.rulebooks.monopoly.table import effects
from ledger.rulebooks.monopoly.table.pieces import Deck, Kind
from ledger.rulebooks.parts.fitting import operations
from ledger.rulebooks.parts.reasons import excerpt, listed

OPERATIONS: Mapping[str, type[effects.BaseEffect]] = operations(effects.Effect)  # type: ignore[assignment]
KINDS: tuple[str, ...] = get_args(Kind)


def faults(read: Read) -> Iterator[Fault]:
    """Report the faults of decks, then the faults of cards, in order."""
    for pointer, deck in read.decks:
        yield from _die(pointer, deck, read) if deck.faces else _pile(pointer, deck, read)
    decks = read.named("decks")
    for number, card in read.numbered("cards"):
        pointer, deck_id = pointer_at("", "cards", number), card.get("deck")
        if isinstance(deck_id, str) and deck_id not in decks:
            yield Fault(
                pointer_at(pointer, "deck"),
                f"there is no deck {excerpt(deck_id)}; there are: {listed(decks)}",
                f"il n'y a pas de pioche {excerpt(deck_id)} ; il y a : {listed(decks)}",
            )
        yield from _lists(card, pointer, read, by_die=_is_die(deck_id, read))
    for number, square in read.numbered("squares"):
        pointer = pointer_at("", "squares", number)
        yield from _lists(square, pointer, read, by_die=False)
        yield from _list(square, "passing", pointer, read, by_die=False)
    yield from square_checks.faults(read)


def _lists(holder: Mapping[str, Any], pointer: str, read: Read, *, by_die: bool) -> Iterator[Fault]:
    """Check the effects of a card or a square, and the lists of effects in them."""
    for inside, owner in estate_checks.owners_of_lists(holder, pointer):
        yield from _list(owner, "effects", inside, read, by_die=by_die)
        yield from estate_checks.unfit_order(owner, inside, _MOVES)


def _list(holder: Mapping[str, Any], member: str, pointer: str, read: Read, *, by_die: bool) -> Iterator[Fault]:
    """Check a list of effects."""
    raw = holder.get(member)
    yield from _order(raw, pointer_at(pointer, member))
    for step, effect in enumerate(_steps(raw)):
        yield from _effect(effect, pointer_at(pointer, member, step), read, by_die=by_die)


def _steps(raw: Any) -> Sequence[Any]:
    return raw if isinstance(raw, list | tuple) else ()


def _cards_of(deck: str, read: Read) -> list[tuple[str, Mapping[str, Any]]]:
    return [(pointer_at("", "cards", n), card) for n, card in read.numbered("cards") if card.get("deck") == deck]


def _is_die(deck: Any, read: Read) -> bool:
    return any(placed.part.id == deck and placed.part.faces for placed in read.decks)


def _is_kept(card: Mapping[str, Any]) -> bool:
    steps = card.get("effects")
    return isinstance(steps, list | tuple) and any(
        isinstance(step, Mapping) and step.get("op") == "keep" for step in steps
    )


def _pile(pointer: str, deck: Deck, read: Read) -> Iterator[Fault]:
    """Check a pile: it has cards, at least one card comes back, and neither dice nor faces."""
    cards = _cards_of(deck.id, read)
    if deck.dice is not UNSET:
        yield Fault(
            pointer_at(pointer, "dice"),
            f"{excerpt(deck.id)} is a pile of cards, without dice; a chance die says how many `faces` it has",
            f"{excerpt(deck.id)} est une pioche, sans dés ; un dé dit combien de `faces` il a",
        )
    if not cards:
        yield Fault(
            pointer_at(pointer, "id"),
            f"the deck {excerpt(deck.id)} has no cards",
            f"la pioche {excerpt(deck.id)} n'a pas de cartes",
        )
    elif all(_is_kept(card) for _, card in cards):
        yield Fault(
            pointer_at(pointer, "id"),
            f"every card of the deck {excerpt(deck.id)} is kept: there would be none left to draw",
            f"toutes les cartes de la pioche {excerpt(deck.id)} se gardent : il n'en resterait aucune à tirer",
        )
    for card_pointer, card in cards:
        if card.get("face"):
            yield Fault(
                pointer_at(card_pointer, "face"),
                f"{excerpt(deck.id)} is a pile of cards, without faces; a chance die says how many `faces` it has",
                f"{excerpt(deck.id)} est une pioche, sans faces ; un dé dit combien de `faces` il a",
            )


def _die(pointer: str, deck: Deck, read: Read) -> Iterator[Fault]:
    """Check a chance die: each face has one card, or there is one card for all others."""
    described: dict[int, str] = {}
    totals = deck.totals
    for card_pointer, card in _cards_of(deck.id, read):
        face = card.get("face", 0)
        if not isinstance(face, int):
            continue  # told as a fault of shape
        if face and face not in totals:
            yield Fault(
                pointer_at(card_pointer, "face"),
                f"the die {excerpt(deck.id)} has the faces {totals[0]} to {totals[-1]}, and no {face}",
                f"le dé {excerpt(deck.id)} a les faces {totals[0]} à {totals[-1]}, et pas de {face}",
            )
        elif face in described:
            yield Fault(
                pointer_at(card_pointer, "face"),
                f"the face {face} of the die {excerpt(deck.id)} is described twice"
                if face
                else f"two cards of the die {excerpt(deck.id)} have no `face`: one stands for all other faces",
                f"la face {face} du dé {excerpt(deck.id)} est décrite deux fois"
                if face
                else f"deux cartes du dé {excerpt(deck.id)} sont sans `face` : une seule vaut pour les autres",
            )
        described[face] = card_pointer
    missing = [str(face) for face in totals if face not in described and 0 not in described]
    if missing:
        yield Fault(
            pointer_at(pointer, "faces"),
            f"no card says what these faces of the die {excerpt(deck.id)} do: {listed(missing)}",
            f"aucune carte ne dit ce que font ces faces du dé {excerpt(deck.id)} : {listed(missing)}",
        )


_MOVES = frozenset(str(effect.__struct_config__.tag) for effect in effects.MOVES)
_NOT_THE_DRAWER = frozenset({"others", "next", "previous"})
"""The players of an effect without the drawer: a move of these players opens nothing."""


def _order(raw: Any, pointer: str) -> Iterator[Fault]:
    """Check the steps of a card: the token moves last and once, because the new square may demand more; the
    card is kept once.
    """
    steps = _steps(raw)
    named = [str(effect.get("op")) if isinstance(effect, Mapping) else "" for effect in steps]
    far = [isinstance(effect, Mapping) and str(effect.get("who")) in _NOT_THE_DRAWER for effect in steps]
    for step, name in enumerate(named):
        if name in _MOVES and step < len(named) - 1 and not far[step]:
            yield Fault(
                pointer_at(pointer, step),
                f"{name} moves the token: it is the last effect of a card",
                f"{name} déplace le pion : c'est le dernier effet d'une carte",
            )
        if name == "keep" and "keep" in named[:step]:
            yield Fault(pointer_at(pointer, step), "a card is kept once", "une carte se garde une fois")


def _effect(raw: Any, pointer: str, read: Read, *, by_die: bool) -> Iterator[Fault]:
    """Check the names in an effect of the right shape against the board."""
    kind = OPERATIONS.get(str(raw.get("op"))) if isinstance(raw, Mapping) else None
    if kind is None:
        return
    try:
        effect = msgspec.convert(raw, kind)
    except msgspec.ValidationError:
        return
    if isinstance(effect, effects.BaseEffect):
        yield from effect_checks.faults(effect, pointer)
        yield from estate_checks.faults(effect, pointer, read, by_die=by_die)
    squares = read.named("squares")
    match effect:
        case effects.GoTo() if effect.square not in squares:
            yield Fault(
                pointer_at(pointer, "square"),
                f"there is no square {excerpt(effect.square)} to go to; there are: {listed(squares)}",
                f"il n'y a pas de case {excerpt(effect.square)} où aller ; il y a : {listed(squares)}",
            )
        case effects.Move(to=str(target)) if target not in squares:
            yield Fault(
                pointer_at(pointer, "to"),
                f"there is no square {excerpt(target)} to go to; there are: {listed(squares)}",
                f"il n'y a pas de case {excerpt(target)} où aller ; il y a : {listed(squares)}",
            )
        case effects.GoToNearest():
            yield from _nearest(effect.of, effect.rent, pointer, "of", read)
        case effects.Move(nearest=str(group)):
            yield from _nearest(group, effect.rent, pointer, "nearest", read)
        case effects.Pay(times="thrown") | effects.Receive(times="thrown") if not by_die:
            yield Fault(
                pointer_at(pointer, "times"),
                "a pile of cards throws nothing: only a chance die has a throw to count",
                "une pioche ne lance rien : seul un dé a un lancer à compter",
            )
        case effects.Pay(to="pot") | effects.PayPerBuilding(to="pot") if not (
            read.of_kind("pot") or _empties_pot(read)
        ):
            yield Fault(
                pointer_at(pointer, "to"),
                "nobody could collect it: no square is of kind pot",
                "personne ne pourrait la ramasser : aucune case n'est de type pot",
            )
        case effects.Keep() if by_die and not read.passes:
            yield Fault(
                pointer,
                "a die gives a pass of the bank, and `passes` says that it has none",
                "un dé donne un laissez-passer de la banque, et `passes` dit qu'elle n'en a pas",
            )


def _nearest(name: str, rent: effects.RentDue, pointer: str, member: str, read: Read) -> Iterator[Fault]:
    """Check the goal of a move to the nearest square, and the rent there."""
    if not _is_on_board(name, read):
        names = listed(dict.fromkeys([*read.named("groups"), *filter(read.of_kind, KINDS)]))
        yield Fault(
            pointer_at(pointer, member),
            f"no square is of a group or of a kind {excerpt(name)}; there are: {names}",
            f"aucune case n'est d'un groupe ou d'un type {excerpt(name)} ; il y a : {names}",
        )
    elif rent in {"thrown", "thrown_by_factor"} and not _is_utility(name, read):
        yield Fault(
            pointer_at(pointer, "rent"),
            f"a rent is thrown for on utilities only, and {excerpt(name)} is not of that kind",
            f"seules les compagnies (utility) ont un loyer aux dés, et {excerpt(name)} n'en est pas",
        )


def _empties_pot(read: Read) -> bool:
    """Return True if an effect takes money out of the pot."""
    holders = [*read.rows("cards"), *read.rows("squares")]
    steps = [step for holder in holders for step in _steps(holder.get("effects"))]
    return any(isinstance(step, Mapping) and step.get("source") == "pot" for step in steps)


def _is_utility(name: str, read: Read) -> bool:
    return name == "utility" or any(
        row.get("group") == name and row.get("kind") == "utility" for row in read.rows("squares")
    )


def _is_on_board(name: str, read: Read) -> bool:
    return name in read.named("groups") or bool(read.of_kind(name))
