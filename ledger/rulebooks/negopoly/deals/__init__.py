"""I. Transfers of money, and deals, binding for consenting players only."""

CHAPTERS = ("principles", "deals")
