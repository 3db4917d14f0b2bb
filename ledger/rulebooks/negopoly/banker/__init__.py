"""P. The banker: disputes, rulings and remedies."""

CHAPTERS = ("arbitration",)
