"""The statistics of the game's events."""

from __future__ import annotations

from importlib.resources import files

from ledger.rulebooks.parts import reading
from ledger.rulebooks.parts.tallies import Tallies

TALLIES: Tallies = reading.tallies(files(__package__))
"""statistics.toml, read."""
