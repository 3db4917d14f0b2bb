"""Negopoly (Crédit Mabligop): a satirical Monopoly where everything is negotiable.

A room per part of the document, in its order; each room's docstring says what is there. `rulebook.py` answers what
the kernel asks of a game. Rules are cited by their number in rules.toml.
"""

from importlib.resources import files

from ledger.rulebooks.negopoly.rulebook import NegopolyRules
from ledger.rulebooks.parts import reading
from ledger.rulebooks.parts.chapters import chapters_of

ROOMS = (
    "banker",
    "deals",
    "table",
    "turns",
    "board",
    "cards",
    "meetings",
    "estate",
    "squares",
    "mercenaries",
    "arsenal",
    "goods",
    "agreements",
)
"""The rooms that have chapters, in the order of the document; beside them are the `bots`."""

RULEBOOK = NegopolyRules(reading.register(files(__name__)), chapters_of(__name__, ROOMS))
"""The rulebook, ready to play."""
