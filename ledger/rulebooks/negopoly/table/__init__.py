"""II.A. The table: state, terms, pieces, settings, set-up, a table's own board and decks, and visibility."""

CHAPTERS = ("setup",)
