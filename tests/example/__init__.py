"""The games of the tests: the town, a board with editions; and the Bazaar, cards with hidden hands."""

from tests.example import bazaar, town

RULEBOOKS = (*town.RULEBOOKS, bazaar.RULEBOOK)
