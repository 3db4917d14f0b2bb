"""The starting material for a table's own edition: the made-up town of the project, with comments."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.faces.editions import Counted, NewEdition
from ledger.rulebooks.monopoly.own_edition.options import FIELDS
from ledger.rulebooks.monopoly.own_edition.shape import PARTS
from ledger.rulebooks.parts import options, reading
from ledger.rulebooks.parts.face.faces import board_face, read

_PIECES = "pieces.toml"


@cache
def new_edition() -> NewEdition:
    """Return the town, and the options with the town's settings."""
    folder = files("ledger.rulebooks.monopoly") / "editions" / "own"
    return NewEdition(
        title="A town of our own",
        options=options.described(FIELDS, reading.data(folder, "edition.toml")["settings"]),
        files={_PIECES: (folder / _PIECES).read_text(encoding="utf-8")},
        members=PARTS,
        face=board_face("en", read(folder)),
        counted=(
            Counted("squares", Phrase("square", "case"), Phrase("squares", "cases")),
            Counted("groups", Phrase("group", "groupe"), Phrase("groups", "groupes")),
            Counted("decks", Phrase("deck", "pioche"), Phrase("decks", "pioches")),
            Counted("cards", Phrase("card", "carte"), Phrase("cards", "cartes")),
        ),
    )
