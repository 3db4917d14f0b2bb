"""Recorded and simulated games, replays, exports, statistics and reports."""
