"""Reading games: journal, state, accounts, statements, audit, why, moves, replays, precedents."""
