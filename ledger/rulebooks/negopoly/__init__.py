"""Negopoly (Crédit Mabligop): a satirical Monopoly where everything is negotiable.

Each room holds a part of the document, in the order of the document. The docstring of a room names the
contents. `rulebook.py` composes the faces. The code cites rules by their number in rules.toml.
"""

from ledger.rulebooks.negopoly.rulebook import RULEBOOK as RULEBOOK
