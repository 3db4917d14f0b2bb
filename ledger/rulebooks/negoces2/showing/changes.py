"""The differences between two views of a table, in sentences: the result of a correction or of an action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ledger.kernel.language.sentences import Speaker
from ledger.rulebooks.parts.speaking import Both, in_language

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
"""The present stage of the game, by phase."""

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
"""Parts of the view named as different without details."""


def differences(earlier: View, later: View, speakers: Mapping[str, Speaker], language: str) -> Iterator[str]:
    """Yield the differences between two views in sentences, the most noticeable first.

    `language` is "en" or "fr".
    """

    def seat(seat_id: str | None) -> Both:
        if seat_id is None:
            return "nobody", "personne"
        return speakers["seat"](seat_id, "en"), speakers["seat"](seat_id, "fr")

    def sentences() -> Iterator[Both]:
        if earlier["phase"] != later["phase"]:
            (stage, ici), (was, avant) = PHASES[later["phase"]], PHASES[earlier["phase"]]
            yield f"The game is at {stage}, not at {was}.", f"La partie en est à : {ici} (et non : {avant})."
        if earlier["winners"] != later["winners"]:
            (en, fr), (was, avant) = (
                _all([seat(seat_id) for seat_id in view["winners"]]) for view in (later, earlier)
            )
            yield f"The winner is {en}, not {was}.", f"Le vainqueur est {fr}, et non {avant}."
        if earlier["round"] != later["round"]:
            yield (
                f"It is round {later['round']}, not round {earlier['round']}.",
                f"On en est au tour {later['round']}, et non au tour {earlier['round']}.",
            )
        if earlier.get("seller") != later.get("seller"):
            (en, fr), (was, avant) = seat(later.get("seller")), seat(earlier.get("seller"))
            yield f"The seller is {en}, not {was}.", f"Le vendeur est {fr}, et non {avant}."
        if earlier["awaited"] != later["awaited"]:
            en, fr = _all([seat(seat_id) for seat_id in later["awaited"]])
            yield f"The game waits for {en}.", f"La partie attend {fr}."
        yield from _auction(earlier["auction"], later["auction"])
        for seat_id in later["seats"]:
            yield from _seat(earlier["seats"].get(seat_id, {}), later["seats"][seat_id], seat(seat_id))

    def _auction(old: View, new: View) -> Iterator[Both]:
        if (old["bid"], old.get("bidder")) != (new["bid"], new.get("bidder")):
            en, fr = seat(new.get("bidder"))
            yield (
                f"The highest bid is {new['bid']}, by {en}.",
                f"L'enchère la plus haute est de {new['bid']}, par {fr}.",
            )
        if old["withdrawn"] != new["withdrawn"]:
            en, fr = _all([seat(bidder) for bidder in new["withdrawn"]])
            yield f"Out of the auction: {en}.", f"Retirés des enchères : {fr}."

    yield from (in_language(sentence, language) for sentence in sentences())
    undetailed = [
        in_language(words, language) for name, words in _REST.items() if earlier.get(name) != later.get(name)
    ]
    if undetailed:
        yield in_language(("Also different: ", "Changent aussi : "), language) + ", ".join(undetailed) + "."


def _seat(old: View, new: View, name: Both) -> Iterator[Both]:
    (who, qui) = name
    if old.get("cards") != new["cards"]:
        yield (
            f"{who} has {new['cards']} cards, not {old.get('cards')}.",
            (f"{qui} a {new['cards']} cartes, et non {old.get('cards')}."),
        )
    if old.get("coins") != new["coins"]:
        yield (
            f"{who} shows {new['coins']} coins, not {old.get('coins')}.",
            (f"{qui} montre {new['coins']} pièces, et non {old.get('coins')}."),
        )
    if old.get("laid_out") != new["laid_out"]:
        yield f"{who} lays out {new['laid_out']} cards.", f"{qui} étale {new['laid_out']} cartes."


def _all(names: Sequence[Both]) -> Both:
    listed = names or [("nobody", "personne")]
    return ", ".join(en for en, _ in listed), ", ".join(fr for _, fr in listed)


PARTS = frozenset((*_REST, "phase", "winners", "round", "seller", "awaited", "turn", "auction", "seats"))
"""All parts of a view, so that none is forgotten."""
