"""What the events of Négoces 2 count for in statistics."""

from __future__ import annotations

from importlib.resources import files

from ledger.rulebooks.parts.tallies import Tallies

TALLIES = Tallies.read((files(__package__) / "statistics.toml").read_text(encoding="utf-8"))
"""statistics.toml, read."""
