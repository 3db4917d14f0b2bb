"""Monopolys: one engine, with the editions as data.

Each chapter of the rules has a file. `pieces` is the content of an edition, `roles` the link between the engine
and an edition's rules, `settings` the choices of a table; `state` is the game and `terms` the values in the
state. Editions differ only in pieces, roles and settings.
"""

from ledger.rulebooks.monopoly.rulebook import RULEBOOKS as RULEBOOKS
