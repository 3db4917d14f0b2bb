"""The front of a worker: receives requests in an event loop and hands them to the application."""
