"""II.B, VI.A and VI.B. Cards: decks and hands, what the cards do, the weather, and the Kamtar that sells some."""

CHAPTERS = (
    "decks",
    "playing",
    "hand",
    "effects",
    "moves",
    "secrets",
    "card_rulings",
    "weather",
    "kamtar",
)
