"""Verification of stored journals: against the service's records, and against its rules."""
