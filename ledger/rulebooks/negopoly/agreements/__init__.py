"""X. Agreements at the bank: contracts, bounties and loans."""

CHAPTERS = ("contract_facts", "contracts", "bounties", "loans")
