"""I.A, I.C and X. Deals, contracts, bounties and loans."""
