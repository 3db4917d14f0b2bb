"""The template of a new edition: the pieces of the rulebook, with comments."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.faces.editions import Counted, NewEdition
from ledger.rulebooks.parts import options
from ledger.rulebooks.parts.face.faces import board_face
from ledger.rulebooks.virtual_revolution.own_pieces.shape import OPTIONS, TABLES
from ledger.rulebooks.virtual_revolution.table.edition import EDITION, FILES


@cache
def new_edition() -> NewEdition:
    """Return the template: the files of the rulebook, with Titles called `titles`. Each file is optional."""
    folder = files("ledger.rulebooks.virtual_revolution") / "pieces"
    texts = {f"{name}.toml": (folder / f"{name}.toml").read_text(encoding="utf-8") for name in FILES}
    return NewEdition(
        title="A town of our own",
        options=options.described(OPTIONS, {}),
        files={name: text.replace("[[title]]", "[[titles]]") for name, text in texts.items()},
        members=tuple(TABLES),
        face=board_face("en", EDITION.face),
        counted=(
            Counted("district", Phrase("district", "district"), Phrase("districts", "districts")),
            Counted(
                "arrondissement",
                Phrase("arrondissement", "arrondissement"),
                Phrase("arrondissements", "arrondissements"),
            ),
            Counted("agent", Phrase("Agent", "Agent"), Phrase("Agents", "Agents")),
            Counted("verse", Phrase("Verse", "Verse"), Phrase("Verses", "Verses")),
            Counted(
                "corruption",
                Phrase("Corruption card", "carte Corruption"),
                Phrase("Corruption cards", "cartes Corruption"),
            ),
        ),
    )
