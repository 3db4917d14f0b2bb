"""The console: its source, its unit tests, its types."""
