"""The console: the pages for bankers, players and the wall, and their build."""
