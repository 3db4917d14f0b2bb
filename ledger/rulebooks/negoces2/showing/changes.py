"""The differences between two views of a table, in sentences: the result of a correction or of an action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import NOTHING, Speaker, elided
from ledger.rulebooks.parts import differing
from ledger.rulebooks.parts.differing import Says, Telling, View, changed, counted

_CARDS = ("card", "cards"), ("carte", "cartes")
_COINS = ("coin", "coins"), ("pièce", "pièces")

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
    return differing.differences(earlier, later, speakers, language, tellings=_TELLINGS, unexplained=_REST)


def _phase(earlier: str, later: str, says: Says) -> Iterator[Phrase]:
    stage, former = PHASES[later], PHASES[earlier]
    yield Phrase(
        f"The game is at {stage.en}, not at {former.en}.",
        f"La partie en est à : {stage.fr} (et non : {former.fr}).",
    )


def _round(earlier: int, later: int, says: Says) -> Iterator[Phrase]:
    yield Phrase(
        f"It is round {later}, not round {earlier}.", f"On en est au tour {later}, et non au tour {earlier}."
    )


def _seller(earlier: str | None, later: str | None, says: Says) -> Iterator[Phrase]:
    seller, former = says("seat", later), says("seat", earlier)
    yield Phrase(f"The seller is {seller.en}, not {former.en}.", f"Vendeur : {seller.fr}, et non {former.fr}.")


def _awaited(earlier: Sequence[str], later: Sequence[str], says: Says) -> Iterator[Phrase]:
    awaited, former = says.all("seat", later), says.all("seat", earlier)
    yield Phrase(
        f"The game waits for {awaited.en}, not for {former.en}.", f"À jouer : {awaited.fr}, et non {former.fr}."
    )


def _auction(earlier: View, later: View, says: Says) -> Iterator[Phrase]:
    if (earlier["bid"], earlier.get("bidder")) != (later["bid"], later.get("bidder")):
        bidder = says("seat", later.get("bidder"))
        yield Phrase(
            f"The highest bid is {later['bid']}, by {bidder.en}.",
            f"L'enchère la plus haute est de {later['bid']}, par {bidder.fr}.",
        )
    if earlier["withdrawn"] != later["withdrawn"]:
        withdrawn = says.all("seat", later["withdrawn"])
        yield Phrase(f"Out of the auction: {withdrawn.en}.", f"Retirés des enchères : {withdrawn.fr}.")


def _seats(earlier: Mapping[str, View], later: Mapping[str, View], says: Says) -> Iterator[Phrase]:
    for seat, new in later.items():
        old, who = earlier.get(seat, {}), says("seat", seat)
        for name, en, fr, things in (
            ("cards", "has", "a", _CARDS),
            ("coins", "shows", "montre", _COINS),
            ("laid_out", "lays out", "étale", _CARDS),
        ):
            if old.get(name) != new[name]:
                count = counted(new[name], *things)
                yield Phrase(
                    f"{who.en} {en} {count.en}, not {old.get(name)}.",
                    f"{who.fr} {fr} {count.fr}, et non {old.get(name)}.",
                )


def _lot(row: View | None, says: Says) -> Phrase:
    """Name the card and the coins of an offer or of the market."""
    return says("lot", (row.get("face"), row.get("card"), row["coins"])) if row else NOTHING


def _sale(earlier: View | None, later: View | None, says: Says) -> Iterator[Phrase]:
    lot, former = _lot(later, says), _lot(earlier, says)
    if lot != former:
        yield Phrase(f"For sale: {lot.en}, not {former.en}.", f"En vente : {lot.fr}, et non {former.fr}.")
    goods = [(row or {}).get("good") for row in (later, earlier)]
    if goods[0] != goods[1]:
        good, previous = (NOTHING if number is None else says("good", number) for number in goods)
        yield Phrase(
            f"Good sought: {good.en}, not {previous.en}.",
            f"Marchandise cherchée : {good.fr}, et non {previous.fr}.",
        )


def _offers(earlier: Sequence[View], later: Sequence[View], says: Says) -> Iterator[Phrase]:
    was, current = ({row["seat"]: _lot(row, says) for row in rows} for rows in (earlier, later))
    for seat in changed(was, current):
        who, lot, former = says("seat", seat), current.get(seat, NOTHING), was.get(seat, NOTHING)
        yield Phrase(
            f"Offer of {who.en}: {lot.en}, not {former.en}.",
            f"Offre {elided('de', who.fr)} : {lot.fr}, et non {former.fr}.",
        )


_TELLINGS: Mapping[str, Telling] = {
    "phase": _phase,
    "winners": differing.winners,
    "round": _round,
    "seller": _seller,
    "awaited": _awaited,
    "auction": _auction,
    "sale": _sale,
    "offers": _offers,
    "seats": _seats,
}
"""Parts of the view with differences described in detail, in order."""
