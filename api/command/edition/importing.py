"""An edition from a table of squares in a file."""

from __future__ import annotations

from pathlib import Path

from api.command.edition.files import MOST_BYTES, USUAL, taker_of
from api.command.edition.starting import require_new, write
from api.command.terminal.failures import BadInput


def import_file(path: Path, folder: Path) -> int:
    """Write an edition from a table into a new folder. Returns the number of guesses.

    Raises BadInput for an unreadable table, and for a folder with files.
    """
    from_table = taker_of(USUAL).from_table
    if from_table is None:
        raise BadInput("no rulebook makes an edition from a table")
    text = _text(path)
    title = path.stem.replace("_", " ").replace("-", " ").strip().capitalize()
    try:
        result = from_table(text, title)
    except ValueError as fault:
        raise BadInput(f"{path}: {fault}") from fault
    require_new(folder)
    write(folder, result.files)
    return result.guesses


def _text(path: Path) -> str:
    """Read a text in UTF-8 or UTF-16, or as Western spreadsheets write."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as fault:
        raise BadInput(f"{path} cannot be read: {fault.strerror}") from fault
    if len(content) > MOST_BYTES:
        raise BadInput(f"{path}: a table has at most {MOST_BYTES} bytes")
    coding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return content.decode(coding)
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")
