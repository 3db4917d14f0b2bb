"""The differences between two views of a table, in sentences: the result of a correction or of an action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker, spoken

View = Mapping[str, Any]

PHASES: Mapping[str, Phrase] = {
    "setup": Phrase("the set-up", "la mise en place"),
    "auction": Phrase("the auction", "les enchères"),
    "between": Phrase("the time between two sales", "l'entre-deux-ventes"),
    "negotiation": Phrase("a sale", "une vente"),
    "announcing": Phrase(
        "a forced sale: the good is to be announced", "une vente forcée : le bien reste à annoncer"
    ),
    "choosing": Phrase("a forced sale: a card is to be chosen", "une vente forcée : une carte reste à choisir"),
    "ended": Phrase("the end of the game", "la fin de la partie"),
}
"""The present stage of the game, by phase."""

_REST: Mapping[str, Phrase] = {
    "dealt": Phrase("the deal", "la donne"),
    "starter": Phrase("who opens the auction", "qui débute les enchères"),
    "order": Phrase("the order of the seats", "l'ordre des sièges"),
    "sale": Phrase("the sale under way", "la vente en cours"),
    "offers": Phrase("the offers", "les offres"),
    "claims": Phrase("the claims of victory", "les revendications de victoire"),
    "out_of_the_game": Phrase("the coins out of the game", "les pièces hors du jeu"),
    "title": Phrase("the winner's title", "le titre du vainqueur"),
    "settings": Phrase("the settings", "les réglages"),
    "names": Phrase("the names of the goods", "les noms des marchandises"),
    "you": Phrase("your own cards and coins", "vos cartes et vos pièces"),
}
"""Parts of the view named as different without details."""


def differences(earlier: View, later: View, speakers: Mapping[str, Speaker], language: str) -> Iterator[str]:
    """Yield the differences between two views in sentences, the most noticeable first.

    `language` is "en" or "fr".
    """

    def seat(seat_id: str | None) -> Phrase:
        if seat_id is None:
            return Phrase("nobody", "personne")
        return spoken(speakers["seat"], seat_id)

    def sentences() -> Iterator[Phrase]:
        if earlier["phase"] != later["phase"]:
            stage, former = PHASES[later["phase"]], PHASES[earlier["phase"]]
            yield Phrase(
                f"The game is at {stage.en}, not at {former.en}.",
                f"La partie en est à : {stage.fr} (et non : {former.fr}).",
            )
        if earlier["winners"] != later["winners"]:
            winner, former = (_all([seat(seat_id) for seat_id in view["winners"]]) for view in (later, earlier))
            yield Phrase(
                f"The winner is {winner.en}, not {former.en}.",
                f"Le vainqueur est {winner.fr}, et non {former.fr}.",
            )
        if earlier["round"] != later["round"]:
            yield Phrase(
                f"It is round {later['round']}, not round {earlier['round']}.",
                f"On en est au tour {later['round']}, et non au tour {earlier['round']}.",
            )
        if earlier.get("seller") != later.get("seller"):
            seller, former = seat(later.get("seller")), seat(earlier.get("seller"))
            yield Phrase(
                f"The seller is {seller.en}, not {former.en}.", f"Le vendeur est {seller.fr}, et non {former.fr}."
            )
        if earlier["awaited"] != later["awaited"]:
            awaited = _all([seat(seat_id) for seat_id in later["awaited"]])
            yield Phrase(f"The game waits for {awaited.en}.", f"La partie attend {awaited.fr}.")
        yield from _auction(earlier["auction"], later["auction"])
        for seat_id in later["seats"]:
            yield from _seat(earlier["seats"].get(seat_id, {}), later["seats"][seat_id], seat(seat_id))

    def _auction(old: View, new: View) -> Iterator[Phrase]:
        if (old["bid"], old.get("bidder")) != (new["bid"], new.get("bidder")):
            bidder = seat(new.get("bidder"))
            yield Phrase(
                f"The highest bid is {new['bid']}, by {bidder.en}.",
                f"L'enchère la plus haute est de {new['bid']}, par {bidder.fr}.",
            )
        if old["withdrawn"] != new["withdrawn"]:
            withdrawn = _all([seat(seat_id) for seat_id in new["withdrawn"]])
            yield Phrase(f"Out of the auction: {withdrawn.en}.", f"Retirés des enchères : {withdrawn.fr}.")

    yield from (sentence.in_language(language) for sentence in sentences())
    undetailed = [
        words.in_language(language) for name, words in _REST.items() if earlier.get(name) != later.get(name)
    ]
    if undetailed:
        yield Phrase("Also different: ", "Changent aussi : ").in_language(language) + ", ".join(undetailed) + "."


def _seat(old: View, new: View, who: Phrase) -> Iterator[Phrase]:
    if old.get("cards") != new["cards"]:
        yield Phrase(
            f"{who.en} has {new['cards']} cards, not {old.get('cards')}.",
            f"{who.fr} a {new['cards']} cartes, et non {old.get('cards')}.",
        )
    if old.get("coins") != new["coins"]:
        yield Phrase(
            f"{who.en} shows {new['coins']} coins, not {old.get('coins')}.",
            f"{who.fr} montre {new['coins']} pièces, et non {old.get('coins')}.",
        )
    if old.get("laid_out") != new["laid_out"]:
        yield Phrase(f"{who.en} lays out {new['laid_out']} cards.", f"{who.fr} étale {new['laid_out']} cartes.")


def _all(names: Sequence[Phrase]) -> Phrase:
    listed = names or [Phrase("nobody", "personne")]
    return Phrase(", ".join(name.en for name in listed), ", ".join(name.fr for name in listed))
