"""The front: what receives every request before the application does, in an event loop."""
