"""Fuzzing: valid examples with mutations, for every reader of bytes from outside."""
