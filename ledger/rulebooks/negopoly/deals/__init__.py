"""I. Transfers of money, and deals that bind only the players who consent to them."""

CHAPTERS = ("principles", "deals")
