"""The terminal: options, failures, progress, tables and files."""
