"""Changing games: create, perform, preview, correct, undo, redo."""
