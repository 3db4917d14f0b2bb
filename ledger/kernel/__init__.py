"""The pure core that every rulebook stands on: postings, events, actions, decisions, the journal and its fold.

Nothing here reads a clock, a die, a file or a database: all of that is passed in.
"""
