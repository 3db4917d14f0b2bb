"""Choices of players, in sentences: picks of effects, bonuses, groups of tokens, colours, types.

A pick is a `terms.Pick` as plain data; its empty members are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker, speak
from ledger.rulebooks.parts.speaking import listed, phrase_speaker
from ledger.rulebooks.virtual_revolution.map.gaining import quantity_of
from ledger.rulebooks.virtual_revolution.table.operations import (
    AddRange,
    BonusAction,
    ChooseOne,
    DiscardAgentInService,
    DiscardBoost,
    DiscardCorruption,
    DiscardServer,
    DiscardVerse,
    DrawCorruption,
    Effect,
    ExchangeCorruption,
    FlipVerseOnline,
    Gain,
    GiveCorruption,
    InfluenceAdd,
    InfluenceClear,
    InfluenceEliminate,
    InfluenceEliminateOrAdd,
    InfluenceToRecycling,
    Lose,
    MoveServer,
    PayToDiscardCorruption,
    PayToGain,
    PeekNecro,
    PlaceServer,
    ReadyAgents,
    ReplaceVerses,
    ReuseVerseGain,
    Steal,
    SwapAgent,
    TakeAgent,
    TakeBoost,
    TakeVerse,
)
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces

TYPES: Mapping[str, Phrase] = {
    "combatant": Phrase("Combatant", "Combattant"),
    "technician": Phrase("Technician", "Technicien"),
    "diplomat": Phrase("Diplomat", "Diplomate"),
    "science_fiction": Phrase("Science fiction", "Science-fiction"),
    "fantasy": Phrase("Fantasy", "Fantasy"),
    "horror": Phrase("Horror", "Horreur"),
    "adventure": Phrase("Adventure", "Aventure"),
}
COLOURS: Mapping[str, Phrase] = {
    "orange": Phrase("orange", "orange"),
    "red": Phrase("red", "rouge"),
    "green": Phrase("green", "vert"),
    "blue": Phrase("blue", "bleu"),
}
_FATES: Mapping[str, Phrase] = {
    "retire": Phrase("retirement", "à la retraite"),
    "boost": Phrase("a Boost", "en Boost"),
}
_EFFECT: Mapping[bool, Phrase] = {
    True: Phrase("with its effect", "avec son effet"),
    False: Phrase("without its effect", "sans son effet"),
}

_BENEFITS: Mapping[type[Any], Phrase] = {
    DiscardCorruption: Phrase("a discard at random", "une défausse au hasard"),
    PeekNecro: Phrase("a look at the next Necro card", "un regard sur la prochaine carte Nécro"),
}
"""The words for each of several benefits of recovered tokens, by operation."""

_GAINS: Mapping[type[Any], Phrase] = {
    Gain: Phrase("gain {}", "gagner {}"),
    Lose: Phrase("lose {}", "perdre {}"),
    PayToGain: Phrase("pay for {}", "payer pour {}"),
    Steal: Phrase("take {} from a player", "prendre {} à un joueur"),
}
"""The words around the amount that an operation of an option moves, by operation."""

_DEEDS: Mapping[type[Any], Phrase] = {
    DrawCorruption: Phrase("draw Corruption cards", "piocher des cartes Corruption"),
    PayToDiscardCorruption: Phrase("pay to discard Corruption", "payer pour défausser de la Corruption"),
    GiveCorruption: Phrase("give Corruption away", "donner de la Corruption"),
    ExchangeCorruption: Phrase("exchange Corruption", "échanger de la Corruption"),
    InfluenceEliminate: Phrase("eliminate influence", "éliminer de l'influence"),
    InfluenceAdd: Phrase("add influence", "ajouter de l'influence"),
    InfluenceEliminateOrAdd: Phrase("eliminate or add influence", "éliminer ou ajouter de l'influence"),
    InfluenceToRecycling: Phrase("put influence in recycling", "mettre de l'influence au Recyclage"),
    InfluenceClear: Phrase("clear arrondissements of influence", "vider des arrondissements de leur influence"),
    PlaceServer: Phrase("place a Server", "poser un Serveur"),
    MoveServer: Phrase("move a Server", "déplacer un Serveur"),
    DiscardServer: Phrase("remove a Server", "retirer un Serveur"),
    TakeAgent: Phrase("take an Agent", "prendre un Agent"),
    SwapAgent: Phrase("exchange an Agent", "échanger un Agent"),
    ReadyAgents: Phrase("ready Agents", "redresser des Agents"),
    DiscardAgentInService: Phrase("discard an Agent in service", "défausser un Agent en service"),
    TakeBoost: Phrase("take a Boost", "prendre un Boost"),
    DiscardBoost: Phrase("discard a Boost", "défausser un Boost"),
    TakeVerse: Phrase("take a Verse", "prendre un Verse"),
    DiscardVerse: Phrase("discard a Verse", "défausser un Verse"),
    ReplaceVerses: Phrase("replace Verses on display", "remplacer des Verses exposés"),
    FlipVerseOnline: Phrase("put a Verse online", "mettre un Verse Online"),
    ReuseVerseGain: Phrase("use the gain of a Verse again", "réutiliser le gain d'un Verse"),
    BonusAction: Phrase("perform a bonus Action", "faire une Action bonus"),
    AddRange: Phrase("reach further", "agir plus loin"),
}
"""The words for an operation of an option whose pieces are not chosen yet, or are told beside it, by operation."""

_STEPS: Mapping[type[Any], tuple[str, str, Phrase]] = {
    DiscardServer: ("place", "place", Phrase("remove the Server of {}", "retirer le Serveur de {}")),
    PlaceServer: ("place", "place", Phrase("place a Server in {}", "poser un Serveur dans {}")),
    DiscardVerse: ("verse", "card", Phrase("discard {}", "défausser {}")),
    TakeVerse: ("verse", "card", Phrase("take {}", "prendre {}")),
}
"""The member of a pick, the formatter and the words for each operation of an option, by operation."""

_NOTHING = Phrase("nothing more", "rien de plus")
"""The words for an effect without a choice."""
_PICKED: Mapping[str, tuple[str, Phrase]] = {
    "agent": ("card", Phrase("{}", "{}")),
    "gives": ("card", Phrase("for {}", "contre {}")),
    "place": ("place", Phrase("{}", "{}")),
    "places": ("places", Phrase("{}", "{}")),
    "whose": ("token", Phrase("{}", "{}")),
    "source": ("place", Phrase("from {}", "depuis {}")),
    "to": ("seat", Phrase("to {}", "à {}")),
    "verse": ("card", Phrase("{}", "{}")),
    "boost": ("card", Phrase("{}", "{}")),
    "cards": ("cards", Phrase("{}", "{}")),
    "verses": ("cards", Phrase("{}", "{}")),
    "action": ("performed", Phrase("{}", "{}")),
}
"""The formatter of each member of a pick, and the words around the value."""
_PERFORMED: Mapping[str, tuple[str, Phrase]] = {
    "agent": ("card", Phrase("{}", "{}")),
    "verse": ("card", Phrase("{}", "{}")),
    "discard": ("cards", Phrase("discard {}", "défausser {}")),
}

_APPLIED: Mapping[str, tuple[str, Phrase]] = {
    "to": ("fate", Phrase("promoted to {}", "promu {}")),
    "copies": ("card", Phrase("as {}", "comme {}")),
    "verses": ("cards", Phrase("{}", "{}")),
    "card": ("card", Phrase("{}", "{}")),
}


def speakers(base: Mapping[str, Speaker], catalogue: Pieces) -> Mapping[str, Speaker]:
    """Return the formatters of players' choices with the pieces, on top of `base`.

    - pick, picks: the choice for an effect, or for several
    - bonus, bonuses: a bonus by its source
    - performed: a bonus Action, with its parameters
    - token: an influence token by its owner
    - groups: recovered influence tokens
    - colour, type, fate, effect: a value of a fixed list
    """

    def parts(value: Mapping[str, Any], words: Mapping[str, tuple[str, Phrase]], language: str) -> Iterator[str]:
        for name, (manner, around) in words.items():
            if value.get(name) not in (None, [], ()):
                yield around.in_language(language).format(formatters[manner](value[name], language))

    def performed(value: Any, language: str) -> str:
        phrases = [*parts(value, _PERFORMED, language)]
        if value.get("immunity"):
            phrases.append(Phrase("an Immunity token", "un jeton Immunité").in_language(language))
        action = base["deed"](value["action"], language)
        return f"{action} ({', '.join(phrases)})" if phrases else action

    def step(effect: Effect, value: Mapping[str, Any], language: str) -> str | None:
        if type(effect) in _BENEFITS:
            return _BENEFITS[type(effect)].in_language(language)
        member, manner, around = _STEPS.get(type(effect), ("", "", _NOTHING))
        return (
            around.in_language(language).format(formatters[manner](value[member], language))
            if value.get(member)
            else None
        )

    def option(value: Mapping[str, Any], language: str) -> str | None:
        """Return the words for an option of an effect with this number and these members; None for several."""
        number, members = value["option"], {name for name in _PICKED if value.get(name) not in (None, [], ())}
        sentences = set[str]()
        for choice in choices:
            effects = choice.options[number] if number < len(choice.options) else ()
            steps = [step(effect, value, language) for effect in effects]
            if (
                steps
                and None not in steps
                and members == {_STEPS[type(effect)][0] for effect in effects if type(effect) in _STEPS}
            ):
                sentences.add(", ".join(filter(None, steps)))
        return sentences.pop() if len(sentences) == 1 else None

    def deeds(number: int, language: str) -> str | None:
        """Return the words for the operations of an option with this number; None for several options."""
        sentences = set[str]()
        for choice in choices:
            words = [_deed(effect) for effect in (choice.options[number] if number < len(choice.options) else ())]
            if words:
                sentences.add(", ".join(word.in_language(language) for word in words if word is not None))
        return sentences.pop() or None if len(sentences) == 1 else None

    def pick(value: Any, language: str) -> str:
        if not value:
            return _NOTHING.in_language(language)
        if value.get("skip"):
            return _NOTHING.in_language(language)
        phrases = [*parts(value, _PICKED, language)]
        if value.get("option") is not None:
            if (words := option(value, language)) is not None:
                return words
            if (words := deeds(value["option"], language)) is not None:
                phrases.insert(0, words)
            elif not phrases:
                phrases.append(_nth(value["option"] + 1).in_language(language))
        if value.get("add"):
            phrases.append(Phrase("add a token", "ajouter un jeton").in_language(language))
        return ", ".join(phrases) or _NOTHING.in_language(language)

    def picks(value: Any, language: str) -> str:
        between = Phrase("; ", " ; ").in_language(language)
        return between.join(pick(choice, language) for choice in value if choice) or pick(None, language)

    def token(value: Any, language: str) -> str:
        template = Phrase("a token of {seat:seat}", "un jeton {seat:de|seat}").in_language(language)
        return speak(template, {"seat": value}, language, base)

    def bonus(value: Any, language: str) -> str:
        source = str(value["source"])
        name = base["district"](source, language)
        phrases = [*parts(value, _APPLIED, language)]
        name = base["card"](source, language) if name == source else name
        return f"{name} ({', '.join(phrases)})" if phrases else name

    def bonuses(value: Any, language: str) -> str:
        return listed([bonus(item, language) for item in value], language)

    def groups(value: Any, language: str) -> str:
        return listed([_group(catalogue, group, language) for group in value], language)

    choices = [*_choices(catalogue)]
    formatters: dict[str, Speaker] = {
        **base,
        "pick": pick,
        "token": token,
        "picks": picks,
        "bonus": bonus,
        "bonuses": bonuses,
        "performed": performed,
        "groups": groups,
        "colour": phrase_speaker(COLOURS),
        "type": phrase_speaker(TYPES),
        "fate": phrase_speaker(_FATES),
        "effect": phrase_speaker(_EFFECT),
    }
    return formatters


def _deed(effect: Effect) -> Phrase | None:
    """Return the words for an operation without its pieces; None for an operation of no option."""
    if isinstance(effect, Gain | Lose | PayToGain | Steal):
        around, amount = _GAINS[type(effect)], quantity_of(effect.what, effect.amount)
        return Phrase(around.en.format(amount.en), around.fr.format(amount.fr))
    return _BENEFITS.get(type(effect)) or _DEEDS.get(type(effect))


def _nth(number: int) -> Phrase:
    """Return the words for an effect by its place on the card, from 1."""
    ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return Phrase(f"the {number}{ending} effect", f"le {number}{'er' if number == 1 else 'e'} effet")


def _choices(catalogue: Pieces) -> Iterator[ChooseOne]:
    """Yield the effects of the pieces with options."""
    agents = (effects for agent in catalogue.agent for effects in (agent.activation, agent.promotion))
    boosts, titles = (card.effects for card in catalogue.boost), (card.effects for card in catalogue.title)
    for effects in (*agents, *boosts, *titles, *(row.effects for row in catalogue.recycling)):
        yield from (effect for effect in effects if isinstance(effect, ChooseOne))


def _group(catalogue: Pieces, value: Mapping[str, Any], language: str) -> str:
    """Return the words for a group of recovered tokens with the benefit: "2 (a discard at random)"."""
    tokens, option = value["tokens"], value.get("option")
    row = next((item for item in catalogue.recycling if item.tokens == tokens), None)
    if row is None:
        return str(tokens)
    if option is not None:
        for effect in row.effects:
            if isinstance(effect, ChooseOne) and option < len(effect.options):
                words = [_BENEFITS[type(item)] for item in effect.options[option] if type(item) in _BENEFITS]
                return f"{tokens} ({listed([item.in_language(language) for item in words], language)})"
    return f"{tokens} ({row.text.in_language(language)})"
