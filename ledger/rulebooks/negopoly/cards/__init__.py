"""II.B, VI.A and VI.B. Cards: decks, hands, effects, weather, and the Kamtar."""

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
