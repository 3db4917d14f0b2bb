"""How two views of one table differ, in sentences: what a correction, or an action, makes of the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ledger.kernel.language.sentences import Speaker
from ledger.rulebooks.parts import differing
from ledger.rulebooks.parts.differing import Says, Telling, View, changed
from ledger.rulebooks.parts.speaking import Both

_REST: Mapping[str, Both] = {
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
"""What is told to differ without saying how."""


def told(before: View, after: View, speakers: Mapping[str, Speaker], language: str) -> Iterator[str]:
    """The differences of two views, first those that players look at first. Takes the language, "en" or "fr"."""
    return differing.told(before, after, speakers, language, tellings=_TELLINGS, rest=_REST)


def _winners(before: Sequence[str], after: Sequence[str], says: Says) -> Iterator[Both]:
    (en, fr), (was, etait) = (says.all("seat", seats) for seats in (after, before))
    yield f"The winner is {en}, not {was}.", f"Le vainqueur est {fr}, et non {etait}."


def _out(before: Sequence[str], after: Sequence[str], says: Says) -> Iterator[Both]:
    for seat in sorted({*before} ^ {*after}):
        who, qui = says("seat", seat)
        yield (
            (f"{who} is out of the game.", f"{qui} est hors du jeu.")
            if seat in after
            else (f"{who} is in the game.", f"{qui} est en jeu.")
        )


def _round(before: int, after: int, says: Says) -> Iterator[Both]:
    yield (
        f"It is round {after}, not round {before}.",
        f"On en est au tour de table {after}, et non au tour {before}.",
    )


def _order(before: Sequence[str], after: Sequence[str], says: Says) -> Iterator[Both]:
    en, fr = says.all("seat", after)
    yield f"The order of play is {en}.", f"L'ordre du jeu est {fr}."


def _positions(before: Mapping[str, int], after: Mapping[str, int], says: Says) -> Iterator[Both]:
    for seat in changed(before, after):
        who, qui = says("seat", seat)
        (here, ici), (there, la) = (
            ("nowhere", "nulle part") if seat not in places else says("square", places[seat])
            for places in (after, before)
        )
        yield f"{who} stands on {here}, not on {there}.", f"{qui} est sur {ici}, et non sur {la}."


def _turn(before: View | None, after: View | None, says: Says) -> Iterator[Both]:
    before, after = before or {}, after or {}
    was, now = before.get("seat"), after.get("seat")
    (who, qui), (other, autre) = says("seat", now), says("seat", was)
    if was != now:
        yield f"It is the turn of {who}, not of {other}.", f"C'est à {qui} de jouer, et non à {autre}."
        return
    if before.get("landing") != after.get("landing"):
        landing = after.get("landing")
        if landing is None:
            yield f"The stop of {who} is settled.", f"L'arrêt de {qui} est réglé."
        else:
            (here, ici), (todo, quoi) = says("square", landing["square"]), says("todo", landing["todo"])
            yield f"{here} asks {who} for {todo}.", f"{ici} demande à {qui} {quoi}."
    if before.get("must_throw") != after.get("must_throw"):
        yield (
            (f"{who} has yet to throw.", f"{qui} doit encore lancer les dés.")
            if after.get("must_throw")
            else (f"{who} has thrown.", f"{qui} a lancé les dés.")
        )


def _seats(before: Mapping[str, View], after: Mapping[str, View], says: Says) -> Iterator[Both]:
    for seat in changed(before, after):
        was, now, (who, qui) = before.get(seat, {}), after.get(seat, {}), says("seat", seat)
        if was.get("cash") != now.get("cash"):
            (has, a), (had, avait) = says("money", now.get("cash", 0)), says("money", was.get("cash", 0))
            yield f"{who} has {has}, not {had}.", f"{qui} a {a}, et non {avait}."
        if was.get("jail_passes") != now.get("jail_passes"):
            count = len(now.get("jail_passes", ()))
            yield (
                f"Cards of {who} that free from prison: {count}.",
                f"Cartes de {qui} qui libèrent de prison : {count}.",
            )


def _titles(before: Mapping[str, View], after: Mapping[str, View], says: Says) -> Iterator[Both]:
    for title in changed(before, after):
        was, now, name = before.get(title, {}), after.get(title, {}), says("title", title)[0]
        if was.get("owner") != now.get("owner"):
            (owner, a), (other, autre) = (says("seat", one.get("owner", "bank")) for one in (now, was))
            yield f"{name} belongs to {owner}, not to {other}.", f"{name} appartient à {a}, et non à {autre}."
        (built, bati), (stood, etait) = _built(now, says), _built(was, says)
        if built != stood:
            yield f"On {name}: {built}, not {stood}.", f"Sur {name} : {bati}, et non {etait}."
        if was.get("mortgaged") != now.get("mortgaged"):
            yield (
                f"{name} is {'mortgaged' if now.get('mortgaged') else 'not mortgaged'}.",
                f"{name} {'est hypothéqué' if now.get('mortgaged') else 'ne porte pas d’hypothèque'}.",
            )


def _built(title: View, says: Says) -> Both:
    """What stands on a title."""
    if title.get("hotel"):
        return says("goods", "hotel")
    houses = title.get("houses", 0)
    house, maison = says("goods", "house")
    return (f"{houses} × {house}", f"{houses} × {maison}") if houses else ("nothing", "rien")


def _jailed(before: Mapping[str, int], after: Mapping[str, int], says: Says) -> Iterator[Both]:
    for seat in changed(before, after):
        who, qui = says("seat", seat)
        if seat not in after:
            yield f"{who} is not in prison.", f"{qui} n'est pas en prison."
        elif seat not in before:
            yield f"{who} is in prison.", f"{qui} est en prison."
        else:
            yield (
                f"Throws of {who} in prison that have failed: {after[seat]}.",
                f"Jets de {qui} en prison qui ont échoué : {after[seat]}.",
            )


def _rents(before: Sequence[View], after: Sequence[View], says: Says) -> Iterator[Both]:
    for one in (*_without(after, before), *_without(before, after)):
        owner, qui = says("seat", one["owner"])
        lander, payeur = says("seat", one["lander"])
        title, titre = says("title", one["title"])
        yield (
            (
                f"{owner} may claim the rent of {title} from {lander}.",
                f"{qui} peut réclamer à {payeur} le loyer : {titre}.",
            )
            if one in after
            else (
                f"The rent of {title} from {lander} is no longer to be claimed.",
                f"Le loyer de {payeur} n'est plus à réclamer : {titre}.",
            )
        )


def _debts(before: Sequence[View], after: Sequence[View], says: Says) -> Iterator[Both]:
    for one in (*_without(after, before), *_without(before, after)):
        (who, qui), (owed, du) = says("seat", one["debtor"]), says("money", one["amount"])
        creditor, a_qui = says("account", one["creditor"])
        yield (
            (f"{who} owes {owed} to {creditor}.", f"{qui} doit {du} à {a_qui}.")
            if one in after
            else (f"{who} does not owe {owed} to {creditor}.", f"{qui} ne doit pas {du} à {a_qui}.")
        )


def _auction(before: View | None, after: View | None, says: Says) -> Iterator[Both]:
    if after is None:
        yield "Nothing is being auctioned.", "Rien n'est aux enchères."
        return
    lot = after["lot"]
    thing, quoi = says("goods", f"title:{lot['title']}" if lot["kind"] == "title" else lot["kind"])
    if not after.get("bid"):
        yield f"{thing} is being auctioned, without a bid.", f"Aux enchères, sans mise : {quoi}."
        return
    (bid, mise), (who, qui) = says("money", after["bid"]), says("seat", after.get("bidder"))
    yield (
        f"{thing} is being auctioned; the highest bid is {bid}, by {who}.",
        f"Aux enchères : {quoi} ; la plus haute est de {mise}, par {qui}.",
    )


def _without(these: Sequence[View] | None, others: Sequence[View] | None) -> list[View]:
    """Those that are not among the others."""
    return [one for one in these or () if one not in (others or ())]


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
"""The parts of the view whose differences are told one by one, in this order."""

PARTS = frozenset((*_TELLINGS, *_REST))
"""All parts of a view, so that none is forgotten."""
