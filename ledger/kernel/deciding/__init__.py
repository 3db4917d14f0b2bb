"""Deciding: the only room that calls `Action.decide`, now, for a correction, and for what is due."""
