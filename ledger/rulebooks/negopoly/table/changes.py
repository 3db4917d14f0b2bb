"""The differences between two views of a table, in sentences: the result of a correction or of an action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker, elided
from ledger.rulebooks.negopoly.table.pieces import TITLES
from ledger.rulebooks.parts import differing
from ledger.rulebooks.parts.differing import Says, Telling, View, changed, counted

_REST: Mapping[str, Phrase] = {
    "next_order": Phrase("the order of the next round", "l'ordre du prochain round"),
    "personas": Phrase("the characters", "les personnages"),
    "weather": Phrase("the weather", "la météo"),
    "decks": Phrase("the decks", "les pioches"),
    "roll_changes": Phrase("what cards add to the next rolls", "ce que des cartes ajoutent aux prochains lancers"),
    "unread_cards": Phrase("the cards still to be applied", "les cartes encore à appliquer"),
    "quarters": Phrase("who commands the quarters", "qui tient les quartiers"),
    "police_orders": Phrase("the orders to the police", "les ordres à la police"),
    "disruptions": Phrase("the bans of meetings", "les interdictions de réunion"),
    "blackouts": Phrase("the Bombes IEM", "les Bombes IEM"),
    "shops": Phrase("the shops", "les boutiques"),
    "k9_rounds": Phrase("the K9 rounds", "les rounds de la K9"),
    "rackets": Phrase("the rackets", "les rackets"),
    "strikes": Phrase("the strikes under way", "les frappes en cours"),
    "services": Phrase("the secret services bought", "les services secrets achetés"),
    "delegations": Phrase("who may lift mortgages", "qui peut lever des hypothèques"),
    "statements": Phrase("the final statements", "les relevés finaux"),
    "settings": Phrase("the settings", "les réglages"),
    "you": Phrase("your own cards and effects", "vos cartes et effets"),
}
"""Parts of the view named as different without details."""


def differences(earlier: View, later: View, speakers: Mapping[str, Speaker], language: str) -> Iterator[str]:
    """Yield the differences between two views in sentences, the most noticeable first.

    `language` is "en" or "fr".
    """
    return differing.differences(earlier, later, speakers, language, tellings=_TELLINGS, unexplained=_REST)


def _ended(earlier: str, later: str, says: Says) -> Iterator[Phrase]:
    if "ended" in (earlier, later):
        yield (
            Phrase("The game is over.", "La partie est terminée.")
            if later == "ended"
            else Phrase("The game is not over.", "La partie n'est pas terminée.")
        )


def _round(earlier: int, later: int, says: Says) -> Iterator[Phrase]:
    yield Phrase(
        f"It is round {later}, not round {earlier}.", f"On en est au round {later}, et non au round {earlier}."
    )


def _turn(earlier: View | None, later: View | None, says: Says) -> Iterator[Phrase]:
    previous, player = ((turn or {}).get("seat") for turn in (earlier, later))
    who, former = says("seat", player), says("seat", previous)
    if previous != player:
        yield Phrase(
            f"It is the turn of {who.en}, not of {former.en}.", f"C'est à {who.fr} de jouer, et non à {former.fr}."
        )
        return
    earlier, later = earlier or {}, later or {}
    if earlier.get("dice") != later.get("dice"):
        rolled, thrown = (", ".join(map(str, turn.get("dice", ()))) for turn in (earlier, later))
        if rolled and thrown:
            yield Phrase(
                f"{who.en} rolled {thrown}, not {rolled}.", f"{who.fr} a lancé {thrown}, et non {rolled}."
            )
        else:
            yield (
                Phrase(f"{who.en} has rolled {thrown}.", f"{who.fr} a lancé {thrown}.")
                if thrown
                else Phrase(f"{who.en} has not rolled.", f"{who.fr} n'a pas lancé les dés.")
            )
    if earlier.get("unresolved") != later.get("unresolved"):
        stop = says("square", later.get("stop"))
        yield (
            Phrase(f"The stop on {stop.en} is still to be resolved.", f"L'arrêt sur {stop.fr} reste à résoudre.")
            if later.get("unresolved")
            else Phrase(f"The stop of {who.en} is resolved.", f"L'arrêt {elided('de', who.fr)} est résolu.")
        )


def _titles(earlier: Mapping[str, View], later: Mapping[str, View], says: Says) -> Iterator[Phrase]:
    for title in _changed(earlier, later):
        old, new, name = earlier[title], later[title], says("title", title).en
        if old.get("owner") != new.get("owner"):
            owner, former = (says("seat", side.get("owner", "bank")) for side in (new, old))
            yield Phrase(
                f"{name} belongs to {owner.en}, not to {former.en}.",
                f"{name} appartient à {owner.fr}, et non à {former.fr}.",
            )
        if old["houses"] != new["houses"]:
            houses = counted(new["houses"], ("house", "houses"), ("maison", "maisons"))
            yield Phrase(
                f"{name} has {houses.en}, not {old['houses']}.",
                f"{name} porte {houses.fr}, et non {old['houses']}.",
            )
        if old["mortgaged"] != new["mortgaged"]:
            yield Phrase(
                f"{name} is {'mortgaged' if new['mortgaged'] else 'not mortgaged'}.",
                f"{name} {'est hypothéqué' if new['mortgaged'] else 'ne porte pas d’hypothèque'}.",
            )
        if old["squatted"] != new["squatted"]:
            yield Phrase(
                f"{name} is {'squatted' if new['squatted'] else 'not squatted'}.",
                f"{name} {'est squatté' if new['squatted'] else 'n’est pas squatté'}.",
            )
        if old["charges"] != new["charges"]:
            yield Phrase(f"The charges on {name} are others.", f"Les charges sur {name} sont autres.")


def _warrants(earlier: Sequence[str], later: Sequence[str], says: Says) -> Iterator[Phrase]:
    for seat in sorted({*earlier} ^ {*later}):
        who = says("seat", seat)
        yield (
            Phrase(f"{who.en} is wanted.", f"{who.fr} est sous mandat d'arrêt.")
            if seat in later
            else Phrase(f"{who.en} is not wanted.", f"{who.fr} n'est pas sous mandat d'arrêt.")
        )


def _missed(earlier: Mapping[str, int], later: Mapping[str, int], says: Says) -> Iterator[Phrase]:
    for seat in _changed(earlier, later):
        who, turns, former = says("seat", seat), later.get(seat, 0), earlier.get(seat, 0)
        yield Phrase(
            f"Turns that {who.en} has still to miss: {turns}, not {former}.",
            f"Tours {elided('que', who.fr)} doit encore passer : {turns}, et non {former}.",
        )


def _questions(earlier: Sequence[View], later: Sequence[View], says: Says) -> Iterator[Phrase]:
    were, are = ({question["id"]: question for question in questions} for questions in (earlier, later))
    for question in [
        *(are[name] for name in are if name not in were),
        *(were[name] for name in were if name not in are),
    ]:
        who, subject = says("seat", question["seat"]), says("goods", question["kind"])
        yield (
            Phrase(f"{who.en} is asked: {subject.en}?", f"{who.fr} doit répondre : {subject.fr} ?")
            if question["id"] in are
            else Phrase(
                f"{who.en} is no longer asked: {subject.en}.", f"{who.fr} n'a plus à répondre : {subject.fr}."
            )
        )


def _eliminated(earlier: Mapping[str, str], later: Mapping[str, str], says: Says) -> Iterator[Phrase]:
    for seat in sorted(earlier.keys() ^ later.keys()):
        who = says("seat", seat)
        yield (
            Phrase(f"{who.en} is out of the game.", f"{who.fr} est hors de la partie.")
            if seat in later
            else Phrase(f"{who.en} is in the game.", f"{who.fr} est dans la partie.")
        )


def _last_round(earlier: bool, later: bool, says: Says) -> Iterator[Phrase]:
    yield (
        Phrase("This round is the last one.", "Ce round est le dernier.")
        if later
        else Phrase("This round is not the last one.", "Ce round n'est pas le dernier.")
    )


def _changed(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> list[str]:
    """Return the keys with a changed value, titles in the order of the board."""
    order = {title: index for index, title in enumerate(TITLES)}
    return sorted(changed(earlier, later), key=lambda name: (order.get(name, 0), name))


_TELLINGS: Mapping[str, Telling] = {
    "phase": _ended,
    "winners": differing.winners,
    "eliminated": _eliminated,
    "round": _round,
    "positions": differing.positions,
    "turn": _turn,
    "questions": _questions,
    "titles": _titles,
    "wanted": _warrants,
    "missed": _missed,
    "order": differing.order,
    "last_round": _last_round,
}
"""Parts of the view with differences described in detail, in order."""
