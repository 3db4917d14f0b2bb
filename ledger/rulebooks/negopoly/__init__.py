"""Negopoly (Crédit Mabligop): a satirical Monopoly where everything is negotiable.

Each room holds a part of the document, in the order of the document. The docstring of a room names the
contents. `rulebook.py` implements the kernel's interface. The code cites rules by their number in rules.toml.
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
"""The rooms with chapters, in the order of the document. The room `bots` has none."""

RULEBOOK = NegopolyRules(reading.register(files(__name__)), chapters_of(__name__, ROOMS))
"""The rulebook, ready to play."""
