"""II.B.7 to II.B.11 and VI.A.7. The decks, the hand, what cards do, and the weather."""
