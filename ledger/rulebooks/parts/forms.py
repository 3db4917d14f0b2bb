"""The forms of ids and colours in the pieces of games. A `$` alone would allow a newline at the end."""

from __future__ import annotations

SMALL_ID_FORM = r"^[a-z0-9_]{1,40}$(?!\n)"
ID_FORM = r"^[A-Za-z0-9_]{1,40}$(?!\n)"
COLOUR_FORM = r"^#[0-9a-f]{6}$(?!\n)"
