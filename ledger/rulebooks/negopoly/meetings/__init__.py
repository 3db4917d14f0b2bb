"""IV. Private meetings, and bans of meetings."""

CHAPTERS = ("meetings", "talks")
