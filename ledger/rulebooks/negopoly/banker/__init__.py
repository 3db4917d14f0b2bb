"""P. The banker: disputes, rulings and their remedies."""

CHAPTERS = ("arbitration",)
