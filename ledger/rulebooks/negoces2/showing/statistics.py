"""The statistics of Négoces 2's events."""

from __future__ import annotations

from importlib.resources import files

from ledger.rulebooks.parts import reading

TALLIES = reading.tallies(files(__package__))
"""statistics.toml, read."""
