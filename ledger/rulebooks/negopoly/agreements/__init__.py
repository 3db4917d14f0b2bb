"""X. What the bank keeps: contracts, bounties and loans."""

CHAPTERS = ("contract_facts", "contracts", "bounties", "loans")
