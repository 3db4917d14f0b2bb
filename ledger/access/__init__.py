"""Tokens for access to games."""
