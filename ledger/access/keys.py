"""Idempotency keys of requests whose answers hold tokens or codes.

The repetition of such a request shows the secrets again, so the key alone proves the first caller. A key of 128
random bits proves enough: 32 hexadecimal digits, a UUID of version 4 (RFC 9562), or 22 characters of base64url
(RFC 4648). Nothing tells chance from habit for sure. The signs below are those of keys made by people, by counters
and by clocks; a phrase of rare words passes.

Fewer than one random key in 2.9 thousand million has such a sign:
- only hexadecimal digits in 22 characters of base64url: 2.8e-10 (the last character holds two bits);
- one character ten times in a row, in 32 hexadecimal digits: 3.3e-10;
- fewer than six different characters, or than five different steps: less than 1e-12;
- common words in base64url, with fewer than ten characters beside: less than 1e-10.
"""

from __future__ import annotations

import re
from itertools import pairwise

_FORM = re.compile(r"[!-~]{22,}")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_HEX = re.compile(r"[0-9a-f]*", re.IGNORECASE)
_RUN = re.compile(r"(.)\1{9}")
_BESIDE = re.compile(
    r"[^0-9a-z]|again|asdf|azerty|banker|create|demo|evening|friday|game|ghjkl|idempoten(?:cy|t)|invit(?:ation|e)"
    r"|join|mabligop|monopoly|negopoly|night|password|play(?:er)?|qwerty|replace(?:ment)?|request|retry|saturday"
    r"|secret|spectator|sunday|table|test|token|uiop|zxcv",
    re.IGNORECASE,
)
"""Separators, and words in the keys of people."""
_HEX_DIGITS, _CHARACTERS = 32, 10
_DIFFERENT_CHARACTERS, _DIFFERENT_STEPS = 6, 5


def is_guessable(key: str) -> bool:
    """Return True for a key that is short or follows a pattern."""
    uuid = _UUID.search(key)
    if _FORM.fullmatch(key) is None or (uuid is not None and uuid[1] != "4"):
        return True
    plain = _BESIDE.sub("", key)
    # Counting makes equal steps, alternation few steps.
    steps = {ord(after) - ord(before) for before, after in pairwise(plain)}
    return (
        len(plain) < (_HEX_DIGITS if _HEX.fullmatch(plain) else _CHARACTERS)
        or len(set(plain)) < _DIFFERENT_CHARACTERS
        or len(steps) < _DIFFERENT_STEPS
        or _RUN.search(plain) is not None
        or any(plain[period:] == plain[:-period] for period in range(1, len(plain) // 2 + 1))
    )
