"""Necro attacks."""
