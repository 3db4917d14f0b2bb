"""How two views of one table differ, in sentences: what a correction, or an action, makes of the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ledger.kernel.language.sentences import Speaker
from ledger.rulebooks.parts.speaking import Both, said

View = Mapping[str, Any]

PHASES: Mapping[str, Both] = {
    "setup": ("the set-up", "la mise en place"),
    "auction": ("the auction", "les enchères"),
    "between": ("the time between two sales", "l'entre-deux-ventes"),
    "negotiation": ("a sale", "une vente"),
    "announcing": ("a forced sale: the good is to be announced", "une vente forcée : le bien reste à annoncer"),
    "choosing": ("a forced sale: a card is to be chosen", "une vente forcée : une carte reste à choisir"),
    "ended": ("the end of the game", "la fin de la partie"),
}
"""What the game has come to, by its phase."""

_REST: Mapping[str, Both] = {
    "dealt": ("the deal", "la donne"),
    "starter": ("who opens the auction", "qui débute les enchères"),
    "order": ("the order of the seats", "l'ordre des sièges"),
    "sale": ("the sale under way", "la vente en cours"),
    "offers": ("the offers", "les offres"),
    "claims": ("the claims of victory", "les revendications de victoire"),
    "out_of_the_game": ("the coins out of the game", "les pièces hors du jeu"),
    "title": ("the winner's title", "le titre du vainqueur"),
    "settings": ("the settings", "les réglages"),
    "names": ("the names of the goods", "les noms des marchandises"),
    "you": ("your own cards and coins", "vos cartes et vos pièces"),
}
"""What is told to differ without saying how."""


def told(before: View, after: View, speakers: Mapping[str, Speaker], language: str) -> Iterator[str]:
    """The differences of two views, first those that players look at first. Takes the language, "en" or "fr"."""

    def seat(one: str | None) -> Both:
        if one is None:
            return "nobody", "personne"
        return speakers["seat"](one, "en"), speakers["seat"](one, "fr")

    def sentences() -> Iterator[Both]:
        if before["phase"] != after["phase"]:
            (now, ici), (was, avant) = PHASES[after["phase"]], PHASES[before["phase"]]
            yield f"The game is at {now}, not at {was}.", f"La partie en est à : {ici} (et non : {avant})."
        if before["winners"] != after["winners"]:
            (en, fr), (was, avant) = (_all([seat(one) for one in view["winners"]]) for view in (after, before))
            yield f"The winner is {en}, not {was}.", f"Le vainqueur est {fr}, et non {avant}."
        if before["round"] != after["round"]:
            yield (
                f"It is round {after['round']}, not round {before['round']}.",
                f"On en est au tour {after['round']}, et non au tour {before['round']}.",
            )
        if before.get("seller") != after.get("seller"):
            (en, fr), (was, avant) = seat(after.get("seller")), seat(before.get("seller"))
            yield f"The seller is {en}, not {was}.", f"Le vendeur est {fr}, et non {avant}."
        if before["awaited"] != after["awaited"]:
            en, fr = _all([seat(one) for one in after["awaited"]])
            yield f"The game waits for {en}.", f"La partie attend {fr}."
        yield from _auction(before["auction"], after["auction"])
        for one in after["seats"]:
            yield from _seat(before["seats"].get(one, {}), after["seats"][one], seat(one))

    def _auction(was: View, now: View) -> Iterator[Both]:
        if (was["bid"], was.get("bidder")) != (now["bid"], now.get("bidder")):
            en, fr = seat(now.get("bidder"))
            yield (
                f"The highest bid is {now['bid']}, by {en}.",
                f"L'enchère la plus haute est de {now['bid']}, par {fr}.",
            )
        if was["withdrawn"] != now["withdrawn"]:
            en, fr = _all([seat(one) for one in now["withdrawn"]])
            yield f"Out of the auction: {en}.", f"Retirés des enchères : {fr}."

    yield from (said(one, language) for one in sentences())
    rest = [said(words, language) for name, words in _REST.items() if before.get(name) != after.get(name)]
    if rest:
        yield said(("Also different: ", "Changent aussi : "), language) + ", ".join(rest) + "."


def _seat(was: View, now: View, name: Both) -> Iterator[Both]:
    (who, qui) = name
    if was.get("cards") != now["cards"]:
        yield (
            f"{who} has {now['cards']} cards, not {was.get('cards')}.",
            (f"{qui} a {now['cards']} cartes, et non {was.get('cards')}."),
        )
    if was.get("coins") != now["coins"]:
        yield (
            f"{who} shows {now['coins']} coins, not {was.get('coins')}.",
            (f"{qui} montre {now['coins']} pièces, et non {was.get('coins')}."),
        )
    if was.get("laid_out") != now["laid_out"]:
        yield f"{who} lays out {now['laid_out']} cards.", f"{qui} étale {now['laid_out']} cartes."


def _all(names: Sequence[Both]) -> Both:
    found = names or [("nobody", "personne")]
    return ", ".join(en for en, _ in found), ", ".join(fr for _, fr in found)


PARTS = frozenset((*_REST, "phase", "winners", "round", "seller", "awaited", "turn", "auction", "seats"))
"""All parts of a view, so that none is forgotten."""
