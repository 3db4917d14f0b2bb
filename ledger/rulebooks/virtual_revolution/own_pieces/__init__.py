"""Pieces brought by a table (vr:banker.2): the shape of an edition, its faults, its game.

An edition is one JSON document: a `title`, `options`, and the tables of `pieces/` that differ from the
rulebook. A missing table keeps the rulebook's rows; `amounts` and `scoring` may be partial. `checks` (with
`map_checks`, `card_checks`, `count_checks` and `name_checks`) finds inconsistencies.

Callers need only:
    faults = check(document)                     every fault, with its place (a JSON Pointer) and the reason
    stored = normal(document)                    the stored form
    settings = settings_of(document, beside)     the settings of a game with this edition
    check_settings(settings, players)            refuses pieces unfit for the number of players
    require_told_apart(pieces)                   refuses pieces with indistinguishable names
"""

from ledger.rulebooks.virtual_revolution.own_pieces.check import check as check
from ledger.rulebooks.virtual_revolution.own_pieces.check import check_settings as check_settings
from ledger.rulebooks.virtual_revolution.own_pieces.check import faults_of as faults_of
from ledger.rulebooks.virtual_revolution.own_pieces.check import normal as normal
from ledger.rulebooks.virtual_revolution.own_pieces.check import require_told_apart as require_told_apart
from ledger.rulebooks.virtual_revolution.own_pieces.check import settings_of as settings_of
from ledger.rulebooks.virtual_revolution.own_pieces.check import warnings as warnings
from ledger.rulebooks.virtual_revolution.own_pieces.shape import OPTIONS as OPTIONS
from ledger.rulebooks.virtual_revolution.own_pieces.shape import whole as whole
from ledger.rulebooks.virtual_revolution.own_pieces.starting import new_edition as new_edition
