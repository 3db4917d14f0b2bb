"""What can be asked of a game: journal, state, accounts, statements, audit, why, moves, replays, precedents."""
