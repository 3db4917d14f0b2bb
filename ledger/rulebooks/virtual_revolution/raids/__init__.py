"""Raids and forced losses."""
