"""The console: the pages for bankers, players and the wall, and how they are built."""
