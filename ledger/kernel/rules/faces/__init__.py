"""The faces of a rulebook: small classes with defaults, each for a single matter of a game."""
