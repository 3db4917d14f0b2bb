"""The differences of two views of a table, in sentences: the effect of a correction or an action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker, elided
from ledger.rulebooks.parts import differing
from ledger.rulebooks.parts.differing import Says, Telling, View, changed

_UNEXPLAINED: Mapping[str, Phrase] = {
    "stage": Phrase("what the game has come to", "où en est la partie"),
    "in_play": Phrase("who is in the game", "qui est en jeu"),
    "tokens": Phrase("the tokens", "les pions"),
    "choosing": Phrase("what is to be chosen", "ce qui est à choisir"),
    "kept_cards": Phrase("cards that are kept", "les cartes gardées"),
    "received": Phrase("mortgages taken over", "les hypothèques reprises"),
    "lots": Phrase("what is auctioned next", "ce qui sera mis aux enchères"),
    "wishes": Phrase("what was asked of the bank", "ce qui est demandé à la banque"),
    "stock": Phrase("the stock of buildings", "la réserve de bâtiments"),
    "decks": Phrase("the decks", "les paquets"),
    "setup": Phrase("the set-up", "la mise en place"),
    "seasons": Phrase("the seasons", "les saisons"),
    "settings": Phrase("the settings", "les réglages"),
}
"""The names of the members without explained differences."""


def differences(earlier: View, later: View, speakers: Mapping[str, Speaker], language: str) -> Iterator[str]:
    """Describe the differences of two views in a language ("en" or "fr"), the most visible first."""
    return differing.differences(earlier, later, speakers, language, tellings=_TELLINGS, unexplained=_UNEXPLAINED)


def _out(earlier: Sequence[str], later: Sequence[str], says: Says) -> Iterator[Phrase]:
    for seat in sorted({*earlier} ^ {*later}):
        who = says("seat", seat)
        yield (
            Phrase(f"{who.en} is out of the game.", f"{who.fr} est hors du jeu.")
            if seat in later
            else Phrase(f"{who.en} is in the game.", f"{who.fr} est en jeu.")
        )


def _round(earlier: int, later: int, says: Says) -> Iterator[Phrase]:
    yield Phrase(
        f"It is round {later}, not round {earlier}.",
        f"On en est au tour de table {later}, et non {earlier}.",
    )


def _turn(earlier: View | None, later: View | None, says: Says) -> Iterator[Phrase]:
    earlier, later = earlier or {}, later or {}
    was, current = earlier.get("seat"), later.get("seat")
    who, previous = says("seat", current), says("seat", was)
    if was != current:
        yield Phrase(
            f"It is the turn of {who.en}, not of {previous.en}.",
            f"C'est à {who.fr} de jouer, et non à {previous.fr}.",
        )
        return
    if earlier.get("landing") != later.get("landing"):
        landing = later.get("landing")
        if landing is None:
            yield Phrase(f"The stop of {who.en} is settled.", f"L'arrêt {elided('de', who.fr)} est réglé.")
        else:
            square, todo = says("square", landing["square"]), says("todo", landing["todo"])
            yield Phrase(
                f"{who.en} stops on {square.en}: {todo.en}.", f"{who.fr} s'arrête sur {square.fr} : {todo.fr}."
            )
    if earlier.get("must_throw") != later.get("must_throw"):
        yield (
            Phrase(f"{who.en} has yet to throw.", f"{who.fr} doit encore lancer les dés.")
            if later.get("must_throw")
            else Phrase(f"{who.en} has thrown.", f"{who.fr} a lancé les dés.")
        )


def _seats(earlier: Mapping[str, View], later: Mapping[str, View], says: Says) -> Iterator[Phrase]:
    for seat in changed(earlier, later):
        was, current, who = earlier.get(seat, {}), later.get(seat, {}), says("seat", seat)
        if was.get("cash") != current.get("cash"):
            has, had = says("money", current.get("cash", 0)), says("money", was.get("cash", 0))
            yield Phrase(f"{who.en} has {has.en}, not {had.en}.", f"{who.fr} a {has.fr}, et non {had.fr}.")
        if was.get("jail_passes") != current.get("jail_passes"):
            count, former = (len(row.get("jail_passes", ())) for row in (current, was))
            yield Phrase(
                f"Cards of {who.en} that free from prison: {count}, not {former}.",
                f"Cartes {elided('de', who.fr)} qui libèrent de prison : {count}, et non {former}.",
            )


def _titles(earlier: Mapping[str, View], later: Mapping[str, View], says: Says) -> Iterator[Phrase]:
    for title in changed(earlier, later):
        was, current, name = earlier.get(title, {}), later.get(title, {}), says("title", title).en
        if was.get("owner") != current.get("owner"):
            owner, previous = (says("seat", row.get("owner", "bank")) for row in (current, was))
            yield Phrase(
                f"{name} belongs to {owner.en}, not to {previous.en}.",
                f"{name} appartient à {owner.fr}, et non à {previous.fr}.",
            )
        built, stood = _built(current, says), _built(was, says)
        if built != stood:
            yield Phrase(f"On {name}: {built.en}, not {stood.en}.", f"Sur {name} : {built.fr}, et non {stood.fr}.")
        if was.get("mortgaged") != current.get("mortgaged"):
            yield Phrase(
                f"{name} is {'mortgaged' if current.get('mortgaged') else 'not mortgaged'}.",
                f"{name} {'est hypothéqué' if current.get('mortgaged') else 'ne porte pas d’hypothèque'}.",
            )


def _built(title: View, says: Says) -> Phrase:
    """Return the name and number of the buildings on a title."""
    if title.get("hotel"):
        hotel, towers = says("goods", "hotel"), title.get("towers", 0)
        tower = says("goods", "tower")
        return (
            Phrase(f"{hotel.en}, {towers} × {tower.en}", f"{hotel.fr}, {towers} × {tower.fr}") if towers else hotel
        )
    houses = title.get("houses", 0)
    house = says("goods", "house")
    return Phrase(f"{houses} × {house.en}", f"{houses} × {house.fr}") if houses else Phrase("nothing", "rien")


def _jailed(earlier: Mapping[str, int], later: Mapping[str, int], says: Says) -> Iterator[Phrase]:
    for seat in changed(earlier, later):
        who = says("seat", seat)
        if seat not in later:
            yield Phrase(f"{who.en} is not in prison.", f"{who.fr} n'est pas en prison.")
        elif seat not in earlier:
            yield Phrase(f"{who.en} is in prison.", f"{who.fr} est en prison.")
        else:
            yield Phrase(
                f"Throws of {who.en} in prison that have failed: {later[seat]}, not {earlier[seat]}.",
                f"Jets {elided('de', who.fr)} en prison qui ont échoué : {later[seat]}, et non {earlier[seat]}.",
            )


def _missing(earlier: Mapping[str, int] | None, later: Mapping[str, int] | None, says: Says) -> Iterator[Phrase]:
    earlier, later = earlier or {}, later or {}
    for seat in changed(earlier, later):
        seat_name, count, former = says("seat", seat), later.get(seat, 0), earlier.get(seat, 0)
        yield Phrase(
            f"Turns that {seat_name.en} misses: {count}, not {former}.",
            f"Tours à passer {elided('de', seat_name.fr)} : {count}, et non {former}.",
        )


def _rents(earlier: Sequence[View], later: Sequence[View], says: Says) -> Iterator[Phrase]:
    for rent in (*_without(later, earlier), *_without(earlier, later)):
        owner = says("seat", rent["owner"])
        lander = says("seat", rent["lander"])
        title = says("title", rent["title"])
        yield (
            Phrase(
                f"{owner.en} may claim the rent of {title.en} from {lander.en}.",
                f"{owner.fr} peut réclamer à {lander.fr} le loyer : {title.fr}.",
            )
            if rent in later
            else Phrase(
                f"The rent of {title.en} from {lander.en} is no longer to be claimed.",
                f"Le loyer {elided('de', lander.fr)} n'est plus à réclamer : {title.fr}.",
            )
        )


def _debts(earlier: Sequence[View], later: Sequence[View], says: Says) -> Iterator[Phrase]:
    for debt in (*_without(later, earlier), *_without(earlier, later)):
        who, owed = says("seat", debt["debtor"]), says("money", debt["amount"])
        creditor = says("account", debt["creditor"])
        yield (
            Phrase(f"{who.en} owes {owed.en} to {creditor.en}.", f"{who.fr} doit {owed.fr} à {creditor.fr}.")
            if debt in later
            else Phrase(
                f"{who.en} does not owe {owed.en} to {creditor.en}.",
                f"{who.fr} ne doit pas {owed.fr} à {creditor.fr}.",
            )
        )


def _pot(earlier: int, later: int, says: Says) -> Iterator[Phrase]:
    pot, former = says("money", later), says("money", earlier)
    yield Phrase(f"The pot holds {pot.en}, not {former.en}.", f"La cagnotte a {pot.fr}, et non {former.fr}.")


def _auction(earlier: View | None, later: View | None, says: Says) -> Iterator[Phrase]:
    if later is None:
        yield Phrase("Nothing is being auctioned.", "Rien n'est aux enchères.")
        return
    lot = later["lot"]
    thing = says("goods", f"title:{lot['title']}" if lot["kind"] == "title" else lot["kind"])
    if not later.get("bid"):
        yield Phrase(f"{thing.en} is being auctioned, without a bid.", f"Aux enchères, sans mise : {thing.fr}.")
        return
    bid, who = says("money", later["bid"]), says("seat", later.get("bidder"))
    yield Phrase(
        f"{thing.en} is being auctioned; the highest bid is {bid.en}, by {who.en}.",
        f"Aux enchères : {thing.fr} ; la plus haute enchère est de {bid.fr}, par {who.fr}.",
    )


def _without(rows: Sequence[View] | None, others: Sequence[View] | None) -> list[View]:
    """Return the rows missing from the others."""
    return [row for row in rows or () if row not in (others or ())]


_TELLINGS: Mapping[str, Telling] = {
    "winners": differing.winners,
    "out": _out,
    "round": _round,
    "positions": differing.positions,
    "turn": _turn,
    "seats": _seats,
    "titles": _titles,
    "jailed": _jailed,
    "missing": _missing,
    "rents": _rents,
    "debts": _debts,
    "auction": _auction,
    "order": differing.order,
    "pot": _pot,
}
"""The members of the view with explained differences, in order."""
