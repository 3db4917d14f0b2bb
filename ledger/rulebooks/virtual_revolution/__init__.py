"""Virtual Revolution (Guy-Roger Duvert, Cyril Villalonga): five rounds of influence and Agents in Néo Paris.

Each chapter of the rules has a file. `operations` is the vocabulary of cards, `effects` their interpreter,
`pieces/` the cards and the map as data. The code cites rules by their ids in rules.toml.
"""

from ledger.rulebooks.virtual_revolution.rulebook import RULEBOOK as RULEBOOK
