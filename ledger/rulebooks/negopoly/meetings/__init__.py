"""IV. Private meetings, and their disruption."""

CHAPTERS = ("meetings", "talks")
