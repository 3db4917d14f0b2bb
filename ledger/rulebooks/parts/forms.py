"""The forms of ids, colours and texts in the pieces of games. A `$` alone would allow a newline at the end."""

from __future__ import annotations

SMALL_ID_FORM = r"^[a-z0-9_]{1,40}$(?!\n)"
ID_FORM = r"^[A-Za-z0-9_]{1,40}$(?!\n)"
COLOUR_FORM = r"^#[0-9a-f]{6}$(?!\n)"
FACE_COLOUR_FORM = r"^#[0-9A-Fa-f]{6}$(?!\n)"
FACE_TEXT_FORM = r"^[^<>/\\\n\r\t]{1,40}$(?!\n)"
GROUP_MARK_FORM = r"^[^<>/\\\s]{1,2}$(?!\n)"
NAME_FORM = r"^[a-z0-9-]{1,20}$(?!\n)"
COMMODITY_FORM = r"^[A-Za-z0-9_:]{1,60}$(?!\n)"
