"""Reading requests and writing answers: bodies, queries, conditions, pages."""
