"""IX.C and IX.D. Weapons: the list, the purchase, and a file for each family."""

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
