"""The effective history over a journal: how entries stand, and how a correction is worked out."""
