"""The end: bankruptcy, worth, seasons, and the winner."""
