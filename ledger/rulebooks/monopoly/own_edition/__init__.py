"""Editions that tables bring: their shape, what may be wrong with them, and the game that they make.

`shape` is an edition as one JSON document. `reading` reads one, `fitting` finds what has the wrong shape, `checks`
what does not fit together. `check` and `settings_of` are all that others need:

    faults = check(document)                     every fault, with its place (a JSON Pointer) and the reason
    settings = settings_of(document, beside)     the settings of a game with this edition
"""

from ledger.rulebooks.monopoly.own_edition.check import check as check
from ledger.rulebooks.monopoly.own_edition.check import check_settings as check_settings
from ledger.rulebooks.monopoly.own_edition.check import settings_of as settings_of
from ledger.rulebooks.monopoly.own_edition.shape import OwnEdition as OwnEdition
