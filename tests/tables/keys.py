"""Idempotency keys as secrets, always the same for a name."""

from hashlib import sha256


def key_of(name: str) -> str:
    """A key of 32 hexadecimal digits that nobody guesses."""
    return sha256(name.encode()).hexdigest()[:32]
