"""II.A. The table: its state, words, pieces and settings, its set-up, what it may bring, who sees what."""

CHAPTERS = ("setup",)
