"""The differences of two views of a table, in sentences: the effect of a correction or an action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ledger.kernel.language.sentences import Speaker
from ledger.rulebooks.parts import differing
from ledger.rulebooks.parts.differing import Says, Telling, View, changed
from ledger.rulebooks.parts.speaking import Both

_UNEXPLAINED: Mapping[str, Both] = {
    "stage": ("what the game has come to", "où en est la partie"),
    "in_play": ("who is in the game", "qui est en jeu"),
    "tokens": ("the tokens", "les pions"),
    "received": ("mortgages taken over", "les hypothèques reprises"),
    "lots": ("what is auctioned next", "ce qui sera mis aux enchères"),
    "wishes": ("what was asked of the bank", "ce qui est demandé à la banque"),
    "stock": ("the stock of buildings", "la réserve de bâtiments"),
    "decks": ("the decks", "les paquets"),
    "pot": ("the pot", "la cagnotte"),
    "setup": ("the set-up", "la mise en place"),
    "seasons": ("the seasons", "les saisons"),
    "settings": ("the settings", "les réglages"),
}
"""The names of the members without explained differences."""


def differences(earlier: View, later: View, speakers: Mapping[str, Speaker], language: str) -> Iterator[str]:
    """Describe the differences of two views in a language ("en" or "fr"), the most visible first."""
    return differing.differences(earlier, later, speakers, language, tellings=_TELLINGS, unexplained=_UNEXPLAINED)


def _winners(earlier: Sequence[str], later: Sequence[str], says: Says) -> Iterator[Both]:
    (en, fr), (was, etait) = (says.all("seat", seats) for seats in (later, earlier))
    yield f"The winner is {en}, not {was}.", f"Le vainqueur est {fr}, et non {etait}."


def _out(earlier: Sequence[str], later: Sequence[str], says: Says) -> Iterator[Both]:
    for seat in sorted({*earlier} ^ {*later}):
        who, qui = says("seat", seat)
        yield (
            (f"{who} is out of the game.", f"{qui} est hors du jeu.")
            if seat in later
            else (f"{who} is in the game.", f"{qui} est en jeu.")
        )


def _round(earlier: int, later: int, says: Says) -> Iterator[Both]:
    yield (
        f"It is round {later}, not round {earlier}.",
        f"On en est au tour de table {later}, et non au tour {earlier}.",
    )


def _order(earlier: Sequence[str], later: Sequence[str], says: Says) -> Iterator[Both]:
    en, fr = says.all("seat", later)
    yield f"The order of play is {en}.", f"L'ordre du jeu est {fr}."


def _positions(earlier: Mapping[str, int], later: Mapping[str, int], says: Says) -> Iterator[Both]:
    for seat in changed(earlier, later):
        who, qui = says("seat", seat)
        (square, ici), (old_square, la) = (
            ("nowhere", "nulle part") if seat not in places else says("square", places[seat])
            for places in (later, earlier)
        )
        yield f"{who} stands on {square}, not on {old_square}.", f"{qui} est sur {ici}, et non sur {la}."


def _turn(earlier: View | None, later: View | None, says: Says) -> Iterator[Both]:
    earlier, later = earlier or {}, later or {}
    was, current = earlier.get("seat"), later.get("seat")
    (who, qui), (previous, autre) = says("seat", current), says("seat", was)
    if was != current:
        yield f"It is the turn of {who}, not of {previous}.", f"C'est à {qui} de jouer, et non à {autre}."
        return
    if earlier.get("landing") != later.get("landing"):
        landing = later.get("landing")
        if landing is None:
            yield f"The stop of {who} is settled.", f"L'arrêt de {qui} est réglé."
        else:
            (square, ici), (todo, quoi) = says("square", landing["square"]), says("todo", landing["todo"])
            yield f"{square} asks {who} for {todo}.", f"{ici} demande à {qui} {quoi}."
    if earlier.get("must_throw") != later.get("must_throw"):
        yield (
            (f"{who} has yet to throw.", f"{qui} doit encore lancer les dés.")
            if later.get("must_throw")
            else (f"{who} has thrown.", f"{qui} a lancé les dés.")
        )


def _seats(earlier: Mapping[str, View], later: Mapping[str, View], says: Says) -> Iterator[Both]:
    for seat in changed(earlier, later):
        was, current, (who, qui) = earlier.get(seat, {}), later.get(seat, {}), says("seat", seat)
        if was.get("cash") != current.get("cash"):
            (has, a), (had, avait) = says("money", current.get("cash", 0)), says("money", was.get("cash", 0))
            yield f"{who} has {has}, not {had}.", f"{qui} a {a}, et non {avait}."
        if was.get("jail_passes") != current.get("jail_passes"):
            count = len(current.get("jail_passes", ()))
            yield (
                f"Cards of {who} that free from prison: {count}.",
                f"Cartes de {qui} qui libèrent de prison : {count}.",
            )


def _titles(earlier: Mapping[str, View], later: Mapping[str, View], says: Says) -> Iterator[Both]:
    for title in changed(earlier, later):
        was, current, name = earlier.get(title, {}), later.get(title, {}), says("title", title)[0]
        if was.get("owner") != current.get("owner"):
            (owner, a), (previous, autre) = (says("seat", row.get("owner", "bank")) for row in (current, was))
            yield f"{name} belongs to {owner}, not to {previous}.", f"{name} appartient à {a}, et non à {autre}."
        (built, bati), (stood, etait) = _built(current, says), _built(was, says)
        if built != stood:
            yield f"On {name}: {built}, not {stood}.", f"Sur {name} : {bati}, et non {etait}."
        if was.get("mortgaged") != current.get("mortgaged"):
            yield (
                f"{name} is {'mortgaged' if current.get('mortgaged') else 'not mortgaged'}.",
                f"{name} {'est hypothéqué' if current.get('mortgaged') else 'ne porte pas d’hypothèque'}.",
            )


def _built(title: View, says: Says) -> Both:
    """Return the name and number of the buildings on a title."""
    if title.get("hotel"):
        return says("goods", "hotel")
    houses = title.get("houses", 0)
    house, maison = says("goods", "house")
    return (f"{houses} × {house}", f"{houses} × {maison}") if houses else ("nothing", "rien")


def _jailed(earlier: Mapping[str, int], later: Mapping[str, int], says: Says) -> Iterator[Both]:
    for seat in changed(earlier, later):
        who, qui = says("seat", seat)
        if seat not in later:
            yield f"{who} is not in prison.", f"{qui} n'est pas en prison."
        elif seat not in earlier:
            yield f"{who} is in prison.", f"{qui} est en prison."
        else:
            yield (
                f"Throws of {who} in prison that have failed: {later[seat]}.",
                f"Jets de {qui} en prison qui ont échoué : {later[seat]}.",
            )


def _rents(earlier: Sequence[View], later: Sequence[View], says: Says) -> Iterator[Both]:
    for rent in (*_without(later, earlier), *_without(earlier, later)):
        owner, qui = says("seat", rent["owner"])
        lander, payeur = says("seat", rent["lander"])
        title, titre = says("title", rent["title"])
        yield (
            (
                f"{owner} may claim the rent of {title} from {lander}.",
                f"{qui} peut réclamer à {payeur} le loyer : {titre}.",
            )
            if rent in later
            else (
                f"The rent of {title} from {lander} is no longer to be claimed.",
                f"Le loyer de {payeur} n'est plus à réclamer : {titre}.",
            )
        )


def _debts(earlier: Sequence[View], later: Sequence[View], says: Says) -> Iterator[Both]:
    for debt in (*_without(later, earlier), *_without(earlier, later)):
        (who, qui), (owed, du) = says("seat", debt["debtor"]), says("money", debt["amount"])
        creditor, a_qui = says("account", debt["creditor"])
        yield (
            (f"{who} owes {owed} to {creditor}.", f"{qui} doit {du} à {a_qui}.")
            if debt in later
            else (f"{who} does not owe {owed} to {creditor}.", f"{qui} ne doit pas {du} à {a_qui}.")
        )


def _auction(earlier: View | None, later: View | None, says: Says) -> Iterator[Both]:
    if later is None:
        yield "Nothing is being auctioned.", "Rien n'est aux enchères."
        return
    lot = later["lot"]
    thing, quoi = says("goods", f"title:{lot['title']}" if lot["kind"] == "title" else lot["kind"])
    if not later.get("bid"):
        yield f"{thing} is being auctioned, without a bid.", f"Aux enchères, sans mise : {quoi}."
        return
    (bid, mise), (who, qui) = says("money", later["bid"]), says("seat", later.get("bidder"))
    yield (
        f"{thing} is being auctioned; the highest bid is {bid}, by {who}.",
        f"Aux enchères : {quoi} ; la plus haute est de {mise}, par {qui}.",
    )


def _without(rows: Sequence[View] | None, others: Sequence[View] | None) -> list[View]:
    """Return the rows missing from the others."""
    return [row for row in rows or () if row not in (others or ())]


_TELLINGS: Mapping[str, Telling] = {
    "winners": _winners,
    "out": _out,
    "round": _round,
    "positions": _positions,
    "turn": _turn,
    "seats": _seats,
    "titles": _titles,
    "jailed": _jailed,
    "rents": _rents,
    "debts": _debts,
    "auction": _auction,
    "order": _order,
}
"""The members of the view with explained differences, in order."""

PARTS = frozenset((*_TELLINGS, *_UNEXPLAINED))
"""All members of a view, so that a test finds any forgotten one."""
