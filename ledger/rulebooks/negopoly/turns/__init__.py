"""II and IV. Rounds and turns, their clock, meetings, and how the game ends."""
