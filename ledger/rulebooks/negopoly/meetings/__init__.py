"""IV. Private meetings, and what disrupts them."""

CHAPTERS = ("meetings", "talks")
