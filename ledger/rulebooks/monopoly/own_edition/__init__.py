"""Editions that tables bring: their shape, what may be wrong with them, and the game that they make.

`shape` is an edition as one JSON document. `parts.fitting` and `options` find what has the wrong shape, `checks`
(with `name_checks` and `card_checks`) what does not fit together. Others need only these:

    faults = check(document)                     every fault, with its place (a JSON Pointer) and the reason
    settings = settings_of(document, beside)     the settings of a game with this edition
    check_settings(edition, settings)            refuses settings with a board that cannot be played on
    require_told_apart(board)                    refuses a board with names that cannot be told apart
"""

from ledger.rulebooks.monopoly.own_edition.check import check as check
from ledger.rulebooks.monopoly.own_edition.check import check_settings as check_settings
from ledger.rulebooks.monopoly.own_edition.check import require_told_apart as require_told_apart
from ledger.rulebooks.monopoly.own_edition.check import settings_of as settings_of
from ledger.rulebooks.monopoly.own_edition.shape import OwnEdition as OwnEdition
from ledger.rulebooks.monopoly.own_edition.starting import new_edition as new_edition
