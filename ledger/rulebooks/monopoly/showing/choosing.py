"""The words of choices by cards: the subject, and each answer."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker, elided
from ledger.rulebooks.monopoly.cards import choices
from ledger.rulebooks.monopoly.table.effects import ChooseOption
from ledger.rulebooks.monopoly.table.state import Monopoly, pieces
from ledger.rulebooks.monopoly.table.terms import Choosing, Task

_ANSWERS: Mapping[str, Phrase] = {
    choices.YES: Phrase("yes", "oui"),
    choices.NO: Phrase("no", "non"),
    choices.NONE: Phrase("nothing", "rien"),
}
_TITLES: Mapping[str, Phrase] = {
    "take_title": Phrase("a title to take, or none", "un titre à prendre, ou aucun"),
    "buy_title": Phrase("a title to buy, or none", "un titre à acheter, ou aucun"),
    "give_title": Phrase("a title to give", "un titre à donner"),
    "swap_titles": Phrase("a title to receive in exchange, or none", "un titre à recevoir en échange, ou aucun"),
    "lose_title": Phrase("a title to be lost", "un titre à perdre"),
    "auction_title": Phrase("a title to be auctioned", "un titre à mettre aux enchères"),
    "build": Phrase("where to build, or nowhere", "où construire, ou nulle part"),
    "lose_building": Phrase("where a building is lost", "où perdre un bâtiment"),
}
"""What is to be chosen for each effect on titles."""


def answer_words(state: Monopoly, answer: str, seat: Speaker, language: str) -> str:
    """Return the words of an answer."""
    board = pieces(state)
    title = board.titles.get(answer.removeprefix("title:"))
    if title is not None:
        return title.name
    if answer.startswith("player:"):
        return seat(answer.removeprefix("player:"), language)
    words = _ANSWERS.get(answer) or choices.option_words(board, answer)
    return answer if words is None else words.in_language(language)


def subject_of(state: Monopoly, choosing: Choosing, seat: Speaker) -> Phrase:
    """Return the subject of a choice."""
    board, task = pieces(state), choosing.task
    match choosing.ask:
        case "option":
            effect = choices.effect_of(state, task)
            options = [option.words for option in effect.options] if isinstance(effect, ChooseOption) else []
            return Phrase(" / ".join(words.en for words in options), " / ".join(words.fr for words in options))
        case "title":
            return _TITLES[str(choices.effect_of(state, task).__struct_config__.tag)]
        case "given":
            return Phrase("the title to give in exchange", "le titre à donner en échange")
        case "player":
            return Phrase("a player", "un joueur")
        case "consent":
            return _consent(
                task, board.titles[task.title].name, task.counterpart and board.titles[task.counterpart].name, seat
            )
        case "say_no":
            by = Phrase(seat(task.seat, "en"), seat(task.seat, "fr"))
            return Phrase(
                f"say no to the card of {by.en}, or not", f"dire non à la carte {elided('de', by.fr)}, ou pas"
            )
        case "refuse":
            return Phrase("refuse the card, or obey it", "refuser la carte, ou la suivre")
        case "draw":
            deck = board.deck[choosing.deck].name
            return Phrase(f"a card is to be drawn ({deck})", f"une carte à tirer ({deck})")


def _consent(task: Task, title: str, counterpart: str, seat: Speaker) -> Phrase:
    taker = Phrase(seat(task.whom, "en"), seat(task.whom, "fr"))
    if counterpart:
        return Phrase(
            f"agree to give {taker.en} {title} for {counterpart}, or not",
            f"accepter ou non de céder {title} à {taker.fr} contre {counterpart}",
        )
    return Phrase(f"agree to give {taker.en} {title}, or not", f"accepter ou non de céder {title} à {taker.fr}")
