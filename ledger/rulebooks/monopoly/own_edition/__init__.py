"""Editions brought by tables: the shape, the possible faults, and the resulting game.

`shape` is an edition as one JSON document. `parts.fitting` and `options` find faults of shape, `checks` (with
`name_checks`, `card_checks`, `effect_checks` and `square_checks`) contradictions. The rest of the code needs only:

    faults = check(document)                     every fault, with a JSON Pointer and the reason
    notes = warnings(document)                   the parts without effect, or forgotten
    files = edition_of(text, title)              the files of an edition from a table of squares
    stored = normal(document)                    the stored form, with ids from names
    settings = settings_of(document, beside)     the settings of a game with the edition
    check_settings(edition, settings)            refuses settings with an unplayable board
    require_told_apart(board)                    refuses a board with names that look alike
"""

from ledger.rulebooks.monopoly.own_edition.check import check as check
from ledger.rulebooks.monopoly.own_edition.check import check_settings as check_settings
from ledger.rulebooks.monopoly.own_edition.check import normal as normal
from ledger.rulebooks.monopoly.own_edition.check import require_told_apart as require_told_apart
from ledger.rulebooks.monopoly.own_edition.check import settings_of as settings_of
from ledger.rulebooks.monopoly.own_edition.check import warnings as warnings
from ledger.rulebooks.monopoly.own_edition.shape import OwnEdition as OwnEdition
from ledger.rulebooks.monopoly.own_edition.starting import new_edition as new_edition
from ledger.rulebooks.monopoly.own_edition.tables import edition_of as edition_of
