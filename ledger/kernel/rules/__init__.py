"""Rules: the declarations of a game, from actions and drafts to the rulebook. Nothing is decided here."""
