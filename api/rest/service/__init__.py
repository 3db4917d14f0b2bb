"""The service itself: the caller's token, health, and the pages of the console."""
