"""What a square does, in a sentence: effects have no text of their own, unlike cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import UNSET

from ledger.kernel.language.phrase import Phrase
from ledger.rulebooks.monopoly.showing import estate_words
from ledger.rulebooks.monopoly.table.effects import (
    BaseEffect,
    Each,
    Effect,
    GoBack,
    GoTo,
    GoToNearest,
    GoToPrison,
    Holding,
    MissTurns,
    Move,
    Pay,
    PayPerBuilding,
    PayToEach,
    Receive,
    ReceiveFromEach,
    Share,
    Sum,
    SwapTokens,
    ThrowAgain,
    Wealth,
)
from ledger.rulebooks.monopoly.table.pieces import Effects, Pieces, Square

Money = Callable[[int], str]
"""Writes an amount."""

_WHO: Mapping[str, Phrase] = {
    "others": Phrase("the others", "les autres"),
    "all": Phrase("everybody", "tout le monde"),
    "poorest": Phrase("the poorest player", "le joueur le plus pauvre"),
    "richest": Phrase("the richest player", "le joueur le plus riche"),
    "next": Phrase("the next player", "le joueur suivant"),
    "chosen": Phrase("a player of one's choice", "un joueur de son choix"),
    "previous": Phrase("the previous player", "le joueur précédent"),
}
_COUNTED: Mapping[str, Phrase] = {
    "cash": Phrase("{} in hand", "{} en main"),
    "worth": Phrase("a worth of {}", "une fortune : {}"),
    "houses": Phrase("{} buildings", "{} bâtiments"),
    "titles": Phrase("{} titles", "{} titres"),
}
"""What a condition counts, with the number."""
_COMPARED: Mapping[str, Phrase] = {
    "cash": Phrase("money in hand", "d'argent en main"),
    "worth": Phrase("worth", "de fortune"),
    "houses": Phrase("buildings", "de bâtiments"),
    "titles": Phrase("titles", "de titres"),
}
"""What a condition compares with the player on the square."""
_WEALTH: Mapping[Wealth, Phrase] = {
    "cash": Phrase("the money in hand", "l'argent en main"),
    "worth": Phrase("the worth", "la fortune"),
}
_NEAREST: Mapping[str, Phrase] = {
    "start": Phrase("the start", "au départ"),
    "street": Phrase("the nearest street", "à la rue la plus proche"),
    "station": Phrase("the nearest station", "à la gare la plus proche"),
    "utility": Phrase("the nearest utility", "à la compagnie la plus proche"),
    "card": Phrase("the nearest square of cards", "à la case de cartes la plus proche"),
    "tax": Phrase("the nearest tax", "à la taxe la plus proche"),
    "jail": Phrase("the prison, as a visitor", "à la prison, en visite"),
    "rest": Phrase("the nearest square of rest", "à la case de repos la plus proche"),
    "pot": Phrase("the nearest square of the pot", "à la case de la cagnotte la plus proche"),
    "go_to_jail": Phrase("the nearest way to prison", "à la case la plus proche qui mène en prison"),
}
"""The nearest square of a kind, as the goal of a move; in French with "à"."""
_RENTS: Mapping[str, Phrase] = {
    "double": Phrase("for twice the rent", "pour le double du loyer"),
    "thrown": Phrase("for a rent by a new throw", "pour un loyer selon un nouveau jet"),
}
_PARTNERS: Mapping[str, Phrase] = {
    "next": Phrase("the next player", "le joueur suivant"),
    "previous": Phrase("the previous player", "le joueur précédent"),
    "ahead": Phrase("the nearest player ahead", "le joueur le plus proche devant"),
}


def square_text(square: Square, board: Pieces, money: Money, language: str) -> str:
    """Return what a square does besides its kind, in a language; empty for nothing."""
    sentences: list[Phrase] = []
    if square.share is not UNSET:
        part = _share(square.share, "cash" if square.of is UNSET else square.of)
        sentences.append(Phrase(f"Tax: {part.en}.", f"Taxe : {part.fr}."))
    if square.effects is not UNSET:
        listed = _listed(square.effects, board, money)
        sentences.append(Phrase(f"Stop here: {listed.en}.", f"Arrêt ici : {listed.fr}."))
    if square.passing is not UNSET:
        listed = _listed(square.passing, board, money)
        sentences.append(Phrase(f"In passing: {listed.en}.", f"Au passage : {listed.fr}."))
    return " ".join(sentence.in_language(language) for sentence in sentences)


def _listed(effects: Effects, board: Pieces, money: Money) -> Phrase:
    phrases = [_effect(effect, board, money) for effect in effects]
    return Phrase("; ".join(phrase.en for phrase in phrases), " ; ".join(phrase.fr for phrase in phrases))


def _effect(effect: Effect, board: Pieces, money: Money) -> Phrase:
    """Return an effect with the players concerned and the condition."""
    words = _deed(effect, board, money)
    if effect.who is not UNSET:
        who = _WHO[effect.who]
        words = Phrase(f"{who.en}: {words.en}", f"{who.fr} : {words.fr}")
    if effect.when is not UNSET:
        when = _condition(effect.when, money)
        words = Phrase(f"{words.en} ({when.en})", f"{words.fr} ({when.fr})")
    return words


def _condition(when: Holding, money: Money) -> Phrase:
    bounds = []
    for bound, en, fr in ((when.below, "less", "moins"), (when.above, "more", "plus")):
        if bound == "drawer":
            thing = _COMPARED[when.of]
            fewer = "fewer" if en == "less" and when.of in {"houses", "titles"} else en
            bounds.append(Phrase(f"{fewer} {thing.en} than the player here", f"{fr} {thing.fr} que le joueur ici"))
        elif bound is not UNSET:
            thing = _COUNTED[when.of]
            number = money(bound) if when.of in {"cash", "worth"} else str(bound)
            bounds.append(Phrase(thing.en.format(f"{en} than {number}"), thing.fr.format(f"{fr} de {number}")))
    en, fr = (" and ".join(bound.en for bound in bounds), " et ".join(bound.fr for bound in bounds))
    return Phrase(f"only with {en}", f"seulement avec {fr}")


def _deed(effect: BaseEffect, board: Pieces, money: Money) -> Phrase:
    match effect:
        case Pay():
            total, target = _sum(effect, board, money), _target(effect.to, board)
            return Phrase(f"pay {target.en} {total.en}", f"payer {target.fr} {total.fr}")
        case Receive():
            total, source = _sum(effect, board, money), _source(effect.source, board)
            return Phrase(f"{source.en} {total.en}", f"{source.fr} {total.fr}")
        case PayToEach(amount=amount):
            return _deed(Pay(amount=amount, to="each"), board, money)
        case ReceiveFromEach(amount=amount):
            return _deed(Receive(amount=amount, source="each"), board, money)
        case PayPerBuilding(house=house, hotel=hotel, to=to):
            return _deed(Pay(each=Each(house=house, hotel=hotel), to=to), board, money)
        case Move():
            return _move(effect, board)
        case GoTo(square=square, salary=salary):
            return _move(Move(to=square, salary=salary), board)
        case GoBack(steps=steps):
            return _move(Move(by=steps, direction="back"), board)
        case GoToNearest(of=of, salary=salary, rent=rent, factor=factor):
            return _move(Move(nearest=of, salary=salary, rent=rent, factor=factor), board)
        case GoToPrison():
            return Phrase("go to prison", "aller en prison")
        case SwapTokens(partner=partner):
            name = _PARTNERS[partner]
            return Phrase(f"swap squares with {name.en}", f"échanger sa case avec {name.fr}")
        case MissTurns(turns=1):
            return Phrase("miss a turn", "passer un tour")
        case MissTurns(turns=turns):
            return Phrase(f"miss {turns} turns", f"passer {turns} tours")
        case ThrowAgain():
            return Phrase("throw again", "relancer les dés")
        case _:
            return estate_words.deed(effect, board) or Phrase("a special effect", "un effet particulier")


def _sum(effect: Sum, board: Pieces, money: Money) -> Phrase:
    total = Phrase("", "")
    if effect.amount is not UNSET:
        total = Phrase(money(effect.amount), money(effect.amount))
    elif effect.each is not UNSET:
        parts = [*_each(effect.each, board, money)]
        total = Phrase(", ".join(part.en for part in parts), ", ".join(part.fr for part in parts))
    elif effect.share is not UNSET:
        total = _share(effect.share, "cash" if effect.of is UNSET else effect.of)
    if effect.at_least is not UNSET:
        least = money(effect.at_least)
        total = Phrase(f"{total.en}, at least {least}", f"{total.fr}, au moins {least}")
    if effect.at_most is not UNSET:
        limit = money(effect.at_most)
        total = Phrase(f"{total.en}, at most {limit}", f"{total.fr}, au plus {limit}")
    return total


def _each(each: Each, board: Pieces, money: Money) -> Iterator[Phrase]:
    named = board.named
    rows = (
        (each.house, named.house),
        (each.hotel, named.hotel),
        (each.title, Phrase("title", "titre")),
        (each.street, Phrase("street", "rue")),
        (each.station, Phrase("station", "gare")),
        (each.utility, Phrase("utility", "compagnie")),
        (each.player, Phrase("opponent", "adversaire")),
    )
    for amount, thing in rows:
        if amount is not UNSET:
            yield Phrase(f"{money(amount)} for each {thing.en}", f"{money(amount)} par {thing.fr}")


def _share(share: Share, of: Wealth) -> Phrase:
    above, below = share
    percent, remainder = divmod(100 * above, below)
    wealth = _WEALTH[of]
    if remainder:
        return Phrase(f"{above}/{below} of {wealth.en}", f"{above}/{below} de {wealth.fr}")
    return Phrase(f"{percent}% of {wealth.en}", f"{percent} % de {wealth.fr}")


def _target(to: str, board: Pieces) -> Phrase:
    pot = board.named.pot
    match to:
        case "pot":
            return Phrase(f"into {pot.en}", f"dans {pot.fr}")
        case "each":
            return Phrase("each of the others", "à chacun des autres")
        case "drawer":
            return Phrase("the player here", "au joueur sur la case")
        case _:
            return Phrase("the bank", "à la banque")


def _source(source: object, board: Pieces) -> Phrase:
    pot = board.named.pot
    match source:
        case "pot":
            return Phrase(f"take out of {pot.en}", f"prendre dans {pot.fr}")
        case "each":
            return Phrase("receive from each of the others", "recevoir de chacun des autres")
        case "drawer":
            return Phrase("receive from the player here", "recevoir du joueur sur la case")
        case _:
            return Phrase("receive from the bank", "recevoir de la banque")


def _move(move: Move, board: Pieces) -> Phrase:
    """Return a move, with its salary and rent where these are not the usual."""
    ahead = move.direction == "forward"
    go = Phrase("go on", "avancer") if ahead else Phrase("go back", "reculer")
    if move.thrown:
        words = Phrase(f"throw the dice and {go.en} as far", f"lancer les dés et {go.fr} d'autant")
    elif move.by is not UNSET:
        en, fr = ("square", "case") if move.by == 1 else ("squares", "cases")
        words = Phrase(f"{go.en} {move.by} {en}", f"{go.fr} de {move.by} {fr}")
    elif move.to is not UNSET:
        name = next((square.name for square in board.squares if square.id == move.to), str(move.to))
        words = Phrase(f"{go.en} to {name}", f"{go.fr} jusqu'à {name}")
    else:
        goal = _nearest(str(move.nearest), board)
        words = Phrase(f"{go.en} to {goal.en}", f"{go.fr} jusqu'{goal.fr}")
    if move.pays != ahead:
        salary = Phrase("with the salary", "avec le salaire")
        straight = Phrase("without the salary", "sans le salaire")
        words = _with(words, salary if move.pays else straight)
    if move.rent == "thrown_by_factor":
        rent = Phrase(f"for {move.factor} times a new throw", f"pour {move.factor} fois un nouveau jet")
        words = _with(words, rent)
    elif move.rent in _RENTS:
        words = _with(words, _RENTS[move.rent])
    if not move.stops:
        words = _with(words, Phrase("and nothing happens there", "et rien ne s'y passe"))
    return words


def _with(words: Phrase, further: Phrase) -> Phrase:
    return Phrase(f"{words.en}, {further.en}", f"{words.fr}, {further.fr}")


def _nearest(name: str, board: Pieces) -> Phrase:
    group = next((row.name for row in board.groups if row.id == name), None)
    if group is not None:
        return Phrase(f"the nearest of {group}", f"à la case la plus proche ({group})")
    return _NEAREST.get(name, Phrase(name, name))
