"""The pure core under every rulebook: postings, events, actions, decisions, the journal and its fold.

The kernel reads no clock, die, file or database: the caller passes in all input.
"""
