"""Monopolys: one engine, and its editions as data.

Each chapter of the rules has a file. `pieces` is what an edition brings, `roles` which of its rules the engine
means, `settings` what a table may choose; `state` is the game and `terms` the values in it. What differs between
editions is a piece, a role or a setting.
"""

from ledger.rulebooks.monopoly.rulebook import RULEBOOKS as RULEBOOKS
