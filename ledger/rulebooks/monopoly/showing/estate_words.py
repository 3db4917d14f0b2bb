"""The words of choices and of effects on titles and buildings, for squares with effects."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.kernel.language.phrase import Phrase
from ledger.rulebooks.monopoly.table.effects import BaseEffect, ChooseOption, DrawFrom
from ledger.rulebooks.monopoly.table.pieces import Pieces

_DEEDS: Mapping[str, Phrase] = {
    "take_title": Phrase("take a title", "prendre un titre"),
    "buy_title": Phrase("buy a title of the bank", "acheter un titre de la banque"),
    "give_title": Phrase("give a title away", "donner un titre"),
    "swap_titles": Phrase("swap a title", "échanger un titre"),
    "lose_title": Phrase("lose a title to the bank", "rendre un titre à la banque"),
    "auction_title": Phrase("have a title auctioned", "mettre un titre aux enchères"),
    "build": Phrase("build", "construire"),
    "lose_building": Phrase("lose a building", "perdre un bâtiment"),
}


def deed(effect: BaseEffect, board: Pieces) -> Phrase | None:
    """Return the words of a choice, a draw, or an effect on titles or buildings; None for any other effect."""
    match effect:
        case ChooseOption(options=options):
            words = [option.words for option in options]
            english, french = " / ".join(phrase.en for phrase in words), " / ".join(phrase.fr for phrase in words)
            return Phrase(f"choose ({english})", f"choisir ({french})")
        case DrawFrom(deck=deck):
            name = board.deck[deck].name
            return Phrase(f"draw a card ({name})", f"tirer une carte ({name})")
        case _:
            return _DEEDS.get(str(effect.__struct_config__.tag))
