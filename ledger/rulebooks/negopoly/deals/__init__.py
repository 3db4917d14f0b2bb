"""I. What players settle among themselves: transfers of money, and deals that bind only who consents to them."""

CHAPTERS = ("principles", "deals")
