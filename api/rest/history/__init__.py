"""The history of a game: corrections, replays and the audit."""
