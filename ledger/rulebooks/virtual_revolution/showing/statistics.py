"""The statistics of the game's events."""

from __future__ import annotations

from importlib.resources import files

from ledger.kernel.rules.faces.tallies import Tallies
from ledger.rulebooks.parts import reading

TALLIES: Tallies = reading.tallies(files(__package__))
"""statistics.toml, read."""
