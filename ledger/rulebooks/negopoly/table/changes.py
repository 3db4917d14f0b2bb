"""How two views of one table differ, in sentences: what a correction, or an action, makes of the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ledger.kernel.language.sentences import Speaker
from ledger.rulebooks.negopoly.table.pieces import TITLES
from ledger.rulebooks.parts import differing
from ledger.rulebooks.parts.differing import Says, Telling, View, changed
from ledger.rulebooks.parts.speaking import Both

_REST: Mapping[str, Both] = {
    "next_order": ("the order of the next round", "l'ordre du prochain round"),
    "personas": ("the characters", "les personnages"),
    "weather": ("the weather", "la météo"),
    "decks": ("the decks", "les pioches"),
    "roll_changes": ("what cards add to the next rolls", "ce que des cartes ajoutent aux prochains lancers"),
    "unread_cards": ("the cards still to be applied", "les cartes encore à appliquer"),
    "quarters": ("who commands the quarters", "qui tient les quartiers"),
    "police_orders": ("the orders to the police", "les ordres à la police"),
    "disruptions": ("the bans of meetings", "les interdictions de réunion"),
    "blackouts": ("the Bombes IEM", "les Bombes IEM"),
    "shops": ("the shops", "les boutiques"),
    "k9_rounds": ("the K9 rounds", "les rounds de la K9"),
    "rackets": ("the rackets", "les rackets"),
    "strikes": ("the strikes under way", "les frappes en cours"),
    "services": ("the secret services bought", "les services secrets achetés"),
    "delegations": ("who may lift mortgages", "qui peut lever des hypothèques"),
    "statements": ("the final statements", "les relevés finaux"),
    "settings": ("the settings", "les réglages"),
    "you": ("your own cards and effects", "vos cartes et effets"),
}
"""What is told to differ without saying how."""


def told(before: View, after: View, speakers: Mapping[str, Speaker], language: str) -> Iterator[str]:
    """The differences of two views, first those that players look at first. Takes the language, "en" or "fr"."""
    return differing.told(before, after, speakers, language, tellings=_TELLINGS, rest=_REST)


def _ended(before: str, after: str, says: Says) -> Iterator[Both]:
    if "ended" in (before, after):
        over = after == "ended"
        yield (
            "The game is over." if over else "The game is not over.",
            "La partie est terminée." if over else "La partie n'est pas terminée.",
        )


def _winners(before: Sequence[str], after: Sequence[str], says: Says) -> Iterator[Both]:
    (en, fr), (was, etait) = (says.all("seat", seats) for seats in (after, before))
    yield f"The winner is {en}, not {was}.", f"Le vainqueur est {fr}, et non {etait}."


def _round(before: int, after: int, says: Says) -> Iterator[Both]:
    yield f"It is round {after}, not round {before}.", f"On en est au round {after}, et non au round {before}."


def _order(before: Sequence[str], after: Sequence[str], says: Says) -> Iterator[Both]:
    en, fr = says.all("seat", after)
    yield f"The order of players is {en}.", f"L'ordre des joueurs est {fr}."


def _positions(before: Mapping[str, int], after: Mapping[str, int], says: Says) -> Iterator[Both]:
    for seat in _changed(before, after):
        (who, qui), (here, ici), (there, la) = (
            says("seat", seat),
            says("square", after.get(seat)),
            says("square", before.get(seat)),
        )
        yield f"{who} stands on {here}, not on {there}.", f"{qui} est sur {ici}, et non sur {la}."


def _turn(before: View | None, after: View | None, says: Says) -> Iterator[Both]:
    was, now = ((turn or {}).get("seat") for turn in (before, after))
    (who, qui), (other, autre) = says("seat", now), says("seat", was)
    if was != now:
        yield f"It is the turn of {who}, not of {other}.", f"C'est à {qui} de jouer, et non à {autre}."
        return
    before, after = before or {}, after or {}
    if before.get("dice") != after.get("dice"):
        rolled, thrown = (", ".join(map(str, turn.get("dice", ()))) for turn in (before, after))
        if rolled and thrown:
            yield f"{who} rolled {thrown}, not {rolled}.", f"{qui} a lancé {thrown}, et non {rolled}."
        else:
            yield (
                (f"{who} has rolled {thrown}.", f"{qui} a lancé {thrown}.")
                if thrown
                else (f"{who} has not rolled.", f"{qui} n'a pas lancé les dés.")
            )
    if before.get("unresolved") != after.get("unresolved"):
        here, ici = says("square", after.get("stop"))
        yield (
            (f"The stop on {here} is still to be resolved.", f"L'arrêt sur {ici} reste à résoudre.")
            if after.get("unresolved")
            else (f"The stop of {who} is resolved.", f"L'arrêt de {qui} est résolu.")
        )


def _titles(before: Mapping[str, View], after: Mapping[str, View], says: Says) -> Iterator[Both]:
    for title in _changed(before, after):
        was, now, name = before[title], after[title], says("title", title)[0]
        if was.get("owner") != now.get("owner"):
            (owner, a), (other, autre) = (says("seat", one.get("owner", "bank")) for one in (now, was))
            yield f"{name} belongs to {owner}, not to {other}.", f"{name} appartient à {a}, et non à {autre}."
        if was["houses"] != now["houses"]:
            yield (
                f"{name} has {now['houses']} houses, not {was['houses']}.",
                f"{name} porte {now['houses']} maisons, et non {was['houses']}.",
            )
        if was["mortgaged"] != now["mortgaged"]:
            yield (
                f"{name} is {'mortgaged' if now['mortgaged'] else 'not mortgaged'}.",
                f"{name} {'est hypothéqué' if now['mortgaged'] else 'ne porte pas d’hypothèque'}.",
            )
        if was["squatted"] != now["squatted"]:
            yield (
                f"{name} is {'squatted' if now['squatted'] else 'not squatted'}.",
                f"{name} {'est squatté' if now['squatted'] else 'n’est pas squatté'}.",
            )
        if was["charges"] != now["charges"]:
            yield f"The charges on {name} are others.", f"Les charges sur {name} sont autres."


def _wanted(before: Sequence[str], after: Sequence[str], says: Says) -> Iterator[Both]:
    for seat in sorted({*before} ^ {*after}):
        who, qui = says("seat", seat)
        yield (
            (f"{who} is wanted.", f"{qui} est sous mandat d'arrêt.")
            if seat in after
            else (f"{who} is not wanted.", f"{qui} n'est pas sous mandat d'arrêt.")
        )


def _missed(before: Mapping[str, int], after: Mapping[str, int], says: Says) -> Iterator[Both]:
    for seat in _changed(before, after):
        (who, qui), turns = says("seat", seat), after.get(seat, 0)
        yield f"Turns that {who} has still to miss: {turns}.", f"Tours que {qui} doit encore passer : {turns}."


def _questions(before: Sequence[View], after: Sequence[View], says: Says) -> Iterator[Both]:
    were, are = ({one["id"]: one for one in questions} for questions in (before, after))
    for one in [
        *(are[name] for name in are if name not in were),
        *(were[name] for name in were if name not in are),
    ]:
        (who, qui), (what, quoi) = says("seat", one["seat"]), says("goods", one["kind"])
        yield (
            (f"{who} is asked: {what}?", f"{qui} doit répondre : {quoi} ?")
            if one["id"] in are
            else (f"{who} is no longer asked: {what}.", f"{qui} n'a plus à répondre : {quoi}.")
        )


def _eliminated(before: Mapping[str, str], after: Mapping[str, str], says: Says) -> Iterator[Both]:
    for seat in sorted(before.keys() ^ after.keys()):
        who, qui = says("seat", seat)
        yield (
            (f"{who} is out of the game.", f"{qui} est hors de la partie.")
            if seat in after
            else (f"{who} is in the game.", f"{qui} est dans la partie.")
        )


def _last_round(before: bool, after: bool, says: Says) -> Iterator[Both]:
    yield (
        ("This round is the last one.", "Ce round est le dernier.")
        if after
        else ("This round is not the last one.", "Ce round n'est pas le dernier.")
    )


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """The keys with another value, titles in the order of the board."""
    order = {title: place for place, title in enumerate(TITLES)}
    return sorted(changed(before, after), key=lambda name: (order.get(name, 0), name))


_TELLINGS: Mapping[str, Telling] = {
    "phase": _ended,
    "winners": _winners,
    "eliminated": _eliminated,
    "round": _round,
    "positions": _positions,
    "turn": _turn,
    "questions": _questions,
    "titles": _titles,
    "wanted": _wanted,
    "missed": _missed,
    "order": _order,
    "last_round": _last_round,
}
"""The parts of the view whose differences are told one by one, in this order."""

PARTS = frozenset((*_TELLINGS, *_REST))
"""All parts of a view, so that none is forgotten."""
