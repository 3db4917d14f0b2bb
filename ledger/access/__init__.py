"""Tokens, which give access to games."""
