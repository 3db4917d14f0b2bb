"""IX.C and IX.D. Weapons: the list of them, buying them, and a file for each family and what it does."""

CHAPTERS = (
    "weapons",
    "rpg7",
    "charges",
    "firearms",
    "mortar",
    "disruption",
    "emp",
    "bombardment",
    "game_enders",
)
