"""The messages of marshmallow about query parameters, in French."""

from __future__ import annotations

import re

_REASONS: tuple[tuple[str, str], ...] = (
    (r"Must be one of: (.*)\.", r"Les valeurs possibles sont : \1."),
    (r"Must be greater than or equal to (\S+) and less than or equal to (\S+)\.", r"De \1 à \2."),
    (r"Must be greater than or equal to (\S+)\.", r"Au moins \1."),
    (r"Must be less than or equal to (\S+)\.", r"Au plus \1."),
    (r"Length must be between (\d+) and (\d+)\.", r"Entre \1 et \2 caractères."),
    (r"(?:Longer than maximum length|Length must be at most) (\d+)\.", r"Au plus \1 caractères."),
    (r"Shorter than minimum length (\d+)\.", r"Au moins \1 caractères."),
    (r"Not a valid integer\.", "Ce n'est pas un nombre entier."),
    (r"Not a valid boolean\.", "Ce n'est ni vrai ni faux."),
    (r"Not a valid datetime\.", "Ce n'est pas une date."),
    (r"Missing data for required field\.", "Il manque."),
    (r"Unknown field\.", "Ce paramètre est inconnu."),
)
"""The messages of marshmallow about a parameter, and their translations into French."""


def in_french(reason: str) -> str:
    """Translate a message about a parameter. A message without translation stays English."""
    for pattern, french in _REASONS:
        if (match := re.fullmatch(pattern, reason)) is not None:
            return match.expand(french)
    return reason
