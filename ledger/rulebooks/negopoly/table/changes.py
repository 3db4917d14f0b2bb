"""The differences between two views of a table, in sentences: the result of a correction or of an action."""

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
"""Parts of the view named as different without details."""


def differences(earlier: View, later: View, speakers: Mapping[str, Speaker], language: str) -> Iterator[str]:
    """Yield the differences between two views in sentences, the most noticeable first.

    `language` is "en" or "fr".
    """
    return differing.differences(earlier, later, speakers, language, tellings=_TELLINGS, unexplained=_REST)


def _ended(earlier: str, later: str, says: Says) -> Iterator[Both]:
    if "ended" in (earlier, later):
        over = later == "ended"
        yield (
            "The game is over." if over else "The game is not over.",
            "La partie est terminée." if over else "La partie n'est pas terminée.",
        )


def _winners(earlier: Sequence[str], later: Sequence[str], says: Says) -> Iterator[Both]:
    (en, fr), (was, etait) = (says.all("seat", seats) for seats in (later, earlier))
    yield f"The winner is {en}, not {was}.", f"Le vainqueur est {fr}, et non {etait}."


def _round(earlier: int, later: int, says: Says) -> Iterator[Both]:
    yield f"It is round {later}, not round {earlier}.", f"On en est au round {later}, et non au round {earlier}."


def _order(earlier: Sequence[str], later: Sequence[str], says: Says) -> Iterator[Both]:
    en, fr = says.all("seat", later)
    yield f"The order of players is {en}.", f"L'ordre des joueurs est {fr}."


def _positions(earlier: Mapping[str, int], later: Mapping[str, int], says: Says) -> Iterator[Both]:
    for seat in _changed(earlier, later):
        (who, qui), (square, ici), (origin, la) = (
            says("seat", seat),
            says("square", later.get(seat)),
            says("square", earlier.get(seat)),
        )
        yield f"{who} stands on {square}, not on {origin}.", f"{qui} est sur {ici}, et non sur {la}."


def _turn(earlier: View | None, later: View | None, says: Says) -> Iterator[Both]:
    previous, player = ((turn or {}).get("seat") for turn in (earlier, later))
    (who, qui), (former, autre) = says("seat", player), says("seat", previous)
    if previous != player:
        yield f"It is the turn of {who}, not of {former}.", f"C'est à {qui} de jouer, et non à {autre}."
        return
    earlier, later = earlier or {}, later or {}
    if earlier.get("dice") != later.get("dice"):
        rolled, thrown = (", ".join(map(str, turn.get("dice", ()))) for turn in (earlier, later))
        if rolled and thrown:
            yield f"{who} rolled {thrown}, not {rolled}.", f"{qui} a lancé {thrown}, et non {rolled}."
        else:
            yield (
                (f"{who} has rolled {thrown}.", f"{qui} a lancé {thrown}.")
                if thrown
                else (f"{who} has not rolled.", f"{qui} n'a pas lancé les dés.")
            )
    if earlier.get("unresolved") != later.get("unresolved"):
        stop, ici = says("square", later.get("stop"))
        yield (
            (f"The stop on {stop} is still to be resolved.", f"L'arrêt sur {ici} reste à résoudre.")
            if later.get("unresolved")
            else (f"The stop of {who} is resolved.", f"L'arrêt de {qui} est résolu.")
        )


def _titles(earlier: Mapping[str, View], later: Mapping[str, View], says: Says) -> Iterator[Both]:
    for title in _changed(earlier, later):
        old, new, name = earlier[title], later[title], says("title", title)[0]
        if old.get("owner") != new.get("owner"):
            (owner, a), (former, autre) = (says("seat", side.get("owner", "bank")) for side in (new, old))
            yield f"{name} belongs to {owner}, not to {former}.", f"{name} appartient à {a}, et non à {autre}."
        if old["houses"] != new["houses"]:
            yield (
                f"{name} has {new['houses']} houses, not {old['houses']}.",
                f"{name} porte {new['houses']} maisons, et non {old['houses']}.",
            )
        if old["mortgaged"] != new["mortgaged"]:
            yield (
                f"{name} is {'mortgaged' if new['mortgaged'] else 'not mortgaged'}.",
                f"{name} {'est hypothéqué' if new['mortgaged'] else 'ne porte pas d’hypothèque'}.",
            )
        if old["squatted"] != new["squatted"]:
            yield (
                f"{name} is {'squatted' if new['squatted'] else 'not squatted'}.",
                f"{name} {'est squatté' if new['squatted'] else 'n’est pas squatté'}.",
            )
        if old["charges"] != new["charges"]:
            yield f"The charges on {name} are others.", f"Les charges sur {name} sont autres."


def _warrants(earlier: Sequence[str], later: Sequence[str], says: Says) -> Iterator[Both]:
    for seat in sorted({*earlier} ^ {*later}):
        who, qui = says("seat", seat)
        yield (
            (f"{who} is wanted.", f"{qui} est sous mandat d'arrêt.")
            if seat in later
            else (f"{who} is not wanted.", f"{qui} n'est pas sous mandat d'arrêt.")
        )


def _missed(earlier: Mapping[str, int], later: Mapping[str, int], says: Says) -> Iterator[Both]:
    for seat in _changed(earlier, later):
        (who, qui), turns = says("seat", seat), later.get(seat, 0)
        yield f"Turns that {who} has still to miss: {turns}.", f"Tours que {qui} doit encore passer : {turns}."


def _questions(earlier: Sequence[View], later: Sequence[View], says: Says) -> Iterator[Both]:
    were, are = ({question["id"]: question for question in questions} for questions in (earlier, later))
    for question in [
        *(are[name] for name in are if name not in were),
        *(were[name] for name in were if name not in are),
    ]:
        (who, qui), (subject, quoi) = says("seat", question["seat"]), says("goods", question["kind"])
        yield (
            (f"{who} is asked: {subject}?", f"{qui} doit répondre : {quoi} ?")
            if question["id"] in are
            else (f"{who} is no longer asked: {subject}.", f"{qui} n'a plus à répondre : {quoi}.")
        )


def _eliminated(earlier: Mapping[str, str], later: Mapping[str, str], says: Says) -> Iterator[Both]:
    for seat in sorted(earlier.keys() ^ later.keys()):
        who, qui = says("seat", seat)
        yield (
            (f"{who} is out of the game.", f"{qui} est hors de la partie.")
            if seat in later
            else (f"{who} is in the game.", f"{qui} est dans la partie.")
        )


def _last_round(earlier: bool, later: bool, says: Says) -> Iterator[Both]:
    yield (
        ("This round is the last one.", "Ce round est le dernier.")
        if later
        else ("This round is not the last one.", "Ce round n'est pas le dernier.")
    )


def _changed(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> list[str]:
    """Return the keys with a changed value, titles in the order of the board."""
    order = {title: index for index, title in enumerate(TITLES)}
    return sorted(changed(earlier, later), key=lambda name: (order.get(name, 0), name))


_TELLINGS: Mapping[str, Telling] = {
    "phase": _ended,
    "winners": _winners,
    "eliminated": _eliminated,
    "round": _round,
    "positions": _positions,
    "turn": _turn,
    "questions": _questions,
    "titles": _titles,
    "wanted": _warrants,
    "missed": _missed,
    "order": _order,
    "last_round": _last_round,
}
"""Parts of the view with differences described in detail, in order."""

PARTS = frozenset((*_TELLINGS, *_REST))
"""All parts of a view, so that none is forgotten."""
