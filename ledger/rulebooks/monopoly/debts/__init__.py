"""Debts and taxes."""
