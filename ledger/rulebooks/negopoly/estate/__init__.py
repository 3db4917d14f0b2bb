"""V. Titles: purchase and sale, quarters with abilities, mortgages, houses."""

CHAPTERS = (
    "titles",
    "real_estate",
    "quarters",
    "neighbourhoods",
    "police_orders",
    "quarter_teleport",
    "mortgages",
    "houses",
)
