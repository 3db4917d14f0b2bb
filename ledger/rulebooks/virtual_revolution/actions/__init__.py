"""The five Actions."""
