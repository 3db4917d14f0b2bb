"""Contradictions in effects on titles, in choices, and in kept cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import UNSET

from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.rules.faces.editions import Fault, pointer_at
from ledger.rulebooks.monopoly.own_edition.placed import Read
from ledger.rulebooks.monopoly.table import effects
from ledger.rulebooks.monopoly.table.pieces import TITLES, Pieces
from ledger.rulebooks.monopoly.table.roles import Role
from ledger.rulebooks.parts.edition import Edition
from ledger.rulebooks.parts.reasons import excerpt, listed

_NEEDS: Mapping[type[effects.BaseEffect], Role] = {
    effects.ChooseOption: "choose",
    effects.DrawFrom: "card_draw",
    effects.TakeTitle: "card_title",
    effects.BuyTitle: "card_title",
    effects.GiveTitle: "card_title",
    effects.SwapTitles: "card_title",
    effects.LoseTitle: "card_title",
    effects.AuctionTitle: "card_title",
    effects.BuildOn: "card_house",
    effects.LoseBuilding: "card_house",
}
"""The role of an edition for each effect of some editions."""


def require_rules(edition: Edition[Any, Any], board: Pieces) -> None:
    """Refuse effects without a rule of the edition. Raises Malformed, with the `place` in the settings."""
    for number, card in enumerate(board.cards):
        for step, effect in enumerate(card.effects):
            role = _NEEDS.get(type(effect))
            if isinstance(effect, effects.Keep) and card.use != "leave_prison":
                role = "card_use"
            if effect.who == "chosen":
                role = role or "choose"
            if role is not None and role not in edition.rules.roles:
                raise Malformed(
                    "{title} has no rule for the effect {op}; a table's own board has one (rulebook monopoly)",
                    "{title} n'a pas de règle pour l'effet {op} ; le plateau d'une table en a une (jeu monopoly)",
                    title=edition.title,
                    op=effect.__struct_config__.tag,
                    place=f"/board/cards/{number}/effects/{step}",
                )


def owners_of_lists(card: Mapping[str, Any], pointer: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the card, the options and the kept effects: everything with a list `effects`."""
    yield pointer, card
    steps = card.get("effects")
    for step, effect in enumerate(steps if isinstance(steps, list | tuple) else ()):
        if not isinstance(effect, Mapping):
            continue
        inside = pointer_at(pointer, "effects", step)
        if effect.get("op") == "keep" and "effects" in effect:
            yield from owners_of_lists(effect, inside)
        options = effect.get("options") if effect.get("op") == "choose" else ()
        for number, option in enumerate(options if isinstance(options, list | tuple) else ()):
            if isinstance(option, Mapping):
                yield from owners_of_lists(option, pointer_at(inside, "options", number))


def faults(effect: effects.BaseEffect, pointer: str, read: Read, *, by_die: bool) -> Iterator[Fault]:
    """Report the faults of an effect of the right shape against the board."""
    of = getattr(effect, "of", UNSET)
    if type(effect) in _NEEDS and of is not UNSET and of not in _title_names(read):
        names = listed(_title_names(read))
        yield Fault(
            pointer_at(pointer, "of"),
            f"there is no title, no group and no kind of title {excerpt(of)}; there are: {names}",
            f"il n'y a ni titre, ni groupe, ni type de titre {excerpt(of)} ; il y a : {names}",
        )
    if isinstance(effect, effects.PricedEffect) and UNSET not in (effect.price, effect.share):
        yield Fault(
            pointer_at(pointer, "share"),
            "the price is an amount (`price`) or a part of the printed price (`share`), not both",
            "le prix est un montant (`price`) ou une part du prix indiqué (`share`), pas les deux",
        )
    match effect:
        case effects.DrawFrom(deck=deck) if deck not in _piles(read):
            yield Fault(
                pointer_at(pointer, "deck"),
                f"there is no pile of cards {excerpt(deck)} to draw from; there are: {listed(_piles(read))}",
                f"il n'y a pas de pioche {excerpt(deck)} où tirer ; il y a : {listed(_piles(read))}",
            )
        case effects.Keep():
            yield from _keep(effect, pointer, by_die=by_die)


def _keep(effect: effects.Keep, pointer: str, *, by_die: bool) -> Iterator[Fault]:
    """Check a kept card: a list of effects belongs to the use "effects", and a die gives passes only."""
    owns = effect.use == "effects"
    if owns and effect.effects is UNSET:
        yield Fault(
            pointer_at(pointer, "effects"),
            'a card kept for its "effects" has a list of them',
            "une carte gardée pour ses effets (« effects ») en a une liste",
        )
    for name in ("effects", "playable"):
        if not owns and getattr(effect, name) is not UNSET:
            yield Fault(
                pointer_at(pointer, name),
                f'`{name}` belongs to a card kept with use = "effects"',
                f'`{name}` va avec une carte gardée à use = "effects"',
            )
    if by_die and effect.use not in (UNSET, "leave_prison"):
        yield Fault(
            pointer_at(pointer, "use"),
            "a die gives a pass of the bank, which gets out of prison and has no other use",
            "un dé donne un laissez-passer de la banque, qui libère de prison et n'a pas d'autre usage",
        )


def unfit_order(owner: Mapping[str, Any], pointer: str, moves: frozenset[str]) -> Iterator[Fault]:
    """Check for possible moves before the end of a list: another card, and a choice with a move."""
    steps = owner.get("effects")
    steps = steps if isinstance(steps, list | tuple) else ()
    for step, effect in enumerate(steps):
        if step < len(steps) - 1 and _may_move(effect, moves):
            yield Fault(
                pointer_at(pointer, "effects", step),
                f"{effect['op']} may move the token: it is the last effect of a list",
                f"{effect['op']} peut déplacer le pion : c'est le dernier effet d'une liste",
            )
        if isinstance(effect, Mapping) and "who" in effect and _may_move(effect, moves):
            yield Fault(
                pointer_at(pointer, "effects", step, "who"),
                f"{effect['op']} may move the token, which moves on its own turn only: it is for the drawer alone",
                f"{effect['op']} peut déplacer le pion, qui n'avance qu'à son tour : c'est pour qui tire seul",
            )
        if owner.get("op") == "keep" and owner.get("playable") == "any" and _may_move(effect, moves, moves):
            yield Fault(
                pointer_at(pointer, "effects", step),
                f'{effect["op"]} may move the token, and a token moves on its own turn: `playable` is "turn"',
                f"{effect['op']} peut déplacer le pion, qui n'avance qu'à son tour : `playable` est « turn »",
            )


def _may_move(effect: Any, moves: frozenset[str], itself: frozenset[str] = frozenset()) -> bool:
    """Return True for a draw, or a choice with a move; also for the operations in `itself`."""
    if not isinstance(effect, Mapping):
        return False
    if str(effect.get("op")) in {"draw", *itself}:
        return True
    options = effect.get("options") if effect.get("op") == "choose" else ()
    inside = [
        step
        for option in (options if isinstance(options, list | tuple) else ())
        if isinstance(option, Mapping) and isinstance(option.get("effects"), list | tuple)
        for step in option["effects"]
    ]
    return any(_may_move(step, moves, moves) for step in inside)


def _piles(read: Read) -> list[str]:
    return [placed.part.id for placed in read.decks if not placed.part.faces]


def _title_names(read: Read) -> list[str]:
    """Return the names of groups, kinds and titles, open to an effect as a limit."""
    rows = [row for row in read.rows("squares") if row.get("kind") in TITLES]
    names = [str(row.get(part)) for part in ("group", "kind", "id") for row in rows]
    return list(dict.fromkeys(names))
