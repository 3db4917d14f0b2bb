"""Dice: chains of hashes, throws derived from seeds, and throws shared by the seats. Bytes and hashes only."""
