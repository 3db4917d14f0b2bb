"""Admission of requests: hosts, tokens, limits, and headers for browsers."""
