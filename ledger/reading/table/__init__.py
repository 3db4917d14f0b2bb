"""The table: the state of a game for a screen, and changes for the stream."""
