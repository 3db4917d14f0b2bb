"""Boards from a table of squares, such as a spreadsheet.

`columns` reads the table, `boards` fills the gaps, and `files` writes the edition with each guess as a comment.
"""

from ledger.rulebooks.monopoly.own_edition.tables.columns import Unreadable as Unreadable
from ledger.rulebooks.monopoly.own_edition.tables.files import edition_of as edition_of
