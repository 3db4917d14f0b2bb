"""Tamper-proof dice: throws derived from values committed to in advance."""
